/* SPDX-License-Identifier: Apache-2.0 */
#include "deployment.h"

#include <kube/owner.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/*
 * The instance is the Deployment's name, which the CRD keeps short enough for a label; an
 * AppService's own may be too long. These labels are the selector too, and the API server lets
 * nobody change the selector of a Deployment: should another one take the name in the moment
 * between our cache and our apply, the apply is refused rather than taking it over.
 */
static kube_code our_labels(kube_ctx *ctx, const char *name, kube_string_map *labels,
                            kube_error *err)
{
    kube_code rc = kube_string_map_set(ctx, labels, LABEL_INSTANCE, name, err);
    return rc ? rc : kube_string_map_set(ctx, labels, LABEL_MANAGED_BY, FIELD_MANAGER, err);
}

kube_code deployment_wanted(kube_ctx *ctx, const appcontroller_v1alpha1_app_service *service,
                            const char *image, apps_v1_deployment **out, kube_error *err)
{
    apps_v1_deployment *wanted = kube_ctx_alloc(ctx, sizeof *wanted);
    core_v1_container *container;
    kube_string_map labels = {0};
    kube_code rc;
    *out = NULL;
    container = KUBE_LIST_APPEND(ctx, &wanted->spec.template_.spec.containers);
    rc = our_labels(ctx, service->spec.deployment_name, &labels, err);
    if (rc)
        return rc;
    wanted->metadata.name = service->spec.deployment_name;
    wanted->metadata.namespace_ = service->metadata.namespace_;
    wanted->metadata.labels = labels;
    wanted->spec.replicas = service->spec.replicas; /* unset = not said: anybody may scale it */
    wanted->spec.selector.match_labels = labels;
    wanted->spec.template_.metadata.labels = labels;
    container->name = CONTAINER_NAME;
    container->image = image;
    rc = kube_set_controller_reference(ctx, &wanted->metadata, &service->base, err);
    if (!rc)
        *out = wanted;
    return rc;
}

/* ---- difference ---------------------------------------------------------------------------- */

static bool has_all(const kube_string_map *found, const kube_string_map *wanted)
{
    for (size_t i = 0; i < wanted->len; i++) {
        const char *value = kube_string_map_get(found, wanted->items[i].key);
        if (!value || strcmp(value, wanted->items[i].value) != 0)
            return false;
    }
    return true;
}

static const core_v1_container *container_of(const core_v1_container_list *containers,
                                             const char *name)
{
    for (size_t i = 0; i < containers->len; i++) {
        if (same_text(containers->items[i].name, name))
            return &containers->items[i];
    }
    return NULL;
}

static bool has_image(const core_v1_container_list *found, const core_v1_container *wanted)
{
    const core_v1_container *container = container_of(found, wanted->name);
    return container && same_text(container->image, wanted->image);
}

static bool has_controller(const kube_object_meta *found, const kube_object_meta *wanted)
{
    const kube_owner_reference *ours = kube_controller_of(wanted);
    const kube_owner_reference *theirs = kube_controller_of(found);
    return theirs && same_text(theirs->uid, ours->uid);
}

const char *deployment_difference(const apps_v1_deployment *wanted, const apps_v1_deployment *found)
{
    const kube_opt_int32 *replicas = &wanted->spec.replicas;
    if (!has_controller(&found->metadata, &wanted->metadata))
        return "metadata.ownerReferences";
    if (!has_all(&found->metadata.labels, &wanted->metadata.labels))
        return "metadata.labels";
    if (replicas->set &&
        !(found->spec.replicas.set && found->spec.replicas.value == replicas->value))
        return "spec.replicas";
    if (!has_all(&found->spec.template_.metadata.labels, &wanted->spec.template_.metadata.labels))
        return "spec.template.metadata.labels";
    if (!has_image(&found->spec.template_.spec.containers,
                   &wanted->spec.template_.spec.containers.items[0]))
        return "spec.template.spec.containers";
    return NULL;
}

/* ---- claim --------------------------------------------------------------------------------- */

static bool is_app_service(const kube_owner_reference *owner, const char *name)
{
    const kube_type *type = &appcontroller_v1alpha1_app_service_type;
    return same_text(owner->api_version, type->api_version) && same_text(owner->kind, type->kind) &&
           same_text(owner->name, name);
}

/* Left by an AppService that went without it (kubectl delete --cascade=orphan). */
static bool is_orphan(const apps_v1_deployment *found, const apps_v1_deployment *wanted)
{
    const kube_label_selector *selector = &found->spec.selector;
    return has_all(&found->metadata.labels, &wanted->metadata.labels) &&
           has_all(&selector->match_labels, &wanted->spec.selector.match_labels) &&
           selector->match_labels.len == wanted->spec.selector.match_labels.len &&
           selector->match_expressions.len == 0;
}

enum deployment_claim deployment_claim(const apps_v1_deployment *found,
                                       const apps_v1_deployment *wanted,
                                       const appcontroller_v1alpha1_app_service *service)
{
    const kube_owner_reference *controller = kube_controller_of(&found->metadata);
    if (!controller)
        return is_orphan(found, wanted) ? DEPLOYMENT_ORPHAN : DEPLOYMENT_FOREIGN;
    if (kube_is_controlled_by(&found->metadata, &service->base))
        return DEPLOYMENT_OURS;
    return is_app_service(controller, service->metadata.name) ? DEPLOYMENT_PREDECESSOR
                                                              : DEPLOYMENT_FOREIGN;
}

const char *deployment_owner_text(kube_ctx *ctx, const apps_v1_deployment *found)
{
    const kube_owner_reference *controller = kube_controller_of(&found->metadata);
    if (!controller)
        return kube_printf(ctx, "Deployment %s/%s is not controlled by this AppService",
                           found->metadata.namespace_, found->metadata.name);
    return kube_printf(ctx, "Deployment %s/%s is controlled by %s %s", found->metadata.namespace_,
                       found->metadata.name, controller->kind, controller->name);
}
