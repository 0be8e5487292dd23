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

/*
 * What outlives the ctx that can end it. A link calls wake() when the ctx is cancelled, and does
 * nothing any more once the ctx is freed. Storage is the caller's, zero before.
 */
typedef struct kube__ctx_link {
    kube__waker waker;
    kube_ctx *ctx; /* NULL = not linked, or the ctx is gone */
    struct kube__ctx_link *next;
    struct kube__ctx_link *previous;
} kube__ctx_link;

/* If the ctx is cancelled already, wake() runs before it returns. @ctx NULL: does nothing. */
void kube__ctx_link_to(kube_ctx *ctx, kube__ctx_link *link, void (*wake)(void *arg), void *arg);
/* After it returns, wake() does not run and will not. It may be called again, and when the ctx has
 * been freed. Not within wake(). */
void kube__ctx_unlink(kube__ctx_link *link);

/* Calls @release when @ctx is freed, but not when it is reset; there is one for a ctx. */
void kube__ctx_at_end(kube_ctx *ctx, void (*release)(void *arg), void *arg);

/* Deadline on the ctx's clock, INT64_MAX without one. */
int64_t kube__ctx_deadline_ns(const kube_ctx *ctx);
/* As kube_ctx_status(), but memory does not count: whether what goes on in @ctx is to end. */
kube_code kube__ctx_ended(const kube_ctx *ctx, kube_error *err);

/* KUBE_OK, or KUBE_ERR_NO_MEMORY when @ctx has failed: for the beginning of a call that gets a ctx,
 * and for the error when the ctx has just given NULL. @ctx NULL: KUBE_OK. */
KUBE__CHECKED kube_code kube__ctx_check(const kube_ctx *ctx, kube_error *err);
/* Makes *@out a child of @ctx; NULL and KUBE_ERR_NO_MEMORY if it cannot. */
KUBE__CHECKED kube_code kube__ctx_scope(kube_ctx *ctx, kube_ctx **out, kube_error *err);
/* From now on @ctx is out of memory when it holds that many bytes; 0 = no limit. Resets keep it. */
void kube__ctx_set_limit(kube_ctx *ctx, size_t bytes);
/* What it holds now, without its children. */
size_t kube__ctx_bytes(const kube_ctx *ctx);
/* Memory for @ctx that does not come from it, a block, is out: fails it, and tells its handler. */
void kube__ctx_fail(kube_ctx *ctx, size_t wanted);

#endif /* KUBE_BASE_CTX_H */
