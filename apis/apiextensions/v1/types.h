/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apiextensions.k8s.io/v1, imported by kubegen.
 *
 * CustomResourceDefinition: subresources status
 */
// +groupName=apiextensions.k8s.io
#ifndef APIEXTENSIONS_V1_TYPES_H
#define APIEXTENSIONS_V1_TYPES_H

#include <kube/meta.h>

typedef struct apiextensions_v1_json_schema_props apiextensions_v1_json_schema_props;
KUBE_DECLARE_LIST(apiextensions_v1_json_schema_props);
KUBE_FORWARD_MAP(apiextensions_v1_json_schema_props);

typedef struct apiextensions_v1_service_reference {
    const char *name;
    // +kubegen:intern
    const char *namespace_;
    // +optional
    const char *path;
    kube_opt_int32 port;
    kube_extra extra;
} apiextensions_v1_service_reference;

typedef struct apiextensions_v1_webhook_client_config {
    kube_bytes ca_bundle;
    apiextensions_v1_service_reference *service;
    // +optional
    const char *url;
    kube_extra extra;
} apiextensions_v1_webhook_client_config;

typedef struct apiextensions_v1_webhook_conversion {
    apiextensions_v1_webhook_client_config *client_config;
    // +listType=atomic
    kube_string_list conversion_review_versions;
    kube_extra extra;
} apiextensions_v1_webhook_conversion;

typedef struct apiextensions_v1_custom_resource_conversion {
    const char *strategy;
    apiextensions_v1_webhook_conversion *webhook;
    kube_extra extra;
} apiextensions_v1_custom_resource_conversion;

typedef struct apiextensions_v1_custom_resource_definition_names {
    // +optional
    // +listType=atomic
    kube_string_list categories;
    // +kubegen:intern
    const char *kind;
    // +optional
    const char *list_kind;
    const char *plural;
    // +optional
    // +listType=atomic
    kube_string_list short_names;
    // +optional
    const char *singular;
    kube_extra extra;
} apiextensions_v1_custom_resource_definition_names;

typedef struct apiextensions_v1_custom_resource_column_definition {
    // +optional
    const char *description;
    // +optional
    const char *format;
    const char *json_path;
    const char *name;
    kube_opt_int32 priority;
    const char *type;
    kube_extra extra;
} apiextensions_v1_custom_resource_column_definition;
KUBE_DECLARE_LIST(apiextensions_v1_custom_resource_column_definition);

typedef struct apiextensions_v1_external_documentation {
    // +optional
    const char *description;
    // +optional
    const char *url;
    kube_extra extra;
} apiextensions_v1_external_documentation;

#define APIEXTENSIONS_V1_VALIDATION_RULE_REASON_FIELD_VALUE_DUPLICATE "FieldValueDuplicate"
#define APIEXTENSIONS_V1_VALIDATION_RULE_REASON_FIELD_VALUE_FORBIDDEN "FieldValueForbidden"
#define APIEXTENSIONS_V1_VALIDATION_RULE_REASON_FIELD_VALUE_INVALID "FieldValueInvalid"
#define APIEXTENSIONS_V1_VALIDATION_RULE_REASON_FIELD_VALUE_REQUIRED "FieldValueRequired"

typedef struct apiextensions_v1_validation_rule {
    // +optional
    const char *field_path;
    // +optional
    const char *message;
    // +optional
    const char *message_expression;
    kube_opt_bool optional_old_self;
    // +optional
    // +kubegen:intern
    const char *reason;
    const char *rule;
    kube_extra extra;
} apiextensions_v1_validation_rule;
KUBE_DECLARE_LIST(apiextensions_v1_validation_rule);

struct apiextensions_v1_json_schema_props {
    // +optional
    // +json=$ref
    const char *ref;
    // +optional
    // +json=$schema
    const char *schema;
    kube_raw_json additional_items;
    kube_raw_json additional_properties;
    // +optional
    // +listType=atomic
    apiextensions_v1_json_schema_props_list all_of;
    // +optional
    // +listType=atomic
    apiextensions_v1_json_schema_props_list any_of;
    kube_raw_json default_;
    // +optional
    apiextensions_v1_json_schema_props_map definitions;
    // +optional
    kube_raw_json_map dependencies;
    // +optional
    const char *description;
    // +optional
    // +listType=atomic
    kube_raw_json_list enum_;
    kube_raw_json example;
    kube_opt_bool exclusive_maximum;
    kube_opt_bool exclusive_minimum;
    apiextensions_v1_external_documentation *external_docs;
    // +optional
    const char *format;
    // +optional
    const char *id;
    kube_raw_json items;
    kube_opt_int64 max_items;
    kube_opt_int64 max_length;
    kube_opt_int64 max_properties;
    kube_opt_double maximum;
    kube_opt_int64 min_items;
    kube_opt_int64 min_length;
    kube_opt_int64 min_properties;
    kube_opt_double minimum;
    kube_opt_double multiple_of;
    apiextensions_v1_json_schema_props *not_;
    kube_opt_bool nullable;
    // +optional
    // +listType=atomic
    apiextensions_v1_json_schema_props_list one_of;
    // +optional
    const char *pattern;
    // +optional
    apiextensions_v1_json_schema_props_map pattern_properties;
    // +optional
    apiextensions_v1_json_schema_props_map properties;
    // +optional
    // +listType=atomic
    kube_string_list required;
    // +optional
    const char *title;
    // +optional
    const char *type;
    kube_opt_bool unique_items;
    // +json=x-kubernetes-embedded-resource
    kube_opt_bool x_kubernetes_embedded_resource;
    // +json=x-kubernetes-int-or-string
    kube_opt_bool x_kubernetes_int_or_string;
    // +optional
    // +json=x-kubernetes-list-map-keys
    // +listType=atomic
    kube_string_list x_kubernetes_list_map_keys;
    // +optional
    // +json=x-kubernetes-list-type
    const char *x_kubernetes_list_type;
    // +optional
    // +json=x-kubernetes-map-type
    const char *x_kubernetes_map_type;
    // +json=x-kubernetes-preserve-unknown-fields
    kube_opt_bool x_kubernetes_preserve_unknown_fields;
    // +optional
    // +json=x-kubernetes-validations
    // +listType=map
    // +listMapKey=rule
    // +patchMergeKey=rule
    // +patchStrategy=merge
    apiextensions_v1_validation_rule_list x_kubernetes_validations;
    kube_extra extra;
};
KUBE_DECLARE_MAP_ENTRY(apiextensions_v1_json_schema_props);

typedef struct apiextensions_v1_custom_resource_validation {
    // +json=openAPIV3Schema
    apiextensions_v1_json_schema_props *open_apiv3_schema;
    kube_extra extra;
} apiextensions_v1_custom_resource_validation;

typedef struct apiextensions_v1_selectable_field {
    const char *json_path;
    kube_extra extra;
} apiextensions_v1_selectable_field;
KUBE_DECLARE_LIST(apiextensions_v1_selectable_field);

typedef struct apiextensions_v1_custom_resource_subresource_scale {
    // +optional
    const char *label_selector_path;
    const char *spec_replicas_path;
    const char *status_replicas_path;
    kube_extra extra;
} apiextensions_v1_custom_resource_subresource_scale;

typedef struct apiextensions_v1_custom_resource_subresource_status {
    kube_extra extra;
} apiextensions_v1_custom_resource_subresource_status;

typedef struct apiextensions_v1_custom_resource_subresources {
    apiextensions_v1_custom_resource_subresource_scale *scale;
    apiextensions_v1_custom_resource_subresource_status *status;
    kube_extra extra;
} apiextensions_v1_custom_resource_subresources;

typedef struct apiextensions_v1_custom_resource_definition_version {
    // +optional
    // +listType=atomic
    apiextensions_v1_custom_resource_column_definition_list additional_printer_columns;
    kube_opt_bool deprecated;
    // +optional
    const char *deprecation_warning;
    const char *name;
    apiextensions_v1_custom_resource_validation *schema;
    // +optional
    // +listType=atomic
    apiextensions_v1_selectable_field_list selectable_fields;
    bool served;
    bool storage;
    apiextensions_v1_custom_resource_subresources *subresources;
    kube_extra extra;
} apiextensions_v1_custom_resource_definition_version;
KUBE_DECLARE_LIST(apiextensions_v1_custom_resource_definition_version);

typedef struct apiextensions_v1_custom_resource_definition_spec {
    apiextensions_v1_custom_resource_conversion *conversion;
    const char *group;
    apiextensions_v1_custom_resource_definition_names names;
    kube_opt_bool preserve_unknown_fields;
    const char *scope;
    // +listType=atomic
    apiextensions_v1_custom_resource_definition_version_list versions;
    kube_extra extra;
} apiextensions_v1_custom_resource_definition_spec;

typedef struct apiextensions_v1_custom_resource_definition_condition {
    kube_time last_transition_time;
    // +optional
    const char *message;
    kube_opt_int64 observed_generation;
    // +optional
    const char *reason;
    const char *status;
    const char *type;
    kube_extra extra;
} apiextensions_v1_custom_resource_definition_condition;
KUBE_DECLARE_LIST(apiextensions_v1_custom_resource_definition_condition);

typedef struct apiextensions_v1_custom_resource_definition_status {
    // +optional
    // +kubegen:sendEmpty
    apiextensions_v1_custom_resource_definition_names accepted_names;
    // +optional
    // +listType=map
    // +listMapKey=type
    apiextensions_v1_custom_resource_definition_condition_list conditions;
    kube_opt_int64 observed_generation;
    // +optional
    // +listType=atomic
    kube_string_list stored_versions;
    kube_extra extra;
} apiextensions_v1_custom_resource_definition_status;

// +genclient
// +genclient:nonNamespaced
// +kubebuilder:subresource:status
typedef struct apiextensions_v1_custom_resource_definition {
    kube_object base;
    kube_object_meta metadata;
    apiextensions_v1_custom_resource_definition_spec spec;
    // +optional
    // +kubegen:sendEmpty
    apiextensions_v1_custom_resource_definition_status status;
    kube_extra extra;
} apiextensions_v1_custom_resource_definition;

#endif /* APIEXTENSIONS_V1_TYPES_H */
