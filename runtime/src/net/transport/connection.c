/* SPDX-License-Identifier: Apache-2.0 */
#include "connection.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

bool kube__connection_add(kube__connection **list, int fd)
{
    kube__connection *c = calloc(1, sizeof *c);
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
