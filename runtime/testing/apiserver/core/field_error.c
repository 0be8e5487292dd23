/* SPDX-License-Identifier: Apache-2.0 */
#include "field_error.h"

#include "apiserver/value/quote.h"

#include <stdarg.h>

const char *kube__api_cause_value(kube__heap *heap, const kube__json *value)
{
    const char *text = NULL;
    if (!value) {
        text = "null";
    } else if (value->kind == KUBE__JSON_STRING) {
        text = kube__api_quote(heap, value->text);
    } else {
        kube__json *sorted = kube__json_copy(heap, value);
        kube__json_sort(sorted);
        text = kube__json_text(heap, sorted, NULL);
    }
    return text ? text : "";
}

static void add(kube__heap *heap, kube__api_causes *causes, const char *reason, const char *field,
                const char *what, const char *detail)
{
    if (detail && detail[0])
        kube__api_add_cause(heap, causes, reason, field, "%s: %s", what, detail);
    else if (detail)
        kube__api_add_cause(heap, causes, reason, field, "%s", what);
}

static void add_invalid(kube__heap *heap, kube__api_causes *causes, const char *field,
                        const char *value, const char *format, va_list args)
{
    const char *detail = kube__heap_vprintf(heap, format, args);
    const char *what = kube__heap_printf(heap, "Invalid value: %s", value);
    if (what)
        add(heap, causes, "FieldValueInvalid", field, what, detail);
}

void kube__api_cause_invalid(kube__heap *heap, kube__api_causes *causes, const char *field,
                             const kube__json *value, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_invalid(heap, causes, field, kube__api_cause_value(heap, value), format, args);
    va_end(args);
}

void kube__api_cause_invalid_text(kube__heap *heap, kube__api_causes *causes, const char *field,
                                  const char *value, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_invalid(heap, causes, field, kube__api_quote(heap, value), format, args);
    va_end(args);
}

void kube__api_cause_required(kube__heap *heap, kube__api_causes *causes, const char *field,
                              const char *detail)
{
    add(heap, causes, "FieldValueRequired", field, "Required value", detail);
}

void kube__api_cause_forbidden(kube__heap *heap, kube__api_causes *causes, const char *field,
                               const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *detail = kube__heap_vprintf(heap, format, args);
    va_end(args);
    add(heap, causes, "FieldValueForbidden", field, "Forbidden", detail);
}

void kube__api_cause_duplicate(kube__heap *heap, kube__api_causes *causes, const char *field,
                               const kube__json *value)
{
    kube__api_add_cause(heap, causes, "FieldValueDuplicate", field, "Duplicate value: %s",
                        kube__api_cause_value(heap, value));
}

void kube__api_cause_unsupported(kube__heap *heap, kube__api_causes *causes, const char *field,
                                 const kube__json *value, const char *const *supported)
{
    const char *list = "";
    for (size_t i = 0; list && supported && supported[i]; i++)
        list = kube__heap_printf(heap, "%s%s%s", list, i ? ", " : ": supported values: ",
                                 kube__api_quote(heap, supported[i]));
    if (list)
        kube__api_add_cause(heap, causes, "FieldValueNotSupported", field,
                            "Unsupported value: %s%s", kube__api_cause_value(heap, value), list);
}
