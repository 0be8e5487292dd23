/* SPDX-License-Identifier: Apache-2.0 */
#include "journal_load.h"

#include "apiserver/core/apiserver.h"
#include "apiserver/crd/crd.h"
#include "apiserver/registry/registry.h"
#include "apiserver/store/journal_file.h"
#include "apiserver/store/store.h"

#include <kube/log.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    kube__record record; /* points into the file's contents */
    size_t index;        /* in the file */
} entry;

typedef struct loading {
    kube_apiserver *server;
    entry *entries;
    size_t len;
    size_t size;
} loading;

static bool keep(void *arg, const kube__record *record)
{
    loading *l = arg;
    if (l->len == l->size) {
        size_t size = l->size ? l->size * 2 : 256;
        entry *grown = realloc(l->entries, size * sizeof *grown);
        if (!grown)
            return false;
        l->entries = grown;
        l->size = size;
    }
    l->entries[l->len] = (entry){*record, l->len};
    l->len++;
    return true;
}

/* By object, those of one in the order they were written; what drops a collection comes first of
 * it, for it names no object. */
static int by_object(const void *a, const void *b)
{
    const entry *left = a;
    const entry *right = b;
    int order = strcmp(left->record.group, right->record.group);
    if (!order)
        order = strcmp(left->record.plural, right->record.plural);
    if (!order)
        order = strcmp(left->record.namespace_, right->record.namespace_);
    if (!order)
        order = strcmp(left->record.name, right->record.name);
    return order ? order : left->index < right->index ? -1 : 1;
}

static bool same_collection(const kube__record *a, const kube__record *b)
{
    return strcmp(a->group, b->group) == 0 && strcmp(a->plural, b->plural) == 0;
}

static bool same_object(const kube__record *a, const kube__record *b)
{
    return same_collection(a, b) && strcmp(a->namespace_, b->namespace_) == 0 &&
           strcmp(a->name, b->name) == 0;
}

/* A served version of what a record is of; NULL = its CRD is gone. */
static const kube__api_resource *resource_of(const kube_apiserver *server,
                                             const kube__record *record)
{
    kube__api_resource *resource;
    for (size_t i = 0; (resource = kube__api_registry_at(server->registry, i)); i++)
        if (strcmp(resource->group, record->group) == 0 &&
            strcmp(resource->plural, record->plural) == 0)
            return resource;
    return NULL;
}

static bool is_definition(const kube__record *record)
{
    return strcmp(record->group, "apiextensions.k8s.io") == 0 &&
           strcmp(record->plural, "customresourcedefinitions") == 0;
}

static bool serve(kube_apiserver *server, const kube__record *record)
{
    kube_ctx *ctx = kube_ctx_new();
    kube__json *crd =
        ctx ? kube__json_parse(ctx, record->text, record->len, NULL, NULL, NULL) : NULL;
    bool done = crd && kube__api_crd_serve(server, ctx, crd, NULL);
    kube_ctx_free(ctx);
    return done;
}

static bool restore(kube_apiserver *server, const kube__record *record)
{
    const kube__api_resource *resource = resource_of(server, record);
    if (!resource || !resource->collection)
        return true;
    return kube__api_store_restore(server->store, resource->collection, record->text, record->len,
                                   resource->selectable_fields) &&
           (!is_definition(record) || serve(server, record));
}

/* The last state of each object, of CRDs or of all else. */
static bool restore_all(const loading *l, bool definitions)
{
    const entry *drop = NULL;
    for (size_t i = 0; i < l->len; i++) {
        const entry *e = &l->entries[i];
        if (e->record.type == KUBE__RECORD_DROP)
            drop = e;
        bool last = i + 1 == l->len || !same_object(&e->record, &l->entries[i + 1].record);
        bool dropped = drop && same_collection(&drop->record, &e->record) && drop->index > e->index;
        if (last && !dropped && e->record.type == KUBE__RECORD_PUT &&
            is_definition(&e->record) == definitions && !restore(l->server, &e->record))
            return false;
    }
    return true;
}

/* A torn frame is of a request that was not answered, but who looks for its object is to know. */
static void warn_of_torn(size_t len, size_t good)
{
    if (len > good)
        kube_log_warn("data file: the last %zu bytes are no whole record: left out", len - good);
}

kube_code kube__journal_load(kube_apiserver *server, const char *data, size_t len, kube_error *err)
{
    loading l = {.server = server};
    size_t good;
    uint64_t version;
    kube_code rc = kube__journal_read(data, len, keep, &l, &good, &version, err);
    if (!rc) {
        warn_of_torn(len, good);
        if (l.len)
            qsort(l.entries, l.len, sizeof *l.entries, by_object);
        if (!restore_all(&l, true) || !restore_all(&l, false))
            rc = kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory");
        else if (version > kube__api_store_version(server->store))
            kube__api_store_set_version(server->store, version);
    }
    free(l.entries);
    return rc;
}
