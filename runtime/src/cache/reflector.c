/* SPDX-License-Identifier: Apache-2.0 */
/* The machine: its states, one transition a step. */
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "base/units.h"
#include "reflector_state.h"

#include <stdlib.h>

/* Resyncs go on meanwhile: what is cached is still what there is to work with. */
static kube__reflector_state wait_backoff(kube__reflector *r)
{
    int64_t due = kube__reflector_resync_due_ns(r);
    if (due > r->backoff_until_ns)
        due = r->backoff_until_ns;
    if (kube_ctx_sleep_ms(r->options.ctx, kube__reflector_ms_until(r, due), NULL))
        return KUBE__REFLECTOR_STOPPED;
    kube__reflector_tick(r);
    return kube__reflector_now_ns(r) >= r->backoff_until_ns ? r->after_backoff
                                                            : KUBE__REFLECTOR_BACKOFF;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static kube__reflector_state transition(kube__reflector *r)
{
    switch (r->state) {
    case KUBE__REFLECTOR_START:
        return kube__reflector_start(r);
    case KUBE__REFLECTOR_STREAM_OPEN:
        return kube__reflector_stream_open(r);
    case KUBE__REFLECTOR_LIST_OPEN:
        return kube__reflector_list_open(r);
    case KUBE__REFLECTOR_LIST_READ:
        return kube__reflector_list_read(r);
    case KUBE__REFLECTOR_WATCH_OPEN:
        return kube__reflector_watch_open(r);
    case KUBE__REFLECTOR_WATCH_READ:
        return kube__reflector_watch_read(r);
    case KUBE__REFLECTOR_VERIFY:
        return kube__reflector_verify(r);
    case KUBE__REFLECTOR_BACKOFF:
        return wait_backoff(r);
    case KUBE__REFLECTOR_STOPPED:
        break;
    }
    return KUBE__REFLECTOR_STOPPED;
}

static const char *state_name(kube__reflector_state state)
{
    static const char *const names[] = {"start",     "stream open", "list open",
                                        "list read", "watch open",  "watch read",
                                        "verify",    "back-off",    "stopped"};
    return names[state];
}

kube__reflector_state kube__reflector_step(kube__reflector *r)
{
    kube__reflector_state before = r->state;
    r->state = kube__reflector_ended(r) ? KUBE__REFLECTOR_STOPPED : transition(r);
    if (r->state != before)
        kube_log_trace("%s: %s -> %s", r->options.type->resource, state_name(before),
                       state_name(r->state));
    return r->state;
}

void kube__reflector_run(kube__reflector *r)
{
    while (kube__reflector_step(r) != KUBE__REFLECTOR_STOPPED)
        ;
}

kube__reflector_state kube__reflector_get_state(const kube__reflector *r)
{
    return r->state;
}

int64_t kube__reflector_backoff_left_ms(const kube__reflector *r)
{
    return kube__reflector_ms_until(r, r->backoff_until_ns);
}

const char *kube__reflector_resource_version(const kube__reflector *r)
{
    return kube__text_or_empty(r->version);
}

static kube_code init_parts(kube__reflector *r, const char *resource, kube_error *err)
{
    kube_code rc = kube__failures_init(&r->failures, resource, err);
    if (rc)
        return rc;
    rc = kube__bad_objects_init(&r->bad, err);
    if (rc)
        goto no_bad;
    rc = kube__bad_objects_init(&r->bad_staged, err);
    if (!rc)
        return KUBE_OK;
    kube__bad_objects_fini(&r->bad);
no_bad:
    kube__failures_fini(&r->failures);
    return rc;
}

kube__bad_objects *kube__reflector_bad_objects(kube__reflector *r)
{
    return &r->bad;
}

kube_code kube__reflector_new(const kube__reflector_options *options, kube__reflector **out,
                              kube_error *err)
{
    kube__reflector *r = calloc(1, sizeof *r);
    kube_code rc;
    *out = NULL;
    if (!r)
        return kube__no_memory(err, "a reflector of %s", options->type->resource);
    rc = init_parts(r, options->type->resource, err);
    if (rc) {
        free(r);
        return rc;
    }
    r->options = *options;
    r->clock = kube_ctx_clock(options->ctx);
    kube_backoff_init_reflector(&r->backoff);
    r->unanswered = (kube_backoff){
        .initial_ms = 200, .cap_ms = 2500, .factor = 2, .jitter = 1, .reset_after_ms = 120000};
    r->random_state = kube__random_seed();
    r->transformer.type = options->type;
    r->transformer.transform = options->transform;
    r->transformer.transform_arg = options->transform_arg;
    r->transformer.scratch = kube_ctx_child(options->ctx);
    r->turn = kube_ctx_child(options->ctx);
    r->events = calloc(KUBE__REFLECTOR_BATCH, sizeof *r->events);
    r->deltas = calloc(KUBE__REFLECTOR_BATCH, sizeof *r->deltas);
    if (!r->transformer.scratch || !r->turn || !r->events || !r->deltas) {
        kube__reflector_free(r);
        return kube__no_memory(err, "a reflector of %s", options->type->resource);
    }
    *out = r;
    return KUBE_OK;
}

void kube__reflector_free(kube__reflector *r)
{
    if (!r)
        return;
    kube__reflector_close(r);
    kube__reflector_drop_staged(r);
    kube_ctx_free(r->turn);
    kube_ctx_free(r->transformer.scratch);
    free(r->events);
    free(r->deltas);
    free(r->version);
    free(r->ask_version);
    free(r->list_version);
    free(r->continue_token);
    kube__bad_objects_fini(&r->bad_staged);
    kube__bad_objects_fini(&r->bad);
    kube__failures_fini(&r->failures);
    free(r);
}

void kube__reflector_get_stats(const kube__reflector *reflector, kube__reflector_stats *stats)
{
    stats->lists = atomic_load(&reflector->lists);
    stats->watches = atomic_load(&reflector->watches);
    stats->events = atomic_load(&reflector->event_count);
    stats->bad_objects = atomic_load(&reflector->bad_objects);
    stats->unusable = reflector->bad.len;
    stats->backoffs = atomic_load(&reflector->backoffs);
    stats->queued_bytes_peak = atomic_load(&reflector->queued_peak);
    stats->last_error = kube__failures_last(&reflector->failures);
    stats->failing = kube__failures_in_force(&reflector->failures, &stats->failing_since_ns);
    stats->last_list_ns = atomic_load(&reflector->last_list_ns);
    stats->last_event_ns = atomic_load(&reflector->last_event_ns);
    stats->last_heard_ns = atomic_load(&reflector->last_heard_ns);
}
