/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/core/field_error.h"
#include "apiserver/value/steps.h"
#include "base/text.h"
#include "crd_rules.h"

#include <string.h>

/* ---- columns -------------------------------------------------------------------------------- */

static void check_simple_path(kube__api_causes *causes, const char *text, const char *path)
{
    if (text[0] != '.')
        kube__api_cause_invalid_text(causes, path, text,
                                     "must be a simple json path starting with .");
}

static void check_column(kube__api_causes *causes, const kube__json *column, const char *path)
{
    static const char *const types[] = {"boolean", "date", "integer", "number", "string", NULL};
    static const char *const formats[] = {"byte",  "date",  "date-time", "double", "float",
                                          "int32", "int64", "password",  NULL};
    const char *type = kube__json_string_at(column, "type");
    const char *format = kube__json_string_at(column, "format");
    const char *json_path = kube__json_string_at(column, "jsonPath");
    if (!kube__json_string_at(column, "name")[0])
        kube__api_cause_required(causes, kube__api_text(causes->ctx, "%s.name", path), "");
    if (!type[0])
        kube__api_cause_required(causes, kube__api_text(causes->ctx, "%s.type", path),
                                 "must be one of boolean,date,integer,number,string");
    else if (!kube__api_is_one_of(type, types))
        kube__api_cause_invalid_text(causes, kube__api_text(causes->ctx, "%s.type", path), type,
                                     "must be one of boolean,date,integer,number,string");
    if (format[0] && !kube__api_is_one_of(format, formats))
        kube__api_cause_invalid_text(
            causes, kube__api_text(causes->ctx, "%s.format", path), format,
            "must be one of byte,date,date-time,double,float,int32,int64,password");
    if (!json_path[0])
        kube__api_cause_required(causes, kube__api_text(causes->ctx, "%s.JSONPath", path), "");
    else
        check_simple_path(causes, json_path, kube__api_text(causes->ctx, "%s.JSONPath", path));
}

void kube__api_check_columns(kube__api_causes *causes, const kube__json *columns, const char *path)
{
    size_t index = 0;
    KUBE__JSON_EACH (column, columns)
        check_column(causes, column, kube__api_text(causes->ctx, "%s[%zu]", path, index++));
}

/* ---- subresources --------------------------------------------------------------------------- */

static void check_scale_path(kube__api_causes *causes, const kube__json *scale, const char *name,
                             const char *root, const char *path)
{
    const char *text = kube__json_string_at(scale, name);
    const char *field = kube__api_text(causes->ctx, "%s.scale.%s", path, name);
    if (!text[0])
        kube__api_cause_required(causes, field, "");
    else if (text[0] != '.')
        check_simple_path(causes, text, field);
    else if (!kube__text_starts_with(text + 1, root) || text[1 + strlen(root)] != '.')
        kube__api_cause_invalid_text(causes, field, text, "should be a json path under .%s", root);
}

void kube__api_check_subresources(kube__api_causes *causes, const kube__json *subresources,
                                  const char *path)
{
    const kube__json *scale = kube__json_get(subresources, "scale");
    if (!kube__json_is(scale, KUBE__JSON_OBJECT))
        return;
    check_scale_path(causes, scale, "specReplicasPath", "spec", path);
    check_scale_path(causes, scale, "statusReplicasPath", "status", path);
    const char *selector = kube__json_string_at(scale, "labelSelectorPath");
    const char *field = kube__api_text(causes->ctx, "%s.scale.labelSelectorPath", path);
    if (selector[0] && selector[0] != '.')
        check_simple_path(causes, selector, field);
    else if (selector[0] && !kube__text_starts_with(selector, ".spec.") &&
             !kube__text_starts_with(selector, ".status."))
        kube__api_cause_invalid_text(causes, field, selector,
                                     "should be a json path under either .spec or .status");
}

/* ---- selectable fields ---------------------------------------------------------------------- */

static const kube__json *step(const kube__json *schema, const char *name, size_t len)
{
    KUBE__JSON_EACH (property, kube__json_get(schema, "properties")) {
        if (strlen(property->key) == len && memcmp(property->key, name, len) == 0)
            return property;
    }
    return NULL;
}

/* Sets *@out to the schema at ".spec.a". Otherwise returns why it has no schema there. */
static const kube__json *find(kube__api_causes *causes, const kube__json *schema, const char *text,
                              const char **why)
{
    const char *at = text;
    while (schema && *at) {
        if (*at == '[') {
            *why = "array notation is not allowed";
            return NULL;
        }
        if (*at != '.') {
            *why = kube__api_text(causes->ctx, "expected [ or . but got: %.*s",
                                  (int)strcspn(at, ".["), at);
            return NULL;
        }
        size_t len = strcspn(++at, ".[");
        schema = step(schema, at, len);
        at += len;
    }
    if (!schema)
        *why = "does not refer to a valid field";
    return schema;
}

/* True for a field that is there and not yet named. */
static bool check_field(kube__api_causes *causes, const kube__json *fields, size_t index,
                        const kube__json *schema, const char *path)
{
    const kube__json *value = kube__json_get(kube__json_item(fields, index), "jsonPath");
    const char *text = kube__json_string_or(value, "");
    const char *field = kube__api_text(causes->ctx, "%s[%zu].jsonPath", path, index);
    const char *why = NULL;
    if (!text[0]) {
        kube__api_cause_required(causes, field, "");
        return false;
    }
    const kube__json *found = find(causes, schema, text, &why);
    if (!found) {
        kube__api_cause_invalid_text(causes, field, text, "is an invalid path: %s", why);
        return false;
    }
    const char *type = kube__json_string_at(found, "type");
    if (kube__text_starts_with(text, ".metadata"))
        kube__api_cause_invalid_text(causes, field, text, "must not point to fields in metadata");
    if (strcmp(type, "string") != 0 && strcmp(type, "boolean") != 0 && strcmp(type, "integer") != 0)
        kube__api_cause_invalid_text(causes, field, text,
                                     "must point to a field of type string, boolean or integer. "
                                     "Enum string fields and strings with formats are allowed.");
    const kube__json *earlier = fields->first;
    for (size_t i = 0; i < index && kube__api_take_steps(4); i++, earlier = earlier->next) {
        if (strcmp(kube__json_string_at(earlier, "jsonPath"), text) == 0) {
            kube__api_cause_duplicate(causes, field, value);
            return false;
        }
    }
    return true;
}

void kube__api_check_selectable(kube__api_causes *causes, const kube__json *fields,
                                const kube__json *schema, const char *path)
{
    enum { MOST = 8 };
    if (!kube__json_is(fields, KUBE__JSON_ARRAY))
        return;
    size_t count = 0;
    for (size_t i = 0; i < fields->len; i++)
        count += check_field(causes, fields, i, schema, path);
    if (count > MOST)
        kube__api_add_cause(causes, "FieldValueTooMany", path,
                            "Too many: %zu: must have at most %d items", count, MOST);
}

/* ---- conversion ----------------------------------------------------------------------------- */

/* "/a/b": the last may be empty, the others may not. */
static void check_segments(kube__api_causes *causes, const char *url, const char *field)
{
    const char *at = strchr(url, '/') ? strchr(url, '/') + 1 : url + strlen(url);
    for (int i = 0; url[0] && strcmp(url, "/") != 0; i++) {
        size_t len = strcspn(at, "/");
        if (!len && (at[0] || i == 0))
            kube__api_cause_invalid_text(causes, field, url, "segment[%d] may not be empty", i);
        if (!at[len])
            return;
        at += len + 1;
    }
}

static void check_service(kube__api_causes *causes, const kube__json *service, const char *path)
{
    int64_t port;
    /* The real server has the two the wrong way round. */
    if (!kube__json_string_at(service, "namespace")[0])
        kube__api_cause_required(causes, kube__api_text(causes->ctx, "%s.name", path), "");
    if (!kube__json_string_at(service, "name")[0])
        kube__api_cause_required(causes, kube__api_text(causes->ctx, "%s.namespace", path), "");
    if (kube__json_to_int(kube__json_get(service, "port"), &port) && (port < 1 || port > 65535))
        kube__api_cause_invalid(causes, kube__api_text(causes->ctx, "%s.port", path),
                                kube__json_get(service, "port"),
                                "port is not valid: must be between 1 and 65535, inclusive");
    const char *url = kube__json_string_at(service, "path");
    if (url[0] && url[0] != '/')
        kube__api_cause_invalid_text(causes, kube__api_text(causes->ctx, "%s.path", path), url,
                                     "must start with a '/'");
    check_segments(causes, url, kube__api_text(causes->ctx, "%s.path", path));
}

static void check_client(kube__api_causes *causes, const kube__json *client, const char *path)
{
    const char *field = kube__api_text(causes->ctx, "%s.webhookClientConfig", path);
    const kube__json *url = kube__json_get(client, "url");
    const kube__json *service = kube__json_get(client, "service");
    if (!client)
        kube__api_cause_required(causes, field, "required when strategy is set to Webhook");
    else if (!url == !service)
        kube__api_cause_required(causes, field, "exactly one of url or service is required");
    else if (service)
        check_service(causes, service, kube__api_text(causes->ctx, "%s.service", field));
    else if (!kube__text_starts_with(kube__json_string_or(url, ""), "https://"))
        kube__api_cause_invalid(
            causes, kube__api_text(causes->ctx, "%s.url", field),
            kube__json_string_len(causes->ctx, kube__json_string_or(url, ""),
                                  strcspn(kube__json_string_or(url, ""), ":")),
            "'https' is the only allowed URL scheme; desired format: https://host[/path]");
}

static void check_review_versions(kube__api_causes *causes, const kube__json *versions,
                                  const char *path)
{
    bool known = false;
    if (!versions || !versions->first) {
        kube__api_cause_required(causes, path, "");
        return;
    }
    size_t index = 0;
    KUBE__JSON_EACH (version, versions) {
        const char *text = kube__json_string_or(version, "");
        const char *wrong = kube__api_wrong_1035(text);
        const char *field = kube__api_text(causes->ctx, "%s[%zu]", path, index++);
        for (const kube__json *other = versions->first; other != version; other = other->next) {
            if (kube__json_equal(other, version))
                kube__api_cause_invalid(causes, field, version, "duplicate version");
        }
        if (wrong)
            kube__api_cause_invalid(causes, field, version, "%s", wrong);
        known |= strcmp(text, "v1") == 0 || strcmp(text, "v1beta1") == 0;
    }
    if (!known)
        kube__api_cause_invalid(causes, path, versions, "must include at least one of v1, v1beta1");
}

void kube__api_check_conversion(kube__api_causes *causes, const kube__json *conversion,
                                const char *path)
{
    static const char *const strategies[] = {"None", "Webhook", NULL};
    const kube__json *strategy = kube__json_get(conversion, "strategy");
    const char *text = kube__json_string_or(strategy, "");
    const char *field = kube__api_text(causes->ctx, "%s.strategy", path);
    const kube__json *webhook = kube__json_get(conversion, "webhook");
    const kube__json *versions = kube__json_get(webhook, "conversionReviewVersions");
    if (!conversion)
        return;
    if (!text[0])
        kube__api_cause_required(causes, field, "");
    else if (!kube__api_is_one_of(text, strategies))
        kube__api_cause_unsupported(causes, field, strategy, strategies);
    const kube__json *client = kube__json_get(webhook, "clientConfig");
    const char *review_path = kube__api_text(causes->ctx, "%s.conversionReviewVersions", path);
    if (strcmp(text, "Webhook") == 0) {
        size_t before = causes->count;
        check_client(causes, client, path);
        check_review_versions(causes, versions, review_path);
        /* A difference that is ours: nobody would be called. */
        if (causes->count == before)
            kube__api_cause_invalid(causes, field, strategy,
                                    "this server calls no conversion webhooks: use None");
        return;
    }
    if (client)
        kube__api_cause_forbidden(causes,
                                  kube__api_text(causes->ctx, "%s.webhookClientConfig", path),
                                  "should not be set when strategy is not set to Webhook");
    if (versions && versions->first)
        kube__api_cause_forbidden(causes, review_path,
                                  "should not be set when strategy is not set to Webhook");
}
