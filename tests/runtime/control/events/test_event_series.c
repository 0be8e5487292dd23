/* SPDX-License-Identifier: Apache-2.0 */
/* EV-6: the life of a series (client-go's TestEventSeriesf, TestFinishSeries and
 * TestRefreshExistingEventSeries). */
#include "control/events/event_series.h"
#include "event_kit.h"

#include <stdio.h>

enum { IDLE_MS = 360000, REFRESH_MS = 1800000, RUNNING = 4096, WRITTEN_MAX = 32 };

/* What was given to be written, the first ones. */
typedef struct writing {
    const char *reason;
    int32_t count;
    int64_t last_ns;
    char name[32];
} writing;

static kube__event_series series;
static writing written[WRITTEN_MAX];
static size_t written_count;

static void keep(void *arg, kube__event *event)
{
    (void)arg;
    if (written_count < WRITTEN_MAX) {
        writing *w = &written[written_count];
        w->reason = strcmp(event->reason, "Synced") == 0 ? "Synced" : "Other";
        w->count = event->count;
        w->last_ns = event->last_ns;
        snprintf(w->name, sizeof w->name, "%.31s", event->name);
    }
    written_count++;
    event->created = true;
    event->written = event->count;
    kube__event_unref(event);
}

static void set_up(void)
{
    kit_set_up();
    kube__event_series_init(&series, keep, NULL);
    written_count = 0;
}

static void tear_down(void)
{
    kube__event_series_fini(&series);
    kit_tear_down();
}

static void observe(const char *name, const char *reason, const char *note)
{
    kube__event_series_observe(&series, ctx, event_of(name, KUBE_EVENT_NORMAL, reason, note));
    kube_ctx_reset(ctx);
}

static int64_t now_ns(void)
{
    kube_clock *clock = kube_fake_clock_clock(fake);
    return clock->now_ns(clock);
}

/* Moves on to what is due next, @ms from now. */
static void step(int64_t ms)
{
    ck_assert_int_eq(kube__event_series_due_ns(&series), now_ns() + ms * 1000000);
    kube_fake_clock_advance_ms(fake, ms);
    kube__event_series_step(&series, now_ns());
}

FIXTURE(set_up, tear_down);

/* Peers: TestEventSeriesf, TestFinishSeries, TestRefreshExistingEventSeries */
TEST(the_second_event_makes_a_series_and_later_ones_count)
{
    observe("blue", "Synced", "one");
    ck_assert_uint_eq(written_count, 1);
    ck_assert_int_eq(written[0].count, 1);
    kube_fake_clock_advance_ms(fake, 1500);
    observe("blue", "Synced", "another note");
    ck_assert_uint_eq(written_count, 2);
    ck_assert_int_eq(written[1].count, 2);
    ck_assert_str_eq(written[1].name, written[0].name);
    ck_assert_int_eq(written[1].last_ns - written[0].last_ns, 1500000000);
    for (int i = 0; i < 10; i++)
        observe("blue", "Synced", "again");
    ck_assert_uint_eq(written_count, 2);
}

TEST(whatever_differs_is_a_series_of_its_own)
{
    const samplecrd_v1_network blue = network("team", "blue");
    const samplecrd_v1_network red = network("team", "red");
    kube_event_note note = {.regarding = &blue.base, .type = KUBE_EVENT_NORMAL, .reason = "Synced"};
    kube_clock *clock = kube_fake_clock_clock(fake);
    kube__event_series_observe(&series, ctx, kube__event_new(clock, &note, "Act", "x"));
    kube__event_series_observe(&series, ctx, kube__event_new(clock, &note, "Do", "x"));
    note.related = &red.base;
    kube__event_series_observe(&series, ctx, kube__event_new(clock, &note, "Act", "x"));
    note.type = KUBE_EVENT_WARNING;
    kube__event_series_observe(&series, ctx, kube__event_new(clock, &note, "Act", "x"));
    note.regarding = &red.base;
    kube__event_series_observe(&series, ctx, kube__event_new(clock, &note, "Act", "x"));
    note.reason = "Lost";
    kube__event_series_observe(&series, ctx, kube__event_new(clock, &note, "Act", "x"));
    ck_assert_uint_eq(written_count, 6);
    ck_assert_uint_eq(series.running.map.count, 6);
}

TEST(a_single_event_is_forgotten_without_a_word)
{
    observe("blue", "Synced", "one");
    step(IDLE_MS);
    ck_assert_uint_eq(written_count, 1);
    ck_assert_uint_eq(series.running.map.count, 0);
    ck_assert_int_eq(kube__event_series_due_ns(&series), INT64_MAX);
    observe("blue", "Synced", "one"); /* not a second one */
    ck_assert_int_eq(written[1].count, 1);
    ck_assert_str_ne(written[1].name, written[0].name);
}

/* Peers: TestEventSeriesf, TestFinishSeries, TestRefreshExistingEventSeries */
TEST(an_idle_series_ends_with_its_count)
{
    for (int i = 0; i < 5; i++)
        observe("blue", "Synced", "text");
    kube_fake_clock_advance_ms(fake, IDLE_MS - 1);
    kube__event_series_step(&series, now_ns());
    ck_assert_uint_eq(written_count, 2);
    step(1);
    ck_assert_uint_eq(written_count, 3);
    ck_assert_int_eq(written[2].count, 5);
    ck_assert_uint_eq(series.running.map.count, 0);
}

/* Peers: TestEventSeriesf, TestFinishSeries, TestRefreshExistingEventSeries */
TEST(a_running_series_is_written_every_half_hour)
{
    const int pieces = 10;
    observe("blue", "Synced", "text");
    for (int i = 0; i < pieces; i++) { /* never idle for long enough */
        observe("blue", "Synced", "text");
        kube_fake_clock_advance_ms(fake, REFRESH_MS / pieces);
        kube__event_series_step(&series, now_ns());
    }
    ck_assert_uint_eq(written_count, 3);
    ck_assert_int_eq(written[2].count, 11);
    observe("blue", "Synced", "text");
    ck_assert_uint_eq(written_count, 3);
    step(IDLE_MS);
    ck_assert_uint_eq(written_count, 4);
    ck_assert_int_eq(written[3].count, 12);
}

TEST(beyond_the_bound_the_oldest_series_ends)
{
    char name[16];
    observe("blue", "Synced", "text");
    observe("blue", "Synced", "text");
    observe("blue", "Synced", "text");
    for (int i = 1; i < RUNNING; i++) {
        snprintf(name, sizeof name, "n%d", i);
        observe(name, "Other", "text");
    }
    ck_assert_uint_eq(series.running.map.count, RUNNING);
    written_count = 0;
    observe("one-more", "Other", "text");
    ck_assert_uint_eq(written_count, 2);
    ck_assert_str_eq(written[0].reason, "Synced");
    ck_assert_int_eq(written[0].count, 3);
    ck_assert_uint_eq(series.running.map.count, RUNNING);
}

TEST(at_the_end_only_counts_the_server_lacks_are_written)
{
    observe("blue", "Synced", "text");
    observe("blue", "Synced", "text");
    observe("red", "Other", "text");
    kube__event_series_flush(&series);
    ck_assert_uint_eq(written_count, 3);
    observe("blue", "Synced", "text");
    kube__event_series_flush(&series);
    ck_assert_uint_eq(written_count, 4);
    ck_assert_int_eq(written[3].count, 3);
}
