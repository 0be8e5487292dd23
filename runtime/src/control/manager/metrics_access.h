/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who may read the metrics: a request's bearer token is shown to the API server (TokenReview),
 * which is then asked whether its owner may get the path (SubjectAccessReview).
 */
#ifndef KUBE_CONTROL_METRICS_ACCESS_H
#define KUBE_CONTROL_METRICS_ACCESS_H

#include "http.h"

#include <kube/client.h>

typedef struct kube__metrics_access kube__metrics_access;

/* @client asks; NULL = one of @config and with @metrics, which no fence holds up. @clock is of what
 * is remembered. */
KUBE__CHECKED kube_code kube__metrics_access_new(kube_client *client, const kube_config *config,
                                                 kube_metrics *metrics, kube_clock *clock,
                                                 kube__metrics_access **out, kube_error *err);
/* NULL allowed. */
void kube__metrics_access_free(kube__metrics_access *access);
/*
 * Whether @request is to be answered. Else it fills @answer: 401 without a token that the API
 * server knows, 403 if it says no, 500 if it cannot be asked. What it says is remembered, a yes for
 * a minute and a no for half of one. Threads: any.
 */
bool kube__metrics_access_allows(kube__metrics_access *access, kube_ctx *ctx,
                                 const kube__http_server_request *request,
                                 kube__http_answer *answer);

#endif /* KUBE_CONTROL_METRICS_ACCESS_H */
