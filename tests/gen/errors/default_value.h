/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

#define ERRORS_V1_MODE_FAST "Fast"
#define ERRORS_V1_MODE_SAFE "Safe"

typedef struct errors_v1_port {
    const char *name;
    int32_t number;
    kube_extra extra;
} errors_v1_port;
KUBE_DECLARE_LIST(errors_v1_port);

typedef struct errors_v1_thing {
    // +kubebuilder:default=many
    kube_opt_int32 number;
    // +kubebuilder:default=1.5
    kube_opt_int64 fraction;
    // +kubebuilder:default=2147483648
    kube_opt_int32 great;
    // +kubebuilder:default=0
    // +kubebuilder:validation:Minimum=1
    kube_opt_int32 low;
    // +kubebuilder:default=11
    // +kubebuilder:validation:Maximum=10
    kube_opt_int32 high;
    // +kubebuilder:default=5
    const char *text;
    // +kubebuilder:default=true
    const char *word;
    // +kubebuilder:default=a;b
    const char *words;
    // +kubebuilder:default="yes"
    kube_opt_bool flag;
    // +kubebuilder:default=ab
    // +kubebuilder:validation:MinLength=3
    const char *short_;
    // +kubebuilder:default=äöü
    // +kubebuilder:validation:MaxLength=2
    const char *long_;
    // +kubebuilder:default=Web
    // +kubebuilder:validation:Pattern=`^[a-z]+\.?$`
    const char *pattern;
    // +kubebuilder:default=safe
    // +enum=ERRORS_V1_MODE
    const char *mode;
    // +kubebuilder:default=3
    // +kubebuilder:validation:Enum=1;2
    kube_opt_int32 one;
    // +kubebuilder:default={name: a, numbr: 1}
    errors_v1_port *port;
    // +kubebuilder:default={{name: a, number: x}}
    errors_v1_port_list ports;
    // +kubebuilder:default={key: 1}
    kube_string_map map;
    // +kubebuilder:default=a
    kube_string_list list;
    // +kubebuilder:default=5x
    kube_quantity quantity;
    // +kubebuilder:default=yesterday
    kube_time time;
    // +kubebuilder:default=5
    kube_duration duration;
    // +kubebuilder:default="a b"
    kube_bytes bytes;
    // +kubebuilder:default=1.5
    kube_int_or_string either;
    // +optional
    // +kubebuilder:default=1
    int32_t replicas;
    // +optional
    // +kubebuilder:default={name: a, number: 1}
    errors_v1_port first;
    // +kubebuilder:default=1
    // +default=2
    kube_opt_int32 both;
} errors_v1_thing;

#endif
/* expect:
18:29: error: 'many' is not a whole number, and 'number' has type 'kube_opt_int32'
20:29: error: '1.5' is not a whole number, and 'fraction' has type 'kube_opt_int64'
22:29: error: '2147483648' is more than 'great' of type 'kube_opt_int32' can hold
24:29: error: '0' is below the Minimum of 1
27:29: error: '11' is above the Maximum of 10
30:29: error: '5' is not a string, and 'text' has type 'const char *': write "5"
32:29: error: 'true' is not a string, and 'word' has type 'const char *': write "true"
34:29: error: a list is not a string, and 'words' has type 'const char *'
36:29: error: 'yes' is not true or false, and 'flag' has type 'kube_opt_bool'
38:29: error: 'ab' is shorter than the MinLength of 3
41:29: error: 'äöü' is longer than the MaxLength of 2
44:29: error: 'Web' does not match the Pattern
47:29: error: 'safe' is not one of Fast, Safe
50:29: error: '3' is not one of 1, 2
53:29: error: 'errors_v1_port' has no member 'numbr'; did you mean 'number'?
53:29: error: the default lacks 'number', which 'errors_v1_port' requires
55:29: error: 'x' is not a whole number, and 'ports[0].number' has type 'int32_t'
57:29: error: '1' is not a string, and 'map[key]' has type 'const char *': write "1"
59:29: error: 'a' is not a list, and 'list' has type 'kube_string_list'
61:29: error: '5x' is not a quantity, such as 500m or 1Gi, and 'quantity' has type 'kube_quantity'
63:29: error: 'yesterday' is not a time, such as 2026-01-31T12:00:00Z, and 'time' has type 'kube_time'
65:29: error: '5' is not a duration, such as 1h30m, and 'duration' has type 'kube_duration'
67:29: error: 'a b' is not base64, and 'bytes' has type 'kube_bytes'
69:29: error: '1.5' is not a whole number or a string, and 'either' has type 'kube_int_or_string'
72:29: error: a zero in 'replicas' is not sent, so the server would replace it by this default; use 'kube_opt_int32'
75:29: error: a zero in 'first' is not sent, so the server would replace it by this default; use 'errors_v1_port *'
78:17: error: '+default' differs from '+kubebuilder:default'
77:29: note: which is here
*/
