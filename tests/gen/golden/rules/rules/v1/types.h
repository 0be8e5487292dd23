/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=rules.example.org
#ifndef RULES_V1_TYPES_H
#define RULES_V1_TYPES_H

#include <kube/meta.h>

typedef struct rules_v1_range {
    kube_opt_int32 min;
    kube_opt_int32 max;
} rules_v1_range;
KUBE_DECLARE_LIST(rules_v1_range);

// +kubebuilder:validation:items:Minimum=0
// +kubebuilder:validation:items:Enum=0;1;2
typedef int32_t_list rules_v1_levels;

// +kubebuilder:validation:ExactlyOneOf=http;https
// +kubebuilder:validation:AtMostOneOf={tcp,udp}
// +kubebuilder:validation:XValidation:rule="true"
// +kubebuilder:validation:AtLeastOneOf=http;tcp;udp
// +kubebuilder:validation:AtMostOneOf=http;udp
typedef struct rules_v1_source {
    // +optional
    const char *http;
    rules_v1_range *https;
    kube_opt_int32 tcp;
    // +kubebuilder:validation:Type=object
    kube_raw_json udp;
    // +k8s:immutable
    // +kubebuilder:validation:XValidation:rule="self != 'x'"
    const char *id;
    // +k8s:immutable
    // +optional
    const char *zone;
    // +nullable
    // +optional
    const char *note;
} rules_v1_source;

typedef struct rules_v1_gauge_spec {
    // +kubebuilder:validation:XValidation:rule="self != 'none'",message="a name, please",reason=FieldValueForbidden
    // +kubebuilder:validation:XValidation:rule=`self == oldSelf`,messageExpression="'it was ' + oldSelf"
    const char *name;
    // +kubebuilder:validation:XValidation:rule="self.min <= self.max",fieldPath=".max"
    // +kubebuilder:validation:XValidation:rule="!oldSelf.hasValue() || self == oldSelf.value()",optionalOldSelf=true
    // +kubebuilder:validation:MinProperties=1
    // +kubebuilder:title="Range of values"
    // +kubebuilder:example={min: 1, max: 5}
    rules_v1_range range;
    // +kubebuilder:pruning:PreserveUnknownFields
    rules_v1_range *open;
    // +kubebuilder:validation:XPreserveUnknownFields
    // +kubebuilder:pruning:PreserveUnknownFields
    kube_string_map labels;
    // +kubebuilder:validation:EmbeddedResource
    kube_raw_json template_;
    // +kubebuilder:validation:Type=object
    kube_raw_json values;
    // +kubebuilder:validation:Type=string
    // +kubebuilder:validation:MinLength=1
    // +kubebuilder:validation:Pattern=`^[0-9]+$`
    kube_raw_json digits;
    // +kubebuilder:validation:Type=integer
    // +kubebuilder:validation:Minimum=3
    kube_raw_json count;
    // +kubebuilder:validation:XIntOrString
    // +kubebuilder:validation:Pattern=`^[0-9]+%$`
    kube_raw_json share;
    // +kubebuilder:validation:XIntOrString
    // +kubebuilder:validation:Pattern=`^[0-9]+%$`
    kube_int_or_string surge;
    // +kubebuilder:validation:Type=string
    // +kubebuilder:validation:Pattern=`^([0-9]+(s|m|h))+$`
    kube_duration interval;
    // +kubebuilder:validation:XIntOrString
    // +kubebuilder:validation:Pattern=`^[0-9]+Gi$`
    kube_quantity size;
    // +kubebuilder:validation:Type=string
    kube_quantity text_size;
    // +kubebuilder:validation:Schemaless
    // +kubebuilder:pruning:PreserveUnknownFields
    rules_v1_range anything;
    // +kubebuilder:title=Copies
    // +kubebuilder:example=3
    // +kubebuilder:externalDocs:url="https://example.org/copies",description="How many"
    int32_t copies;
    // +kubegen:schema={"anyOf":[{"minLength":3},{"enum":["a","b"]}],"type":"string","description":null}
    // +kubebuilder:validation:MaxLength=9
    /** It is taken away. */
    const char *odd;
    // +kubegen:schema={"properties":{"min":{"maximum":7,"format":null}},"not":{"required":["min","max"]}}
    rules_v1_range either;
    // +kubebuilder:validation:items:MinLength=1
    // +kubebuilder:validation:items:MaxLength=63
    // +kubebuilder:validation:items:Pattern=`^[a-z]+$`
    // +kubebuilder:validation:items:XValidation:rule="self != 'none'",message="not this one"
    // +kubebuilder:validation:MaxItems=4
    // +kubebuilder:default={a,b}
    // +optional
    kube_string_list words;
    // +kubebuilder:validation:items:XValidation:rule="has(self.min)"
    // +kubebuilder:validation:items:XPreserveUnknownFields
    // +optional
    rules_v1_range_list ranges;
    // +kubebuilder:validation:items:Type=object
    // +kubebuilder:validation:items:XEmbeddedResource
    // +optional
    kube_raw_json_list objects;
    // +optional
    rules_v1_levels levels;
    rules_v1_source *source;
} rules_v1_gauge_spec;

// +genclient
typedef struct rules_v1_gauge {
    kube_object base;
    kube_object_meta metadata;
    rules_v1_gauge_spec spec;
} rules_v1_gauge;

#endif /* RULES_V1_TYPES_H */
