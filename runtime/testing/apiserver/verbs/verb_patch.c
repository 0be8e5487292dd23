/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/core/request.h"
#include "apiserver/patch/patch.h"
#include "apiserver/schema/schema.h"
#include "apiserver/store/list_options.h"
#include "apiserver/store/store.h"
#include "apiserver/value/quote.h"
#include "apiserver/value/yaml.h"
#include "base/text.h"
#include "verb.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum patch_type { JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH, APPLY_PATCH } patch_type;

static kube__api_failure *unsupported(kube__api_work *work)
{
    if (work->resource->custom)
        return kube__api_fail(work->ctx, 415, "UnsupportedMediaType",
                              "the body of the request was in an unknown format - accepted media "
                              "types include: application/json-patch+json, "
                              "application/merge-patch+json, application/apply-patch+yaml");
    kube__api_failure *failure =
        kube__api_fail(work->ctx, 415, "UnsupportedMediaType", "415: Unsupported Media Type");
    failure->has_details = true;
    return failure;
}

static kube__api_failure *read_type(kube__api_work *work, patch_type *type)
{
    static const char *const types[] = {
        [JSON_PATCH] = "application/json-patch+json",
        [MERGE_PATCH] = "application/merge-patch+json",
        [STRATEGIC_PATCH] = "application/strategic-merge-patch+json",
        [APPLY_PATCH] = "application/apply-patch+yaml",
    };
    const char *given = kube__api_header(work->request, "content-type");
    size_t len = strcspn(given, "; ");
    for (size_t i = 0; i < sizeof(types) / sizeof *types; i++) {
        if (strlen(types[i]) != len || strncasecmp(types[i], given, len) != 0)
            continue;
        *type = (patch_type)i;
        return *type == STRATEGIC_PATCH && work->resource->custom ? unsupported(work) : NULL;
    }
    return unsupported(work);
}

kube__api_failure *kube__api_check_patch_type(kube__api_work *work)
{
    patch_type type;
    return read_type(work, &type);
}

/* What a status of a custom resource comes with does not count, nor does its kind. */
static bool is_custom_status(const kube__api_work *work)
{
    return work->resource->custom && strcmp(work->request->subresource, "status") == 0;
}

static void restore_kind(kube__api_work *work, kube__json *object)
{
    kube__json_set_string(work->ctx, object, "apiVersion",
                          kube__api_resource_api_version(work->ctx, work->resource));
    kube__json_set_string(work->ctx, object, "kind", work->resource->kind);
}

/* ---- what patches give ---------------------------------------------------------------------- */

static void find_duplicate(void *arg, const char *path, const char *key)
{
    kube__api_find(arg, "json patch unknown field \"%s%s%s\"", path, *path ? "." : "", key);
}

static kube__api_failure *read_patch(kube__api_work *work, patch_type type,
                                     kube__api_findings *findings, kube__json **out)
{
    const kube__api_request *request = work->request;
    *out = kube__json_parse(work->ctx, request->body, request->body_len, NULL,
                            type == JSON_PATCH ? NULL : find_duplicate, findings);
    if (!*out)
        return kube__api_bad_request(work->ctx, "invalid JSON patch");
    return type == MERGE_PATCH ? kube__api_check_merge_patch(work->ctx, *out) : NULL;
}

/* What a patch touches has been a Go map: its members are sorted, in messages and warnings. */
static void sort_touched(kube_ctx *ctx, kube__json *object, const kube__json *patch)
{
    size_t count = 0;
    if (!kube__json_is(object, KUBE__JSON_OBJECT))
        return;
    const char **keys = kube_ctx_alloc_array(ctx, object->len + 1, sizeof *keys);
    if (!keys)
        return;
    KUBE__JSON_EACH (member, object)
        keys[count++] = member->key;
    qsort(keys, count, sizeof *keys, kube__text_compare);
    kube__json_move_first(object, keys);
    KUBE__JSON_EACH (member, patch) {
        if (kube__json_is(member, KUBE__JSON_OBJECT))
            sort_touched(ctx, kube__json_get(object, member->key), member);
    }
}

static kube__api_failure *patch_object(kube__api_work *work, patch_type type,
                                       const kube__json *live, kube__json **out)
{
    kube__json *patch;
    kube__api_findings findings = {.ctx = work->ctx};
    kube__api_failure *failure = read_patch(work, type, &findings, &patch);
    if (failure)
        return failure;
    switch (type) {
    case JSON_PATCH:
        failure = kube__api_json_patch(work->ctx, live, patch, out);
        if (!failure && work->resource->custom)
            kube__json_sort(*out);
        else if (!failure)
            sort_touched(work->ctx, *out, NULL);
        return failure;
    case STRATEGIC_PATCH:
        failure = kube__api_strategic_patch(work->ctx, work->resource->schema, live, patch, out);
        if (!failure) /* is decoded into the type it was made of */
            restore_kind(work, *out);
        return failure;
    default:
        *out = kube__api_merge_patch(work->ctx, live, patch);
        sort_touched(work->ctx, *out, patch);
        return NULL;
    }
}

/* ---- what they give must be an object ------------------------------------------------------- */

/* What is wrong with a body is, with a patch, that the result is. */
static kube__api_failure *invalid_result(kube__api_work *work, kube__json *object,
                                         const kube__api_failure *failure)
{
    const char *why = strstr(failure->message, " cannot be handled as a ");
    const char *text = why ? strstr(why, ": ") : NULL;
    const char *shown = kube__json_text(work->ctx, object, NULL);
    kube__api_causes causes = {.ctx = work->ctx};
    kube__api_add_cause(&causes, "FieldValueInvalid", "patch", "Invalid value: %s: %s",
                        kube__api_quote(work->ctx, shown), text ? text + 2 : failure->message);
    kube__api_failure *unnamed = kube__api_invalid(work->ctx, "", "", "", &causes);
    unnamed->kind = NULL;
    return unnamed;
}

static kube__api_failure *check_kind(kube__api_work *work, kube__json *object)
{
    const char *version = kube__json_string_at(object, "apiVersion");
    const char *kind = kube__json_string_at(object, "kind");
    if (work->resource->custom) /* validation tells of another one */
        return *kind ? NULL
                     : kube__api_bad_request(work->ctx, "Object 'Kind' is missing in '%s'",
                                             kube__json_text(work->ctx, object, NULL));
    if (!*kind && !*version) {
        restore_kind(work, object);
        return NULL;
    }
    bool same_version =
        strcmp(version, kube__api_resource_api_version(work->ctx, work->resource)) == 0;
    if (same_version && strcmp(kind, work->resource->kind) == 0)
        return NULL;
    return kube__api_bad_request(work->ctx,
                                 "no kind \"%s\" is registered for version \"%s\" in scheme "
                                 "\"pkg/runtime/scheme.go:111\"",
                                 kind, version);
}

static kube__api_failure *take_result(kube__api_work *work, kube__json *object)
{
    if (is_custom_status(work))
        restore_kind(work, object);
    kube__json *shown = kube__json_copy(work->ctx, object);
    kube__api_failure *failure = check_kind(work, object);
    if (!failure)
        failure = kube__api_take_object(work, object, NULL);
    return failure && failure->http_status == 400 ? invalid_result(work, shown, failure) : failure;
}

static kube__api_failure *check_uid(kube__api_work *work, const kube__json *object, const char *uid)
{
    const char *given = kube__json_string_at(object, "metadata.uid");
    kube__api_causes causes = {.ctx = work->ctx};
    if (!*given || strcmp(given, uid) == 0 || is_custom_status(work))
        return NULL;
    /* The registry finds it, and so does the strategy of custom resources. */
    for (int times = 1 + (work->resource->custom && *uid); times > 0; times--)
        kube__api_add_cause(&causes, "FieldValueInvalid", "metadata.uid",
                            "Invalid value: %s: field is immutable",
                            kube__api_quote(work->ctx, given));
    return kube__api_invalid(work->ctx, work->resource->group, work->resource->kind,
                             work->request->name, &causes);
}

/* A built-in without a version takes that of the object it was read from, as unconditional. */
static kube__api_failure *update(kube__api_work *work, kube__api_object *stored,
                                 const kube__json *live, kube__json *object, bool applied,
                                 kube__json **out)
{
    kube__api_failure *failure = kube__api_check_names(work, object);
    if (!failure)
        failure = check_uid(work, object, stored->uid);
    if (!failure)
        failure = kube__api_update_object(work, stored, live, object, applied, out);
    if (!failure)
        kube__api_send(work, 200, *out);
    return failure;
}

/* ---- apply ---------------------------------------------------------------------------------- */

static kube__api_failure *read_config(kube__api_work *work, kube__json **out)
{
    kube_ctx *ctx = work->ctx;
    const char *fault = NULL;
    kube__api_findings findings = {.ctx = ctx};
    *out = kube__api_yaml_parse(ctx, work->request->body, work->request->body_len, &fault,
                                find_duplicate, &findings);
    if (kube_ctx_failed(ctx))
        return kube__api_fail_no_memory();
    bool is_null = kube__json_is(*out, KUBE__JSON_NULL) || work->request->body_len == 0;
    /* What looks like JSON is not converted before it is decoded. */
    if (!*out && !is_null)
        return kube__api_bad_request(ctx, "%s: %s",
                                     *work->request->body == '{'
                                         ? "error decoding patch: error converting YAML to JSON"
                                         : "error encoding patch",
                                     fault);
    if (!is_null && !kube__json_is(*out, KUBE__JSON_OBJECT))
        return kube__api_wrong_patch(
            ctx, "error decoding patch: error unmarshaling JSON: while decoding JSON: ", *out,
            "value of type map[string]interface {}");
    const char *version = kube__json_string_at(*out, "apiVersion");
    const char *kind = kube__json_string_at(*out, "kind");
    if (strcmp(version, kube__api_resource_api_version(ctx, work->resource)) != 0 ||
        strcmp(kind, work->resource->kind) != 0)
        return kube__api_bad_request(ctx, "invalid object type: %s%s, Kind=%s",
                                     strchr(version, '/') ? "" : "/", version, kind);
    if (kube__json_at(*out, "metadata.managedFields"))
        return kube__api_bad_request(ctx, "metadata.managedFields must be nil");
    return NULL;
}

static kube__api_failure *check_config_names(kube__api_work *work, kube__json *config)
{
    kube__json *metadata = kube__json_ensure_object(work->ctx, config, "metadata");
    bool has_namespace = kube__json_get(metadata, "namespace") != NULL;
    if (!kube__json_get(metadata, "name"))
        kube__json_set_string(work->ctx, metadata, "name", work->request->name);
    kube__api_failure *failure = kube__api_check_names(work, config);
    if (!has_namespace) /* what was not applied is not owned, nor told of in messages */
        kube__json_remove(metadata, "namespace");
    return failure;
}

static kube__api_failure *check_config_version(kube__api_work *work, const kube__json *config,
                                               const kube__api_object *stored)
{
    const char *given = kube__json_string_at(config, "metadata.resourceVersion");
    uint64_t version;
    const char *why;
    if (!*given || !stored)
        return NULL;
    if (kube__api_parse_version(work->ctx, given, &version, &why) && version == stored->version)
        return NULL;
    return kube__api_conflict(work->ctx, work->resource->group, work->resource->plural,
                              stored->name,
                              "the object has been modified; please apply your changes to the "
                              "latest version and try again");
}

/* Of one that is to be made. */
static kube__api_failure *check_no_uid(kube__api_work *work, const kube__json *config)
{
    const char *given = kube__json_string_at(config, "metadata.uid");
    if (!*given)
        return NULL;
    return kube__api_conflict(work->ctx, work->resource->group, work->resource->plural,
                              work->request->name,
                              kube_printf(work->ctx,
                                          "uid mismatch: the provided object specified uid %s, and "
                                          "no existing object was found",
                                          given));
}

static kube__api_failure *apply(kube__api_work *work, kube__api_object *stored)
{
    kube_ctx *ctx = work->ctx;
    kube__json *config;
    kube__json *object;
    bool unchanged = false;
    kube__api_failure *failure = read_config(work, &config);
    if (!failure)
        failure = check_config_names(work, config);
    if (!failure && stored)
        failure = check_uid(work, config, stored->uid);
    else if (!failure)
        failure = check_no_uid(work, config);
    if (!failure)
        failure = check_config_version(work, config, stored);
    if (failure)
        return failure;
    kube__json_remove(kube__json_get(config, "metadata"), "resourceVersion");
    kube__json *live = stored ? kube__api_object_json(ctx, stored, work->resource) : NULL;
    kube__api_manager manager = kube__api_manager_of(work, config);
    failure =
        kube__api_apply(ctx, work->resource->schema, live, config, &manager, &object, &unchanged);
    if (!failure)
        failure = kube__api_check_memory(ctx);
    if (failure)
        return failure;
    if (stored && unchanged) {
        kube__api_send_object(work, 200, stored);
        return NULL;
    }
    /* Of a custom resource nothing is decoded again: a null that the merge left is seen by
     * validation, and its types have been checked. */
    if (work->resource->custom && work->resource->schema)
        kube__api_schema_default(ctx, work->resource->schema, object);
    else
        failure = take_result(work, object);
    if (failure)
        return failure;
    if (stored)
        return update(work, stored, live, object, true, &object);
    failure = kube__api_check_names(work, object);
    if (!failure)
        failure = kube__api_create_object(work, object, true, &object);
    if (!failure)
        kube__api_send(work, 201, object);
    return failure;
}

kube__api_failure *kube__api_verb_patch(kube__api_work *work)
{
    patch_type type = JSON_PATCH;
    kube__api_object *stored;
    kube__api_failure *failure = read_type(work, &type);
    if (!failure)
        failure = kube__api_read_options(work, "PatchOptions", type == APPLY_PATCH);
    if (failure)
        return failure;
    failure = kube__api_find_object(work, &stored);
    if (type == APPLY_PATCH && (stored || !*work->request->subresource))
        return apply(work, stored);
    if (failure)
        return failure;
    kube__json *live = kube__api_object_json(work->ctx, stored, work->resource);
    kube__json *object;
    failure = patch_object(work, type, live, &object);
    if (!failure)
        failure = kube__api_check_memory(work->ctx);
    if (!failure)
        failure = take_result(work, object);
    if (!failure)
        failure = update(work, stored, live, object, false, &object);
    return failure;
}
