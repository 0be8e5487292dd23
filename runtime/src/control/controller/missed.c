/* SPDX-License-Identifier: Apache-2.0 */
#include "missed.h"

#include <stdlib.h>

kube_code kube__missed_book_init(kube__missed_book *book, _Atomic size_t *count, kube_error *err)
{
    book->first = NULL;
    book->count = count;
    return kube__key_table_init(&book->nodes, err);
}

static void take_out(kube__missed_book *book, kube__missed *missed)
{
    kube__key_table_remove(&book->nodes, &missed->node);
    if (missed->next)
        missed->next->previous = missed->previous;
    if (missed->previous)
        missed->previous->next = missed->next;
    else
        book->first = missed->next;
    atomic_fetch_sub_explicit(book->count, 1, memory_order_relaxed);
}

void kube__missed_book_clear(kube__missed_book *book)
{
    while (book->first) {
        kube__missed *missed = book->first;
        take_out(book, missed);
        kube__missed_free(missed);
    }
}

void kube__missed_book_fini(kube__missed_book *book)
{
    kube__missed_book_clear(book);
    kube__key_table_fini(&book->nodes);
}

kube_key kube__change_key(const kube_change *change)
{
    const kube_object *object = change->new_object ? change->new_object : change->old_object;
    return kube_meta_key(kube_object_metadata(object));
}

kube__missed *kube__missed_new(const kube_change *change)
{
    kube__missed *missed = kube__keynode_new(sizeof *missed, kube__change_key(change));
    if (!missed)
        return NULL;
    missed->change = *change;
    kube_object_ref(change->old_object);
    kube_object_ref(change->new_object);
    return missed;
}

void kube__missed_free(kube__missed *missed)
{
    if (!missed)
        return;
    kube_object_unref(missed->change.old_object);
    kube_object_unref(missed->change.new_object);
    free(missed);
}

void kube__missed_fold(kube__missed *missed, const kube_change *then)
{
    const kube_object *old_object = missed->change.old_object;
    if (!old_object && !then->new_object)
        old_object = kube_object_ref(then->old_object);
    kube_object_ref(then->new_object);
    kube_object_unref(missed->change.new_object);
    missed->change = *then;
    missed->change.old_object = old_object;
}

bool kube__missed_cancels(const kube__missed *missed, const kube_change *then)
{
    return !missed->passed && !missed->change.old_object && !then->new_object;
}

/* Makes one of two changes of an object. */
static kube__missed *join(kube__missed *missed, kube__missed *then)
{
    kube__missed_fold(missed, &then->change);
    if (then->attempts > missed->attempts)
        missed->attempts = then->attempts;
    kube__missed_free(then);
    return missed;
}

void kube__missed_put(kube__missed_book *book, kube__missed *missed, bool is_newest)
{
    kube__missed *other = kube__missed_take(book, missed->node.key);
    if (other)
        missed = is_newest ? join(other, missed) : join(missed, other);
    kube__key_table_insert(&book->nodes, &missed->node);
    missed->previous = NULL;
    missed->next = book->first;
    if (missed->next)
        missed->next->previous = missed;
    book->first = missed;
    atomic_fetch_add_explicit(book->count, 1, memory_order_relaxed);
}

kube__missed *kube__missed_take(kube__missed_book *book, kube_key key)
{
    kube__missed *missed = kube__key_table_find(&book->nodes, key);
    if (missed)
        take_out(book, missed);
    return missed;
}

kube__missed *kube__missed_take_due(kube__missed_book *book, int64_t now_ns)
{
    kube__missed *due = NULL;
    kube__missed *next;
    for (kube__missed *missed = book->first; missed; missed = next) {
        next = missed->next;
        if (missed->due_ns > now_ns)
            continue;
        take_out(book, missed);
        missed->next = due;
        due = missed;
    }
    return due;
}

int64_t kube__missed_next_due(const kube__missed_book *book)
{
    int64_t next = INT64_MAX;
    for (const kube__missed *missed = book->first; missed; missed = missed->next) {
        if (missed->due_ns < next)
            next = missed->due_ns;
    }
    return next;
}
