/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a ctx that only the runtime uses; the others are in kube/ctx.h. */
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
/* As kube_ctx_status(), but memory does not count: whether what goes on in @ctx is to end. */
kube_code kube__ctx_ended(const kube_ctx *ctx, kube_error *err);

/* KUBE_OK, or KUBE_ERR_NO_MEMORY when @ctx has failed: for the beginning of a call that gets a ctx,
 * and for the error when the ctx has just given NULL. @ctx NULL: KUBE_OK. */
KUBE__CHECKED kube_code kube__ctx_check(const kube_ctx *ctx, kube_error *err);
/* Makes *@out a child of @ctx; NULL and KUBE_ERR_NO_MEMORY if it cannot. */
KUBE__CHECKED kube_code kube__ctx_scope(kube_ctx *ctx, kube_ctx **out, kube_error *err);
/* Memory for @ctx that does not come from it, a block, is out: fails it, and tells its handler. */
void kube__ctx_fail(kube_ctx *ctx, size_t wanted);

#endif /* KUBE_BASE_CTX_H */
