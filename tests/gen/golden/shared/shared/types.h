/* SPDX-License-Identifier: Apache-2.0 */
/* Structs that several groups share: no API itself. */
// +prefix=shared
#ifndef SHARED_TYPES_H
#define SHARED_TYPES_H

#include <kube/meta.h>

#define SHARED_MODE_FAST "Fast"
#define SHARED_MODE_SLOW "Slow"

/** Closed range. */
typedef struct shared_range {
    // +kubebuilder:validation:Minimum=0
    int64_t first;
    int64_t last;
    // +enum=SHARED_MODE
    // +optional
    const char *mode;
} shared_range;
KUBE_DECLARE_LIST(shared_range);
KUBE_DECLARE_MAP(shared_range);

/** What is made of ranges. */
typedef struct shared_area {
    shared_range_list ranges;
    shared_range *best;
} shared_area;

#endif /* SHARED_TYPES_H */
