/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread carries all connections: it accepts, reads, sends. A second one handles the requests,
 * one after the other, so that one that takes long keeps nobody from asking whether the server
 * lives. A watch's wake, on any thread, and a request that has been handled only put their
 * connection on a list, at which the first thread looks when it is rung. A connection is closed at
 * the end of a turn, so that no event of the turn names one that is gone.
 */
#include "http.h"

#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/value/gzip.h"
#include "apiserver/watch/watch.h"
#include "base/ctx.h"
#include "base/text.h"
#include "dispatch.h"
#include "head.h"
#include "tls.h"
#include "worker.h"

#include <arpa/inet.h>
#include <errno.h>
#include <kube/log.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    BACKLOG = 1024,
    BLOCK = 64 << 10,        /* read, or made while it is sent, at once */
    EVENTS = 64,             /* looked at in one turn */
    MOST_FILLS = 16,         /* of one connection in a turn */
    MOST_LINGER = 4 << 20,   /* bytes that are read and dropped from who has been refused */
    MOST_BEYOND = 256 << 10, /* of too large a body, for the sake of the next request, as in Go */
    GZIP_FROM = 128 << 10,   /* as the real server */
};

typedef struct connection connection;

struct kube__api_http {
    kube_apiserver *server;
    kube__api_tls *tls;
    int listener;
    bool listening; /* not while there are no descriptors left */
    int epoll;
    int wake_up;
    uint16_t port;
    kube__thread thread;
    kube__api_worker worker;
    size_t handling;         /* connections that are the worker's now */
    kube__api_random random; /* of audit ids, which must not disturb those of objects */
    connection *connections;
    connection *closed; /* in this turn */
    kube__mutex mutex;  /* of the rest */
    connection *woken;
    bool stop;
};

typedef enum state {
    SHAKING,   /* hands, with TLS */
    IN_HEAD,   /* waits for a request, or the rest of its head */
    IN_BODY,   /* waits for the rest of its body */
    HANDLING,  /* is the worker's: nothing but its place in lists may be touched */
    ANSWERING, /* sends */
    LINGERING, /* has sent all, and lets the other end read it */
    CLOSED,
} state;

/* One socket; requests come one after the other, so it holds the one at hand. */
struct connection {
    kube__api_http *http;
    int socket_fd;
    uint32_t events; /* that epoll looks for */
    state state;
    kube__api_secure *secure;
    kube_ctx *who; /* holds peer, as long as the connection */
    kube__api_peer peer;
    bool peer_known;
    connection *next;
    connection *previous;
    /* received */
    kube__buffer in;
    size_t taken; /* of it */
    size_t seen;  /* of a head that is not whole */
    size_t dropped;
    /* the request */
    kube_ctx *ctx;
    kube__api_head head;
    kube__api_chunks chunks;
    uint64_t body_left; /* without chunks */
    size_t body_beyond; /* what is too large: dropped */
    bool body_too_large;
    bool body_is_broken;
    kube__buffer body;
    kube__api_request request;
    kube__api_response response;
    kube__api_job job;
    /* the answer */
    kube__buffer out; /* what is sent before the body goes on */
    size_t sent;      /* of it */
    size_t fed;       /* of the body */
    bool in_chunks;   /* of unknown length */
    bool ended;       /* nothing comes behind out */
    kube__api_gzip *gzip;
    char *block;   /* of a watch, or of what is compressed */
    bool watching; /* its watch may wake it */
    /* under the mutex */
    bool is_woken;
    connection *next_woken;
};

/* ---- the socket ----------------------------------------------------------------------------- */

static void close_now(connection *c)
{
    kube__api_http *http = c->http;
    if (c->state == CLOSED)
        return;
    c->state = CLOSED;
    if (c->previous)
        c->previous->next = c->next;
    else
        http->connections = c->next;
    if (c->next)
        c->next->previous = c->previous;
    c->next = http->closed;
    http->closed = c;
}

static void look_for(connection *c, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = c};
    if (c->events == events)
        return;
    if (epoll_ctl(c->http->epoll, EPOLL_CTL_MOD, c->socket_fd, &event))
        close_now(c);
    c->events = events;
}

/* Bytes; -1 = none now, and epoll looks for more; 0 = the end, or broken. */
static long receive(connection *c, char *out, size_t size)
{
    long got;
    if (c->secure) {
        got = kube__api_secure_read(c->secure, out, size);
        if (got == KUBE__SECURE_READS || got == KUBE__SECURE_WRITES) {
            look_for(c, (got == KUBE__SECURE_READS ? EPOLLIN : EPOLLOUT) | EPOLLRDHUP);
            return -1;
        }
        return got < 0 ? 0 : got;
    }
    got = recv(c->socket_fd, out, size, 0);
    if (got >= 0)
        return got;
    if (errno != EAGAIN && errno != EINTR)
        return 0;
    look_for(c, EPOLLIN | EPOLLRDHUP);
    return -1;
}

/* The same of what is sent; 0 = broken. While it waits, it does not read. */
static long transmit(connection *c, const char *data, size_t len)
{
    long sent;
    if (c->secure) {
        sent = kube__api_secure_write(c->secure, data, len);
        if (sent == KUBE__SECURE_READS || sent == KUBE__SECURE_WRITES) {
            look_for(c, sent == KUBE__SECURE_READS ? EPOLLIN : EPOLLOUT);
            return -1;
        }
        return sent < 0 ? 0 : sent;
    }
    sent = send(c->socket_fd, data, len, MSG_NOSIGNAL);
    if (sent > 0)
        return sent;
    if (errno != EAGAIN && errno != EINTR)
        return 0;
    look_for(c, EPOLLOUT);
    return -1;
}

/* ---- watches -------------------------------------------------------------------------------- */

static void ring(kube__api_http *http)
{
    uint64_t one = 1;
    /* It can only fail when it is ringing already. */
    ssize_t written = write(http->wake_up, &one, sizeof one);
    (void)written;
}

/* Any thread: there is something to read, or the request has been handled. */
static void wake(void *arg)
{
    connection *c = arg;
    kube__api_http *http = c->http;
    bool first = false;
    kube__lock(&http->mutex);
    if (!c->is_woken) {
        first = !http->woken;
        c->is_woken = true;
        c->next_woken = http->woken;
        http->woken = c;
    }
    kube__unlock(&http->mutex);
    if (first)
        ring(http);
}

static void forget_wake(connection *c)
{
    kube__api_http *http = c->http;
    kube__lock(&http->mutex);
    for (connection **link = &http->woken; c->is_woken && *link; link = &(*link)->next_woken) {
        if (*link == c) {
            *link = c->next_woken;
            break;
        }
    }
    c->is_woken = false;
    kube__unlock(&http->mutex);
}

static void end_watch(connection *c)
{
    if (c->response.watch)
        kube__api_watch_free(c->response.watch);
    c->response.watch = NULL;
    if (c->watching)
        forget_wake(c);
    c->watching = false;
}

/* ---- answers -------------------------------------------------------------------------------- */

/* Makes room for the next request. */
static void clear_request(connection *c)
{
    end_watch(c);
    kube__api_response_fini(&c->response);
    kube__api_gzip_free(c->gzip);
    c->gzip = NULL;
    free(c->block);
    c->block = NULL;
    kube__buffer_fini(&c->body);
    kube__buffer_fini(&c->out);
    kube_ctx_reset(c->ctx);
    c->sent = c->fed = 0;
    c->body_beyond = 0;
    c->body_too_large = false;
    c->body_is_broken = false;
    c->ended = false;
}

/* Whether one of a header's comma-separated words is @word, as it stands: the real server does not
 * look at weights, and takes "gzip;q=1" for another word. */
static bool names(const char *header, const char *word)
{
    size_t len = strlen(word);
    while (*header) {
        header += strspn(header, ", \t");
        size_t token = strcspn(header, ", \t");
        if (token == len && strncmp(header, word, len) == 0)
            return true;
        header += token;
        header += strcspn(header, ",");
    }
    return false;
}

static bool may_compress(const connection *c)
{
    if (!names(kube__api_header(&c->request, "accept-encoding"), "gzip"))
        return false;
    if (c->response.watch)
        return kube__api_query_is_true(&c->request, "sendInitialEvents");
    return c->response.body.len > GZIP_FROM;
}

static void add_header(connection *c, const char *name, const char *value)
{
    kube__buffer_add_text(&c->out, name);
    kube__buffer_add_text(&c->out, ": ");
    for (; *value; value++) /* what echoes a request's text stays in its line */
        kube__buffer_add(&c->out, *value == '\r' || *value == '\n' ? " " : value, 1);
    kube__buffer_add_text(&c->out, "\r\n");
}

static bool has_header(const kube__api_response *response, const char *name)
{
    for (size_t i = 0; i < response->header_count; i++)
        if (strcmp(response->headers[i].key, name) == 0)
            return true;
    return false;
}

static void add_headers(connection *c)
{
    const kube__api_response *r = &c->response;
    const char *asked = kube__api_header(&c->request, "audit-id");
    char audit_id[KUBE__UUID_SIZE];
    kube__api_random_uuid(&c->http->random, audit_id);
    add_header(c, "Audit-Id", *asked ? asked : audit_id);
    if (!has_header(r, "Cache-Control"))
        add_header(c, "Cache-Control", "no-cache, private");
    if (!r->content_type || *r->content_type)
        add_header(c, "Content-Type", r->content_type ? r->content_type : "application/json");
    for (size_t i = 0; i < r->header_count; i++)
        add_header(c, r->headers[i].key, r->headers[i].value);
}

static const char *reason_of(int status)
{
    static const struct {
        int status;
        const char *reason;
    } known[] = {
        {100, "Continue"},
        {200, "OK"},
        {201, "Created"},
        {202, "Accepted"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {406, "Not Acceptable"},
        {409, "Conflict"},
        {410, "Gone"},
        {413, "Request Entity Too Large"},
        {415, "Unsupported Media Type"},
        {417, "Expectation Failed"},
        {422, "Unprocessable Entity"},
        {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {501, "Not Implemented"},
        {503, "Service Unavailable"},
        {504, "Gateway Timeout"},
        {505, "HTTP Version Not Supported"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].status == status)
            return known[i].reason;
    return "status code";
}

static void begin_head(connection *c, int status)
{
    char date[64];
    struct tm now;
    time_t seconds = time(NULL);
    gmtime_r(&seconds, &now);
    strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &now);
    kube__buffer_printf(&c->out, "HTTP/1.1 %d %s\r\n", status, reason_of(status));
    add_header(c, "Date", date);
}

static void end_head(connection *c)
{
    if (!c->head.keep_alive)
        add_header(c, "Connection", "close");
    else if (c->head.is_1_0)
        add_header(c, "Connection", "keep-alive");
    kube__buffer_add_text(&c->out, "\r\n");
}

static void add_length(connection *c, size_t len)
{
    kube__buffer_printf(&c->out, "Content-Length: %zu\r\n", len);
}

/* Sets how the body is sent. Returns false if out of memory. */
static bool begin_body(connection *c)
{
    bool compressed = may_compress(c);
    bool streamed = compressed || c->response.watch;
    c->ended = strcmp(c->request.method, "HEAD") == 0;
    if (compressed) {
        add_header(c, "Content-Encoding", "gzip");
        add_header(c, "Vary", "Accept-Encoding");
        c->gzip = kube__api_gzip_new();
    }
    if (streamed)
        c->block = malloc(BLOCK);
    c->in_chunks = streamed && !c->head.is_1_0;
    if (c->in_chunks) {
        add_header(c, "Transfer-Encoding", "chunked");
    } else if (streamed) {
        c->head.keep_alive = false; /* its end is that of the connection */
    } else {
        add_length(c, c->response.body.len);
    }
    return (!compressed || c->gzip) && (!streamed || c->block);
}

/* What is wrong before there is a request, as Go puts it; the connection ends with it. */
static void refuse_request(connection *c, int status, const char *why)
{
    static const char form[] = "%d %s: %s";
    clear_request(c);
    c->head.keep_alive = false;
    c->request = (kube__api_request){.ctx = c->ctx, .method = ""};
    c->state = ANSWERING;
    c->in_chunks = false;
    c->ended = true;
    begin_head(c, status);
    add_header(c, "Content-Type", "text/plain; charset=utf-8");
    add_length(c, (size_t)snprintf(NULL, 0, form, status, reason_of(status), why));
    end_head(c);
    kube__buffer_printf(&c->out, form, status, reason_of(status), why);
    if (c->out.failed)
        close_now(c);
}

/* A page from elsewhere may reach us where no token is asked for, but not by our name. */
static bool is_foreign(const connection *c)
{
    const char *host = kube__api_header(&c->request, "host");
    return !c->http->tls && *host && !kube__host_is_ours(host, "");
}

static void refuse_foreign(connection *c)
{
    kube__api_failure *failure =
        kube__api_fail(c->ctx, 403, "Forbidden", "the Host of the request is not this machine");
    failure->plain_text = true;
    kube__api_respond_failure(c->ctx, &c->response, failure);
}

/* A connection shows its certificate once. */
static void know_peer(connection *c)
{
    if (c->peer_known || !c->secure)
        return;
    kube_ctx_reset(c->who); /* of a try that had no memory */
    c->peer = (kube__api_peer){0};
    kube__api_secure_peer(c->who, c->secure, &c->peer);
    c->peer_known = !kube_ctx_failed(c->who);
    if (!c->peer_known)
        kube__ctx_fail(c->ctx, 0); /* not known, which is not unknown to the server */
}

/* The connection closes where it cannot be answered. */
static void begin_answer(connection *c)
{
    c->state = ANSWERING;
    if (c->response.drop) {
        close_now(c);
        return;
    }
    begin_head(c, c->response.http_status);
    add_headers(c);
    if (!begin_body(c)) {
        close_now(c);
        return;
    }
    end_head(c);
    if (c->ended)
        end_watch(c);
    if (c->response.watch) {
        c->watching = true;
        kube__api_watch_on_readable(c->response.watch, wake, c);
    }
    if (c->out.failed)
        close_now(c);
}

/* The worker's. */
static void handle(kube__api_job *job)
{
    connection *c = (connection *)((char *)job - offsetof(connection, job));
    const kube__api_message message = {
        .target = c->head.target,
        .peer = &c->peer,
        .body_too_large = c->body_too_large,
        .body_is_broken = c->body_is_broken,
    };
    kube__api_dispatch(c->http->server, &c->request, &message, &c->response);
    wake(c);
}

/* epoll would tell of a peer that has gone again and again, and nothing can be done about it. */
static void hand_over(connection *c)
{
    epoll_ctl(c->http->epoll, EPOLL_CTL_DEL, c->socket_fd, NULL);
    c->events = 0;
    c->state = HANDLING;
    c->http->handling++;
    c->job.run = handle;
    kube__api_worker_put(&c->http->worker, &c->job);
}

/* The next connections see another certificate, if a fault asked for it. */
static void renew_certificate(const connection *c)
{
    kube_error err;
    if (c->response.renew_certificate && c->http->tls && kube__api_tls_renew(c->http->tls, &err))
        kube_log_warn("%s", err.message);
}

/* The request has been handled. */
static void take_back(connection *c)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.ptr = c};
    c->http->handling--;
    c->events = event.events;
    renew_certificate(c);
    begin_answer(c);
    if (c->state != CLOSED && epoll_ctl(c->http->epoll, EPOLL_CTL_ADD, c->socket_fd, &event))
        close_now(c);
}

/* The request is there. */
static void answer(connection *c)
{
    kube__api_message message = {.target = c->head.target, .peer = &c->peer};
    know_peer(c);
    c->request.body = c->body.len ? c->body.data : "";
    c->request.body_len = c->body.len;
    if (kube_ctx_failed(c->ctx) || c->body.failed) {
        close_now(c);
        return;
    }
    if (is_foreign(c)) {
        refuse_foreign(c);
    } else if (strcmp(c->head.target, "*") == 0 && strcmp(c->head.method, "OPTIONS") == 0) {
        c->response = (kube__api_response){.http_status = 200, .content_type = ""};
    } else if (!c->http->handling ||
               !kube__api_dispatch_health(&c->request, &message, &c->response)) {
        hand_over(c);
        return;
    }
    begin_answer(c);
}

/* ---- sending -------------------------------------------------------------------------------- */

static void put_part(connection *c, const char *data, size_t len)
{
    if (c->in_chunks)
        kube__buffer_printf(&c->out, "%zx\r\n", len);
    kube__buffer_add(&c->out, data, len);
    if (c->in_chunks)
        kube__buffer_add_text(&c->out, "\r\n");
}

static void put_end(connection *c)
{
    c->ended = true;
    if (c->in_chunks)
        kube__buffer_add_text(&c->out, "0\r\n\r\n");
}

/* What the compressor makes of what it was fed. */
static bool put_compressed(connection *c)
{
    char part[BLOCK];
    size_t len = kube__api_gzip_read(c->gzip, part, sizeof part);
    if (len)
        put_part(c, part, len);
    return len > 0;
}

/* Each batch of a watch's events is a member: whoever reads them need not wait for the next.
 * Returns false if nothing is to be sent now. */
static bool put_events(connection *c)
{
    long got;
    if (c->gzip && put_compressed(c))
        return true;
    got = kube__api_watch_read(c->response.watch, c->block, BLOCK);
    if (got < 0)
        put_end(c);
    else if (got && c->gzip)
        kube__api_gzip_feed(c->gzip, c->block, (size_t)got, true);
    else if (got)
        put_part(c, c->block, (size_t)got);
    return got != 0;
}

static void put_body(connection *c)
{
    const kube__buffer *body = &c->response.body;
    size_t left = body->len - c->fed;
    size_t piece = left < BLOCK ? left : BLOCK;
    if (put_compressed(c))
        return;
    if (!left) {
        put_end(c);
        return;
    }
    c->fed += piece;
    kube__api_gzip_feed(c->gzip, body->data + c->fed - piece, piece, c->fed == body->len);
}

/* Sends what is in out; false when the socket takes no more. */
static bool flush(connection *c)
{
    while (c->sent < c->out.len) {
        long sent = transmit(c, c->out.data + c->sent, c->out.len - c->sent);
        if (!sent)
            close_now(c);
        if (sent <= 0)
            return false;
        c->sent += (size_t)sent;
    }
    kube__buffer_reset(&c->out);
    c->sent = 0;
    return true;
}

/* Sends a body of known length from where it lies. */
static bool flush_body(connection *c)
{
    const kube__buffer *body = &c->response.body;
    while (c->fed < body->len) {
        long sent = transmit(c, body->data + c->fed, body->len - c->fed);
        if (!sent)
            close_now(c);
        if (sent <= 0)
            return false;
        c->fed += (size_t)sent;
    }
    c->ended = true;
    return true;
}

/* The other end reads the answer before it sees that we closed: what it still sends is read. */
static void linger(connection *c)
{
    clear_request(c);
    kube__buffer_fini(&c->in);
    c->state = LINGERING;
    if (c->secure)
        kube__api_secure_end(c->secure);
    shutdown(c->socket_fd, SHUT_WR);
}

/* A watch without news needs no memory, and only hang-ups interest it. */
static void sleep_until_woken(connection *c)
{
    kube__buffer_fini(&c->out);
    if (c->taken == c->in.len) {
        kube__buffer_fini(&c->in);
        c->taken = 0;
    }
    look_for(c, EPOLLRDHUP);
}

/* Sends as much as there is and the socket takes. */
static void send_answer(connection *c)
{
    while (c->state == ANSWERING && flush(c)) {
        if (c->ended) {
            if (!c->head.keep_alive) {
                linger(c);
                return;
            }
            clear_request(c);
            c->state = IN_HEAD;
        } else if (c->response.watch) {
            if (!put_events(c)) {
                sleep_until_woken(c);
                return;
            }
        } else if (c->gzip) {
            put_body(c);
        } else if (!flush_body(c)) {
            return;
        }
        if (c->out.failed)
            close_now(c);
    }
}

/* ---- receiving ------------------------------------------------------------------------------ */

static const char *unread(const connection *c, size_t *len)
{
    *len = c->in.len - c->taken;
    return *len ? c->in.data + c->taken : "";
}

static void take(connection *c, size_t len)
{
    c->taken += len;
    if (c->taken < c->in.len)
        return;
    kube__buffer_reset(&c->in);
    c->taken = 0;
}

/* Receives more; false when there is nothing now, or never. */
static bool fill(connection *c)
{
    size_t left;
    const char *rest = unread(c, &left);
    char *room;
    long got;
    if (c->taken) { /* whole requests have been taken, so this is little */
        memmove(c->in.data, rest, left);
        c->in.len = left;
        c->taken = 0;
    }
    room = kube__buffer_reserve(&c->in, BLOCK);
    got = room ? receive(c, room, BLOCK) : 0;
    if (got > 0)
        c->in.len += (size_t)got;
    else if (!got)
        close_now(c);
    else if (!c->in.len)
        kube__buffer_fini(&c->in); /* may wait for long */
    return got > 0;
}

/* Answers before the body has come, or all of it: the connection ends with that. */
static void give_up_body(connection *c)
{
    c->head.keep_alive = false;
    answer(c);
}

static void begin_request(connection *c)
{
    size_t beyond = c->head.wants_continue ? 0 : MOST_BEYOND;
    c->request = (kube__api_request){
        .ctx = c->ctx,
        .method = c->head.method,
        .headers = c->head.headers,
    };
    kube__api_response_init(&c->response);
    kube__buffer_init(&c->body, KUBE__API_MAX_BODY);
    c->chunks = (kube__api_chunks){0};
    c->body_left = c->head.length;
    c->state = IN_BODY;
    c->body_too_large = c->head.length > KUBE__API_MAX_BODY + beyond;
    if (c->body_too_large) {
        give_up_body(c);
    } else if (c->head.wants_continue) {
        static const char goes_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
        /* Nothing is being sent, so that the socket takes it. */
        if (transmit(c, goes_on, sizeof goes_on - 1) != (long)sizeof goes_on - 1)
            close_now(c);
    }
}

/* Returns false if more must come. */
static bool read_head(connection *c)
{
    size_t len;
    const char *text = unread(c, &len);
    size_t head = kube__api_head_end(text, len, &c->seen);
    const char *why;
    int status;
    if (!head && len <= KUBE__API_MAX_HEAD)
        return false;
    c->seen = 0;
    if (!head || head > KUBE__API_MAX_HEAD) {
        refuse_request(c, 431, "the head is too large");
        return true;
    }
    status = kube__api_head_read(c->ctx, text, head, &c->head, &why);
    take(c, head);
    if (status == 500)
        close_now(c);
    else if (status)
        refuse_request(c, status, why);
    else
        begin_request(c);
    return true;
}

static void add_to_body(connection *c, const char *data, size_t len)
{
    if (len > KUBE__API_MAX_BODY - c->body.len)
        c->body_too_large = true;
    if (c->body_too_large) {
        kube__buffer_reset(&c->body);
        c->body_beyond += len;
    } else if (len) {
        kube__buffer_add(&c->body, data, len);
    }
}

/* Both return false if more must come. */
static bool read_plain_body(connection *c)
{
    size_t len;
    const char *text = unread(c, &len);
    if (len > c->body_left)
        len = (size_t)c->body_left;
    add_to_body(c, text, len);
    c->body_left -= len;
    take(c, len);
    if (!c->body_left)
        answer(c);
    return !c->body_left;
}

static bool read_chunks(connection *c)
{
    size_t len;
    size_t taken;
    size_t part;
    const char *text = unread(c, &len);
    switch (kube__api_chunks_read(&c->chunks, text, len, &taken, &part)) {
    case KUBE__CHUNK_MORE:
        return false;
    case KUBE__CHUNK_PART:
        add_to_body(c, text + taken - part, part);
        take(c, taken);
        if (c->body_beyond > MOST_BEYOND)
            give_up_body(c);
        return true;
    case KUBE__CHUNK_LAST:
        take(c, taken);
        answer(c);
        return true;
    default:
        /* Where the next request begins, nobody knows. */
        c->body_is_broken = true;
        give_up_body(c);
        return true;
    }
}

static void drop_what_comes(connection *c)
{
    char room[4096];
    long got;
    while ((got = receive(c, room, sizeof room)) > 0 && c->dropped < MOST_LINGER)
        c->dropped += (size_t)got;
    if (got >= 0)
        close_now(c);
}

static void shake_hands(connection *c)
{
    int rc = kube__api_secure_shake(c->secure);
    if (rc == KUBE__SECURE_BROKEN)
        close_now(c);
    else if (rc)
        look_for(c, (rc == KUBE__SECURE_READS ? EPOLLIN : EPOLLOUT) | EPOLLRDHUP);
    else
        c->state = IN_HEAD;
}

/* Goes on until it waits for the other end, or has read much: then it is the turn of others. What
 * is left is in the socket, which epoll sees. */
static void go_on(connection *c)
{
    int fills = 0;
    for (;;) {
        state before = c->state;
        bool enough = true;
        if (before == SHAKING)
            shake_hands(c);
        else if (before == IN_HEAD)
            enough = read_head(c);
        else if (before == IN_BODY)
            enough = c->head.chunked ? read_chunks(c) : read_plain_body(c);
        else if (before == ANSWERING)
            send_answer(c);
        else if (before == LINGERING)
            drop_what_comes(c);
        if (!enough && fills++ == MOST_FILLS)
            look_for(c, EPOLLIN | EPOLLRDHUP);
        if (c->state == CLOSED || (!enough && (fills > MOST_FILLS || !fill(c))))
            return;
        if (enough && c->state == before && before != IN_BODY)
            return;
    }
}

/* ---- connections ---------------------------------------------------------------------------- */

static void connection_free(connection *c)
{
    if (c->ctx)
        clear_request(c);
    kube__buffer_fini(&c->in);
    kube__api_secure_free(c->secure);
    close(c->socket_fd);
    kube_ctx_free(c->ctx);
    kube_ctx_free(c->who);
    free(c);
}

static bool listen_again(kube__api_http *http)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &http->listener};
    http->listening =
        http->listening || !epoll_ctl(http->epoll, EPOLL_CTL_ADD, http->listener, &event);
    return http->listening;
}

static void free_closed(kube__api_http *http)
{
    while (http->closed) {
        connection *c = http->closed;
        http->closed = c->next;
        connection_free(c);
        listen_again(http);
    }
}

static connection *connection_new(kube__api_http *http, int socket_fd)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP};
    connection *c = calloc(1, sizeof *c);
    if (!c) {
        close(socket_fd);
        return NULL;
    }
    event.data.ptr = c;
    c->http = http;
    c->socket_fd = socket_fd;
    c->events = event.events;
    c->state = http->tls ? SHAKING : IN_HEAD;
    c->ctx = kube_ctx_new();
    c->who = kube_ctx_new();
    c->secure = http->tls ? kube__api_secure_new(http->tls, socket_fd) : NULL;
    kube__buffer_init(&c->in, SIZE_MAX / 4);
    kube__buffer_init(&c->out, SIZE_MAX / 4);
    if (!c->ctx || !c->who || (http->tls && !c->secure) ||
        epoll_ctl(http->epoll, EPOLL_CTL_ADD, socket_fd, &event)) {
        connection_free(c);
        return NULL;
    }
    c->next = http->connections;
    if (c->next)
        c->next->previous = c;
    http->connections = c;
    return c;
}

/* Takes all who wait at the door. */
static void accept_all(kube__api_http *http)
{
    int on = 1;
    for (;;) {
        int fd = accept4(http->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        connection *c;
        if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) {
            epoll_ctl(http->epoll, EPOLL_CTL_DEL, http->listener, NULL);
            http->listening = false; /* until a connection is closed */
        }
        if (fd < 0 && (errno == ECONNABORTED || errno == EINTR))
            continue;
        if (fd < 0)
            return;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        c = connection_new(http, fd);
        if (c)
            go_on(c);
    }
}

/* A client that hung up wants no more of a watch; another answer it may still read. */
static void see_event(connection *c, uint32_t events)
{
    bool hung_up = events & (EPOLLHUP | EPOLLERR);
    if (c->state == CLOSED || c->state == HANDLING)
        return;
    if (hung_up || (c->watching && events & EPOLLRDHUP))
        close_now(c);
    else
        go_on(c);
}

static connection *next_woken(kube__api_http *http)
{
    connection *c;
    kube__lock(&http->mutex);
    c = http->woken;
    if (c) {
        http->woken = c->next_woken;
        c->is_woken = false;
    }
    kube__unlock(&http->mutex);
    return c;
}

static void go_on_woken(kube__api_http *http)
{
    connection *c;
    while ((c = next_woken(http))) {
        bool is_handled = c->state == HANDLING;
        if (is_handled)
            take_back(c);
        if (is_handled || (c->watching && c->sent == c->out.len))
            go_on(c);
    }
}

/* ---- the thread ----------------------------------------------------------------------------- */

/* True when the server is to stop. */
static bool take_wake_up(kube__api_http *http)
{
    uint64_t count;
    bool stop;
    ssize_t got = read(http->wake_up, &count, sizeof count);
    (void)got;
    kube__lock(&http->mutex);
    stop = http->stop;
    kube__unlock(&http->mutex);
    return stop;
}

/* Waits for something to do, and does it; false when the server is to stop. */
static bool take_turn(kube__api_http *http)
{
    struct epoll_event events[EVENTS];
    int count = epoll_wait(http->epoll, events, EVENTS, -1);
    bool stop = false;
    for (int i = 0; i < count; i++) {
        void *who = events[i].data.ptr;
        if (who == &http->wake_up)
            stop = take_wake_up(http);
        else if (who == &http->listener)
            accept_all(http);
        else
            see_event(who, events[i].events);
    }
    go_on_woken(http);
    free_closed(http);
    return !stop;
}

/* Watches, which have ended by now, end in order as far as the sockets take it without waiting. */
static void end_connections(kube__api_http *http)
{
    connection *c = http->connections;
    while (c) {
        connection *next = c->next;
        if (c->watching)
            go_on(c);
        close_now(c);
        c = next;
    }
    free_closed(http);
}

static void *run(void *arg)
{
    kube__api_http *http = arg;
    while (take_turn(http))
        continue;
    kube__api_worker_stop(&http->worker);
    end_connections(http);
    return NULL;
}

/* ---- start and stop ------------------------------------------------------------------------- */

static kube_code listen_on(kube__api_http *http, uint16_t port, kube_error *err)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    socklen_t len = sizeof address;
    int on = 1;
    http->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (http->listener < 0 ||
        setsockopt(http->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
        bind(http->listener, (const struct sockaddr *)&address, sizeof address) ||
        listen(http->listener, BACKLOG) ||
        getsockname(http->listener, (struct sockaddr *)&address, &len))
        return kube_error_set(err, KUBE_ERR_CONFIG, "listen on 127.0.0.1:%u: %s", port,
                              strerror(errno));
    http->port = ntohs(address.sin_port);
    return KUBE_OK;
}

static kube_code start_waiting(kube__api_http *http, kube_error *err)
{
    struct epoll_event bell = {.events = EPOLLIN, .data.ptr = &http->wake_up};
    http->epoll = epoll_create1(EPOLL_CLOEXEC);
    http->wake_up = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (http->epoll < 0 || http->wake_up < 0 || !listen_again(http) ||
        epoll_ctl(http->epoll, EPOLL_CTL_ADD, http->wake_up, &bell))
        return kube_error_set(err, KUBE_ERR_CONFIG, "wait for connections: %s", strerror(errno));
    return KUBE_OK;
}

static void http_free(kube__api_http *http)
{
    const int files[] = {http->listener, http->epoll, http->wake_up};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i] >= 0)
            close(files[i]);
    kube__mutex_fini(&http->mutex);
    free(http);
}

static kube_code start_threads(kube__api_http *http, kube_error *err)
{
    kube_code rc = kube__api_worker_start(&http->worker, err);
    if (rc)
        return rc;
    rc = kube__thread_start(&http->thread, "kube-apiserver", run, http, err);
    if (rc)
        kube__api_worker_stop(&http->worker);
    return rc;
}

kube_code kube__api_http_start(kube_apiserver *server, uint16_t port, kube__api_tls *tls,
                               kube__api_http **out, kube_error *err)
{
    kube__api_http *http = calloc(1, sizeof *http);
    kube_code rc;
    *out = NULL;
    if (!http)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "start the http server: out of memory");
    rc = kube__mutex_init(&http->mutex, err);
    if (rc) {
        free(http);
        return rc;
    }
    http->server = server;
    http->tls = tls;
    http->listener = -1;
    http->epoll = -1;
    http->wake_up = -1;
    kube__api_random_init(&http->random, ~server->options.seed);
    rc = listen_on(http, port, err);
    if (!rc)
        rc = start_waiting(http, err);
    if (!rc)
        rc = start_threads(http, err);
    if (rc)
        http_free(http);
    else
        *out = http;
    return rc;
}

uint16_t kube__api_http_port(const kube__api_http *http)
{
    return http->port;
}

void kube__api_http_stop(kube__api_http *http)
{
    if (!http)
        return;
    kube__lock(&http->mutex);
    http->stop = true;
    kube__unlock(&http->mutex);
    ring(http);
    kube__thread_join(&http->thread);
    http_free(http);
}
