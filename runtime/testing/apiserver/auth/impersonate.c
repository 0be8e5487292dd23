/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Acting as somebody else. Since 1.36 the right to do so can be limited to kinds of users and to
 * verbs (impersonate:user-info with impersonate-on:user-info:list, …); the plain verb impersonate
 * is tried last, and the refusal that is told is the first one.
 */
#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/value/quote.h"
#include "base/ascii.h"
#include "token.h"

#include <string.h>

#define EXTRA_PREFIX "impersonate-extra-"

typedef struct wanted {
    const char *name;
    const char *uid;
    const char **groups; /* NULL-terminated, with room for one more */
    size_t group_count;
    kube__json *extra; /* object of string arrays */
} wanted;

typedef struct attempt {
    kube_apiserver *server;
    kube_ctx *ctx;
    const kube__api_user *requestor;
    const char *verb; /* "impersonate" or "impersonate:MODE" */
    bool constrained;
    kube__api_failure *refusal;
} attempt;

/* Decoded, or as it is when it is not well-formed. */
static const char *unescape(kube_ctx *ctx, const char *key)
{
    char *out = kube_ctx_strdup(ctx, key);
    if (!out)
        return key;
    char *to = out;
    for (const char *c = key; *c; c++) {
        if (*c != '%') {
            *to++ = *c;
            continue;
        }
        int high = kube__hex_digit(c[1]);
        int low = high < 0 ? -1 : kube__hex_digit(c[2]);
        if (low < 0)
            return key;
        *to++ = (char)(high * 16 + low);
        c += 2;
    }
    *to = '\0';
    return out;
}

static void read_headers(const kube__api_request *request, wanted *want)
{
    kube_ctx *ctx = request->ctx;
    *want = (wanted){.name = kube__api_header(request, "impersonate-user"),
                     .uid = kube__api_header(request, "impersonate-uid")};
    want->groups = kube_ctx_alloc_array(ctx, request->headers.len + 2, sizeof *want->groups);
    want->extra = kube__json_object(ctx);
    for (size_t i = 0; i < request->headers.len; i++) {
        const kube__api_pair *header = &request->headers.items[i];
        if (strcmp(header->key, "impersonate-group") == 0 && want->groups)
            want->groups[want->group_count++] = header->value;
        if (strncmp(header->key, EXTRA_PREFIX, sizeof EXTRA_PREFIX - 1) != 0)
            continue;
        const char *key = unescape(ctx, header->key + sizeof EXTRA_PREFIX - 1);
        kube__json_append(kube__json_ensure_array(ctx, want->extra, key),
                          kube__json_string(ctx, header->value));
    }
}

/* As Go prints a list and a map of lists. */
static const char *print_groups(kube_ctx *ctx, const wanted *want)
{
    const char *text = "[]string{";
    for (size_t i = 0; i < want->group_count; i++)
        text = kube__api_text(ctx, "%s%s%s", text, i ? ", " : "",
                              kube__api_quote(ctx, want->groups[i]));
    return want->group_count ? kube__api_text(ctx, "%s}", text) : "[]string(nil)";
}

static const char *print_extra(kube_ctx *ctx, const kube__json *extra)
{
    const char *text = "map[string][]string{";
    KUBE__JSON_EACH (values, extra) {
        text = kube__api_text(ctx, "%s%s%s:[]string{", text, values == extra->first ? "" : ", ",
                              kube__api_quote(ctx, values->key));
        KUBE__JSON_EACH (value, values) {
            text = kube__api_text(ctx, "%s%s%s", text, value == values->first ? "" : ", ",
                                  kube__api_quote(ctx, kube__json_string_or(value, "")));
        }
        text = kube__api_text(ctx, "%s}", text);
    }
    return extra && extra->len ? kube__api_text(ctx, "%s}", text) : "map[string][]string(nil)";
}

static kube__api_failure *nobody_named(kube_ctx *ctx, const wanted *want)
{
    const char *groups = print_groups(ctx, want);
    const char *extra = print_extra(ctx, want->extra);
    return kube__api_bad_request(ctx,
                                 "requested &user.DefaultInfo{Name:\"\", UID:%s, Groups:%s, "
                                 "Extra:%s} without impersonating a user name",
                                 kube__api_quote(ctx, want->uid), groups, extra);
}

static bool refuse(attempt *a, const kube__api_attributes *attributes, const char *reason)
{
    a->refusal = kube__api_forbidden(a->ctx, a->requestor, attributes, reason);
    return false;
}

static bool check(attempt *a, const kube__api_attributes *attributes)
{
    const char *reason = "";
    if (kube__api_may(a->server, a->ctx, a->requestor, attributes, &reason))
        return true;
    return refuse(a, attributes, reason);
}

static bool is_node(const char *name)
{
    return strncmp(name, "system:node:", 12) == 0 && name[12];
}

/* The name, and with it the groups that come with it. */
static bool check_name(attempt *a, const wanted *want, wanted *actual)
{
    const char *namespace_ = NULL;
    const char *name = NULL;
    kube__api_attributes asked = {.verb = a->verb,
                                  .group = a->constrained ? "authentication.k8s.io" : "",
                                  .version = "v1",
                                  .resource = "users",
                                  .subresource = "",
                                  .namespace_ = "",
                                  .name = want->name};
    if (a->constrained && is_node(want->name)) {
        asked.resource = "nodes";
        asked.name = want->name + strlen("system:node:");
        actual->groups = kube_ctx_alloc_array(a->ctx, 3, sizeof *actual->groups);
        if (actual->groups)
            actual->groups[0] = "system:nodes";
    }
    if (kube__api_split_service_account(a->ctx, want->name, &namespace_, &name)) {
        asked.resource = "serviceaccounts";
        asked.namespace_ = namespace_;
        asked.name = name;
        if (!want->group_count)
            actual->groups = kube__api_service_account_groups(a->ctx, namespace_);
    }
    return check(a, &asked);
}

static bool check_groups(attempt *a, const wanted *want)
{
    kube__api_attributes asked = {.verb = a->verb,
                                  .group = a->constrained ? "authentication.k8s.io" : "",
                                  .version = "v1",
                                  .resource = "groups",
                                  .subresource = "",
                                  .namespace_ = "",
                                  .name = ""};
    for (size_t i = 0; a->constrained && i < want->group_count; i++) {
        if (!*want->groups[i])
            return refuse(a, &asked, "impersonating the empty string group is not allowed");
    }
    for (size_t i = 0; a->constrained && i < want->group_count; i++) {
        asked.name = want->groups[i];
        if (strcmp(asked.name, "system:masters") == 0)
            return refuse(a, &asked, "impersonating the system:masters group is not allowed");
    }
    for (size_t i = 0; i < want->group_count; i++) {
        asked.name = want->groups[i];
        if (!check(a, &asked))
            return false;
    }
    return true;
}

static bool check_uid_and_extra(attempt *a, const wanted *want)
{
    kube__api_attributes asked = {.verb = a->verb,
                                  .group = "authentication.k8s.io",
                                  .version = "v1",
                                  .resource = "uids",
                                  .subresource = "",
                                  .namespace_ = "",
                                  .name = want->uid};
    if (*want->uid && !check(a, &asked))
        return false;
    if (!check_groups(a, want))
        return false;
    asked.resource = "userextras";
    KUBE__JSON_EACH (values, want->extra) {
        asked.subresource = values->key;
        KUBE__JSON_EACH (value, values) {
            asked.name = kube__json_string_or(value, "");
            if (!check(a, &asked))
                return false;
        }
    }
    return true;
}

static void ensure_group(wanted *user, const char *group)
{
    size_t count = 0;
    if (!user->groups || kube__api_is_one_of(group, user->groups))
        return;
    while (user->groups[count])
        count++;
    user->groups[count] = group;
}

/* All that one mode asks for; then *actual is who it is from now on. */
static bool try_mode(attempt *a, const wanted *want, wanted *actual)
{
    *actual = *want;
    if (!check_name(a, want, actual) || !check_uid_and_extra(a, want))
        return false;
    if (strcmp(actual->name, "system:anonymous") == 0)
        ensure_group(actual, "system:unauthenticated");
    else if (!kube__api_is_one_of("system:unauthenticated", actual->groups))
        ensure_group(actual, "system:authenticated");
    return true;
}

/* The limited mode for this kind of user; NULL if no mode is for it. */
static const char *mode_of(kube_ctx *ctx, const wanted *want)
{
    const char *namespace_ = NULL;
    const char *name = NULL;
    bool only_name = !*want->uid && !want->group_count && (!want->extra || !want->extra->len);
    if (is_node(want->name))
        return only_name ? "arbitrary-node" : NULL;
    if (kube__api_split_service_account(ctx, want->name, &namespace_, &name))
        return only_name ? "serviceaccount" : NULL;
    return "user-info";
}

static bool try_constrained(attempt *a, const kube__api_request *request, const char *mode,
                            const wanted *want, wanted *actual)
{
    kube__api_attributes asked = kube__api_attributes_of(request);
    asked.verb = kube__api_text(a->ctx, "impersonate-on:%s:%s", mode, asked.verb);
    a->verb = kube__api_text(a->ctx, "impersonate:%s", mode);
    a->constrained = true;
    return check(a, &asked) && try_mode(a, want, actual);
}

kube__api_failure *kube__api_impersonate(kube_apiserver *server, kube__api_request *request)
{
    kube_ctx *ctx = request->ctx;
    wanted want;
    wanted actual;
    read_headers(request, &want);
    if (!*want.name) {
        bool other = *want.uid || want.group_count || (want.extra && want.extra->len);
        return other ? nobody_named(ctx, &want) : kube__api_check_memory(ctx);
    }
    attempt a = {.server = server, .ctx = ctx, .requestor = &request->user};
    const char *mode = mode_of(ctx, &want);
    if (!mode || !try_constrained(&a, request, mode, &want, &actual)) {
        kube__api_failure *first = a.refusal;
        a.verb = "impersonate";
        a.constrained = false;
        if (!try_mode(&a, &want, &actual)) {
            kube__api_failure *failed = kube__api_check_memory(ctx);
            return failed ? failed : first ? first : a.refusal;
        }
    }
    request->user =
        (kube__api_user){.name = actual.name,
                         .uid = actual.uid,
                         .groups = actual.groups,
                         .extra = actual.extra && actual.extra->len ? actual.extra : NULL};
    return kube__api_check_memory(ctx);
}
