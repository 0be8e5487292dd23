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
    size_t at; /* of the next one */
    size_t count;
    kube_event given; /* what was given last, which the watch holds: */
    bool holds;
};

kube_code kube_client_watch_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                  const char *ns, const kube_watch_options *options,
                                  size_t options_size, void *out, kube_error *err)
{
    kube_watch_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube__result_stream_options stream_options = {
        .form = KUBE__STREAM_WATCH, .namespace_ = ns, .watch = *options};
    kube_watch *watch = calloc(1, sizeof *watch);
    kube_code rc;
    memset(out, 0, sizeof watch);
    if (!watch)
        return kube__no_memory(err, "a watch of %s", type->resource);
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

/* What was given last is over. */
static void drop_given(kube_watch *watch)
{
    if (watch->holds)
        kube__result_stream_event_fini(&watch->events[watch->at - 1]);
    watch->holds = false;
}

static void give(kube_event *event, const kube__result *from)
{
    const kube_object_meta *metadata = from->object ? kube_object_metadata(from->object) : NULL;
    *event = (kube_event){
        .type = from->type,
        .object = from->object,
        .resource_version = metadata ? metadata->resource_version : from->resource_version,
        .initial_events_end = from->initial_events_end,
        .error = from->error,
    };
}

kube_code kube_watch_next(kube_watch *watch, kube_ctx *ctx, void *event, kube_error *err)
{
    const kube_event *given = &watch->given;
    kube_code rc = kube_ctx_status(ctx, err);
    memset(event, 0, sizeof given);
    drop_given(watch);
    if (!rc && watch->at == watch->count) {
        watch->at = 0;
        watch->count = 0;
        rc =
            kube__result_stream_next(watch->results, ctx, watch->events, BATCH, &watch->count, err);
    }
    if (rc)
        return rc;
    give(&watch->given, &watch->events[watch->at++]);
    watch->holds = true;
    memcpy(event, &given, sizeof given);
    return KUBE_OK;
}

void kube_watch_free(kube_watch *watch)
{
    if (!watch)
        return;
    drop_given(watch);
    for (size_t i = watch->at; i < watch->count; i++)
        kube__result_stream_event_fini(&watch->events[i]);
    kube__result_stream_close(watch->results);
    free(watch);
}
