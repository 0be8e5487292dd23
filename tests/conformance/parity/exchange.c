/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange.h"

#include "base/buffer.h"

#include <ctype.h>
#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum {
    WATCH_WAIT_MS = 20000,
    ANSWER_TIMEOUT_MS = 30000,
    BODY_LIMIT = 64 << 20,
};

/* One answer while it is received. */
typedef struct inflow {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    kube__buffer head;
    kube__buffer body;
    size_t lines;
    size_t lines_wanted; /* 0 = all */
    bool body_begun;
    bool stop;
    bool ended;
} inflow;

struct parity_connection {
    const parity_server *server;
    CURL *curl;
};

struct parity_watch {
    const parity_server *server;
    CURL *curl;
    CURLM *multi;
    struct curl_slist *headers;
    inflow in;
    CURLcode result;
    pthread_t thread;
};

static void *must(void *made)
{
    if (!made) {
        fputs("parity: memory is out\n", stderr);
        exit(EXIT_FAILURE);
    }
    return made;
}

static void inflow_init(inflow *in, size_t lines_wanted)
{
    memset(in, 0, sizeof *in);
    pthread_mutex_init(&in->lock, NULL);
    pthread_cond_init(&in->changed, NULL);
    kube__buffer_init(&in->head, 1 << 20);
    kube__buffer_init(&in->body, BODY_LIMIT);
    in->lines_wanted = lines_wanted;
}

static void inflow_fini(inflow *in)
{
    kube__buffer_fini(&in->head);
    kube__buffer_fini(&in->body);
    pthread_cond_destroy(&in->changed);
    pthread_mutex_destroy(&in->lock);
}

static size_t take_header(char *data, size_t size, size_t count, void *arg)
{
    inflow *in = arg;
    size_t len = size * count;
    char *colon = memchr(data, ':', len);
    size_t end = len;
    pthread_mutex_lock(&in->lock);
    if (len >= 5 && memcmp(data, "HTTP/", 5) == 0)
        kube__buffer_reset(&in->head); /* of the last answer, after 100 Continue */
    while (end > 0 && (data[end - 1] == '\r' || data[end - 1] == '\n'))
        end--;
    if (end == 0)
        in->body_begun = true;
    if (colon) {
        for (char *p = data; p < colon; p++)
            *p = (char)tolower((unsigned char)*p);
        kube__buffer_add(&in->head, data, end);
        kube__buffer_add_text(&in->head, "\n");
    }
    pthread_cond_broadcast(&in->changed);
    pthread_mutex_unlock(&in->lock);
    return len;
}

static size_t take_body(char *data, size_t size, size_t count, void *arg)
{
    inflow *in = arg;
    size_t len = size * count;
    bool enough;
    pthread_mutex_lock(&in->lock);
    in->body_begun = true;
    kube__buffer_add(&in->body, data, len);
    for (size_t i = 0; i < len; i++)
        in->lines += data[i] == '\n';
    enough = in->lines_wanted > 0 && in->lines >= in->lines_wanted;
    pthread_cond_broadcast(&in->changed);
    pthread_mutex_unlock(&in->lock);
    return enough || in->body.failed ? CURL_WRITEFUNC_ERROR : len;
}

static struct curl_slist *add_header(struct curl_slist *list, const char *text)
{
    return must(curl_slist_append(list, text));
}

static bool has_header(const parity_request *request, const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; i < request->header_count; i++)
        if (strncasecmp(request->headers[i], name, len) == 0 && request->headers[i][len] == ':')
            return true;
    return false;
}

static struct curl_slist *headers_of(const parity_server *server, const parity_request *request)
{
    struct curl_slist *list = add_header(NULL, "Expect:");
    const char *as = request->as ? request->as : "admin";
    char text[4096];
    if (!has_header(request, "Accept"))
        list = add_header(list, "Accept: application/json");
    if (!has_header(request, "Content-Type"))
        list = add_header(list, request->body ? "Content-Type: application/json" : "Content-Type:");
    for (size_t i = 0; i < request->header_count; i++)
        list = add_header(list, request->headers[i]);
    if (strcmp(as, "admin") == 0)
        as = server->admin;
    else if (strcmp(as, "user") == 0)
        as = server->user;
    if (strcmp(as, "anonymous") != 0 && strcmp(as, "cert") != 0) {
        snprintf(text, sizeof text, "Authorization: Bearer %s", as);
        list = add_header(list, text);
    }
    return list;
}

static void set_certificate(CURL *curl, const parity_server *server)
{
    struct curl_blob certificate = {server->certificate, 0, CURL_BLOB_COPY};
    struct curl_blob key = {server->key, 0, CURL_BLOB_COPY};
    if (!server->certificate || !server->key)
        return;
    certificate.len = strlen(server->certificate);
    key.len = strlen(server->key);
    curl_easy_setopt(curl, CURLOPT_SSLCERT_BLOB, &certificate);
    curl_easy_setopt(curl, CURLOPT_SSLKEY_BLOB, &key);
}

static struct curl_slist *prepare(CURL *curl, const parity_server *server,
                                  const parity_request *request, inflow *in)
{
    struct curl_slist *headers = headers_of(server, request);
    size_t size = strlen(server->url) + strlen(request->path) + 1;
    char *url = must(malloc(size));
    snprintf(url, size, "%s%s", server->url, request->path);
    curl_easy_reset(curl);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    free(url);
    curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L); /* this is no test of TLS */
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)ANSWER_TIMEOUT_MS);
    /* One that starts with "curl" gets indented answers. */
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "parity/v1");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    if (has_header(request, "Accept-Encoding"))
        curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip");
    if (request->as && strcmp(request->as, "cert") == 0)
        set_certificate(curl, server);
    if (strcmp(request->method, "HEAD") == 0)
        curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    if (request->body) {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)strlen(request->body));
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
    }
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request->method);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, in);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, in);
    return headers;
}

static void take_answer(CURL *curl, CURLcode result, inflow *in, kube_ctx *ctx,
                        parity_response *response)
{
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    *response = (parity_response){.status = (int)status};
    if (result && !(result == CURLE_WRITE_ERROR && in->lines_wanted > 0) && !in->stop)
        response->fault = curl_easy_strerror(result);
    response->headers = kube_ctx_strndup(ctx, in->head.data ? in->head.data : "", in->head.len);
    response->body = kube_ctx_strndup(ctx, in->body.data ? in->body.data : "", in->body.len);
    response->body_len = in->body.len;
}

parity_connection *parity_connect(const parity_server *server)
{
    parity_connection *made = must(calloc(1, sizeof *made));
    made->server = server;
    made->curl = must(curl_easy_init());
    return made;
}

void parity_disconnect(parity_connection *connection)
{
    if (!connection)
        return;
    curl_easy_cleanup(connection->curl);
    free(connection);
}

void parity_send(parity_connection *connection, kube_ctx *ctx, const parity_request *request,
                 parity_response *response)
{
    struct curl_slist *headers;
    CURLcode result;
    inflow in;
    if (request->events > 0) {
        parity_watch *watch = parity_watch_start(connection->server, request);
        parity_watch_wait(watch, request->events);
        parity_watch_stop(watch, ctx, response);
        return;
    }
    inflow_init(&in, 0);
    headers = prepare(connection->curl, connection->server, request, &in);
    result = curl_easy_perform(connection->curl);
    take_answer(connection->curl, result, &in, ctx, response);
    curl_slist_free_all(headers);
    inflow_fini(&in);
}

const char *parity_header(kube_ctx *ctx, const parity_response *response, const char *name)
{
    size_t len = strlen(name);
    const char *line = response->headers ? response->headers : "";
    const char *found = NULL;
    while (*line) {
        const char *end = strchr(line, '\n');
        if (!end)
            break;
        if ((size_t)(end - line) > len && strncmp(line, name, len) == 0 && line[len] == ':') {
            const char *value = line + len + 1;
            while (value < end && *value == ' ')
                value++;
            found = found ? kube_printf(ctx, "%s\n%.*s", found, (int)(end - value), value)
                          : kube_ctx_strndup(ctx, value, (size_t)(end - value));
        }
        line = end + 1;
    }
    return found;
}

static void *read_watch(void *arg)
{
    parity_watch *watch = arg;
    int running = 1;
    bool stop = false;
    while (running && !stop) {
        curl_multi_perform(watch->multi, &running);
        if (running)
            curl_multi_poll(watch->multi, NULL, 0, 1000, NULL);
        pthread_mutex_lock(&watch->in.lock);
        stop = watch->in.stop;
        pthread_mutex_unlock(&watch->in.lock);
    }
    pthread_mutex_lock(&watch->in.lock);
    watch->in.ended = true;
    pthread_cond_broadcast(&watch->in.changed);
    pthread_mutex_unlock(&watch->in.lock);
    return NULL;
}

parity_watch *parity_watch_start(const parity_server *server, const parity_request *request)
{
    parity_watch *watch = must(calloc(1, sizeof *watch));
    watch->server = server;
    watch->curl = must(curl_easy_init());
    watch->multi = must(curl_multi_init());
    inflow_init(&watch->in, 0);
    watch->headers = prepare(watch->curl, server, request, &watch->in);
    curl_multi_add_handle(watch->multi, watch->curl);
    if (pthread_create(&watch->thread, NULL, read_watch, watch) != 0)
        must(NULL);
    pthread_mutex_lock(&watch->in.lock);
    while (!watch->in.body_begun && !watch->in.ended)
        pthread_cond_wait(&watch->in.changed, &watch->in.lock);
    pthread_mutex_unlock(&watch->in.lock);
    return watch;
}

void parity_watch_wait(parity_watch *watch, size_t count)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += WATCH_WAIT_MS / 1000;
    pthread_mutex_lock(&watch->in.lock);
    while (watch->in.lines < count && !watch->in.ended &&
           pthread_cond_timedwait(&watch->in.changed, &watch->in.lock, &end) == 0)
        continue;
    pthread_mutex_unlock(&watch->in.lock);
}

void parity_watch_stop(parity_watch *watch, kube_ctx *ctx, parity_response *response)
{
    pthread_mutex_lock(&watch->in.lock);
    watch->in.stop = true;
    pthread_mutex_unlock(&watch->in.lock);
    curl_multi_wakeup(watch->multi);
    pthread_join(watch->thread, NULL);
    take_answer(watch->curl, CURLE_OK, &watch->in, ctx, response);
    curl_multi_remove_handle(watch->multi, watch->curl);
    curl_easy_cleanup(watch->curl);
    curl_multi_cleanup(watch->multi);
    curl_slist_free_all(watch->headers);
    inflow_fini(&watch->in);
    free(watch);
}
