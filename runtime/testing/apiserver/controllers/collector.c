/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Garbage collection: an object whose owners are all gone goes too. An owner that is deleted in the
 * foreground waits for the dependents that block it; one whose dependents are to be orphaned waits
 * until they have forgotten it.
 */
#include "apiserver/registry/registry.h"
#include "apiserver/store/store.h"
#include "controllers_parts.h"

#include <kube/shapes.h>
#include <stdlib.h>
#include <string.h>

#define FOREGROUND "foregroundDeletion"
#define ORPHAN "orphan"

/* ---- owners that wait ----------------------------------------------------------------------- */

struct kube__waiting {
    kube__waiting *next;
    kube__api_object *object; /* in some state, for its uid and its place */
};

void kube__collector_free(kube__api_controllers *controllers)
{
    for (kube__waiting *w = controllers->waiting, *next; w; w = next) {
        next = w->next;
        kube__api_object_unref(w->object);
        free(w);
    }
    controllers->waiting = NULL;
}

static void wait_for_dependents(kube__api_controllers *controllers, kube__api_object *object)
{
    for (const kube__waiting *w = controllers->waiting; w; w = w->next)
        if (strcmp(w->object->uid, object->uid) == 0)
            return;
    kube__waiting *w = malloc(sizeof *w);
    if (!w) {
        controllers->rescan = true;
        return;
    }
    w->object = kube__api_object_ref(object);
    w->next = controllers->waiting;
    controllers->waiting = w;
}

static void stop_waiting(kube__api_controllers *controllers, const char *uid)
{
    for (kube__waiting **at = &controllers->waiting; *at; at = &(*at)->next) {
        kube__waiting *w = *at;
        if (strcmp(w->object->uid, uid) != 0)
            continue;
        *at = w->next;
        kube__api_object_unref(w->object);
        free(w);
        return;
    }
}

/* Looks again at the owners that wait for this object among others. */
static void wake_owners(kube__api_controllers *controllers, const kube__api_object *object)
{
    for (const char *const *uid = object ? object->owners : NULL; uid && *uid; uid++)
        for (const kube__waiting *w = controllers->waiting; w; w = w->next)
            if (strcmp(w->object->uid, *uid) == 0)
                kube__controllers_add(controllers, KUBE__JOB_OWNER, w->object->collection,
                                      w->object->namespace_, w->object->name);
}

/* ---- what happens --------------------------------------------------------------------------- */

static void add_dependent(void *arg, kube__api_collection *collection, const char *namespace_,
                          const char *name)
{
    kube__controllers_add(arg, KUBE__JOB_DEPENDENT, collection, namespace_, name);
}

static bool same_owners(const kube__api_object *a, const kube__api_object *b)
{
    const char *const *left = a->owners;
    const char *const *right = b->owners;
    while (left && *left && right && *right && strcmp(*left, *right) == 0) {
        left++;
        right++;
    }
    return !(left && *left) && !(right && *right);
}

void kube__collector_notice(kube__api_controllers *controllers, const kube__api_change *change)
{
    const kube__api_object *object = change->object;
    const kube__api_object *old = change->old;
    wake_owners(controllers, old);
    if (change->type == KUBE__API_DELETED) {
        wake_owners(controllers, object);
        stop_waiting(controllers, object->uid);
        kube__dependents_each(controllers->dependents, object->uid, add_dependent, controllers);
        return;
    }
    if (object->owners && *object->owners && (!old || !same_owners(object, old)))
        add_dependent(controllers, object->collection, object->namespace_, object->name);
    if (object->deleting &&
        (strstr(object->text, FOREGROUND) || strstr(object->text, "\"" ORPHAN "\"")))
        kube__controllers_add(controllers, KUBE__JOB_OWNER, object->collection, object->namespace_,
                              object->name);
}

/* ---- owners --------------------------------------------------------------------------------- */

typedef struct dependents {
    const kube__turn *turn;
    kube__api_object **at;
    size_t len;
} dependents;

static void collect(void *arg, kube__api_collection *collection, const char *namespace_,
                    const char *name)
{
    dependents *list = arg;
    kube__api_object *object = kube__api_store_get(collection, namespace_, name);
    kube__api_object **at;
    if (!object)
        return;
    at = kube_list_grow(list->turn->ctx, list->at, list->len, sizeof *at);
    if (!at)
        return;
    list->at = at;
    list->at[list->len++] = kube__api_object_ref(object);
}

static kube__json *reference_to(const kube__json *tree, const char *uid)
{
    KUBE__JSON_EACH (reference, kube__json_at(tree, "metadata.ownerReferences"))
        if (strcmp(kube__json_string_at(reference, "uid"), uid) == 0)
            return reference;
    return NULL;
}

/* Patches metadata.@member to be @value. */
static void patch_metadata(const kube__turn *turn, const char *member, kube__json *value,
                           const kube__api_object *object)
{
    kube_ctx *ctx = turn->ctx;
    kube__json *patch = kube__json_object(ctx);
    kube__json *metadata = kube__json_ensure_object(ctx, patch, "metadata");
    kube__json_set_string(ctx, metadata, "uid", object->uid);
    kube__json_set(ctx, metadata, member, value);
    if (!kube_ctx_failed(ctx))
        kube__turn_patch(turn, object, "", patch);
}

static void remove_finalizer(const kube__turn *turn, const kube__json *tree, const char *name)
{
    const kube__api_object *object = kube__turn_object(turn);
    kube__json *kept = kube__json_array(turn->ctx);
    KUBE__JSON_EACH (finalizer, kube__json_at(tree, "metadata.finalizers"))
        if (strcmp(kube__json_string_or(finalizer, ""), name) != 0)
            kube__json_append(kept, kube__json_copy(turn->ctx, finalizer));
    if (object)
        patch_metadata(turn, "finalizers", kept, object);
}

/* @object without its references to @uid. */
static void forget_owner(const kube__turn *turn, const kube__api_object *object, const char *uid)
{
    kube__json *tree = kube__turn_tree(turn, object);
    kube__json *kept = kube__json_array(turn->ctx);
    if (!reference_to(tree, uid))
        return;
    KUBE__JSON_EACH (reference, kube__json_at(tree, "metadata.ownerReferences"))
        if (strcmp(kube__json_string_at(reference, "uid"), uid) != 0)
            kube__json_append(kept, kube__json_copy(turn->ctx, reference));
    patch_metadata(turn, "ownerReferences", kept, object);
}

static void orphan_all(const kube__turn *turn, const dependents *list, const kube__json *tree)
{
    for (size_t i = 0; i < list->len; i++)
        forget_owner(turn, list->at[i], kube__json_string_at(tree, "metadata.uid"));
    remove_finalizer(turn, tree, ORPHAN);
}

/* Sends dependents on their way; the owner goes when none is left that blocks it. */
static void delete_all(const kube__turn *turn, const dependents *list, kube__json *tree)
{
    const char *uid = kube__json_string_at(tree, "metadata.uid");
    bool blocked = false;
    for (size_t i = 0; i < list->len; i++) {
        const kube__api_object *object = list->at[i];
        const kube__json *reference = reference_to(kube__turn_tree(turn, object), uid);
        if (!object->deleting)
            kube__controllers_add(turn->controllers, KUBE__JOB_DEPENDENT, object->collection,
                                  object->namespace_, object->name);
        blocked |= kube__json_is_true(kube__json_get(reference, "blockOwnerDeletion"));
    }
    if (blocked)
        wait_for_dependents(turn->controllers, kube__turn_object(turn));
    else if (!kube_ctx_failed(turn->ctx))
        remove_finalizer(turn, tree, FOREGROUND);
}

void kube__run_owner(const kube__turn *turn)
{
    kube__api_object *object = kube__turn_object(turn);
    kube__json *tree = object && object->deleting ? kube__turn_tree(turn, object) : NULL;
    const kube__json *finalizers = kube__json_at(tree, "metadata.finalizers");
    bool orphan = kube__json_has_text(finalizers, ORPHAN);
    if (!orphan && !kube__json_has_text(finalizers, FOREGROUND))
        return;
    dependents list = {.turn = turn};
    kube__dependents_each(turn->controllers->dependents, object->uid, collect, &list);
    if (!kube_ctx_failed(turn->ctx) && orphan)
        orphan_all(turn, &list, tree);
    else if (!kube_ctx_failed(turn->ctx))
        delete_all(turn, &list, tree);
    for (size_t i = 0; i < list.len; i++)
        kube__api_object_unref(list.at[i]);
}

/* ---- dependents ----------------------------------------------------------------------------- */

typedef enum owner_state {
    OWNER_UNKNOWN, /* of a kind that is not served: nothing can be said */
    OWNER_GONE,
    OWNER_WAITING, /* for its dependents to go */
    OWNER_SOLID,
} owner_state;

static owner_state state_of(const kube__turn *turn, const kube__api_object *object,
                            const kube__json *reference)
{
    const char *version = kube__json_string_at(reference, "apiVersion");
    const char *slash = strchr(version, '/');
    const char *group = kube_ctx_strndup(turn->ctx, version, slash ? (size_t)(slash - version) : 0);
    const kube__api_resource *resource =
        group ? kube__api_registry_find_kind(turn->server->registry, group,
                                             slash ? slash + 1 : version,
                                             kube__json_string_at(reference, "kind"))
              : NULL;
    if (!resource || !resource->collection || (resource->namespaced && !*object->namespace_))
        return OWNER_UNKNOWN;
    const kube__api_object *owner =
        kube__api_store_get(resource->collection, resource->namespaced ? object->namespace_ : "",
                            kube__json_string_at(reference, "name"));
    if (!owner || strcmp(owner->uid, kube__json_string_at(reference, "uid")) != 0)
        return OWNER_GONE;
    bool waiting =
        owner->deleting &&
        kube__json_has_text(kube__json_at(kube__turn_tree(turn, owner), "metadata.finalizers"),
                            FOREGROUND);
    return waiting ? OWNER_WAITING : OWNER_SOLID;
}

static void count_dependent(void *arg, kube__api_collection *collection, const char *namespace_,
                            const char *name)
{
    size_t *count = arg;
    (void)collection;
    (void)namespace_;
    (void)name;
    (*count)++;
}

/* How the object is to go, as the finalizers it has already say. */
static const char *propagation_of(const kube__turn *turn, const kube__api_object *object,
                                  const kube__json *tree, bool owner_waits)
{
    size_t count = 0;
    const kube__json *finalizers = kube__json_at(tree, "metadata.finalizers");
    kube__dependents_each(turn->controllers->dependents, object->uid, count_dependent, &count);
    if (owner_waits && count)
        return "Foreground";
    if (kube__json_has_text(finalizers, ORPHAN))
        return "Orphan";
    return kube__json_has_text(finalizers, FOREGROUND) ? "Foreground" : "Background";
}

void kube__run_dependent(const kube__turn *turn)
{
    kube__api_object *object = kube__turn_object(turn);
    kube__json *tree = object && !object->deleting ? kube__turn_tree(turn, object) : NULL;
    const kube__json *references = kube__json_at(tree, "metadata.ownerReferences");
    kube__json *solid = kube__json_array(turn->ctx);
    bool owner_waits = false;
    if (!references || !references->len || !solid)
        return;
    KUBE__JSON_EACH (reference, references) {
        owner_state state = state_of(turn, object, reference);
        if (state == OWNER_UNKNOWN)
            return;
        owner_waits |= state == OWNER_WAITING;
        if (state == OWNER_SOLID)
            kube__json_append(solid, kube__json_copy(turn->ctx, reference));
    }
    if (kube_ctx_failed(turn->ctx) || solid->len == references->len)
        return;
    if (solid->len)
        patch_metadata(turn, "ownerReferences", solid, object);
    else
        kube__turn_delete(turn, object, propagation_of(turn, object, tree, owner_waits));
}
