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
    kube__json *condition = kube__json_object(turn->ctx);
    kube__json_set_string(turn->ctx, condition, "type", type);
    kube__json_set_string(turn->ctx, condition, "status", "True");
    kube__json_set(turn->ctx, condition, "lastProbeTime", kube__json_null(turn->ctx));
    kube__json_set_string(turn->ctx, condition, "lastTransitionTime",
                          kube__api_now(turn->server, turn->ctx));
    kube__json_append(conditions, condition);
}

static void add_container(const kube__turn *turn, kube__json *statuses, const kube__json *container)
{
    kube_ctx *ctx = turn->ctx;
    const char *image = kube__json_string_at(container, "image");
    kube__json *status = kube__json_object(ctx);
    kube__json_set_string(ctx, status, "name", kube__json_string_at(container, "name"));
    kube__json *running =
        kube__json_ensure_object(ctx, kube__json_ensure_object(ctx, status, "state"), "running");
    kube__json_set_string(ctx, running, "startedAt", kube__api_now(turn->server, ctx));
    kube__json_ensure_object(ctx, status, "lastState");
    kube__json_set_bool(ctx, status, "ready", true);
    kube__json_set_int(ctx, status, "restartCount", 0);
    kube__json_set_string(ctx, status, "image", image);
    kube__json_set_string(ctx, status, "imageID", image);
    kube__json_set_bool(ctx, status, "started", true);
    kube__json_append(statuses, status);
}

/* An address in 10.244.0.0/16 that is the Pod's alone, mostly. */
static const char *address_of(kube_ctx *ctx, const char *uid)
{
    unsigned sum = (unsigned)kube__api_sum(uid, strlen(uid));
    return kube__api_text(ctx, "10.244.%u.%u", sum >> 8 & 0xff, sum % 254 + 1);
}

static void start(const kube__turn *turn, kube__json *tree)
{
    static const char *const conditions[] = {"PodReadyToStartContainers", "Initialized", "Ready",
                                             "ContainersReady", "PodScheduled"};
    kube_ctx *ctx = turn->ctx;
    kube__json *status = kube__json_copy(ctx, kube__json_get(tree, "status"));
    const char *address = address_of(ctx, kube__json_string_at(tree, "metadata.uid"));
    if (!status)
        status = kube__json_object(ctx);
    kube__json_set_string(ctx, status, "phase", "Running");
    kube__json *list = kube__json_set(ctx, status, "conditions", kube__json_array(ctx));
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        add_condition(turn, list, conditions[i]);
    kube__json_set_string(ctx, status, "hostIP", "127.0.0.1");
    kube__json_set_string(ctx, status, "podIP", address);
    kube__json *entry = kube__json_object(ctx);
    kube__json_set_string(ctx, entry, "ip", address);
    kube__json_append(kube__json_ensure_array(ctx, status, "podIPs"), entry);
    kube__json_set_string(ctx, status, "startTime", kube__api_now(turn->server, ctx));
    list = kube__json_set(ctx, status, "containerStatuses", kube__json_array(ctx));
    KUBE__JSON_EACH (container, kube__json_at(tree, "spec.containers"))
        add_container(turn, list, container);
    kube__put_status(turn, tree, status);
}

/* The grace period is over at once, for nothing runs. */
static void end(const kube__turn *turn, const kube__api_object *object)
{
    kube__api_failure *failure;
    const char *path =
        kube__api_text(turn->ctx, "/api/v1/namespaces/%s/pods/%s?gracePeriodSeconds=0",
                       object->namespace_, object->name);
    if (path)
        kube__api_loopback(turn->server, turn->ctx, "DELETE", path, NULL, NULL, &failure);
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
