/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_port {
    int32_t number;
} errors_v1_port;

typedef struct errors_v1_thing {
    errors_v1_port_list ports;
    errors_v1_port_map by_name;
} errors_v1_thing;

#endif
/* expect:
12:5: error: unknown type name 'errors_v1_port_list'
note: write 'KUBE_DECLARE_LIST(errors_v1_port);' after the typedef of 'errors_v1_port'
13:5: error: unknown type name 'errors_v1_port_map'
note: write 'KUBE_DECLARE_MAP(errors_v1_port);' after the typedef of 'errors_v1_port'
*/
