/* SPDX-License-Identifier: Apache-2.0 */
/* Role-based access from stored objects. */
#ifndef KUBE_APISERVER_RBAC_H
#define KUBE_APISERVER_RBAC_H

#include "auth.h"

/* Called for each rule that applies to a user: @binding is the binding's object, @subject the
 * member of it that matched. False ends the walk. */
typedef bool kube__rbac_visitor(void *arg, const kube__json *binding, const kube__json *subject,
                                const kube__json *rule);

/* The rules of a user in a namespace ("" = of the cluster only). *@errors: bindings to roles that
 * do not exist, as the real server puts it; "" = none. */
void kube__rbac_visit(kube_apiserver *server, kube_ctx *ctx, const kube__api_user *user,
                      const char *namespace_, kube__rbac_visitor *visitor, void *arg,
                      const char **errors);
/* The rules that a roleRef stands for, as an array; NULL when there is no such role. */
kube__json *kube__rbac_rules_of(kube_apiserver *server, kube_ctx *ctx, const kube__json *role_ref,
                                const char *namespace_);
bool kube__rbac_rule_allows(const kube__json *rule, const kube__api_attributes *attributes);
/* "RBAC: allowed by ClusterRoleBinding …". */
const char *kube__rbac_source(kube_ctx *ctx, const kube__json *binding, const kube__json *subject);

#endif /* KUBE_APISERVER_RBAC_H */
