/* SPDX-License-Identifier: Apache-2.0 */
#include "base/thread.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <kube/log.h>
#include <kube/metrics.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LABELS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define VALUES(...) ((const char *const[]){__VA_ARGS__})

static kube_metrics *metrics;
static kube_ctx *ctx;

static void set_up(void)
{
    metrics = kube_metrics_new();
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_metrics_free(metrics);
    kube_ctx_free(ctx);
}

static kube_counter_family *counter(const char *name, const char *const *labels)
{
    kube_counter_family *metric;
    ck_assert_int_eq(kube_metrics_counter(metrics, name, "Help.", labels, &metric, NULL), KUBE_OK);
    return metric;
}

static kube_gauge_family *gauge(const char *name, const char *const *labels)
{
    kube_gauge_family *metric;
    ck_assert_int_eq(kube_metrics_gauge(metrics, name, "Help.", labels, &metric, NULL), KUBE_OK);
    return metric;
}

static kube_histogram_family *histogram(const char *name, const char *const *labels)
{
    static const double bounds[] = {1e-8, 0.5, 1, 10};
    kube_histogram_family *metric;
    ck_assert_int_eq(
        kube_metrics_histogram(metrics, name, "Help.", labels, bounds, 4, &metric, NULL), KUBE_OK);
    return metric;
}

static void expect_text(const char *expected)
{
    ck_assert_str_eq(kube_metrics_text(metrics, ctx), expected);
}

FIXTURE(set_up, tear_down);

TEST(an_empty_registry_is_an_empty_text)
{
    counter("never_used_total", LABELS("a"));
    expect_text("");
}

TEST(families_and_series_are_sorted_whatever_their_order_of_birth)
{
    kube_counter_family *z = counter("z_total", LABELS("b", "a"));
    kube_gauge_family *a = gauge("a_bytes", NULL);
    kube_counter_add(kube_counter_with(z, VALUES("2", "1")), 3);
    kube_counter_add(kube_counter_with(z, VALUES("1", "9")), 1);
    kube_counter_add(kube_counter_with(z, VALUES("1", "10")), 2);
    kube_gauge_set(kube_gauge_with(a, NULL), -1.5);
    expect_text("# HELP a_bytes Help.\n"
                "# TYPE a_bytes gauge\n"
                "a_bytes -1.5\n"
                "# HELP z_total Help.\n"
                "# TYPE z_total counter\n"
                "z_total{b=\"1\",a=\"10\"} 2\n"
                "z_total{b=\"1\",a=\"9\"} 1\n"
                "z_total{b=\"2\",a=\"1\"} 3\n");
}

TEST(a_histogram_counts_up_to_each_bound_and_to_infinity)
{
    kube_histogram *s = kube_histogram_with(histogram("h_seconds", LABELS("name")), VALUES("q"));
    kube_histogram_observe(s, 0);
    kube_histogram_observe(s, 0.5); /* a bound belongs to its bucket */
    kube_histogram_observe(s, 0.75);
    kube_histogram_observe(s, 11);
    ck_assert_uint_eq(kube_histogram_count(s), 4);
    expect_text("# HELP h_seconds Help.\n"
                "# TYPE h_seconds histogram\n"
                "h_seconds_bucket{name=\"q\",le=\"1e-08\"} 1\n"
                "h_seconds_bucket{name=\"q\",le=\"0.5\"} 2\n"
                "h_seconds_bucket{name=\"q\",le=\"1\"} 3\n"
                "h_seconds_bucket{name=\"q\",le=\"10\"} 3\n"
                "h_seconds_bucket{name=\"q\",le=\"+Inf\"} 4\n"
                "h_seconds_sum{name=\"q\"} 12.25\n"
                "h_seconds_count{name=\"q\"} 4\n");
}

TEST(a_histogram_without_labels_has_le_alone)
{
    kube_histogram *s = kube_histogram_with(histogram("h", NULL), NULL);
    kube_histogram_observe(s, (double)NAN); /* above all bounds, and so is the sum */
    ck_assert_ptr_nonnull(strstr(kube_metrics_text(metrics, ctx),
                                 "h_bucket{le=\"10\"} 0\nh_bucket{le=\"+Inf\"} 1\n"
                                 "h_sum NaN\nh_count 1\n"));
}

TEST(numbers_read_back_as_what_they_were)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0, "0"},
        {1000000, "1000000"},
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1792377623.123456, "1792377623.123456"},
        {9007199254740993.0, "9007199254740992"},
        {1e300, "1e+300"},
        {-2.5e-9, "-2.5e-09"},
        {(double)INFINITY, "+Inf"},
        {-(double)INFINITY, "-Inf"},
        {(double)NAN, "NaN"},
    };
    kube_gauge *s = kube_gauge_with(gauge("g", NULL), NULL);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kube_gauge_set(s, rows[i].value);
        ck_assert_str_eq(strrchr(kube_metrics_text(metrics, ctx), 'g'),
                         kube_printf(ctx, "g %s\n", rows[i].text));
    }
}

TEST(numbers_have_a_point_in_every_locale)
{
    kube_gauge_set(kube_gauge_with(gauge("g", NULL), NULL), 1.5);
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        return; /* the machine has none */
    const char *text = kube_metrics_text(metrics, ctx);
    setlocale(LC_NUMERIC, "C");
    ck_assert_ptr_nonnull(strstr(text, "\ng 1.5\n"));
}

TEST(help_and_values_are_escaped)
{
    kube_counter_family *metric;
    ck_assert_int_eq(kube_metrics_counter(metrics, "c_total", "One\nline, \"two\" \\.", LABELS("l"),
                                          &metric, NULL),
                     KUBE_OK);
    kube_counter_add(kube_counter_with(metric, VALUES("a\"b\\c\nd ü")), 1);
    expect_text("# HELP c_total One\\nline, \"two\" \\\\.\n"
                "# TYPE c_total counter\n"
                "c_total{l=\"a\\\"b\\\\c\\nd ü\"} 1\n");
}

TEST(bytes_that_are_no_utf8_do_not_spoil_the_page)
{
    static const struct {
        const char *value;
        const char *text;
    } rows[] = {
        {"\xff", "\\\\xff"},
        {"a\xc3", "a\\\\xc3"},                                /* cut off */
        {"\xc0\xaf", "\\\\xc0\\\\xaf"},                       /* too long a form */
        {"\xe0\x80\xaf", "\\\\xe0\\\\x80\\\\xaf"},            /* likewise */
        {"\xed\xa0\x80", "\\\\xed\\\\xa0\\\\x80"},            /* a surrogate */
        {"\xf4\x90\x80\x80", "\\\\xf4\\\\x90\\\\x80\\\\x80"}, /* above U+10FFFF */
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kube_counter_family *metric = counter(kube_printf(ctx, "c%u", (unsigned)i), LABELS("l"));
        kube_counter_with(metric, VALUES(rows[i].value));
        ck_assert_ptr_nonnull(strstr(kube_metrics_text(metrics, ctx),
                                     kube_printf(ctx, "{l=\"%s\"} 0\n", rows[i].text)));
    }
}

TEST(a_counter_never_falls)
{
    kube_counter *s = kube_counter_with(counter("c_total", NULL), NULL);
    kube_counter_add(s, 2);
    kube_counter_add(s, 0.5);
    kube_counter_add(s, -1);
    kube_counter_add(s, (double)NAN);
    ck_assert_double_eq(kube_counter_value(s), 2.5);
    kube_counter_add(s, 1e300);
    ck_assert_double_eq(kube_counter_value(s), 1e300);
}

TEST(what_is_not_measured_needs_no_question)
{
    kube_counter_add(kube_counter_with(NULL, NULL), 1);
    kube_gauge_add(kube_gauge_with(NULL, NULL), 1);
    kube_gauge_set(NULL, 1);
    kube_histogram_observe(kube_histogram_with(NULL, NULL), 1);
    ck_assert_double_eq(kube_counter_value(NULL), 0);
    ck_assert_double_eq(kube_gauge_value(NULL), 0);
    ck_assert_uint_eq(kube_histogram_count(NULL), 0);
    expect_text("");
}

TEST(the_same_again_is_the_metric_that_is_there)
{
    kube_counter_family *first = counter("c_total", LABELS("a", "b"));
    ck_assert_ptr_eq(counter("c_total", LABELS("a", "b")), first);
    ck_assert_ptr_eq(kube_counter_with(first, VALUES("1", "2")),
                     kube_counter_with(first, VALUES("1", "2")));
    ck_assert_ptr_ne(kube_counter_with(first, VALUES("12", "")),
                     kube_counter_with(first, VALUES("1", "2")));
    ck_assert_ptr_eq(kube_counter_with(first, VALUES(NULL, "2")),
                     kube_counter_with(first, VALUES("", "2")));
    ck_assert_ptr_eq(histogram("h", NULL), histogram("h", NULL));
}

#define refused(call, family, text)                                                                \
    do {                                                                                           \
        ck_assert_int_eq(call, KUBE_ERR_ARGUMENT);                                                 \
        ck_assert_ptr_null(family);                                                                \
        ck_assert_str_eq(err.message, text);                                                       \
    } while (0)

TEST(the_same_name_for_something_else_is_refused)
{
    static const double other[] = {1, 2, 3, 4};
    const char *message =
        "metric c_total exists already, with another kind, other labels or other bounds";
    kube_counter_family *c;
    kube_gauge_family *g;
    kube_histogram_family *h;
    kube_error err;
    counter("c_total", LABELS("a"));
    refused(kube_metrics_gauge(metrics, "c_total", "", LABELS("a"), &g, &err), g, message);
    refused(kube_metrics_counter(metrics, "c_total", "", LABELS("b"), &c, &err), c, message);
    refused(kube_metrics_counter(metrics, "c_total", "", NULL, &c, &err), c, message);
    histogram("h", NULL);
    refused(kube_metrics_histogram(metrics, "h", "", NULL, other, 4, &h, &err), h,
            "metric h exists already, with another kind, other labels or other bounds");
    refused(kube_metrics_counter(metrics, "h_count", "", NULL, &c, &err), c,
            "metric h_count: lines of the histogram would be mixed with h");
    counter("late_sum", NULL);
    refused(kube_metrics_histogram(metrics, "late", "", NULL, other, 4, &h, &err), h,
            "metric late: lines of the histogram would be mixed with late_sum");
}

TEST(names_that_prometheus_does_not_allow_are_refused)
{
    static const double falling[] = {1, 1};
    static const double endless[] = {1, (double)INFINITY};
    kube_counter_family *c;
    kube_histogram_family *h;
    kube_error err;
    counter("a:b_9", LABELS("_x9"));
    refused(kube_metrics_counter(metrics, "9a", "", NULL, &c, &err), c,
            "\"9a\" cannot be the name of a metric");
    refused(kube_metrics_counter(metrics, "", "", NULL, &c, &err), c,
            "\"\" cannot be the name of a metric");
    refused(kube_metrics_counter(metrics, "a-b", "", NULL, &c, &err), c,
            "\"a-b\" cannot be the name of a metric");
    refused(kube_metrics_counter(metrics, "c", "", LABELS("a:b"), &c, &err), c,
            "metric c: \"a:b\" cannot be the name of a label");
    refused(kube_metrics_counter(metrics, "c", "", LABELS("__name__"), &c, &err), c,
            "metric c: \"__name__\" cannot be the name of a label");
    refused(kube_metrics_counter(metrics, "c", "", LABELS("a", "a"), &c, &err), c,
            "metric c: label a occurs twice");
    refused(kube_metrics_histogram(metrics, "c", "", LABELS("le"), falling, 1, &h, &err), h,
            "metric c: a histogram cannot have a label le");
    refused(kube_metrics_histogram(metrics, "c", "", NULL, falling, 2, &h, &err), h,
            "metric c: the bounds of its buckets must rise");
    refused(kube_metrics_histogram(metrics, "c", "", NULL, endless, 2, &h, &err), h,
            "metric c: the bounds of its buckets must rise");
}

static void count_line(void *arg, kube_log_level level, const char *file, int line,
                       const char *message)
{
    (void)file, (void)line;
    ck_assert_int_eq(level, KUBE_LOG_WARN);
    ck_assert_ptr_nonnull(strstr(message, "metric c_total has 1000 series"));
    ++*(int *)arg;
}

TEST(too_many_series_are_counted_together_and_told_once)
{
    kube_counter_family *metric = counter("c_total", LABELS("l", "m"));
    kube_counter *others;
    int lines = 0;
    size_t shown = 0;
    kube_log_set_sink(count_line, &lines);
    for (int i = 0; i < 1500; i++) {
        char value[16];
        snprintf(value, sizeof value, "%04d", i);
        kube_counter_add(kube_counter_with(metric, VALUES(value, "x")), 1);
    }
    kube_log_set_sink(NULL, NULL);
    others = kube_counter_with(metric, VALUES("other", "other"));
    ck_assert_double_eq(kube_counter_value(others), 501);
    ck_assert_double_eq(kube_counter_value(kube_counter_with(metric, VALUES("0998", "x"))), 1);
    ck_assert_ptr_eq(kube_counter_with(metric, VALUES("0999", "x")), others);
    ck_assert_int_eq(lines, 1);
    for (const char *p = kube_metrics_text(metrics, ctx); (p = strstr(p, "\nc_total{")); p++)
        shown++;
    ck_assert_uint_eq(shown, 1000);
}

static void set_from_arg(void *arg)
{
    kube_gauge *s = arg;
    kube_gauge_add(s, 1);
}

TEST(collectors_run_for_each_text_until_they_are_removed)
{
    kube_gauge *a = kube_gauge_with(gauge("a", NULL), NULL);
    kube_gauge *b = kube_gauge_with(gauge("b", NULL), NULL);
    ck_assert_int_eq(kube_metrics_add_collector(metrics, set_from_arg, a, NULL), KUBE_OK);
    ck_assert_int_eq(kube_metrics_add_collector(metrics, set_from_arg, b, NULL), KUBE_OK);
    ck_assert_ptr_nonnull(strstr(kube_metrics_text(metrics, ctx), "\nb 1\n"));
    kube_metrics_remove_collector(metrics, set_from_arg, b);
    kube_metrics_remove_collector(metrics, set_from_arg, b); /* there is none left */
    kube_metrics_text(metrics, ctx);
    ck_assert_double_eq(kube_gauge_value(a), 2);
    ck_assert_double_eq(kube_gauge_value(b), 1);
}

static void make_series(void *arg)
{
    kube_gauge_set(kube_gauge_with(arg, VALUES("late")), 7);
}

TEST(a_collector_may_make_series)
{
    kube_gauge_family *metric = gauge("g", LABELS("l"));
    ck_assert_int_eq(kube_metrics_add_collector(metrics, make_series, metric, NULL), KUBE_OK);
    ck_assert_ptr_nonnull(strstr(kube_metrics_text(metrics, ctx), "g{l=\"late\"} 7\n"));
}

enum { WRITERS = 4, ROUNDS = 20000 };

static void *write_all(void *arg)
{
    kube_counter_family *count = counter("c_total", LABELS("l"));
    kube_histogram_family *time = histogram("h_seconds", NULL);
    kube_counter *mine = kube_counter_with(count, VALUES((const char *)arg));
    for (int i = 0; i < ROUNDS; i++) {
        kube_counter_add(mine, 1);
        kube_counter_add(kube_counter_with(count, VALUES("all")), i % 2 ? 1 : 0.5);
        kube_histogram_observe(kube_histogram_with(time, NULL), 1);
    }
    return NULL;
}

TEST(nothing_is_lost_when_threads_write_and_read_at_once)
{
    kube__thread threads[WRITERS] = {0};
    static char names[WRITERS][2] = {"0", "1", "2", "3"};
    for (int i = 0; i < WRITERS; i++)
        ck_assert_int_eq(kube__thread_start(&threads[i], "writer", write_all, names[i], NULL),
                         KUBE_OK);
    for (int i = 0; i < 50; i++) {
        ck_assert_ptr_nonnull(kube_metrics_text(metrics, ctx));
        kube_ctx_reset(ctx);
    }
    for (int i = 0; i < WRITERS; i++)
        kube__thread_join(&threads[i]);
    for (int i = 0; i < WRITERS; i++)
        ck_assert_double_eq(kube_counter_value(kube_counter_with(counter("c_total", LABELS("l")),
                                                                 VALUES(names[i]))),
                            ROUNDS);
    ck_assert_double_eq(
        kube_counter_value(kube_counter_with(counter("c_total", LABELS("l")), VALUES("all"))),
        WRITERS * ROUNDS * 0.75);
    ck_assert_uint_eq(kube_histogram_count(kube_histogram_with(histogram("h_seconds", NULL), NULL)),
                      WRITERS * ROUNDS);
}

static void make_histogram(void *arg)
{
    kube_histogram_observe(kube_histogram_with(arg, VALUES("late")), 7);
}

static bool use_once(void *arg)
{
    static const double bounds[] = {1, 2};
    kube_metrics *m = kube_metrics_new();
    kube_ctx *c = kube_ctx_new();
    kube_histogram_family *metric = NULL;
    const char *text = NULL;
    bool shown;
    (void)arg;
    if (!m || !c ||
        kube_metrics_histogram(m, "h", "Help.", LABELS("a"), bounds, 2, &metric, NULL) ||
        kube_metrics_add_collector(m, make_histogram, metric, NULL))
        goto out;
    kube_histogram_observe(kube_histogram_with(metric, VALUES("x")), 1);
    text = kube_metrics_text(m, c);
out:
    shown = text && strstr(text, "h_count{a=\"x\"} 1\n");
    kube_metrics_free(m);
    kube_ctx_free(c);
    return shown;
}

TEST(without_memory_it_fails_or_shows_less_and_loses_nothing)
{
    ck_assert_uint_gt(fail_malloc_replay(use_once, NULL), 0);
}
