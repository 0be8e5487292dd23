/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transport with libcurl. One thread runs a curl multi handle, and no other thread uses curl:
 * they put commands into a queue and wake the thread, so that they never wait for it.
 */
#include "base/memory.h"
#include "base/thread.h"
#include "base/units.h"
#include "failure.h"
#include "http_head.h"
#include "net/config/config.h"
#include "net/config/file.h"
#include "sockets.h"
#include "transport_failure.h"
#include "transport_options.h"
#include <curl/curl.h>
#include <errno.h>
#include <kube/log.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    DEAD_CONNECTION_MS = 45000, /* unacknowledged data for so long: the peer is gone (CFG-4) */
    MAX_IDLE_CONNECTIONS = 25,
    BULK_BUFFER_BYTES = 128 << 10,
    MAX_POLL_MS = 60000,
};

enum command { START = 1, RESUME = 2, CANCEL = 4 };

typedef struct curl_transport curl_transport;

struct kube__exchange {
    curl_transport *transport;
    _Atomic uint32_t refs; /* the caller's; the transport's until on_end(); a queued command's */
    kube__http_handler handler;
    void *arg;
    char *method;
    char *url;      /* for messages */
    char *wire_url; /* for curl */
    char *body;
    size_t body_len;
    size_t body_sent;
    struct curl_slist *headers;
    bool own_connection;
    bool bulk;
    bool fenced;
    int64_t life_ns;
    int64_t silence_ns;

    unsigned commands; /* under the transport's mutex */
    kube__exchange *next_command;

    CURL *easy; /* from here on the I/O thread's alone */
    kube__exchange *next;
    kube__exchange *previous;
    kube__http_head head;
    bool head_done;
    bool paused;
    bool fed;     /* on_data() was called, and on_rest() not yet */
    bool stopped; /* by the handler */
    bool silent;
    bool sent;       /* or begun to be */
    bool writing;    /* counts among the fenced ones that are under way */
    bool fenced_off; /* why: */
    bool ended;
    int64_t started_ns;
    int64_t active_ns;
    char detail[CURL_ERROR_SIZE];
    kube_error fence_error;
};

struct curl_transport {
    kube__transport base;
    kube_config *config;
    kube__warning_sink *warning;
    void *warning_arg;
    struct curl_slist *connect_to; /* for tls-server-name */
    CURLM *multi;
    kube__thread thread;
    kube__mutex mutex;
    kube__exchange *first_command; /* under the mutex, as the two below */
    kube__exchange *last_command;
    bool stopping;
    kube_fence *next_fence; /* to be taken by the I/O thread */
    int64_t next_grace_ms;
    kube__exchange *running; /* the I/O thread's, as all below */
    kube__sockets *sockets;
    kube_fence *fence; /* of fenced requests; NULL = none */
    int64_t grace_ms;
    kube__fence_watcher watcher;
};

static int64_t now_ns(void)
{
    kube_clock *clock = kube_clock_system();
    return clock->now_ns(clock);
}

static curl_transport *transport_of(kube__transport *base)
{
    return (curl_transport *)(void *)base; /* its first member */
}

/* ---- exchanges ----------------------------------------------------------------------------- */

static void exchange_unref(kube__exchange *x)
{
    if (!x || atomic_fetch_sub_explicit(&x->refs, 1, memory_order_acq_rel) != 1)
        return;
    /* It holds the Authorization header. */
    for (struct curl_slist *header = x->headers; header; header = header->next)
        kube__wipe(header->data, strlen(header->data));
    curl_slist_free_all(x->headers);
    free(x->method);
    free(x->url);
    free(x->wire_url);
    free(x->body);
    free(x);
}

static bool add_header(kube__exchange *x, const char *name, const char *value)
{
    size_t size = strlen(name) + strlen(value) + 3;
    char *line = malloc(size);
    struct curl_slist *list;
    if (!line)
        return false;
    /* A header without a value is spelled with ";": curl takes "Name:" for a wish to leave it out.
     */
    if (*value)
        snprintf(line, size, "%s: %s", name, value);
    else
        snprintf(line, size, "%s;", name);
    list = curl_slist_append(x->headers, line);
    kube__wipe(line, size);
    free(line);
    if (list)
        x->headers = list;
    return list != NULL;
}

static char *copy_bytes(const char *data, size_t len)
{
    char *copy = malloc(len + 1);
    if (copy) {
        memcpy(copy, data, len);
        copy[len] = '\0';
    }
    return copy;
}

static kube__exchange *exchange_new(curl_transport *t, const kube__http_request *request)
{
    kube__exchange *x = calloc(1, sizeof(*x));
    bool ok;
    if (!x)
        return NULL;
    atomic_init(&x->refs, 1);
    x->transport = t;
    x->method = strdup(request->method);
    x->url = strdup(request->url);
    x->wire_url = kube__transport_url(t->config, request->url);
    x->own_connection = request->own_connection;
    x->bulk = request->bulk;
    x->fenced = request->fenced;
    x->life_ns = request->life_ms * KUBE__NS_PER_MS;
    x->silence_ns = request->silence_ms * KUBE__NS_PER_MS;
    ok = x->method && x->url && x->wire_url;
    for (size_t i = 0; ok && i < request->header_count; i++)
        ok = add_header(x, request->headers[i].name, request->headers[i].value);
    if (ok && t->connect_to)
        ok = add_header(x, "Host", t->config->authority);
    if (ok && request->body) {
        struct curl_slist *list = curl_slist_append(x->headers, "Expect:");
        x->body = copy_bytes(request->body, request->body_len);
        x->body_len = request->body_len;
        if (list)
            x->headers = list;
        ok = x->body && list;
    }
    if (!ok) {
        exchange_unref(x);
        return NULL;
    }
    return x;
}

/* ---- what failed --------------------------------------------------------------------------- */

static void fill_failure(kube__exchange *x, CURLcode result, kube__http_end *end)
{
    long number = 0;
    kube__transport_failure found;
    const char *text;
    const char *subject;
    curl_easy_getinfo(x->easy, CURLINFO_OS_ERRNO, &number);
    found = kube__transport_describe((int)result, number);
    text = found.text ? found.text : kube__failure_tidy(x->detail, curl_easy_strerror(result));
    subject = kube__failure_subject(found.reason);
    end->code = result == CURLE_OUT_OF_MEMORY ? KUBE_ERR_NO_MEMORY : KUBE_ERR_TRANSPORT;
    end->unanswered = kube__transport_is_loss((int)result) && !x->head_done;
    if (x->silent) {
        found.reason = "Idle";
        subject = "";
        text = "idle: nothing came for too long";
    }
    /* The query may be long and says little: without it the message keeps its end. */
    kube_error_set(&end->error, end->code, "%s %.*s: %s%s%s", x->method, (int)strcspn(x->url, "?"),
                   x->url, subject, text, kube__failure_hint(found.reason, text));
    snprintf(end->error.reason, sizeof(end->error.reason), "%s", found.reason);
    end->error.http_status = x->head_done ? x->head.status : 0;
}

/* ---- curl's callbacks ---------------------------------------------------------------------- */

static size_t on_header(char *line, size_t size, size_t count, void *arg)
{
    kube__exchange *x = arg;
    size_t len = size * count;
    long status = 0;
    x->active_ns = now_ns();
    if (len >= 5 && !memcmp(line, "HTTP/", 5)) {
        x->head = (kube__http_head){0};
        return len;
    }
    if (len > 2 || (line[0] != '\r' && line[0] != '\n')) {
        kube__http_head_read(&x->head, line, len, x->transport->warning, x->transport->warning_arg);
        return len;
    }
    curl_easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &status);
    /* Neither 100 Continue nor trailers, which end with an empty line too. */
    if (status >= 200 && !x->head_done) {
        x->head.status = (int)status;
        x->head_done = true;
        x->handler.on_head(x->arg, &x->head);
    }
    return len;
}

static size_t on_data(char *data, size_t size, size_t count, void *arg)
{
    kube__exchange *x = arg;
    size_t len = size * count;
    x->active_ns = now_ns();
    switch (x->handler.on_data(x->arg, data, len)) {
    case KUBE__HTTP_TAKEN:
        x->fed = true;
        return len;
    case KUBE__HTTP_FULL:
        x->paused = true;
        return CURL_WRITEFUNC_PAUSE;
    default:
        x->stopped = true;
        return 0;
    }
}

/* Whether it holds @x up; asked again and again until the last byte has left. */
static bool is_fenced_off(kube__exchange *x)
{
    const kube_fence *fence = x->transport->fence;
    if (x->fenced_off || !x->fenced || !fence)
        return x->fenced_off;
    x->fenced_off = kube_fence_check(fence, &x->fence_error) != KUBE_OK;
    return x->fenced_off;
}

/*
 * Not CURLOPT_POSTFIELDS: those curl sends a second time, unasked, when a connection that was used
 * before is lost under the request. The server may have created the object by then. Without a seek
 * function it reports the loss, once anything of the body was sent.
 */
static size_t on_read(char *to, size_t size, size_t count, void *arg)
{
    kube__exchange *x = arg;
    size_t room = size * count;
    size_t left = x->body_len - x->body_sent;
    size_t len = left < room ? left : room;
    if (is_fenced_off(x))
        return CURL_READFUNC_ABORT;
    memcpy(to, x->body + x->body_sent, len);
    x->body_sent += len;
    return len;
}

static int on_socket(void *arg, curl_socket_t fd, curlsocktype purpose)
{
    curl_transport *t = arg;
    bool short_lived = t->fence && t->grace_ms > 0 && t->grace_ms < DEAD_CONNECTION_MS;
    (void)purpose;
    kube__sockets_set_dead_ms(fd, short_lived ? t->grace_ms : DEAD_CONNECTION_MS);
    return kube__sockets_add(t->sockets, fd) ? CURL_SOCKOPT_OK : CURL_SOCKOPT_ERROR;
}

static int on_socket_close(void *arg, curl_socket_t fd)
{
    curl_transport *t = arg;
    kube__sockets_remove(t->sockets, fd);
    return close(fd);
}

/* ---- the fence ----------------------------------------------------------------------------- */

/* The connection stands, the request is written next. */
static int on_ready(void *arg, char *peer, char *local, int peer_port, int local_port)
{
    kube__exchange *x = arg;
    (void)peer;
    (void)local;
    (void)peer_port;
    (void)local_port;
    /* In this order: if the fence closes after the look at it, the connection is cut. */
    if (x->fenced && !x->writing) {
        x->writing = true;
        kube__sockets_begin_write(x->transport->sockets);
    }
    if (!is_fenced_off(x)) {
        x->sent = true;
        return CURL_PREREQFUNC_OK;
    }
    return CURL_PREREQFUNC_ABORT;
}

/* ---- one exchange on the I/O thread -------------------------------------------------------- */

static void link_running(curl_transport *t, kube__exchange *x)
{
    x->next = t->running;
    x->previous = NULL;
    if (x->next)
        x->next->previous = x;
    t->running = x;
}

static void unlink_running(curl_transport *t, kube__exchange *x)
{
    if (x->previous)
        x->previous->next = x->next;
    else
        t->running = x->next;
    if (x->next)
        x->next->previous = x->previous;
}

/* The end of an exchange: the only place that calls on_end(), once for each. */
static void finish(kube__exchange *x, const kube__http_end *end)
{
    curl_transport *t = x->transport;
    x->ended = true;
    if (x->easy) {
        unlink_running(t, x);
        curl_multi_remove_handle(t->multi, x->easy);
        curl_easy_cleanup(x->easy);
        x->easy = NULL;
    }
    if (x->writing)
        kube__sockets_end_write(t->sockets);
    kube_log_debug("%s %s: %s %d in %.3f ms", x->method, x->url, kube_code_name(end->code),
                   x->head.status, (double)(now_ns() - x->started_ns) / (double)KUBE__NS_PER_MS);
    x->handler.on_end(x->arg, end);
    exchange_unref(x);
}

static void finish_canceled(kube__exchange *x)
{
    kube__http_end end = {.code = KUBE_ERR_CANCELED};
    kube_error_set(&end.error, KUBE_ERR_CANCELED, "canceled");
    finish(x, &end);
}

static void finish_fenced(kube__exchange *x)
{
    kube__http_end end = {.code = KUBE_ERR_FENCED, .error = x->fence_error};
    const char *text = x->fence_error.message;
    if (x->sent) {
        /* "not sent: " is not true any more. */
        text += strcspn(text, ":");
        kube_error_set(&end.error, end.code,
                       "cut off%s; the server may have carried out the request", text);
    }
    kube_error_prefix(&end.error, "%s %.*s", x->method, (int)strcspn(x->url, "?"), x->url);
    finish(x, &end);
}

static void finish_result(kube__exchange *x, CURLcode result)
{
    kube__http_end end = {.code = KUBE_OK};
    if (x->stopped) {
        finish_canceled(x);
        return;
    }
    if (result != CURLE_OK && is_fenced_off(x)) {
        finish_fenced(x);
        return;
    }
    /* 101 is no answer: nobody asked to switch protocols. */
    if (result == CURLE_OK && !x->head_done)
        result = CURLE_WEIRD_SERVER_REPLY;
    if (result != CURLE_OK)
        fill_failure(x, result, &end);
    finish(x, &end);
}

#define SET(option, value)                                                                         \
    do {                                                                                           \
        CURLcode set_ = curl_easy_setopt(easy, option, value);                                     \
        if (set_) {                                                                                \
            return set_;                                                                           \
        }                                                                                          \
    } while (0)

static CURLcode set_request(CURL *easy, kube__exchange *x)
{
    SET(CURLOPT_URL, x->wire_url);
    SET(CURLOPT_PATH_AS_IS, 1L);
    SET(CURLOPT_HTTPHEADER, x->headers);
    SET(CURLOPT_PRIVATE, x);
    SET(CURLOPT_ERRORBUFFER, x->detail);
    SET(CURLOPT_HEADERFUNCTION, on_header);
    SET(CURLOPT_HEADERDATA, x);
    SET(CURLOPT_WRITEFUNCTION, on_data);
    SET(CURLOPT_WRITEDATA, x);
    SET(CURLOPT_SOCKOPTFUNCTION, on_socket);
    SET(CURLOPT_SOCKOPTDATA, x->transport);
    SET(CURLOPT_CLOSESOCKETFUNCTION, on_socket_close);
    SET(CURLOPT_CLOSESOCKETDATA, x->transport);
    SET(CURLOPT_PREREQFUNCTION, on_ready);
    SET(CURLOPT_PREREQDATA, x);
    if (x->bulk)
        SET(CURLOPT_BUFFERSIZE, (long)BULK_BUFFER_BYTES);
    if (x->body) {
        SET(CURLOPT_POST, 1L);
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)x->body_len);
        SET(CURLOPT_READFUNCTION, on_read);
        SET(CURLOPT_READDATA, x);
    }
    if (x->body || strcmp(x->method, "GET") != 0)
        SET(CURLOPT_CUSTOMREQUEST, x->method);
    return CURLE_OK;
}

#undef SET

static void begin(curl_transport *t, kube__exchange *x)
{
    CURLcode result;
    x->started_ns = now_ns();
    x->active_ns = x->started_ns;
    x->easy = curl_easy_init();
    if (!x->easy) {
        finish_result(x, CURLE_OUT_OF_MEMORY);
        return;
    }
    link_running(t, x);
    result = set_request(x->easy, x);
    if (!result)
        result = (CURLcode)kube__transport_set_connection(x->easy, t->config, t->connect_to,
                                                          x->own_connection);
    if (!result && curl_multi_add_handle(t->multi, x->easy) != CURLM_OK)
        result = CURLE_OUT_OF_MEMORY;
    if (result)
        finish_result(x, result);
}

static void go_on(kube__exchange *x)
{
    CURLcode result;
    x->paused = false;
    x->active_ns = now_ns();
    /* May call on_data() before it returns, which may pause again. */
    result = curl_easy_pause(x->easy, CURLPAUSE_CONT);
    if (result)
        finish_result(x, result);
}

/* ---- the I/O thread ------------------------------------------------------------------------ */

static void obey(curl_transport *t, kube__exchange *x, unsigned commands)
{
    if (x->ended)
        return;
    if (commands & CANCEL)
        finish_canceled(x);
    else if (commands & START)
        begin(t, x);
    else if (commands & RESUME && x->paused)
        go_on(x);
}

static void fence_changed(void *arg)
{
    curl_transport *t = arg;
    kube__sockets_rearm(t->sockets);
    curl_multi_wakeup(t->multi);
}

static void drop_fence(curl_transport *t)
{
    if (t->fence) {
        kube__fence_unwatch(t->fence, &t->watcher);
        kube__sockets_unguard(t->sockets);
    }
    t->fence = NULL;
}

static void take_fence(curl_transport *t, kube_fence *fence)
{
    if (fence == t->fence)
        return;
    drop_fence(t);
    if (!fence)
        return;
    t->fence = fence;
    t->watcher = (kube__fence_watcher){.changed = fence_changed, .arg = t};
    kube__sockets_guard(t->sockets, fence);
    kube__fence_watch(fence, &t->watcher);
}

/*
 * What is under way when the fence closes ends now, before curl goes on with it: also when this
 * thread was stopped in between.
 */
static void cut_fenced(curl_transport *t)
{
    kube__exchange *next;
    if (!t->fence || kube__fence_is_open(t->fence))
        return;
    kube__sockets_cut(t->sockets);
    for (kube__exchange *x = t->running; x; x = next) {
        next = x->next;
        if (is_fenced_off(x))
            finish_fenced(x);
    }
}

/* Does what other threads asked for, each with the fence that was set before it; false = stop. */
static bool take_commands(curl_transport *t)
{
    bool stopping;

    kube__lock(&t->mutex);
    do {
        kube__exchange *x = t->first_command;
        unsigned commands = x ? x->commands : 0;
        kube_fence *fence = t->next_fence;

        t->grace_ms = t->next_grace_ms;
        if (x) {
            t->first_command = x->next_command;
            x->commands = 0;
        }
        kube__unlock(&t->mutex);
        take_fence(t, fence);
        if (x) {
            obey(t, x, commands);
            exchange_unref(x);
        }
        kube__lock(&t->mutex);
    } while (t->first_command);
    t->last_command = NULL;
    stopping = t->stopping;
    kube__unlock(&t->mutex);
    return !stopping;
}

/* curl cuts what it reads into pieces: says when a turn's have all been given. */
static void end_turn(curl_transport *t)
{
    kube__exchange *next;
    for (kube__exchange *x = t->running; x; x = next) {
        next = x->next;
        if (!x->fed || !x->handler.on_rest)
            continue;
        x->fed = false;
        if (x->handler.on_rest(x->arg) == KUBE__HTTP_STOP) {
            x->stopped = true;
            finish_result(x, CURLE_WRITE_ERROR);
        }
    }
}

static void reap(curl_transport *t)
{
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(t->multi, &left))) {
        char *x = NULL;
        CURLcode result = message->data.result;
        if (message->msg == CURLMSG_DONE &&
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &x) == CURLE_OK)
            finish_result((kube__exchange *)(void *)x, result);
    }
}

/* When @x must have sent something; INT64_MAX = it need not. */
static int64_t silence_end(const kube__exchange *x)
{
    int64_t from = x->started_ns + x->life_ns;
    if (!x->silence_ns || x->paused)
        return INT64_MAX;
    return (from > x->active_ns ? from : x->active_ns) + x->silence_ns;
}

/* The first moment at which something running has to be cut, if that is before @first. */
static int64_t fence_end(const curl_transport *t, int64_t now, int64_t first)
{
    int64_t left;
    if (!t->fence || !t->running)
        return first;
    left = kube__fence_left_ns(t->fence);
    return left > 0 && left < first - now ? now + left : first;
}

/* Cuts what is silent for too long; gives the time until the next look. */
static int cut_silent(curl_transport *t)
{
    int64_t now = now_ns();
    int64_t first = now + MAX_POLL_MS * KUBE__NS_PER_MS;
    kube__exchange *next;
    for (kube__exchange *x = t->running; x; x = next) {
        int64_t end = silence_end(x);
        next = x->next;
        if (end <= now) {
            x->silent = true;
            finish_result(x, CURLE_OPERATION_TIMEDOUT);
        } else if (end < first) {
            first = end;
        }
    }
    first = fence_end(t, now, first);
    return (int)((first - now) / KUBE__NS_PER_MS + 1);
}

static void *run(void *arg)
{
    curl_transport *t = arg;
    while (take_commands(t)) {
        int count;
        CURLMcode result;
        cut_fenced(t);
        result = curl_multi_perform(t->multi, &count);
        if (result == CURLM_OK) {
            end_turn(t);
            reap(t);
            result = curl_multi_poll(t->multi, NULL, 0, cut_silent(t), NULL);
        }
        if (result != CURLM_OK) {
            /* Out of memory, in effect: what runs fails, the thread does not. */
            kube_log_error("transport: %s", curl_multi_strerror(result));
            while (t->running)
                finish_result(t->running, CURLE_OUT_OF_MEMORY);
        }
    }
    while (t->running)
        finish_canceled(t->running);
    drop_fence(t);
    return NULL;
}

/* ---- the vtable ---------------------------------------------------------------------------- */

static void command(kube__exchange *x, enum command what)
{
    curl_transport *t = x->transport;
    kube__lock(&t->mutex);
    if (!x->commands) {
        atomic_fetch_add_explicit(&x->refs, 1, memory_order_relaxed);
        x->next_command = NULL;
        if (t->first_command)
            t->last_command->next_command = x;
        else
            t->first_command = x;
        t->last_command = x;
    }
    x->commands |= what;
    kube__unlock(&t->mutex);
    curl_multi_wakeup(t->multi);
}

static kube_code transport_start(kube__transport *base, const kube__http_request *request,
                                 const kube__http_handler *handler, void *arg, kube__exchange **out,
                                 kube_error *err)
{
    kube__exchange *x = exchange_new(transport_of(base), request);
    *out = NULL;
    if (!x)
        return kube__no_memory(err, "a request");
    x->handler = *handler;
    x->arg = arg;
    atomic_fetch_add_explicit(&x->refs, 1, memory_order_relaxed); /* until on_end() */
    *out = x;
    command(x, START);
    return KUBE_OK;
}

static void transport_resume(kube__transport *base, kube__exchange *x)
{
    (void)base;
    command(x, RESUME);
}

static void transport_end(kube__transport *base, kube__exchange *x)
{
    (void)base;
    if (x) {
        command(x, CANCEL);
        exchange_unref(x);
    }
}

static void transport_set_fence(kube__transport *base, kube_fence *fence, int64_t grace_ms)
{
    curl_transport *t = transport_of(base);
    kube__lock(&t->mutex);
    t->next_fence = fence;
    t->next_grace_ms = grace_ms;
    kube__unlock(&t->mutex);
    curl_multi_wakeup(t->multi);
}

static void transport_free(kube__transport *base)
{
    curl_transport *t = transport_of(base);
    if (t->thread.started) {
        kube__lock(&t->mutex);
        t->stopping = true;
        kube__unlock(&t->mutex);
        curl_multi_wakeup(t->multi);
        kube__thread_join(&t->thread);
    }
    curl_multi_cleanup(t->multi);
    curl_slist_free_all(t->connect_to);
    kube__sockets_free(t->sockets);
    kube__mutex_fini(&t->mutex);
    kube_config_free(t->config);
    free(t);
}

/* Without file descriptors curl makes one that cannot be woken, and says nothing: calls and the end
 * would have to wait until it wakes by itself, a minute later. */
static kube_code make_multi(curl_transport *t, kube_error *err)
{
    t->multi = curl_multi_init();
    if (!t->multi)
        return kube__no_memory(err, "a transport");
    if (curl_multi_wakeup(t->multi) != CURLM_OK)
        return kube_error_set(err, KUBE_ERR_TRANSPORT,
                              "cannot make a client: no file descriptor is left");
    curl_multi_setopt(t->multi, CURLMOPT_MAXCONNECTS, (long)MAX_IDLE_CONNECTIONS);
    return KUBE_OK;
}

static void init_curl(void)
{
    /* Never undone: others in the process may use curl too, and its threads have no end. */
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        kube_log_error("libcurl cannot be initialised");
}

kube_code kube__transport_curl_new(const kube_config *config, kube__warning_sink *warning,
                                   void *warning_arg, kube__transport **out, kube_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    curl_transport *t = calloc(1, sizeof(*t));
    kube_code rc;
    *out = NULL;
    if (!t)
        return kube__no_memory(err, "a transport");
    pthread_once(&once, init_curl);
    rc = kube__mutex_init(&t->mutex, err);
    if (rc) {
        free(t);
        return rc;
    }
    t->base = (kube__transport){transport_start, transport_resume, transport_end, transport_free,
                                transport_set_fence};
    t->config = kube__config_ref(config);
    t->warning = warning;
    t->warning_arg = warning_arg;
    t->sockets = kube__sockets_new();
    rc = t->sockets && kube__transport_connect_to(t->config, &t->connect_to)
             ? make_multi(t, err)
             : kube__no_memory(err, "a transport");
    if (!rc)
        rc = kube__thread_start(&t->thread, "kube-io", run, t, err);
    if (rc) {
        transport_free(&t->base);
        return rc;
    }
    *out = &t->base;
    return KUBE_OK;
}
