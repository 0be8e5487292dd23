/* SPDX-License-Identifier: Apache-2.0 */
/* What each state of a reflector needs: the result stream, the back-off, and the count of objects
 * that were left out. */
#include "reflector_state.h"

#include "base/ctx.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

enum {
    GRACE_SECONDS = 30, /* a watch that outlives its timeoutSeconds by that is dead */
    BAD_LOG_MS = 10000,
    STEADY_WATCH_MS = 30000, /* a watch that lived so long ends what failed before */
    VERIFY_AFTER_MS = 10000, /* and up to three times that, so that not all ask at once */
};

int64_t kube__reflector_now_ns(const kube__reflector *r)
{
    return r->clock->now_ns(r->clock);
}

bool kube__set_text(char **slot, const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        return false;
    free(*slot);
    *slot = copy;
    return true;
}

bool kube__reflector_ended(const kube__reflector *r)
{
    return kube__ctx_ended(r->options.ctx, NULL) != KUBE_OK;
}

static double random01(kube__reflector *r)
{
    if (r->options.random01)
        return r->options.random01(r->options.random_arg);
    return kube__random01(&r->random_state);
}

/* ---- result stream --------------------------------------------------------------------------- */

static kube__result_stream_options stream_options(const kube__reflector *r)
{
    kube__result_stream_options options = {
        .namespace_ = r->options.namespace_,
        .drop_managed_fields = !r->options.keep_managed_fields,
        .intern = true,
        .buffer_bytes = r->options.buffer_bytes,
    };
    return options;
}

kube__result_stream_options kube__reflector_list_options(const kube__reflector *r)
{
    kube__result_stream_options options = stream_options(r);
    options.form = KUBE__STREAM_LIST;
    options.list.label_selector = r->options.label_selector;
    options.list.field_selector = r->options.field_selector;
    return options;
}

/* REF-8: spread over the double, so that many clients do not come back at once. */
kube__result_stream_options kube__reflector_watch_options(kube__reflector *r, const char *version)
{
    kube__result_stream_options options = stream_options(r);
    int64_t least = KUBE__WATCH_SECONDS;
    if (r->options.min_watch_seconds > least)
        least = r->options.min_watch_seconds;
    options.form = KUBE__STREAM_WATCH;
    options.watch.label_selector = r->options.label_selector;
    options.watch.field_selector = r->options.field_selector;
    options.watch.resource_version = version;
    options.watch.allow_bookmarks = true;
    options.watch.timeout_seconds = least + (int64_t)((double)(least + 1) * random01(r));
    return options;
}

kube_code kube__reflector_open(kube__reflector *r, const kube__result_stream_options *options,
                               kube_error *err)
{
    kube_code rc =
        r->options.source->open(r->options.source, r->options.ctx, options, &r->results, err);
    r->is_unanswered = rc == KUBE_ERR_TRANSPORT;
    if (!r->is_unanswered)
        kube_backoff_reset(&r->unanswered);
    if (rc) {
        r->results = NULL;
        return rc;
    }
    r->result_count = 0;
    r->opened_ns = kube__reflector_now_ns(r);
    r->end_ns = r->opened_ns + (options->watch.timeout_seconds + GRACE_SECONDS) * KUBE__NS_PER_S;
    r->verify_ns = 0;
    if (r->lost && options->form == KUBE__STREAM_WATCH && !options->watch.send_initial_events)
        r->verify_ns =
            r->opened_ns + (int64_t)((1 + 2 * random01(r)) * VERIFY_AFTER_MS) * KUBE__NS_PER_MS;
    r->lost = false;
    return KUBE_OK;
}

void kube__reflector_note_peak(kube__reflector *r)
{
    size_t peak = r->options.source->queued_peak ? r->options.source->queued_peak(r->results) : 0;
    if (peak > atomic_load(&r->queued_peak))
        atomic_store(&r->queued_peak, peak);
}

void kube__reflector_close(kube__reflector *r)
{
    if (!r->results)
        return;
    kube__reflector_note_peak(r);
    r->options.source->close(r->results);
    r->results = NULL;
    r->gathering = false;
}

void kube__reflector_drop_staged(kube__reflector *r)
{
    kube__table_free(r->staged);
    r->staged = NULL;
    r->bad_listed = 0;
    kube__bad_objects_clear(&r->bad_staged);
}

/* ---- failure --------------------------------------------------------------------------------- */

kube__reflector_state kube__reflector_back_off(kube__reflector *r, const kube_error *err,
                                               kube__reflector_state after)
{
    int64_t now = kube__reflector_now_ns(r);
    int64_t delay;
    kube__reflector_close(r);
    kube__reflector_drop_staged(r);
    if (kube__reflector_ended(r))
        return KUBE__REFLECTOR_STOPPED;
    kube__failures_report(&r->failures,
                          kube_error_is_expired(err) ? KUBE_LOG_DEBUG : KUBE_LOG_ERROR, now, err);
    if (r->options.on_failure)
        r->options.on_failure(r->options.on_failure_arg, r->options.type, err);
    delay = kube_backoff_next_ms(r->is_unanswered ? &r->unanswered : &r->backoff, now, random01(r));
    r->is_unanswered = false;
    r->lost = r->lost || after == KUBE__REFLECTOR_WATCH_OPEN;
    if (delay < err->retry_after_ms)
        delay = err->retry_after_ms;
    atomic_fetch_add(&r->backoffs, 1);
    r->backoff_until_ns = now + delay * KUBE__NS_PER_MS;
    r->after_backoff = after;
    if (after == KUBE__REFLECTOR_START)
        r->no_stream = false;
    return KUBE__REFLECTOR_BACKOFF;
}

kube__reflector_state kube__reflector_no_memory(kube__reflector *r)
{
    kube_error err;
    kube__no_memory(&err, "a list");
    return kube__reflector_back_off(r, &err, KUBE__REFLECTOR_START);
}

void kube__reflector_note_life(kube__reflector *r)
{
    if (kube__reflector_now_ns(r) - r->opened_ns >= STEADY_WATCH_MS * KUBE__NS_PER_MS)
        kube_backoff_reset(&r->backoff);
}

/* ---- objects that are left out --------------------------------------------------------------- */

/* An undecodable or unusable object: quarantined. Told at most every ten seconds. */
void kube__reflector_count_bad(kube__reflector *r, const kube__bad_object *bad,
                               const kube_error *err)
{
    uint64_t count = atomic_fetch_add(&r->bad_objects, 1) + 1;
    int64_t now = kube__reflector_now_ns(r);
    if (count > 1 && now < r->bad_log_ns + BAD_LOG_MS * KUBE__NS_PER_MS)
        return;
    r->bad_log_ns = now;
    kube_log_warn("%s: skipped %s%s%s that cannot be used (cached state kept): %s (%llu so far)",
                  r->options.type->resource, bad ? bad->namespace_ : "",
                  bad && *bad->namespace_ ? "/" : "", bad ? bad->name : "an object",
                  err ? err->message : "undecodable", (unsigned long long)count);
}

void kube__reflector_tell_bad(kube__reflector *r, kube_key key, bool is_bad)
{
    if (r->options.sink.bad_changed)
        r->options.sink.bad_changed(r->options.sink.arg, key, is_bad);
}

kube_code kube__reflector_put_bad(kube__reflector *r, kube_key key, const char *field,
                                  const char *reason, kube_error *err)
{
    bool is_news;
    kube_code rc = kube__bad_objects_put(&r->bad, key, field, reason, &is_news, err);
    if (!rc && is_news)
        kube__reflector_tell_bad(r, key, true);
    return rc;
}

void kube__reflector_remove_bad(kube__reflector *r, kube_key key)
{
    if (kube__bad_objects_remove(&r->bad, key))
        kube__reflector_tell_bad(r, key, false);
}
