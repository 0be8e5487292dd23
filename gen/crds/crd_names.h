/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for the Kinds and structs of a version. A struct is called by the last words of its
 * shortest path, as few as tell it from the others: `alerting`, `endpoint_tls_config`. A file of
 * names, which the import writes and reads, keeps them when the CRDs change.
 */
#ifndef KUBEGEN_CRD_NAMES_H
#define KUBEGEN_CRD_NAMES_H

#include "crd_types.h"
#include "support/str.h"

/* A Kind's names, without the prefix. */
typedef struct crd_kind_name {
    const char *kind;
    const char *plural;
    const char *name;     /* of the struct */
    const char *c_plural; /* of the functions that call the API; NULL = the usual one */
} crd_kind_name;

/*
 * Names the @kinds, and the @types that the header declares. @given, which may be NULL, is the part
 * of the file of names that is about the version: {"structs": {path: name}, "members": {…}}.
 * Returns false with a line in @error if a name given there cannot be one.
 */
bool crd_names_choose(crd_types *types, crd_kind_name *kinds, size_t kind_len,
                      const json_value *given, str *error);
/* Returns the name that the file gives the member at @place in C, or NULL. */
const char *crd_names_member(arena *in, const crd_place *place, const char *json,
                             const json_value *given);
/* Returns what the file calls that member. */
const char *crd_names_path(arena *in, const crd_place *place, const char *json);
/* Returns the part for the file: @given, all structs that have a name now, and @members. */
json_value *crd_names_suggest(const crd_types *types, const json_value *given,
                              const json_value *members);

#endif /* KUBEGEN_CRD_NAMES_H */
