/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An API server that only replays: Networks as a list, in pages, as a streaming list, and as many
 * MODIFIED events as are asked for, from memory and faster than a client reads. HTTP/1.1 on two
 * ports of the loopback, one of them with TLS; a thread a connection. For measuring only.
 *
 *   bench_replay COUNT full|lean DIRECTORY
 *
 * writes plain.kubeconfig, tls.kubeconfig, ca.pem and port (the plain one) into DIRECTORY, says
 * "ready", and serves until it is killed. GET /start?events=N sends N events to each open watch.
 * packed.kubeconfig is the plain port again, below /packed: there, a list is gzip.
 */
#include "corpus.h"
#include "support/pki.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

enum {
    GZIP_LEVEL = 4, /* kube-apiserver's */
    REQUEST_MAX = 64 * 1024,
    CHUNK = 64 * 1024,
    HEADROOM = 16, /* before a chunk's data, for its length */
    VERSION_LEN = 7,
    FIRST_EVENT_VERSION = 3000000,
    LIST_VERSION = 2000000,
};

typedef struct connection {
    int fd;
    SSL *tls; /* NULL = plain */
    size_t have;
    char request[REQUEST_MAX + 1];
    size_t chunk_len;
    char chunk[HEADROOM + CHUNK + 2];
} connection;

typedef struct listener {
    int fd;
    int port;
    SSL_CTX *tls;
} listener;

static corpus data;
static size_t *version_at; /* of each item's resourceVersion, from the item's start */

static pthread_mutex_t start_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;
static unsigned long start_count;
static size_t start_events;

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "bench_replay: ");
    perror(what);
    exit(2);
}

/* ---- writing ------------------------------------------------------------------------------- */

static bool send_all(connection *c, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = c->tls ? SSL_write(c->tls, text, (int)len) : send(c->fd, text, len, 0);
        if (n <= 0)
            return false;
        text += n;
        len -= (size_t)n;
    }
    return true;
}

static bool send_answer(connection *c, const char *status, const char *body, size_t len)
{
    char head[256];
    int n = snprintf(head, sizeof head,
                     "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                     status, len);
    return send_all(c, head, (size_t)n) && send_all(c, body, len);
}

static bool begin_chunks(connection *c)
{
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                               "Transfer-Encoding: chunked\r\n\r\n";
    c->chunk_len = 0;
    return send_all(c, head, sizeof head - 1);
}

/* Length, data and line end in one piece. */
static bool flush_chunk(connection *c)
{
    char length[HEADROOM];
    char *start = c->chunk + HEADROOM;
    size_t n;
    bool ok;
    if (c->chunk_len == 0)
        return true;
    n = (size_t)snprintf(length, sizeof length, "%zx\r\n", c->chunk_len);
    memcpy(start - n, length, n);
    memcpy(start + c->chunk_len, "\r\n", 2);
    ok = send_all(c, start - n, n + c->chunk_len + 2);
    c->chunk_len = 0;
    return ok;
}

static bool put(connection *c, const char *text, size_t len)
{
    while (len > 0) {
        size_t room = CHUNK - c->chunk_len;
        size_t n = len < room ? len : room;
        memcpy(c->chunk + HEADROOM + c->chunk_len, text, n);
        c->chunk_len += n;
        text += n;
        len -= n;
        if (c->chunk_len == CHUNK && !flush_chunk(c))
            return false;
    }
    return true;
}

__attribute__((format(printf, 2, 3))) static bool put_format(connection *c, const char *format, ...)
{
    char text[1024];
    va_list args;
    int n;
    va_start(args, format);
    n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return put(c, text, (size_t)n);
}

static bool end_chunks(connection *c)
{
    return flush_chunk(c) && send_all(c, "0\r\n\r\n", 5);
}

/* ---- what is served ------------------------------------------------------------------------ */

/* The number of a query parameter, 0 when there is none; "true" counts as 1. */
static size_t number_of(const char *query, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = query; at && (at = strstr(at, name)) != NULL; at += len) {
        const char *value = at + len + 1;
        if ((at[-1] == '?' || at[-1] == '&') && at[len] == '=')
            return strncmp(value, "true", 4) == 0 ? 1 : strtoul(value, NULL, 10);
    }
    return 0;
}

/* A real server's watch cache, too, answers resourceVersion=0 with everything. */
static bool serve_list(connection *c, const char *query)
{
    size_t from = number_of(query, "continue");
    size_t limit = strstr(query, "resourceVersion=0") ? 0 : number_of(query, "limit");
    size_t to = limit > 0 && from + limit < data.count ? from + limit : data.count;
    if (!begin_chunks(c) || !put_format(c, "{\"apiVersion\":\"samplecrd.k8s.io/v1\",\"items\":["))
        return false;
    /* The items of the corpus lie side by side, with their commas. */
    if (from < to && !put(c, data.text + data.starts[from], data.ends[to - 1] - data.starts[from]))
        return false;
    if (!put_format(c, "],\"kind\":\"NetworkList\",\"metadata\":{\"continue\":\""))
        return false;
    if (to < data.count && !put_format(c, "%zu", to))
        return false;
    return put_format(c, "\",\"resourceVersion\":\"%d\"}}\n", LIST_VERSION) && end_chunks(c);
}

/* The whole list as gzip, made when it is asked for first. */
static pthread_once_t packing = PTHREAD_ONCE_INIT;
static unsigned char *packed;
static size_t packed_len;

static void add_packed(z_stream *stream, const char *text, size_t len, int flush)
{
    stream->next_in = (unsigned char *)(uintptr_t)text;
    stream->avail_in = (unsigned)len;
    must(deflate(stream, flush) != Z_STREAM_ERROR, "gzip");
}

static void pack_list(void)
{
    static const char head[] = "{\"apiVersion\":\"samplecrd.k8s.io/v1\",\"items\":[";
    static const char tail[] = "],\"kind\":\"NetworkList\",\"metadata\":{\"resourceVersion\":"
                               "\"2000000\"}}\n";
    size_t len = data.count ? data.ends[data.count - 1] - data.starts[0] : 0;
    z_stream stream = {0};
    must(deflateInit2(&stream, GZIP_LEVEL, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) ==
             Z_OK,
         "gzip");
    packed_len = deflateBound(&stream, len + sizeof head + sizeof tail);
    packed = malloc(packed_len);
    must(packed != NULL, "memory");
    stream.next_out = packed;
    stream.avail_out = (unsigned)packed_len;
    add_packed(&stream, head, sizeof head - 1, Z_NO_FLUSH);
    add_packed(&stream, data.text + data.starts[0], len, Z_NO_FLUSH);
    add_packed(&stream, tail, sizeof tail - 1, Z_FINISH);
    packed_len -= stream.avail_out;
    deflateEnd(&stream);
}

static bool serve_packed_list(connection *c)
{
    char head[256];
    int n;
    pthread_once(&packing, pack_list);
    n = snprintf(head, sizeof head,
                 "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                 "Content-Encoding: gzip\r\nContent-Length: %zu\r\n\r\n",
                 packed_len);
    return send_all(c, head, (size_t)n) && send_all(c, (const char *)packed, packed_len);
}

/* A line of a watch; @version 0 = the object as it is in the list. */
static bool put_event(connection *c, const char *type, size_t i, size_t version)
{
    const char *item = data.text + data.starts[i];
    size_t len = data.ends[i] - data.starts[i];
    char digits[24];
    if (!put(c, "{\"type\":\"", 9) || !put(c, type, strlen(type)) || !put(c, "\",\"object\":", 11))
        return false;
    if (version == 0)
        return put(c, item, len) && put(c, "}\n", 2);
    for (size_t k = VERSION_LEN; k > 0; k--, version /= 10)
        digits[k - 1] = (char)('0' + version % 10);
    return put(c, item, version_at[i]) && put(c, digits, VERSION_LEN) &&
           put(c, item + version_at[i] + VERSION_LEN, len - version_at[i] - VERSION_LEN) &&
           put(c, "}\n", 2);
}

static bool serve_initial_events(connection *c)
{
    for (size_t i = 0; i < data.count; i++) {
        if (!put_event(c, "ADDED", i, 0))
            return false;
    }
    return put_format(c,
                      "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Network\",\"apiVersion\":"
                      "\"samplecrd.k8s.io/v1\",\"metadata\":{\"annotations\":{"
                      "\"k8s.io/initial-events-end\":\"true\"},\"resourceVersion\":\"%d\"}}}\n",
                      LIST_VERSION);
}

/* Waits for the next start; a client that has gone is noticed when it is sent something. */
static size_t wait_for_start(unsigned long *seen)
{
    size_t events;
    pthread_mutex_lock(&start_mutex);
    while (*seen == start_count)
        pthread_cond_wait(&started, &start_mutex);
    *seen = start_count;
    events = start_events;
    pthread_mutex_unlock(&start_mutex);
    return events;
}

static void serve_watch(connection *c, const char *query)
{
    size_t version = FIRST_EVENT_VERSION;
    unsigned long seen;
    pthread_mutex_lock(&start_mutex);
    seen = start_count;
    pthread_mutex_unlock(&start_mutex);
    if (!begin_chunks(c))
        return;
    if (number_of(query, "sendInitialEvents") && !serve_initial_events(c))
        return;
    while (flush_chunk(c)) {
        size_t events = wait_for_start(&seen);
        for (size_t i = 0; i < events && data.count > 0; i++) {
            if (!put_event(c, "MODIFIED", i % data.count, version++))
                return;
        }
    }
}

static void start(size_t events)
{
    pthread_mutex_lock(&start_mutex);
    start_events = events;
    start_count++;
    pthread_cond_broadcast(&started);
    pthread_mutex_unlock(&start_mutex);
}

/* ---- requests ------------------------------------------------------------------------------ */

static bool receive(connection *c)
{
    size_t room = REQUEST_MAX - c->have;
    char *to = c->request + c->have;
    ssize_t n;
    if (room == 0)
        return false;
    n = c->tls ? SSL_read(c->tls, to, (int)room) : recv(c->fd, to, room, 0);
    if (n <= 0)
        return false;
    c->have += (size_t)n;
    return true;
}

/* Reads a request with its body; false = there is no more. */
static bool read_request(connection *c, size_t *head_len, size_t *body_len)
{
    static const char field[] = "\r\nContent-Length:";
    const char *end;
    const char *length;
    for (;;) {
        c->request[c->have] = '\0';
        if ((end = strstr(c->request, "\r\n\r\n")) != NULL)
            break;
        if (!receive(c))
            return false;
    }
    *head_len = (size_t)(end - c->request) + 4;
    length = strcasestr(c->request, field);
    *body_len = length && length < end ? strtoul(length + sizeof field - 1, NULL, 10) : 0;
    while (c->have < *head_len + *body_len) {
        if (!receive(c))
            return false;
    }
    return true;
}

/* Writes are answered with what was sent: nothing is kept. False = the connection is done. */
static bool answer(connection *c, const char *body, size_t body_len)
{
    static const char missing[] = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":"
                                  "\"Failure\",\"reason\":\"NotFound\",\"code\":404}";
    const char *query = strchr(c->request, '?');
    bool get = strncmp(c->request, "GET ", 4) == 0;
    if (!query)
        query = "";
    if (!get)
        return send_answer(c, strncmp(c->request, "POST ", 5) == 0 ? "201 Created" : "200 OK", body,
                           body_len);
    if (strncmp(c->request, "GET /start?", 11) == 0) {
        start(number_of(query, "events"));
        return send_answer(c, "200 OK", "{}", 2);
    }
    if (!strstr(c->request, "/networks"))
        return send_answer(c, "404 Not Found", missing, sizeof missing - 1);
    if (strncmp(c->request, "GET /packed/", 12) == 0)
        return serve_packed_list(c);
    if (!number_of(query, "watch"))
        return serve_list(c, query);
    serve_watch(c, query);
    return false;
}

static void *serve(void *arg)
{
    connection *c = arg;
    size_t head_len;
    size_t body_len;
    if (c->tls && SSL_accept(c->tls) != 1)
        goto out;
    while (read_request(c, &head_len, &body_len)) {
        char *line_end = strstr(c->request, "\r\n");
        *line_end = '\0';
        if (!answer(c, c->request + head_len, body_len))
            break;
        c->have -= head_len + body_len;
        memmove(c->request, c->request + head_len + body_len, c->have);
    }
out:
    if (c->tls)
        SSL_free(c->tls);
    close(c->fd);
    free(c);
    return NULL;
}

/* ---- start --------------------------------------------------------------------------------- */

static void *accept_all(void *arg)
{
    listener *l = arg;
    int fd;
    while ((fd = accept(l->fd, NULL, NULL)) >= 0) {
        pthread_t thread;
        int one = 1;
        connection *c = calloc(1, sizeof *c);
        must(c != NULL, "memory");
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        c->fd = fd;
        if (l->tls) {
            c->tls = SSL_new(l->tls);
            must(c->tls && SSL_set_fd(c->tls, fd) == 1, "TLS");
        }
        must(pthread_create(&thread, NULL, serve, c) == 0, "thread");
        pthread_detach(thread);
    }
    must(false, "accept");
    return NULL;
}

static listener listen_on_loopback(SSL_CTX *tls)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    listener l = {.fd = socket(AF_INET, SOCK_STREAM, 0), .tls = tls};
    must(bind(l.fd, (struct sockaddr *)&address, sizeof address) == 0, "bind");
    must(listen(l.fd, 64) == 0, "listen");
    must(getsockname(l.fd, (struct sockaddr *)&address, &len) == 0, "getsockname");
    l.port = ntohs(address.sin_port);
    return l;
}

__attribute__((format(printf, 3, 4))) static void
write_file(const char *directory, const char *name, const char *format, ...)
{
    char path[1024];
    va_list args;
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    file = fopen(path, "w");
    must(file != NULL, path);
    va_start(args, format);
    vfprintf(file, format, args);
    va_end(args);
    must(fclose(file) == 0, path);
}

static void write_kubeconfig(const char *directory, const char *name, const char *scheme, int port,
                             const char *authority)
{
    write_file(directory, name,
               "apiVersion: v1\nkind: Config\ncurrent-context: replay\n"
               "contexts: [{name: replay, context: {cluster: replay, user: nobody}}]\n"
               "users: [{name: nobody, user: {}}]\n"
               "clusters: [{name: replay, cluster: {server: \"%s://127.0.0.1:%d%s}}]\n",
               scheme, port, authority);
}

static SSL_CTX *server_tls(const char *directory)
{
    pki_pair authority = pki_ca("replay authority");
    pki_pair server = pki_issue(&authority, "replay", "IP:127.0.0.1", 1);
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());
    char path[1024];
    write_file(directory, "ca.pem", "%s", authority.certificate);
    write_file(directory, "server.pem", "%s%s", server.certificate, server.key);
    snprintf(path, sizeof path, "%s/server.pem", directory);
    must(tls && SSL_CTX_use_certificate_file(tls, path, SSL_FILETYPE_PEM) == 1 &&
             SSL_CTX_use_PrivateKey_file(tls, path, SSL_FILETYPE_PEM) == 1,
         "certificate");
    pki_free(&server);
    pki_free(&authority);
    return tls;
}

static void load(size_t count, corpus_size size)
{
    static const char name[] = "\"resourceVersion\":\"";
    data = corpus_new(count, size, CORPUS_SORTED);
    version_at = calloc(count + 1, sizeof *version_at);
    must(version_at != NULL, "memory");
    for (size_t i = 0; i < count; i++) {
        const char *item = data.text + data.starts[i];
        version_at[i] = (size_t)(strstr(item, name) - item) + sizeof name - 1;
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: bench_replay COUNT full|lean DIRECTORY\n", stderr);
        return 2;
    }
    const char *directory = argv[3];
    pthread_t thread;
    signal(SIGPIPE, SIG_IGN);
    load(strtoul(argv[1], NULL, 10), strcmp(argv[2], "full") == 0 ? CORPUS_FULL : CORPUS_LEAN);

    listener plain = listen_on_loopback(NULL);
    listener tls = listen_on_loopback(server_tls(directory));
    write_kubeconfig(directory, "plain.kubeconfig", "http", plain.port, "\"");
    write_kubeconfig(directory, "packed.kubeconfig", "http", plain.port, "/packed\"");
    write_kubeconfig(directory, "tls.kubeconfig", "https", tls.port,
                     "\", certificate-authority: ca.pem");
    write_file(directory, "port", "%d\n", plain.port);
    must(pthread_create(&thread, NULL, accept_all, &tls) == 0, "thread");
    puts("ready");
    fflush(stdout);
    accept_all(&plain);
    return 0;
}
