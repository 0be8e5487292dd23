/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    // +kubegen:intern
    int32_t a;
    // +kubegen:managedFields
    const char *b;
} errors_v1_thing;

#endif
/* expect:
8:8: error: '+kubegen:intern' is for strings, and 'a' has type 'int32_t'
10:8: error: '+kubegen:managedFields' is for a list, and 'b' has type 'const char *'
*/
