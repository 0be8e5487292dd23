/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rbac.authorization.k8s.io/v1, imported by kubegen.
 *
 * ClusterRole
 * ClusterRoleBinding
 * Role
 * RoleBinding
 */
// +groupName=rbac.authorization.k8s.io
#ifndef RBAC_V1_TYPES_H
#define RBAC_V1_TYPES_H

#include <kube/meta.h>

typedef struct rbac_v1_aggregation_rule {
    // +optional
    // +listType=atomic
    kube_label_selector_list cluster_role_selectors;
    kube_extra extra;
} rbac_v1_aggregation_rule;

typedef struct rbac_v1_policy_rule {
    // +optional
    // +listType=atomic
    kube_string_list api_groups;
    // +optional
    // +json=nonResourceURLs
    // +listType=atomic
    kube_string_list non_resource_urls;
    // +optional
    // +listType=atomic
    kube_string_list resource_names;
    // +optional
    // +listType=atomic
    kube_string_list resources;
    // +listType=atomic
    kube_string_list verbs;
    kube_extra extra;
} rbac_v1_policy_rule;
KUBE_DECLARE_LIST(rbac_v1_policy_rule);

// +genclient
// +genclient:nonNamespaced
typedef struct rbac_v1_cluster_role {
    kube_object base;
    kube_object_meta metadata;
    rbac_v1_aggregation_rule *aggregation_rule;
    // +optional
    // +listType=atomic
    rbac_v1_policy_rule_list rules;
    kube_extra extra;
} rbac_v1_cluster_role;

// +structType=atomic
typedef struct rbac_v1_role_ref_value {
    // +optional
    // +kubegen:intern
    const char *api_group;
    // +kubegen:intern
    const char *kind;
    const char *name;
    kube_extra extra;
} rbac_v1_role_ref_value;

// +structType=atomic
typedef struct rbac_v1_subject {
    // +optional
    // +kubegen:intern
    const char *api_group;
    // +kubegen:intern
    const char *kind;
    const char *name;
    // +optional
    // +kubegen:intern
    const char *namespace_;
    kube_extra extra;
} rbac_v1_subject;
KUBE_DECLARE_LIST(rbac_v1_subject);

// +genclient
// +genclient:nonNamespaced
typedef struct rbac_v1_cluster_role_binding {
    kube_object base;
    kube_object_meta metadata;
    rbac_v1_role_ref_value role_ref;
    // +optional
    // +listType=atomic
    rbac_v1_subject_list subjects;
    kube_extra extra;
} rbac_v1_cluster_role_binding;

// +genclient
typedef struct rbac_v1_role {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +listType=atomic
    rbac_v1_policy_rule_list rules;
    kube_extra extra;
} rbac_v1_role;

// +genclient
typedef struct rbac_v1_role_binding {
    kube_object base;
    kube_object_meta metadata;
    rbac_v1_role_ref_value role_ref;
    // +optional
    // +listType=atomic
    rbac_v1_subject_list subjects;
    kube_extra extra;
} rbac_v1_role_binding;

#endif /* RBAC_V1_TYPES_H */
