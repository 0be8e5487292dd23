/* SPDX-License-Identifier: Apache-2.0 */
/* The resources that answer a question and are not stored: who am I, may I, whose token is it. */
#include "review.h"

#include "apiserver/auth/rbac.h"
#include "apiserver/auth/token.h"
#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"

#include <string.h>

#define AUTHORIZATION "authorization.k8s.io"
#define AUTHENTICATION "authentication.k8s.io"
#define ONE_OF "exactly one of nonResourceAttributes or resourceAttributes must be specified"

/* ---- shapes --------------------------------------------------------------------------------- */

static bool is_empty(const kube__json *value)
{
    if (!value || kube__json_is(value, KUBE__JSON_NULL))
        return true;
    return !kube__json_is(value, KUBE__JSON_BOOL) && value->len == 0;
}

kube__json *kube__review_pick(kube_ctx *ctx, const kube__json *from, const char *const *keys)
{
    kube__json *picked = kube__json_object(ctx);
    for (size_t i = 0; keys[i]; i++) {
        const kube__json *value = kube__json_get(from, keys[i]);
        if (!is_empty(value) || kube__json_is(value, KUBE__JSON_OBJECT))
            kube__json_set(ctx, picked, keys[i], kube__json_copy(ctx, value));
    }
    return picked;
}

kube__json *kube__review_start(kube_ctx *ctx, const char *kind, const char *group)
{
    kube__json *out = kube__json_object(ctx);
    kube__json_set_string(ctx, out, "kind", kind);
    kube__json_set(ctx, out, "apiVersion", kube__json_stringf(ctx, "%s/v1", group));
    kube__json_ensure_object(ctx, out, "metadata");
    return out;
}

kube__api_failure *kube__review_track(kube_apiserver *server, const kube__api_request *request,
                                      const kube__api_schema *schema, kube__json *object,
                                      const char *group)
{
    kube_ctx *ctx = request->ctx;
    const char *name = kube__api_query(request, "fieldManager");
    const char *api_version = kube__api_text(ctx, "%s/v1", group);
    const kube__api_manager manager = {
        .name =
            *name ? name : kube__api_default_manager(ctx, kube__api_header(request, "user-agent")),
        .api_version = api_version,
        .subresource = request->subresource,
        .time = kube__api_now(server, ctx),
        .is_new = true,
    };
    /* Before it was set there was an empty spec, as Go has it: nobody owns that. */
    kube__json *before = kube__json_object(ctx);
    kube__json_ensure_object(ctx, before, "spec");
    return schema ? kube__api_track(ctx, schema, before, object, &manager) : NULL;
}

/* The real one's refusal names no kind. */
static kube__api_failure *invalid(kube_ctx *ctx, const kube__api_causes *causes)
{
    kube__api_failure *failure = kube__api_invalid(ctx, AUTHORIZATION, "", "", causes);
    failure->kind = NULL;
    return failure;
}

/* ---- may he --------------------------------------------------------------------------------- */

/* A pointer to a struct without JSON names, as the real one prints it. */
static const char *print_path_attributes(kube_ctx *ctx, const kube__json *attributes)
{
    if (!attributes)
        return "null";
    kube__json *out = kube__json_object(ctx);
    kube__json_set_string(ctx, out, "Path", kube__json_string_at(attributes, "path"));
    kube__json_set_string(ctx, out, "Verb", kube__json_string_at(attributes, "verb"));
    return kube__json_text(ctx, out, NULL);
}

static bool has_metadata(const kube__json *metadata, bool local)
{
    KUBE__JSON_EACH (member, metadata) {
        bool own = strcmp(member->key, "managedFields") == 0 ||
                   (local && strcmp(member->key, "namespace") == 0);
        if (!own && !is_empty(member))
            return true;
    }
    return false;
}

static void check_selector(kube_ctx *ctx, kube__api_causes *causes, const kube__json *attributes,
                           const char *which)
{
    const kube__json *selector = kube__json_get(attributes, which);
    const char *path = kube__api_text(ctx, "spec.resourceAttributes.%s", which);
    const char *raw = kube__json_string_at(selector, "rawSelector");
    bool listed = !is_empty(kube__json_get(selector, "requirements"));
    if (!selector || !path || kube__json_is(selector, KUBE__JSON_NULL))
        return;
    if (*raw && listed)
        kube__api_add_cause(causes, "FieldValueInvalid",
                            kube__api_text(ctx, "%s.rawSelector", path),
                            "Invalid value: \"%s\": may not specified at the same time as "
                            "requirements",
                            raw);
    if (!*raw && !listed)
        kube__api_add_cause(causes, "FieldValueRequired",
                            kube__api_text(ctx, "%s.requirements", path),
                            "Required value: when %s is specified, requirements or rawSelector is "
                            "required",
                            path);
}

static kube__api_failure *validate(kube_ctx *ctx, const kube__json *review, bool self, bool local)
{
    kube__api_causes causes = {.ctx = ctx};
    const kube__json *spec = kube__json_get(review, "spec");
    const kube__json *metadata = kube__json_get(review, "metadata");
    const kube__json *resource = kube__json_get(spec, "resourceAttributes");
    const kube__json *path = kube__json_get(spec, "nonResourceAttributes");
    const char *namespace_ = kube__json_string_at(resource, "namespace");
    if (!resource == !path)
        kube__api_add_cause(&causes, "FieldValueInvalid", "spec", "Invalid value: %s: %s",
                            print_path_attributes(ctx, path), ONE_OF);
    if (!self && !*kube__json_string_at(spec, "user") && is_empty(kube__json_get(spec, "groups")))
        kube__api_add_cause(&causes, "FieldValueInvalid", "spec.user",
                            "Invalid value: \"\": at least one of user or group must be specified");
    check_selector(ctx, &causes, resource, "fieldSelector");
    check_selector(ctx, &causes, resource, "labelSelector");
    if (has_metadata(metadata, local)) {
        const char *text = kube__json_text(ctx, metadata, NULL);
        kube__api_add_cause(&causes, "FieldValueInvalid", "metadata",
                            "Invalid value: %s: must be empty%s", text,
                            local ? " except for namespace" : "");
    }
    if (local && resource && strcmp(namespace_, kube__json_string_at(metadata, "namespace")) != 0)
        kube__api_add_cause(&causes, "FieldValueInvalid", "spec.resourceAttributes.namespace",
                            "Invalid value: \"%s\": must match metadata.namespace", namespace_);
    if (local && path)
        kube__api_add_cause(&causes, "FieldValueInvalid", "spec.nonResourceAttributes",
                            "Invalid value: %s: disallowed on this kind of request",
                            print_path_attributes(ctx, path));
    return causes.count ? invalid(ctx, &causes) : NULL;
}

static kube__api_attributes asked(const kube__json *spec)
{
    const kube__json *path = kube__json_get(spec, "nonResourceAttributes");
    const kube__json *from = path ? path : kube__json_get(spec, "resourceAttributes");
    return (kube__api_attributes){
        .verb = kube__json_string_at(from, "verb"),
        .group = kube__json_string_at(from, "group"),
        .version = kube__json_string_at(from, "version"),
        .resource = kube__json_string_at(from, "resource"),
        .subresource = kube__json_string_at(from, "subresource"),
        .namespace_ = kube__json_string_at(from, "namespace"),
        .name = kube__json_string_at(from, "name"),
        .path = path ? kube__json_string_at(from, "path") : NULL,
    };
}

static kube__api_user described_user(kube_ctx *ctx, const kube__json *spec)
{
    const kube__json *groups = kube__json_get(spec, "groups");
    const char **names = kube_ctx_alloc_array(ctx, (groups ? groups->len : 0) + 1, sizeof *names);
    size_t count = 0;
    KUBE__JSON_EACH (group, groups) {
        if (names)
            names[count++] = kube__json_string_or(group, "");
    }
    return (kube__api_user){.name = kube__json_string_at(spec, "user"),
                            .uid = kube__json_string_at(spec, "uid"),
                            .groups = names,
                            .extra = kube__json_get(spec, "extra")};
}

/* The members of a spec in the real order. */
static kube__json *ordered_spec(kube_ctx *ctx, const kube__json *spec)
{
    static const char *const keys[] = {
        "resourceAttributes", "nonResourceAttributes", "user", "groups", "extra", "uid", NULL};
    static const char *const resource_keys[] = {
        "namespace",   "verb", "group",         "version",       "resource",
        "subresource", "name", "fieldSelector", "labelSelector", NULL};
    static const char *const path_keys[] = {"path", "verb", NULL};
    kube__json *out = kube__review_pick(ctx, spec, keys);
    const kube__json *resource = kube__json_get(spec, "resourceAttributes");
    const kube__json *path = kube__json_get(spec, "nonResourceAttributes");
    if (kube__json_get(out, "resourceAttributes"))
        kube__json_set(ctx, out, "resourceAttributes",
                       kube__review_pick(ctx, resource, resource_keys));
    if (kube__json_get(out, "nonResourceAttributes"))
        kube__json_set(ctx, out, "nonResourceAttributes", kube__review_pick(ctx, path, path_keys));
    kube__json_sort(kube__json_get(out, "extra"));
    if (is_empty(kube__json_get(out, "extra")))
        kube__json_remove(out, "extra");
    return out;
}

static kube__api_failure *review_access(kube_apiserver *server, kube__api_request *request,
                                        const kube__api_resource *resource, kube__json *object,
                                        kube__json **out)
{
    kube_ctx *ctx = request->ctx;
    bool self = strcmp(resource->kind, "SelfSubjectAccessReview") == 0;
    bool local = strcmp(resource->kind, "LocalSubjectAccessReview") == 0;
    const kube__json *metadata = kube__json_get(object, "metadata");
    const kube__json *spec = kube__json_get(object, "spec");
    kube__json *answer = kube__review_start(ctx, resource->kind, AUTHORIZATION);
    const char *namespace_ = kube__json_string_at(metadata, "namespace");
    if (local && *namespace_ && strcmp(namespace_, request->namespace_) != 0)
        return kube__api_bad_request(ctx, "the namespace of the provided object does not match "
                                          "the namespace sent on the request");
    if (metadata && kube__json_is(metadata, KUBE__JSON_OBJECT))
        kube__json_set(ctx, answer, "metadata", kube__json_copy(ctx, metadata));
    if (local)
        kube__json_set_string(ctx, kube__json_get(answer, "metadata"), "namespace",
                              request->namespace_);
    kube__json_set(ctx, answer, "spec", ordered_spec(ctx, spec));
    kube__api_failure *failure =
        kube__review_track(server, request, resource->schema, answer, AUTHORIZATION);
    if (!failure)
        failure = validate(ctx, answer, self, local);
    if (failure)
        return failure;
    kube__api_user user = self ? request->user : described_user(ctx, spec);
    kube__api_attributes attributes = asked(spec);
    const char *reason = "";
    bool allowed = kube__api_may(server, ctx, &user, &attributes, &reason);
    kube__json *status = kube__json_ensure_object(ctx, answer, "status");
    kube__json_set_bool(ctx, status, "allowed", allowed);
    if (*reason)
        kube__json_set_string(ctx, status, "reason", reason);
    *out = answer;
    return kube__api_check_memory(ctx);
}

/* ---- what may I ----------------------------------------------------------------------------- */

typedef struct listing {
    kube_ctx *ctx;
    kube__json *resource_rules;
    kube__json *path_rules;
} listing;

static void list_rule(listing *l, const kube__json *rule)
{
    static const char *const resource_keys[] = {"verbs", "apiGroups", "resources", "resourceNames",
                                                NULL};
    static const char *const path_keys[] = {"verbs", "nonResourceURLs", NULL};
    if (!is_empty(kube__json_get(rule, "resources")))
        kube__json_append(l->resource_rules, kube__review_pick(l->ctx, rule, resource_keys));
    if (!is_empty(kube__json_get(rule, "nonResourceURLs")))
        kube__json_append(l->path_rules, kube__review_pick(l->ctx, rule, path_keys));
}

static bool visit_rule(void *arg, const kube__json *binding, const kube__json *subject,
                       const kube__json *rule)
{
    (void)binding;
    (void)subject;
    list_rule(arg, rule);
    return true;
}

static void list_everything(listing *l)
{
    static const char text[] = "{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"],"
                               "\"nonResourceURLs\":[\"*\"]}";
    list_rule(l, kube__json_parse(l->ctx, text, sizeof text - 1, NULL, NULL, NULL));
}

static kube__api_failure *review_rules(kube_apiserver *server, kube__api_request *request,
                                       const kube__json *object, kube__json **out)
{
    kube_ctx *ctx = request->ctx;
    const char *namespace_ = kube__json_string_at(object, "spec.namespace");
    if (!*namespace_)
        return kube__api_bad_request(ctx, "no namespace on request");
    listing l = {
        .ctx = ctx, .resource_rules = kube__json_array(ctx), .path_rules = kube__json_array(ctx)};
    const char *errors = "";
    if (server->options.authorization == KUBE_APISERVER_ALLOW_ALL)
        list_everything(&l);
    else
        kube__rbac_visit(server, ctx, &request->user, namespace_, visit_rule, &l, &errors);
    kube__json *answer = kube__review_start(ctx, "SelfSubjectRulesReview", AUTHORIZATION);
    kube__json_ensure_object(ctx, answer, "spec");
    kube__json *status = kube__json_ensure_object(ctx, answer, "status");
    kube__json_set(ctx, status, "resourceRules", l.resource_rules);
    kube__json_set(ctx, status, "nonResourceRules", l.path_rules);
    kube__json_set_bool(ctx, status, "incomplete", false);
    if (*errors)
        kube__json_set_string(ctx, status, "evaluationError", errors);
    *out = answer;
    return kube__api_check_memory(ctx);
}

/* ---- who am I ------------------------------------------------------------------------------- */

static kube__json *user_info(kube_ctx *ctx, const kube__api_user *user)
{
    kube__json *info = kube__json_object(ctx);
    if (*user->name)
        kube__json_set_string(ctx, info, "username", user->name);
    if (*user->uid)
        kube__json_set_string(ctx, info, "uid", user->uid);
    if (user->groups && user->groups[0]) {
        kube__json *groups = kube__json_ensure_array(ctx, info, "groups");
        for (size_t i = 0; user->groups[i]; i++)
            kube__json_append(groups, kube__json_string(ctx, user->groups[i]));
    }
    if (!is_empty(user->extra)) {
        kube__json *extra = kube__json_copy(ctx, user->extra);
        kube__json_sort(extra);
        kube__json_set(ctx, info, "extra", extra);
    }
    return info;
}

static kube__api_failure *review_self(kube_apiserver *server, kube__api_request *request,
                                      kube__json **out)
{
    kube_ctx *ctx = request->ctx;
    kube__json *answer = kube__review_start(ctx, "SelfSubjectReview", AUTHENTICATION);
    kube__json_set_string(ctx, kube__json_get(answer, "metadata"), "creationTimestamp",
                          kube__api_now(server, ctx));
    kube__json_set(ctx, kube__json_ensure_object(ctx, answer, "status"), "userInfo",
                   user_info(ctx, &request->user));
    *out = answer;
    return kube__api_check_memory(ctx);
}

static kube__api_failure *review_token(kube_apiserver *server, kube__api_request *request,
                                       const kube__api_resource *resource, const kube__json *object,
                                       kube__json **out)
{
    static const char *const keys[] = {"token", "audiences", NULL};
    kube_ctx *ctx = request->ctx;
    const kube__json *spec = kube__json_get(object, "spec");
    const char *token = kube__json_string_at(spec, "token");
    if (!*token)
        return kube__api_bad_request(ctx, "token is required for TokenReview in authentication");
    kube__json *answer = kube__review_start(ctx, "TokenReview", AUTHENTICATION);
    kube__json_set(ctx, answer, "spec", kube__review_pick(ctx, spec, keys));
    kube__api_failure *failure =
        kube__review_track(server, request, resource->schema, answer, AUTHENTICATION);
    if (failure)
        return failure;
    kube__api_user user = {.name = "", .uid = ""};
    kube__json *granted = NULL;
    const char *fault = "";
    bool known = kube__api_token_check(server, ctx, token, kube__json_get(spec, "audiences"), &user,
                                       &granted, &fault);
    kube__json *status = kube__json_ensure_object(ctx, answer, "status");
    if (known)
        kube__json_set_bool(ctx, status, "authenticated", true);
    else
        user = (kube__api_user){.name = "", .uid = ""};
    kube__json_set(ctx, status, "user", user_info(ctx, &user));
    if (known)
        kube__json_set(ctx, status, "audiences", granted);
    else
        kube__json_set_string(ctx, status, "error", fault);
    *out = answer;
    return kube__api_check_memory(ctx);
}

/* ---- all of them ---------------------------------------------------------------------------- */

kube__api_failure *kube__api_review(kube_apiserver *server, kube__api_request *request,
                                    const kube__api_resource *resource, kube__json *object,
                                    kube__json **out)
{
    *out = NULL;
    if (strcmp(resource->kind, "SelfSubjectReview") == 0)
        return review_self(server, request, out);
    if (strcmp(resource->kind, "TokenReview") == 0)
        return review_token(server, request, resource, object, out);
    if (strcmp(resource->kind, "SelfSubjectRulesReview") == 0)
        return review_rules(server, request, object, out);
    return review_access(server, request, resource, object, out);
}
