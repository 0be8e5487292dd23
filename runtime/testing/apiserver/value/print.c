/* SPDX-License-Identifier: Apache-2.0 */
#include "print.h"

#include "base/ctx.h"

#include <string.h>

enum { MOST_TEXT = 16 << 20 };

static void print(const kube__json *value, kube__buffer *out)
{
    switch (value->kind) {
    case KUBE__JSON_NULL:
        kube__buffer_add_text(out, "<nil>");
        return;
    case KUBE__JSON_BOOL:
        kube__buffer_add_text(out, value->boolean ? "true" : "false");
        return;
    case KUBE__JSON_NUMBER:
    case KUBE__JSON_STRING:
        kube__buffer_add(out, value->text, value->len);
        return;
    case KUBE__JSON_ARRAY:
    case KUBE__JSON_OBJECT:
        break;
    }
    kube__buffer_add_text(out, value->kind == KUBE__JSON_OBJECT ? "map[" : "[");
    KUBE__JSON_EACH (child, value) {
        if (child != value->first)
            kube__buffer_add_text(out, " ");
        if (value->kind == KUBE__JSON_OBJECT) {
            kube__buffer_add_text(out, child->key);
            kube__buffer_add_text(out, ":");
        }
        print(child, out);
    }
    kube__buffer_add_text(out, "]");
}

const char *kube__api_print(kube_ctx *ctx, const kube__json *value)
{
    kube__json *sorted = kube__json_copy(ctx, value);
    if (!sorted)
        return value ? "" : "<nil>";
    kube__json_sort(sorted);
    kube__buffer out;
    kube__buffer_init(&out, MOST_TEXT);
    print(sorted, &out);
    return kube__api_take_text(ctx, &out, NULL);
}

const char *kube__api_print_type(const kube__json *value)
{
    switch (value->kind) {
    case KUBE__JSON_NULL:
        return "<nil>";
    case KUBE__JSON_BOOL:
        return "bool";
    case KUBE__JSON_NUMBER:
        return strpbrk(value->text, ".eE") ? "float64" : "int64";
    case KUBE__JSON_STRING:
        return "string";
    case KUBE__JSON_ARRAY:
        return "[]interface {}";
    case KUBE__JSON_OBJECT:
        return "map[string]interface {}";
    }
    return "";
}
