/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads of the library read requests, call handlers and write answers. The library limits
 * only how long a connection may be silent, so a client that sends a byte now and then could stay
 * for ever. Therefore a thread of ours ends connections that take too long. At its own limit of
 * connections the library stops to accept, so that a few such clients would lock out all others.
 * Therefore we end one before it comes to that.
 */
#include "http.h"

#include "address.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/thread.h"
#include "base/units.h"
#include "query.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    THREADS = 2,
    MAX_CONNECTIONS = 128,
    ENDING_CONNECTIONS = 64, /* room for those that are ended and not closed yet, in each thread */
    REQUEST_MEMORY = 16 << 10, /* the head; larger ones are refused */
    IDLE_SECONDS = 10,
    HEAD_SECONDS = 10,   /* for a request to be there */
    ANSWER_SECONDS = 60, /* for it to be answered, and the answer read */
};

/* What a connection waits for. */
typedef enum waits_for {
    WAITS_FOR_HEAD,   /* the peer's request */
    WAITS_FOR_US,     /* its answer */
    WAITS_FOR_READER, /* the peer, who takes the answer */
    WAITS_FOR_END,    /* we have ended it */
} waits_for;

typedef struct connection {
    int socket_fd;
    waits_for state;
    uint64_t since; /* when that began, as a number of kube__http.turns */
    int64_t deadline_ns;
    struct connection *next;
    struct connection *previous;
} connection;

struct kube__http {
    struct MHD_Daemon *daemon;
    kube__http_options options;
    char address[KUBE__ADDRESS_MAX];
    bool loopback;
    kube_clock *clock;
    kube__thread reaper;
    kube__mutex mutex; /* of the rest */
    kube__condition changed;
    connection *connections; /* the latest first */
    int open;                /* how many of them have not been ended */
    uint64_t turns;
    bool stopping;
};

/* ---- connections that take too long ---------------------------------------------------------- */

static int64_t seconds_from_now(const kube__http *http, int seconds)
{
    return http->options.clock->now_ns(http->options.clock) + seconds * KUBE__NS_PER_S;
}

/* The mutex is held. */
static void enter(kube__http *http, connection *c, waits_for state)
{
    if (c->state == WAITS_FOR_END)
        return;
    c->state = state;
    c->since = ++http->turns;
    c->deadline_ns =
        seconds_from_now(http, state == WAITS_FOR_HEAD ? HEAD_SECONDS : ANSWER_SECONDS);
    kube__signal(&http->changed);
}

static void set_state(kube__http *http, connection *c, waits_for state)
{
    kube__lock(&http->mutex);
    if (c)
        enter(http, c, state);
    kube__unlock(&http->mutex);
}

/* The library sees the end of the stream and does the rest. */
static void end_connection(kube__http *http, connection *c)
{
    shutdown(c->socket_fd, SHUT_RDWR);
    c->state = WAITS_FOR_END;
    c->deadline_ns = INT64_MAX;
    http->open--;
}

static bool has_input(const connection *c)
{
    int len = 0;
    return ioctl(c->socket_fd, FIONREAD, &len) == 0 && len > 0;
}

/* Returns the connection other than the latest whose peer is waited for longest, or NULL. */
static connection *longest_waiting(const kube__http *http)
{
    connection *longest = NULL;
    for (connection *c = http->connections->next; c; c = c->next) {
        if ((c->state == WAITS_FOR_READER || (c->state == WAITS_FOR_HEAD && !has_input(c))) &&
            (!longest || c->since < longest->since))
            longest = c;
    }
    return longest;
}

static void link_connection(kube__http *http, connection *c)
{
    connection *longest;
    kube__lock(&http->mutex);
    enter(http, c, WAITS_FOR_HEAD);
    c->next = http->connections;
    if (c->next)
        c->next->previous = c;
    http->connections = c;
    http->open++;
    while (http->open > MAX_CONNECTIONS && (longest = longest_waiting(http)) != NULL)
        end_connection(http, longest);
    kube__unlock(&http->mutex);
}

static void unlink_connection(kube__http *http, connection *c)
{
    kube__lock(&http->mutex);
    if (c->state != WAITS_FOR_END)
        http->open--;
    if (c->next)
        c->next->previous = c->previous;
    if (c->previous)
        c->previous->next = c->next;
    else
        http->connections = c->next;
    kube__unlock(&http->mutex);
}

static int64_t end_late(kube__http *http)
{
    int64_t now = http->options.clock->now_ns(http->options.clock);
    int64_t next = INT64_MAX;
    for (connection *c = http->connections; c; c = c->next) {
        if (c->deadline_ns <= now)
            end_connection(http, c);
        if (c->deadline_ns < next)
            next = c->deadline_ns;
    }
    return next;
}

static void *reap(void *arg)
{
    kube__http *http = arg;
    kube__lock(&http->mutex);
    while (!http->stopping)
        kube__wait_until(http->options.clock, &http->changed, &http->mutex, end_late(http));
    kube__unlock(&http->mutex);
    return NULL;
}

static void show_certificate(const kube__http *http, struct MHD_Connection *handle)
{
    const union MHD_ConnectionInfo *info =
        http->options.certificate
            ? MHD_get_connection_info(handle, MHD_CONNECTION_INFO_GNUTLS_SESSION)
            : NULL;
    if (info)
        kube__serving_cert_use(http->options.certificate, info->tls_session);
}

/* The library closes the socket after it told us so. Without memory a connection is not timed. */
static void see_connection(void *arg, struct MHD_Connection *handle, void **state,
                           enum MHD_ConnectionNotificationCode what)
{
    kube__http *http = arg;
    connection *c = *state;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        show_certificate(http, handle);
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CONNECTION_FD);
        c = info ? calloc(1, sizeof *c) : NULL;
        *state = c;
        if (!c)
            return;
        c->socket_fd = info->connect_fd;
        link_connection(http, c);
    } else if (c) {
        unlink_connection(http, c);
        free(c);
        *state = NULL;
    }
}

static connection *connection_of(struct MHD_Connection *handle)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* ---- requests -------------------------------------------------------------------------------- */

/* From its first line to its end. */
typedef struct exchange {
    char *query;
    bool begun; /* the head has come */
} exchange;

static void free_exchange(exchange *x)
{
    if (x)
        free(x->query);
    free(x);
}

/*
 * The first line of a request is there. We take its parameters away: the library would keep a
 * record of each, and hang up without an answer when they are more than its memory holds.
 */
static void *see_target(void *arg, const char *target, struct MHD_Connection *handle)
{
    char *mark = strchr(target, '?');
    exchange *x = calloc(1, sizeof *x);
    (void)arg, (void)handle;
    if (x)
        x->query = kube__query_parse(mark ? mark + 1 : "");
    if (mark)
        mark[1] = '\0';
    if (x && x->query)
        return x;
    free_exchange(x);
    return NULL;
}

static void see_end(void *arg, struct MHD_Connection *handle, void **state,
                    enum MHD_RequestTerminationCode why)
{
    (void)why;
    set_state(arg, connection_of(handle), WAITS_FOR_HEAD);
    free_exchange(*state);
    *state = NULL;
}

static const char *header_of(struct MHD_Connection *handle, const char *name)
{
    return kube__text_or_empty(MHD_lookup_connection_value(handle, MHD_HEADER_KIND, name));
}

static void free_ctx(void *ctx)
{
    kube_ctx_free(ctx);
}

static void add_headers(struct MHD_Response *response, const kube__http_answer *answer)
{
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer->content_type);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (answer->status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    if (!kube__text_starts_with(answer->content_type, "text/html"))
        return;
    MHD_add_response_header(response, "Content-Security-Policy",
                            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
                            "form-action 'none'; frame-ancestors 'none'");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
}

/* The body lies in @ctx, which goes with the response. */
static enum MHD_Result send_answer(struct MHD_Connection *handle, kube_ctx *ctx,
                                   kube__http_answer *answer)
{
    struct MHD_Response *response;
    enum MHD_Result queued;
    if (!answer->body) {
        answer->status = MHD_HTTP_INTERNAL_SERVER_ERROR;
        answer->content_type = "text/plain; charset=utf-8";
        answer->body = "out of memory\n";
    }
    response = MHD_create_response_from_buffer_with_free_callback_cls(
        strlen(answer->body), (void *)(uintptr_t)answer->body, free_ctx, ctx);
    if (!response) {
        kube_ctx_free(ctx);
        return MHD_NO;
    }
    add_headers(response, answer);
    queued = MHD_queue_response(handle, (unsigned)answer->status, response);
    MHD_destroy_response(response);
    return queued;
}

static void refuse(kube__http_answer *answer, int status, const char *body)
{
    answer->status = status;
    answer->body = body;
}

/* MHD_NO cuts the connection off. @verb NULL = another method than we have. */
static enum MHD_Result answer_request(kube__http *http, struct MHD_Connection *handle,
                                      const char *path, const exchange *x, const char *verb)
{
    connection *c = connection_of(handle);
    kube_ctx *ctx = kube_ctx_new();
    const char *host = header_of(handle, MHD_HTTP_HEADER_HOST);
    kube__http_server_request request = {
        .verb = verb,
        .path = path,
        .query = x->query,
        .accept = header_of(handle, MHD_HTTP_HEADER_ACCEPT),
        .authorization = header_of(handle, MHD_HTTP_HEADER_AUTHORIZATION),
    };
    kube__http_answer answer = {
        .status = MHD_HTTP_OK,
        .content_type = "text/plain; charset=utf-8",
    };
    enum MHD_Result sent;
    if (!ctx)
        return MHD_NO;
    set_state(http, c, WAITS_FOR_US);
    if (!verb)
        refuse(&answer, MHD_HTTP_METHOD_NOT_ALLOWED, "use GET or HEAD\n");
    else if (http->loopback && *host && !kube__host_is_ours(host, http->address))
        refuse(&answer, MHD_HTTP_FORBIDDEN, "the Host of the request is not this machine\n");
    else
        http->options.handler(http->options.arg, ctx, &request, &answer);
    sent = send_answer(handle, ctx, &answer);
    set_state(http, c, WAITS_FOR_READER);
    return sent;
}

/* Called when the head is there, for each piece of a body, and at the end. An answer before the end
 * closes the connection: right for a method that may bring a body along. */
static enum MHD_Result take(void *arg, struct MHD_Connection *handle, const char *path,
                            const char *method, const char *version, const char *data, size_t *len,
                            void **state)
{
    const char *verb = strcmp(method, MHD_HTTP_METHOD_GET) == 0    ? "get"
                       : strcmp(method, MHD_HTTP_METHOD_HEAD) == 0 ? "head"
                                                                   : NULL;
    exchange *x = *state;
    bool begun = x && x->begun;
    (void)version, (void)data;
    if (!x)
        return MHD_NO; /* there was no memory for it */
    x->begun = true;
    if (verb && (!begun || *len)) {
        if (begun)
            *len = 0;
        return MHD_YES;
    }
    return answer_request(arg, handle, path, x, verb);
}

/* ---- life ------------------------------------------------------------------------------------ */

static struct MHD_Daemon *start_daemon(kube__http *http, int socket_fd)
{
    const bool tls = http->options.certificate != NULL;
    static char versions[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"; /* as Go's servers */
    struct MHD_OptionItem tls_options[] = {
        {tls ? MHD_OPTION_HTTPS_PRIORITIES : MHD_OPTION_END, 0, versions},
        {MHD_OPTION_HTTPS_CERT_CALLBACK2, 0, kube__serving_cert_callback()},
        {MHD_OPTION_END, 0, NULL},
    };
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | (tls ? MHD_USE_TLS : 0U), 0, NULL, NULL, take,
        http, MHD_OPTION_LISTEN_SOCKET, socket_fd, MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)(THREADS * (MAX_CONNECTIONS + ENDING_CONNECTIONS)),
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_MEMORY, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_SECONDS, MHD_OPTION_NOTIFY_CONNECTION, see_connection, http,
        MHD_OPTION_URI_LOG_CALLBACK, see_target, http, MHD_OPTION_NOTIFY_COMPLETED, see_end, http,
        MHD_OPTION_ARRAY, tls_options, MHD_OPTION_END);
}

static kube_code init(kube__http *http, kube_error *err)
{
    kube_code rc = kube__mutex_init(&http->mutex, err);
    if (rc)
        return rc;
    rc = kube__condition_init(&http->changed, err);
    if (rc)
        kube__mutex_fini(&http->mutex);
    return rc;
}

static void fini(kube__http *http)
{
    kube__condition_fini(&http->changed);
    kube__mutex_fini(&http->mutex);
    free(http);
}

static kube_code start(kube__http *http, int socket_fd, kube_error *err)
{
    kube_code rc = kube__address_of(socket_fd, http->address, &http->loopback, err);
    if (!rc)
        rc = kube__thread_start(&http->reaper, "kube-http-late", reap, http, err);
    if (rc) {
        close(socket_fd);
        return rc;
    }
    errno = 0;
    http->daemon = start_daemon(http, socket_fd);
    /* It depends on how far the library came whether the socket is closed by now, and the number
     * another's: better one that stays open. */
    if (!http->daemon)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "%s: cannot start the HTTP server on %s: %s",
                              http->options.what, http->address, strerror(errno ? errno : ENOMEM));
    return KUBE_OK;
}

kube_code kube__http_start(const kube__http_options *options, kube__http **out, kube_error *err)
{
    kube__http *http = calloc(1, sizeof *http);
    int socket_fd;
    kube_code rc;
    *out = NULL;
    if (!http)
        return kube__no_memory(err, "%s", options->what);
    http->options = *options;
    if (!options->clock)
        http->options.clock = kube_clock_system();
    rc = init(http, err);
    if (rc) {
        free(http);
        return rc;
    }
    rc = kube__address_listen(options->address, options->what, &socket_fd, err);
    if (rc) {
        fini(http);
        return rc;
    }
    rc = start(http, socket_fd, err);
    if (rc) {
        kube__http_stop(http);
        return rc;
    }
    *out = http;
    return KUBE_OK;
}

void kube__http_stop(kube__http *http)
{
    if (!http)
        return;
    if (http->daemon)
        MHD_stop_daemon(http->daemon);
    kube__lock(&http->mutex);
    http->stopping = true;
    kube__signal(&http->changed);
    kube__unlock(&http->mutex);
    kube__thread_join(&http->reaper);
    fini(http);
}

const char *kube__http_address(const kube__http *http)
{
    return http->address;
}
