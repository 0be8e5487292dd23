/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens on request: what a pod, or a client that acts as one, gets. */
#include "apiserver/auth/token.h"
#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/registry/registry.h"
#include "apiserver/schema/schema.h"
#include "apiserver/store/store.h"
#include "apiserver/value/quote.h"
#include "base/text.h"
#include "base/units.h"
#include "review.h"

#include <string.h>

#define GROUP "authentication.k8s.io"
#define KIND "TokenRequest"

enum { DEFAULT_SECONDS = KUBE__S_PER_HOUR, LEAST_SECONDS = 600 };

static kube__api_failure *other_name(kube_ctx *ctx, const char *name, const char *said)
{
    kube__api_causes causes = {.ctx = ctx};
    kube__api_add_cause(&causes, "FieldValueInvalid", "metadata.name",
                        "Invalid value: %s: must match the service account name if specified",
                        kube__api_quote(ctx, said));
    return kube__api_invalid(ctx, GROUP, KIND, name, &causes);
}

/* What the body says of the account has to be true. */
static kube__api_failure *check_metadata(const kube__api_request *request, const kube__json *object,
                                         const char *uid)
{
    kube_ctx *ctx = request->ctx;
    const char *name = kube__json_string_at(object, "metadata.name");
    const char *namespace_ = kube__json_string_at(object, "metadata.namespace");
    const char *said = kube__json_string_at(object, "metadata.uid");
    if (*namespace_ && strcmp(namespace_, request->namespace_) != 0)
        return kube__api_bad_request(ctx, "the namespace of the provided object does not match "
                                          "the namespace sent on the request");
    if (*name && strcmp(name, request->name) != 0)
        return other_name(ctx, request->name, name);
    if (!*said || strcmp(said, uid) == 0)
        return NULL;
    const char *why = kube__api_text(
        ctx, "the UID in the token request (%s) does not match the UID of the service account (%s)",
        said, uid);
    return kube__api_conflict(ctx, GROUP, KIND, request->name, why);
}

static kube__api_failure *check_seconds(kube_ctx *ctx, int64_t seconds)
{
    kube__api_causes causes = {.ctx = ctx};
    if (seconds < LEAST_SECONDS)
        kube__api_add_cause(&causes, "FieldValueInvalid", "spec.expirationSeconds",
                            "Invalid value: %lld: may not specify a duration less than 10 minutes",
                            (long long)seconds);
    if (seconds > (int64_t)1 << 32)
        kube__api_add_cause(
            &causes, "FieldValueInvalid", "spec.expirationSeconds",
            "Invalid value: %lld: may not specify a duration larger than 2^32 seconds",
            (long long)seconds);
    return causes.count ? kube__api_invalid(ctx, GROUP, KIND, "", &causes) : NULL;
}

/* The object that the token dies with; *@claim is what the token says of it. */
static kube__api_failure *check_bound(kube_apiserver *server, const kube__api_request *request,
                                      const kube__json *reference, kube__json **claim)
{
    static const struct {
        const char *kind;
        const char *plural;
        const char *key;
    } kinds[] = {
        {"Pod", "pods", "pod"}, {"Secret", "secrets", "secret"}, {"Node", "nodes", "node"}};
    kube_ctx *ctx = request->ctx;
    const char *kind = kube__json_string_at(reference, "kind");
    const char *api_version = kube__json_string_at(reference, "apiVersion");
    const char *name = kube__json_string_at(reference, "name");
    const char *said = kube__json_string_at(reference, "uid");
    size_t i = 0;
    if (!reference || kube__json_is(reference, KUBE__JSON_NULL))
        return NULL;
    while (i < 3 && (strcmp(api_version, "v1") != 0 || strcmp(kinds[i].kind, kind) != 0))
        i++;
    if (i == 3)
        return kube__api_bad_request(ctx, "cannot bind token to object of type %s%s, Kind=%s",
                                     strchr(api_version, '/') ? "" : "/", api_version, kind);
    const kube__api_resource *resource =
        kube__api_registry_find(server->registry, "", "v1", kinds[i].plural);
    const kube__api_object *bound =
        resource && resource->collection
            ? kube__api_store_get(resource->collection,
                                  resource->namespaced ? request->namespace_ : "", name)
            : NULL;
    if (!bound)
        return kube__api_not_found(ctx, "", kinds[i].plural, name);
    const kube__json *pod = i ? NULL : kube__api_object_json(ctx, bound, resource);
    if (pod && strcmp(kube__json_string_at(pod, "spec.serviceAccountName"), request->name) != 0)
        return kube__api_bad_request(ctx,
                                     "cannot bind token for serviceaccount %s to pod running with "
                                     "different serviceaccount name.",
                                     kube__api_quote(ctx, request->name));
    if (*said && strcmp(said, bound->uid) != 0) {
        const char *why = kube__api_text(
            ctx,
            "the UID in the bound object reference (%s) does not match the UID in record. The "
            "object might have been deleted and then recreated",
            said);
        return kube__api_conflict(ctx, "", kind, name, why);
    }
    *claim = kube__json_object(ctx);
    kube__json *entry = kube__json_ensure_object(ctx, *claim, kinds[i].key);
    kube__json_set_string(ctx, entry, "name", name);
    kube__json_set_string(ctx, entry, "uid", bound->uid);
    return NULL;
}

static kube__json *audiences_of(kube_ctx *ctx, const kube__json *spec)
{
    const kube__json *asked = kube__json_get(spec, "audiences");
    if (asked && asked->len)
        return kube__json_copy(ctx, asked);
    kube__json *own = kube__json_array(ctx);
    kube__json_append(own, kube__json_string(ctx, KUBE__API_AUDIENCE));
    return own;
}

/* All but the status, in the real order. */
static kube__api_failure *draft(kube_apiserver *server, const kube__api_request *request,
                                const kube__json *object, const char *uid, kube__json *answer)
{
    static const char *const meta_keys[] = {"name", "namespace", "uid", "creationTimestamp", NULL};
    static const char *const ref_keys[] = {"kind", "apiVersion", "name", "uid", NULL};
    kube_ctx *ctx = request->ctx;
    const kube__json *spec = kube__json_get(object, "spec");
    const kube__json *reference = kube__json_get(spec, "boundObjectRef");
    int64_t seconds = DEFAULT_SECONDS;
    kube__json_to_int(kube__json_get(spec, "expirationSeconds"), &seconds);
    kube__json *draft_spec = kube__json_ensure_object(ctx, answer, "spec");
    const kube__json *audiences = kube__json_get(spec, "audiences");
    if (audiences && audiences->len)
        kube__json_set(ctx, draft_spec, "audiences", kube__json_copy(ctx, audiences));
    kube__json_set_int(ctx, draft_spec, "expirationSeconds", seconds);
    if (reference && !kube__json_is(reference, KUBE__JSON_NULL))
        kube__json_set(ctx, draft_spec, "boundObjectRef",
                       kube__review_pick(ctx, reference, ref_keys));
    kube__api_failure *failure = kube__review_track(
        server, request, kube__api_schema_of_builtin(ctx, GROUP, "v1", KIND), answer, GROUP);
    kube__json_set(ctx, draft_spec, "audiences", audiences_of(ctx, spec));
    if (!kube__json_get(draft_spec, "boundObjectRef"))
        kube__json_set(ctx, draft_spec, "boundObjectRef", kube__json_null(ctx));
    static const char *const spec_keys[] = {"audiences", "expirationSeconds", "boundObjectRef",
                                            NULL};
    kube__json_move_first(draft_spec, spec_keys);
    kube__json *metadata = kube__json_get(answer, "metadata");
    kube__json_set_string(ctx, metadata, "name", request->name);
    kube__json_set_string(ctx, metadata, "namespace", request->namespace_);
    kube__json_set_string(ctx, metadata, "uid", uid);
    kube__json_set_string(ctx, metadata, "creationTimestamp", kube__api_now(server, ctx));
    kube__json_move_first(metadata, meta_keys);
    return failure;
}

static const char *time_text(kube_ctx *ctx, int64_t seconds)
{
    char text[KUBE_TIME_MAX];
    kube_time_format((kube_time){.sec = seconds, .set = true}, text);
    return kube__text_or_empty(kube_ctx_strdup(ctx, text));
}

kube__api_failure *kube__review_token_request(kube_apiserver *server, kube__api_request *request,
                                              const kube__json *object, kube__json **out)
{
    kube_ctx *ctx = request->ctx;
    const kube__api_resource *accounts =
        kube__api_registry_find(server->registry, "", "v1", "serviceaccounts");
    const kube__api_object *account =
        accounts && accounts->collection
            ? kube__api_store_get(accounts->collection, request->namespace_, request->name)
            : NULL;
    if (!account)
        return kube__api_not_found(ctx, "", "serviceaccounts", request->name);
    kube__json *answer = kube__review_start(ctx, KIND, GROUP);
    kube__json *bound = NULL;
    int64_t seconds = 0;
    kube__api_failure *failure = check_metadata(request, object, account->uid);
    if (!failure)
        failure = draft(server, request, object, account->uid, answer);
    const kube__json *spec = kube__json_get(answer, "spec");
    kube__json_to_int(kube__json_get(spec, "expirationSeconds"), &seconds);
    if (!failure)
        failure = check_seconds(ctx, seconds);
    if (!failure)
        failure = check_bound(server, request, kube__json_get(spec, "boundObjectRef"), &bound);
    if (failure)
        return failure;
    int64_t now = kube_time_now(server->clock).sec;
    const kube__api_claims claims = {
        .namespace_ = request->namespace_,
        .name = request->name,
        .uid = account->uid,
        .audiences = kube__json_get(spec, "audiences"),
        .issued_s = now,
        .expires_s = now + seconds,
        .bound = bound,
    };
    const char *token = kube__api_token_issue(ctx, server->authority, &claims);
    kube__json *status = kube__json_ensure_object(ctx, answer, "status");
    kube__json_set_string(ctx, status, "token", token ? token : "");
    kube__json_set_string(ctx, status, "expirationTimestamp", time_text(ctx, now + seconds));
    *out = answer;
    return kube__api_check_memory(ctx);
}
