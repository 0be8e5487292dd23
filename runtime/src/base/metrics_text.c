/* SPDX-License-Identifier: Apache-2.0 */
/* Prometheus' text exposition format, version 0.0.4. */
#include "buffer.h"
#include "metrics.h"
#include "utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_TEXT = 64 << 20, NUMBER_SIZE = 32 };

/* The fewest digits that read back as the same number, with a point whatever the locale. */
static void format_number(char text[NUMBER_SIZE], double value)
{
    if (isnan(value) || isinf(value)) {
        snprintf(text, NUMBER_SIZE, "%s", isnan(value) ? "NaN" : value < 0 ? "-Inf" : "+Inf");
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        double read;
        snprintf(text, NUMBER_SIZE, "%.*g", digits, value);
        read = strtod(text, NULL);
        if (kube__metric_to_bits(read) == kube__metric_to_bits(value))
            break;
    }
    for (char *p = text; *p; p++) {
        if (!strchr("0123456789+-e", *p)) {
            *p = '.';
            memmove(p + 1, p + 1 + strcspn(p + 1, "0123456789"),
                    strlen(p + 1 + strcspn(p + 1, "0123456789")) + 1);
        }
    }
}

/* Readers refuse a page with one byte that is no UTF-8: such bytes are shown as \xNN. */
static void add_escaped(kube__buffer *text, const char *value, bool quotes)
{
    for (const char *s = value; *s;) {
        size_t len = kube__utf8_len(s, SIZE_MAX);
        if (*s == '\\')
            kube__buffer_add_text(text, "\\\\");
        else if (*s == '\n')
            kube__buffer_add_text(text, "\\n");
        else if (*s == '"' && quotes)
            kube__buffer_add_text(text, "\\\"");
        else if (len)
            kube__buffer_add(text, s, len);
        else
            kube__buffer_printf(text, "\\\\x%02x", (unsigned char)*s);
        s += len ? len : 1;
    }
}

/* @le NULL = no such label. */
static void add_labels(kube__buffer *text, const kube__series *series, const char *le)
{
    const kube__metric *metric = series->metric;
    const char *before = "{";
    for (size_t i = 0; i < metric->label_count; i++) {
        kube__buffer_printf(text, "%s%s=\"", before, metric->labels[i]);
        add_escaped(text, series->values[i], true);
        kube__buffer_add_text(text, "\"");
        before = ",";
    }
    if (le) {
        kube__buffer_printf(text, "%sle=\"%s\"", before, le);
        before = ",";
    }
    if (*before == ',')
        kube__buffer_add_text(text, "}");
}

static void add_histogram(kube__buffer *text, const kube__series *series)
{
    const kube__metric *metric = series->metric;
    uint64_t count = 0;
    char number[NUMBER_SIZE];
    for (size_t i = 0; i <= metric->bound_count; i++) {
        count += atomic_load_explicit(&series->buckets[i], memory_order_relaxed);
        format_number(number, i < metric->bound_count ? metric->bounds[i] : (double)INFINITY);
        kube__buffer_printf(text, "%s_bucket", metric->name);
        add_labels(text, series, number);
        kube__buffer_printf(text, " %llu\n", (unsigned long long)count);
    }
    kube__buffer_printf(text, "%s_sum", metric->name);
    add_labels(text, series, NULL);
    format_number(
        number, kube__metric_from_bits(atomic_load_explicit(&series->bits, memory_order_relaxed)));
    kube__buffer_printf(text, " %s\n%s_count", number, metric->name);
    add_labels(text, series, NULL);
    kube__buffer_printf(text, " %llu\n", (unsigned long long)count);
}

static void add_metric(kube__buffer *text, const kube__metric *metric)
{
    static const char *const kinds[] = {"counter", "gauge", "histogram"};
    char number[NUMBER_SIZE];
    if (metric->len == 0)
        return;
    kube__buffer_printf(text, "# HELP %s ", metric->name);
    add_escaped(text, metric->help, false);
    kube__buffer_printf(text, "\n# TYPE %s %s\n", metric->name, kinds[metric->kind]);
    for (size_t i = 0; i < metric->len; i++) {
        if (metric->kind == KUBE__METRIC_HISTOGRAM) {
            add_histogram(text, metric->series[i]);
            continue;
        }
        format_number(number, kube__series_value(metric->series[i]));
        kube__buffer_add_text(text, metric->name);
        add_labels(text, metric->series[i], NULL);
        kube__buffer_printf(text, " %s\n", number);
    }
}

const char *kube_metrics_text(kube_metrics *metrics, kube_ctx *ctx)
{
    kube__buffer text;
    kube__buffer_init(&text, MAX_TEXT);
    kube__lock(&metrics->collecting);
    for (const kube__collector *c = metrics->collectors; c; c = c->next)
        c->collect(c->arg);
    kube__lock(&metrics->mutex);
    for (size_t i = 0; i < metrics->len; i++)
        add_metric(&text, metrics->metrics[i]);
    kube__unlock(&metrics->mutex);
    kube__unlock(&metrics->collecting);
    if (!text.failed && !text.data)
        return "";
    if (text.failed)
        return NULL;
    if (kube_ctx_defer(ctx, free, text.data, NULL)) {
        kube__buffer_fini(&text);
        return NULL;
    }
    return text.data;
}
