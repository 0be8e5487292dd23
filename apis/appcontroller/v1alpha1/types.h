/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=appcontroller.k8s.io
#ifndef APPCONTROLLER_V1ALPHA1_TYPES_H
#define APPCONTROLLER_V1ALPHA1_TYPES_H

#include <kube/meta.h>

/** Desired state of an AppService. */
typedef struct appcontroller_v1alpha1_app_service_spec {
    /** Name of the Deployment that runs it. */
    // +kubebuilder:validation:MinLength=1
    const char *deployment_name;
    /** How many copies; the server's default when it is left out. */
    // +optional
    // +kubebuilder:validation:Minimum=0
    // +kubebuilder:validation:Maximum=100
    kube_opt_int32 replicas;
} appcontroller_v1alpha1_app_service_spec;

/** What was seen of an AppService last. */
typedef struct appcontroller_v1alpha1_app_service_status {
    int32_t available_replicas;
} appcontroller_v1alpha1_app_service_status;

/** AppService runs a program as a Deployment. */
// +genclient
// +kubebuilder:subresource:status
// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=unapproved, a tutorial's group"
typedef struct appcontroller_v1alpha1_app_service {
    kube_object base;
    kube_object_meta metadata;
    appcontroller_v1alpha1_app_service_spec spec;
    // +optional
    appcontroller_v1alpha1_app_service_status status;
} appcontroller_v1alpha1_app_service;

#endif /* APPCONTROLLER_V1ALPHA1_TYPES_H */
