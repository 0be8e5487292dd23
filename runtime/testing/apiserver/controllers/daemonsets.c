/* SPDX-License-Identifier: Apache-2.0 */
/* DaemonSets in their simple form: a Pod for each Node, of the newest template. */
#include "apiserver/store/store.h"
#include "workloads.h"

#include <string.h>

typedef struct daemons {
    const kube__turn *turn;
    kube__json *tree;
    kube__children pods;
    kube__json *mark; /* the label of the newest template */
    kube__api_object **nodes;
    size_t node_count;
} daemons;

static bool is_on(const kube__child *pod, const char *node)
{
    return strcmp(kube__json_string_at(pod->tree, "spec.nodeName"), node) == 0;
}

static const kube__child *pod_on(const daemons *set, const char *node)
{
    for (size_t i = 0; i < set->pods.len; i++)
        if (is_on(&set->pods.items[i], node))
            return &set->pods.items[i];
    return NULL;
}

static void create_pod(const daemons *set, const char *node)
{
    kube_ctx *ctx = set->turn->ctx;
    kube__json *pod = kube__pod_of(set->turn, set->tree);
    kube__json *labels = kube__json_ensure_object(ctx, kube__json_get(pod, "metadata"), "labels");
    kube__json_set_string(ctx, labels, KUBE__REVISION_LABEL,
                          kube__json_string_at(set->mark, KUBE__REVISION_LABEL));
    kube__json_set_string(ctx, kube__json_get(pod, "spec"), "nodeName", node);
    kube__pod_create(set->turn, pod);
}

static bool has_node(const daemons *set, const kube__child *pod)
{
    for (size_t i = 0; i < set->node_count; i++)
        if (is_on(pod, set->nodes[i]->name))
            return true;
    return false;
}

/* Creates the missing Pods. Deletes those whose node is gone and those of an old template. */
static void place(const daemons *set)
{
    bool rolling =
        strcmp(kube__json_string_at(set->tree, "spec.updateStrategy.type"), "OnDelete") != 0;
    for (size_t i = 0; i < set->pods.len; i++) {
        const kube__child *pod = &set->pods.items[i];
        bool outdated = rolling && !kube__pod_has_labels(pod, set->mark);
        if (!pod->object->deleting && (outdated || !has_node(set, pod)))
            kube__turn_delete(set->turn, pod->object, "");
    }
    for (size_t i = 0; i < set->node_count; i++)
        if (!pod_on(set, set->nodes[i]->name))
            create_pod(set, set->nodes[i]->name);
}

static void put_status(const daemons *set)
{
    kube_ctx *ctx = set->turn->ctx;
    kube__pod_counts counts = {0};
    for (size_t i = 0; i < set->pods.len; i++)
        if (has_node(set, &set->pods.items[i]))
            kube__pod_count(&set->pods.items[i], set->mark, &counts);
    int64_t wanted = (int64_t)set->node_count;
    kube__json *status = kube__json_object(ctx);
    kube__json_set_int(ctx, status, "currentNumberScheduled", counts.active);
    kube__json_set_int(ctx, status, "numberMisscheduled", 0);
    kube__json_set_int(ctx, status, "desiredNumberScheduled", wanted);
    kube__json_set_int(ctx, status, "numberReady", counts.ready);
    kube__json_set_int(ctx, status, "observedGeneration",
                       kube__int_at(set->tree, "metadata.generation", 1));
    kube__set_count(ctx, status, "updatedNumberScheduled", counts.labelled);
    kube__set_count(ctx, status, "numberAvailable", counts.ready);
    kube__set_count(ctx, status, "numberUnavailable", wanted - counts.ready);
    kube__put_status(set->turn, set->tree, status);
}

void kube__run_daemon_set(const kube__turn *turn)
{
    const kube__api_range everywhere = {.namespace_ = ""};
    kube__api_object *object = kube__turn_object(turn);
    daemons set = {.turn = turn, .tree = object ? kube__turn_tree(turn, object) : NULL};
    const kube__api_collection *nodes = kube__turn_collection(turn, "", "nodes");
    if (!set.tree || !nodes ||
        !kube__api_store_list(turn->server->store, turn->ctx, nodes, &everywhere, 0, &set.nodes,
                              &set.node_count))
        return;
    for (size_t i = 0; i < set.node_count; i++)
        kube__api_object_ref(set.nodes[i]);
    set.mark = kube__json_object(turn->ctx);
    kube__json_set_string(turn->ctx, set.mark, KUBE__REVISION_LABEL,
                          kube__template_hash(turn->ctx, kube__json_at(set.tree, "spec.template")));
    set.pods = kube__children_of(turn, "", "pods", object);
    if (!object->deleting && !kube_ctx_failed(turn->ctx))
        place(&set);
    if (kube__pods_again(turn, &set.pods))
        put_status(&set);
    kube__children_release(&set.pods);
    for (size_t i = 0; i < set.node_count; i++)
        kube__api_object_unref(set.nodes[i]);
}
