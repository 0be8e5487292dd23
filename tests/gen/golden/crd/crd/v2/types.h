/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=crd.example.org
#ifndef CRD_V2_TYPES_H
#define CRD_V2_TYPES_H

#include <kube/meta.h>

/** Widget in its second version. */
// +genclient
typedef struct crd_v2_widget {
    kube_object base;
    kube_object_meta metadata;
    kube_raw_json spec;
} crd_v2_widget;

#endif /* CRD_V2_TYPES_H */
