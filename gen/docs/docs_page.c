/* SPDX-License-Identifier: Apache-2.0 */
#include "docs_page.h"

#include "crd/crd_schema.h"
#include "docs_example.h"
#include "docs_text.h"
#include "front/names.h"
#include "support/arena.h"
#include "support/path.h"
#include "support/spdx.h"
#include "support/yaml.h"

#include <string.h>

typedef struct page {
    arena *in;
    const model *input;
    const model_package *package;
    diag *to;
    text_map shown; /* names of the structs that are described */
    str text;
} page;

/* Servers know it, and add to it; what is in it concerns no API. */
static bool is_metadata(const model_struct *record)
{
    return strcmp(record->name, "kube_object_meta") == 0;
}

static const char *file_name(arena *in, const model_package *package)
{
    return arena_printf(in, "%s_%s.md", *package->group ? package->group : "core",
                        package->version);
}

static const char *api_version(page *p)
{
    return *p->package->group ? arena_printf(p->in, "%s/%s", p->package->group, p->package->version)
                              : p->package->version;
}

/* ---- structs and their names --------------------------------------------------------------- */

/* The API that a struct of another header belongs to, "core/v1"; NULL = a library's, such as
 * kube/meta.h, which is described with whoever uses it. */
static const char *api_of(page *p, const model_struct *record)
{
    const char *dir = path_parent(p->in, record->include);
    return strchr(dir, '/') && names_is_version(path_last(dir)) ? dir : NULL;
}

static bool is_described(page *p, const model_struct *record)
{
    return !record->foreign || !api_of(p, record);
}

/* "samplecrd_v1_network_spec" → "NetworkSpec". */
static const char *title(page *p, const model_struct *record)
{
    const char *api = api_of(p, record);
    const char *prefix = p->package->prefix;
    const char *name = record->name;
    if (record->resource)
        return record->resource->kind;
    if (record->foreign)
        prefix = api ? names_prefix(p->in, path_parent(p->in, api), path_last(api)) : "kube";
    if (str_has_prefix(name, prefix) && name[strlen(prefix)] == '_')
        name += strlen(prefix) + 1;
    return names_kind(p->in, name);
}

/* The page that describes a struct of another API, or NULL if none of this run does. */
static const model_package *described_by(page *p, const model_struct *record)
{
    for (size_t i = 0; i < p->input->package_len; i++)
        if (p->input->packages[i]->group &&
            strcmp(p->input->packages[i]->include, record->include) == 0)
            return p->input->packages[i];
    return NULL;
}

static void add_link(page *p, const model_struct *record)
{
    const model_package *other = record->foreign ? described_by(p, record) : NULL;
    const char *name = title(p, record);
    if (is_metadata(record))
        str_add(&p->text, "metadata of an object");
    else if (is_described(p, record))
        str_printf(&p->text, "[%s](#%s)", name, record->name);
    else if (other)
        str_printf(&p->text, "[%s](%s#%s)", name, file_name(p->in, other), record->name);
    else
        str_printf(&p->text, "%s of %s", name, api_of(p, record));
}

static void add_type(page *p, const model_type *type)
{
    static const char *const names[] = {
        [MODEL_STRING] = "string",
        [MODEL_BOOL] = "boolean",
        [MODEL_INT32] = "integer, 32 bits",
        [MODEL_INT64] = "integer, 64 bits",
        [MODEL_DOUBLE] = "number",
        [MODEL_OPT_BOOL] = "boolean",
        [MODEL_OPT_INT32] = "integer, 32 bits",
        [MODEL_OPT_INT64] = "integer, 64 bits",
        [MODEL_OPT_DOUBLE] = "number",
        [MODEL_TIME] = "time (RFC 3339)",
        [MODEL_MICRO_TIME] = "time (RFC 3339, with microseconds)",
        [MODEL_DURATION] = "duration, such as `90s`",
        [MODEL_QUANTITY] = "quantity, such as `500m`",
        [MODEL_INT_OR_STRING] = "integer or string",
        [MODEL_BYTES] = "bytes, in base64",
        [MODEL_RAW_JSON] = "any JSON",
        [MODEL_STRING_LIST] = "list of string",
        [MODEL_STRING_MAP] = "map of string",
    };
    if (type->record)
        add_link(p, type->record);
    else if (type->container) {
        str_add(&p->text, type->container->kind == MODEL_LIST ? "list of " : "map of ");
        add_type(p, &type->container->element);
    } else
        str_add(&p->text, names[type->kind]);
}

/* ---- tables -------------------------------------------------------------------------------- */

static void add_row(page *p, const model_field *field, const json_value *schema)
{
    const json_value *initial = json_get(schema, "default");
    str limits = {0};
    docs_limits(&limits, schema);
    str_add(&p->text, "| ");
    docs_code(&p->text, field->json);
    str_add(&p->text, " | ");
    if (field->type.kind == MODEL_RAW_JSON && json_get(schema, "type"))
        str_add(&p->text, json_text(json_get(schema, "type"))); /* by a marker */
    else
        add_type(p, &field->type);
    str_printf(&p->text, " | %s | ", model_is_required(field) ? "yes" : "");
    if (initial)
        docs_value(&p->text, initial);
    str_add(&p->text, " | ");
    docs_prose(&p->text, field->doc, true);
    if (limits.len)
        str_printf(&p->text, "%s%s", *field->doc ? "<br>" : "", str_text(&limits));
    str_add(&p->text, " |\n");
    str_free(&limits);
}

static void add_table(page *p, const model_struct *record)
{
    json_value *schema;
    const json_value *properties;
    str limits = {0};
    schema = crd_schema_outline(record, p->to);
    properties = json_get(schema, "properties");
    docs_limits(&limits, schema);
    if (limits.len)
        str_printf(&p->text, "Of the whole: %s.\n\n", str_text(&limits));
    if (record->member_len || record->resource)
        str_add(&p->text, "| field | type | required | default | description and limits |\n"
                          "|---|---|---|---|---|\n");
    if (record->resource)
        str_printf(&p->text,
                   "| `apiVersion` | string | yes |  | `%s` |\n"
                   "| `kind` | string | yes |  | `%s` |\n",
                   api_version(p), record->resource->kind);
    for (size_t i = 0; i < record->member_len; i++) {
        const model_field *field = record->members[i].field;
        const json_value *member = json_get(properties, field->json);
        add_row(p, field, member);
    }
    str_free(&limits);
    json_free(schema);
}

static void add_heading(page *p, const char *level, const model_struct *record)
{
    str_printf(&p->text, "\n<a id=\"%s\"></a>\n\n%s %s\n\n", record->name, level, title(p, record));
    if (*record->doc) {
        docs_prose(&p->text, record->doc, false);
        str_add(&p->text, "\n\n");
    }
}

/* ---- kinds --------------------------------------------------------------------------------- */

static void add_names(page *p, const char *what, const model_texts *names)
{
    for (size_t i = 0; i < names->len; i++)
        str_printf(&p->text, "%s`%s`", i ? ", " : what, names->items[i]);
}

static void add_resource(page *p, const model_resource *resource)
{
    const bool has_scale = resource->scale.spec_path != NULL;
    str_printf(&p->text, "- Resource `%s`, %s", resource->plural,
               resource->namespaced ? "in a namespace" : "of the cluster");
    add_names(p, "; short: ", &resource->short_names);
    add_names(p, "; categories: ", &resource->categories);
    str_add(&p->text, "\n");
    if (resource->status_subresource || has_scale)
        str_printf(
            &p->text, "- Subresources: %s%s%s\n", resource->status_subresource ? "`status`" : "",
            resource->status_subresource && has_scale ? ", " : "", has_scale ? "`scale`" : "");
    if (resource->deprecated) {
        str_add(&p->text, "- Deprecated");
        if (resource->deprecation_warning) {
            str_add(&p->text, ": ");
            docs_prose(&p->text, resource->deprecation_warning, true);
        }
        str_add(&p->text, "\n");
    }
    if (resource->unserved || resource->skipped)
        str_add(&p->text, "- Not served\n");
    for (size_t i = 0; i < resource->column_len; i++) {
        str_add(&p->text, i ? ", " : "- Columns of `kubectl get`: ");
        docs_prose(&p->text, resource->columns[i].name, true);
    }
    str_printf(&p->text, "%s- In C: `%s`, calls `%s_…`\n\n", resource->column_len ? "\n" : "",
               resource->record->name, resource->c_plural);
}

/* A built-in Kind may hold itself; it has no schema, and no example. */
static void add_example(page *p, const model_resource *resource)
{
    diag *messages = diag_new();
    const crd_options options = {0};
    json_value *schema = crd_schema(resource, &options, NULL, messages);
    if (!diag_error_count(messages)) {
        json_value *example = docs_example(p->package, resource, schema);
        str_add(&p->text, "\n```yaml\n");
        yaml_write(example, &p->text);
        str_add(&p->text, "```\n");
        json_free(example);
    }
    json_free(schema);
    diag_free(messages);
}

static void add_kind(page *p, const model_resource *resource)
{
    add_heading(p, "##", resource->record);
    add_resource(p, resource);
    add_table(p, resource->record);
    add_example(p, resource);
}

/* ---- what a page has ------------------------------------------------------------------------ */

static void show(page *p, const model_struct *record);

static void show_type(page *p, const model_type *type)
{
    while (type->container)
        type = &type->container->element;
    if (type->record)
        show(p, type->record);
}

/* Marks a struct and those that are reached from it. */
static void show(page *p, const model_struct *record)
{
    if (is_metadata(record) || !is_described(p, record) ||
        !text_map_add(&p->shown, p->in, record->name))
        return;
    for (size_t i = 0; i < record->member_len; i++)
        show_type(p, &record->members[i].field->type);
}

/* ---- pages --------------------------------------------------------------------------------- */

static void add_structs(page *p, const model_struct *const *structs, size_t len, const char *title_)
{
    bool any = false;
    for (size_t i = 0; i < len; i++) {
        if (structs[i]->resource || !text_map_has(&p->shown, structs[i]->name))
            continue;
        if (!any)
            str_printf(&p->text, "\n## %s\n", title_);
        any = true;
        add_heading(p, "###", structs[i]);
        add_table(p, structs[i]);
    }
}

static void add_page(page *p)
{
    const model_package *package = p->package;
    const char *spdx = spdx_find(p->in, package->header);
    for (size_t i = 0; i < package->struct_len; i++)
        show(p, package->structs[i]);
    str_printf(&p->text, "<!-- Code generated by kubegen docs from %s. DO NOT EDIT. -->\n",
               package->include);
    if (spdx)
        str_printf(&p->text, "<!-- SPDX-License-Identifier: %s -->\n", spdx);
    str_printf(&p->text, "# %s\n\n", api_version(p));
    for (size_t i = 0; i < package->resource_len; i++)
        str_printf(&p->text, "- [%s](#%s)\n", package->resources[i]->kind,
                   package->resources[i]->record->name);
    for (size_t i = 0; i < package->resource_len; i++)
        add_kind(p, package->resources[i]);
    add_structs(p, package->structs, package->struct_len, "Structs");
    add_structs(p, package->foreign, package->foreign_len, "Structs that APIs share");
}

void docs_plan(const model *input, const char *dir, output_set *files, diag *to)
{
    for (size_t i = 0; i < input->package_len; i++) {
        page p = {.input = input, .package = input->packages[i], .to = to};
        if (!p.package->group)
            continue; /* a library is described with who uses it */
        p.in = arena_new();
        add_page(&p);
        output_set_input(files, p.package->header);
        output_add(files, arena_printf(p.in, "%s/%s", dir, file_name(p.in, p.package)),
                   str_text(&p.text));
        str_free(&p.text);
        arena_free(p.in);
    }
}
