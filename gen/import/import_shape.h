/* SPDX-License-Identifier: Apache-2.0 */
/* These functions turn schemas into C types, and their properties into members. */
#ifndef KUBEGEN_IMPORT_SHAPE_H
#define KUBEGEN_IMPORT_SHAPE_H

#include "import.h"

/* The shape of a value that may be absent unless @is_required; @hint is the C name of a struct that
 * is written in place. */
bool import_shape_of(importer *im, const json_value *schema, const char *path, const char *hint,
                     bool is_required, import_shape *out);

/* Says whether a member of this name in JSON can be one in C; kube_extra keeps the others. */
bool import_can_be_member(const char *json);
/* Reads the members of a struct, and those of the structs that they need before. */
bool import_read_struct(importer *im, import_struct *record);

#endif /* KUBEGEN_IMPORT_SHAPE_H */
