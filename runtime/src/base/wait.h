/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for another thread in the scope of a ctx: woken at once when the ctx is cancelled or its
 * deadline passes.
 */
#ifndef KUBE_BASE_WAIT_H
#define KUBE_BASE_WAIT_H

#include "ctx.h"
#include "thread.h"

typedef struct kube__wait_scope {
    kube_ctx *ctx;
    kube__mutex *mutex;
    kube__condition *condition;
    int64_t deadline_ns; /* the ctx's, or an earlier one of the caller's */
    bool interrupted;
    kube__waker waker;
} kube__wait_scope;

/* @mutex must not be held by the caller. @timeout_ms 0 = only the ctx's deadline. */
void kube__wait_begin(kube__wait_scope *scope, kube_ctx *ctx, kube__mutex *mutex,
                      kube__condition *condition, int64_t timeout_ms);
/* Waits once, @mutex held. False = the scope is over: wait no more. */
bool kube__wait_step(kube__wait_scope *scope);
/* @mutex must not be held. */
void kube__wait_end(kube__wait_scope *scope);

#endif /* KUBE_BASE_WAIT_H */
