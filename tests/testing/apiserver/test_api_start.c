/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API server's start, its connections and its loading when memory is out: each fails as a
 * whole, and what was begun is given back.
 */
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <arpa/inet.h>
#include <kube/testing/apiserver.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static kube_apiserver *server;
static kube_error err;

static void set_up(void)
{
    ck_assert_msg(!kube_apiserver_start(NULL, &server, &err), "%s", err.message);
}

static void tear_down(void)
{
    kube_apiserver_stop(server);
}

static bool start_and_stop(void *arg)
{
    kube_apiserver *started;
    kube_code rc = kube_apiserver_start(arg, &started, &err);
    if (rc && (started || !*err.message))
        abort();
    kube_apiserver_stop(started);
    return !rc;
}

FIXTURE(set_up, tear_down);

TEST(a_start_without_memory_leaves_nothing_behind)
{
    kube_apiserver_options plain = {0};
    kube_apiserver_options tls = {.tls = true};
    ck_assert_uint_gt(fail_malloc_replay(start_and_stop, &plain), 0);
    ck_assert_uint_gt(fail_malloc_replay(start_and_stop, &tls), 0);
}

static bool load_text(void *arg)
{
    const char *text = arg;
    kube_code rc = kube_apiserver_load(server, text, strlen(text), &err);
    if (rc && rc != KUBE_ERR_NO_MEMORY && rc != KUBE_ERR_SERVER) {
        fail_malloc_off();
        fprintf(stderr, "load: %s\n", err.message);
        abort();
    }
    return !rc;
}

TEST(loading_without_memory_is_an_error)
{
    char yaml[] = "apiVersion: v1\n"
                  "kind: ConfigMap\n"
                  "metadata: &m {name: a, labels: &l {x: y1}}\n"
                  "data: {<<: *l}\n"
                  "---\n"
                  "{apiVersion: v1, kind: Namespace, metadata: {name: other}}\n";
    char json[] = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}";
    ck_assert_uint_gt(fail_malloc_replay(load_text, yaml), 0);
    ck_assert_uint_gt(fail_malloc_replay(load_text, json), 0);
}

/* Sends a request by a connection of its own; true when the answer is 200. */
static bool ask(void *arg)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(kube_apiserver_port(server)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    char answer[8192];
    size_t len = 0;
    ssize_t got;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) ||
        send(fd, arg, strlen(arg), MSG_NOSIGNAL) < 0)
        abort();
    while ((got = recv(fd, answer + len, sizeof answer - len - 1, 0)) > 0)
        len += (size_t)got;
    answer[len] = '\0';
    close(fd);
    if (len && strncmp(answer, "HTTP/1.1 200 ", 13) != 0 &&
        strncmp(answer, "HTTP/1.1 500 ", 13) != 0)
        abort();
    return strncmp(answer, "HTTP/1.1 200 ", 13) == 0;
}

TEST(a_request_without_memory_is_a_500_or_a_broken_connection)
{
    char *const requests[] = {
        (char[]){"GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
        (char[]){"GET /api/v1/namespaces?pretty=true HTTP/1.1\r\nHost: localhost\r\nConnection: "
                 "close\r\n"
                 "\r\n"},
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        ck_assert(ask(requests[i]));
        ck_assert_uint_gt(fail_malloc_replay(ask, requests[i]), 0);
        ck_assert(ask(requests[i]));
    }
}
