/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules that shared types bring into a CRD. A server refuses what our readers could not read,
 * and our setters refuse what a server would.
 */
#include "cluster_world.h"

#include <shaped/v1/api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kube_error err;

static void set_up(void)
{
    const shaped_v1_sample sample = {.metadata = {.name = "one"}};
    case_set_up();
    expect_ok(shaped_v1_samples_create(client, ctx, ns, &sample, NULL, NULL, &err), &err);
}

static kube_code patch(const char *text)
{
    return shaped_v1_samples_patch(client, ctx, (kube_key){ns, "one"}, KUBE_PATCH_MERGE, text,
                                   strlen(text), NULL, NULL, &err);
}

FIXTURE(set_up, case_tear_down);

/* Texts of spec.amount, spec.timeout and spec.since, in JSON. */
static const struct {
    const char *member;
    const char *value;
    bool taken;
} texts[] = {
    {"amount", "\"500m\"", true},
    {"amount", "\"-1.5Gi\"", true},
    {"amount", "\".5\"", true},
    {"amount", "\"2e3\"", true},
    {"amount", "7", true},
    {"amount", "\"500 m\"", false},
    {"amount", "\"1KiB\"", false},
    {"amount", "\"\"", false},
    {"amount", "\"many\"", false},
    {"timeout", "\"1h0m30.5s\"", true},
    {"timeout", "\"-.5ms\"", true},
    {"timeout", "\"0\"", true},
    {"timeout", "\"+3\\u00b5s\"", true},
    {"timeout", "\"3\\u03bcs\"", true},
    {"timeout", "\"22 ns\"", false},
    {"timeout", "\"3 days\"", false},
    {"timeout", "\"30\"", false},
    {"timeout", "\"\"", false},
    {"timeout", "\".s\"", false},
    {"since", "\"2026-11-22T02:40:23Z\"", true},
    {"since", "\"yesterday\"", false},
};

TEST(a_server_takes_the_texts_that_can_be_read)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text =
            kube_printf(ctx, "{\"spec\":{\"%s\":%s}}", texts[i].member, texts[i].value);
        kube_code rc = patch(text);
        ck_assert_msg(rc == (texts[i].taken ? KUBE_OK : KUBE_ERR_INVALID), "%s: %s", text,
                      rc ? err.message : "taken");
    }
}

static const kube_condition conditions[] = {
    {"Ready", "True", 1, {0}, "Up", "as it should be"},
    {"example.org/Ready", "Unknown", 0, {0}, "A_b:c,d_", ""},
    {"A.b-c_d", "False", 0, {0}, "x", NULL},
    {"Ready", "true", 0, {0}, "Up", ""},
    {"Ready", NULL, 0, {0}, "Up", ""},
    {"Ready", "True", 0, {0}, "", ""},
    {"Ready", "True", 0, {0}, NULL, ""},
    {"Ready", "True", 0, {0}, "not a word", ""},
    {"Ready", "True", 0, {0}, "Up:", ""},
    {"Ready", "True", 0, {0}, "2Up", ""},
    {"Ready", "True", -1, {0}, "Up", ""},
    {"", "True", 0, {0}, "Up", ""},
    {"is ready", "True", 0, {0}, "Up", ""},
    {"Ready-", "True", 0, {0}, "Up", ""},
    {"Example.org/Ready", "True", 0, {0}, "Up", ""},
    {"a/b/c", "True", 0, {0}, "Up", ""},
};

/* Writes that condition as it is, but for the time that every one needs. */
static kube_code write_condition(const kube_condition *condition)
{
    kube_condition one = *condition;
    shaped_v1_sample *sample;
    expect_ok(shaped_v1_samples_get(client, ctx, (kube_key){ns, "one"}, NULL, &sample, &err), &err);
    one.last_transition_time = one.last_transition_time.set ? one.last_transition_time
                                                            : kube_time_now(kube_ctx_clock(ctx));
    one.message = one.message ? one.message : "";
    sample->status.at = one.last_transition_time;
    sample->status.conditions = (kube_condition_list){&one, 1};
    return shaped_v1_samples_update_status(client, ctx, ns, sample, NULL, NULL, &err);
}

static void expect_agreement(const kube_condition *condition)
{
    kube_condition_list set = {0};
    kube_error why;
    kube_code ours = kube_condition_set(ctx, &set, condition, NULL, &why);
    kube_code theirs = write_condition(condition);
    ck_assert_msg(!ours == !theirs, "%.80s %.80s %.80s: set: %s; written: %s", condition->type,
                  condition->status, condition->reason, ours ? why.message : "ok",
                  theirs ? err.message : "ok");
    ck_assert_int_eq(ours, ours ? KUBE_ERR_ARGUMENT : KUBE_OK);
    ck_assert_int_eq(theirs, theirs ? KUBE_ERR_INVALID : KUBE_OK);
}

TEST(a_condition_that_can_be_set_can_be_written)
{
    static const size_t limits[] = {316, 1024, 32768};
    static char text[32770];
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        expect_agreement(&conditions[i]);
    for (size_t more = 0; more < 2; more++) {
        kube_condition c = {"Ready", "True", 0, {0}, "Up", ""};
        memset(text, 'a', sizeof text);
        text[limits[0] + more] = '\0';
        c.type = text;
        expect_agreement(&c);
        memset(text, 'a', sizeof text);
        text[limits[1] + more] = '\0';
        c = (kube_condition){"Ready", "True", 0, {0}, text, ""};
        expect_agreement(&c);
        memset(text, 'a', sizeof text);
        text[limits[2] + more] = '\0';
        c = (kube_condition){"Ready", "True", 0, {0}, "Up", text};
        expect_agreement(&c);
    }
}

TEST(a_time_that_is_required_is_missed)
{
    const shaped_v1_sample timeless = {.metadata = {.name = "one"}};
    shaped_v1_sample *sample;
    expect_ok(shaped_v1_samples_get(client, ctx, (kube_key){ns, "one"}, NULL, &sample, &err), &err);
    sample->status = timeless.status;
    sample->status.conditions =
        (kube_condition_list){(kube_condition[]){{"Ready", "True", 0, {0}, "Up", ""}}, 1};
    expect(shaped_v1_samples_update_status(client, ctx, ns, sample, NULL, NULL, &err),
           KUBE_ERR_INVALID, &err);
    ck_assert_msg(strstr(err.message, "status.at") &&
                      strstr(err.message, "status.conditions[0].lastTransitionTime"),
                  "%s", err.message);
}

/* Members of spec.needs, each with a value that a server takes. */
static const char *const needs[][2] = {
    {"text", "\"\""},
    {"flag", "false"},
    {"small", "0"},
    {"large", "0"},
    {"ratio", "0"},
    {"maybeFlag", "false"},
    {"maybeSmall", "0"},
    {"maybeLarge", "0"},
    {"maybeRatio", "0"},
    {"at", "\"2026-11-22T02:40:23Z\""},
    {"exactlyAt", "\"2026-11-22T02:40:23.000001Z\""},
    {"timeout", "\"0s\""},
    {"memory", "\"0\""},
    {"port", "0"},
    {"blob", "\"AA==\""},
    {"config", "0"},
    {"value", "{}"},
    {"pointer", "{}"},
    {"list", "[]"},
    {"names", "[]"},
    {"labels", "{}"},
    {"limits", "{}"},
};
enum { NEEDS = sizeof needs / sizeof *needs };

/* A JSON Patch, which sets spec.needs to all members but @left_out. */
static kube_code write_needs(size_t left_out)
{
    const char *text = "";
    for (size_t i = 0; i < NEEDS; i++) {
        if (i == left_out)
            continue;
        text = kube_printf(ctx, "%s%s\"%s\":%s", text, *text ? "," : "", needs[i][0], needs[i][1]);
        ck_assert_ptr_nonnull(text);
    }
    text = kube_printf(ctx, "[{\"op\":\"add\",\"path\":\"/spec/needs\",\"value\":{%s}}]", text);
    ck_assert_ptr_nonnull(text);
    return shaped_v1_samples_patch(client, ctx, (kube_key){ns, "one"}, KUBE_PATCH_JSON, text,
                                   strlen(text), NULL, NULL, &err);
}

TEST(every_shape_can_be_required)
{
    shaped_v1_sample *sample;
    for (size_t i = 0; i < NEEDS; i++) {
        kube_code rc = write_needs(i);
        const char *cause = kube_printf(ctx, "spec.needs.%s: Required value", needs[i][0]);
        ck_assert_msg(rc == KUBE_ERR_INVALID && strstr(err.message, cause), "%s: %s", cause,
                      rc ? err.message : "taken");
    }
    expect_ok(write_needs(NEEDS), &err);
    /* What was read has all of them, so that it can be written again. */
    expect_ok(shaped_v1_samples_get(client, ctx, (kube_key){ns, "one"}, NULL, &sample, &err), &err);
    ck_assert_ptr_null(kube_object_lost_path(&sample->base));
    sample->spec.amount.text = "3";
    expect_ok(shaped_v1_samples_update(client, ctx, ns, sample, NULL, NULL, &err), &err);
}

TEST(elements_that_may_be_null_come_back)
{
    shaped_v1_sample *sample;
    expect_ok(patch("{\"spec\":{\"holes\":[1,null,0]}}"), &err);
    expect_ok(shaped_v1_samples_get(client, ctx, (kube_key){ns, "one"}, NULL, &sample, &err), &err);
    ck_assert_ptr_null(kube_object_lost_path(&sample->base));
    ck_assert_uint_eq(sample->spec.holes.len, 3);
    ck_assert(!sample->spec.holes.items[1].set && sample->spec.holes.items[2].set);
    sample->spec.amount.text = "3";
    expect_ok(shaped_v1_samples_update(client, ctx, ns, sample, NULL, &sample, &err), &err);
    ck_assert_uint_eq(sample->spec.holes.len, 3);
    ck_assert(sample->spec.holes.items[0].value == 1 && !sample->spec.holes.items[1].set);
}

/* A selector has one owner: half of one and half of another would be nobody's. */
TEST(a_selector_is_applied_as_a_whole)
{
    kube_string_map_entry red[] = {{"color", "red"}};
    kube_string_map_entry big[] = {{"size", "big"}};
    kube_label_selector selector = {.match_labels = {red, 1}};
    const shaped_v1_sample sample = {.metadata = {.name = "one"}, .spec.selector = &selector};
    kube_apply_options options = {.field_manager = "first"};
    shaped_v1_sample *now;
    expect_ok(shaped_v1_samples_apply(client, ctx, ns, &sample, &options, NULL, &err), &err);
    selector.match_labels.items = big;
    options.field_manager = "second";
    expect(shaped_v1_samples_apply(client, ctx, ns, &sample, &options, NULL, &err),
           KUBE_ERR_CONFLICT, &err);
    options.force = true;
    expect_ok(shaped_v1_samples_apply(client, ctx, ns, &sample, &options, &now, &err), &err);
    ck_assert_uint_eq(now->spec.selector->match_labels.len, 1);
    ck_assert_str_eq(now->spec.selector->match_labels.items[0].key, "size");
}

int main(void)
{
    int status;
    world_start("");
    real_server_until_kubectl(server, "get samples.shaped.example.org");
    status = suite_run();
    world_stop();
    return status;
}
