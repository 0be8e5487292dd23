/* SPDX-License-Identifier: Apache-2.0 */
/* These functions turn the names of schemas and members into names of C, which lie in the arena. */
#ifndef KUBEGEN_IMPORT_NAMES_H
#define KUBEGEN_IMPORT_NAMES_H

#include "support/arena.h"

#include <stdbool.h>

/* What a schema that every API uses is in C: "kube_time", "kube_object_meta"; NULL = it is none of
 * these. @is_struct tells whether it is a struct of kube/meta.h. */
const char *import_known(const char *schema_name, bool *is_struct);
/* Says whether a schema is a Go type of Kubernetes itself, not of a CRD. */
bool import_is_builtin(const char *schema_name);
/* Returns the name of the schema of a struct of kube/meta.h, or NULL if it is another struct. */
const char *import_known_schema(arena *in, const char *c_type);
/* "io.k8s.api.core.v1" of "io.k8s.api.core.v1.Pod"; "" when there is no dot. */
const char *import_package(arena *in, const char *schema_name);
/* "Pod". */
const char *import_last(const char *schema_name);
/* Returns "core/v1" if the shipped APIs have such a schema, else NULL. */
const char *import_shared_dir(arena *in, const char *schema_name);
/* A member's name in C for one in JSON. */
const char *import_field_name(arena *in, const char *json);
/* Words of a schema's name as the end of a C name: "CSIVolumeSource" → "csi_volume_source". */
const char *import_snake(arena *in, const char *text);
/* "ports" → "port": for the elements of a list that have no name of their own. */
const char *import_singular(arena *in, const char *plural);

#endif /* KUBEGEN_IMPORT_NAMES_H */
