/* SPDX-License-Identifier: Apache-2.0 */
#include "workqueue_metrics.h"

#include "base/units.h"

static const char *const labels[] = {"name", NULL};
/* client-go's: a hundred millionth of a second, ten times that, and so on. */
static const double bounds[] = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000};

typedef kube_code define_function(kube_metrics *registry, const char *name, const char *help,
                                  const char *const *label_names, kube_metric **out,
                                  kube_error *err);

static kube_code define_histogram(kube_metrics *registry, const char *name, const char *help,
                                  const char *const *label_names, kube_metric **out,
                                  kube_error *err)
{
    return kube_metrics_histogram(registry, name, help, label_names, bounds,
                                  sizeof bounds / sizeof *bounds, out, err);
}

kube_code kube__queue_metrics_init(kube__queue_metrics *metrics, kube_metrics *registry,
                                   const char *queue, kube_error *err)
{
    const struct {
        define_function *define;
        const char *name;
        const char *help;
        kube_series **series;
    } rows[] = {
        {kube_metrics_gauge, "workqueue_depth", "Keys that wait to be processed.", &metrics->depth},
        {kube_metrics_counter, "workqueue_adds_total", "Keys added, repetitions not counted.",
         &metrics->adds},
        {kube_metrics_counter, "workqueue_retries_total", "Keys added with a delay.",
         &metrics->retries},
        {kube_metrics_gauge, "workqueue_unfinished_work_seconds",
         "How long all keys in work have been processed, together.", &metrics->unfinished},
        {kube_metrics_gauge, "workqueue_longest_running_processor_seconds",
         "How long the key that has been in work longest has been processed.", &metrics->longest},
        {define_histogram, "workqueue_queue_duration_seconds",
         "How long keys waited from when they became due.", &metrics->waited},
        {define_histogram, "workqueue_work_duration_seconds", "How long processing a key took.",
         &metrics->worked},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kube_metric *metric;
        kube_code rc = rows[i].define(registry, rows[i].name, rows[i].help, labels, &metric, err);
        if (rc)
            return rc;
        *rows[i].series = kube_metric_with(metric, &queue);
    }
    return KUBE_OK;
}

void kube__observe_ns(kube_series *series, int64_t ns)
{
    kube_series_observe(series, kube__ns_to_s(ns));
}

void kube__queue_metrics_show(kube__queue_metrics *metrics, const kube__queue_load *load)
{
    kube_series_set(metrics->depth, (double)load->depth);
    kube_series_add(metrics->adds, (double)(load->adds - metrics->adds_shown));
    kube_series_add(metrics->retries, (double)(load->retries - metrics->retries_shown));
    kube_series_set(metrics->unfinished, kube__ns_to_s(load->unfinished_ns));
    kube_series_set(metrics->longest, kube__ns_to_s(load->longest_ns));
    metrics->adds_shown = load->adds;
    metrics->retries_shown = load->retries;
}
