/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=embedding.example.org
#ifndef EMBEDDING_V1_TYPES_H
#define EMBEDDING_V1_TYPES_H

#include <apps/v1/types.h>
#include <core/v1/types.h>
#include <kube/meta.h>

typedef struct embedding_v1_backend {
    const char *service;
    // +required
    kube_int_or_string port;
} embedding_v1_backend;

typedef struct embedding_v1_workload_spec {
    core_v1_pod_template_spec template_;
    core_v1_service_spec *service;
    core_v1_affinity *affinity;
    // +optional
    // +listType=atomic
    core_v1_toleration_list tolerations;
    apps_v1_deployment_strategy *strategy;
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

#endif /* EMBEDDING_V1_TYPES_H */
