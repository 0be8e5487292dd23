/* SPDX-License-Identifier: Apache-2.0 */
/* The scale subresource: a Scale made of an object by the paths its kind names. */
#include "apiserver/patch/patch.h"
#include "apiserver/store/store.h"
#include "verb.h"

#include <inttypes.h>
#include <string.h>

static int64_t int_at(const kube__json *object, const char *path)
{
    int64_t value = 0;
    if (path)
        kube__json_to_int(kube__json_at(object, kube__api_scale_path(path)), &value);
    return value;
}

/* A LabelSelector as text: "a=b,c in (d,e)". */
static const char *selector_text(kube_ctx *ctx, const kube__json *selector)
{
    const char *text = "";
    KUBE__JSON_EACH (label, kube__json_get(selector, "matchLabels"))
        text = kube__api_text(ctx, "%s%s%s=%s", text, *text ? "," : "", label->key,
                              kube__json_string_or(label, ""));
    KUBE__JSON_EACH (rule, kube__json_get(selector, "matchExpressions")) {
        const char *op = kube__json_string_at(rule, "operator");
        const char *key = kube__json_string_at(rule, "key");
        const char *values = "";
        KUBE__JSON_EACH (value, kube__json_get(rule, "values"))
            values = kube__api_text(ctx, "%s%s%s", values, *values ? "," : "",
                                    kube__json_string_or(value, ""));
        const char *comma = *text ? "," : "";
        if (strcmp(op, "Exists") == 0)
            text = kube__api_text(ctx, "%s%s%s", text, comma, key);
        else if (strcmp(op, "DoesNotExist") == 0)
            text = kube__api_text(ctx, "%s%s!%s", text, comma, key);
        else
            text = kube__api_text(ctx, "%s%s%s %s (%s)", text, comma, key,
                                  strcmp(op, "In") == 0 ? "in" : "notin", values);
    }
    return text;
}

static kube__json *scale_of(kube__api_work *work, const kube__json *object)
{
    static const char *const members[] = {"name", "namespace", "uid", "resourceVersion",
                                          "creationTimestamp"};
    kube_ctx *ctx = work->ctx;
    const kube__api_scale *paths = &work->resource->scale;
    const kube__json *from = kube__json_get(object, "metadata");
    kube__json *scale = kube__json_typed(ctx, "Scale", "autoscaling/v1");
    kube__json *metadata = kube__json_ensure_object(ctx, scale, "metadata");
    for (size_t i = 0; i < sizeof(members) / sizeof *members; i++) {
        kube__json *value = kube__json_get(from, members[i]);
        if (value)
            kube__json_set(ctx, metadata, members[i], kube__json_copy(ctx, value));
    }
    int64_t replicas = int_at(object, paths->spec_replicas);
    kube__json *spec = kube__json_ensure_object(ctx, scale, "spec");
    if (replicas)
        kube__json_set_int(ctx, spec, "replicas", replicas);
    kube__json *status = kube__json_ensure_object(ctx, scale, "status");
    kube__json_set_int(ctx, status, "replicas", int_at(object, paths->status_replicas));
    const char *selector =
        work->resource->custom
            ? (paths->label_selector
                   ? kube__json_string_at(object, kube__api_scale_path(paths->label_selector))
                   : "")
            : selector_text(ctx, kube__json_at(object, "spec.selector"));
    if (*selector)
        kube__json_set_string(ctx, status, "selector", selector);
    return scale;
}

/* Sets a number at ".spec.replicas". */
static void set_at(kube_ctx *ctx, kube__json *object, const char *path, int64_t value)
{
    path = kube__api_scale_path(path);
    for (const char *dot; (dot = strchr(path, '.')) != NULL; path = dot + 1)
        object = kube__json_ensure_object(ctx, object,
                                          kube__api_text_copy(ctx, path, (size_t)(dot - path)));
    kube__json_set_int(ctx, object, path, value);
}

/* ---- verbs ---------------------------------------------------------------------------------- */

/* 500 for a custom resource that does not say its size. */
static kube__api_failure *check_size(kube__api_work *work, const kube__json *object)
{
    const char *path = work->resource->scale.spec_replicas;
    if (!work->resource->custom || kube__json_at(object, kube__api_scale_path(path)))
        return NULL;
    kube__api_failure *failure = kube__api_fail(
        work->ctx, 500, "InternalError",
        "Internal error occurred: the spec replicas field \"%s\" does not exist", path);
    failure->has_details = true;
    kube__api_add_cause(&failure->causes, NULL, NULL,
                        "the spec replicas field \"%s\" does not exist", path);
    return failure;
}

kube__api_failure *kube__api_scale_get(kube__api_work *work)
{
    kube__api_object *stored;
    kube__json *object = NULL;
    kube__api_failure *failure = kube__api_find_object(work, &stored);
    if (!failure) {
        object = kube__api_object_json(work->ctx, stored, work->resource);
        failure = check_size(work, object);
    }
    if (!failure)
        kube__api_send_document(work, 200, scale_of(work, object));
    return failure;
}

/* Of a patched Scale of a custom resource the uid does not count; others tell it otherwise. */
static kube__api_failure *check_patched_uid(kube__api_work *work, const kube__api_object *stored,
                                            kube__json *scale)
{
    const char *uid = kube__json_string_at(scale, "metadata.uid");
    if (!*uid || strcmp(uid, stored->uid) == 0)
        return NULL;
    kube__json_remove(kube__json_get(scale, "metadata"), "uid");
    if (work->resource->custom)
        return NULL;
    return kube__api_conflict(
        work->ctx, work->resource->group,
        kube__api_text(work->ctx, "%s/scale", work->resource->plural), stored->name,
        kube__api_text(work->ctx,
                       "Precondition failed: UID in precondition: %s, UID in object meta: %s", uid,
                       stored->uid));
}

static kube__api_failure *write_scale(kube__api_work *work, kube__api_object *stored,
                                      const kube__json *live, const kube__json *scale)
{
    static const char *const members[] = {"resourceVersion", "uid"};
    kube_ctx *ctx = work->ctx;
    int64_t replicas = int_at(scale, "spec.replicas");
    kube__json *object = kube__json_copy(ctx, live);
    kube__json *metadata = kube__json_get(object, "metadata");
    if (replicas < 0 && !work->resource->custom) {
        kube__api_causes causes = {.ctx = ctx};
        kube__api_add_cause(&causes, "FieldValueInvalid", "spec.replicas",
                            "Invalid value: %" PRId64 ": must be greater than or equal to 0",
                            replicas);
        return kube__api_invalid(ctx, "autoscaling", "Scale", stored->name, &causes);
    }
    set_at(ctx, object, work->resource->scale.spec_replicas, replicas);
    for (size_t i = 0; i < sizeof(members) / sizeof *members; i++) {
        const char *given =
            kube__json_string_or(kube__json_get(kube__json_get(scale, "metadata"), members[i]), "");
        if (*given)
            kube__json_set_string(ctx, metadata, members[i], given);
    }
    kube__api_failure *failure =
        kube__api_update_object(work, stored, live, object, false, &object);
    if (!failure)
        kube__api_send_document(work, 200, scale_of(work, object));
    return failure;
}

/* What a Scale has not is told, and left out. */
static void find_unknown(kube__api_findings *findings, const kube__json *scale)
{
    KUBE__JSON_EACH (member, kube__json_get(scale, "spec")) {
        if (strcmp(member->key, "replicas") != 0)
            kube__api_find(findings, "unknown field \"spec.%s\"", member->key);
    }
}

static kube__api_failure *check_scale(kube__api_work *work, const kube__json *scale,
                                      kube__api_findings *findings)
{
    const char *version = kube__json_string_at(scale, "apiVersion");
    const char *kind = kube__json_string_at(scale, "kind");
    if ((!*version || strcmp(version, "autoscaling/v1") == 0) &&
        (!*kind || strcmp(kind, "Scale") == 0)) {
        find_unknown(findings, scale);
        return kube__api_tell_findings(work, findings);
    }
    const char *slash = strchr(version, '/');
    if (!work->resource->custom)
        return kube__api_bad_request(work->ctx,
                                     "%s in version \"%s\" cannot be handled as a Scale: no kind "
                                     "\"%s\" is registered for version \"%s\" in scheme "
                                     "\"pkg/runtime/scheme.go:111\"",
                                     kind, slash ? slash + 1 : version, kind, version);
    return kube__api_bad_request(
        work->ctx,
        "no kind is registered for the type v1.Scale in scheme \"pkg/runtime/scheme.go:111\"");
}

kube__api_failure *kube__api_scale_update(kube__api_work *work)
{
    kube__api_findings findings = {.ctx = work->ctx};
    kube__api_object *stored;
    kube__json *scale;
    bool yaml;
    kube__api_failure *failure = kube__api_read_options(work, "UpdateOptions", false);
    if (!failure)
        failure = kube__api_check_content_type(work, &yaml);
    if (!failure)
        failure = kube__api_read_document(work, "Scale", yaml, &findings, &scale);
    if (failure && failure->http_status == 400 && work->resource->custom)
        return kube__api_bad_request(work->ctx,
                                     "no kind is registered for the type v1.Scale in scheme "
                                     "\"pkg/runtime/scheme.go:111\"");
    if (!failure)
        failure = check_scale(work, scale, &findings);
    if (!failure)
        failure = kube__api_check_names(work, scale);
    if (!failure)
        failure = kube__api_find_object(work, &stored);
    if (failure)
        return failure;
    return write_scale(work, stored, kube__api_object_json(work->ctx, stored, work->resource),
                       scale);
}

/* A Scale has no lists that could be merged: two of the patches are the same. */
static kube__api_failure *patch_scale(kube__api_work *work, const kube__json *before,
                                      kube__json **scale)
{
    const char *type = kube__api_header(work->request, "content-type");
    bool is_json_patch = strncmp(type, "application/json-patch+json", 27) == 0;
    kube__json *patch =
        kube__json_parse(work->ctx, work->request->body, work->request->body_len, NULL, NULL, NULL);
    if (!patch)
        return kube__api_bad_request(work->ctx, "invalid JSON patch");
    if (is_json_patch)
        return kube__api_json_patch(work->ctx, before, patch, scale);
    if (!kube__json_is(patch, KUBE__JSON_OBJECT))
        return kube__api_bad_request(work->ctx,
                                     "error decoding patch: json: cannot unmarshal %s into Go "
                                     "value of type map[string]interface {}",
                                     kube__json_is(patch, KUBE__JSON_ARRAY)    ? "array"
                                     : kube__json_is(patch, KUBE__JSON_STRING) ? "string"
                                     : kube__json_is(patch, KUBE__JSON_NUMBER) ? "number"
                                                                               : "bool");
    *scale = kube__api_merge_patch(work->ctx, before, patch);
    return NULL;
}

kube__api_failure *kube__api_scale_patch(kube__api_work *work)
{
    kube__api_findings findings = {.ctx = work->ctx};
    kube__api_object *stored;
    kube__json *scale;
    kube__api_failure *failure = kube__api_check_patch_type(work);
    if (!failure)
        failure = kube__api_read_options(work, "PatchOptions", false);
    if (!failure)
        failure = kube__api_find_object(work, &stored);
    if (failure)
        return failure;
    kube__json *live = kube__api_object_json(work->ctx, stored, work->resource);
    failure = patch_scale(work, scale_of(work, live), &scale);
    if (!failure)
        kube__json_sort(scale); /* as a map is told of */
    if (!failure)
        failure = check_scale(work, scale, &findings);
    if (!failure)
        failure = kube__api_check_names(work, scale);
    if (!failure)
        failure = check_patched_uid(work, stored, scale);
    if (!failure)
        failure = write_scale(work, stored, live, scale);
    return failure;
}
