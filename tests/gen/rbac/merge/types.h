/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=merge.example.org
// +kubebuilder:rbac:groups=merge.example.org,resources=things,verbs=get;list;watch
#ifndef MERGE_V1_TYPES_H
#define MERGE_V1_TYPES_H
// +genclient
// +1 and other text are none of our business
#define LONG_COMMENT 1 // goes on \
    // +kubebuilder:rbac:groups=no,resources=continued,verbs=get
/*
 * Speaks of +kubebuilder:rbac without being one.
 */
#endif
