/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a transport knows of its connections, on the I/O thread. libcurl does not say over which of
 * them a request goes, but tells the local port.
 */
#ifndef KUBE_NET_CONNECTION_H
#define KUBE_NET_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kube__connection kube__connection;

struct kube__connection {
    int fd;
    int port;             /* the local one; 0 = not asked for yet */
    bool leaving;         /* the server has sent GOAWAY: */
    uint32_t last_stream; /* streams beyond this one it does not process */
    bool left;            /* it is not looked at any more */
    size_t waiting;       /* calls that were sent over it and have not ended */
    int64_t from_ns;      /* since when any waits and nothing came */
    int64_t waited_ns;    /* how long that was so before from_ns */
    int64_t heard_ns;     /* when something came last; at first, since when it stands */
    kube__connection *next;
};

/* A new socket. Returns false if out of memory. */
bool kube__connection_add(kube__connection **list, int fd);
/* Before it is closed. Returns what is to be forgotten, to be given to free(); may be NULL. */
kube__connection *kube__connection_remove(kube__connection **list, int fd);
void kube__connection_free_all(kube__connection **list);
/* Returns the connection from the local @port; NULL if it is not known. */
kube__connection *kube__connection_find(kube__connection *list, int port);

/*
 * A connection is silent for as long as calls wait on it, one after the other or at once, and
 * nothing comes for any of them. Times in which no call waits do not count.
 */

/* It stands, as it may have done before. Until then no call was sent that may be answered. */
void kube__connection_ready(kube__connection *c, int64_t now_ns);
/* A call that began at @began_ns goes over it. */
void kube__connection_wait(kube__connection *c, int64_t began_ns);
/* Something came. */
void kube__connection_heard(kube__connection *c, int64_t now_ns);
/* A call has ended. */
void kube__connection_wait_end(kube__connection *c, int64_t now_ns);
int64_t kube__connection_silence_ns(const kube__connection *c, int64_t now_ns);

#endif /* KUBE_NET_CONNECTION_H */
