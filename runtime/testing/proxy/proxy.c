/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread owns all sockets. What others want of it they write down under the lock, wake it by a
 * pipe, and wait until it has done so. It holds the lock but while it polls.
 */
#include "base/memory.h"
#include "base/thread.h"
#include "base/units.h"
#include "base/wait.h"
#include "rules.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FIRST_TUNNEL = 2 }; /* of the polled: before it the pipe and the listener */

struct kube_fault_proxy {
    kube__thread thread;
    kube__mutex mutex;
    kube__condition changed; /* statistics, or what was asked for is done */
    int wake[2];
    int listener;               /* -1 only when it could not be bound again */
    uint16_t port;              /* constant once it is started */
    struct sockaddr_in address; /* the same, to bind to */
    struct sockaddr_in target;
    kube__wire_rules rules;
    kube_fault_proxy_stats stats;
    kube__tunnel **tunnels;
    struct pollfd *polled; /* FIRST_TUNNEL + 2 a tunnel */
    size_t len;
    size_t capacity;
    /* what others want; asked counts their wishes, done those that were granted */
    uint64_t asked;
    uint64_t done;
    bool is_down;
    bool wanted_down;
    bool end_all;
    bool end_faulty;
    bool stop;
};

/* ---- listening ------------------------------------------------------------------------------ */

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Takes the port; who connects is refused until the socket listens. */
static bool bind_listener(kube_fault_proxy *proxy)
{
    socklen_t size = sizeof proxy->address;
    int one = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    proxy->listener = fd;
    return fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
           bind(fd, (struct sockaddr *)&proxy->address, size) == 0 &&
           getsockname(fd, (struct sockaddr *)&proxy->address, &size) == 0;
}

static bool begin_listening(kube_fault_proxy *proxy)
{
    if (proxy->listener < 0 && !bind_listener(proxy)) {
        close_fd(&proxy->listener);
        return false;
    }
    return listen(proxy->listener, 128) == 0;
}

/* The port stays ours: a socket that does not listen holds it. */
static void stop_listening(kube_fault_proxy *proxy)
{
    close_fd(&proxy->listener);
    if (!bind_listener(proxy))
        close_fd(&proxy->listener);
}

/* ---- connections ---------------------------------------------------------------------------- */

static bool reserve(kube_fault_proxy *proxy, size_t count)
{
    size_t capacity = proxy->capacity ? proxy->capacity : 8;
    kube__tunnel **tunnels;
    struct pollfd *polled;
    while (capacity < count)
        capacity *= 2;
    if (capacity == proxy->capacity)
        return true;
    tunnels = realloc(proxy->tunnels, capacity * sizeof *tunnels);
    if (!tunnels)
        return false;
    proxy->tunnels = tunnels;
    polled = realloc(proxy->polled, (FIRST_TUNNEL + 2 * capacity) * sizeof *polled);
    if (!polled)
        return false;
    proxy->polled = polled;
    proxy->capacity = capacity;
    return true;
}

static void accept_all(kube_fault_proxy *proxy)
{
    int fd;
    while ((fd = accept4(proxy->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
        kube__wire_plan plan = kube__wire_rules_draw(&proxy->rules);
        kube__tunnel *tunnel;
        proxy->stats.connections++;
        if (!reserve(proxy, proxy->len + 1)) {
            close(fd);
            continue;
        }
        tunnel = kube__tunnel_new(fd, &proxy->target, &plan, &proxy->stats);
        if (tunnel)
            proxy->tunnels[proxy->len++] = tunnel;
    }
}

static void drop(kube_fault_proxy *proxy, size_t index)
{
    kube__tunnel_free(proxy->tunnels[index]);
    proxy->tunnels[index] = proxy->tunnels[--proxy->len];
}

static void end_tunnels(kube_fault_proxy *proxy, bool faulty_only)
{
    for (size_t i = proxy->len; i-- > 0;) {
        if (!faulty_only || kube__tunnel_has_plan(proxy->tunnels[i]))
            drop(proxy, i);
    }
}

/* Who loses its connection finds nobody then: the listener goes first. */
static void obey(kube_fault_proxy *proxy)
{
    if (proxy->done == proxy->asked)
        return;
    if (proxy->wanted_down && !proxy->is_down)
        stop_listening(proxy);
    if (proxy->wanted_down || proxy->end_all || proxy->end_faulty)
        end_tunnels(proxy, !proxy->wanted_down && !proxy->end_all);
    if (!proxy->wanted_down && proxy->is_down && !begin_listening(proxy))
        proxy->wanted_down = true;
    proxy->is_down = proxy->wanted_down;
    proxy->end_all = false;
    proxy->end_faulty = false;
    proxy->done = proxy->asked;
}

/* ---- the thread ----------------------------------------------------------------------------- */

static int64_t now_ns(void)
{
    const kube_clock *clock = kube_clock_system();
    return clock->now_ns(clock);
}

#define LONGEST_WAIT_NS (60 * KUBE__NS_PER_S)

/* Writes down what to poll for; returns how long at most, -1 = for ever. */
static int prepare_poll(kube_fault_proxy *proxy)
{
    int64_t wake = INT64_MAX;
    int64_t left;
    proxy->polled[0] = (struct pollfd){.fd = proxy->wake[0], .events = POLLIN};
    proxy->polled[1] =
        (struct pollfd){.fd = proxy->is_down ? -1 : proxy->listener, .events = POLLIN};
    for (size_t i = 0; i < 2 * proxy->len; i++) {
        const kube__tunnel *tunnel = proxy->tunnels[i / 2];
        struct pollfd *polled = &proxy->polled[FIRST_TUNNEL + i];
        int64_t own = kube__tunnel_wake_ns(tunnel);
        polled->fd = kube__tunnel_interest(tunnel, (kube__tunnel_end)(i % 2), &polled->events);
        polled->revents = 0;
        wake = own < wake ? own : wake;
    }
    if (wake == INT64_MAX)
        return -1;
    left = wake - now_ns();
    return left <= 0
               ? 0
               : (int)((left < LONGEST_WAIT_NS ? left : LONGEST_WAIT_NS) / KUBE__NS_PER_MS + 1);
}

static void serve(kube_fault_proxy *proxy)
{
    int64_t now = now_ns();
    for (size_t i = proxy->len; i-- > 0;) { /* from the end: dropping one moves the last */
        const struct pollfd *polled = &proxy->polled[FIRST_TUNNEL + 2 * i];
        const short happened[2] = {polled[0].revents, polled[1].revents};
        if ((happened[0] || happened[1] || kube__tunnel_wake_ns(proxy->tunnels[i]) <= now) &&
            !kube__tunnel_serve(proxy->tunnels[i], happened, now, &proxy->stats))
            drop(proxy, i);
    }
}

static void empty_pipe(int fd)
{
    char bytes[64];
    while (read(fd, bytes, sizeof bytes) > 0)
        continue;
}

static void *run(void *arg)
{
    kube_fault_proxy *proxy = arg;
    kube__lock(&proxy->mutex);
    while (!proxy->stop) {
        int timeout = prepare_poll(proxy);
        size_t polled = FIRST_TUNNEL + 2 * proxy->len;
        int count;
        kube__unlock(&proxy->mutex);
        count = poll(proxy->polled, (nfds_t)polled, timeout);
        kube__lock(&proxy->mutex);
        if (count < 0) /* interrupted: nothing is known */
            continue;
        empty_pipe(proxy->wake[0]);
        serve(proxy);
        if (proxy->polled[1].revents)
            accept_all(proxy);
        obey(proxy);
        proxy->stats.open = proxy->len;
        kube__broadcast(&proxy->changed);
    }
    kube__unlock(&proxy->mutex);
    return NULL;
}

/* ---- life ----------------------------------------------------------------------------------- */

static kube_code look_up(const char *host, struct sockaddr_in *out, kube_error *err)
{
    const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    int failed = getaddrinfo(host, NULL, &hints, &found);
    if (failed)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "fault proxy: %s: %s", host,
                              gai_strerror(failed));
    memcpy(out, found->ai_addr, sizeof *out);
    freeaddrinfo(found);
    return KUBE_OK;
}

static kube_code no_start(const char *what, kube_error *err)
{
    return kube_error_set(err, KUBE_ERR_TRANSPORT, "fault proxy: %s: %s", what, strerror(errno));
}

/* All but lock and condition. */
static kube_code init(kube_fault_proxy *proxy, const kube_fault_proxy_options *options,
                      kube_error *err)
{
    const char *host = options->target_host ? options->target_host : "127.0.0.1";
    kube_code rc = look_up(host, &proxy->target, err);
    if (!rc)
        rc = look_up(options->host ? options->host : "127.0.0.1", &proxy->address, err);
    if (rc)
        return rc;
    proxy->target.sin_port = htons(options->target_port);
    proxy->address.sin_port = htons(options->port);
    proxy->rules.seed = options->seed ? options->seed : (uint64_t)now_ns() | 1;
    if (pipe2(proxy->wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return no_start("pipe", err);
    if (!begin_listening(proxy))
        return no_start("listen", err);
    proxy->port = ntohs(proxy->address.sin_port);
    if (!reserve(proxy, 1))
        return kube__no_memory(err, "a fault proxy");
    return kube__thread_start(&proxy->thread, "kube-proxy", run, proxy, err);
}

static void release(kube_fault_proxy *proxy)
{
    end_tunnels(proxy, false);
    close_fd(&proxy->listener);
    close_fd(&proxy->wake[0]);
    close_fd(&proxy->wake[1]);
    kube__wire_rules_clear(&proxy->rules);
    free(proxy->tunnels);
    free(proxy->polled);
    kube__condition_fini(&proxy->changed);
    kube__mutex_fini(&proxy->mutex);
    free(proxy);
}

kube_code kube_fault_proxy_start(const kube_fault_proxy_options *options, kube_fault_proxy **out,
                                 kube_error *err)
{
    kube_fault_proxy *proxy;
    kube_code rc;
    *out = NULL;
    if (!options)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "fault proxy: no options, which have to name a target_port");
    if (!options->target_port)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "fault proxy: target_port is not set");
    proxy = calloc(1, sizeof *proxy);
    if (!proxy)
        return kube__no_memory(err, "a fault proxy");
    rc = kube__mutex_init(&proxy->mutex, err);
    if (rc) {
        free(proxy);
        return rc;
    }
    rc = kube__condition_init(&proxy->changed, err);
    if (rc) {
        kube__mutex_fini(&proxy->mutex);
        free(proxy);
        return rc;
    }
    proxy->wake[0] = proxy->wake[1] = proxy->listener = -1;
    rc = init(proxy, options, err);
    if (rc)
        release(proxy);
    else
        *out = proxy;
    return rc;
}

static void wake_thread(kube_fault_proxy *proxy)
{
    ssize_t written = write(proxy->wake[1], "", 1);
    (void)written; /* a full pipe wakes as well */
}

void kube_fault_proxy_stop(kube_fault_proxy *proxy)
{
    if (!proxy)
        return;
    kube__lock(&proxy->mutex);
    proxy->stop = true;
    kube__unlock(&proxy->mutex);
    wake_thread(proxy);
    kube__thread_join(&proxy->thread);
    release(proxy);
}

uint16_t kube_fault_proxy_port(const kube_fault_proxy *proxy)
{
    return proxy->port;
}

uint64_t kube_fault_proxy_seed(const kube_fault_proxy *proxy)
{
    return proxy->rules.seed;
}

/* ---- wishes --------------------------------------------------------------------------------- */

kube_code kube_fault_proxy_add_rule(kube_fault_proxy *proxy, const kube_wire_rule *rule,
                                    kube_error *err)
{
    kube_code rc;
    kube__lock(&proxy->mutex);
    rc = kube__wire_rules_add(&proxy->rules, rule, err);
    kube__unlock(&proxy->mutex);
    return rc;
}

void kube_fault_proxy_clear_rules(kube_fault_proxy *proxy)
{
    kube__lock(&proxy->mutex);
    kube__wire_rules_clear(&proxy->rules);
    kube__unlock(&proxy->mutex);
}

/* With the lock held, after the wish was written down; gives the lock back. */
static void wait_until_done(kube_fault_proxy *proxy)
{
    uint64_t wish = ++proxy->asked;
    wake_thread(proxy);
    while (proxy->done < wish)
        kube__wait(&proxy->changed, &proxy->mutex);
    kube__unlock(&proxy->mutex);
}

void kube_fault_proxy_heal(kube_fault_proxy *proxy)
{
    kube__lock(&proxy->mutex);
    kube__wire_rules_clear(&proxy->rules);
    proxy->end_faulty = true;
    wait_until_done(proxy);
}

void kube_fault_proxy_end_connections(kube_fault_proxy *proxy)
{
    kube__lock(&proxy->mutex);
    proxy->end_all = true;
    wait_until_done(proxy);
}

void kube_fault_proxy_down(kube_fault_proxy *proxy)
{
    kube__lock(&proxy->mutex);
    proxy->wanted_down = true;
    wait_until_done(proxy);
}

void kube_fault_proxy_up(kube_fault_proxy *proxy)
{
    kube__lock(&proxy->mutex);
    proxy->wanted_down = false;
    wait_until_done(proxy);
}

void kube_fault_proxy_set_target_port(kube_fault_proxy *proxy, uint16_t port)
{
    kube__lock(&proxy->mutex);
    proxy->target.sin_port = htons(port);
    kube__unlock(&proxy->mutex);
}

/* ---- statistics ----------------------------------------------------------------------------- */

void kube_fault_proxy_get_stats(kube_fault_proxy *proxy, kube_fault_proxy_stats *stats)
{
    kube__lock(&proxy->mutex);
    *stats = proxy->stats;
    kube__unlock(&proxy->mutex);
}

kube_code kube_fault_proxy_wait_for_fault(kube_fault_proxy *proxy, kube_ctx *ctx,
                                          kube_wire_fault_kind kind, uint64_t count,
                                          kube_error *err)
{
    kube__wait_scope scope;
    kube_code rc = KUBE_OK;
    uint64_t seen;
    kube__wait_begin(&scope, ctx, &proxy->mutex, &proxy->changed, 0);
    kube__lock(&proxy->mutex);
    while ((seen = proxy->stats.faults[kind]) < count && kube__wait_step(&scope))
        continue;
    kube__unlock(&proxy->mutex);
    kube__wait_end(&scope);
    if (seen < count) {
        rc = kube_ctx_status(ctx, err);
        kube_error_prefix(err, "%s of connections: %llu of %llu", kube_wire_fault_kind_name(kind),
                          (unsigned long long)seen, (unsigned long long)count);
    }
    return rc;
}
