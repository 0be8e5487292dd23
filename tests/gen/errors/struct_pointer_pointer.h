/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_port {
    int32_t number;
} errors_v1_port;

typedef struct errors_v1_thing {
    errors_v1_port **ports;
} errors_v1_thing;

#endif
/* expect:
12:22: error: unsupported type 'errors_v1_port **': for a list use 'errors_v1_port_list', which knows its length
*/
