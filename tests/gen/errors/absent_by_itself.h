/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    kube_time *when;
    kube_quantity *size;
    kube_opt_int32 *count;
} errors_v1_thing;

#endif
/* expect:
8:16: error: unsupported type 'kube_time *': use 'kube_time', which can be absent by itself
9:20: error: unsupported type 'kube_quantity *': use 'kube_quantity', which can be absent by itself
10:21: error: unsupported type 'kube_opt_int32 *': use 'kube_opt_int32', which can be absent by itself
*/
