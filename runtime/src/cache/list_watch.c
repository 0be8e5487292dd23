/* SPDX-License-Identifier: Apache-2.0 */
#include "list_watch.h"

static kube_code open_results(kube__list_watch *list_watch, kube_ctx *ctx,
                              const kube__result_stream_options *options, kube__result_stream **out,
                              kube_error *err)
{
    kube__client_list_watch *self = (kube__client_list_watch *)(void *)list_watch;
    return kube__result_stream_open(self->client, ctx, self->type, options, out, err);
}

void kube__client_list_watch_init(kube__client_list_watch *list_watch, kube_client *client,
                                  const kube_type *type)
{
    *list_watch = (kube__client_list_watch){
        .source =
            {
                .open = open_results,
                .next = kube__result_stream_next,
                .list_meta = kube__result_stream_list_meta,
                .close = kube__result_stream_close,
                .queued_peak = kube__result_stream_queued_peak,
            },
        .client = client,
        .type = type,
    };
}
