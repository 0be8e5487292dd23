/* SPDX-License-Identifier: Apache-2.0 */
#include "import_kind.h"

#include "front/model.h"
#include "front/names.h"

#include <string.h>

typedef struct path_reader {
    importer *im;
    import_struct *kind;
    text_map subresources;
} path_reader;

/* A path of a resource, taken apart. */
typedef struct resource_path {
    const char *plural;
    const char *subresource; /* NULL = none */
    bool namespaced;
    bool named; /* …/{name} */
} resource_path;

static const char *skip(const char *text, const char *prefix)
{
    return text && str_has_prefix(text, prefix) ? text + strlen(prefix) : NULL;
}

/* False when the path is not one of a resource of the group and version. */
static bool take_apart(path_reader *r, const char *path, resource_path *out)
{
    const import_options *options = r->im->options;
    arena *in = r->im->arena;
    const char *rest =
        *options->group
            ? skip(path, arena_printf(in, "/apis/%s/%s/", options->group, options->version))
            : skip(path, arena_printf(in, "/api/%s/", options->version));
    const char *inner = skip(rest, "namespaces/{namespace}/");
    size_t len;
    *out = (resource_path){.namespaced = inner != NULL};
    rest = inner ? inner : rest;
    if (!rest || !*rest || *rest == '{' || skip(rest, "watch/"))
        return false;
    len = strcspn(rest, "/");
    out->plural = arena_strndup(in, rest, len);
    rest += len;
    if (!*rest)
        return true;
    rest = skip(rest, "/{name}");
    out->named = true;
    if (!rest || (*rest && *rest != '/') || strchr(*rest ? rest + 1 : rest, '/'))
        return false;
    out->subresource = *rest ? arena_strdup(in, rest + 1) : NULL;
    return true;
}

static bool gvk_is(const path_reader *r, const json_value *operation)
{
    return openapi_is_kind(json_get(operation, openapi_gvk), r->im->options->group,
                           r->im->options->version, r->kind->kind);
}

static bool any_is(const path_reader *r, const json_value *item)
{
    for (const json_value *at = json_first(item); at; at = json_next(at))
        if (json_kind_of(at) == JSON_OBJECT && gvk_is(r, at))
            return true;
    return false;
}

/* The resource whose objects are of the kind. */
static void find_plural(void *arg, const char *path, const json_value *item)
{
    path_reader *r = arg;
    resource_path found;
    if (r->kind->plural || !take_apart(r, path, &found) || found.subresource || !any_is(r, item))
        return;
    r->kind->plural = found.plural;
    if (!names_is_label(found.plural))
        import_fail(r->im, "#/paths/%s: '%s' is not a name of a resource", path, found.plural);
}

static unsigned verbs_of(const json_value *item, const resource_path *at)
{
    static const struct {
        const char *method;
        unsigned collection;
        unsigned object;
        unsigned status;
    } methods[] = {
        {"get", MODEL_LIST_VERB | MODEL_WATCH, MODEL_GET, 0},
        {"post", MODEL_CREATE, 0, 0},
        {"put", 0, MODEL_UPDATE, MODEL_UPDATE_STATUS},
        {"patch", 0, MODEL_PATCH | MODEL_APPLY, MODEL_APPLY_STATUS},
        {"delete", MODEL_DELETE_COLLECTION, MODEL_DELETE, 0},
    };
    unsigned verbs = 0;

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (!json_get(item, methods[i].method))
            continue;
        if (!at->named)
            verbs |= methods[i].collection;
        else if (!at->subresource)
            verbs |= methods[i].object;
        else if (strcmp(at->subresource, "status") == 0)
            verbs |= methods[i].status;
    }
    return verbs;
}

static void read_path(void *arg, const char *path, const json_value *item)
{
    path_reader *r = arg;
    import_struct *kind = r->kind;
    resource_path found;
    kind->has_paths = true;
    if (!take_apart(r, path, &found) || !kind->plural || strcmp(found.plural, kind->plural) != 0)
        return;
    kind->namespaced |= found.namespaced;
    kind->verbs |= verbs_of(item, &found);
    if (!found.subresource)
        return;
    if (!names_is_label(found.subresource))
        import_fail(r->im, "#/paths/%s: '%s' is not a name of a subresource", path,
                    found.subresource);
    if (text_map_add(&r->subresources, r->im->arena, found.subresource))
        *VEC_ADD(&kind->subresources) = found.subresource;
    kind->has_status_path |= strcmp(found.subresource, "status") == 0;
}

bool import_read_paths(importer *im, import_struct *kind)
{
    path_reader r = {.im = im, .kind = kind};
    openapi_each_path(im->api, find_plural, &r);
    openapi_each_path(im->api, read_path, &r);
    if (!kind->has_paths) { /* schemas only: nothing is known, so the usual */
        kind->namespaced = true;
        kind->verbs = MODEL_ALL_VERBS;
        kind->has_status_path = true;
    }
    text_list_sort(&kind->subresources);
    return im->error->len == 0;
}
