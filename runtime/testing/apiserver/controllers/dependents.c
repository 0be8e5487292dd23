/* SPDX-License-Identifier: Apache-2.0 */
/* Who has which owner, by the owner's uid. */
#include "apiserver/store/store.h"
#include "base/hash.h"
#include "controllers_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct dependent {
    kube__chain_node in_chain; /* by the hash of the owner's uid */
    kube__api_collection *collection;
    const char *namespace_;
    const char *name;
    char uid[]; /* the owner's; namespace and name follow */
} dependent;

struct kube__dependents {
    kube__chains table;
};

enum { FIRST_SLOTS = 256 };

kube__dependents *kube__dependents_new(void)
{
    kube__dependents *d = calloc(1, sizeof *d);
    if (d && kube__chains_init(&d->table, FIRST_SLOTS))
        return d;
    free(d);
    return NULL;
}

void kube__dependents_clear(kube__dependents *d)
{
    for (size_t i = 0; i < d->table.slot_count; i++) {
        while (d->table.at[i]) {
            dependent *one = (dependent *)d->table.at[i];
            kube__chains_remove(&d->table, &d->table.at[i]);
            free(one);
        }
    }
}

void kube__dependents_free(kube__dependents *d)
{
    if (!d)
        return;
    kube__dependents_clear(d);
    free(d->table.at);
    free(d);
}

static kube__chain_node **find(const kube__dependents *d, const char *uid, uint64_t hash,
                               const kube__api_object *object)
{
    kube__chain_node **at = kube__chains_of(&d->table, hash);
    for (const dependent *one; (one = (const dependent *)*at); at = &(*at)->next)
        if ((*at)->hash == hash && strcmp(one->uid, uid) == 0 &&
            one->collection == object->collection && strcmp(one->name, object->name) == 0 &&
            strcmp(one->namespace_, object->namespace_) == 0)
            break;
    return at;
}

static bool add(kube__dependents *d, const char *uid, const kube__api_object *object)
{
    uint64_t hash = kube__hash_text(0, uid);
    if (*find(d, uid, hash, object))
        return true;
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
    one->in_chain.hash = hash;
    kube__chains_add(&d->table, &one->in_chain);
    return true;
}

static void remove_one(kube__dependents *d, const char *uid, const kube__api_object *object)
{
    kube__chain_node **at = find(d, uid, kube__hash_text(0, uid), object);
    dependent *found = (dependent *)*at;
    if (!found)
        return;
    kube__chains_remove(&d->table, at);
    free(found);
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
    for (const kube__chain_node *at = *kube__chains_of(&d->table, hash); at; at = at->next) {
        const dependent *one = (const dependent *)at;
        if (at->hash == hash && strcmp(one->uid, uid) == 0)
            visit(arg, one->collection, one->namespace_, one->name);
    }
}
