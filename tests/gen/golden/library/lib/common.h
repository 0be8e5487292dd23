/* SPDX-License-Identifier: Apache-2.0 */
/* Structs that several APIs share: no API itself. */
// +prefix=lib
#ifndef LIB_COMMON_H
#define LIB_COMMON_H

#include <kube/meta.h>

/** Closed range. */
typedef struct lib_range {
    int64_t first;
    int64_t last;
} lib_range;

/** An object: its kube_type is written by hand. */
typedef struct lib_lock {
    kube_object base;
    kube_object_meta metadata;
    lib_range range;
    kube_extra extra;
} lib_lock;

#endif /* LIB_COMMON_H */
