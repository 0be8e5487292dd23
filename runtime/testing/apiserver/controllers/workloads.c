/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads.h"

#include "apiserver/registry/registry.h"
#include "apiserver/store/store.h"
#include "apiserver/value/sum.h"

#include <kube/shapes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what happens --------------------------------------------------------------------------- */

static const struct {
    const char *group;
    const char *plural;
    const char *kind;
    kube__job_kind job;
} workloads[] = {
    {"apps", "deployments", "Deployment", KUBE__JOB_DEPLOYMENT},
    {"apps", "replicasets", "ReplicaSet", KUBE__JOB_REPLICA_SET},
    {"apps", "statefulsets", "StatefulSet", KUBE__JOB_STATEFUL_SET},
    {"apps", "daemonsets", "DaemonSet", KUBE__JOB_DAEMON_SET},
    {"", "pods", "Pod", KUBE__JOB_POD},
};

enum { WORKLOAD_COUNT = sizeof workloads / sizeof *workloads };

static kube__api_collection *collection_of(const kube__api_controllers *controllers,
                                           const char *group, const char *plural)
{
    const kube__api_resource *resource =
        kube__api_registry_find(controllers->server->registry, group, "v1", plural);
    return resource ? resource->collection : NULL;
}

/* Looks at the controller that an object names: a change of it is one of the controller's. */
static void wake_controller(kube__api_controllers *controllers, const kube__api_object *object)
{
    kube_ctx *ctx;
    if (!object || !object->owners || !*object->owners || !(ctx = kube_ctx_new()))
        return;
    kube__json *tree = kube__json_parse(ctx, object->text, object->len, NULL, NULL, NULL);
    const kube__json *reference = kube__controller_of(tree);
    const char *kind = kube__json_string_at(reference, "kind");
    for (size_t i = 0; i < WORKLOAD_COUNT; i++) {
        kube__api_collection *collection =
            strcmp(workloads[i].kind, kind) == 0
                ? collection_of(controllers, workloads[i].group, workloads[i].plural)
                : NULL;
        if (collection)
            kube__controllers_add(controllers, workloads[i].job, collection, object->namespace_,
                                  kube__json_string_at(reference, "name"));
    }
    if (kube_ctx_failed(ctx))
        controllers->rescan = true;
    kube_ctx_free(ctx);
}

static bool add_each(void *arg, kube__api_object *object)
{
    kube__controllers_add(arg, KUBE__JOB_DAEMON_SET, object->collection, object->namespace_,
                          object->name);
    return true;
}

void kube__workloads_notice(kube__api_controllers *controllers, const kube__api_change *change)
{
    const kube__api_object *object = change->object;
    const char *group = kube__api_collection_group(object->collection);
    const char *plural = kube__api_collection_plural(object->collection);
    if (!*group && strcmp(plural, "nodes") == 0) {
        kube__api_collection *sets = collection_of(controllers, "apps", "daemonsets");
        if (sets)
            kube__api_store_each(sets, "", add_each, controllers);
        return;
    }
    for (size_t i = 0; i < WORKLOAD_COUNT; i++) {
        if (strcmp(workloads[i].group, group) != 0 || strcmp(workloads[i].plural, plural) != 0)
            continue;
        if (change->type != KUBE__API_DELETED)
            kube__controllers_add(controllers, workloads[i].job, object->collection,
                                  object->namespace_, object->name);
        wake_controller(controllers, object);
    }
}

/* ---- children ------------------------------------------------------------------------------- */

typedef struct found {
    const kube__turn *turn;
    kube__children *children;
} found;

static void add_child(void *arg, kube__api_collection *collection, const char *namespace_,
                      const char *name)
{
    found *f = arg;
    kube__children *list = f->children;
    kube__api_object *object = kube__api_store_get(collection, namespace_, name);
    kube__json *tree = object ? kube__turn_tree(f->turn, object) : NULL;
    kube__child *items;
    if (!tree)
        return;
    items = kube_list_grow(f->turn->ctx, list->items, list->len, sizeof *items);
    if (!items)
        return;
    list->items = items;
    list->items[list->len++] = (kube__child){kube__api_object_ref(object), tree};
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const kube__child *)a)->object->name, ((const kube__child *)b)->object->name);
}

kube__children kube__children_of(const kube__turn *turn, const char *group, const char *plural,
                                 const kube__api_object *owner)
{
    kube__children all = {0};
    found f = {turn, &all};
    kube__children out = {0};
    const kube__api_collection *collection = kube__turn_collection(turn, group, plural);
    kube__dependents_each(turn->controllers->dependents, owner->uid, add_child, &f);
    for (size_t i = 0; i < all.len; i++) {
        const kube__json *reference = kube__controller_of(all.items[i].tree);
        if (all.items[i].object->collection == collection &&
            strcmp(kube__json_string_at(reference, "uid"), owner->uid) == 0)
            all.items[out.len++] = all.items[i];
        else
            kube__api_object_unref(all.items[i].object);
    }
    out.items = all.items;
    if (out.len)
        qsort(out.items, out.len, sizeof *out.items, by_name);
    return out;
}

void kube__children_release(kube__children *children)
{
    for (size_t i = 0; i < children->len; i++)
        kube__api_object_unref(children->items[i].object);
    children->len = 0;
}

const kube__json *kube__controller_of(const kube__json *object)
{
    KUBE__JSON_EACH (reference, kube__json_at(object, "metadata.ownerReferences"))
        if (kube__json_is_true(kube__json_get(reference, "controller")))
            return reference;
    return NULL;
}

kube__json *kube__controller_reference(kube_ctx *ctx, const kube__json *owner)
{
    kube__json *reference = kube__json_object(ctx);
    kube__json_set_string(ctx, reference, "apiVersion", kube__json_string_at(owner, "apiVersion"));
    kube__json_set_string(ctx, reference, "kind", kube__json_string_at(owner, "kind"));
    kube__json_set_string(ctx, reference, "name", kube__json_string_at(owner, "metadata.name"));
    kube__json_set_string(ctx, reference, "uid", kube__json_string_at(owner, "metadata.uid"));
    kube__json_set_bool(ctx, reference, "controller", true);
    kube__json_set_bool(ctx, reference, "blockOwnerDeletion", true);
    return reference;
}

/* ---- templates ------------------------------------------------------------------------------ */

const char *kube__template_hash(kube_ctx *ctx, const kube__json *template_)
{
    static const char letters[] = "bcdfghjklmnpqrstvwxz2456789";
    size_t len = 0;
    kube__json *sorted = kube__json_copy(ctx, template_);
    kube__json_sort(sorted);
    const char *text = kube__json_text(ctx, sorted, &len);
    uint64_t hash = kube__api_sum(text, len);
    char *out = kube_ctx_alloc(ctx, 11);
    for (size_t i = 0; out && i < 10; i++, hash /= sizeof letters - 1)
        out[i] = letters[hash % (sizeof letters - 1)];
    return out ? out : "";
}

kube__json *kube__pod_of(const kube__turn *turn, const kube__json *owner)
{
    static const char *const members[] = {"labels", "annotations", "finalizers"};
    kube_ctx *ctx = turn->ctx;
    const kube__json *template_ = kube__json_at(owner, "spec.template");
    kube__json *pod = kube__json_typed(ctx, "Pod", "v1");
    kube__json *metadata = kube__json_ensure_object(ctx, pod, "metadata");
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const kube__json *value = kube__json_get(kube__json_get(template_, "metadata"), members[i]);
        if (value)
            kube__json_set(ctx, metadata, members[i], kube__json_copy(ctx, value));
    }
    kube__json_append(kube__json_ensure_array(ctx, metadata, "ownerReferences"),
                      kube__controller_reference(ctx, owner));
    kube__json_set_string(ctx, metadata, "generateName",
                          kube__api_text(ctx, "%s-", turn->job->name));
    kube__json_set(ctx, pod, "spec", kube__json_copy(ctx, kube__json_get(template_, "spec")));
    return pod;
}

kube__json *kube__pod_create(const kube__turn *turn, const kube__json *pod)
{
    kube__api_collection *pods = kube__turn_collection(turn, "", "pods");
    return pods ? kube__turn_create(turn, pods, turn->job->namespace_, pod) : NULL;
}

/* ---- numbers and status --------------------------------------------------------------------- */

int64_t kube__int_at(const kube__json *object, const char *path, int64_t otherwise)
{
    int64_t value;
    return kube__json_to_int(kube__json_at(object, path), &value) ? value : otherwise;
}

void kube__set_count(kube_ctx *ctx, kube__json *object, const char *key, int64_t value)
{
    if (value)
        kube__json_set_int(ctx, object, key, value);
}

int64_t kube__scaled(const kube__json *value, int64_t total, bool round_up, int64_t otherwise)
{
    int64_t number;
    if (kube__json_to_int(value, &number))
        return number;
    const char *text = kube__json_string_or(value, "");
    char *end;
    number = strtoll(text, &end, 10);
    if (end == text || strcmp(end, "%") != 0 || number < 0 || number > 10000)
        return otherwise;
    return (number * total + (round_up ? 99 : 0)) / 100;
}

void kube__put_status(const kube__turn *turn, kube__json *tree, kube__json *status)
{
    const kube__api_object *object = kube__turn_object(turn);
    if (!object || kube_ctx_failed(turn->ctx) ||
        kube__json_equal(kube__json_get(tree, "status"), status))
        return;
    kube__json *document = kube__json_copy(turn->ctx, tree);
    kube__json_remove(kube__json_get(document, "metadata"), "resourceVersion");
    kube__json_set(turn->ctx, document, "status", status);
    kube__turn_update(turn, object, "status", document);
}

/* ---- Pods ----------------------------------------------------------------------------------- */

bool kube__pod_is_active(const kube__child *pod)
{
    const char *phase = kube__json_string_at(pod->tree, "status.phase");
    return !pod->object->deleting && strcmp(phase, "Succeeded") != 0 &&
           strcmp(phase, "Failed") != 0;
}

bool kube__pod_is_ready(const kube__json *pod)
{
    KUBE__JSON_EACH (condition, kube__json_at(pod, "status.conditions"))
        if (strcmp(kube__json_string_at(condition, "type"), "Ready") == 0)
            return strcmp(kube__json_string_at(condition, "status"), "True") == 0;
    return false;
}

bool kube__pod_has_labels(const kube__child *pod, const kube__json *labels)
{
    const kube__json *has = kube__json_at(pod->tree, "metadata.labels");
    KUBE__JSON_EACH (label, labels)
        if (!kube__json_equal(kube__json_get(has, label->key), label))
            return false;
    return true;
}

void kube__pod_count(const kube__child *pod, const kube__json *labels, kube__pod_counts *counts)
{
    counts->ending += pod->object->deleting;
    if (!kube__pod_is_active(pod))
        return;
    counts->active++;
    counts->labelled += kube__pod_has_labels(pod, labels);
    counts->ready += kube__pod_is_ready(pod->tree);
}

bool kube__pods_again(const kube__turn *turn, kube__children *pods)
{
    const kube__api_object *owner = kube__turn_object(turn);
    kube__children_release(pods);
    if (!owner || kube_ctx_failed(turn->ctx))
        return false;
    *pods = kube__children_of(turn, "", "pods", owner);
    return true;
}
