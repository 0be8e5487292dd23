/* SPDX-License-Identifier: Apache-2.0 */
#include "list_watch.h"

static kube_code open_feed(kube__source *source, kube_ctx *ctx, const kube__feed_options *options,
                           void **feed, kube_error *err)
{
    kube__client_source *self = (kube__client_source *)(void *)source;
    kube__feed *opened = NULL;
    kube_code code = kube__feed_open(self->client, ctx, self->type, options, &opened, err);
    *feed = opened;
    return code;
}

static kube_code next(void *feed, kube_ctx *ctx, kube__feed_event *events, size_t max,
                      size_t *count, kube_error *err)
{
    return kube__feed_next(feed, ctx, events, max, count, err);
}

static const kube_list_meta *list_meta(const void *feed)
{
    return kube__feed_list_meta(feed);
}

static void close_feed(void *feed)
{
    kube__feed_close(feed);
}

static size_t queued_peak(const void *feed)
{
    return kube__feed_queued_peak(feed);
}

void kube__client_source_init(kube__client_source *source, kube_client *client,
                              const kube_type *type)
{
    source->source.open = open_feed;
    source->source.next = next;
    source->source.list_meta = list_meta;
    source->source.close = close_feed;
    source->source.queued_peak = queued_peak;
    source->client = client;
    source->type = type;
}
