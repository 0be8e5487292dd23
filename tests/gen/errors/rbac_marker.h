/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

/* +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get */

// +kubebuilder:rbac:groups=apps,resources=deployments,verb=get

// +kubebuilder:rbac:groups=apps,resources=deployments
typedef struct errors_v1_thing {
    // +kubebuilder:rbac:groups=apps,resources=deployments/status,verbs=update
    int32_t a; // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
} errors_v1_thing;

#endif
/* expect:
8:4: error: a marker in a block comment is not read: write it as a line '// +kubebuilder:rbac:groups'
10:56: error: '+kubebuilder:rbac' has no argument 'verb'; did you mean 'verbs'?
12:4: error: '+kubebuilder:rbac' needs 'verbs='
15:19: error: a marker after code is not read: put '// +kubebuilder:rbac:groups' on a line of its own above
*/
