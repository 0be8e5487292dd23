/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct network_spec {
    int32_t x;
} network_spec;

typedef struct errors_v2_other {
    int32_t x;
} errors_v2_other;

typedef struct errors_last {
    int32_t x;
} errors_last;

#endif
/* expect:
7:16: error: 'network_spec' does not begin with this header's prefix: name it 'errors_v1_network_spec'
11:16: error: 'errors_v2_other' does not begin with this header's prefix: name it 'errors_v1_other'
15:16: error: 'errors_last' does not begin with this header's prefix: name it 'errors_v1_last'
*/
