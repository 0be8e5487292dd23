/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The roles and bindings that every cluster starts with and clients rely on. admin, edit and view
 * name the resources of the groups that this server has, no others.
 */
#include "apiserver/auth/token.h"
#include "apiserver/core/apiserver.h"
#include "apiserver/verbs/loopback.h"

#include <string.h>

#define PREFIX "rbac.authorization.k8s.io/"
#define READ "[\"get\",\"list\",\"watch\"]"
#define WRITE "[\"create\",\"delete\",\"deletecollection\",\"patch\",\"update\"]"
#define ALL                                                                                        \
    "[\"create\",\"delete\",\"deletecollection\",\"get\",\"list\",\"patch\",\"update\",\"watch\"]"
#define RULE(verbs, groups, resources)                                                             \
    "{\"verbs\":" verbs ",\"apiGroups\":[" groups "],\"resources\":[" resources "]}"
#define PATHS(...) "{\"verbs\":[\"get\"],\"nonResourceURLs\":[" __VA_ARGS__ "]}"

typedef struct role {
    const char *name;
    const char *label;      /* aggregate-to-…; NULL = none */
    const char *aggregates; /* collects roles with this label; NULL = none */
    const char *rules;
} role;

/* clang-format off */
static const role roles[] = {
    {"cluster-admin", NULL, NULL,
     RULE("[\"*\"]", "\"*\"", "\"*\"") ",{\"verbs\":[\"*\"],\"nonResourceURLs\":[\"*\"]}"},
    {"system:discovery", NULL, NULL,
     PATHS("\"/api\",\"/api/*\",\"/apis\",\"/apis/*\",\"/healthz\",\"/livez\",\"/openapi\","
           "\"/openapi/*\",\"/readyz\",\"/version\",\"/version/\"")},
    {"system:public-info-viewer", NULL, NULL,
     PATHS("\"/healthz\",\"/livez\",\"/readyz\",\"/version\",\"/version/\"")},
    {"system:monitoring", NULL, NULL,
     PATHS("\"/healthz\",\"/healthz/*\",\"/livez\",\"/livez/*\",\"/metrics\",\"/readyz\","
           "\"/readyz/*\"")},
    {"system:basic-user", NULL, NULL,
     RULE("[\"create\"]", "\"authorization.k8s.io\"",
          "\"selfsubjectaccessreviews\",\"selfsubjectrulesreviews\"") ","
     RULE("[\"create\"]", "\"authentication.k8s.io\"", "\"selfsubjectreviews\"")},
    {"admin", NULL, "aggregate-to-admin", NULL},
    {"edit", "aggregate-to-admin", "aggregate-to-edit", NULL},
    {"view", "aggregate-to-edit", "aggregate-to-view", NULL},
    {"system:aggregate-to-admin", "aggregate-to-admin", NULL,
     RULE("[\"create\"]", "\"authorization.k8s.io\"", "\"localsubjectaccessreviews\"") ","
     RULE(ALL, "\"rbac.authorization.k8s.io\"", "\"rolebindings\",\"roles\"")},
    {"system:aggregate-to-edit", "aggregate-to-edit", NULL,
     RULE(READ, "\"\"",
          "\"pods/attach\",\"pods/exec\",\"pods/portforward\",\"pods/proxy\",\"secrets\","
          "\"services/proxy\"") ","
     RULE("[\"impersonate\"]", "\"\"", "\"serviceaccounts\"") ","
     RULE(WRITE, "\"\"",
          "\"pods\",\"pods/attach\",\"pods/exec\",\"pods/portforward\",\"pods/proxy\"") ","
     RULE("[\"create\"]", "\"\"", "\"pods/eviction\",\"serviceaccounts/token\"") ","
     RULE(WRITE, "\"\"",
          "\"configmaps\",\"secrets\",\"serviceaccounts\",\"services\",\"services/proxy\"") ","
     RULE(WRITE, "\"\",\"events.k8s.io\"", "\"events\"") ","
     RULE(WRITE, "\"apps\"",
          "\"daemonsets\",\"deployments\",\"deployments/rollback\",\"deployments/scale\","
          "\"replicasets\",\"replicasets/scale\",\"statefulsets\",\"statefulsets/scale\"") ","
     RULE(ALL, "\"coordination.k8s.io\"", "\"leases\"")},
    {"system:aggregate-to-view", "aggregate-to-view", NULL,
     RULE(READ, "\"\"",
          "\"configmaps\",\"endpoints\",\"namespaces\",\"namespaces/status\",\"pods\","
          "\"pods/log\",\"pods/status\",\"serviceaccounts\",\"services\","
          "\"services/status\"") ","
     RULE(READ, "\"\",\"events.k8s.io\"", "\"events\"") ","
     RULE(READ, "\"apps\"",
          "\"controllerrevisions\",\"daemonsets\",\"daemonsets/status\",\"deployments\","
          "\"deployments/scale\",\"deployments/status\",\"replicasets\",\"replicasets/scale\","
          "\"replicasets/status\",\"statefulsets\",\"statefulsets/scale\","
          "\"statefulsets/status\"")},
};
/* clang-format on */

static const struct {
    const char *role;
    const char *groups[2];
} bindings[] = {
    {"cluster-admin", {"system:masters", NULL}},
    {"system:discovery", {"system:authenticated", NULL}},
    {"system:basic-user", {"system:authenticated", NULL}},
    {"system:public-info-viewer", {"system:authenticated", "system:unauthenticated"}},
    {"system:monitoring", {"system:monitoring", NULL}},
};

static kube__json *start(kube__heap *heap, const char *kind, const char *name, const char *label)
{
    kube__json *object = kube__json_object(heap);
    kube__json_set_string(heap, object, "kind", kind);
    kube__json_set_string(heap, object, "apiVersion", PREFIX "v1");
    kube__json *metadata = kube__json_ensure_object(heap, object, "metadata");
    kube__json_set_string(heap, metadata, "name", name);
    kube__json *labels = kube__json_ensure_object(heap, metadata, "labels");
    kube__json_set_string(heap, labels, "kubernetes.io/bootstrapping", "rbac-defaults");
    if (label) {
        const char *key = kube__heap_printf(heap, PREFIX "%s", label);
        kube__json_set_string(heap, labels, key ? key : "", "true");
    }
    kube__json *annotations = kube__json_ensure_object(heap, metadata, "annotations");
    kube__json_set_string(heap, annotations, PREFIX "autoupdate", "true");
    return object;
}

static kube__json *role_object(kube__heap *heap, const role *one)
{
    kube__json *object = start(heap, "ClusterRole", one->name, one->label);
    if (one->rules) {
        const char *text = kube__heap_printf(heap, "[%s]", one->rules);
        if (text)
            kube__json_set(heap, object, "rules",
                           kube__json_parse(heap, text, strlen(text), NULL, NULL, NULL));
    }
    if (one->aggregates) {
        kube__json_set(heap, object, "rules", kube__json_null(heap));
        kube__json *aggregation = kube__json_ensure_object(heap, object, "aggregationRule");
        kube__json *selectors = kube__json_ensure_array(heap, aggregation, "clusterRoleSelectors");
        kube__json *selector = kube__json_append(selectors, kube__json_object(heap));
        const char *key = kube__heap_printf(heap, PREFIX "%s", one->aggregates);
        kube__json_set_string(heap, kube__json_ensure_object(heap, selector, "matchLabels"),
                              key ? key : "", "true");
    }
    return object;
}

static kube__json *binding_object(kube__heap *heap, const char *role_name,
                                  const char *const *groups, size_t count)
{
    kube__json *object = start(heap, "ClusterRoleBinding", role_name, NULL);
    kube__json *subjects = kube__json_ensure_array(heap, object, "subjects");
    for (size_t i = 0; i < count && groups[i]; i++) {
        kube__json *subject = kube__json_append(subjects, kube__json_object(heap));
        kube__json_set_string(heap, subject, "kind", "Group");
        kube__json_set_string(heap, subject, "apiGroup", "rbac.authorization.k8s.io");
        kube__json_set_string(heap, subject, "name", groups[i]);
    }
    kube__json *role_ref = kube__json_ensure_object(heap, object, "roleRef");
    kube__json_set_string(heap, role_ref, "apiGroup", "rbac.authorization.k8s.io");
    kube__json_set_string(heap, role_ref, "kind", "ClusterRole");
    kube__json_set_string(heap, role_ref, "name", role_name);
    return object;
}

/* One that is there already, from a data file, stays as it is. */
static bool create(kube_apiserver *server, kube__heap *heap, const char *path,
                   const kube__json *object)
{
    kube__api_failure *failure = NULL;
    if (heap->failed)
        return false;
    return kube__api_loopback(server, heap, "POST", path, NULL, object, &failure) ||
           (failure && failure->http_status == 409);
}

bool kube__api_authority_bootstrap(kube_apiserver *server)
{
    bool done = true;
    if (server->options.authorization != KUBE_APISERVER_RBAC)
        return true;
    kube_ctx *ctx = kube_ctx_new();
    if (!ctx)
        return false;
    kube__heap heap = {.ctx = ctx};
    for (size_t i = 0; done && i < sizeof roles / sizeof *roles; i++)
        done =
            create(server, &heap, "/apis/" PREFIX "v1/clusterroles", role_object(&heap, &roles[i]));
    for (size_t i = 0; done && i < sizeof bindings / sizeof *bindings; i++)
        done = create(server, &heap, "/apis/" PREFIX "v1/clusterrolebindings",
                      binding_object(&heap, bindings[i].role, bindings[i].groups,
                                     sizeof bindings[i].groups / sizeof *bindings[i].groups));
    kube_ctx_free(ctx);
    return done;
}
