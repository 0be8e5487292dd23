/* SPDX-License-Identifier: Apache-2.0 */
#include "strategy.h"

#include "apiserver/core/apiserver.h"
#include "apiserver/core/field_error.h"
#include "apiserver/value/quote.h"
#include "base/ascii.h"
#include "strategy_parts.h"

#include <string.h>

enum { MAX_DATA = 1 << 20 };

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool is_core(const kube__api_resource *resource, const char *kind)
{
    return !*resource->group && is(resource->kind, kind);
}

/* ---- ConfigMap, Secret ---------------------------------------------------------------------- */

static void move_string_data(kube_ctx *ctx, kube__json *secret)
{
    kube__json *strings = kube__json_remove(secret, "stringData");
    if (!strings || !strings->len)
        return;
    kube__json *data = kube__json_ensure_object(ctx, secret, "data");
    KUBE__JSON_EACH (value, strings)
        kube__json_set_string(
            ctx, data, value->key,
            kube__api_base64(ctx, kube__json_string_or(value, ""), value->len, false));
}

static bool is_config_key(const char *key)
{
    for (const char *p = key; *p; p++) {
        if (!kube__is_alnum(*p) && !strchr("-._", *p))
            return false;
    }
    return *key != '\0';
}

static size_t check_data(kube_ctx *ctx, const kube__json *object, const char *member,
                         const char *other, kube__api_causes *causes)
{
    size_t bytes = 0;
    KUBE__JSON_EACH (value, kube__json_get(object, member)) {
        const char *field = kube__api_text(ctx, "%s[%s]", member, value->key);
        if (!is_config_key(value->key))
            kube__api_cause_invalid_text(
                causes, field, value->key,
                "a valid config key must consist of alphanumeric characters, '-', '_' or '.' "
                "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
                "'[-._a-zA-Z0-9]+')");
        if (other && kube__json_get(kube__json_get(object, other), value->key))
            kube__api_cause_invalid_text(causes, field, value->key,
                                         "duplicate of key present in %s", other);
        bytes += is(member, "binaryData") ? value->len / 4 * 3 : value->len;
    }
    return bytes;
}

static void check_size(size_t bytes, const char *field, kube__api_causes *causes)
{
    if (bytes > MAX_DATA)
        kube__api_add_cause(causes, "FieldValueTooLong", field,
                            "Too long: may not be more than %d bytes", MAX_DATA);
}

static void check_immutable_data(const kube__json *object, const kube__json *old,
                                 kube__api_causes *causes)
{
    static const char *const members[] = {"data", "binaryData"};
    if (!kube__json_is_true(kube__json_get(old, "immutable")))
        return;
    if (!kube__json_is_true(kube__json_get(object, "immutable")))
        kube__api_cause_forbidden(causes, "immutable", "%s",
                                  "field is immutable when `immutable` is set");
    for (size_t i = 0; i < 2; i++) {
        const kube__json *value = kube__json_get(object, members[i]);
        const kube__json *before = kube__json_get(old, members[i]);
        if ((value || before) && !kube__json_equal(value, before))
            kube__api_cause_forbidden(causes, members[i], "%s",
                                      "field is immutable when `immutable` is set");
    }
}

static void check_secret(kube_ctx *ctx, const kube__json *secret, const kube__json *old,
                         kube__api_causes *causes)
{
    static const struct {
        const char *type;
        const char *keys[2];
    } demands[] = {
        {"kubernetes.io/tls", {"tls.crt", "tls.key"}},
        {"kubernetes.io/dockerconfigjson", {".dockerconfigjson", NULL}},
        {"kubernetes.io/dockercfg", {".dockercfg", NULL}},
        {"kubernetes.io/ssh-auth", {"ssh-privatekey", NULL}},
    };
    const kube__json *data = kube__json_get(secret, "data");
    check_size(check_data(ctx, secret, "data", NULL, causes) / 4 * 3, "data", causes);
    for (size_t i = 0; i < sizeof(demands) / sizeof *demands; i++) {
        if (!is(kube__json_string_at(secret, "type"), demands[i].type))
            continue;
        for (size_t k = 0; k < 2 && demands[i].keys[k]; k++) {
            if (!kube__json_get(data, demands[i].keys[k]))
                kube__api_cause_required(causes,
                                         kube__api_text(ctx, "data[%s]", demands[i].keys[k]), "");
        }
    }
    if (!old)
        return;
    kube__api_check_immutable(secret, old, "type", causes);
    check_immutable_data(secret, old, causes);
}

static void check_config_map(kube_ctx *ctx, const kube__json *map, const kube__json *old,
                             kube__api_causes *causes)
{
    size_t bytes = check_data(ctx, map, "data", "binaryData", causes);
    bytes += check_data(ctx, map, "binaryData", NULL, causes);
    check_size(bytes, "[]", causes);
    if (old)
        check_immutable_data(map, old, causes);
}

/* ---- small kinds ---------------------------------------------------------------------------- */

static void default_namespace(kube_ctx *ctx, kube__json *namespace_)
{
    kube__json *metadata = kube__json_ensure_object(ctx, namespace_, "metadata");
    const char *name = kube__json_string_at(metadata, "name");
    if (*name)
        kube__json_set_string(ctx, kube__json_ensure_object(ctx, metadata, "labels"),
                              "kubernetes.io/metadata.name", name);
}

/* The finalizers are the server's; finalize is the way to change them. */
static void prepare_namespace(kube_ctx *ctx, kube__json *object, const kube__json *old)
{
    kube__json *spec = kube__json_ensure_object(ctx, object, "spec");
    if (old) {
        kube__json *before = kube__json_at(old, "spec.finalizers");
        kube__json_remove(spec, "finalizers");
        if (before)
            kube__json_set(ctx, spec, "finalizers", kube__json_copy(ctx, before));
        return;
    }
    default_namespace(ctx, object); /* the name may have been generated */
    kube__json *finalizers = kube__json_ensure_array(ctx, spec, "finalizers");
    bool held = false;
    KUBE__JSON_EACH (finalizer, finalizers)
        held = held || is(kube__json_string_or(finalizer, ""), "kubernetes");
    if (!held)
        kube__json_append(finalizers, kube__json_string(ctx, "kubernetes"));
    kube__json_set_string(ctx, kube__json_ensure_object(ctx, object, "status"), "phase", "Active");
}

static void prepare_node(kube_ctx *ctx, kube__json *node, const kube__json *old)
{
    kube__json *taints =
        old ? NULL
            : kube__json_ensure_array(ctx, kube__json_ensure_object(ctx, node, "spec"), "taints");
    KUBE__JSON_EACH (taint, taints) {
        if (is(kube__json_string_at(taint, "key"), "node.kubernetes.io/not-ready"))
            return;
    }
    if (!taints)
        return;
    kube__json *taint = kube__json_append(taints, kube__json_object(ctx));
    kube__json_set_string(ctx, taint, "key", "node.kubernetes.io/not-ready");
    kube__json_set_string(ctx, taint, "effect", "NoSchedule");
}

static void default_endpoints(kube_ctx *ctx, kube__json *endpoints)
{
    KUBE__JSON_EACH (subset, kube__json_get(endpoints, "subsets")) {
        KUBE__JSON_EACH (port, kube__json_get(subset, "ports"))
            kube__api_default_text(ctx, port, "protocol", "TCP");
    }
}

static void check_lease(const kube__json *lease, kube__api_causes *causes)
{
    const kube__json *duration = kube__json_at(lease, "spec.leaseDurationSeconds");
    int64_t seconds;
    if (kube__json_to_int(duration, &seconds) && seconds <= 0)
        kube__api_cause_invalid(causes, "spec.leaseDurationSeconds", duration,
                                "must be greater than 0");
    kube__api_check_not_negative(lease, "spec.leaseTransitions", causes);
}

static void check_event(const kube__api_resource *resource, const kube__json *event,
                        const kube__json *old, kube__api_causes *causes)
{
    const char *reference = *resource->group ? "regarding" : "involvedObject";
    const char *home =
        kube__json_string_or(kube__json_get(kube__json_get(event, reference), "namespace"), "");
    const char *namespace_ = kube__json_string_at(event, "metadata.namespace");
    const char *type = kube__json_string_at(event, "type");
    if (*home ? !is(home, namespace_) : !is(namespace_, "default") && !is(namespace_, ""))
        kube__api_cause_invalid_text(causes, "involvedObject.namespace", home,
                                     "does not match event.namespace");
    if (!*resource->group || old)
        return;
    if (kube__api_is_missing(kube__json_get(event, "eventTime")))
        kube__api_cause_required(causes, "eventTime", "");
    if (!is(type, "Normal") && !is(type, "Warning"))
        kube__api_cause_invalid_text(causes, "type", type, "has invalid value: %s", type);
}

/* ---- by kind -------------------------------------------------------------------------------- */

static bool is_apps(const kube__api_resource *resource)
{
    return is(resource->group, "apps");
}

static bool is_rbac(const kube__api_resource *resource)
{
    return is(resource->group, "rbac.authorization.k8s.io");
}

void kube__api_strategy_default(kube_ctx *ctx, const kube__api_resource *resource,
                                kube__json *object)
{
    if (is_apps(resource))
        kube__api_apps_default(ctx, resource->kind, object);
    else if (is_rbac(resource))
        kube__api_rbac_default(ctx, object);
    else if (is_core(resource, "Pod"))
        kube__api_pod_default(ctx, kube__json_get(object, "spec"), false);
    else if (is_core(resource, "Service"))
        kube__api_service_default(ctx, object);
    else if (is_core(resource, "Namespace"))
        default_namespace(ctx, object);
    else if (is_core(resource, "Endpoints"))
        default_endpoints(ctx, object);
    else if (is_core(resource, "Secret")) {
        kube__api_default_text(ctx, object, "type", "Opaque");
        move_string_data(ctx, object);
    }
}

void kube__api_strategy_prepare(kube_apiserver *server, kube_ctx *ctx,
                                const kube__api_resource *resource, const char *subresource,
                                kube__json *object, const kube__json *old)
{
    if (is_core(resource, "Pod") && is(subresource, "status"))
        kube__api_pod_prepare_status(ctx, object);
    if (*subresource && !is(subresource, "scale"))
        return;
    if (is_apps(resource))
        kube__api_apps_prepare(ctx, resource->kind, object, old);
    else if (is_core(resource, "Pod"))
        kube__api_pod_prepare(server, ctx, object, old);
    else if (is_core(resource, "Service"))
        kube__api_service_prepare(server, ctx, object, old);
    else if (is_core(resource, "Namespace"))
        prepare_namespace(ctx, object, old);
    else if (is_core(resource, "Node"))
        prepare_node(ctx, object, old);
}

void kube__api_strategy_validate(kube_ctx *ctx, const kube__api_resource *resource,
                                 const char *subresource, const kube__json *object,
                                 const kube__json *old, kube__api_causes *causes)
{
    if (is_apps(resource) && is(subresource, "status"))
        kube__api_apps_validate_status(ctx, resource->kind, object, causes);
    if (*subresource && !is(subresource, "scale"))
        return;
    if (is_apps(resource))
        kube__api_apps_validate(ctx, resource->kind, object, old, causes);
    else if (is_rbac(resource))
        kube__api_rbac_validate(ctx, resource, object, old, causes);
    else if (is_core(resource, "ConfigMap"))
        check_config_map(ctx, object, old, causes);
    else if (is_core(resource, "Secret"))
        check_secret(ctx, object, old, causes);
    else if (is_core(resource, "Service"))
        kube__api_service_validate(ctx, object, old, causes);
    else if (is(resource->kind, "Lease"))
        check_lease(object, causes);
    else if (is(resource->kind, "Event"))
        check_event(resource, object, old, causes);
    else if (is_core(resource, "Pod") && old)
        kube__api_pod_validate_update(ctx, object, old, causes);
    else if (is_core(resource, "Pod"))
        kube__api_pod_validate(ctx, kube__json_get(object, "spec"), "spec", causes);
}
