/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API objects that libkube itself reads and writes: a recorder's Events, of both APIs, an
 * elector's Lease, and the reviews of who asks a manager for its metrics. Each has the members that
 * these use; the others are kept in `extra`, so that an update loses nothing.
 * hack/update-codegen.sh makes objects_schema.c of this header.
 */
// +prefix=kube__wire
#ifndef KUBE_CONTROL_API_OBJECTS_H
#define KUBE_CONTROL_API_OBJECTS_H

#include <kube/meta.h>

/* ---- v1 ------------------------------------------------------------------------------------ */

typedef struct kube__wire_object_reference {
    // +optional
    const char *api_version;
    // +optional
    const char *kind;
    // +optional
    const char *name;
    // +optional
    const char *namespace_;
    // +optional
    const char *resource_version;
    // +optional
    const char *uid;
    kube_extra extra;
} kube__wire_object_reference;

typedef struct kube__wire_event_source {
    // +optional
    const char *component;
    // +optional
    const char *host;
    kube_extra extra;
} kube__wire_event_source;

typedef struct kube__wire_core_event {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    const char *action;
    kube_opt_int32 count;
    kube_time first_timestamp;
    kube__wire_object_reference involved_object;
    kube_time last_timestamp;
    // +optional
    const char *message;
    // +optional
    const char *reason;
    kube__wire_object_reference *related;
    // +optional
    const char *reporting_component;
    // +optional
    const char *reporting_instance;
    kube__wire_event_source source;
    // +optional
    const char *type;
    kube_extra extra;
} kube__wire_core_event;

extern const struct kube_type kube__wire_core_event_type;

/* ---- events.k8s.io/v1 ---------------------------------------------------------------------- */

typedef struct kube__wire_event_series {
    int32_t count;
    kube_micro_time last_observed_time;
    kube_extra extra;
} kube__wire_event_series;

typedef struct kube__wire_event {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    const char *action;
    kube_micro_time event_time;
    // +optional
    const char *note;
    // +optional
    const char *reason;
    kube__wire_object_reference regarding;
    kube__wire_object_reference *related;
    // +optional
    const char *reporting_controller;
    // +optional
    const char *reporting_instance;
    kube__wire_event_series *series;
    // +optional
    const char *type;
    kube_extra extra;
} kube__wire_event;

extern const struct kube_type kube__wire_event_type;

/* ---- coordination.k8s.io/v1 ---------------------------------------------------------------- */

typedef struct kube__wire_lease_spec {
    kube_micro_time acquire_time;
    // +optional
    const char *holder_identity;
    kube_opt_int32 lease_duration_seconds;
    kube_opt_int32 lease_transitions;
    kube_micro_time renew_time;
    kube_extra extra;
} kube__wire_lease_spec;

typedef struct kube__wire_lease {
    kube_object base;
    kube_object_meta metadata;
    kube__wire_lease_spec spec;
    kube_extra extra;
} kube__wire_lease;

extern const struct kube_schema kube__wire_lease_spec_schema;
extern const struct kube_type kube__wire_lease_type;

/* ---- authentication.k8s.io/v1 -------------------------------------------------------------- */

typedef struct kube__wire_token_review_spec {
    // +optional
    const char *token;
    kube_extra extra;
} kube__wire_token_review_spec;

typedef struct kube__wire_user_info {
    // +optional
    const char *username;
    kube_extra extra; /* uid, groups and extra, by the names that an access review has for them */
} kube__wire_user_info;

typedef struct kube__wire_token_review_status {
    kube_opt_bool authenticated;
    kube__wire_user_info user;
    kube_extra extra;
} kube__wire_token_review_status;

typedef struct kube__wire_token_review {
    kube_object base;
    kube_object_meta metadata;
    kube__wire_token_review_spec spec;
    kube__wire_token_review_status status;
    kube_extra extra;
} kube__wire_token_review;

extern const struct kube_type kube__wire_token_review_type;

/* ---- authorization.k8s.io/v1 --------------------------------------------------------------- */

typedef struct kube__wire_path_attributes {
    // +optional
    const char *path;
    // +optional
    const char *verb;
    kube_extra extra;
} kube__wire_path_attributes;

typedef struct kube__wire_access_review_spec {
    kube__wire_path_attributes *non_resource_attributes;
    // +optional
    const char *user;
    kube_extra extra; /* as that of kube__wire_user_info */
} kube__wire_access_review_spec;

typedef struct kube__wire_access_review_status {
    kube_opt_bool allowed;
    kube_opt_bool denied;
    // +optional
    const char *reason;
    kube_extra extra;
} kube__wire_access_review_status;

typedef struct kube__wire_access_review {
    kube_object base;
    kube_object_meta metadata;
    kube__wire_access_review_spec spec;
    kube__wire_access_review_status status;
    kube_extra extra;
} kube__wire_access_review;

extern const struct kube_type kube__wire_access_review_type;

#endif /* KUBE_CONTROL_API_OBJECTS_H */
