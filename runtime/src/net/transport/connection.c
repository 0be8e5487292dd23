/* SPDX-License-Identifier: Apache-2.0 */
#include "connection.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

bool kube__connection_add(kube__connection **list, int fd)
{
    kube__connection *c = calloc(1, sizeof *c);
    /* libcurl does not tell when it closes a socket that never got connected. */
    free(kube__connection_remove(list, fd));
    if (c) {
        c->fd = fd;
        c->next = *list;
        *list = c;
    }
    return c != NULL;
}

kube__connection *kube__connection_remove(kube__connection **list, int fd)
{
    kube__connection *found;
    while (*list && (*list)->fd != fd)
        list = &(*list)->next;
    found = *list;
    if (found)
        *list = found->next;
    return found;
}

void kube__connection_free_all(kube__connection **list)
{
    while (*list)
        free(kube__connection_remove(list, (*list)->fd));
}

/* Returns 0 if the socket is not connected. */
static int local_port(int fd)
{
    struct sockaddr_storage address;
    socklen_t len = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &len) != 0)
        return 0;
    if (address.ss_family == AF_INET)
        return ntohs(((const struct sockaddr_in *)(const void *)&address)->sin_port);
    if (address.ss_family == AF_INET6)
        return ntohs(((const struct sockaddr_in6 *)(const void *)&address)->sin6_port);
    return 0;
}

kube__connection *kube__connection_find(kube__connection *list, int port)
{
    for (kube__connection *c = list; c && port > 0; c = c->next) {
        if (!c->port)
            c->port = local_port(c->fd);
        if (c->port == port)
            return c;
    }
    return NULL;
}

void kube__connection_ready(kube__connection *c, int64_t now_ns)
{
    if (!c->heard_ns)
        c->heard_ns = now_ns;
}

void kube__connection_wait(kube__connection *c, int64_t began_ns)
{
    if (c->waiting++ == 0)
        c->from_ns = began_ns > c->heard_ns ? began_ns : c->heard_ns;
}

void kube__connection_heard(kube__connection *c, int64_t now_ns)
{
    c->heard_ns = now_ns;
    c->from_ns = now_ns;
    c->waited_ns = 0;
}

void kube__connection_wait_end(kube__connection *c, int64_t now_ns)
{
    if (--c->waiting == 0)
        c->waited_ns += now_ns - c->from_ns;
}

int64_t kube__connection_silence_ns(const kube__connection *c, int64_t now_ns)
{
    return c->left ? 0 : c->waited_ns + (c->waiting ? now_ns - c->from_ns : 0);
}
