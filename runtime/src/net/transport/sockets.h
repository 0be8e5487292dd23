/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sockets of a transport's connections, and how those that carry fenced requests are cut: what
 * the kernel has not sent yet is thrown away, and the peer gets a reset.
 *
 * Between the last check of the fence and the system call that sends, the process may be suspended
 * for any time. Therefore a kernel timer signals the I/O thread at the deadline of the fence: a
 * thread that continues after a suspension handles the signal before its next instruction, and the
 * handler cuts the sockets. Systems without such a timer do not have this protection.
 *
 * Only the I/O thread may call these functions, except new, free and kube__sockets_rearm().
 */
#ifndef KUBE_NET_SOCKETS_H
#define KUBE_NET_SOCKETS_H

#include "base/fence.h"

typedef struct kube__sockets kube__sockets;

/* Returns NULL if out of memory. */
kube__sockets *kube__sockets_new(void);
/* Frees it after the I/O thread has ended. NULL allowed. */
void kube__sockets_free(kube__sockets *sockets);

/* Lets the calling thread be signalled at the deadline of @fence, until _unguard(). */
void kube__sockets_guard(kube__sockets *sockets, const kube_fence *fence);
void kube__sockets_unguard(kube__sockets *sockets);
/* Sets the timer to the new deadline of the fence, which is locked. Threads: any. */
void kube__sockets_rearm(kube__sockets *sockets);

/*
 * Keeps children from inheriting the pair of sockets that @wake(@arg) uses. curl opens it without
 * close-on-exec (seen with 7.88) and does not tell its numbers.
 */
void kube__sockets_hide_wakeup(void (*wake)(void *arg), void *arg);
/* Data that is unacknowledged for @dead_ms ends the connection. */
void kube__sockets_set_dead_ms(int fd, int64_t dead_ms);
/* A new socket. Returns false if out of memory. */
bool kube__sockets_add(kube__sockets *sockets, int fd);
/* Before it is closed. */
void kube__sockets_remove(kube__sockets *sockets, int fd);

/* These say that a fenced request is about to be sent, and that it has ended. */
void kube__sockets_begin_write(kube__sockets *sockets);
void kube__sockets_end_write(kube__sockets *sockets);
/* Cuts one of them. */
void kube__sockets_cut_one(int fd);
/* Cuts all connections if a fenced request is under way on any. Calls share them. */
void kube__sockets_cut(kube__sockets *sockets);

#endif /* KUBE_NET_SOCKETS_H */
