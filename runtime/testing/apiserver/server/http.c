/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library is driven by a thread of ours, so it needs no locks: a watch's wake only puts its
 * connection on a list, and all else (suspend, resume, read, free) happens in that thread. A wake
 * between a read that found nothing and the suspend is therefore not lost: the list is looked at
 * afterwards.
 */
#include "http.h"

#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/value/gzip.h"
#include "apiserver/watch/watch.h"
#include "base/ascii.h"
#include "base/ctx.h"
#include "base/text.h"
#include "dispatch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MEMORY_OF_CONNECTION = 128 << 10, /* head, and what is read or sent at once */
    MEMORY_STEP = 16 << 10,
    MAX_CONNECTIONS = 1 << 16,
    BACKLOG = 1024,
    BLOCK = 64 << 10,      /* of what is made while it is sent */
    EVENTS = 64,           /* looked at in one turn */
    LAST_TURNS = 64,       /* for watches to send their ends when the server stops */
    GZIP_FROM = 128 << 10, /* as the real server */
};

struct kube__api_http {
    kube_apiserver *server;
    kube__api_tls *tls;
    struct MHD_Daemon *daemon;
    int listener;
    int epoll; /* the library's own, the wake-up, and all sockets for hang-ups */
    int wake_up;
    uint16_t port;
    kube__thread thread;
    kube__api_random random;    /* of audit ids, which must not disturb those of objects */
    struct connection *watches; /* that are open */
    bool stopping;              /* set by the thread itself */
    kube__mutex mutex;          /* of the rest */
    struct connection *woken;
    bool stop;
};

/* One socket; requests come one after the other, so it holds the one at hand. */
typedef struct connection {
    kube__api_http *http;
    struct MHD_Connection *handle;
    kube_ctx *who; /* holds peer, as long as the connection */
    kube__api_peer peer;
    bool peer_known;
    /* the request */
    kube_ctx *ctx;
    const char *target;
    bool begun;
    bool body_too_large;
    kube__buffer body;
    kube__api_request request;
    kube__api_response response;
    /* an answer that is made while it is sent */
    kube__api_gzip *gzip;
    size_t fed;    /* of the body */
    char *events;  /* of a watch, until they are compressed */
    bool watching; /* on the list of watches */
    bool suspended;
    unsigned nudges; /* of the library, which has not noticed that it is hung up */
    bool hung_up;
    struct connection *next;
    struct connection *previous;
    /* under the mutex */
    bool is_woken;
    struct connection *next_woken;
} connection;

/* ---- watches -------------------------------------------------------------------------------- */

static void ring(kube__api_http *http)
{
    uint64_t one = 1;
    /* It can only fail when it is ringing already. */
    ssize_t written = write(http->wake_up, &one, sizeof one);
    (void)written;
}

/* Any thread: there is something to read. */
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

static void resume(connection *c)
{
    if (!c->suspended)
        return;
    c->suspended = false;
    MHD_resume_connection(c->handle);
}

static void resume_woken(kube__api_http *http)
{
    connection *c;
    kube__lock(&http->mutex);
    c = http->woken;
    http->woken = NULL;
    for (; c; c = c->next_woken) {
        c->is_woken = false;
        resume(c);
    }
    kube__unlock(&http->mutex);
}

static void forget_wake(connection *c)
{
    kube__api_http *http = c->http;
    kube__lock(&http->mutex);
    for (connection **link = &http->woken; *link; link = &(*link)->next_woken) {
        if (*link == c) {
            *link = c->next_woken;
            break;
        }
    }
    c->is_woken = false;
    kube__unlock(&http->mutex);
}

static void begin_watch(connection *c)
{
    kube__api_http *http = c->http;
    c->watching = true;
    c->next = http->watches;
    if (c->next)
        c->next->previous = c;
    http->watches = c;
    kube__api_watch_on_readable(c->response.watch, wake, c);
}

static void end_watch(connection *c)
{
    if (c->response.watch)
        kube__api_watch_free(c->response.watch);
    c->response.watch = NULL;
    if (!c->watching)
        return;
    forget_wake(c);
    if (c->previous)
        c->previous->next = c->next;
    else
        c->http->watches = c->next;
    if (c->next)
        c->next->previous = c->previous;
    c->next = NULL;
    c->previous = NULL;
    c->watching = false;
}

/* What a read returned, as the library wants it. */
static ssize_t delivered(connection *c, long len)
{
    if (len > 0)
        return (ssize_t)len;
    if (len < 0 || c->http->stopping)
        return MHD_CONTENT_READER_END_OF_STREAM;
    c->suspended = true;
    MHD_suspend_connection(c->handle);
    return 0;
}

static ssize_t read_watch(void *arg, uint64_t at, char *out, size_t size)
{
    connection *c = arg;
    (void)at;
    if (c->hung_up)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    return delivered(c, kube__api_watch_read(c->response.watch, out, size));
}

/* Each batch of events is a member: whoever reads them need not wait for the next. */
static ssize_t read_compressed_watch(void *arg, uint64_t at, char *out, size_t size)
{
    connection *c = arg;
    (void)at;
    if (c->hung_up)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    for (;;) {
        size_t len = kube__api_gzip_read(c->gzip, out, size);
        if (len)
            return (ssize_t)len;
        long got = kube__api_watch_read(c->response.watch, c->events, BLOCK);
        if (got <= 0)
            return delivered(c, got);
        kube__api_gzip_feed(c->gzip, c->events, (size_t)got, true);
    }
}

/* ---- requests ------------------------------------------------------------------------------- */

/* Makes room for the next request. */
static void clear_request(connection *c)
{
    end_watch(c);
    kube__api_response_fini(&c->response);
    kube__api_gzip_free(c->gzip);
    c->gzip = NULL;
    free(c->events);
    c->events = NULL;
    kube__buffer_fini(&c->body);
    kube_ctx_reset(c->ctx);
    c->target = NULL;
    c->begun = false;
    c->body_too_large = false;
    c->fed = 0;
}

static connection *connection_of(struct MHD_Connection *handle)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* Before the head is parsed: the only chance to see the target as it was sent. */
static void *see_target(void *arg, const char *target, struct MHD_Connection *handle)
{
    connection *c = connection_of(handle);
    (void)arg;
    if (c)
        c->target = kube_ctx_strdup(c->ctx, target);
    return c;
}

typedef struct header_list {
    kube_ctx *ctx;
    kube__api_pair *items;
    size_t len;
    size_t max;
} header_list;

static enum MHD_Result add_header(void *arg, enum MHD_ValueKind kind, const char *name,
                                  const char *value)
{
    header_list *list = arg;
    (void)kind;
    if (list->len == list->max)
        return MHD_NO;
    list->items[list->len++] = (kube__api_pair){
        .key = kube__api_lower(list->ctx, name),
        .value = kube_ctx_strdup(list->ctx, kube__text_or_empty(value)),
    };
    return MHD_YES;
}

static void read_headers(connection *c)
{
    int count = MHD_get_connection_values(c->handle, MHD_HEADER_KIND, NULL, NULL);
    header_list list = {.ctx = c->ctx, .max = count > 0 ? (size_t)count : 0};
    list.items = kube_ctx_alloc_array(c->ctx, list.max, sizeof *list.items);
    if (!list.items)
        return;
    MHD_get_connection_values(c->handle, MHD_HEADER_KIND, add_header, &list);
    c->request.headers = (kube__api_pairs){list.items, list.len};
}

/* A connection shows its certificate once. */
static void know_peer(connection *c)
{
    const union MHD_ConnectionInfo *info;
    if (c->peer_known || !c->http->tls)
        return;
    info = MHD_get_connection_info(c->handle, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    kube_ctx_reset(c->who); /* of a try that had no memory */
    c->peer = (kube__api_peer){0};
    if (info)
        kube__api_tls_peer(c->who, info->tls_session, &c->peer);
    c->peer_known = !kube_ctx_failed(c->who);
    if (!c->peer_known)
        kube__ctx_fail(c->ctx, 0); /* not known, which is not unknown to the server */
}

/* ---- answers -------------------------------------------------------------------------------- */

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

static ssize_t read_compressed_body(void *arg, uint64_t at, char *out, size_t size)
{
    connection *c = arg;
    const kube__buffer *body = &c->response.body;
    (void)at;
    for (;;) {
        size_t len = kube__api_gzip_read(c->gzip, out, size);
        if (len)
            return (ssize_t)len;
        if (c->fed == body->len)
            return MHD_CONTENT_READER_END_OF_STREAM;
        size_t left = body->len - c->fed;
        size_t piece = left < BLOCK ? left : BLOCK;
        c->fed += piece;
        kube__api_gzip_feed(c->gzip, body->data + c->fed - piece, piece, c->fed == body->len);
    }
}

static struct MHD_Response *make_streamed(connection *c, MHD_ContentReaderCallback read)
{
    /* What it reads from is the connection's, and freed with the request. */
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read, c, NULL);
}

static struct MHD_Response *make_compressed(connection *c)
{
    struct MHD_Response *response;
    c->gzip = kube__api_gzip_new();
    if (c->response.watch)
        c->events = malloc(BLOCK);
    if (!c->gzip || (c->response.watch && !c->events))
        return NULL;
    response = make_streamed(c, c->response.watch ? read_compressed_watch : read_compressed_body);
    if (response) {
        MHD_add_response_header(response, "Content-Encoding", "gzip");
        MHD_add_response_header(response, "Vary", "Accept-Encoding");
    }
    return response;
}

static struct MHD_Response *make_complete(connection *c)
{
    kube__buffer *body = &c->response.body;
    struct MHD_Response *response =
        MHD_create_response_from_buffer_with_free_callback(body->len, body->data, free);
    if (response)
        memset(body, 0, sizeof *body);
    return response;
}

static struct MHD_Response *make_response(connection *c)
{
    if (may_compress(c))
        return make_compressed(c);
    return c->response.watch ? make_streamed(c, read_watch) : make_complete(c);
}

static bool has_header(const kube__api_response *response, const char *name)
{
    for (size_t i = 0; i < response->header_count; i++)
        if (strcmp(response->headers[i].key, name) == 0)
            return true;
    return false;
}

static void add_headers(connection *c, struct MHD_Response *response)
{
    const kube__api_response *r = &c->response;
    const char *asked = kube__api_header(&c->request, "audit-id");
    char audit_id[KUBE__UUID_SIZE];
    kube__api_random_uuid(&c->http->random, audit_id);
    MHD_add_response_header(response, "Audit-Id", *asked ? asked : audit_id);
    if (!has_header(r, "Cache-Control"))
        MHD_add_response_header(response, "Cache-Control", "no-cache, private");
    if (!r->content_type || *r->content_type)
        MHD_add_response_header(response, "Content-Type",
                                r->content_type ? r->content_type : "application/json");
    for (size_t i = 0; i < r->header_count; i++)
        MHD_add_response_header(response, r->headers[i].key, r->headers[i].value);
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

/* MHD_NO closes the connection without an answer. */
static enum MHD_Result answer(connection *c)
{
    struct MHD_Response *response;
    enum MHD_Result queued = MHD_NO;
    const kube__api_message message = {
        .target = c->target,
        .peer = &c->peer,
        .body_too_large = c->body_too_large,
    };
    know_peer(c);
    read_headers(c);
    c->request.body = c->body.len ? c->body.data : "";
    c->request.body_len = c->body.len;
    if (!c->target || kube_ctx_failed(c->ctx) || c->body.failed)
        return MHD_NO;
    if (is_foreign(c))
        refuse_foreign(c);
    else
        kube__api_dispatch(c->http->server, &c->request, &message, &c->response);
    if (c->response.drop)
        return MHD_NO;
    if (c->response.watch)
        begin_watch(c);
    response = make_response(c);
    if (!response)
        return MHD_NO;
    add_headers(c, response);
    queued = MHD_queue_response(c->handle, (unsigned)c->response.http_status, response);
    MHD_destroy_response(response);
    return queued;
}

/* Called when the head is there, for each piece of the body, and at the end. */
static enum MHD_Result take(void *arg, struct MHD_Connection *handle, const char *url,
                            const char *method, const char *version, const char *data, size_t *len,
                            void **state)
{
    connection *c = *state;
    (void)arg, (void)handle, (void)url, (void)version;

    if (!c)
        return MHD_NO;
    if (!c->begun) {
        c->begun = true;
        c->request = (kube__api_request){
            .ctx = c->ctx,
            .method = kube_ctx_strdup(c->ctx, method),
        };
        kube__api_response_init(&c->response);
        kube__buffer_init(&c->body, KUBE__API_MAX_BODY);
        return kube_ctx_failed(c->ctx) ? MHD_NO : MHD_YES;
    }
    if (!*len)
        return answer(c);
    /* The rest of too large a body is read and dropped, so that the client reads the answer. */
    if (*len > KUBE__API_MAX_BODY - c->body.len)
        c->body_too_large = true;
    if (c->body_too_large)
        kube__buffer_reset(&c->body);
    else
        kube__buffer_add(&c->body, data, *len);
    *len = 0;
    return MHD_YES;
}

static void completed(void *arg, struct MHD_Connection *handle, void **state,
                      enum MHD_RequestTerminationCode why)
{
    connection *c = *state;
    (void)arg, (void)handle, (void)why;
    if (c)
        clear_request(c);
}

/* ---- connections ---------------------------------------------------------------------------- */

static int socket_of(struct MHD_Connection *handle)
{
    return MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

enum { MOST_NUDGES = 64 };

static bool watch_for_hang_up(connection *c)
{
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.ptr = c};
    return !epoll_ctl(c->http->epoll, EPOLL_CTL_ADD, socket_of(c->handle), &event);
}

/*
 * The library does not look at a connection that sleeps; and where the other end's last bytes and
 * its hang-up come together, it takes the bytes, and has then missed the edge. Shutting our side
 * down makes another, for it and for us; should it not be in a state to close, not for ever.
 */
static void hang_up(connection *c)
{
    c->hung_up = true;
    if (c->suspended) {
        resume(c);
    } else if (c->nudges < MOST_NUDGES) {
        c->nudges++;
        shutdown(socket_of(c->handle), SHUT_RD);
    }
}

static void connection_free(connection *c)
{
    kube_ctx_free(c->ctx);
    kube_ctx_free(c->who);
    free(c);
}

static connection *connection_new(kube__api_http *http, struct MHD_Connection *handle)
{
    connection *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->http = http;
    c->handle = handle;
    c->ctx = kube_ctx_new();
    c->who = kube_ctx_new();
    if (!c->ctx || !c->who || !watch_for_hang_up(c)) {
        connection_free(c);
        return NULL;
    }
    return c;
}

static void connected(void *arg, struct MHD_Connection *handle, void **context,
                      enum MHD_ConnectionNotificationCode what)
{
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        *context = connection_new(arg, handle);
    } else if (*context) {
        connection *c = *context;
        epoll_ctl(c->http->epoll, EPOLL_CTL_DEL, socket_of(handle), NULL);
        clear_request(c);
        connection_free(c);
        *context = NULL;
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

/* Waits for something to do; false when the server is to stop. */
static bool wait_for_events(kube__api_http *http)
{
    struct epoll_event events[EVENTS];
    MHD_UNSIGNED_LONG_LONG left;
    int timeout = MHD_get_timeout(http->daemon, &left) == MHD_YES ? (int)(left % INT32_MAX) : -1;
    int count = epoll_wait(http->epoll, events, EVENTS, timeout);
    bool stop = false;
    for (int i = 0; i < count; i++) {
        if (events[i].data.ptr == http) {
            stop = take_wake_up(http);
        } else if (events[i].data.ptr) {
            hang_up(events[i].data.ptr);
        }
    }
    return !stop;
}

/* Watches end in order as far as the sockets take it without waiting. */
static void end_watches(kube__api_http *http)
{
    http->stopping = true;
    for (connection *c = http->watches; c; c = c->next)
        resume(c);
    for (int i = 0; http->watches && i < LAST_TURNS; i++)
        MHD_run(http->daemon);
}

static void *run(void *arg)
{
    kube__api_http *http = arg;
    kube__api_tls_enter(http->tls);
    while (wait_for_events(http)) {
        resume_woken(http);
        MHD_run(http->daemon);
    }
    end_watches(http);
    MHD_stop_daemon(http->daemon);
    http->daemon = NULL;
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

/* It tells of broken connections on stderr unless someone listens. */
KUBE_PRINTF(2, 0) static void say_nothing(void *arg, const char *format, va_list args)
{
    (void)arg, (void)format, (void)args;
}

static kube_code start_daemon(kube__api_http *http, kube_error *err)
{
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
    struct MHD_OptionItem tls_options[] = {
        {MHD_OPTION_END, 0, NULL}, {MHD_OPTION_END, 0, NULL}, {MHD_OPTION_END, 0, NULL}};
    if (http->tls) {
        flags |= MHD_USE_TLS;
        tls_options[0] =
            (struct MHD_OptionItem){MHD_OPTION_HTTPS_CERT_CALLBACK, 0, kube__api_tls_callback()};
        tls_options[1] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_TRUST, 0,
                                                 (void *)(uintptr_t)kube__api_tls_ca(http->tls)};
    }
    http->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, take, http, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
        MHD_OPTION_LISTEN_SOCKET, http->listener, MHD_OPTION_URI_LOG_CALLBACK, see_target, http,
        MHD_OPTION_NOTIFY_COMPLETED, completed, http, MHD_OPTION_NOTIFY_CONNECTION, connected, http,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)MAX_CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)MEMORY_OF_CONNECTION, MHD_OPTION_CONNECTION_MEMORY_INCREMENT, (size_t)MEMORY_STEP,
        MHD_OPTION_ARRAY, tls_options, MHD_OPTION_END);
    if (!http->daemon)
        return kube_error_set(err, KUBE_ERR_CONFIG, "start the http server on port %u", http->port);
    http->listener = -1; /* the daemon's now */
    return KUBE_OK;
}

static kube_code start_waiting(kube__api_http *http, kube_error *err)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    struct epoll_event library = {.events = EPOLLIN, .data.ptr = NULL};
    struct epoll_event bell = {.events = EPOLLIN, .data.ptr = http};
    http->epoll = epoll_create1(EPOLL_CLOEXEC);
    http->wake_up = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (http->epoll < 0 || http->wake_up < 0 || !info ||
        epoll_ctl(http->epoll, EPOLL_CTL_ADD, info->epoll_fd, &library) ||
        epoll_ctl(http->epoll, EPOLL_CTL_ADD, http->wake_up, &bell))
        return kube_error_set(err, KUBE_ERR_CONFIG, "wait for connections: %s", strerror(errno));
    return KUBE_OK;
}

static void http_free(kube__api_http *http)
{
    const int files[] = {http->listener, http->epoll, http->wake_up};
    if (http->daemon)
        MHD_stop_daemon(http->daemon);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i] >= 0)
            close(files[i]);
    kube__mutex_fini(&http->mutex);
    free(http);
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
        rc = start_daemon(http, err);
    if (!rc)
        rc = start_waiting(http, err);
    if (!rc)
        rc = kube__thread_start(&http->thread, "kube-apiserver", run, http, err);
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
