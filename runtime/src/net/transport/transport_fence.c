/* SPDX-License-Identifier: Apache-2.0 */
/* What a fence does to the exchanges of a transport. */
#include "exchange.h"

static void fence_changed(void *arg)
{
    kube__curl_transport *t = arg;
    kube__sockets_rearm(t->sockets);
    curl_multi_wakeup(t->multi);
}

void kube__transport_drop_fence(kube__curl_transport *t)
{
    if (t->fence) {
        kube__fence_unwatch(t->fence, &t->watcher);
        kube__sockets_unguard(t->sockets);
    }
    t->fence = NULL;
}

void kube__transport_take_fence(kube__curl_transport *t, kube_fence *fence)
{
    if (fence == t->fence)
        return;
    kube__transport_drop_fence(t);
    if (!fence)
        return;
    t->fence = fence;
    t->watcher = (kube__fence_watcher){.changed = fence_changed, .arg = t};
    kube__sockets_guard(t->sockets, fence);
    kube__fence_watch(fence, &t->watcher);
}

void kube__transport_cut_fenced(kube__curl_transport *t)
{
    kube__exchange *next;
    if (!t->fence || kube__fence_is_open(t->fence))
        return;
    kube__sockets_cut(t->sockets);
    for (kube__exchange *x = t->running; x; x = next) {
        next = x->next;
        if (kube__exchange_is_fenced_off(x))
            kube__exchange_fence_off(x);
    }
}

int64_t kube__transport_fence_end(const kube__curl_transport *t, int64_t now, int64_t first)
{
    int64_t left;
    if (!t->fence || !t->running)
        return first;
    left = kube__fence_left_ns(t->fence);
    return left > 0 && left < first - now ? now + left : first;
}
