/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/core/field_error.h"
#include "apiserver/core/name.h"
#include "base/ascii.h"
#include "keyword.h"
#include "schema.h"

#include <string.h>

static const char *below(kube_ctx *ctx, const char *path, const char *name)
{
    return path[0] ? kube__api_text(ctx, "%s.%s", path, name) : name;
}

static void check_api_version(const kube__json *value, const char *path, kube__api_causes *causes)
{
    if (value->kind != KUBE__JSON_STRING) {
        kube__api_cause_invalid(causes, path, value, "must be a string");
    } else if (!value->len) {
        kube__api_cause_invalid(causes, path, value, "must not be empty");
    } else {
        const char *slash = strchr(value->text, '/');
        if (slash && strchr(slash + 1, '/'))
            kube__api_cause_invalid(causes, path, value, "unexpected GroupVersion string: %s",
                                    value->text);
    }
}

static bool is_label(const char *text)
{
    size_t len = strlen(text);
    if (len > 63 || !kube__is_letter(text[0]) || !kube__is_alnum(text[len - 1]))
        return false;
    for (; *text; text++) {
        if (!kube__is_alnum(*text) && *text != '-')
            return false;
    }
    return true;
}

static void check_kind(const kube__json *value, const char *path, kube__api_causes *causes)
{
    if (value->kind != KUBE__JSON_STRING)
        kube__api_cause_invalid(causes, path, value, "must be a string");
    else if (!value->len)
        kube__api_cause_invalid(causes, path, value, "must not be empty");
    else if (!is_label(value->text))
        kube__api_cause_invalid(
            causes, path, value,
            "may have mixed case, but should otherwise match: a DNS-1035 label must consist of "
            "lower case alphanumeric characters or '-', start with an alphabetic character, and "
            "end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for "
            "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')");
}

static void check_type_meta(kube_ctx *ctx, const kube__json *object, const char *path,
                            kube__api_causes *causes)
{
    const kube__json *api_version = kube__json_get(object, "apiVersion");
    const kube__json *kind = kube__json_get(object, "kind");
    if (!api_version)
        kube__api_cause_required(causes, below(ctx, path, "apiVersion"), "");
    if (!kind)
        kube__api_cause_required(causes, below(ctx, path, "kind"), "");
    if (api_version)
        check_api_version(api_version, below(ctx, path, "apiVersion"), causes);
    if (kind)
        check_kind(kind, below(ctx, path, "kind"), causes);
}

static void check_labels(kube_ctx *ctx, const kube__json *labels, const char *path,
                         kube__api_causes *causes)
{
    KUBE__JSON_EACH (label, labels) {
        const char *faults[KUBE__NAME_FAULTS];
        size_t count = kube__api_wrong_qualified(ctx, label->key, faults);
        for (size_t i = 0; i < count; i++)
            kube__api_cause_invalid_text(causes, path, label->key, "%s", faults[i]);
        const char *value = kube__json_string_or(label, "");
        const char *wrong = kube__api_wrong_label_value(value);
        if (wrong)
            kube__api_cause_invalid_text(causes, path, value, "%s", wrong);
    }
}

static void check_metadata(kube_ctx *ctx, const kube__json *metadata, const char *path,
                           kube__api_causes *causes)
{
    const char *name = kube__json_string_at(metadata, "name");
    const char *wrong = name[0] ? kube__api_wrong_path_segment(ctx, name) : NULL;
    if (wrong)
        kube__api_cause_invalid_text(causes, below(ctx, path, "name"), name, "%s", wrong);
    check_labels(ctx, kube__json_get(metadata, "labels"), below(ctx, path, "labels"), causes);
}

static void check_resource(kube_ctx *ctx, const kube__json *object, const char *path,
                           kube__api_causes *causes)
{
    check_type_meta(ctx, object, path, causes);
    check_metadata(ctx, kube__json_get(object, "metadata"), below(ctx, path, "metadata"), causes);
}

static void check(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *value,
                  const char *path, kube__api_causes *causes)
{
    if (!schema || schema->builtin || !path)
        return;
    if (value->kind == KUBE__JSON_ARRAY) {
        size_t index = 0;
        KUBE__JSON_EACH (item, value)
            check(ctx, schema->items, item, kube__api_text(ctx, "%s[%zu]", path, index++), causes);
    } else if (value->kind == KUBE__JSON_OBJECT) {
        if (schema->embedded_resource)
            check_resource(ctx, value, path, causes);
        KUBE__JSON_EACH (member, value) {
            const kube__api_schema *known = kube__api_schema_member(schema, member->key);
            if (known && known == schema->additional)
                check(ctx, known, member, kube__api_text(ctx, "%s[%s]", path, member->key), causes);
            else
                check(ctx, known, member, below(ctx, path, member->key), causes);
        }
    }
}

void kube__validate_embedded(kube_ctx *ctx, const kube__api_schema *schema,
                             const kube__json *object, kube__api_causes *causes)
{
    check(ctx, schema, object, "", causes);
}
