/* SPDX-License-Identifier: Apache-2.0 */
#include "slots.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_COUNT = 16 };

void kube__slots_fini(kube__slots *slots)
{
    free(slots->items);
    memset(slots, 0, sizeof *slots);
}

static void place(kube__hash_slot *items, size_t mask, const kube__hash_slot *slot)
{
    size_t at = slot->hash & mask;
    while (items[at].mark)
        at = (at + 1) & mask;
    items[at] = *slot;
}

/* At most four fifths full: probes stay short without further bookkeeping. */
bool kube__slots_reserve(kube__slots *slots, size_t more)
{
    size_t count = slots->items ? slots->mask + 1 : FIRST_COUNT;
    kube__hash_slot *items;
    while (slots->used + more > count / 5 * 4)
        count *= 2;
    if (slots->items && count == slots->mask + 1)
        return true;
    items = calloc(count, sizeof *items);
    if (!items)
        return false;
    for (size_t i = 0; slots->items && i <= slots->mask; i++)
        if (slots->items[i].mark)
            place(items, count - 1, &slots->items[i]);
    free(slots->items);
    slots->items = items;
    slots->mask = count - 1;
    return true;
}

void kube__slots_add(kube__slots *slots, uint32_t hash, uint32_t id, const void *item)
{
    kube__hash_slot slot = {hash, id + 1, item};
    place(slots->items, slots->mask, &slot);
    slots->used++;
}

/* Closes the gap by moving later slots of the same run back, so that no tombstones pile up. */
void kube__slots_remove(kube__slots *slots, uint32_t hash, uint32_t id)
{
    size_t gap = hash & slots->mask;
    size_t at;
    while (slots->items[gap].mark && slots->items[gap].mark != id + 1)
        gap = (gap + 1) & slots->mask;
    if (!slots->items[gap].mark)
        return;
    slots->used--;
    for (at = (gap + 1) & slots->mask; slots->items[at].mark; at = (at + 1) & slots->mask) {
        size_t home = slots->items[at].hash & slots->mask;
        if (((at - home) & slots->mask) >= ((at - gap) & slots->mask)) {
            slots->items[gap] = slots->items[at];
            gap = at;
        }
    }
    slots->items[gap].mark = 0;
}
