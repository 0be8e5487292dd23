/* SPDX-License-Identifier: Apache-2.0 */
#include "rbac.h"

#include "apiserver/core/apiserver.h"
#include "apiserver/registry/registry.h"
#include "apiserver/store/store.h"
#include "apiserver/value/quote.h"
#include "token.h"

#include <string.h>

#define GROUP "rbac.authorization.k8s.io"

/* Roles that collect roles that collect roles: no deeper, or a circle would have no end. */
#define AGGREGATION_DEPTH 8

/* ---- rules ---------------------------------------------------------------------------------- */

static bool has_or_all(const kube__json *list, const char *name)
{
    return kube__json_has_text(list, "*") || kube__json_has_text(list, name);
}

/* "pods", "pods/status", and of a subresource any resource's, "*" + "/status". */
static bool resource_matches(const kube__json *resources, const kube__api_attributes *attributes)
{
    size_t len = strlen(attributes->resource);
    KUBE__JSON_EACH (item, resources) {
        const char *rule = kube__json_string_or(item, "");
        if (strcmp(rule, "*") == 0)
            return true;
        if (!*attributes->subresource) {
            if (strcmp(rule, attributes->resource) == 0)
                return true;
            continue;
        }
        bool named = strncmp(rule, attributes->resource, len) == 0 && rule[len] == '/' &&
                     strcmp(rule + len + 1, attributes->subresource) == 0;
        bool any = strncmp(rule, "*/", 2) == 0 && strcmp(rule + 2, attributes->subresource) == 0;
        if (named || any)
            return true;
    }
    return false;
}

static bool path_matches(const kube__json *urls, const char *path)
{
    KUBE__JSON_EACH (item, urls) {
        const char *rule = kube__json_string_or(item, "");
        size_t len = strlen(rule);
        if (strcmp(rule, path) == 0)
            return true;
        if (!len || rule[len - 1] != '*')
            continue;
        while (len && rule[len - 1] == '*')
            len--;
        if (strncmp(rule, path, len) == 0)
            return true;
    }
    return false;
}

bool kube__rbac_rule_allows(const kube__json *rule, const kube__api_attributes *attributes)
{
    if (!has_or_all(kube__json_get(rule, "verbs"), attributes->verb))
        return false;
    if (attributes->path)
        return path_matches(kube__json_get(rule, "nonResourceURLs"), attributes->path);
    const kube__json *names = kube__json_get(rule, "resourceNames");
    return has_or_all(kube__json_get(rule, "apiGroups"), attributes->group) &&
           resource_matches(kube__json_get(rule, "resources"), attributes) &&
           (!names || !names->len || kube__json_has_text(names, attributes->name));
}

/* ---- roles ---------------------------------------------------------------------------------- */

static const kube__api_resource *resource_of(const kube_apiserver *server, const char *plural)
{
    const kube__api_resource *resource =
        kube__api_registry_find(server->registry, GROUP, "v1", plural);
    return resource && resource->collection ? resource : NULL;
}

static void collect(kube_apiserver *server, kube_ctx *ctx, const kube__json *rule, int depth,
                    kube__json *rules);

static void add_rules(kube_apiserver *server, kube_ctx *ctx, const kube__json *role, int depth,
                      kube__json *rules)
{
    const kube__json *aggregation = kube__json_get(role, "aggregationRule");
    if (aggregation && depth < AGGREGATION_DEPTH) {
        collect(server, ctx, aggregation, depth + 1, rules);
        return;
    }
    KUBE__JSON_EACH (rule, kube__json_get(role, "rules"))
        kube__json_append(rules, kube__json_copy(ctx, rule));
}

typedef struct gathering {
    kube_apiserver *server;
    kube_ctx *ctx;
    const kube__api_resource *resource;
    const kube__api_selector *selector;
    int depth;
    kube__json *rules;
} gathering;

static bool gather(void *arg, kube__api_object *object)
{
    const gathering *g = arg;
    if (kube__api_selector_matches(g->selector, object->labels))
        add_rules(g->server, g->ctx, kube__api_object_json(g->ctx, object, g->resource), g->depth,
                  g->rules);
    return !kube_ctx_failed(g->ctx);
}

/* The rules of all ClusterRoles that a rule's selectors choose: what a controller writes into the
 * role in a cluster. */
static void collect(kube_apiserver *server, kube_ctx *ctx, const kube__json *rule, int depth,
                    kube__json *rules)
{
    const kube__api_resource *resource = resource_of(server, "clusterroles");
    KUBE__JSON_EACH (selector, kube__json_get(rule, "clusterRoleSelectors")) {
        gathering g = {
            .server = server, .ctx = ctx, .resource = resource, .depth = depth, .rules = rules};
        if (resource && !kube__api_object_selector(ctx, selector, &g.selector))
            kube__api_store_each(resource->collection, "", gather, &g);
    }
}

kube__json *kube__rbac_rules_of(kube_apiserver *server, kube_ctx *ctx, const kube__json *role_ref,
                                const char *namespace_)
{
    bool cluster = strcmp(kube__json_string_at(role_ref, "kind"), "ClusterRole") == 0;
    const kube__api_resource *resource = resource_of(server, cluster ? "clusterroles" : "roles");
    const kube__api_object *object =
        resource ? kube__api_store_get(resource->collection, cluster ? "" : namespace_,
                                       kube__json_string_at(role_ref, "name"))
                 : NULL;
    if (!object)
        return NULL;
    kube__json *rules = kube__json_array(ctx);
    add_rules(server, ctx, kube__api_object_json(ctx, object, resource), 0, rules);
    return rules;
}

/* ---- bindings ------------------------------------------------------------------------------- */

static bool is_subject(kube_ctx *ctx, const kube__json *subject, const kube__api_user *user,
                       const char *binding_namespace)
{
    const char *kind = kube__json_string_at(subject, "kind");
    const char *name = kube__json_string_at(subject, "name");
    if (strcmp(kind, "User") == 0)
        return strcmp(user->name, name) == 0;
    if (strcmp(kind, "Group") == 0)
        return kube__api_is_one_of(name, user->groups);
    const char *account_namespace = NULL;
    const char *account = NULL;
    if (strcmp(kind, "ServiceAccount") != 0 ||
        !kube__api_split_service_account(ctx, user->name, &account_namespace, &account))
        return false;
    const char *namespace_ = kube__json_string_at(subject, "namespace");
    namespace_ = *namespace_ ? namespace_ : binding_namespace;
    return strcmp(account_namespace, namespace_) == 0 && strcmp(account, name) == 0;
}

typedef struct walk {
    kube_apiserver *server;
    kube_ctx *ctx;
    const kube__api_user *user;
    const kube__api_resource *resource;
    const char *namespace_;
    kube__rbac_visitor *visitor;
    void *arg;
    const char *errors; /* "a, b" */
    size_t error_count;
    bool stopped;
} walk;

/* Each text once, as the real server joins its errors. */
static void note_missing(walk *w, const kube__json *role_ref)
{
    bool cluster = strcmp(kube__json_string_at(role_ref, "kind"), "ClusterRole") == 0;
    const char *text =
        kube__api_text(w->ctx, "%s." GROUP " %s not found", cluster ? "clusterrole" : "role",
                       kube__api_quote(w->ctx, kube__json_string_at(role_ref, "name")));
    if (!text || strstr(w->errors, text))
        return;
    const char *errors =
        kube__api_text(w->ctx, "%s%s%s", w->errors, w->error_count ? ", " : "", text);
    w->errors = errors ? errors : w->errors;
    w->error_count++;
}

static bool visit_binding(void *arg, kube__api_object *object)
{
    walk *w = arg;
    const kube__json *binding = kube__api_object_json(w->ctx, object, w->resource);
    const kube__json *subject = NULL;
    KUBE__JSON_EACH (candidate, kube__json_get(binding, "subjects")) {
        if (!subject && is_subject(w->ctx, candidate, w->user, w->namespace_))
            subject = candidate;
    }
    if (!subject)
        return !kube_ctx_failed(w->ctx);
    const kube__json *role_ref = kube__json_get(binding, "roleRef");
    const kube__json *rules = kube__rbac_rules_of(w->server, w->ctx, role_ref, w->namespace_);
    if (!rules)
        note_missing(w, role_ref);
    KUBE__JSON_EACH (rule, rules) {
        if (!w->visitor(w->arg, binding, subject, rule)) {
            w->stopped = true;
            return false;
        }
    }
    return !kube_ctx_failed(w->ctx);
}

void kube__rbac_visit(kube_apiserver *server, kube_ctx *ctx, const kube__api_user *user,
                      const char *namespace_, kube__rbac_visitor *visitor, void *arg,
                      const char **errors)
{
    walk w = {.server = server,
              .ctx = ctx,
              .user = user,
              .resource = resource_of(server, "clusterrolebindings"),
              .namespace_ = "",
              .visitor = visitor,
              .arg = arg,
              .errors = ""};
    if (w.resource)
        kube__api_store_each(w.resource->collection, "", visit_binding, &w);
    w.resource = resource_of(server, "rolebindings");
    w.namespace_ = namespace_;
    if (w.resource && *namespace_ && !w.stopped)
        kube__api_store_each(w.resource->collection, namespace_, visit_binding, &w);
    *errors = w.error_count > 1 ? kube__api_text(ctx, "[%s]", w.errors) : w.errors;
    *errors = *errors ? *errors : "";
}

/* ---- texts ---------------------------------------------------------------------------------- */

const char *kube__rbac_source(kube_ctx *ctx, const kube__json *binding, const kube__json *subject)
{
    const char *namespace_ = kube__json_string_at(binding, "metadata.namespace");
    const char *name = kube__json_string_at(binding, "metadata.name");
    const char *kind = kube__json_string_at(subject, "kind");
    const char *who = kube__json_string_at(subject, "name");
    if (strcmp(kind, "ServiceAccount") == 0) {
        const char *own = kube__json_string_at(subject, "namespace");
        who = kube__api_text(ctx, "%s/%s", who, *own ? own : namespace_);
    }
    if (*namespace_)
        name = kube__api_text(ctx, "%s/%s", name, namespace_);
    return kube__api_text(ctx, "RBAC: allowed by %s %s of %s %s to %s %s",
                          *namespace_ ? "RoleBinding" : "ClusterRoleBinding",
                          kube__api_quote(ctx, name), kube__json_string_at(binding, "roleRef.kind"),
                          kube__api_quote(ctx, kube__json_string_at(binding, "roleRef.name")), kind,
                          kube__api_quote(ctx, who));
}
