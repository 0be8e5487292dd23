/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_shipped.h"

#include "crd/crd_schema.h"
#include "front/names.h"
#include "import/declared.h"
#include "import/import_names.h"
#include "import/import_schema.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Those that CRDs have parts of. */
static const char *const headers[] = {
    "core/v1/types.h",
    "apps/v1/types.h",
    "autoscaling/v2/types.h",
    "batch/v1/types.h",
    "rbac/v1/types.h",
    "networking/v1/types.h",
    "kube/meta.h",
    NULL,
};

/* One property is not enough to say that two structs mean the same. */
static bool is_telling(const json_value *schema)
{
    const json_value *first = import_properties(schema);
    return first && (json_next(first) || json_get(schema, "x-kubernetes-map-type"));
}

static bool is_declared(const char *text, const char *name, const char *what)
{
    str line = {0};
    bool found;
    str_printf(&line, "KUBE_DECLARE_%s(%s);", what, name);
    found = strstr(text, str_text(&line)) != NULL;
    str_free(&line);
    return found;
}

static bool is_runtimes(const char *name, const char *what)
{
    for (const char *const *known = import_declared; *known; known++)
        if (str_has_prefix(*known, name) && strcmp(*known + strlen(name), what) == 0)
            return true;
    return false;
}

static const char *schema_name_of(arena *in, const model_package *package, const char *name)
{
    return package->version
               ? arena_printf(in, "io.k8s.api.%s.%s.%s", package->group_dir, package->version,
                              names_kind(in, name + strlen(package->prefix) + 1))
               : import_known_schema(in, name);
}

static void add_struct(arena *in, const model_package *package, const char *text,
                       const model_struct *record, crd_shipped_list *out)
{
    const char *name = schema_name_of(in, package, record->name);
    diag *ignored = diag_new();
    json_value *schema = name && !record->resource ? crd_schema_of_struct(record, ignored) : NULL;
    if (schema && diag_error_count(ignored) == 0 && is_telling(schema)) {
        *VEC_ADD(out) = (crd_shipped){
            .schema_name = name,
            .schema = schema,
            .has_list = package->version ? is_declared(text, record->name, "LIST")
                                         : is_runtimes(record->name, "_list"),
            .has_map = package->version ? is_declared(text, record->name, "MAP")
                                        : is_runtimes(record->name, "_map"),
        };
    } else {
        json_free(schema);
    }
    diag_free(ignored);
}

static void load(arena *in, const char *input, const model_options *options, crd_shipped_list *out)
{
    diag *ignored = diag_new();
    model *read = model_load(&input, 1, options, ignored);
    for (size_t i = 0; read && i < read->package_len; i++) {
        const model_package *package = read->packages[i];
        str text = {0};
        str_read_file(&text, package->header);
        for (size_t s = 0; s < package->struct_len; s++)
            add_struct(in, package, str_text(&text), package->structs[s], out);
        str_free(&text);
    }
    model_free(read);
    diag_free(ignored);
}

/* Returns the path of @name in the first of @dirs that has it, or NULL. */
static const char *find(arena *in, const text_list *dirs, const char *name)
{
    for (size_t i = 0; i < dirs->len; i++) {
        const char *path = arena_printf(in, "%s/%s", dirs->items[i], name);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

void crd_shipped_load(arena *in, const model_options *options, crd_shipped_list *out)
{
    text_list dirs = {0};
    model_add_dirs(in, options, &dirs);
    for (const char *const *header = headers; *header; header++) {
        const char *path = find(in, &dirs, *header);
        if (path)
            load(in, path, options, out);
    }
    free(dirs.items);
}

void crd_shipped_free(crd_shipped_list *list)
{
    for (size_t i = 0; i < list->len; i++)
        json_free(list->items[i].schema);
    free(list->items);
}
