/* SPDX-License-Identifier: Apache-2.0 */
#include "token.h"

#include "apiserver/core/apiserver.h"
#include "apiserver/registry/registry.h"
#include "apiserver/store/store.h"
#include "apiserver/value/quote.h"
#include "apiserver/value/sha256.h"
#include "object/json/base64.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const char account_prefix[] = "system:serviceaccount:";

/* A token's name is enough for who reads a log; nobody can guess the rest. */
static bool make_token(const char *name, char *out, size_t size)
{
    unsigned char secret[16];
    int len = snprintf(out, size, "%s-", name);
    if (getentropy(secret, sizeof secret))
        return false;
    for (size_t i = 0; i < sizeof secret; i++)
        len += snprintf(out + len, size - (size_t)len, "%02x", secret[i]);
    return true;
}

kube__api_authority *kube__api_authority_new(kube__api_random *random)
{
    kube__api_authority *authority = calloc(1, sizeof *authority);
    if (!authority)
        return NULL;
    authority->random = random;
    if (make_token("admin", authority->admin_token, sizeof authority->admin_token) &&
        make_token("user", authority->user_token, sizeof authority->user_token) &&
        !getentropy(authority->key, sizeof authority->key))
        return authority;
    free(authority);
    return NULL;
}

void kube__api_authority_free(kube__api_authority *authority)
{
    free(authority);
}

const char *kube__api_authority_admin_token(const kube__api_authority *authority)
{
    return authority->admin_token;
}

const char *kube__api_authority_user_token(const kube__api_authority *authority)
{
    return authority->user_token;
}

/* ---- issuing -------------------------------------------------------------------------------- */

static const char *sign(kube_ctx *ctx, const kube__api_authority *authority, const char *text,
                        size_t len)
{
    unsigned char sum[32];
    kube__sha256_hmac(authority->key, sizeof authority->key, text, len, sum);
    return kube__api_base64(ctx, sum, sizeof sum, true);
}

static kube__json *payload_of(kube_ctx *ctx, kube__api_authority *authority,
                              const kube__api_claims *claims)
{
    char id[KUBE__UUID_SIZE];
    kube__api_random_uuid(authority->random, id);
    kube__json *payload = kube__json_object(ctx);
    kube__json_set(ctx, payload, "aud", kube__json_copy(ctx, claims->audiences));
    kube__json_set_int(ctx, payload, "exp", claims->expires_s);
    kube__json_set_int(ctx, payload, "iat", claims->issued_s);
    kube__json_set_string(ctx, payload, "iss", KUBE__API_AUDIENCE);
    kube__json_set_string(ctx, payload, "jti", id);
    kube__json *own = kube__json_ensure_object(ctx, payload, "kubernetes.io");
    kube__json_set_string(ctx, own, "namespace", claims->namespace_);
    KUBE__JSON_EACH (bound, claims->bound)
        kube__json_set(ctx, own, bound->key, kube__json_copy(ctx, bound));
    kube__json *account = kube__json_ensure_object(ctx, own, "serviceaccount");
    kube__json_set_string(ctx, account, "name", claims->name);
    kube__json_set_string(ctx, account, "uid", claims->uid);
    kube__json_set_int(ctx, payload, "nbf", claims->issued_s);
    kube__json_set(
        ctx, payload, "sub",
        kube__json_stringf(ctx, "%s%s:%s", account_prefix, claims->namespace_, claims->name));
    kube__json_sort(payload);
    return payload;
}

const char *kube__api_token_issue(kube_ctx *ctx, kube__api_authority *authority,
                                  const kube__api_claims *claims)
{
    static const char head[] = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";
    size_t len = 0;
    const char *text = kube__json_text(ctx, payload_of(ctx, authority, claims), &len);
    const char *body =
        kube__api_text(ctx, "%s.%s", kube__api_base64(ctx, head, sizeof head - 1, true),
                       kube__api_base64(ctx, text, len, true));
    const char *token =
        kube__api_text(ctx, "%s.%s", body, sign(ctx, authority, body, strlen(body)));
    return kube_ctx_failed(ctx) ? NULL : token;
}

/* ---- checking ------------------------------------------------------------------------------- */

/* The text of a part; NULL when it is no base64. */
static char *decode_part(kube_ctx *ctx, const char *part, size_t len)
{
    size_t padding = (4 - len % 4) % 4;
    char *text = kube_ctx_alloc(ctx, len + padding + 1);
    if (!text)
        return NULL;
    for (size_t i = 0; i < len; i++)
        text[i] = (char)(part[i] == '-' ? '+' : part[i] == '_' ? '/' : part[i]);
    memset(text + len, '=', padding);
    uint32_t decoded = 0;
    return kube__base64_decode(text, (uint32_t)(len + padding), &decoded) ? text : NULL;
}

/* What a token says, if this server signed it; else NULL. */
static const kube__json *read_claims(kube_ctx *ctx, const kube__api_authority *authority,
                                     const char *token)
{
    const char *first = strchr(token, '.');
    const char *second = first ? strchr(first + 1, '.') : NULL;
    if (!second || strlen(token) > 64 * 1024)
        return NULL;
    if (strcmp(sign(ctx, authority, token, (size_t)(second - token)), second + 1) != 0)
        return NULL;
    const char *text = decode_part(ctx, first + 1, (size_t)(second - first - 1));
    return text ? kube__json_parse(ctx, text, strlen(text), NULL, NULL, NULL) : NULL;
}

/* An object of core/v1 with this uid exists. */
static bool is_alive(kube_apiserver *server, const char *plural, const char *namespace_,
                     const kube__json *reference)
{
    const kube__api_resource *resource =
        kube__api_registry_find(server->registry, "", "v1", plural);
    const char *scope = resource && resource->namespaced ? namespace_ : "";
    const kube__api_object *object =
        resource && resource->collection
            ? kube__api_store_get(resource->collection, scope,
                                  kube__json_string_at(reference, "name"))
            : NULL;
    return object && strcmp(object->uid, kube__json_string_at(reference, "uid")) == 0;
}

/* The account, and what the token is bound to, still exist. */
static bool is_bound_alive(kube_apiserver *server, const kube__json *own)
{
    static const char *const kinds[][2] = {
        {"serviceaccount", "serviceaccounts"},
        {"pod", "pods"},
        {"secret", "secrets"},
        {"node", "nodes"},
    };
    const char *namespace_ = kube__json_string_at(own, "namespace");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const kube__json *reference = kube__json_get(own, kinds[i][0]);
        if (reference && !is_alive(server, kinds[i][1], namespace_, reference))
            return false;
    }
    return true;
}

static kube__json *common(kube_ctx *ctx, const kube__json *wanted, const kube__json *held)
{
    kube__json *both = kube__json_array(ctx);
    KUBE__JSON_EACH (want, wanted) {
        KUBE__JSON_EACH (have, held) {
            if (kube__json_equal(want, have))
                kube__json_append(both, kube__json_copy(ctx, want));
        }
    }
    return both;
}

static const char *quote_all(kube_ctx *ctx, const kube__json *list)
{
    const char **texts = kube_ctx_alloc_array(ctx, (list ? list->len : 0) + 1, sizeof *texts);
    size_t count = 0;
    KUBE__JSON_EACH (text, list) {
        if (texts)
            texts[count++] = kube__json_string_or(text, "");
    }
    return kube__api_quote_list(ctx, texts);
}

static void set_user(kube_ctx *ctx, kube__api_user *user, const char *name, const char *uid,
                     const char *group)
{
    const char **groups = kube_ctx_alloc_array(ctx, 3, sizeof *groups);
    size_t count = 0;
    if (groups && group)
        groups[count++] = group;
    if (groups)
        groups[count] = "system:authenticated";
    *user = (kube__api_user){.name = name, .uid = uid, .groups = groups};
}

static void set_account(kube_ctx *ctx, kube__api_user *user, const kube__json *claims)
{
    const kube__json *own = kube__json_get(claims, "kubernetes.io");
    const char **groups =
        kube__api_service_account_groups(ctx, kube__json_string_at(own, "namespace"));
    if (groups)
        groups[2] = "system:authenticated";
    kube__json *extra = kube__json_object(ctx);
    kube__json *id =
        kube__json_ensure_array(ctx, extra, "authentication.kubernetes.io/credential-id");
    kube__json_append(id, kube__json_stringf(ctx, "JTI=%s", kube__json_string_at(claims, "jti")));
    static const char *const bound[] = {"node", "pod"};
    for (size_t i = 0; i < sizeof bound / sizeof *bound; i++) {
        const kube__json *reference = kube__json_get(own, bound[i]);
        for (int k = 0; reference && k < 2; k++) {
            const char *part = k ? "uid" : "name";
            const char *key =
                kube__api_text(ctx, "authentication.kubernetes.io/%s-%s", bound[i], part);
            if (key)
                kube__json_append(kube__json_ensure_array(ctx, extra, key),
                                  kube__json_string(ctx, kube__json_string_at(reference, part)));
        }
    }
    kube__json_sort(extra);
    *user = (kube__api_user){.name = kube__json_string_at(claims, "sub"),
                             .uid = kube__json_string_at(own, "serviceaccount.uid"),
                             .groups = groups,
                             .extra = extra};
}

bool kube__api_token_check(kube_apiserver *server, kube_ctx *ctx, const char *token,
                           const kube__json *audiences, kube__api_user *user, kube__json **granted,
                           const char **fault)
{
    const kube__api_authority *authority = server->authority;
    kube__json *own = kube__json_array(ctx);
    kube__json_append(own, kube__json_string(ctx, KUBE__API_AUDIENCE));
    const kube__json *wanted = audiences && audiences->len ? audiences : own;
    *fault = "invalid bearer token";
    if (strcmp(token, authority->admin_token) == 0 || strcmp(token, authority->user_token) == 0) {
        *granted = common(ctx, wanted, own);
        bool admin = strcmp(token, authority->admin_token) == 0;
        set_user(ctx, user, admin ? "admin" : "user", admin ? "1" : "2",
                 admin ? "system:masters" : NULL);
        return *granted && (*granted)->len;
    }
    const kube__json *claims = read_claims(ctx, authority, token);
    if (!claims)
        return false;
    int64_t expires = 0;
    kube__json_to_int(kube__json_get(claims, "exp"), &expires);
    if (kube_time_now(server->clock).sec > expires) {
        *fault = "[invalid bearer token, service account token has expired]";
        return false;
    }
    const kube__json *held = kube__json_get(claims, "aud");
    *granted = common(ctx, wanted, held);
    if (!*granted || !(*granted)->len) {
        *fault = kube__api_text(ctx,
                                "[invalid bearer token, token audiences %s is invalid for the "
                                "target audiences %s]",
                                quote_all(ctx, held), quote_all(ctx, wanted));
        *fault = *fault ? *fault : "";
        return false;
    }
    if (!is_bound_alive(server, kube__json_get(claims, "kubernetes.io"))) {
        *fault = "[invalid bearer token, service account token has been invalidated]";
        return false;
    }
    set_account(ctx, user, claims);
    return true;
}

/* ---- names ---------------------------------------------------------------------------------- */

bool kube__api_split_service_account(kube_ctx *ctx, const char *user, const char **namespace_,
                                     const char **name)
{
    size_t prefix_len = sizeof account_prefix - 1;
    if (strncmp(user, account_prefix, prefix_len) != 0)
        return false;
    const char *rest = user + prefix_len;
    const char *colon = strchr(rest, ':');
    if (!colon || colon == rest || !colon[1] || strchr(colon + 1, ':'))
        return false;
    *namespace_ = kube_ctx_strndup(ctx, rest, (size_t)(colon - rest));
    *name = colon + 1;
    return *namespace_ != NULL;
}

const char **kube__api_service_account_groups(kube_ctx *ctx, const char *namespace_)
{
    const char **groups = kube_ctx_alloc_array(ctx, 4, sizeof *groups);
    if (!groups)
        return NULL;
    groups[0] = "system:serviceaccounts";
    groups[1] = kube__api_text(ctx, "system:serviceaccounts:%s", namespace_);
    return groups;
}
