/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crd_schema() makes the structural OpenAPI v3 schema of a Kind. docs/mapping.md has the rules in a
 * table.
 */
#ifndef KUBEGEN_CRD_SCHEMA_H
#define KUBEGEN_CRD_SCHEMA_H

#include "crd_options.h"
#include "front/model.h"
#include "support/place.h"

/*
 * Returns the schema, which the caller frees. @places, which may be NULL, gets the place of each
 * member. Errors go to @messages: a recursive type has no schema.
 */
json_value *crd_schema(const model_resource *resource, const crd_options *options,
                       place_list *places, diag *messages);
/* The same of a struct, as it is where a member has it; and of a type that is no struct, list or
 * map. */
json_value *crd_schema_of_struct(const model_struct *record, diag *messages);
json_value *crd_scalar_schema(model_kind kind);
/* Returns the schema of a struct alone, which the caller frees: the structs in it have no members.
 */
json_value *crd_schema_outline(const model_struct *record, diag *messages);

#endif /* KUBEGEN_CRD_SCHEMA_H */
