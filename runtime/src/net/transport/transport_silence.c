/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What takes or is silent for too long (CFG-4). A peer may be dead behind a connection on which all
 * bytes are acknowledged: a stopped process, a proxy that lost its other side. An HTTP/1.1
 * connection ends with the exchange that gives up. One of HTTP/2 would be used on, by all calls.
 */
#include "base/units.h"
#include "exchange.h"

#include <kube/log.h>

enum { MAX_POLL_MS = 60000 };

/* When @x must have sent something; INT64_MAX = it need not. */
static int64_t silence_end(const kube__exchange *x)
{
    int64_t silence_ms = x->handler.silence_ms ? x->handler.silence_ms(x->arg) : 0;
    return silence_ms && x->sent && !x->paused ? x->active_ns + silence_ms * KUBE__NS_PER_MS
                                               : INT64_MAX;
}

/* When @x must have been answered; INT64_MAX = it need not. */
static int64_t limit_end(const kube__exchange *x)
{
    return x->limit_ns && !x->paused ? x->started_ns + x->limit_ns : INT64_MAX;
}

static int64_t cut_exchanges(kube__curl_transport *t, int64_t now, int64_t first)
{
    kube__exchange *next;
    for (kube__exchange *x = t->running; x; x = next) {
        int64_t silence = silence_end(x);
        int64_t limit = limit_end(x);
        int64_t end = silence < limit ? silence : limit;
        next = x->next;
        if (end <= now) {
            x->late = limit <= now;
            x->silent = !x->late;
            kube__exchange_end(x, CURLE_OPERATION_TIMEDOUT);
        } else if (end < first) {
            first = end;
        }
    }
    return first;
}

/* No other call takes @c, and what the kernel has not sent yet is never sent. */
static void leave(kube__curl_transport *t, kube__connection *c)
{
    kube__exchange *next;
    kube_log_warn("the connection to %s is dead: calls wait on it and nothing has come for %lld "
                  "ms; it is left, %zu of them with it",
                  t->config->authority, (long long)t->options.silence_ms, c->waiting);
    kube__sockets_cut_one(c->fd);
    for (kube__exchange *x = t->running; x; x = x->next)
        x->silent = x->connection == c;
    c->left = true;
    for (kube__exchange *x = t->running; x; x = next) { /* with the last of them @c may go */
        next = x->next;
        if (x->silent)
            kube__exchange_end(x, CURLE_OPERATION_TIMEDOUT);
    }
    if (t->options.dead)
        t->options.dead(t->options.arg);
}

static int64_t leave_dead(kube__curl_transport *t, int64_t now, int64_t first)
{
    int64_t limit = t->options.silence_ms * KUBE__NS_PER_MS;
    kube__connection *c = t->connections;
    while (c && limit) {
        int64_t left = limit - kube__connection_silence_ns(c, now);
        if (left <= 0) {
            leave(t, c);
            c = t->connections;
            continue;
        }
        if (c->waiting && now + left < first)
            first = now + left;
        c = c->next;
    }
    return first;
}

int kube__transport_cut_silent(kube__curl_transport *t)
{
    int64_t now = kube__exchange_now_ns();
    int64_t first = cut_exchanges(t, now, now + MAX_POLL_MS * KUBE__NS_PER_MS);
    first = leave_dead(t, now, first);
    first = kube__transport_fence_end(t, now, first);
    return (int)((first - now) / KUBE__NS_PER_MS + 1);
}
