/* SPDX-License-Identifier: Apache-2.0 */
#include "wait.h"

#include "units.h"

static void wake(void *arg)
{
    kube__wait_scope *scope = arg;
    kube__lock(scope->mutex);
    scope->interrupted = true;
    kube__broadcast(scope->condition);
    kube__unlock(scope->mutex);
}

void kube__wait_begin(kube__wait_scope *scope, kube_ctx *ctx, kube__mutex *mutex,
                      kube__condition *condition, int64_t timeout_ms)
{
    *scope = (kube__wait_scope){.ctx = ctx,
                                .mutex = mutex,
                                .condition = condition,
                                .deadline_ns = kube__ctx_deadline_ns(ctx),
                                .waker = {.wake = wake, .arg = scope}};
    if (timeout_ms > 0) {
        kube_clock *clock = kube_ctx_clock(ctx);
        int64_t end = kube__ms_after(clock->now_ns(clock), timeout_ms);
        if (end < scope->deadline_ns)
            scope->deadline_ns = end;
    }
    kube__ctx_add_waker(ctx, &scope->waker);
}

bool kube__wait_step(kube__wait_scope *scope)
{
    kube_clock *clock = kube_ctx_clock(scope->ctx);
    if (scope->interrupted)
        return false;
    if (scope->deadline_ns != INT64_MAX && clock->now_ns(clock) >= scope->deadline_ns)
        return false;
    kube__wait_until(clock, scope->condition, scope->mutex, scope->deadline_ns);
    return true;
}

void kube__wait_end(kube__wait_scope *scope)
{
    kube__ctx_remove_waker(scope->ctx, &scope->waker);
}
