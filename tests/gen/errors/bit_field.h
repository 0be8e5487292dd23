/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    int32_t small : 3;
    int32_t : 0;
} errors_v1_thing;

#endif
/* expect:
8:13: error: 'small' is a bit-field, which has no address: use 'bool' or 'int32_t'
9:5: error: this member has no name: define an inner struct before this one, and give the member a name
*/
