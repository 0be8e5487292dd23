/* SPDX-License-Identifier: Apache-2.0 */
/* import_read_enum() reads the values of an enum and makes the names of their #defines. */
#ifndef KUBEGEN_IMPORT_ENUM_H
#define KUBEGEN_IMPORT_ENUM_H

#include "import.h"

/*
 * Reads the enum of a member's @schema, if all its values are strings that can stand between quotes
 * in C as they are. Returns false after an error.
 */
bool import_read_enum(importer *im, const import_struct *record, import_field *field,
                      const json_value *schema);

#endif /* KUBEGEN_IMPORT_ENUM_H */
