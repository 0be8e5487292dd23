/* SPDX-License-Identifier: Apache-2.0 */
/* What is posted below a Pod: a binding to its node, an eviction. */
#include "apiserver/core/apiserver.h"
#include "apiserver/store/store.h"
#include "verb.h"

#include <string.h>

static void send_success(kube__api_work *work)
{
    kube_ctx *ctx = work->ctx;
    kube__json *status = kube__api_success(ctx);
    kube__json_set_int(ctx, status, "code", 201);
    kube__api_send_document(work, 201, status);
}

static kube__api_failure *read_posted(kube__api_work *work, const char *kind, kube__json **out)
{
    kube__api_findings findings = {.ctx = work->ctx};
    bool yaml;
    kube__api_failure *failure = kube__api_read_options(work, "CreateOptions", false);
    if (!failure)
        failure = kube__api_check_content_type(work, &yaml);
    if (!failure)
        failure = kube__api_read_document(work, kind, yaml, &findings, out);
    return failure;
}

/* The scheduler's word: sets the node and the condition that says so. */
static void bind_to(kube__api_work *work, kube__json *pod, const char *node)
{
    kube_ctx *ctx = work->ctx;
    kube__json_set_string(ctx, kube__json_ensure_object(ctx, pod, "spec"), "nodeName", node);
    kube__json *status = kube__json_ensure_object(ctx, pod, "status");
    kube__json *conditions = kube__json_ensure_array(ctx, status, "conditions");
    kube__json *condition = kube__json_object(ctx);
    for (kube__json *old = conditions ? conditions->first : NULL, *next; old; old = next) {
        next = old->next;
        if (strcmp(kube__json_string_at(old, "type"), "PodScheduled") == 0)
            kube__json_take_item(conditions, old);
    }
    kube__json_set_string(ctx, condition, "type", "PodScheduled");
    kube__json_set_string(ctx, condition, "status", "True");
    kube__json_set(ctx, condition, "lastProbeTime", kube__json_null(ctx));
    kube__json_set_string(ctx, condition, "lastTransitionTime", kube__api_now(work->server, ctx));
    kube__json_append(conditions, condition);
}

kube__api_failure *kube__api_pod_bind(kube__api_work *work)
{
    kube__json *binding;
    kube__api_object *stored;
    kube__api_failure *failure = read_posted(work, "Binding", &binding);
    if (!failure)
        failure = kube__api_find_object(work, &stored);
    if (failure)
        return failure;
    kube__json *live = kube__api_object_json(work->ctx, stored, work->resource);
    kube__json *pod = kube__json_copy(work->ctx, live);
    const char *node = kube__json_string_at(binding, "target.name");
    const char *bound = kube__json_string_at(live, "spec.nodeName");
    if (stored->deleting || *bound)
        return kube__api_conflict(
            work->ctx, "", "pods/binding", stored->name,
            stored->deleting
                ? kube__api_text(work->ctx, "pod %s is being deleted, cannot be assigned to a host",
                                 stored->name)
                : kube__api_text(work->ctx, "pod %s is already assigned to node \"%s\"",
                                 stored->name, bound));
    bind_to(work, pod, node);
    kube__api_order_members(pod, false);
    failure = kube__api_check_memory(work->ctx);
    if (!failure && !work->dry_run)
        failure = kube__api_commit(work, pod, live, NULL);
    if (!failure)
        send_success(work);
    return failure;
}

/* There are no disruption budgets: it is a deletion with another answer. */
kube__api_failure *kube__api_pod_evict(kube__api_work *work)
{
    kube__json *eviction;
    kube__api_failure *failure = read_posted(work, "Eviction", &eviction);
    if (failure)
        return failure;
    kube__json *options = kube__json_get(eviction, "deleteOptions");
    size_t len = 0;
    work->request->body = options ? kube__json_text(work->ctx, options, &len) : "";
    work->request->body_len = len;
    failure = kube__api_verb_delete(work);
    if (!failure)
        send_success(work);
    return failure;
}
