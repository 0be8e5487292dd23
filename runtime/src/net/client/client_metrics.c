/* SPDX-License-Identifier: Apache-2.0 */
#include "client_metrics.h"

#include "base/units.h"

#include <stdio.h>

enum { CODE_MAX = 16 };

kube_code kube__client_metrics_init(kube__client_metrics *metrics, kube_metrics *registry,
                                    const char *host, kube_error *err)
{
    static const double seconds[] = {0.005, 0.025, 0.1, 0.25, 0.5,  1.0,
                                     2.0,   4.0,   8.0, 15.0, 30.0, 60.0};
    kube__client_metrics made = {.host = host};
    kube_code rc = KUBE_OK;
    *metrics = (kube__client_metrics){0};
    if (!registry)
        return KUBE_OK;
    rc = kube_metrics_counter(registry, "rest_client_requests_total",
                              "Number of HTTP requests, partitioned by status code, method, and "
                              "host.",
                              (const char *const[]){"code", "host", "method", NULL}, &made.requests,
                              err);
    if (!rc)
        rc = kube_metrics_histogram(registry, "rest_client_request_duration_seconds",
                                    "Request latency in seconds, with all retries, by verb and "
                                    "host.",
                                    (const char *const[]){"host", "verb", NULL}, seconds,
                                    sizeof(seconds) / sizeof *seconds, &made.durations, err);
    if (!rc)
        rc = kube_metrics_counter(registry, "rest_client_request_retries_total",
                                  "Number of request retries, by the status code that caused them, "
                                  "verb, and host.",
                                  (const char *const[]){"code", "verb", "host", NULL},
                                  &made.retries, err);
    if (!rc)
        rc = kube_metrics_counter(registry, "kube_client_dead_connections_total",
                                  "Connections left because nothing came on them any more, by host "
                                  "and what waited: call, list, watch.",
                                  (const char *const[]){"host", "kind", NULL}, &made.dead, err);
    if (!rc)
        *metrics = made;
    return rc;
}

static const char *code_text(char text[CODE_MAX], int status)
{
    if (status <= 0)
        return "<error>";
    snprintf(text, CODE_MAX, "%d", status);
    return text;
}

void kube__client_metrics_answer(const kube__client_metrics *metrics, const char *method,
                                 int status)
{
    char text[CODE_MAX];
    const char *values[] = {code_text(text, status), metrics->host, method};
    kube_counter_add(kube_counter_with(metrics->requests, values), 1);
}

void kube__client_metrics_retry(const kube__client_metrics *metrics, const char *method, int status)
{
    char text[CODE_MAX];
    const char *values[] = {code_text(text, status), method, metrics->host};
    kube_counter_add(kube_counter_with(metrics->retries, values), 1);
}

void kube__client_metrics_dead(const kube__client_metrics *metrics, const char *kind)
{
    const char *values[] = {metrics->host, kind};
    kube_counter_add(kube_counter_with(metrics->dead, values), 1);
}

void kube__client_metrics_duration(const kube__client_metrics *metrics, const char *method,
                                   int64_t duration_ns)
{
    const char *values[] = {metrics->host, method};
    kube_histogram_observe(kube_histogram_with(metrics->durations, values),
                           kube__ns_to_s(duration_ns));
}
