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
    const kube_condition ready = {.type = "Ready", .status = KUBE_CONDITION_TRUE, .reason = "Up"};
    kube_condition_list conditions = {0};
    bool changed;
    ck_assert_ptr_null(kube_condition_find(&conditions, "Ready"));
    ck_assert(!kube_condition_is_true(&conditions, "Ready"));
    ck_assert_int_eq(kube_condition_set(ctx, &conditions, &ready, &changed, &err), KUBE_OK);
    ck_assert(changed);
    ck_assert(kube_condition_is_true(&conditions, "Ready"));
    ck_assert_str_eq(conditions.items[0].message, ""); /* which a CRD requires */
    /* An absent message is an empty one: this does not change it again. */
    const kube_condition same = {.type = "Ready", .status = "True", .reason = "Up", .message = ""};
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
    {{.type = "Ready", .status = "True"}, "condition Ready needs a reason"},
    {{.type = "Ready", .status = "True", .reason = ""}, "condition Ready needs a reason"},
    {{.type = "Ready", .status = "True", .reason = "not a word"},
     "the reason of condition Ready is \"not a word\", but must be a word of at most 1024 letters, "
     "digits, '_', ',' and ':', such as RollingOut"},
    {{.type = "Ready", .status = "True", .reason = "Up", .observed_generation = -1},
     "the generation that condition Ready observed is below zero"},
    {{.type = "is ready", .status = "True", .reason = "Up"},
     "\"is ready\" cannot be the type of a condition: write a name of at most 316 letters, digits, "
     "'-', '_' and '.', such as Ready or example.org/Ready"},
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

/* By the limits and patterns of metav1.Condition, which a CRD has from meta.h. */
TEST(types_reasons_and_messages_are_those_that_a_server_takes)
{
    static const char *const types[] = {"R", "Ready", "a.b-c/Is_Ready.2", "Mem-0"};
    static const char *const no_types[] = {"Ready/", "/Ready",    "a/b/c",
                                           "Ready_", "A.b/Ready", "-Ready"};
    static const char *const reasons[] = {"R", "Up", "A_", "B2", "Has:some,more_"};
    static const char *const no_reasons[] = {"2nd", "_A", "A:", "A-B", "A,", "\xC3\xA4"};
    char text[4 * 32768] = "";
    kube_condition_list conditions = {0};
    kube_condition c = {.status = "True", .reason = "Up"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        c.type = types[i];
        ck_assert_msg(!kube_condition_set(ctx, &conditions, &c, NULL, &err), "%s", err.message);
    }
    for (size_t i = 0; i < sizeof no_types / sizeof *no_types; i++) {
        c.type = no_types[i];
        ck_assert_msg(kube_condition_set(ctx, &conditions, &c, NULL, &err), "%s", c.type);
    }
    c.type = memset(text, 'a', 316);
    ck_assert_int_eq(kube_condition_set(ctx, &conditions, &c, NULL, &err), KUBE_OK);
    memset(text, 'b', 317);
    ck_assert_int_eq(kube_condition_set(ctx, &conditions, &c, NULL, &err), KUBE_ERR_ARGUMENT);
    c.type = "Ready";
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        c.reason = reasons[i];
        ck_assert_msg(!kube_condition_set(ctx, &conditions, &c, NULL, &err), "%s", err.message);
    }
    for (size_t i = 0; i < sizeof no_reasons / sizeof *no_reasons; i++) {
        c.reason = no_reasons[i];
        ck_assert_msg(kube_condition_set(ctx, &conditions, &c, NULL, &err), "%s", c.reason);
    }
    c.reason = memset(text, 'a', 1024);
    ck_assert_int_eq(kube_condition_set(ctx, &conditions, &c, NULL, &err), KUBE_OK);
    text[1024] = 'a';
    ck_assert_int_eq(kube_condition_set(ctx, &conditions, &c, NULL, &err), KUBE_ERR_ARGUMENT);
    c.reason = "Up";
    c.message = text;
    for (size_t i = 0; i < 32768; i++)
        memcpy(text + 2 * i, "\xC3\xA4", 3); /* characters count, not bytes */
    ck_assert_int_eq(kube_condition_set(ctx, &conditions, &c, NULL, &err), KUBE_OK);
    memcpy(text + 2 * 32768, "a", 2);
    ck_assert_int_eq(kube_condition_set(ctx, &conditions, &c, NULL, &err), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "the message of condition Ready is longer than 32768 characters");
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
    const kube_condition ready = {.type = "Ready", .status = KUBE_CONDITION_TRUE, .reason = "Up"};
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
