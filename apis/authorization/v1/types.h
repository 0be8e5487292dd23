/* SPDX-License-Identifier: Apache-2.0 */
/*
 * authorization.k8s.io/v1, imported by kubegen.
 *
 * LocalSubjectAccessReview
 * SelfSubjectAccessReview
 * SelfSubjectRulesReview
 * SubjectAccessReview
 */
// +groupName=authorization.k8s.io
#ifndef AUTHORIZATION_V1_TYPES_H
#define AUTHORIZATION_V1_TYPES_H

#include <kube/meta.h>

typedef struct authorization_v1_non_resource_attributes {
    // +optional
    const char *path;
    // +optional
    const char *verb;
    kube_extra extra;
} authorization_v1_non_resource_attributes;

typedef struct authorization_v1_field_selector_attributes {
    // +optional
    const char *raw_selector;
    // +optional
    // +listType=atomic
    kube_field_selector_requirement_list requirements;
    kube_extra extra;
} authorization_v1_field_selector_attributes;

typedef struct authorization_v1_label_selector_attributes {
    // +optional
    const char *raw_selector;
    // +optional
    // +listType=atomic
    kube_label_selector_requirement_list requirements;
    kube_extra extra;
} authorization_v1_label_selector_attributes;

typedef struct authorization_v1_resource_attributes {
    authorization_v1_field_selector_attributes *field_selector;
    // +optional
    const char *group;
    authorization_v1_label_selector_attributes *label_selector;
    // +optional
    const char *name;
    // +optional
    // +kubegen:intern
    const char *namespace_;
    // +optional
    const char *resource;
    // +optional
    const char *subresource;
    // +optional
    const char *verb;
    // +optional
    const char *version;
    kube_extra extra;
} authorization_v1_resource_attributes;

typedef struct authorization_v1_subject_access_review_spec {
    // +optional
    kube_string_list_map extra_;
    // +optional
    // +listType=atomic
    kube_string_list groups;
    authorization_v1_non_resource_attributes *non_resource_attributes;
    authorization_v1_resource_attributes *resource_attributes;
    // +optional
    const char *uid;
    // +optional
    const char *user;
    kube_extra extra;
} authorization_v1_subject_access_review_spec;

typedef struct authorization_v1_subject_access_review_status {
    bool allowed;
    kube_opt_bool denied;
    // +optional
    const char *evaluation_error;
    // +optional
    const char *reason;
    kube_extra extra;
} authorization_v1_subject_access_review_status;

// +genclient
// +genclient:noStatus
// +genclient:onlyVerbs=create
typedef struct authorization_v1_local_subject_access_review {
    kube_object base;
    kube_object_meta metadata;
    authorization_v1_subject_access_review_spec spec;
    // +optional
    // +kubegen:sendEmpty
    authorization_v1_subject_access_review_status status;
    kube_extra extra;
} authorization_v1_local_subject_access_review;

typedef struct authorization_v1_self_subject_access_review_spec {
    authorization_v1_non_resource_attributes *non_resource_attributes;
    authorization_v1_resource_attributes *resource_attributes;
    kube_extra extra;
} authorization_v1_self_subject_access_review_spec;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
// +genclient:onlyVerbs=create
typedef struct authorization_v1_self_subject_access_review {
    kube_object base;
    kube_object_meta metadata;
    authorization_v1_self_subject_access_review_spec spec;
    // +optional
    // +kubegen:sendEmpty
    authorization_v1_subject_access_review_status status;
    kube_extra extra;
} authorization_v1_self_subject_access_review;

typedef struct authorization_v1_self_subject_rules_review_spec {
    // +optional
    // +kubegen:intern
    const char *namespace_;
    kube_extra extra;
} authorization_v1_self_subject_rules_review_spec;

typedef struct authorization_v1_non_resource_rule {
    // +optional
    // +json=nonResourceURLs
    // +listType=atomic
    kube_string_list non_resource_urls;
    // +listType=atomic
    kube_string_list verbs;
    kube_extra extra;
} authorization_v1_non_resource_rule;
KUBE_DECLARE_LIST(authorization_v1_non_resource_rule);

typedef struct authorization_v1_resource_rule {
    // +optional
    // +listType=atomic
    kube_string_list api_groups;
    // +optional
    // +listType=atomic
    kube_string_list resource_names;
    // +optional
    // +listType=atomic
    kube_string_list resources;
    // +listType=atomic
    kube_string_list verbs;
    kube_extra extra;
} authorization_v1_resource_rule;
KUBE_DECLARE_LIST(authorization_v1_resource_rule);

typedef struct authorization_v1_subject_rules_review_status {
    // +optional
    const char *evaluation_error;
    bool incomplete;
    // +listType=atomic
    authorization_v1_non_resource_rule_list non_resource_rules;
    // +listType=atomic
    authorization_v1_resource_rule_list resource_rules;
    kube_extra extra;
} authorization_v1_subject_rules_review_status;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
// +genclient:onlyVerbs=create
typedef struct authorization_v1_self_subject_rules_review {
    kube_object base;
    kube_object_meta metadata;
    authorization_v1_self_subject_rules_review_spec spec;
    // +optional
    // +kubegen:sendEmpty
    authorization_v1_subject_rules_review_status status;
    kube_extra extra;
} authorization_v1_self_subject_rules_review;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
// +genclient:onlyVerbs=create
typedef struct authorization_v1_subject_access_review {
    kube_object base;
    kube_object_meta metadata;
    authorization_v1_subject_access_review_spec spec;
    // +optional
    // +kubegen:sendEmpty
    authorization_v1_subject_access_review_status status;
    kube_extra extra;
} authorization_v1_subject_access_review;

#endif /* AUTHORIZATION_V1_TYPES_H */
