/* SPDX-License-Identifier: Apache-2.0 */
/* What the reviews share. */
#ifndef KUBE_APISERVER_REVIEW_H
#define KUBE_APISERVER_REVIEW_H

#include "apiserver/auth/auth.h"
#include "apiserver/patch/managed_fields.h"

/* An object of those members of @from that are there and not empty (but for objects), in the order
 * of @keys, which NULL ends. */
kube__json *kube__review_pick(kube_ctx *ctx, const kube__json *from, const char *const *keys);
/* {kind, apiVersion, metadata: {}}. */
kube__json *kube__review_start(kube_ctx *ctx, const char *kind, const char *group);
/* Sets the managedFields that a review gets like any created object. @schema may be NULL. */
kube__api_failure *kube__review_track(kube_apiserver *server, const kube__api_request *request,
                                      const kube__api_schema *schema, kube__json *object,
                                      const char *group);
/* token_request.c: a create of serviceaccounts/token. */
kube__api_failure *kube__review_token_request(kube_apiserver *server, kube__api_request *request,
                                              const kube__json *object, kube__json **out);

#endif /* KUBE_APISERVER_REVIEW_H */
