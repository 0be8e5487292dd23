/* SPDX-License-Identifier: Apache-2.0 */
#include "units.h"

#include <kube/ratelimit.h>

static const double longest_ms = 1e12; /* three decades: the sums below cannot overflow */

void kube_backoff_init_reflector(kube_backoff *backoff)
{
    kube_backoff reflector = {
        .initial_ms = 800,
        .cap_ms = 30000,
        .factor = 2.0,
        .jitter = 1.0,
        .reset_after_ms = 120000,
    };
    *backoff = reflector;
}

void kube_backoff_reset(kube_backoff *backoff)
{
    backoff->next_ms = 0;
    backoff->last_ns = 0;
}

/* The quiet time counts from the end of the last delay (REF-2): time spent waiting is not quiet. */
int64_t kube_backoff_next_ms(kube_backoff *backoff, int64_t now_ns, double random01)
{
    int64_t base;
    int64_t delay;
    double grown;
    if (backoff->next_ms > 0 && backoff->reset_after_ms > 0 &&
        now_ns - backoff->last_ns > backoff->reset_after_ms * KUBE__NS_PER_MS)
        kube_backoff_reset(backoff);
    base = backoff->next_ms > 0 ? backoff->next_ms : backoff->initial_ms;
    if (backoff->cap_ms > 0 && base > backoff->cap_ms)
        base = backoff->cap_ms;
    delay = base;
    if (backoff->jitter > 0)
        delay += (int64_t)((double)base * backoff->jitter * random01);
    grown = (double)base * (backoff->factor > 1 ? backoff->factor : 1);
    if (backoff->cap_ms > 0 && grown > (double)backoff->cap_ms)
        grown = (double)backoff->cap_ms;
    backoff->next_ms = (int64_t)(grown < longest_ms ? grown : longest_ms);
    backoff->last_ns = now_ns + delay * KUBE__NS_PER_MS;
    return delay;
}
