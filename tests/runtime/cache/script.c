/* SPDX-License-Identifier: Apache-2.0 */
#include "script.h"

#include "base/buffer.h"
#include "base/ctx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct answer {
    script *owner;
    answer *next;
    bool refused;
    kube_error refusal;
    kube__result *events;
    size_t len;
    size_t taken;
    answer *beside; /* opened before, and still open: what is read once this one is closed */
    bool ended;
    kube_code end_code;
    kube_error end_error;
    int64_t end_after_ms;
    kube_list_meta meta;
    char *version;
    char *continue_token;
};

struct script {
    kube__list_watch source;
    kube_fake_clock *fake;
    kube__mutex mutex;
    kube__condition changed;
    answer *first; /* all answers, in order */
    answer *next;  /* the one for the next open */
    answer *current;
    kube__buffer requests;
    kube__result_stream_options last;
    size_t opens;
    size_t closes;
};

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void wake(void *arg)
{
    script *s = arg;
    kube__lock(&s->mutex);
    kube__broadcast(&s->changed);
    kube__unlock(&s->mutex);
}

/* Under the mutex. Waits for a change, or says why that is no use. */
static kube_code wait_change(script *s, kube_ctx *ctx, kube_error *err)
{
    kube_code code = kube_ctx_status(ctx, err);
    if (!code)
        kube__wait_until(kube_ctx_clock(ctx), &s->changed, &s->mutex, kube__ctx_deadline_ns(ctx));
    return code;
}

static void note(script *s, const kube__result_stream_options *o)
{
    if (o->form == KUBE__STREAM_WATCH) {
        kube__buffer_printf(&s->requests, "%s rv=%s\n",
                            o->watch.send_initial_events ? "stream" : "watch",
                            o->watch.resource_version);
    } else if (o->list.continue_token) {
        kube__buffer_printf(&s->requests, "list continue=%s limit=%lld\n", o->list.continue_token,
                            (long long)o->list.limit);
    } else {
        kube__buffer_printf(&s->requests, "list rv=%s limit=%lld\n", o->list.resource_version,
                            (long long)o->list.limit);
    }
    s->last = *o;
    s->opens++;
    kube__broadcast(&s->changed);
}

static kube_code open_answer(kube__list_watch *source, kube_ctx *ctx,
                             const kube__result_stream_options *options,
                             kube__result_stream **results, kube_error *err)
{
    script *s = (script *)(void *)source;
    kube__waker waker = {.wake = wake, .arg = s};
    kube_code code = KUBE_OK;
    *results = NULL;
    kube__ctx_add_waker(ctx, &waker);
    kube__lock(&s->mutex);
    note(s, options);
    while (!s->next && !code)
        code = wait_change(s, ctx, err);
    if (!code) {
        answer *a = s->next;
        s->next = a->next;
        a->beside = s->current;
        s->current = a->refused ? s->current : a;
        *results = (kube__result_stream *)(void *)a;
        if (a->refused) {
            *results = NULL;
            *err = a->refusal;
            code = a->refusal.code;
        }
    }
    kube__unlock(&s->mutex);
    kube__ctx_remove_waker(ctx, &waker);
    return code;
}

static kube_code next_events(kube__result_stream *results, kube_ctx *ctx, kube__result *events,
                             size_t max, size_t *count, kube_error *err)
{
    answer *a = (answer *)(void *)results;
    script *s = a->owner;
    kube__waker waker = {.wake = wake, .arg = s};
    kube_code code = KUBE_OK;
    int64_t advance = 0;
    *count = 0;
    kube__ctx_add_waker(ctx, &waker);
    kube__lock(&s->mutex);
    while (a->taken == a->len && !a->ended && !code)
        code = wait_change(s, ctx, err);
    if (!code && a->taken < a->len) {
        while (*count < max && a->taken < a->len) {
            events[(*count)++] = a->events[a->taken];
            memset(&a->events[a->taken++], 0, sizeof *events);
        }
        kube__broadcast(&s->changed);
    } else if (!code) {
        code = a->end_code;
        *err = a->end_error;
        advance = a->end_after_ms;
    }
    kube__unlock(&s->mutex);
    kube__ctx_remove_waker(ctx, &waker);
    if (advance)
        kube_fake_clock_advance_ms(s->fake, advance);
    return code;
}

static const kube_list_meta *list_meta(const kube__result_stream *results)
{
    return &((const answer *)(const void *)results)->meta;
}

static void close_answer(kube__result_stream *results)
{
    answer *a = (answer *)(void *)results;
    script *s = a->owner;
    kube__lock(&s->mutex);
    s->current = a->beside;
    s->closes++;
    kube__broadcast(&s->changed);
    kube__unlock(&s->mutex);
}

script *script_new(kube_fake_clock *fake)
{
    script *s = calloc(1, sizeof *s);
    must(s != NULL);
    s->source = (kube__list_watch){open_answer, next_events, list_meta, close_answer, NULL};
    s->fake = fake;
    must(kube__mutex_init(&s->mutex, NULL) == KUBE_OK);
    must(kube__condition_init(&s->changed, NULL) == KUBE_OK);
    kube__buffer_init(&s->requests, 1 << 20);
    return s;
}

static void free_answer(answer *a)
{
    for (size_t i = a->taken; i < a->len; i++)
        kube__result_stream_event_fini(&a->events[i]);
    free(a->events);
    free(a->version);
    free(a->continue_token);
    free(a);
}

void script_free(script *s)
{
    while (s->first) {
        answer *a = s->first;
        s->first = a->next;
        free_answer(a);
    }
    kube__buffer_fini(&s->requests);
    kube__condition_fini(&s->changed);
    kube__mutex_fini(&s->mutex);
    free(s);
}

kube__list_watch *script_source(script *s)
{
    return &s->source;
}

static void publish(script *s, answer *a)
{
    answer **link;
    kube__lock(&s->mutex);
    for (link = &s->first; *link; link = &(*link)->next)
        ;
    *link = a;
    if (!s->next)
        s->next = a;
    kube__broadcast(&s->changed);
    kube__unlock(&s->mutex);
}

answer *script_add(script *s)
{
    answer *a = calloc(1, sizeof *a);
    must(a != NULL);
    a->owner = s;
    publish(s, a);
    return a;
}

void script_refuse(script *s, const kube_error *err)
{
    answer *a = calloc(1, sizeof *a);
    must(a != NULL);
    a->owner = s;
    a->refused = true;
    a->refusal = *err;
    publish(s, a);
}

static void append(answer *a, const kube__result *event)
{
    script *s = a->owner;
    kube__lock(&s->mutex);
    a->events = realloc(a->events, (a->len + 1) * sizeof *a->events);
    must(a->events != NULL);
    a->events[a->len++] = *event;
    kube__broadcast(&s->changed);
    kube__unlock(&s->mutex);
}

void answer_object(answer *a, kube_watch_event_type type, kube_object *object)
{
    kube__result event = {.type = type, .object = object};
    append(a, &event);
}

static void bookmark(answer *a, const char *version, bool initial_events_end)
{
    kube__result event = {.type = KUBE_WATCH_BOOKMARK,
                          .resource_version = strdup(version),
                          .initial_events_end = initial_events_end};
    append(a, &event);
}

void answer_bookmark(answer *a, const char *version)
{
    bookmark(a, version, false);
}

void answer_initial_end(answer *a, const char *version)
{
    bookmark(a, version, true);
}

void answer_error(answer *a, const kube_error *err)
{
    kube__result event = {.type = KUBE_WATCH_ERROR, .error = malloc(sizeof *err)};
    must(event.error != NULL);
    *event.error = *err;
    append(a, &event);
}

static kube__result bad_event(const char *message)
{
    kube__result event = {.type = KUBE_WATCH_BAD, .error = malloc(sizeof *event.error)};
    must(event.error != NULL);
    kube_error_set(event.error, KUBE_ERR_DECODE, "%s", message);
    return event;
}

void answer_bad(answer *a, const char *message)
{
    kube__result event = bad_event(message);
    append(a, &event);
}

void answer_bad_object(answer *a, kube_watch_event_type type, const char *name, const char *message)
{
    answer_bad_object_in(a, type, "ns", name, message);
}

void answer_bad_object_in(answer *a, kube_watch_event_type type, const char *ns, const char *name,
                          const char *message)
{
    kube__result event = bad_event(message);
    event.bad = calloc(1, sizeof *event.bad);
    must(event.bad != NULL);
    event.bad->type = type;
    snprintf(event.bad->namespace_, sizeof event.bad->namespace_, "%s", ns);
    snprintf(event.bad->name, sizeof event.bad->name, "%s", name);
    snprintf(event.bad->reason, sizeof event.bad->reason, "%s", message);
    snprintf(event.bad->field, sizeof event.bad->field, "%.*s", (int)strcspn(message, ":"),
             message);
    append(a, &event);
}

void answer_end(answer *a, kube_code code, const char *message, int64_t after_ms)
{
    script *s = a->owner;
    kube__lock(&s->mutex);
    a->ended = true;
    a->end_code = code;
    a->end_after_ms = after_ms;
    kube_error_set(&a->end_error, code, "%s", message);
    kube__broadcast(&s->changed);
    kube__unlock(&s->mutex);
}

void answer_list_end(answer *a, const char *version, const char *continue_token)
{
    a->version = strdup(version);
    a->continue_token = continue_token ? strdup(continue_token) : NULL;
    a->meta.resource_version = a->version;
    a->meta.continue_ = a->continue_token;
    answer_end(a, KUBE_ERR_CLOSED, "all of it came", 0);
}

const char *script_requests(script *s)
{
    const char *text;
    kube__lock(&s->mutex);
    text = s->requests.data ? s->requests.data : "";
    kube__unlock(&s->mutex);
    return text;
}

kube__result_stream_options script_last_options(script *s)
{
    kube__result_stream_options options;
    kube__lock(&s->mutex);
    options = s->last;
    kube__unlock(&s->mutex);
    return options;
}

size_t script_open_count(script *s)
{
    size_t opens;
    kube__lock(&s->mutex);
    opens = s->opens;
    kube__unlock(&s->mutex);
    return opens;
}

bool script_would_wait(script *s, bool opening)
{
    const answer *a = s->current;
    bool waits;
    kube__lock(&s->mutex);
    waits = opening ? !s->next : !a || (a->taken == a->len && !a->ended);
    kube__unlock(&s->mutex);
    return waits;
}

void script_wait_opens(script *s, size_t count)
{
    kube__lock(&s->mutex);
    while (s->opens < count)
        kube__wait(&s->changed, &s->mutex);
    kube__unlock(&s->mutex);
}

size_t script_unread(script *s)
{
    size_t unread = 0;
    kube__lock(&s->mutex);
    for (const answer *a = s->first; a; a = a->next)
        unread += a->len - a->taken;
    kube__unlock(&s->mutex);
    return unread;
}

size_t script_closed_count(script *s)
{
    size_t closes;
    kube__lock(&s->mutex);
    closes = s->closes;
    kube__unlock(&s->mutex);
    return closes;
}
