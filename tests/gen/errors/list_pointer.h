/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_port {
    int32_t number;
} errors_v1_port;
KUBE_DECLARE_LIST(errors_v1_port);

typedef struct errors_v1_thing {
    errors_v1_port_list *ports;
} errors_v1_thing;

#endif
/* expect:
13:26: error: unsupported type 'errors_v1_port_list *': use 'errors_v1_port_list': it is absent when its items are NULL
*/
