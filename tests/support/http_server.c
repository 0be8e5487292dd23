/* SPDX-License-Identifier: Apache-2.0 */
#include "http_server.h"

#include "http2.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s: errno %d\n", __FILE__, __LINE__, #condition, errno);       \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

enum { MAX_CONNECTIONS = 8192, MAX_REQUESTS = 8192, MAX_REQUEST_BYTES = 4 << 20 };

typedef struct reply {
    char *bytes;
    size_t len;
    http_then then;
    struct reply *next;
} reply;

typedef struct connection {
    http_server *server;
    pthread_t thread;
    int fd;
    SSL *ssl;
    bool open;
    http2 h2;
} connection;

struct http_server {
    http_server_options options;
    SSL_CTX *tls;
    int fd;
    int port;
    char url[64];
    pthread_t acceptor;
    pthread_mutex_t mutex; /* for all below */
    pthread_cond_t changed;
    bool stopping;
    reply *first;
    reply *last;
    char *requests[MAX_REQUESTS];
    char clients[MAX_REQUESTS][32];
    size_t request_count;
    connection *connections[MAX_CONNECTIONS];
    size_t connection_count;
    size_t open_count;
    connection *held;
    bool held_done;
    http_then held_then;
    _Atomic size_t sent;
};

/* ---- bytes --------------------------------------------------------------------------------- */

/* False when the peer or the server's end stopped it. */
static bool send_all(connection *c, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n;
        size_t part = len < 65536 ? len : 65536;
        if (c->ssl)
            n = SSL_write(c->ssl, bytes, (int)part);
        else
            n = send(c->fd, bytes, part, MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        atomic_fetch_add(&c->server->sent, (size_t)n);
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

static ssize_t receive(connection *c, char *to, size_t size)
{
    return c->ssl ? SSL_read(c->ssl, to, (int)size) : recv(c->fd, to, size, 0);
}

static ssize_t receive_http2(void *arg, char *to, size_t size)
{
    return receive(arg, to, size);
}

static bool send_http2(void *arg, const char *bytes, size_t len)
{
    return send_all(arg, bytes, len);
}

static size_t content_length(const char *head)
{
    const char *line = head;
    while (line && strncmp(line, "\r\n\r\n", 4) != 0) {
        if (!strncasecmp(line, "\r\nContent-Length:", 17))
            return strtoul(line + 17, NULL, 10);
        line = strstr(line + 2, "\r\n");
    }
    return 0;
}

/* One request, head and body; NULL when the client left. One request a time: no pipelining. */
static char *read_request(connection *c)
{
    char *text;
    size_t len = 0;
    if (c->server->options.http2)
        return http2_read_request(&c->h2);
    text = calloc(1, MAX_REQUEST_BYTES + 1);
    MUST(text);
    for (;;) {
        const char *end = strstr(text, "\r\n\r\n");
        ssize_t n;
        if (end && len >= (size_t)(end + 4 - text) + content_length(text)) {
            char *cut = realloc(text, len + 1);
            return cut ? cut : text;
        }
        n = receive(c, text + len, MAX_REQUEST_BYTES - len);
        if (n <= 0) {
            free(text);
            return NULL;
        }
        len += (size_t)n;
    }
}

/* ---- a connection -------------------------------------------------------------------------- */

/* The next reply of the script; NULL = the server ends. */
static reply *next_reply(http_server *server)
{
    reply *found;
    pthread_mutex_lock(&server->mutex);
    while (!server->first && !server->stopping)
        pthread_cond_wait(&server->changed, &server->mutex);
    found = server->stopping ? NULL : server->first;
    if (found)
        server->first = found->next;
    pthread_mutex_unlock(&server->mutex);
    return found;
}

static void record(connection *c, char *request)
{
    http_server *server = c->server;
    X509 *certificate = c->ssl ? SSL_get1_peer_certificate(c->ssl) : NULL;
    pthread_mutex_lock(&server->mutex);
    MUST(server->request_count < MAX_REQUESTS);
    if (certificate)
        X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName,
                                  server->clients[server->request_count],
                                  sizeof server->clients[0]);
    X509_free(certificate);
    server->requests[server->request_count++] = request;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->mutex);
}

/* Waits for the test to be done with this connection; gives what comes then. */
static http_then hold(connection *c)
{
    http_server *server = c->server;
    http_then then;
    pthread_mutex_lock(&server->mutex);
    server->held = c;
    server->held_done = false;
    pthread_cond_broadcast(&server->changed);
    while (!server->held_done && !server->stopping)
        pthread_cond_wait(&server->changed, &server->mutex);
    then = server->held_done ? server->held_then : HTTP_CLOSE;
    server->held = NULL;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->mutex);
    return then;
}

static void reset(connection *c)
{
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    /* Not by the free of the SSL object, which would say goodbye first. */
    if (c->ssl)
        SSL_set_quiet_shutdown(c->ssl, 1);
}

/* Reads until the client leaves. */
static void stall(connection *c)
{
    char nothing[512];
    while (recv(c->fd, nothing, sizeof(nothing), 0) > 0) {
    }
}

static bool serve_one(connection *c)
{
    char *request = read_request(c);
    reply *r;
    http_then then;
    bool ok;
    if (!request)
        return false;
    record(c, request);
    r = next_reply(c->server);
    if (!r)
        return false;
    ok = c->server->options.http2 ? http2_answer(&c->h2, r->bytes, r->len)
                                  : send_all(c, r->bytes, r->len);
    then = r->then;
    free(r->bytes);
    free(r);
    if (!ok)
        return false;
    if (then == HTTP_HOLD)
        then = hold(c);
    if (then == HTTP_REFUSE)
        return http2_reset_stream(&c->h2, HTTP2_REFUSED_STREAM);
    if (then >= HTTP_GOAWAY) {
        uint32_t before = c->h2.stream > 1 ? c->h2.stream - 2 : 0;
        http2_goaway(&c->h2, then == HTTP_GOAWAY_REFUSED ? before : c->h2.stream);
        if (then != HTTP_GOAWAY)
            stall(c);
    } else if (then == HTTP_RESET) {
        reset(c);
    } else if (then == HTTP_STALL) {
        stall(c);
    }
    return then == HTTP_KEEP;
}

static int choose_http2(SSL *ssl, const unsigned char **out, unsigned char *out_len,
                        const unsigned char *in, unsigned in_len, void *arg)
{
    (void)ssl;
    (void)arg;
    for (unsigned at = 0; at < in_len; at += in[at] + 1U) {
        if (in[at] == 2 && !memcmp(in + at + 1, "h2", 2)) {
            *out = in + at + 1;
            *out_len = 2;
            return SSL_TLSEXT_ERR_OK;
        }
    }
    return SSL_TLSEXT_ERR_NOACK;
}

static bool handshake(connection *c)
{
    if (!c->server->tls)
        return true;
    if (c->server->options.stall_handshake) {
        stall(c);
        return false;
    }
    c->ssl = SSL_new(c->server->tls);
    MUST(c->ssl && SSL_set_fd(c->ssl, c->fd) == 1);
    if (SSL_accept(c->ssl) != 1)
        return false;
    c->h2 = (http2){.arg = c, .receive = receive_http2, .send = send_http2};
    return !c->server->options.http2 || http2_greet(&c->h2);
}

static void *serve(void *arg)
{
    connection *c = arg;
    http_server *server = c->server;
    if (handshake(c)) {
        while (serve_one(c)) {
        }
        if (c->ssl)
            SSL_shutdown(c->ssl);
    }
    SSL_free(c->ssl);
    ERR_clear_error();
    pthread_mutex_lock(&server->mutex);
    c->ssl = NULL;
    c->open = false;
    close(c->fd);
    server->open_count--;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->mutex);
    return NULL;
}

/* ---- the server ---------------------------------------------------------------------------- */

static void *accept_all(void *arg)
{
    http_server *server = arg;
    for (;;) {
        int yes = 1;
        int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC);
        connection *c;
        pthread_mutex_lock(&server->mutex);
        if (fd < 0 || server->stopping) {
            pthread_mutex_unlock(&server->mutex);
            if (fd >= 0)
                close(fd);
            return NULL;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
        c = calloc(1, sizeof *c);
        MUST(c && server->connection_count < MAX_CONNECTIONS);
        c->server = server;
        c->fd = fd;
        c->open = true;
        server->connections[server->connection_count++] = c;
        server->open_count++;
        pthread_cond_broadcast(&server->changed);
        pthread_mutex_unlock(&server->mutex);
        MUST(pthread_create(&c->thread, NULL, serve, c) == 0);
    }
}

static X509 *read_certificate(const char *pem)
{
    BIO *bio = BIO_new_mem_buf(pem, -1);
    X509 *certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL);
    BIO_free(bio);
    MUST(certificate);
    return certificate;
}

static EVP_PKEY *read_key(const char *pem)
{
    BIO *bio = BIO_new_mem_buf(pem, -1);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
    BIO_free(bio);
    MUST(key);
    return key;
}

static void make_tls(http_server *server)
{
    X509 *certificate = read_certificate(server->options.certificate);
    EVP_PKEY *key = read_key(server->options.key);
    server->tls = SSL_CTX_new(TLS_server_method());
    MUST(server->tls);
    MUST(SSL_CTX_use_certificate(server->tls, certificate) == 1);
    MUST(SSL_CTX_use_PrivateKey(server->tls, key) == 1);
    if (server->options.http2)
        SSL_CTX_set_alpn_select_cb(server->tls, choose_http2, NULL);
    if (server->options.client_ca) {
        X509 *ca = read_certificate(server->options.client_ca);
        MUST(X509_STORE_add_cert(SSL_CTX_get_cert_store(server->tls), ca) == 1);
        SSL_CTX_set_verify(server->tls, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
        X509_free(ca);
    }
    X509_free(certificate);
    EVP_PKEY_free(key);
}

static int listen_on_loopback(int backlog, int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t len = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    MUST(fd >= 0);
    MUST(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
    MUST(backlog < 0 || listen(fd, backlog) == 0);
    MUST(getsockname(fd, (struct sockaddr *)&address, &len) == 0);
    *port = ntohs(address.sin_port);
    return fd;
}

http_server *http_server_start(const http_server_options *options)
{
    http_server *server = calloc(1, sizeof *server);
    sigset_t all;
    sigset_t before;
    MUST(server);
    if (options)
        server->options = *options;
    if (server->options.certificate)
        make_tls(server);
    atomic_init(&server->sent, 0);
    MUST(pthread_mutex_init(&server->mutex, NULL) == 0);
    MUST(pthread_cond_init(&server->changed, NULL) == 0);
    server->fd = listen_on_loopback(128, &server->port);
    snprintf(server->url, sizeof server->url, "http%s://127.0.0.1:%d", server->tls ? "s" : "",
             server->port);
    /* SIGPIPE stays as it is for the client under test, but not for our threads. */
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    MUST(pthread_create(&server->acceptor, NULL, accept_all, server) == 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return server;
}

void http_server_free(http_server *server)
{
    pthread_mutex_lock(&server->mutex);
    server->stopping = true;
    shutdown(server->fd, SHUT_RDWR);
    for (size_t i = 0; i < server->connection_count; i++) {
        if (server->connections[i]->open)
            shutdown(server->connections[i]->fd, SHUT_RDWR);
    }
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->mutex);
    pthread_join(server->acceptor, NULL);
    for (size_t i = 0; i < server->connection_count; i++) {
        pthread_join(server->connections[i]->thread, NULL);
        free(server->connections[i]);
    }
    close(server->fd);
    for (size_t i = 0; i < server->request_count; i++)
        free(server->requests[i]);
    while (server->first) {
        reply *r = server->first;
        server->first = r->next;
        free(r->bytes);
        free(r);
    }
    SSL_CTX_free(server->tls);
    pthread_cond_destroy(&server->changed);
    pthread_mutex_destroy(&server->mutex);
    free(server);
}

const char *http_server_url(const http_server *server)
{
    return server->url;
}

int http_server_port(const http_server *server)
{
    return server->port;
}

/* ---- the script ---------------------------------------------------------------------------- */

static void add_reply(http_server *server, char *bytes, size_t len, http_then then)
{
    reply *r = calloc(1, sizeof *r);
    MUST(r && bytes);
    *r = (reply){.bytes = bytes, .len = len, .then = then};
    pthread_mutex_lock(&server->mutex);
    if (server->first)
        server->last->next = r;
    else
        server->first = r;
    server->last = r;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->mutex);
}

void http_server_reply_raw(http_server *server, const char *bytes, size_t len, http_then then)
{
    char *copy = malloc(len + 1);
    MUST(copy);
    memcpy(copy, bytes, len);
    add_reply(server, copy, len, then);
}

void http_server_reply(http_server *server, int status, const char *headers, const char *body)
{
    size_t size = 256 + (headers ? strlen(headers) : 0) + (body ? strlen(body) : 0);
    char *bytes = malloc(size);
    int len;
    MUST(bytes);
    len = snprintf(bytes, size, "HTTP/1.1 %d Reason\r\n%sContent-Length: %zu\r\n\r\n%s", status,
                   headers ? headers : "", body ? strlen(body) : 0, body ? body : "");
    add_reply(server, bytes, (size_t)len, HTTP_KEEP);
}

void http_server_reply_json(http_server *server, const char *body)
{
    http_server_reply(server, 200, "Content-Type: application/json\r\n", body);
}

static const char chunked_head[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                   "Transfer-Encoding: chunked\r\n\r\n";

void http_server_reply_chunked(http_server *server, const char *body, size_t len, size_t chunk,
                               http_then then)
{
    size_t step = chunk ? chunk : len ? len : 1;
    char *bytes = malloc(sizeof(chunked_head) + len + (len / step + 2) * 24);
    size_t used = strlen(chunked_head);
    MUST(bytes);
    memcpy(bytes, chunked_head, used);
    for (size_t at = 0; at < len; at += step) {
        size_t part = len - at < step ? len - at : step;
        used += (size_t)sprintf(bytes + used, "%zx\r\n", part);
        memcpy(bytes + used, body + at, part);
        used += part;
        bytes[used++] = '\r';
        bytes[used++] = '\n';
    }
    if (then == HTTP_KEEP) {
        memcpy(bytes + used, "0\r\n\r\n", 5);
        used += 5;
    }
    add_reply(server, bytes, used, then);
}

void http_server_reply_held(http_server *server)
{
    http_server_reply_raw(server, chunked_head, strlen(chunked_head), HTTP_HOLD);
}

void http_server_reply_reset(http_server *server)
{
    http_server_reply_raw(server, "", 0, HTTP_RESET);
}

/* ---- the held connection ------------------------------------------------------------------- */

void http_server_hold_wait(http_server *server)
{
    pthread_mutex_lock(&server->mutex);
    while (!server->held)
        pthread_cond_wait(&server->changed, &server->mutex);
    pthread_mutex_unlock(&server->mutex);
}

void http_server_hold_chunk(http_server *server, const char *text)
{
    char *bytes = malloc(strlen(text) + 32);
    int len;
    MUST(bytes);
    http_server_hold_wait(server);
    len = sprintf(bytes, "%zx\r\n%s\r\n", strlen(text), text);
    send_all(server->held, bytes, (size_t)len);
    free(bytes);
}

void http_server_hold_end(http_server *server, http_then then)
{
    http_server_hold_wait(server);
    if (then == HTTP_KEEP)
        send_all(server->held, "0\r\n\r\n", 5);
    pthread_mutex_lock(&server->mutex);
    server->held_then = then;
    server->held_done = true;
    pthread_cond_broadcast(&server->changed);
    while (server->held && server->held_done)
        pthread_cond_wait(&server->changed, &server->mutex);
    pthread_mutex_unlock(&server->mutex);
}

/* ---- what happened ------------------------------------------------------------------------- */

size_t http_server_count(http_server *server)
{
    size_t count;
    pthread_mutex_lock(&server->mutex);
    count = server->request_count;
    pthread_mutex_unlock(&server->mutex);
    return count;
}

void http_server_wait(http_server *server, size_t count)
{
    pthread_mutex_lock(&server->mutex);
    while (server->request_count < count)
        pthread_cond_wait(&server->changed, &server->mutex);
    pthread_mutex_unlock(&server->mutex);
}

const char *http_server_request(http_server *server, size_t index)
{
    const char *text;
    pthread_mutex_lock(&server->mutex);
    MUST(index < server->request_count);
    text = server->requests[index];
    pthread_mutex_unlock(&server->mutex);
    return text;
}

const char *http_server_client(http_server *server, size_t index)
{
    const char *name;
    pthread_mutex_lock(&server->mutex);
    MUST(index < server->request_count);
    name = server->clients[index];
    pthread_mutex_unlock(&server->mutex);
    return name;
}

size_t http_server_connections(http_server *server)
{
    size_t count;
    pthread_mutex_lock(&server->mutex);
    count = server->connection_count;
    pthread_mutex_unlock(&server->mutex);
    return count;
}

void http_server_wait_connections(http_server *server, size_t count)
{
    pthread_mutex_lock(&server->mutex);
    while (server->connection_count < count)
        pthread_cond_wait(&server->changed, &server->mutex);
    pthread_mutex_unlock(&server->mutex);
}

void http_server_wait_idle(http_server *server)
{
    pthread_mutex_lock(&server->mutex);
    while (server->open_count > 0)
        pthread_cond_wait(&server->changed, &server->mutex);
    pthread_mutex_unlock(&server->mutex);
}

size_t http_server_sent(http_server *server)
{
    return atomic_load(&server->sent);
}

/* ---- addresses without a server ------------------------------------------------------------ */

void http_nowhere_refuse(http_nowhere *nowhere)
{
    /* Bound but not listening: nobody else gets the port, and the kernel refuses. */
    *nowhere = (http_nowhere){0};
    nowhere->fd = listen_on_loopback(-1, &nowhere->port);
}

void http_nowhere_ignore(http_nowhere *nowhere)
{
    *nowhere = (http_nowhere){0};
    nowhere->fd = listen_on_loopback(128, &nowhere->port);
}

void http_nowhere_blackhole(http_nowhere *nowhere)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    *nowhere = (http_nowhere){0};
    nowhere->fd = listen_on_loopback(0, &nowhere->port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons((uint16_t)nowhere->port);
    /* Once one does not get through within a moment, the queue is full, and no other will. */
    for (;;) {
        struct pollfd wait = {.events = POLLOUT};
        MUST(nowhere->fill_count < sizeof nowhere->fill / sizeof *nowhere->fill);
        wait.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        MUST(wait.fd >= 0);
        nowhere->fill[nowhere->fill_count++] = wait.fd;
        MUST(connect(wait.fd, (struct sockaddr *)&address, sizeof(address)) == 0 ||
             errno == EINPROGRESS);
        if (poll(&wait, 1, 100) == 0)
            return;
    }
}

void http_nowhere_close(http_nowhere *nowhere)
{
    for (size_t i = 0; i < nowhere->fill_count; i++)
        close(nowhere->fill[i]);
    close(nowhere->fd);
}
