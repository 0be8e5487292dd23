/* SPDX-License-Identifier: Apache-2.0 */
/* What writes a header shares these: the place where it goes, and the one way to write a marker. */
#ifndef KUBEGEN_IMPORT_MARKER_H
#define KUBEGEN_IMPORT_MARKER_H

#include "import.h"

typedef struct import_writer {
    importer *im;
    str *out;
    const char *path; /* of what is being written, for errors */
    text_map defines;
    bool in_struct; /* above a member, not above a struct */
} import_writer;

/* Writes "// +…", which fails if it cannot be a line. */
__attribute__((format(printf, 3, 4))) void import_put_marker(import_writer *w, const char *indent,
                                                             const char *format, ...);
/* Adds ",name=value" to the arguments of a marker; nothing if @value is NULL. */
void import_put_arg(str *out, const char *name, const char *value, bool is_quoted);
/* Says whether a text may be a quoted argument. */
bool import_can_quote(const char *text);
/* Says whether the structs of a list have the member @key, and it can tell them apart. */
bool import_has_key(import_writer *w, const json_value *schema, const import_shape *list,
                    const json_value *key);

#endif /* KUBEGEN_IMPORT_MARKER_H */
