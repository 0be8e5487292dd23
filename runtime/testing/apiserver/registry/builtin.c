/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in kinds that are served. */
#include "apiserver/core/resource.h"
#include "apiserver/schema/schema.h"
#include "apiserver/store/store.h"
#include "apiserver/view/view.h"
#include "registry.h"

#include <stdlib.h>
#include <string.h>

enum { NAMESPACED = 1, STATUS = 2, SCALE = 4, REVIEW = 8 };

enum { SHORT_MAX = 2, FIELD_MAX = 9 };

static const struct builtin {
    const char *group;
    const char *kind;
    const char *plural;
    const char *singular;
    unsigned flags;
    const char *short_names[SHORT_MAX + 1];
    const char *category;
    const char *fields[FIELD_MAX + 1];
    /* What is sent of an object that has nothing: Go's zero values that are not left out. */
    const char *zero;
} builtins[] = {
    /* clang-format off */
    {"", "ConfigMap", "configmaps", "configmap", NAMESPACED, {"cm"}, NULL, {NULL}, NULL},
    {"", "Endpoints", "endpoints", "endpoints", NAMESPACED, {"ep"}, NULL, {NULL}, NULL},
    {"", "Event", "events", "event", NAMESPACED, {"ev"}, NULL,
     {"involvedObject.kind", "involvedObject.namespace", "involvedObject.name",
      "involvedObject.uid", "reason", "reportingComponent", "source", "type"},
     "{\"involvedObject\":{},\"source\":{},\"firstTimestamp\":null,\"lastTimestamp\":null,"
     "\"eventTime\":null,\"reportingComponent\":\"\",\"reportingInstance\":\"\"}"},
    {"", "Namespace", "namespaces", "namespace", STATUS, {"ns"}, NULL, {"status.phase"},
     "{\"spec\":{},\"status\":{}}"},
    {"", "Node", "nodes", "node", STATUS, {"no"}, NULL, {"spec.unschedulable"},
     "{\"spec\":{},\"status\":{\"daemonEndpoints\":{\"kubeletEndpoint\":{\"Port\":0}},"
     "\"nodeInfo\":{\"machineID\":\"\",\"systemUUID\":\"\",\"bootID\":\"\",\"kernelVersion\":\"\","
     "\"osImage\":\"\",\"containerRuntimeVersion\":\"\",\"kubeletVersion\":\"\","
     "\"kubeProxyVersion\":\"\",\"operatingSystem\":\"\",\"architecture\":\"\"}}}"},
    {"", "Pod", "pods", "pod", NAMESPACED | STATUS, {"po"}, "all",
     {"spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
      "spec.hostNetwork", "status.phase", "status.podIP", "status.nominatedNodeName"},
     "{\"spec\":{\"containers\":null},\"status\":{}}"},
    {"", "Secret", "secrets", "secret", NAMESPACED, {NULL}, NULL, {"type"}, NULL},
    {"", "ServiceAccount", "serviceaccounts", "serviceaccount", NAMESPACED, {"sa"}, NULL, {NULL},
     NULL},
    {"", "Service", "services", "service", NAMESPACED | STATUS, {"svc"}, "all",
     {"spec.clusterIP", "spec.type"}, "{\"spec\":{},\"status\":{\"loadBalancer\":{}}}"},
    {"apps", "DaemonSet", "daemonsets", "daemonset", NAMESPACED | STATUS, {"ds"}, "all", {NULL},
     "{\"spec\":{\"selector\":null,\"template\":{\"metadata\":{},\"spec\":{\"containers\":null}},"
     "\"updateStrategy\":{}},\"status\":{\"currentNumberScheduled\":0,\"numberMisscheduled\":0,"
     "\"desiredNumberScheduled\":0,\"numberReady\":0}}"},
    {"apps", "Deployment", "deployments", "deployment", NAMESPACED | STATUS | SCALE, {"deploy"},
     "all", {NULL},
     "{\"spec\":{\"replicas\":0,\"selector\":null,\"template\":{\"metadata\":{},\"spec\":{"
     "\"containers\":null}},\"strategy\":{}},\"status\":{}}"},
    {"apps", "ReplicaSet", "replicasets", "replicaset", NAMESPACED | STATUS | SCALE, {"rs"},
     "all", {"status.replicas"},
     "{\"spec\":{\"replicas\":0,\"selector\":null,\"template\":{\"metadata\":{},\"spec\":{"
     "\"containers\":null}}},\"status\":{\"replicas\":0}}"},
    {"apps", "StatefulSet", "statefulsets", "statefulset", NAMESPACED | STATUS | SCALE, {"sts"},
     "all", {NULL},
     "{\"spec\":{\"replicas\":0,\"selector\":null,\"template\":{\"metadata\":{},\"spec\":{"
     "\"containers\":null}},\"serviceName\":\"\",\"updateStrategy\":{}},\"status\":{\"replicas\":"
     "0,\"availableReplicas\":0}}"},
    {"events.k8s.io", "Event", "events", "event", NAMESPACED, {"ev"}, NULL,
     {"reason", "regarding.kind", "regarding.name", "regarding.namespace", "regarding.uid",
      "reportingController", "type"},
     "{\"eventTime\":null,\"regarding\":{},\"deprecatedSource\":{},\"deprecatedFirstTimestamp\":"
     "null,\"deprecatedLastTimestamp\":null}"},
    {"authentication.k8s.io", "SelfSubjectReview", "selfsubjectreviews", "selfsubjectreview",
     REVIEW, {NULL}, NULL, {NULL}, NULL},
    {"authentication.k8s.io", "TokenReview", "tokenreviews", "tokenreview", REVIEW, {NULL}, NULL,
     {NULL}, NULL},
    {"authorization.k8s.io", "LocalSubjectAccessReview", "localsubjectaccessreviews",
     "localsubjectaccessreview", NAMESPACED | REVIEW, {NULL}, NULL, {NULL}, NULL},
    {"authorization.k8s.io", "SelfSubjectAccessReview", "selfsubjectaccessreviews",
     "selfsubjectaccessreview", REVIEW, {NULL}, NULL, {NULL}, NULL},
    {"authorization.k8s.io", "SelfSubjectRulesReview", "selfsubjectrulesreviews",
     "selfsubjectrulesreview", REVIEW, {NULL}, NULL, {NULL}, NULL},
    {"authorization.k8s.io", "SubjectAccessReview", "subjectaccessreviews", "subjectaccessreview",
     REVIEW, {NULL}, NULL, {NULL}, NULL},
    {"rbac.authorization.k8s.io", "ClusterRoleBinding", "clusterrolebindings",
     "clusterrolebinding", 0, {NULL}, NULL, {NULL},
     "{\"roleRef\":{\"apiGroup\":\"\",\"kind\":\"\",\"name\":\"\"}}"},
    {"rbac.authorization.k8s.io", "ClusterRole", "clusterroles", "clusterrole", 0, {NULL}, NULL,
     {NULL}, "{\"rules\":null}"},
    {"rbac.authorization.k8s.io", "RoleBinding", "rolebindings", "rolebinding", NAMESPACED,
     {NULL}, NULL, {NULL}, "{\"roleRef\":{\"apiGroup\":\"\",\"kind\":\"\",\"name\":\"\"}}"},
    {"rbac.authorization.k8s.io", "Role", "roles", "role", NAMESPACED, {NULL}, NULL, {NULL},
     "{\"rules\":null}"},
    {"apiextensions.k8s.io", "CustomResourceDefinition", "customresourcedefinitions",
     "customresourcedefinition", STATUS, {"crd", "crds"}, "api-extensions", {NULL},
     "{\"spec\":{\"group\":\"\",\"names\":{\"plural\":\"\",\"kind\":\"\"},\"scope\":\"\","
     "\"versions\":null},\"status\":{\"conditions\":null,\"acceptedNames\":{\"plural\":\"\","
     "\"kind\":\"\"},\"storedVersions\":null}}"},
    {"coordination.k8s.io", "Lease", "leases", "lease", NAMESPACED, {NULL}, NULL, {NULL},
     "{\"spec\":{}}"},
    /* clang-format on */
};

static const size_t builtin_count = sizeof(builtins) / sizeof *builtins;

static const char *const no_names[] = {NULL};
static const char *const all_category[] = {"all", NULL};
static const char *const extensions_category[] = {"api-extensions", NULL};

static kube__api_resource *make(kube_ctx *ctx, const struct builtin *builtin)
{
    kube__api_resource *resource = kube_ctx_alloc(ctx, sizeof *resource);
    if (!resource)
        return NULL;
    *resource = (kube__api_resource){
        .group = builtin->group,
        .version = "v1",
        .plural = builtin->plural,
        .singular = builtin->singular,
        .kind = builtin->kind,
        .list_kind = kube__api_text(ctx, "%sList", builtin->kind),
        .short_names = builtin->short_names,
        .categories = !builtin->category                      ? no_names
                      : strcmp(builtin->category, "all") == 0 ? all_category
                                                              : extensions_category,
        .selectable_fields = builtin->fields,
        .namespaced = builtin->flags & NAMESPACED,
        .review = builtin->flags & REVIEW,
        .has_status = builtin->flags & STATUS,
        .zero = builtin->zero,
        .schema = kube__api_schema_of_builtin(ctx, builtin->group, "v1", builtin->kind),
        .memory = ctx,
        .refs = 1,
    };
    if (builtin->flags & SCALE)
        resource->scale = (kube__api_scale){".spec.replicas", ".status.replicas", NULL};
    if (strcmp(builtin->kind, "Endpoints") == 0)
        resource->deprecation_warning = "v1 Endpoints is deprecated in v1.33+; use "
                                        "discovery.k8s.io/v1 EndpointSlice";
    resource->columns =
        kube__api_builtin_columns(builtin->group, builtin->plural, &resource->column_count);
    return kube_ctx_failed(ctx) ? NULL : resource;
}

bool kube__api_register_builtins(kube__api_registry *registry, kube__api_store *store)
{
    for (size_t i = 0; i < builtin_count; i++) {
        const struct builtin *builtin = &builtins[i];
        kube_ctx *ctx = kube_ctx_new();
        kube__api_resource *resource = ctx ? make(ctx, builtin) : NULL;
        if (resource && !resource->review) {
            /* The two groups' events are the same objects. */
            bool shares = strcmp(builtin->plural, "events") == 0;
            resource->collection = kube__api_store_collection(store, shares ? "" : builtin->group,
                                                              builtin->plural, false);
        }
        if (!resource || (!resource->review && !resource->collection)) {
            kube_ctx_free(ctx);
            return false;
        }
        if (!kube__api_registry_put(registry, resource))
            return false;
    }
    return true;
}
