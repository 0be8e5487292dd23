/* SPDX-License-Identifier: Apache-2.0 */
#include "field_error.h"

#include "apiserver/value/quote.h"

#include <stdarg.h>

const char *kube__api_cause_value(kube_ctx *ctx, const kube__json *value)
{
    kube__json *sorted;
    if (!value)
        return "null";
    if (value->kind == KUBE__JSON_STRING)
        return kube__api_quote(ctx, value->text);
    sorted = kube__json_copy(ctx, value);
    kube__json_sort(sorted);
    return kube__json_text(ctx, sorted, NULL);
}

static void add(kube__api_causes *causes, const char *reason, const char *field, const char *what,
                const char *detail)
{
    if (detail && detail[0])
        kube__api_add_cause(causes, reason, field, "%s: %s", what, detail);
    else if (detail)
        kube__api_add_cause(causes, reason, field, "%s", what);
}

static void add_invalid(kube__api_causes *causes, const char *field, const char *value,
                        const char *format, va_list args)
{
    const char *detail = kube__api_vtext(causes->ctx, format, args);
    const char *what = kube__api_text(causes->ctx, "Invalid value: %s", value);
    add(causes, "FieldValueInvalid", field, what, detail);
}

void kube__api_cause_invalid(kube__api_causes *causes, const char *field, const kube__json *value,
                             const char *format, ...)
{
    va_list args;
    if (kube__api_causes_full(causes))
        return;
    va_start(args, format);
    add_invalid(causes, field, kube__api_cause_value(causes->ctx, value), format, args);
    va_end(args);
}

void kube__api_cause_invalid_text(kube__api_causes *causes, const char *field, const char *value,
                                  const char *format, ...)
{
    va_list args;
    if (kube__api_causes_full(causes))
        return;
    va_start(args, format);
    add_invalid(causes, field, kube__api_quote(causes->ctx, value), format, args);
    va_end(args);
}

void kube__api_cause_required(kube__api_causes *causes, const char *field, const char *detail)
{
    add(causes, "FieldValueRequired", field, "Required value", detail);
}

void kube__api_cause_forbidden(kube__api_causes *causes, const char *field, const char *format, ...)
{
    va_list args;
    if (kube__api_causes_full(causes))
        return;
    va_start(args, format);
    const char *detail = kube__api_vtext(causes->ctx, format, args);
    va_end(args);
    add(causes, "FieldValueForbidden", field, "Forbidden", detail);
}

void kube__api_cause_duplicate(kube__api_causes *causes, const char *field, const kube__json *value)
{
    if (kube__api_causes_full(causes))
        return;
    kube__api_add_cause(causes, "FieldValueDuplicate", field, "Duplicate value: %s",
                        kube__api_cause_value(causes->ctx, value));
}

void kube__api_cause_unsupported(kube__api_causes *causes, const char *field,
                                 const kube__json *value, const char *const *supported)
{
    kube__buffer list;
    if (kube__api_causes_full(causes))
        return;
    kube__buffer_init(&list, SIZE_MAX / 4);
    for (size_t i = 0; supported && supported[i]; i++)
        kube__buffer_printf(&list, "%s%s", i ? ", " : ": supported values: ",
                            kube__api_quote(causes->ctx, supported[i]));
    const char *text = kube__api_take_text(causes->ctx, &list, NULL);
    kube__api_add_cause(causes, "FieldValueNotSupported", field, "Unsupported value: %s%s",
                        kube__api_cause_value(causes->ctx, value), text);
}
