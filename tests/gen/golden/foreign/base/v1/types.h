/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=base.example.org
#ifndef BASE_V1_TYPES_H
#define BASE_V1_TYPES_H

#include <kube/meta.h>

/** Where something is. */
typedef struct base_v1_place {
    const char *zone;
} base_v1_place;
KUBE_DECLARE_LIST(base_v1_place);

#endif /* BASE_V1_TYPES_H */
