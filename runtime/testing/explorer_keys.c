/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queue between caches and reconcile (WQ-1, WQ-2, WQ-4), as a table of all keys there ever
 * were: a schedule has few.
 */
#include "base/text.h"
#include "explorer_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool kube__explored_is_ready(const kube__explored_key *key)
{
    return key->ready;
}

bool kube__explored_is_retry(const kube__explored_key *key)
{
    return key->retry;
}

bool kube__explored_is_timer(const kube__explored_key *key)
{
    return key->timer;
}

size_t kube__explorer_count(const kube_explorer *x, kube__explored_flag *flag)
{
    size_t count = 0;
    for (size_t i = 0; i < x->key_count; i++)
        count += flag(x->keys[i]);
    return count;
}

kube__explored_key *kube__explorer_nth(kube_explorer *x, kube__explored_flag *flag, size_t nth)
{
    for (size_t i = 0; i < x->key_count; i++) {
        if (flag(x->keys[i]) && nth-- == 0)
            return x->keys[i];
    }
    return NULL;
}

static kube__explored_key *find(kube_explorer *x, kube_key key)
{
    for (size_t i = 0; i < x->key_count; i++) {
        if (strcmp(x->keys[i]->namespace_, key.namespace_) == 0 &&
            strcmp(x->keys[i]->name, key.name) == 0)
            return x->keys[i];
    }
    return NULL;
}

static kube__explored_key *add(kube_explorer *x, kube_key key)
{
    kube__explored_key *added;
    if (x->key_count == x->key_capacity) {
        size_t capacity = x->key_capacity ? 2 * x->key_capacity : 16;
        kube__explored_key **keys = realloc(x->keys, capacity * sizeof *keys);
        if (!keys)
            return NULL;
        x->keys = keys;
        x->key_capacity = capacity;
    }
    added = calloc(1, sizeof *added);
    if (!added)
        return NULL;
    snprintf(added->namespace_, sizeof added->namespace_, "%s", key.namespace_);
    snprintf(added->name, sizeof added->name, "%s", key.name);
    x->keys[x->key_count++] = added;
    return added;
}

/* A resync is no news: it leaves the reason that nobody has seen yet. */
kube_code kube__explorer_add_key(kube_explorer *x, kube_key key, kube_reason_what what,
                                 const char *version, kube_error *err)
{
    const kube_key whole = {kube__text_or_empty(key.namespace_), key.name};
    kube__explored_key *entry = find(x, whole);
    if (!entry)
        entry = add(x, whole);
    if (!entry)
        return kube__explorer_no_memory(err);
    if (!entry->ready || what != KUBE_REASON_RESYNC) {
        entry->what = what;
        snprintf(entry->version, sizeof entry->version, "%s", kube__text_or_empty(version));
    }
    entry->ready = true;
    return KUBE_OK;
}

/* The controller's reference among the owners, if it is of the kind that is reconciled. */
static const kube_owner_reference *owner_of(const kube_explorer *x, const kube_object_meta *meta)
{
    const kube_type *type = x->what->for_;
    for (size_t i = 0; i < meta->owner_references.len; i++) {
        const kube_owner_reference *owner = &meta->owner_references.items[i];
        if (strcmp(kube__text_or_empty(owner->kind), type->kind) == 0 &&
            strcmp(kube__text_or_empty(owner->api_version), type->api_version) == 0)
            return owner;
    }
    return NULL;
}

kube_code kube__explorer_add_keys_of(kube_explorer *x, const kube__explored *kind,
                                     const kube_object *object, kube_reason_what what,
                                     kube_error *err)
{
    const kube_object_meta *meta = kube_object_metadata(object);
    const kube_owner_reference *owner;
    if (kind->is_for)
        return kube__explorer_add_key(x, (kube_key){meta->namespace_, meta->name}, what,
                                      meta->resource_version, err);
    owner = kind->owned ? owner_of(x, meta) : NULL;
    if (!owner)
        return KUBE_OK;
    return kube__explorer_add_key(
        x, (kube_key){x->what->for_->namespaced ? meta->namespace_ : "", owner->name}, what,
        meta->resource_version, err);
}

kube_code kube__explorer_add_all(kube_explorer *x, kube_reason_what what, kube_error *err)
{
    kube_code rc = KUBE_OK;
    for (size_t i = 0; i < x->kind_count; i++) {
        for (size_t j = 0; !rc && j < x->kinds[i].cached_len; j++)
            rc = kube__explorer_add_keys_of(x, &x->kinds[i], x->kinds[i].cached[j], what, err);
    }
    return rc;
}

void kube__explored_make_ready(kube__explored_key *key)
{
    if (!key->ready)
        key->what = key->retry ? KUBE_REASON_RETRY : KUBE_REASON_REQUEUE;
    key->ready = true;
    key->retry = false;
    key->timer = false;
}

static void settle(kube__explored_key *key, kube_code rc, const kube_result *result,
                   const kube_error *err)
{
    if (rc) {
        key->retry = true;
        key->attempts++;
        snprintf(key->failure, sizeof key->failure, "%.255s", err->message);
    } else {
        key->attempts = 0;
        key->timer = key->timer || result->requeue_after_ms > 0;
    }
}

void kube__explorer_run(kube_explorer *x, kube__explored_key *key)
{
    const char *slash = *key->namespace_ ? "/" : "";
    const kube_reason_what why = key->what;
    const kube_request request = {
        .key = {key->namespace_, key->name},
        .why = {.what = why,
                .old_version = "",
                .new_version = key->version,
                .changed = "",
                .kind = "",
                .object = {"", ""}},
        .attempt = key->attempts,
        .arg = x->what->arg,
    };
    kube_result result = {0};
    kube_error err = {0};
    kube_code rc;
    key->ready = false;
    x->runs++;
    rc = x->what->reconcile(x->run_ctx, &request, &result, &err);
    kube_ctx_reset(x->run_ctx);
    kube__explorer_step(x, "reconcile %s%s%s (%s)%s%s", key->namespace_, slash, key->name,
                        kube_reason_what_name(why), rc ? ": " : "", rc ? err.message : "");
    settle(key, rc, &result, &err);
}

void kube__explorer_forget_keys(kube_explorer *x)
{
    while (x->key_count)
        free(x->keys[--x->key_count]);
}
