/* SPDX-License-Identifier: Apache-2.0 */
/* One schedule: which step comes next, and how it comes to rest at its end. */
#include "explorer_state.h"

#include <stdio.h>

enum {
    CHANGES = 12,
    STEPS_PER_CHANGE = 8, /* at most: then the schedule comes to its end */
    CRASH_REQUESTS = 20,  /* of a controller that dies: more than a run sends after its end */
    FAULT_PERCENT = 20,   /* of the runs */
    PATIENCE = 20,        /* failures of a key, or timers, until a schedule at its end gives up */
    RUNS_AT_REST = 500,   /* at the end of a schedule, where only the controller changes things */
};

/* ---- single steps --------------------------------------------------------------------------- */

static uint64_t draw(kube_explorer *x, uint64_t bound)
{
    return kube__api_random_below(&x->schedule, bound);
}

static kube_code change_something(kube_explorer *x, kube_error *err)
{
    kube_code rc;
    x->note[0] = '\0';
    rc = x->what->make_change(x->what->arg, x, err);
    kube_ctx_reset(x->ctx);
    kube__explorer_step(x, "change%s%s", *x->note ? ": " : "", x->note);
    if (rc) {
        kube_error_prefix(err, "make_change");
        return rc;
    }
    return kube__explorer_collect(x, err);
}

static size_t count_pending_kinds(const kube_explorer *x)
{
    size_t count = 0;
    for (size_t i = 0; i < x->kind_count; i++)
        count += x->kinds[i].pending_len > 0;
    return count;
}

static kube__explored *draw_pending_kind(kube_explorer *x)
{
    uint64_t nth = draw(x, count_pending_kinds(x));
    for (size_t i = 0; i < x->kind_count; i++) {
        if (x->kinds[i].pending_len && nth-- == 0)
            return &x->kinds[i];
    }
    return NULL;
}

static kube_code deliver_some(kube_explorer *x, kube_error *err)
{
    kube__explored *kind = draw_pending_kind(x);
    size_t count = 1 + (size_t)draw(x, kind->pending_len);
    kube__explorer_step(x, "%zu events of %s", count, kind->type->resource);
    return kube__explorer_deliver(x, kind, count, err);
}

static kube_code list_some(kube_explorer *x, kube_error *err)
{
    kube__explored *kind = draw_pending_kind(x);
    size_t count = 1 + (size_t)draw(x, kind->pending_len);
    kube__explorer_step(x, "a list of %s in place of %zu events", kind->type->resource, count);
    return kube__explorer_list(x, kind, count, err);
}

/* Its caches begin with a list, which may be older than what the server has now. */
static kube_code restart(kube_explorer *x, kube_error *err)
{
    kube_code rc = KUBE_OK;
    kube__explorer_stop(x);
    for (size_t i = 0; i < x->kind_count && !rc; i++) {
        kube__explored *kind = &x->kinds[i];
        rc = kube__explorer_list(x, kind, (size_t)draw(x, kind->pending_len + 1), err);
    }
    kube__explorer_forget_keys(x); /* nobody was there to be told */
    kube__explorer_step(x, "restart");
    return rc ? rc : kube__explorer_start(x, err);
}

/* ---- a run, and what befalls it ------------------------------------------------------------- */

typedef enum run_fault { NO_FAULT, REFUSED, LOST_ANSWER, CRASH, RUN_FAULT_COUNT } run_fault;

static kube_code add_faults(kube_explorer *x, run_fault fault, unsigned nth, kube_error *err)
{
    static const char *const writes[] = {"create", "update", "patch", "delete"};
    static const int answers[] = {500, 503, 504};
    kube_fault_rule rule = {.kind = KUBE_FAULT_STATUS, .nth = nth};
    kube_code rc = KUBE_OK;
    switch (fault) {
    case REFUSED:
        rule.http_status = answers[draw(x, sizeof answers / sizeof *answers)];
        return kube_apiserver_add_fault(x->server, &rule, err);
    case LOST_ANSWER: /* of a write: a client asks again for what it wanted to read */
        rule.kind = KUBE_FAULT_DROP;
        for (size_t i = 0; i < sizeof writes / sizeof *writes && !rc; i++) {
            rule.verb = writes[i];
            rc = kube_apiserver_add_fault(x->server, &rule, err);
        }
        return rc;
    case CRASH: /* each rule acts a request later than the one before, which hides it */
        rule.http_status = 503;
        for (int i = 0; i < CRASH_REQUESTS && !rc; i++)
            rc = kube_apiserver_add_fault(x->server, &rule, err);
        return rc;
    default:
        return KUBE_OK;
    }
}

static run_fault draw_fault(kube_explorer *x)
{
    run_fault fault;
    if (draw(x, 100) >= FAULT_PERCENT)
        return NO_FAULT;
    fault = (run_fault)(1 + draw(x, RUN_FAULT_COUNT - 1));
    if (fault == CRASH ? x->what->no_restarts : x->what->no_faults)
        return NO_FAULT;
    return fault;
}

static kube_code run_some(kube_explorer *x, kube_error *err)
{
    static const char *const says[] = {
        [REFUSED] = "request %u of the next run fails",
        [LOST_ANSWER] = "write %u of the next run works, its answer gets lost",
        [CRASH] = "the controller dies before request %u of the next run",
    };
    kube__explored_key *key =
        kube__explorer_nth(x, kube__explored_is_ready,
                           (size_t)draw(x, kube__explorer_count(x, kube__explored_is_ready)));
    run_fault fault = draw_fault(x);
    unsigned nth = 1 + (unsigned)draw(x, 3);
    char text[80];
    kube_code rc = add_faults(x, fault, nth, err);
    if (rc)
        return rc;
    if (fault) {
        snprintf(text, sizeof text, says[fault], nth);
        kube__explorer_step(x, "%s", text);
    }
    kube__explorer_run(x, key);
    kube_apiserver_clear_faults(x->server);
    rc = kube__explorer_collect(x, err);
    return rc || fault != CRASH ? rc : restart(x, err);
}

/* Time passes: a failed key's back-off, or a timer, is over. */
static kube_code let_time_pass(kube_explorer *x, kube__explored_flag *flag)
{
    size_t nth = (size_t)draw(x, kube__explorer_count(x, flag));
    kube__explored_key *key = kube__explorer_nth(x, flag, nth);
    kube__explored_make_ready(key);
    return KUBE_OK;
}

static kube_code resync(kube_explorer *x, kube_error *err)
{
    kube__explorer_step(x, "resync");
    return kube__explorer_add_all(x, KUBE_REASON_RESYNC, err);
}

/* ---- a schedule ----------------------------------------------------------------------------- */

typedef enum step { CHANGE, DELIVER, LIST, RUN, RETRY, TIMER, RESYNC, RESTART, STEP_COUNT } step;

/* How likely each step is now; 0 = it cannot be. */
static void weigh(const kube_explorer *x, unsigned changes_left, unsigned weights[STEP_COUNT])
{
    const kube_exploration *what = x->what;
    bool pending = count_pending_kinds(x) > 0;
    weights[CHANGE] = changes_left ? 6 : 0;
    weights[DELIVER] = pending ? 6 : 0;
    weights[LIST] = pending ? 2 : 0;
    weights[RUN] = kube__explorer_count(x, kube__explored_is_ready) ? 8 : 0;
    weights[RETRY] = kube__explorer_count(x, kube__explored_is_retry) ? 3 : 0;
    weights[TIMER] = kube__explorer_count(x, kube__explored_is_timer) ? 2 : 0;
    weights[RESYNC] = !what->no_resync && x->kinds[0].cached_len ? 1 : 0;
    weights[RESTART] = what->no_restarts ? 0 : 1;
}

static step draw_step(kube_explorer *x, unsigned changes_left)
{
    unsigned weights[STEP_COUNT];
    unsigned sum = 0;
    uint64_t drawn;
    int chosen = 0;
    weigh(x, changes_left, weights);
    for (int i = 0; i < STEP_COUNT; i++)
        sum += weights[i];
    if (!sum)
        return STEP_COUNT;
    for (drawn = draw(x, sum); drawn >= weights[chosen]; chosen++)
        drawn -= weights[chosen];
    return (step)chosen;
}

static kube_code take(kube_explorer *x, step chosen, kube_error *err)
{
    switch (chosen) {
    case CHANGE:
        return change_something(x, err);
    case DELIVER:
        return deliver_some(x, err);
    case LIST:
        return list_some(x, err);
    case RUN:
        return run_some(x, err);
    case RETRY:
        return let_time_pass(x, kube__explored_is_retry);
    case TIMER:
        return let_time_pass(x, kube__explored_is_timer);
    case RESYNC:
        return resync(x, err);
    default:
        return restart(x, err);
    }
}

static kube_code go_astray(kube_explorer *x, kube_error *err)
{
    unsigned changes = x->what->changes ? x->what->changes : CHANGES;
    unsigned steps_left = changes * STEPS_PER_CHANGE;
    kube_code rc = KUBE_OK;
    while (changes && steps_left && !rc) {
        step chosen = draw_step(x, changes);
        steps_left--;
        changes -= chosen == CHANGE;
        rc = take(x, chosen, err);
    }
    return rc;
}

/* ---- its end -------------------------------------------------------------------------------- */

static kube_code deliver_all(kube_explorer *x, kube_error *err)
{
    kube_code rc = KUBE_OK;
    for (size_t i = 0; i < x->kind_count && !rc; i++) {
        kube__explored *kind = &x->kinds[i];
        if (!kind->pending_len)
            continue;
        kube__explorer_step(x, "%zu events of %s", kind->pending_len, kind->type->resource);
        rc = kube__explorer_deliver(x, kind, kind->pending_len, err);
    }
    return rc;
}

/* Failed keys come back, until one has failed too often. */
static kube_code retry_all(kube_explorer *x, kube_error *err)
{
    for (size_t i = 0; i < x->key_count; i++) {
        kube__explored_key *key = x->keys[i];
        if (!key->retry)
            continue;
        if (key->attempts >= PATIENCE)
            return kube_error_set(err, KUBE_ERR_SERVER, "%s%s%s fails for ever: %s",
                                  key->namespace_, *key->namespace_ ? "/" : "", key->name,
                                  key->failure);
        kube__explored_make_ready(key);
    }
    return KUBE_OK;
}

/* Until every event is delivered, every key has run, and none has failed. */
static kube_code come_to_rest(kube_explorer *x, kube_error *err)
{
    unsigned runs = x->runs;
    size_t turn = 0;
    kube_code rc = KUBE_OK;
    while (!rc) {
        size_t ready;
        rc = deliver_all(x, err);
        if (!rc && !kube__explorer_count(x, kube__explored_is_ready))
            rc = retry_all(x, err);
        ready = kube__explorer_count(x, kube__explored_is_ready);
        if (rc || (!ready && !count_pending_kinds(x)))
            break;
        if (ready) {
            kube__explorer_run(x, kube__explorer_nth(x, kube__explored_is_ready, turn++ % ready));
            rc = kube__explorer_collect(x, err);
        }
        if (!rc && x->runs - runs > RUNS_AT_REST)
            rc = kube_error_set(err, KUBE_ERR_SERVER,
                                "it does not come to rest: %d runs although nothing but the "
                                "controller changes anything",
                                RUNS_AT_REST);
    }
    return rc;
}

static kube_code ask(kube_explorer *x, kube_error *err)
{
    kube_code rc = x->what->converged(x->what->arg, x, err);
    kube_ctx_reset(x->ctx);
    return rc;
}

/* What needs a timer may take a few of them. */
static kube_code converge(kube_explorer *x, kube_error *err)
{
    kube_code rc = come_to_rest(x, err);
    if (rc)
        return rc;
    for (int i = 0; (rc = ask(x, err)) && i < PATIENCE; i++) {
        kube_code moved = KUBE_OK;
        if (!kube__explorer_count(x, kube__explored_is_timer))
            break;
        while (kube__explorer_count(x, kube__explored_is_timer))
            kube__explored_make_ready(kube__explorer_nth(x, kube__explored_is_timer, 0));
        moved = come_to_rest(x, err);
        if (moved)
            return moved;
    }
    if (rc)
        kube_error_prefix(err, "not converged");
    return rc;
}

kube_code kube__explorer_schedule(kube_explorer *x, kube_error *err)
{
    kube_code rc;
    if (x->what->begin)
        x->what->begin(x->what->arg);
    rc = kube__explorer_open(x, err);
    if (!rc)
        rc = kube__explorer_collect(x, err);
    if (!rc)
        rc = restart(x, err); /* for the first time: from what was loaded */
    if (!rc)
        rc = go_astray(x, err);
    if (rc)
        return rc;
    kube__explorer_step(x, "no more changes or faults: all is delivered");
    rc = converge(x, err);
    if (rc || x->what->no_resync)
        return rc;
    rc = resync(x, err);
    if (!rc)
        rc = converge(x, err);
    if (rc)
        kube_error_prefix(err, "after a resync of all keys");
    return rc;
}
