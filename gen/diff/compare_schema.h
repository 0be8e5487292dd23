/* SPDX-License-Identifier: Apache-2.0 */
/* compare_schema() tells how two schemas of a version differ. */
#ifndef KUBEGEN_DIFF_COMPARE_SCHEMA_H
#define KUBEGEN_DIFF_COMPARE_SCHEMA_H

#include "schema_pair.h"

void compare_schema(const schema_pair *root);
/*
 * Tells which fields of @served the schema @stored lacks, so that they are lost when an object is
 * stored. @pair has the two: as it was is what is served, as it is what is stored.
 */
void compare_storage(const schema_pair *pair);
/* Compares what a value may be: in compare_values.c. */
void compare_values(const schema_pair *pair);

#endif /* KUBEGEN_DIFF_COMPARE_SCHEMA_H */
