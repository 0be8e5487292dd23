/* SPDX-License-Identifier: Apache-2.0 */
#include "tunnel.h"

#include "base/units.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    LANE_BYTES = 64 * 1024,
    TURNS = 16,           /* pieces a lane moves before others have their turn */
    CUT_LINGER_MS = 1000, /* for an end to take what was sent before a cut */
    SLOW_BURST = 10,      /* a SLOW lane saves up no more than that part of a second */
};

typedef enum tunnel_state {
    CONNECTING,
    OPEN,
    HOLE,    /* KUBE_WIRE_BLACK_HOLE: there is no server's end */
    CUTTING, /* both ends were told; what they still send is thrown away */
    OVER,
} tunnel_state;

/* Bytes on the way from one end to the other. */
typedef struct lane {
    size_t start;
    size_t len; /* read and not handed on yet */
    uint64_t passed;
    bool ended;  /* the sender has said all */
    bool closed; /* the receiver knows */
    bool stalled;
    bool blocked;          /* the receiver takes nothing now */
    int64_t hold_until_ns; /* of DELAY and SLOW: not before */
    int64_t filled_ns;     /* of SLOW: when tokens were counted last */
    double tokens;
    char bytes[LANE_BYTES];
} lane;

struct kube__tunnel {
    int fds[2]; /* by end; -1 = none */
    tunnel_state state;
    kube__wire_plan plan;
    bool counted; /* the fault, in the statistics */
    int64_t close_at_ns;
    lane lanes[2]; /* by the end that sends */
};

void kube__tunnel_hurry(int fd)
{
    int one = 1;
    /* Without it small answers wait for the peer's acknowledgement. Refused on a socket that was
     * reset already, which is noticed when it is read. */
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

/* ---- ends ----------------------------------------------------------------------------------- */

static void close_end(kube__tunnel *t, kube__tunnel_end end, bool reset)
{
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    if (t->fds[end] < 0)
        return;
    if (reset)
        setsockopt(t->fds[end], SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(t->fds[end]);
    t->fds[end] = -1;
}

static void finish(kube__tunnel *t, bool reset)
{
    close_end(t, KUBE__TUNNEL_CLIENT, reset);
    close_end(t, KUBE__TUNNEL_SERVER, reset);
    t->state = OVER;
}

static kube__tunnel_end other(kube__tunnel_end end)
{
    return end == KUBE__TUNNEL_CLIENT ? KUBE__TUNNEL_SERVER : KUBE__TUNNEL_CLIENT;
}

static void pass_end_on(kube__tunnel *t, kube__tunnel_end from)
{
    if (!t->lanes[from].closed)
        shutdown(t->fds[other(from)], SHUT_WR);
    t->lanes[from].closed = true;
}

static bool begin_connect(kube__tunnel *t, const struct sockaddr_in *target)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    t->fds[KUBE__TUNNEL_SERVER] = fd;
    if (fd < 0)
        return false;
    kube__tunnel_hurry(fd);
    return (connect(fd, (const struct sockaddr *)target, sizeof *target) == 0 ||
            errno == EINPROGRESS);
}

/* ---- the fault ------------------------------------------------------------------------------ */

static void count_fault(kube__tunnel *t, kube_fault_proxy_stats *stats)
{
    if (!t->counted)
        stats->faults[t->plan.kind]++;
    t->counted = true;
}

static bool is_hit(const kube__tunnel *t, kube__tunnel_end from)
{
    return t->plan.any &&
           (t->plan.direction == KUBE_WIRE_BOTH ||
            (t->plan.direction == KUBE_WIRE_TO_SERVER) == (from == KUBE__TUNNEL_CLIENT));
}

/* The lane has passed its bytes and there is one more. */
static void happen(kube__tunnel *t, kube__tunnel_end from, int64_t now_ns,
                   kube_fault_proxy_stats *stats)
{
    count_fault(t, stats);
    switch (t->plan.kind) {
    case KUBE_WIRE_CUT:
        pass_end_on(t, KUBE__TUNNEL_CLIENT);
        pass_end_on(t, KUBE__TUNNEL_SERVER);
        t->state = CUTTING;
        t->close_at_ns = now_ns + CUT_LINGER_MS * KUBE__NS_PER_MS;
        break;
    case KUBE_WIRE_HALF_CLOSE:
        pass_end_on(t, from);
        break;
    case KUBE_WIRE_STALL:
        t->lanes[from].stalled = true;
        if (t->plan.direction == KUBE_WIRE_BOTH)
            t->lanes[other(from)].stalled = true;
        break;
    default:
        finish(t, true);
    }
}

/* How many of its bytes a SLOW lane may pass on now; sets when to ask again. */
static size_t slow_allowance(lane *l, uint64_t per_second, int64_t now_ns)
{
    double rate = (double)per_second;
    double most = rate / SLOW_BURST > 1 ? rate / SLOW_BURST : 1;
    double missing;
    l->tokens += l->filled_ns ? kube__ns_to_s(now_ns - l->filled_ns) * rate : 1;
    l->filled_ns = now_ns;
    if (l->tokens > most)
        l->tokens = most;
    if (l->tokens >= 1)
        return l->tokens < (double)l->len ? (size_t)l->tokens : l->len;
    missing = most / 2 > 1 ? most / 2 : 1; /* not byte by byte, where the rate is higher */
    l->hold_until_ns =
        now_ns + (int64_t)((missing - l->tokens) * (double)KUBE__NS_PER_S / rate) + 1;
    return 0;
}

/* How many of the bytes at hand may go on now. 0 also when the fault has happened. */
static size_t allowance(kube__tunnel *t, kube__tunnel_end from, int64_t now_ns,
                        kube_fault_proxy_stats *stats)
{
    lane *l = &t->lanes[from];
    uint64_t left;
    if (l->stalled)
        return 0;
    if (!is_hit(t, from))
        return l->len;
    switch (t->plan.kind) {
    case KUBE_WIRE_SLOW:
        count_fault(t, stats);
        return now_ns < l->hold_until_ns ? 0 : slow_allowance(l, t->plan.bytes_per_second, now_ns);
    case KUBE_WIRE_DELAY:
        count_fault(t, stats);
        return now_ns < l->hold_until_ns ? 0 : l->len;
    default:
        left = t->plan.after_bytes - l->passed;
        if (left == 0)
            happen(t, from, now_ns, stats);
        return left < l->len ? (size_t)left : l->len;
    }
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static bool is_for_later(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

/* Reads a piece into an empty lane. Returns false if nothing can be read now. */
static bool fill(kube__tunnel *t, kube__tunnel_end from, int64_t now_ns)
{
    lane *l = &t->lanes[from];
    ssize_t len;
    if (l->ended || l->stalled)
        return false;
    len = recv(t->fds[from], l->bytes, sizeof l->bytes, 0);
    if (len < 0) {
        if (!is_for_later())
            finish(t, true);
        return false;
    }
    if (len == 0) {
        l->ended = true;
        return false;
    }
    l->start = 0;
    l->len = (size_t)len;
    if (is_hit(t, from) && t->plan.kind == KUBE_WIRE_DELAY)
        l->hold_until_ns = now_ns + t->plan.delay_ms * KUBE__NS_PER_MS;
    return true;
}

/* Hands on what may go. False = nothing goes now. */
static bool drain(kube__tunnel *t, kube__tunnel_end from, int64_t now_ns,
                  kube_fault_proxy_stats *stats)
{
    lane *l = &t->lanes[from];
    size_t may = allowance(t, from, now_ns, stats);
    ssize_t sent;
    if (t->state != OPEN)
        return false;
    if (l->closed) { /* nobody takes them any more */
        l->len = 0;
        return true;
    }
    if (may == 0)
        return false;
    sent = send(t->fds[other(from)], l->bytes + l->start, may, MSG_NOSIGNAL);
    if (sent < 0) {
        l->blocked = is_for_later();
        if (!l->blocked)
            finish(t, true);
        return false;
    }
    l->start += (size_t)sent;
    l->len -= (size_t)sent;
    l->passed += (uint64_t)sent;
    l->tokens -= (double)sent;
    *(from == KUBE__TUNNEL_CLIENT ? &stats->bytes_to_server : &stats->bytes_to_client) +=
        (uint64_t)sent;
    return true;
}

static void pump(kube__tunnel *t, kube__tunnel_end from, int64_t now_ns,
                 kube_fault_proxy_stats *stats)
{
    lane *l = &t->lanes[from];
    l->blocked = false;
    for (int i = 0; i < TURNS && t->state == OPEN; i++) {
        if ((l->len == 0 && !fill(t, from, now_ns)) || !drain(t, from, now_ns, stats))
            break;
    }
    if (t->state == OPEN && l->ended && l->len == 0 && !l->stalled)
        pass_end_on(t, from);
}

/* Throws away what an end still sends after a cut. */
static void throw_away(kube__tunnel *t, kube__tunnel_end from)
{
    lane *l = &t->lanes[from];
    ssize_t len = 1;
    while (!l->ended && len > 0) {
        len = recv(t->fds[from], l->bytes, sizeof l->bytes, 0);
        if (len == 0 || (len < 0 && !is_for_later()))
            l->ended = true;
    }
}

/* ---- serving -------------------------------------------------------------------------------- */

static void connected(kube__tunnel *t)
{
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(t->fds[KUBE__TUNNEL_SERVER], SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error)
        finish(t, true);
    else
        t->state = OPEN;
}

static bool wants_to_read(const kube__tunnel *t, kube__tunnel_end from)
{
    const lane *l = &t->lanes[from];
    if (t->state == CUTTING)
        return !l->ended;
    return t->state == OPEN && !l->ended && !l->stalled && l->len == 0;
}

int kube__tunnel_interest(const kube__tunnel *t, kube__tunnel_end end, short *events)
{
    *events = 0;
    if (wants_to_read(t, end))
        *events |= POLLIN;
    if (t->state == CONNECTING ? end == KUBE__TUNNEL_SERVER
                               : t->state == OPEN && t->lanes[other(end)].blocked)
        *events |= POLLOUT;
    /* An end that has said all and was told all would be reported for ever. */
    return *events || !t->lanes[end].ended ? t->fds[end] : -1;
}

int64_t kube__tunnel_wake_ns(const kube__tunnel *t)
{
    int64_t wake = INT64_MAX;
    if (t->state == CUTTING)
        return t->close_at_ns;
    for (int i = 0; t->state == OPEN && i < 2; i++) {
        const lane *l = &t->lanes[i];
        if (l->len && !l->blocked && !l->stalled && l->hold_until_ns < wake)
            wake = l->hold_until_ns;
    }
    return wake;
}

/* Whether an end is gone for good although nobody wanted to hear of it. */
static bool is_lost(const kube__tunnel *t, const short happened[2])
{
    for (int i = 0; i < 2; i++) {
        short events;
        if (kube__tunnel_interest(t, (kube__tunnel_end)i, &events) >= 0 && !events &&
            (happened[i] & (POLLERR | POLLHUP | POLLNVAL)))
            return true;
    }
    return false;
}

bool kube__tunnel_serve(kube__tunnel *t, const short happened[2], int64_t now_ns,
                        kube_fault_proxy_stats *stats)
{
    if (is_lost(t, happened))
        finish(t, true);
    if (t->state == CONNECTING && happened[KUBE__TUNNEL_SERVER])
        connected(t);
    if (t->state == OPEN)
        pump(t, KUBE__TUNNEL_CLIENT, now_ns, stats);
    if (t->state == OPEN)
        pump(t, KUBE__TUNNEL_SERVER, now_ns, stats);
    if (t->state == CUTTING) {
        throw_away(t, KUBE__TUNNEL_CLIENT);
        throw_away(t, KUBE__TUNNEL_SERVER);
        if ((t->lanes[0].ended && t->lanes[1].ended) || now_ns >= t->close_at_ns)
            finish(t, false);
    }
    if (t->state == OPEN && t->lanes[0].closed && t->lanes[1].closed)
        finish(t, false);
    return t->state != OVER;
}

/* ---- life ----------------------------------------------------------------------------------- */

kube__tunnel *kube__tunnel_new(int client, const struct sockaddr_in *target,
                               const kube__wire_plan *plan, kube_fault_proxy_stats *stats)
{
    kube__tunnel *t = calloc(1, sizeof *t);
    if (!t) {
        close(client);
        return NULL;
    }
    t->fds[KUBE__TUNNEL_CLIENT] = client;
    t->fds[KUBE__TUNNEL_SERVER] = -1;
    t->plan = *plan;
    kube__tunnel_hurry(client);
    if (plan->any && plan->kind == KUBE_WIRE_REFUSE) {
        count_fault(t, stats);
        finish(t, false);
    } else if (plan->any && plan->kind == KUBE_WIRE_BLACK_HOLE) {
        count_fault(t, stats);
        t->state = HOLE;
    } else if (!begin_connect(t, target)) {
        finish(t, true);
    }
    if (t->state == OVER) {
        kube__tunnel_free(t);
        return NULL;
    }
    return t;
}

void kube__tunnel_free(kube__tunnel *t)
{
    if (!t)
        return;
    finish(t, false);
    free(t);
}

bool kube__tunnel_has_plan(const kube__tunnel *t)
{
    return t->plan.any;
}
