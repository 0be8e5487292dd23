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
    const char *label;      /* aggregate-to-…; may be NULL */
    const char *aggregates; /* collects roles with this label; may be NULL */
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

static kube__json *start(kube_ctx *ctx, const char *kind, const char *name, const char *label)
{
    kube__json *object = kube__json_typed(ctx, kind, PREFIX "v1");
    kube__json *metadata = kube__json_ensure_object(ctx, object, "metadata");
    kube__json_set_string(ctx, metadata, "name", name);
    kube__json *labels = kube__json_ensure_object(ctx, metadata, "labels");
    kube__json_set_string(ctx, labels, "kubernetes.io/bootstrapping", "rbac-defaults");
    if (label) {
        const char *key = kube__api_text(ctx, PREFIX "%s", label);
        kube__json_set_string(ctx, labels, key, "true");
    }
    kube__json *annotations = kube__json_ensure_object(ctx, metadata, "annotations");
    kube__json_set_string(ctx, annotations, PREFIX "autoupdate", "true");
    return object;
}

static kube__json *role_object(kube_ctx *ctx, const role *one)
{
    kube__json *object = start(ctx, "ClusterRole", one->name, one->label);
    if (one->rules) {
        const char *text = kube__api_text(ctx, "[%s]", one->rules);
        kube__json_set(ctx, object, "rules",
                       kube__json_parse(ctx, text, strlen(text), NULL, NULL, NULL));
    }
    if (one->aggregates) {
        kube__json_set(ctx, object, "rules", kube__json_null(ctx));
        kube__json *aggregation = kube__json_ensure_object(ctx, object, "aggregationRule");
        kube__json *selectors = kube__json_ensure_array(ctx, aggregation, "clusterRoleSelectors");
        kube__json *selector = kube__json_append(selectors, kube__json_object(ctx));
        const char *key = kube__api_text(ctx, PREFIX "%s", one->aggregates);
        kube__json_set_string(ctx, kube__json_ensure_object(ctx, selector, "matchLabels"), key,
                              "true");
    }
    return object;
}

static kube__json *binding_object(kube_ctx *ctx, const char *role_name, const char *const *groups,
                                  size_t count)
{
    kube__json *object = start(ctx, "ClusterRoleBinding", role_name, NULL);
    kube__json *subjects = kube__json_ensure_array(ctx, object, "subjects");
    for (size_t i = 0; i < count && groups[i]; i++) {
        kube__json *subject = kube__json_append(subjects, kube__json_object(ctx));
        kube__json_set_string(ctx, subject, "kind", "Group");
        kube__json_set_string(ctx, subject, "apiGroup", "rbac.authorization.k8s.io");
        kube__json_set_string(ctx, subject, "name", groups[i]);
    }
    kube__json *role_ref = kube__json_ensure_object(ctx, object, "roleRef");
    kube__json_set_string(ctx, role_ref, "apiGroup", "rbac.authorization.k8s.io");
    kube__json_set_string(ctx, role_ref, "kind", "ClusterRole");
    kube__json_set_string(ctx, role_ref, "name", role_name);
    return object;
}

/* One that is there already, from a data file, stays as it is. */
static bool create(kube_apiserver *server, kube_ctx *ctx, const char *path,
                   const kube__json *object)
{
    kube__api_failure *failure = NULL;
    if (kube_ctx_failed(ctx))
        return false;
    return kube__api_loopback(server, ctx, "POST", path, NULL, object, &failure) ||
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
    for (size_t i = 0; done && i < sizeof roles / sizeof *roles; i++)
        done = create(server, ctx, "/apis/" PREFIX "v1/clusterroles", role_object(ctx, &roles[i]));
    for (size_t i = 0; done && i < sizeof bindings / sizeof *bindings; i++)
        done = create(server, ctx, "/apis/" PREFIX "v1/clusterrolebindings",
                      binding_object(ctx, bindings[i].role, bindings[i].groups,
                                     sizeof bindings[i].groups / sizeof *bindings[i].groups));
    kube_ctx_free(ctx);
    return done;
}
