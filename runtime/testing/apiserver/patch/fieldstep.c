/* SPDX-License-Identifier: Apache-2.0 */
/* One step of a field's path: order and text. */
#include "apiserver/value/quote.h"
#include "base/hash.h"
#include "fieldset.h"

#include <string.h>

static int rank(const kube__json *value)
{
    switch (value ? value->kind : KUBE__JSON_NULL) {
    case KUBE__JSON_NUMBER:
        return 0;
    case KUBE__JSON_STRING:
        return 1;
    case KUBE__JSON_BOOL:
        return 2;
    case KUBE__JSON_ARRAY:
        return 3;
    case KUBE__JSON_OBJECT:
        return 4;
    case KUBE__JSON_NULL:
        break;
    }
    return 5;
}

static int compare_numbers(const kube__json *a, const kube__json *b)
{
    int64_t left;
    int64_t right;
    if (kube__json_to_int(a, &left) && kube__json_to_int(b, &right))
        return (left > right) - (left < right);
    double x = 0;
    double y = 0;
    kube__json_to_double(a, &x);
    kube__json_to_double(b, &y);
    return (x > y) - (x < y);
}

/* The order that values have among each other: numbers, texts, booleans, lists, maps, null. */
static int compare_values(const kube__json *a, const kube__json *b)
{
    int order = rank(a) - rank(b);
    if (order || !a || !b)
        return order;
    if (a->kind == KUBE__JSON_NUMBER)
        return compare_numbers(a, b);
    if (a->kind == KUBE__JSON_STRING)
        return strcmp(a->text, b->text);
    if (a->kind == KUBE__JSON_BOOL)
        return (int)a->boolean - (int)b->boolean;
    const kube__json *left = a->first;
    const kube__json *right = b->first;
    for (; left && right && !order; left = left->next, right = right->next) {
        if (a->kind == KUBE__JSON_OBJECT)
            order = strcmp(left->key, right->key);
        if (!order)
            order = compare_values(left, right);
    }
    return order ? order : (left != NULL) - (right != NULL);
}

int kube__step_compare(const kube__step *a, const kube__step *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    switch (a->kind) {
    case KUBE__STEP_FIELD:
        return strcmp(a->name, b->name);
    case KUBE__STEP_KEY:
    case KUBE__STEP_VALUE:
        return compare_values(a->value, b->value);
    case KUBE__STEP_INDEX:
        break;
    }
    return (a->index > b->index) - (a->index < b->index);
}

uint64_t kube__step_hash(const kube__step *step)
{
    switch (step->kind) {
    case KUBE__STEP_FIELD:
        return kube__hash_text(1, step->name);
    case KUBE__STEP_KEY:
    case KUBE__STEP_VALUE:
        return kube__json_hash(step->value) + step->kind;
    case KUBE__STEP_INDEX:
        break;
    }
    return kube__hash(2, &step->index, sizeof step->index);
}

static const char *print_value(kube_ctx *ctx, const kube__json *value)
{
    if (kube__json_is(value, KUBE__JSON_STRING))
        return kube__api_quote(ctx, value->text);
    return kube__json_text(ctx, value, NULL);
}

static const char *print_key(kube_ctx *ctx, const kube__json *key)
{
    kube__buffer text;
    kube__buffer_init(&text, SIZE_MAX / 4);
    KUBE__JSON_EACH (field, key)
        kube__buffer_printf(&text, "%s%s=%s", text.len ? "," : "", field->key,
                            print_value(ctx, field));
    return kube__api_take_text(ctx, &text, NULL);
}

const char *kube__step_print(kube_ctx *ctx, const kube__step *step)
{
    switch (step->kind) {
    case KUBE__STEP_FIELD:
        return kube__api_text(ctx, ".%s", step->name);
    case KUBE__STEP_KEY:
        return kube__api_text(ctx, "[%s]", print_key(ctx, step->value));
    case KUBE__STEP_VALUE:
        return kube__api_text(ctx, "[=%s]", print_value(ctx, step->value));
    case KUBE__STEP_INDEX:
        return kube__api_text(ctx, "[%lld]", (long long)step->index);
    }
    return "";
}

const char *kube__path_print(kube_ctx *ctx, const kube__path *path)
{
    if (!path)
        return "";
    return kube__api_text(ctx, "%s%s", kube__path_print(ctx, path->parent),
                          kube__step_print(ctx, &path->step));
}
