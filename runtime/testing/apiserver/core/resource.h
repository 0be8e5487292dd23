/* SPDX-License-Identifier: Apache-2.0 */
/* One kind in one version as it is served. */
#ifndef KUBE_APISERVER_RESOURCE_H
#define KUBE_APISERVER_RESOURCE_H

#include "failure.h"

typedef struct kube__api_schema kube__api_schema;         /* what objects may hold, see schema.h */
typedef struct kube__api_collection kube__api_collection; /* the stored objects, see store.h */

typedef struct kube__api_column { /* of a Table */
    const char *name;
    const char *type;
    const char *format;
    const char *description;
    const char *json_path; /* ".spec.cidr"; NULL = made by code, see table.c */
    int32_t priority;
} kube__api_column;

typedef struct kube__api_scale { /* paths such as ".spec.replicas"; all NULL = no subresource */
    const char *spec_replicas;
    const char *status_replicas;
    const char *label_selector;
} kube__api_scale;

/* Immutable once in the registry; counted, because requests and watches outlive a CRD. Strings
 * are never NULL unless said. */
typedef struct kube__api_resource {
    const char *group; /* "" = core */
    const char *version;
    const char *plural;
    const char *singular;
    const char *kind;
    const char *list_kind;
    const char *const *short_names; /* NULL-terminated, as are the next two */
    const char *const *categories;
    const char *const *selectable_fields; /* "spec.gateway", besides metadata.name and namespace */
    bool namespaced;
    bool custom; /* of a CRD; false = built-in */
    bool review; /* create only, nothing is stored: SelfSubjectAccessReview … */
    bool has_status;
    kube__api_scale scale;
    const kube__api_column *columns;
    size_t column_count;
    const char *deprecation_warning; /* NULL = not deprecated */
    const char *zero; /* JSON that is sent of an object that has nothing; NULL = nothing is */
    const kube__api_schema *schema;
    const kube__json *crd;            /* the CRD that made it; NULL = built-in */
    kube__api_collection *collection; /* of all versions of this group and plural; NULL = review */
    kube_ctx *memory;                 /* what all of it lives in; freed with the last reference */
    unsigned refs;                    /* under the server's lock */
} kube__api_resource;

kube__api_resource *kube__api_resource_ref(kube__api_resource *resource);
void kube__api_resource_unref(kube__api_resource *resource);
/* "networks.samplecrd.k8s.io", "pods": in the ctx. */
const char *kube__api_resource_qualified(kube_ctx *ctx, const kube__api_resource *resource);
/* "samplecrd.k8s.io/v1", "v1". */
const char *kube__api_resource_api_version(kube_ctx *ctx, const kube__api_resource *resource);

#endif /* KUBE_APISERVER_RESOURCE_H */
