/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing_spec {
    const char *cidr;
    char *gateway; /* one error: what names it below is not to blame */
} errors_v1_thing_spec;

// +genclient
// +kubebuilder:printcolumn:name="Gateway",type=string,JSONPath=".spec.gateway"
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
    errors_v1_thing_spec spec;
} errors_v1_thing;

#endif
/* expect:
9:11: error: unsupported type 'char *': a string is a 'const char *'
*/
