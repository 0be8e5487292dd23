/* SPDX-License-Identifier: Apache-2.0 */
/* What the runtime itself needs of a ctx beyond kube/ctx.h. */
#ifndef KUBE_BASE_CTX_H
#define KUBE_BASE_CTX_H

#include <kube/ctx.h>

/*
 * A call-back for the moment a ctx is cancelled (itself or a parent), so that a waiter on any
 * condition, or a curl multi handle, can be woken. Storage is the caller's.
 */
typedef struct kube__waker {
    void (*wake)(void *arg);
    void *arg;
    struct kube__waker *next;
    struct kube__waker *previous;
} kube__waker;

/*
 * Registers @waker; if the ctx is cancelled already, wake() runs before it returns. wake() may take
 * the waiter's own mutex; so neither function may be called with that mutex held. @ctx NULL: does
 * nothing.
 */
void kube__ctx_add_waker(kube_ctx *ctx, kube__waker *waker);
/* After it returns, wake() does not run and will not. */
void kube__ctx_remove_waker(kube_ctx *ctx, kube__waker *waker);
/* Deadline on the ctx's clock, INT64_MAX without one. */
int64_t kube__ctx_deadline_ns(const kube_ctx *ctx);

#endif /* KUBE_BASE_CTX_H */
