/* SPDX-License-Identifier: Apache-2.0 */
#include "http_peer.h"

#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { PATIENCE_S = 60 }; /* a test that waits so long has failed */

http_peer http_connect(uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    http_peer peer = {.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    ck_assert_int_ge(peer.fd, 0);
    setsockopt(peer.fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ck_assert_msg(!connect(peer.fd, (struct sockaddr *)&address, sizeof address), "connect: %s",
                  strerror(errno));
    return peer;
}

void http_close(http_peer *peer)
{
    close(peer->fd);
    free(peer->data);
    *peer = (http_peer){.fd = -1};
}

void http_send_bytes(http_peer *peer, const void *data, size_t len)
{
    const char *p = data;
    while (len) {
        ssize_t sent = send(peer->fd, p, len, MSG_NOSIGNAL);
        ck_assert_msg(sent > 0, "send: %s", strerror(errno));
        p += sent;
        len -= (size_t)sent;
    }
}

void http_send(http_peer *peer, const char *text)
{
    http_send_bytes(peer, text, strlen(text));
}

/* Receives more; 0 when the other end has closed. */
static size_t receive(http_peer *peer)
{
    ssize_t got;
    if (peer->size - peer->len < 65537) {
        peer->size = 2 * peer->size + (1 << 17);
        peer->data = realloc(peer->data, peer->size);
        ck_assert_ptr_nonnull(peer->data);
    }
    got = recv(peer->fd, peer->data + peer->len, 65536, 0);
    ck_assert_msg(got >= 0 || errno == ECONNRESET, "recv: %s", strerror(errno));
    if (got <= 0)
        return 0;
    peer->len += (size_t)got;
    peer->data[peer->len] = '\0';
    return (size_t)got;
}

/* Takes @len bytes off the front, NUL-terminated. */
static char *take(http_peer *peer, size_t len)
{
    while (peer->len < len)
        ck_assert_msg(receive(peer), "closed within an answer");
    char *bytes = malloc(len + 1);
    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, peer->data, len);
    bytes[len] = '\0';
    memmove(peer->data, peer->data + len, peer->len - len);
    peer->len -= len;
    return bytes;
}

/* Takes everything up to and with @end. */
static char *take_until(http_peer *peer, const char *end)
{
    const char *at;
    while (!peer->len || !(at = memmem(peer->data, peer->len, end, strlen(end))))
        ck_assert_msg(receive(peer), "closed before \"%s\"", end);
    return take(peer, (size_t)(at - peer->data) + strlen(end));
}

char *http_header(const http_answer *answer, const char *name)
{
    char *line = NULL;
    char *value = NULL;
    ck_assert_int_gt(asprintf(&line, "\r\n%s: ", name), 0);
    const char *at = strstr(answer->head, line);
    if (at) {
        at += strlen(line);
        value = strndup(at, strcspn(at, "\r"));
    }
    free(line);
    return value;
}

http_answer http_read_head(http_peer *peer)
{
    http_answer answer = {.head = take_until(peer, "\r\n\r\n")};
    ck_assert_msg(sscanf(answer.head, "HTTP/1.1 %d ", &answer.status) == 1, "head: %s",
                  answer.head);
    return answer;
}

char *http_read_chunk(http_peer *peer, size_t *len)
{
    char *line = take_until(peer, "\r\n");
    *len = strtoul(line, NULL, 16);
    free(line);
    char *bytes = take(peer, *len);
    free(take(peer, 2));
    return bytes;
}

static void read_chunks(http_peer *peer, http_answer *answer)
{
    size_t len;
    answer->body = strdup("");
    do {
        char *chunk = http_read_chunk(peer, &len);
        answer->body = realloc(answer->body, answer->len + len + 1);
        memcpy(answer->body + answer->len, chunk, len + 1);
        answer->len += len;
        free(chunk);
    } while (len);
}

http_answer http_read(http_peer *peer, bool to_head)
{
    http_answer answer = http_read_head(peer);
    char *length = http_header(&answer, "Content-Length");
    char *coding = http_header(&answer, "Transfer-Encoding");
    if (to_head) {
        answer.body = strdup("");
    } else if (coding) {
        ck_assert_str_eq(coding, "chunked");
        read_chunks(peer, &answer);
    } else {
        ck_assert_msg(length, "neither length nor chunks: %s", answer.head);
        answer.len = strtoul(length, NULL, 10);
        answer.body = take(peer, answer.len);
    }
    free(length);
    free(coding);
    return answer;
}

bool http_is_closed(http_peer *peer)
{
    return !peer->len && !receive(peer);
}

void http_free(http_answer *answer)
{
    free(answer->head);
    free(answer->body);
    *answer = (http_answer){0};
}

http_answer http_get(http_peer *peer, const char *target, const char *headers)
{
    char *text = NULL;
    ck_assert_int_gt(
        asprintf(&text, "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", target, headers), 0);
    http_send(peer, text);
    free(text);
    return http_read(peer, false);
}
