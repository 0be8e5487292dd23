/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_read.h"

#include "front/names.h"
#include "support/utf8.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    arena *in;
    const place_list *places;
    crd_versions *out;
    diag *to;
} reader;

/* Reports something about @at, or, if that is not there, about @object. */
__attribute__((format(printf, 4, 5))) static bool
fail(reader *r, const json_value *object, const json_value *at, const char *format, ...)
{
    va_list args;
    str text = {0};
    str shown = {0};
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    utf8_add_message(&shown, str_text(&text));
    diag_error(r->to, place_of(r->places, at ? at : object), "%s", str_text(&shown));
    str_free(&shown);
    str_free(&text);
    return false;
}

static const char *text_of(const json_value *object, const char *key)
{
    const json_value *value = json_get(object, key);
    return json_kind_of(value) == JSON_STRING ? json_text(value) : NULL;
}

static bool check_names(reader *r, const crd_version *made)
{
    const json_value *names = json_get(made->spec, "names");
    if (!made->group || !names_is_group(made->group))
        return fail(r, made->spec, json_get(made->spec, "group"),
                    "spec.group: a CRD needs the name of a group, such as example.com");
    if (!made->kind || !names_is_kind(made->kind))
        return fail(r, made->spec, json_get(names, "kind"),
                    "spec.names.kind: '%s' is not a Kind: letters and digits, a capital first",
                    made->kind ? made->kind : "");
    if (!made->plural || !names_is_label(made->plural))
        return fail(r, made->spec, json_get(names, "plural"),
                    "spec.names.plural: '%s' is not the name of a resource",
                    made->plural ? made->plural : "");
    return true;
}

static void read_version(reader *r, crd_version made, const json_value *node)
{
    made.version = text_of(node, "name");
    made.node = node;
    made.loc = place_of(r->places, json_get(node, "name"));
    if (!made.version || !names_is_version(made.version)) {
        fail(r, node, json_get(node, "name"),
             "the version '%s' of %s cannot be a directory of headers: it must be v<N>, "
             "v<N>alpha<M> or v<N>beta<M>",
             made.version ? made.version : "", made.kind);
        return;
    }
    made.schema = json_get(json_get(node, "schema"), "openAPIV3Schema");
    if (json_kind_of(made.schema) != JSON_OBJECT) {
        fail(r, node, json_get(node, "schema"), "%s of %s has no schema.openAPIV3Schema",
             made.version, made.kind);
        return;
    }
    made.path = arena_printf(r->in, "%s:%u: %s.%s/%s", made.loc.file, made.loc.line, made.plural,
                             made.group, made.version);
    *VEC_ADD(r->out) = made;
}

/* @api: that of the list that the object is in, for lists whose items do not say it. */
static void read_crd(reader *r, const json_value *object, const char *api)
{
    const json_value *names;
    const json_value *versions;
    crd_version made = {.metadata = json_get(object, "metadata"), .spec = json_get(object, "spec")};
    api = text_of(object, "apiVersion") ? text_of(object, "apiVersion") : api;
    if (!api || strcmp(api, "apiextensions.k8s.io/v1") != 0) {
        fail(r, object, json_get(object, "apiVersion"),
             "this CRD is of %s: only apiextensions.k8s.io/v1 is read",
             api ? api : "no apiVersion");
        return;
    }
    if (json_kind_of(made.spec) != JSON_OBJECT) {
        fail(r, object, made.spec, "spec: a CRD needs one, with group, names and versions");
        return;
    }
    names = json_get(made.spec, "names");
    made.group = text_of(made.spec, "group");
    made.kind = text_of(names, "kind");
    made.plural = text_of(names, "plural");
    made.namespaced =
        !text_of(made.spec, "scope") || strcmp(text_of(made.spec, "scope"), "Cluster") != 0;
    if (!check_names(r, &made))
        return;
    versions = json_get(made.spec, "versions");
    if (json_kind_of(versions) != JSON_ARRAY || !json_first(versions))
        fail(r, made.spec, versions, "spec.versions: the CRD of %s has no versions", made.kind);
    else
        for (const json_value *at = json_first(versions); at; at = json_next(at))
            read_version(r, made, at);
}

/* An object, or a list of objects as a server sends it. */
static void read_object(reader *r, const json_value *object)
{
    static const char crd[] = "CustomResourceDefinition";
    const char *kind = text_of(object, "kind");
    const json_value *item = NULL;
    if (kind && strcmp(kind, crd) == 0)
        read_crd(r, object, NULL);
    else if (kind && str_has_suffix(kind, "List"))
        item = json_first(json_get(object, "items"));
    for (; item; item = json_next(item)) {
        /* A server leaves the kind of a list's items out. */
        const char *of = text_of(item, "kind");
        if (of ? strcmp(of, crd) == 0 : strcmp(kind, "CustomResourceDefinitionList") == 0)
            read_crd(r, item, text_of(object, "apiVersion"));
    }
}

void crd_read(arena *in, const json_list *documents, const place_list *places, crd_versions *out,
              diag *to)
{
    reader r = {.in = in, .places = places, .out = out, .to = to};
    for (size_t i = 0; i < documents->len; i++)
        read_object(&r, documents->items[i]);
}

static int compare(const void *a, const void *b)
{
    const crd_version *left = a;
    const crd_version *right = b;
    int order = strcmp(left->group, right->group);
    order = order ? order : strcmp(left->version, right->version);
    order = order ? order : strcmp(left->kind, right->kind);
    return order ? order : strcmp(left->path, right->path);
}

void crd_sort(crd_versions *all, diag *to)
{
    if (all->len)
        qsort(all->items, all->len, sizeof *all->items, compare);
    for (size_t i = 1; i < all->len; i++) {
        const crd_version *before = &all->items[i - 1];
        const crd_version *at = &all->items[i];
        if (strcmp(before->group, at->group) != 0 || strcmp(before->version, at->version) != 0 ||
            strcmp(before->kind, at->kind) != 0)
            continue;
        diag_error(to, at->loc, "%s of %s/%s is here a second time", at->kind, at->group,
                   at->version);
        diag_note(to, before->loc, "the other one is here: import one of them");
    }
}
