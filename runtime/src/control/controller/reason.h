/* SPDX-License-Identifier: Apache-2.0 */
/* Remembers why keys shall run. It is apart from the queue, which has one entry for a key, however
 * many events there were. */
#ifndef KUBE_CONTROL_REASON_H
#define KUBE_CONTROL_REASON_H

#include "base/thread.h"
#include "control/queue/key_table.h"

#include <kube/predicate.h>
#include <kube/reason.h>

/* What is known of one key: at most a few objects' events. */
typedef struct kube__reason_node kube__reason_node;

typedef struct kube__reason_book {
    kube__mutex mutex;
    kube__key_table nodes;
    kube__reason_node *first; /* all of them */
} kube__reason_book;

KUBE__CHECKED kube_code kube__reason_book_init(kube__reason_book *book, kube_error *err);
void kube__reason_book_fini(kube__reason_book *book);

/* Changed paths of an update; "" and 0 when nothing that says something changed. */
enum { KUBE__CHANGED_MAX = 256 };
typedef struct kube__changed {
    char text[KUBE__CHANGED_MAX]; /* the first ones, separated by commas */
    unsigned count;               /* of those */
    unsigned more;                /* for which there was no room */
} kube__changed;
void kube__changed_paths(const kube_change *change, kube__changed *changed);

/*
 * Notes that @key is to run for @change, whose paths are @changed; both NULL = for an enqueue.
 * Events of one object are folded; a resync and an enqueue are no news, so they do not take the
 * place of what no run has seen yet. A reason that memory does not suffice for costs only the
 * explanation.
 */
void kube__reason_note(kube__reason_book *book, kube_key key, const kube_change *change,
                       const kube__changed *changed);
/* Takes what is known of @key out: the caller's, to be freed or put back. NULL = nothing. */
kube__reason_node *kube__reason_take(kube__reason_book *book, kube_key key);
/* Puts it back below what was noted since. @node NULL allowed. */
void kube__reason_put_back(kube__reason_book *book, kube__reason_node *node);
void kube__reason_free(kube__reason_node *node);
/* What it says; @node NULL = nothing happened, and the run is @otherwise. Strings are the node's.
 */
kube_reason kube__reason_of(const kube__reason_node *node, kube_reason_what otherwise);

/* kube_reason_text() as snprintf() does it. */
enum { KUBE__REASON_TEXT = 1024 };
size_t kube__reason_format(const kube_reason *why, char *text, size_t size);

#endif /* KUBE_CONTROL_REASON_H */
