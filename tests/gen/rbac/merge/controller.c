/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules for every way of merging. kubegen reads the comments only: this is not compiled, and could
 * not be.
 */
#include <no/such/header.h>

// Verbs of the same key, in two places, and one verb twice.
// +kubebuilder:rbac:groups=batch.io,resources=cronjobs,verbs=get;watch;create
// +kubebuilder:rbac:groups=batch.io,resources=cronjobs,verbs=watch;update;list

static const char *text = "// +kubebuilder:rbac:groups=no,resources=strings,verbs=get";
static const char c = '"', d = '\'' /* a comment of its own */;

// Resources: those with equal verbs become one rule; a list is split first.
// +kubebuilder:rbac:groups=art,resources=jobs;jobs/status,verbs=get
// +kubebuilder:rbac:groups=art,resources=pods,verbs={get}
// +kubebuilder:rbac:groups=art,resources=nodes;pods,verbs=list

static void reconcile(void)
{
    // Groups: equal resources and verbs.
    // +kubebuilder:rbac:groups=wave,resources=jobs,verbs=get
    // +kubebuilder:rbac:groups=core,resources=secrets,verbs=get;list
    // +kubebuilder:rbac:groups="",resources=configmaps,verbs=list;get
    // +kubebuilder:rbac:groups=apps;"batch",resources=deployments,verbs=get
    // +kubebuilder:rbac:groups=extensions,resources=deployments,verbs=get
    unknown syntax of @another language 'unclosed
}

// Groups that merge into those of a rule with other verbs: both stay. controller-gen keeps one of
// the two, now this one, now that.
// +kubebuilder:rbac:groups=east;west,resources=gates,verbs=list
// +kubebuilder:rbac:groups=east,resources=gates,verbs=get
// +kubebuilder:rbac:groups=west,resources=gates,verbs=get

// Names keep rules apart.
// +kubebuilder:rbac:groups=core,resources=secrets,resourceNames=b;a,verbs=get
// +kubebuilder:rbac:groups=core,resources=secrets,resourceNames=a;b,verbs=update

// Everything, which swallows the rest.
// +kubebuilder:rbac:groups=cron,resources=jobs,verbs=get
// +kubebuilder:rbac:groups=cron,resources=jobs,verbs=*
// +kubebuilder:rbac:groups=*,resources=*,resourceNames=one,verbs=get

// URLs.
// +kubebuilder:rbac:urls=/metrics,verbs=get
// +kubebuilder:rbac:urls=/healthz;/readyz/*,verbs=get
// +kubebuilder:rbac:urls=/admin,verbs=post

// Roles of their own.
// +kubebuilder:rbac:groups=coordination.k8s.io,namespace=park,resources=leases,verbs=get;update
// +kubebuilder:rbac:groups=coordination.k8s.io,namespace=park,resources=leases,verbs=create
// +kubebuilder:rbac:groups=apps,namespace=zoo,resources=deployments,verbs=get
// +kubebuilder:rbac:groups=apps,namespace=zoo,roleName=keeper,resources=deployments,verbs=get
// +kubebuilder:rbac:groups=apps,roleName=visitor,resources=deployments,verbs=get
