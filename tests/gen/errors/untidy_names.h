/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing_ {
    int32_t a__b;
    int32_t _c;
    int32_t d_;
    int32_t podCIDR_;
    int32_t __;
} errors_v1_thing_;

// +genclient
// +cPlural=more_toys_
typedef struct errors_v1_toy {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_toy;

#endif
/* expect:
7:16: error: 'errors_v1_thing_' is not in snake_case: name it 'errors_v1_thing'
8:13: error: 'a__b' is not in snake_case: name the member 'a_b'
9:13: error: '_c' is not in snake_case: name the member 'c'
11:13: error: 'podCIDR_' is not in snake_case: name the member 'pod_cidr_'
12:13: error: '__' is not in snake_case, which takes a to z, digits and '_'
16:13: error: 'more_toys_' is not in snake_case: write 'more_toys'
*/
