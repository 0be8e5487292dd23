/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a transport knows of its connections, on the I/O thread. libcurl does not say over which of
 * them a request goes, but tells the local port.
 */
#ifndef KUBE_NET_CONNECTION_H
#define KUBE_NET_CONNECTION_H

#include <stdbool.h>
#include <stdint.h>

typedef struct kube__connection kube__connection;

struct kube__connection {
    int fd;
    int port;             /* the local one; 0 = not asked for yet */
    bool leaving;         /* the server has sent GOAWAY: */
    uint32_t last_stream; /* streams beyond this one it does not process */
    kube__connection *next;
};

/* A new socket. Returns false if out of memory. */
bool kube__connection_add(kube__connection **list, int fd);
/* Before it is closed. Returns what is to be forgotten, to be given to free(); may be NULL. */
kube__connection *kube__connection_remove(kube__connection **list, int fd);
/* Returns the connection from the local @port; NULL if it is not known. */
kube__connection *kube__connection_find(kube__connection *list, int port);

#endif /* KUBE_NET_CONNECTION_H */
