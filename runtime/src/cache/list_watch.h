/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a reflector gets its objects from: the client's feeds, or a script in a test. Mirrors
 * net/feed.h, one function each.
 */
#ifndef KUBE_CACHE_SOURCE_H
#define KUBE_CACHE_SOURCE_H

#include "net/client/feed.h"

typedef struct kube__source kube__source;
struct kube__source {
    kube_code (*open)(kube__source *source, kube_ctx *ctx, const kube__feed_options *options,
                      void **feed, kube_error *err);
    /* KUBE_ERR_TIMEOUT when @ctx's deadline passed: the feed can be asked again. */
    kube_code (*next)(void *feed, kube_ctx *ctx, kube__feed_event *events, size_t max,
                      size_t *count, kube_error *err);
    const kube_list_meta *(*list_meta)(const void *feed);
    void (*close)(void *feed);
    size_t (*queued_peak)(const void *feed); /* may be NULL */
};

/* The source of one type at a client. */
typedef struct kube__client_source {
    kube__source source;
    kube_client *client;
    const kube_type *type;
} kube__client_source;

void kube__client_source_init(kube__client_source *source, kube_client *client,
                              const kube_type *type);

#endif /* KUBE_CACHE_SOURCE_H */
