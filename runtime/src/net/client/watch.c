/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ctx.h"
#include "base/memory.h"
#include "result_stream.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 64 };

struct kube_watch {
    kube__result_stream *results;
    kube__result events[BATCH];
    size_t at;
    size_t count;
};

kube_code kube_client_watch(kube_client *client, kube_ctx *ctx, const kube_type *type,
                            const char *ns, const kube_watch_options *options, void *out,
                            kube_error *err)
{
    kube__result_stream_options stream_options = {.form = KUBE__STREAM_WATCH, .namespace_ = ns};
    kube_watch *watch = calloc(1, sizeof *watch);
    kube_code rc;
    memset(out, 0, sizeof watch);
    if (!watch)
        return kube__no_memory(err, "a watch of %s", type->resource);
    if (options)
        stream_options.watch = *options;
    /* By them the client knows that the watch lives. */
    stream_options.hides_bookmarks = !stream_options.watch.allow_bookmarks;
    stream_options.watch.allow_bookmarks = true;
    rc = kube__result_stream_open(client, ctx, type, &stream_options, &watch->results, err);
    if (rc) {
        free(watch);
        return rc;
    }
    memcpy(out, &watch, sizeof watch);
    return KUBE_OK;
}

/* Hands an event over to @ctx. */
static kube_code give(kube_ctx *ctx, kube__result *from, kube_event *event, kube_error *err)
{
    kube_code rc = KUBE_OK;
    *event = (kube_event){.type = from->type, .initial_events_end = from->initial_events_end};
    if (from->object) {
        const kube_object_meta *metadata = kube_object_metadata(from->object);
        rc = kube_object_keep(ctx, from->object, err);
        event->object = from->object;
        event->resource_version = metadata ? metadata->resource_version : NULL;
    } else if (from->resource_version) {
        event->resource_version = kube_ctx_strdup(ctx, from->resource_version);
        rc = kube__ctx_check(ctx, err);
    }
    if (from->error)
        event->error = *from->error;
    if (rc) {
        *event = (kube_event){0};
    }
    return rc;
}

kube_code kube_watch_next(kube_watch *watch, kube_ctx *ctx, void *event, kube_error *err)
{
    kube_event given = {0};
    kube_code rc = kube_ctx_status(ctx, err);
    memcpy(event, &given, sizeof given);
    if (!rc && watch->at == watch->count) {
        watch->at = 0;
        watch->count = 0;
        rc =
            kube__result_stream_next(watch->results, ctx, watch->events, BATCH, &watch->count, err);
    }
    if (rc)
        return rc;
    rc = give(ctx, &watch->events[watch->at], &given, err);
    memcpy(event, &given, sizeof given);
    if (rc != KUBE_ERR_NO_MEMORY) /* then the next call gives it, in a ctx that has memory */
        kube__result_stream_event_fini(&watch->events[watch->at++]);
    return rc;
}

void kube_watch_free(kube_watch *watch)
{
    if (!watch)
        return;
    for (size_t i = watch->at; i < watch->count; i++)
        kube__result_stream_event_fini(&watch->events[i]);
    kube__result_stream_close(watch->results);
    free(watch);
}
