/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects that are there, but whose newest state cannot be used, and why. Threads: any; the
 * reflector alone writes.
 */
#ifndef KUBE_CACHE_BAD_OBJECTS_H
#define KUBE_CACHE_BAD_OBJECTS_H

#include "base/thread.h"
#include "slots.h"

#include <kube/key.h>

typedef struct kube__bad_entry {
    char *key; /* namespace, NUL, name, NUL, field, NUL, message */
    uint32_t hash;
} kube__bad_entry;

typedef struct kube__bad_objects {
    kube__mutex mutex; /* of all below */
    kube__slots slots;
    kube__bad_entry *items; /* by id, without gaps */
    uint32_t size;
    _Atomic uint32_t len; /* read without the mutex, too */
} kube__bad_objects;

KUBE__CHECKED kube_code kube__bad_objects_init(kube__bad_objects *bad, kube_error *err);
void kube__bad_objects_fini(kube__bad_objects *bad);
/* *@is_news (may be NULL) = it was not there, or for another reason. */
KUBE__CHECKED kube_code kube__bad_objects_put(kube__bad_objects *bad, kube_key key,
                                              const char *field, const char *message, bool *is_news,
                                              kube_error *err);
/* Returns whether it was there. */
bool kube__bad_objects_remove(kube__bad_objects *bad, kube_key key);
void kube__bad_objects_clear(kube__bad_objects *bad);
/* Puts what @from has into @bad as well, and calls @news for each that is news there. */
KUBE__CHECKED kube_code kube__bad_objects_merge(kube__bad_objects *bad,
                                                const kube__bad_objects *from,
                                                void (*news)(void *arg, kube_key key), void *arg,
                                                kube_error *err);
/* Exchanges what the two hold. */
void kube__bad_objects_swap(kube__bad_objects *a, kube__bad_objects *b);
/* Fills @err (may be NULL) with KUBE_ERR_UNDECODABLE, path and message of an object; returns false
 * if it is not there. */
bool kube__bad_objects_find(kube__bad_objects *bad, kube_key key, kube_error *err);
/* Calls @visit for each until it returns false. It must not come back here. */
void kube__bad_objects_each(kube__bad_objects *bad,
                            bool (*visit)(void *arg, kube_key key, const char *message), void *arg);

#endif /* KUBE_CACHE_BAD_OBJECTS_H */
