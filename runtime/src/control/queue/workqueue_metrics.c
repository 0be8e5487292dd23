/* SPDX-License-Identifier: Apache-2.0 */
#include "workqueue_metrics.h"

#include "base/units.h"

static const char *const labels[] = {"name", NULL};
/* client-go's: a hundred millionth of a second, ten times that, and so on. */
static const double bounds[] = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000};

static kube_code counter(kube_metrics *registry, const char *queue, const char *name,
                         const char *help, kube_counter **out, kube_error *err)
{
    kube_counter_family *family;
    kube_code rc = kube_metrics_counter(registry, name, help, labels, &family, err);
    *out = kube_counter_with(family, &queue);
    return rc;
}

static kube_code gauge(kube_metrics *registry, const char *queue, const char *name,
                       const char *help, kube_gauge **out, kube_error *err)
{
    kube_gauge_family *family;
    kube_code rc = kube_metrics_gauge(registry, name, help, labels, &family, err);
    *out = kube_gauge_with(family, &queue);
    return rc;
}

static kube_code histogram(kube_metrics *registry, const char *queue, const char *name,
                           const char *help, kube_histogram **out, kube_error *err)
{
    kube_histogram_family *family;
    kube_code rc = kube_metrics_histogram(registry, name, help, labels, bounds,
                                          sizeof bounds / sizeof *bounds, &family, err);
    *out = kube_histogram_with(family, &queue);
    return rc;
}

kube_code kube__queue_metrics_init(kube__queue_metrics *m, kube_metrics *registry,
                                   const char *queue, kube_error *err)
{
    kube_code rc = gauge(registry, queue, "workqueue_depth", "Keys that wait to be processed.",
                         &m->depth, err);
    if (!rc)
        rc = counter(registry, queue, "workqueue_adds_total",
                     "Keys added, repetitions not counted.", &m->adds, err);
    if (!rc)
        rc = counter(registry, queue, "workqueue_retries_total", "Keys added with a delay.",
                     &m->retries, err);
    if (!rc)
        rc = gauge(registry, queue, "workqueue_unfinished_work_seconds",
                   "How long all keys in work have been processed, together.", &m->unfinished, err);
    if (!rc)
        rc = gauge(registry, queue, "workqueue_longest_running_processor_seconds",
                   "How long the key that has been in work longest has been processed.",
                   &m->longest, err);
    if (!rc)
        rc = histogram(registry, queue, "workqueue_queue_duration_seconds",
                       "How long keys waited from when they became due.", &m->waited, err);
    if (!rc)
        rc = histogram(registry, queue, "workqueue_work_duration_seconds",
                       "How long processing a key took.", &m->worked, err);
    return rc;
}

void kube__observe_ns(kube_histogram *histogram, int64_t ns)
{
    kube_histogram_observe(histogram, kube__ns_to_s(ns));
}

void kube__queue_metrics_show(kube__queue_metrics *metrics, const kube__queue_load *load)
{
    kube_gauge_set(metrics->depth, (double)load->depth);
    kube_counter_add(metrics->adds, (double)(load->adds - metrics->adds_shown));
    kube_counter_add(metrics->retries, (double)(load->retries - metrics->retries_shown));
    kube_gauge_set(metrics->unfinished, kube__ns_to_s(load->unfinished_ns));
    kube_gauge_set(metrics->longest, kube__ns_to_s(load->longest_ns));
    metrics->adds_shown = load->adds;
    metrics->retries_shown = load->retries;
}
