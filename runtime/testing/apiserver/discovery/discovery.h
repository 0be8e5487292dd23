/* SPDX-License-Identifier: Apache-2.0 */
/* The paths that are about the API itself: versions, health, discovery, OpenAPI v3. */
#ifndef KUBE_APISERVER_DISCOVERY_H
#define KUBE_APISERVER_DISCOVERY_H

#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"

/* Answers /version /healthz /readyz /livez (and /x below them, ?verbose) /api /apis /api/V
 * /apis/G /apis/G/V /openapi/v3[/…] / ; false if the path is another one. */
bool kube__api_discover(kube_apiserver *server, kube__api_request *request,
                        kube__api_response *response);
/* health.c: /healthz, /livez, /readyz and what is below them; false if the path is another one. */
bool kube__api_health(const kube__api_request *request, kube__api_response *response);
/* The paths of health.c, in order; NULL past the end. */
const char *kube__api_health_path(kube_ctx *ctx, size_t index);
/* discovery_aggregated.c: /api or /apis as one document, with its hash. */
void kube__api_discover_aggregated(kube_apiserver *server, const kube__api_request *request,
                                   kube__api_response *response);

/* discovery_resource.c: what both forms of discovery say of a resource. */

typedef struct kube__api_subresource {
    const char *name;
    const char *group; /* of the kind; "" with version "" = that of the resource */
    const char *version;
    const char *kind;
    const char *const *verbs; /* NULL-terminated */
} kube__api_subresource;

enum { KUBE__API_SUBRESOURCES = 8 };

/* In the order of the real server. */
size_t kube__api_subresources(const kube__api_resource *resource,
                              kube__api_subresource out[KUBE__API_SUBRESOURCES]);
const char *const *kube__api_verbs(const kube__api_resource *resource);
/* "" for one that stores nothing. */
const char *kube__api_storage_hash(kube_ctx *ctx, const kube__api_resource *resource);
/* An array of the texts of a NULL-terminated list. */
kube__json *kube__api_text_array(kube_ctx *ctx, const char *const *texts);

/* openapi.c: /openapi/v3 (index with hashes) and /openapi/v3/apis/G/V. */
bool kube__api_openapi(kube_apiserver *server, kube__api_request *request,
                       kube__api_response *response);

#endif /* KUBE_APISERVER_DISCOVERY_H */
