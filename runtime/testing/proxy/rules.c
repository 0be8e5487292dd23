/* SPDX-License-Identifier: Apache-2.0 */
#include "rules.h"

#include "apiserver/value/random.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

struct kube__wire_rule {
    kube_wire_rule rule; /* defaults filled in */
    uint64_t number;
    uint64_t seen; /* connections */
    uint64_t taken;
};

static const char *const kind_names[KUBE_WIRE_KIND_COUNT_] = {
    [KUBE_WIRE_REFUSE] = "refuse", [KUBE_WIRE_RESET] = "reset",
    [KUBE_WIRE_CUT] = "cut",       [KUBE_WIRE_HALF_CLOSE] = "half close",
    [KUBE_WIRE_STALL] = "stall",   [KUBE_WIRE_SLOW] = "slow",
    [KUBE_WIRE_DELAY] = "delay",   [KUBE_WIRE_BLACK_HOLE] = "black hole",
};

const char *kube_wire_fault_kind_name(kube_wire_fault_kind kind)
{
    assert(kind < KUBE_WIRE_KIND_COUNT_);
    return kind_names[kind];
}

static kube_code check(const kube_wire_rule *rule, kube_error *err)
{
    if ((unsigned)rule->kind >= KUBE_WIRE_KIND_COUNT_)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "proxy rule: no fault has the number %d",
                              (int)rule->kind);
    if ((unsigned)rule->direction > KUBE_WIRE_TO_CLIENT)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "proxy rule: no direction has the number %d",
                              (int)rule->direction);
    if (!(rule->probability >= 0 && rule->probability <= 1))
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "proxy rule: probability %g is not between 0 and 1",
                              rule->probability);
    if (rule->delay_ms < 0)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "proxy rule: a delay of %lld ms",
                              (long long)rule->delay_ms);
    return KUBE_OK;
}

kube_code kube__wire_rules_add(kube__wire_rules *rules, const kube_wire_rule *rule, kube_error *err)
{
    kube_code rc = check(rule, err);
    struct kube__wire_rule *items;
    kube_wire_rule *added;
    if (rc)
        return rc;
    items = realloc(rules->items, (rules->len + 1) * sizeof *items);
    if (!items)
        return kube__no_memory(err, "a proxy rule");
    rules->items = items;
    items[rules->len] = (struct kube__wire_rule){.rule = *rule, .number = ++rules->added};
    added = &items[rules->len++].rule;
    if (!added->bytes_per_second)
        added->bytes_per_second = 1024;
    if (!added->delay_ms)
        added->delay_ms = 100;
    return KUBE_OK;
}

void kube__wire_rules_clear(kube__wire_rules *rules)
{
    free(rules->items);
    rules->items = NULL;
    rules->len = 0;
}

static bool takes(const kube__wire_rules *rules, struct kube__wire_rule *r)
{
    uint64_t nth = ++r->seen;
    if (r->rule.times && r->taken == r->rule.times)
        return false;
    if (r->rule.nth)
        return nth == r->rule.nth;
    return r->rule.probability <= 0 ||
           kube__api_random_draw(rules->seed, r->number, 2 * nth) < r->rule.probability;
}

kube__wire_plan kube__wire_rules_draw(kube__wire_rules *rules)
{
    for (size_t i = 0; i < rules->len; i++) {
        struct kube__wire_rule *r = &rules->items[i];
        double spread;
        if (!takes(rules, r))
            continue;
        r->taken++;
        spread = kube__api_random_draw(rules->seed, r->number, 2 * r->seen + 1) *
                 (double)r->rule.after_bytes_spread;
        return (kube__wire_plan){
            .any = true,
            .kind = r->rule.kind,
            .direction = r->rule.direction,
            .after_bytes = r->rule.after_bytes + (uint64_t)(spread + 0.5),
            .bytes_per_second = r->rule.bytes_per_second,
            .delay_ms = r->rule.delay_ms,
        };
    }
    return (kube__wire_plan){0};
}
