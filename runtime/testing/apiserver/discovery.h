/* SPDX-License-Identifier: Apache-2.0 */
/* The paths that are about the API itself: versions, health, discovery, OpenAPI v3. */
#ifndef KUBE_APISERVER_DISCOVERY_H
#define KUBE_APISERVER_DISCOVERY_H

#include "server.h"

/* Answers /version /healthz /readyz /livez (and /x below them, ?verbose) /api /apis /api/V
 * /apis/G /apis/G/V /openapi/v3[/…] / ; false when the path is none of these. */
bool kube__api_discover(kube_apiserver *server, kube__api_request *request,
                        kube__api_response *response);
/* openapi.c: /openapi/v3 (index with hashes) and /openapi/v3/apis/G/V. */
bool kube__api_openapi(kube_apiserver *server, kube__api_request *request,
                       kube__api_response *response);

#endif /* KUBE_APISERVER_DISCOVERY_H */
