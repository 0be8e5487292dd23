/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_part {
    const char *name;
} errors_v1_part;

typedef struct errors_v1_thing {
    // +optional
    // +kubegen:sendEmpty
    errors_v1_part fine;
    // +kubegen:sendEmpty
    errors_v1_part required;
    // +optional
    // +kubegen:sendEmpty
    errors_v1_part *pointer;
    // +optional
    // +kubegen:sendEmpty
    const char *text;
} errors_v1_thing;

#endif
/* expect:
15:8: error: '+kubegen:sendEmpty' needs '+optional': any other struct is sent anyway
18:8: error: '+kubegen:sendEmpty' is for structs by value, and 'pointer' has type 'errors_v1_part *'
21:8: error: '+kubegen:sendEmpty' is for structs by value, and 'text' has type 'const char *'
*/
