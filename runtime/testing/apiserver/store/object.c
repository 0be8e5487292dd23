/* SPDX-License-Identifier: Apache-2.0 */
#include "object.h"

#include "apiserver/query/selector.h"
#include "store.h"
#include "zero.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

kube__api_object *kube__api_object_ref(kube__api_object *object)
{
    atomic_fetch_add_explicit(&object->refs, 1, memory_order_relaxed);
    return object;
}

void kube__api_object_unref(kube__api_object *object)
{
    if (object && atomic_fetch_sub_explicit(&object->refs, 1, memory_order_acq_rel) == 1)
        free(object);
}

/* ---- the form ------------------------------------------------------------------------------- */

void kube__api_order_members(kube__json *document, bool custom)
{
    /* The members that kinds have in common stand where no two kinds want them otherwise. */
    /* clang-format off */
    static const char *const top[] = {
        "kind",          "apiVersion",         "metadata",          "spec",
        "status",        "immutable",          "data",              "stringData",
        "binaryData",    "involvedObject",     "reason",            "message",
        "source",        "firstTimestamp",     "lastTimestamp",     "count",
        "type",          "eventTime",          "series",            "action",
        "related",       "reportingComponent", "reportingInstance", "secrets",
        "imagePullSecrets", "automountServiceAccountToken", "rules", "aggregationRule",
        "subjects",      "roleRef",            "subsets",           NULL,
    };
    static const char *const event[] = {
        "kind",      "apiVersion", "metadata",         "eventTime",
        "series",    "reportingController", "reportingInstance", "action",
        "reason",    "regarding",  "related",          "note",
        "type",      "deprecatedSource",    "deprecatedFirstTimestamp",
        "deprecatedLastTimestamp", "deprecatedCount",  NULL,
    };
    static const char *const meta[] = {
        "name",        "generateName",      "namespace",         "selfLink",
        "uid",         "resourceVersion",   "generation",        "creationTimestamp",
        "deletionTimestamp", "deletionGracePeriodSeconds", "labels", "annotations",
        "ownerReferences",   "finalizers",  "managedFields",     NULL,
    };
    /* clang-format on */
    if (custom) {
        kube__json_sort(document);
        return;
    }
    kube__json_move_first(document, kube__json_get(document, "regarding") ? event : top);
    kube__json_move_first(kube__json_get(document, "metadata"), meta);
}

void kube__api_object_stamp(kube_ctx *ctx, bool custom, kube__json *document, uint64_t version)
{
    kube__json *metadata = kube__json_ensure_object(ctx, document, "metadata");
    kube__json_set(ctx, metadata, "resourceVersion", kube__json_stringf(ctx, "%" PRIu64, version));
    kube__api_order_members(document, custom);
}

/* ---- making --------------------------------------------------------------------------------- */

/* One block, measured first (at == NULL), then filled. */
typedef struct block {
    char *at; /* of the next string */
    size_t len;
} block;

static const char *pack_bytes(block *into, const char *text, size_t len)
{
    into->len += len + 1;
    if (!into->at)
        return NULL;
    char *copy = into->at;
    memcpy(copy, text, len);
    copy[len] = '\0';
    into->at += len + 1;
    return copy;
}

static const char *pack(block *into, const char *text)
{
    return *text ? pack_bytes(into, text, strlen(text)) : "";
}

/* What a selector compares with: Go's zero value where a built-in has no such member. */
static const char *field_text(const kube__json *document, const char *path, bool custom)
{
    const kube__json *value = kube__json_at(document, path);
    if (kube__json_is(value, KUBE__JSON_BOOL))
        return kube__json_is_true(value) ? "true" : "false";
    if (kube__json_is(value, KUBE__JSON_STRING) || kube__json_is(value, KUBE__JSON_NUMBER))
        return value->text;
    if (custom)
        return "";
    if (strcmp(path, "spec.unschedulable") == 0 || strcmp(path, "spec.hostNetwork") == 0)
        return "false";
    if (strcmp(path, "status.replicas") == 0)
        return "0";
    if (strcmp(path, "source") == 0) { /* of an Event */
        const char *component = kube__json_string_at(document, "source.component");
        return *component ? component : kube__json_string_at(document, "reportingComponent");
    }
    return "";
}

static size_t count_members(const kube__json *object)
{
    return kube__json_is(object, KUBE__JSON_OBJECT) ? object->len : 0;
}

/* Fills in the strings; called twice, the first time with arrays that are NULL. */
static void pack_object(block *into, kube__api_object *object, const kube__json *document,
                        const char *const *selectable, kube__api_pair *labels,
                        kube__api_pair *fields, const char **owners)
{
    const kube__json *metadata = kube__json_get(document, "metadata");
    object->name = pack(into, kube__json_string_at(metadata, "name"));
    object->namespace_ = pack(into, kube__json_string_at(metadata, "namespace"));
    object->uid = pack(into, kube__json_string_at(metadata, "uid"));
    KUBE__JSON_EACH (label, kube__json_get(metadata, "labels")) {
        kube__api_pair pair = {pack(into, label->key), pack(into, kube__json_string_or(label, ""))};
        if (labels)
            *labels++ = pair;
    }
    if (fields) {
        *fields++ = (kube__api_pair){"metadata.name", object->name};
        *fields++ = (kube__api_pair){"metadata.namespace", object->namespace_};
    }
    for (; selectable && *selectable; selectable++) {
        kube__api_pair pair = {pack(into, *selectable),
                               pack(into, field_text(document, *selectable, object->custom))};
        if (fields)
            *fields++ = pair;
    }
    KUBE__JSON_EACH (owner, kube__json_get(metadata, "ownerReferences")) {
        const char *uid = pack(into, kube__json_string_at(owner, "uid"));
        if (owners)
            *owners++ = uid;
    }
}

kube__api_object *kube__api_object_new(kube__api_collection *collection, bool custom,
                                       const kube__json *document, const char *const *selectable)
{
    const kube__json *metadata = kube__json_get(document, "metadata");
    kube__json *references = kube__json_get(metadata, "ownerReferences");
    size_t labels = count_members(kube__json_get(metadata, "labels"));
    size_t owners = kube__json_is(references, KUBE__JSON_ARRAY) ? references->len + 1 : 0;
    size_t fields = 2;
    for (const char *const *name = selectable; name && *name; name++)
        fields++;
    kube__buffer text;
    kube__buffer_init(&text, SIZE_MAX / 2);
    kube__json_write(document, &text);
    if (text.failed)
        return NULL;
    kube__api_object measure = {.collection = collection, .custom = custom};
    block into = {0};
    pack_object(&into, &measure, document, selectable, NULL, NULL, NULL);
    size_t head =
        sizeof(measure) + (labels + fields) * sizeof(kube__api_pair) + owners * sizeof(char *);
    kube__api_object *object = malloc(head + into.len + text.len + 1);
    if (object) {
        *object = (kube__api_object){.collection = collection, .custom = custom};
        atomic_init(&object->refs, 1);
        kube__api_pair *pairs = (kube__api_pair *)(object + 1);
        const char **uids = (const char **)(pairs + labels + fields);
        into = (block){.at = (char *)object + head};
        pack_object(&into, object, document, selectable, pairs, pairs + labels, uids);
        static const char *const nobody[] = {NULL};
        object->owners = owners ? uids : nobody;
        if (owners)
            uids[owners - 1] = NULL;
        object->labels = kube__api_sort_labels(pairs, labels);
        object->fields = (kube__api_pairs){pairs + labels, fields};
        object->deleting = kube__json_get(metadata, "deletionTimestamp") != NULL;
        object->version = strtoull(kube__json_string_at(metadata, "resourceVersion"), NULL, 10);
        object->len = text.len;
        object->text = pack_bytes(&into, text.data, text.len);
    }
    kube__buffer_fini(&text);
    return object;
}

const char *const *kube__api_object_selectable(kube_ctx *ctx, const kube__api_object *object)
{
    const char **names = kube_ctx_alloc_array(ctx, object->fields.len, sizeof *names);
    for (size_t i = 2; names && i < object->fields.len; i++)
        names[i - 2] = object->fields.items[i].key;
    return names;
}

/* ---- sending -------------------------------------------------------------------------------- */

/* What the text starts with when it is in the resource's version. */
static size_t head_of(const kube__api_resource *resource, char *head, size_t size)
{
    const char *slash = *resource->group ? "/" : "";
    int len = resource->custom
                  ? snprintf(head, size, "{\"apiVersion\":\"%s%s%s\"", resource->group, slash,
                             resource->version)
                  : snprintf(head, size, "{\"kind\":\"%s\",\"apiVersion\":\"%s%s%s\",",
                             resource->kind, resource->group, slash, resource->version);
    return len < 0 || (size_t)len >= size ? 0 : (size_t)len;
}

static bool starts_with(const kube__api_object *object, const char *head, size_t len)
{
    return len > 0 && object->len > len && memcmp(object->text, head, len) == 0;
}

/* The members of an Event that have other names in the two groups. */
static const struct {
    const char *core;
    const char *events;
} event_members[] = {
    {"involvedObject", "regarding"},
    {"message", "note"},
    {"source", "deprecatedSource"},
    {"firstTimestamp", "deprecatedFirstTimestamp"},
    {"lastTimestamp", "deprecatedLastTimestamp"},
    {"count", "deprecatedCount"},
    {"reportingComponent", "reportingController"},
};

const char *kube__api_event_stored_path(kube_ctx *ctx, const char *path)
{
    size_t len = strcspn(path, ".");
    for (size_t i = 0; i < sizeof(event_members) / sizeof *event_members; i++)
        if (strlen(event_members[i].events) == len &&
            strncmp(path, event_members[i].events, len) == 0)
            return kube__api_text(ctx, "%s%s", event_members[i].core, path + len);
    return path;
}

static void rename_member(kube_ctx *ctx, kube__json *object, const char *from, const char *to)
{
    kube__json *value = kube__json_remove(object, from);
    if (value)
        kube__json_set(ctx, object, to, value);
}

static void drop_if_empty(kube__json *object, const char *key)
{
    const kube__json *value = kube__json_get(object, key);
    if (kube__json_is(value, KUBE__JSON_STRING) && value->len == 0)
        kube__json_remove(object, key);
}

void kube__api_convert(kube_ctx *ctx, const kube__api_resource *resource, kube__json *document)
{
    if (!resource->custom && strcmp(resource->plural, "events") == 0) {
        bool to_core = !*resource->group;
        for (size_t i = 0; i < sizeof(event_members) / sizeof *event_members; i++)
            rename_member(ctx, document, to_core ? event_members[i].events : event_members[i].core,
                          to_core ? event_members[i].core : event_members[i].events);
        drop_if_empty(document, "reportingController");
        drop_if_empty(document, "reportingInstance");
        kube__api_fill_zero(ctx, resource, document);
    }
    kube__json_set_string(ctx, document, "apiVersion",
                          kube__api_resource_api_version(ctx, resource));
    kube__api_order_members(document, resource->custom);
}

kube__json *kube__api_object_json(kube_ctx *ctx, const kube__api_object *object,
                                  const kube__api_resource *resource)
{
    kube__json *document = kube__json_parse(ctx, object->text, object->len, NULL, NULL, NULL);
    if (strcmp(kube__json_string_at(document, "apiVersion"),
               kube__api_resource_api_version(ctx, resource)) != 0)
        kube__api_convert(ctx, resource, document);
    return document;
}

/* The same by way of a tree, for what is not in the resource's version. */
static void write_converted(const kube__api_object *object, const kube__api_resource *resource,
                            bool as_item, kube__buffer *out)
{
    kube_ctx *ctx = kube_ctx_new();
    if (!ctx) {
        out->failed = true;
        return;
    }
    kube__json *document = kube__api_object_json(ctx, object, resource);
    if (as_item && !resource->custom) {
        kube__json_remove(document, "kind");
        kube__json_remove(document, "apiVersion");
    }
    kube__json_write(document, out);
    out->failed = out->failed || kube_ctx_failed(ctx);
    kube_ctx_free(ctx);
}

void kube__api_object_write(const kube__api_object *object, const kube__api_resource *resource,
                            bool as_item, kube__buffer *out)
{
    char head[1024];
    size_t len = head_of(resource, head, sizeof(head));
    if (!starts_with(object, head, len)) {
        write_converted(object, resource, as_item, out);
    } else if (as_item && !resource->custom) {
        kube__buffer_add(out, "{", 1);
        kube__buffer_add(out, object->text + len, object->len - len);
    } else {
        kube__buffer_add(out, object->text, object->len);
    }
}
