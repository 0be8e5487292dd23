/* SPDX-License-Identifier: Apache-2.0 */
/* rbac_add() collects RBAC rules; rbac_merge() makes few of many. */
#ifndef KUBEGEN_RBAC_RULES_H
#define KUBEGEN_RBAC_RULES_H

#include "front/model.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/text_map.h"
#include "support/vec.h"

typedef struct rbac_rule {
    model_texts groups; /* "" = core */
    model_texts resources;
    model_texts resource_names;
    model_texts urls;
    model_texts verbs;
    diag_loc loc; /* of the marker */
} rbac_rule;

/* A Role, or a ClusterRole. */
typedef struct rbac_role {
    const char *name;
    const char *namespace_; /* NULL = a ClusterRole; "" = of whichever it is applied to */
    VEC(rbac_rule) rules;
} rbac_role;

/* All roles, by namespace (the ClusterRoles first) and name. */
typedef struct rbac_roles {
    rbac_role *items;
    size_t len;
    size_t cap;
    text_map known; /* indexes by namespace and name */
} rbac_roles;

/* Returns the role, which is added if it is not there; it holds until the next one is added. */
rbac_role *rbac_role_of(arena *in, rbac_roles *roles, const char *ns, const char *name);
void rbac_roles_free(rbac_roles *roles);

/* Adds the rule of a marker as one rule for each of its resources. */
void rbac_add(arena *in, rbac_role *to, const rbac_rule *rule);
/*
 * Sorts and merges the rules as controller-gen does: verbs where all else is the same; then
 * resources, groups and URLs, one after the other, where all else is; `*` swallows other verbs.
 */
void rbac_merge(arena *in, rbac_role *role);

#endif /* KUBEGEN_RBAC_RULES_H */
