/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the requests of a client in metrics that have client-go's names. */
#ifndef KUBE_NET_CLIENT_METRICS_H
#define KUBE_NET_CLIENT_METRICS_H

#include <kube/metrics.h>

/* All zero = nothing is counted. Threads: any, once it is initialised. */
typedef struct kube__client_metrics {
    kube_counter_family *requests;
    kube_histogram_family *durations;
    kube_counter_family *retries;
    kube_counter_family *dead;
    const char *host;
} kube__client_metrics;

/* @host must outlive it; @registry NULL = count nothing. */
KUBE__CHECKED kube_code kube__client_metrics_init(kube__client_metrics *metrics,
                                                  kube_metrics *registry, const char *host,
                                                  kube_error *err);
/* An answer to one attempt, @status 0 = there was none. */
void kube__client_metrics_answer(const kube__client_metrics *metrics, const char *method,
                                 int status);
/* After that answer the request is sent again. */
void kube__client_metrics_retry(const kube__client_metrics *metrics, const char *method,
                                int status);
/* A connection was left because nothing came while a @kind ("call", "list", "watch") waited. */
void kube__client_metrics_dead(const kube__client_metrics *metrics, const char *kind);
/* How long a request took in all. */
void kube__client_metrics_duration(const kube__client_metrics *metrics, const char *method,
                                   int64_t duration_ns);

#endif /* KUBE_NET_CLIENT_METRICS_H */
