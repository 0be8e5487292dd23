/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes the Lease of an elector. Times of other machines are never compared with ours.
 */
#include "base/ctx.h"
#include "base/fence.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "elector_state.h"

#include <kube/generated.h>
#include <kube/log.h>
#include <stdio.h>
#include <string.h>

enum { WATCH_S = 300 }; /* a new one then: one that died unnoticed costs no more */

int64_t kube__elector_now_ns(const kube_elector *elector)
{
    return elector->clock->now_ns(elector->clock) + kube__clock_asleep_ns(elector->clock);
}

static const char *holder_of(const kube__wire_lease *lease)
{
    return lease ? kube__text_or_empty(lease->spec.holder_identity) : "";
}

const char *kube__elector_holder(const kube_elector *elector)
{
    return holder_of(elector->lease);
}

bool kube__elector_is_ours(const kube_elector *elector, const kube__wire_lease *lease)
{
    return strcmp(holder_of(lease), elector->identity) == 0;
}

/* ---- seeing ---------------------------------------------------------------------------------- */

/* The watch may have shown @lease before it was asked for. */
static int64_t first_seen_ns(const kube_elector *elector, const kube__wire_lease *lease)
{
    bool seen = *elector->seen_version &&
                kube__text_same(elector->seen_version, lease->metadata.resource_version);
    return seen ? elector->seen_ns : kube__elector_now_ns(elector);
}

/* Keeps @lease. Its time counts from when it was seen first like that (LE-3c). */
static void observe(kube_elector *elector, const kube__wire_lease *lease)
{
    const kube__wire_lease *old = elector->lease;
    bool same = old && kube_schema_equal(&kube__wire_lease_spec_schema, &old->spec, &lease->spec);
    bool passed_on = strcmp(holder_of(old), holder_of(lease)) != 0 || !old;
    kube_object_ref(&lease->base);
    kube__lock(&elector->mutex);
    elector->lease = lease;
    if (!same)
        elector->observed_ns = first_seen_ns(elector, lease);
    if (passed_on)
        kube__broadcast(&elector->changed);
    kube__unlock(&elector->mutex);
    kube_object_unref((const kube_object *)old);
    if (passed_on)
        kube_log_info("lease %s/%s: held by %s%s%s", elector->namespace_, elector->name,
                      *holder_of(lease) ? "\"" : "nobody", holder_of(lease),
                      *holder_of(lease) ? "\"" : "");
}

/* How long the holder that was seen last may rely on the Lease yet (LE-3d). */
static int64_t held_ns(const kube_elector *elector)
{
    const kube_opt_int32 *seconds = &elector->lease->spec.lease_duration_seconds;
    int64_t duration = seconds->set ? seconds->value * KUBE__NS_PER_S : 0;
    return elector->observed_ns + duration - kube__elector_now_ns(elector);
}

static bool is_held(const kube_elector *elector)
{
    return held_ns(elector) > 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* A scope for one call (LE-8). Returns NULL if out of memory. */
static kube_ctx *call_scope(const kube_elector *elector, kube_ctx *ctx)
{
    kube_ctx *call = kube_ctx_child(ctx);
    if (call)
        kube_ctx_set_timeout_ms(call, elector->call_ms);
    return call;
}

/* The record of us as holder; @lease says what was before. */
static kube_code fill(const kube_elector *elector, kube_ctx *ctx, kube__wire_lease *lease,
                      bool exists, kube_error *err)
{
    kube__wire_lease_spec *spec = &lease->spec;
    kube_code rc = KUBE_OK;
    spec->renew_time = kube_micro_time_now(elector->clock);
    if (!exists || !kube__elector_is_ours(elector, lease)) {
        int32_t before = spec->lease_transitions.set ? spec->lease_transitions.value : 0;
        spec->lease_transitions =
            kube_some_int32(exists && before < INT32_MAX ? before + 1 : before);
        spec->acquire_time = spec->renew_time;
    }
    spec->holder_identity = elector->identity;
    /* Rounded up: the others must not wait for less than we rely on. */
    spec->lease_duration_seconds =
        kube_some_int32((int32_t)((elector->lease_ns + KUBE__NS_PER_S - 1) / KUBE__NS_PER_S));
    for (size_t i = 0; !rc && i < elector->labels.len; i++)
        rc = kube_string_map_set(ctx, &lease->metadata.labels, elector->labels.items[i].key,
                                 elector->labels.items[i].value, err);
    return rc;
}

/* Whether the server refused a write for sure: then it made nobody the holder. */
static bool is_refusal(kube_code rc)
{
    return rc != KUBE_ERR_TRANSPORT && rc != KUBE_ERR_TIMEOUT && rc != KUBE_ERR_CANCELED &&
           rc != KUBE_ERR_SERVER && rc != KUBE_ERR_SERVER_TIMEOUT && rc != KUBE_ERR_DECODE &&
           rc != KUBE_ERR_UNDECODABLE && rc != KUBE_ERR_NO_MEMORY;
}

/* Creates the Lease, or updates the one that exists; keeps what the server made of it. */
static kube_code send_lease(kube_elector *elector, kube_ctx *call, const kube__wire_lease *lease,
                            bool exists, kube_error *err)
{
    kube_object *out = NULL;
    kube_code rc = exists ? kube_client_update(elector->client, call, &kube__wire_lease_type,
                                               elector->namespace_, &lease->base, NULL, &out, err)
                          : kube_client_create(elector->client, call, &kube__wire_lease_type,
                                               elector->namespace_, &lease->base, NULL, &out, err);
    if (!rc)
        observe(elector, (const kube__wire_lease *)out);
    return rc;
}

/* Creates the Lease, or updates @old, so that we hold it from now on. */
static kube_code take(kube_elector *elector, kube_ctx *ctx, const kube__wire_lease *old,
                      kube_error *err)
{
    kube__wire_lease lease = {
        .metadata = {.namespace_ = elector->namespace_, .name = elector->name}};
    kube_ctx *call = call_scope(elector, ctx);
    int64_t asleep = kube__clock_asleep_ns(elector->clock);
    int64_t begun = elector->clock->now_ns(elector->clock);
    kube_code rc;
    if (!call)
        return kube__no_memory(err, "an election");
    if (old)
        lease = *old; /* with what we do not know of */
    rc = fill(elector, call, &lease, old != NULL, err);
    if (!rc) {
        elector->unsure = true;
        rc = send_lease(elector, call, &lease, old != NULL, err);
        elector->unsure = rc && !is_refusal(rc);
    }
    if (!rc) {
        /* The others' wait began after `begun`, so it is from then that time runs for us. */
        kube__lock(&elector->mutex);
        elector->observed_ns = kube__elector_now_ns(elector);
        elector->until_ns = begun + asleep + elector->renew_ns;
        elector->stats.last_renewed_ns = elector->clock->now_ns(elector->clock);
        kube__unlock(&elector->mutex);
        if (elector->fence)
            kube__fence_open_until(elector->fence, begun + elector->renew_ns, asleep);
    }
    kube_ctx_free(call);
    return rc;
}

/* ---- one try --------------------------------------------------------------------------------- */

static kube_code look(kube_elector *elector, kube_ctx *ctx, kube_error *err)
{
    kube_object *lease = NULL;
    kube_ctx *call = call_scope(elector, ctx);
    kube_code rc =
        call ? kube_client_get(elector->client, call, &kube__wire_lease_type,
                               kube_key_of(elector->namespace_, elector->name), NULL, &lease, err)
             : kube__no_memory(err, "an election");
    if (!rc)
        observe(elector, (const kube__wire_lease *)lease);
    kube_ctx_free(call);
    return rc;
}

/* Whether a Lease that is not there any more was another's when it was seen last, not long ago. Who
 * deleted it did not ask its holder, which works until its next renewal, or until it ran out. */
static bool is_another_s_yet(const kube_elector *elector)
{
    return !elector->leading && elector->lease && *kube__elector_holder(elector) &&
           !kube__elector_is_ours(elector, elector->lease) && is_held(elector);
}

static kube_code try_slowly(kube_elector *elector, kube_ctx *ctx, kube_error *err)
{
    const char *holder;
    kube_code rc = look(elector, ctx, err);
    if (rc == KUBE_ERR_NOT_FOUND && is_another_s_yet(elector))
        return kube_error_set(
            err, KUBE_ERR_ALREADY_EXISTS,
            "lease %s/%s was deleted while held by \"%s\", who may still act as leader",
            elector->namespace_, elector->name, kube__elector_holder(elector));
    if (rc == KUBE_ERR_NOT_FOUND)
        return take(elector, ctx, NULL, err);
    if (rc)
        return rc;
    holder = kube__elector_holder(elector);
    if (!kube__elector_is_ours(elector, elector->lease)) {
        /* Whoever took it need not have it any more: others' work has been in between. */
        if (elector->leading)
            return kube_error_set(err, KUBE_ERR_FENCED, "lease %s/%s was taken over by \"%s\"",
                                  elector->namespace_, elector->name, holder);
        if (*holder && is_held(elector))
            return kube_error_set(err, KUBE_ERR_ALREADY_EXISTS, "lease %s/%s is held by \"%s\"",
                                  elector->namespace_, elector->name, holder);
    }
    return take(elector, ctx, elector->lease, err);
}

/* That another leads is no failure of a standby's. With the mutex held. */
static void note_failure(kube_elector *elector, kube_code rc, const kube_error *err)
{
    bool failed = rc && rc != KUBE_ERR_ALREADY_EXISTS && rc != KUBE_ERR_CANCELED;
    snprintf(elector->last_failure, sizeof elector->last_failure, "%s", failed ? err->message : "");
}

kube_code kube__elector_try(kube_elector *elector, kube_ctx *ctx, kube_error *err)
{
    bool leading = elector->leading;
    bool slow = true;
    kube_code rc = KUBE_ERR_NOT_FOUND;
    if (leading && kube__elector_is_ours(elector, elector->lease) && is_held(elector)) {
        rc = take(elector, ctx, elector->lease, err);
        slow = rc != KUBE_OK;
        if (slow)
            kube_log_debug("lease %s/%s: %s; reading it again", elector->namespace_, elector->name,
                           err->message);
    }
    if (rc)
        rc = try_slowly(elector, ctx, err);
    kube__lock(&elector->mutex);
    if (rc)
        elector->stats.failures++;
    else if (leading)
        elector->stats.renewals++;
    if (!rc && leading && slow)
        elector->stats.slow_renewals++;
    note_failure(elector, rc, err);
    kube__unlock(&elector->mutex);
    return rc;
}

/* ---- giving back ----------------------------------------------------------------------------- */

static kube_code give_back(kube_elector *elector, kube_ctx *ctx, kube_error *err)
{
    kube__wire_lease lease;
    kube_ctx *call;
    kube_code rc = look(elector, ctx, err);
    if (rc)
        return rc;
    /* What the server has counts, not what we remember: it may be a new holder's by now (LE-5). */
    if (!kube__elector_is_ours(elector, elector->lease))
        return KUBE_OK;
    call = call_scope(elector, ctx);
    if (!call)
        return kube__no_memory(err, "an election");
    lease = *elector->lease;
    lease.spec.holder_identity = NULL;
    lease.spec.lease_duration_seconds = kube_some_int32(1);
    lease.spec.renew_time = kube_micro_time_now(elector->clock);
    lease.spec.acquire_time = lease.spec.renew_time;
    rc = send_lease(elector, call, &lease, true, err);
    kube_ctx_free(call);
    return rc;
}

void kube__elector_release(kube_elector *elector)
{
    kube_ctx *ctx = kube_ctx_child(elector->root);
    kube_error err;
    kube_code rc = ctx ? KUBE_OK : kube__no_memory(&err, "an election");
    if (ctx)
        kube_ctx_set_timeout_ms(ctx, elector->renew_ns / KUBE__NS_PER_MS);
    while (!rc) {
        rc = give_back(elector, ctx, &err);
        if (rc != KUBE_ERR_CONFLICT)
            break;
        rc = kube_ctx_status(ctx, &err);
    }
    if (rc && rc != KUBE_ERR_NOT_FOUND)
        kube_log_warn("lease %s/%s could not be given back: %s", elector->namespace_, elector->name,
                      err.message);
    elector->unsure = false;
    kube_ctx_free(ctx);
}

/* ---- waiting for it -------------------------------------------------------------------------- */

void kube__elector_stop_watch(kube_elector *elector)
{
    kube_watch_free(elector->watch);
    elector->watch = NULL;
}

/* Without it the lease is still had: by asking every now and then, as LE-2 says. */
static void start_watch(kube_elector *elector, kube_ctx *ctx)
{
    kube_watch_options options = {.timeout_seconds = WATCH_S};
    kube_error err;
    kube_code rc;
    if (elector->watch || elector->cannot_watch || !elector->lease)
        return;
    options.resource_version = elector->lease->metadata.resource_version;
    options.field_selector = kube_printf(ctx, "metadata.name=%s", elector->name);
    if (!options.field_selector)
        return;
    rc = kube_client_watch(elector->client, ctx, &kube__wire_lease_type, elector->namespace_,
                           &options, &elector->watch, &err);
    elector->cannot_watch = rc == KUBE_ERR_FORBIDDEN;
    if (elector->cannot_watch)
        kube_log_info("cannot watch the Lease, so it is noticed late when it is given back: %s",
                      err.message);
}

/* Whether the Lease is to be had, by this event. */
static bool is_free(const kube_event *event)
{
    const kube__wire_lease *lease = (const kube__wire_lease *)event->object;
    if (event->type == KUBE_WATCH_DELETED)
        return true;
    return lease && !*holder_of(lease);
}

/* A holder's time runs from when its renewal was seen, not from when it was asked for. */
static void note_seen(kube_elector *elector, const kube_event *event)
{
    snprintf(elector->seen_version, sizeof elector->seen_version, "%s",
             kube__text_or_empty(event->resource_version));
    elector->seen_ns = kube__elector_now_ns(elector);
}

/* Follows the watch until the Lease is free: true; false when the scope or the watch has ended. */
static bool wait_until_free(kube_elector *elector, kube_ctx *scope)
{
    const kube_event *event;
    while (elector->watch) {
        kube_code rc = kube_watch_next(elector->watch, scope, &event, NULL);
        if (kube__ctx_ended(scope, NULL))
            return false;
        if (rc || event->type == KUBE_WATCH_ERROR)
            kube__elector_stop_watch(elector);
        else if (is_free(event))
            return true;
        else if (event->object)
            note_seen(elector, event);
    }
    return false;
}

/* Not longer than until the Lease runs out, should nobody renew it. */
static int64_t rest_ms(const kube_elector *elector, int64_t ms)
{
    int64_t held = elector->lease && *holder_of(elector->lease) ? held_ns(elector) : 0;
    int64_t held_ms = held / KUBE__NS_PER_MS + 1;
    return held > 0 && held_ms < ms ? held_ms : ms;
}

kube_code kube__elector_rest(kube_elector *elector, kube_ctx *ctx, int64_t ms)
{
    kube_ctx *scope = kube_ctx_child(ctx);
    ms = rest_ms(elector, ms);
    if (!scope)
        return kube_ctx_sleep_ms(ctx, ms, NULL);
    kube_ctx_set_timeout_ms(scope, ms);
    start_watch(elector, scope);
    if (!wait_until_free(elector, scope))
        kube_ctx_sleep_ms(ctx, kube_ctx_left_ms(scope), NULL);
    kube_ctx_free(scope);
    return kube__ctx_ended(ctx, NULL);
}
