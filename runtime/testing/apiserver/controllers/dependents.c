/* SPDX-License-Identifier: Apache-2.0 */
/* Who has which owner, by the owner's uid. */
#include "apiserver/store/store.h"
#include "base/hash.h"
#include "controllers_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct dependent {
    struct dependent *next; /* in the slot */
    uint64_t hash;          /* of the owner's uid */
    kube__api_collection *collection;
    const char *namespace_;
    const char *name;
    char uid[]; /* the owner's; namespace and name follow */
} dependent;

struct kube__dependents {
    dependent **slots;
    size_t slot_count; /* a power of two */
    size_t count;
};

enum { FIRST_SLOTS = 256 };

kube__dependents *kube__dependents_new(void)
{
    kube__dependents *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->slot_count = FIRST_SLOTS;
    d->slots = calloc(FIRST_SLOTS, sizeof(dependent *));
    if (!d->slots) {
        free(d);
        return NULL;
    }
    return d;
}

void kube__dependents_clear(kube__dependents *d)
{
    for (size_t i = 0; i < d->slot_count; i++) {
        for (dependent *one = d->slots[i], *next; one; one = next) {
            next = one->next;
            free(one);
        }
        d->slots[i] = NULL;
    }
    d->count = 0;
}

void kube__dependents_free(kube__dependents *d)
{
    if (!d)
        return;
    kube__dependents_clear(d);
    free(d->slots);
    free(d);
}

static dependent **slot_of(const kube__dependents *d, uint64_t hash)
{
    return &d->slots[hash & (d->slot_count - 1)];
}

/* Without memory it goes on with the slots it has. */
static void grow(kube__dependents *d)
{
    if (d->count < d->slot_count * 2)
        return;
    size_t old_count = d->slot_count;
    dependent **old = d->slots;
    dependent **slots = calloc(old_count * 4, sizeof *slots);
    if (!slots)
        return;
    d->slots = slots;
    d->slot_count = old_count * 4;
    for (size_t i = 0; i < old_count; i++) {
        for (dependent *one = old[i], *next; one; one = next) {
            next = one->next;
            dependent **slot = slot_of(d, one->hash);
            one->next = *slot;
            *slot = one;
        }
    }
    free(old);
}

static dependent **find(const kube__dependents *d, const char *uid, uint64_t hash,
                        const kube__api_object *object)
{
    dependent **at = slot_of(d, hash);
    while (*at &&
           !((*at)->hash == hash && strcmp((*at)->uid, uid) == 0 &&
             (*at)->collection == object->collection && strcmp((*at)->name, object->name) == 0 &&
             strcmp((*at)->namespace_, object->namespace_) == 0))
        at = &(*at)->next;
    return at;
}

static bool add(kube__dependents *d, const char *uid, const kube__api_object *object)
{
    uint64_t hash = kube__hash_text(0, uid);
    if (*find(d, uid, hash, object))
        return true;
    grow(d);
    size_t uid_size = strlen(uid) + 1;
    size_t namespace_size = strlen(object->namespace_) + 1;
    size_t name_size = strlen(object->name) + 1;
    dependent *one = malloc(sizeof *one + uid_size + namespace_size + name_size);
    if (!one)
        return false;
    memcpy(one->uid, uid, uid_size);
    one->namespace_ = memcpy(one->uid + uid_size, object->namespace_, namespace_size);
    one->name = memcpy(one->uid + uid_size + namespace_size, object->name, name_size);
    one->collection = object->collection;
    one->hash = hash;
    dependent **slot = slot_of(d, hash);
    one->next = *slot;
    *slot = one;
    d->count++;
    return true;
}

static void remove_one(kube__dependents *d, const char *uid, const kube__api_object *object)
{
    dependent **at = find(d, uid, kube__hash_text(0, uid), object);
    dependent *found = *at;
    if (!found)
        return;
    *at = found->next;
    free(found);
    d->count--;
}

bool kube__dependents_note(kube__dependents *d, const kube__api_change *change)
{
    bool done = true;
    const kube__api_object *gone = change->type == KUBE__API_DELETED ? change->object : change->old;
    for (const char *const *uid = gone ? gone->owners : NULL; uid && *uid; uid++)
        remove_one(d, *uid, gone);
    if (change->type == KUBE__API_DELETED)
        return true;
    for (const char *const *uid = change->object->owners; uid && *uid; uid++)
        done = add(d, *uid, change->object) && done;
    return done;
}

void kube__dependents_each(const kube__dependents *d, const char *uid,
                           void (*visit)(void *arg, kube__api_collection *collection,
                                         const char *namespace_, const char *name),
                           void *arg)
{
    uint64_t hash = kube__hash_text(0, uid);
    for (const dependent *one = *slot_of(d, hash); one; one = one->next)
        if (one->hash == hash && strcmp(one->uid, uid) == 0)
            visit(arg, one->collection, one->namespace_, one->name);
}
