/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Counters, gauges and histograms, and their text for Prometheus.
 *
 *     kube_metrics_counter(metrics, "network_built_total", "Networks built.",
 *                          (const char *const[]){"result", NULL}, &built, &err);
 *     kube_series *ok = kube_metric_with(built, (const char *const[]){"ok"});
 *     kube_series_add(ok, 1);
 *
 * Look a series up once and keep the pointer: to change a series is a single atomic operation.
 * Metrics and series belong to the registry. Threads: any, for all functions but new and free.
 */
#ifndef KUBE_METRICS_H
#define KUBE_METRICS_H

#include <kube/ctx.h>

KUBE_BEGIN_DECLS

typedef struct kube_metrics kube_metrics; /* a registry */
typedef struct kube_metric kube_metric;   /* a name with its label names */
typedef struct kube_series kube_series;   /* one set of label values */

/** Makes an empty registry. Returns NULL if out of memory. */
KUBE_API kube_metrics *kube_metrics_new(void);
/** Frees the registry with its metrics and series, which nobody may use any more. NULL allowed. */
KUBE_API void kube_metrics_free(kube_metrics *metrics);

/**
 * Registers a metric and copies all strings. @p labels is an array of label names that ends with
 * NULL, or NULL for none. If a metric of that name exists, it is returned, provided that its kind,
 * labels and buckets are the same; otherwise the result is KUBE_ERR_ARGUMENT, as for names that
 * Prometheus does not allow.
 */
KUBE_CHECKED kube_code kube_metrics_counter(kube_metrics *metrics, const char *name,
                                            const char *help, const char *const *labels,
                                            kube_metric **out, kube_error *err);
KUBE_CHECKED kube_code kube_metrics_gauge(kube_metrics *metrics, const char *name, const char *help,
                                          const char *const *labels, kube_metric **out,
                                          kube_error *err);
/** @p bounds are the upper bounds of the buckets, in rising order. The bucket +Inf is added. */
KUBE_CHECKED kube_code kube_metrics_histogram(kube_metrics *metrics, const char *name,
                                              const char *help, const char *const *labels,
                                              const double *bounds, size_t bound_count,
                                              kube_metric **out, kube_error *err);
/**
 * Returns the series with these label values, one for each label name (NULL for a metric without
 * labels). It lives as long as the registry, and is never NULL: if out of memory, the result is a
 * series that is not shown. A metric keeps at most 1000 series; further ones are one series whose
 * values are all "other".
 */
KUBE_API kube_series *kube_metric_with(kube_metric *metric, const char *const *values);

/* These do nothing to a metric of another kind, and a counter never falls. */
KUBE_API void kube_series_add(kube_series *series, double value);     /* counter (>= 0), gauge */
KUBE_API void kube_series_set(kube_series *series, double value);     /* gauge */
KUBE_API void kube_series_observe(kube_series *series, double value); /* histogram */
/** Returns the value of a counter or gauge, or how often a histogram was observed. For tests. */
KUBE_API double kube_series_value(const kube_series *series);

/**
 * Calls @p collect each time before the metrics are written out, so that it can set gauges. It runs
 * on the thread that writes. To remove it, pass the same function and @p arg; then it is not
 * running any more.
 */
KUBE_CHECKED kube_code kube_metrics_add_collector(kube_metrics *metrics, void (*collect)(void *arg),
                                                  void *arg, kube_error *err);
KUBE_API void kube_metrics_remove_collector(kube_metrics *metrics, void (*collect)(void *arg),
                                            void *arg);
/** Returns all metrics in Prometheus' text format 0.0.4, sorted by name, in @p ctx. Returns NULL if
 * out of memory. */
KUBE_API const char *kube_metrics_text(kube_metrics *metrics, kube_ctx *ctx);

KUBE_END_DECLS

#endif /* KUBE_METRICS_H */
