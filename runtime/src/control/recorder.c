/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread sends what callers queued. It alone knows which events were sent before, so the table
 * of those needs no lock. A repeat (same object, type, reason and message) raises the count of the
 * event that is there (EV-3); everything else is a new one (EV-2).
 */
#include "../base/text.h"
#include "../base/thread.h"
#include "keymap.h"

#include <core/v1/api.h>
#include <kube/log.h>
#include <kube/recorder.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    DEFAULT_QUEUE_LEN = 1000,
    SENT_MAX = 4096, /* remembered events; the one unused longest goes first */
    MESSAGE_MAX = 1024,
    HOST_MAX = 256,
    TRIES = 12,            /* EV-4 */
    TRY_AGAIN_MS = 10000,
    NAME_MAX_LEN = 253,    /* of any object */
    NAME_SUFFIX_LEN = 17,  /* '.' and 16 hexadecimal digits */
};

/* A queued event: a copy of what it says, because the object may be gone when it is sent. */
typedef struct note {
    struct note *next;
    const char *api_version;
    const char *kind;
    char *namespace_;
    char *name;
    char *uid;
    char *resource_version;
    char *type;
    char *reason;
    char *message;
    kube_time time;
} note;

typedef struct sent {
    kube__keynode node;
    struct sent *newer;
    struct sent *older;
    char name[NAME_MAX_LEN + 1]; /* of the event at the server */
    int32_t count;
} sent;

struct kube_recorder {
    kube_client *client;
    kube_clock *clock;
    void (*sink)(void *arg, const kube_recorded_event *event); /* NULL = send */
    void *sink_arg;
    kube_ctx *ctx; /* of the sender; cancelled when flushing takes too long */
    kube__thread thread;
    char *component;
    char host[HOST_MAX];
    size_t queue_max;
    kube__keymap sent; /* by namespace and all else; the sender's */
    sent *newest;
    sent *oldest;
    kube__mutex mutex; /* of what is below */
    kube__condition changed;
    note *first;
    note *last;
    size_t queued;
    bool busy; /* the sender has a note in hand */
    bool stopping;
    bool dropping; /* said so already */
};

/* ---- recording ----------------------------------------------------------------------------- */

static void note_free(note *n)
{
    if (!n)
        return;
    free(n->namespace_);
    free(n->name);
    free(n->uid);
    free(n->resource_version);
    free(n->type);
    free(n->reason);
    free(n->message);
    free(n);
}

static char *copy(const char *text)
{
    return strdup(text ? text : "");
}

static note *note_new(kube_clock *clock, const kube_object *object, const char *type,
                      const char *reason, const char *message)
{
    const kube_object_meta *meta = kube_object_metadata(object);
    note *n = calloc(1, sizeof(*n));

    if (!n)
        return NULL;
    n->api_version = object->type->api_version;
    n->kind = object->type->kind;
    n->namespace_ = copy(meta->namespace_);
    n->name = copy(meta->name);
    n->uid = copy(meta->uid);
    n->resource_version = copy(meta->resource_version);
    n->type = copy(type);
    n->reason = copy(reason);
    n->message = copy(message);
    n->time = kube_time_now(clock);
    if (!n->namespace_ || !n->name || !n->uid || !n->resource_version || !n->type || !n->reason ||
        !n->message) {
        note_free(n);
        return NULL;
    }
    return n;
}

/* Takes @n over. */
static void enqueue(kube_recorder *recorder, note *n)
{
    bool full;
    bool say;

    kube__lock(&recorder->mutex);
    full = recorder->stopping || recorder->queued >= recorder->queue_max;
    say = full && !recorder->dropping;
    recorder->dropping = full;
    if (!full) {
        if (recorder->last)
            recorder->last->next = n;
        else
            recorder->first = n;
        recorder->last = n;
        recorder->queued++;
        kube__broadcast(&recorder->changed);
    }
    kube__unlock(&recorder->mutex);
    if (say)
        kube_log_warn("event %s of %s %s/%s dropped: %zu events wait to be sent", n->reason,
                      n->kind, n->namespace_, n->name, recorder->queue_max);
    if (full)
        note_free(n);
}

void kube_recorder_event(kube_recorder *recorder, const kube_object *object, const char *type,
                         const char *reason, const char *format, ...)
{
    char message[MESSAGE_MAX + 4]; /* longer, to see where a character ends */
    va_list args;
    note *n;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    message[kube__text_cut(message, strlen(message), MESSAGE_MAX)] = '\0';
    if (!object || !object->type) {
        kube_log_error("event %s dropped: its object has no type: %s", reason, message);
        return;
    }
    if (strcmp(type, KUBE_EVENT_NORMAL) != 0 && strcmp(type, KUBE_EVENT_WARNING) != 0) {
        kube_log_error("event %s dropped: type \"%s\" is neither Normal nor Warning", reason, type);
        return;
    }
    if (recorder->sink) {
        const kube_recorded_event event = {object, type, reason, message, "", NULL};
        recorder->sink(recorder->sink_arg, &event);
        return;
    }
    n = note_new(recorder->clock, object, type, reason, message);
    if (n)
        enqueue(recorder, n);
    else
        kube_log_error("event %s dropped: out of memory", reason);
}

/* ---- what was sent ------------------------------------------------------------------------- */

static void unlink_sent(kube_recorder *recorder, sent *s)
{
    *(s->newer ? &s->newer->older : &recorder->newest) = s->older;
    *(s->older ? &s->older->newer : &recorder->oldest) = s->newer;
    s->newer = NULL;
    s->older = NULL;
}

static void link_newest(kube_recorder *recorder, sent *s)
{
    s->older = recorder->newest;
    *(s->older ? &s->older->newer : &recorder->oldest) = s;
    recorder->newest = s;
}

static void remember(kube_recorder *recorder, kube_key key, const char *name)
{
    sent *s;

    if (recorder->sent.count >= SENT_MAX) {
        s = recorder->oldest;
        unlink_sent(recorder, s);
        kube__keymap_remove(&recorder->sent, &s->node);
        free(s);
    }
    s = kube__keynode_new(sizeof(*s), key);
    if (!s)
        return; /* a repeat will be an event of its own */
    snprintf(s->name, sizeof s->name, "%s", name);
    s->count = 1;
    kube__keymap_insert(&recorder->sent, &s->node);
    link_newest(recorder, s);
}

static void forget(kube_recorder *recorder, sent *s)
{
    unlink_sent(recorder, s);
    kube__keymap_remove(&recorder->sent, &s->node);
    free(s);
}

/* ---- sending ------------------------------------------------------------------------------- */

/* "name.<time in hexadecimal>" (EV-2), shortened where it would be too long for a name. */
static void event_name(kube_clock *clock, char name[NAME_MAX_LEN + 1], const char *object_name)
{
    size_t len = strnlen(object_name, NAME_MAX_LEN - NAME_SUFFIX_LEN);

    while (len && (object_name[len - 1] == '.' || object_name[len - 1] == '-'))
        len--;
    snprintf(name, NAME_MAX_LEN + 1, "%.*s.%016llx", (int)len, object_name,
             (unsigned long long)clock->wall_ns(clock));
}

static const char *or_null(const char *text)
{
    return *text ? text : NULL;
}

static kube_code create(kube_recorder *recorder, kube_ctx *ctx, const note *n, const char *ns,
                        const char *name, kube_error *err)
{
    const core_v1_event event = {
        .metadata = {.name = name, .namespace_ = ns},
        .involved_object = {.kind = n->kind,
                            .namespace_ = or_null(n->namespace_),
                            .name = n->name,
                            .uid = or_null(n->uid),
                            .api_version = n->api_version,
                            .resource_version = or_null(n->resource_version)},
        .reason = n->reason,
        .message = n->message,
        .source = {.component = recorder->component, .host = recorder->host},
        .first_timestamp = n->time,
        .last_timestamp = n->time,
        .count = KUBE_SOME(1),
        .type = n->type,
        .reporting_component = recorder->component,
        .reporting_instance = recorder->host,
    };

    return core_v1_events_create(recorder->client, ctx, ns, &event, NULL, NULL, err);
}

static kube_code count_up(kube_recorder *recorder, kube_ctx *ctx, const note *n, const char *ns,
                          const sent *s, kube_error *err)
{
    char time[KUBE_TIME_MAX];
    const char *patch;

    kube_time_format(n->time, time);
    patch = kube_printf(ctx, "{\"count\":%d,\"lastTimestamp\":\"%s\"}", s->count + 1, time);
    if (!patch)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for an event");
    return core_v1_events_patch(recorder->client, ctx, ns, s->name, KUBE_PATCH_MERGE, patch,
                                strlen(patch), NULL, NULL, err);
}

/* Sends once: raises the count of the same event, or creates it. */
static kube_code send_once(kube_recorder *recorder, kube_ctx *ctx, const note *n, kube_error *err)
{
    const char *ns = *n->namespace_ ? n->namespace_ : "default";
    char name[NAME_MAX_LEN + 1];
    const char *identity = kube_printf(ctx, "%s|%s|%s|%s|%s|%s|%s", n->api_version, n->kind,
                                       n->name, n->uid, n->type, n->reason, n->message);
    kube_key key = {ns, identity};
    kube_code rc;
    sent *s;

    if (!identity)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for an event");
    s = kube__keymap_find(&recorder->sent, key);
    if (s) {
        rc = count_up(recorder, ctx, n, ns, s, err);
        if (!rc) {
            s->count++;
            unlink_sent(recorder, s);
            link_newest(recorder, s);
        }
        if (rc != KUBE_ERR_NOT_FOUND)
            return rc;
        forget(recorder, s); /* the server let it expire */
    }
    event_name(recorder->clock, name, n->name);
    rc = create(recorder, ctx, n, ns, name, err);
    if (!rc)
        remember(recorder, key, name);
    return rc;
}

/* EV-4: an answer of the server is final, a failure to reach it is tried again. */
static void send_note(kube_recorder *recorder, kube_ctx *ctx, const note *n)
{
    kube_error err;

    for (int tries = 0; tries < TRIES; tries++) {
        kube_code rc = send_once(recorder, ctx, n, &err);
        if (!rc)
            return;
        if (rc != KUBE_ERR_TRANSPORT)
            break;
        if (kube_ctx_sleep_ms(ctx, TRY_AGAIN_MS, NULL))
            break;
        kube_ctx_reset(ctx);
    }
    kube_log_warn("event %s of %s %s/%s not sent: %s", n->reason, n->kind, n->namespace_, n->name,
                  err.message);
}

static note *take_note(kube_recorder *recorder)
{
    note *n;

    kube__lock(&recorder->mutex);
    recorder->busy = false;
    kube__broadcast(&recorder->changed);
    while (!recorder->first && !recorder->stopping)
        kube__wait(&recorder->changed, &recorder->mutex);
    n = recorder->first;
    if (n) {
        recorder->first = n->next;
        if (!recorder->first)
            recorder->last = NULL;
        recorder->queued--;
        recorder->busy = true;
    }
    kube__unlock(&recorder->mutex);
    return n;
}

static void *run_sender(void *arg)
{
    kube_recorder *recorder = arg;
    kube_ctx *ctx = kube_ctx_child(recorder->ctx);
    note *n;

    while ((n = take_note(recorder)) != NULL) {
        if (ctx)
            send_note(recorder, ctx, n);
        else
            kube_log_error("event %s dropped: out of memory", n->reason);
        note_free(n);
        if (ctx)
            kube_ctx_reset(ctx);
    }
    kube_ctx_free(ctx);
    return NULL;
}

/* ---- life ---------------------------------------------------------------------------------- */

static void fini(kube_recorder *recorder)
{
    kube__keymap_fini(&recorder->sent);
    kube__condition_fini(&recorder->changed);
    kube__mutex_fini(&recorder->mutex);
    kube_ctx_free(recorder->ctx);
    free(recorder->component);
    free(recorder);
}

kube_code kube_recorder_new(kube_client *client, const kube_recorder_options *options,
                            kube_recorder **out, kube_error *err)
{
    kube_recorder *recorder = calloc(1, sizeof(*recorder));
    kube_code rc;

    assert(options && options->component && (client || options->sink));
    *out = NULL;
    if (!recorder)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for an event recorder");
    rc = kube__mutex_init(&recorder->mutex, err);
    if (rc) {
        free(recorder);
        return rc;
    }
    rc = kube__condition_init(&recorder->changed, err);
    if (rc) {
        kube__mutex_fini(&recorder->mutex);
        free(recorder);
        return rc;
    }
    recorder->client = client;
    recorder->queue_max = options->queue_len ? options->queue_len : DEFAULT_QUEUE_LEN;
    recorder->component = strdup(options->component);
    recorder->clock = options->clock ? options->clock : kube_clock_system();
    recorder->sink = options->sink;
    recorder->sink_arg = options->sink_arg;
    recorder->ctx = kube_ctx_new_with_clock(recorder->clock);
    if (gethostname(recorder->host, sizeof recorder->host - 1) != 0)
        recorder->host[0] = '\0';
    rc = kube__keymap_init(&recorder->sent, err);
    if (!rc && (!recorder->component || !recorder->ctx))
        rc = kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for an event recorder");
    if (!rc && !recorder->sink)
        rc = kube__thread_start(&recorder->thread, "kube-recorder", run_sender, recorder, err);
    if (rc) {
        fini(recorder);
        return rc;
    }
    *out = recorder;
    return KUBE_OK;
}

/* Stops taking events and waits until those queued are sent, for at most @flush_ms. */
static void flush(kube_recorder *recorder, int64_t flush_ms)
{
    kube_clock *clock = kube_clock_system(); /* the end of a process is not a test's to delay */
    int64_t deadline = clock->now_ns(clock) + flush_ms * 1000000;

    kube__lock(&recorder->mutex);
    recorder->stopping = true;
    kube__broadcast(&recorder->changed);
    while ((recorder->first || recorder->busy) && clock->now_ns(clock) < deadline)
        kube__wait_until(clock, &recorder->changed, &recorder->mutex, deadline);
    kube__unlock(&recorder->mutex);
}

static void drop_queue(kube_recorder *recorder)
{
    size_t dropped = 0;
    note *n;

    kube__lock(&recorder->mutex);
    while ((n = recorder->first) != NULL) {
        recorder->first = n->next;
        note_free(n);
        dropped++;
    }
    recorder->last = NULL;
    kube__unlock(&recorder->mutex);
    if (dropped)
        kube_log_warn("%zu events were not sent before the end", dropped);
}

void kube_recorder_free(kube_recorder *recorder, int64_t flush_ms)
{
    if (!recorder)
        return;
    flush(recorder, flush_ms);
    drop_queue(recorder);
    kube_ctx_cancel(recorder->ctx);
    kube__thread_join(&recorder->thread);
    fini(recorder);
}
