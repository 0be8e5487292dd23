/* SPDX-License-Identifier: Apache-2.0 */
#include "missed.h"

#include <stdlib.h>
#include <string.h>

kube_code kube__missed_book_init(kube__missed_book *book, _Atomic size_t *count, kube_error *err)
{
    memset(book->lines, 0, sizeof book->lines);
    book->count = count;
    return kube__key_table_init(&book->nodes, err);
}

static void take_out(kube__missed_book *book, kube__missed *missed)
{
    kube__missed_line *line = &book->lines[missed->line];
    kube__key_table_remove(&book->nodes, &missed->node);
    *(missed->next ? &missed->next->previous : &line->last) = missed->previous;
    *(missed->previous ? &missed->previous->next : &line->first) = missed->next;
    atomic_fetch_sub_explicit(book->count, 1, memory_order_relaxed);
}

void kube__missed_book_clear(kube__missed_book *book)
{
    kube__missed *missed = kube__missed_take_due(book, INT64_MAX);
    while (missed) {
        kube__missed *next = missed->next;
        kube__missed_free(missed);
        missed = next;
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

/* At the end of its line, but for one whose time was set before that of others was. */
static void enter(kube__missed_book *book, kube__missed *missed)
{
    kube__missed_line *line;
    missed->line = 0;
    if (missed->due_ns > 0)
        missed->line = missed->attempts < KUBE__MISSED_LINES - 2 ? 1 + (unsigned)missed->attempts
                                                                 : KUBE__MISSED_LINES - 1;
    line = &book->lines[missed->line];
    missed->next = NULL;
    missed->previous = line->last;
    while (missed->previous && missed->previous->due_ns > missed->due_ns) {
        missed->next = missed->previous;
        missed->previous = missed->next->previous;
    }
    *(missed->next ? &missed->next->previous : &line->last) = missed;
    *(missed->previous ? &missed->previous->next : &line->first) = missed;
}

void kube__missed_put(kube__missed_book *book, kube__missed *missed, bool is_newest)
{
    kube__missed *other = kube__missed_take(book, missed->node.key);
    if (other)
        missed = is_newest ? join(other, missed) : join(missed, other);
    kube__key_table_insert(&book->nodes, &missed->node);
    enter(book, missed);
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
    kube__missed **last = &due;
    kube__missed *missed;
    for (size_t i = 0; i < KUBE__MISSED_LINES; i++) {
        while ((missed = book->lines[i].first) != NULL && missed->due_ns <= now_ns) {
            take_out(book, missed);
            missed->next = NULL;
            *last = missed;
            last = &missed->next;
        }
    }
    return due;
}

int64_t kube__missed_next_due(const kube__missed_book *book)
{
    int64_t next = INT64_MAX;
    for (size_t i = 0; i < KUBE__MISSED_LINES; i++) {
        const kube__missed *missed = book->lines[i].first;
        if (missed && missed->due_ns < next)
            next = missed->due_ns;
    }
    return next;
}
