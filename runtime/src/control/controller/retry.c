/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ctx.h"
#include "base/random.h"

#include <kube/ratelimit.h>
#include <kube/retry.h>

enum { MOST_TRIES = 5 };

static void free_scope(void *ctx)
{
    kube_ctx_free(ctx);
}

/* Jitter parts those who ran into each other, so that they do not do so again. */
static kube_code pause_before_retry(kube_ctx *ctx, kube_backoff *backoff, uint64_t *random,
                                    kube_error *err)
{
    return kube_ctx_sleep_ms(ctx, kube_backoff_next_ms(backoff, 0, kube__random01(random)), err);
}

kube_code kube_retry_on_conflict(kube_ctx *ctx, kube_attempt *attempt, void *arg, kube_error *err)
{
    kube_backoff backoff = {.initial_ms = 10, .factor = 2.0, .jitter = 1.0};
    uint64_t random = 0;
    kube_ctx *scope;
    kube_code rc = kube__ctx_scope(ctx, &scope, err);
    if (rc)
        return rc;
    /* What the last attempt read stays for the caller. */
    rc = kube_ctx_defer(ctx, free_scope, scope, err);
    if (rc) {
        kube_ctx_free(scope);
        return rc;
    }
    for (int tries = 1;; tries++) {
        rc = attempt(arg, scope, err);
        if (!rc)
            rc = kube__ctx_check(scope, err); /* it need not have asked */
        if (rc != KUBE_ERR_CONFLICT || tries == MOST_TRIES)
            return rc;
        kube_ctx_reset(scope);
        if (tries == 1)
            random = kube__random_seed();
        rc = pause_before_retry(scope, &backoff, &random, err);
        if (rc)
            return rc;
    }
}
