/* SPDX-License-Identifier: Apache-2.0 */
/*
 * These functions write markers so that `kubegen crd` makes the schema again: those that have a
 * name, and for what is left a +kubegen:schema.
 */
#ifndef KUBEGEN_IMPORT_EXACT_H
#define KUBEGEN_IMPORT_EXACT_H

#include "import_marker.h"

/* Writes what the schema of a member says beyond its type in C. */
void import_put_exact(import_writer *w, const import_field *field);
/*
 * Writes the rules of CEL that a schema has, above a member (@in_struct) or a struct. Returns false
 * if there are none, or one that no marker can say: then none is written.
 */
bool import_put_rules(import_writer *w, const json_value *schema, bool in_struct);
/* Writes what the schema of a struct says beyond its members. */
void import_put_exact_struct(import_writer *w, const import_struct *record);

#endif /* KUBEGEN_IMPORT_EXACT_H */
