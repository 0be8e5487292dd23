/* SPDX-License-Identifier: Apache-2.0 */
/* What the strategies do with single members: defaults and the simple rules. */
#include "apiserver/core/field_error.h"
#include "strategy_parts.h"

#include <string.h>

/* Missing, or null, which Go takes for missing. */
bool kube__api_is_missing(const kube__json *value)
{
    return !value || kube__json_is(value, KUBE__JSON_NULL);
}

void kube__api_default_text(kube_ctx *ctx, kube__json *object, const char *key, const char *text)
{
    if (!*kube__json_string_or(kube__json_get(object, key), ""))
        kube__json_set_string(ctx, object, key, text);
}

void kube__api_default_int(kube_ctx *ctx, kube__json *object, const char *key, int64_t value)
{
    if (kube__api_is_missing(kube__json_get(object, key)))
        kube__json_set_int(ctx, object, key, value);
}

void kube__api_default_bool(kube_ctx *ctx, kube__json *object, const char *key, bool value)
{
    if (kube__api_is_missing(kube__json_get(object, key)))
        kube__json_set_bool(ctx, object, key, value);
}

void kube__api_default_object(kube_ctx *ctx, kube__json *object, const char *key)
{
    if (kube__api_is_missing(kube__json_get(object, key)))
        kube__json_set(ctx, object, key, kube__json_object(ctx));
}

void kube__api_check_not_negative(const kube__json *object, const char *path,
                                  kube__api_causes *causes)
{
    const kube__json *value = kube__json_at(object, path);
    int64_t number;
    if (kube__json_to_int(value, &number) && number < 0)
        kube__api_cause_invalid(causes, path, value, "must be greater than or equal to 0");
}

void kube__api_check_immutable(const kube__json *object, const kube__json *old, const char *path,
                               kube__api_causes *causes)
{
    const kube__json *value = kube__json_at(object, path);
    const kube__json *before = kube__json_at(old, path);
    if ((value || before) && !kube__json_equal(value, before))
        kube__api_cause_invalid(causes, path, value, "field is immutable");
}

void kube__api_check_one_of(const kube__json *value, const char *field, const char *const *known,
                            kube__api_causes *causes)
{
    if (!kube__api_is_missing(value) &&
        !kube__api_is_one_of(kube__json_string_or(value, ""), known))
        kube__api_cause_unsupported(causes, field, value, known);
}
