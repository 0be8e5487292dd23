/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread owns all sockets. The test asks it for changes by a pipe and waits until they are
 * made. When cutting, the listener goes first: whoever loses its connection then finds nobody.
 */
#include "tcp_proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PAIRS_MAX = 64, CHUNK = 65536 };

struct tcp_proxy {
    pthread_t thread;
    int commands[2]; /* 'c' cut, 'r' restore, 'e' end */
    int answers[2];
    int listener; /* -1 = refusing */
    int port;
    int target;
    int pairs[PAIRS_MAX][2]; /* the client's end and the server's */
    size_t len;
};

static void must(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "tcp proxy: %s: %s\n", what, strerror(errno));
        abort();
    }
}

static struct sockaddr_in loopback(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void listen_on(tcp_proxy *proxy)
{
    struct sockaddr_in address = loopback(proxy->port);
    socklen_t size = sizeof address;
    int one = 1;

    proxy->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(proxy->listener >= 0, "socket");
    setsockopt(proxy->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    must(bind(proxy->listener, (struct sockaddr *)&address, size) == 0 &&
             listen(proxy->listener, PAIRS_MAX) == 0 &&
             getsockname(proxy->listener, (struct sockaddr *)&address, &size) == 0,
         "listen");
    proxy->port = ntohs(address.sin_port);
}

static void add_pair(tcp_proxy *proxy)
{
    struct sockaddr_in address = loopback(proxy->target);
    int from = accept(proxy->listener, NULL, NULL);
    int to = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    must(to >= 0, "socket");
    if (from < 0 || proxy->len == PAIRS_MAX ||
        connect(to, (struct sockaddr *)&address, sizeof address) != 0) {
        if (from >= 0)
            close(from);
        close(to);
        return;
    }
    proxy->pairs[proxy->len][0] = from;
    proxy->pairs[proxy->len++][1] = to;
}

static void drop_pair(tcp_proxy *proxy, size_t index)
{
    close(proxy->pairs[index][0]);
    close(proxy->pairs[index][1]);
    memcpy(proxy->pairs[index], proxy->pairs[--proxy->len], sizeof proxy->pairs[0]);
}

/* False at the end of either direction: both end then. */
static bool move(int from, int to)
{
    static char chunk[CHUNK]; /* the one thread's */
    ssize_t len = recv(from, chunk, sizeof chunk, 0);

    for (ssize_t sent = 0; sent < len;) {
        ssize_t more = send(to, chunk + sent, (size_t)(len - sent), MSG_NOSIGNAL);
        if (more <= 0)
            return false;
        sent += more;
    }
    return len > 0;
}

static void cut(tcp_proxy *proxy)
{
    if (proxy->listener >= 0)
        close(proxy->listener);
    proxy->listener = -1;
    while (proxy->len)
        drop_pair(proxy, 0);
}

/* False = it was the last. */
static bool obey(tcp_proxy *proxy)
{
    char command = 'e';

    must(read(proxy->commands[0], &command, 1) == 1, "read");
    if (command == 'r')
        listen_on(proxy);
    else
        cut(proxy);
    must(write(proxy->answers[1], &command, 1) == 1, "write");
    return command != 'e';
}

static void *run(void *arg)
{
    tcp_proxy *proxy = arg;
    struct pollfd polled[2 + 2 * PAIRS_MAX];
    bool go_on = true;

    while (go_on) {
        size_t len = proxy->len;
        polled[0] = (struct pollfd){.fd = proxy->commands[0], .events = POLLIN};
        polled[1] = (struct pollfd){.fd = proxy->listener, .events = POLLIN};
        for (size_t i = 0; i < 2 * len; i++)
            polled[2 + i] = (struct pollfd){.fd = proxy->pairs[i / 2][i % 2], .events = POLLIN};
        if (poll(polled, (nfds_t)(2 + 2 * len), -1) < 0)
            continue;
        for (size_t i = len; i-- > 0;) { /* from the end: dropping one moves the last */
            const int *pair = proxy->pairs[i];
            if ((polled[2 + 2 * i].revents && !move(pair[0], pair[1])) ||
                (polled[3 + 2 * i].revents && !move(pair[1], pair[0])))
                drop_pair(proxy, i);
        }
        if (polled[1].revents)
            add_pair(proxy);
        if (polled[0].revents)
            go_on = obey(proxy);
    }
    return NULL;
}

tcp_proxy *tcp_proxy_start(int port)
{
    tcp_proxy *proxy = calloc(1, sizeof *proxy);

    must(proxy && pipe(proxy->commands) == 0 && pipe(proxy->answers) == 0, "start");
    proxy->target = port;
    listen_on(proxy);
    must(pthread_create(&proxy->thread, NULL, run, proxy) == 0, "thread");
    return proxy;
}

int tcp_proxy_port(const tcp_proxy *proxy)
{
    return proxy->port;
}

static void command(tcp_proxy *proxy, char what)
{
    must(write(proxy->commands[1], &what, 1) == 1 && read(proxy->answers[0], &what, 1) == 1,
         "command");
}

void tcp_proxy_cut(tcp_proxy *proxy)
{
    command(proxy, 'c');
}

void tcp_proxy_restore(tcp_proxy *proxy)
{
    command(proxy, 'r');
}

void tcp_proxy_free(tcp_proxy *proxy)
{
    if (!proxy)
        return;
    command(proxy, 'e');
    pthread_join(proxy->thread, NULL);
    for (int i = 0; i < 2; i++) {
        close(proxy->commands[i]);
        close(proxy->answers[i]);
    }
    free(proxy);
}
