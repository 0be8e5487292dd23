/* SPDX-License-Identifier: Apache-2.0 */
/* The schemas of a group version: the embedded ones, or those that CRDs have. */
#include "document.h"
#include "openapi.h"

#include <string.h>

static const char reference_prefix[] = "#/components/schemas/";
static const char meta_prefix[] = "io.k8s.apimachinery.pkg.apis.meta.v1.";

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
    const char *name = kube__heap_printf(heap, "%s%s", meta_prefix, type);
    kube__json_append(all, reference(heap, name ? name : ""));
    return object;
}

/* ---- text ----------------------------------------------------------------------------------- */

typedef struct members { /* of an object that is written bit by bit */
    kube__buffer *out;
    bool any;
} members;

static void write_member(members *to, const char *name, const kube__json *value)
{
    kube__buffer_printf(to->out, "%s\"%s\":", to->any ? "," : "", name);
    kube__json_write(value, to->out);
    to->any = true;
}

static bool has_component(const kube__api_component *list, const char *name)
{
    while (list && strcmp(list->name, name) != 0)
        list = list->next;
    return list != NULL;
}

/* A document's components with that start of the name, but for those of @written. */
static void write_components(members *to, const kube__api_component *list, const char *prefix,
                             const kube__api_component *written)
{
    for (; list; list = list->next) {
        if (strncmp(list->name, prefix, strlen(prefix)) == 0 && !has_component(written, list->name))
            write_member(to, list->name, list->source);
    }
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

/* What the real server makes of a CRD's schema when it publishes it. */
static void publish(kube__heap *heap, kube__json *schema)
{
    if (!kube__json_is(schema, KUBE__JSON_OBJECT))
        return;
    KUBE__JSON_EACH(property, kube__json_get(schema, "properties"))
    publish(heap, property);
    publish(heap, kube__json_get(schema, "items"));
    publish(heap, kube__json_get(schema, "additionalProperties"));
    if (kube__json_is_true(kube__json_get(schema, "x-kubernetes-embedded-resource")))
        add_implied(heap, schema);
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

void kube__api_openapi_components(kube_apiserver *server, kube__heap *heap, const char *group,
                                  const char *version, kube__buffer *out)
{
    members to = {.out = out};
    const kube__api_resource *resource;
    const kube__api_component *own =
        kube__api_document(heap, kube__api_document_name(heap, group, version));
    bool has_custom = false;
    write_components(&to, own, "", NULL);
    for (size_t i = 0; (resource = kube__api_registry_at(server->registry, i)); i++) {
        if (resource->custom && resource->schema && strcmp(resource->group, group) == 0 &&
            strcmp(resource->version, version) == 0) {
            write_custom(&to, heap, resource);
            has_custom = true;
        }
    }
    if (has_custom && !own)
        write_components(&to, kube__api_document(heap, "autoscaling_v1"), "io.k8s.apimachinery.",
                         NULL);
    write_components(&to, kube__api_document(heap, "meta_v1"), meta_prefix, own);
    if (heap->failed)
        out->failed = true;
}
