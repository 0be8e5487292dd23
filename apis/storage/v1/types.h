/* SPDX-License-Identifier: Apache-2.0 */
/*
 * storage.k8s.io/v1, imported by kubegen.
 *
 * CSIDriver
 * CSINode: subresources status
 * CSIStorageCapacity
 * StorageClass
 * VolumeAttachment: subresources status
 * VolumeAttributesClass
 */
// +groupName=storage.k8s.io
#ifndef STORAGE_V1_TYPES_H
#define STORAGE_V1_TYPES_H

#include <core/v1/types.h>
#include <kube/meta.h>

typedef struct storage_v1_token_request {
    const char *audience;
    kube_opt_int64 expiration_seconds;
    kube_extra extra;
} storage_v1_token_request;
KUBE_DECLARE_LIST(storage_v1_token_request);

typedef struct storage_v1_csi_driver_spec {
    kube_opt_bool attach_required;
    // +optional
    const char *fs_group_policy;
    kube_opt_int64 node_allocatable_update_period_seconds;
    kube_opt_bool pod_info_on_mount;
    kube_opt_bool prevent_pod_scheduling_if_missing;
    kube_opt_bool requires_republish;
    kube_opt_bool se_linux_mount;
    kube_opt_bool service_account_token_in_secrets;
    kube_opt_bool storage_capacity;
    // +optional
    // +listType=atomic
    storage_v1_token_request_list token_requests;
    // +optional
    // +listType=set
    kube_string_list volume_lifecycle_modes;
    kube_extra extra;
} storage_v1_csi_driver_spec;

// +genclient
// +kind=CSIDriver
// +genclient:nonNamespaced
typedef struct storage_v1_csi_driver {
    kube_object base;
    kube_object_meta metadata;
    storage_v1_csi_driver_spec spec;
    kube_extra extra;
} storage_v1_csi_driver;

typedef struct storage_v1_volume_node_resources {
    kube_opt_int32 count;
    kube_extra extra;
} storage_v1_volume_node_resources;

typedef struct storage_v1_csi_node_driver {
    storage_v1_volume_node_resources *allocatable;
    const char *name;
    // +json=nodeID
    const char *node_id;
    // +optional
    // +listType=atomic
    kube_string_list topology_keys;
    kube_extra extra;
} storage_v1_csi_node_driver;
KUBE_DECLARE_LIST(storage_v1_csi_node_driver);

typedef struct storage_v1_csi_node_spec {
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    storage_v1_csi_node_driver_list drivers;
    kube_extra extra;
} storage_v1_csi_node_spec;

#define STORAGE_V1_STORAGE_HEALTH_CONDITION_ACCESS_MODE_READ_ONLY_MANY "ReadOnlyMany"
#define STORAGE_V1_STORAGE_HEALTH_CONDITION_ACCESS_MODE_READ_WRITE_MANY "ReadWriteMany"
#define STORAGE_V1_STORAGE_HEALTH_CONDITION_ACCESS_MODE_READ_WRITE_ONCE "ReadWriteOnce"
#define STORAGE_V1_STORAGE_HEALTH_CONDITION_ACCESS_MODE_READ_WRITE_ONCE_POD "ReadWriteOncePod"

#define STORAGE_V1_STORAGE_HEALTH_CONDITION_STATUS_STORAGE_DEGRADED "StorageDegraded"
#define STORAGE_V1_STORAGE_HEALTH_CONDITION_STATUS_STORAGE_UNREACHABLE "StorageUnreachable"

#define STORAGE_V1_STORAGE_HEALTH_CONDITION_VOLUME_MODE_BLOCK "Block"
#define STORAGE_V1_STORAGE_HEALTH_CONDITION_VOLUME_MODE_FILESYSTEM "Filesystem"

typedef struct storage_v1_storage_health_condition {
    // +optional
    // +kubegen:intern
    const char *access_mode;
    kube_time last_transition_time;
    // +optional
    const char *message;
    const char *reason;
    // +kubegen:intern
    const char *status;
    // +optional
    // +kubegen:intern
    const char *volume_mode;
    kube_extra extra;
} storage_v1_storage_health_condition;
KUBE_DECLARE_LIST(storage_v1_storage_health_condition);

typedef struct storage_v1_storage_health {
    // +optional
    // +listType=atomic
    storage_v1_storage_health_condition_list health_conditions;
    const char *name;
    kube_extra extra;
} storage_v1_storage_health;
KUBE_DECLARE_LIST(storage_v1_storage_health);

typedef struct storage_v1_csi_node_status {
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    storage_v1_storage_health_list storage_health;
    kube_extra extra;
} storage_v1_csi_node_status;

// +genclient
// +kind=CSINode
// +genclient:nonNamespaced
// +kubebuilder:subresource:status
typedef struct storage_v1_csi_node {
    kube_object base;
    kube_object_meta metadata;
    storage_v1_csi_node_spec spec;
    // +optional
    // +kubegen:sendEmpty
    storage_v1_csi_node_status status;
    kube_extra extra;
} storage_v1_csi_node;

// +genclient
// +kind=CSIStorageCapacity
typedef struct storage_v1_csi_storage_capacity {
    kube_object base;
    kube_object_meta metadata;
    kube_quantity capacity;
    kube_quantity maximum_volume_size;
    kube_label_selector *node_topology;
    const char *storage_class_name;
    kube_extra extra;
} storage_v1_csi_storage_capacity;

#define STORAGE_V1_STORAGE_CLASS_RECLAIM_POLICY_DELETE "Delete"
#define STORAGE_V1_STORAGE_CLASS_RECLAIM_POLICY_RECYCLE "Recycle"
#define STORAGE_V1_STORAGE_CLASS_RECLAIM_POLICY_RETAIN "Retain"

#define STORAGE_V1_STORAGE_CLASS_VOLUME_BINDING_MODE_IMMEDIATE "Immediate"
#define STORAGE_V1_STORAGE_CLASS_VOLUME_BINDING_MODE_WAIT_FOR_FIRST_CONSUMER "WaitForFirstConsumer"

// +genclient
// +genclient:nonNamespaced
typedef struct storage_v1_storage_class {
    kube_object base;
    kube_object_meta metadata;
    kube_opt_bool allow_volume_expansion;
    // +optional
    // +listType=atomic
    core_v1_topology_selector_term_list allowed_topologies;
    // +optional
    // +listType=atomic
    kube_string_list mount_options;
    // +optional
    kube_string_map parameters;
    const char *provisioner;
    // +optional
    // +kubegen:intern
    const char *reclaim_policy;
    // +optional
    // +kubegen:intern
    const char *volume_binding_mode;
    kube_extra extra;
} storage_v1_storage_class;

typedef struct storage_v1_volume_attachment_source {
    core_v1_persistent_volume_spec *inline_volume_spec;
    // +optional
    const char *persistent_volume_name;
    kube_extra extra;
} storage_v1_volume_attachment_source;

typedef struct storage_v1_volume_attachment_spec {
    const char *attacher;
    const char *node_name;
    storage_v1_volume_attachment_source source;
    kube_extra extra;
} storage_v1_volume_attachment_spec;

typedef struct storage_v1_volume_error {
    kube_opt_int32 error_code;
    // +optional
    const char *message;
    kube_time time;
    kube_extra extra;
} storage_v1_volume_error;

typedef struct storage_v1_volume_attachment_status {
    storage_v1_volume_error *attach_error;
    bool attached;
    // +optional
    kube_string_map attachment_metadata;
    storage_v1_volume_error *detach_error;
    kube_extra extra;
} storage_v1_volume_attachment_status;

// +genclient
// +genclient:nonNamespaced
// +kubebuilder:subresource:status
typedef struct storage_v1_volume_attachment {
    kube_object base;
    kube_object_meta metadata;
    storage_v1_volume_attachment_spec spec;
    // +optional
    // +kubegen:sendEmpty
    storage_v1_volume_attachment_status status;
    kube_extra extra;
} storage_v1_volume_attachment;

// +genclient
// +genclient:nonNamespaced
typedef struct storage_v1_volume_attributes_class {
    kube_object base;
    kube_object_meta metadata;
    const char *driver_name;
    // +optional
    kube_string_map parameters;
    kube_extra extra;
} storage_v1_volume_attributes_class;

#endif /* STORAGE_V1_TYPES_H */
