/* SPDX-License-Identifier: Apache-2.0 */
#include "flight.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/thread.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { RECORDS_DEFAULT = 256 };

struct kube_flight {
    kube__mutex mutex; /* held for a copy of one record at most */
    uint64_t count;
    size_t size;
    kube__flight_slot slots[];
};

kube_code kube_flight_new(size_t records, kube_flight **out, kube_error *err)
{
    size_t size = records ? records : RECORDS_DEFAULT;
    kube_flight *flight = NULL;
    kube_code rc;
    *out = NULL;
    if (size <= (SIZE_MAX - sizeof *flight) / sizeof flight->slots[0])
        flight = calloc(1, sizeof *flight + size * sizeof flight->slots[0]);
    if (!flight)
        return kube__no_memory(err, "a flight recorder of %zu records", size);
    flight->size = size;
    rc = kube__mutex_init(&flight->mutex, err);
    if (rc) {
        free(flight);
        return rc;
    }
    *out = flight;
    return KUBE_OK;
}

void kube_flight_free(kube_flight *flight)
{
    if (!flight)
        return;
    kube__mutex_fini(&flight->mutex);
    free(flight);
}

/* Cut at a character; without control characters, but for '\n' where @lines. A reconcile function
 * may have said anything: what is not UTF-8 becomes '?'. */
static const char *keep(char *to, size_t size, const char *from, bool lines)
{
    const char *text = kube__text_or_empty(from);
    size_t len = kube__utf8_cut(text, strlen(text), size - 1);
    memcpy(to, text, len);
    to[len] = '\0';
    kube__utf8_clean(to, '?');
    kube__utf8_flatten(to, lines);
    return to;
}

#define KEEP(array, from) keep((array), sizeof(array), (from), false)

static void fill(kube__flight_slot *slot, const kube_flight_record *record, uint64_t number)
{
    kube_flight_record *r = &slot->record;
    *r = *record;
    r->number = number;
    r->controller = KEEP(slot->controller, record->controller);
    r->key.namespace_ = KEEP(slot->namespace_, record->key.namespace_);
    r->key.name = KEEP(slot->name, record->key.name);
    r->why.old_version = KEEP(slot->old_version, record->why.old_version);
    r->why.new_version = KEEP(slot->new_version, record->why.new_version);
    r->why.changed = KEEP(slot->changed, record->why.changed);
    r->why.kind = KEEP(slot->kind, record->why.kind);
    r->why.object.namespace_ = KEEP(slot->object_namespace, record->why.object.namespace_);
    r->why.object.name = KEEP(slot->object_name, record->why.object.name);
    r->message = KEEP(slot->message, record->message);
    r->notes = keep(slot->notes, sizeof slot->notes, record->notes, true);
}

void kube_flight_enter(kube_flight *flight, const kube_flight_record *record)
{
    kube__lock(&flight->mutex);
    flight->count++;
    fill(&flight->slots[(flight->count - 1) % flight->size], record, flight->count);
    kube__unlock(&flight->mutex);
}

uint64_t kube_flight_count(const kube_flight *flight)
{
    uint64_t count;
    kube__lock(kube__mutable(&flight->mutex));
    count = flight->count;
    kube__unlock(kube__mutable(&flight->mutex));
    return count;
}

uint64_t kube__flight_oldest(kube_flight *flight)
{
    uint64_t count = kube_flight_count(flight);
    return count > flight->size ? count - flight->size + 1 : 1;
}

/* The strings of a copied slot are its own. */
static void point_to_own(kube__flight_slot *slot)
{
    kube_flight_record *r = &slot->record;
    r->controller = slot->controller;
    r->key = (kube_key){slot->namespace_, slot->name};
    r->why.old_version = slot->old_version;
    r->why.new_version = slot->new_version;
    r->why.changed = slot->changed;
    r->why.kind = slot->kind;
    r->why.object = (kube_key){slot->object_namespace, slot->object_name};
    r->message = slot->message;
    r->notes = slot->notes;
}

bool kube__flight_copy(kube_flight *flight, uint64_t number, kube__flight_slot *slot)
{
    const kube__flight_slot *from = &flight->slots[(number - 1) % flight->size];
    bool found;
    kube__lock(&flight->mutex);
    found = number && from->record.number == number;
    if (found)
        *slot = *from;
    kube__unlock(&flight->mutex);
    if (found)
        point_to_own(slot);
    return found;
}

/* A record that was overwritten meanwhile ends it: so were all before it. */
void kube_flight_each(kube_flight *flight,
                      bool (*visit)(void *arg, const kube_flight_record *record), void *arg)
{
    kube__flight_slot slot;
    for (uint64_t n = kube_flight_count(flight); n && kube__flight_copy(flight, n, &slot); n--) {
        if (!visit(arg, &slot.record))
            return;
    }
}
