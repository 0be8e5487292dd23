/* SPDX-License-Identifier: Apache-2.0 */
#include "base/thread.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <kube/flight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kube_flight *flight;
static kube_ctx *ctx;

static void set_up(void)
{
    ck_assert_int_eq(kube_flight_new(3, &flight, NULL), KUBE_OK);
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_flight_free(flight);
    kube_ctx_free(ctx);
}

static kube_flight_record record_of(const char *name)
{
    return (kube_flight_record){
        .controller = "networks",
        .key = {"default", name},
        .why = {.what = KUBE_REASON_UPDATE,
                .old_version = "12",
                .new_version = "13",
                .changed = "spec.cidr",
                .kind = "Network",
                .object = {"default", name}},
        .started = {.sec = 1795000000, .nsec = 123456000, .set = true},
        .waited_ns = 1500000,
        .took_ns = 20000000,
        .message = "",
        .notes = "",
    };
}

static void enter(const char *name)
{
    kube_flight_record record = record_of(name);
    kube_flight_enter(flight, &record);
}

/* "3:c 2:b" */
static bool list(void *arg, const kube_flight_record *record)
{
    char *text = arg;
    size_t len = strlen(text);
    sprintf(text + len, "%s%d:%s", len ? " " : "", (int)record->number, record->key.name);
    return true;
}

static const char *listed(void)
{
    char *text = kube_ctx_alloc(ctx, 1000);
    kube_flight_each(flight, list, text);
    return text;
}

FIXTURE(set_up, tear_down);

TEST(an_empty_recorder_has_nothing_to_say)
{
    ck_assert_uint_eq(kube_flight_count(flight), 0);
    ck_assert_str_eq(listed(), "");
    ck_assert_str_eq(kube_flight_text(flight, ctx), "");
    ck_assert_str_eq(kube_flight_json(flight, ctx), "[]\n");
}

TEST(the_newest_records_stay_and_come_first)
{
    enter("a");
    enter("b");
    ck_assert_str_eq(listed(), "2:b 1:a");
    enter("c");
    enter("d");
    enter("e");
    ck_assert_str_eq(listed(), "5:e 4:d 3:c");
    ck_assert_uint_eq(kube_flight_count(flight), 5);
}

static bool only_one(void *arg, const kube_flight_record *record)
{
    (void)record;
    ++*(int *)arg;
    return false;
}

TEST(a_visit_ends_when_it_says_so)
{
    int count = 0;
    enter("a");
    enter("b");
    kube_flight_each(flight, only_one, &count);
    ck_assert_int_eq(count, 1);
}

TEST(text_has_a_line_each_oldest_first_with_notes_below)
{
    kube_flight_record record = record_of("a");
    record.notes = "created deployment web\nset status";
    kube_flight_enter(flight, &record);
    record = record_of("b");
    record.attempt = 2;
    record.code = KUBE_ERR_CONFLICT;
    record.message = "it was changed";
    record.why.more = 3;
    kube_flight_enter(flight, &record);
    record = record_of("c");
    record.why = (kube_reason){.what = KUBE_REASON_REQUEUE,
                               .old_version = "",
                               .new_version = "",
                               .changed = "",
                               .kind = "",
                               .object = {"", ""}};
    record.requeue_after_ms = 5000;
    kube_flight_enter(flight, &record);
    ck_assert_str_eq(kube_flight_text(flight, ctx),
                     "1 2026-11-18T11:06:40.123456Z networks: default/a (update of Network "
                     "default/a 12 -> 13 (spec.cidr)) waited 1.5ms, took 20ms: ok\n"
                     "    created deployment web\n"
                     "    set status\n"
                     "2 2026-11-18T11:06:40.123456Z networks: default/b (update of Network "
                     "default/b 12 -> 13 (spec.cidr), and 3 more, attempt 2) waited 1.5ms, took "
                     "20ms: conflict: it was changed\n"
                     "3 2026-11-18T11:06:40.123456Z networks: default/c (requeue) waited 1.5ms, "
                     "took 20ms: ok, again after 5s\n");
}

TEST(text_says_what_is_not_tried_again)
{
    kube_flight_record record = record_of("a");
    record.code = KUBE_ERR_INVALID;
    record.message = "no such gateway";
    record.terminal = true;
    kube_flight_enter(flight, &record);
    record.message = "";
    kube_flight_enter(flight, &record);
    ck_assert_str_eq(kube_flight_text(flight, ctx),
                     "1 2026-11-18T11:06:40.123456Z networks: default/a (update of Network "
                     "default/a 12 -> 13 (spec.cidr)) waited 1.5ms, took 20ms: invalid: no such "
                     "gateway (not tried again)\n"
                     "2 2026-11-18T11:06:40.123456Z networks: default/a (update of Network "
                     "default/a 12 -> 13 (spec.cidr)) waited 1.5ms, took 20ms: invalid (not tried "
                     "again)\n");
}

TEST(text_from_elsewhere_forges_no_line)
{
    kube_flight_record record = record_of("a");
    record.why.changed = "metadata.labels.\n9";
    record.notes = "sent \x1b[2J\nand \xe2\x80\xae";
    record.code = KUBE_ERR_INVALID;
    record.message = "no\n3 2026-11-18T11:06:40Z";
    kube_flight_enter(flight, &record);
    ck_assert_str_eq(kube_flight_text(flight, ctx),
                     "1 2026-11-18T11:06:40.123456Z networks: default/a (update of Network "
                     "default/a 12 -> 13 (metadata.labels. 9)) waited 1.5ms, took 20ms: invalid: "
                     "no 3 2026-11-18T11:06:40Z\n"
                     "    sent  [2J\n"
                     "    and  \n");
}

TEST(json_has_all_members_newest_first_and_is_escaped)
{
    kube_flight_record record = record_of("a");
    record.code = KUBE_ERR_SERVER;
    record.message = "say \"no\"\t\\ \xc3\xa4 \xff.";
    record.notes = "one\ntwo";
    record.terminal = true;
    kube_flight_enter(flight, &record);
    enter("b");
    ck_assert_str_eq(
        kube_flight_json(flight, ctx),
        "[{\"number\":2,\"controller\":\"networks\",\"namespace\":\"default\",\"name\":\"b\","
        "\"why\":{\"text\":\"update of Network default/b 12 -> 13 (spec.cidr)\","
        "\"what\":\"update\",\"kind\":\"Network\",\"namespace\":\"default\",\"name\":\"b\","
        "\"oldVersion\":\"12\",\"newVersion\":\"13\",\"changed\":\"spec.cidr\",\"more\":0},"
        "\"attempt\":0,\"started\":\"2026-11-18T11:06:40.123456Z\",\"waitedNs\":1500000,"
        "\"tookNs\":20000000,\"code\":\"ok\",\"message\":\"\",\"notes\":[],"
        "\"requeueAfterMs\":0,\"terminal\":false},\n"
        "{\"number\":1,\"controller\":\"networks\",\"namespace\":\"default\",\"name\":\"a\","
        "\"why\":{\"text\":\"update of Network default/a 12 -> 13 (spec.cidr)\","
        "\"what\":\"update\",\"kind\":\"Network\",\"namespace\":\"default\",\"name\":\"a\","
        "\"oldVersion\":\"12\",\"newVersion\":\"13\",\"changed\":\"spec.cidr\",\"more\":0},"
        "\"attempt\":0,\"started\":\"2026-11-18T11:06:40.123456Z\",\"waitedNs\":1500000,"
        "\"tookNs\":20000000,\"code\":\"server error\","
        "\"message\":\"say \\\"no\\\" \\\\ \xc3\xa4 ?.\",\"notes\":[\"one\",\"two\"],"
        "\"requeueAfterMs\":0,\"terminal\":true}]\n");
}

static bool is_cut(void *arg, const kube_flight_record *record)
{
    size_t len = strlen(record->message);
    (void)arg;
    ck_assert_uint_gt(len, 200);
    ck_assert_uint_lt(len, 999);
    ck_assert_uint_eq(len % 3, 0); /* at a character */
    ck_assert_uint_lt(strlen(record->notes), 513);
    ck_assert_uint_eq(strlen(record->key.name), 253);
    return true;
}

TEST(long_strings_are_cut_at_a_character)
{
    kube_flight_record record = record_of("a");
    char message[1000] = "";
    char name[254];
    char notes[2000];
    for (int i = 0; i < 333; i++)
        strcat(message, "\xe2\x82\xac");
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    memset(notes, 'x', sizeof notes - 1);
    notes[sizeof notes - 1] = '\0';
    record.message = message;
    record.key.name = name;
    record.notes = notes;
    kube_flight_enter(flight, &record);
    memset(message, 'm', sizeof message - 1); /* the record is a copy */
    kube_flight_each(flight, is_cut, NULL);
}

/* ---- threads ------------------------------------------------------------------------------- */

static void *enter_many(void *arg)
{
    for (int i = 0; i < 2000; i++)
        enter(arg);
    return NULL;
}

static bool is_whole(void *arg, const kube_flight_record *record)
{
    uint64_t *last = arg;
    ck_assert(strcmp(record->key.name, "aaaa") == 0 || strcmp(record->key.name, "bbbb") == 0);
    ck_assert_str_eq(record->key.name, record->why.object.name);
    ck_assert(!*last || record->number + 1 == *last);
    *last = record->number;
    return true;
}

TEST(records_are_whole_while_others_enter)
{
    static char a[] = "aaaa";
    static char b[] = "bbbb";
    kube__thread threads[2] = {{0}};
    ck_assert_int_eq(kube__thread_start(&threads[0], "a", enter_many, a, NULL), KUBE_OK);
    ck_assert_int_eq(kube__thread_start(&threads[1], "b", enter_many, b, NULL), KUBE_OK);
    for (int i = 0; i < 200; i++) {
        uint64_t last = 0;
        kube_flight_each(flight, is_whole, &last);
    }
    kube__thread_join(&threads[0]);
    kube__thread_join(&threads[1]);
    ck_assert_uint_eq(kube_flight_count(flight), 4000);
}

/* ---- memory -------------------------------------------------------------------------------- */

static bool use_recorder(void *arg)
{
    kube_flight *mine;
    kube_error err;
    kube_code rc = kube_flight_new(0, &mine, &err);
    kube_ctx *scope;
    bool ok = false;
    if (rc)
        return rc != KUBE_ERR_NO_MEMORY || mine != NULL;
    scope = kube_ctx_new();
    for (int i = 0; i < 300; i++) {
        kube_flight_enter(mine, arg);
    }
    if (scope)
        ok = kube_flight_text(mine, scope) && kube_flight_json(mine, scope);
    kube_ctx_free(scope);
    kube_flight_free(mine);
    return ok;
}

TEST(memory_may_run_out_anywhere)
{
    kube_flight_record record = record_of("a");
    ck_assert_uint_gt(fail_malloc_replay(use_recorder, &record), 3);
}

TEST(recording_allocates_nothing)
{
    kube_flight_record record = record_of("a");
    fail_malloc_from(1);
    for (int i = 0; i < 10; i++)
        kube_flight_enter(flight, &record);
    ck_assert_uint_eq(fail_malloc_off(), 0);
    ck_assert_uint_eq(kube_flight_count(flight), 10);
}

TEST(a_ring_that_no_memory_can_hold_is_refused)
{
    kube_flight *none = flight;
    kube_error err;
    ck_assert_int_eq(kube_flight_new(SIZE_MAX / 100, &none, &err), KUBE_ERR_NO_MEMORY);
    ck_assert_ptr_null(none);
    kube_flight_free(NULL);
}
