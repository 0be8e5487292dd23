/* SPDX-License-Identifier: Apache-2.0 */
/* Runs an elector: waits for the Lease, leads, and steps down. */
#include "base/ctx.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "base/units.h"
#include "base/wait.h"
#include "control/events/recorder.h"
#include "election_times.h"
#include "elector_state.h"

#include <kube/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MIN_CALL_MS = 1000, /* LE-8 */
    DRAIN_MS = 1000,
    HOST_MAX = 256,
    SAY_AGAIN_MS = 60000,
};

/* ---- telling who leads --------------------------------------------------------------------- */

/* Waits until the holder is another than @told; false = the elector goes. */
static const kube__wire_lease *next_holder(kube_elector *elector, const kube__wire_lease *told)
{
    const kube__wire_lease *lease = NULL;
    kube__lock(&elector->mutex);
    while (
        !elector->closing &&
        (!elector->lease || (told && strcmp(kube__elector_holder(elector),
                                            kube__text_or_empty(told->spec.holder_identity)) == 0)))
        kube__wait(&elector->changed, &elector->mutex);
    if (!elector->closing) {
        lease = elector->lease;
        kube_object_ref(&lease->base);
    }
    kube__unlock(&elector->mutex);
    return lease;
}

/* One call at a time; a holder that is gone before it could be told is not. */
static void *run_teller(void *arg)
{
    kube_elector *elector = arg;
    const kube__wire_lease *told = NULL;
    const kube__wire_lease *lease;
    while ((lease = next_holder(elector, told)) != NULL) {
        kube_object_unref((const kube_object *)told);
        told = lease;
        elector->on_new_leader(elector->arg, kube__text_or_empty(lease->spec.holder_identity));
    }
    kube_object_unref((const kube_object *)told);
    return NULL;
}

/* ---- leading ------------------------------------------------------------------------------- */

static void *run_lead(void *arg)
{
    kube_elector *elector = arg;
    elector->lead(elector->arg, elector->lead_ctx);
    kube__lock(&elector->mutex);
    elector->lead_done = true;
    /* Nothing is left to renew for. */
    if (elector->renewing && kube__ctx_ended(elector->run_ctx, NULL))
        kube_ctx_cancel(elector->renewing);
    kube__broadcast(&elector->changed);
    kube__unlock(&elector->mutex);
    return NULL;
}

static void tell(const kube_elector *elector, const char *what)
{
    kube_log_info("lease %s/%s: %s %s", elector->namespace_, elector->name, elector->identity,
                  what);
    if (elector->recorder && elector->lease)
        kube_recorder_event(elector->recorder, &elector->lease->base, KUBE_EVENT_NORMAL,
                            "LeaderElection", "%s %s", elector->identity, what);
}

static kube_code start_lead(kube_elector *elector, kube_ctx *ctx, kube_error *err)
{
    kube__lock(&elector->mutex);
    elector->leading = true;
    elector->lead_done = elector->lead == NULL;
    elector->stats.transitions++;
    kube__unlock(&elector->mutex);
    tell(elector, "became leader");
    if (!elector->lead)
        return KUBE_OK;
    elector->run_ctx = ctx;
    elector->lead_ctx = kube_ctx_child(ctx);
    return elector->lead_ctx
               ? kube__thread_start_open(&elector->lead_thread, "kube-lead", run_lead, elector, err)
               : kube__no_memory(err, "an elector");
}

/*
 * Waits until it is time to renew, or there is nothing left to lead for: then true. While the work
 * comes to its end the lease is kept.
 */
static bool is_over(kube_elector *elector, kube_ctx *ctx, int64_t ms)
{
    bool ending = kube__ctx_ended(ctx, NULL) != KUBE_OK;
    kube__wait_scope scope;
    bool done;
    kube__wait_begin(&scope, ending ? elector->root : ctx, &elector->mutex, &elector->changed, ms);
    kube__lock(&elector->mutex);
    while (!(ending && elector->lead_done) && kube__wait_step(&scope)) {
    }
    done = elector->lead_done;
    kube__unlock(&elector->mutex);
    kube__wait_end(&scope);
    return done && kube__ctx_ended(ctx, NULL) != KUBE_OK;
}

static kube_code renew(kube_elector *elector, kube_ctx *ctx, int64_t left_ms, kube_error *err)
{
    bool free_to_end;
    kube_ctx *scope;
    kube_code rc;
    kube__lock(&elector->mutex);
    free_to_end = elector->lead_done;
    kube__unlock(&elector->mutex);
    scope = kube_ctx_child(free_to_end ? ctx : elector->root);
    if (!scope)
        return kube__no_memory(err, "an elector");
    kube_ctx_set_timeout_ms(scope, left_ms);
    kube__lock(&elector->mutex);
    elector->renewing = scope;
    kube__unlock(&elector->mutex);
    rc = kube__elector_try(elector, scope, err);
    kube__lock(&elector->mutex);
    elector->renewing = NULL;
    kube__unlock(&elector->mutex);
    kube_ctx_free(scope);
    return rc;
}

static int64_t left_ms(const kube_elector *elector, int64_t end_ns)
{
    return kube__ns_left_ms(end_ns - kube__elector_now_ns(elector));
}

/* Renews until the work is over (KUBE_OK) or the lease is lost (KUBE_ERR_FENCED). */
static kube_code hold(kube_elector *elector, kube_ctx *ctx, kube_error *err)
{
    const kube_error none = {.message = "there was no time to"};
    kube_error last = none;
    int64_t retry_ns = elector->retry_ms * KUBE__NS_PER_MS;
    int64_t next_ns = kube__elector_now_ns(elector) + retry_ns;
    for (;;) {
        int64_t until_ns = elector->until_ns;
        int64_t wait = left_ms(elector, next_ns < until_ns ? next_ns : until_ns);
        kube_code rc;
        if (wait > 0 && is_over(elector, ctx, wait))
            return KUBE_OK;
        if (left_ms(elector, until_ns) == 0)
            return kube_error_set(err, KUBE_ERR_FENCED,
                                  "lease %s/%s lost: not renewed for %lld ms: %s",
                                  elector->namespace_, elector->name,
                                  (long long)(elector->renew_ns / KUBE__NS_PER_MS), last.message);
        if (left_ms(elector, next_ns) > 0)
            continue; /* woken by the cancel; the work has yet to end */
        rc = renew(elector, ctx, left_ms(elector, until_ns), &last);
        if (rc == KUBE_ERR_FENCED) {
            if (err)
                *err = last;
            return rc;
        }
        if (rc)
            kube_log_warn("lease %s/%s could not be renewed: %s", elector->namespace_,
                          elector->name, last.message);
        else
            last = none;
        next_ns = kube__elector_now_ns(elector) + retry_ns;
    }
}

static void stop_lead(kube_elector *elector)
{
    if (elector->lead_ctx)
        kube_ctx_cancel(elector->lead_ctx);
    kube__thread_join(&elector->lead_thread);
    kube_ctx_free(elector->lead_ctx);
    elector->lead_ctx = NULL;
}

static void set_not_leading(kube_elector *elector)
{
    kube__lock(&elector->mutex);
    elector->leading = false;
    kube__unlock(&elector->mutex);
}

static void close_fence(kube_elector *elector)
{
    if (elector->fence)
        kube_fence_close(elector->fence);
}

/* The recorder's client may be one that the fence stops: what was recorded goes while it passes. */
static void send_events(kube_elector *elector)
{
    int64_t most_ms = left_ms(elector, elector->until_ns);
    if (elector->recorder)
        kube__recorder_drain(elector->recorder, most_ms < DRAIN_MS ? most_ms : DRAIN_MS);
}

/* Ends the work, then nothing is written any more, then others may take over. */
static void step_down(kube_elector *elector, bool lost)
{
    if (lost) {
        set_not_leading(elector);
        close_fence(elector);
    }
    stop_lead(elector);
    set_not_leading(elector);
    tell(elector, "stopped leading");
    if (!lost)
        send_events(elector);
    close_fence(elector);
    if (!elector->keep_lease && kube__elector_is_ours(elector, elector->lease))
        kube__elector_release(elector);
}

/* ---- standing for election ----------------------------------------------------------------- */

/* LE-2: a period and up to 1.2 more of it, by chance. */
static int64_t pause_ms(kube_elector *elector)
{
    double chance = kube__random01(&elector->random_state);
    return elector->retry_ms + (int64_t)((double)elector->retry_ms * KUBE__RETRY_JITTER * chance);
}

/* What was logged of a candidate's trouble, and when. */
typedef struct complaint {
    kube_code code;
    int64_t said_ns;
} complaint;

/* Logs a repeated failure at most once a minute. Another replica holding the Lease is not a
 * failure: it is logged once, at level info. */
static void complain(const kube_elector *elector, complaint *last, kube_code rc,
                     const kube_error *err)
{
    bool held = rc == KUBE_ERR_ALREADY_EXISTS;
    int64_t now_ns = kube__elector_now_ns(elector);
    if (rc == last->code && (held || now_ns - last->said_ns < SAY_AGAIN_MS * KUBE__NS_PER_MS))
        return;
    kube_log(held ? KUBE_LOG_INFO : KUBE_LOG_WARN, __FILE__, __LINE__, "not leading: %s",
             err->message);
    *last = (complaint){rc, now_ns};
}

/* KUBE_OK = we hold it; else the ctx ended. */
static kube_code acquire(kube_elector *elector, kube_ctx *ctx)
{
    complaint last = {0};
    kube_error err;
    kube_code rc = kube__ctx_ended(ctx, NULL);
    while (!rc) {
        rc = kube__elector_try(elector, ctx, &err);
        if (!rc)
            break;
        if (kube__ctx_ended(ctx, NULL) == KUBE_OK)
            complain(elector, &last, rc, &err);
        rc = kube__elector_rest(elector, ctx, pause_ms(elector));
    }
    kube__elector_stop_watch(elector);
    return rc;
}

kube_code kube_elector_run(kube_elector *elector, kube_ctx *ctx, kube_error *err)
{
    kube_code rc = kube__ctx_check(ctx, err);
    if (rc)
        return rc;
    rc = acquire(elector, ctx);
    if (rc) {
        /* A write of ours may have arrived though nobody waited for the answer. */
        if (elector->unsure && !elector->keep_lease)
            kube__elector_release(elector);
        return KUBE_OK;
    }
    rc = start_lead(elector, ctx, err);
    if (!rc)
        rc = hold(elector, ctx, err);
    step_down(elector, rc != KUBE_OK);
    /* When it is lost on the way to the end, the end was wanted. */
    return rc == KUBE_ERR_FENCED && kube__ctx_ended(ctx, NULL) ? KUBE_OK : rc;
}

/* ---- asking -------------------------------------------------------------------------------- */

bool kube_elector_is_leader(const kube_elector *elector)
{
    bool leading;
    kube__lock(kube__mutable(&elector->mutex));
    leading = elector->leading && kube__elector_now_ns(elector) < elector->until_ns;
    kube__unlock(kube__mutable(&elector->mutex));
    return leading;
}

const char *kube_elector_leader(const kube_elector *elector, kube_ctx *ctx)
{
    const char *leader;
    kube__lock(kube__mutable(&elector->mutex));
    leader = kube_ctx_strdup(ctx, kube__elector_holder(elector));
    kube__unlock(kube__mutable(&elector->mutex));
    return leader;
}

const char *kube_elector_identity(const kube_elector *elector)
{
    return elector->identity;
}

const char *kube__elector_last_failure(const kube_elector *elector, kube_ctx *ctx)
{
    const char *failure;
    kube__lock(kube__mutable(&elector->mutex));
    failure = kube_ctx_strdup(ctx, elector->last_failure);
    kube__unlock(kube__mutable(&elector->mutex));
    return failure;
}

kube_code kube_elector_check(const kube_elector *elector, int64_t tolerance_ms, kube_error *err)
{
    int64_t age;
    bool leading;
    kube__lock(kube__mutable(&elector->mutex));
    leading = elector->leading;
    age = kube__elector_now_ns(elector) - elector->observed_ns;
    kube__unlock(kube__mutable(&elector->mutex));
    if (!leading || age <= elector->lease_ns + tolerance_ms * KUBE__NS_PER_MS)
        return KUBE_OK;
    return kube_error_set(err, KUBE_ERR_FENCED, "lease %s/%s: not renewed for %.1f s",
                          elector->namespace_, elector->name, kube__ns_to_s(age));
}

void kube_elector_get_stats_sized(const kube_elector *elector, kube_elector_stats *stats,
                                  size_t stats_size)
{
    kube_elector_stats own = {0};
    kube__lock(kube__mutable(&elector->mutex));
    own = elector->stats;
    kube__unlock(kube__mutable(&elector->mutex));
    kube__sized_out(stats, stats_size, &own, sizeof own);
}

/* ---- life ---------------------------------------------------------------------------------- */

static int64_t or_default(int64_t ms, int64_t standard)
{
    return ms ? ms : standard;
}

/* LE-1. */
static kube_code check_options(const kube_elector_options *o, int64_t lease_ms, int64_t renew_ms,
                               int64_t retry_ms, kube_error *err)
{
    if (!o->namespace_ || !*o->namespace_)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "an elector needs the namespace of its Lease");
    if (!o->name || !*o->name)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "an elector needs the name of its Lease");
    if (o->identity && !*o->identity)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "an elector's identity must not be empty");
    if (lease_ms < 1 || renew_ms < 1 || retry_ms < 1)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "an elector's times must be at least 1 ms: lease duration %lld, "
                              "renew deadline %lld, retry period %lld",
                              (long long)lease_ms, (long long)renew_ms, (long long)retry_ms);
    if (lease_ms > INT32_MAX)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "the lease duration of %lld ms is too long",
                              (long long)lease_ms);
    if (lease_ms <= renew_ms)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "the lease duration (%lld ms) must be longer than the renew "
                              "deadline (%lld ms)",
                              (long long)lease_ms, (long long)renew_ms);
    if (!kube__election_has_retry(renew_ms, retry_ms))
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "the renew deadline (%lld ms) must be longer than 1.2 retry periods "
                              "(%lld ms)",
                              (long long)renew_ms, (long long)retry_ms);
    return KUBE_OK;
}

/* The random part makes two of a pod that was deleted by force, but lives on: its name is given to
 * the next of its StatefulSet. */
static char *make_identity(void)
{
    const char *name = getenv("POD_NAME");
    char host[HOST_MAX] = "";
    char *identity;
    if (!name || !*name) {
        name = host;
        if (gethostname(host, sizeof host - 1) != 0 || !*host)
            name = "unknown";
    }
    return asprintf(&identity, "%s_%016llx%016llx", name, (unsigned long long)kube__random_seed(),
                    (unsigned long long)kube__random_seed()) < 0
               ? NULL
               : identity;
}

static kube_code copy_labels(kube_elector *elector, const kube_string_map *labels, kube_error *err)
{
    kube_code rc = KUBE_OK;
    for (size_t i = 0; !rc && i < labels->len; i++) {
        const char *key = kube_ctx_strdup(elector->root, labels->items[i].key);
        const char *value =
            kube_ctx_strdup(elector->root, kube__text_or_empty(labels->items[i].value));
        rc = key && value ? kube_string_map_set(elector->root, &elector->labels, key, value, err)
                          : kube__no_memory(err, "an elector");
    }
    return rc;
}

static kube_code init(kube_elector *elector, const kube_elector_options *o, kube_error *err)
{
    elector->keep_lease = o->keep_lease;
    elector->lead = o->lead;
    elector->on_new_leader = o->on_new_leader;
    elector->arg = o->arg;
    elector->fence = o->fence;
    elector->recorder = o->recorder;
    elector->clock = o->clock ? o->clock : kube_clock_system();
    elector->random_state = o->seed ? o->seed : kube__random_seed();
    elector->namespace_ = strdup(o->namespace_);
    elector->name = strdup(o->name);
    elector->identity = o->identity ? strdup(o->identity) : make_identity();
    elector->root = kube_ctx_new_with_clock(elector->clock);
    if (!elector->namespace_ || !elector->name || !elector->identity || !elector->root)
        return kube__no_memory(err, "an elector");
    return copy_labels(elector, &o->labels, err);
}

static kube_code make_locks(kube_elector *elector, kube_error *err)
{
    kube_code rc = kube__mutex_init(&elector->mutex, err);
    if (rc)
        return rc;
    rc = kube__condition_init(&elector->changed, err);
    if (rc)
        kube__mutex_fini(&elector->mutex);
    return rc;
}

kube_code kube_elector_new_sized(kube_client *client, const kube_elector_options *options,
                                 size_t options_size, kube_elector **out, kube_error *err)
{
    kube_elector_options own;
    int64_t lease_ms;
    int64_t renew_ms;
    int64_t retry_ms;
    kube_elector *elector;
    kube_code rc;
    *out = NULL;
    options = kube__sized(options, options_size, &own, sizeof own);
    if (!client)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "an elector needs a client");
    lease_ms = or_default(options->lease_duration_ms, KUBE__LEASE_DURATION_MS);
    renew_ms = or_default(options->renew_deadline_ms, KUBE__RENEW_DEADLINE_MS);
    retry_ms = or_default(options->retry_period_ms, KUBE__RETRY_PERIOD_MS);
    rc = check_options(options, lease_ms, renew_ms, retry_ms, err);
    if (rc)
        return rc;
    elector = calloc(1, sizeof *elector);
    rc = elector ? make_locks(elector, err) : kube__no_memory(err, "an elector");
    if (rc) {
        free(elector);
        return rc;
    }
    elector->client = client;
    elector->lease_ns = lease_ms * KUBE__NS_PER_MS;
    elector->renew_ns = renew_ms * KUBE__NS_PER_MS;
    elector->retry_ms = retry_ms;
    elector->call_ms = renew_ms / 2 > MIN_CALL_MS ? renew_ms / 2 : MIN_CALL_MS;
    rc = init(elector, options, err);
    if (!rc && elector->on_new_leader)
        rc = kube__thread_start_open(&elector->teller, "kube-leader", run_teller, elector, err);
    if (rc) {
        kube_elector_free(elector);
        return rc;
    }
    *out = elector;
    return KUBE_OK;
}

void kube_elector_free(kube_elector *elector)
{
    if (!elector)
        return;
    kube__lock(&elector->mutex);
    elector->closing = true;
    kube__broadcast(&elector->changed);
    kube__unlock(&elector->mutex);
    kube__thread_join(&elector->teller);
    kube_object_unref((const kube_object *)elector->lease);
    kube_ctx_free(elector->root);
    kube__condition_fini(&elector->changed);
    kube__mutex_fini(&elector->mutex);
    free(elector->namespace_);
    free(elector->name);
    free(elector->identity);
    free(elector);
}
