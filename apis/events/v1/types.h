/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events.k8s.io/v1, imported by kubegen.
 *
 * Event
 */
// +groupName=events.k8s.io
#ifndef EVENTS_V1_TYPES_H
#define EVENTS_V1_TYPES_H

#include <core/v1/types.h>
#include <kube/meta.h>

typedef struct events_v1_event_series {
    int32_t count;
    // +required
    kube_micro_time last_observed_time;
    kube_extra extra;
} events_v1_event_series;

// +genclient
typedef struct events_v1_event {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    const char *action;
    kube_opt_int32 deprecated_count;
    kube_time deprecated_first_timestamp;
    kube_time deprecated_last_timestamp;
    // +optional
    // +kubegen:sendEmpty
    core_v1_event_source deprecated_source;
    // +required
    kube_micro_time event_time;
    // +optional
    const char *note;
    // +optional
    const char *reason;
    // +optional
    // +kubegen:sendEmpty
    core_v1_object_reference regarding;
    core_v1_object_reference *related;
    // +optional
    const char *reporting_controller;
    // +optional
    const char *reporting_instance;
    events_v1_event_series *series;
    // +optional
    const char *type;
    kube_extra extra;
} events_v1_event;

#endif /* EVENTS_V1_TYPES_H */
