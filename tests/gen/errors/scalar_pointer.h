/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    int32_t *replicas;
    const bool *enabled;
    int64_t *size;
    double *ratio;
    unsigned int *count;
} errors_v1_thing;

#endif
/* expect:
8:14: error: unsupported type 'int32_t *': an optional 'int32_t' is a 'kube_opt_int32'
9:17: error: unsupported type 'const bool *': an optional 'bool' is a 'kube_opt_bool'
10:14: error: unsupported type 'int64_t *': an optional 'int64_t' is a 'kube_opt_int64'
11:13: error: unsupported type 'double *': an optional 'double' is a 'kube_opt_double'
12:19: error: unsupported type 'unsigned int *': an optional 'int64_t' is a 'kube_opt_int64'
*/
