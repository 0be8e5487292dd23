/* SPDX-License-Identifier: Apache-2.0 */
/* One request and its answer: what curl is told and what it tells, and how it ends. */
#include "exchange.h"

#include "base/units.h"
#include "failure.h"
#include "http_head.h"
#include "net/config/descriptor.h"
#include "net/config/file.h"
#include "refusal.h"
#include "transport_failure.h"
#include "transport_options.h"

#include <errno.h>
#include <kube/log.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    DEAD_CONNECTION_MS = 45000, /* unacknowledged data for so long: the peer is gone (CFG-4) */
    BULK_BUFFER_BYTES = 128 << 10,
};

/* ---- memory --------------------------------------------------------------------------------- */

void kube__exchange_unref(kube__exchange *x)
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
    kube__gzip_free(x->gzip);
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

kube__exchange *kube__exchange_new(kube__curl_transport *t, const kube__http_request *request)
{
    kube__exchange *x = calloc(1, sizeof *x);
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
    x->limit_ns = request->limit_ms * KUBE__NS_PER_MS;
    ok = x->method && x->url && x->wire_url;
    for (size_t i = 0; ok && i < request->header_count; i++)
        ok = add_header(x, request->headers[i].name, request->headers[i].value);
    if (ok && request->packed)
        ok = add_header(x, "Accept-Encoding", "gzip");
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
        kube__exchange_unref(x);
        return NULL;
    }
    return x;
}

/* ---- what failed --------------------------------------------------------------------------- */

/* Whether it is among those because of which its connection was left: it may be the answer that
 * takes so long. Others only shared the connection with them. */
static bool has_waited(const kube__exchange *x)
{
    int64_t limit_ns = x->transport->options.silence_ms * KUBE__NS_PER_MS;
    return kube__exchange_now_ns() - x->active_ns >= limit_ns / 2;
}

static kube__http_loss find_loss(const kube__exchange *x, CURLcode result)
{
    long connects = 0;
    if (x->head_done || x->late)
        return KUBE__HTTP_NOT_LOST;
    if (x->refused)
        return KUBE__HTTP_REFUSED;
    if (x->silent && !x->own_connection)
        return has_waited(x) ? KUBE__HTTP_SILENT : KUBE__HTTP_STALE;
    if (x->lost)
        return KUBE__HTTP_STALE;
    if (!kube__transport_is_loss((int)result))
        return KUBE__HTTP_NOT_LOST;
    curl_easy_getinfo(x->easy, CURLINFO_NUM_CONNECTS, &connects);
    return connects ? KUBE__HTTP_LOST : KUBE__HTTP_STALE;
}

static void fill_failure(kube__exchange *x, CURLcode result, kube__http_end *end)
{
    long number = 0;
    long proxy_status = 0;
    kube__transport_failure found;
    const kube_config *config = x->transport->config;
    const char *host = config->tls_server_name ? config->tls_server_name : config->host;
    char refusal[96];
    const char *text;
    const char *subject;
    curl_easy_getinfo(x->easy, CURLINFO_OS_ERRNO, &number);
    if (x->socket_errno)
        number = x->socket_errno;
    found = kube__transport_describe((int)result, number);
    text = found.text
               ? found.text
               : kube__failure_tidy(x->detail, sizeof x->detail, curl_easy_strerror(result), host);
    subject = kube__failure_subject(found.reason);
    if (kube__transport_lacks_files((int)result)) {
        found.reason = "Resources";
        subject = "too many open files: ";
    }
    end->code = result == CURLE_OUT_OF_MEMORY ? KUBE_ERR_NO_MEMORY : KUBE_ERR_TRANSPORT;
    end->loss = find_loss(x, result);
    curl_easy_getinfo(x->easy, CURLINFO_HTTP_CONNECTCODE, &proxy_status);
    if (proxy_status >= 300) {
        /* Refused, not lost: the next attempt would be refused as well. */
        found.reason = "Proxy";
        subject = "";
        snprintf(refusal, sizeof refusal, "the proxy %s (http status %ld)",
                 proxy_status == 407 ? "wants a user name and a password"
                                     : "does not connect to the server",
                 proxy_status);
        text = refusal;
        end->loss = KUBE__HTTP_NOT_LOST;
    }
    if (x->silent) {
        found.reason = "Idle";
        subject = "";
        text = "idle: nothing came for too long";
    }
    if (x->late) {
        end->code = KUBE_ERR_TIMEOUT;
        found.reason = "";
        subject = "";
        snprintf(x->detail, sizeof x->detail, "no%s answer within the request timeout of %lld ms",
                 x->head_done ? " complete" : "", (long long)(x->limit_ns / KUBE__NS_PER_MS));
        text = x->detail;
    }
    kube_error_set(&end->error, end->code, "%s%s%s", subject, text,
                   kube__failure_hint(found.reason, text));
    kube__failure_prefix(&end->error, x->method, x->url);
    snprintf(end->error.reason, sizeof end->error.reason, "%s", found.reason);
    end->error.http_status = x->head_done ? x->head.status : 0;
}

/* ---- curl's callbacks ---------------------------------------------------------------------- */

static void heard(kube__exchange *x)
{
    x->active_ns = kube__exchange_now_ns();
    if (x->connection)
        kube__connection_heard(x->connection, x->active_ns);
}

static size_t on_header(char *line, size_t size, size_t count, void *arg)
{
    kube__exchange *x = arg;
    size_t len = size * count;
    long status = 0;
    heard(x);
    if (len >= 5 && !memcmp(line, "HTTP/", 5)) {
        x->head = (kube__http_head){0};
        return len;
    }
    if (len > 2 || (line[0] != '\r' && line[0] != '\n')) {
        kube__http_head_read(&x->head, line, len, x->head_done ? NULL : x->handler.on_warning,
                             x->arg);
        return len;
    }
    curl_easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &status);
    /* Neither 100 Continue nor trailers, which end with an empty line too. */
    if (status >= 200 && !x->head_done) {
        /* The connection may stand for a client certificate that the server no longer takes. */
        if (status == 401)
            curl_easy_setopt(x->easy, CURLOPT_FORBID_REUSE, 1L);
        x->head.status = (int)status;
        x->head_done = true;
        x->handler.on_head(x->arg, &x->head);
    }
    return len;
}

static kube__http_verdict hand_on(void *arg, const char *data, size_t len)
{
    kube__exchange *x = arg;
    kube__http_verdict verdict = x->handler.on_data(x->arg, data, len);
    if (verdict == KUBE__HTTP_TAKEN)
        x->fed = true;
    return verdict;
}

static size_t on_data(char *data, size_t size, size_t count, void *arg)
{
    kube__exchange *x = arg;
    size_t len = size * count;
    kube__http_verdict verdict;
    heard(x);
    if (x->head.gzip && !x->gzip) {
        x->gzip = kube__gzip_new();
        x->out_of_memory = !x->gzip;
    }
    if (x->head.gzip)
        verdict = x->gzip ? kube__gzip_feed(x->gzip, data, len, hand_on, x) : KUBE__HTTP_STOP;
    else
        verdict = hand_on(x, data, len);
    if (verdict == KUBE__HTTP_TAKEN)
        return len;
    if (verdict == KUBE__HTTP_FULL) {
        x->paused = true;
        x->paused_ns = x->active_ns;
        return CURL_WRITEFUNC_PAUSE;
    }
    x->stopped = !x->out_of_memory && !(x->gzip && kube__gzip_is_damaged(x->gzip));
    return 0;
}

bool kube__exchange_is_fenced_off(kube__exchange *x)
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
    if (kube__exchange_is_fenced_off(x)) {
        /* curl would close the connection in order, and the kernel would send what it still has. */
        kube__sockets_cut(x->transport->sockets);
        return CURL_READFUNC_ABORT;
    }
    memcpy(to, x->body + x->body_sent, len);
    x->body_sent += len;
    return len;
}

/* A child process inherits none of them. */
static curl_socket_t on_open(void *arg, curlsocktype purpose, struct curl_sockaddr *address)
{
    kube__exchange *x = arg;
    int fd;
    (void)purpose;
    fd = kube__socket(address->family, address->socktype, address->protocol);
    x->socket_errno = fd < 0 ? errno : 0;
    return fd;
}

static int on_socket(void *arg, curl_socket_t fd, curlsocktype purpose)
{
    kube__curl_transport *t = arg;
    bool short_lived = t->fence && t->grace_ms > 0 && t->grace_ms < DEAD_CONNECTION_MS;
    (void)purpose;
    kube__sockets_set_dead_ms(fd, short_lived ? t->grace_ms : DEAD_CONNECTION_MS);
    return kube__sockets_add(t->sockets, fd) && kube__connection_add(&t->connections, fd)
               ? CURL_SOCKOPT_OK
               : CURL_SOCKOPT_ERROR;
}

static int on_socket_close(void *arg, curl_socket_t fd)
{
    kube__curl_transport *t = arg;
    kube__connection *gone = kube__connection_remove(&t->connections, fd);
    for (kube__exchange *x = t->running; x && gone; x = x->next) {
        if (x->connection == gone)
            x->connection = NULL;
    }
    free(gone);
    kube__sockets_remove(t->sockets, fd);
    return close(fd);
}

/*
 * The connection stands, the request is written next. It is for the second time when one that had
 * been used before was lost, as curl then repeats any request of which it need not rewind a body;
 * but the server may have carried out the first. Only of a list or watch, which is a GET on a
 * connection of its own, that is fine.
 */
static int on_ready(void *arg, char *peer, char *local, int peer_port, int local_port)
{
    kube__exchange *x = arg;
    (void)peer;
    (void)local;
    (void)peer_port;
    if (x->sent && !x->own_connection) {
        x->lost = true;
        return CURL_PREREQFUNC_ABORT;
    }
    x->active_ns = kube__exchange_now_ns();
    if (!x->own_connection)
        x->connection = kube__connection_find(x->transport->connections, local_port);
    if (x->connection) {
        kube__connection_ready(x->connection, x->active_ns);
        kube__connection_wait(x->connection, x->started_ns);
    }
    /* In this order: if the fence closes after the look at it, the connection is cut. */
    if (x->fenced && !x->writing) {
        x->writing = true;
        kube__sockets_begin_write(x->transport->sockets);
    }
    if (!kube__exchange_is_fenced_off(x)) {
        x->sent = true;
        return CURL_PREREQFUNC_OK;
    }
    return CURL_PREREQFUNC_ABORT;
}

/* ---- one exchange on the I/O thread -------------------------------------------------------- */

static void link_running(kube__curl_transport *t, kube__exchange *x)
{
    x->next = t->running;
    x->previous = NULL;
    if (x->next)
        x->next->previous = x;
    t->running = x;
}

static void unlink_running(kube__curl_transport *t, kube__exchange *x)
{
    if (x->previous)
        x->previous->next = x->next;
    else
        t->running = x->next;
    if (x->next)
        x->next->previous = x->previous;
}

/* The end of an exchange: the only place that calls on_end(), once for each. */
static void finish(kube__exchange *x, kube__http_end *end)
{
    kube__curl_transport *t = x->transport;
    x->ended = true;
    if (x->connection)
        kube__connection_wait_end(x->connection, kube__exchange_now_ns());
    if (x->easy) {
        unlink_running(t, x);
        curl_multi_remove_handle(t->multi, x->easy);
        curl_easy_cleanup(x->easy);
        x->easy = NULL;
    }
    if (x->writing)
        kube__sockets_end_write(t->sockets);
    end->sent = x->sent && end->loss != KUBE__HTTP_REFUSED;
    kube_log_debug("%s %s: %s %d in %.3f ms", x->method, x->url, kube_code_name(end->code),
                   x->head.status,
                   (double)(kube__exchange_now_ns() - x->started_ns) / (double)KUBE__NS_PER_MS);
    x->handler.on_end(x->arg, end);
    kube__exchange_unref(x);
}

void kube__exchange_cancel(kube__exchange *x)
{
    kube__http_end end = {.code = KUBE_ERR_CANCELED};
    kube_error_set(&end.error, KUBE_ERR_CANCELED, "canceled");
    finish(x, &end);
}

void kube__exchange_fence_off(kube__exchange *x)
{
    kube__http_end end = {.code = KUBE_ERR_FENCED, .error = x->fence_error};
    const char *text = x->fence_error.message;
    if (x->sent) {
        /* "not sent: " is not true any more. */
        text += strcspn(text, ":");
        kube_error_set(&end.error, end.code,
                       "cut off%s; the server may have carried out the request", text);
    }
    kube__failure_prefix(&end.error, x->method, x->url);
    finish(x, &end);
}

void kube__exchange_end(kube__exchange *x, CURLcode result)
{
    kube__http_end end = {.code = KUBE_OK};
    if (x->stopped) {
        kube__exchange_cancel(x);
        return;
    }
    if (result != CURLE_OK && kube__exchange_is_fenced_off(x)) {
        kube__exchange_fence_off(x);
        return;
    }
    /* 101 is no answer: nobody asked to switch protocols. */
    if (result == CURLE_OK && !x->head_done)
        result = CURLE_WEIRD_SERVER_REPLY;
    if (x->out_of_memory)
        result = CURLE_OUT_OF_MEMORY;
    else if (x->gzip && kube__gzip_is_damaged(x->gzip))
        result = CURLE_BAD_CONTENT_ENCODING;
    else if (result == CURLE_OK && x->gzip && !kube__gzip_is_whole(x->gzip))
        result = CURLE_PARTIAL_FILE;
    if (x->lost)
        result = CURLE_SEND_FAIL_REWIND;
    if (result == CURLE_PARTIAL_FILE && !x->head_done) /* HTTP/2 */
        result = CURLE_GOT_NOTHING;
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
    SET(CURLOPT_OPENSOCKETFUNCTION, on_open);
    SET(CURLOPT_OPENSOCKETDATA, x);
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
    return x->own_connection ? CURLE_OK : kube__refusal_listen(easy, x);
}

#undef SET

void kube__exchange_begin(kube__curl_transport *t, kube__exchange *x)
{
    CURLcode result;
    x->started_ns = kube__exchange_now_ns();
    x->active_ns = x->started_ns;
    x->easy = curl_easy_init();
    if (!x->easy) {
        kube__exchange_end(x, CURLE_OUT_OF_MEMORY);
        return;
    }
    link_running(t, x);
    result = set_request(x->easy, x);
    kube__tls_files_refresh(&t->files);
    if (!result)
        result = (CURLcode)kube__transport_set_connection(x->easy, &t->files, t->connect_to,
                                                          x->own_connection);
    if (!result && curl_multi_add_handle(t->multi, x->easy) != CURLM_OK)
        result = CURLE_OUT_OF_MEMORY;
    if (result)
        kube__exchange_end(x, result);
}

void kube__exchange_go_on(kube__exchange *x)
{
    CURLcode result;
    x->paused = false;
    x->active_ns = kube__exchange_now_ns();
    x->limit_ns += x->limit_ns ? x->active_ns - x->paused_ns : 0;
    /* May call on_data() before it returns, which may pause again. */
    result = curl_easy_pause(x->easy, CURLPAUSE_CONT);
    if (result)
        kube__exchange_end(x, result);
}
