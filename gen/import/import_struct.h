/* SPDX-License-Identifier: Apache-2.0 */
/* These functions name the structs, lists and maps that the header declares or takes from others.
 */
#ifndef KUBEGEN_IMPORT_STRUCT_H
#define KUBEGEN_IMPORT_STRUCT_H

#include "import.h"

/* The struct of a schema with properties, made if it must be; import_read_struct() reads its
 * members. */
import_struct *import_struct_of(importer *im, const char *schema_name, const json_value *schema,
                                const char *path, const char *hint);
/* Whether a list or map would have the name of a struct. */
bool import_check_names(importer *im);
/* Remembers that a list or map of @element is used; returns its name. */
const char *import_container_of(importer *im, const import_shape *element, bool is_map);
/* Whether the schema belongs to another group, whose header has it. */
bool import_is_shared(const importer *im, const char *schema_name);
/* Returns the name it has there, and has the header included. */
const char *import_shared_name(importer *im, const char *schema_name, const char *path);
/* Fails if other headers do not declare what import_shared_name() and import_container_of() said.
 */
bool import_check_shared(importer *im);

#endif /* KUBEGEN_IMPORT_STRUCT_H */
