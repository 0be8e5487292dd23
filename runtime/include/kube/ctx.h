/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The scope of a piece of work: cancellation, deadline and memory.
 *
 * Whatever a call returns lives as long as the ctx that was passed to it. A reconcile run gets its
 * own ctx, reset when it returns, so it frees nothing.
 *
 * Threads: a ctx belongs to one thread at a time; only kube_ctx_cancel() and making a child may
 * come from any thread. A parent must outlive its children. The functions that keep nothing in the
 * ctx (cancel, left, status, sleep, clock) accept NULL: a ctx that never ends, on the machine's
 * clock.
 *
 * Out of memory is sticky: a ctx that ran out of memory once has failed until kube_ctx_reset().
 * Every call that gets a failed ctx returns KUBE_ERR_NO_MEMORY, or NULL, before it does anything.
 * So a function may ask once, at its end, instead of after each allocation. A child that fails does
 * not fail its parent. What else happens then is up to who made the ctx: see
 * kube_ctx_on_no_memory(). The ctx of a reconcile run in a program with a kube_manager ends the
 * process, so a reconcile function does not ask at all there.
 */
#ifndef KUBE_CTX_H
#define KUBE_CTX_H

#include <kube/clock.h>
#include <kube/error.h>
#include <stdarg.h>
#include <stddef.h>

KUBE_BEGIN_DECLS

typedef struct kube_ctx kube_ctx;

/** Makes a root scope on the machine's clock, to be freed with kube_ctx_free(). Returns NULL if out
 * of memory. */
KUBE_API kube_ctx *kube_ctx_new(void);
/** Makes a root scope on another clock, which must outlive it. Its children use that clock, too. */
KUBE_API kube_ctx *kube_ctx_new_with_clock(kube_clock *clock);
/** Makes a shorter scope, which is cancelled with its parent and ends not later than its parent's
 * deadline. Returns NULL if out of memory, which does not fail the parent, or if the parent has
 * failed. */
KUBE_API kube_ctx *kube_ctx_child(kube_ctx *parent);
/** Frees the scope with all that it holds. Its children must have been freed before. NULL allowed.
 */
KUBE_API void kube_ctx_free(kube_ctx *ctx);
/** Frees what the scope holds, so that it can be used again, and forgets its own deadline and that
 * it has failed. A scope that was cancelled stays cancelled. */
KUBE_API void kube_ctx_reset(kube_ctx *ctx);

/** Cancels this scope and all below it, and wakes every thread that waits in them. Threads: any. */
KUBE_API void kube_ctx_cancel(kube_ctx *ctx);
/** Sets the deadline to @p ms from now. An earlier deadline of the parent still counts. */
KUBE_API void kube_ctx_set_timeout_ms(kube_ctx *ctx, int64_t ms);
/** Returns the time until the deadline: INT64_MAX without one, 0 if it has passed. */
KUBE_API int64_t kube_ctx_left_ms(const kube_ctx *ctx);
/** Returns KUBE_OK while the scope lasts. Otherwise fills @p err (may be NULL) and returns
 * KUBE_ERR_NO_MEMORY if it has failed, else KUBE_ERR_CANCELED or KUBE_ERR_TIMEOUT. */
KUBE_API kube_code kube_ctx_status(const kube_ctx *ctx, kube_error *err);
/** Waits for @p ms and returns KUBE_OK; if the scope ends before, returns kube_ctx_status(). */
KUBE_API kube_code kube_ctx_sleep_ms(kube_ctx *ctx, int64_t ms, kube_error *err);
/** Returns the clock of the scope's deadlines and sleeps, never NULL. */
KUBE_API kube_clock *kube_ctx_clock(const kube_ctx *ctx);

/** Returns whether @p ctx has run out of memory since it was made or reset; false for NULL. */
KUBE_API bool kube_ctx_failed(const kube_ctx *ctx);
/** Called when a ctx runs out of memory, and each time that there is none for a child of it, with
 * the number of bytes that were wanted; the latter on any thread. It must not use the ctx, and
 * should not allocate. */
typedef void kube_no_memory(void *arg, size_t wanted);
/** Sets what happens when @p ctx, or a child that is made of it from now on, runs out of memory.
 * Without a handler, or with NULL, nothing does: the calls fail. */
KUBE_API void kube_ctx_on_no_memory(kube_ctx *ctx, kube_no_memory *handler, void *arg);
/** Sets the handler that ends the process with status 1 and one line on standard error, "out of
 * memory: 65536 bytes for WHAT". It takes no lock, allocates nothing and runs no exit handlers.
 * @p what is borrowed. */
KUBE_API void kube_ctx_end_on_no_memory(kube_ctx *ctx, const char *what);

/** Allocates zeroed memory that lives as long as @p ctx, aligned for any type. This function and
 * those below return NULL if out of memory. */
KUBE_API void *kube_ctx_alloc(kube_ctx *ctx, size_t size);
/** Allocates an array of @p count elements. A size that overflows counts as out of memory. */
KUBE_API void *kube_ctx_alloc_array(kube_ctx *ctx, size_t count, size_t size);
/** Copies @p text, which is not NULL, or at most @p len bytes of it, into @p ctx. */
KUBE_API char *kube_ctx_strdup(kube_ctx *ctx, const char *text);
KUBE_API char *kube_ctx_strndup(kube_ctx *ctx, const char *text, size_t len);
/** Formats a string that lives as long as @p ctx. */
KUBE_API char *kube_printf(kube_ctx *ctx, const char *format, ...) KUBE_PRINTF(2, 3);
KUBE_API char *kube_vprintf(kube_ctx *ctx, const char *format, va_list args) KUBE_PRINTF(2, 0);
/** Calls `release(arg)` when the scope is reset or freed, last registered first. */
KUBE_CHECKED kube_code kube_ctx_defer(kube_ctx *ctx, void (*release)(void *arg), void *arg,
                                      kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_CTX_H */
