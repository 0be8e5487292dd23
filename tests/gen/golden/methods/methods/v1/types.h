/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=methods.example.org
#ifndef METHODS_V1_TYPES_H
#define METHODS_V1_TYPES_H
#include <kube/meta.h>
#include <tokens/v1/types.h>

/** Account can be asked for tokens. */
// +genclient
// +genclient:onlyVerbs=get
// +genclient:method=CreateToken,verb=create,subresource=token,input=example.org/api/tokens/v1.TokenRequest,result=example.org/api/tokens/v1.TokenRequest
// +genclient:method=UpdateApproval,verb=update,subresource=approval
// +genclient:method=ApplyApproval,verb=apply,subresource=approval,input=Account,result=methods_v1_account
typedef struct methods_v1_account {
    kube_object base;
    kube_object_meta metadata;
    const char *name;
} methods_v1_account;

/** Review is asked for by its methods alone. */
// +genclient
// +genclient:nonNamespaced
// +genclient:noVerbs
// +genclient:method=GetScale,verb=get,subresource=scale,result=k8s.io/api/autoscaling/v1.Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=kube_scale,result=kube_scale
typedef struct methods_v1_review {
    kube_object base;
    kube_object_meta metadata;
} methods_v1_review;

typedef struct methods_v1_worker_part {
    int32_t replicas;
} methods_v1_worker_part;

/** Worker has the calls of its scale already. */
// +genclient
// +genclient:onlyVerbs=getScale,updateScale
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas
// +genclient:method=GetScale,verb=get,subresource=scale,result=k8s.io/api/autoscaling/v1.Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=k8s.io/api/autoscaling/v1.Scale,result=k8s.io/api/autoscaling/v1.Scale
typedef struct methods_v1_worker {
    kube_object base;
    kube_object_meta metadata;
    methods_v1_worker_part spec;
    methods_v1_worker_part status;
} methods_v1_worker;

#endif
