/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A handler that keeps, from what it is told alone, the set of objects that should exist. What does
 * not fit (an add of something known, an update or delete of something unknown or of another
 * version than the last) is remembered as a fault.
 */
#ifndef TESTS_CONFORMANCE_MIRROR_H
#define TESTS_CONFORMANCE_MIRROR_H

#include <pthread.h>
#include <samplecrd/v1/api.h>

enum { MIRROR_BUCKETS = 16384, MIRROR_FAULT_MAX = 256 };

typedef struct mirror_entry mirror_entry;

typedef struct mirror {
    pthread_mutex_t mutex;
    mirror_entry *buckets[MIRROR_BUCKETS];
    size_t len;
    size_t adds;
    size_t initial_adds; /* among them */
    size_t updates;      /* to another version */
    size_t repeats;      /* of the same version */
    size_t deletes;
    size_t tombstones; /* among them: the delete itself was missed */
    size_t replaced;   /* updates to another object of that name */
    char fault[MIRROR_FAULT_MAX];
} mirror;

/* Its handler; arg is the mirror. */
extern const samplecrd_v1_network_handler mirror_handler;

mirror *mirror_new(void);
/* After its handler was removed. NULL allowed. */
void mirror_free(mirror *m);

/* A copy of the numbers. */
typedef struct mirror_counts {
    size_t len;
    size_t adds;
    size_t initial_adds;
    size_t updates;
    size_t repeats;
    size_t deletes;
    size_t tombstones;
    size_t replaced;
} mirror_counts;
mirror_counts mirror_count(mirror *m);
/* "" = none. */
const char *mirror_fault(mirror *m);
/* Whether it knows just that version of that object. */
bool mirror_has(mirror *m, const samplecrd_v1_network *object);

#endif /* TESTS_CONFORMANCE_MIRROR_H */
