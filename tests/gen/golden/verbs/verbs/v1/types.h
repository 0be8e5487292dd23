/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=verbs.example.org
#ifndef VERBS_V1_TYPES_H
#define VERBS_V1_TYPES_H

#include <kube/meta.h>

/** Has a status. */
typedef struct verbs_v1_part {
    const char *text;
} verbs_v1_part;

/** Every verb. */
// +genclient
typedef struct verbs_v1_full {
    kube_object base;
    kube_object_meta metadata;
    verbs_v1_part status;
} verbs_v1_full;

/** No verb of status, although it has one. */
// +genclient
// +genclient:noStatus
// +genclient:skipVerbs=deleteCollection,patch,apply
typedef struct verbs_v1_skipping {
    kube_object base;
    kube_object_meta metadata;
    verbs_v1_part status;
} verbs_v1_skipping;

// +genclient
// +genclient:readonly
typedef struct verbs_v1_reader {
    kube_object base;
    kube_object_meta metadata;
} verbs_v1_reader;

/** Neither lister nor informer: nothing lists it. */
// +genclient
// +genclient:onlyVerbs=create
typedef struct verbs_v1_review {
    kube_object base;
    kube_object_meta metadata;
    verbs_v1_part spec;
} verbs_v1_review;

/** Data only. */
// +genclient
// +genclient:noVerbs
typedef struct verbs_v1_silent {
    kube_object base;
    kube_object_meta metadata;
} verbs_v1_silent;

#endif /* VERBS_V1_TYPES_H */
