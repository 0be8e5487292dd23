/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Counters, gauges and histograms, and their text for Prometheus.
 *
 *     kube_counter_family *built;
 *     rc = kube_metrics_counter(metrics, "network_built_total", "Networks built.",
 *                               (const char *const[]){"result", NULL}, &built, &err);
 *     kube_counter *ok = kube_counter_with(built, (const char *const[]){"ok"});
 *     kube_counter_add(ok, 1);
 *
 * Look a counter, gauge or histogram up once and keep the pointer: to change it is a single atomic
 * operation. All of them belong to the registry. Threads: any, for all functions but new and free.
 */
#ifndef KUBE_METRICS_H
#define KUBE_METRICS_H

#include <kube/ctx.h>

KUBE_BEGIN_DECLS

typedef struct kube_metrics kube_metrics; /* a registry */

/* A name with its label names. */
typedef struct kube_counter_family kube_counter_family;
typedef struct kube_gauge_family kube_gauge_family;
typedef struct kube_histogram_family kube_histogram_family;

/* One set of label values in it. */
typedef struct kube_counter kube_counter;
typedef struct kube_gauge kube_gauge;
typedef struct kube_histogram kube_histogram;

/** Makes an empty registry. Returns NULL if out of memory. */
KUBE_API kube_metrics *kube_metrics_new(void);
/** Frees the registry with all that belongs to it, which nobody may use any more. NULL allowed. */
KUBE_API void kube_metrics_free(kube_metrics *metrics);

/**
 * Registers a family and copies all strings. @p labels is an array of label names that ends with
 * NULL, or NULL for none. If a family of that name exists, it is returned, provided that its kind,
 * labels and buckets are the same; otherwise the result is KUBE_ERR_ARGUMENT, as for names that
 * Prometheus does not allow.
 */
KUBE_CHECKED kube_code kube_metrics_counter(kube_metrics *metrics, const char *name,
                                            const char *help, const char *const *labels,
                                            kube_counter_family **out, kube_error *err);
KUBE_CHECKED kube_code kube_metrics_gauge(kube_metrics *metrics, const char *name, const char *help,
                                          const char *const *labels, kube_gauge_family **out,
                                          kube_error *err);
/** @p bounds are the upper bounds of the buckets, in rising order. The bucket +Inf is added. */
KUBE_CHECKED kube_code kube_metrics_histogram(kube_metrics *metrics, const char *name,
                                              const char *help, const char *const *labels,
                                              const double *bounds, size_t bound_count,
                                              kube_histogram_family **out, kube_error *err);
/**
 * Returns the one with these label values, one for each label name (NULL for a family without
 * labels). It lives as long as the registry, and is NULL only for a family that is NULL: if out of
 * memory, the result is one that is not shown. A family keeps at most 1000; further ones are one
 * whose values are all "other".
 */
KUBE_API kube_counter *kube_counter_with(kube_counter_family *family, const char *const *values);
KUBE_API kube_gauge *kube_gauge_with(kube_gauge_family *family, const char *const *values);
KUBE_API kube_histogram *kube_histogram_with(kube_histogram_family *family,
                                             const char *const *values);

/** These do nothing to NULL, so that what is not measured needs no question. A counter never falls:
 * a negative @p value is ignored. */
KUBE_API void kube_counter_add(kube_counter *counter, double value);
KUBE_API void kube_gauge_add(kube_gauge *gauge, double value);
KUBE_API void kube_gauge_set(kube_gauge *gauge, double value);
KUBE_API void kube_histogram_observe(kube_histogram *histogram, double value);
/** These return the value, or how often a histogram was observed; 0 for NULL. */
KUBE_API double kube_counter_value(const kube_counter *counter);
KUBE_API double kube_gauge_value(const kube_gauge *gauge);
KUBE_API uint64_t kube_histogram_count(const kube_histogram *histogram);

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
