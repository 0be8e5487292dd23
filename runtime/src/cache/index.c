/* SPDX-License-Identifier: Apache-2.0 */
#include "index.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 2, FEW_VALUES = 8 };
static const uint32_t many_values = UINT32_MAX - 1; /* as kube__index_place.bucket */

/* Grows an array by little, so that the slack stays small. Returns NULL if out of memory. */
static void *grow(void *items, uint32_t *size, uint32_t least, size_t item_size)
{
    uint32_t wanted = *size + *size / (*size < 64 ? 2 : 4);
    if (wanted < least)
        wanted = least;
    if (wanted < 8)
        wanted = 8;
    items = realloc(items, wanted * item_size);
    if (items)
        *size = wanted;
    return items;
}

/* ---- values ---------------------------------------------------------------------------------- */

void kube__values_init(kube__values *values)
{
    memset(values, 0, sizeof *values);
    kube__buffer_init(&values->text, SIZE_MAX);
}

void kube__values_fini(kube__values *values)
{
    kube__buffer_fini(&values->text);
    kube__slots_fini(&values->slots);
    free(values->starts);
}

void kube__values_reset(kube__values *values)
{
    kube__buffer_reset(&values->text);
    values->len = 0;
    values->failed = false;
}

static uint32_t hash_of(const char *value)
{
    return kube__hash_half(kube__hash_text(0, value));
}

/* Whether the object at hand has @value already; many values are looked up in a table. */
static bool is_known(kube__values *values, const char *value)
{
    uint32_t hash;
    size_t at;
    const kube__hash_slot *slot;
    if (values->len - values->first <= FEW_VALUES) {
        for (size_t i = values->first; i < values->len; i++)
            if (strcmp(kube__values_get(values, i), value) == 0)
                return true;
        return false;
    }
    if (!kube__slots_reserve(&values->slots, values->len - values->first - values->slots.used)) {
        values->failed = true;
        return true;
    }
    for (size_t i = values->first + values->slots.used; i < values->len; i++)
        kube__slots_add(&values->slots, hash_of(kube__values_get(values, i)), (uint32_t)i, NULL);
    hash = hash_of(value);
    at = kube__slots_first(&values->slots, hash);
    while ((slot = kube__slots_next(&values->slots, hash, &at)) != NULL)
        if (strcmp(kube__values_get(values, kube__slot_id(slot)), value) == 0)
            return true;
    return false;
}

static void emit(void *sink, const char *value)
{
    kube__values *values = sink;
    size_t start = values->text.len;
    if (!value || values->failed || is_known(values, value))
        return;
    if (values->len == values->size) {
        size_t size = values->size ? values->size * 2 : 16;
        size_t *starts = realloc(values->starts, size * sizeof *starts);
        if (!starts) {
            values->failed = true;
            return;
        }
        values->starts = starts;
        values->size = size;
    }
    kube__buffer_add(&values->text, value, strlen(value) + 1);
    values->failed = values->text.failed;
    if (!values->failed)
        values->starts[values->len++] = start;
}

/* A call of an index function, for the line that it may end with. */
typedef struct call {
    const kube__index_definition *definition;
    const kube_object *object;
} call;

static void end_process(void *arg, size_t wanted)
{
    const call *c = arg;
    const kube_object_meta *metadata = kube_object_metadata(c->object);
    kube__end_without_memory(wanted, "index %s of %s %s/%s", c->definition->name,
                             c->object->type->resource, kube__text_or_empty(metadata->namespace_),
                             metadata->name);
}

kube_code kube__values_add(kube__values *values, const kube__index *index,
                           const kube_object *object, kube_error *err)
{
    const kube__index_definition *definition = index->definition;
    call c = {definition, object};
    kube_error why = {.code = KUBE_OK};
    kube_code rc;
    if (definition->exit_on_no_memory)
        kube_ctx_on_no_memory(index->ctx, end_process, &c);
    values->first = values->len;
    kube__slots_fini(&values->slots);
    rc = definition->function(definition->arg, index->ctx, object, emit, values, &why);
    if (values->failed || kube_ctx_failed(index->ctx))
        rc = kube__no_memory(err, "index %s", definition->name);
    else if (rc) /* its code means nothing to a list or watch */
        rc = kube_error_set(err, KUBE_ERR_FAILED, "index %s of %s: %s", definition->name,
                            kube_object_metadata(object)->name,
                            why.code ? why.message : kube_code_name(rc));
    kube_ctx_reset(index->ctx);
    return rc;
}

/* ---- buckets --------------------------------------------------------------------------------- */

static uint32_t *ids_of(kube__bucket *bucket)
{
    return bucket->size ? bucket->ids.many : bucket->ids.few;
}

static bool bucket_reserve(kube__bucket *bucket)
{
    uint32_t size = bucket->size;
    uint32_t *ids;
    if (bucket->len < (size ? size : (uint32_t)FEW))
        return true;
    ids = grow(size ? bucket->ids.many : NULL, &size, bucket->len + 1, sizeof *ids);
    if (!ids)
        return false;
    if (!bucket->size)
        memcpy(ids, bucket->ids.few, bucket->len * sizeof *ids);
    bucket->ids.many = ids;
    bucket->size = size;
    return true;
}

static void bucket_free(kube__index *index, uint32_t id)
{
    kube__bucket *bucket = &index->buckets[id];
    kube__slots_remove(&index->slots, hash_of(bucket->value), id);
    free(bucket->value);
    if (bucket->size)
        free(bucket->ids.many);
    bucket->value = NULL;
    bucket->size = 0;
    bucket->len = index->unused_bucket;
    index->unused_bucket = id;
}

static uint32_t bucket_find(const kube__index *index, const char *value, uint32_t hash)
{
    size_t at = kube__slots_first(&index->slots, hash);
    const kube__hash_slot *slot;
    while ((slot = kube__slots_next(&index->slots, hash, &at)) != NULL)
        if (strcmp(slot->item, value) == 0)
            break;
    return kube__slot_id(slot);
}

static uint32_t bucket_new(kube__index *index, const char *value, uint32_t hash)
{
    uint32_t id = index->unused_bucket;
    char *copy;
    if (!kube__slots_reserve(&index->slots, 1))
        return KUBE__NO_ID;
    if (id == KUBE__NO_ID && index->bucket_len == index->bucket_size) {
        kube__bucket *buckets =
            grow(index->buckets, &index->bucket_size, index->bucket_len + 1, sizeof *buckets);
        if (!buckets)
            return KUBE__NO_ID;
        index->buckets = buckets;
    }
    copy = strdup(value);
    if (!copy)
        return KUBE__NO_ID;
    if (id == KUBE__NO_ID)
        id = index->bucket_len++;
    else
        index->unused_bucket = index->buckets[id].len;
    memset(&index->buckets[id], 0, sizeof index->buckets[id]);
    index->buckets[id].value = copy;
    kube__slots_add(&index->slots, hash, id, copy);
    return id;
}

/* A bucket for @value with room for one more id. */
static uint32_t bucket_get(kube__index *index, const char *value)
{
    uint32_t hash = hash_of(value);
    uint32_t id = bucket_find(index, value, hash);
    if (id == KUBE__NO_ID)
        id = bucket_new(index, value, hash);
    if (id == KUBE__NO_ID || bucket_reserve(&index->buckets[id]))
        return id;
    return KUBE__NO_ID; /* a new one always has room: nothing to take back */
}

static uint32_t bucket_add(kube__index *index, uint32_t bucket_id, uint32_t id)
{
    kube__bucket *bucket = &index->buckets[bucket_id];
    ids_of(bucket)[bucket->len] = id;
    return bucket->len++;
}

/* Where an id's places are recorded. */
static kube__index_place *places_of(kube__index *index, uint32_t id, uint32_t *len)
{
    kube__index_place *place = &index->places[id];
    if (place->bucket == many_values) {
        *len = index->many[place->position].len;
        return index->many[place->position].items;
    }
    *len = place->bucket != KUBE__NO_ID;
    return place;
}

static int compare_places(const void *a, const void *b)
{
    const kube__index_place *left = a;
    const kube__index_place *right = b;
    return left->bucket < right->bucket ? -1 : left->bucket > right->bucket;
}

/* Returns the one of @places, which are sorted, in a bucket; NULL if there is none. */
static kube__index_place *find_place(kube__index_place *places, uint32_t len, uint32_t bucket)
{
    const kube__index_place wanted = {.bucket = bucket};
    return len > 0 ? bsearch(&wanted, places, len, sizeof *places, compare_places) : NULL;
}

/* Takes out what stands at @place; the last id moves there. An empty set goes (STO-2). */
static void bucket_remove(kube__index *index, kube__index_place place)
{
    kube__bucket *bucket = &index->buckets[place.bucket];
    uint32_t *ids = ids_of(bucket);
    uint32_t moved = ids[--bucket->len];
    uint32_t len;
    if (place.position != bucket->len) {
        kube__index_place *places = places_of(index, moved, &len);
        ids[place.position] = moved;
        find_place(places, len, place.bucket)->position = place.position;
    }
    if (bucket->len == 0)
        bucket_free(index, place.bucket);
}

/* ---- the index ------------------------------------------------------------------------------- */

void kube__index_init(kube__index *index, const kube__index_definition *definition)
{
    memset(index, 0, sizeof *index);
    index->definition = definition;
    index->unused_bucket = KUBE__NO_ID;
    index->unused_many = KUBE__NO_ID;
}

void kube__index_fini(kube__index *index)
{
    for (uint32_t i = 0; i < index->bucket_len; i++) {
        free(index->buckets[i].value);
        if (index->buckets[i].size)
            free(index->buckets[i].ids.many);
    }
    for (uint32_t i = 0; i < index->many_len; i++)
        free(index->many[i].items);
    free(index->many);
    free(index->buckets);
    free(index->places);
    kube__slots_fini(&index->slots);
    kube_ctx_free(index->ctx);
    memset(index, 0, sizeof *index);
}

bool kube__index_reserve(kube__index *index, uint32_t size)
{
    uint32_t old = index->place_size;
    kube__index_place *places;
    if (size <= old)
        return true;
    places = realloc(index->places, size * sizeof *places);
    if (!places)
        return false;
    index->places = places;
    index->place_size = size;
    for (uint32_t i = old; i < size; i++)
        places[i].bucket = KUBE__NO_ID;
    return true;
}

static uint32_t many_new(kube__index *index)
{
    uint32_t id = index->unused_many;
    if (id != KUBE__NO_ID) {
        index->unused_many = index->many[id].len;
        return id;
    }
    if (index->many_len == index->many_size) {
        kube__index_places *many =
            grow(index->many, &index->many_size, index->many_len + 1, sizeof *many);
        if (!many)
            return KUBE__NO_ID;
        index->many = many;
    }
    index->many[index->many_len].items = NULL;
    return index->many_len++;
}

static void many_free(kube__index *index, uint32_t id)
{
    free(index->many[id].items);
    index->many[id].items = NULL;
    index->many[id].len = index->unused_many;
    index->unused_many = id;
}

static kube__index_place *resolved_places(kube__resolved *resolved)
{
    return resolved->many.items ? resolved->many.items : &resolved->one;
}

bool kube__index_resolve_one(kube__index *index, const char *value, kube__resolved *out)
{
    memset(out, 0, sizeof *out);
    out->many_id = KUBE__NO_ID;
    out->one.bucket = bucket_get(index, value);
    out->len = out->one.bucket != KUBE__NO_ID;
    return out->len == 1;
}

bool kube__index_resolve(kube__index *index, const kube__values *values, size_t first, size_t len,
                         kube__resolved *out)
{
    memset(out, 0, sizeof *out);
    out->one.bucket = KUBE__NO_ID;
    out->many_id = KUBE__NO_ID;
    if (len == 0)
        return true;
    if (len == 1)
        return kube__index_resolve_one(index, kube__values_get(values, first), out);
    out->many.items = calloc(len, sizeof *out->many.items);
    out->many_id = out->many.items ? many_new(index) : KUBE__NO_ID;
    if (out->many_id == KUBE__NO_ID) {
        free(out->many.items);
        return false;
    }
    while (out->len < len) {
        uint32_t bucket = bucket_get(index, kube__values_get(values, first + out->len));
        if (bucket == KUBE__NO_ID) {
            kube__index_unresolve(index, out);
            return false;
        }
        out->many.items[out->len++].bucket = bucket;
    }
    out->many.len = out->len;
    qsort(out->many.items, out->len, sizeof *out->many.items, compare_places);
    return true;
}

void kube__index_unresolve(kube__index *index, kube__resolved *resolved)
{
    const kube__index_place *places = resolved_places(resolved);
    for (uint32_t i = 0; i < resolved->len; i++)
        if (index->buckets[places[i].bucket].len == 0)
            bucket_free(index, places[i].bucket);
    free(resolved->many.items);
    if (resolved->many_id != KUBE__NO_ID)
        many_free(index, resolved->many_id);
    memset(resolved, 0, sizeof *resolved);
    resolved->many_id = KUBE__NO_ID;
}

/* Enters first and removes then, so that no bucket in both sets is freed on the way. */
void kube__index_set(kube__index *index, uint32_t id, kube__resolved *resolved)
{
    uint32_t old_len;
    kube__index_place *old = places_of(index, id, &old_len);
    kube__index_place *new = resolved_places(resolved);
    uint32_t old_many =
        index->places[id].bucket == many_values ? index->places[id].position : KUBE__NO_ID;
    for (uint32_t i = 0; i < resolved->len; i++) {
        const kube__index_place *same = find_place(old, old_len, new[i].bucket);
        new[i].position = same ? same->position : bucket_add(index, new[i].bucket, id);
    }
    for (uint32_t i = 0; i < old_len; i++)
        if (!find_place(new, resolved->len, old[i].bucket))
            bucket_remove(index, old[i]);
    if (old_many != KUBE__NO_ID)
        many_free(index, old_many);
    if (resolved->many.items) {
        index->many[resolved->many_id] = resolved->many;
        index->places[id].bucket = many_values;
        index->places[id].position = resolved->many_id;
    } else {
        index->places[id] = resolved->one;
    }
}

void kube__index_remove(kube__index *index, uint32_t id)
{
    kube__resolved none = {.one = {KUBE__NO_ID, 0}, .many_id = KUBE__NO_ID};
    kube__index_set(index, id, &none);
}

const uint32_t *kube__index_find(const kube__index *index, const char *value, uint32_t *len)
{
    uint32_t hash = hash_of(value);
    uint32_t id = bucket_find(index, value, hash);
    *len = id == KUBE__NO_ID ? 0 : index->buckets[id].len;
    return id == KUBE__NO_ID ? NULL : ids_of(&index->buckets[id]);
}

size_t kube__index_value_count(const kube__index *index)
{
    return index->slots.used;
}
