/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H

typedef struct errors_v1_thing {
    int32_t x;
    kube_time at;
} errors_v1_thing;

#endif
/* expect:
7:5: error: unknown type name 'int32_t'
note: '#include <kube/meta.h>' declares the types of an API
8:5: error: unknown type name 'kube_time'
note: '#include <kube/meta.h>' declares the types of an API
*/
