/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions, by the table of apimachinery's meta.SetStatusCondition. */
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <kube/condition.h>
#include <kube/testing/clock.h>
#include <string.h>

static kube_fake_clock *fake;
static kube_ctx *ctx;
static kube_error err;

static void set_up(void)
{
    fake = kube_fake_clock_new();
    ctx = kube_ctx_new_with_clock(kube_fake_clock_clock(fake));
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
    kube_fake_clock_free(fake);
}

enum { OLD = 1000, GIVEN = 2000, NOW = -1 };

#define AT(seconds)                                                                                \
    {                                                                                              \
        (seconds), 0, true                                                                         \
    }

/* Ready=False since OLD, with something before and after it. */
static kube_condition *existing(void)
{
    static const kube_condition all[] = {
        {"Available", "True", 1, AT(OLD), "Enough", ""},
        {"Ready", "False", 1, AT(OLD), "Waiting", "for pods"},
        {"Progressing", "True", 1, AT(OLD), "Rollout", ""},
    };
    kube_condition *copy = kube_ctx_alloc(ctx, sizeof all);
    memcpy(copy, all, sizeof all);
    return copy;
}

static const struct {
    const char *name;
    kube_condition condition;
    bool changed;
    size_t len;
    int64_t since;
} sets[] = {
    {"the same", {"Ready", "False", 1, {0}, "Waiting", "for pods"}, false, 3, OLD},
    {"the same at another time",
     {"Ready", "False", 1, AT(GIVEN), "Waiting", "for pods"},
     false,
     3,
     OLD},
    {"another reason", {"Ready", "False", 1, {0}, "Starved", "for pods"}, true, 3, OLD},
    {"another message", {"Ready", "False", 1, AT(GIVEN), "Waiting", "for a node"}, true, 3, OLD},
    {"another generation", {"Ready", "False", 2, {0}, "Waiting", "for pods"}, true, 3, OLD},
    {"another status", {"Ready", "True", 1, {0}, "Up", ""}, true, 3, NOW},
    {"another status with its time", {"Ready", "True", 1, AT(GIVEN), "Up", ""}, true, 3, GIVEN},
    {"a new one", {"Paused", "Unknown", 1, {0}, "New", ""}, true, 4, NOW},
    {"a new one with its time", {"Paused", "Unknown", 1, AT(GIVEN), "New", ""}, true, 4, GIVEN},
};

FIXTURE(set_up, tear_down);

TEST(conditions_are_set)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        kube_condition_list conditions = {existing(), 3};
        const kube_condition *old = conditions.items;
        const kube_condition *found;
        bool changed = !sets[i].changed;
        int64_t since =
            sets[i].since == NOW ? kube_time_now(kube_ctx_clock(ctx)).sec : sets[i].since;
        ck_assert_int_eq(kube_condition_set(ctx, &conditions, &sets[i].condition, &changed, &err),
                         KUBE_OK);
        ck_assert_msg(changed == sets[i].changed, "%s", sets[i].name);
        ck_assert_msg((conditions.items == old) == !changed, "%s", sets[i].name);
        ck_assert_msg(conditions.len == sets[i].len, "%s", sets[i].name);
        found = kube_condition_find(&conditions, sets[i].condition.type);
        ck_assert_str_eq(found->status, sets[i].condition.status);
        ck_assert_str_eq(found->reason, sets[i].condition.reason);
        ck_assert_str_eq(found->message, sets[i].condition.message);
        ck_assert_int_eq(found->observed_generation, sets[i].condition.observed_generation);
        ck_assert_msg(found->last_transition_time.sec == since, "%s: since %lld", sets[i].name,
                      (long long)found->last_transition_time.sec);
        /* The old list may be a cached object's. */
        ck_assert_str_eq(old[1].status, "False");
        ck_assert_str_eq(conditions.items[0].type, "Available");
        ck_assert_str_eq(conditions.items[2].type, "Progressing");
    }
}

TEST(the_first_condition_makes_the_list)
{
    const kube_condition ready = {.type = "Ready", .status = KUBE_CONDITION_TRUE};
    kube_condition_list conditions = {0};
    bool changed;
    ck_assert_ptr_null(kube_condition_find(&conditions, "Ready"));
    ck_assert(!kube_condition_is_true(&conditions, "Ready"));
    ck_assert_int_eq(kube_condition_set(ctx, &conditions, &ready, &changed, &err), KUBE_OK);
    ck_assert(changed);
    ck_assert(kube_condition_is_true(&conditions, "Ready"));
    /* Texts that a CRD requires are there. */
    ck_assert_str_eq(conditions.items[0].reason, "");
    ck_assert_str_eq(conditions.items[0].message, "");
    /* Absent texts are empty ones: this does not change it again. */
    const kube_condition same = {.type = "Ready", .status = "True", .reason = "", .message = ""};
    ck_assert_int_eq(kube_condition_set(ctx, &conditions, &same, &changed, &err), KUBE_OK);
    ck_assert(!changed);
}

static const struct {
    kube_condition condition;
    const char *message;
} refused[] = {
    {{.type = NULL, .status = "True"}, "a condition needs a type"},
    {{.type = "", .status = "True"}, "a condition needs a type"},
    {{.type = "Ready"},
     "the status of condition Ready is \"\", but must be True, False or Unknown"},
    {{.type = "Ready", .status = "true"},
     "the status of condition Ready is \"true\", but must be True, False or Unknown"},
};

TEST(a_condition_that_is_none_is_refused)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        kube_condition_list conditions = {existing(), 3};
        bool changed = true;
        ck_assert_int_eq(
            kube_condition_set(ctx, &conditions, &refused[i].condition, &changed, &err),
            KUBE_ERR_ARGUMENT);
        ck_assert_str_eq(err.message, refused[i].message);
        ck_assert(!changed);
        ck_assert_uint_eq(conditions.len, 3);
    }
}

TEST(a_condition_is_removed)
{
    kube_condition_list conditions = {existing(), 3};
    bool changed = true;
    ck_assert_int_eq(kube_condition_remove(ctx, &conditions, "Paused", &changed, &err), KUBE_OK);
    ck_assert(!changed);
    ck_assert_int_eq(kube_condition_remove(ctx, &conditions, "Ready", &changed, &err), KUBE_OK);
    ck_assert(changed);
    ck_assert_uint_eq(conditions.len, 2);
    ck_assert_ptr_null(kube_condition_find(&conditions, "Ready"));
    ck_assert_str_eq(conditions.items[1].type, "Progressing");
    ck_assert_int_eq(kube_condition_remove(ctx, &conditions, "Available", NULL, &err), KUBE_OK);
    ck_assert_int_eq(kube_condition_remove(ctx, &conditions, "Progressing", NULL, &err), KUBE_OK);
    ck_assert_uint_eq(conditions.len, 0);
}

static bool set_and_remove(void *arg)
{
    const kube_condition ready = {.type = "Ready", .status = KUBE_CONDITION_TRUE};
    kube_condition_list conditions = {0};
    kube_ctx *scope = kube_ctx_new();
    kube_code rc = scope ? KUBE_OK : KUBE_ERR_NO_MEMORY;
    (void)arg;
    if (!rc)
        rc = kube_condition_set(scope, &conditions, &ready, NULL, NULL);
    if (rc && conditions.len)
        abort();
    if (!rc)
        rc = kube_condition_remove(scope, &conditions, "Ready", NULL, NULL);
    if (rc && rc != KUBE_ERR_NO_MEMORY)
        abort();
    kube_ctx_free(scope);
    return rc == KUBE_OK;
}

TEST(no_memory_is_an_error)
{
    ck_assert_uint_gt(fail_malloc_replay(set_and_remove, NULL), 0);
}

TEST(a_failed_ctx_changes_nothing)
{
    kube_condition_list list = {existing(), 3};
    const kube_condition nameless = {.type = NULL};
    ck_assert_ptr_null(kube_ctx_alloc_array(ctx, SIZE_MAX, 2));
    ck_assert_int_eq(kube_condition_set(ctx, &list, &nameless, NULL, &err), KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_condition_remove(ctx, &list, "Ready", NULL, &err), KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_condition_remove(ctx, &list, "None", NULL, &err), KUBE_ERR_NO_MEMORY);
    ck_assert_uint_eq(list.len, 3);
}
