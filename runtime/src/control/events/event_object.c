/* SPDX-License-Identifier: Apache-2.0 */
#include "event_object.h"

#include "base/ascii.h"
#include "base/random.h"
#include "base/text.h"

#include <kube/object.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a copy in one block ------------------------------------------------------------------- */

/* Texts one behind the other; while @at is NULL they are only measured. */
typedef struct packer {
    char *at;
    size_t size;
} packer;

static const char *put(packer *p, const char *text)
{
    size_t size;
    char *copy = p->at;
    text = kube__text_or_empty(text);
    size = strlen(text) + 1;
    p->size += size;
    if (!copy)
        return NULL;
    memcpy(copy, text, size);
    p->at += size;
    return copy;
}

/* Absent where it is empty. */
static const char *put_optional(packer *p, const char *text)
{
    return text && *text ? put(p, text) : NULL;
}

const char *kube_event_type_name(kube_event_type type)
{
    return type == KUBE_EVENT_NORMAL ? "Normal" : type == KUBE_EVENT_WARNING ? "Warning" : "";
}

static kube__wire_object_reference put_reference(packer *p, const kube_object *object)
{
    const kube_object_meta *meta = kube_object_metadata(object);
    return (kube__wire_object_reference){
        .api_version = object->type->api_version,
        .kind = object->type->kind,
        .namespace_ = put_optional(p, meta->namespace_),
        .name = put_optional(p, meta->name),
        .uid = put_optional(p, meta->uid),
        .resource_version = put_optional(p, meta->resource_version),
    };
}

static void put_note(packer *p, kube__event *event, const kube_event_note *note, const char *action,
                     const char *message)
{
    event->regarding = put_reference(p, note->regarding);
    if (note->related)
        event->related = put_reference(p, note->related);
    event->type = kube_event_type_name(note->type);
    event->reason = put(p, note->reason);
    event->action = put(p, action);
    event->message = put(p, message);
    for (size_t i = 0; i < note->annotations.len; i++) {
        const char *key = put(p, note->annotations.items[i].key);
        const char *value = put(p, note->annotations.items[i].value);
        if (p->at)
            event->annotations.items[i] = (kube_string_map_entry){key, value};
    }
}

kube__event *kube__event_new(kube_clock *clock, const kube_event_note *note, const char *action,
                             const char *message)
{
    size_t map_size = note->annotations.len * sizeof(kube_string_map_entry);
    kube__event scratch = {0};
    packer measure = {0};
    packer p = {0};
    kube__event *event;
    put_note(&measure, &scratch, note, action, message);
    event = calloc(1, sizeof *event + measure.size);
    if (!event)
        return NULL;
    if (map_size) {
        event->annotations.items = malloc(map_size);
        event->annotations.len = note->annotations.len;
        if (!event->annotations.items) {
            free(event);
            return NULL;
        }
    }
    p.at = event->text;
    put_note(&p, event, note, action, message);
    event->wall_ns = clock->wall_ns(clock);
    event->now_ns = clock->now_ns(clock);
    event->first_ns = event->wall_ns;
    event->last_ns = event->wall_ns;
    event->count = 1;
    event->refs = 1;
    return event;
}

kube__event *kube__event_ref(kube__event *event)
{
    event->refs++;
    return event;
}

void kube__event_unref(kube__event *event)
{
    if (!event || --event->refs)
        return;
    free(event->annotations.items);
    free(event);
}

/* ---- names --------------------------------------------------------------------------------- */

/* Labels of letters, digits and '-' inside, joined by '.'. */
static bool is_dns_subdomain(const char *name)
{
    char before = '.';
    for (; *name; before = *name++) {
        bool at_border = before == '.' || name[1] == '.' || !name[1];
        if (*name == '.'
                ? before == '.'
                : !kube__is_lower(*name) && !kube__is_digit(*name) && (*name != '-' || at_border))
            return false;
    }
    return before != '.';
}

void kube__event_set_name(kube__event *event, int64_t stamp_ns)
{
    int len = snprintf(event->name, sizeof event->name, "%s.%llx",
                       kube__text_or_empty(event->regarding.name), (unsigned long long)stamp_ns);
    if (len < 0 || (size_t)len >= sizeof event->name || !is_dns_subdomain(event->name))
        kube__random_uuid(kube__random_seed(), kube__random_seed(), event->name);
}

const char *kube__event_namespace(const kube__event *event)
{
    return event->regarding.namespace_ ? event->regarding.namespace_ : "default";
}
