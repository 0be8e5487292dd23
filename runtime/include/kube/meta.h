/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The types that all APIs share, such as metadata. All that a types.h needs from libkube.
 *
 * kubegen reads this header, too; the tables for it are generated into the runtime.
 */
// +prefix=kube
#ifndef KUBE_META_H
#define KUBE_META_H

#include <kube/quantity.h>
#include <kube/shapes.h>
#include <kube/time.h>

KUBE_BEGIN_DECLS

struct kube_type;
struct kube_block;

/**
 * The first member of every API object; it stands for Go's TypeMeta. An initialiser may leave it
 * out. For functions that get only `&obj->base`, write `.base = {.type =
 * &samplecrd_v1_network_type}`.
 */
typedef struct kube_object {
    const struct kube_type *type; /* may be NULL in an object built by hand */
    struct kube_block *block;     /* belongs to the runtime */
} kube_object;

/** Names the object that made this one, for the garbage collector. */
// +structType=atomic
typedef struct kube_owner_reference {
    // +kubegen:intern
    const char *api_version;
    // +kubegen:intern
    const char *kind;
    const char *name;
    const char *uid;
    kube_opt_bool controller;
    kube_opt_bool block_owner_deletion;
} kube_owner_reference;
KUBE_DECLARE_LIST(kube_owner_reference);

/** Which fields a field manager owns. */
typedef struct kube_managed_fields_entry {
    // +optional
    // +kubegen:intern
    const char *manager;
    // +optional
    // +kubegen:intern
    const char *operation;
    // +optional
    // +kubegen:intern
    const char *api_version;
    kube_time time;
    // +optional
    // +kubegen:intern
    const char *fields_type;
    // +optional
    // +kubegen:intern
    // +json=fieldsV1
    kube_raw_json fields_v1;
    // +optional
    // +kubegen:intern
    const char *subresource;
} kube_managed_fields_entry;
KUBE_DECLARE_LIST(kube_managed_fields_entry);

/** Metadata of every object. */
typedef struct kube_object_meta {
    const char *name;
    /** Prefix of a name that the server completes. */
    // +kubegen:intern
    const char *generate_name;
    // +kubegen:intern
    const char *namespace_;
    /** In what is updated or applied a condition, as the next one: the object must be this one. */
    const char *uid;
    /** Opaque; only equality means something. The object must still be of this version. */
    const char *resource_version;
    // +optional
    // +kubegen:serverSet
    int64_t generation;
    // +kubegen:serverSet
    kube_time creation_timestamp;
    // +kubegen:serverSet
    kube_time deletion_timestamp;
    // +kubegen:serverSet
    kube_opt_int64 deletion_grace_period_seconds;
    // +kubegen:intern
    kube_string_map labels;
    kube_string_map annotations;
    kube_owner_reference_list owner_references;
    // +kubegen:intern
    kube_string_list finalizers;
    // +kubegen:serverSet
    // +kubegen:managedFields
    kube_managed_fields_entry_list managed_fields;
} kube_object_meta;

/** Metadata of a list. */
typedef struct kube_list_meta {
    // +optional
    const char *resource_version;
    // +optional
    // +json=continue
    const char *continue_;
    kube_opt_int64 remaining_item_count;
} kube_list_meta;

/** One requirement of a label query. */
typedef struct kube_label_selector_requirement {
    const char *key;
    /** In, NotIn, Exists or DoesNotExist. */
    // +json=operator
    const char *operator_;
    // +optional
    // +listType=atomic
    kube_string_list values;
} kube_label_selector_requirement;
KUBE_DECLARE_LIST(kube_label_selector_requirement);

/** A label query over objects: all of match_labels and all of match_expressions. */
// +structType=atomic
typedef struct kube_label_selector {
    // +optional
    kube_string_map match_labels;
    // +optional
    // +listType=atomic
    kube_label_selector_requirement_list match_expressions;
} kube_label_selector;
KUBE_DECLARE_LIST(kube_label_selector);

/** One condition of a query by fields. */
typedef struct kube_field_selector_requirement {
    const char *key;
    /** In, NotIn, Exists or DoesNotExist. */
    // +json=operator
    const char *operator_;
    // +optional
    // +listType=atomic
    kube_string_list values;
} kube_field_selector_requirement;
KUBE_DECLARE_LIST(kube_field_selector_requirement);

/** One aspect of an object's state. */
typedef struct kube_condition {
    // +kubebuilder:validation:MaxLength=316
    // +kubebuilder:validation:Pattern=`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`
    const char *type;
    /** True, False or Unknown. */
    // +kubebuilder:validation:Enum=True;False;Unknown
    const char *status;
    // +optional
    // +kubebuilder:validation:Minimum=0
    int64_t observed_generation;
    // +required
    kube_time last_transition_time;
    // +kubebuilder:validation:MinLength=1
    // +kubebuilder:validation:MaxLength=1024
    // +kubebuilder:validation:Pattern=`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`
    const char *reason;
    // +kubebuilder:validation:MaxLength=32768
    const char *message;
} kube_condition;
KUBE_DECLARE_LIST(kube_condition);

/** A list as the untyped calls return it. Generated calls return a `<kind>_list` instead. */
typedef struct kube_object_list {
    kube_object base;
    kube_list_meta metadata;
    kube_object **items;
    size_t len;
} kube_object_list;

KUBE_END_DECLS

#endif /* KUBE_META_H */
