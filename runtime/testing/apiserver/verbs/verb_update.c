/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/store/store.h"
#include "verb.h"

#include <string.h>

/* Built-ins that an update may create. */
static bool may_create(const kube__api_work *work)
{
    static const char *const kinds[][2] = {
        {"", "services"},
        {"", "endpoints"},
        {"", "events"},
        {"events.k8s.io", "events"},
        {"coordination.k8s.io", "leases"},
        {"rbac.authorization.k8s.io", "roles"},
        {"rbac.authorization.k8s.io", "rolebindings"},
        {"rbac.authorization.k8s.io", "clusterroles"},
        {"rbac.authorization.k8s.io", "clusterrolebindings"},
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof *kinds; i++) {
        if (kube__api_is_kind(work, kinds[i][0], kinds[i][1]))
            return !*work->request->subresource;
    }
    return false;
}

kube__api_failure *kube__api_verb_update(kube__api_work *work)
{
    kube__json *object;
    kube__api_object *stored = NULL;
    kube__api_failure *failure = kube__api_read_options(work, "UpdateOptions", false);
    if (!failure)
        failure = kube__api_read_object(work, &object);
    if (!failure)
        failure = kube__api_check_names(work, object);
    if (failure)
        return failure;
    failure = kube__api_find_object(work, &stored);
    if (!stored && may_create(work)) {
        failure = kube__api_create_object(work, object, false, &object);
        if (!failure)
            kube__api_send(work, 201, object);
        return failure;
    }
    if (!failure)
        failure = kube__api_update_object(work, stored,
                                          kube__api_object_json(work->ctx, stored, work->resource),
                                          object, false, &object);
    if (!failure)
        kube__api_send(work, 200, object);
    return failure;
}
