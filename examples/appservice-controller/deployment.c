/* SPDX-License-Identifier: Apache-2.0 */
#include "controller.h"

#include <string.h>

/* The instance is the Deployment's name, which the CRD keeps short enough for a label; an
 * AppService's own may be too long. */
static kube_code set_labels(kube_ctx *ctx, const char *name, kube_string_map *labels,
                            kube_error *err)
{
    kube_code rc = kube_string_map_set(ctx, labels, LABEL_INSTANCE, name, err);
    return rc ? rc : kube_string_map_set(ctx, labels, LABEL_MANAGED_BY, FIELD_MANAGER, err);
}

static core_v1_container *app_container(kube_ctx *ctx, core_v1_container_list *containers)
{
    core_v1_container *made;
    for (size_t i = 0; i < containers->len; i++) {
        if (strcmp(containers->items[i].name, CONTAINER_NAME) == 0)
            return &containers->items[i];
    }
    made = KUBE_LIST_APPEND(ctx, containers);
    made->name = CONTAINER_NAME;
    return made;
}

kube_code deployment_shape(kube_ctx *ctx, const appcontroller_v1alpha1_app_service *service,
                           const char *image, apps_v1_deployment *deployment, kube_error *err)
{
    const char *name = service->spec.deployment_name;
    apps_v1_deployment_spec *spec = &deployment->spec;
    kube_code rc = set_labels(ctx, name, &deployment->metadata.labels, err);
    if (!rc)
        rc = set_labels(ctx, name, &spec->template_.metadata.labels, err);
    if (!rc && !spec->selector.match_labels.len) /* it cannot be changed */
        rc = set_labels(ctx, name, &spec->selector.match_labels, err);
    if (rc)
        return rc;
    deployment->metadata.name = name;
    deployment->metadata.namespace_ = service->metadata.namespace_;
    if (service->spec.replicas.set) /* otherwise anybody may scale it */
        spec->replicas = service->spec.replicas;
    app_container(ctx, &spec->template_.spec.containers)->image = image;
    return appcontroller_v1alpha1_app_service_set_controller_reference(ctx, &deployment->metadata,
                                                                       service, err);
}

struct first_path {
    kube_ctx *ctx;
    const char *path;
};

static bool keep_path(void *arg, const char *path)
{
    struct first_path *first = arg;
    first->path = kube_ctx_strdup(first->ctx, path);
    return false;
}

const char *deployment_difference(kube_ctx *ctx, const apps_v1_deployment *a,
                                  const apps_v1_deployment *b)
{
    struct first_path first = {ctx, NULL};
    kube_diff_paths(&apps_v1_deployment_type, &a->base, &b->base, keep_path, &first, 1);
    return first.path;
}

static bool has_all(const kube_string_map *found, const kube_string_map *wanted)
{
    for (size_t i = 0; i < wanted->len; i++) {
        const char *value = kube_string_map_get(found, wanted->items[i].key);
        if (!value || strcmp(value, wanted->items[i].value) != 0)
            return false;
    }
    return true;
}

bool deployment_is_orphan(const apps_v1_deployment *found, const apps_v1_deployment *wanted)
{
    const kube_label_selector *selector = &found->spec.selector;
    return !kube_controller_of(&found->metadata) &&
           has_all(&found->metadata.labels, &wanted->metadata.labels) &&
           has_all(&selector->match_labels, &wanted->spec.selector.match_labels) &&
           selector->match_labels.len == wanted->spec.selector.match_labels.len &&
           selector->match_expressions.len == 0;
}

const char *deployment_unfinished(kube_ctx *ctx, const apps_v1_deployment *deployment)
{
    const apps_v1_deployment_status *status = &deployment->status;
    const int wanted = deployment->spec.replicas.set ? deployment->spec.replicas.value : 1;
    const int updated = status->updated_replicas.value;
    const int old = status->replicas.value - updated;
    if (status->observed_generation.value < deployment->metadata.generation)
        return "the last change of the Deployment has not been observed yet";
    if (updated < wanted)
        return kube_printf(ctx, "%d of %d new replicas have been made", updated, wanted);
    if (old > 0)
        return kube_printf(ctx, "%d old replicas have not ended yet", old);
    if (status->available_replicas.value < updated)
        return kube_printf(ctx, "%d of %d new replicas are available",
                           status->available_replicas.value, updated);
    return NULL;
}
