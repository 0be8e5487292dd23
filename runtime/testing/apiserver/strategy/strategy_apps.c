/* SPDX-License-Identifier: Apache-2.0 */
/* Deployments, ReplicaSets, StatefulSets, DaemonSets. */
#include "apiserver/core/field_error.h"
#include "apiserver/query/selector.h"
#include "apiserver/store/store.h"
#include "base/ascii.h"
#include "strategy_parts.h"

#include <string.h>

#define TEMPLATE_GENERATION "deprecated.daemonset.template.generation"

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* ---- defaults ------------------------------------------------------------------------------- */

static void default_deployment(kube_ctx *ctx, kube__json *spec)
{
    kube__json *strategy = kube__json_ensure_object(ctx, spec, "strategy");
    kube__api_default_int(ctx, spec, "replicas", 1);
    kube__api_default_text(ctx, strategy, "type", "RollingUpdate");
    if (is(kube__json_string_at(strategy, "type"), "RollingUpdate")) {
        kube__json *rolling = kube__json_ensure_object(ctx, strategy, "rollingUpdate");
        if (!kube__json_get(rolling, "maxUnavailable"))
            kube__json_set_string(ctx, rolling, "maxUnavailable", "25%");
        if (!kube__json_get(rolling, "maxSurge"))
            kube__json_set_string(ctx, rolling, "maxSurge", "25%");
    }
    kube__api_default_int(ctx, spec, "revisionHistoryLimit", 10);
    kube__api_default_int(ctx, spec, "progressDeadlineSeconds", 600);
}

static void default_claims(kube_ctx *ctx, kube__json *claims)
{
    KUBE__JSON_EACH (claim, claims) {
        kube__api_default_text(ctx, claim, "kind", "PersistentVolumeClaim");
        kube__api_default_text(ctx, claim, "apiVersion", "v1");
        kube__api_default_text(ctx, kube__json_ensure_object(ctx, claim, "spec"), "volumeMode",
                               "Filesystem");
        kube__api_default_text(ctx, kube__json_ensure_object(ctx, claim, "status"), "phase",
                               "Pending");
    }
}

static void default_stateful_set(kube_ctx *ctx, kube__json *spec)
{
    kube__json *update = kube__json_ensure_object(ctx, spec, "updateStrategy");
    kube__api_default_int(ctx, spec, "replicas", 1);
    kube__api_default_text(ctx, spec, "podManagementPolicy", "OrderedReady");
    kube__api_default_text(ctx, update, "type", "RollingUpdate");
    if (is(kube__json_string_at(update, "type"), "RollingUpdate")) {
        kube__json *rolling = kube__json_ensure_object(ctx, update, "rollingUpdate");
        kube__api_default_int(ctx, rolling, "partition", 0);
        kube__api_default_int(ctx, rolling, "maxUnavailable", 1);
    }
    kube__api_default_int(ctx, spec, "revisionHistoryLimit", 10);
    kube__json *retention =
        kube__json_ensure_object(ctx, spec, "persistentVolumeClaimRetentionPolicy");
    kube__api_default_text(ctx, retention, "whenDeleted", "Retain");
    kube__api_default_text(ctx, retention, "whenScaled", "Retain");
    default_claims(ctx, kube__json_get(spec, "volumeClaimTemplates"));
}

static void default_daemon_set(kube_ctx *ctx, kube__json *object, kube__json *spec)
{
    kube__json *metadata = kube__json_ensure_object(ctx, object, "metadata");
    kube__api_default_text(ctx, kube__json_ensure_object(ctx, metadata, "annotations"),
                           TEMPLATE_GENERATION, "1");
    kube__json *update = kube__json_ensure_object(ctx, spec, "updateStrategy");
    kube__api_default_text(ctx, update, "type", "RollingUpdate");
    if (is(kube__json_string_at(update, "type"), "RollingUpdate")) {
        kube__json *rolling = kube__json_ensure_object(ctx, update, "rollingUpdate");
        kube__api_default_int(ctx, rolling, "maxUnavailable", 1);
        kube__api_default_int(ctx, rolling, "maxSurge", 0);
    }
    kube__api_default_int(ctx, spec, "revisionHistoryLimit", 10);
}

void kube__api_apps_default(kube_ctx *ctx, const char *kind, kube__json *object)
{
    kube__json *spec = kube__json_get(object, "spec");
    if (!spec)
        spec = kube__json_ensure_object(ctx, object, "spec");
    kube__json *pod = kube__json_at(spec, "template.spec");
    if (is(kind, "Deployment"))
        default_deployment(ctx, spec);
    else if (is(kind, "ReplicaSet"))
        kube__api_default_int(ctx, spec, "replicas", 1);
    else if (is(kind, "StatefulSet"))
        default_stateful_set(ctx, spec);
    else
        default_daemon_set(ctx, object, spec);
    kube__api_pod_default(ctx, pod, true);
}

/* ---- what the server sets ------------------------------------------------------------------- */

/* A DaemonSet counts its templates in an annotation. */
void kube__api_apps_prepare(kube_ctx *ctx, const char *kind, kube__json *object,
                            const kube__json *old)
{
    if (!is(kind, "DaemonSet"))
        return;
    int64_t generation = 1;
    if (old) {
        const char *text = kube__json_string_or(
            kube__json_get(kube__json_at(old, "metadata.annotations"), TEMPLATE_GENERATION), "1");
        generation = 0;
        for (; kube__is_digit(*text) && generation < INT32_MAX; text++)
            generation = generation * 10 + (*text - '0');
        if (!kube__json_equal(kube__json_at(object, "spec.template"),
                              kube__json_at(old, "spec.template")))
            generation++;
    }
    kube__json *metadata = kube__json_ensure_object(ctx, object, "metadata");
    kube__json_set(ctx, kube__json_ensure_object(ctx, metadata, "annotations"), TEMPLATE_GENERATION,
                   kube__json_stringf(ctx, "%d", (int)generation));
}

/* ---- rules ---------------------------------------------------------------------------------- */

static const char *selector_word(const char *kind)
{
    return is(kind, "Deployment")    ? "empty selector is invalid for deployment"
           : is(kind, "StatefulSet") ? "empty selector is invalid for statefulset"
           : is(kind, "DaemonSet")   ? "empty selector is invalid for daemonset"
                                     : "empty selector is invalid for deployment";
}

static kube__api_pairs pairs_of(kube_ctx *ctx, const kube__json *labels)
{
    size_t len = labels ? labels->len : 0;
    kube__api_pair *pairs = kube_ctx_alloc_array(ctx, len, sizeof *pairs);
    size_t count = 0;
    KUBE__JSON_EACH (label, labels) {
        if (pairs)
            pairs[count++] = (kube__api_pair){label->key, kube__json_string_or(label, "")};
    }
    return kube__api_sort_labels(pairs, count);
}

static size_t len_of(const kube__json *object, const char *key)
{
    const kube__json *value = kube__json_get(object, key);
    return value ? value->len : 0;
}

static void check_selector(kube_ctx *ctx, const char *kind, const kube__json *spec,
                           kube__api_causes *causes)
{
    const kube__json *selector = kube__json_get(spec, "selector");
    const kube__json *labels = kube__json_at(spec, "template.metadata.labels");
    const kube__api_selector *parsed = NULL;
    if (!kube__json_is(selector, KUBE__JSON_OBJECT)) {
        kube__api_cause_required(causes, "spec.selector", "");
    } else if (!len_of(selector, "matchLabels") && !len_of(selector, "matchExpressions")) {
        kube__api_cause_invalid(causes, "spec.selector", selector, "%s", selector_word(kind));
        return;
    } else if (kube__api_object_selector(ctx, selector, &parsed) ||
               kube__api_selector_matches(parsed, pairs_of(ctx, labels))) {
        return;
    }
    kube__api_cause_invalid(causes, "spec.template.metadata.labels", labels, "%s",
                            "`selector` does not match template `labels`");
}

static void check_template(kube_ctx *ctx, const kube__json *spec, kube__api_causes *causes)
{
    static const char *const always[] = {"Always", NULL};
    const kube__json *pod = kube__json_at(spec, "template.spec");
    kube__api_pod_validate(ctx, pod, "spec.template.spec", causes);
    const kube__json *policy = kube__json_get(pod, "restartPolicy");
    bool known = is(kube__json_string_or(policy, ""), "Never") ||
                 is(kube__json_string_or(policy, ""), "OnFailure");
    if (known)
        kube__api_cause_unsupported(causes, "spec.template.spec.restartPolicy", policy, always);
}

/* The counts of a status: none is negative, none larger than that of all. */
static void check_status(kube_ctx *ctx, const kube__json *object, kube__api_causes *causes)
{
    static const char *const counts[] = {"readyReplicas", "currentReplicas", "updatedReplicas",
                                         "availableReplicas"};
    const kube__json *status = kube__json_get(object, "status");
    int64_t all = 0;
    kube__api_check_not_negative(object, "status.replicas", causes);
    kube__json_to_int(kube__json_get(status, "replicas"), &all);
    for (size_t i = 0; i < sizeof(counts) / sizeof *counts; i++) {
        int64_t count = 0;
        const char *field = kube__api_text(ctx, "status.%s", counts[i]);
        kube__json_to_int(kube__json_get(status, counts[i]), &count);
        if (count < 0)
            kube__api_cause_invalid(causes, field, kube__json_int(ctx, count),
                                    "must be greater than or equal to 0");
        if (count > all)
            kube__api_cause_invalid(causes, field, kube__json_int(ctx, count),
                                    "cannot be greater than status.replicas");
    }
}

void kube__api_apps_validate_status(kube_ctx *ctx, const char *kind, const kube__json *object,
                                    kube__api_causes *causes)
{
    if (is(kind, "StatefulSet"))
        check_status(ctx, object, causes);
}

void kube__api_apps_validate(kube_ctx *ctx, const char *kind, const kube__json *object,
                             const kube__json *old, kube__api_causes *causes)
{
    const kube__json *spec = kube__json_get(object, "spec");
    kube__api_check_not_negative(object, "spec.replicas", causes);
    kube__api_check_not_negative(object, "spec.minReadySeconds", causes);
    check_selector(ctx, kind, spec, causes);
    check_template(ctx, spec, causes);
    kube__api_check_not_negative(object, "spec.revisionHistoryLimit", causes);
    if (!old)
        return;
    kube__api_check_immutable(object, old, "spec.selector", causes);
    if (is(kind, "StatefulSet")) {
        kube__api_check_immutable(object, old, "spec.serviceName", causes);
        kube__api_check_immutable(object, old, "spec.podManagementPolicy", causes);
        kube__api_check_immutable(object, old, "spec.volumeClaimTemplates", causes);
    }
}
