/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=embedding.example.org
#ifndef EMBEDDING_V1_TYPES_H
#define EMBEDDING_V1_TYPES_H

#include <apps/v1/types.h>
#include <authorization/v1/types.h>
#include <autoscaling/v2/types.h>
#include <batch/v1/types.h>
#include <coordination/v1/types.h>
#include <core/v1/types.h>
#include <discovery/v1/types.h>
#include <events/v1/types.h>
#include <kube/meta.h>
#include <networking/v1/types.h>
#include <policy/v1/types.h>
#include <rbac/v1/types.h>
#include <storage/v1/types.h>

typedef struct embedding_v1_backend {
    const char *service;
    // +required
    kube_int_or_string port;
} embedding_v1_backend;

typedef struct embedding_v1_workload_spec {
    core_v1_pod_template_spec template_;
    core_v1_service_spec *service;
    core_v1_affinity *affinity;
    batch_v1_job_spec *job;
    core_v1_secret_key_selector *password;
    embedding_v1_backend *backend;
} embedding_v1_workload_spec;

/** Workload is made of what Kubernetes has. */
// +genclient
typedef struct embedding_v1_workload {
    kube_object base;
    kube_object_meta metadata;
    embedding_v1_workload_spec spec;
} embedding_v1_workload;

/** Catalog has whole objects of the Kinds that are shipped. */
// +genclient
typedef struct embedding_v1_catalog {
    kube_object base;
    kube_object_meta metadata;
    apps_v1_stateful_set_spec *stateful_set;
    /* The key of its conditions may be left out and has no default, in Go too: no server takes
     * that. */
    // +kubegen:schema={"properties":{"conditions":{"x-kubernetes-list-type":null,"x-kubernetes-list-map-keys":null}}}
    apps_v1_deployment_status *deployment_status;
    networking_v1_ip_address *ip_address;
    networking_v1_ingress *ingress;
    networking_v1_ingress_class *ingress_class;
    networking_v1_network_policy *network_policy;
    networking_v1_service_cidr *service_cidr;
    policy_v1_pod_disruption_budget *pod_disruption_budget;
    storage_v1_csi_driver *csi_driver;
    storage_v1_csi_node *csi_node;
    storage_v1_csi_storage_capacity *csi_storage_capacity;
    storage_v1_storage_class *storage_class;
    storage_v1_volume_attachment *volume_attachment;
    storage_v1_volume_attributes_class *volume_attributes_class;
    discovery_v1_endpoint_slice *endpoint_slice;
    autoscaling_v2_horizontal_pod_autoscaler *horizontal_pod_autoscaler;
    core_v1_config_map *config_map;
    core_v1_endpoints *endpoints;
    core_v1_event *event;
    core_v1_namespace *namespace_;
    core_v1_node *node;
    core_v1_pod *pod;
    core_v1_secret *secret;
    core_v1_service *service;
    rbac_v1_cluster_role *cluster_role;
    rbac_v1_cluster_role_binding *cluster_role_binding;
    rbac_v1_role *role;
    rbac_v1_role_binding *role_binding;
    coordination_v1_lease *lease;
    authorization_v1_local_subject_access_review *local_subject_access_review;
    authorization_v1_self_subject_access_review *self_subject_access_review;
    authorization_v1_self_subject_rules_review *self_subject_rules_review;
    authorization_v1_subject_access_review *subject_access_review;
    events_v1_event *new_event;
} embedding_v1_catalog;

#endif /* EMBEDDING_V1_TYPES_H */
