/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    const char *pod_ip;
    // +json=podIp
    const char *address;
} errors_v1_thing;

#endif
/* expect:
10:17: error: 'podIp' is the JSON name of two members: give one of them another with '// +json=…'
8:17: note: the other one is 'pod_ip'
*/
