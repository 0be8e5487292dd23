/* SPDX-License-Identifier: Apache-2.0 */
/* An API server has one OpenAPI v3 document for each group and version; an openapi holds several.
 */
#ifndef KUBEGEN_OPENAPI_H
#define KUBEGEN_OPENAPI_H

#include "support/json_value.h"
#include "support/str.h"

typedef struct openapi openapi;

openapi *openapi_new(void);
void openapi_free(openapi *api);
/* Adds a document; of schemas that several have, the first one's counts. False with a line in
 * @error that begins with @name. */
bool openapi_add(openapi *api, const char *name, const str *text, str *error);
/* Adds a document that was made here, which then belongs to @api. */
void openapi_add_tree(openapi *api, json_value *document);

/* The key of the group, version and kind that a schema or an operation is about. */
extern const char openapi_gvk[];

/* Whether this is their value; any kind matches if @kind is NULL. */
bool openapi_is_kind(const json_value *gvk, const char *group, const char *version,
                     const char *kind);
/* Returns the schema of that name, or NULL if no document has it. */
const json_value *openapi_schema(const openapi *api, const char *name);
/* Returns the name in "#/components/schemas/<name>", or NULL if @ref is something else. */
const char *openapi_ref_name(const char *ref);
/* Returns the name of the schema of a kind, by x-kubernetes-group-version-kind, or NULL. */
const char *openapi_find_kind(const openapi *api, const char *group, const char *version,
                              const char *kind);
/* Appends the kinds of a version, sorted: "DaemonSet, Deployment"; returns how many. Lists and what
 * every group has (DeleteOptions) are left out. */
size_t openapi_list_kinds(const openapi *api, const char *group, const char *version, str *out);
/* Appends the groups and versions the documents have kinds of: "apps/v1, v1". */
void openapi_list_versions(const openapi *api, str *out);
/* Calls @visit for each path of each document. */
void openapi_each_path(const openapi *api,
                       void (*visit)(void *arg, const char *path, const json_value *item),
                       void *arg);

#endif /* KUBEGEN_OPENAPI_H */
