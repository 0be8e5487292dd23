/* SPDX-License-Identifier: Apache-2.0 */
// +kubebuilder:rbac:groups=apps,resource=deployments,verbs=get
// +kubebuilder:rbac:groups=apps,resources=deployments
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=
// +kubebuilder:rbac:groups=apps,resources="",verbs=get
// +kubebuilder:rbac:groups=apps,resources=deployments;,verbs=get
// +kubebuilder:rbac:groups=apps,verbs=get
// +kubebuilder:rbac:resources=pods,verbs=get
// +kubebuilder:rbac:urls=/metrics,verbs=get,namespace=park
// +kubebuilder:rbac:urls=/metrics,groups=apps,resources=deployments,verbs=get
// +kubebuilder:rbac:urls=metrics;/a*b,verbs=get
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=gte;lst;Watch;deleteCollection
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=frobnicate;Frobnicate
// +kubebuilder:rbac:groups=apps/v1;Apps,resources=Deployments,verbs=get
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get,verbs=list
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get,namespace=Park,roleName=a/b
// +kubebuilder:rbac
// +kubebuilder:rbacs:groups=apps,resources=deployments,verbs=get
// +kubebuiler:rbac:groups=apps,resources=deployments,verbs=get
// + kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
/// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
/* +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get */
/**
 * +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
 */
int a; // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
int b = 1; /* +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get */
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get \
   and more
