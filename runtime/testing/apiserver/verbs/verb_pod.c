/* SPDX-License-Identifier: Apache-2.0 */
/* What is posted below a Pod: a binding to its node, an eviction. */
#include "apiserver/core/apiserver.h"
#include "apiserver/store/store.h"
#include "verb.h"

#include <string.h>

static void send_success(kube__api_work *work)
{
    kube__heap *heap = work->heap;
    kube__json *status = kube__json_object(heap);
    kube__json_set_string(heap, status, "kind", "Status");
    kube__json_set_string(heap, status, "apiVersion", "v1");
    kube__json_set(heap, status, "metadata", kube__json_object(heap));
    kube__json_set_string(heap, status, "status", "Success");
    kube__json_set_int(heap, status, "code", 201);
    kube__api_send_document(work, 201, status);
}

static kube__api_failure *read_posted(kube__api_work *work, const char *kind, kube__json **out)
{
    kube__api_findings findings = {.heap = work->heap};
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
    kube__heap *heap = work->heap;
    kube__json_set_string(heap, kube__json_ensure_object(heap, pod, "spec"), "nodeName", node);
    kube__json *status = kube__json_ensure_object(heap, pod, "status");
    kube__json *conditions = kube__json_ensure_array(heap, status, "conditions");
    kube__json *condition = kube__json_object(heap);
    for (size_t i = conditions ? conditions->len : 0; i-- > 0;) {
        if (strcmp(kube__json_string_at(kube__json_item(conditions, i), "type"), "PodScheduled") ==
            0)
            kube__json_remove_item(conditions, i);
    }
    kube__json_set_string(heap, condition, "type", "PodScheduled");
    kube__json_set_string(heap, condition, "status", "True");
    kube__json_set(heap, condition, "lastProbeTime", kube__json_null(heap));
    kube__json_set_string(heap, condition, "lastTransitionTime", kube__api_now(work->server, heap));
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
    kube__json *live = kube__api_object_json(work->heap, stored, work->resource);
    kube__json *pod = kube__json_copy(work->heap, live);
    const char *node = kube__json_string_at(binding, "target.name");
    const char *bound = kube__json_string_at(live, "spec.nodeName");
    if (stored->deleting || *bound)
        return kube__api_conflict(
            work->heap, "", "pods/binding", stored->name,
            stored->deleting
                ? kube__heap_printf(work->heap,
                                    "pod %s is being deleted, cannot be assigned to a host",
                                    stored->name)
                : kube__heap_printf(work->heap, "pod %s is already assigned to node \"%s\"",
                                    stored->name, bound));
    bind_to(work, pod, node);
    kube__api_order_members(pod, false);
    failure = kube__api_check_heap(work->heap);
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
    work->request->body = options ? kube__json_text(work->heap, options, &len) : "";
    work->request->body_len = len;
    failure = kube__api_verb_delete(work);
    if (!failure)
        send_success(work);
    return failure;
}
