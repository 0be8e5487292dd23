/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes that wait: those that came while the controller did not run, and those whose map function
 * failed. All changes of one object are kept as one, from the first old state to the last new one,
 * so there are never more of them than objects in the cache now and when the controller stopped.
 */
#ifndef KUBE_CONTROL_MISSED_H
#define KUBE_CONTROL_MISSED_H

#include "control/queue/key_table.h"

#include <kube/predicate.h>
#include <stdatomic.h>

typedef struct kube__missed {
    kube__keynode node;        /* by the object's key */
    struct kube__missed *next; /* in its line */
    struct kube__missed *previous;
    unsigned line;
    kube_change change; /* has references to its objects */
    bool passed;        /* its predicate has let it pass */
    int attempts;       /* of the map function that failed */
    int64_t due_ns;     /* of the next attempt; 0 = now */
} kube__missed;

/* Those that have failed equally often wait equally long: they are due in the order in which they
 * came. */
typedef struct kube__missed_line {
    kube__missed *first;
    kube__missed *last;
} kube__missed_line;

enum { KUBE__MISSED_LINES = 16 };

/* It has no lock; its owner must lock it. */
typedef struct kube__missed_book {
    kube__key_table nodes;
    kube__missed_line lines[KUBE__MISSED_LINES]; /* of those due now, and by attempts */
    _Atomic size_t *count;                       /* of this and other books */
} kube__missed_book;

KUBE__CHECKED kube_code kube__missed_book_init(kube__missed_book *book, _Atomic size_t *count,
                                               kube_error *err);
void kube__missed_book_clear(kube__missed_book *book);
void kube__missed_book_fini(kube__missed_book *book);
/* The key of the object that changed. */
kube_key kube__change_key(const kube_change *change);
/* Returns NULL if out of memory. */
kube__missed *kube__missed_new(const kube_change *change);
void kube__missed_free(kube__missed *missed); /* NULL allowed */
/* Makes @missed tell of @then, which came after it. */
void kube__missed_fold(kube__missed *missed, const kube_change *then);
/* Whether @missed and @then together are nothing: an object that came and went. */
bool kube__missed_cancels(const kube__missed *missed, const kube_change *then);
/* Enters @missed, which the book owns from then on. What the book has of the same object came
 * before
 * @missed if that is the newest change, and after it otherwise. */
void kube__missed_put(kube__missed_book *book, kube__missed *missed, bool is_newest);
/* Takes the changes of an object out; NULL = there are none. */
kube__missed *kube__missed_take(kube__missed_book *book, kube_key key);
/* Takes all that are due out, as a chain by `next`. */
kube__missed *kube__missed_take_due(kube__missed_book *book, int64_t now_ns);
/* When the next one is due; INT64_MAX = never. */
int64_t kube__missed_next_due(const kube__missed_book *book);

#endif /* KUBE_CONTROL_MISSED_H */
