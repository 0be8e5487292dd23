/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

#include <nowhere/v1/types.h>

typedef struct errors_v1_thing {
    nowhere_v1_thing thing;
} errors_v1_thing;

#endif
/* expect:
7:10: error: 'nowhere/v1/types.h' file not found
note: name its directory with -I DIR or in KUBEGEN_INCLUDE
*/
