/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the types in kube/meta.h. */
#include <kube/generated.h>

static const kube_field kube_owner_reference_fields[] = {
    KUBE_FIELD(kube_owner_reference, api_version, "apiVersion", KUBE_KIND_STRING,
               KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(kube_owner_reference, kind, "kind", KUBE_KIND_STRING, KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(kube_owner_reference, name, "name", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(kube_owner_reference, uid, "uid", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(kube_owner_reference, controller, "controller", KUBE_KIND_OPT_BOOL, 0, 0),
    KUBE_FIELD(kube_owner_reference, block_owner_deletion, "blockOwnerDeletion", KUBE_KIND_OPT_BOOL,
               0, 0),
};
const kube_schema kube_owner_reference_schema = {
    .name = "kube_owner_reference",
    .fields = kube_owner_reference_fields,
    .size = sizeof(kube_owner_reference),
    .field_count = sizeof kube_owner_reference_fields / sizeof(kube_field),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_STRUCT,
};

static const kube_schema *const kube_owner_reference_list_subs[] = {&kube_owner_reference_schema};
static const kube_schema kube_owner_reference_list_schema = {
    .name = "kube_owner_reference_list",
    .subs = kube_owner_reference_list_subs,
    .size = sizeof(kube_owner_reference),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_STRUCT,
};

static const kube_field kube_managed_fields_entry_fields[] = {
    KUBE_FIELD(kube_managed_fields_entry, manager, "manager", KUBE_KIND_STRING,
               KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(kube_managed_fields_entry, operation, "operation", KUBE_KIND_STRING,
               KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(kube_managed_fields_entry, api_version, "apiVersion", KUBE_KIND_STRING,
               KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(kube_managed_fields_entry, time, "time", KUBE_KIND_TIME, 0, 0),
    KUBE_FIELD(kube_managed_fields_entry, fields_type, "fieldsType", KUBE_KIND_STRING,
               KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(kube_managed_fields_entry, fields_v1, "fieldsV1", KUBE_KIND_RAW_JSON,
               KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(kube_managed_fields_entry, subresource, "subresource", KUBE_KIND_STRING,
               KUBE_FIELD_INTERN, 0),
};
const kube_schema kube_managed_fields_entry_schema = {
    .name = "kube_managed_fields_entry",
    .fields = kube_managed_fields_entry_fields,
    .size = sizeof(kube_managed_fields_entry),
    .field_count = sizeof kube_managed_fields_entry_fields / sizeof(kube_field),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_STRUCT,
};

static const kube_schema *const kube_managed_fields_entry_list_subs[] = {
    &kube_managed_fields_entry_schema,
};
static const kube_schema kube_managed_fields_entry_list_schema = {
    .name = "kube_managed_fields_entry_list",
    .subs = kube_managed_fields_entry_list_subs,
    .size = sizeof(kube_managed_fields_entry),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_STRUCT,
};

static const kube_field kube_object_meta_fields[] = {
    KUBE_FIELD(kube_object_meta, name, "name", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(kube_object_meta, generate_name, "generateName", KUBE_KIND_STRING,
               KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(kube_object_meta, namespace_, "namespace", KUBE_KIND_STRING, KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(kube_object_meta, uid, "uid", KUBE_KIND_STRING, KUBE_FIELD_SERVER, 0),
    KUBE_FIELD(kube_object_meta, resource_version, "resourceVersion", KUBE_KIND_STRING,
               KUBE_FIELD_SERVER, 0),
    KUBE_FIELD(kube_object_meta, generation, "generation", KUBE_KIND_INT64,
               KUBE_FIELD_OPTIONAL | KUBE_FIELD_SERVER, 0),
    KUBE_FIELD(kube_object_meta, creation_timestamp, "creationTimestamp", KUBE_KIND_TIME,
               KUBE_FIELD_SERVER, 0),
    KUBE_FIELD(kube_object_meta, deletion_timestamp, "deletionTimestamp", KUBE_KIND_TIME,
               KUBE_FIELD_SERVER, 0),
    KUBE_FIELD(kube_object_meta, deletion_grace_period_seconds, "deletionGracePeriodSeconds",
               KUBE_KIND_OPT_INT64, KUBE_FIELD_SERVER, 0),
    KUBE_FIELD(kube_object_meta, labels, "labels", KUBE_KIND_STRING_MAP, KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(kube_object_meta, annotations, "annotations", KUBE_KIND_STRING_MAP, 0, 0),
    KUBE_FIELD(kube_object_meta, owner_references, "ownerReferences", KUBE_KIND_LIST, 0, 0),
    KUBE_FIELD(kube_object_meta, finalizers, "finalizers", KUBE_KIND_STRING_LIST,
               KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(kube_object_meta, managed_fields, "managedFields", KUBE_KIND_LIST,
               KUBE_FIELD_SERVER | KUBE_FIELD_MANAGED, 1),
};
static const kube_schema *const kube_object_meta_subs[] = {
    &kube_owner_reference_list_schema,
    &kube_managed_fields_entry_list_schema,
};
const kube_schema kube_object_meta_schema = {
    .name = "kube_object_meta",
    .fields = kube_object_meta_fields,
    .subs = kube_object_meta_subs,
    .size = sizeof(kube_object_meta),
    .field_count = sizeof kube_object_meta_fields / sizeof(kube_field),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_STRUCT,
};

static const kube_field kube_list_meta_fields[] = {
    KUBE_FIELD(kube_list_meta, resource_version, "resourceVersion", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(kube_list_meta, continue_, "continue", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(kube_list_meta, remaining_item_count, "remainingItemCount", KUBE_KIND_OPT_INT64,
               0, 0),
};
const kube_schema kube_list_meta_schema = {
    .name = "kube_list_meta",
    .fields = kube_list_meta_fields,
    .size = sizeof(kube_list_meta),
    .field_count = sizeof kube_list_meta_fields / sizeof(kube_field),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_STRUCT,
};

static const kube_field kube_label_selector_requirement_fields[] = {
    KUBE_FIELD(kube_label_selector_requirement, key, "key", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(kube_label_selector_requirement, operator_, "operator", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(kube_label_selector_requirement, values, "values", KUBE_KIND_STRING_LIST,
               KUBE_FIELD_OPTIONAL, 0),
};
const kube_schema kube_label_selector_requirement_schema = {
    .name = "kube_label_selector_requirement",
    .fields = kube_label_selector_requirement_fields,
    .size = sizeof(kube_label_selector_requirement),
    .field_count = sizeof kube_label_selector_requirement_fields / sizeof(kube_field),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_STRUCT,
};

static const kube_schema *const kube_label_selector_requirement_list_subs[] = {
    &kube_label_selector_requirement_schema,
};
static const kube_schema kube_label_selector_requirement_list_schema = {
    .name = "kube_label_selector_requirement_list",
    .subs = kube_label_selector_requirement_list_subs,
    .size = sizeof(kube_label_selector_requirement),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_STRUCT,
};

static const kube_field kube_label_selector_fields[] = {
    KUBE_FIELD(kube_label_selector, match_labels, "matchLabels", KUBE_KIND_STRING_MAP, 0, 0),
    KUBE_FIELD(kube_label_selector, match_expressions, "matchExpressions", KUBE_KIND_LIST, 0, 0),
};
static const kube_schema *const kube_label_selector_subs[] = {
    &kube_label_selector_requirement_list_schema,
};
const kube_schema kube_label_selector_schema = {
    .name = "kube_label_selector",
    .fields = kube_label_selector_fields,
    .subs = kube_label_selector_subs,
    .size = sizeof(kube_label_selector),
    .field_count = sizeof kube_label_selector_fields / sizeof(kube_field),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_STRUCT,
};

static const kube_field kube_condition_fields[] = {
    KUBE_FIELD(kube_condition, type, "type", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(kube_condition, status, "status", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(kube_condition, observed_generation, "observedGeneration", KUBE_KIND_INT64,
               KUBE_FIELD_OPTIONAL, 0),
    KUBE_FIELD(kube_condition, last_transition_time, "lastTransitionTime", KUBE_KIND_TIME, 0, 0),
    KUBE_FIELD(kube_condition, reason, "reason", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(kube_condition, message, "message", KUBE_KIND_STRING, 0, 0),
};
const kube_schema kube_condition_schema = {
    .name = "kube_condition",
    .fields = kube_condition_fields,
    .size = sizeof(kube_condition),
    .field_count = sizeof kube_condition_fields / sizeof(kube_field),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_STRUCT,
};
