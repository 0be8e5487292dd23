/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    int32_t;;
    const char *template name;
} errors_v1_thing;

#endif
/* expect:
8:5: error: declaration does not declare anything
9:25: error: expected ';' at end of declaration list
*/
