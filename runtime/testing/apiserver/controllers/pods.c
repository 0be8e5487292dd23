/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In place of scheduler and kubelet: a Pod that has a controller runs at once and is ready, and one
 * that is being deleted is gone.
 */
#include "apiserver/core/apiserver.h"
#include "apiserver/store/store.h"
#include "apiserver/value/sum.h"
#include "apiserver/verbs/loopback.h"
#include "workloads.h"

#include <string.h>

static void add_condition(const kube__turn *turn, kube__json *conditions, const char *type)
{
    kube__json *condition = kube__json_object(turn->heap);
    kube__json_set_string(turn->heap, condition, "type", type);
    kube__json_set_string(turn->heap, condition, "status", "True");
    kube__json_set(turn->heap, condition, "lastProbeTime", kube__json_null(turn->heap));
    kube__json_set_string(turn->heap, condition, "lastTransitionTime",
                          kube__api_now(turn->server, turn->heap));
    kube__json_append(conditions, condition);
}

static void add_container(const kube__turn *turn, kube__json *statuses, const kube__json *container)
{
    kube__heap *heap = turn->heap;
    const char *image = kube__json_string_at(container, "image");
    kube__json *status = kube__json_object(heap);
    kube__json_set_string(heap, status, "name", kube__json_string_at(container, "name"));
    kube__json *running =
        kube__json_ensure_object(heap, kube__json_ensure_object(heap, status, "state"), "running");
    kube__json_set_string(heap, running, "startedAt", kube__api_now(turn->server, heap));
    kube__json_ensure_object(heap, status, "lastState");
    kube__json_set_bool(heap, status, "ready", true);
    kube__json_set_int(heap, status, "restartCount", 0);
    kube__json_set_string(heap, status, "image", image);
    kube__json_set_string(heap, status, "imageID", image);
    kube__json_set_bool(heap, status, "started", true);
    kube__json_append(statuses, status);
}

/* An address in 10.244.0.0/16 that is the Pod's alone, mostly. */
static const char *address_of(kube__heap *heap, const char *uid)
{
    unsigned sum = (unsigned)kube__api_sum(uid, strlen(uid));
    return kube__heap_printf(heap, "10.244.%u.%u", sum >> 8 & 0xff, sum % 254 + 1);
}

static void start(const kube__turn *turn, kube__json *tree)
{
    static const char *const conditions[] = {"PodReadyToStartContainers", "Initialized", "Ready",
                                             "ContainersReady", "PodScheduled"};
    kube__heap *heap = turn->heap;
    kube__json *status = kube__json_copy(heap, kube__json_get(tree, "status"));
    const char *address = address_of(heap, kube__json_string_at(tree, "metadata.uid"));
    if (!status)
        status = kube__json_object(heap);
    kube__json_set_string(heap, status, "phase", "Running");
    kube__json *list = kube__json_set(heap, status, "conditions", kube__json_array(heap));
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        add_condition(turn, list, conditions[i]);
    kube__json_set_string(heap, status, "hostIP", "127.0.0.1");
    kube__json_set_string(heap, status, "podIP", address ? address : "");
    kube__json *entry = kube__json_object(heap);
    kube__json_set_string(heap, entry, "ip", address ? address : "");
    kube__json_append(kube__json_ensure_array(heap, status, "podIPs"), entry);
    kube__json_set_string(heap, status, "startTime", kube__api_now(turn->server, heap));
    list = kube__json_set(heap, status, "containerStatuses", kube__json_array(heap));
    KUBE__JSON_EACH (container, kube__json_at(tree, "spec.containers"))
        add_container(turn, list, container);
    kube__put_status(turn, tree, status);
}

/* The grace period is over at once, for nothing runs. */
static void end(const kube__turn *turn, const kube__api_object *object)
{
    kube__api_failure *failure;
    const char *path =
        kube__heap_printf(turn->heap, "/api/v1/namespaces/%s/pods/%s?gracePeriodSeconds=0",
                          object->namespace_, object->name);
    if (path)
        kube__api_loopback(turn->server, turn->heap, "DELETE", path, NULL, NULL, &failure);
}

void kube__run_pod(const kube__turn *turn)
{
    kube__api_object *object = kube__turn_object(turn);
    kube__json *tree = object ? kube__turn_tree(turn, object) : NULL;
    if (!kube__controller_of(tree))
        return;
    const kube__json *finalizers = kube__json_at(tree, "metadata.finalizers");
    if (object->deleting && (!finalizers || !finalizers->len))
        end(turn, object);
    else if (!object->deleting &&
             strcmp(kube__json_string_at(tree, "status.phase"), "Pending") == 0)
        start(turn, tree);
}
