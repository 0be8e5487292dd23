/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/core/apiserver.h"
#include "apiserver/core/field_error.h"
#include "strategy_parts.h"

#include <string.h>

/* What the address and port allocators of a cluster have. */
enum { FIRST_NODE_PORT = 30000, NODE_PORTS = 2768, ADDRESSES = 250 };

static bool is_type(const kube__json *service, const char *type)
{
    return strcmp(kube__json_string_at(service, "spec.type"), type) == 0;
}

static bool has_node_ports(const kube__json *service)
{
    return is_type(service, "NodePort") || is_type(service, "LoadBalancer");
}

void kube__api_service_default(kube_ctx *ctx, kube__json *service)
{
    kube__json *spec = kube__json_ensure_object(ctx, service, "spec");
    kube__api_default_text(ctx, spec, "type", "ClusterIP");
    kube__api_default_text(ctx, spec, "sessionAffinity", "None");
    if (strcmp(kube__json_string_at(spec, "sessionAffinity"), "ClientIP") == 0) {
        kube__json *config = kube__json_ensure_object(ctx, spec, "sessionAffinityConfig");
        kube__api_default_int(ctx, kube__json_ensure_object(ctx, config, "clientIP"),
                              "timeoutSeconds", 10800);
    }
    KUBE__JSON_EACH (port, kube__json_get(spec, "ports")) {
        kube__json *target = kube__json_get(port, "targetPort");
        int64_t number = 0;
        kube__api_default_text(ctx, port, "protocol", "TCP");
        if (!target || (kube__json_to_int(target, &number) && number == 0) ||
            (kube__json_is(target, KUBE__JSON_STRING) && target->len == 0)) {
            kube__json *copy = kube__json_copy(ctx, kube__json_get(port, "port"));
            if (copy)
                kube__json_set(ctx, port, "targetPort", copy);
        }
    }
    if (has_node_ports(service))
        kube__api_default_text(ctx, spec, "externalTrafficPolicy", "Cluster");
    if (is_type(service, "LoadBalancer"))
        kube__api_default_bool(ctx, spec, "allocateLoadBalancerNodePorts", true);
    if (!is_type(service, "ExternalName"))
        kube__api_default_text(ctx, spec, "internalTrafficPolicy", "Cluster");
}

static void set_list(kube_ctx *ctx, kube__json *spec, const char *key, const char *text)
{
    kube__json *list = kube__json_ensure_array(ctx, spec, key);
    if (list && list->len == 0)
        kube__json_append(list, kube__json_string(ctx, text));
}

static void keep(kube_ctx *ctx, kube__json *spec, const kube__json *old, const char *key)
{
    kube__json *value = kube__json_get(spec, key);
    kube__json *before = kube__json_get(old, key);
    if (before && (!value || value->kind == KUBE__JSON_NULL || value->len == 0))
        kube__json_set(ctx, spec, key, kube__json_copy(ctx, before));
}

static void set_node_ports(kube_apiserver *server, kube_ctx *ctx, kube__json *spec,
                           const kube__json *old)
{
    const kube__json *old_port = kube__json_item(kube__json_get(old, "ports"), 0);
    KUBE__JSON_EACH (port, kube__json_get(spec, "ports")) {
        const kube__json *before = kube__json_get(old_port, "nodePort");
        old_port = old_port ? old_port->next : NULL;
        int64_t number = 0;
        if (kube__json_to_int(kube__json_get(port, "nodePort"), &number) && number)
            continue;
        number = (int64_t)(FIRST_NODE_PORT + kube__api_random_below(&server->random, NODE_PORTS));
        kube__json_to_int(before, &number);
        kube__json_set_int(ctx, port, "nodePort", number);
    }
}

/* Of a service without address and selector only its endpoints' makers know: it gets both. */
static void set_families(kube_ctx *ctx, kube__json *spec)
{
    const kube__json *selector = kube__json_get(spec, "selector");
    bool both = strcmp(kube__json_string_at(spec, "clusterIP"), "None") == 0 &&
                (!selector || selector->len == 0) && !kube__json_get(spec, "ipFamilies") &&
                !kube__json_get(spec, "ipFamilyPolicy");
    set_list(ctx, spec, "ipFamilies", "IPv4");
    if (both)
        kube__json_append(kube__json_get(spec, "ipFamilies"), kube__json_string(ctx, "IPv6"));
    kube__api_default_text(ctx, spec, "ipFamilyPolicy", both ? "RequireDualStack" : "SingleStack");
}

void kube__api_service_prepare(kube_apiserver *server, kube_ctx *ctx, kube__json *service,
                               const kube__json *old)
{
    static const char *const kept[] = {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"};
    kube__json *spec = kube__json_ensure_object(ctx, service, "spec");
    const kube__json *old_spec = kube__json_get(old, "spec");
    if (is_type(service, "ExternalName"))
        return;
    for (size_t i = 0; i < sizeof(kept) / sizeof *kept; i++)
        keep(ctx, spec, old_spec, kept[i]);
    if (!*kube__json_string_at(spec, "clusterIP"))
        kube__json_set(
            ctx, spec, "clusterIP",
            kube__json_stringf(ctx, "10.0.0.%d",
                               1 + (int)kube__api_random_below(&server->random, ADDRESSES)));
    set_list(ctx, spec, "clusterIPs", kube__json_string_at(spec, "clusterIP"));
    set_families(ctx, spec);
    if (has_node_ports(service))
        set_node_ports(server, ctx, spec, old_spec);
}

static void check_port(kube_ctx *ctx, const kube__json *port, size_t index, bool named,
                       kube__api_causes *causes)
{
    static const char *const members[] = {"port", "targetPort"};
    static const char *const protocols[] = {"SCTP", "TCP", "UDP", NULL};
    const char *field = kube__api_text(ctx, "spec.ports[%zu]", index);
    if (named && !*kube__json_string_at(port, "name"))
        kube__api_cause_required(causes, kube__api_text(ctx, "%s.name", field), "");
    for (size_t i = 0; i < 2; i++) {
        const kube__json *value = kube__json_get(port, members[i]);
        int64_t number = 0;
        if (kube__json_is(value, KUBE__JSON_STRING))
            continue;
        kube__json_to_int(value, &number);
        if (number < 1 || number > 65535)
            kube__api_cause_invalid(causes, kube__api_text(ctx, "%s.%s", field, members[i]),
                                    value ? value : kube__json_int(ctx, 0),
                                    "must be between 1 and 65535, inclusive");
    }
    kube__api_check_one_of(kube__json_get(port, "protocol"),
                           kube__api_text(ctx, "%s.protocol", field), protocols, causes);
}

void kube__api_service_validate(kube_ctx *ctx, const kube__json *service, const kube__json *old,
                                kube__api_causes *causes)
{
    static const char *const types[] = {"ClusterIP", "ExternalName", "LoadBalancer", "NodePort",
                                        NULL};
    static const char *const affinities[] = {"ClientIP", "None", NULL};
    const kube__json *spec = kube__json_get(service, "spec");
    const kube__json *ports = kube__json_get(spec, "ports");
    const char *address = kube__json_string_at(spec, "clusterIP");
    size_t count = ports ? ports->len : 0;
    size_t index = 0;
    if (!count && !is_type(service, "ExternalName") && strcmp(address, "None") != 0)
        kube__api_cause_required(causes, "spec.ports", "");
    if (is_type(service, "ExternalName") && !*kube__json_string_at(spec, "externalName"))
        kube__api_cause_required(causes, "spec.externalName", "");
    kube__api_check_one_of(kube__json_get(spec, "sessionAffinity"), "spec.sessionAffinity",
                           affinities, causes);
    kube__api_check_one_of(kube__json_get(spec, "type"), "spec.type", types, causes);
    KUBE__JSON_EACH (port, ports)
        check_port(ctx, port, index++, count > 1, causes);
    const char *before = kube__json_string_at(old, "spec.clusterIP");
    if (*before && *address && strcmp(before, address) != 0 && !is_type(old, "ExternalName")) {
        kube__json *shown = kube__json_array(ctx);
        kube__json_append(shown, kube__json_string(ctx, address));
        kube__api_cause_invalid(causes, "spec.clusterIPs[0]", shown, "may not change once set");
    }
}
