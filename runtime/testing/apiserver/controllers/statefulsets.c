/* SPDX-License-Identifier: Apache-2.0 */
/* StatefulSets in their simple form: numbered Pods in order, one change at a time; no volumes. */
#include "apiserver/store/store.h"
#include "workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct numbered {
    const kube__turn *turn;
    kube__json *tree;
    kube__children pods;
    int64_t replicas;
    int64_t start;        /* the first number */
    const char *revision; /* NAME-HASH of the template as it is */
    kube__json *mark;     /* the label with it */
    bool parallel;
} numbered;

/* The number at the end of a Pod's name, -1 if it has no number. */
static int64_t number_of(const kube__child *pod)
{
    const char *dash = strrchr(pod->object->name, '-');
    char *end;
    long long number = dash ? strtoll(dash + 1, &end, 10) : -1;
    return dash && dash[1] && !*end ? number : -1;
}

static const kube__child *pod_with(const numbered *set, int64_t number)
{
    for (size_t i = 0; i < set->pods.len; i++)
        if (number_of(&set->pods.items[i]) == number)
            return &set->pods.items[i];
    return NULL;
}

static void create_pod(const numbered *set, int64_t number)
{
    kube_ctx *ctx = set->turn->ctx;
    const char *name = kube__api_text(ctx, "%s-%lld", set->turn->job->name, (long long)number);
    kube__json *pod = kube__pod_of(set->turn, set->tree);
    kube__json *metadata = kube__json_get(pod, "metadata");
    kube__json *labels = kube__json_ensure_object(ctx, metadata, "labels");
    kube__json *spec = kube__json_get(pod, "spec");
    const char *index = name ? strrchr(name, '-') + 1 : "";
    if (!name)
        return;
    kube__json_set_string(ctx, metadata, "name", name);
    kube__json_set_string(ctx, labels, "apps.kubernetes.io/pod-index", index);
    kube__json_set_string(ctx, labels, KUBE__REVISION_LABEL, set->revision);
    kube__json_set_string(ctx, labels, "statefulset.kubernetes.io/pod-name", name);
    kube__json_set_string(ctx, spec, "hostname", name);
    if (*kube__json_string_at(set->tree, "spec.serviceName"))
        kube__json_set_string(ctx, spec, "subdomain",
                              kube__json_string_at(set->tree, "spec.serviceName"));
    kube__pod_create(set->turn, pod);
}

/* The next Pod to make, those before it being ready; true when something was done or is awaited. */
static bool make_next(const numbered *set)
{
    bool made = false;
    for (int64_t n = set->start; n < set->start + set->replicas; n++) {
        const kube__child *pod = pod_with(set, n);
        if (!pod) {
            create_pod(set, n);
            made = true;
        }
        if (!set->parallel && (!pod || !kube__pod_is_ready(pod->tree)))
            return true;
    }
    return made;
}

/* The Pod with the highest number that is not wanted, or not of the newest template. */
static const kube__child *next_to_go(const numbered *set)
{
    const kube__child *surplus = NULL;
    const kube__child *outdated = NULL;
    bool on_delete =
        strcmp(kube__json_string_at(set->tree, "spec.updateStrategy.type"), "OnDelete") == 0;
    int64_t partition = kube__int_at(set->tree, "spec.updateStrategy.rollingUpdate.partition", 0);
    for (size_t i = 0; i < set->pods.len; i++) {
        const kube__child *pod = &set->pods.items[i];
        int64_t n = number_of(pod);
        if (n >= set->start + set->replicas || n < set->start) {
            if (!surplus || n > number_of(surplus))
                surplus = pod;
        } else if (!on_delete && n >= partition && !kube__pod_has_labels(pod, set->mark) &&
                   (!outdated || n > number_of(outdated))) {
            outdated = pod;
        }
    }
    return surplus ? surplus : outdated;
}

static void put_status(const numbered *set)
{
    kube_ctx *ctx = set->turn->ctx;
    kube__pod_counts counts = {0};
    for (size_t i = 0; i < set->pods.len; i++)
        kube__pod_count(&set->pods.items[i], set->mark, &counts);
    const char *current = kube__json_string_at(set->tree, "status.currentRevision");
    if (!*current || counts.labelled == set->replicas)
        current = set->revision;
    kube__json *status = kube__json_object(ctx);
    kube__json_set_int(ctx, status, "observedGeneration",
                       kube__int_at(set->tree, "metadata.generation", 1));
    kube__json_set_int(ctx, status, "replicas", counts.active);
    kube__set_count(ctx, status, "readyReplicas", counts.ready);
    bool all = strcmp(current, set->revision) == 0;
    kube__set_count(ctx, status, "currentReplicas", counts.active - (all ? 0 : counts.labelled));
    kube__set_count(ctx, status, "updatedReplicas", counts.labelled);
    kube__json_set_string(ctx, status, "currentRevision", current);
    kube__json_set_string(ctx, status, "updateRevision", set->revision);
    kube__json_set_int(ctx, status, "collisionCount", 0);
    kube__json_set_int(ctx, status, "availableReplicas", counts.ready);
    kube__put_status(set->turn, set->tree, status);
}

void kube__run_stateful_set(const kube__turn *turn)
{
    kube__api_object *object = kube__turn_object(turn);
    numbered set = {.turn = turn, .tree = object ? kube__turn_tree(turn, object) : NULL};
    if (!set.tree)
        return;
    set.replicas = kube__int_at(set.tree, "spec.replicas", 1);
    set.start = kube__int_at(set.tree, "spec.ordinals.start", 0);
    set.parallel =
        strcmp(kube__json_string_at(set.tree, "spec.podManagementPolicy"), "Parallel") == 0;
    set.revision =
        kube__api_text(turn->ctx, "%s-%s", object->name,
                       kube__template_hash(turn->ctx, kube__json_at(set.tree, "spec.template")));
    set.mark = kube__json_object(turn->ctx);
    kube__json_set_string(turn->ctx, set.mark, KUBE__REVISION_LABEL, set.revision);
    set.pods = kube__children_of(turn, "", "pods", object);
    if (set.revision && !object->deleting && !make_next(&set)) {
        const kube__child *pod = next_to_go(&set);
        if (pod && !pod->object->deleting)
            kube__turn_delete(turn, pod->object, "");
    }
    if (kube__pods_again(turn, &set.pods))
        put_status(&set);
    kube__children_release(&set.pods);
}
