/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_document.h"

#include "crd_check.h"
#include "crd_schema.h"
#include "crd_trim.h"
#include "support/arena.h"
#include "support/spdx.h"
#include "support/yaml.h"

#include <stdlib.h>
#include <string.h>

typedef struct crd {
    const model *input;
    const model_package *package; /* of the first version */
    const model_resource *resource;
    const model_resource *stored; /* of its versions */
    const crd_options *options;
    place_list *places;
    diag *messages;
} crd;

static void add_columns(const crd *c, json_value *version, const model_resource *resource)
{
    json_value *list;
    if (!resource->column_len)
        return;
    list = json_set(version, "additionalPrinterColumns", json_array());
    for (size_t i = 0; i < resource->column_len; i++) {
        const model_column *column = &resource->columns[i];
        json_value *row = json_push(list, json_object());
        place_set(c->places, row, column->path_loc);
        json_set_text(row, "name", column->name);
        json_set_text(row, "type", column->type);
        json_set_text(row, "format", column->format);
        json_set_text(row, "description", column->description);
        json_set_text(row, "jsonPath", column->json_path);
        if (column->priority)
            json_set(row, "priority", json_number(column->priority));
    }
}

static void add_subresources(const crd *c, json_value *version, const model_resource *resource)
{
    const model_scale *scale = &resource->scale;
    json_value *part;
    if (!resource->status_subresource && !scale->spec_path)
        return;
    part = json_set(version, "subresources", json_object());
    if (resource->status_subresource)
        json_set(part, "status", json_object());
    if (!scale->spec_path)
        return;
    part = json_set(part, "scale", json_object());
    place_set(c->places, part, scale->spec_loc);
    json_set_text(part, "specReplicasPath", scale->spec_path);
    json_set_text(part, "statusReplicasPath", scale->status_path);
    json_set_text(part, "labelSelectorPath", scale->selector_path);
}

static void add_selectable(const crd *c, json_value *version, const model_resource *resource)
{
    json_value *list;
    json_value *row;
    if (!resource->selectable_len)
        return;
    list = json_set(version, "selectableFields", json_array());
    for (size_t i = 0; i < resource->selectable_len; i++) {
        row = json_push(list, json_object());
        place_set(c->places, row, resource->selectable[i].loc);
        json_set_text(row, "jsonPath", resource->selectable[i].text);
    }
}

static void add_deprecation(json_value *version, const model_resource *resource)
{
    if (!resource->deprecated)
        return;
    json_set_flag(version, "deprecated", true);
    json_set_text(version, "deprecationWarning", resource->deprecation_warning);
}

static void add_schema(const crd *c, json_value *part, const model_resource *resource)
{
    json_value *schema = crd_schema(resource, c->options, c->places, c->messages);
    if (c->options->trims) {
        json_value *whole = schema;
        schema = crd_trim(whole, c->options->max_desc_len);
        json_free(whole);
    }
    json_set(part, "openAPIV3Schema", schema);
}

static void add_version(json_value *versions, const crd *c, const model_package *package,
                        const model_resource *resource)
{
    json_value *version = json_push(versions, json_object());
    json_value *part;
    place_set(c->places, version, resource->record->loc);
    json_set_text(version, "name", package->version);
    json_set_flag(version, "served", !resource->unserved);
    json_set_flag(version, "storage", resource == c->stored);
    add_deprecation(version, resource);
    add_columns(c, version, resource);
    part = json_set(version, "schema", json_object());
    add_schema(c, part, resource);
    add_subresources(c, version, resource);
    add_selectable(c, version, resource);
}

/* Returns the Kind in this version, or NULL if the CRD does not have it. */
static const model_resource *find_kind(const model_package *package, const crd *c)
{
    if (!package->group || strcmp(package->group, c->package->group) != 0)
        return NULL;
    /* They are sorted by Kind. */
    for (size_t low = 0, high = package->resource_len; low < high;) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(package->resources[middle]->kind, c->resource->kind);
        if (order == 0)
            return package->resources[middle]->skipped ? NULL : package->resources[middle];
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

/* ---- what all versions share ---------------------------------------------------------------- */

static void report_other(const crd *c, const model_resource *other, const char *what)
{
    diag_error(c->messages, other->record->loc,
               "%s has another %s in another version, but all versions share one CRD", other->kind,
               what);
}

/* One version may say what the others leave out. */
static void add_texts(json_value *names, const crd *c, const char *name,
                      const model_texts *(*of)(const model_resource *resource))
{
    const model_texts *found = NULL;
    for (size_t i = 0; i < c->input->package_len; i++) {
        const model_resource *resource = find_kind(c->input->packages[i], c);
        const model_texts *texts = resource ? of(resource) : NULL;
        bool same = texts && found && texts->len == found->len;
        if (!texts || !texts->len)
            continue;
        for (size_t n = 0; same && n < texts->len; n++)
            same = strcmp(texts->items[n], found->items[n]) == 0;
        if (found && !same)
            report_other(c, resource, name);
        found = found ? found : texts;
    }
    if (found)
        json_set_texts(names, name, found->items, found->len);
}

static const model_texts *short_names_of(const model_resource *resource)
{
    return &resource->short_names;
}

static const model_texts *categories_of(const model_resource *resource)
{
    return &resource->categories;
}

/* Those of all versions together. */
static void add_pairs(json_value *metadata, const crd *c, const char *name,
                      const model_pairs *(*of)(const model_resource *resource))
{
    json_value *map = NULL;
    for (size_t i = 0; i < c->input->package_len; i++) {
        const model_resource *resource = find_kind(c->input->packages[i], c);
        const model_pairs *pairs = resource ? of(resource) : NULL;
        for (size_t n = 0; pairs && n < pairs->len; n++) {
            const model_pair *pair = &pairs->items[n];
            const char *known = json_text(json_get(map, pair->key));
            map = map ? map : json_set(metadata, name, json_object());
            if (!known)
                json_set_text(map, pair->key, pair->value);
            else if (strcmp(known, pair->value) != 0)
                report_other(c, resource, pair->key);
        }
    }
}

static const model_pairs *labels_of(const model_resource *resource)
{
    return &resource->labels;
}

static const model_pairs *annotations_of(const model_resource *resource)
{
    return &resource->annotations;
}

static void check_same(const crd *c, const model_resource *other)
{
    if (strcmp(other->plural, c->resource->plural) != 0 ||
        other->namespaced != c->resource->namespaced)
        report_other(c, other, "plural or scope");
    if (strcmp(other->singular, c->resource->singular) != 0)
        report_other(c, other, "singular");
}

/* ---- versions ------------------------------------------------------------------------------- */

/* The version that is marked so, else the first on the command line. */
static const model_resource *find_stored(const crd *c)
{
    const model_resource *stored = NULL;
    bool served = false;
    for (size_t i = 0; i < c->input->package_len; i++) {
        const model_resource *resource = find_kind(c->input->packages[i], c);
        if (!resource)
            continue;
        served |= !resource->unserved;
        if (!resource->stored)
            continue;
        if (stored) {
            diag_error(c->messages, resource->stored_loc,
                       "two versions of %s are marked as the stored one", resource->kind);
            diag_note(c->messages, stored->stored_loc, "the other one is here");
        }
        stored = resource;
    }
    if (!served)
        diag_error(c->messages, c->resource->record->loc, "no version of %s is served",
                   c->resource->kind);
    return stored ? stored : c->resource;
}

static void add_versions(json_value *spec, const crd *c)
{
    json_value *versions = json_set(spec, "versions", json_array());
    for (size_t i = 0; i < c->input->package_len; i++) {
        const model_resource *resource = find_kind(c->input->packages[i], c);
        if (resource) {
            check_same(c, resource);
            add_version(versions, c, c->input->packages[i], resource);
        }
    }
}

static json_value *crd_value(const crd *c)
{
    const model_resource *resource = c->resource;
    json_value *root = json_object();
    json_value *metadata;
    json_value *spec;
    json_value *names;
    place_set(c->places, root, resource->record->loc);
    json_set_text(root, "apiVersion", "apiextensions.k8s.io/v1");
    json_set_text(root, "kind", "CustomResourceDefinition");
    metadata = json_set(root, "metadata", json_object());
    json_set_format(metadata, "name", "%s.%s", resource->plural, c->package->group);
    add_pairs(metadata, c, "labels", labels_of);
    add_pairs(metadata, c, "annotations", annotations_of);
    spec = json_set(root, "spec", json_object());
    json_set_text(spec, "group", c->package->group);
    names = json_set(spec, "names", json_object());
    json_set_text(names, "kind", resource->kind);
    json_set_text(names, "listKind", resource->list_kind);
    json_set_text(names, "plural", resource->plural);
    json_set_text(names, "singular", resource->singular);
    add_texts(names, c, "shortNames", short_names_of);
    add_texts(names, c, "categories", categories_of);
    json_set_text(spec, "scope", resource->namespaced ? "Namespaced" : "Cluster");
    add_versions(spec, c);
    return root;
}

/* Groups of the Kubernetes project: the server wants to be told that their CRDs were reviewed. */
static bool is_protected(const char *group)
{
    return str_has_suffix(group, ".k8s.io") || str_has_suffix(group, ".kubernetes.io");
}

static bool has_approval(const json_value *made)
{
    const json_value *annotations = json_get(json_get(made, "metadata"), "annotations");
    return annotations && json_get(annotations, "api-approved.kubernetes.io");
}

static void check_group(const crd *c, const json_value *made)
{
    const char *group = c->package->group;
    if (!strchr(group, '.')) {
        diag_error(
            c->messages, c->resource->record->loc,
            "%s is in the group '%s', which has no dot: such groups are built in and have no CRDs",
            c->resource->kind, group);
        diag_note(c->messages, (diag_loc){0},
                  "name a group of your own at the top of the header: // +groupName=%s.example.com",
                  group);
    } else if (is_protected(group) && !has_approval(made)) {
        diag_error(c->messages, c->resource->record->loc,
                   "servers refuse a CRD of group %s without the annotation "
                   "api-approved.kubernetes.io",
                   group);
        diag_note(c->messages, (diag_loc){0},
                  "// +kubebuilder:metadata:annotations=\"api-approved.kubernetes.io=unapproved, "
                  "why\"");
    }
}

/* Whether an earlier package of the input has the Kind: then its CRD is planned already. */
static bool is_planned(const crd *c)
{
    for (size_t i = 0; c->input->packages[i] != c->package; i++)
        if (find_kind(c->input->packages[i], c))
            return true;
    return false;
}

static void build(const model *input, const crd_options *options, place_list *places, crd_list *out,
                  diag *to)
{
    for (size_t i = 0; i < input->package_len; i++) {
        const model_package *package = input->packages[i];
        for (size_t n = 0; package->group && n < package->resource_len; n++) {
            crd c = {input, package, package->resources[n], NULL, options, places, to};
            json_value *value;
            if (c.resource->skipped || is_planned(&c))
                continue;
            c.stored = find_stored(&c);
            value = crd_value(&c);
            *VEC_ADD(out) = (crd_document){package, c.resource, value};
            check_group(&c, value);
        }
    }
}

void crd_build(const model *input, place_list *places, crd_list *out, diag *to)
{
    static const crd_options none;
    build(input, &none, places, out, to);
}

void crd_list_free(crd_list *list)
{
    for (size_t i = 0; i < list->len; i++)
        json_free(list->items[i].value);
    free(list->items);
    *list = (crd_list){0};
}

static void plan_document(const crd_document *planned, const crd_options *options, const char *dir,
                          output_set *files)
{
    arena *memory = arena_new();
    const char *spdx = spdx_find(memory, planned->package->header);
    str text = {0};
    str_add(&text, options->header ? options->header : "");
    str_printf(&text, "# Code generated by kubegen from %s. DO NOT EDIT.\n",
               planned->package->include);
    if (spdx && !strstr(str_text(&text), "SPDX-License-Identifier:"))
        str_printf(&text, "# SPDX-License-Identifier: %s\n", spdx);
    yaml_write(planned->value, &text);
    output_add(files,
               arena_printf(memory, "%s/%s_%s.yaml", dir, planned->package->group,
                            planned->resource->plural),
               str_text(&text));
    str_free(&text);
    arena_free(memory);
}

void crd_plan(const model *input, const crd_options *options, const char *dir, output_set *files,
              diag *to)
{
    crd_list list = {0};
    place_list places = {0};
    build(input, options, &places, &list, to);
    crd_check(&list, &places, to);
    for (size_t i = 0; i < list.len; i++)
        plan_document(&list.items[i], options, dir, files);
    crd_list_free(&list);
    free(places.items);
}
