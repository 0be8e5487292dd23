/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buffer.h"
#include "base/text.h"
#include "base/thread.h"
#include "base/wait.h"

#include <kube/meta.h>
#include <kube/object.h>
#include <kube/testing/recorder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 16384 };

typedef struct kept {
    struct kept *next;
    char *reason;
    char text[]; /* "Warning InvalidSpec default/blue: message" */
} kept;

struct kube_fake_recorder {
    kube_recorder *recorder;
    kube__mutex mutex; /* of what is below */
    kube__condition changed;
    kept *first;
    kept **end;
    size_t count;
};

static void kept_free(kept *event)
{
    free(event->reason);
    free(event);
}

/* "default/blue", or "blue" of a cluster-scoped object, behind what @buffer has. */
static void add_key(kube__buffer *buffer, const kube_object *object)
{
    const kube_object_meta *meta = kube_object_metadata(object);
    const char *ns = kube__text_or_empty(meta->namespace_);
    kube__buffer_printf(buffer, "%s%s%s", ns, *ns ? "/" : "", kube__text_or_empty(meta->name));
}

static void add_event(kube__buffer *buffer, const kube_recorded_event *event)
{
    kube__buffer_printf(buffer, "%s %s ", kube_event_type_name(event->type), event->reason);
    add_key(buffer, event->object);
    kube__buffer_printf(buffer, ": %s", event->message);
    if (*event->action)
        kube__buffer_printf(buffer, " (action %s)", event->action);
    if (event->related) {
        kube__buffer_add_text(buffer, " (related ");
        add_key(buffer, event->related);
        kube__buffer_add_text(buffer, ")");
    }
}

static kept *kept_new(const kube_recorded_event *event)
{
    kube__buffer text;
    kept *copy = NULL;
    kube__buffer_init(&text, TEXT_MAX);
    add_event(&text, event);
    if (!text.failed)
        copy = malloc(sizeof *copy + text.len + 1);
    if (copy) {
        copy->next = NULL;
        copy->reason = strdup(event->reason);
        memcpy(copy->text, text.data, text.len + 1);
        if (!copy->reason) {
            free(copy);
            copy = NULL;
        }
    }
    kube__buffer_fini(&text);
    return copy;
}

static void keep(void *arg, const kube_recorded_event *event)
{
    kube_fake_recorder *fake = arg;
    kept *copy = kept_new(event);
    if (!copy)
        return; /* a test that waits for it fails and says which events there are */
    kube__lock(&fake->mutex);
    *fake->end = copy;
    fake->end = &copy->next;
    fake->count++;
    kube__broadcast(&fake->changed);
    kube__unlock(&fake->mutex);
}

kube_fake_recorder *kube_fake_recorder_new(void)
{
    kube_fake_recorder *fake = calloc(1, sizeof *fake);
    if (!fake)
        return NULL;
    fake->end = &fake->first;
    const kube_recorder_options options = {.component = "fake", .sink = keep, .sink_arg = fake};
    if (kube__mutex_init(&fake->mutex, NULL) != KUBE_OK)
        goto free_fake;
    if (kube__condition_init(&fake->changed, NULL) != KUBE_OK)
        goto fini_mutex;
    if (kube_recorder_new(NULL, &options, &fake->recorder, NULL) == KUBE_OK)
        return fake;
    kube__condition_fini(&fake->changed);
fini_mutex:
    kube__mutex_fini(&fake->mutex);
free_fake:
    free(fake);
    return NULL;
}

void kube_fake_recorder_free(kube_fake_recorder *fake)
{
    if (!fake)
        return;
    kube_fake_recorder_forget(fake);
    kube_recorder_free(fake->recorder, 0);
    kube__condition_fini(&fake->changed);
    kube__mutex_fini(&fake->mutex);
    free(fake);
}

kube_recorder *kube_fake_recorder_recorder(kube_fake_recorder *fake)
{
    return fake->recorder;
}

kube_string_list kube_fake_recorder_events(kube_fake_recorder *fake, kube_ctx *ctx)
{
    kube_string_list events = {NULL, 0};
    kube__lock(&fake->mutex);
    events.items = kube_ctx_alloc_array(ctx, fake->count + 1, sizeof *events.items);
    for (const kept *event = fake->first; events.items && event; event = event->next) {
        events.items[events.len] = kube_ctx_strdup(ctx, event->text);
        if (!events.items[events.len])
            events.items = NULL;
        events.len++;
    }
    kube__unlock(&fake->mutex);
    if (!events.items)
        events.len = 0;
    return events;
}

static size_t count_locked(const kube_fake_recorder *fake, const char *reason)
{
    size_t count = 0;
    for (const kept *event = fake->first; event; event = event->next)
        count += !reason || strcmp(event->reason, reason) == 0;
    return count;
}

size_t kube_fake_recorder_count(kube_fake_recorder *fake, const char *reason)
{
    kube__lock(&fake->mutex);
    size_t count = count_locked(fake, reason);
    kube__unlock(&fake->mutex);
    return count;
}

/* "; there are: a; b": the newest that fit. */
static void append_events(kube_fake_recorder *fake, kube_ctx *ctx, kube_error *err)
{
    kube_string_list events = kube_fake_recorder_events(fake, ctx);
    if (!err)
        return;
    size_t len = strlen(err->message);
    for (size_t i = 0; i < events.len && len + 1 < sizeof err->message; i++) {
        snprintf(err->message + len, sizeof err->message - len, "%s%s",
                 i ? "; " : "; there are: ", events.items[i]);
        len = strlen(err->message);
    }
}

kube_code kube_fake_recorder_wait(kube_fake_recorder *fake, kube_ctx *ctx, const char *reason,
                                  size_t count, kube_error *err)
{
    kube__wait_scope scope;
    bool waiting = true;
    kube__wait_begin(&scope, ctx, &fake->mutex, &fake->changed, 0);
    kube__lock(&fake->mutex);
    while (count_locked(fake, reason) < count && waiting)
        waiting = kube__wait_step(&scope);
    size_t found = count_locked(fake, reason);
    kube__unlock(&fake->mutex);
    kube__wait_end(&scope);
    if (found >= count)
        return KUBE_OK;
    kube_code rc = kube_ctx_status(ctx, NULL);
    kube_error_set(err, rc ? rc : KUBE_ERR_TIMEOUT, "%zu of %zu events%s%s were recorded", found,
                   count, reason ? " " : "", reason ? reason : "");
    append_events(fake, ctx, err);
    return rc ? rc : KUBE_ERR_TIMEOUT;
}

void kube_fake_recorder_forget(kube_fake_recorder *fake)
{
    kube__lock(&fake->mutex);
    while (fake->first) {
        kept *event = fake->first;
        fake->first = event->next;
        kept_free(event);
    }
    fake->end = &fake->first;
    fake->count = 0;
    kube__unlock(&fake->mutex);
}
