/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The scope of a piece of work: cancellation, deadline and memory.
 *
 * Whatever a call returns lives as long as the ctx that was passed to it. A reconcile run gets its
 * own ctx, reset when it returns, so it frees nothing.
 *
 * Threads: a ctx belongs to one thread at a time; only kube_ctx_cancel() and making a child may
 * come from any thread. A parent outlives its children. Where nothing is kept in it (cancel, left,
 * status, sleep, clock), a NULL ctx is one that never ends, on the machine's clock.
 *
 * Out of memory is sticky: a ctx that ran out of memory once has failed until kube_ctx_reset().
 * Every call that gets a failed ctx returns KUBE_ERR_NO_MEMORY, or NULL, before it does anything.
 * So a function may ask once, at its end, instead of after each allocation. A child that fails does
 * not fail its parent. What else happens then is up to who made the ctx: see
 * kube_ctx_on_no_memory(). The ctx of a reconcile run in a program with a kube_manager ends the
 * process, so a reconcile function does not ask at all.
 */
#ifndef KUBE_CTX_H
#define KUBE_CTX_H

#include <kube/clock.h>
#include <kube/error.h>

#include <stdarg.h>
#include <stddef.h>

KUBE_BEGIN_DECLS

typedef struct kube_ctx kube_ctx;

/** A root scope on the machine's clock. Returns NULL if out of memory. Give it to kube_ctx_free().
 */
KUBE_API kube_ctx *kube_ctx_new(void);
/** The same on another clock, which outlives the ctx and is that of its children too. */
KUBE_API kube_ctx *kube_ctx_new_with_clock(kube_clock *clock);
/** A shorter scope: cancelled with its parent, deadline not later than its parent's. Returns NULL
 * if out of memory, which does not fail the parent, and for a parent that has failed. */
KUBE_API kube_ctx *kube_ctx_child(kube_ctx *parent);
/** Ends the scope: gives back all it holds. NULL is allowed. Its children must be gone. */
KUBE_API void kube_ctx_free(kube_ctx *ctx);
/** Gives back memory and references and forgets its own deadline and that it failed. A cancel is
 * not taken back. */
KUBE_API void kube_ctx_reset(kube_ctx *ctx);

/** Cancels this scope and all below it, waking whatever waits in them. Threads: any. */
KUBE_API void kube_ctx_cancel(kube_ctx *ctx);
/** Sets a deadline @p ms from now; an earlier one of the parent stays in force. */
KUBE_API void kube_ctx_set_timeout_ms(kube_ctx *ctx, int64_t ms);
/** Time left, INT64_MAX without a deadline, 0 when past. */
KUBE_API int64_t kube_ctx_left_ms(const kube_ctx *ctx);
/** KUBE_OK, KUBE_ERR_NO_MEMORY (before the others), KUBE_ERR_CANCELED or KUBE_ERR_TIMEOUT; fills
 * @p err (may be NULL) unless KUBE_OK. */
KUBE_API kube_code kube_ctx_status(const kube_ctx *ctx, kube_error *err);
/** Waits until @p ms passed (KUBE_OK) or the scope ended (as kube_ctx_status()). */
KUBE_API kube_code kube_ctx_sleep_ms(kube_ctx *ctx, int64_t ms, kube_error *err);
/** The clock of its deadlines and sleeps; never NULL. */
KUBE_API kube_clock *kube_ctx_clock(const kube_ctx *ctx);

/** Whether @p ctx ran out of memory since it was made or reset. NULL has not. */
KUBE_API bool kube_ctx_failed(const kube_ctx *ctx);
/** Is told once when a ctx runs out of memory, with the bytes that were wanted. It must not use the
 * ctx, and should not allocate. */
typedef void kube_no_memory(void *arg, size_t wanted);
/** Sets what happens when @p ctx, or a child that is made of it from now on, runs out of memory.
 * Without a handler, or with NULL, nothing does: the calls fail. */
KUBE_API void kube_ctx_on_no_memory(kube_ctx *ctx, kube_no_memory *handler, void *arg);
/** Sets the handler that ends the process with status 1 and one line on standard error, "out of
 * memory: 65536 bytes for WHAT". It takes no lock, allocates nothing and runs no exit handlers.
 * @p what is borrowed. */
KUBE_API void kube_ctx_end_on_no_memory(kube_ctx *ctx, const char *what);

/** Zeroed memory that lives as long as @p ctx, aligned for any type. As all that follow, it returns
 * NULL if out of memory. */
KUBE_API void *kube_ctx_alloc(kube_ctx *ctx, size_t size);
/** Memory for @p count elements of @p size; a product that overflows counts as out of memory. */
KUBE_API void *kube_ctx_alloc_array(kube_ctx *ctx, size_t count, size_t size);
/** A copy of @p text, or of at most @p len bytes of it. */
KUBE_API char *kube_ctx_strdup(kube_ctx *ctx, const char *text);
KUBE_API char *kube_ctx_strndup(kube_ctx *ctx, const char *text, size_t len);
/** A formatted string that lives as long as @p ctx. */
KUBE_API char *kube_printf(kube_ctx *ctx, const char *format, ...) KUBE_PRINTF(2, 3);
KUBE_API char *kube_vprintf(kube_ctx *ctx, const char *format, va_list args) KUBE_PRINTF(2, 0);
/** Calls `release(arg)` when the scope is reset or freed, last registered first. */
KUBE_CHECKED kube_code kube_ctx_defer(kube_ctx *ctx, void (*release)(void *arg), void *arg,
                                      kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_CTX_H */
