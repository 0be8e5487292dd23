/* SPDX-License-Identifier: Apache-2.0 */
/* What a client sent: its form, its kind, and what the server does not know of it. */
#include "apiserver/core/request.h"
#include "apiserver/registry/registry.h"
#include "apiserver/schema/schema.h"
#include "apiserver/store/zero.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/value/protobuf.h"
#include "apiserver/value/quote.h"
#include "apiserver/value/yaml.h"
#include "verb.h"

#include <kube/shapes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { SHOWN = 30 }; /* bytes of a body that an error shows */

/* ---- findings ------------------------------------------------------------------------------- */

void kube__api_find(kube__api_findings *findings, const char *format, ...)
{
    const char **items =
        kube_list_grow(findings->ctx, findings->items, findings->len, sizeof *items);
    va_list args;
    if (!items)
        return;
    findings->items = items;
    va_start(args, format);
    const char *text = kube__api_vtext(findings->ctx, format, args);
    va_end(args);
    findings->items[findings->len++] = text;
}

static void find_duplicate(void *arg, const char *path, const char *key)
{
    kube__api_find(arg, "duplicate field \"%s%s%s\"", path, *path ? "." : "", key);
}

static void find_unknown(void *arg, const char *path)
{
    kube__api_find(arg, "unknown field \"%s\"", path);
}

static kube__api_failure *cannot_handle(kube__api_work *work, const char *why)
{
    const kube__api_resource *resource = work->resource;
    return kube__api_bad_request(work->ctx, "%s in version \"%s\" cannot be handled as a %s: %s",
                                 resource->kind, resource->version, resource->kind, why);
}

static kube__api_failure *refuse_findings(kube__api_work *work, const kube__api_findings *findings)
{
    kube__buffer text;
    kube__buffer_init(&text, SIZE_MAX / 2);
    kube__buffer_add_text(&text, "strict decoding error: ");
    for (size_t i = 0; i < findings->len; i++) {
        kube__buffer_add_text(&text, i ? ", " : "");
        kube__buffer_add_text(&text, findings->items[i]);
    }
    return cannot_handle(work, kube__api_take_text(work->ctx, &text, NULL));
}

kube__api_failure *kube__api_tell_findings(kube__api_work *work, kube__api_findings *findings)
{
    if (work->validation == KUBE__FIELDS_IGNORE || findings->len == 0)
        return NULL;
    if (work->validation == KUBE__FIELDS_STRICT)
        return refuse_findings(work, findings);
    for (size_t i = 0; i < findings->len; i++)
        kube__api_warn(work->ctx, work->response, "%s", findings->items[i]);
    return NULL;
}

/* ---- text ----------------------------------------------------------------------------------- */

static bool is_protobuf(const kube__api_work *work)
{
    static const char type[] = "application/vnd.kubernetes.protobuf";
    const char *header = kube__api_header(work->request, "content-type");
    return !work->resource->custom && strncasecmp(header, type, strlen(type)) == 0;
}

kube__api_failure *kube__api_check_content_type(kube__api_work *work, bool *yaml)
{
    const char *type = kube__api_header(work->request, "content-type");
    size_t len = strcspn(type, "; ");
    *yaml = false;
    if (len == 0 || (len == 16 && strncasecmp(type, "application/json", len) == 0))
        return NULL;
    if (len == 16 && strncasecmp(type, "application/yaml", len) == 0) {
        *yaml = true;
        return NULL;
    }
    if (is_protobuf(work))
        return NULL;
    return kube__api_fail(
        work->ctx, 415, "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: "
        "application/json, application/yaml, application/vnd.kubernetes.protobuf");
}

/* The start of a body, readable when it is an object, else in hexadecimal. */
static const char *show_body(kube_ctx *ctx, const char *body, size_t len)
{
    const char *more = len > SHOWN ? " ..." : "";
    size_t shown = len > SHOWN ? SHOWN : len;
    char hex[2 * SHOWN + 1] = "";
    if (len == 0)
        return "<empty>";
    if (*body == '{')
        return kube__api_text(ctx, "%.*s%s", (int)shown, body, more);
    for (size_t i = 0; i < shown; i++)
        snprintf(hex + 2 * i, 3, "%02x", (unsigned)(unsigned char)body[i]);
    return kube__api_text(ctx, "%s%s", hex, more);
}

static kube__api_failure *unrecognized(kube__api_work *work, const char *kind, const char *why)
{
    const kube__api_request *request = work->request;
    if (!kind)
        return kube__api_bad_request(work->ctx, "%s", why);
    return kube__api_bad_request(
        work->ctx, "the object provided is unrecognized (must be of type %s): %s (%s)", kind, why,
        show_body(work->ctx, request->body, request->body_len));
}

kube__api_failure *kube__api_read_document(kube__api_work *work, const char *kind, bool yaml,
                                           kube__api_findings *findings, kube__json **out)
{
    kube_ctx *ctx = work->ctx;
    const kube__api_request *request = work->request;
    const char *fault = NULL;
    findings->ctx = ctx;
    if (is_protobuf(work))
        *out = kube__api_protobuf_read(ctx, request->body, request->body_len, &fault);
    else if (yaml)
        *out = kube__api_yaml_parse(ctx, request->body, request->body_len, &fault, find_duplicate,
                                    findings);
    else
        *out = kube__json_parse(ctx, request->body, request->body_len, &fault, find_duplicate,
                                findings);
    if (kube_ctx_failed(ctx))
        return kube__api_fail_no_memory();
    if (!*out) {
        if (yaml && fault)
            return unrecognized(work, kind, fault);
        const char *why = fault && is_protobuf(work)
                              ? fault
                              : kube__json_error(ctx, request->body, request->body_len, fault);
        return unrecognized(
            work, kind,
            kube__api_text(ctx, "couldn't get version/kind; json parse error: %s", why));
    }
    if (!kube__json_is(*out, KUBE__JSON_OBJECT))
        return unrecognized(
            work, kind,
            kube__api_text(ctx,
                           "couldn't get version/kind; json parse error: json: cannot unmarshal "
                           "%s into Go value of type struct { APIVersion string "
                           "\"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
                           "\"json:\\\"kind,omitempty\\\"\" }",
                           kube__json_kind_name(*out)));
    return NULL;
}

/* ---- kind ----------------------------------------------------------------------------------- */

static kube__api_failure *wrong_version(kube__api_work *work, const char *version)
{
    return kube__api_bad_request(
        work->ctx, "the API version in the data (%s) does not match the expected API version (%s)",
        version, kube__api_resource_api_version(work->ctx, work->resource));
}

static kube__api_failure *check_custom_kind(kube__api_work *work, const kube__json *object)
{
    const char *expected = kube__api_resource_api_version(work->ctx, work->resource);
    const char *version = kube__json_string_at(object, "apiVersion");
    if (!*kube__json_string_at(object, "kind"))
        return unrecognized(work, work->resource->kind,
                            kube__api_text(work->ctx, "Object 'Kind' is missing in '%.*s'",
                                           (int)work->request->body_len, work->request->body));
    return strcmp(version, expected) != 0 ? wrong_version(work, version) : NULL;
}

/* Where Go keeps the internal types of a group. */
static const char *internal_package(const char *group)
{
    if (!*group)
        return "core";
    return strncmp(group, "rbac.", 5) == 0 ? "rbac" : group;
}

/* Another kind: one that exists, or none at all. */
static kube__api_failure *wrong_kind(kube__api_work *work, const char *kind, const char *version)
{
    const char *slash = strchr(version, '/');
    const char *name = slash ? slash + 1 : version;
    const char *group =
        slash ? kube_ctx_strndup(work->ctx, version, (size_t)(slash - version)) : "";
    const char *package = internal_package(work->resource->group);
    const char *why;
    if (group && kube__api_registry_find_kind(work->server->registry, group, name, kind))
        why = kube__api_text(work->ctx, "converting (%s.%s) to (%.*s.%s): unknown conversion", name,
                             kind, (int)strcspn(package, "."), package, work->resource->kind);
    else
        why = kube__api_text(work->ctx,
                             "no kind \"%s\" is registered for version \"%s\" in scheme "
                             "\"pkg/runtime/scheme.go:111\"",
                             kind, version);
    return kube__api_bad_request(work->ctx, "%s in version \"%s\" cannot be handled as a %s: %s",
                                 kind, name, work->resource->kind, why);
}

/* Absent ones are taken for granted. */
static kube__api_failure *check_builtin_kind(kube__api_work *work, kube__json *object)
{
    const char *expected = kube__api_resource_api_version(work->ctx, work->resource);
    const char *version = kube__json_string_at(object, "apiVersion");
    const char *kind = kube__json_string_at(object, "kind");
    if (!*version)
        kube__json_set_string(work->ctx, object, "apiVersion", expected);
    if (!*kind)
        kube__json_set_string(work->ctx, object, "kind", work->resource->kind);
    if (!*version)
        version = expected;
    if (!*kind)
        kind = work->resource->kind;
    if (strcmp(version, expected) != 0 || strcmp(kind, work->resource->kind) != 0)
        return wrong_kind(work, kind, version);
    return NULL;
}

/* metadata is a Go struct for every kind. */
static kube__api_failure *check_metadata_types(kube__api_work *work, const kube__json *object)
{
    static const char mark[] = " cannot be handled as a ObjectMeta: ";
    const kube__api_schema *metadata = kube__api_schema_member(work->resource->schema, "metadata");
    kube__json *value = kube__json_get(object, "metadata");
    if (!value || !metadata)
        return NULL;
    kube__api_failure *failure =
        kube__api_schema_check_types(work->ctx, metadata, value, "ObjectMeta");
    const char *why = failure ? strstr(failure->message, mark) : NULL;
    return why ? cannot_handle(work, why + sizeof(mark) - 1) : failure;
}

kube__api_failure *kube__api_take_object(kube__api_work *work, kube__json *object,
                                         kube__api_findings *findings)
{
    kube__api_findings none = {.ctx = work->ctx};
    const kube__api_schema *schema = work->resource->schema;
    kube__api_failure *failure = NULL;
    if (!findings)
        findings = &none;
    findings->ctx = work->ctx;
    if (schema) {
        if (work->resource->custom)
            failure = check_metadata_types(work, object);
        else
            failure = kube__api_schema_check_types(work->ctx, schema, object, work->resource->kind);
        if (failure)
            return failure;
        kube__api_schema_prune(work->ctx, schema, object, find_unknown, findings);
    }
    failure = kube__api_tell_findings(work, findings);
    if (failure)
        return failure;
    kube__api_drop_empty(work->resource, object);
    if (!work->resource->custom) {
        kube__api_schema_canonical(work->ctx, schema, object);
        kube__api_strategy_default(work->ctx, work->resource, object);
    } else if (schema) {
        kube__api_schema_default(work->ctx, schema, object);
    }
    return kube__api_check_memory(work->ctx);
}

kube__api_failure *kube__api_read_object(kube__api_work *work, kube__json **out)
{
    kube__api_findings findings = {.ctx = work->ctx};
    bool yaml;
    kube__api_failure *failure = kube__api_check_content_type(work, &yaml);
    if (!failure)
        failure = kube__api_read_document(work, work->resource->kind, yaml, &findings, out);
    if (!failure)
        failure =
            work->resource->custom ? check_custom_kind(work, *out) : check_builtin_kind(work, *out);
    if (!failure)
        failure = kube__api_take_object(work, *out, &findings);
    return failure;
}
