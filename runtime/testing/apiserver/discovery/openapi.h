/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of an OpenAPI v3 document of one group version. */
#ifndef KUBE_APISERVER_OPENAPI_H
#define KUBE_APISERVER_OPENAPI_H

#include "apiserver/core/apiserver.h"
#include "base/buffer.h"

/* The name of a kind's component: "io.k8s.api.core.v1.Pod", "com.example.v1.Widget". */
const char *kube__api_component_name(kube_ctx *ctx, const char *group, const char *version,
                                     const char *kind);
/* Appends the members of components.schemas, with commas between them. */
void kube__api_openapi_components(kube_apiserver *server, kube_ctx *ctx, const char *group,
                                  const char *version, kube__buffer *out);
/* Appends the members of paths. */
void kube__api_openapi_paths(kube_apiserver *server, kube_ctx *ctx, const char *group,
                             const char *version, kube__buffer *out);

#endif /* KUBE_APISERVER_OPENAPI_H */
