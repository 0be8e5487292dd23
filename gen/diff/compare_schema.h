/* SPDX-License-Identifier: Apache-2.0 */
/* compare_schema() tells how two schemas of a version differ. */
#ifndef KUBEGEN_DIFF_COMPARE_SCHEMA_H
#define KUBEGEN_DIFF_COMPARE_SCHEMA_H

#include "schema_pair.h"

void compare_schema(const schema_pair *root);
/*
 * Tells what of a version is lost, or comes to be, when its objects are stored in another one:
 * fields that this one lacks, other types, defaults. As it was is the first one's schema, as it is
 * that of what is stored.
 */
void compare_storage(const schema_pair *pair);
/* Compares what a value may be: in compare_values.c. */
void compare_values(const schema_pair *pair);

#endif /* KUBEGEN_DIFF_COMPARE_SCHEMA_H */
