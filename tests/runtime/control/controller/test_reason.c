/* SPDX-License-Identifier: Apache-2.0 */
#include "control/controller/reason.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <core/v1/register.h>
#include <stdio.h>
#include <stdlib.h>

static const kube_key key = {"ns", "owner"};
static kube__reason_book book;
static kube__reason_node *node;
static kube_ctx *ctx;

static void set_up(void)
{
    ck_assert_int_eq(kube__reason_book_init(&book, NULL), KUBE_OK);
    node = NULL;
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube__reason_free(node);
    kube__reason_book_fini(&book);
    kube_ctx_free(ctx);
}

static core_v1_config_map object(const char *name, const char *version)
{
    return (core_v1_config_map){
        .base = {.type = &core_v1_config_map_type},
        .metadata = {.name = name, .namespace_ = "ns", .uid = "u", .resource_version = version}};
}

static kube__changed paths(const char *text)
{
    kube__changed changed = {.count = *text != '\0'};
    snprintf(changed.text, sizeof changed.text, "%s", text);
    for (const char *comma = text; (comma = strchr(comma, ',')) != NULL; comma++)
        changed.count++;
    return changed;
}

/* What happened to @name; version NULL = it was not there. */
static void note(const char *name, const char *old_version, const char *new_version,
                 const char *changed)
{
    const kube__changed all = paths(changed);
    core_v1_config_map before = object(name, old_version);
    core_v1_config_map now = object(name, new_version);
    const kube_change change = {.type = &core_v1_config_map_type,
                                .old_object = old_version ? &before.base : NULL,
                                .new_object = new_version ? &now.base : NULL};
    kube__reason_note(&book, key, &change, &all);
}

/* The reason of a run that begins now. */
static const char *taken(void)
{
    kube_reason why;
    kube__reason_free(node);
    node = kube__reason_take(&book, key);
    why = kube__reason_of(node, KUBE_REASON_REQUEUE);
    return kube_reason_text(ctx, &why);
}

FIXTURE(set_up, tear_down);

TEST(each_event_has_its_sentence)
{
    note("a", NULL, "1", "");
    ck_assert_str_eq(taken(), "add of ConfigMap ns/a 1");
    note("a", "12", "13", "data.x");
    ck_assert_str_eq(taken(), "update of ConfigMap ns/a 12 -> 13 (data.x)");
    note("a", "13", "13", "");
    ck_assert_str_eq(taken(), "resync of ConfigMap ns/a 13");
    note("a", "13", NULL, "");
    ck_assert_str_eq(taken(), "delete of ConfigMap ns/a 13");
    kube__reason_note(&book, key, NULL, NULL);
    ck_assert_str_eq(taken(), "enqueue");
    ck_assert_str_eq(taken(), "requeue"); /* nothing happened since */
}

TEST(events_of_one_object_are_told_as_one)
{
    note("a", "1", "2", "data.x");
    note("a", "2", "3", "data.y,data.x");
    ck_assert_str_eq(taken(), "update of ConfigMap ns/a 1 -> 3 (data.x,data.y)");
    note("a", NULL, "1", "");
    note("a", "1", "2", "data.x");
    ck_assert_str_eq(taken(), "add of ConfigMap ns/a 2");
    note("a", "1", "2", "data.x");
    note("a", "2", NULL, "");
    ck_assert_str_eq(taken(), "delete of ConfigMap ns/a 1");
    note("a", "1", NULL, "");
    note("a", NULL, "5", "");
    ck_assert_str_eq(taken(), "add of ConfigMap ns/a 1 -> 5");
}

TEST(others_are_counted)
{
    note("a", "1", "2", "data.x");
    note("b", NULL, "3", "");
    note("b", "3", "4", "data.z");
    note("a", "2", "5", "data.y");
    ck_assert_str_eq(taken(), "update of ConfigMap ns/a 1 -> 5 (data.x,data.y), and 2 more");
}

/* Only a few objects are followed: what a forgotten one did counts as another's. */
TEST(however_many_objects_all_events_are_counted)
{
    char name[8];
    for (int i = 0; i < 50; i++) {
        snprintf(name, sizeof name, "n%d", i % 10);
        note(name, NULL, "1", "");
    }
    ck_assert_str_eq(taken(), "add of ConfigMap ns/n9 1, and 49 more");
}

/* Neither a resync nor an enqueue is news. */
TEST(what_is_no_news_hides_none)
{
    note("a", "1", "2", "data.x");
    note("a", "2", "2", "");
    note("b", "7", "7", "");
    kube__reason_note(&book, key, NULL, NULL);
    ck_assert_str_eq(taken(), "update of ConfigMap ns/a 1 -> 2 (data.x)");
    note("b", "7", "7", "");
    kube__reason_note(&book, key, NULL, NULL);
    note("b", "7", "7", "");
    ck_assert_str_eq(taken(), "enqueue");
    note("b", "7", "7", "");
    note("a", "1", "2", "data.x");
    ck_assert_str_eq(taken(), "update of ConfigMap ns/a 1 -> 2 (data.x)");
}

TEST(changed_paths_are_at_most_eight_and_the_others_are_counted)
{
    note("a", "1", "2", "p1,p2,p3,p4,p5");
    note("a", "2", "3", "p4,p6,p7,p8,p9,p10");
    ck_assert_str_eq(taken(),
                     "update of ConfigMap ns/a 1 -> 3 (p1,p2,p3,p4,p5,p6,p7,p8 and 2 more)");
    note("a", "1", "2", "p1,p2,p3,p4,p5");
    note("a", "2", "3", "p4,p6,p7,p8,p9,p10");
    note("a", "3", "4", "p8,p11");
    ck_assert_str_eq(taken(),
                     "update of ConfigMap ns/a 1 -> 4 (p1,p2,p3,p4,p5,p6,p7,p8 and 3 more)");
}

TEST(however_many_paths_changed_their_text_is_bounded)
{
    static char keys[3000][64];
    static kube_string_map_entry data[3000];
    core_v1_config_map before = object("a", "1");
    core_v1_config_map now = object("a", "2");
    const kube_change change = {
        .type = &core_v1_config_map_type, .old_object = &before.base, .new_object = &now.base};
    kube__changed changed;
    kube_reason why;
    for (size_t i = 0; i < 3000; i++) {
        snprintf(keys[i], sizeof keys[i], "a-key-of-some-forty-bytes-in-all-%06zu", i);
        data[i] = (kube_string_map_entry){keys[i], "v"};
    }
    before.data = (kube_string_map){data, 0};
    now.data = (kube_string_map){data, 3000};
    kube__changed_paths(&change, &changed);
    ck_assert_uint_eq(changed.count + changed.more, 3000);
    kube__reason_note(&book, key, &change, &changed);
    node = kube__reason_take(&book, key);
    why = kube__reason_of(node, KUBE_REASON_REQUEUE);
    ck_assert_uint_lt(strlen(why.changed), KUBE__CHANGED_MAX);
    ck_assert_ptr_nonnull(strstr(why.changed, "-000003'] and 2996 more"));
}

/* "" would say that nothing is known. */
TEST(a_path_that_is_too_long_is_cut_or_counted)
{
    static char keys[3][400];
    static kube_string_map_entry data[4];
    core_v1_config_map before = object("a", "1");
    core_v1_config_map now = object("a", "2");
    const kube_change change = {
        .type = &core_v1_config_map_type, .old_object = &before.base, .new_object = &now.base};
    kube__changed changed;
    char expected[KUBE__CHANGED_MAX];
    for (size_t i = 0; i < 3; i++) {
        memset(keys[i], 'k', sizeof keys[i] - 2);
        keys[i][sizeof keys[i] - 2] = (char)('0' + i);
        data[i] = (kube_string_map_entry){keys[i], "v"};
    }
    data[3] = (kube_string_map_entry){"short", "v"};
    before.data = (kube_string_map){data, 0};
    now.data = (kube_string_map){data, 4};
    kube__changed_paths(&change, &changed);
    snprintf(expected, sizeof expected, "data['%.94s...,data['short']", keys[0]);
    ck_assert_str_eq(changed.text, expected);
    ck_assert_uint_eq(changed.count, 2);
    ck_assert_uint_eq(changed.more, 2);
    kube__reason_note(&book, key, &change, &changed);
    kube__reason_note(&book, key, &change, &changed); /* the same path again is no other one */
    snprintf(expected, sizeof expected,
             "update of ConfigMap ns/a 1 -> 2 (data['%.94s...,data['short'] and 4 more)", keys[0]);
    ck_assert_str_eq(taken(), expected);
}

TEST(paths_are_those_that_differ_without_bookkeeping)
{
    static kube_string_map_entry old_data[] = {{"x", "1"}, {"y", "2"}};
    static kube_string_map_entry new_data[] = {{"x", "1"}, {"y", "3"}};
    core_v1_config_map before = object("a", "1");
    core_v1_config_map now = object("a", "2");
    const kube_change change = {
        .type = &core_v1_config_map_type, .old_object = &before.base, .new_object = &now.base};
    kube__changed changed;
    before.metadata.generation = 1;
    now.metadata.generation = 2;
    before.data = (kube_string_map){old_data, 2};
    now.data = (kube_string_map){new_data, 2};
    kube__changed_paths(&change, &changed);
    ck_assert_str_eq(changed.text, "data['y']");
    ck_assert_uint_eq(changed.more, 0);
}

TEST(what_was_put_back_is_told_with_what_came_since)
{
    note("a", "1", "2", "data.x");
    note("b", NULL, "9", "");
    taken();
    kube__reason_put_back(&book, node);
    node = NULL;
    ck_assert_str_eq(taken(), "add of ConfigMap ns/b 9, and 1 more");
    note("a", "2", "3", "data.y");
    note("c", "5", "5", ""); /* no news */
    kube__reason_put_back(&book, node);
    node = NULL;
    ck_assert_str_eq(taken(), "update of ConfigMap ns/a 1 -> 3 (data.x,data.y), and 1 more");
    kube__reason_put_back(&book, NULL);
    ck_assert_str_eq(taken(), "requeue");
}

TEST(keys_have_their_own_reasons)
{
    core_v1_config_map now = object("a", "1");
    const kube_change change = {.type = &core_v1_config_map_type, .new_object = &now.base};
    kube__reason_note(&book, (kube_key){"other", "owner"}, &change, NULL);
    ck_assert_str_eq(taken(), "requeue");
    note("b", NULL, "2", "");
    ck_assert_str_eq(taken(), "add of ConfigMap ns/b 2");
}

TEST(an_object_without_a_namespace_is_named_without_one)
{
    const kube_reason why = {.what = KUBE_REASON_UPDATE,
                             .kind = "Node",
                             .old_version = "1",
                             .new_version = "2",
                             .changed = "",
                             .object = {"", "n1"}};
    ck_assert_str_eq(kube_reason_text(ctx, &why), "update of Node n1 1 -> 2");
}

/* A reason that cannot be kept costs the explanation, nothing else. */
static bool note_and_take(void *arg)
{
    kube__reason_book mine;
    core_v1_config_map before = object("a", "1");
    core_v1_config_map now = object("a", "2");
    const kube_change change = {
        .type = &core_v1_config_map_type, .old_object = &before.base, .new_object = &now.base};
    const kube__changed x = paths("data.x");
    const kube__changed y = paths("data.y");
    kube__reason_node *first;
    (void)arg;
    if (kube__reason_book_init(&mine, NULL))
        return false;
    kube__reason_note(&mine, key, &change, &x);
    kube__reason_note(&mine, key, &change, &y);
    first = kube__reason_take(&mine, key);
    kube__reason_note(&mine, key, &change, &x);
    kube__reason_put_back(&mine, first);
    kube__reason_note(&mine, (kube_key){"", "x"}, NULL, NULL);
    kube__reason_book_fini(&mine);
    return true;
}

TEST(memory_may_run_out_anywhere)
{
    ck_assert_uint_gt(fail_malloc_replay(note_and_take, NULL), 8);
}
