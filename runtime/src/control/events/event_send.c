/* SPDX-License-Identifier: Apache-2.0 */
/* Turns events into objects of the two APIs and sends them. */
#include "base/memory.h"
#include "base/units.h"
#include "event_object.h"

#include <kube/codec.h>
#include <stdio.h>
#include <string.h>

static kube_time time_of(int64_t wall_ns)
{
    return (kube_time){.sec = wall_ns / KUBE__NS_PER_S, .set = true};
}

static kube_micro_time micro_time_of(int64_t wall_ns)
{
    return (kube_micro_time){
        .sec = wall_ns / KUBE__NS_PER_S, .nsec = (int32_t)(wall_ns % KUBE__NS_PER_S), .set = true};
}

/* What both APIs have: a namesake of the object, in its namespace. */
static kube_object_meta metadata_of(const kube__event *event)
{
    return (kube_object_meta){.name = event->name,
                              .namespace_ = kube__event_namespace(event),
                              .annotations = event->annotations};
}

static const char *or_null(const char *text)
{
    return *text ? text : NULL;
}

static kube__wire_object_reference *related_of(kube__event *event)
{
    return event->related.kind ? &event->related : NULL;
}

static void take_name(kube__event *event, const char *name)
{
    if (name && *name && strlen(name) < sizeof event->name)
        memmove(event->name, name, strlen(name) + 1);
}

/* ---- either API ---------------------------------------------------------------------------- */

/* Sends what @before lacks. */
static kube_code patch(kube_client *client, kube_ctx *ctx, const kube_object *before,
                       const kube_object *object, kube_error *err)
{
    const kube_object_meta *metadata = kube_object_metadata(object);
    const char *text;
    size_t len;
    kube_code rc = kube_diff(ctx, object->type, before, object, &text, &len, err);
    if (rc)
        return rc;
    return kube_client_patch(client, ctx, object->type, kube_meta_key(metadata), KUBE_PATCH_MERGE,
                             text, len, NULL, NULL, err);
}

static kube_code create(kube_client *client, kube_ctx *ctx, const kube_object *object,
                        kube__event *event, kube_error *err)
{
    kube_object *made;
    kube_code rc =
        kube_client_create(client, ctx, object->type, kube_object_metadata(object)->namespace_,
                           object, NULL, &made, err);
    if (!rc)
        take_name(event, kube_object_metadata(made)->name);
    return rc;
}

/* ---- core/v1 ------------------------------------------------------------------------------- */

kube_code kube__event_send_core(kube_client *client, kube_ctx *ctx,
                                const kube__event_source *source, kube__event *event,
                                kube_error *err)
{
    const char *prefix = event->combined ? "(combined from similar events): " : "";
    const kube__wire_core_event object = {
        .base = {.type = &kube__wire_core_event_type},
        .metadata = metadata_of(event),
        .involved_object = event->regarding,
        .related = related_of(event),
        .type = event->type,
        .reason = event->reason,
        .action = or_null(event->action),
        .message = kube_printf(ctx, "%s%s", prefix, event->message),
        .source = {.component = source->component, .host = or_null(source->host)},
        .reporting_component = source->component,
        .reporting_instance = or_null(source->host),
        .first_timestamp = time_of(event->first_ns),
        .last_timestamp = time_of(event->last_ns),
        .count = KUBE_SOME(event->count),
    };
    kube__wire_core_event before = object; /* a repeat changes count, time and message (EV-3) */
    kube_code rc = KUBE_ERR_NOT_FOUND;
    if (!object.message)
        return kube__no_memory(err, "an event");
    before.count = (kube_opt_int32){0};
    before.last_timestamp = (kube_time){0};
    before.message = NULL;
    if (event->count > 1)
        rc = patch(client, ctx, &before.base, &object.base, err);
    return rc == KUBE_ERR_NOT_FOUND ? create(client, ctx, &object.base, event, err) : rc;
}

/* ---- events.k8s.io/v1 ---------------------------------------------------------------------- */

kube_code kube__event_send_series(kube_client *client, kube_ctx *ctx,
                                  const kube__event_source *source, kube__event *event,
                                  kube_error *err)
{
    kube__wire_event_series series = {.count = event->count,
                                      .last_observed_time = micro_time_of(event->last_ns)};
    const kube__wire_event object = {
        .base = {.type = &kube__wire_event_type},
        .metadata = metadata_of(event),
        .regarding = event->regarding,
        .related = related_of(event),
        .type = event->type,
        .reason = event->reason,
        .action = event->action,
        .note = event->message,
        .event_time = micro_time_of(event->first_ns),
        .reporting_controller = source->component,
        .reporting_instance = source->instance,
        .series = event->count > 1 ? &series : NULL,
    };
    kube__wire_event before = object;
    kube_code rc = KUBE_ERR_NOT_FOUND;
    before.series = NULL;
    if (event->created && object.series)
        rc = patch(client, ctx, &before.base, &object.base, err);
    if (rc == KUBE_ERR_NOT_FOUND)
        rc = create(client, ctx, &object.base, event, err);
    if (rc == KUBE_ERR_ALREADY_EXISTS && event->tries && object.series)
        rc = patch(client, ctx, &before.base, &object.base, err); /* the try before arrived */
    return rc;
}
