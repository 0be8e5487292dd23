/* SPDX-License-Identifier: Apache-2.0 */
/* Strategic merge of maps, and its directives. */
#include "patch_strategic.h"

#include "apiserver/schema/schema.h"
#include "apiserver/value/print.h"
#include "base/text.h"

#include <stdarg.h>
#include <string.h>

static const char retain_keys[] = "$retainKeys";
static const char delete_prefix[] = "$deleteFromPrimitiveList";
static const char order_prefix[] = "$setElementOrder";

void kube__api_strategic_fail(kube__api_strategic *merge, const char *format, ...)
{
    if (merge->failure)
        return;
    va_list args;
    va_start(args, format);
    const char *message = kube__api_vtext(merge->ctx, format, args);
    va_end(args);
    merge->failure = kube__api_fail(merge->ctx, 500, "", "%s", message);
}

static void refuse(kube__api_strategic *merge, const char *message)
{
    if (!merge->failure)
        merge->failure = kube__api_bad_request(merge->ctx, "%s", message);
}

const char *kube__api_strategic_type(const kube__json *value)
{
    return value->kind == KUBE__JSON_NULL ? "%!s(<nil>)" : kube__api_print_type(value);
}

/* The field a directive "PREFIX/field" is about; NULL when it names none. */
static const char *field_of(const char *key, const char *prefix)
{
    const char *rest = key + strlen(prefix);
    return *rest == '/' ? rest + 1 : NULL;
}

/* ---- new values ----------------------------------------------------------------------------- */

/* A value that the object does not have: nulls and elements with directives are dropped. Whether
 * anything is left. */
static bool clean(kube__json *value)
{
    if (kube__json_get(value, KUBE__API_PATCH_DIRECTIVE))
        return false;
    for (kube__json *child = value ? value->first : NULL, *next; child; child = next) {
        next = child->next;
        if (value->kind == KUBE__JSON_OBJECT) {
            if (child->kind == KUBE__JSON_NULL || !clean(child))
                kube__json_remove(value, child->key);
        } else if (!clean(child)) {
            kube__json_take_item(value, child);
        }
    }
    return true;
}

static void take_over(kube_ctx *ctx, kube__json *original, const char *key, kube__json *patch,
                      const char *patch_key)
{
    kube__json *value = kube__json_remove(patch, patch_key);
    if (clean(value))
        kube__json_set(ctx, original, key, value);
    else
        kube__json_remove(original, key);
}

/* ---- directives ----------------------------------------------------------------------------- */

static kube__json *whole_map(kube__api_strategic *merge, kube__json *patch,
                             const kube__json *directive)
{
    const char *what = kube__json_string_or(directive, "");
    if (strcmp(what, "replace") == 0) {
        kube__json_remove(patch, KUBE__API_PATCH_DIRECTIVE);
        return patch;
    }
    if (strcmp(what, "delete") == 0)
        return kube__json_object(merge->ctx);
    const char *text = kube__api_print(merge->ctx, directive);
    if (directive->kind != KUBE__JSON_STRING)
        text = kube__api_text(merge->ctx, "%%!s(%s=%s)", kube__api_strategic_type(directive), text);
    kube__api_strategic_fail(merge, "unknown patch type: %s in map: %s", text,
                             kube__api_print(merge->ctx, patch));
    return NULL;
}

static bool names(const kube__json *list, const char *key)
{
    KUBE__JSON_EACH (item, list)
        if (strcmp(kube__json_string_or(item, ""), key) == 0)
            return true;
    return false;
}

/* $retainKeys: only these members stay; the patch may set no others. */
static void retain(kube__api_strategic *merge, kube__json *original, kube__json *patch)
{
    const kube__json *keys = kube__json_remove(patch, retain_keys);
    if (!keys)
        return;
    bool fine = keys->kind == KUBE__JSON_ARRAY;
    for (const kube__json *member = patch->first; member && fine; member = member->next)
        fine = member->kind == KUBE__JSON_NULL ||
               kube__text_starts_with(member->key, delete_prefix) ||
               kube__text_starts_with(member->key, order_prefix) || names(keys, member->key);
    if (!fine) {
        refuse(merge, "invalid patch format of retainKeys");
        return;
    }
    for (kube__json *member = original->first, *next; member; member = next) {
        next = member->next;
        if (!names(keys, member->key))
            kube__json_remove(original, member->key);
    }
}

static bool is_list(kube__api_strategic *merge, const kube__json *value)
{
    if (!value || value->kind == KUBE__JSON_ARRAY)
        return true;
    kube__api_strategic_fail(merge, "expected a []interface {}, but received a %s",
                             kube__api_strategic_type(value));
    return false;
}

/* $setElementOrder/field, together with the list it goes with. */
static void set_order(kube__api_strategic *merge, const kube__api_schema *schema,
                      kube__json *original, kube__json *patch, const char *key)
{
    const kube__json *order = kube__json_remove(patch, key);
    const char *field = field_of(key, order_prefix);
    if (!is_list(merge, order))
        return;
    if (!field) {
        refuse(merge, "invalid patch format of setElementOrder list");
        return;
    }
    kube__json *old = kube__json_get(original, field);
    kube__json *change = kube__json_get(patch, field);
    if (!is_list(merge, old) || !is_list(merge, change))
        return;
    const kube__api_schema *list = kube__api_schema_member(schema, field);
    if (!list) {
        kube__api_strategic_fail(
            merge, "unable to find api field in struct for the json field \"%s\"", field);
        return;
    }
    if (change)
        kube__api_strategic_check_order(merge, list, change, order);
    if (merge->failure || (!old && !change))
        return;
    const kube__json *before = kube__json_copy(merge->ctx, old);
    if (!old)
        take_over(merge->ctx, original, field, patch, field);
    else if (change && list->patch_merge)
        kube__api_strategic_list(merge, list, old, change, false);
    else if (change)
        take_over(merge->ctx, original, field, patch, field);
    kube__json_remove(patch, field);
    if (!merge->failure)
        kube__api_strategic_order(merge, list, kube__json_get(original, field), before, order);
}

static void set_orders(kube__api_strategic *merge, const kube__api_schema *schema,
                       kube__json *original, kube__json *patch)
{
    /* each one takes itself and its list out of the patch */
    for (kube__json *member = patch->first; member && !merge->failure;) {
        if (kube__text_starts_with(member->key, order_prefix)) {
            set_order(merge, schema, original, patch, member->key);
            member = patch->first;
        } else {
            member = member->next;
        }
    }
}

/* ---- members -------------------------------------------------------------------------------- */

static void merge_member(kube__api_strategic *merge, const kube__api_schema *schema,
                         kube__json *original, kube__json *patch, kube__json *change)
{
    const char *key = change->key;
    bool deleting = kube__text_starts_with(key, delete_prefix);
    const char *field = deleting ? field_of(key, delete_prefix) : key;
    if (!field) {
        refuse(merge, "invalid patch format of primitive list");
        return;
    }
    if (change->kind == KUBE__JSON_NULL) {
        kube__json_remove(original, field);
        return;
    }
    kube__json *old = kube__json_get(original, field);
    if (!old || old->kind != change->kind) {
        if (!deleting)
            take_over(merge->ctx, original, field, patch, key);
        return;
    }
    const kube__api_schema *type = kube__api_schema_member(schema, field);
    if (change->kind == KUBE__JSON_OBJECT) {
        kube__json *merged = kube__api_strategic_map(merge, type, old, change);
        if (merged && merged != old) {
            if (merged == change)
                kube__json_remove(patch, key);
            kube__json_set(merge->ctx, original, field, merged);
        }
    } else if (change->kind == KUBE__JSON_ARRAY && (deleting || (type && type->patch_merge))) {
        kube__api_strategic_list(merge, type, old, change, deleting);
    } else {
        kube__json_set(merge->ctx, original, field, kube__json_remove(patch, key));
    }
}

kube__json *kube__api_strategic_map(kube__api_strategic *merge, const kube__api_schema *schema,
                                    kube__json *original, kube__json *patch)
{
    const kube__json *directive = kube__json_get(patch, KUBE__API_PATCH_DIRECTIVE);
    if (directive)
        return whole_map(merge, patch, directive);
    retain(merge, original, patch);
    if (!merge->failure)
        set_orders(merge, schema, original, patch);
    for (kube__json *change = patch->first, *next; change && !merge->failure; change = next) {
        next = change->next;
        merge_member(merge, schema, original, patch, change);
    }
    return original;
}

kube__api_failure *kube__api_strategic_patch(kube_ctx *ctx, const kube__api_schema *schema,
                                             const kube__json *object, const kube__json *patch,
                                             kube__json **out)
{
    *out = NULL;
    if (!patch)
        return kube__api_bad_request(ctx, "invalid JSON patch");
    if (patch->kind != KUBE__JSON_OBJECT && patch->kind != KUBE__JSON_NULL)
        return kube__api_wrong_patch(ctx, "", patch, "value of type map[string]interface {}");
    kube__api_strategic merge = {.ctx = ctx};
    kube__json *original = kube__json_copy(ctx, object);
    kube__json *change = kube__json_copy(ctx, patch);
    if (original && change)
        original = kube__api_strategic_map(&merge, schema, original, change);
    if (!merge.failure)
        *out = original;
    return kube_ctx_failed(ctx) ? kube__api_fail_no_memory() : merge.failure;
}
