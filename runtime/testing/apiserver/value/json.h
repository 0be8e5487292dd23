/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON documents as trees, for what the server has to look into and change: patches, defaults,
 * field ownership. Integers are exact as far as int64, all else is the shortest double. Nodes
 * live in a ctx and are never freed one by one.
 *
 * Every function takes NULL for a node and then does nothing or returns NULL, false or 0: NULL is
 * what a missing member and a failed allocation are.
 */
#ifndef KUBE_APISERVER_JSON_H
#define KUBE_APISERVER_JSON_H

#include "base/buffer.h"
#include "text.h"

#include <kube/ctx.h>
#include <stdint.h>

typedef enum kube__json_kind {
    KUBE__JSON_NULL,
    KUBE__JSON_BOOL,
    KUBE__JSON_NUMBER,
    KUBE__JSON_STRING,
    KUBE__JSON_ARRAY,
    KUBE__JSON_OBJECT,
} kube__json_kind;

typedef struct kube__json kube__json;
struct kube__json {
    kube__json_kind kind;
    bool boolean;
    union {
        const char *text; /* of a string, unescaped, or a number, shortest; NUL-terminated */
        struct kube__json_index *index; /* of an object with many members: json.c */
    };
    size_t len;       /* of text; children of an array or object */
    const char *key;  /* when it is a member; NUL-terminated (a key cannot hold U+0000) */
    kube__json *next; /* the next element or member */
    kube__json *previous;
    kube__json *first;
    kube__json *last;
};

/* ---- text ----------------------------------------------------------------------------------- */

/* What parse() met besides the value: called for each key that an object repeats (the last value
 * wins), with the path of the object, "" or "spec.ports[0]", and the key. */
typedef void kube__json_duplicate(void *arg, const char *path, const char *key);

/* NULL when @text is not one JSON value (then *@fault says why, with the byte's offset, in the
 * ctx) or if out of memory (then kube_ctx_failed(ctx)). @fault and @duplicate may be NULL. */
kube__json *kube__json_parse(kube_ctx *ctx, const char *text, size_t len, const char **fault,
                             kube__json_duplicate *duplicate, void *arg);
/* Appends compact text, as Go's encoder writes it but for HTML escapes. */
void kube__json_write(const kube__json *value, kube__buffer *out);
/* The same with two blanks of indent, as ?pretty=true. */
void kube__json_write_pretty(const kube__json *value, kube__buffer *out);
/* Compact text, "" if out of memory. */
const char *kube__json_text(kube_ctx *ctx, const kube__json *value, size_t *len);

/* ---- making --------------------------------------------------------------------------------- */

kube__json *kube__json_null(kube_ctx *ctx);
kube__json *kube__json_bool(kube_ctx *ctx, bool value);
kube__json *kube__json_int(kube_ctx *ctx, int64_t value);
kube__json *kube__json_double(kube_ctx *ctx, double value);
kube__json *kube__json_string(kube_ctx *ctx, const char *text);
kube__json *kube__json_string_len(kube_ctx *ctx, const char *text, size_t len);
kube__json *kube__json_stringf(kube_ctx *ctx, const char *format, ...) KUBE_PRINTF(2, 3);
kube__json *kube__json_array(kube_ctx *ctx);
kube__json *kube__json_object(kube_ctx *ctx);
/* {"kind": …, "apiVersion": …} */
kube__json *kube__json_typed(kube_ctx *ctx, const char *kind, const char *api_version);
/* A deep copy, which is nobody's child and holds nothing of the original. */
kube__json *kube__json_copy(kube_ctx *ctx, const kube__json *value);

/* ---- reading -------------------------------------------------------------------------------- */

bool kube__json_is(const kube__json *value, kube__json_kind kind);
/* The member of an object. Returns NULL if it has no such member or @object is no object. */
kube__json *kube__json_get(const kube__json *object, const char *key);
/* A path of members, "metadata.name"; keys with dots need get(). */
kube__json *kube__json_at(const kube__json *object, const char *path);
kube__json *kube__json_item(const kube__json *array, size_t index);
/* The text of a string, @otherwise for every other value. */
const char *kube__json_string_or(const kube__json *value, const char *otherwise);
/* The string at a path, "" if no string is there. */
const char *kube__json_string_at(const kube__json *object, const char *path);
/* What Go's decoder calls it: "bool", "object" … */
const char *kube__json_kind_name(const kube__json *value);
/* Whether it is a number that is an integer within int64 (1.0 and 1e3 are); then *@out is it. */
bool kube__json_to_int(const kube__json *value, int64_t *out);
/* Whether it is a number; then *@out is it. */
bool kube__json_to_double(const kube__json *value, double *out);
bool kube__json_is_true(const kube__json *value);
/* Same value: order of members does not matter, 1 and 1.0 are the same number. */
bool kube__json_equal(const kube__json *a, const kube__json *b);
/* The same for values that are the same. */
uint64_t kube__json_hash(const kube__json *value);
/* Whether an element of the list equals @value, or is this string; NULL has no elements. */
bool kube__json_has(const kube__json *list, const kube__json *value);
bool kube__json_has_text(const kube__json *list, const char *text);

/* ---- changing ------------------------------------------------------------------------------- */

/* Sets a member, in its old place or at the end; @value must be nobody's child yet. Returns it. */
kube__json *kube__json_set(kube_ctx *ctx, kube__json *object, const char *key, kube__json *value);
kube__json *kube__json_set_string(kube_ctx *ctx, kube__json *object, const char *key,
                                  const char *text);
kube__json *kube__json_set_int(kube_ctx *ctx, kube__json *object, const char *key, int64_t value);
kube__json *kube__json_set_bool(kube_ctx *ctx, kube__json *object, const char *key, bool value);
/* The member. If it is missing or no object, it becomes an empty object first. */
kube__json *kube__json_ensure_object(kube_ctx *ctx, kube__json *object, const char *key);
kube__json *kube__json_ensure_array(kube_ctx *ctx, kube__json *object, const char *key);
/* Takes a member out; returns it, nobody's child any more, or NULL. */
kube__json *kube__json_remove(kube__json *object, const char *key);
/* For the parser: a member that the object does not have yet, whose key is set. False if out of
 * memory. */
bool kube__json_add_member(kube_ctx *ctx, kube__json *object, kube__json *value);
/* At the end; returns @value. */
kube__json *kube__json_append(kube__json *array, kube__json *value);
/* Before element @index, or at the end when that is the length; false when it is beyond. */
bool kube__json_insert(kube__json *array, size_t index, kube__json *value);
/* Takes an element out, or NULL. */
kube__json *kube__json_remove_item(kube__json *array, size_t index);
/* The same of one that is in the array. */
void kube__json_take_item(kube__json *array, kube__json *item);
/* Takes out each element that is this string. @array may be NULL. */
void kube__json_drop_text(kube__json *array, const char *text);
/* Puts @value in the place of the element @old. */
void kube__json_replace_item(kube__json *array, const kube__json *old, kube__json *value);
/* Orders members by key bytes, at every depth: the form of custom resources. */
void kube__json_sort(kube__json *value);
/* Moves the named members to the front of an object, in this order (NULL ends the list). */
void kube__json_move_first(kube__json *object, const char *const *keys);

#define KUBE__JSON_EACH(child, parent)                                                             \
    for (kube__json *child = (parent) ? (parent)->first : NULL; child; child = child->next)

/* What Go's JSON package says of a text that is not JSON; @fault, of kube__json_parse(), if it
 * would take the text: it reads more levels, and bytes that are not UTF-8. */
const char *kube__json_error(kube_ctx *ctx, const char *text, size_t len, const char *fault);

#endif /* KUBE_APISERVER_JSON_H */
