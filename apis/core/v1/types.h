/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=
#ifndef CORE_V1_TYPES_H
#define CORE_V1_TYPES_H

#include <kube/meta.h>

/** Names another object. */
typedef struct core_v1_object_reference {
    const char *kind;
    const char *namespace_;
    const char *name;
    const char *uid;
    const char *api_version;
    const char *resource_version;
    const char *field_path;
} core_v1_object_reference;

/** The part of a cluster that reports an event. */
typedef struct core_v1_event_source {
    const char *component;
    const char *host;
} core_v1_event_source;

/** One more word about something that happened again and again. */
typedef struct core_v1_event_series {
    // +optional
    int32_t count;
    kube_micro_time last_observed_time;
} core_v1_event_series;

/** Event reports what happened to an object. */
// +genclient
typedef struct core_v1_event {
    kube_object base;
    kube_object_meta metadata;
    core_v1_object_reference involved_object;
    const char *reason;
    const char *message;
    // +optional
    core_v1_event_source source;
    kube_time first_timestamp;
    kube_time last_timestamp;
    // +optional
    int32_t count;
    const char *type;
    kube_micro_time event_time;
    core_v1_event_series *series;
    const char *action;
    core_v1_object_reference *related;
    const char *reporting_component;
    const char *reporting_instance;
} core_v1_event;

#endif /* CORE_V1_TYPES_H */
