/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient:noStatus
// +kubebuilder:resource:shortName=t
// +kind=Thing
typedef struct errors_v1_thing {
    int32_t x;
} errors_v1_thing;

#endif
/* expect:
7:4: error: '+genclient:noStatus' needs '+genclient' above the same struct
8:4: error: '+kubebuilder:resource' needs '+genclient' above the same struct
9:4: error: '+kind' needs '+genclient' above the same struct
*/
