/* SPDX-License-Identifier: Apache-2.0 */
/* RT-1. The pauses go by a fake clock that a second thread moves on to each deadline. */
#include "base/thread.h"
#include "support/suite.h"

#include <kube/retry.h>
#include <kube/testing/clock.h>
#include <pthread.h>
#include <string.h>

enum { MAX_TRIES = 8 };

static kube_fake_clock *fake;
static kube_ctx *ctx;
static kube_error err;

/* What the attempts return, and what was seen of them. */
static struct {
    kube_code answers[MAX_TRIES];
    int tries;
    int released; /* memory of earlier tries that went */
    int64_t at_ns[MAX_TRIES];
    char *kept;
} attempts;

static void set_up(void)
{
    memset(&attempts, 0, sizeof attempts);
    fake = kube_fake_clock_new();
    ctx = kube_ctx_new_with_clock(kube_fake_clock_clock(fake));
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
    kube_fake_clock_free(fake);
}

static void count_release(void *arg)
{
    (void)arg;
    attempts.released++;
}

static kube_code attempt(void *arg, kube_ctx *scope, kube_error *attempt_err)
{
    kube_code rc = attempts.answers[attempts.tries];
    ck_assert_ptr_eq(arg, &attempts);
    ck_assert_int_eq(attempts.released, attempts.tries);
    attempts.at_ns[attempts.tries] = kube_ctx_clock(scope)->now_ns(kube_ctx_clock(scope));
    attempts.tries++;
    ck_assert_int_eq(kube_ctx_defer(scope, count_release, NULL, attempt_err), KUBE_OK);
    attempts.kept = kube_printf(scope, "kept by try %d", attempts.tries);
    return rc ? kube_error_set(attempt_err, rc, "answer %d", attempts.tries) : KUBE_OK;
}

static void *call(void *arg)
{
    *(kube_code *)arg = kube_retry_on_conflict(ctx, attempt, &attempts, &err);
    return NULL;
}

/* Runs it with @pauses deadlines to be moved to. */
static kube_code run(int pauses)
{
    pthread_t thread;
    kube_code rc;
    ck_assert_int_eq(pthread_create(&thread, NULL, call, &rc), 0);
    for (int i = 0; i < pauses; i++) {
        kube_fake_clock_wait_for_waiters(fake, 1);
        kube_fake_clock_advance_ms(fake, kube_fake_clock_next_ms(fake));
    }
    pthread_join(thread, NULL);
    return rc;
}

static const struct {
    const char *name;
    kube_code answers[MAX_TRIES];
    int tries;
    kube_code code;
    const char *message;
} cases[] = {
    {"at once", {KUBE_OK}, 1, KUBE_OK, NULL},
    {"after a conflict", {KUBE_ERR_CONFLICT, KUBE_OK}, 2, KUBE_OK, NULL},
    {"the fifth try",
     {KUBE_ERR_CONFLICT, KUBE_ERR_CONFLICT, KUBE_ERR_CONFLICT, KUBE_ERR_CONFLICT, KUBE_OK},
     5,
     KUBE_OK,
     NULL},
    {"never: the last conflict itself",
     {KUBE_ERR_CONFLICT, KUBE_ERR_CONFLICT, KUBE_ERR_CONFLICT, KUBE_ERR_CONFLICT,
      KUBE_ERR_CONFLICT},
     5,
     KUBE_ERR_CONFLICT,
     "answer 5"},
    {"another error is final", {KUBE_ERR_NOT_FOUND}, 1, KUBE_ERR_NOT_FOUND, "answer 1"},
    {"another error after a conflict",
     {KUBE_ERR_CONFLICT, KUBE_ERR_INVALID},
     2,
     KUBE_ERR_INVALID,
     "answer 2"},
    {"it exists already: no conflict",
     {KUBE_ERR_ALREADY_EXISTS},
     1,
     KUBE_ERR_ALREADY_EXISTS,
     "answer 1"},
};

FIXTURE(set_up, tear_down);

TEST_EACH(only_conflicts_are_tried_again, cases) /* RT-1 */
{
    kube_code rc;
    memcpy(attempts.answers, cases[_i].answers, sizeof attempts.answers);
    rc = run(cases[_i].tries - 1);
    ck_assert_msg(rc == cases[_i].code, "%s: %s", cases[_i].name, kube_code_name(rc));
    ck_assert_msg(attempts.tries == cases[_i].tries, "%s: %d tries", cases[_i].name,
                  attempts.tries);
    if (cases[_i].message)
        ck_assert_str_eq(err.message, cases[_i].message);
}

/* Peers: TestRetryOnConflict */
TEST(pauses_double_and_are_jittered) /* WA-1 */
{
    int64_t least = 10;
    for (int i = 0; i < 4; i++)
        attempts.answers[i] = KUBE_ERR_CONFLICT;
    ck_assert_int_eq(run(4), KUBE_OK);
    for (int i = 1; i < attempts.tries; i++, least *= 2) {
        int64_t pause_ms = (attempts.at_ns[i] - attempts.at_ns[i - 1]) / 1000000;
        ck_assert_int_ge(pause_ms, least);
        ck_assert_int_le(pause_ms, 2 * least);
    }
}

/* Peers: TestRetryOnConflict */
TEST(what_the_last_try_kept_stays)
{
    attempts.answers[0] = KUBE_ERR_CONFLICT;
    ck_assert_int_eq(run(1), KUBE_OK);
    ck_assert_int_eq(attempts.released, 1);
    ck_assert_str_eq(attempts.kept, "kept by try 2");
    kube_ctx_reset(ctx);
    ck_assert_int_eq(attempts.released, 2);
}

TEST(a_cancel_ends_the_pause)
{
    pthread_t thread;
    kube_code rc;
    attempts.answers[0] = KUBE_ERR_CONFLICT;
    ck_assert_int_eq(pthread_create(&thread, NULL, call, &rc), 0);
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_ctx_cancel(ctx);
    pthread_join(thread, NULL);
    ck_assert_int_eq(rc, KUBE_ERR_CANCELED);
    ck_assert_int_eq(attempts.tries, 1);
}

static kube_code ask_for_too_much(void *arg, kube_ctx *scope, kube_error *attempt_err)
{
    (void)attempt_err;
    ++*(int *)arg;
    kube_ctx_alloc(scope, SIZE_MAX);
    return KUBE_OK;
}

TEST(an_attempt_that_did_not_ask_for_its_memory_fails)
{
    int tries = 0;
    ck_assert_int_eq(kube_retry_on_conflict(ctx, ask_for_too_much, &tries, &err),
                     KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(tries, 1);
    ck_assert_ptr_null(kube_ctx_alloc(ctx, SIZE_MAX));
    ck_assert_int_eq(kube_retry_on_conflict(ctx, ask_for_too_much, &tries, &err),
                     KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(tries, 1);
}
