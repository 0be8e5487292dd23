/* SPDX-License-Identifier: Apache-2.0 */
/* rbac_add() collects RBAC rules; rbac_merge() makes few of many. */
#ifndef KUBEGEN_RBAC_RULES_H
#define KUBEGEN_RBAC_RULES_H

#include "front/model.h"
#include "support/arena.h"
#include "support/vec.h"

typedef struct rbac_rule {
    model_texts groups; /* "" = core */
    model_texts resources;
    model_texts resource_names;
    model_texts urls;
    model_texts verbs;
} rbac_rule;

/* A Role, or a ClusterRole. */
typedef struct rbac_role {
    const char *name;
    const char *namespace_; /* NULL = a ClusterRole */
    VEC(rbac_rule) rules;
} rbac_role;

/* Adds the rule of a marker as one rule for each of its resources. */
void rbac_add(arena *in, rbac_role *to, const rbac_rule *rule);
/*
 * Sorts and merges the rules as controller-gen does: verbs where all else is the same; then
 * resources, groups and URLs, one after the other, where all else is; `*` swallows other verbs.
 */
void rbac_merge(arena *in, rbac_role *role);

#endif /* KUBEGEN_RBAC_RULES_H */
