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
static const char *reversed(kube__heap *heap, const char *group)
{
    size_t len = strlen(group);
    char *out = kube__heap_alloc(heap, len + 1);
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

const char *kube__api_component_name(kube__heap *heap, const char *group, const char *version,
                                     const char *kind)
{
    const char *document = kube__api_document_name(heap, group, version);
    const kube__api_component *component =
        kube__api_component_of_kind(kube__api_document(heap, document), group, version, kind);
    if (component)
        return component->name;
    const char *name = kube__heap_printf(heap, "%s.%s.%s", reversed(heap, group), version, kind);
    return name ? name : "";
}

static kube__json *reference(kube__heap *heap, const char *name)
{
    kube__json *object = kube__json_object(heap);
    kube__json_set(heap, object, "$ref", kube__json_stringf(heap, "%s%s", reference_prefix, name));
    return object;
}

static kube__json *all_of_meta(kube__heap *heap, const char *type)
{
    kube__json *object = kube__json_object(heap);
    kube__json *all = kube__json_ensure_array(heap, object, "allOf");
    const char *name = kube__heap_printf(heap, "io.k8s.apimachinery.pkg.apis.meta.v1.%s", type);
    kube__json_append(all, reference(heap, name ? name : ""));
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
static void write_document(members *to, kube__heap *heap, const char *name)
{
    const kube__api_component *document = kube__api_document(heap, name);
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

static kube__json *text_type(kube__heap *heap)
{
    kube__json *object = kube__json_object(heap);
    kube__json_set_string(heap, object, "type", "string");
    return object;
}

/* What every resource has without saying so. */
static void add_implied(kube__heap *heap, kube__json *schema)
{
    kube__json *properties = kube__json_ensure_object(heap, schema, "properties");
    kube__json_set(heap, properties, "apiVersion", text_type(heap));
    kube__json_set(heap, properties, "kind", text_type(heap));
    kube__json_set(heap, properties, "metadata", all_of_meta(heap, "ObjectMeta"));
    kube__json_sort(properties);
}

/* int-or-string is told in words that any reader of OpenAPI knows. */
static void add_int_or_string(kube__heap *heap, kube__json *schema)
{
    if (kube__json_get(schema, "anyOf") || kube__json_get(schema, "allOf"))
        return;
    kube__json *any = kube__json_ensure_array(heap, schema, "anyOf");
    kube__json *integer = kube__json_append(any, kube__json_object(heap));
    kube__json_set_string(heap, integer, "type", "integer");
    kube__json_append(any, text_type(heap));
}

static void put_in_order(kube__json *schema)
{
    static const char *const order[] = {"description",
                                        "type",
                                        "nullable",
                                        "format",
                                        "title",
                                        "default",
                                        "maximum",
                                        "exclusiveMaximum",
                                        "minimum",
                                        "exclusiveMinimum",
                                        "maxLength",
                                        "minLength",
                                        "pattern",
                                        "maxItems",
                                        "minItems",
                                        "uniqueItems",
                                        "multipleOf",
                                        "enum",
                                        "maxProperties",
                                        "minProperties",
                                        "required",
                                        "items",
                                        "allOf",
                                        "oneOf",
                                        "anyOf",
                                        "not",
                                        "properties",
                                        "additionalProperties",
                                        "externalDocs",
                                        "example",
                                        NULL};
    kube__json_move_first(schema, order);
}

/* An embedded resource must say what it is. */
static void require_type(kube__heap *heap, kube__json *schema)
{
    static const char *const names[] = {"kind", "apiVersion"};
    kube__json *required = kube__json_ensure_array(heap, schema, "required");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool is_there = false;
        KUBE__JSON_EACH (name, required)
            is_there |= strcmp(kube__json_string_or(name, ""), names[i]) == 0;
        if (!is_there)
            kube__json_append(required, kube__json_string(heap, names[i]));
    }
}

/* What the real server makes of a CRD's schema when it publishes it. */
static void publish(kube__heap *heap, kube__json *schema)
{
    if (!kube__json_is(schema, KUBE__JSON_OBJECT))
        return;
    KUBE__JSON_EACH (property, kube__json_get(schema, "properties"))
        publish(heap, property);
    publish(heap, kube__json_get(schema, "items"));
    publish(heap, kube__json_get(schema, "additionalProperties"));
    if (kube__json_is_true(kube__json_get(schema, "x-kubernetes-embedded-resource"))) {
        add_implied(heap, schema);
        require_type(heap, schema);
    }
    if (kube__json_is_true(kube__json_get(schema, "x-kubernetes-int-or-string")))
        add_int_or_string(heap, schema);
    put_in_order(schema);
}

static void add_kind(kube__heap *heap, kube__json *schema, const kube__api_resource *resource,
                     const char *kind)
{
    kube__json *kinds = kube__json_ensure_array(heap, schema, "x-kubernetes-group-version-kind");
    kube__json *entry = kube__json_append(kinds, kube__json_object(heap));
    kube__json_set_string(heap, entry, "group", resource->group);
    kube__json_set_string(heap, entry, "kind", kind);
    kube__json_set_string(heap, entry, "version", resource->version);
}

static kube__json *schema_of(kube__heap *heap, const kube__api_resource *resource)
{
    kube__json *schema = kube__json_copy(heap, resource->schema->source);
    add_implied(heap, schema);
    publish(heap, schema);
    add_kind(heap, schema, resource, resource->kind);
    return schema;
}

static kube__json *list_schema_of(kube__heap *heap, const kube__api_resource *resource,
                                  const char *item)
{
    kube__json *schema = kube__json_object(heap);
    kube__json_set_string(heap, schema, "type", "object");
    kube__json_append(kube__json_ensure_array(heap, schema, "required"),
                      kube__json_string(heap, "items"));
    kube__json *properties = kube__json_ensure_object(heap, schema, "properties");
    kube__json_set(heap, properties, "apiVersion", text_type(heap));
    kube__json *items = kube__json_ensure_object(heap, properties, "items");
    kube__json_set_string(heap, items, "type", "array");
    kube__json_set(heap, items, "items", reference(heap, item));
    kube__json_set(heap, properties, "kind", text_type(heap));
    kube__json_set(heap, properties, "metadata", all_of_meta(heap, "ListMeta"));
    add_kind(heap, schema, resource, resource->list_kind);
    return schema;
}

static void write_custom(members *to, kube__heap *heap, const kube__api_resource *resource)
{
    const char *name =
        kube__api_component_name(heap, resource->group, resource->version, resource->kind);
    const char *list =
        kube__api_component_name(heap, resource->group, resource->version, resource->list_kind);
    write_member(to, name, schema_of(heap, resource));
    write_member(to, list, list_schema_of(heap, resource, name));
}

/* The kinds of subresources are in other groups: Scale, Eviction, TokenRequest. */
static void write_subresources(members *to, kube__heap *heap, const kube__api_resource *resource)
{
    kube__api_subresource list[KUBE__API_SUBRESOURCES];
    size_t count = kube__api_subresources(resource, list);
    for (size_t i = 0; i < count; i++) {
        if (list[i].version[0])
            write_document(to, heap, kube__api_document_name(heap, list[i].group, list[i].version));
    }
}

void kube__api_openapi_components(kube_apiserver *server, kube__heap *heap, const char *group,
                                  const char *version, kube__buffer *out)
{
    members to = {.out = out};
    const kube__api_resource *resource;
    write_document(&to, heap, kube__api_document_name(heap, group, version));
    for (size_t i = 0; (resource = kube__api_registry_at(server->registry, i)); i++) {
        if (strcmp(resource->group, group) != 0 || strcmp(resource->version, version) != 0)
            continue;
        if (resource->custom && resource->schema)
            write_custom(&to, heap, resource);
        write_subresources(&to, heap, resource);
    }
    write_document(&to, heap, "autoscaling_v1"); /* has ObjectMeta and what belongs to it */
    write_document(&to, heap, "meta_v1");
    if (heap->failed)
        out->failed = true;
}
