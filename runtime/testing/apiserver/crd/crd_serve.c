/* SPDX-License-Identifier: Apache-2.0 */
/* The resources that a CustomResourceDefinition brings. */
#include "apiserver/core/apiserver.h"
#include "apiserver/registry/registry.h"
#include "apiserver/schema/schema.h"
#include "apiserver/store/store.h"
#include "base/ascii.h"
#include "crd.h"

#include <stdlib.h>
#include <string.h>

static bool is_established(const kube__json *crd)
{
    KUBE__JSON_EACH (condition, kube__json_at(crd, "status.conditions")) {
        if (strcmp(kube__json_string_at(condition, "type"), "Established") == 0)
            return strcmp(kube__json_string_at(condition, "status"), "True") == 0;
    }
    return false;
}

/* A NULL-terminated list of the texts; @member NULL = the items are the texts. A dot in front of a
 * path is left out. */
static const char *const *list_of(kube_ctx *ctx, const kube__json *items, const char *member)
{
    const char **list =
        kube_ctx_alloc_array(ctx, (items ? items->len : 0) + 1, sizeof(const char *));
    size_t count = 0;
    if (!list)
        return NULL;
    KUBE__JSON_EACH (item, items) {
        const char *text =
            member ? kube__json_string_at(item, member) : kube__json_string_or(item, "");
        list[count++] = text + (member && text[0] == '.');
    }
    return list;
}

static const char *text_or_null(const kube__json *object, const char *name)
{
    const char *text = kube__json_string_at(object, name);
    return text[0] ? text : NULL;
}

static void read_columns(kube_ctx *ctx, const kube__json *columns, kube__api_resource *resource)
{
    if (!kube__json_is(columns, KUBE__JSON_ARRAY) || !columns->first)
        return;
    kube__api_column *list = kube_ctx_alloc_array(ctx, columns->len, sizeof *list);
    if (!list)
        return;
    size_t count = 0;
    KUBE__JSON_EACH (column, columns) {
        int64_t priority = 0;
        kube__json_to_int(kube__json_get(column, "priority"), &priority);
        list[count++] = (kube__api_column){
            .name = kube__json_string_at(column, "name"),
            .type = kube__json_string_at(column, "type"),
            .format = kube__json_string_at(column, "format"),
            .description = kube__json_string_at(column, "description"),
            .json_path = kube__json_string_at(column, "jsonPath"),
            .priority = (int32_t)priority,
        };
    }
    resource->columns = list;
    resource->column_count = count;
}

/* How new a version is: v2 before v1 before v1beta2 before v1alpha1 before other names. */
typedef struct version_age {
    int stage; /* 3 = released, 2 = beta, 1 = alpha, 0 = no such version */
    unsigned long major;
    unsigned long minor;
} version_age;

static version_age age_of(const char *version)
{
    version_age age = {0};
    char *end;
    if (version[0] != 'v' || !kube__is_digit(version[1]))
        return age;
    unsigned long major = strtoul(version + 1, &end, 10);
    int stage = !*end ? 3 : strncmp(end, "beta", 4) == 0 ? 2 : strncmp(end, "alpha", 5) == 0;
    if (stage == 0)
        return age;
    if (stage < 3) {
        end += stage == 2 ? 4 : 5;
        if (!kube__is_digit(*end))
            return age;
        age.minor = strtoul(end, &end, 10);
    }
    if (*end)
        return (version_age){0};
    age.stage = stage;
    age.major = major;
    return age;
}

static bool is_newer(const char *version, const char *than)
{
    version_age a = age_of(version);
    version_age b = age_of(than);
    if (a.stage != b.stage)
        return a.stage > b.stage;
    if (a.stage == 0)
        return strcmp(version, than) < 0;
    return a.major != b.major ? a.major > b.major : a.minor > b.minor;
}

/* The newest version that could be used instead. Returns NULL if there is no better one. */
static const char *successor_of(const kube__json *crd, const char *deprecated)
{
    const char *best = deprecated;
    KUBE__JSON_EACH (version, kube__json_at(crd, "spec.versions")) {
        const char *name = kube__json_string_at(version, "name");
        if (kube__json_is_true(kube__json_get(version, "served")) &&
            !kube__json_is_true(kube__json_get(version, "deprecated")) && is_newer(name, best))
            best = name;
    }
    return best == deprecated ? NULL : best;
}

static const char *deprecation_of(kube_ctx *ctx, const kube__api_resource *resource,
                                  const kube__json *version)
{
    if (!kube__json_is_true(kube__json_get(version, "deprecated")))
        return NULL;
    const kube__json *text = kube__json_get(version, "deprecationWarning");
    if (text)
        return kube__json_string_or(text, "");
    const char *next = successor_of(resource->crd, resource->version);
    if (next)
        return kube__api_text(ctx, "%s/%s %s is deprecated; use %s/%s %s", resource->group,
                              resource->version, resource->kind, resource->group, next,
                              resource->kind);
    return kube__api_text(ctx, "%s/%s %s is deprecated", resource->group, resource->version,
                          resource->kind);
}

static void read_subresources(const kube__json *subresources, kube__api_resource *resource)
{
    const kube__json *scale = kube__json_get(subresources, "scale");
    resource->has_status = kube__json_is(kube__json_get(subresources, "status"), KUBE__JSON_OBJECT);
    resource->scale.spec_replicas = text_or_null(scale, "specReplicasPath");
    resource->scale.status_replicas = text_or_null(scale, "statusReplicasPath");
    resource->scale.label_selector = text_or_null(scale, "labelSelectorPath");
}

/* All of it in memory of its own: requests and watches may outlive the CRD. */
static kube__api_resource *make(const kube__json *crd, const char *version_name,
                                kube__api_collection *collection)
{
    kube_ctx *ctx = kube_ctx_new();
    kube__api_resource *resource = ctx ? kube_ctx_alloc(ctx, sizeof *resource) : NULL;
    if (!resource) {
        kube_ctx_free(ctx);
        return NULL;
    }
    const kube__json *own = kube__json_copy(ctx, crd);
    const kube__json *names = kube__json_at(own, "status.acceptedNames");
    const kube__json *version = NULL;
    KUBE__JSON_EACH (each, kube__json_at(own, "spec.versions")) {
        if (strcmp(kube__json_string_at(each, "name"), version_name) == 0)
            version = each;
    }
    *resource = (kube__api_resource){
        .group = kube__json_string_at(own, "spec.group"),
        .version = kube__json_string_at(version, "name"),
        .plural = kube__json_string_at(names, "plural"),
        .singular = kube__json_string_at(names, "singular"),
        .kind = kube__json_string_at(names, "kind"),
        .list_kind = kube__json_string_at(names, "listKind"),
        .short_names = list_of(ctx, kube__json_get(names, "shortNames"), NULL),
        .categories = list_of(ctx, kube__json_get(names, "categories"), NULL),
        .selectable_fields = list_of(ctx, kube__json_get(version, "selectableFields"), "jsonPath"),
        .namespaced = strcmp(kube__json_string_at(own, "spec.scope"), "Namespaced") == 0,
        .custom = true,
        .crd = own,
        .collection = collection,
        .memory = ctx,
        .refs = 1,
    };
    read_subresources(kube__json_get(version, "subresources"), resource);
    read_columns(ctx, kube__json_get(version, "additionalPrinterColumns"), resource);
    resource->deprecation_warning = deprecation_of(ctx, resource, version);
    const kube__json *schema = kube__json_at(version, "schema.openAPIV3Schema");
    resource->schema = kube__api_schema_of_crd(ctx, schema);
    if (kube_ctx_failed(ctx) || !resource->schema) {
        kube_ctx_free(ctx);
        return NULL;
    }
    return resource;
}

static bool serve(kube_apiserver *server, const kube__json *crd)
{
    kube__api_resource *made[KUBE__API_MOST_VERSIONS];
    size_t count = 0;
    const char *group = kube__json_string_at(crd, "spec.group");
    const char *plural = kube__json_string_at(crd, "status.acceptedNames.plural");
    kube__api_collection *collection =
        kube__api_store_collection(server->store, group, plural, true);
    bool fine = collection != NULL;
    KUBE__JSON_EACH (version, kube__json_at(crd, "spec.versions")) {
        if (!fine || !kube__json_is_true(kube__json_get(version, "served")))
            continue;
        made[count] = count < KUBE__API_MOST_VERSIONS
                          ? make(crd, kube__json_string_at(version, "name"), collection)
                          : NULL;
        fine = made[count] != NULL;
        count += fine;
    }
    if (fine)
        kube__api_registry_remove(server->registry, group, plural);
    for (size_t i = 0; i < count; i++) {
        if (!fine)
            kube__api_resource_unref(made[i]);
        else
            fine = kube__api_registry_put(server->registry, made[i]);
    }
    return fine;
}

/* ---- removal -------------------------------------------------------------------------------- */

typedef struct object_list {
    kube_ctx *ctx;
    kube__api_object **items;
    size_t len;
} object_list;

static bool collect(void *arg, kube__api_object *object)
{
    object_list *objects = arg;
    objects->items[objects->len++] = object;
    return true;
}

/* The objects of a collection: what is done to them may change it. */
static object_list objects_of(kube_ctx *ctx, const kube__api_collection *collection)
{
    object_list list = {.ctx = ctx};
    list.items =
        kube_ctx_alloc_array(ctx, kube__api_store_count(collection), sizeof(kube__api_object *));
    if (list.items)
        kube__api_store_each(collection, "", collect, &list);
    return list;
}

static bool remove_all(kube_apiserver *server, kube_ctx *ctx, const kube__json *crd)
{
    const char *group = kube__json_string_at(crd, "spec.group");
    const char *plural = kube__json_string_at(crd, "status.acceptedNames.plural");
    if (!is_established(crd))
        return true;
    kube__api_collection *collection =
        kube__api_store_collection(server->store, group, plural, true);
    if (!collection)
        return false;
    object_list all = objects_of(ctx, collection);
    if (kube_ctx_failed(ctx))
        return false;
    for (size_t i = 0; i < all.len; i++) {
        if (!kube__api_store_delete(server->store, ctx, all.items[i], NULL))
            return false;
    }
    kube__api_registry_remove(server->registry, group, plural);
    kube__api_store_drop(server->store, collection);
    return !kube_ctx_failed(ctx);
}

/* Names that have become free may be wanted by another CRD. */
static bool look_again(kube_apiserver *server, kube_ctx *ctx, const char *group)
{
    kube__api_collection *crds = kube__api_store_collection(server->store, "apiextensions.k8s.io",
                                                            "customresourcedefinitions", false);
    if (!crds)
        return false;
    object_list all = objects_of(ctx, crds);
    for (size_t i = 0; i < all.len; i++) {
        const kube__api_object *each = all.items[i];
        kube__json *crd = kube__json_parse(ctx, each->text, each->len, NULL, NULL, NULL);
        if (strcmp(kube__json_string_at(crd, "spec.group"), group) != 0 ||
            !kube__api_crd_conditions(server, ctx, crd))
            continue;
        if (!kube__api_store_put(server->store, ctx, crds, crd, NULL))
            return false;
        if (is_established(crd) && !serve(server, crd))
            return false;
    }
    return !kube_ctx_failed(ctx);
}

bool kube__api_crd_serve(kube_apiserver *server, kube_ctx *ctx, const kube__json *crd,
                         const kube__json *old)
{
    if (crd)
        return !is_established(crd) || serve(server, crd);
    return remove_all(server, ctx, old) &&
           look_again(server, ctx, kube__json_string_at(old, "spec.group"));
}
