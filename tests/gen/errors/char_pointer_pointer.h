/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    const char **words;
} errors_v1_thing;

#endif
/* expect:
8:18: error: unsupported type 'const char **': for a list use 'kube_string_list', which knows its length
*/
