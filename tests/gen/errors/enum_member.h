/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

enum errors_v1_phase { ERRORS_V1_READY, ERRORS_V1_DONE };

typedef struct errors_v1_thing {
    enum errors_v1_phase phase;
} errors_v1_thing;

#endif
/* expect:
10:26: error: unsupported type 'enum errors_v1_phase': use 'const char *' with '// +enum=PREFIX' and #defines of the values
*/
