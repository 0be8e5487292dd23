/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One mutex guards registering, looking up and writing out. To change a series needs no mutex: it
 * is one atomic operation on the bits of a double. A counter also has an integer part, so that the
 * usual increment by one is an atomic addition instead of a compare-and-swap, which can fail.
 */
#include "metrics.h"

#include "ascii.h"
#include "memory.h"
#include "text.h"

#include <kube/log.h>
#include <math.h>
#include <stdlib.h>

enum {
    MAX_SERIES = 1000, /* of a metric, the one for the rest included */
    GROWTH = 16,
};
static const char rest[] = "other"; /* the values of the series that takes what is too many */
static const double whole_up_to = 9007199254740992.0; /* 2^53 */

/* ---- values --------------------------------------------------------------------------------- */

static void add_to_bits(kube__series *series, double value)
{
    uint64_t old = atomic_load_explicit(&series->bits, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(
        &series->bits, &old, kube__metric_to_bits(kube__metric_from_bits(old) + value),
        memory_order_relaxed, memory_order_relaxed))
        ;
}

void kube_counter_add(kube_counter *counter, double value)
{
    kube__series *series = (kube__series *)counter;
    uint64_t whole = value >= 0 && value < whole_up_to ? (uint64_t)value : 0;
    if (!counter || !(value >= 0)) /* nor NaN */
        return;
    if ((double)whole == value)
        atomic_fetch_add_explicit(&series->whole, whole, memory_order_relaxed);
    else
        add_to_bits(series, value);
}

void kube_gauge_add(kube_gauge *gauge, double value)
{
    if (gauge)
        add_to_bits((kube__series *)gauge, value);
}

void kube_gauge_set(kube_gauge *gauge, double value)
{
    if (gauge)
        atomic_store_explicit(&((kube__series *)gauge)->bits, kube__metric_to_bits(value),
                              memory_order_relaxed);
}

/* The first bucket whose bound is not below; NaN goes to the last one. */
static size_t bucket_of(const kube__metric *metric, double value)
{
    size_t low = 0;
    size_t high = metric->bound_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (value <= metric->bounds[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void kube_histogram_observe(kube_histogram *histogram, double value)
{
    kube__series *series = (kube__series *)histogram;
    if (!series)
        return;
    add_to_bits(series, value);
    atomic_fetch_add_explicit(&series->buckets[bucket_of(series->metric, value)], 1,
                              memory_order_relaxed);
}

double kube__series_value(const kube__series *series)
{
    return kube__metric_from_bits(atomic_load_explicit(&series->bits, memory_order_relaxed)) +
           (double)atomic_load_explicit(&series->whole, memory_order_relaxed);
}

double kube_counter_value(const kube_counter *counter)
{
    return counter ? kube__series_value((const kube__series *)counter) : 0;
}

double kube_gauge_value(const kube_gauge *gauge)
{
    return gauge ? kube__series_value((const kube__series *)gauge) : 0;
}

uint64_t kube_histogram_count(const kube_histogram *histogram)
{
    const kube__series *series = (const kube__series *)histogram;
    uint64_t count = 0;
    for (size_t i = 0; series && i <= series->metric->bound_count; i++)
        count += atomic_load_explicit(&series->buckets[i], memory_order_relaxed);
    return count;
}

/* ---- series --------------------------------------------------------------------------------- */

static const char *value_at(const char *const *values, size_t i)
{
    return values ? kube__text_or_empty(values[i]) : "";
}

static int compare_values(const kube__series *series, const char *const *values)
{
    for (size_t i = 0; i < series->metric->label_count; i++) {
        int order = strcmp(series->values[i], value_at(values, i));
        if (order)
            return order;
    }
    return 0;
}

/* Where the series of @values is, or belongs. */
static size_t place_of(const kube__metric *metric, const char *const *values, bool *found)
{
    size_t low = 0;
    size_t high = metric->len;
    *found = false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_values(metric->series[middle], values);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* One block: the series, its buckets, pointers to its values, the values. */
static kube__series *new_series(const kube__metric *metric, const char *const *values)
{
    size_t count = metric->label_count;
    size_t bucket_count = metric->kind == KUBE__METRIC_HISTOGRAM ? metric->bound_count + 1 : 0;
    size_t fixed = sizeof(kube__series) + bucket_count * sizeof(uint64_t);
    size_t size = fixed + count * sizeof(char *);
    kube__series *series;
    char *text;
    for (size_t i = 0; i < count; i++)
        size += strlen(value_at(values, i)) + 1;
    series = calloc(1, size);
    if (!series)
        return NULL;
    series->metric = metric;
    series->values = (char **)(void *)((char *)series + fixed);
    text = (char *)(series->values + count);
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(value_at(values, i)) + 1;
        memcpy(text, value_at(values, i), len);
        series->values[i] = text;
        text += len;
    }
    return series;
}

/* The array with room for one more pointer; NULL if out of memory, and @items is as it was. */
static void *make_room(void *items, size_t len, size_t *size)
{
    void *grown = items;
    if (len == *size) {
        grown = realloc(items, (*size * 2 + GROWTH) * sizeof(void *));
        if (grown)
            *size = *size * 2 + GROWTH;
    }
    return grown;
}

static void insert(void *items, size_t *len, size_t at, const void *item)
{
    char *place = (char *)items + at * sizeof item;
    memmove(place + sizeof item, place, (*len - at) * sizeof item);
    memcpy(place, &item, sizeof item);
    (*len)++;
}

static kube__series *find_or_make(kube__metric *metric, const char *const *values)
{
    bool found;
    size_t at = place_of(metric, values, &found);
    kube__series **grown;
    kube__series *series;
    if (found)
        return metric->series[at];
    grown = make_room(metric->series, metric->len, &metric->size);
    if (!grown)
        return metric->hidden;
    metric->series = grown;
    series = new_series(metric, values);
    if (!series)
        return metric->hidden;
    insert(grown, &metric->len, at, series);
    return series;
}

/* The last place is kept for the rest. */
static kube__series *find_or_rest(kube__metric *metric, const char *const *values)
{
    bool found;
    size_t at = place_of(metric, values, &found);
    const char **all;
    kube__series *series;
    if (found)
        return metric->series[at];
    if (metric->len < MAX_SERIES - 1)
        return find_or_make(metric, values);
    all = calloc(metric->label_count, sizeof *all);
    if (!all)
        return metric->hidden;
    for (size_t i = 0; i < metric->label_count; i++)
        all[i] = rest;
    series = find_or_make(metric, all);
    free(all);
    return series;
}

static kube__series *look_up(kube__metric *metric, const char *const *values)
{
    kube_metrics *registry;
    kube__series *series;
    bool tell;
    if (!metric)
        return NULL;
    registry = metric->registry;
    kube__lock(&registry->mutex);
    series = find_or_rest(metric, values);
    tell = metric->len == MAX_SERIES && !metric->full;
    metric->full = metric->full || tell;
    kube__unlock(&registry->mutex);
    if (tell)
        kube_log_warn("metric %s has %d series: further ones are counted as \"%s\"", metric->name,
                      MAX_SERIES, rest);
    return series;
}

kube_counter *kube_counter_with(kube_counter_family *family, const char *const *values)
{
    return (kube_counter *)look_up((kube__metric *)family, values);
}

kube_gauge *kube_gauge_with(kube_gauge_family *family, const char *const *values)
{
    return (kube_gauge *)look_up((kube__metric *)family, values);
}

kube_histogram *kube_histogram_with(kube_histogram_family *family, const char *const *values)
{
    return (kube_histogram *)look_up((kube__metric *)family, values);
}

/* ---- metrics -------------------------------------------------------------------------------- */

/* What is registered, before it is made. */
typedef struct description {
    kube__metric_kind kind;
    const char *name;
    const char *help;
    const char *const *labels;
    size_t label_count;
    const double *bounds;
    size_t bound_count;
} description;

static bool is_name(const char *text, bool colons)
{
    if (!text || !*text || kube__is_digit(*text))
        return false;
    for (; *text; text++) {
        if (!kube__is_alnum(*text) && *text != '_' && !(colons && *text == ':'))
            return false;
    }
    return true;
}

static kube_code check_labels(const description *d, kube_error *err)
{
    for (size_t i = 0; i < d->label_count; i++) {
        const char *label = d->labels[i];
        if (!is_name(label, false) || kube__text_starts_with(label, "__"))
            return kube_error_set(err, KUBE_ERR_ARGUMENT,
                                  "metric %s: \"%s\" cannot be the name of a label", d->name,
                                  label);
        if (d->kind == KUBE__METRIC_HISTOGRAM && strcmp(label, "le") == 0)
            return kube_error_set(err, KUBE_ERR_ARGUMENT,
                                  "metric %s: a histogram cannot have a label le", d->name);
        for (size_t k = 0; k < i; k++) {
            if (strcmp(label, d->labels[k]) == 0)
                return kube_error_set(err, KUBE_ERR_ARGUMENT, "metric %s: label %s occurs twice",
                                      d->name, label);
        }
    }
    return KUBE_OK;
}

static kube_code check(const description *d, kube_error *err)
{
    if (!is_name(d->name, true))
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "\"%s\" cannot be the name of a metric",
                              kube__text_or_empty(d->name));
    if (d->bound_count && !d->bounds)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "metric %s: the bounds are missing", d->name);
    for (size_t i = 0; i < d->bound_count; i++) {
        if (!isfinite(d->bounds[i]) || (i > 0 && d->bounds[i] <= d->bounds[i - 1]))
            return kube_error_set(err, KUBE_ERR_ARGUMENT,
                                  "metric %s: the bounds of its buckets must rise", d->name);
    }
    return check_labels(d, err);
}

static bool is_same(const kube__metric *metric, const description *d)
{
    if (metric->kind != d->kind || metric->label_count != d->label_count ||
        metric->bound_count != d->bound_count)
        return false;
    for (size_t i = 0; i < d->label_count; i++) {
        if (strcmp(metric->labels[i], d->labels[i]) != 0)
            return false;
    }
    for (size_t i = 0; i < d->bound_count; i++) {
        if (metric->bounds[i] < d->bounds[i] || metric->bounds[i] > d->bounds[i])
            return false;
    }
    return true;
}

/* Whether @name is @base with what a histogram's lines have behind it. */
static bool is_line_of(const char *name, const char *base)
{
    size_t len = strlen(base);
    return strncmp(name, base, len) == 0 &&
           (strcmp(name + len, "_bucket") == 0 || strcmp(name + len, "_sum") == 0 ||
            strcmp(name + len, "_count") == 0);
}

static kube_code check_neighbours(const kube_metrics *metrics, const description *d,
                                  kube_error *err)
{
    for (size_t i = 0; i < metrics->len; i++) {
        const kube__metric *other = metrics->metrics[i];
        if ((other->kind == KUBE__METRIC_HISTOGRAM && is_line_of(d->name, other->name)) ||
            (d->kind == KUBE__METRIC_HISTOGRAM && is_line_of(other->name, d->name)))
            return kube_error_set(err, KUBE_ERR_ARGUMENT,
                                  "metric %s: lines of the histogram would be mixed with %s",
                                  d->name, other->name);
    }
    return KUBE_OK;
}

static void free_metric(kube__metric *metric)
{
    if (!metric)
        return;
    for (size_t i = 0; i < metric->len; i++)
        free(metric->series[i]);
    for (size_t i = 0; metric->labels && i < metric->label_count; i++)
        free(metric->labels[i]);
    free(metric->series);
    free(metric->hidden);
    free(metric->labels);
    free(metric->bounds);
    free(metric->help);
    free(metric->name);
    free(metric);
}

static bool copy_labels(kube__metric *metric, const description *d)
{
    metric->labels = calloc(d->label_count + 1, sizeof *metric->labels);
    if (!metric->labels)
        return false;
    metric->label_count = d->label_count;
    for (size_t i = 0; i < d->label_count; i++) {
        metric->labels[i] = strdup(d->labels[i]);
        if (!metric->labels[i])
            return false;
    }
    return true;
}

static bool copy_bounds(kube__metric *metric, const description *d)
{
    metric->bounds = calloc(d->bound_count + 1, sizeof *metric->bounds);
    if (!metric->bounds)
        return false;
    if (d->bound_count)
        memcpy(metric->bounds, d->bounds, d->bound_count * sizeof *metric->bounds);
    metric->bound_count = d->bound_count;
    return true;
}

static kube__metric *new_metric(kube_metrics *metrics, const description *d)
{
    kube__metric *metric = calloc(1, sizeof *metric);
    if (!metric)
        return NULL;
    metric->registry = metrics;
    metric->kind = d->kind;
    metric->name = strdup(d->name);
    metric->help = strdup(kube__text_or_empty(d->help));
    if (metric->name && metric->help && copy_labels(metric, d) && copy_bounds(metric, d))
        metric->hidden = new_series(metric, NULL);
    if (!metric->hidden) {
        free_metric(metric);
        return NULL;
    }
    return metric;
}

static size_t place_of_name(const kube_metrics *metrics, const char *name)
{
    size_t at = 0;
    while (at < metrics->len && strcmp(metrics->metrics[at]->name, name) < 0)
        at++;
    return at;
}

static kube_code enter(kube_metrics *metrics, const description *d, kube__metric **out,
                       kube_error *err)
{
    size_t at = place_of_name(metrics, d->name);
    kube__metric **grown;
    kube_code rc;
    if (at < metrics->len && strcmp(metrics->metrics[at]->name, d->name) == 0) {
        if (!is_same(metrics->metrics[at], d))
            return kube_error_set(
                err, KUBE_ERR_ARGUMENT,
                "metric %s exists already, with another kind, other labels or other bounds",
                d->name);
        *out = metrics->metrics[at];
        return KUBE_OK;
    }
    rc = check_neighbours(metrics, d, err);
    if (rc)
        return rc;
    grown = make_room(metrics->metrics, metrics->len, &metrics->size);
    if (grown) {
        metrics->metrics = grown;
        *out = new_metric(metrics, d);
    }
    if (!*out)
        return kube__no_memory(err, "metric %s", d->name);
    insert(grown, &metrics->len, at, *out);
    return KUBE_OK;
}

static kube_code define(kube_metrics *metrics, description *d, kube__metric **out, kube_error *err)
{
    kube_code rc;
    *out = NULL;
    while (d->labels && d->labels[d->label_count])
        d->label_count++;
    rc = check(d, err);
    if (rc)
        return rc;
    kube__lock(&metrics->mutex);
    rc = enter(metrics, d, out, err);
    kube__unlock(&metrics->mutex);
    return rc;
}

kube_code kube_metrics_counter(kube_metrics *metrics, const char *name, const char *help,
                               const char *const *labels, kube_counter_family **out,
                               kube_error *err)
{
    description d = {.kind = KUBE__METRIC_COUNTER, .name = name, .help = help, .labels = labels};
    kube__metric *metric;
    kube_code rc = define(metrics, &d, &metric, err);
    *out = (kube_counter_family *)metric;
    return rc;
}

kube_code kube_metrics_gauge(kube_metrics *metrics, const char *name, const char *help,
                             const char *const *labels, kube_gauge_family **out, kube_error *err)
{
    description d = {.kind = KUBE__METRIC_GAUGE, .name = name, .help = help, .labels = labels};
    kube__metric *metric;
    kube_code rc = define(metrics, &d, &metric, err);
    *out = (kube_gauge_family *)metric;
    return rc;
}

kube_code kube_metrics_histogram(kube_metrics *metrics, const char *name, const char *help,
                                 const char *const *labels, const double *bounds,
                                 size_t bound_count, kube_histogram_family **out, kube_error *err)
{
    description d = {
        .kind = KUBE__METRIC_HISTOGRAM,
        .name = name,
        .help = help,
        .labels = labels,
        .bounds = bounds,
        .bound_count = bound_count,
    };
    kube__metric *metric;
    kube_code rc = define(metrics, &d, &metric, err);
    *out = (kube_histogram_family *)metric;
    return rc;
}

/* ---- collectors ----------------------------------------------------------------------------- */

kube_code kube_metrics_add_collector(kube_metrics *metrics, void (*collect)(void *arg), void *arg,
                                     kube_error *err)
{
    kube__collector *added = calloc(1, sizeof *added);
    kube__collector **link = &metrics->collectors;
    if (!added)
        return kube__no_memory(err, "a collector of metrics");
    added->collect = collect;
    added->arg = arg;
    kube__lock(&metrics->collecting);
    while (*link)
        link = &(*link)->next;
    *link = added;
    kube__unlock(&metrics->collecting);
    return KUBE_OK;
}

void kube_metrics_remove_collector(kube_metrics *metrics, void (*collect)(void *arg), void *arg)
{
    kube__collector **link = &metrics->collectors;
    kube__lock(&metrics->collecting);
    while (*link && ((*link)->collect != collect || (*link)->arg != arg))
        link = &(*link)->next;
    if (*link) {
        kube__collector *removed = *link;
        *link = removed->next;
        free(removed);
    }
    kube__unlock(&metrics->collecting);
}

/* ---- registry ------------------------------------------------------------------------------- */

kube_metrics *kube_metrics_new(void)
{
    kube_metrics *metrics = calloc(1, sizeof *metrics);
    if (!metrics)
        return NULL;
    if (kube__mutex_init(&metrics->mutex, NULL)) {
        free(metrics);
        return NULL;
    }
    if (kube__mutex_init(&metrics->collecting, NULL)) {
        kube__mutex_fini(&metrics->mutex);
        free(metrics);
        return NULL;
    }
    return metrics;
}

void kube_metrics_free(kube_metrics *metrics)
{
    if (!metrics)
        return;
    while (metrics->collectors) {
        kube__collector *next = metrics->collectors->next;
        free(metrics->collectors);
        metrics->collectors = next;
    }
    for (size_t i = 0; i < metrics->len; i++)
        free_metric(metrics->metrics[i]);
    free(metrics->metrics);
    kube__mutex_fini(&metrics->collecting);
    kube__mutex_fini(&metrics->mutex);
    free(metrics);
}
