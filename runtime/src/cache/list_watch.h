/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a reflector gets its objects from: the client's result streams, or a script in a test. It
 * has the functions of net/client/result_stream.h; who brings others gives its own streams out as
 * kube__result_stream, which nobody but these functions looks into.
 */
#ifndef KUBE_CACHE_LIST_WATCH_H
#define KUBE_CACHE_LIST_WATCH_H

#include "net/client/result_stream.h"

typedef struct kube__list_watch kube__list_watch;
struct kube__list_watch {
    kube_code (*open)(kube__list_watch *list_watch, kube_ctx *ctx,
                      const kube__result_stream_options *options, kube__result_stream **out,
                      kube_error *err);
    /* KUBE_ERR_TIMEOUT when @ctx's deadline passed: it can be asked again. */
    kube_code (*next)(kube__result_stream *results, kube_ctx *ctx, kube__result *events, size_t max,
                      size_t *count, kube_error *err);
    const kube_list_meta *(*list_meta)(const kube__result_stream *results);
    void (*close)(kube__result_stream *results);
    size_t (*queued_peak)(const kube__result_stream *results); /* may be NULL */
};

/* Lists and watches one type through a client. */
typedef struct kube__client_list_watch {
    kube__list_watch source;
    kube_client *client;
    const kube_type *type;
} kube__client_list_watch;

void kube__client_list_watch_init(kube__client_list_watch *list_watch, kube_client *client,
                                  const kube_type *type);

#endif /* KUBE_CACHE_LIST_WATCH_H */
