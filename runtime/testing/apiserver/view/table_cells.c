/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of built-ins but pods: what the columns of table_builtin.c show. */
#include "base/ascii.h"
#include "base/text.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

typedef struct row {
    kube_ctx *ctx;
    const kube__json *object;
    const char *now;
    kube__json *cells;
} row;

static void put(const row *r, const char *text)
{
    kube__table_text(r->ctx, r->cells, text);
}

static void put_at(const row *r, const char *path, const char *otherwise)
{
    put(r, kube__table_string(r->object, path, otherwise));
}

static void put_int(const row *r, const char *path)
{
    kube__table_number(r->ctx, r->cells, kube__table_int(r->object, path));
}

static void put_age(const row *r)
{
    put(r, kube__table_age(r->ctx, kube__json_string_at(r->object, "metadata.creationTimestamp"),
                           r->now));
}

static size_t length_at(const row *r, const char *path)
{
    const kube__json *value = kube__json_at(r->object, path);
    return value ? value->len : 0;
}

/* ---- lists of texts ------------------------------------------------------------------------- */

typedef struct texts {
    kube_ctx *ctx;
    const char **items;
    size_t len;
    size_t size;
} texts;

static texts texts_for(kube_ctx *ctx, size_t size)
{
    texts list = {.ctx = ctx, .size = size};
    list.items = kube_ctx_alloc_array(ctx, size, sizeof *list.items);
    return list;
}

static void add(texts *list, const char *text)
{
    if (list->items && text && list->len < list->size)
        list->items[list->len++] = text;
}

/* Of requirements, "a=b", "!c", "d in (x)". */
static int by_key(const void *a, const void *b)
{
    const char *left = *(const char *const *)a;
    const char *right = *(const char *const *)b;
    left += *left == '!';
    right += *right == '!';
    size_t left_len = strcspn(left, "= ");
    size_t right_len = strcspn(right, "= ");
    int order = memcmp(left, right, left_len < right_len ? left_len : right_len);
    return order ? order : (left_len > right_len) - (left_len < right_len);
}

static void sort(texts *list)
{
    if (list->len)
        qsort(list->items, list->len, sizeof *list->items, kube__text_compare);
}

static const char *join(const texts *list, const char *between)
{
    const char *all = "";
    for (size_t i = 0; i < list->len; i++)
        all = kube__api_text(list->ctx, "%s%s%s", all, i ? between : "", list->items[i]);
    return all;
}

static size_t count_of(const kube__json *value)
{
    return value ? value->len : 0;
}

/* "a=b,c=d" by key, "<none>" if it is empty. */
static const char *labels_text(kube_ctx *ctx, const kube__json *map)
{
    texts list = texts_for(ctx, count_of(map));
    KUBE__JSON_EACH (member, map)
        add(&list, kube__api_text(ctx, "%s=%s", member->key, kube__json_string_or(member, "")));
    sort(&list);
    return list.len ? join(&list, ",") : "<none>";
}

static const char *expression_text(kube_ctx *ctx, const kube__json *expression)
{
    const char *key = kube__json_string_at(expression, "key");
    const char *op = kube__json_string_at(expression, "operator");
    const kube__json *values = kube__json_get(expression, "values");
    texts list = texts_for(ctx, count_of(values));
    if (strcmp(op, "Exists") == 0)
        return key;
    if (strcmp(op, "DoesNotExist") == 0)
        return kube__api_text(ctx, "!%s", key);
    KUBE__JSON_EACH (value, values)
        add(&list, kube__json_string_or(value, ""));
    sort(&list);
    return kube__api_text(ctx, "%s %s (%s)", key, strcmp(op, "NotIn") == 0 ? "notin" : "in",
                          join(&list, ","));
}

/* A LabelSelector as a query would have it. */
static const char *selector_text(kube_ctx *ctx, const kube__json *selector)
{
    const kube__json *labels = kube__json_get(selector, "matchLabels");
    const kube__json *expressions = kube__json_get(selector, "matchExpressions");
    texts list = texts_for(ctx, count_of(labels) + count_of(expressions));
    KUBE__JSON_EACH (label, labels)
        add(&list, kube__api_text(ctx, "%s=%s", label->key, kube__json_string_or(label, "")));
    KUBE__JSON_EACH (expression, expressions)
        add(&list, expression_text(ctx, expression));
    if (list.len)
        qsort(list.items, list.len, sizeof *list.items, by_key);
    return join(&list, ",");
}

static void put_selector(const row *r)
{
    const char *text = selector_text(r->ctx, kube__json_at(r->object, "spec.selector"));
    put(r, *text ? text : "<none>");
}

static void put_containers(const row *r)
{
    const kube__json *containers = kube__json_at(r->object, "spec.template.spec.containers");
    texts names = texts_for(r->ctx, count_of(containers));
    texts images = texts_for(r->ctx, count_of(containers));
    KUBE__JSON_EACH (container, containers) {
        add(&names, kube__json_string_at(container, "name"));
        add(&images, kube__json_string_at(container, "image"));
    }
    put(r, join(&names, ","));
    put(r, join(&images, ","));
}

static void put_ratio(const row *r, const char *part, const char *whole)
{
    put(r, kube__api_text(r->ctx, "%lld/%lld", (long long)kube__table_int(r->object, part),
                          (long long)kube__table_int(r->object, whole)));
}

/* ---- core ----------------------------------------------------------------------------------- */

/* Addresses of the load balancer, each once; not the whole width of them, unless wide. */
static const char *balancer_text(const row *r)
{
    const kube__json *ingress = kube__json_at(r->object, "status.loadBalancer.ingress");
    texts all = texts_for(r->ctx, count_of(ingress));
    texts once = texts_for(r->ctx, count_of(ingress));
    KUBE__JSON_EACH (entry, ingress) {
        const char *text = kube__table_string(entry, "ip", kube__json_string_at(entry, "hostname"));
        if (*text)
            add(&all, text);
    }
    sort(&all);
    for (size_t i = 0; i < all.len; i++) {
        if (!i || strcmp(all.items[i], all.items[i - 1]) != 0)
            add(&once, all.items[i]);
    }
    return join(&once, ",");
}

static const char *external_ip(const row *r)
{
    const char *type = kube__json_string_at(r->object, "spec.type");
    const kube__json *given = kube__json_at(r->object, "spec.externalIPs");
    texts list = texts_for(r->ctx, count_of(given) + 1);
    if (strcmp(type, "ExternalName") == 0)
        return kube__json_string_at(r->object, "spec.externalName");
    if (strcmp(type, "LoadBalancer") == 0) {
        const char *balancer = balancer_text(r);
        if (*balancer)
            add(&list, balancer);
    } else if (strcmp(type, "ClusterIP") != 0 && strcmp(type, "NodePort") != 0) {
        return "<unknown>";
    }
    KUBE__JSON_EACH (ip, given)
        add(&list, kube__json_string_or(ip, ""));
    if (list.len)
        return join(&list, ",");
    return strcmp(type, "LoadBalancer") == 0 ? "<pending>" : "<none>";
}

static const char *ports_text(const row *r)
{
    const kube__json *ports = kube__json_at(r->object, "spec.ports");
    texts list = texts_for(r->ctx, count_of(ports));
    KUBE__JSON_EACH (port, ports) {
        long long number = kube__table_int(port, "port");
        long long node = kube__table_int(port, "nodePort");
        const char *protocol = kube__json_string_at(port, "protocol");
        add(&list, node > 0 ? kube__api_text(r->ctx, "%lld:%lld/%s", number, node, protocol)
                            : kube__api_text(r->ctx, "%lld/%s", number, protocol));
    }
    return list.len ? join(&list, ",") : "<none>";
}

static void service(const row *r)
{
    const kube__json *ip = kube__json_item(kube__json_at(r->object, "spec.clusterIPs"), 0);
    put_at(r, "spec.type", "");
    put(r, kube__json_string_or(ip, "<none>"));
    put(r, external_ip(r));
    put(r, ports_text(r));
    put_age(r);
    put(r, labels_text(r->ctx, kube__json_at(r->object, "spec.selector")));
}

static void config_map(const row *r)
{
    size_t count = length_at(r, "data") + length_at(r, "binaryData");
    kube__table_number(r->ctx, r->cells, (int64_t)count);
    put_age(r);
}

static void secret(const row *r)
{
    put_at(r, "type", "");
    kube__table_number(r->ctx, r->cells, (int64_t)length_at(r, "data"));
    put_age(r);
}

static void namespace_row(const row *r)
{
    put_at(r, "status.phase", "");
    put_age(r);
}

static const char *node_status(const row *r)
{
    texts list = texts_for(r->ctx, 2);
    const char *ready = NULL;
    KUBE__JSON_EACH (condition, kube__json_at(r->object, "status.conditions")) {
        if (strcmp(kube__json_string_at(condition, "type"), "Ready") == 0)
            ready = strcmp(kube__json_string_at(condition, "status"), "True") == 0 ? "Ready"
                                                                                   : "NotReady";
    }
    add(&list, ready ? ready : "Unknown");
    if (kube__json_is_true(kube__json_at(r->object, "spec.unschedulable")))
        add(&list, "SchedulingDisabled");
    return join(&list, ",");
}

static const char *node_roles(const row *r)
{
    static const char prefix[] = "node-role.kubernetes.io/";
    const kube__json *labels = kube__json_at(r->object, "metadata.labels");
    texts list = texts_for(r->ctx, count_of(labels));
    KUBE__JSON_EACH (label, labels) {
        const char *value = kube__json_string_or(label, "");
        if (strncmp(label->key, prefix, sizeof prefix - 1) == 0 && label->key[sizeof prefix - 1])
            add(&list, label->key + sizeof prefix - 1);
        else if (strcmp(label->key, "kubernetes.io/role") == 0 && *value)
            add(&list, value);
    }
    sort(&list);
    return list.len ? join(&list, ",") : "<none>";
}

static const char *node_address(const row *r, const char *type)
{
    KUBE__JSON_EACH (address, kube__json_at(r->object, "status.addresses")) {
        if (strcmp(kube__json_string_at(address, "type"), type) == 0)
            return kube__json_string_at(address, "address");
    }
    return "<none>";
}

static void node(const row *r)
{
    const kube__json *info = kube__json_at(r->object, "status.nodeInfo");
    const char *kernel = kube__table_string(info, "kernelVersion", "<unknown>");
    const char *architecture = kube__json_string_at(info, "architecture");
    put(r, node_status(r));
    put(r, node_roles(r));
    put_age(r);
    put(r, kube__json_string_at(info, "kubeletVersion"));
    put(r, node_address(r, "InternalIP"));
    put(r, node_address(r, "ExternalIP"));
    put(r, kube__table_string(info, "osImage", "<unknown>"));
    put(r, *architecture ? kube__api_text(r->ctx, "%s (%s)", kernel, architecture) : kernel);
    put(r, kube__table_string(info, "containerRuntimeVersion", "<unknown>"));
}

static void plain_account(const row *r)
{
    put_age(r);
}

/* host:port, of IPv6 in brackets. */
static const char *host_port(kube_ctx *ctx, const char *ip, const kube__json *port)
{
    if (!port)
        return ip;
    long long number = kube__table_int(port, "port");
    return strchr(ip, ':') ? kube__api_text(ctx, "[%s]:%lld", ip, number)
                           : kube__api_text(ctx, "%s:%lld", ip, number);
}

enum { ENDPOINTS_SHOWN = 3 };

static void list_endpoints(const row *r, texts *list, size_t *count, const kube__json *addresses,
                           const kube__json *port)
{
    KUBE__JSON_EACH (address, addresses) {
        ++*count;
        add(list, host_port(r->ctx, kube__json_string_at(address, "ip"), port));
    }
}

static void endpoints(const row *r)
{
    const kube__json *subsets = kube__json_get(r->object, "subsets");
    texts list = texts_for(r->ctx, ENDPOINTS_SHOWN);
    size_t count = 0;
    KUBE__JSON_EACH (subset, subsets) {
        const kube__json *ports = kube__json_get(subset, "ports");
        const kube__json *addresses = kube__json_get(subset, "addresses");
        if (!count_of(ports))
            list_endpoints(r, &list, &count, addresses, NULL);
        KUBE__JSON_EACH (port, ports)
            list_endpoints(r, &list, &count, addresses, port);
    }
    const char *text = join(&list, ",");
    if (count > ENDPOINTS_SHOWN)
        text = kube__api_text(r->ctx, "%s + %zu more...", text, count - ENDPOINTS_SHOWN);
    put(r, count_of(subsets) ? text : "<none>");
    put_age(r);
}

/* ---- events --------------------------------------------------------------------------------- */

/* Members that have other names in core/v1 and in events.k8s.io/v1. */
static const char *either(const kube__json *object, const char *core, const char *events)
{
    return kube__table_string(object, core, kube__json_string_at(object, events));
}

static const char *trimmed(kube_ctx *ctx, const char *text)
{
    while (kube__is_space(*text))
        text++;
    size_t len = strlen(text);
    while (len && kube__is_space(text[len - 1]))
        len--;
    return kube_ctx_strndup(ctx, text, len);
}

static const char *event_target(const row *r)
{
    const char *part = kube__json_get(r->object, "involvedObject") ? "involvedObject" : "regarding";
    const kube__json *target = kube__json_get(r->object, part);
    const char *name = kube__json_string_at(target, "name");
    const char *kind = kube__api_lower(r->ctx, kube__json_string_at(target, "kind"));
    return *name ? kube__api_text(r->ctx, "%s/%s", kind, name) : kind;
}

static const char *event_source(const row *r)
{
    const kube__json *source = kube__json_get(r->object, "source");
    if (!source)
        source = kube__json_get(r->object, "deprecatedSource");
    const char *component = kube__table_string(
        source, "component", either(r->object, "reportingComponent", "reportingController"));
    const char *host =
        kube__table_string(source, "host", kube__json_string_at(r->object, "reportingInstance"));
    return *host ? kube__api_text(r->ctx, "%s, %s", component, host) : component;
}

static void event(const row *r)
{
    const kube__json *o = r->object;
    const kube__json *series = kube__json_get(o, "series");
    const char *first = kube__table_string(
        o, "firstTimestamp",
        kube__table_string(o, "deprecatedFirstTimestamp", kube__json_string_at(o, "eventTime")));
    const char *last = kube__table_string(o, "lastTimestamp",
                                          kube__table_string(o, "deprecatedLastTimestamp", first));
    int64_t count = kube__table_int(o, "count") + kube__table_int(o, "deprecatedCount");
    if (series && !kube__json_is(series, KUBE__JSON_NULL)) {
        last = kube__json_string_at(series, "lastObservedTime");
        count = kube__table_int(series, "count");
    } else if (!count) {
        count = 1;
    }
    put(r, kube__table_age(r->ctx, last, r->now));
    put_at(r, "type", "");
    put_at(r, "reason", "");
    put(r, event_target(r));
    put(r, either(o, "involvedObject.fieldPath", "regarding.fieldPath"));
    put(r, event_source(r));
    put(r, trimmed(r->ctx, either(o, "message", "note")));
    put(r, kube__table_age(r->ctx, first, r->now));
    kube__table_number(r->ctx, r->cells, count);
    put_at(r, "metadata.name", "");
}

/* ---- apps ----------------------------------------------------------------------------------- */

static void deployment(const row *r)
{
    put_ratio(r, "status.readyReplicas", "spec.replicas");
    put_int(r, "status.updatedReplicas");
    put_int(r, "status.availableReplicas");
    put_age(r);
    put_containers(r);
    put(r, selector_text(r->ctx, kube__json_at(r->object, "spec.selector")));
}

static void replica_set(const row *r)
{
    put_int(r, "spec.replicas");
    put_int(r, "status.replicas");
    put_int(r, "status.readyReplicas");
    put_age(r);
    put_containers(r);
    put_selector(r);
}

static void stateful_set(const row *r)
{
    put_ratio(r, "status.readyReplicas", "spec.replicas");
    put_age(r);
    put_containers(r);
}

static void daemon_set(const row *r)
{
    put_int(r, "status.desiredNumberScheduled");
    put_int(r, "status.currentNumberScheduled");
    put_int(r, "status.numberReady");
    put_int(r, "status.updatedNumberScheduled");
    put_int(r, "status.numberAvailable");
    put(r, labels_text(r->ctx, kube__json_at(r->object, "spec.template.spec.nodeSelector")));
    put_age(r);
    put_containers(r);
    put_selector(r);
}

/* "deployment.apps/web", who controls the object. */
static const char *controller_text(const row *r)
{
    KUBE__JSON_EACH (owner, kube__json_at(r->object, "metadata.ownerReferences")) {
        if (!kube__json_is_true(kube__json_get(owner, "controller")))
            continue;
        const char *api_version = kube__json_string_at(owner, "apiVersion");
        const char *slash = strchr(api_version, '/');
        const char *kind = kube__api_lower(r->ctx, kube__json_string_at(owner, "kind"));
        return kube__api_text(r->ctx, "%s%s%.*s/%s", kind, slash ? "." : "",
                              slash ? (int)(slash - api_version) : 0, api_version,
                              kube__json_string_at(owner, "name"));
    }
    return "<none>";
}

static void revision(const row *r)
{
    put(r, controller_text(r));
    put_int(r, "revision");
    put_age(r);
}

/* ---- the other groups ----------------------------------------------------------------------- */

static void lease(const row *r)
{
    put_at(r, "spec.holderIdentity", "");
    put_age(r);
}

static const char *subjects_text(const row *r, const char *kind)
{
    const kube__json *subjects = kube__json_get(r->object, "subjects");
    texts list = texts_for(r->ctx, count_of(subjects));
    KUBE__JSON_EACH (subject, subjects) {
        const char *name = kube__json_string_at(subject, "name");
        if (strcmp(kube__json_string_at(subject, "kind"), kind) != 0)
            continue;
        add(&list,
            strcmp(kind, "ServiceAccount") == 0
                ? kube__api_text(r->ctx, "%s/%s", kube__json_string_at(subject, "namespace"), name)
                : name);
    }
    return join(&list, ", ");
}

static void binding(const row *r)
{
    const kube__json *ref = kube__json_get(r->object, "roleRef");
    put(r, kube__api_text(r->ctx, "%s/%s", kube__json_string_at(ref, "kind"),
                          kube__json_string_at(ref, "name")));
    put_age(r);
    put(r, subjects_text(r, "User"));
    put(r, subjects_text(r, "Group"));
    put(r, subjects_text(r, "ServiceAccount"));
}

static void definition(const row *r)
{
    const kube__json *versions = kube__json_at(r->object, "spec.versions");
    const kube__json *short_names = kube__json_at(r->object, "spec.names.shortNames");
    texts served = texts_for(r->ctx, count_of(versions));
    texts shorts = texts_for(r->ctx, count_of(short_names));
    bool established = false;
    KUBE__JSON_EACH (version, versions) {
        const char *name = kube__json_string_at(version, "name");
        if (!kube__json_is_true(kube__json_get(version, "served")))
            continue;
        bool stored = kube__json_is_true(kube__json_get(version, "storage"));
        add(&served, stored ? kube__api_text(r->ctx, "%s(storage)", name) : name);
    }
    sort(&served);
    KUBE__JSON_EACH (name, short_names)
        add(&shorts, kube__json_string_or(name, ""));
    KUBE__JSON_EACH (condition, kube__json_at(r->object, "status.conditions"))
        established =
            established || (strcmp(kube__json_string_at(condition, "type"), "Established") == 0 &&
                            strcmp(kube__json_string_at(condition, "status"), "True") == 0);
    put_at(r, "spec.scope", "");
    put(r, join(&served, ","));
    put_at(r, "metadata.creationTimestamp", "");
    put_at(r, "spec.group", "");
    put_at(r, "spec.names.kind", "");
    put(r, join(&shorts, ","));
    kube__json_append(r->cells, kube__json_bool(r->ctx, established));
}

static void plain(const row *r)
{
    put_at(r, "metadata.creationTimestamp", "");
}

/* ---- all of them ---------------------------------------------------------------------------- */

#define RBAC "rbac.authorization.k8s.io"

static const struct {
    const char *group;
    const char *plural;
    void (*fill)(const row *r);
} kinds[] = {
    {"", "services", service},
    {"", "configmaps", config_map},
    {"", "secrets", secret},
    {"", "namespaces", namespace_row},
    {"", "nodes", node},
    {"", "serviceaccounts", plain_account},
    {"", "endpoints", endpoints},
    {"apps", "deployments", deployment},
    {"apps", "replicasets", replica_set},
    {"apps", "statefulsets", stateful_set},
    {"apps", "daemonsets", daemon_set},
    {"apps", "controllerrevisions", revision},
    {"coordination.k8s.io", "leases", lease},
    {RBAC, "rolebindings", binding},
    {RBAC, "clusterrolebindings", binding},
    {"apiextensions.k8s.io", "customresourcedefinitions", definition},
};

kube__json *kube__table_builtin_cells(kube_ctx *ctx, const kube__api_resource *resource,
                                      const kube__json *object, const char *now)
{
    if (!*resource->group && strcmp(resource->plural, "pods") == 0)
        return kube__table_pod_cells(ctx, object, now);
    row r = {.ctx = ctx, .object = object, .now = now, .cells = kube__json_array(ctx)};
    if (strcmp(resource->plural, "events") == 0) { /* the one that does not begin with a name */
        event(&r);
        return r.cells;
    }
    put_at(&r, "metadata.name", "");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].group, resource->group) == 0 &&
            strcmp(kinds[i].plural, resource->plural) == 0) {
            kinds[i].fill(&r);
            return r.cells;
        }
    }
    plain(&r);
    return r.cells;
}
