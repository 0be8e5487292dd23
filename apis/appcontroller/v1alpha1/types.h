/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=appcontroller.k8s.io
#ifndef APPCONTROLLER_V1ALPHA1_TYPES_H
#define APPCONTROLLER_V1ALPHA1_TYPES_H

#include <kube/meta.h>

/** Desired state of an AppService. */
typedef struct appcontroller_v1alpha1_app_service_spec {
    /** Name of the Deployment that runs it, in the namespace of the AppService. */
    // +kubebuilder:validation:MinLength=1
    // +kubebuilder:validation:MaxLength=63
    // +kubebuilder:validation:Pattern=`^[a-z0-9]+(-+[a-z0-9]+)*$`
    // +kubebuilder:example=web
    const char *deployment_name;
    /** How many copies run. */
    // +optional
    // +kubebuilder:default=1
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:Maximum=10
    kube_opt_int32 replicas;
} appcontroller_v1alpha1_app_service_spec;

/** What was seen of an AppService last. */
typedef struct appcontroller_v1alpha1_app_service_status {
    /** How many copies serve. */
    int32_t available_replicas;
    /** The metadata.generation that this status speaks of. */
    // +optional
    int64_t observed_generation;
    /** Which Pods are its copies, as a label selector. */
    // +optional
    const char *selector;
    /** What holds of it; "Ready" says whether the wanted copies serve. */
    // +optional
    // +listType=map
    // +listMapKey=type
    kube_condition_list conditions;
} appcontroller_v1alpha1_app_service_status;

/** AppService runs a program as a Deployment. */
// +genclient
// +kubebuilder:resource:shortName=appsvc
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.availableReplicas,selectorpath=.status.selector
// +kubebuilder:printcolumn:name=Deployment,type=string,JSONPath=.spec.deploymentName
// +kubebuilder:printcolumn:name=Desired,type=integer,JSONPath=.spec.replicas
// +kubebuilder:printcolumn:name=Available,type=integer,JSONPath=.status.availableReplicas
// +kubebuilder:printcolumn:name=Ready,type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp
// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=unapproved, a tutorial's group"
typedef struct appcontroller_v1alpha1_app_service {
    kube_object base;
    kube_object_meta metadata;
    appcontroller_v1alpha1_app_service_spec spec;
    // +optional
    appcontroller_v1alpha1_app_service_status status;
} appcontroller_v1alpha1_app_service;

#endif /* APPCONTROLLER_V1ALPHA1_TYPES_H */
