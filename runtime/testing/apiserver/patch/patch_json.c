/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RFC 6902 as the server's library understands it: negative indices count from the end, replace
 * makes a missing member, and a missing value is null.
 */
#include "patch.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OPERATIONS = 10000, MOST_COPIED_BYTES = 3 << 20 };

/* A place in the document: a member, there or not, or an index as it was written. */
typedef struct place {
    kube__json *parent; /* array or object; NULL = the path leads nowhere */
    const char *key;
} place;

/* Takes "~1" and "~0" out of one segment. */
static const char *decode_segment(kube_ctx *ctx, const char *text, size_t len)
{
    char *out = kube_ctx_strndup(ctx, text, len);
    if (!out)
        return "";
    char *to = out;
    for (const char *from = out; *from; from++) {
        if (from[0] == '~' && (from[1] == '0' || from[1] == '1')) {
            *to++ = from[1] == '1' ? '/' : '~';
            from++;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
    return out;
}

/* Reads an index as Go's Atoi. Returns false if it is no number. */
static bool read_index(const char *text, long *out)
{
    const char *digits = text + (*text == '+' || *text == '-');
    size_t len = strlen(digits);
    if (!len || len > 9 || digits[strspn(digits, "0123456789")])
        return false;
    *out = strtol(text, NULL, 10);
    return true;
}

/* The index of an element that exists. */
static bool element_index(const kube__json *array, const char *key, size_t *out)
{
    long index;
    if (!read_index(key, &index))
        return false;
    if (index < 0)
        index += (long)array->len;
    if (index < 0 || (size_t)index >= array->len)
        return false;
    *out = (size_t)index;
    return true;
}

/* What is at a place. False when it cannot be asked for; a missing member is NULL and true. */
static bool look_up(place at, kube__json **out)
{
    *out = NULL;
    if (at.parent->kind == KUBE__JSON_OBJECT) {
        *out = kube__json_get(at.parent, at.key);
        return true;
    }
    size_t index;
    if (!element_index(at.parent, at.key, &index))
        return false;
    *out = kube__json_item(at.parent, index);
    return true;
}

static bool is_container(const kube__json *value)
{
    return kube__json_is(value, KUBE__JSON_OBJECT) || kube__json_is(value, KUBE__JSON_ARRAY);
}

static place find(kube_ctx *ctx, kube__json *document, const char *path)
{
    place at = {.parent = NULL};
    const char *slash = strchr(path, '/');
    kube__json *parent = document;
    while (slash && is_container(parent)) {
        const char *segment = slash + 1;
        slash = strchr(segment, '/');
        const char *key =
            decode_segment(ctx, segment, slash ? (size_t)(slash - segment) : strlen(segment));
        at = (place){.parent = parent, .key = key};
        if (slash && !look_up(at, &parent))
            parent = NULL;
    }
    if (slash)
        at.parent = NULL;
    return at;
}

/* ---- operations: whether they can be done --------------------------------------------------- */

static bool add(kube_ctx *ctx, kube__json *document, const char *path, kube__json *value)
{
    place at = find(ctx, document, path);
    if (!at.parent)
        return false;
    if (at.parent->kind == KUBE__JSON_OBJECT) {
        kube__json_set(ctx, at.parent, at.key, value);
        return true;
    }
    if (strcmp(at.key, "-") == 0) {
        kube__json_append(at.parent, value);
        return true;
    }
    long index;
    if (!read_index(at.key, &index))
        return false;
    if (index < 0)
        index += (long)at.parent->len + 1;
    return index >= 0 && kube__json_insert(at.parent, (size_t)index, value);
}

static bool take(kube_ctx *ctx, kube__json *document, const char *path, kube__json **out)
{
    place at = find(ctx, document, path);
    if (!at.parent)
        return false;
    size_t index;
    if (at.parent->kind == KUBE__JSON_OBJECT)
        *out = kube__json_remove(at.parent, at.key);
    else if (element_index(at.parent, at.key, &index))
        *out = kube__json_remove_item(at.parent, index);
    else
        *out = NULL;
    return *out != NULL;
}

static bool replace(kube_ctx *ctx, kube__json **document, const char *path, kube__json *value)
{
    if (!*path) {
        if (!is_container(value))
            return false;
        *document = value;
        return true;
    }
    place at = find(ctx, *document, path);
    if (!at.parent)
        return false;
    if (at.parent->kind == KUBE__JSON_OBJECT) {
        kube__json_set(ctx, at.parent, at.key, value);
        return true;
    }
    size_t index;
    if (!element_index(at.parent, at.key, &index))
        return false;
    kube__json_remove_item(at.parent, index);
    return kube__json_insert(at.parent, index, value);
}

/* What is copied counts, so that a few copies of copies do not fill all memory. */
static bool copy(kube_ctx *ctx, kube__json *document, const char *from, const char *path,
                 size_t *copied)
{
    place at = find(ctx, document, from);
    kube__json *value;
    size_t len = 0;
    if (!at.parent || !look_up(at, &value))
        return false;
    if (value && !kube__json_text(ctx, value, &len))
        return false;
    *copied += len;
    if (*copied > MOST_COPIED_BYTES)
        return false;
    return add(ctx, document, path, value ? kube__json_copy(ctx, value) : kube__json_null(ctx));
}

/* Same text of numbers, as the library compares bytes: 3 is not 3.0. */
static bool same(const kube__json *a, const kube__json *b)
{
    if (!a || !b || a->kind != b->kind)
        return (!a || a->kind == KUBE__JSON_NULL) && (!b || b->kind == KUBE__JSON_NULL);
    switch (a->kind) {
    case KUBE__JSON_NULL:
        return true;
    case KUBE__JSON_BOOL:
        return a->boolean == b->boolean;
    case KUBE__JSON_NUMBER:
    case KUBE__JSON_STRING:
        return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
    case KUBE__JSON_ARRAY:
    case KUBE__JSON_OBJECT:
        break;
    }
    if (a->len != b->len)
        return false;
    const kube__json *other = b->first;
    for (const kube__json *child = a->first; child; child = child->next) {
        if (a->kind == KUBE__JSON_OBJECT)
            other = kube__json_get(b, child->key);
        if (!other || !same(child, other))
            return false;
        other = other->next;
    }
    return true;
}

static bool test(kube_ctx *ctx, kube__json *document, const char *path, const kube__json *value)
{
    if (!*path)
        return same(document, value);
    place at = find(ctx, document, path);
    kube__json *is;
    return at.parent && look_up(at, &is) && same(is, value);
}

static bool perform(kube_ctx *ctx, kube__json **document, const kube__json *operation,
                    size_t *copied)
{
    const char *op = kube__json_string_or(kube__json_get(operation, "op"), NULL);
    const char *path = kube__json_string_or(kube__json_get(operation, "path"), NULL);
    const char *from = kube__json_string_or(kube__json_get(operation, "from"), NULL);
    const kube__json *member = kube__json_get(operation, "value");
    if (!op || !path)
        return false;
    if (strcmp(op, "test") == 0)
        return test(ctx, *document, path, member);
    kube__json *value = NULL;
    if (strcmp(op, "remove") == 0)
        return take(ctx, *document, path, &value);
    if (strcmp(op, "move") == 0)
        return from && take(ctx, *document, from, &value) && add(ctx, *document, path, value);
    if (strcmp(op, "copy") == 0)
        return from && copy(ctx, *document, from, path, copied);
    value = member ? kube__json_copy(ctx, member) : kube__json_null(ctx);
    if (strcmp(op, "add") == 0)
        return add(ctx, *document, path, value);
    return strcmp(op, "replace") == 0 && replace(ctx, document, path, value);
}

/* ---- the patch ------------------------------------------------------------------------------ */

static kube__api_failure *check_text(kube_ctx *ctx, const kube__json *operation, const char *key)
{
    const kube__json *member = kube__json_get(operation, key);
    if (!member || member->kind == KUBE__JSON_STRING || member->kind == KUBE__JSON_NULL)
        return NULL;
    const char *type = kube__api_text(ctx, "struct field jsonPatchOp.%s of type string", key);
    return kube__api_wrong_patch(ctx, "error decoding patch: ", member, type);
}

/* Whether it is an array of operations at all. */
static kube__api_failure *check(kube_ctx *ctx, const kube__json *patch)
{
    static const char prefix[] = "error decoding patch: ";
    if (!patch)
        return kube__api_bad_request(ctx, "invalid JSON patch");
    if (patch->kind != KUBE__JSON_ARRAY && patch->kind != KUBE__JSON_NULL)
        return kube__api_wrong_patch(ctx, prefix, patch, "value of type []handlers.jsonPatchOp");
    KUBE__JSON_EACH (operation, patch) {
        if (operation->kind == KUBE__JSON_NULL)
            continue;
        if (operation->kind != KUBE__JSON_OBJECT)
            return kube__api_wrong_patch(ctx, prefix, operation,
                                         "value of type handlers.jsonPatchOp");
        KUBE__JSON_EACH (member, operation) {
            bool text = strcmp(member->key, "op") == 0 || strcmp(member->key, "path") == 0 ||
                        strcmp(member->key, "from") == 0;
            kube__api_failure *failure = text ? check_text(ctx, operation, member->key) : NULL;
            if (failure)
                return failure;
        }
    }
    if (patch->len > MOST_OPERATIONS)
        return kube__api_fail(
            ctx, 413, "RequestEntityTooLarge",
            "Request entity too large: The allowed maximum operations in a JSON patch is %d, got "
            "%zu",
            MOST_OPERATIONS, patch->len);
    return NULL;
}

/* The server hides what went wrong. */
static kube__api_failure *cannot(kube_ctx *ctx)
{
    kube__api_failure *failure = kube__api_fail(
        ctx, 422, "Invalid", "the server rejected our request due to an error in our request");
    if (failure->http_status == 422)
        failure->has_details = true;
    return failure;
}

kube__api_failure *kube__api_json_patch(kube_ctx *ctx, const kube__json *object,
                                        const kube__json *patch, kube__json **out)
{
    *out = NULL;
    kube__api_failure *failure = check(ctx, patch);
    if (failure)
        return failure;
    kube__json *document = kube__json_copy(ctx, object);
    size_t copied = 0;
    KUBE__JSON_EACH (operation, patch) {
        failure = kube__api_check_memory(ctx);
        if (failure)
            return failure;
        if (!perform(ctx, &document, operation, &copied))
            return cannot(ctx);
    }
    *out = document;
    return kube__api_check_memory(ctx);
}
