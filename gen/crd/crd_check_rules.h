/* SPDX-License-Identifier: Apache-2.0 */
/* What servers refuse of rules of CEL, and of schemas that stand in others. */
#ifndef KUBEGEN_CRD_CHECK_RULES_H
#define KUBEGEN_CRD_CHECK_RULES_H

#include "support/diag.h"
#include "support/json_value.h"

#include <stdbool.h>

/* Where a schema with rules stands. */
typedef struct rule_place {
    diag_loc loc;
    diag_loc own;      /* of the innermost member around it that is of the Kind's own header */
    const char *patch; /* the beginning of a merge patch, from that member to the schema */
} rule_place;

/*
 * Checks the rules of a schema, not of those in it. @is_traced: the server knows which value before
 * an update became this one, so that there is an oldSelf.
 */
void crd_check_rules(const json_value *schema, bool is_traced, rule_place at, diag *to);
/* Checks the schemas in its allOf, anyOf, oneOf and not. */
void crd_check_branches(const json_value *schema, diag_loc loc, diag *to);

#endif /* KUBEGEN_CRD_CHECK_RULES_H */
