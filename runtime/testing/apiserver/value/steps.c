/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "base/ctx.h"

static _Thread_local uint64_t most_steps;
static _Thread_local uint64_t taken;

void kube__api_steps_begin(uint64_t most)
{
    most_steps = most;
    taken = 0;
}

void kube__api_steps_lower(uint64_t most)
{
    if (!most_steps || taken + most < most_steps)
        most_steps = taken + most;
}

uint64_t kube__api_steps_taken(void)
{
    return taken;
}

bool kube__api_take_steps(uint64_t count)
{
    taken += count;
    return !most_steps || taken <= most_steps;
}

bool kube__api_check_steps(kube_ctx *ctx)
{
    if (kube__api_take_steps(0))
        return true;
    kube__ctx_fail(ctx, 0);
    return false;
}
