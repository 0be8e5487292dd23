/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a document has the types of its schema, in the words of structured merge. */
#include "apiserver/schema/schema.h"
#include "apiserver/value/print.h"
#include "apiserver/value/quote.h"
#include "typed.h"

#include <string.h>

typedef struct faults {
    kube_ctx *ctx;
    kube__buffer all; /* "\n  path: message" for each */
    const char *first;
    size_t count;
} faults;

static void tell(faults *f, const kube__path *path, const char *message)
{
    const char *at = kube__path_print(f->ctx, path);
    const char *text = kube__api_text(f->ctx, "%s%s%s", at, *at ? ": " : "", message);
    if (!f->count++)
        f->first = text;
    kube__buffer_printf(&f->all, "\n  %s", text);
}

/* A value as Go's %#v prints it. */
static void put_go_syntax(kube_ctx *ctx, const kube__json *value, kube__buffer *out)
{
    bool is_map = value->kind == KUBE__JSON_OBJECT;
    switch (value->kind) {
    case KUBE__JSON_NULL:
        kube__buffer_add_text(out, "interface {}(nil)");
        return;
    case KUBE__JSON_BOOL:
        kube__buffer_add_text(out, value->boolean ? "true" : "false");
        return;
    case KUBE__JSON_NUMBER:
        kube__buffer_add_text(out, value->text);
        return;
    case KUBE__JSON_STRING:
        kube__buffer_add_text(out, kube__api_quote(ctx, value->text));
        return;
    case KUBE__JSON_ARRAY:
    case KUBE__JSON_OBJECT:
        break;
    }
    kube__buffer_add_text(out, is_map ? "map[string]interface {}{" : "[]interface {}{");
    KUBE__JSON_EACH (child, value) {
        kube__buffer_add_text(out, child == value->first ? "" : ", ");
        if (is_map)
            kube__buffer_printf(out, "%s:", kube__api_quote(ctx, child->key));
        put_go_syntax(ctx, child, out);
    }
    kube__buffer_add_text(out, "}");
}

static const char *go_syntax(kube_ctx *ctx, const kube__json *value)
{
    kube__buffer text;
    kube__buffer_init(&text, SIZE_MAX / 4);
    put_go_syntax(ctx, value, &text);
    return kube__api_take_text(ctx, &text, NULL);
}

static void check_scalar(faults *f, const kube__api_schema *schema, const kube__json *value,
                         const kube__path *path)
{
    const char *message = NULL;
    bool text = value->kind == KUBE__JSON_STRING;
    bool number = value->kind == KUBE__JSON_NUMBER;
    bool boolean = value->kind == KUBE__JSON_BOOL;
    switch (schema->type) {
    case KUBE__TYPE_STRING:
        /* a text of this format is a number, or the like, for Go */
        if (!text && !(schema->format && strcmp(schema->format, "int-or-string") == 0))
            message =
                kube__api_text(f->ctx, "expected string, got &value.valueUnstructured{Value:%s}",
                               go_syntax(f->ctx, value));
        break;
    case KUBE__TYPE_INTEGER:
    case KUBE__TYPE_NUMBER:
        if (!number)
            message = kube__api_text(f->ctx, "expected numeric (int or float), got %s",
                                     kube__api_print_type(value));
        break;
    case KUBE__TYPE_BOOLEAN:
        if (!boolean)
            message = kube__api_text(f->ctx, "expected boolean, got &{%s}",
                                     kube__api_print(f->ctx, value));
        break;
    case KUBE__TYPE_OBJECT:
    case KUBE__TYPE_ARRAY:
    case KUBE__TYPE_INT_OR_STRING:
    case KUBE__TYPE_ANY:
        break;
    }
    if (message)
        tell(f, path, message);
}

static void check(faults *f, const kube__api_schema *schema, const kube__json *value,
                  const kube__path *path, bool preserve);

static void check_items(faults *f, const kube__api_schema *schema, const kube__json *list,
                        const kube__path *path, bool preserve)
{
    kube__field_set seen = {0};
    bool granular = kube__typed_is_granular(schema, KUBE__SHAPE_LIST);
    int64_t index = 0;
    KUBE__JSON_EACH (item, list) {
        kube__path at = {path, {.kind = KUBE__STEP_INDEX, .index = index}};
        const char *message =
            granular ? kube__typed_item_step(f->ctx, schema, item, &at.step) : NULL;
        if (message) {
            message = kube__api_text(f->ctx, "element %lld: %s", (long long)index, message);
            tell(f, path, message);
            return;
        }
        const kube__path own = {NULL, at.step};
        if (granular && kube__field_set_has(seen, &own)) {
            message = kube__api_text(f->ctx, "duplicate entries for key %s",
                                     kube__step_print(f->ctx, &at.step));
            tell(f, path, message);
        }
        if (granular)
            kube__field_set_insert(f->ctx, &seen, &own);
        check(f, schema ? schema->items : NULL, item, &at, preserve);
        index++;
    }
}

static void check_members(faults *f, const kube__api_schema *schema, const kube__json *map,
                          const kube__path *path, bool preserve)
{
    bool open = !schema || preserve || schema->additional || !schema->property_count;
    KUBE__JSON_EACH (member, map) {
        bool declared;
        const kube__api_schema *type = kube__typed_member(schema, member->key, &declared);
        kube__path at = {path, {.kind = KUBE__STEP_FIELD, .name = member->key}};
        if (!declared && !open) {
            tell(f, &at, "field not declared in schema");
            return;
        }
        check(f, type, member, &at, preserve);
    }
}

static void check(faults *f, const kube__api_schema *schema, const kube__json *value,
                  const kube__path *path, bool preserve)
{
    const char *message = NULL;
    preserve = preserve || (schema && schema->preserve_unknown);
    if (value->kind == KUBE__JSON_NULL || kube_ctx_failed(f->ctx))
        return;
    switch (kube__typed_shape(schema, value)) {
    case KUBE__SHAPE_MAP:
        if (value->kind == KUBE__JSON_OBJECT)
            check_members(f, schema, value, path, preserve);
        else
            message = "map";
        break;
    case KUBE__SHAPE_LIST:
        if (value->kind == KUBE__JSON_ARRAY)
            check_items(f, schema, value, path, preserve);
        else
            message = "list";
        break;
    case KUBE__SHAPE_SCALAR:
        if (schema)
            check_scalar(f, schema, value, path);
        break;
    }
    if (!message)
        return;
    message =
        kube__api_text(f->ctx, "expected %s, got &{%s}", message, kube__api_print(f->ctx, value));
    tell(f, path, message);
}

const char *kube__typed_fault(kube_ctx *ctx, const kube__api_schema *schema,
                              const kube__json *value)
{
    faults f = {.ctx = ctx};
    kube__buffer_init(&f.all, SIZE_MAX / 4);
    check(&f, schema, value, NULL, false);
    const char *all = kube__api_take_text(ctx, &f.all, NULL);
    return f.count < 2 ? f.first : kube__api_text(ctx, "errors:%s", all);
}
