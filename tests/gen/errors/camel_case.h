/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    const char *podCIDR;
    int32_t hostPort;
    kube_string_list podIPs;
} errors_v1_thing;

typedef struct errors_v1_OtherThing {
    int32_t x;
} errors_v1_OtherThing;

#endif
/* expect:
8:17: error: 'podCIDR' is not in snake_case: name the member 'pod_cidr'
9:13: error: 'hostPort' is not in snake_case: name the member 'host_port'
10:22: error: 'podIPs' is not in snake_case: name the member 'pod_ips'
13:16: error: 'errors_v1_OtherThing' is not in snake_case: name it 'errors_v1_other_thing'
*/
