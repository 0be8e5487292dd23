/* SPDX-License-Identifier: Apache-2.0 */
#include "list_watch.h"

static kube_code open_results(kube__list_watch *source, kube_ctx *ctx,
                              const kube__result_stream_options *options, void **results,
                              kube_error *err)
{
    kube__client_list_watch *self = (kube__client_list_watch *)(void *)source;
    kube__result_stream *opened = NULL;
    kube_code code = kube__result_stream_open(self->client, ctx, self->type, options, &opened, err);
    *results = opened;
    return code;
}

static kube_code next(void *results, kube_ctx *ctx, kube__result *events, size_t max, size_t *count,
                      kube_error *err)
{
    return kube__result_stream_next(results, ctx, events, max, count, err);
}

static const kube_list_meta *list_meta(const void *results)
{
    return kube__result_stream_list_meta(results);
}

static void close_results(void *results)
{
    kube__result_stream_close(results);
}

static size_t queued_peak(const void *results)
{
    return kube__result_stream_queued_peak(results);
}

void kube__client_list_watch_init(kube__client_list_watch *source, kube_client *client,
                                  const kube_type *type)
{
    source->source.open = open_results;
    source->source.next = next;
    source->source.list_meta = list_meta;
    source->source.close = close_results;
    source->source.queued_peak = queued_peak;
    source->client = client;
    source->type = type;
}
