/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of a proxy, and what they give a connection. What the nth connection of a rule is given
 * hangs on the seed, the rule's number and n alone. Confined to the proxy's lock.
 */
#ifndef KUBE_PROXY_RULES_H
#define KUBE_PROXY_RULES_H

#include "tunnel.h"

typedef struct kube__wire_rules {
    struct kube__wire_rule *items; /* in the order of adding */
    size_t len;
    uint64_t added; /* since the start: numbers them */
    uint64_t seed;
} kube__wire_rules;

/* Checks and copies @rule. */
KUBE__CHECKED kube_code kube__wire_rules_add(kube__wire_rules *rules, const kube_wire_rule *rule,
                                             kube_error *err);
void kube__wire_rules_clear(kube__wire_rules *rules);
/* Of one more connection. */
kube__wire_plan kube__wire_rules_draw(kube__wire_rules *rules);

#endif /* KUBE_PROXY_RULES_H */
