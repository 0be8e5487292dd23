/* SPDX-License-Identifier: Apache-2.0 */
/* EV-3: what is counted, combined and dropped (client-go's TestEventCorrelator and
 * TestEventSpamFilter). */
#include "control/events/event_correlator.h"
#include "event_kit.h"
#include "support/fail_malloc.h"

#include <stdio.h>

enum { WINDOW_MS = 600000, REFILL_MS = 300000, BURST = 25, ENTRIES = 4096 };

static kube__event_correlator correlator;

/* What became of an event. */
typedef struct outcome {
    bool passed;
    bool combined;
    int32_t count;
    char name[KUBE__EVENT_NAME_SIZE];
    int64_t first_ns;
} outcome;

static void start(kube_recorder_options options)
{
    kube__event_correlator_fini(&correlator);
    kube__event_correlator_init(&correlator, &options);
}

/* No budget, so that counting and combining are seen alone. */
static void set_up(void)
{
    kit_set_up();
    kube__event_correlator_init(&correlator, &(kube_recorder_options){.spam_burst = -1});
}

static void tear_down(void)
{
    kube__event_correlator_fini(&correlator);
    kit_tear_down();
}

static outcome observe(const char *name, kube_event_type type, const char *reason,
                       const char *message)
{
    kube__event *event = event_of(name, type, reason, message);
    outcome o = {.passed = kube__event_correlator_observe(&correlator, ctx, event)};
    o.combined = event->combined;
    o.count = event->count;
    o.first_ns = event->first_ns;
    memcpy(o.name, event->name, sizeof o.name);
    kube__event_unref(event);
    kube_ctx_reset(ctx);
    return o;
}

static outcome synced(const char *message)
{
    return observe("blue", KUBE_EVENT_NORMAL, "Synced", message);
}

/* One with a message of its own. */
static outcome distinct(int number)
{
    char message[16];
    snprintf(message, sizeof message, "%d", number);
    return synced(message);
}

static void expect(outcome o, int32_t count, bool combined, const char *name)
{
    ck_assert_int_eq(o.count, count);
    ck_assert_int_eq(o.combined, combined);
    ck_assert_str_eq(o.name, name);
}

FIXTURE(set_up, tear_down);

TEST(the_first_of_its_kind_is_new)
{
    outcome o = synced("up");
    ck_assert(o.passed);
    expect(o, 1, false, "blue.1");
}

/* Peers: TestEventCorrelator */
TEST(the_same_event_counts_under_its_first_name)
{
    int64_t first_ns = synced("up").first_ns;
    for (int i = 2; i <= 13; i++) { /* more than would be combined */
        kube_fake_clock_advance_ms(fake, 1000);
        outcome o = synced("up");
        expect(o, i, false, "blue.1");
        ck_assert_int_eq(o.first_ns, first_ns);
    }
}

TEST(events_that_differ_in_more_than_the_message_are_not_similar)
{
    char name[16];
    for (int i = 0; i < 30; i++) {
        snprintf(name, sizeof name, "n%d", i);
        ck_assert_int_eq(observe(name, KUBE_EVENT_NORMAL, "Synced", "up").combined, false);
        ck_assert_int_eq(observe("blue", KUBE_EVENT_NORMAL, name, "up").combined, false);
    }
    for (int i = 0; i < 9; i++) {
        snprintf(name, sizeof name, "%d", i);
        ck_assert_int_eq(observe("blue", KUBE_EVENT_NORMAL, "Mixed", name).combined, false);
        ck_assert_int_eq(observe("blue", KUBE_EVENT_WARNING, "Mixed", name).combined, false);
    }
}

/* Peers: TestEventCorrelator */
TEST(the_tenth_message_is_combined)
{
    for (int i = 1; i <= 9; i++)
        ck_assert(!distinct(i).combined);
    expect(distinct(10), 1, true, "blue.a");
    expect(distinct(11), 2, true, "blue.a");
    expect(distinct(10), 3, true, "blue.a");
}

TEST(messages_known_before_stay_events_of_their_own)
{
    for (int i = 1; i <= 12; i++)
        distinct(i);
    expect(distinct(1), 2, false, "blue.1");
    expect(distinct(9), 2, false, "blue.9");
}

TEST(many_similar_events_count_the_combined_one)
{
    outcome o = {0};
    for (int i = 1; i <= 30; i++)
        o = distinct(i);
    expect(o, 21, true, "blue.a");
}

/* Peers: TestEventCorrelator */
TEST(a_long_pause_starts_the_window_anew)
{
    for (int i = 1; i <= 9; i++)
        distinct(i);
    kube_fake_clock_advance_ms(fake, WINDOW_MS); /* not more than the window */
    expect(distinct(10), 1, true, "blue.a");
    kube_fake_clock_advance_ms(fake, WINDOW_MS + 1);
    expect(distinct(11), 1, false, "blue.b");
    expect(distinct(1), 2, false, "blue.1"); /* counting has no window */
}

TEST(each_similar_event_keeps_the_window_open)
{
    for (int i = 1; i <= 9; i++) {
        distinct(i);
        kube_fake_clock_advance_ms(fake, WINDOW_MS);
    }
    ck_assert(distinct(10).combined);
}

TEST(the_bounds_are_options)
{
    start((kube_recorder_options){.max_similar = 1, .spam_burst = -1});
    ck_assert(synced("up").combined);
    start((kube_recorder_options){.max_similar = -1, .spam_burst = -1});
    for (int i = 0; i < 50; i++)
        ck_assert(!distinct(i).combined);
    start((kube_recorder_options){.max_similar = 2, .similar_window_ms = -1, .spam_burst = -1});
    distinct(1);
    kube_fake_clock_advance_ms(fake, INT64_C(1000) * WINDOW_MS);
    ck_assert(distinct(2).combined);
    start((kube_recorder_options){.max_similar = 2, .similar_window_ms = 10, .spam_burst = -1});
    distinct(1);
    kube_fake_clock_advance_ms(fake, 11);
    ck_assert(!distinct(2).combined);
}

/* Peers: TestEventSpamFilter */
TEST(an_object_has_a_budget)
{
    start((kube_recorder_options){0});
    for (int i = 1; i <= BURST; i++)
        ck_assert(synced("up").passed);
    ck_assert(!synced("up").passed);
    kube_fake_clock_advance_ms(fake, REFILL_MS - 1);
    ck_assert(!synced("up").passed);
    kube_fake_clock_advance_ms(fake, 1);
    outcome o = synced("up");
    ck_assert(o.passed);
    ck_assert_int_eq(o.count, BURST + 3); /* what was dropped was counted */
    ck_assert(!synced("up").passed);
}

TEST(a_budget_is_of_an_object_and_a_type)
{
    start((kube_recorder_options){.spam_burst = 1});
    ck_assert(synced("up").passed);
    ck_assert(!observe("blue", KUBE_EVENT_NORMAL, "Other", "text").passed);
    ck_assert(observe("blue", KUBE_EVENT_WARNING, "Synced", "up").passed);
    ck_assert(observe("red", KUBE_EVENT_NORMAL, "Synced", "up").passed);
}

/* Peers: TestEventSpamFilter */
TEST(a_rested_budget_is_not_more_than_full)
{
    start((kube_recorder_options){.spam_burst = 3, .spam_refill_ms = 1000});
    ck_assert(synced("up").passed);
    kube_fake_clock_advance_ms(fake, 1000000);
    for (int i = 0; i < 3; i++)
        ck_assert(synced("up").passed);
    ck_assert(!synced("up").passed);
}

TEST(a_budget_may_be_without_bounds)
{
    start((kube_recorder_options){.spam_refill_ms = -1});
    for (int i = 0; i < 100; i++)
        ck_assert(synced("up").passed);
    start((kube_recorder_options){.spam_burst = INT32_MAX, .spam_refill_ms = INT64_MAX - 1});
    for (int i = 0; i < 100; i++)
        ck_assert(synced("up").passed);
}

TEST(what_was_unused_longest_is_forgotten)
{
    char name[16];
    synced("up");
    for (int i = 1; i < ENTRIES; i++) {
        snprintf(name, sizeof name, "n%d", i);
        observe(name, KUBE_EVENT_NORMAL, "Synced", "up");
    }
    expect(synced("up"), 2, false, "blue.1"); /* the newest now */
    observe("one-more", KUBE_EVENT_NORMAL, "Synced", "up");
    ck_assert_int_eq(synced("up").count, 3);
    ck_assert_int_eq(observe("n1", KUBE_EVENT_NORMAL, "Synced", "up").count, 1);
    ck_assert_uint_eq(correlator.seen.map.count, ENTRIES);
    ck_assert_uint_eq(correlator.similar.map.count, ENTRIES);
}

TEST(another_try_takes_over_what_was_counted_meanwhile)
{
    kube__event *event = event_of("blue", KUBE_EVENT_NORMAL, "Synced", "up");
    ck_assert(kube__event_correlator_observe(&correlator, ctx, event));
    kube_fake_clock_advance_ms(fake, 5000);
    synced("up");
    synced("up");
    kube__event_correlator_renew(&correlator, ctx, event);
    ck_assert_int_eq(event->count, 3);
    ck_assert_int_eq(event->last_ns - event->first_ns, INT64_C(5000000000));
    kube__event_unref(event);
}

TEST(repeats_have_the_name_that_the_server_gave)
{
    kube__event *event = event_of("blue", KUBE_EVENT_NORMAL, "Synced", "up");
    ck_assert(kube__event_correlator_observe(&correlator, ctx, event));
    snprintf(event->name, sizeof event->name, "given");
    kube__event_correlator_sent(&correlator, ctx, event);
    expect(synced("up"), 2, false, "given");
    kube__event_unref(event);
}

TEST(an_idle_correlator_has_no_tables)
{
    ck_assert_ptr_null(correlator.seen.map.buckets);
    synced("up");
    ck_assert_ptr_nonnull(correlator.seen.map.buckets);
    ck_assert_ptr_null(correlator.budgets.map.buckets);
}

/* Without memory an event is a new one; nothing else breaks. */
static bool observe_twice(void *arg)
{
    kube_recorder_options options = {0};
    kube__event_correlator c;
    kube_ctx *scratch = kube_ctx_new();
    bool passed = scratch != NULL;
    (void)arg;
    kube__event_correlator_init(&c, &options);
    for (int i = 0; i < 2 && scratch; i++) {
        const samplecrd_v1_network object = network("team", "blue");
        const kube_event_note note = {
            .regarding = &object.base, .type = KUBE_EVENT_NORMAL, .reason = "R"};
        kube__event *event = kube__event_new(kube_fake_clock_clock(fake), &note, "", "text");
        passed = passed && event;
        if (!event)
            continue;
        kube__event_set_name(event, i + 1);
        passed = kube__event_correlator_observe(&c, scratch, event) && passed;
        kube__event_unref(event);
    }
    kube__event_correlator_fini(&c);
    kube_ctx_free(scratch);
    return passed;
}

TEST(no_memory_is_no_fault)
{
    ck_assert_uint_gt(fail_malloc_replay(observe_twice, NULL), 0);
}

TEST(a_name_that_is_none_for_an_event_is_replaced)
{
    kube__event *event = event_of("blue", KUBE_EVENT_NORMAL, "Synced", "up");
    static const char *const bad[] = {"system:node", "Blue", "a..b", "-a", "a-", "a_b", ".a"};
    char longest[KUBE__EVENT_NAME_SIZE];
    kube__event_set_name(event, INT64_C(0x18b2c4d5e6f70819)); /* EV-2 */
    ck_assert_str_eq(event->name, "blue.18b2c4d5e6f70819");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        event->regarding.name = bad[i];
        kube__event_set_name(event, 1);
        ck_assert_uint_eq(strlen(event->name), 36);
        ck_assert_uint_eq(strspn(event->name, "0123456789abcdef-"), 36);
        ck_assert_int_eq(event->name[14], '4');
        ck_assert_ptr_nonnull(strchr("89ab", event->name[19]));
    }
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    event->regarding.name = longest;
    kube__event_set_name(event, 1);
    ck_assert_uint_eq(strlen(event->name), 36);
    longest[sizeof longest - 3] = '\0';
    kube__event_set_name(event, 1);
    ck_assert_uint_eq(strlen(event->name), KUBE__EVENT_NAME_SIZE - 1);
    kube__event_unref(event);
}
