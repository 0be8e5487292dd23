/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KUBE_APISERVER_LOOPBACK_H
#define KUBE_APISERVER_LOOPBACK_H

#include "apiserver/core/apiserver.h"
#include "apiserver/core/failure.h"

/*
 * A request by the server itself (system:apiserver; no authorization, not recorded), under the
 * lock: what controllers, loading and journals use, so that the rules are the same for all.
 * @path with query: "/api/v1/namespaces/a/pods/b?propagationPolicy=Background". @body may be NULL.
 * @content_type NULL = application/json. The answer's document, NULL unless 2xx; then *@failure.
 */
kube__json *kube__api_loopback(kube_apiserver *server, kube_ctx *ctx, const char *method,
                               const char *path, const char *content_type, const kube__json *body,
                               kube__api_failure **failure);

#endif /* KUBE_APISERVER_LOOPBACK_H */
