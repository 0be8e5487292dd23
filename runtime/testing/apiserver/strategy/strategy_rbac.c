/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/core/field_error.h"
#include "strategy_parts.h"

#include <string.h>

static const char rbac_group[] = "rbac.authorization.k8s.io";

void kube__api_rbac_default(kube_ctx *ctx, kube__json *object)
{
    kube__json *role = kube__json_get(object, "roleRef");
    if (role)
        kube__api_default_text(ctx, role, "apiGroup", rbac_group);
    KUBE__JSON_EACH (subject, kube__json_get(object, "subjects")) {
        const char *kind = kube__json_string_at(subject, "kind");
        if (strcmp(kind, "User") == 0 || strcmp(kind, "Group") == 0)
            kube__api_default_text(ctx, subject, "apiGroup", rbac_group);
    }
}

static size_t len_of(const kube__json *rule, const char *member)
{
    const kube__json *value = kube__json_get(rule, member);
    return value ? value->len : 0;
}

static void check_rule(kube_ctx *ctx, const kube__json *rule, size_t index, bool namespaced,
                       kube__api_causes *causes)
{
    const char *field = kube__api_text(ctx, "rules[%zu]", index);
    const kube__json *urls = kube__json_get(rule, "nonResourceURLs");
    bool has_urls = urls && urls->len;
    bool has_resources =
        len_of(rule, "apiGroups") || len_of(rule, "resources") || len_of(rule, "resourceNames");
    if (has_urls) {
        const char *urls_field = kube__api_text(ctx, "%s.nonResourceURLs", field);
        if (namespaced)
            kube__api_cause_invalid(causes, urls_field, urls,
                                    "namespaced rules cannot apply to non-resource URLs");
        if (has_resources)
            kube__api_cause_invalid(
                causes, urls_field, urls,
                "rules cannot apply to both regular resources and non-resource URLs");
    } else {
        if (!len_of(rule, "apiGroups"))
            kube__api_cause_required(causes, kube__api_text(ctx, "%s.apiGroups", field),
                                     "resource rules must supply at least one api group");
        if (!len_of(rule, "resources"))
            kube__api_cause_required(causes, kube__api_text(ctx, "%s.resources", field),
                                     "resource rules must supply at least one resource");
    }
    if (!len_of(rule, "verbs"))
        kube__api_cause_required(causes, kube__api_text(ctx, "%s.verbs", field), "");
}

static void check_subjects(kube_ctx *ctx, const kube__json *subjects, kube__api_causes *causes)
{
    static const char *const kinds[] = {"ServiceAccount", "User", "Group", NULL};
    size_t index = 0;
    KUBE__JSON_EACH (subject, subjects) {
        const char *field = kube__api_text(ctx, "subjects[%zu]", index++);
        kube__json *kind = kube__json_get(subject, "kind");
        if (!kind)
            kind = kube__json_string(ctx, "");
        kube__api_check_one_of(kind, kube__api_text(ctx, "%s.kind", field), kinds, causes);
        if (!*kube__json_string_at(subject, "name"))
            kube__api_cause_required(causes, kube__api_text(ctx, "%s.name", field), "");
    }
}

/* As the real message has it: the internal type's names. */
static kube__json *internal_ref(kube_ctx *ctx, const kube__json *ref)
{
    kube__json *shown = kube__json_object(ctx);
    kube__json_set_string(ctx, shown, "APIGroup", kube__json_string_at(ref, "apiGroup"));
    kube__json_set_string(ctx, shown, "Kind", kube__json_string_at(ref, "kind"));
    kube__json_set_string(ctx, shown, "Name", kube__json_string_at(ref, "name"));
    return shown;
}

static void check_binding(kube_ctx *ctx, const kube__json *binding, const kube__json *old,
                          bool namespaced, kube__api_causes *causes)
{
    static const char *const both[] = {"Role", "ClusterRole", NULL};
    static const char *const cluster[] = {"ClusterRole", NULL};
    const kube__json *role = kube__json_get(binding, "roleRef");
    kube__json *kind = kube__json_get(role, "kind");
    kube__api_check_one_of(kind ? kind : kube__json_string(ctx, ""), "roleRef.kind",
                           namespaced ? both : cluster, causes);
    if (!*kube__json_string_at(role, "name"))
        kube__api_cause_required(causes, "roleRef.name", "");
    check_subjects(ctx, kube__json_get(binding, "subjects"), causes);
    if (old && !kube__json_equal(role, kube__json_get(old, "roleRef")))
        kube__api_cause_invalid(causes, "roleRef", internal_ref(ctx, role), "field is immutable");
}

void kube__api_rbac_validate(kube_ctx *ctx, const kube__api_resource *resource,
                             const kube__json *object, const kube__json *old,
                             kube__api_causes *causes)
{
    size_t index = 0;
    if (strstr(resource->kind, "Binding")) {
        check_binding(ctx, object, old, resource->namespaced, causes);
        return;
    }
    KUBE__JSON_EACH (rule, kube__json_get(object, "rules"))
        check_rule(ctx, rule, index++, resource->namespaced, causes);
}
