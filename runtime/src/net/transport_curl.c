/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transport on libcurl: one thread runs a multi handle; nothing else touches curl. Other
 * threads leave commands in a queue and wake it, so they never wait for it.
 */
#include "../base/thread.h"
#include "config.h"
#include "failure.h"
#include "file.h"
#include "http_head.h"
#include <curl/curl.h>
#include <errno.h>
#include <kube/log.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    CONNECT_TIMEOUT_MS = 30000, /* CFG-4: dial and handshake */
    KEEPALIVE_IDLE_S = 15,
    KEEPALIVE_INTERVAL_S = 10,
    DEAD_CONNECTION_MS = 45000, /* unacknowledged data for so long: the peer is gone (CFG-4) */
    MAX_IDLE_CONNECTIONS = 25,
    CA_REREAD_S = 300, /* CFG-6 */
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
    bool ended;
    int64_t started_ns;
    int64_t active_ns;
    char detail[CURL_ERROR_SIZE];
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
    kube__exchange *running; /* the I/O thread's */
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

static kube_code no_memory(kube_error *err)
{
    return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory");
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

/* With another name on the certificate, URL and SNI have that name and CONNECT_TO the address. */
static char *make_url(const kube_config *config, const char *url)
{
    const char *name = config->tls_server_name;
    size_t skip = strlen("https://") + strlen(config->authority);
    size_t size;
    char *made;
    if (!name || !config->https || strlen(url) < skip)
        return strdup(url);
    size = strlen(url) + strlen(name) + strlen(config->port) + sizeof("https://:");
    made = malloc(size);
    if (made) {
        snprintf(made, size, "https://%s:%s%s", name, config->port, url + skip);
    }
    return made;
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
    x->wire_url = make_url(t->config, request->url);
    x->own_connection = request->own_connection;
    x->bulk = request->bulk;
    x->life_ns = request->life_ms * 1000000;
    x->silence_ns = request->silence_ms * 1000000;
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

typedef struct failure {
    const char *reason; /* kube_error.reason */
    const char *text;
} failure;

static failure describe_connect(kube__exchange *x)
{
    long number = 0;
    curl_easy_getinfo(x->easy, CURLINFO_OS_ERRNO, &number);
    switch (number) {
    case ECONNREFUSED:
        return (failure){"ConnectionRefused", "connection refused"};
    case ETIMEDOUT:
        return (failure){"ConnectionTimedOut", "connection timed out"};
    case EHOSTUNREACH:
        return (failure){"Unreachable", "no route to host"};
    case ENETUNREACH:
        return (failure){"Unreachable", "network is unreachable"};
    case ECONNRESET:
        return (failure){"ConnectionReset", "connection reset"};
    default:
        return (failure){"Unreachable", NULL};
    }
}

static failure describe_loss(kube__exchange *x)
{
    long number = 0;
    curl_easy_getinfo(x->easy, CURLINFO_OS_ERRNO, &number);
    if (number == ETIMEDOUT) {
        return (failure){"ConnectionTimedOut", "the connection is dead: nothing was acknowledged"};
    }
    return (failure){"ConnectionReset", NULL};
}

/* What happened, in one word and, unless curl's own words are better, in a text. */
static failure describe(kube__exchange *x, CURLcode result)
{
    switch (result) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
        return (failure){"NameResolution", NULL};
    case CURLE_COULDNT_CONNECT:
        return describe_connect(x);
    case CURLE_OPERATION_TIMEDOUT:
        return (failure){"ConnectionTimedOut", "no connection within 30 s"};
    case CURLE_PEER_FAILED_VERIFICATION:
        return (failure){"Certificate", NULL};
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
        return (failure){"TLS", NULL};
    case CURLE_GOT_NOTHING:
        return (failure){"ConnectionClosed", "the server closed the connection without an answer"};
    case CURLE_SEND_FAIL_REWIND:
        return (failure){"ConnectionReset", "the connection was lost before the answer; what was "
                                            "asked for may have been done"};
    case CURLE_PARTIAL_FILE:
        return (failure){"Truncated", NULL};
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
        return describe_loss(x);
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
        return (failure){"ConnectionReset", NULL};
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return (failure){"NotHTTP", "the server does not speak HTTP"};
    default:
        return (failure){"Transport", NULL};
    }
}

/* Whether the connection was lost, in a way that a repeated GET may mend (REQ-3, condition B). */
static bool is_loss(CURLcode result)
{
    return result == CURLE_GOT_NOTHING || result == CURLE_SEND_ERROR ||
           result == CURLE_RECV_ERROR || result == CURLE_HTTP2 || result == CURLE_HTTP2_STREAM;
}

static void fill_failure(kube__exchange *x, CURLcode result, kube__http_end *end)
{
    failure found = describe(x, result);
    const char *text =
        found.text ? found.text : kube__failure_tidy(x->detail, curl_easy_strerror(result));
    const char *subject = kube__failure_subject(found.reason);
    end->code = result == CURLE_OUT_OF_MEMORY ? KUBE_ERR_NO_MEMORY : KUBE_ERR_TRANSPORT;
    end->unanswered = is_loss(result) && !x->head_done;
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
    memcpy(to, x->body + x->body_sent, len);
    x->body_sent += len;
    return len;
}

/* curl's keepalive notices a dead host only while nothing is sent. */
static int on_socket(void *arg, curl_socket_t fd, curlsocktype purpose)
{
    (void)arg;
    (void)purpose;
#ifdef TCP_USER_TIMEOUT
    unsigned limit = DEAD_CONNECTION_MS;
    if (setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &limit, sizeof(limit)))
        kube_log_debug("no TCP_USER_TIMEOUT on this connection");
#else
    (void)fd;
#endif
    return CURL_SOCKOPT_OK;
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
    kube_log_debug("%s %s: %s %d in %.3f ms", x->method, x->url, kube_code_name(end->code),
                   x->head.status, (double)(now_ns() - x->started_ns) / 1e6);
    x->handler.on_end(x->arg, end);
    exchange_unref(x);
}

static void finish_canceled(kube__exchange *x)
{
    kube__http_end end = {.code = KUBE_ERR_CANCELED};
    kube_error_set(&end.error, KUBE_ERR_CANCELED, "canceled");
    finish(x, &end);
}

static void finish_result(kube__exchange *x, CURLcode result)
{
    kube__http_end end = {.code = KUBE_OK};
    if (x->stopped) {
        finish_canceled(x);
        return;
    }
    /* 101 is no answer: nobody asked to switch protocols. */
    if (result == CURLE_OK && !x->head_done)
        result = CURLE_WEIRD_SERVER_REPLY;
    if (result != CURLE_OK)
        fill_failure(x, result, &end);
    finish(x, &end);
}

static bool is_loopback(const char *host)
{
    return !strcmp(host, "localhost") || !strncmp(host, "127.", 4) || !strcmp(host, "::1");
}

static CURLcode set_blob(CURL *easy, CURLoption option, const kube__pem *pem)
{
    /* Without COPY: the configuration outlives the handle. */
    struct curl_blob blob = {(void *)(uintptr_t)pem->data, pem->data_len, CURL_BLOB_NOCOPY};
    return curl_easy_setopt(easy, option, &blob);
}

#define SET(option, value)                                                                         \
    do {                                                                                           \
        CURLcode set_ = curl_easy_setopt(easy, option, value);                                     \
        if (set_) {                                                                                \
            return set_;                                                                           \
        }                                                                                          \
    } while (0)

static CURLcode set_identity(CURL *easy, const kube_config *config)
{
    CURLcode result = CURLE_OK;
    if (config->certificate.data)
        result = set_blob(easy, CURLOPT_SSLCERT_BLOB, &config->certificate);
    else if (config->certificate.file)
        result = curl_easy_setopt(easy, CURLOPT_SSLCERT, config->certificate.file);
    if (!result && config->key.data)
        result = set_blob(easy, CURLOPT_SSLKEY_BLOB, &config->key);
    else if (!result && config->key.file)
        result = curl_easy_setopt(easy, CURLOPT_SSLKEY, config->key.file);
    return result;
}

static CURLcode set_tls(CURL *easy, const curl_transport *t)
{
    const kube_config *config = t->config;
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_CA_CACHE_TIMEOUT, (long)CA_REREAD_S);
    if (config->insecure) {
        SET(CURLOPT_SSL_VERIFYPEER, 0L);
        SET(CURLOPT_SSL_VERIFYHOST, 0L);
    } else if (config->ca.data || config->ca.file) {
        /* Only these: the system's directory would be trusted beside them (CFG-2). */
        SET(CURLOPT_CAPATH, NULL);
        if (config->ca.data) {
            CURLcode result = set_blob(easy, CURLOPT_CAINFO_BLOB, &config->ca);
            if (result)
                return result;
        } else {
            SET(CURLOPT_CAINFO, config->ca.file);
        }
    }
    if (t->connect_to)
        SET(CURLOPT_CONNECT_TO, t->connect_to);
    return set_identity(easy, config);
}

static CURLcode set_connection(CURL *easy, const kube__exchange *x)
{
    const kube_config *config = x->transport->config;
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_QUICK_EXIT, 1L);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_TIMEOUT_MS);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_TCP_KEEPIDLE, (long)KEEPALIVE_IDLE_S);
    SET(CURLOPT_TCP_KEEPINTVL, (long)KEEPALIVE_INTERVAL_S);
    SET(CURLOPT_SOCKOPTFUNCTION, on_socket);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    if (config->proxy_url) {
        SET(CURLOPT_PROXY, config->proxy_url);
    } else if (is_loopback(config->host)) {
        /* As Go does: the proxy of the environment is not for this machine. */
        SET(CURLOPT_PROXY, "");
    }
    if (x->own_connection) {
        SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    } else {
        SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
        SET(CURLOPT_PIPEWAIT, 1L);
    }
    return config->https ? set_tls(easy, x->transport) : CURLE_OK;
}

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
        result = set_connection(x->easy, x);
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

/* Does what other threads asked for; false = stop. */
static bool take_commands(curl_transport *t)
{
    bool stopping;
    kube__lock(&t->mutex);
    while (t->first_command) {
        kube__exchange *x = t->first_command;
        unsigned commands = x->commands;
        t->first_command = x->next_command;
        x->commands = 0;
        kube__unlock(&t->mutex);
        obey(t, x, commands);
        exchange_unref(x);
        kube__lock(&t->mutex);
    }
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

/* Cuts what is silent for too long; gives the time until the next look. */
static int cut_silent(curl_transport *t)
{
    int64_t now = now_ns();
    int64_t first = now + INT64_C(1000000) * MAX_POLL_MS;
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
    return (int)((first - now) / 1000000 + 1);
}

static void *run(void *arg)
{
    curl_transport *t = arg;
    while (take_commands(t)) {
        int count;
        CURLMcode result = curl_multi_perform(t->multi, &count);
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
        return no_memory(err);
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
    kube__mutex_fini(&t->mutex);
    kube_config_free(t->config);
    free(t);
}

static void init_curl(void)
{
    /* Never undone: others in the process may use curl too, and its threads have no end. */
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        kube_log_error("libcurl cannot be initialised");
}

static bool make_connect_to(curl_transport *t)
{
    const kube_config *config = t->config;
    bool v6 = strchr(config->host, ':') != NULL;
    size_t size;
    char *line;
    if (!config->tls_server_name || !config->https)
        return true;
    size = strlen(config->tls_server_name) + strlen(config->host) + 2 * strlen(config->port) + 8;
    line = malloc(size);
    if (line) {
        snprintf(line, size, "%s:%s:%s%s%s:%s", config->tls_server_name, config->port,
                 v6 ? "[" : "", config->host, v6 ? "]" : "", config->port);
        t->connect_to = curl_slist_append(NULL, line);
        free(line);
    }
    return t->connect_to != NULL;
}

kube_code kube__transport_curl_new(const kube_config *config, kube__warning_sink *warning,
                                   void *warning_arg, kube__transport **out, kube_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    curl_transport *t = calloc(1, sizeof(*t));
    kube_code rc;
    *out = NULL;
    if (!t)
        return no_memory(err);
    pthread_once(&once, init_curl);
    rc = kube__mutex_init(&t->mutex, err);
    if (rc) {
        free(t);
        return rc;
    }
    t->base = (kube__transport){transport_start, transport_resume, transport_end, transport_free};
    t->config = kube__config_ref(config);
    t->warning = warning;
    t->warning_arg = warning_arg;
    t->multi = curl_multi_init();
    if (!t->multi || !make_connect_to(t)) {
        rc = no_memory(err);
    } else {
        curl_multi_setopt(t->multi, CURLMOPT_MAXCONNECTS, (long)MAX_IDLE_CONNECTIONS);
        rc = kube__thread_start(&t->thread, "kube-io", run, t, err);
    }
    if (rc) {
        transport_free(&t->base);
        return rc;
    }
    *out = &t->base;
    return KUBE_OK;
}
