/* SPDX-License-Identifier: Apache-2.0 */
/* What the markers of a member or a type add to the schema of its type, as controller-gen does it.
 */
#ifndef KUBEGEN_CRD_RULES_H
#define KUBEGEN_CRD_RULES_H

#include "front/model.h"
#include "support/json_value.h"

/*
 * Adds the rules to the schema of a type, but for the patch. @is_named: the type has a name and a
 * schema of its own, whose rules hold as well.
 */
void crd_rules_add(json_value *schema, const model_validation *rules, bool is_named);
/* Merges the part of a schema that is written in JSON, if there is one: after everything else. */
void crd_rules_patch(json_value *schema, const model_validation *rules);
/* The same for a struct in the schema of another one, whose lists and choices hold as well. */
void crd_rules_patch_inlined(json_value *schema, const model_validation *rules);

#endif /* KUBEGEN_CRD_RULES_H */
