/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "base/text.h"
#include "cache/selector.h"
#include "object/block/value.h"

#include <kube/predicate.h>
#include <stdlib.h>

bool kube_predicate_passes(const kube_predicate *predicate, const kube_change *change)
{
    return !predicate || predicate->passes(predicate, change);
}

bool kube_predicate_all(const kube_predicate *self, const kube_change *change)
{
    for (const kube_predicate *const *part = self->parts; part && *part; part++) {
        if (!kube_predicate_passes(*part, change))
            return false;
    }
    return true;
}

bool kube_predicate_any(const kube_predicate *self, const kube_change *change)
{
    for (const kube_predicate *const *part = self->parts; part && *part; part++) {
        if (kube_predicate_passes(*part, change))
            return true;
    }
    return false;
}

bool kube_predicate_none(const kube_predicate *self, const kube_change *change)
{
    return !kube_predicate_any(self, change);
}

/* Whether @change is an update of one object, whose states go to @old_meta and @new_meta. Adds and
 * deletes are not, nor is one that took the place of another of its name while nobody looked. */
static bool is_update(const kube_change *change, const kube_object_meta **old_meta,
                      const kube_object_meta **new_meta)
{
    if (!change->old_object || !change->new_object)
        return false;
    *old_meta = kube_object_metadata(change->old_object);
    *new_meta = kube_object_metadata(change->new_object);
    return *old_meta && *new_meta && kube__text_same((*old_meta)->uid, (*new_meta)->uid);
}

/* Work hangs on the end of an object: whoever has a finalizer in it has to hear of it. */
static bool is_ending(const kube_object_meta *old_meta, const kube_object_meta *new_meta)
{
    const kube_string_list *before = &old_meta->finalizers;
    const kube_string_list *now = &new_meta->finalizers;
    if (kube_time_compare(old_meta->deletion_timestamp, new_meta->deletion_timestamp) != 0 ||
        before->len != now->len)
        return true;
    for (size_t i = 0; i < now->len; i++) {
        if (strcmp(before->items[i], now->items[i]) != 0)
            return true;
    }
    return false;
}

static bool generation_changed(const kube_predicate *self, const kube_change *change)
{
    const kube_object_meta *old_meta;
    const kube_object_meta *new_meta;
    (void)self;
    if (!is_update(change, &old_meta, &new_meta))
        return true;
    if (kube_meta_same_version(old_meta, new_meta))
        return false;
    if (!old_meta->generation && !new_meta->generation)
        return true; /* a Kind that has none */
    return old_meta->generation != new_meta->generation || is_ending(old_meta, new_meta);
}

/* Absent and empty say the same here. */
static bool is_same_map(const kube_string_map *a, const kube_string_map *b)
{
    return a->len == b->len &&
           (a->len == 0 || kube__value_equal(KUBE_KIND_STRING_MAP, &kube__string_map_schema, a, b));
}

static bool labels_changed(const kube_predicate *self, const kube_change *change)
{
    const kube_object_meta *old_meta;
    const kube_object_meta *new_meta;
    (void)self;
    return !is_update(change, &old_meta, &new_meta) ||
           !is_same_map(&old_meta->labels, &new_meta->labels);
}

static bool annotations_changed(const kube_predicate *self, const kube_change *change)
{
    const kube_object_meta *old_meta;
    const kube_object_meta *new_meta;
    (void)self;
    return !is_update(change, &old_meta, &new_meta) ||
           !is_same_map(&old_meta->annotations, &new_meta->annotations);
}

static bool version_changed(const kube_predicate *self, const kube_change *change)
{
    const kube_object_meta *old_meta;
    const kube_object_meta *new_meta;
    (void)self;
    return !is_update(change, &old_meta, &new_meta) || !kube_meta_same_version(old_meta, new_meta);
}

const kube_predicate kube_generation_changed = {.passes = generation_changed};
const kube_predicate kube_labels_changed = {.passes = labels_changed};
const kube_predicate kube_annotations_changed = {.passes = annotations_changed};
const kube_predicate kube_version_changed = {.passes = version_changed};

/* ---- kinds of changes ------------------------------------------------------------------------ */

static bool is_added(const kube_predicate *self, const kube_change *change)
{
    (void)self;
    return !change->old_object;
}

static bool is_updated(const kube_predicate *self, const kube_change *change)
{
    (void)self;
    return change->old_object && change->new_object;
}

static bool is_deleted(const kube_predicate *self, const kube_change *change)
{
    (void)self;
    return !change->new_object;
}

const kube_predicate kube_when_added = {.passes = is_added};
const kube_predicate kube_when_updated = {.passes = is_updated};
const kube_predicate kube_when_deleted = {.passes = is_deleted};

/* ---- labels ---------------------------------------------------------------------------------- */

static bool has_labels(const kube__selector *selector, const kube_object *object)
{
    return object && kube__selector_matches(selector, &kube_object_metadata(object)->labels);
}

static bool matches_labels(const kube_predicate *self, const kube_change *change)
{
    return has_labels(self->arg, change->old_object) || has_labels(self->arg, change->new_object);
}

kube_code kube_label_predicate_new(const char *selector, kube_predicate **out, kube_error *err)
{
    kube__selector *parsed;
    kube_code rc = kube__selector_parse(selector, &parsed, err);
    *out = NULL;
    if (rc)
        return rc;
    *out = calloc(1, sizeof **out);
    if (!*out) {
        kube__selector_free(parsed);
        return kube__no_memory(err, "a predicate");
    }
    (*out)->passes = matches_labels;
    (*out)->arg = parsed;
    return KUBE_OK;
}

void kube_label_predicate_free(kube_predicate *predicate)
{
    if (predicate)
        kube__selector_free(predicate->arg);
    free(predicate);
}
