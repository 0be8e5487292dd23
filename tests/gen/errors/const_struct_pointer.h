/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_port {
    int32_t number;
} errors_v1_port;

typedef struct errors_v1_thing {
    const errors_v1_port *port;
} errors_v1_thing;

#endif
/* expect:
12:27: error: unsupported type 'const errors_v1_port *': use 'errors_v1_port *', without const
*/
