/* SPDX-License-Identifier: Apache-2.0 */
#include "field_owner.h"

#include "apiserver/value/steps.h"

#include <string.h>

/* ---- entries -------------------------------------------------------------------------------- */

static bool read_entry(kube_ctx *ctx, const kube__json *entry, kube__field_owner *out)
{
    const char *operation = kube__json_string_at(entry, "operation");
    *out = (kube__field_owner){
        .name = kube__json_string_at(entry, "manager"),
        .api_version = kube__json_string_at(entry, "apiVersion"),
        .subresource = kube__json_string_at(entry, "subresource"),
        .time = kube__json_string_or(kube__json_get(entry, "time"), NULL),
        .applied = strcmp(operation, "Apply") == 0,
    };
    return (out->applied || strcmp(operation, "Update") == 0) && *out->api_version &&
           strcmp(kube__json_string_at(entry, "fieldsType"), "FieldsV1") == 0 &&
           kube__field_set_read(ctx, kube__json_get(entry, "fieldsV1"), &out->fields);
}

/* Whether two are filed under one name: of appliers the version does not count. */
static bool same_owner(const kube__field_owner *a, const kube__field_owner *b)
{
    return a->applied == b->applied && strcmp(a->name, b->name) == 0 &&
           strcmp(a->subresource, b->subresource) == 0 &&
           (a->applied || strcmp(a->api_version, b->api_version) == 0);
}

static kube__field_owner *find_same(kube__field_owners owners, const kube__field_owner *owner)
{
    for (kube__field_owner *o = owners.first; o && kube__api_take_steps(4); o = o->next)
        if (same_owner(o, owner))
            return o;
    return NULL;
}

/* At the end, or in the place of one that is filed under the same name. */
static kube__field_owner *put(kube_ctx *ctx, kube__field_owners *owners,
                              const kube__field_owner *owner)
{
    kube__field_owner *found = find_same(*owners, owner);
    if (found) {
        kube__field_owner *next = found->next;
        *found = *owner;
        found->next = next;
        return found;
    }
    kube__field_owner *made = kube_ctx_alloc(ctx, sizeof *made);
    if (!made)
        return NULL;
    *made = *owner;
    made->next = NULL;
    kube__field_owner **end = &owners->first;
    while (*end && kube__api_take_steps(1))
        end = &(*end)->next;
    return *end = made;
}

bool kube__field_owners_read(kube_ctx *ctx, const kube__json *entries, kube__field_owners *out)
{
    *out = (kube__field_owners){0};
    KUBE__JSON_EACH (entry, entries) {
        kube__field_owner owner;
        if (read_entry(ctx, entry, &owner) && put(ctx, out, &owner))
            continue;
        *out = (kube__field_owners){0};
        return false;
    }
    return true;
}

/* RFC 3339 in UTC sorts as text; none comes first. */
static int compare_times(const kube__field_owner *a, const kube__field_owner *b)
{
    return strcmp(a->time ? a->time : "", b->time ? b->time : "");
}

static int compare_owners(const kube__field_owner *a, const kube__field_owner *b)
{
    int order = (int)b->applied - (int)a->applied;
    if (!order)
        order = compare_times(a, b);
    if (!order)
        order = strcmp(a->name, b->name);
    if (!order)
        order = strcmp(a->api_version, b->api_version);
    return order ? order : strcmp(a->subresource, b->subresource);
}

static kube__field_owners sorted(kube__field_owners owners,
                                 int (*compare)(const kube__field_owner *,
                                                const kube__field_owner *))
{
    kube__field_owners out = {0};
    for (kube__field_owner *owner = owners.first, *next; owner; owner = next) {
        next = owner->next;
        kube__field_owner **at = &out.first;
        while (*at && kube__api_take_steps(4) && compare(*at, owner) <= 0)
            at = &(*at)->next;
        owner->next = *at;
        *at = owner;
    }
    return out;
}

static kube__json *write_entry(kube_ctx *ctx, const kube__field_owner *owner)
{
    kube__json *entry = kube__json_object(ctx);
    kube__json_set_string(ctx, entry, "manager", owner->name);
    kube__json_set_string(ctx, entry, "operation", owner->applied ? "Apply" : "Update");
    kube__json_set_string(ctx, entry, "apiVersion", owner->api_version);
    if (owner->time)
        kube__json_set_string(ctx, entry, "time", owner->time);
    kube__json_set_string(ctx, entry, "fieldsType", "FieldsV1");
    kube__json_set(ctx, entry, "fieldsV1", kube__field_set_write(ctx, owner->fields));
    if (*owner->subresource)
        kube__json_set_string(ctx, entry, "subresource", owner->subresource);
    return entry;
}

/* The entries in the real server's order. Returns NULL if there is no entry. */
static kube__json *write_owners(kube_ctx *ctx, kube__field_owners owners)
{
    if (!owners.first)
        return NULL;
    kube__json *entries = kube__json_array(ctx);
    kube__field_owners list = sorted(owners, compare_owners);
    for (const kube__field_owner *owner = list.first; owner; owner = owner->next)
        kube__json_append(entries, write_entry(ctx, owner));
    return entries;
}

/* ---- owners --------------------------------------------------------------------------------- */

static kube__field_owner as_owner(const kube__api_manager *manager, bool applied)
{
    return (kube__field_owner){
        .name = *manager->name ? manager->name : "unknown",
        .api_version = manager->api_version,
        .subresource = manager->subresource,
        .applied = applied,
    };
}

kube__field_owner *kube__field_owners_ensure(kube_ctx *ctx, kube__field_owners *owners,
                                             const kube__api_manager *manager, bool applied)
{
    kube__field_owner owner = as_owner(manager, applied);
    kube__field_owner *found = find_same(*owners, &owner);
    if (!found)
        return put(ctx, owners, &owner);
    found->api_version = manager->api_version;
    return found;
}

void kube__field_owners_drop_empty(kube__field_owners *owners)
{
    for (kube__field_owner **at = &owners->first; *at;)
        if (kube__field_set_empty((*at)->fields))
            *at = (*at)->next;
        else
            at = &(*at)->next;
}

/* ---- the cap -------------------------------------------------------------------------------- */

enum { MOST_UPDATERS = 10 };

static int oldest_first(const kube__field_owner *a, const kube__field_owner *b)
{
    int order = compare_times(a, b);
    if (!order)
        order = strcmp(a->name, b->name);
    return order ? order : strcmp(a->subresource, b->subresource);
}

static void take_out(kube__field_owners *owners, const kube__field_owner *owner)
{
    for (kube__field_owner **at = &owners->first; *at; at = &(*at)->next)
        if (*at == owner) {
            *at = owner->next;
            return;
        }
}

static kube__field_owner *first_updater_of(kube__field_owners owners, const char *api_version)
{
    kube__field_owner *owner = owners.first;
    while (owner && kube__api_take_steps(4) &&
           (owner->applied || strcmp(owner->api_version, api_version) != 0))
        owner = owner->next;
    return owner;
}

/* Puts @owner into the bucket of its version, which the oldest of that version becomes. */
static void merge_into_bucket(kube_ctx *ctx, kube__field_owners *owners, kube__field_owner *first,
                              kube__field_owner *owner)
{
    kube__field_owner bucket = {
        .name = "ancient-changes",
        .api_version = owner->api_version,
        .subresource = "",
        .fields = kube__field_set_union(ctx, first->fields, owner->fields),
        .time = owner->time,
    };
    kube__field_owner *there = find_same(*owners, &bucket);
    if (there && there != first && there != owner) {
        bucket.fields = kube__field_set_union(ctx, there->fields, owner->fields);
        take_out(owners, owner);
        *there = (kube__field_owner){.next = there->next};
        bucket.next = there->next;
        *there = bucket;
        return;
    }
    take_out(owners, owner);
    bucket.next = first->next;
    *first = bucket;
}

void kube__field_owners_cap(kube_ctx *ctx, kube__field_owners *owners)
{
    size_t count = 0;
    for (const kube__field_owner *o = owners->first; o; o = o->next)
        count += !o->applied;
    if (count <= MOST_UPDATERS)
        return;
    *owners = sorted(*owners, oldest_first);
    for (kube__field_owner *owner = owners->first, *next; owner && count > MOST_UPDATERS;
         owner = next) {
        next = owner->next;
        kube__field_owner *first =
            owner->applied ? owner : first_updater_of(*owners, owner->api_version);
        if (first == owner)
            continue;
        merge_into_bucket(ctx, owners, first, owner);
        count--;
    }
}

/* ---- sets ----------------------------------------------------------------------------------- */

/* Inserts "metadata.labels", whose names hold no dots. */
static void insert_path(kube_ctx *ctx, kube__field_set *set, const char *text)
{
    const char *dot = strchr(text, '.');
    char *first = kube_ctx_strndup(ctx, text, dot ? (size_t)(dot - text) : strlen(text));
    kube__path parent = {NULL, {.kind = KUBE__STEP_FIELD, .name = first}};
    kube__path child = {&parent, {.kind = KUBE__STEP_FIELD, .name = dot ? dot + 1 : ""}};
    if (first)
        kube__field_set_insert(ctx, set, dot ? &child : &parent);
}

static kube__field_set paths_set(kube_ctx *ctx, const char *const *paths)
{
    kube__field_set set = {0};
    for (; paths && *paths; paths++)
        insert_path(ctx, &set, *paths);
    kube__field_set_sort(&set);
    return set;
}

kube__field_set kube__field_owners_strip(kube_ctx *ctx, kube__field_set fields)
{
    static const char *const stripped[] = {
        "apiVersion",
        "kind",
        "metadata",
        "metadata.name",
        "metadata.namespace",
        "metadata.creationTimestamp",
        "metadata.selfLink",
        "metadata.uid",
        "metadata.clusterName",
        "metadata.generation",
        "metadata.managedFields",
        "metadata.resourceVersion",
        NULL,
    };
    return kube__field_set_minus(ctx, fields, paths_set(ctx, stripped));
}

/* What is reset when a resource, or its subresource, is written. */
static const char *const *ignored_fields(const kube__api_manager *manager)
{
    static const char *const status[] = {"status", NULL};
    static const char *const spec[] = {"spec", NULL};
    static const char *const spec_and_labels[] = {"spec", "metadata.labels", NULL};
    static const char *const spec_and_metadata[] = {"spec", "metadata", NULL};
    static const char *const of_pod[] = {"spec", "metadata.deletionTimestamp",
                                         "metadata.ownerReferences", NULL};
    const kube__api_resource *resource = manager->resource;
    if (!resource)
        return NULL;
    if (!*manager->subresource)
        return resource->has_status ? status : NULL;
    if (strcmp(manager->subresource, "status") != 0)
        return NULL;
    if (resource->custom || strcmp(resource->plural, "customresourcedefinitions") == 0)
        return spec_and_metadata;
    if (strcmp(resource->plural, "pods") == 0)
        return of_pod;
    return strcmp(resource->plural, "deployments") == 0 ? spec_and_labels : spec;
}

kube__field_set kube__field_owners_filter(kube_ctx *ctx, kube__field_set fields,
                                          const kube__api_manager *manager)
{
    const char *const *ignored = ignored_fields(manager);
    if (!ignored)
        return fields;
    return kube__field_set_without(ctx, fields, paths_set(ctx, ignored));
}

/* ---- objects -------------------------------------------------------------------------------- */

kube__json *kube__field_owners_bare(kube_ctx *ctx, const kube__json *object)
{
    if (!object)
        return kube__json_object(ctx);
    kube__json *copy = kube__json_copy(ctx, object);
    kube__json_remove(kube__json_get(copy, "metadata"), "managedFields");
    return copy;
}

void kube__field_owners_set(kube_ctx *ctx, kube__json *object, kube__field_owners owners)
{
    kube__json *entries = write_owners(ctx, owners);
    kube__json *metadata = kube__json_ensure_object(ctx, object, "metadata");
    if (entries)
        kube__json_set(ctx, metadata, "managedFields", entries);
    else
        kube__json_remove(metadata, "managedFields");
}

void kube__field_owners_update(kube_ctx *ctx, const kube__api_schema *schema,
                               const kube__json *before, const kube__json *after,
                               const kube__api_manager *manager, kube__field_owners *owners)
{
    kube__changes changes = kube__typed_compare(ctx, schema, before, after);
    kube__field_set gone = kube__field_owners_filter(ctx, changes.removed, manager);
    kube__field_set taken = kube__field_owners_filter(
        ctx, kube__field_set_union(ctx, changes.modified, changes.added), manager);
    for (kube__field_owner *owner = owners->first; owner; owner = owner->next) {
        owner->fields = kube__field_set_minus(ctx, owner->fields, taken);
        owner->fields = kube__field_set_minus(ctx, owner->fields, gone);
    }
    kube__field_set own = kube__field_owners_strip(ctx, taken);
    if (!kube__field_set_empty(own)) {
        kube__field_owner *self = kube__field_owners_ensure(ctx, owners, manager, false);
        if (self) {
            self->fields = kube__field_set_union(ctx, self->fields, own);
            self->time = manager->time;
        }
    }
    kube__field_owners_drop_empty(owners);
}
