/* SPDX-License-Identifier: Apache-2.0 */
/* Server-side apply, and who owns which field (metadata.managedFields, fieldsV1). */
#ifndef KUBE_APISERVER_MANAGED_FIELDS_H
#define KUBE_APISERVER_MANAGED_FIELDS_H

#include "apiserver/core/resource.h"

typedef struct kube__api_manager {
    const char *name;                   /* field manager */
    const char *api_version;            /* of the request's object */
    const char *subresource;            /* "" = none */
    const char *time;                   /* RFC 3339, now */
    bool force;                         /* apply only: take conflicting fields over */
    const kube__api_resource *resource; /* says which parts the request cannot set, so that nobody
                                           gets to own them; NULL = it says nothing of that */
    bool is_new; /* it is a create, and @live an empty object: what is not set is not owned */
} kube__api_manager;

/*
 * Merges @config into @live (NULL = it does not exist yet) and records what the manager owns; what
 * it owned and does not name any more, and nobody else owns, goes. 409 with a cause
 * FieldManagerConflict for each field another manager owns with another value, unless forced.
 * @live and @config are not changed. Defaults are applied by the caller afterwards.
 * @unchanged: the result is @live but for time stamps, nothing need be written.
 */
kube__api_failure *kube__api_apply(kube_ctx *ctx, const kube__api_schema *schema,
                                   const kube__json *live, const kube__json *config,
                                   const kube__api_manager *manager, kube__json **out,
                                   bool *unchanged);
/*
 * After a create (@live NULL), update or other patch: sets @object's managedFields from those of
 * @live (or those the client sent, when it changed them: an empty list forgets all), giving the
 * manager operation Update on all it changed and taking these from the others.
 */
kube__api_failure *kube__api_track(kube_ctx *ctx, const kube__api_schema *schema,
                                   const kube__json *live, kube__json *object,
                                   const kube__api_manager *manager);
/* When @object differs from @live in times of managedFields alone, takes those of @live. */
void kube__api_keep_times(kube_ctx *ctx, const kube__json *live, kube__json *object);
/* The manager's name when the request gives none: the User-Agent up to the first '/'. */
const char *kube__api_default_manager(kube_ctx *ctx, const char *user_agent);

#endif /* KUBE_APISERVER_MANAGED_FIELDS_H */
