/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=backup.example.com
#ifndef BACKUP_V1ALPHA1_TYPES_H
#define BACKUP_V1ALPHA1_TYPES_H

#include <core/v1/types.h>
#include <kube/meta.h>

typedef struct backup_v1alpha1_backup_spec {
    const char *schedule;
    // +optional
    int32_t retention;
    /** The Pod that saves. */
    core_v1_pod_template_spec template_;
} backup_v1alpha1_backup_spec;

typedef struct backup_v1alpha1_backup_status {
    kube_time last_run;
    // +optional
    kube_condition_list conditions;
} backup_v1alpha1_backup_status;

/** Backup saves something from time to time. */
// +genclient
// +kubebuilder:subresource:status
typedef struct backup_v1alpha1_backup {
    kube_object base;
    kube_object_meta metadata;
    backup_v1alpha1_backup_spec spec;
    // +optional
    backup_v1alpha1_backup_status status;
} backup_v1alpha1_backup;

#endif
