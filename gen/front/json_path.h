/* SPDX-License-Identifier: Apache-2.0 */
/* json_path_follow() says whether the path of a print column or of a scale leads to a member. */
#ifndef KUBEGEN_JSON_PATH_H
#define KUBEGEN_JSON_PATH_H

#include "build.h"

/* Where a path leads. */
typedef struct json_path_place {
    const model_struct *record; /* the struct there, else NULL */
    const model_type *type;     /* NULL = the Kind itself */
    const char *name;           /* the last member's in JSON */
    diag_loc loc;               /* of that name in the path */
    bool is_free;               /* anything may be there: what follows cannot be checked */
    bool is_open;               /* so may members that the struct does not name */
} json_path_place;

/* Which paths a server follows. */
typedef enum json_path_form {
    JSON_PATH_MEMBERS, /* .a.b */
    JSON_PATH_OBJECT,  /* the same in the object, so that what the schema leaves open counts too */
    JSON_PATH_FULL,    /* also .a['b'], .a[0], .a[*], .a[?(@.b=="c")].d, .a.*, ..a */
} json_path_form;

/*
 * Follows @path from a Kind; @loc is where its first byte stands. Returns false after an error that
 * names the member that is not there, and the one that was probably meant.
 */
bool json_path_follow(builder *b, const model_struct *from, json_path_form form, const char *path,
                      diag_loc loc, json_path_place *out);

#endif /* KUBEGEN_JSON_PATH_H */
