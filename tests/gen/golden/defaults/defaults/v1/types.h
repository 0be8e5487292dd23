/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=defaults.example.org
#ifndef DEFAULTS_V1_TYPES_H
#define DEFAULTS_V1_TYPES_H

#include <kube/meta.h>

#define DEFAULTS_V1_MODE_FAST "Fast"
#define DEFAULTS_V1_MODE_SAFE "Safe"

typedef struct defaults_v1_port {
    // +kubebuilder:default=http
    // +kubebuilder:validation:Pattern=`^[a-z]+$`
    const char *name;
    int32_t number;
} defaults_v1_port;
KUBE_DECLARE_LIST(defaults_v1_port);
KUBE_DECLARE_MAP(defaults_v1_port);

typedef struct defaults_v1_limits {
    // +kubebuilder:default="500m"
    kube_quantity cpu;
    // +kubebuilder:default=25%
    kube_int_or_string surge;
    // +kubebuilder:default=3
    kube_int_or_string unavailable;
    // +kubebuilder:default=1h30m
    kube_duration timeout;
} defaults_v1_limits;

typedef struct defaults_v1_thing_spec {
    /** Has a default and is required: the server fills in first. */
    // +kubebuilder:default=1
    // +kubebuilder:validation:Minimum=1
    int32_t replicas;
    // +optional
    // +default=9007199254740993
    kube_opt_int64 exact;
    // +default=-0.5
    kube_opt_double ratio;
    // +kubebuilder:default=true
    kube_opt_bool enabled;
    // +kubebuilder:default=false
    // +optional
    bool paused;
    // +kubebuilder:default="with, comma: and colon"
    // +optional
    const char *text;
    // +kubebuilder:default:="true"
    const char *word;
    // +kubebuilder:default=`C:\temp`
    const char *path;
    // +enum=DEFAULTS_V1_MODE
    // +kubebuilder:default=Safe
    const char *mode;
    // +kubebuilder:default=a;b;"c d"
    kube_string_list tags;
    // +kubebuilder:default={}
    kube_string_list none;
    // +default={}
    // +kubebuilder:default={}
    defaults_v1_limits *limits;
    // +kubebuilder:default={{name: http, number: 80}, {name: tls, "number": 443}}
    defaults_v1_port_list ports;
    // +default={"a":{"number":1,"name":"x"}}
    defaults_v1_port_map by_name;
    // +kubebuilder:default={key: "1", other: two}
    kube_string_map labels;
    // +kubebuilder:default={1,2}
    int32_t_list numbers;
    // +kubebuilder:default="2026-01-31T12:00:00Z"
    kube_time since;
    // +kubebuilder:default="aGVsbG8="
    kube_bytes blob;
    // +default={"any":[1,"two",{"three":3.5e2}]}
    kube_raw_json raw;
    // +default={"number":1,"name":"x","more":{"and":["more"]}}
    // +kubebuilder:pruning:PreserveUnknownFields
    defaults_v1_port *open;
} defaults_v1_thing_spec;

typedef struct defaults_v1_thing_status {
    int64_t replicas;
    const char *selector;
} defaults_v1_thing_status;

/** Thing has a default for everything, and a scale. */
// +genclient
// +genclient:noStatus
// +genclient:onlyVerbs=get,update,getScale,updateScale
// +kubebuilder:subresource:scale:specpath=".spec.replicas",statuspath=.status.replicas,selectorpath=.status.selector
typedef struct defaults_v1_thing {
    kube_object base;
    kube_object_meta metadata;
    // +kubebuilder:default={replicas: 2, word: x, path: y, mode: Fast, none: {a}, tags: {b}, ports: {{name: b, number: 1}}, byName: {}, labels: {}, numbers: []}
    defaults_v1_thing_spec spec;
    // +optional
    defaults_v1_thing_status *status;
} defaults_v1_thing;

#endif /* DEFAULTS_V1_TYPES_H */
