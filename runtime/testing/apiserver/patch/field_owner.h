/* SPDX-License-Identifier: Apache-2.0 */
/* metadata.managedFields as it is worked with: who owns which fields. */
#ifndef KUBE_APISERVER_MANAGERS_H
#define KUBE_APISERVER_MANAGERS_H

#include "managed_fields.h"
#include "typed.h"

typedef struct kube__owner kube__owner;
struct kube__owner {
    const char *name;
    const char *api_version;
    const char *subresource; /* "" = none */
    const char *time;        /* may be NULL */
    bool applied;
    kube__field_set fields;
    kube__owner *next;
};

typedef struct kube__owners {
    kube__owner *first;
} kube__owners;

/* False when an entry cannot be understood (@out is empty then) or if out of memory. */
bool kube__owners_read(kube_ctx *ctx, const kube__json *entries, kube__owners *out);
/* The owner that a manager's request is filed under; it is made if missing. Returns NULL if out of
 * out. */
kube__owner *kube__owners_ensure(kube_ctx *ctx, kube__owners *owners,
                                 const kube__api_manager *manager, bool applied);
/* Forgets owners of nothing. */
void kube__owners_drop_empty(kube__owners *owners);
/* No more than ten that updated: the oldest become "ancient-changes". */
void kube__owners_cap(kube_ctx *ctx, kube__owners *owners);

/* What is in every object and nobody owns: kind, metadata.name … */
kube__field_set kube__owners_strip(kube_ctx *ctx, kube__field_set fields);
/* Fields without what the manager's request cannot set. */
kube__field_set kube__owners_filter(kube_ctx *ctx, kube__field_set fields,
                                    const kube__api_manager *manager);
/* An object without its managedFields, a copy; an empty one for NULL. */
kube__json *kube__owners_bare(kube_ctx *ctx, const kube__json *object);
void kube__owners_set(kube_ctx *ctx, kube__json *object, kube__owners owners);
/* Tracks what an update from @before to @after changed; both without managedFields. */
void kube__owners_update(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *before,
                         const kube__json *after, const kube__api_manager *manager,
                         kube__owners *owners);

#endif /* KUBE_APISERVER_MANAGERS_H */
