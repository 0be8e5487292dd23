/* SPDX-License-Identifier: Apache-2.0 */
/* metadata.managedFields as it is worked with: who owns which fields. */
#ifndef KUBE_APISERVER_FIELD_OWNER_H
#define KUBE_APISERVER_FIELD_OWNER_H

#include "managed_fields.h"
#include "typed.h"

typedef struct kube__field_owner kube__field_owner;
struct kube__field_owner {
    const char *name;
    const char *api_version;
    const char *subresource; /* "" = none */
    const char *time;        /* may be NULL */
    bool applied;
    kube__field_set fields;
    kube__field_owner *next;
};

typedef struct kube__field_owners {
    kube__field_owner *first;
} kube__field_owners;

/* False when an entry cannot be understood (@out is empty then) or if out of memory. */
bool kube__field_owners_read(kube_ctx *ctx, const kube__json *entries, kube__field_owners *out);
/* The owner that a manager's request is filed under; it is made if missing. Returns NULL if out of
 * memory. */
kube__field_owner *kube__field_owners_ensure(kube_ctx *ctx, kube__field_owners *owners,
                                             const kube__api_manager *manager, bool applied);
/* Forgets owners of nothing. */
void kube__field_owners_drop_empty(kube__field_owners *owners);
/* No more than ten that updated: the oldest become "ancient-changes". */
void kube__field_owners_cap(kube_ctx *ctx, kube__field_owners *owners);

/* What is in every object and nobody owns: kind, metadata.name … */
kube__field_set kube__field_owners_strip(kube_ctx *ctx, kube__field_set fields);
/* Fields without what the manager's request cannot set. */
kube__field_set kube__field_owners_filter(kube_ctx *ctx, kube__field_set fields,
                                          const kube__api_manager *manager);
/* An object without its managedFields, a copy; an empty one for NULL. */
kube__json *kube__field_owners_bare(kube_ctx *ctx, const kube__json *object);
void kube__field_owners_set(kube_ctx *ctx, kube__json *object, kube__field_owners owners);
/* Tracks what an update from @before to @after changed; both without managedFields. */
void kube__field_owners_update(kube_ctx *ctx, const kube__api_schema *schema,
                               const kube__json *before, const kube__json *after,
                               const kube__api_manager *manager, kube__field_owners *owners);

#endif /* KUBE_APISERVER_FIELD_OWNER_H */
