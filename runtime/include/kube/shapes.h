/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The types that API structs are made of: optional scalars, lists, maps, raw JSON.
 *
 * None of them owns memory: a member points to a literal, into a ctx, or into the block of the
 * object that it was decoded with. Zero bytes always mean that the member is absent.
 * Strings are UTF-8 and end with NUL. The character U+0000, which JSON writes as `\u0000`, is in
 * them as the two bytes C0 80: see kube_text_has_nul().
 * docs/mapping.md compares these types with Go's.
 */
#ifndef KUBE_SHAPES_H
#define KUBE_SHAPES_H

#include <kube/ctx.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

KUBE_BEGIN_DECLS

/* Optional scalars: one that is not set is absent; one that is set is sent even if it is zero. */
typedef struct kube_opt_bool {
    bool set;
    bool value;
} kube_opt_bool;
typedef struct kube_opt_int32 {
    bool set;
    int32_t value;
} kube_opt_int32;
typedef struct kube_opt_int64 {
    bool set;
    int64_t value;
} kube_opt_int64;
typedef struct kube_opt_double {
    bool set;
    double value;
} kube_opt_double;

/** Initialises a kube_opt_*: `.replicas = KUBE_SOME(3)`. */
#define KUBE_SOME(scalar)                                                                          \
    {                                                                                              \
        true, (scalar)                                                                             \
    }

static inline kube_opt_bool kube_some_bool(bool value)
{
    kube_opt_bool some = {true, value};
    return some;
}
static inline kube_opt_int32 kube_some_int32(int32_t value)
{
    kube_opt_int32 some = {true, value};
    return some;
}
static inline kube_opt_int64 kube_some_int64(int64_t value)
{
    kube_opt_int64 some = {true, value};
    return some;
}
static inline kube_opt_double kube_some_double(double value)
{
    kube_opt_double some = {true, value};
    return some;
}

/**
 * Declares `T_list`, which is `{T *items; size_t len;}`. If `items` is NULL, the list is absent; if
 * it is not NULL and `len` is 0, the list is present and empty. Decode, copy and encode keep the
 * difference.
 */
#define KUBE_DECLARE_LIST(T)                                                                       \
    typedef struct T##_list {                                                                      \
        T *items;                                                                                  \
        size_t len;                                                                                \
    } T##_list

/**
 * Declares `T_map`, a list of `T_map_entry {const char *key; T value;}`. A decoded map is sorted by
 * key. A type that contains a map of itself needs KUBE_FORWARD_MAP(T) before its struct and
 * KUBE_DECLARE_MAP_ENTRY(T) after it.
 */
#define KUBE_DECLARE_MAP(T) /* not by the two below: T would be expanded, bool to _Bool */         \
    typedef struct T##_map_entry {                                                                 \
        const char *key;                                                                           \
        T value;                                                                                   \
    } T##_map_entry;                                                                               \
    typedef struct T##_map {                                                                       \
        T##_map_entry *items;                                                                      \
        size_t len;                                                                                \
    } T##_map
#define KUBE_FORWARD_MAP(T)                                                                        \
    typedef struct T##_map_entry T##_map_entry;                                                    \
    typedef struct T##_map {                                                                       \
        T##_map_entry *items;                                                                      \
        size_t len;                                                                                \
    } T##_map
#define KUBE_DECLARE_MAP_ENTRY(T)                                                                  \
    struct T##_map_entry {                                                                         \
        const char *key;                                                                           \
        T value;                                                                                   \
    }

/** Initialises a list or map with an array: `.ports = KUBE_LIST_OF(ports_array)`. */
#define KUBE_LIST_OF(array)                                                                        \
    {                                                                                              \
        (array), sizeof(array) / sizeof(*(array))                                                  \
    }

typedef struct kube_string_list {
    const char **items;
    size_t len;
} kube_string_list;
typedef struct kube_string_map_entry {
    const char *key;
    const char *value;
} kube_string_map_entry;
typedef struct kube_string_map {
    kube_string_map_entry *items;
    size_t len;
} kube_string_map;

KUBE_DECLARE_LIST(bool);
KUBE_DECLARE_LIST(int32_t);
KUBE_DECLARE_LIST(int64_t);
KUBE_DECLARE_LIST(double);
/* Of those that are not set the JSON is null. */
KUBE_DECLARE_LIST(kube_opt_bool);
KUBE_DECLARE_LIST(kube_opt_int32);
KUBE_DECLARE_LIST(kube_opt_int64);
KUBE_DECLARE_LIST(kube_opt_double);
KUBE_DECLARE_MAP(kube_opt_bool);
KUBE_DECLARE_MAP(kube_opt_int32);
KUBE_DECLARE_MAP(kube_opt_int64);
KUBE_DECLARE_MAP(kube_opt_double);
KUBE_DECLARE_LIST(kube_string_list);
KUBE_DECLARE_LIST(kube_string_map);
KUBE_DECLARE_MAP(bool);
KUBE_DECLARE_MAP(int32_t);
KUBE_DECLARE_MAP(int64_t);
KUBE_DECLARE_MAP(double);
KUBE_DECLARE_MAP(kube_string_list);
KUBE_DECLARE_MAP(kube_string_map);

/** Bytes, which are base64 in JSON. `data` NULL = absent. */
typedef struct kube_bytes {
    const unsigned char *data;
    size_t len;
} kube_bytes;

/** One JSON value, kept byte for byte. `text` NULL = absent; it need not end with NUL. */
typedef struct kube_raw_json {
    const char *text;
    size_t len;
} kube_raw_json;

/**
 * JSON members that a struct's header does not name, as `"key":value` pairs with commas between
 * them. A struct with a member `kube_extra extra;` keeps them from a read to the next write;
 * without it they are lost, and the object is partial (KUBE_ERR_PARTIAL).
 */
typedef struct kube_extra {
    const char *members; /* NULL = none; it need not end with NUL */
    size_t len;
} kube_extra;

/** A number or a string, such as a port or "25%". It is a string if `text` is not NULL, otherwise a
 * number if `set`, otherwise absent. */
typedef struct kube_int_or_string {
    const char *text;
    int32_t number;
    bool set;
} kube_int_or_string;

static inline kube_int_or_string kube_from_int(int32_t number)
{
    kube_int_or_string v = {NULL, number, true};
    return v;
}
static inline kube_int_or_string kube_from_string(const char *text)
{
    kube_int_or_string v = {text, 0, true};
    return v;
}
KUBE_DECLARE_LIST(kube_int_or_string);
KUBE_DECLARE_LIST(kube_raw_json);
KUBE_DECLARE_MAP(kube_raw_json);
KUBE_DECLARE_LIST(kube_bytes);
KUBE_DECLARE_MAP(kube_bytes);

/** The character U+0000 in a string: `"before" KUBE_TEXT_NUL "behind"`. */
#define KUBE_TEXT_NUL "\xc0\x80"
/**
 * Whether @p text (NULL = no) has the character U+0000 in it. Encoding and decoding keep it. Who
 * hands the text to somebody that expects UTF-8, such as a file or another program, replaces each
 * KUBE_TEXT_NUL, or refuses the text.
 */
KUBE_API bool kube_text_has_nul(const char *text);

/** Returns the value of @p key, or NULL if @p map lacks it. The map need not be sorted. */
KUBE_API const char *kube_string_map_get(const kube_string_map *map, const char *key);
/**
 * Sets @p key in @p map. The map may move to other storage in @p ctx; storage that it shares with
 * others, such as a cached object, does not change for them. A sorted map stays sorted. Key and
 * value are borrowed.
 */
KUBE_CHECKED kube_code kube_string_map_set(kube_ctx *ctx, kube_string_map *map, const char *key,
                                           const char *value, kube_error *err);
/** Removes @p key from @p map, whose storage is then a new one in @p ctx. A key that is not there
 * is no error. */
KUBE_CHECKED kube_code kube_string_map_remove(kube_ctx *ctx, kube_string_map *map, const char *key,
                                              kube_error *err);
/** Appends @p text, which is borrowed, to @p list, which may move to other storage in @p ctx. */
KUBE_CHECKED kube_code kube_string_list_append(kube_ctx *ctx, kube_string_list *list,
                                               const char *text, kube_error *err);
KUBE_API bool kube_string_list_contains(const kube_string_list *list, const char *text);

/**
 * Returns an array in @p ctx with the @p len elements of @p items, of @p size bytes each, and room
 * for a further one, which is zeroed. Returns NULL if out of memory. KUBE_LIST_APPEND calls it.
 */
KUBE_API void *kube_list_grow(kube_ctx *ctx, const void *items, size_t len, size_t size);

KUBE_END_DECLS

/**
 * Appends a zeroed element to @p list, a pointer to any T_list, and evaluates to the address of
 * that element. Its value is NULL if out of memory; the list is then unchanged. Do not nest it.
 */
#if defined(__GNUC__) || defined(__clang__)
#define KUBE_LIST_APPEND(ctx, list)                                                                \
    __extension__({                                                                                \
        __typeof__(list) kube_list_ = (list);                                                      \
        __typeof__(kube_list_->items) kube_grown_ = (__typeof__(kube_list_->items))kube_list_grow( \
            (ctx), kube_list_->items, kube_list_->len, sizeof *kube_list_->items);                 \
        if (kube_grown_)                                                                           \
            kube_list_->items = kube_grown_;                                                       \
        kube_grown_ ? &kube_grown_[kube_list_->len++] : kube_grown_;                               \
    })
#endif

#endif /* KUBE_SHAPES_H */
