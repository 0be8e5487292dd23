/* SPDX-License-Identifier: Apache-2.0 */
/* A pod's state in a few words, from the states of its containers. */
#include "table.h"

#include <string.h>

typedef struct summary {
    kube_ctx *ctx;
    const kube__json *pod;
    int64_t ready;
    int64_t total;
    int64_t restarts;
    int64_t sidecar_restarts; /* of init containers that run on */
    const char *last_restart; /* RFC 3339, which sorts by time; "" = never */
    const char *last_sidecar_restart;
    const char *reason;
    bool initializing;
} summary;

static bool has_text(const char *text)
{
    return text && *text;
}

static bool is_true_condition(const kube__json *pod, const char *type)
{
    KUBE__JSON_EACH (condition, kube__json_at(pod, "status.conditions")) {
        if (strcmp(kube__json_string_at(condition, "type"), type) == 0)
            return strcmp(kube__json_string_at(condition, "status"), "True") == 0;
    }
    return false;
}

/* An init container that is not waited for, but runs beside the others. */
static bool is_sidecar(const kube__json *pod, const char *name)
{
    KUBE__JSON_EACH (container, kube__json_at(pod, "spec.initContainers")) {
        if (strcmp(kube__json_string_at(container, "name"), name) == 0)
            return strcmp(kube__json_string_at(container, "restartPolicy"), "Always") == 0;
    }
    return false;
}

static void later(const char **time, const kube__json *status)
{
    const char *finished = kube__json_string_at(status, "lastState.terminated.finishedAt");
    if (strcmp(finished, *time) > 0)
        *time = finished;
}

/* Why a container ended: its reason, else the signal or the exit code. */
static const char *termination(const summary *s, const char *prefix, const kube__json *terminated)
{
    const char *reason = kube__json_string_at(terminated, "reason");
    long long signal = kube__table_int(terminated, "signal");
    long long code = kube__table_int(terminated, "exitCode");
    return has_text(reason) ? kube__api_text(s->ctx, "%s%s", prefix, reason)
           : signal         ? kube__api_text(s->ctx, "%sSignal:%lld", prefix, signal)
                            : kube__api_text(s->ctx, "%sExitCode:%lld", prefix, code);
}

/* True when this one does not hold up the pod's start. */
static bool is_past_init(summary *s, const kube__json *status, bool sidecar)
{
    const kube__json *terminated = kube__json_at(status, "state.terminated");
    if (terminated && kube__table_int(terminated, "exitCode") == 0)
        return true;
    if (!sidecar || !kube__json_is_true(kube__json_get(status, "started")))
        return false;
    if (kube__json_is_true(kube__json_get(status, "ready")))
        s->ready++;
    return true;
}

static void look_at_init(summary *s)
{
    const kube__json *specs = kube__json_at(s->pod, "spec.initContainers");
    size_t index = 0;
    KUBE__JSON_EACH (status, kube__json_at(s->pod, "status.initContainerStatuses")) {
        const kube__json *terminated = kube__json_at(status, "state.terminated");
        const char *waiting = kube__json_string_at(status, "state.waiting.reason");
        bool sidecar = is_sidecar(s->pod, kube__json_string_at(status, "name"));
        s->restarts += kube__table_int(status, "restartCount");
        later(&s->last_restart, status);
        if (sidecar) {
            s->sidecar_restarts += kube__table_int(status, "restartCount");
            later(&s->last_sidecar_restart, status);
        }
        if (is_past_init(s, status, sidecar)) {
            index++;
            continue;
        }
        s->initializing = true;
        if (terminated)
            s->reason = termination(s, "Init:", terminated);
        else if (has_text(waiting) && strcmp(waiting, "PodInitializing") != 0)
            s->reason = kube__api_text(s->ctx, "Init:%s", waiting);
        else
            s->reason = kube__api_text(s->ctx, "Init:%zu/%zu", index, specs ? specs->len : 0);
        s->reason = s->reason ? s->reason : "";
        return;
    }
}

static void look_at_containers(summary *s)
{
    const kube__json *statuses = kube__json_at(s->pod, "status.containerStatuses");
    const char *error = "";
    bool running = false;
    s->restarts = s->sidecar_restarts;
    s->last_restart = s->last_sidecar_restart;
    for (const kube__json *status = statuses ? statuses->last : NULL; status;
         status = status->previous) {
        const kube__json *terminated = kube__json_at(status, "state.terminated");
        const char *waiting = kube__json_string_at(status, "state.waiting.reason");
        s->restarts += kube__table_int(status, "restartCount");
        later(&s->last_restart, status);
        if (has_text(waiting)) {
            s->reason = waiting;
        } else if (terminated) {
            s->reason = termination(s, "", terminated);
            if (kube__table_int(terminated, "exitCode"))
                error = s->reason;
        } else if (kube__json_is_true(kube__json_get(status, "ready")) &&
                   kube__json_at(status, "state.running")) {
            running = true;
            s->ready++;
        }
    }
    if (strcmp(s->reason, "Completed") != 0)
        return;
    if (running && is_true_condition(s->pod, "Ready"))
        s->reason = "Running";
    else if (*error)
        s->reason = error;
    else if (running)
        s->reason = "NotReady";
}

static const char *initial_reason(const kube__json *pod)
{
    KUBE__JSON_EACH (condition, kube__json_at(pod, "status.conditions")) {
        if (strcmp(kube__json_string_at(condition, "type"), "PodScheduled") == 0 &&
            strcmp(kube__json_string_at(condition, "reason"), "SchedulingGated") == 0)
            return "SchedulingGated";
    }
    return kube__table_string(pod, "status.reason", kube__json_string_at(pod, "status.phase"));
}

/* A pod that is being deleted shows that, whatever its containers do. */
static void look_at_deletion(summary *s)
{
    const char *phase = kube__json_string_at(s->pod, "status.phase");
    if (!*kube__json_string_at(s->pod, "metadata.deletionTimestamp"))
        return;
    if (strcmp(kube__json_string_at(s->pod, "status.reason"), "NodeLost") == 0)
        s->reason = "Unknown";
    else if (strcmp(phase, "Succeeded") != 0 && strcmp(phase, "Failed") != 0)
        s->reason = "Terminating";
}

static summary summarize(kube_ctx *ctx, const kube__json *pod)
{
    const kube__json *containers = kube__json_at(pod, "spec.containers");
    summary s = {.ctx = ctx,
                 .pod = pod,
                 .total = containers ? (int64_t)containers->len : 0,
                 .last_restart = "",
                 .last_sidecar_restart = "",
                 .reason = initial_reason(pod)};
    KUBE__JSON_EACH (container, kube__json_at(pod, "spec.initContainers")) {
        if (strcmp(kube__json_string_at(container, "restartPolicy"), "Always") == 0)
            s.total++;
    }
    look_at_init(&s);
    if (!s.initializing || is_true_condition(pod, "Initialized"))
        look_at_containers(&s);
    look_at_deletion(&s);
    return s;
}

static const char *gates_text(kube_ctx *ctx, const kube__json *pod)
{
    const kube__json *gates = kube__json_at(pod, "spec.readinessGates");
    size_t passed = 0;
    if (!gates || !gates->len)
        return "<none>";
    KUBE__JSON_EACH (gate, gates)
        passed += is_true_condition(pod, kube__json_string_at(gate, "conditionType"));
    return kube__api_text(ctx, "%zu/%zu", passed, gates->len);
}

kube__json *kube__table_pod_cells(kube_ctx *ctx, const kube__json *pod, const char *now)
{
    summary s = summarize(ctx, pod);
    kube__json *cells = kube__json_array(ctx);
    const kube__json *ip = kube__json_item(kube__json_at(pod, "status.podIPs"), 0);
    const char *restarts = kube__api_text(ctx, "%lld", (long long)s.restarts);
    if (s.restarts && *s.last_restart)
        restarts = kube__api_text(ctx, "%lld (%s ago)", (long long)s.restarts,
                                  kube__table_age(ctx, s.last_restart, now));
    kube__table_text(ctx, cells, kube__json_string_at(pod, "metadata.name"));
    kube__table_text(ctx, cells,
                     kube__api_text(ctx, "%lld/%lld", (long long)s.ready, (long long)s.total));
    kube__table_text(ctx, cells, s.reason);
    kube__table_text(ctx, cells, restarts);
    kube__table_text(
        ctx, cells,
        kube__table_age(ctx, kube__json_string_at(pod, "metadata.creationTimestamp"), now));
    kube__table_text(ctx, cells, kube__table_string(ip, "ip", "<none>"));
    kube__table_text(ctx, cells, kube__table_string(pod, "spec.nodeName", "<none>"));
    kube__table_text(ctx, cells, kube__table_string(pod, "status.nominatedNodeName", "<none>"));
    kube__table_text(ctx, cells, gates_text(ctx, pod));
    return cells;
}
