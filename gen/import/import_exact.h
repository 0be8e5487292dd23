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
/* Writes what the schema of a struct says beyond its members. */
void import_put_exact_struct(import_writer *w, const import_struct *record);

#endif /* KUBEGEN_IMPORT_EXACT_H */
