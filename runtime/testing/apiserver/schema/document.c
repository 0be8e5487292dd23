/* SPDX-License-Identifier: Apache-2.0 */
#include "document.h"

#include "base/ctx.h"
#include "base/text.h"
#include "base/thread.h"
#include "schema.h"
#include "schema_read.h"

#include <stdlib.h>
#include <string.h>

/* What has been read: reachable for as long as the process lives. */
typedef struct document {
    const char *name;
    kube_ctx *memory;
    kube__api_component *components;
    struct document *next;
} document;

static kube__mutex lock = PTHREAD_MUTEX_INITIALIZER;
static document *documents; /* under the lock */

/* A node that is a reference with keywords beside it: copied when its target is complete. */
typedef struct pending {
    kube__api_schema *node;
    const kube__api_schema *target;
    const kube__json *beside;
    struct pending *next;
} pending;

typedef struct assembly {
    kube__api_schema_reader reader; /* first */
    kube__api_component **sorted;
    size_t count;
    pending *pending;
} assembly;

static int by_name(const void *a, const void *b)
{
    return strcmp((*(kube__api_component *const *)a)->name,
                  (*(kube__api_component *const *)b)->name);
}

static kube__api_component *find(const assembly *builder, const char *reference)
{
    const char *slash = strrchr(reference, '/');
    const kube__api_component key = {.name = slash ? slash + 1 : reference};
    const kube__api_component *wanted = &key;
    kube__api_component **found =
        bsearch(&wanted, builder->sorted, builder->count, sizeof(kube__api_component *), by_name);
    return found ? *found : NULL;
}

/* "#/components/schemas/…" of {"$ref": …} or {"allOf": [{"$ref": …}], …}; Returns NULL if it is no
 * reference. */
static const char *reference_of(const kube__json *source)
{
    const kube__json *all = kube__json_get(source, "allOf");
    const kube__json *reference = kube__json_get(source, "$ref");
    if (!reference && all && all->len == 1)
        reference = kube__json_get(all->first, "$ref");
    return kube__json_string_or(reference, NULL);
}

/* Whether something is said beside the reference that its target does not say; `default: {}` says
 * that the Go field is no pointer, which nobody asks for. */
static bool stands_alone(const kube__json *source)
{
    KUBE__JSON_EACH (keyword, source) {
        bool is_plain = strcmp(keyword->key, "$ref") == 0 || strcmp(keyword->key, "allOf") == 0 ||
                        (strcmp(keyword->key, "default") == 0 &&
                         keyword->kind == KUBE__JSON_OBJECT && !keyword->first);
        if (!is_plain)
            return false;
    }
    return true;
}

static const kube__api_schema *child(kube__api_schema_reader *reader, const kube__json *source)
{
    assembly *builder = (assembly *)reader;
    const char *reference = reference_of(source);
    const kube__api_component *target = reference ? find(builder, reference) : NULL;
    if (target && stands_alone(source))
        return target->schema;
    kube__api_schema *node = kube_ctx_alloc(reader->ctx, sizeof *node);
    if (!node)
        return NULL;
    node->builtin = true;
    if (!target) {
        kube__api_schema_read(reader, source, node);
        return node;
    }
    pending *later = kube_ctx_alloc(reader->ctx, sizeof *later);
    if (!later)
        return NULL;
    *later = (pending){node, target->schema, source, builder->pending};
    builder->pending = later;
    return node;
}

/* "io.k8s.api.core.v1.PodSpec" is v1.PodSpec in Go. */
static const char *go_type_of(const char *component)
{
    const char *dot = strrchr(component, '.');
    if (!dot)
        return component;
    while (dot > component && dot[-1] != '.')
        dot--;
    return dot;
}

/* Types whose JSON is not what their schema says, because they read it themselves. */
static void amend(assembly *builder, kube__api_component *component)
{
    kube__api_schema *node = component->schema;
    const char *type = node->go_type;
    if (strcmp(type, "resource.Quantity") == 0) {
        node->type = KUBE__TYPE_STRING;
        node->format = "quantity";
    } else if (strcmp(type, "intstr.IntOrString") == 0) {
        node->type = KUBE__TYPE_INT_OR_STRING;
    } else if (strcmp(type, "runtime.RawExtension") == 0 || strcmp(type, "v1.FieldsV1") == 0 ||
               strcmp(type, "v1.JSON") == 0) {
        node->preserve_unknown = true;
        node->atomic = true;
    } else if (kube__text_ends_with(type, "JSONSchemaPropsOrArray") ||
               kube__text_ends_with(type, "JSONSchemaPropsOrBool") ||
               kube__text_ends_with(type, "JSONSchemaPropsOrStringArray")) {
        const kube__api_component *schema = find(
            builder, "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");
        if (schema) {
            node->properties = schema->schema->properties;
            node->property_count = schema->schema->property_count;
            node->items = schema->schema;
        }
        node->silent = true;
    }
}

static void resolve(assembly *builder)
{
    for (const pending *later = builder->pending; later; later = later->next) {
        *later->node = *later->target;
        kube__api_schema_read_beside(builder->reader.ctx, later->beside, later->node);
    }
}

static kube__api_component *list_components(kube_ctx *ctx, const kube__json *schemas)
{
    kube__api_component *first = NULL;
    kube__api_component **end = &first;
    KUBE__JSON_EACH (source, schemas) {
        kube__api_component *component = kube_ctx_alloc(ctx, sizeof *component);
        kube__api_schema *schema = kube_ctx_alloc(ctx, sizeof *schema);
        if (!component || !schema)
            return NULL;
        schema->builtin = true;
        schema->go_type = go_type_of(source->key);
        component->name = source->key;
        component->source = source;
        component->schema = schema;
        *end = component;
        end = &component->next;
    }
    return first;
}

static kube__api_component *build(kube_ctx *ctx, const kube__json *schemas)
{
    kube__api_component *first = list_components(ctx, schemas);
    assembly builder = {.reader = {.ctx = ctx, .child = child}};
    builder.sorted =
        kube_ctx_alloc_array(ctx, schemas ? schemas->len : 0, sizeof(kube__api_component *));
    if (!first || !builder.sorted)
        return NULL;
    for (kube__api_component *component = first; component; component = component->next)
        builder.sorted[builder.count++] = component;
    qsort(builder.sorted, builder.count, sizeof(kube__api_component *), by_name);
    for (kube__api_component *component = first; component; component = component->next)
        kube__api_schema_read(&builder.reader, component->source, component->schema);
    for (kube__api_component *component = first; component; component = component->next)
        amend(&builder, component);
    resolve(&builder);
    return kube_ctx_failed(ctx) ? NULL : first;
}

static const kube__api_component *read_document(const kube__api_embedded *embedded)
{
    kube_ctx *ctx = kube_ctx_new();
    document *read = ctx ? kube_ctx_alloc(ctx, sizeof *read) : NULL;
    if (!read) {
        kube_ctx_free(ctx);
        return NULL;
    }
    kube__json *text =
        kube__json_parse(ctx, (const char *)embedded->text, embedded->len, NULL, NULL, NULL);
    *read = (document){.name = embedded->name,
                       .memory = ctx,
                       .components = build(ctx, kube__json_at(text, "components.schemas")),
                       .next = documents};
    if (!read->components) {
        kube_ctx_free(ctx);
        return NULL;
    }
    documents = read;
    return read->components;
}

static const kube__api_component *look_up(const char *name)
{
    for (const document *each = documents; each; each = each->next) {
        if (strcmp(each->name, name) == 0)
            return each->components;
    }
    return NULL;
}

const kube__api_component *kube__api_document(kube_ctx *ctx, const char *name)
{
    if (!name)
        return NULL;
    const kube__api_embedded *embedded = kube__api_embedded_documents;
    while (embedded->name && strcmp(embedded->name, name) != 0)
        embedded++;
    if (!embedded->name)
        return NULL;
    kube__lock(&lock);
    const kube__api_component *components = look_up(name);
    if (!components)
        components = read_document(embedded);
    kube__unlock(&lock);
    if (!components)
        kube__ctx_fail(ctx, 0);
    return components;
}

const char *kube__api_document_name(kube_ctx *ctx, const char *group, const char *version)
{
    return kube__api_text(ctx, "%.*s_%s", group[0] ? (int)strcspn(group, ".") : 4,
                          group[0] ? group : "core", version);
}

static bool is_of_kind(const kube__json *entry, const char *group, const char *version,
                       const char *kind)
{
    return strcmp(kube__json_string_at(entry, "group"), group) == 0 &&
           strcmp(kube__json_string_at(entry, "version"), version) == 0 &&
           strcmp(kube__json_string_at(entry, "kind"), kind) == 0;
}

const kube__api_component *kube__api_component_of_kind(const kube__api_component *components,
                                                       const char *group, const char *version,
                                                       const char *kind)
{
    for (; components; components = components->next) {
        KUBE__JSON_EACH (entry,
                         kube__json_get(components->source, "x-kubernetes-group-version-kind")) {
            if (is_of_kind(entry, group, version, kind))
                return components;
        }
    }
    return NULL;
}

const kube__api_schema *kube__api_schema_of_builtin(kube_ctx *ctx, const char *group,
                                                    const char *version, const char *kind)
{
    const char *name = kube__api_document_name(ctx, group, version);
    const kube__api_component *component =
        kube__api_component_of_kind(kube__api_document(ctx, name), group, version, kind);
    return component ? component->schema : NULL;
}

const kube__api_schema *kube__api_schema_of_go_type(kube_ctx *ctx, const char *name,
                                                    const char *go_type)
{
    const kube__api_component *component = kube__api_document(ctx, name);
    while (component && strcmp(component->schema->go_type, go_type) != 0)
        component = component->next;
    return component ? component->schema : NULL;
}
