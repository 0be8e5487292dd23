/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/core/apiserver.h"
#include "apiserver/core/field_error.h"
#include "apiserver/core/name.h"
#include "apiserver/value/table.h"
#include "base/ascii.h"
#include "strategy_parts.h"

#include <string.h>

static const char *const container_lists[] = {"initContainers", "containers"};

/* ---- defaults ------------------------------------------------------------------------------- */

static bool is_latest(const char *image)
{
    const char *slash = strrchr(image, '/');
    const char *colon = strrchr(slash ? slash : image, ':');
    if (strchr(image, '@'))
        return false;
    return !colon || strcmp(colon, ":latest") == 0;
}

static void default_probe(kube_ctx *ctx, kube__json *probe)
{
    if (!kube__json_is(probe, KUBE__JSON_OBJECT))
        return;
    kube__json *get = kube__json_get(probe, "httpGet");
    if (get) {
        kube__api_default_text(ctx, get, "path", "/");
        kube__api_default_text(ctx, get, "scheme", "HTTP");
    }
    kube__api_default_int(ctx, probe, "timeoutSeconds", 1);
    kube__api_default_int(ctx, probe, "periodSeconds", 10);
    kube__api_default_int(ctx, probe, "successThreshold", 1);
    kube__api_default_int(ctx, probe, "failureThreshold", 3);
}

/* What is limited and not asked for is asked for up to the limit. */
static void default_requests(kube_ctx *ctx, kube__json *resources)
{
    kube__json *limits = kube__json_get(resources, "limits");
    if (!limits || limits->len == 0)
        return;
    kube__json *requests = kube__json_ensure_object(ctx, resources, "requests");
    KUBE__JSON_EACH (limit, limits) {
        if (!kube__json_get(requests, limit->key))
            kube__json_set(ctx, requests, limit->key, kube__json_copy(ctx, limit));
    }
}

static void default_container(kube_ctx *ctx, kube__json *container, bool in_template)
{
    static const char *const probes[] = {"livenessProbe", "readinessProbe", "startupProbe"};
    KUBE__JSON_EACH (variable, kube__json_get(container, "env")) {
        kube__json *field = kube__json_at(variable, "valueFrom.fieldRef");
        if (field)
            kube__api_default_text(ctx, field, "apiVersion", "v1");
    }
    KUBE__JSON_EACH (port, kube__json_get(container, "ports"))
        kube__api_default_text(ctx, port, "protocol", "TCP");
    for (size_t i = 0; i < 3; i++)
        default_probe(ctx, kube__json_get(container, probes[i]));
    kube__api_default_object(ctx, container, "resources");
    if (!in_template)
        default_requests(ctx, kube__json_get(container, "resources"));
    kube__api_default_text(ctx, container, "terminationMessagePath", "/dev/termination-log");
    kube__api_default_text(ctx, container, "terminationMessagePolicy", "File");
    kube__api_default_text(ctx, container, "imagePullPolicy",
                           is_latest(kube__json_string_at(container, "image")) ? "Always"
                                                                               : "IfNotPresent");
}

static void default_volume(kube_ctx *ctx, kube__json *volume)
{
    static const char *const with_mode[] = {"secret", "configMap", "projected", "downwardAPI"};
    for (size_t i = 0; i < sizeof(with_mode) / sizeof *with_mode; i++) {
        kube__json *source = kube__json_get(volume, with_mode[i]);
        if (source)
            kube__api_default_int(ctx, source, "defaultMode", 420);
    }
    KUBE__JSON_EACH (source, kube__json_at(volume, "projected.sources")) {
        kube__json *token = kube__json_get(source, "serviceAccountToken");
        if (token)
            kube__api_default_int(ctx, token, "expirationSeconds", 3600);
    }
    kube__json *host = kube__json_get(volume, "hostPath");
    if (host && !kube__json_get(host, "type"))
        kube__json_set_string(ctx, host, "type", "");
    if (volume->len == 1) /* just a name */
        kube__api_default_object(ctx, volume, "emptyDir");
}

void kube__api_pod_default(kube_ctx *ctx, kube__json *spec, bool in_template)
{
    if (!kube__json_is(spec, KUBE__JSON_OBJECT))
        return;
    for (size_t i = 0; i < 2; i++) {
        KUBE__JSON_EACH (container, kube__json_get(spec, container_lists[i]))
            default_container(ctx, container, in_template);
    }
    KUBE__JSON_EACH (volume, kube__json_get(spec, "volumes"))
        default_volume(ctx, volume);
    kube__api_default_text(ctx, spec, "restartPolicy", "Always");
    kube__api_default_int(ctx, spec, "terminationGracePeriodSeconds", 30);
    kube__api_default_text(ctx, spec, "dnsPolicy", "ClusterFirst");
    const char *account = kube__json_string_at(spec, "serviceAccountName");
    if (*account)
        kube__json_set_string(ctx, spec, "serviceAccount", account);
    else if (*kube__json_string_at(spec, "serviceAccount"))
        kube__json_set_string(ctx, spec, "serviceAccountName",
                              kube__json_string_at(spec, "serviceAccount"));
    kube__api_default_object(ctx, spec, "securityContext");
    kube__api_default_text(ctx, spec, "schedulerName", "default-scheduler");
    if (!in_template)
        kube__api_default_bool(ctx, spec, "enableServiceLinks", true);
}

/* ---- what the server sets ------------------------------------------------------------------- */

static void tolerate(kube_ctx *ctx, kube__json *tolerations, const char *key)
{
    KUBE__JSON_EACH (toleration, tolerations) {
        if (strcmp(kube__json_string_at(toleration, "key"), key) == 0)
            return;
    }
    kube__json *toleration = kube__json_object(ctx);
    kube__json_set_string(ctx, toleration, "key", key);
    kube__json_set_string(ctx, toleration, "operator", "Exists");
    kube__json_set_string(ctx, toleration, "effect", "NoExecute");
    kube__json_set_int(ctx, toleration, "tolerationSeconds", 300);
    kube__json_append(tolerations, toleration);
}

static const char *qos_class(const kube__json *spec)
{
    bool any = false;
    bool all = true;
    KUBE__JSON_EACH (container, kube__json_get(spec, "containers")) {
        const kube__json *limits = kube__json_at(container, "resources.limits");
        const kube__json *requests = kube__json_at(container, "resources.requests");
        any = any || (limits && limits->len) || (requests && requests->len);
        all = all && kube__json_get(limits, "cpu") && kube__json_get(limits, "memory") &&
              kube__json_equal(limits, requests);
    }
    return !any ? "BestEffort" : all ? "Guaranteed" : "Burstable";
}

void kube__api_pod_prepare_status(kube_ctx *ctx, kube__json *pod)
{
    kube__json *status = kube__json_ensure_object(ctx, pod, "status");
    kube__api_default_text(ctx, status, "qosClass", qos_class(kube__json_get(pod, "spec")));
}

void kube__api_pod_prepare(kube_apiserver *server, kube_ctx *ctx, kube__json *pod,
                           const kube__json *old)
{
    (void)server;
    kube__json *spec = kube__json_ensure_object(ctx, pod, "spec");
    if (!kube__json_get(spec, "tolerations") && kube__json_at(old, "spec.tolerations"))
        kube__json_set(ctx, spec, "tolerations",
                       kube__json_copy(ctx, kube__json_at(old, "spec.tolerations")));
    kube__json *tolerations = kube__json_ensure_array(ctx, spec, "tolerations");
    tolerate(ctx, tolerations, "node.kubernetes.io/not-ready");
    tolerate(ctx, tolerations, "node.kubernetes.io/unreachable");
    kube__api_default_int(ctx, spec, "priority", 0);
    kube__api_default_text(ctx, spec, "preemptionPolicy", "PreemptLowerPriority");
    if (old)
        return;
    kube__json *status = kube__json_object(ctx);
    kube__json_set(ctx, pod, "status", status);
    kube__json_set_string(ctx, status, "phase", "Pending");
    kube__json_set_string(ctx, status, "qosClass", qos_class(spec));
}

/* ---- rules ---------------------------------------------------------------------------------- */

static void check_port(kube_ctx *ctx, const kube__json *port, const char *field,
                       kube__api_causes *causes)
{
    static const char *const protocols[] = {"SCTP", "TCP", "UDP", NULL};
    const char *number_field = kube__api_text(ctx, "%s.containerPort", field);
    const kube__json *value = kube__json_get(port, "containerPort");
    int64_t number = 0;
    kube__json_to_int(value, &number);
    if (number == 0)
        kube__api_cause_required(causes, number_field, "");
    else if (number < 1 || number > 65535)
        kube__api_cause_invalid(causes, number_field, value,
                                "must be between 1 and 65535, inclusive");
    kube__api_check_one_of(kube__json_get(port, "protocol"),
                           kube__api_text(ctx, "%s.protocol", field), protocols, causes);
}

static void check_container(kube_ctx *ctx, kube__api_table *names, const kube__json *container,
                            const char *field, kube__api_causes *causes)
{
    static const char *const policies[] = {"Always", "IfNotPresent", "Never", NULL};
    const char *name = kube__json_string_at(container, "name");
    const char *image = kube__json_string_at(container, "image");
    const char *name_field = kube__api_text(ctx, "%s.name", field);
    const char *image_field = kube__api_text(ctx, "%s.image", field);
    size_t index = 0;
    if (!*name) {
        kube__api_cause_required(causes, name_field, "");
    } else {
        const char *wrong = kube__api_wrong_label(name);
        if (wrong)
            kube__api_cause_invalid_text(causes, name_field, name, "%s", wrong);
        if (kube__api_table_has_text(names, name))
            kube__api_cause_duplicate(causes, name_field, kube__json_get(container, "name"));
    }
    if (!*image)
        kube__api_cause_required(causes, image_field, "");
    else if (kube__is_space(*image) || kube__is_space(image[strlen(image) - 1]))
        kube__api_cause_invalid_text(causes, image_field, image,
                                     "must not have leading or trailing whitespace");
    KUBE__JSON_EACH (port, kube__json_get(container, "ports"))
        check_port(ctx, port, kube__api_text(ctx, "%s.ports[%zu]", field, index++), causes);
    kube__api_check_one_of(kube__json_get(container, "imagePullPolicy"),
                           kube__api_text(ctx, "%s.imagePullPolicy", field), policies, causes);
}

void kube__api_pod_validate(kube_ctx *ctx, const kube__json *spec, const char *field,
                            kube__api_causes *causes)
{
    static const char *const restarts[] = {"Always", "OnFailure", "Never", NULL};
    static const char *const dns[] = {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None",
                                      NULL};
    const kube__json *containers = kube__json_get(spec, "containers");
    if (!containers || containers->len == 0)
        kube__api_cause_required(causes, kube__api_text(ctx, "%s.containers", field), "");
    for (size_t i = 2; i-- > 0;) {
        const kube__json *list = kube__json_get(spec, container_lists[i]);
        kube__api_table names = {.ctx = ctx};
        size_t index = 0;
        KUBE__JSON_EACH (container, list)
            check_container(ctx, &names, container,
                            kube__api_text(ctx, "%s.%s[%zu]", field, container_lists[i], index++),
                            causes);
    }
    kube__api_check_one_of(kube__json_get(spec, "restartPolicy"),
                           kube__api_text(ctx, "%s.restartPolicy", field), restarts, causes);
    kube__api_check_one_of(kube__json_get(spec, "dnsPolicy"),
                           kube__api_text(ctx, "%s.dnsPolicy", field), dns, causes);
}

/* The spec without what an update may change. */
static kube__json *fixed_part(kube_ctx *ctx, const kube__json *pod)
{
    kube__json *spec = kube__json_copy(ctx, kube__json_get(pod, "spec"));
    for (size_t i = 0; i < 2; i++) {
        KUBE__JSON_EACH (container, kube__json_get(spec, container_lists[i])) {
            kube__json_remove(container, "image");
            kube__json_remove(container, "imagePullPolicy"); /* as defaulted by the image */
        }
    }
    kube__json_remove(spec, "activeDeadlineSeconds");
    kube__json_remove(spec, "tolerations");
    kube__json_remove(spec, "terminationGracePeriodSeconds");
    return spec;
}

void kube__api_pod_validate_update(kube_ctx *ctx, const kube__json *pod, const kube__json *old,
                                   kube__api_causes *causes)
{
    kube__api_pod_validate(ctx, kube__json_get(pod, "spec"), "spec", causes);
    if (!kube__json_equal(fixed_part(ctx, pod), fixed_part(ctx, old)))
        kube__api_cause_forbidden(
            causes, "spec", "%s",
            "pod updates may not change fields other than `spec.containers[*].image`,"
            "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
            "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to "
            "be set to 1 if it was previously negative)");
}
