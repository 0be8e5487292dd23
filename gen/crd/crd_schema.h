/* SPDX-License-Identifier: Apache-2.0 */
/* The structural OpenAPI v3 schema of a Kind. docs/mapping.md has the rules in a table. */
#ifndef KUBEGEN_CRD_SCHEMA_H
#define KUBEGEN_CRD_SCHEMA_H

#include "front/model.h"
#include "support/json_value.h"

/* The schema; errors (a recursive type has none) go to @messages. */
json_value *crd_schema(const model_resource *resource, diag *messages);

#endif /* KUBEGEN_CRD_SCHEMA_H */
