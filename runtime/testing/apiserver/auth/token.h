/* SPDX-License-Identifier: Apache-2.0 */
/* Bearer tokens: the two of the kubeconfig, and those of service accounts (signed JSON). */
#ifndef KUBE_APISERVER_TOKEN_H
#define KUBE_APISERVER_TOKEN_H

#include "auth.h"

/* The audience of tokens that name none, and their issuer. */
#define KUBE__API_AUDIENCE "https://kubernetes.default.svc"

struct kube__api_authority {
    char admin_token[48];
    char user_token[48];
    unsigned char key[32];    /* of service accounts' tokens */
    kube__api_random *random; /* of tokens' ids, which are no secrets */
};

typedef struct kube__api_claims {
    const char *namespace_;
    const char *name;
    const char *uid;
    const kube__json *audiences; /* array of strings */
    int64_t issued_s;
    int64_t expires_s;
    kube__json *bound; /* {"pod": {"name", "uid"}} and the like; may be NULL */
} kube__api_claims;

/* Returns NULL if out of memory. */
const char *kube__api_token_issue(kube_ctx *ctx, kube__api_authority *authority,
                                  const kube__api_claims *claims);
/*
 * Whose token it is; false when it is nobody's, or for none of @audiences (an array of strings;
 * NULL = this server). *@fault then says why, as a TokenReview does. *@granted: the audiences in
 * common.
 */
bool kube__api_token_check(kube_apiserver *server, kube_ctx *ctx, const char *token,
                           const kube__json *audiences, kube__api_user *user, kube__json **granted,
                           const char **fault);

/* Splits system:serviceaccount:NAMESPACE:NAME. Returns false if @user is no service account. */
bool kube__api_split_service_account(kube_ctx *ctx, const char *user, const char **namespace_,
                                     const char **name);
/* The groups of a namespace's service accounts, with room for one more. Returns NULL if out of
 * memory. */
const char **kube__api_service_account_groups(kube_ctx *ctx, const char *namespace_);

/* impersonate.c: replaces request->user as the Impersonate-… headers ask. */
kube__api_failure *kube__api_impersonate(kube_apiserver *server, kube__api_request *request);

/* authorize.c: what the request asks for. */
kube__api_attributes kube__api_attributes_of(const kube__api_request *request);

#endif /* KUBE_APISERVER_TOKEN_H */
