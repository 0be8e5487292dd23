/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    // +json=-
    const char *a;
    // +json="two words"
    const char *b;
    // +json=
    const char *c;
} errors_v1_thing;

#endif
/* expect:
8:14: error: every member of the struct is in the JSON: remove what must not be sent
10:14: error: a JSON name cannot have blanks, quotes, backslashes or hidden characters
12:8: error: '+json' needs a value: +json=podCIDR
*/
