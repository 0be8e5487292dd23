/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An event is first combined, then counted, then checked against the budget (EV-3). An event over
 * the budget has been counted, so that the next one that is sent has the right count. Source and
 * host are not in the keys, because all events of a recorder have the same.
 */
#include "event_correlator.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

enum {
    ENTRIES_MAX = 4096, /* of each table */
    DEFAULT_SIMILAR = 10,
    DEFAULT_BURST = 25,
};
static const int64_t default_window_ms = 600000;
static const int64_t default_refill_ms = 300000;

typedef struct similar {
    kube__lru_entry entry;
    int64_t last_ns;
    size_t count; /* distinct messages, of which most_similar - 1 are kept as hashes */
    uint64_t hashes[];
} similar;

typedef struct seen {
    kube__lru_entry entry;
    int32_t count;
    int64_t first_ns;
    int64_t last_ns;
    char *name; /* of the event at the server */
} seen;

typedef struct budget {
    kube__lru_entry entry;
    int64_t full_ns; /* when the bucket will be full again */
} budget;

static void release_seen(void *arg, kube__lru_entry *entry)
{
    seen *s = (seen *)entry;
    (void)arg;
    free(s->name);
}

static int64_t duration_ns(int64_t ms, int64_t default_ms)
{
    return ms < 0 ? INT64_MAX : kube__ms_to_ns(ms ? ms : default_ms);
}

void kube__event_correlator_init(kube__event_correlator *c, const kube_recorder_options *options)
{
    bool budgeted = options->spam_burst >= 0 && options->spam_refill_ms >= 0;
    memset(c, 0, sizeof *c);
    if (options->max_similar < 0)
        c->most_similar = SIZE_MAX;
    else
        c->most_similar = options->max_similar ? (size_t)options->max_similar : DEFAULT_SIMILAR;
    c->window_ns = duration_ns(options->similar_window_ms, default_window_ms);
    c->refill_ns = duration_ns(options->spam_refill_ms, default_refill_ms);
    if (budgeted) {
        c->burst = options->spam_burst ? options->spam_burst : DEFAULT_BURST;
        if (c->refill_ns > INT64_MAX / 4 / c->burst) /* a whole bucket fits into a time */
            c->refill_ns = INT64_MAX / 4 / c->burst;
    }
    c->similar.most = ENTRIES_MAX;
    c->seen.most = ENTRIES_MAX;
    c->seen.release = release_seen;
    c->budgets.most = ENTRIES_MAX;
}

void kube__event_correlator_fini(kube__event_correlator *c)
{
    kube__lru_fini(&c->similar);
    kube__lru_fini(&c->seen);
    kube__lru_fini(&c->budgets);
}

/* ---- keys ---------------------------------------------------------------------------------- */

/* Unit separators cannot stand in names. */
static kube_key similar_key(kube_ctx *ctx, const kube__event *event)
{
    const kube__wire_object_reference *object = &event->regarding;
    return (kube_key){kube__event_namespace(event),
                      kube_printf(ctx, "%s\x1f%s\x1f%s\x1f%s\x1f%s\x1f%s", object->api_version,
                                  object->kind, kube__text_or_empty(object->name),
                                  kube__text_or_empty(object->uid), event->type, event->reason)};
}

/* The key it is counted under. */
static kube_key seen_key(kube_ctx *ctx, const kube__event *event)
{
    kube_key key = similar_key(ctx, event);
    if (key.name && !event->combined)
        key.name = kube_printf(ctx, "%s\x1f%s", key.name, event->message);
    return key;
}

static kube_key budget_key(kube_ctx *ctx, const kube__event *event)
{
    const kube__wire_object_reference *object = &event->regarding;
    return (kube_key){kube__event_namespace(event),
                      kube_printf(ctx, "%s\x1f%s\x1f%s\x1f%s\x1f%s", object->api_version,
                                  object->kind, kube__text_or_empty(object->name),
                                  kube__text_or_empty(object->uid), event->type)};
}

/* ---- the three steps ----------------------------------------------------------------------- */

/* Whether one more message makes too many. Those known stay events of their own. */
static bool is_one_too_many(similar *s, size_t most, uint64_t hash)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->hashes[i] == hash)
            return false;
    }
    if (s->count + 1 >= most)
        return true;
    s->hashes[s->count++] = hash;
    return false;
}

static bool combine(kube__event_correlator *c, kube_ctx *ctx, const kube__event *event)
{
    uint64_t hash = kube__hash_text(0, event->message);
    kube_key key;
    similar *s;
    if (c->most_similar == SIZE_MAX)
        return false;
    key = similar_key(ctx, event);
    if (!key.name)
        return false;
    s = kube__lru_use(&c->similar, key);
    if (!s) {
        s = kube__lru_add(&c->similar, sizeof *s + (c->most_similar - 1) * sizeof *s->hashes, key);
        if (!s)
            return false;
    } else if (event->now_ns - s->last_ns > c->window_ns) {
        s->count = 0;
    }
    s->last_ns = event->now_ns;
    return is_one_too_many(s, c->most_similar, hash);
}

static void count(kube__event_correlator *c, kube_ctx *ctx, kube__event *event)
{
    kube_key key = seen_key(ctx, event);
    seen *s = key.name ? kube__lru_use(&c->seen, key) : NULL;
    if (s) {
        if (s->count < INT32_MAX)
            s->count++;
        s->last_ns = event->wall_ns;
        event->count = s->count;
        event->first_ns = s->first_ns;
        memcpy(event->name, s->name, strlen(s->name) + 1);
        return;
    }
    s = key.name ? kube__lru_add(&c->seen, sizeof *s, key) : NULL;
    if (!s)
        return; /* a repeat will be an event of its own */
    s->count = 1;
    s->first_ns = event->wall_ns;
    s->last_ns = event->wall_ns;
    s->name = strdup(event->name);
    if (!s->name)
        kube__lru_drop(&c->seen, &s->entry);
}

/* A bucket of tokens, kept as the time when it will be full. */
static bool spend(kube__event_correlator *c, kube_ctx *ctx, const kube__event *event)
{
    int64_t missing;
    kube_key key;
    budget *b;
    if (c->burst == 0)
        return true;
    key = budget_key(ctx, event);
    if (!key.name)
        return true;
    b = kube__lru_use(&c->budgets, key);
    if (!b)
        b = kube__lru_add(&c->budgets, sizeof *b, key);
    if (!b)
        return true;
    missing = b->full_ns > event->now_ns ? b->full_ns - event->now_ns : 0;
    if (missing / c->refill_ns >= c->burst ||
        (missing / c->refill_ns == c->burst - 1 && missing % c->refill_ns > 0))
        return false;
    b->full_ns = event->now_ns + missing + c->refill_ns;
    return true;
}

bool kube__event_correlator_observe(kube__event_correlator *c, kube_ctx *ctx, kube__event *event)
{
    event->combined = combine(c, ctx, event);
    count(c, ctx, event);
    return spend(c, ctx, event);
}

/* ---- while it is sent ---------------------------------------------------------------------- */

static seen *find_seen(const kube__event_correlator *c, kube_ctx *ctx, const kube__event *event)
{
    kube_key key = seen_key(ctx, event);
    return key.name ? kube__lru_look(&c->seen, key) : NULL;
}

void kube__event_correlator_renew(const kube__event_correlator *c, kube_ctx *ctx,
                                  kube__event *event)
{
    const seen *s = find_seen(c, ctx, event);
    if (!s || s->count <= event->count || strcmp(s->name, event->name) != 0)
        return;
    event->count = s->count;
    event->last_ns = s->last_ns;
}

void kube__event_correlator_sent(kube__event_correlator *c, kube_ctx *ctx, const kube__event *event)
{
    seen *s = find_seen(c, ctx, event);
    char *name;
    if (!s || strcmp(s->name, event->name) == 0)
        return;
    name = strdup(event->name);
    if (!name)
        return;
    free(s->name);
    s->name = name;
}
