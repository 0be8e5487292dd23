/* SPDX-License-Identifier: Apache-2.0 */
/* The scale subresource: a Scale made of an object by the paths its kind names. */
#include "patch.h"
#include "verb.h"

#include <string.h>

static const char *plain_path(const char *path)
{
    return path && *path == '.' ? path + 1 : path;
}

static int64_t int_at(const kube__json *object, const char *path)
{
    int64_t value = 0;
    if (path)
        kube__json_to_int(kube__json_at(object, plain_path(path)), &value);
    return value;
}

/* A LabelSelector as text: "a=b,c in (d,e)". */
static const char *selector_text(kube__heap *heap, const kube__json *selector)
{
    const char *text = "";
    KUBE__JSON_EACH (label, kube__json_get(selector, "matchLabels"))
        text = kube__heap_printf(heap, "%s%s%s=%s", text ? text : "", text && *text ? "," : "",
                                 label->key, kube__json_string_or(label, ""));
    KUBE__JSON_EACH (rule, kube__json_get(selector, "matchExpressions")) {
        const char *op = kube__json_string_at(rule, "operator");
        const char *key = kube__json_string_at(rule, "key");
        const char *values = "";
        KUBE__JSON_EACH (value, kube__json_get(rule, "values"))
            values = kube__heap_printf(heap, "%s%s%s", values ? values : "",
                                       values && *values ? "," : "",
                                       kube__json_string_or(value, ""));
        const char *comma = text && *text ? "," : "";
        if (strcmp(op, "Exists") == 0)
            text = kube__heap_printf(heap, "%s%s%s", text, comma, key);
        else if (strcmp(op, "DoesNotExist") == 0)
            text = kube__heap_printf(heap, "%s%s!%s", text, comma, key);
        else
            text = kube__heap_printf(heap, "%s%s%s %s (%s)", text, comma, key,
                                     strcmp(op, "In") == 0 ? "in" : "notin", values);
    }
    return text ? text : "";
}

static kube__json *scale_of(kube__api_work *work, const kube__json *object)
{
    static const char *const members[] = {"name", "namespace", "uid", "resourceVersion",
                                          "creationTimestamp"};
    kube__heap *heap = work->heap;
    const kube__api_scale *paths = &work->resource->scale;
    const kube__json *from = kube__json_get(object, "metadata");
    kube__json *scale = kube__json_object(heap);
    kube__json_set_string(heap, scale, "kind", "Scale");
    kube__json_set_string(heap, scale, "apiVersion", "autoscaling/v1");
    kube__json *metadata = kube__json_ensure_object(heap, scale, "metadata");
    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
        kube__json *value = kube__json_get(from, members[i]);
        if (value)
            kube__json_set(heap, metadata, members[i], kube__json_copy(heap, value));
    }
    int64_t replicas = int_at(object, paths->spec_replicas);
    kube__json *spec = kube__json_ensure_object(heap, scale, "spec");
    if (replicas)
        kube__json_set_int(heap, spec, "replicas", replicas);
    kube__json *status = kube__json_ensure_object(heap, scale, "status");
    kube__json_set_int(heap, status, "replicas", int_at(object, paths->status_replicas));
    const char *selector =
        work->resource->custom
            ? (paths->label_selector
                   ? kube__json_string_at(object, plain_path(paths->label_selector))
                   : "")
            : selector_text(heap, kube__json_at(object, "spec.selector"));
    if (*selector)
        kube__json_set_string(heap, status, "selector", selector);
    return scale;
}

/* Sets a number at ".spec.replicas". */
static void set_at(kube__heap *heap, kube__json *object, const char *path, int64_t value)
{
    path = plain_path(path);
    for (const char *dot; (dot = strchr(path, '.')) != NULL; path = dot + 1)
        object = kube__json_ensure_object(
            heap, object, kube__heap_strndup(heap, path, (size_t)(dot - path)));
    kube__json_set_int(heap, object, path, value);
}

kube__api_failure *kube__api_scale_get(kube__api_work *work)
{
    kube__api_object *object;
    kube__api_failure *failure = kube__api_find_object(work, &object);
    if (!failure)
        kube__api_send_document(
            work, 200,
            scale_of(work, kube__api_object_json(work->heap, object, work->resource)));
    return failure;
}

static kube__api_failure *write_scale(kube__api_work *work, kube__api_object *stored,
                                      const kube__json *live, const kube__json *scale)
{
    kube__heap *heap = work->heap;
    int64_t replicas = int_at(scale, "spec.replicas");
    kube__json *object = kube__json_copy(heap, live);
    kube__json *given = kube__json_at(scale, "metadata.resourceVersion");
    if (replicas < 0) {
        kube__api_causes causes = {0};
        const char *field = work->resource->custom ? work->resource->scale.spec_replicas
                                                   : "spec.replicas";
        kube__api_add_cause(heap, &causes, "FieldValueInvalid", field, "Invalid value: %lld: %s",
                            (long long)replicas,
                            work->resource->custom
                                ? "should be a non-negative integer"
                                : "must be greater than or equal to 0");
        if (!work->resource->custom)
            return kube__api_invalid(heap, "autoscaling", "Scale", stored->name, &causes);
        return kube__api_invalid(heap, work->resource->group, work->resource->kind, stored->name,
                                 &causes);
    }
    set_at(heap, object, work->resource->scale.spec_replicas, replicas);
    if (given && *kube__json_string_or(given, ""))
        kube__json_set(heap, kube__json_get(object, "metadata"), "resourceVersion",
                       kube__json_copy(heap, given));
    kube__api_failure *failure =
        kube__api_update_object(work, stored, live, object, false, &object);
    if (!failure)
        kube__api_send_document(work, 200, scale_of(work, object));
    return failure;
}

static kube__api_failure *check_scale(kube__api_work *work, const kube__json *scale)
{
    const char *version = kube__json_string_at(scale, "apiVersion");
    const char *kind = kube__json_string_at(scale, "kind");
    if ((!*version || strcmp(version, "autoscaling/v1") == 0) &&
        (!*kind || strcmp(kind, "Scale") == 0))
        return NULL;
    const char *slash = strchr(version, '/');
    return kube__api_bad_request(
        work->heap,
        "no kind is registered for the type %s.%s in scheme \"pkg/runtime/scheme.go:111\"",
        slash ? slash + 1 : version, kind);
}

kube__api_failure *kube__api_scale_update(kube__api_work *work)
{
    kube__api_findings findings = {.heap = work->heap};
    kube__api_object *stored;
    kube__json *scale;
    bool yaml;
    kube__api_failure *failure = kube__api_read_options(work, "UpdateOptions", false);
    if (!failure)
        failure = kube__api_check_content_type(work, &yaml);
    if (!failure)
        failure = kube__api_read_document(work, "Scale", yaml, &findings, &scale);
    if (!failure)
        failure = check_scale(work, scale);
    if (!failure)
        failure = kube__api_check_names(work, scale);
    if (!failure)
        failure = kube__api_find_object(work, &stored);
    if (failure)
        return failure;
    return write_scale(work, stored, kube__api_object_json(work->heap, stored, work->resource),
                       scale);
}

kube__api_failure *kube__api_scale_patch(kube__api_work *work)
{
    const char *type = kube__api_header(work->request, "content-type");
    bool is_json_patch = strncmp(type, "application/json-patch+json", 27) == 0;
    kube__api_object *stored;
    kube__json *patch;
    kube__json *scale;
    kube__api_failure *failure = kube__api_read_options(work, "PatchOptions", false);
    if (!failure)
        failure = kube__api_find_object(work, &stored);
    if (failure)
        return failure;
    patch = kube__json_parse(work->heap, work->request->body, work->request->body_len, NULL, NULL,
                             NULL);
    if (!patch)
        return work->heap->failed ? kube__api_fail_no_memory()
                                  : kube__api_bad_request(work->heap, "invalid JSON patch");
    kube__json *live = kube__api_object_json(work->heap, stored, work->resource);
    kube__json *before = scale_of(work, live);
    if (is_json_patch)
        failure = kube__api_json_patch(work->heap, before, patch, &scale);
    else /* a Scale has no lists that could be merged */
        scale = kube__api_merge_patch(work->heap, before, patch);
    if (!failure)
        failure = check_scale(work, scale);
    if (!failure)
        failure = write_scale(work, stored, live, scale);
    return failure;
}
