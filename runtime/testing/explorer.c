/* SPDX-License-Identifier: Apache-2.0 */
/* One seed after another, and what is said of one that failed. */
#include "explorer_state.h"

#include <errno.h>
#include <kube/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 200, STEPS_IN_MESSAGE = 8 };

/* ---- all of them ---------------------------------------------------------------------------- */

static kube_explorer *explorer_new(const kube_exploration *what, uint64_t seed)
{
    kube_explorer *x = calloc(1, sizeof *x);
    if (!x)
        return NULL;
    x->what = what;
    x->seed = seed;
    x->schedule.state = seed * 2;
    x->user.state = seed * 2 + 1;
    return x;
}

static void explorer_free(kube_explorer *x)
{
    if (!x)
        return;
    kube__explorer_close(x);
    while (x->step_count)
        free(x->steps[--x->step_count]);
    free(x->steps);
    free(x);
}

static bool same_steps(const kube_explorer *a, const kube_explorer *b)
{
    bool same = a->step_count == b->step_count;
    for (size_t i = 0; same && i < a->step_count; i++)
        same = strcmp(a->steps[i], b->steps[i]) == 0;
    return same;
}

static void log_steps(const kube_explorer *x)
{
    kube_log_error("explorer: the schedule of seed %llu:", (unsigned long long)x->seed);
    for (size_t i = 0; i < x->step_count; i++)
        kube_log_error("explorer: %3zu %s", i + 1, x->steps[i]);
}

/* The last steps of @x, oldest first. */
static void append_steps(const kube_explorer *x, char *text, size_t size)
{
    size_t first = x->step_count > STEPS_IN_MESSAGE ? x->step_count - STEPS_IN_MESSAGE : 0;
    for (size_t i = first; i < x->step_count; i++) {
        size_t len = strlen(text);
        snprintf(text + len, size - len, "%s%.60s", i == first ? "" : "; ", x->steps[i]);
    }
}

/* Whether the seed fails in the same way once more. */
static bool repeats(const kube_explorer *x)
{
    kube_explorer *again = explorer_new(x->what, x->seed);
    kube_error err;
    bool same = again && kube__explorer_schedule(again, &err) && same_steps(x, again);
    explorer_free(again);
    return same;
}

static void explain(const kube_explorer *x, kube_error *err)
{
    char last[STEPS_IN_MESSAGE * 64] = "";
    char why[256];
    const char *doubt = "";
    log_steps(x);
    if (!repeats(x))
        doubt = " (not so when tried again: something in it is left to chance)";
    append_steps(x, last, sizeof last);
    snprintf(why, sizeof why, "%.255s", err->message);
    kube_error_set(err, err->code,
                   "seed %llu: %s; KUBE_EXPLORE_SEED=%llu repeats it%s; its last "
                   "steps: %s",
                   (unsigned long long)x->seed, why, (unsigned long long)x->seed, doubt, last);
}

/* @runs gets how often reconcile ran, too. */
static kube_code explore_seed(const kube_exploration *what, uint64_t seed, bool log, uint64_t *runs,
                              kube_error *err)
{
    kube_explorer *x = explorer_new(what, seed);
    kube_code rc;
    if (!x)
        return kube__explorer_no_memory(err);
    rc = kube__explorer_schedule(x, err);
    if (rc && rc != KUBE_ERR_NO_MEMORY)
        explain(x, err);
    else if (log)
        log_steps(x);
    *runs += x->runs;
    explorer_free(x);
    return rc;
}

static kube_code check(const kube_exploration *what, kube_error *err)
{
    const char *missing = !what->for_          ? "for_"
                          : !what->reconcile   ? "reconcile"
                          : !what->make_change ? "make_change"
                          : !what->converged   ? "converged"
                                               : NULL;
    if (missing)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "explorer: %s is not set", missing);
    return KUBE_OK;
}

/* 0 in @seed when the environment asks for none. */
static kube_code read_wanted_seed(uint64_t *seed, kube_error *err)
{
    const char *text = getenv("KUBE_EXPLORE_SEED");
    char *end;
    *seed = 0;
    if (!text || !*text)
        return KUBE_OK;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    if (errno || *text < '0' || *text > '9' || *end || !*seed)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "explorer: KUBE_EXPLORE_SEED=%.40s is no number above 0", text);
    return KUBE_OK;
}

/* A schedule or two may have nothing to do; all of them have not when nothing reaches the queue. */
static kube_code expect_runs(uint64_t schedules, uint64_t runs, kube_error *err)
{
    if (runs)
        return KUBE_OK;
    return kube_error_set(err, KUBE_ERR_INVALID,
                          "explorer: reconcile never ran in %llu schedules: make_change has to "
                          "change objects of the kind for_ or of an owned one",
                          (unsigned long long)schedules);
}

kube_code kube_explore(const kube_exploration *what, kube_error *err)
{
    uint64_t last = what->seeds ? what->seeds : SEEDS;
    uint64_t runs = 0;
    uint64_t wanted;
    uint64_t only;
    kube_error own; /* what is said of a failure is made of what it said */
    kube_code rc;
    err = err ? err : &own;
    rc = check(what, err);
    if (!rc)
        rc = read_wanted_seed(&wanted, err);
    if (rc)
        return rc;
    only = wanted ? wanted : what->seed;
    if (only)
        return explore_seed(what, only, wanted, &runs, err);
    for (uint64_t seed = 1; seed <= last && !rc; seed++)
        rc = explore_seed(what, seed, false, &runs, err);
    return rc ? rc : expect_runs(last, runs, err);
}

/* ---- for the callbacks ---------------------------------------------------------------------- */

kube_apiserver *kube_explorer_server(kube_explorer *x)
{
    return x->server;
}

kube_client *kube_explorer_client(kube_explorer *x)
{
    return x->client;
}

kube_informer_factory *kube_explorer_factory(kube_explorer *x)
{
    return x->factory;
}

kube_ctx *kube_explorer_ctx(kube_explorer *x)
{
    return x->ctx;
}

uint64_t kube_explorer_random(kube_explorer *x, uint64_t bound)
{
    return kube__api_random_below(&x->user, bound);
}

uint64_t kube_explorer_seed(const kube_explorer *x)
{
    return x->seed;
}

kube_code kube_explorer_enqueue(kube_explorer *x, kube_key key, kube_error *err)
{
    return kube__explorer_add_key(x, key, KUBE_REASON_ADD, NULL, err);
}
