/* SPDX-License-Identifier: Apache-2.0 */
/* The series of one queue under the names that client-go gives them (WQ-7). */
#ifndef KUBE_CONTROL_WORKQUEUE_METRICS_H
#define KUBE_CONTROL_WORKQUEUE_METRICS_H

#include <kube/metrics.h>

typedef struct kube__queue_metrics {
    kube_gauge *depth;
    kube_counter *adds;
    kube_counter *retries;
    kube_gauge *unfinished;
    kube_gauge *longest;
    kube_histogram *waited; /* the two that are observed as it happens */
    kube_histogram *worked;
    uint64_t adds_shown;
    uint64_t retries_shown;
} kube__queue_metrics;

/* What is looked up when the metrics are written out. */
typedef struct kube__queue_load {
    size_t depth; /* keys to be processed, again included */
    uint64_t adds;
    uint64_t retries;
    int64_t unfinished_ns; /* of all keys processed now, together */
    int64_t longest_ns;
} kube__queue_load;

KUBE__CHECKED kube_code kube__queue_metrics_init(kube__queue_metrics *metrics,
                                                 kube_metrics *registry, const char *queue,
                                                 kube_error *err);
void kube__queue_metrics_show(kube__queue_metrics *metrics, const kube__queue_load *load);
void kube__observe_ns(kube_histogram *histogram, int64_t ns);

#endif /* KUBE_CONTROL_WORKQUEUE_METRICS_H */
