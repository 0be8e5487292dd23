/* SPDX-License-Identifier: Apache-2.0 */
/* These functions follow references in schemas, list members, and write what a set of schemas
 * reaches. */
#ifndef KUBEGEN_IMPORT_SCHEMA_H
#define KUBEGEN_IMPORT_SCHEMA_H

#include "import.h"

/* The schema behind $ref and a single allOf; *@name (if there was one) is the last $ref's. NULL
 * after an error. */
const json_value *import_resolve(importer *im, const json_value *schema, const char *path,
                                 const char **name);
/* Returns the first of a schema's properties, or NULL if it has no properties. */
const json_value *import_properties(const json_value *schema);
/* The members of an object, sorted by their keys; the caller frees the items. */
typedef VEC(const json_value *) import_members;
import_members import_sorted_members(const json_value *object);
/* Writes a value as JSON on one line, members sorted and hidden characters escaped. */
void import_json_text(str *out, const json_value *value);
/* The keyword of a member's name in C, where somebody has chosen one. */
extern const char import_name_keyword[];
/* Says whether a keyword is one that a member says of itself, beside the type that it has. */
bool import_is_members(const char *name);
/* The same of a string. */
void import_put_text(str *out, const char *text);
/* Writes the schemas that @roots (names) reach as a document without texts. */
bool import_write_closure(importer *im, const text_list *roots, str *out);

#endif /* KUBEGEN_IMPORT_SCHEMA_H */
