/* SPDX-License-Identifier: Apache-2.0 */
/* The schemas of a group version: the embedded ones, or those that CRDs have. */
#include "apiserver/core/apiserver.h"
#include "apiserver/registry/registry.h"
#include "apiserver/schema/document.h"
#include "apiserver/schema/schema.h"
#include "discovery.h"
#include "openapi.h"

#include <string.h>

static const char reference_prefix[] = "#/components/schemas/";
/* ---- names ---------------------------------------------------------------------------------- */

/* "a.example.com" → "com.example.a" */
static const char *reversed(kube_ctx *ctx, const char *group)
{
    size_t len = strlen(group);
    char *out = kube_ctx_alloc(ctx, len + 1);
    size_t at = 0;
    for (size_t end = len; out;) {
        size_t start = end;
        while (start > 0 && group[start - 1] != '.')
            start--;
        memcpy(out + at, group + start, end - start);
        at += end - start;
        if (start == 0)
            break;
        out[at++] = '.';
        end = start - 1;
    }
    return out ? out : "";
}

const char *kube__api_component_name(kube_ctx *ctx, const char *group, const char *version,
                                     const char *kind)
{
    const char *document = kube__api_document_name(ctx, group, version);
    const kube__api_component *component =
        kube__api_component_of_kind(kube__api_document(ctx, document), group, version, kind);
    if (component)
        return component->name;
    return kube__api_text(ctx, "%s.%s.%s", reversed(ctx, group), version, kind);
}

static kube__json *reference(kube_ctx *ctx, const char *name)
{
    kube__json *object = kube__json_object(ctx);
    kube__json_set(ctx, object, "$ref", kube__json_stringf(ctx, "%s%s", reference_prefix, name));
    return object;
}

static kube__json *all_of_meta(kube_ctx *ctx, const char *type)
{
    kube__json *object = kube__json_object(ctx);
    kube__json *all = kube__json_ensure_array(ctx, object, "allOf");
    const char *name = kube__api_text(ctx, "io.k8s.apimachinery.pkg.apis.meta.v1.%s", type);
    kube__json_append(all, reference(ctx, name));
    return object;
}

/* ---- text ----------------------------------------------------------------------------------- */

enum { MOST_DOCUMENTS = 8 };

typedef struct members { /* of an object that is written bit by bit */
    kube__buffer *out;
    bool any;
    const kube__api_component *written[MOST_DOCUMENTS]; /* documents, of which all is there */
    size_t written_count;
} members;

static void write_member(members *to, const char *name, const kube__json *value)
{
    kube__buffer_printf(to->out, "%s\"%s\":", to->any ? "," : "", name);
    kube__json_write(value, to->out);
    to->any = true;
}

static bool is_written(const members *to, const char *name)
{
    for (size_t i = 0; i < to->written_count; i++) {
        const kube__api_component *component = to->written[i];
        while (component && strcmp(component->name, name) != 0)
            component = component->next;
        if (component)
            return true;
    }
    return false;
}

/* A document's components, but for those that are there from another. */
static void write_document(members *to, kube_ctx *ctx, const char *name)
{
    const kube__api_component *document = kube__api_document(ctx, name);
    const kube__api_component *component = document;
    for (size_t i = 0; i < to->written_count; i++) {
        if (to->written[i] == document)
            return;
    }
    for (; component; component = component->next) {
        if (!is_written(to, component->name))
            write_member(to, component->name, component->source);
    }
    if (document && to->written_count < MOST_DOCUMENTS)
        to->written[to->written_count++] = document;
}

/* ---- CRDs ----------------------------------------------------------------------------------- */

static kube__json *text_type(kube_ctx *ctx)
{
    kube__json *object = kube__json_object(ctx);
    kube__json_set_string(ctx, object, "type", "string");
    return object;
}

/* What every resource has without saying so. */
static void add_implied(kube_ctx *ctx, kube__json *schema)
{
    kube__json *properties = kube__json_ensure_object(ctx, schema, "properties");
    kube__json_set(ctx, properties, "apiVersion", text_type(ctx));
    kube__json_set(ctx, properties, "kind", text_type(ctx));
    kube__json_set(ctx, properties, "metadata", all_of_meta(ctx, "ObjectMeta"));
    kube__json_sort(properties);
}

/* int-or-string is told in words that any reader of OpenAPI knows. */
static void add_int_or_string(kube_ctx *ctx, kube__json *schema)
{
    if (kube__json_get(schema, "anyOf") || kube__json_get(schema, "allOf"))
        return;
    kube__json *any = kube__json_ensure_array(ctx, schema, "anyOf");
    kube__json *integer = kube__json_append(any, kube__json_object(ctx));
    kube__json_set_string(ctx, integer, "type", "integer");
    kube__json_append(any, text_type(ctx));
}

static void put_in_order(kube__json *schema)
{
    /* clang-format off */
    static const char *const order[] = {
        "description", "type", "nullable", "format", "title", "default", "maximum",
        "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern",
        "maxItems", "minItems", "uniqueItems", "multipleOf", "enum", "maxProperties",
        "minProperties", "required", "items", "allOf", "oneOf", "anyOf", "not", "properties",
        "additionalProperties", "externalDocs", "example", NULL,
    };
    /* clang-format on */
    kube__json_move_first(schema, order);
}

/* An embedded resource must say what it is. */
static void require_type(kube_ctx *ctx, kube__json *schema)
{
    static const char *const names[] = {"kind", "apiVersion"};
    kube__json *required = kube__json_ensure_array(ctx, schema, "required");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!kube__json_has_text(required, names[i]))
            kube__json_append(required, kube__json_string(ctx, names[i]));
}

/* What the real server makes of a CRD's schema when it publishes it. */
static void publish(kube_ctx *ctx, kube__json *schema)
{
    if (!kube__json_is(schema, KUBE__JSON_OBJECT))
        return;
    KUBE__JSON_EACH (property, kube__json_get(schema, "properties"))
        publish(ctx, property);
    publish(ctx, kube__json_get(schema, "items"));
    publish(ctx, kube__json_get(schema, "additionalProperties"));
    if (kube__json_is_true(kube__json_get(schema, "x-kubernetes-embedded-resource"))) {
        add_implied(ctx, schema);
        require_type(ctx, schema);
    }
    if (kube__json_is_true(kube__json_get(schema, "x-kubernetes-int-or-string")))
        add_int_or_string(ctx, schema);
    put_in_order(schema);
}

static void add_kind(kube_ctx *ctx, kube__json *schema, const kube__api_resource *resource,
                     const char *kind)
{
    kube__json *kinds = kube__json_ensure_array(ctx, schema, "x-kubernetes-group-version-kind");
    kube__json *entry = kube__json_append(kinds, kube__json_object(ctx));
    kube__json_set_string(ctx, entry, "group", resource->group);
    kube__json_set_string(ctx, entry, "kind", kind);
    kube__json_set_string(ctx, entry, "version", resource->version);
}

static kube__json *schema_of(kube_ctx *ctx, const kube__api_resource *resource)
{
    kube__json *schema = kube__json_copy(ctx, resource->schema->source);
    add_implied(ctx, schema);
    publish(ctx, schema);
    add_kind(ctx, schema, resource, resource->kind);
    return schema;
}

static kube__json *list_schema_of(kube_ctx *ctx, const kube__api_resource *resource,
                                  const char *item)
{
    kube__json *schema = kube__json_object(ctx);
    kube__json_set_string(ctx, schema, "type", "object");
    kube__json_append(kube__json_ensure_array(ctx, schema, "required"),
                      kube__json_string(ctx, "items"));
    kube__json *properties = kube__json_ensure_object(ctx, schema, "properties");
    kube__json_set(ctx, properties, "apiVersion", text_type(ctx));
    kube__json *items = kube__json_ensure_object(ctx, properties, "items");
    kube__json_set_string(ctx, items, "type", "array");
    kube__json_set(ctx, items, "items", reference(ctx, item));
    kube__json_set(ctx, properties, "kind", text_type(ctx));
    kube__json_set(ctx, properties, "metadata", all_of_meta(ctx, "ListMeta"));
    add_kind(ctx, schema, resource, resource->list_kind);
    return schema;
}

static void write_custom(members *to, kube_ctx *ctx, const kube__api_resource *resource)
{
    const char *name =
        kube__api_component_name(ctx, resource->group, resource->version, resource->kind);
    const char *list =
        kube__api_component_name(ctx, resource->group, resource->version, resource->list_kind);
    write_member(to, name, schema_of(ctx, resource));
    write_member(to, list, list_schema_of(ctx, resource, name));
}

/* The kinds of subresources are in other groups: Scale, Eviction, TokenRequest. */
static void write_subresources(members *to, kube_ctx *ctx, const kube__api_resource *resource)
{
    kube__api_subresource list[KUBE__API_SUBRESOURCES];
    size_t count = kube__api_subresources(resource, list);
    for (size_t i = 0; i < count; i++) {
        if (list[i].version[0])
            write_document(to, ctx, kube__api_document_name(ctx, list[i].group, list[i].version));
    }
}

void kube__api_openapi_components(kube_apiserver *server, kube_ctx *ctx, const char *group,
                                  const char *version, kube__buffer *out)
{
    members to = {.out = out};
    const kube__api_resource *resource;
    write_document(&to, ctx, kube__api_document_name(ctx, group, version));
    for (size_t i = 0; (resource = kube__api_registry_at(server->registry, i)); i++) {
        if (strcmp(resource->group, group) != 0 || strcmp(resource->version, version) != 0)
            continue;
        if (resource->custom && resource->schema)
            write_custom(&to, ctx, resource);
        write_subresources(&to, ctx, resource);
    }
    write_document(&to, ctx, "autoscaling_v1"); /* has ObjectMeta and what belongs to it */
    write_document(&to, ctx, "meta_v1");
    if (kube_ctx_failed(ctx))
        out->failed = true;
}
