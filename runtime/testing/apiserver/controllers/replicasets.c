/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/store/store.h"
#include "workloads.h"

#include <string.h>

/* Pods made or deleted in one hold of the lock. */
enum { MOST_AT_ONCE = 20 };

static void create_pods(const kube__turn *turn, const kube__json *tree, int64_t count)
{
    for (int64_t i = 0; i < count && i < MOST_AT_ONCE; i++)
        if (!kube__pod_create(turn, kube__pod_of(turn, tree)))
            return;
}

/* Those that are not ready go first, then the youngest. */
static bool goes_before(const kube__child *a, const kube__child *b)
{
    bool left = kube__pod_is_ready(a->tree);
    bool right = kube__pod_is_ready(b->tree);
    if (left != right)
        return right;
    return strcmp(kube__json_string_at(a->tree, "metadata.creationTimestamp"),
                  kube__json_string_at(b->tree, "metadata.creationTimestamp")) > 0;
}

static void delete_pods(const kube__turn *turn, kube__children *pods, int64_t count)
{
    for (int64_t i = 0; i < count && i < MOST_AT_ONCE; i++) {
        kube__child *first = NULL;
        for (size_t p = 0; p < pods->len; p++) {
            kube__child *pod = &pods->items[p];
            if (pod->tree && kube__pod_is_active(pod) && (!first || goes_before(pod, first)))
                first = pod;
        }
        if (!first)
            return;
        kube__turn_delete(turn, first->object, "");
        first->tree = NULL;
    }
}

static void put_status(const kube__turn *turn, kube__json *tree, const kube__children *pods)
{
    kube_ctx *ctx = turn->ctx;
    const kube__json *labels = kube__json_at(tree, "spec.template.metadata.labels");
    kube__pod_counts counts = {0};
    for (size_t i = 0; i < pods->len; i++)
        kube__pod_count(&pods->items[i], labels, &counts);
    kube__json *status = kube__json_object(ctx);
    kube__json_set_int(ctx, status, "replicas", counts.active);
    kube__set_count(ctx, status, "fullyLabeledReplicas", counts.labelled);
    kube__set_count(ctx, status, "readyReplicas", counts.ready);
    kube__set_count(ctx, status, "availableReplicas", counts.ready);
    kube__json_set_int(ctx, status, "terminatingReplicas", counts.ending);
    kube__json_set_int(ctx, status, "observedGeneration",
                       kube__int_at(tree, "metadata.generation", 1));
    kube__put_status(turn, tree, status);
}

void kube__run_replica_set(const kube__turn *turn)
{
    kube__api_object *object = kube__turn_object(turn);
    kube__json *tree = object ? kube__turn_tree(turn, object) : NULL;
    if (!tree)
        return;
    kube__children pods = kube__children_of(turn, "", "pods", object);
    int64_t missing = kube__int_at(tree, "spec.replicas", 1);
    for (size_t i = 0; i < pods.len; i++)
        missing -= kube__pod_is_active(&pods.items[i]);
    bool deleting = object->deleting;
    bool all = missing <= MOST_AT_ONCE && missing >= -MOST_AT_ONCE;
    if (!deleting && missing > 0)
        create_pods(turn, tree, missing);
    else if (!deleting && missing < 0)
        delete_pods(turn, &pods, -missing);
    /* of what has changed only now the next turn tells */
    if (missing == 0 || deleting) {
        if (kube__pods_again(turn, &pods))
            put_status(turn, tree, &pods);
    } else if (!all) {
        kube__controllers_add(turn->controllers, KUBE__JOB_REPLICA_SET, turn->job->collection,
                              turn->job->namespace_, turn->job->name);
    }
    kube__children_release(&pods);
}
