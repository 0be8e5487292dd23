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

#endif /* LIB_COMMON_H */
