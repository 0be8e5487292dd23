/* SPDX-License-Identifier: Apache-2.0 */
/* Who is it, and may he: tokens, client certificates, anonymous, impersonation, RBAC. */
#ifndef KUBE_APISERVER_AUTH_H
#define KUBE_APISERVER_AUTH_H

#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"

/* Tokens and keys come from the machine, whatever the seed of @random, which is for their ids. NULL
 * if out of memory, or if the machine has no random numbers. */
kube__api_authority *kube__api_authority_new(kube__api_random *random);
void kube__api_authority_free(kube__api_authority *authority);
/* The tokens of the kubeconfig's users. */
const char *kube__api_authority_admin_token(const kube__api_authority *authority);
const char *kube__api_authority_user_token(const kube__api_authority *authority);

/* In RBAC mode: stores the ClusterRoles and bindings that every cluster starts with where they are
 * missing. Under the lock, once the built-in resources are registered; false when it failed. */
bool kube__api_authority_bootstrap(kube_apiserver *server);

/*
 * Fills request->user from the client certificate's subject (@common_name NULL = no certificate was
 * shown;
 * @organizations NULL-terminated; @fingerprint its SHA-256), else the Authorization header, else
 * anonymous; then impersonation (which needs the right to). 401 for a token nobody has. Service
 * account tokens are those that the TokenRequest subresource gave out. Under the lock.
 */
kube__api_failure *kube__api_authenticate(kube_apiserver *server, kube__api_request *request,
                                          const char *common_name, const char *const *organizations,
                                          const char *fingerprint);

/* What is asked for: "" where it does not apply. */
typedef struct kube__api_attributes {
    const char *verb;
    const char *group;
    const char *version;
    const char *resource;
    const char *subresource;
    const char *namespace_;
    const char *name;
    const char *path; /* of a request that is for no resource; NULL = it is for one */
} kube__api_attributes;

/* Whether @user may; *@reason (the ctx's, or "") says by which binding. */
bool kube__api_may(kube_apiserver *server, kube_ctx *ctx, const kube__api_user *user,
                   const kube__api_attributes *attributes, const char **reason);
/* 403 with the real server's text, or NULL. */
kube__api_failure *kube__api_authorize(kube_apiserver *server, const kube__api_request *request);

/* The real 403: `pods "a" is forbidden: User "u" cannot …`, with @reason behind it unless "". */
kube__api_failure *kube__api_forbidden(kube_ctx *ctx, const kube__api_user *user,
                                       const kube__api_attributes *attributes, const char *reason);
/*
 * Before a Role, ClusterRole or binding is stored (@old NULL = create): 403 when it would grant
 * what the user does not have himself, unless he may escalate or bind. NULL for all other
 * resources.
 */
kube__api_failure *kube__api_check_escalation(kube_apiserver *server,
                                              const kube__api_request *request,
                                              const kube__api_resource *resource,
                                              const kube__json *object, const kube__json *old);

/*
 * Answers a create of a review resource: SelfSubjectAccessReview, SubjectAccessReview,
 * LocalSubjectAccessReview, SelfSubjectRulesReview (authorization.k8s.io/v1), SelfSubjectReview,
 * TokenReview (authentication.k8s.io/v1), and the serviceaccounts/token subresource.
 */
kube__api_failure *kube__api_review(kube_apiserver *server, kube__api_request *request,
                                    const kube__api_resource *resource, kube__json *object,
                                    kube__json **out);

#endif /* KUBE_APISERVER_AUTH_H */
