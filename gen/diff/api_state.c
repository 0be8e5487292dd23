/* SPDX-License-Identifier: Apache-2.0 */
#include "api_state.h"

#include "front/load.h"
#include "support/path.h"
#include "support/text_map.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 30 };

/* What is found below the paths that were named. */
typedef struct findings {
    arena *in;
    text_list headers;   /* directories with a types.h, and headers that were named */
    text_list documents; /* files */
    str *error;
} findings;

/* ---- looking for files --------------------------------------------------------------------- */

static bool is_document(const char *name)
{
    return str_has_suffix(name, ".yaml") || str_has_suffix(name, ".yml") ||
           str_has_suffix(name, ".json");
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* A link to a directory is not followed: it may lead back. */
static bool is_own_dir(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool walk(findings *f, const char *dir, int depth)
{
    struct dirent **entries = NULL;
    int count = depth < DEPTH_MAX ? scandir(dir, &entries, is_visible, by_name) : 0;
    bool ok = count >= 0;
    if (!ok)
        str_printf(f->error, "cannot read %s: %s", dir, strerror(errno));
    if (is_regular(arena_printf(f->in, "%s/types.h", dir)))
        *VEC_ADD(&f->headers) = dir;
    for (int i = 0; i < count; i++) {
        const char *path = arena_printf(f->in, "%s/%s", dir, entries[i]->d_name);
        if (is_document(path) && is_regular(path))
            *VEC_ADD(&f->documents) = path;
        else if (ok && is_own_dir(path))
            ok = walk(f, path, depth + 1);
        free(entries[i]);
    }
    free(entries);
    return ok;
}

/* Whether a file mentions what only a CRD has: other YAML need not even be YAML. */
static bool has_crd(const char *path)
{
    str text = {0};
    bool found = str_read_file(&text, path) && strstr(str_text(&text), "CustomResourceDefinition");
    str_free(&text);
    return found;
}

static bool find_files(findings *f, const char *path)
{
    const char *dir = path_trimmed(f->in, path);
    size_t kept = f->documents.len;
    if (!path_is_dir(dir)) {
        *VEC_ADD(str_has_suffix(dir, ".h") ? &f->headers : &f->documents) = dir;
        return true;
    }
    if (!walk(f, dir, 0))
        return false;
    for (size_t i = kept; i < f->documents.len; i++)
        if (has_crd(f->documents.items[i]))
            f->documents.items[kept++] = f->documents.items[i];
    f->documents.len = kept;
    return true;
}

/* ---- reading them -------------------------------------------------------------------------- */

static bool read_headers(api_state *out, const api_source *from, const findings *f, diag *to)
{
    text_list dirs = {0};
    model_options options;
    for (size_t i = 0; i < from->include->len; i++) {
        const char *dir = from->include->items[i];
        const char *own = from->revision ? revision_dir(out->in, &out->revision, dir) : NULL;
        *VEC_ADD(&dirs) = own && path_is_dir(own) ? own : dir;
    }
    options = (model_options){dirs.items, dirs.len};
    out->model = model_load(f->headers.items, f->headers.len, &options, to);
    if (out->model)
        crd_build(out->model, &out->places, &out->built, to);
    for (size_t i = 0; i < out->built.len; i++)
        *VEC_ADD(&out->crds) = out->built.items[i].value;
    free(dirs.items);
    return diag_error_count(to) == 0;
}

static bool has_text(const json_value *of, const char *key, const char *text)
{
    const char *own = json_text(json_get(of, key));
    return own && strcmp(own, text) == 0;
}

/* @list: the one that the object is in, or NULL. A server leaves out what the items of a list are.
 */
static void add_document(api_state *out, const json_value *document, const json_value *list,
                         const char *file, diag *to)
{
    const json_value *api = json_get(document, "apiVersion") ? document : list;
    const char *kind = json_text(json_get(document, "kind"));
    diag_loc loc = place_of(&out->places, document);
    if (kind && str_has_suffix(kind, "List")) {
        for (const json_value *one = json_first(json_get(document, "items")); one;
             one = json_next(one))
            add_document(out, one, document, file, to);
        return;
    }
    if (kind ? strcmp(kind, "CustomResourceDefinition") != 0
             : !has_text(list, "kind", "CustomResourceDefinitionList"))
        return;
    loc.file = file;
    if (has_text(api, "apiVersion", "apiextensions.k8s.io/v1"))
        *VEC_ADD(&out->crds) = (json_value *)document;
    else
        diag_error(to, loc, "only CRDs of apiextensions.k8s.io/v1 are read");
}

static void read_document(api_state *out, const char *file, diag *to)
{
    size_t errors = diag_error_count(to);
    size_t first = out->read.len;
    size_t crds = out->crds.len;
    str text = {0};
    if (!str_read_file(&text, file))
        diag_error(to, (diag_loc){file, 0, 0}, "cannot read this file: %s", strerror(errno));
    else
        yaml_read(file, str_text(&text), text.len, &out->places, &out->read, to);
    for (size_t i = first; i < out->read.len; i++)
        add_document(out, out->read.items[i], NULL, file, to);
    if (diag_error_count(to) == errors && out->crds.len == crds)
        diag_error(to, (diag_loc){file, 0, 0}, "this file has no CustomResourceDefinition");
    str_free(&text);
}

/* The second version of a name would be compared with nothing. */
static void refuse_versions(api_state *of, const json_value *crd, diag *to)
{
    text_map names = {0};
    for (const json_value *one = json_first(json_get(json_get(crd, "spec"), "versions")); one;
         one = json_next(one)) {
        const char *name = json_text(json_get(one, "name"));
        if (name && !text_map_add(&names, of->in, name))
            diag_error(to, place_of(&of->places, one),
                       "the version %s is there twice: remove one of them", name);
    }
}

static void refuse_duplicates(api_state *of, diag *to)
{
    text_map names = {0};
    for (size_t i = 0; i < of->crds.len; i++) {
        const json_value *crd = of->crds.items[i];
        const char *name = json_text(json_get(json_get(crd, "metadata"), "name"));
        if (name && !text_map_add(&names, of->in, name))
            diag_error(to, place_of(&of->places, crd),
                       "the CustomResourceDefinition %s is there twice: name one of its files",
                       name);
        refuse_versions(of, crd, to);
    }
}

static bool read_findings(api_state *out, const api_source *from, const findings *f, diag *to)
{
    /* Beside headers lie CRDs that are made of them. */
    if (f->headers.len)
        return read_headers(out, from, f, to);
    for (size_t i = 0; i < f->documents.len; i++)
        read_document(out, f->documents.items[i], to);
    refuse_duplicates(out, to);
    if (diag_error_count(to))
        return false;
    if (!out->crds.len && !from->may_lack)
        str_printf(f->error, "%s has neither a types.h nor a CustomResourceDefinition",
                   from->paths->items[0]);
    return f->error->len == 0;
}

static bool exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

bool api_state_read(api_state *out, const api_source *from, diag *to, str *error)
{
    findings f = {.in = arena_new(), .error = error};
    bool ok = true;
    *out = (api_state){.in = f.in};
    if (from->revision)
        ok = revision_take(f.in, from->revision, &out->revision, error);
    for (size_t i = 0; ok && i < from->paths->len; i++) {
        const char *path = from->paths->items[i];
        if (from->revision && from->from_top)
            path = arena_printf(f.in, "%s/%s", out->revision.tree, path);
        else if (from->revision)
            path = revision_path(f.in, &out->revision, path);
        if (exists(path)) {
            ok = find_files(&f, path);
        } else if (from->may_lack) {
            *VEC_ADD(&out->lacking) = from->paths->items[i];
        } else {
            str_printf(error, "there is no %s%s%s", from->paths->items[i],
                       from->revision ? " in " : "", from->revision ? from->revision : "");
            ok = false;
        }
    }
    if (out->revision.tree)
        diag_show_as(to, out->revision.tree, arena_printf(f.in, "%s:", from->revision));
    ok = ok && read_findings(out, from, &f, to);
    free(f.headers.items);
    free(f.documents.items);
    return ok;
}

void api_state_free(api_state *of)
{
    model_free(of->model);
    crd_list_free(&of->built);
    json_list_free(&of->read);
    free(of->crds.items);
    free(of->places.items);
    free(of->lacking.items);
    revision_remove(&of->revision);
    arena_free(of->in);
}
