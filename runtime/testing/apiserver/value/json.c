/* SPDX-License-Identifier: Apache-2.0 */
#include "json.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "object/json/lexer.h"
#include "object/json/writer.h"
#include "steps.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- making --------------------------------------------------------------------------------- */

static kube__json *new_node(kube_ctx *ctx, kube__json_kind kind)
{
    kube__json *node = kube_ctx_alloc(ctx, sizeof *node);
    if (node)
        node->kind = kind;
    return node;
}

static kube__json *new_text(kube_ctx *ctx, kube__json_kind kind, const char *text, size_t len)
{
    kube__json *node = new_node(ctx, kind);
    char *copy = node ? kube_ctx_alloc(ctx, len + 1) : NULL;
    if (!copy)
        return NULL;
    if (len)
        memcpy(copy, text, len); /* NULs included: protobuf may have them */
    node->text = copy;
    node->len = len;
    return node;
}

kube__json *kube__json_null(kube_ctx *ctx)
{
    return new_node(ctx, KUBE__JSON_NULL);
}

kube__json *kube__json_bool(kube_ctx *ctx, bool value)
{
    kube__json *node = new_node(ctx, KUBE__JSON_BOOL);
    if (node)
        node->boolean = value;
    return node;
}

kube__json *kube__json_int(kube_ctx *ctx, int64_t value)
{
    char text[24];
    int len = snprintf(text, sizeof text, "%" PRId64, value);
    return new_text(ctx, KUBE__JSON_NUMBER, text, (size_t)len);
}

kube__json *kube__json_double(kube_ctx *ctx, double value)
{
    kube__writer w;
    kube__json *node = NULL;
    kube__writer_init(&w);
    if (isfinite(value) && kube__write_double(&w, value == 0 ? 0 : value))
        node = new_text(ctx, KUBE__JSON_NUMBER, w.start, kube__writer_len(&w));
    else
        kube__ctx_fail(ctx, 0);
    kube__writer_fini(&w);
    return node;
}

kube__json *kube__json_string_len(kube_ctx *ctx, const char *text, size_t len)
{
    return new_text(ctx, KUBE__JSON_STRING, text, len);
}

kube__json *kube__json_string(kube_ctx *ctx, const char *text)
{
    return text ? new_text(ctx, KUBE__JSON_STRING, text, strlen(text)) : NULL;
}

kube__json *kube__json_stringf(kube_ctx *ctx, const char *format, ...)
{
    va_list args;
    kube__json *node = new_node(ctx, KUBE__JSON_STRING);
    if (!node)
        return NULL;
    va_start(args, format);
    node->text = kube__api_vtext(ctx, format, args);
    va_end(args);
    node->len = node->text ? strlen(node->text) : 0;
    return node->text ? node : NULL;
}

kube__json *kube__json_array(kube_ctx *ctx)
{
    return new_node(ctx, KUBE__JSON_ARRAY);
}

kube__json *kube__json_object(kube_ctx *ctx)
{
    return new_node(ctx, KUBE__JSON_OBJECT);
}

/* ---- members by key ------------------------------------------------------------------------- */

enum { LINEAR = 16 }; /* members up to which keys are compared one by one */

/* The members of a large object, in the places that their keys' hashes say. */
struct kube__json_index {
    size_t size; /* a power of two, at least twice the members */
    kube__json *slots[];
};

static kube__json **slot_of(struct kube__json_index *index, const char *key, size_t len)
{
    uint64_t at = kube__hash(0, key, len);
    const kube__json *member;
    while ((member = index->slots[at & (index->size - 1)]) &&
           (strncmp(member->key, key, len) != 0 || member->key[len])) {
        kube__api_take_steps(4);
        at++;
    }
    return &index->slots[at & (index->size - 1)];
}

/* To be called when a member has come. A small object has no index, unless it was large once: that
 * one is kept in step. Returns false if out of memory. */
static bool index_member(kube_ctx *ctx, kube__json *object, kube__json *member)
{
    struct kube__json_index *index = object->index;
    if (!index && object->len <= LINEAR)
        return true;
    if (index && 2 * object->len <= index->size) {
        *slot_of(index, member->key, strlen(member->key)) = member;
        return true;
    }
    size_t size = index ? 2 * index->size : 4 * (size_t)LINEAR;
    while (size < 2 * object->len)
        size *= 2;
    index = kube_ctx_alloc(ctx, sizeof *index + size * sizeof *index->slots);
    object->index = index;
    if (!index)
        return false;
    index->size = size;
    KUBE__JSON_EACH (child, object)
        *slot_of(index, child->key, strlen(child->key)) = child;
    return true;
}

/* A member that goes: what was put behind it may move up. */
static void unindex_member(struct kube__json_index *index, const kube__json *member)
{
    kube__json **slot = slot_of(index, member->key, strlen(member->key));
    size_t at = (size_t)(slot - index->slots);
    *slot = NULL;
    for (;;) {
        at = (at + 1) & (index->size - 1);
        kube__json *moved = index->slots[at];
        if (!moved)
            return;
        index->slots[at] = NULL;
        *slot_of(index, moved->key, strlen(moved->key)) = moved;
    }
}

static void add_child(kube__json *parent, kube__json *child)
{
    child->next = NULL;
    child->previous = parent->last;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->len++;
}

static bool is_container(const kube__json *value)
{
    return value && (value->kind == KUBE__JSON_ARRAY || value->kind == KUBE__JSON_OBJECT);
}

kube__json *kube__json_copy(kube_ctx *ctx, const kube__json *value)
{
    if (!value)
        return NULL;
    if (value->kind == KUBE__JSON_STRING || value->kind == KUBE__JSON_NUMBER)
        return new_text(ctx, value->kind, value->text, value->len);
    kube__json *copy = new_node(ctx, value->kind);
    if (!copy)
        return NULL;
    copy->boolean = value->boolean;
    KUBE__JSON_EACH (child, value) {
        kube__json *inner = kube__json_copy(ctx, child);
        if (!inner)
            return NULL;
        if (child->key && !(inner->key = kube_ctx_strdup(ctx, child->key)))
            return NULL;
        add_child(copy, inner);
        if (value->kind == KUBE__JSON_OBJECT && !index_member(ctx, copy, inner))
            return NULL;
    }
    return copy;
}

/* ---- reading -------------------------------------------------------------------------------- */

bool kube__json_is(const kube__json *value, kube__json_kind kind)
{
    return value && value->kind == kind;
}

static kube__json *get_len(const kube__json *object, const char *key, size_t len)
{
    if (!kube__json_is(object, KUBE__JSON_OBJECT))
        return NULL;
    if (object->index)
        return *slot_of(object->index, key, len);
    kube__api_take_steps(4 + object->len);
    KUBE__JSON_EACH (child, object) {
        if (strncmp(child->key, key, len) == 0 && child->key[len] == '\0')
            return child;
    }
    return NULL;
}

kube__json *kube__json_get(const kube__json *object, const char *key)
{
    return get_len(object, key, strlen(key));
}

kube__json *kube__json_at(const kube__json *object, const char *path)
{
    for (;;) {
        size_t len = strcspn(path, ".");
        kube__json *member = get_len(object, path, len);
        if (!member || path[len] == '\0')
            return member;
        object = member;
        path += len + 1;
    }
}

kube__json *kube__json_item(const kube__json *array, size_t index)
{
    if (!kube__json_is(array, KUBE__JSON_ARRAY))
        return NULL;
    kube__json *item = array->first;
    kube__api_take_steps(index);
    while (item && index--)
        item = item->next;
    return item;
}

const char *kube__json_string_or(const kube__json *value, const char *otherwise)
{
    return kube__json_is(value, KUBE__JSON_STRING) ? value->text : otherwise;
}

const char *kube__json_string_at(const kube__json *object, const char *path)
{
    return kube__json_string_or(kube__json_at(object, path), "");
}

const char *kube__json_kind_name(const kube__json *value)
{
    static const char *const names[] = {
        [KUBE__JSON_NULL] = "null",     [KUBE__JSON_BOOL] = "bool",
        [KUBE__JSON_NUMBER] = "number", [KUBE__JSON_STRING] = "string",
        [KUBE__JSON_ARRAY] = "array",   [KUBE__JSON_OBJECT] = "object",
    };
    return names[value->kind];
}

bool kube__json_to_int(const kube__json *value, int64_t *out)
{
    if (!kube__json_is(value, KUBE__JSON_NUMBER))
        return false;
    char *end;
    errno = 0;
    long long number = strtoll(value->text, &end, 10);
    if (errno || *end)
        return false;
    *out = number;
    return true;
}

bool kube__json_to_double(const kube__json *value, double *out)
{
    if (!kube__json_is(value, KUBE__JSON_NUMBER))
        return false;
    char padded[KUBE__WRITER_NUMBER + KUBE__LEX_PADDING] = "";
    if (value->len > KUBE__WRITER_NUMBER)
        return false;
    memcpy(padded, value->text, value->len);
    /* A number that ends with the text could go on: the padding is part of it. */
    kube__lexer lexer = {.p = padded, .end = padded + value->len + 1};
    return kube__lex_double(&lexer, out) == KUBE__LEX_OK;
}

bool kube__json_is_true(const kube__json *value)
{
    return kube__json_is(value, KUBE__JSON_BOOL) && value->boolean;
}

static bool equal_members(const kube__json *a, const kube__json *b)
{
    const kube__json *hint = b->first; /* mostly they are in the same order */
    KUBE__JSON_EACH (child, a) {
        const kube__json *other =
            hint && strcmp(hint->key, child->key) == 0 ? hint : kube__json_get(b, child->key);
        if (!other || !kube__json_equal(child, other))
            return false;
        hint = other->next;
    }
    return true;
}

static bool equal_elements(const kube__json *a, const kube__json *b)
{
    const kube__json *other = b->first;
    KUBE__JSON_EACH (child, a) {
        if (!kube__json_equal(child, other))
            return false;
        other = other->next;
    }
    return true;
}

bool kube__json_equal(const kube__json *a, const kube__json *b)
{
    if (!a || !b || a->kind != b->kind)
        return a == b;
    kube__api_take_steps(4);
    switch (a->kind) {
    case KUBE__JSON_NULL:
        return true;
    case KUBE__JSON_BOOL:
        return a->boolean == b->boolean;
    case KUBE__JSON_NUMBER: /* the text is the one shortest form */
    case KUBE__JSON_STRING:
        return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
    case KUBE__JSON_ARRAY:
        return a->len == b->len && equal_elements(a, b);
    case KUBE__JSON_OBJECT:
        return a->len == b->len && equal_members(a, b);
    }
    return false;
}

uint64_t kube__json_hash(const kube__json *value)
{
    uint64_t sum = value ? (uint64_t)value->kind + 1 : 0;
    if (!value)
        return sum;
    if (value->kind == KUBE__JSON_STRING || value->kind == KUBE__JSON_NUMBER)
        return kube__hash(sum, value->text, value->len);
    sum = kube__hash(value->boolean, &sum, sizeof sum);
    KUBE__JSON_EACH (child, value) {
        uint64_t one = kube__json_hash(child);
        if (child->key)
            sum += kube__hash_text(one, child->key); /* in any order */
        else
            sum = kube__hash(sum, &one, sizeof one);
    }
    return sum;
}

bool kube__json_has(const kube__json *list, const kube__json *value)
{
    KUBE__JSON_EACH (item, list)
        if (!kube__api_take_steps(2) || kube__json_equal(item, value))
            return true;
    return false;
}

bool kube__json_has_text(const kube__json *list, const char *text)
{
    KUBE__JSON_EACH (item, list)
        if (!kube__api_take_steps(4) || strcmp(kube__json_string_or(item, ""), text) == 0)
            return true;
    return false;
}

/* ---- changing ------------------------------------------------------------------------------- */

/* Ties @child, whose links are set, to those beside it. */
static void tie(kube__json *parent, kube__json *child)
{
    *(child->previous ? &child->previous->next : &parent->first) = child;
    *(child->next ? &child->next->previous : &parent->last) = child;
}

/* Puts @value, which has its key, where @old is. */
static void replace_member(kube__json *object, const kube__json *old, kube__json *value)
{
    if (object->index)
        *slot_of(object->index, old->key, strlen(old->key)) = value;
    value->next = old->next;
    value->previous = old->previous;
    tie(object, value);
}

void kube__json_replace_item(kube__json *array, const kube__json *old, kube__json *value)
{
    value->next = old->next;
    value->previous = old->previous;
    tie(array, value);
}

bool kube__json_add_member(kube_ctx *ctx, kube__json *object, kube__json *value)
{
    add_child(object, value);
    return index_member(ctx, object, value);
}

kube__json *kube__json_set(kube_ctx *ctx, kube__json *object, const char *key, kube__json *value)
{
    if (!kube__json_is(object, KUBE__JSON_OBJECT) || !value)
        return NULL;
    kube__json *old = kube__json_get(object, key);
    if (old == value)
        return value;
    value->key = old ? old->key : kube_ctx_strdup(ctx, key);
    if (!value->key)
        return NULL;
    if (old)
        replace_member(object, old, value);
    else
        kube__json_add_member(ctx, object, value);
    return value;
}

kube__json *kube__json_set_string(kube_ctx *ctx, kube__json *object, const char *key,
                                  const char *text)
{
    return kube__json_set(ctx, object, key, kube__json_string(ctx, text));
}

kube__json *kube__json_typed(kube_ctx *ctx, const char *kind, const char *api_version)
{
    kube__json *object = kube__json_object(ctx);
    kube__json_set_string(ctx, object, "kind", kind);
    kube__json_set_string(ctx, object, "apiVersion", api_version);
    return object;
}

kube__json *kube__json_set_int(kube_ctx *ctx, kube__json *object, const char *key, int64_t value)
{
    return kube__json_set(ctx, object, key, kube__json_int(ctx, value));
}

kube__json *kube__json_set_bool(kube_ctx *ctx, kube__json *object, const char *key, bool value)
{
    return kube__json_set(ctx, object, key, kube__json_bool(ctx, value));
}

kube__json *kube__json_ensure_object(kube_ctx *ctx, kube__json *object, const char *key)
{
    kube__json *member = kube__json_get(object, key);
    if (kube__json_is(member, KUBE__JSON_OBJECT))
        return member;
    return kube__json_set(ctx, object, key, kube__json_object(ctx));
}

kube__json *kube__json_ensure_array(kube_ctx *ctx, kube__json *object, const char *key)
{
    kube__json *member = kube__json_get(object, key);
    if (kube__json_is(member, KUBE__JSON_ARRAY))
        return member;
    return kube__json_set(ctx, object, key, kube__json_array(ctx));
}

static kube__json *take(kube__json *parent, kube__json *child)
{
    if (child->key && parent->index)
        unindex_member(parent->index, child);
    *(child->previous ? &child->previous->next : &parent->first) = child->next;
    *(child->next ? &child->next->previous : &parent->last) = child->previous;
    parent->len--;
    child->next = NULL;
    child->previous = NULL;
    child->key = NULL;
    return child;
}

kube__json *kube__json_remove(kube__json *object, const char *key)
{
    kube__json *child = kube__json_get(object, key);
    return child ? take(object, child) : NULL;
}

kube__json *kube__json_append(kube__json *array, kube__json *value)
{
    if (!kube__json_is(array, KUBE__JSON_ARRAY) || !value)
        return NULL;
    add_child(array, value);
    return value;
}

bool kube__json_insert(kube__json *array, size_t index, kube__json *value)
{
    if (!kube__json_is(array, KUBE__JSON_ARRAY) || !value || index > array->len)
        return false;
    if (index == array->len) {
        add_child(array, value);
        return true;
    }
    value->next = kube__json_item(array, index);
    if (!value->next)
        return false;
    value->previous = value->next->previous;
    tie(array, value);
    array->len++;
    return true;
}

kube__json *kube__json_remove_item(kube__json *array, size_t index)
{
    kube__json *item = kube__json_item(array, index);
    return item ? take(array, item) : NULL;
}

void kube__json_take_item(kube__json *array, kube__json *item)
{
    take(array, item);
}

void kube__json_drop_text(kube__json *array, const char *text)
{
    for (kube__json *item = array ? array->first : NULL, *next; item; item = next) {
        next = item->next;
        if (strcmp(kube__json_string_or(item, ""), text) == 0)
            take(array, item);
    }
}

/* ---- order ---------------------------------------------------------------------------------- */

static kube__json *merge_sorted(kube__json *a, kube__json *b)
{
    kube__json *first = NULL;
    kube__json **link = &first;
    while (a && b) {
        kube__json **from = strcmp(a->key, b->key) <= 0 ? &a : &b;
        *link = *from;
        link = &(*from)->next;
        *from = (*from)->next;
    }
    *link = a ? a : b;
    return first;
}

static kube__json *sort_members(kube__json *first, size_t count)
{
    if (count < 2)
        return first;
    kube__json *middle = first;
    for (size_t i = 1; i < count / 2; i++)
        middle = middle->next;
    kube__json *second = middle->next;
    middle->next = NULL;
    return merge_sorted(sort_members(first, count / 2), sort_members(second, count - count / 2));
}

static bool is_sorted(const kube__json *object)
{
    KUBE__JSON_EACH (child, object) {
        if (child->next && strcmp(child->key, child->next->key) > 0)
            return false;
    }
    return true;
}

void kube__json_sort(kube__json *value)
{
    if (!is_container(value))
        return;
    if (value->kind == KUBE__JSON_OBJECT && !is_sorted(value)) {
        value->first = sort_members(value->first, value->len);
        value->last = NULL;
        KUBE__JSON_EACH (child, value) {
            child->previous = value->last;
            value->last = child;
        }
    }
    KUBE__JSON_EACH (child, value)
        kube__json_sort(child);
}

/* Moves a member to the front. */
static void lift(kube__json *object, const char *key)
{
    kube__json *child = kube__json_get(object, key);
    if (!child || child == object->first)
        return;
    child->previous->next = child->next;
    *(child->next ? &child->next->previous : &object->last) = child->previous;
    child->previous = NULL;
    child->next = object->first;
    tie(object, child);
}

void kube__json_move_first(kube__json *object, const char *const *keys)
{
    size_t count = 0;
    if (!kube__json_is(object, KUBE__JSON_OBJECT))
        return;
    while (keys[count])
        count++;
    while (count--)
        lift(object, keys[count]);
}
