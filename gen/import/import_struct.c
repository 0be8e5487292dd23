/* SPDX-License-Identifier: Apache-2.0 */
#include "import_struct.h"

#include "declared.h"
#include "front/names.h"
#include "front/symbols.h"
#include "import_names.h"
#include "support/c_text.h"
#include "support/path.h"
#include "support/utf8.h"

#include <stdlib.h>
#include <string.h>

/* ---- what lies in another header ----------------------------------------------------------- */

/* Whether --type names a struct of a package in full: then the header declares those it needs. */
static bool is_taken_over(const importer *im, const char *package)
{
    const text_list *types = &im->options->types;
    size_t len = strlen(package);
    for (size_t i = 0; i < types->len; i++)
        if (strncmp(types->items[i], package, len) == 0 && types->items[i][len] == '.' &&
            !strchr(types->items[i] + len + 1, '.'))
            return true;
    return false;
}

bool import_is_shared(const importer *im, const char *schema_name)
{
    const char *package = import_package(im->arena, schema_name);
    return !im->options->own_all && import_shared_dir(im->arena, schema_name) &&
           strcmp(package, im->package) != 0 && !is_taken_over(im, package);
}

/* Reads <root>/<include> where the header will be read from; "" when it is nowhere. */
static void read_shared(importer *im, const char *include, str *text)
{
    const text_list *given = &im->options->include_dirs;
    text_list dirs = {0};
    bool found = str_read_file(text, arena_printf(im->arena, "%s%s", im->root, include));
    for (size_t i = 0; i < given->len; i++)
        *VEC_ADD(&dirs) = given->items[i];
    path_split(im->arena, getenv("KUBEGEN_INCLUDE"), &dirs);
    for (size_t i = 0; i < dirs.len && !found; i++)
        found = str_read_file(text, arena_printf(im->arena, "%s/%s", dirs.items[i], include));
    free(dirs.items);
}

static import_missing *missing_of(importer *im, const char *include, const char *path)
{
    import_missing *made;
    for (size_t i = 0; i < im->missing.len; i++)
        if (strcmp(im->missing.items[i].include, include) == 0)
            return &im->missing.items[i];
    made = VEC_ADD(&im->missing);
    made->include = include;
    made->path = path;
    return made;
}

/* Looks for what @declaration begins with in the other header. What is missing is told at the end,
 * all of it. */
static void check_shared(importer *im, const char *include, const char *declaration,
                         const char *type, const char *path)
{
    str text = {0};
    if (!text_map_add(&im->shared, im->arena,
                      arena_printf(im->arena, "%s %s", include, declaration)))
        return;
    read_shared(im, include, &text);
    if (text.len == 0 || !strstr(text.data, declaration)) {
        import_missing *missing = missing_of(im, include, path);
        missing->is_absent = text.len == 0;
        *VEC_ADD(&missing->types) = type;
    }
    str_free(&text);
}

/* Appends the path of the OpenAPI document that a header is imported of. */
static void add_document(str *out, const char *include)
{
    static const char *const short_groups[] = {"apps", "autoscaling", "batch", "policy", NULL};
    char group[64];
    const char *version = strchr(include, '/') + 1;
    int len = (int)strcspn(version, "/");
    snprintf(group, sizeof group, "%.*s", (int)strcspn(include, "/"), include);
    if (strcmp(group, "core") == 0)
        str_printf(out, "/openapi/v3/api/%.*s", len, version);
    else
        str_printf(out, "/openapi/v3/apis/%s%s/%.*s", group,
                   str_is_one_of(group, short_groups)  ? ""
                   : strcmp(group, "rbac") == 0        ? ".authorization.k8s.io"
                   : strcmp(group, "flowcontrol") == 0 ? ".apiserver.k8s.io"
                                                       : ".k8s.io",
                   len, version);
}

bool import_check_shared(importer *im)
{
    str text = {0};
    for (size_t i = 0; i < im->missing.len; i++) {
        import_missing *missing = &im->missing.items[i];
        str_printf(&text, "%s%s: ", i ? "; " : "", missing->path);
        str_printf(&text,
                   missing->is_absent ? "cannot find <%s>: name its directory with -I, declare its "
                                        "structs here with --inline, or import it first"
                                      : "<%s> does not declare it: import it there",
                   missing->include);
        str_add(&text, " from ");
        add_document(&text, missing->include);
        str_add(&text, " with");
        text_list_sort(&missing->types);
        for (size_t t = 0; t < missing->types.len; t++) {
            bool is_list = str_has_suffix(missing->types.items[t], "[]");
            str_printf(&text, " --type %s%s%s", is_list ? "'" : "", missing->types.items[t],
                       is_list ? "'" : "");
        }
    }
    if (!im->error->len) /* in full, however long it is */
        utf8_add_visible(im->error, str_text(&text), text.len);
    str_free(&text);
    return im->error->len == 0;
}

static const char *shared_prefix(importer *im, const char *dir)
{
    size_t len = strcspn(dir, "/");
    return names_prefix(im->arena, arena_strndup(im->arena, dir, len), dir + len + 1);
}

const char *import_shared_name(importer *im, const char *schema_name, const char *path)
{
    const char *dir = import_shared_dir(im->arena, schema_name);
    const char *include = arena_printf(im->arena, "%s/types.h", dir);
    const char *last = import_last(schema_name);
    const char *name =
        arena_printf(im->arena, "%s_%s", shared_prefix(im, dir), import_snake(im->arena, last));
    text_list_add_once(&im->includes, include);
    check_shared(im, include, arena_printf(im->arena, "struct %s ", name), last, path);
    return name;
}

/* ---- lists and maps ------------------------------------------------------------------------ */

/* Returns the shared header that declares a struct, or NULL if this one or the runtime's does. */
static const char *shared_include_of(importer *im, const char *c_type)
{
    for (size_t i = 0; i < im->includes.len; i++) {
        const char *include = im->includes.items[i];
        const char *dir = arena_strndup(im->arena, include, strlen(include) - strlen("/types.h"));
        if (str_has_prefix(c_type, arena_printf(im->arena, "%s_", shared_prefix(im, dir))) &&
            !str_has_prefix(c_type, arena_printf(im->arena, "%s_", im->prefix)))
            return include;
    }
    return NULL;
}

const char *import_container_of(importer *im, const import_shape *element, bool is_map)
{
    const char *name;
    const char *include;
    import_container *made;
    if (element->is_string)
        return is_map ? "kube_string_map" : "kube_string_list";
    name = arena_printf(im->arena, "%s_%s", element->c_type, is_map ? "map" : "list");
    include = element->record ? NULL : shared_include_of(im, element->c_type);
    if (include && element->is_struct) {
        const char *declaration = arena_printf(im->arena, "KUBE_DECLARE_%s(%s);",
                                               is_map ? "MAP" : "LIST", element->c_type);
        const char *bare =
            element->c_type +
            strlen(shared_prefix(im, arena_strndup(im->arena, include, strlen(include) - 8))) + 1;
        check_shared(im, include, declaration,
                     arena_printf(im->arena, "%s[]", names_kind(im->arena, bare)), name);
        return name;
    }
    for (const char *const *known = import_declared; *known; known++)
        if (strcmp(*known, name) == 0)
            return name;
    if (!text_map_add(&im->container_names, im->arena, name))
        return name;
    made = element->record ? VEC_ADD(&element->record->containers) : VEC_ADD(&im->containers);
    *made = (import_container){name, element->c_type, is_map};
    return name;
}

/* ---- structs ------------------------------------------------------------------------------- */

bool import_check_names(importer *im)
{
    for (size_t i = 0; i < im->structs.len; i++) {
        const char *name = im->structs.items[i]->name;
        if (text_map_has(&im->container_names, name))
            return import_fail(im, "%s: %s would be both this struct and a list or map",
                               im->structs.items[i]->path, name);
    }
    return true;
}

/* RoleRef is not called like the function _ref of Role. */
static const char *beside_kinds(importer *im, const char *name)
{
    size_t kinds = im->options->kinds.len; /* which are the first structs */
    for (size_t i = 0; i < kinds && i < im->structs.len; i++)
        if (im->structs.items[i]->kind && symbols_takes(im->structs.items[i]->name, name))
            return arena_printf(im->arena, "%s_value", name);
    return name;
}

static const char *struct_name(importer *im, const char *schema_name, const char *hint)
{
    const char *name;
    const char *package;
    if (!schema_name)
        return text_map_unique(&im->struct_names, im->arena, beside_kinds(im, hint));
    name = arena_printf(im->arena, "%s_%s", im->prefix,
                        import_snake(im->arena, import_last(schema_name)));
    package = import_package(im->arena, schema_name);
    /* A namesake from elsewhere: tell them apart by the package's last word. */
    if (text_map_has(&im->struct_names, name) && strcmp(package, im->package) != 0)
        name = arena_printf(im->arena, "%s_%s_%s", im->prefix,
                            import_snake(im->arena, import_last(package)),
                            import_snake(im->arena, import_last(schema_name)));
    return text_map_unique(&im->struct_names, im->arena, beside_kinds(im, name));
}

import_struct *import_struct_of(importer *im, const char *schema_name, const json_value *schema,
                                const char *path, const char *hint)
{
    import_struct **known =
        (import_struct **)text_map_at(&im->schemas, im->arena, import_address(im, schema));
    import_struct *made;
    if (*known)
        return *known;
    made = arena_alloc(im->arena, sizeof *made);
    made->schema_name = schema_name;
    made->schema = schema;
    made->path = schema_name && !im->is_exact
                     ? arena_printf(im->arena, "#/components/schemas/%s", schema_name)
                     : path;
    made->name = struct_name(im, schema_name, hint);
    if (!c_text_is_name(made->name)) {
        import_fail(
            im,
            "%s: the struct would be called '%.80s': no name in C is so long, or begins with "
            "a digit",
            made->path, made->name);
        return NULL;
    }
    made->doc = im->options->docs ? json_text(json_get(schema, "description")) : NULL;
    *VEC_ADD(&im->structs) = *known = made;
    return made;
}
