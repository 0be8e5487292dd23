/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=cluster.example.org
#ifndef CLUSTER_V1BETA1_TYPES_H
#define CLUSTER_V1BETA1_TYPES_H

#include <kube/meta.h>

/** HostClass belongs to the whole cluster. */
// +genclient
// +genclient:nonNamespaced
// +kubebuilder:resource:scope=Cluster,shortName=hc;hosts,categories=all
typedef struct cluster_v1beta1_host_class {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    const char *vendor;
} cluster_v1beta1_host_class;

#endif /* CLUSTER_V1BETA1_TYPES_H */
