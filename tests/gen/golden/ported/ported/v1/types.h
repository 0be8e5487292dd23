/* SPDX-License-Identifier: Apache-2.0 */
/* The markers of other generators, as types from Go have them, say nothing here. */
// +groupName=ported.example.com
// +groupGoName=Ported
// +k8s:openapi-gen=true
// +k8s:openapi-model-package=com.example.ported.v1
// +k8s:deepcopy-gen=package,register
// +k8s:defaulter-gen=TypeMeta
// +k8s:defaulter-gen-input=example.com/ported/v1
// +k8s:conversion-gen=example.com/ported
// +k8s:conversion-gen:explicit-from=net/url.Values
// +k8s:conversion-gen-external-types=example.com/ported/v1
// +k8s:protobuf-gen=package
// +k8s:prerelease-lifecycle-gen=true
// +k8s:register-gen=package
// +k8s:validation-gen=TypeMeta
// +k8s:validation-gen-input=example.com/ported/v1
// +kubebuilder:object:generate=true
// +kubebuilder:ac:generate=true
// +kubebuilder:ac:output:package=applyconfiguration
// +kubebuilder:validation:Required
#ifndef PORTED_V1_TYPES_H
#define PORTED_V1_TYPES_H
#include <kube/meta.h>

/** PoolMode is one of two. */
// +union
// +k8s:openapi-gen=false
// +protobuf.options.(gogoproto.goproto_stringer)=false
// +protobuf.options.(gogoproto.goproto_getters)=false
typedef struct ported_v1_pool_mode {
    // +unionDiscriminator
    // +required
    const char *type;
    // +unionMember=Fixed
    // +oneOf=mode
    // +optional
    kube_opt_int32 fixed;
    // +unionMember,optional
    // +unionDeprecated
    // +zeroOrOneOf=mode
    // +kubebuilder:validation:Optional
    // +optional
    kube_opt_int32 percent;
} ported_v1_pool_mode;

/** PoolSpec says what is wanted. */
// +kubebuilder:object:generate=true
// +protobuf=false
typedef struct ported_v1_pool_spec {
    // +featureGate=PoolModes
    // +required
    ported_v1_pool_mode mode;
    // +protobuf.nullable=true
    // +kubebuilder:validation:Required
    kube_string_list names;
    // +deprecated=nobody sets it
    // +k8s:deprecated
    // +kubebuilder:validation:Optional
    const char *zone;
    // +kubebuilder:validation:Required
    // +required
    kube_quantity size;
} ported_v1_pool_spec;

// +genclient
// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:conversion:hub
// +k8s:prerelease-lifecycle-gen:introduced=1.2
// +k8s:prerelease-lifecycle-gen:deprecated=1.8
// +k8s:prerelease-lifecycle-gen:removed=1.10
// +k8s:prerelease-lifecycle-gen:replacement=ported.example.com,v2,Pool

/** Pool comes from Go. */
// +k8s:conversion-gen=false
// +k8s:conversion-fn=copy-only
typedef struct ported_v1_pool {
    kube_object base;
    // +optional
    kube_object_meta metadata;
    ported_v1_pool_spec spec;
} ported_v1_pool;

// +kubebuilder:object:root=true

#endif
