/* SPDX-License-Identifier: Apache-2.0 */
#include "import_api.h"

#include "front/names.h"
#include "import_kind.h"
#include "import_names.h"
#include "import_schema.h"
#include "import_shape.h"
#include "import_struct.h"
#include "import_write.h"
#include "support/path.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is asked for --------------------------------------------------------------------- */

/* Why a kind was not found. */
static void unknown_kind(importer *im, const char *kind)
{
    const import_options *options = im->options;
    const char *slash = *options->group ? "/" : "";
    str found = {0};
    if (openapi_list_kinds(im->api, options->group, options->version, &found)) {
        import_fail(im, "%s%s%s has no kind %s; it has %s", options->group, slash, options->version,
                    kind, str_text(&found));
    } else {
        openapi_list_versions(im->api, &found);
        import_fail(im, "the document has no kinds of %s%s%s; it has %s", options->group, slash,
                    options->version, found.len ? str_text(&found) : "no kinds");
    }
    str_free(&found);
}

static const char *schema_of_kind(importer *im, const char *kind)
{
    const import_options *options = im->options;
    const char *name = openapi_find_kind(im->api, options->group, options->version, kind);
    if (!name)
        unknown_kind(im, kind);
    return name;
}

/* The schema that --type names: in full, or by its last word in the package of the kinds. */
static const char *schema_of_type(importer *im, const char *type)
{
    size_t len = strcspn(type, "[");
    const char *bare = arena_strndup(im->arena, type, len);
    const char *name =
        strchr(bare, '.') ? bare : arena_printf(im->arena, "%s.%s", im->package, bare);
    if (type[len] && strcmp(type + len, "[]") != 0)
        import_fail(im, "--type %s: write the name of a schema, with [] for a list of it", type);
    else if (openapi_schema(im->api, name))
        return name;
    import_fail(im, "--type %s: there is no schema %s", type, name);
    return NULL;
}

/* ---- the two files ------------------------------------------------------------------------- */

static bool add_roots(importer *im, text_list *roots)
{
    const import_options *options = im->options;
    for (size_t i = 0; i < options->kinds.len; i++) {
        const char *name = schema_of_kind(im, options->kinds.items[i]);
        if (!name)
            return false;
        if (i == 0)
            im->package = import_package(im->arena, name);
        *VEC_ADD(roots) = name;
    }
    for (size_t i = 0; i < options->types.len; i++) {
        const char *name = schema_of_type(im, options->types.items[i]);
        if (!name)
            return false;
        *VEC_ADD(roots) = name;
    }
    return true;
}

static bool plan_schema(importer *im, const text_list *roots, const char *path, output_set *files)
{
    str text = {0};
    bool ok = import_write_closure(im, roots, &text);
    if (ok)
        output_add(files, path, str_text(&text));
    str_free(&text);
    return ok;
}

/* The root that stands for a kind. */
static bool add_kind(importer *im, const char *kind, const char *schema_name)
{
    const char *path = arena_printf(im->arena, "#/components/schemas/%s", schema_name);
    const char *name = schema_name;
    const json_value *schema = import_resolve(im, openapi_schema(im->api, name), path, &name);
    import_struct *made;
    if (!schema)
        return false;
    if (!import_properties(schema))
        return import_fail(im, "%s: the kind %s has no properties", path, kind);
    made = import_struct_of(im, schema_name, schema, path, NULL);
    if (!made)
        return false;
    made->kind = kind;
    return import_read_paths(im, made);
}

/* A struct that --type asks for, and a list of it. */
static bool add_type(importer *im, const char *type, const char *schema_name)
{
    const char *path = arena_printf(im->arena, "#/components/schemas/%s", schema_name);
    const json_value *schema = openapi_schema(im->api, schema_name);
    import_shape shape;
    if (import_properties(schema) && !import_struct_of(im, schema_name, schema, path, NULL))
        return false;
    if (!import_shape_of(im, schema, path, im->prefix, true, &shape))
        return false;
    if (!shape.record)
        return import_fail(im, "--type %s: it is not a struct but %s", type, shape.c_type);
    return !str_has_suffix(type, "[]") || import_container_of(im, &shape, false);
}

/* Where the header goes, and what its names begin with. */
static bool set_place(importer *im)
{
    const import_options *options = im->options;
    const char *version;
    const char *parent;
    im->directory = options->output;
    if (!im->directory) {
        const char *group = import_last(import_package(im->arena, im->package));
        if (!names_is_dir(group))
            return import_fail(im, "'%s' is not a directory for headers: name one with --output",
                               group);
        im->directory = arena_printf(im->arena, "apis/%s/%s", group, options->version);
    }
    im->directory = path_trimmed(im->arena, im->directory);
    version = path_last(im->directory);
    parent = path_parent(im->arena, im->directory);
    im->group_dir = path_last(parent);
    if (version == im->directory || !*im->group_dir || !names_is_version(version))
        return import_fail(im, "--output %s: the directory must be <group>/<version>",
                           im->directory);
    if (!names_is_dir(im->group_dir))
        return import_fail(im,
                           "--output %s: a directory of headers takes letters, digits, '-', "
                           "'_' and dots",
                           im->directory);
    im->root = arena_strndup(im->arena, parent, (size_t)(im->group_dir - parent));
    im->prefix = names_prefix(im->arena, im->group_dir, version);
    return names_is_prefix(im->prefix) ||
           import_fail(im, "'%s': no name in C begins so: name another directory with --output",
                       im->prefix);
}

/* Kinds first, so that they get their names and are known where they are members. */
static bool plan_header(importer *im, const text_list *roots, output_set *files)
{
    const import_options *options = im->options;
    str text = {0};
    bool ok = set_place(im);
    for (size_t i = 0; ok && i < options->kinds.len; i++)
        ok = add_kind(im, options->kinds.items[i], roots->items[i]);
    for (size_t i = 0; ok && i < options->kinds.len; i++)
        ok = import_read_struct(im, im->structs.items[i]);
    for (size_t i = 0; ok && i < options->types.len; i++)
        ok = add_type(im, options->types.items[i], roots->items[options->kinds.len + i]);
    ok = ok && import_check_shared(im) && import_check_names(im);
    ok = ok && import_write(im, &text);
    if (ok)
        output_add(files, arena_printf(im->arena, "%s/types.h", im->directory), str_text(&text));
    str_free(&text);
    return ok;
}

void import_free(importer *im)
{
    for (size_t i = 0; i < im->structs.len; i++) {
        import_struct *record = im->structs.items[i];
        for (size_t f = 0; f < record->fields.len; f++)
            free(record->fields.items[f].values.items);
        free(record->fields.items);
        free(record->subresources.items);
        free(record->containers.items);
    }
    free(im->structs.items);
    free(im->order.items);
    free(im->containers.items);
    free(im->includes.items);
    for (size_t i = 0; i < im->missing.len; i++)
        free(im->missing.items[i].types.items);
    free(im->missing.items);
    str_free(&im->lost);
    arena_free(im->arena);
}

bool import_api(const import_options *options, const openapi *api, output_set *files, str *error)
{
    importer im = {.options = options, .api = api, .arena = arena_new(), .error = error};
    text_list roots = {0};
    bool ok = add_roots(&im, &roots);
    if (ok && options->schema)
        ok = plan_schema(&im, &roots, options->schema, files);
    if (ok && (!options->schema || options->output))
        ok = plan_header(&im, &roots, files);
    free(roots.items);
    import_free(&im);
    return ok;
}
