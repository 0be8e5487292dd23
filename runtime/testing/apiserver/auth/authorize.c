/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/value/quote.h"
#include "base/text.h"
#include "rbac.h"
#include "token.h"

#include <string.h>

/* What anybody may read, named or not: system:public-info-viewer. */
static const char *const public_paths[] = {"/healthz", "/livez",    "/readyz",
                                           "/version", "/version/", NULL};

typedef struct decision {
    kube_ctx *ctx;
    const kube__api_attributes *attributes;
    bool allowed;
    const char *reason;
} decision;

static bool decide(void *arg, const kube__json *binding, const kube__json *subject,
                   const kube__json *rule)
{
    decision *d = arg;
    if (!kube__rbac_rule_allows(rule, d->attributes))
        return true;
    d->allowed = true;
    d->reason = kube__rbac_source(d->ctx, binding, subject);
    return false;
}

static bool is_public(const kube__api_attributes *attributes)
{
    if (!attributes->path || strcmp(attributes->verb, "get") != 0)
        return false;
    return kube__api_is_one_of(attributes->path, public_paths);
}

bool kube__api_may(kube_apiserver *server, kube_ctx *ctx, const kube__api_user *user,
                   const kube__api_attributes *attributes, const char **reason)
{
    *reason = "";
    if (kube__api_is_one_of("system:masters", user->groups))
        return true;
    if (server->options.authorization == KUBE_APISERVER_ALLOW_ALL) {
        if (!kube__api_is_one_of("system:unauthenticated", user->groups))
            return true;
        if (is_public(attributes))
            *reason = "RBAC: allowed by ClusterRoleBinding \"system:public-info-viewer\" of "
                      "ClusterRole \"system:public-info-viewer\" to Group "
                      "\"system:unauthenticated\"";
        return is_public(attributes);
    }
    decision d = {.ctx = ctx, .attributes = attributes, .reason = ""};
    const char *errors = "";
    kube__rbac_visit(server, ctx, user, attributes->path ? "" : attributes->namespace_, decide, &d,
                     &errors);
    if (d.allowed)
        *reason = d.reason;
    else if (*errors)
        *reason = kube__api_text(ctx, "rbac: RBAC: %s", errors);
    *reason = *reason ? *reason : "";
    return d.allowed;
}

/* The name that `fieldSelector=metadata.name=x` narrows a collection to; "" = none. */
static const char *selected_name(const kube__api_request *request)
{
    const char *verb = request->verb;
    if (strcmp(verb, "list") != 0 && strcmp(verb, "watch") != 0 &&
        strcmp(verb, "deletecollection") != 0)
        return "";
    for (const char *term = kube__api_query(request, "fieldSelector"); *term;) {
        size_t len = strcspn(term, ",");
        if (strncmp(term, "metadata.name=", 14) == 0) {
            size_t skip = term[14] == '=' ? 15 : 14;
            const char *name = kube_ctx_strndup(request->ctx, term + skip, len - skip);
            return name && !strpbrk(name, "/%\\") ? name : "";
        }
        term += len + (term[len] == ',');
    }
    return "";
}

kube__api_attributes kube__api_attributes_of(const kube__api_request *request)
{
    kube__api_attributes attributes = {.verb = request->verb,
                                       .group = request->group,
                                       .version = request->version,
                                       .resource = request->plural,
                                       .subresource = request->subresource,
                                       .namespace_ = request->namespace_,
                                       .name = request->name,
                                       .path = request->is_resource ? NULL : request->path};
    if (!request->is_resource)
        return attributes;
    if (!*attributes.name)
        attributes.name = selected_name(request);
    /* The rights to a namespace are those inside of it. */
    if (!*request->group && strcmp(request->plural, "namespaces") == 0)
        attributes.namespace_ = request->name;
    return attributes;
}

/* The real server keeps its refusals from looking like HTML. */
static const char *sanitize(kube_ctx *ctx, const char *text)
{
    char *out = kube_ctx_alloc_array(ctx, strlen(text) + 1, 5);
    char *to = out;
    for (const char *c = text; out && *c; c++) {
        const char *entity = *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : NULL;
        if (entity) {
            size_t len = strlen(entity);
            memcpy(to, entity, len);
            to += len;
        } else {
            *to++ = *c;
        }
    }
    return out ? out : "";
}

static const char *refusal_text(kube_ctx *ctx, const kube__api_user *user,
                                const kube__api_attributes *attributes)
{
    const char *who = kube__api_quote(ctx, user->name);
    if (attributes->path)
        return kube__api_text(ctx, "User %s cannot %s path %s", who, attributes->verb,
                              kube__api_quote(ctx, attributes->path));
    const char *resource = attributes->resource;
    if (*attributes->subresource)
        resource = kube__api_text(ctx, "%s/%s", resource, attributes->subresource);
    const char *scope = *attributes->namespace_
                            ? kube__api_text(ctx, "in the namespace %s",
                                             kube__api_quote(ctx, attributes->namespace_))
                            : "at the cluster scope";
    return kube__api_text(ctx, "User %s cannot %s resource %s in API group %s %s", who,
                          attributes->verb, kube__api_quote(ctx, resource),
                          kube__api_quote(ctx, attributes->group), scope);
}

kube__api_failure *kube__api_forbidden(kube_ctx *ctx, const kube__api_user *user,
                                       const kube__api_attributes *attributes, const char *reason)
{
    const char *text = refusal_text(ctx, user, attributes);
    text = sanitize(ctx, text);
    const char *colon = *reason ? ": " : "";
    if (attributes->path || !*attributes->resource) {
        kube__api_failure *failure =
            kube__api_fail(ctx, 403, "Forbidden", "forbidden: %s%s%s", text, colon, reason);
        failure->has_details = true;
        failure->name = attributes->name && *attributes->name ? attributes->name : NULL;
        return failure;
    }
    const char *dot = *attributes->group ? "." : "";
    const char *name =
        *attributes->name ? kube__api_text(ctx, " %s", kube__api_quote(ctx, attributes->name)) : "";
    kube__api_failure *failure =
        kube__api_fail(ctx, 403, "Forbidden", "%s%s%s%s is forbidden: %s%s%s", attributes->resource,
                       dot, attributes->group, kube__text_or_empty(name), text, colon, reason);
    failure->has_details = true;
    failure->name = *attributes->name ? attributes->name : NULL;
    failure->group = *attributes->group ? attributes->group : NULL;
    failure->kind = attributes->resource;
    return failure;
}

kube__api_failure *kube__api_authorize(kube_apiserver *server, const kube__api_request *request)
{
    if (request->internal)
        return NULL;
    kube__api_attributes attributes = kube__api_attributes_of(request);
    const char *reason = "";
    if (kube__api_may(server, request->ctx, &request->user, &attributes, &reason))
        return kube__api_check_memory(request->ctx);
    return kube__api_forbidden(request->ctx, &request->user, &attributes, reason);
}
