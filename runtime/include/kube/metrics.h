/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Counters, gauges and histograms, and Prometheus' text of them.
 *
 *     kube_metrics_counter(metrics, "network_built_total", "Networks built.",
 *                          (const char *const[]){"result", NULL}, &built, &err);
 *     kube_series *ok = kube_metric_with(built, (const char *const[]){"ok"});
 *     kube_series_add(ok, 1);
 *
 * A series is looked up once and kept; changing it is an atomic operation. All belong to the
 * registry. Threads: any, for all functions but new and free.
 */
#ifndef KUBE_METRICS_H
#define KUBE_METRICS_H

#include <kube/ctx.h>

KUBE_BEGIN_DECLS

typedef struct kube_metrics kube_metrics; /* a registry */
typedef struct kube_metric kube_metric;   /* a name with its label names */
typedef struct kube_series kube_series;   /* one set of label values */

/** NULL when memory is out. */
KUBE_API kube_metrics *kube_metrics_new(void);
/** Who uses its series must have ended. NULL allowed. */
KUBE_API void kube_metrics_free(kube_metrics *metrics);

/**
 * Registers a metric. @p labels ends with NULL; NULL = no labels. The same name, kind and labels
 * again give the metric that is there; another kind, other labels or buckets are
 * KUBE_ERR_ARGUMENT, as are names that Prometheus does not allow. Strings are copied.
 */
KUBE_CHECKED kube_code kube_metrics_counter(kube_metrics *metrics, const char *name,
                                            const char *help, const char *const *labels,
                                            kube_metric **out, kube_error *err);
KUBE_CHECKED kube_code kube_metrics_gauge(kube_metrics *metrics, const char *name, const char *help,
                                          const char *const *labels, kube_metric **out,
                                          kube_error *err);
/** @p bounds: upper bounds of the buckets, rising; +Inf is added. */
KUBE_CHECKED kube_code kube_metrics_histogram(kube_metrics *metrics, const char *name,
                                              const char *help, const char *const *labels,
                                              const double *bounds, size_t bound_count,
                                              kube_metric **out, kube_error *err);
/**
 * The series of these values, one a label name (NULL in a metric without labels); lives as long as
 * the registry. A metric keeps at most 1000 series: what would be more goes to one whose values are
 * all "other". Never NULL: when memory is out, a series that is not shown.
 */
KUBE_API kube_series *kube_metric_with(kube_metric *metric, const char *const *values);

/* What does not fit the kind of metric, or makes a counter fall, does nothing. */
KUBE_API void kube_series_add(kube_series *series, double value);     /* counter (>= 0), gauge */
KUBE_API void kube_series_set(kube_series *series, double value);     /* gauge */
KUBE_API void kube_series_observe(kube_series *series, double value); /* histogram */
/** The value of a counter or gauge, a histogram's count; for tests. */
KUBE_API double kube_series_value(const kube_series *series);

/**
 * Calls @p collect each time the metrics are written out, to set gauges from what is there; it runs
 * on the writing thread. Removed by the same pair; after that it is not running any more.
 */
KUBE_CHECKED kube_code kube_metrics_add_collector(kube_metrics *metrics, void (*collect)(void *arg),
                                                  void *arg, kube_error *err);
KUBE_API void kube_metrics_remove_collector(kube_metrics *metrics, void (*collect)(void *arg),
                                            void *arg);
/** Text exposition format 0.0.4, families sorted by name, in @p ctx; NULL when memory is out. */
KUBE_API const char *kube_metrics_text(kube_metrics *metrics, kube_ctx *ctx);

KUBE_END_DECLS

#endif /* KUBE_METRICS_H */
