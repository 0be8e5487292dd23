/* SPDX-License-Identifier: Apache-2.0 */
/* Nobody gives rights he does not have himself. */
#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/value/quote.h"
#include "base/text.h"
#include "rbac.h"
#include "token.h"

#include <kube/shapes.h>
#include <stdlib.h>
#include <string.h>

#define GROUP "rbac.authorization.k8s.io"

/* One right, as small as it gets. */
typedef struct grain {
    const char *group; /* NULL = of a path */
    const char *resource;
    const char *name; /* NULL = any */
    const char *path;
    const char *verb;
    bool told; /* is part of another one's text */
} grain;

typedef struct grains {
    grain *items;
    size_t len;
} grains;

static void add(kube_ctx *ctx, grains *list, grain one)
{
    grain *items = kube_list_grow(ctx, list->items, list->len, sizeof *items);
    if (!items)
        return;
    list->items = items;
    list->items[list->len++] = one;
}

static const char *text_of(const kube__json *value)
{
    return kube__json_string_or(value, "");
}

static void break_down(kube_ctx *ctx, const kube__json *rule, grains *out)
{
    const kube__json *verbs = kube__json_get(rule, "verbs");
    const kube__json *names = kube__json_get(rule, "resourceNames");
    KUBE__JSON_EACH (group, kube__json_get(rule, "apiGroups")) {
        KUBE__JSON_EACH (resource, kube__json_get(rule, "resources")) {
            KUBE__JSON_EACH (verb, verbs) {
                grain one = {
                    .group = text_of(group), .resource = text_of(resource), .verb = text_of(verb)};
                KUBE__JSON_EACH (name, names) {
                    one.name = text_of(name);
                    add(ctx, out, one);
                }
                if (!names || !names->len)
                    add(ctx, out, one);
            }
        }
    }
    KUBE__JSON_EACH (path, kube__json_get(rule, "nonResourceURLs")) {
        KUBE__JSON_EACH (verb, verbs)
            add(ctx, out, (grain){.path = text_of(path), .verb = text_of(verb)});
    }
}

static bool covers_path(const kube__json *urls, const char *path)
{
    KUBE__JSON_EACH (item, urls) {
        const char *held = text_of(item);
        size_t len = strlen(held);
        if (strcmp(held, path) == 0)
            return true;
        bool open = len && held[len - 1] == '*';
        while (len && held[len - 1] == '*')
            len--;
        if (open && strncmp(held, path, len) == 0)
            return true;
    }
    return false;
}

static bool covers_resource(kube_ctx *ctx, const kube__json *resources, const char *resource)
{
    if (kube__json_has_text(resources, "*") || kube__json_has_text(resources, resource))
        return true;
    const char *slash = strchr(resource, '/');
    const char *any = slash ? kube__api_text(ctx, "*%s", slash) : NULL;
    return any && kube__json_has_text(resources, any);
}

static bool covers(kube_ctx *ctx, const kube__json *rule, const grain *one)
{
    const kube__json *verbs = kube__json_get(rule, "verbs");
    const kube__json *names = kube__json_get(rule, "resourceNames");
    if (!kube__json_has_text(verbs, "*") && !kube__json_has_text(verbs, one->verb))
        return false;
    if (one->path)
        return covers_path(kube__json_get(rule, "nonResourceURLs"), one->path);
    const kube__json *groups = kube__json_get(rule, "apiGroups");
    if (!kube__json_has_text(groups, "*") && !kube__json_has_text(groups, one->group))
        return false;
    if (!covers_resource(ctx, kube__json_get(rule, "resources"), one->resource))
        return false;
    return !names || !names->len || (one->name && kube__json_has_text(names, one->name));
}

/* ---- what the user holds -------------------------------------------------------------------- */

typedef struct holding {
    kube_ctx *ctx;
    kube__json *rules;
} holding;

static bool keep_rule(void *arg, const kube__json *binding, const kube__json *subject,
                      const kube__json *rule)
{
    holding *h = arg;
    (void)binding;
    (void)subject;
    kube__json_append(h->rules, kube__json_copy(h->ctx, rule));
    return !kube_ctx_failed(h->ctx);
}

/* Of @rules, what @held does not cover. */
static grains missing(kube_ctx *ctx, const kube__json *held, const kube__json *rules)
{
    grains all = {0};
    grains out = {0};
    KUBE__JSON_EACH (rule, rules)
        break_down(ctx, rule, &all);
    for (size_t i = 0; i < all.len; i++) {
        bool covered = false;
        KUBE__JSON_EACH (rule, held)
            covered = covered || covers(ctx, rule, &all.items[i]);
        if (!covered)
            add(ctx, &out, all.items[i]);
    }
    return out;
}

/* ---- the refusal ---------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_but_verb(const grain *a, const grain *b)
{
    return !a->path && !b->path && strcmp(a->group, b->group) == 0 &&
           strcmp(a->resource, b->resource) == 0 && same_text(a->name, b->name);
}

/* One line for all verbs of a resource; paths stay one by one. */
static const char *describe(kube_ctx *ctx, grains *list, size_t index)
{
    grain *first = &list->items[index];
    const char *verbs = kube__api_quote(ctx, first->verb);
    for (size_t i = index + 1; i < list->len; i++) {
        if (!same_but_verb(first, &list->items[i]))
            continue;
        list->items[i].told = true;
        verbs = kube__api_text(ctx, "%s %s", verbs, kube__api_quote(ctx, list->items[i].verb));
        if (!verbs)
            return "";
    }
    return first->path ? kube__api_text(ctx, "{NonResourceURLs:[%s], Verbs:[%s]}",
                                        kube__api_quote(ctx, first->path), verbs)
           : first->name
               ? kube__api_text(
                     ctx, "{APIGroups:[%s], Resources:[%s], ResourceNames:[%s], Verbs:[%s]}",
                     kube__api_quote(ctx, first->group), kube__api_quote(ctx, first->resource),
                     kube__api_quote(ctx, first->name), verbs)
               : kube__api_text(ctx, "{APIGroups:[%s], Resources:[%s], Verbs:[%s]}",
                                kube__api_quote(ctx, first->group),
                                kube__api_quote(ctx, first->resource), verbs);
}

static const char *describe_all(kube_ctx *ctx, grains *list)
{
    const char **lines = kube_ctx_alloc_array(ctx, list->len, sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; lines && i < list->len; i++) {
        if (!list->items[i].told)
            lines[count++] = describe(ctx, list, i);
    }
    if (count)
        qsort(lines, count, sizeof *lines, kube__text_compare);
    const char *text = "";
    for (size_t i = 0; i < count && text; i++) {
        if (!i || strcmp(lines[i], lines[i - 1]) != 0)
            text = kube__api_text(ctx, "%s%s%s", text, i ? "\n" : "", lines[i]);
    }
    return text;
}

static kube__api_failure *forbid(kube_ctx *ctx, const kube__api_resource *resource,
                                 const kube__json *object, const char *why)
{
    const char *name = kube__json_string_at(object, "metadata.name");
    const char *quoted = *name ? kube__api_text(ctx, " %s", kube__api_quote(ctx, name)) : "";
    kube__api_failure *failure = kube__api_fail(
        ctx, 403, "Forbidden", "%s." GROUP "%s is forbidden: %s", resource->plural, quoted, why);
    failure->has_details = true;
    failure->name = *name ? name : NULL;
    failure->group = GROUP;
    failure->kind = resource->plural;
    return failure;
}

static kube__api_failure *check_rules(kube_apiserver *server, const kube__api_request *request,
                                      const kube__api_resource *resource, const kube__json *object,
                                      const kube__json *rules, bool aggregates)
{
    kube_ctx *ctx = request->ctx;
    const char *errors = "";
    holding h = {.ctx = ctx, .rules = kube__json_array(ctx)};
    kube__rbac_visit(server, ctx, &request->user, request->namespace_, keep_rule, &h, &errors);
    grains lacking = missing(ctx, h.rules, rules);
    if (kube_ctx_failed(ctx))
        return kube__api_fail_no_memory();
    if (!lacking.len)
        return NULL;
    if (aggregates)
        return forbid(ctx, resource, object,
                      "must have cluster-admin privileges to use an aggregationRule");
    const char *why = kube__api_text(
        ctx,
        "user %s (groups=%s) is attempting to grant RBAC permissions not currently held:\n%s%s%s%s",
        kube__api_quote(ctx, request->user.name), kube__api_quote_list(ctx, request->user.groups),
        describe_all(ctx, &lacking), *errors ? "; resolution errors: [" : "", errors,
        *errors ? "]" : "");
    return forbid(ctx, resource, object, why);
}

/* ---- who may anyway ------------------------------------------------------------------------- */

static bool may(kube_apiserver *server, const kube__api_request *request, const char *verb,
                const char *resource, const char *name)
{
    const char *reason = "";
    const kube__api_attributes attributes = {.verb = verb,
                                             .group = GROUP,
                                             .version = "*",
                                             .resource = resource,
                                             .subresource = "",
                                             .namespace_ = request->namespace_,
                                             .name = name};
    return kube__api_may(server, request->ctx, &request->user, &attributes, &reason);
}

/* Only finalizers and owners change: what the garbage collector must be able to do. */
static bool is_garbage_collection(kube_ctx *ctx, const kube__json *object, const kube__json *old)
{
    static const char *const own[] = {"finalizers", "ownerReferences", "managedFields"};
    if (!old)
        return false;
    kube__json *a = kube__json_copy(ctx, object);
    kube__json *b = kube__json_copy(ctx, old);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        kube__json_remove(kube__json_get(a, "metadata"), own[i]);
        kube__json_remove(kube__json_get(b, "metadata"), own[i]);
    }
    return a && b && kube__json_equal(a, b);
}

static kube__api_failure *check_role(kube_apiserver *server, const kube__api_request *request,
                                     const kube__api_resource *resource, const kube__json *object)
{
    static const char everything[] = "[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":"
                                     "[\"*\"]},{\"verbs\":[\"*\"],\"nonResourceURLs\":[\"*\"]}]";
    if (may(server, request, "escalate", resource->plural, request->name))
        return NULL;
    kube__api_failure *failure =
        check_rules(server, request, resource, object, kube__json_get(object, "rules"), false);
    if (failure || !kube__json_get(object, "aggregationRule"))
        return failure;
    const kube__json *all =
        kube__json_parse(request->ctx, everything, sizeof everything - 1, NULL, NULL, NULL);
    return check_rules(server, request, resource, object, all, true);
}

static kube__api_failure *check_binding(kube_apiserver *server, const kube__api_request *request,
                                        const kube__api_resource *resource,
                                        const kube__json *object)
{
    const kube__json *role_ref = kube__json_get(object, "roleRef");
    const char *name = kube__json_string_at(role_ref, "name");
    bool cluster = strcmp(kube__json_string_at(role_ref, "kind"), "ClusterRole") == 0;
    if (may(server, request, "bind", cluster ? "clusterroles" : "roles", name))
        return NULL;
    const kube__json *rules =
        kube__rbac_rules_of(server, request->ctx, role_ref, request->namespace_);
    if (!rules) /* told as if it were a binding */
        return kube__api_not_found(request->ctx, GROUP, resource->plural, name);
    return check_rules(server, request, resource, object, rules, false);
}

kube__api_failure *kube__api_check_escalation(kube_apiserver *server,
                                              const kube__api_request *request,
                                              const kube__api_resource *resource,
                                              const kube__json *object, const kube__json *old)
{
    if (request->internal || resource->custom || strcmp(resource->group, GROUP) != 0 ||
        server->options.authorization == KUBE_APISERVER_ALLOW_ALL)
        return NULL;
    if (kube__api_is_one_of("system:masters", request->user.groups))
        return NULL;
    if (is_garbage_collection(request->ctx, object, old))
        return NULL;
    return strstr(resource->plural, "bindings") ? check_binding(server, request, resource, object)
                                                : check_role(server, request, resource, object);
}
