/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    const unsigned char *data;
    uint8_t *more;
} errors_v1_thing;

#endif
/* expect:
8:26: error: unsupported type 'const unsigned char *': bytes are a 'kube_bytes', which knows its length
9:14: error: unsupported type 'uint8_t *': bytes are a 'kube_bytes', which knows its length
*/
