/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a watch may be silent. A server that works sends bookmarks on it, in intervals of its
 * own; a watch counts as dead after two and a half of them.
 */
#ifndef KUBE_NET_BOOKMARKS_H
#define KUBE_NET_BOOKMARKS_H

#include "base/units.h"

typedef struct kube__bookmarks {
    int64_t last_ns; /* 0 = none has come */
    int64_t interval_ns;
} kube__bookmarks;

static inline void kube__bookmarks_saw(kube__bookmarks *b, int64_t now_ns)
{
    if (b->last_ns)
        b->interval_ns = now_ns - b->last_ns;
    b->last_ns = now_ns;
}

/* At least @least_ms. */
static inline int64_t kube__bookmarks_patience_ms(const kube__bookmarks *b, int64_t least_ms)
{
    int64_t patience_ms = b->interval_ns * 5 / 2 / KUBE__NS_PER_MS;
    return patience_ms > least_ms ? patience_ms : least_ms;
}

#endif /* KUBE_NET_BOOKMARKS_H */
