/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index of a table: it maps a value to the ids of the objects that have it (STO-2). It remembers
 * which values it found in each object. So the index function is not called again for an old
 * object, and the cost of removing an object depends on its values, not on how many objects share
 * them.
 */
#ifndef KUBE_CACHE_INDEX_H
#define KUBE_CACHE_INDEX_H

#include "base/buffer.h"
#include "slots.h"

#include <kube/informer.h>

/* What a user registered; lives as long as the store. */
typedef struct kube__index_definition {
    char *name;
    kube_index_function *function; /* NULL = the built-in index by namespace (STO-5) */
    void *arg;
    bool exit_on_no_memory; /* of its ctx */
} kube__index_definition;

/* An id's place: which bucket, and where in it. */
typedef struct kube__index_place {
    uint32_t bucket; /* KUBE__NO_ID = no value; MANY = position names a kube__index_places */
    uint32_t position;
} kube__index_place;

typedef struct kube__index_places {
    kube__index_place *items; /* by bucket */
    uint32_t len;
} kube__index_places;

typedef struct kube__bucket {
    char *value; /* NULL = unused, then len is the next unused one */
    uint32_t len;
    uint32_t size; /* 0 = the ids are in `few` */
    union {
        uint32_t few[2];
        uint32_t *many;
    } ids;
} kube__bucket;

typedef struct kube__index {
    const kube__index_definition *definition;
    kube_ctx *ctx;     /* of one call of the user's function after the other */
    kube__slots slots; /* by value */
    kube__bucket *buckets;
    uint32_t bucket_len;
    uint32_t bucket_size;
    uint32_t unused_bucket;
    kube__index_place *places; /* by id */
    uint32_t place_size;
    kube__index_places *many; /* of ids with several values */
    uint32_t many_len;
    uint32_t many_size;
    uint32_t unused_many;
} kube__index;

/* Values that index functions emitted, for any number of objects. */
typedef struct kube__values {
    kube__buffer text;
    size_t *starts;
    size_t len;
    size_t size;
    size_t first;      /* of the object at hand: its values are distinct from there */
    kube__slots slots; /* of these, when they are many */
    bool failed;
} kube__values;

void kube__values_init(kube__values *values);
void kube__values_fini(kube__values *values);
void kube__values_reset(kube__values *values);
/* Appends the distinct values of @object. */
KUBE__CHECKED kube_code kube__values_add(kube__values *values, const kube__index *index,
                                         const kube_object *object, kube_error *err);
static inline const char *kube__values_get(const kube__values *values, size_t i)
{
    return values->text.data + values->starts[i];
}

void kube__index_init(kube__index *index, const kube__index_definition *definition);
void kube__index_fini(kube__index *index);
/* Room for ids below @size. */
bool kube__index_reserve(kube__index *index, uint32_t size);
/*
 * Setting an object's values has two steps, so that memory can only run out before anything has
 * changed: resolve() finds or makes the buckets and room in them, set() enters them. A resolve()
 * that failed leaves nothing; one that is not followed by set() is undone by unresolve().
 */
typedef struct kube__resolved {
    kube__index_place one;
    kube__index_places many; /* when there are several */
    uint32_t len;
    uint32_t many_id;
} kube__resolved;
bool kube__index_resolve(kube__index *index, const kube__values *values, size_t first, size_t len,
                         kube__resolved *out);
bool kube__index_resolve_one(kube__index *index, const char *value, kube__resolved *out);
void kube__index_unresolve(kube__index *index, kube__resolved *resolved);
void kube__index_set(kube__index *index, uint32_t id, kube__resolved *resolved);
void kube__index_remove(kube__index *index, uint32_t id);
/* Returns the ids of the objects that have @value, or NULL and 0. */
const uint32_t *kube__index_find(const kube__index *index, const char *value, uint32_t *len);
/* Values in use. */
size_t kube__index_value_count(const kube__index *index);

#endif /* KUBE_CACHE_INDEX_H */
