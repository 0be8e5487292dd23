/* SPDX-License-Identifier: Apache-2.0 */
#include "work.h"

#include "base/ctx.h"

static _Thread_local uint64_t limit;
static _Thread_local uint64_t taken;

void kube__api_work_begin(uint64_t steps)
{
    limit = steps;
    taken = 0;
}

uint64_t kube__api_work_taken(void)
{
    return taken;
}

bool kube__api_work(kube_ctx *ctx, uint64_t steps)
{
    taken += steps;
    if (!limit || taken <= limit)
        return true;
    kube__ctx_fail(ctx, 0);
    return false;
}
