/* SPDX-License-Identifier: Apache-2.0 */
/* The keywords that a schema in a CRD may have: the members of JSONSchemaProps, and what they hold.
 */
#ifndef KUBEGEN_KEYWORDS_H
#define KUBEGEN_KEYWORDS_H

#include "support/arena.h"
#include "support/json_value.h"

#include <stdbool.h>

/*
 * Returns what is wrong with a part of a schema, or NULL: a member that is no keyword, or a value
 * of another type than the keyword's. null stands for a keyword that is to go.
 */
const char *keywords_check(arena *in, const json_value *schema);
/* Says whether a schema in a CRD has such a keyword. */
bool keywords_has(const char *name);

#endif /* KUBEGEN_KEYWORDS_H */
