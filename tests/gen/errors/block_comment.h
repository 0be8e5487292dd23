/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

/**
 * A thing.
 * +genclient
 */
typedef struct errors_v1_thing {
    /* +optional */
    int32_t x;
    /// +optional
    int32_t y;
} errors_v1_thing;

#endif
/* expect:
9:4: error: a marker in a block comment is not read: write it as a line '// +genclient'
12:8: error: a marker in a block comment is not read: write it as a line '// +optional'
14:9: error: a marker in a '///' comment is not read: write it as a line '// +optional'
*/
