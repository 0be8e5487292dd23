/* SPDX-License-Identifier: Apache-2.0 */
#include "markers.h"

#include "model.h"
#include "support/ascii.h"
#include "support/str.h"

#include <string.h>

static const char *const booleans[] = {"true", "false", NULL};
static const char *const deepcopy_values[] = {"true", "false", "package", "package,register", NULL};
static const char *const list_types[] = {"atomic", "set", "map", NULL};
static const char *const map_types[] = {"atomic", "granular", NULL};
static const char *const patch_strategies[] = {"merge", "replace", "retainKeys", NULL};
static const char *const scopes[] = {"Namespaced", "Cluster", NULL};
static const char *const column_types[] = {"integer", "number", "string", "boolean", "date", NULL};
static const char *const column_formats[] = {
    "int32", "int64", "float", "double", "byte", "date", "date-time", "password", NULL,
};

static const char *const method_verbs[] = {"get", "create", "update", "apply", NULL};
static const marker_arg_spec method_args[] = {
    {"method", MARKER_ARG_TEXT, true, NULL, "name of the call in CamelCase, the first of all"},
    {"verb", MARKER_ARG_TEXT, true, method_verbs, "what it does: get, create, update or apply"},
    {"subresource", MARKER_ARG_TEXT, true, NULL, "path behind the object's: scale, token"},
    {"input", MARKER_ARG_TEXT, false, NULL,
     "Kind of what is sent (default: the struct itself): one of the header, kube_scale, or one of "
     "another header as Go has it, k8s.io/api/authentication/v1.TokenRequest"},
    {"result", MARKER_ARG_TEXT, false, NULL, "Kind of what comes back, likewise"},
    {0},
};
static const marker_arg_spec resource_args[] = {
    {"path", MARKER_ARG_TEXT, false, NULL, "the plural in URLs; the same as +resourceName"},
    {"singular", MARKER_ARG_TEXT, false, NULL,
     "the singular for kubectl (default: the Kind in lower case)"},
    {"shortName", MARKER_ARG_LIST, false, NULL, "short names for kubectl: nw;net"},
    {"categories", MARKER_ARG_LIST, false, NULL, "groups of resources for kubectl: all"},
    {"scope", MARKER_ARG_TEXT, false, scopes, "Namespaced (the default) or Cluster"},
    {0},
};
static const marker_arg_spec metadata_args[] = {
    {"annotations", MARKER_ARG_PAIRS, false, NULL, "\"key=value\", several separated by ;"},
    {"labels", MARKER_ARG_PAIRS, false, NULL, "\"key=value\", several separated by ;"},
    {0},
};
static const marker_arg_spec scale_args[] = {
    {"specpath", MARKER_ARG_TEXT, true, NULL, "path of the number that is wanted: .spec.replicas"},
    {"statuspath", MARKER_ARG_TEXT, true, NULL,
     "path of the number that there is: .status.replicas"},
    {"selectorpath", MARKER_ARG_TEXT, false, NULL,
     "path of a label selector as text, for autoscalers: .status.selector"},
    {0},
};
static const marker_arg_spec selectable_args[] = {
    {"JSONPath", MARKER_ARG_TEXT, true, NULL, "path of a string, a whole number or a bool"},
    {0},
};
static const marker_arg_spec deprecated_args[] = {
    {"warning", MARKER_ARG_TEXT, false, NULL, "text of the warning (default: the server's own)"},
    {0},
};
static const marker_arg_spec rbac_args[] = {
    {"groups", MARKER_ARG_LIST, false, NULL,
     "API groups: apps;batch; core stands for the group without a name"},
    {"resources", MARKER_ARG_LIST, false, NULL,
     "resources by their plurals: deployments;deployments/status"},
    {"verbs", MARKER_ARG_LIST, true, NULL, "verbs: get;list;watch; * stands for all"},
    {"resourceNames", MARKER_ARG_LIST, false, NULL,
     "names of the only objects that the rule is about"},
    {"urls", MARKER_ARG_LIST, false, NULL, "paths that are not resources: /metrics"},
    {"namespace", MARKER_ARG_TEXT, false, NULL,
     "namespace in which the rule holds: it goes into a Role, not a ClusterRole"},
    {"roleName", MARKER_ARG_TEXT, false, NULL, "role name (default: --role-name)"},
    {0},
};
static const marker_arg_spec column_args[] = {
    {"name", MARKER_ARG_TEXT, true, NULL, "heading of the column"},
    {"type", MARKER_ARG_TEXT, true, column_types, "integer, number, string, boolean or date"},
    {"JSONPath", MARKER_ARG_TEXT, true, NULL, "path of the value: \".spec.cidr\""},
    {"description", MARKER_ARG_TEXT, false, NULL, "longer text about the column"},
    {"format", MARKER_ARG_TEXT, false, column_formats, "format of the value: int32, date…"},
    {"priority", MARKER_ARG_COUNT, false, NULL, "0: always shown; greater: only with -o wide"},
    {0},
};

static const char *const json_types[] = {"string", "integer", "number", "boolean",
                                         "array",  "object",  NULL};
const char *const marker_cel_reasons[] = {
    "FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate", NULL,
};
static const marker_arg_spec cel_args[] = {
    {"rule", MARKER_ARG_TEXT, true, NULL,
     "an expression of CEL, of self and oldSelf, that must be true: \"self.min <= self.max\""},
    {"message", MARKER_ARG_TEXT, false, NULL, "what the server says where the rule is broken"},
    {"messageExpression", MARKER_ARG_TEXT, false, NULL,
     "an expression that makes that text; it goes before the message"},
    {"reason", MARKER_ARG_TEXT, false, marker_cel_reasons,
     "the error's reason (default: FieldValueInvalid)"},
    {"fieldPath", MARKER_ARG_TEXT, false, NULL,
     "path of the member to blame, from self: \".max\" (default: self)"},
    {"optionalOldSelf", MARKER_ARG_TEXT, false, booleans,
     "true: a rule with oldSelf holds for new objects too, where oldSelf.hasValue() is false"},
    {0},
};
static const marker_arg_spec docs_args[] = {
    {"url", MARKER_ARG_TEXT, true, NULL, "where the text is"},
    {"description", MARKER_ARG_TEXT, false, NULL, "what it is about"},
    {0},
};

/* What follows the example is the help, and then members that are not zero. */
#define PLACED(where, text, example, form, ...)                                                    \
    {                                                                                              \
        .places = where, .name = text, .usage = "+" text example, .syntax = form,                  \
        .help = __VA_ARGS__                                                                        \
    }
#define KIND(...) PLACED(MARKER_TYPE, __VA_ARGS__, .needs_genclient = true)
#define HEADER(...) PLACED(MARKER_HEADER, __VA_ARGS__)
#define FIELD(...) PLACED(MARKER_FIELD, __VA_ARGS__)
#define VALUE(...) PLACED(MARKER_VALUE, __VA_ARGS__)
#define RULE(text, ...) VALUE("kubebuilder:validation:" text, __VA_ARGS__)

/* Designated by id, so that a marker without a row is a row without a name, which a test finds. */
const marker_spec marker_specs[MARKER_ID_COUNT] = {
    [MARKER_GROUP_NAME] = HEADER(
        "groupName", "=samplecrd.k8s.io", MARKER_TEXT,
        "The API group of the header; empty for the core group. Without it: the name of the\n"
        "group's directory.",
        .may_be_empty = true),
    [MARKER_VERSION_NAME] =
        HEADER("versionName", "=v1beta1", MARKER_TEXT,
               "The API version of the header. Without it: the name of the directory."),
    [MARKER_PREFIX] =
        HEADER("prefix", "=samplecrd_v1", MARKER_TEXT,
               "The names of the header's structs and of all generated functions begin with it.\n"
               "Without it: <group directory>_<version>."),
    [MARKER_KIND] = KIND("kind", "=HTTPRoute", MARKER_TEXT,
                         "The Kind, if it is not the struct's name in CamelCase."),
    [MARKER_GENCLIENT] =
        PLACED(MARKER_TYPE, "genclient", "", MARKER_BARE,
               "The struct is a Kind: it begins with `kube_object base` and has a\n"
               "`kube_object_meta metadata`. Client, lister, informer and CRD are generated."),
    [MARKER_NO_STATUS] = KIND(
        "genclient:noStatus", "", MARKER_BARE,
        "The client has no update_status and apply_status, even if there is a member `status`."),
    [MARKER_NON_NAMESPACED] =
        KIND("genclient:nonNamespaced", "", MARKER_BARE,
             "Objects of the Kind belong to the cluster, not to a namespace."),
    [MARKER_NO_VERBS] = KIND("genclient:noVerbs", "", MARKER_BARE,
                             "Only the data type is generated: no client, lister and informer."),
    [MARKER_READONLY] = KIND("genclient:readonly", "", MARKER_BARE,
                             "The same as +genclient:onlyVerbs=get,list,watch."),
    [MARKER_ONLY_VERBS] = KIND("genclient:onlyVerbs", "=get,list", MARKER_WORDS,
                               "The client has only these verbs.", .choices = model_verb_names),
    [MARKER_SKIP_VERBS] = KIND("genclient:skipVerbs", "=delete,deleteCollection", MARKER_WORDS,
                               "The client has all verbs but these.", .choices = model_verb_names),
    [MARKER_METHOD] = KIND(
        "genclient:method",
        "=UpdateScale,verb=update,subresource=scale,input=kube_scale,result=kube_scale",
        MARKER_ARGS,
        "The client has a call of this name for a subresource, whose input and result may be of\n"
        "other types: <cPlural>_update_scale here.",
        .may_repeat = true, .leads_with_value = true, .args = method_args),
    [MARKER_RESOURCE_NAME] = KIND(
        "resourceName", "=endpoints", MARKER_TEXT,
        "The plural in URLs and in the CRD's name, if it is not the English plural of the Kind\n"
        "in lower case."),
    [MARKER_C_PLURAL] = KIND(
        "cPlural", "=endpoints_objects", MARKER_TEXT,
        "The functions that call the API are called <prefix>_<cPlural>_create and so on. Without\n"
        "it: the plural of the C name. Needed where that is the name of something else."),
    [MARKER_OPTIONAL] =
        FIELD("optional", "", MARKER_BARE,
              "The member may be left out: zero is not written to the JSON, and the CRD does not\n"
              "require the member."),
    [MARKER_REQUIRED] = FIELD(
        "required", "", MARKER_BARE,
        "The CRD requires the member. Strings, numbers, structs, lists and maps are required\n"
        "anyway, unless +optional; other types, such as times, quantities, pointers and\n"
        "kube_opt_*, are not. The JSON does not change: absent is left out, and refused."),
    [MARKER_VALIDATION_OPTIONAL] = PLACED(
        MARKER_FIELD | MARKER_HEADER, "kubebuilder:validation:Optional", "", MARKER_BARE,
        "The same as +optional. Of the header: its CRDs require no member but those that are\n"
        "+required; the JSON does not change.",
        .same_as = MARKER_OPTIONAL),
    [MARKER_VALIDATION_REQUIRED] =
        PLACED(MARKER_FIELD | MARKER_HEADER, "kubebuilder:validation:Required", "", MARKER_BARE,
               "The same as +required. Of the header: what holds without it, so it has no effect.",
               .same_as = MARKER_REQUIRED),
    [MARKER_NULLABLE] = FIELD(
        "nullable", "", MARKER_BARE,
        "The server takes null for the member and keeps it. In C that is absence, and absence is\n"
        "left out: the JSON does not change."),
    [MARKER_JSON] = FIELD(
        "json", "=podCIDR", MARKER_TEXT,
        "The member's name in JSON. Without it: the C name in lowerCamelCase, without a `_` at\n"
        "its end."),
    [MARKER_INLINE] = FIELD("inline", "", MARKER_BARE,
                            "The members of this struct are members of the outer one in JSON."),
    [MARKER_DEFAULT] =
        FIELD("kubebuilder:default", "=3", MARKER_LOOSE,
              "The value that the server sets if the member is left out: a number, true, false, a\n"
              "word or a \"string\", a;b or {a, b}, {key: value}. C code neither sets nor sends "
              "defaults:\n"
              "it reads what the server has set."),
    [MARKER_DEFAULT_JSON] = FIELD("default", "={\"port\":80}", MARKER_JSON_VALUE,
                                  "The same as +kubebuilder:default, with the value in JSON."),
    [MARKER_ENUM] = PLACED(
        MARKER_FIELD | MARKER_TYPEDEF, "enum", "=SAMPLECRD_V1_PHASE", MARKER_TEXT,
        "The string is one of the header's `#define SAMPLECRD_V1_PHASE_… \"…\"`, or of an\n"
        "included header's; the CRD lists all of them, sorted. Those of another +enum with a\n"
        "longer prefix are left out. Unknown values survive reading and writing. Above a\n"
        "typedef the value may be left out, as in Go: it is the typedef's name in upper case, and\n"
        "without such strings, or beside an Enum, the marker has no effect.",
        .may_be_bare = true),
    [MARKER_INTERN] = FIELD("kubegen:intern", "", MARKER_BARE,
                            "The strings have few different values: decoded objects share them."),
    [MARKER_SERVER_SET] = FIELD("kubegen:serverSet", "", MARKER_BARE,
                                "The server sets the member: server-side apply does not send it."),
    [MARKER_SEND_EMPTY] = FIELD(
        "kubegen:sendEmpty", "", MARKER_BARE,
        "A struct that is +optional is written to the JSON even if it is empty, as Go writes\n"
        "what it has by value. Server-side apply does not send it."),
    [MARKER_MANAGED_FIELDS] =
        FIELD("kubegen:managedFields", "", MARKER_BARE,
              "The list of field managers: an informer may skip it while decoding."),
    [MARKER_DEEPCOPY] = PLACED(
        MARKER_HEADER | MARKER_TYPE, "k8s:deepcopy-gen", "=package", MARKER_TEXT,
        "Accepted for headers that come from Go, but it has no effect: every struct has a deep\n"
        "copy.",
        .choices = deepcopy_values),
    [MARKER_DEEPCOPY_INTERFACES] =
        PLACED(MARKER_TYPE, "k8s:deepcopy-gen:interfaces",
               "=k8s.io/apimachinery/pkg/runtime.Object", MARKER_TEXT,
               "Accepted for headers that come from Go, but it has no effect: C has no interfaces.",
               .may_repeat = true),
    [MARKER_DEEPCOPY_NONPOINTER] = PLACED(
        MARKER_TYPE, "k8s:deepcopy-gen:nonpointer-interfaces", "=true", MARKER_TEXT,
        "Accepted for headers that come from Go, but it has no effect.", .choices = booleans),
    [MARKER_RESOURCE] = KIND("kubebuilder:resource", ":shortName=nw,scope=Cluster", MARKER_ARGS,
                             "Sets the names and the scope of the CRD.", .args = resource_args),
    [MARKER_METADATA] =
        KIND("kubebuilder:metadata", ":annotations=\"key=value\"", MARKER_ARGS,
             "Sets annotations and labels of the CRD.", .may_repeat = true, .args = metadata_args),
    [MARKER_SUBRESOURCE_STATUS] =
        KIND("kubebuilder:subresource:status", "", MARKER_BARE,
             "The CRD has a status subresource: update leaves the status alone, and\n"
             "update_status changes nothing else."),
    [MARKER_SUBRESOURCE_SCALE] = KIND(
        "kubebuilder:subresource:scale", ":specpath=.spec.replicas,statuspath=.status.replicas",
        MARKER_ARGS,
        "The CRD has a scale subresource, for `kubectl scale` and autoscalers; the client has\n"
        "get_scale and update_scale.",
        .args = scale_args),
    [MARKER_PRINT_COLUMN] = KIND(
        "kubebuilder:printcolumn", ":name=\"CIDR\",type=string,JSONPath=\".spec.cidr\"",
        MARKER_ARGS, "Adds a column to `kubectl get`.", .may_repeat = true, .args = column_args),
    [MARKER_SELECTABLE_FIELD] =
        KIND("kubebuilder:selectablefield", ":JSONPath=.spec.zone", MARKER_ARGS,
             "Lists and watches can pick objects by the value of this member:\n"
             "`kubectl get --field-selector spec.zone=b`. A Kind has at most 8 such members.",
             .may_repeat = true, .args = selectable_args),
    [MARKER_STORAGE_VERSION] =
        KIND("kubebuilder:storageversion", "", MARKER_BARE,
             "The server stores this version of the Kind. Without it: the first version that\n"
             "`kubegen crd` is given."),
    [MARKER_UNSERVED_VERSION] =
        KIND("kubebuilder:unservedversion", "", MARKER_BARE,
             "The server does not serve this version; it may still be stored."),
    [MARKER_SKIP_VERSION] = KIND("kubebuilder:skipversion", "", MARKER_BARE,
                                 "The CRD leaves this version out. The C code is generated."),
    [MARKER_SKIP] = HEADER("kubebuilder:skip", "", MARKER_BARE,
                           "The CRDs leave out the header's Kinds. The C code is generated."),
    [MARKER_DEPRECATED_VERSION] =
        KIND("kubebuilder:deprecatedversion", ":warning=\"use v2\"", MARKER_ARGS,
             "The server warns everyone who uses this version.", .args = deprecated_args),
    [MARKER_RBAC] = PLACED(
        MARKER_ANYWHERE, "kubebuilder:rbac",
        ":groups=apps,resources=deployments,verbs=get;list;watch", MARKER_ARGS,
        "The program needs these rights. `kubegen rbac` makes roles of all such lines in headers\n"
        "and C files. The line may stand beside the code that needs the rights.",
        .may_repeat = true, .args = rbac_args),
    [MARKER_MINIMUM] = RULE("Minimum", "=0", MARKER_NUMBER, "The server refuses smaller numbers."),
    [MARKER_MAXIMUM] =
        RULE("Maximum", "=100", MARKER_NUMBER, "The server refuses greater numbers."),
    [MARKER_EXCLUSIVE_MINIMUM] =
        RULE("ExclusiveMinimum", "=true", MARKER_TEXT,
             "The server also refuses the Minimum itself.", .choices = booleans),
    [MARKER_EXCLUSIVE_MAXIMUM] =
        RULE("ExclusiveMaximum", "=true", MARKER_TEXT,
             "The server also refuses the Maximum itself.", .choices = booleans),
    [MARKER_MULTIPLE_OF] = RULE("MultipleOf", "=5", MARKER_NUMBER,
                                "The server refuses numbers that are not a multiple of this one."),
    [MARKER_MIN_LENGTH] =
        RULE("MinLength", "=1", MARKER_COUNT, "The server refuses shorter strings."),
    [MARKER_MAX_LENGTH] =
        RULE("MaxLength", "=63", MARKER_COUNT, "The server refuses longer strings."),
    [MARKER_PATTERN] = RULE("Pattern", "=`^[a-z]+$`", MARKER_TEXT,
                            "The server refuses strings that do not match the regular expression."),
    [MARKER_FORMAT] =
        RULE("Format", "=ipv4", MARKER_TEXT,
             "The server refuses strings that are not of this format, such as ipv4, cidr, uri,\n"
             "email, hostname, uuid, date. It ignores formats that it does not know."),
    [MARKER_MIN_ITEMS] =
        RULE("MinItems", "=1", MARKER_COUNT, "The server refuses lists with fewer elements."),
    [MARKER_MAX_ITEMS] =
        RULE("MaxItems", "=16", MARKER_COUNT, "The server refuses lists with more elements."),
    [MARKER_MIN_PROPERTIES] = RULE("MinProperties", "=1", MARKER_COUNT,
                                   "The server refuses maps and structs with fewer members."),
    [MARKER_MAX_PROPERTIES] = RULE("MaxProperties", "=16", MARKER_COUNT,
                                   "The server refuses maps and structs with more members."),
    [MARKER_ENUM_VALUES] =
        RULE("Enum", "=TCP;UDP", MARKER_LITERALS,
             "The server refuses all other values. +enum takes the values from #defines."),
    [MARKER_X_VALIDATION] = RULE(
        "XValidation", ":rule=\"self.min <= self.max\",message=\"min is above max\"", MARKER_ARGS,
        "The server refuses values for which the rule, an expression of CEL, is not true.",
        .may_repeat = true, .args = cel_args),
    [MARKER_EXACTLY_ONE_OF] =
        PLACED(MARKER_TYPE, "kubebuilder:validation:ExactlyOneOf", "=http;https", MARKER_LITERALS,
               "The server wants exactly one of these members, which are named as in the JSON.",
               .may_repeat = true),
    [MARKER_AT_MOST_ONE_OF] =
        PLACED(MARKER_TYPE, "kubebuilder:validation:AtMostOneOf", "=http;https", MARKER_LITERALS,
               "The server refuses more than one of these members.", .may_repeat = true),
    [MARKER_AT_LEAST_ONE_OF] =
        PLACED(MARKER_TYPE, "kubebuilder:validation:AtLeastOneOf", "=http;https", MARKER_LITERALS,
               "The server wants at least one of these members.", .may_repeat = true),
    [MARKER_IMMUTABLE] =
        FIELD("k8s:immutable", "", MARKER_BARE,
              "The server refuses changes of the member. One that is not required may be set\n"
              "later, and then stays."),
    [MARKER_K8S_REQUIRED] = FIELD(
        "k8s:required", "", MARKER_BARE,
        "The CRD requires the member, as with +required, and refuses an empty one: a string,\n"
        "a list, a map or a struct, unless a minimum says otherwise."),
    [MARKER_K8S_OPTIONAL] = FIELD("k8s:optional", "", MARKER_BARE, "The same as +optional.",
                                  .same_as = MARKER_OPTIONAL),
    [MARKER_K8S_MINIMUM] =
        VALUE("k8s:minimum", "=0", MARKER_NUMBER, "The same as +kubebuilder:validation:Minimum.",
              .same_as = MARKER_MINIMUM),
    [MARKER_K8S_MAXIMUM] =
        VALUE("k8s:maximum", "=100", MARKER_NUMBER, "The same as +kubebuilder:validation:Maximum.",
              .same_as = MARKER_MAXIMUM),
    [MARKER_K8S_MAX_ITEMS] =
        VALUE("k8s:maxItems", "=16", MARKER_COUNT, "The same as +kubebuilder:validation:MaxItems.",
              .same_as = MARKER_MAX_ITEMS),
    [MARKER_K8S_ENUM] = PLACED(
        MARKER_TYPEDEF, "k8s:enum", "", MARKER_BARE,
        "The same as +enum without a value: the values are the header's #defines that begin\n"
        "with the typedef's name in upper case.",
        .same_as = MARKER_ENUM),
    [MARKER_K8S_LIST_TYPE] =
        PLACED(MARKER_FIELD | MARKER_TYPEDEF, "k8s:listType", "=map", MARKER_TEXT,
               "The same as +listType.", .choices = list_types, .same_as = MARKER_LIST_TYPE),
    [MARKER_K8S_LIST_MAP_KEY] =
        PLACED(MARKER_FIELD | MARKER_TYPEDEF, "k8s:listMapKey", "=name", MARKER_TEXT,
               "The same as +listMapKey.", .may_repeat = true, .same_as = MARKER_LIST_MAP_KEY),
    [MARKER_TYPE_NAME] =
        RULE("Type", "=string", MARKER_TEXT,
             "What the JSON is, where the type in C may be several things, such as\n"
             "kube_raw_json and kube_int_or_string. Times and durations take a\n"
             "Pattern only with +kubebuilder:validation:Type=string.",
             .choices = json_types),
    [MARKER_INT_OR_STRING] = RULE("XIntOrString", "", MARKER_BARE,
                                  "Raw JSON is a whole number or a string. A kube_int_or_string is "
                                  "that anyway."),
    [MARKER_PRESERVE] =
        VALUE("kubebuilder:pruning:PreserveUnknownFields", "", MARKER_BARE,
              "The server keeps members that the schema does not name. C keeps them where the\n"
              "struct has a `kube_extra`."),
    [MARKER_X_PRESERVE] =
        RULE("XPreserveUnknownFields", "", MARKER_BARE,
             "The same as +kubebuilder:pruning:PreserveUnknownFields.", .same_as = MARKER_PRESERVE),
    [MARKER_EMBEDDED] = RULE("EmbeddedResource", "", MARKER_BARE,
                             "The value is an object of some Kind: the server checks apiVersion, "
                             "kind and metadata."),
    [MARKER_X_EMBEDDED] =
        RULE("XEmbeddedResource", "", MARKER_BARE,
             "The same as +kubebuilder:validation:EmbeddedResource.", .same_as = MARKER_EMBEDDED),
    [MARKER_SCHEMALESS] =
        FIELD("kubebuilder:validation:Schemaless", "", MARKER_BARE,
              "The CRD says nothing about the member but what its other markers say: a Type, or\n"
              "PreserveUnknownFields, must be among them."),
    [MARKER_TITLE] = VALUE("kubebuilder:title", "=\"Number of copies\"", MARKER_TEXT,
                           "A heading for documents made of the CRD."),
    [MARKER_EXAMPLE] = FIELD("kubebuilder:example", "=3", MARKER_LOOSE,
                             "A value for documents made of the CRD, written as a default is."),
    [MARKER_EXTERNAL_DOCS] =
        VALUE("kubebuilder:externalDocs", ":url=\"https://example.org/docs\"", MARKER_ARGS,
              "Where more is written about it, for documents made of the CRD.", .args = docs_args),
    [MARKER_SCHEMA] =
        VALUE("kubegen:schema", "={\"not\":{\"required\":[\"a\",\"b\"]}}", MARKER_PATCH,
              "A part of the schema as the CRD has it, for what no other marker says: anyOf, "
              "oneOf, not.\n"
              "It is merged into the schema last of all: an object into an object, null removes a\n"
              "keyword, any other value takes the place of what was there."),
    [MARKER_LIST_TYPE] = PLACED(
        MARKER_FIELD | MARKER_TYPEDEF, "listType", "=map", MARKER_TEXT,
        "How server-side apply merges a list: `atomic` replaces the whole list, `set` merges\n"
        "element by element, `map` merges the structs that have the same +listMapKey.",
        .choices = list_types),
    [MARKER_LIST_MAP_KEY] = PLACED(
        MARKER_FIELD | MARKER_TYPEDEF, "listMapKey", "=name", MARKER_TEXT,
        "The JSON name of the member by which the elements of a +listType=map are told apart.",
        .may_repeat = true),
    [MARKER_MAP_TYPE] = PLACED(
        MARKER_FIELD | MARKER_TYPEDEF, "mapType", "=atomic", MARKER_TEXT,
        "How server-side apply merges a map: `atomic` replaces the whole map, `granular`, which\n"
        "is the default, merges value by value.",
        .choices = map_types),
    [MARKER_STRUCT_TYPE] = PLACED(
        MARKER_VALUE, "structType", "=atomic", MARKER_TEXT,
        "The same as +mapType, for a struct: above the struct, or above one member of its type.",
        .choices = map_types),
    [MARKER_PATCH_STRATEGY] =
        FIELD("patchStrategy", "=merge", MARKER_WORDS,
              "How a strategic merge patch changes the member: merge, replace, retainKeys. Only\n"
              "built-in types have such patches; custom resources do not.",
              .choices = patch_strategies),
    [MARKER_PATCH_MERGE_KEY] = FIELD(
        "patchMergeKey", "=name", MARKER_TEXT,
        "The JSON name of the member by which a strategic merge patch tells the elements of a\n"
        "list apart."),
};

const marker_spec *marker_at(size_t index)
{
    if (index < MARKER_ID_COUNT)
        return &marker_specs[index];
    index -= MARKER_ID_COUNT;
    return index < marker_inert_len ? &marker_inert_specs[index] : NULL;
}

/* Says whether a marker's name may end before @rest. */
static bool ends_before(const marker_spec *spec, const char *rest)
{
    if (*rest == '\0' || *rest == '=' || ascii_is_blank(*rest))
        return true;
    if (spec->syntax == MARKER_UNREAD)
        return strchr(":(,", *rest) || spec->is_family;
    return *rest == ':' && (rest[1] == '=' || spec->syntax == MARKER_ARGS);
}

/* Names contain colons and arguments follow one, so the longest name that fits is taken. */
const marker_spec *marker_match(const char *text)
{
    const marker_spec *best = NULL;
    const marker_spec *spec;
    size_t best_len = 0;
    for (size_t i = 0; (spec = marker_at(i)) != NULL; i++) {
        size_t len = strlen(spec->name);
        if (len < best_len || strncmp(text, spec->name, len) != 0 || !ends_before(spec, text + len))
            continue;
        best = spec;
        best_len = len;
    }
    return best;
}

static const char prefix[] = "kubebuilder:validation:";
static const char items[] = "kubebuilder:validation:items:";

const marker_spec *marker_item_rule(arena *in, const char *name)
{
    const marker_spec *rule = NULL;
    marker_spec *made;
    if (str_has_prefix(name, items))
        rule = marker_match(arena_printf(in, "%s%s", prefix, name + strlen(items)));
    if (!rule || rule->places != MARKER_VALUE)
        return NULL;
    made = arena_copy(in, rule, sizeof *rule);
    made->name = arena_printf(in, "%s%s", items, rule->name + strlen(prefix));
    made->usage = arena_printf(in, "+%s%s", items, rule->usage + 1 + strlen(prefix));
    made->same_as = rule->same_as ? rule->same_as : (marker_id)(rule - marker_specs);
    return made;
}

/* An inert marker stands for all whose names go on behind a colon. */
const marker_spec *marker_find(const char *name)
{
    const marker_spec *spec;
    if (*name == '+')
        name++;
    spec = marker_match(name);
    return spec && (spec->places & MARKER_INERT || strcmp(spec->name, name) == 0) ? spec : NULL;
}

/* What the marker is called elsewhere, or was called once. */
static const char *other_spelling(const char *name)
{
    static const char *const pairs[][2] = {
        {"nonNamespaced", "genclient:nonNamespaced"},
        {"genclient:nonnamespaced", "genclient:nonNamespaced"},
        {"genclient:clusterScoped", "genclient:nonNamespaced"},
        {"noMethods", "genclient:noVerbs"},
        {"genclient:noMethods", "genclient:noVerbs"},
        {"readonly", "genclient:readonly"},
        {"noStatus", "genclient:noStatus"},
        {"genclientstatus", "genclient:noStatus"},
        {"kubebuilder:validation:optional", "optional"},
        {"kube:kind", "kind"},
        {"kube:json", "json"},
        {"kubebuilder:subresource", "kubebuilder:subresource:status"},
        {"k8s:default", "default"},
        {"kubebuilder:validation:Default", "kubebuilder:default"},
        {"kubebuilder:validation:default", "kubebuilder:default"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (strcmp(pairs[i][0], name) == 0)
            return pairs[i][1];
    }
    return NULL;
}

const char *marker_unsupported(const char *name)
{
    static const char later[] = "is not supported yet";
    static const char *const known[][2] = {
        {"kubebuilder:validation:UniqueItems",
         "is refused by servers: with '+listType=set' they refuse equal elements"},
        {"kubebuilder:webhook", later},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t len = strlen(known[i][0]);
        if (strncmp(name, known[i][0], len) == 0 && (name[len] == '\0' || name[len] == ':'))
            return known[i][1];
    }
    return NULL;
}

/* The marker whose last part is @name: MinLength. */
static const char *by_last_part(const char *name)
{
    for (size_t i = 0; i < MARKER_ID_COUNT; i++) {
        const char *last = strrchr(marker_specs[i].name, ':');
        if (last && !marker_specs[i].same_as && strcmp(last + 1, name) == 0)
            return marker_specs[i].name;
    }
    return NULL;
}

/* The marker near to what stands before the last colon, if @name ends in one of its arguments. */
static const char *by_argument(arena *in, const char *name, const char *const *names)
{
    const char *colon = strrchr(name, ':');
    const char *near = colon ? diag_nearest(arena_strndup(in, name, (size_t)(colon - name)), names,
                                            MARKER_ID_COUNT)
                             : NULL;
    const marker_spec *spec = near ? marker_find(near) : NULL;
    for (const marker_arg_spec *arg = spec ? spec->args : NULL; arg && arg->name; arg++) {
        if (strcmp(arg->name, colon + 1) == 0)
            return near;
    }
    return NULL;
}

/* The same for a rule of the elements of a list. */
static const char *nearest_item_rule(arena *in, const char *name)
{
    const char *found = marker_nearest(in, arena_printf(in, "%s%s", prefix, name + strlen(items)));
    found = found && str_has_prefix(found, prefix)
                ? arena_printf(in, "%s%s", items, found + strlen(prefix))
                : NULL;
    return found && marker_item_rule(in, found) ? found : NULL;
}

const char *marker_nearest(arena *in, const char *name)
{
    const char *names[MARKER_ID_COUNT];
    const char *found = other_spelling(name);
    const char *colon;
    if (str_has_prefix(name, items))
        return nearest_item_rule(in, name);
    if (!found)
        found = by_last_part(name);
    if (found)
        return found;
    for (size_t i = 0; i < MARKER_ID_COUNT; i++)
        names[i] = marker_specs[i].name;
    found = by_argument(in, name, names);
    if (!found)
        found = diag_nearest(name, names, MARKER_ID_COUNT);
    colon = strrchr(name, ':');
    /* What follows the last colon may be meant as an argument. */
    if (!found && colon)
        found =
            diag_nearest(arena_strndup(in, name, (size_t)(colon - name)), names, MARKER_ID_COUNT);
    return found && strcmp(found, name) != 0 ? found : NULL;
}

const char *marker_place_text(unsigned places)
{
    switch (places) {
    case MARKER_HEADER:
        return "above the first directive or declaration of the header";
    case MARKER_TYPE:
        return "above a struct";
    case MARKER_FIELD:
        return "directly above a member of a struct";
    case MARKER_ANYWHERE:
        return "anywhere in a header or a C file";
    case MARKER_TYPE | MARKER_FIELD:
        return "above a struct or directly above a member of one";
    case MARKER_FIELD | MARKER_HEADER:
        return "directly above a member, or above the first directive or declaration of the header";
    case MARKER_INERT:
        return "anywhere, without effect";
    case MARKER_TYPEDEF:
        return "above a typedef";
    case MARKER_FIELD | MARKER_TYPEDEF:
        return "above a typedef or directly above a member of a struct";
    case MARKER_VALUE:
        return "above a struct or a typedef, or directly above a member of a struct";
    default:
        return "above a struct, or above the first directive or declaration of the header";
    }
}

const marker_arg *marker_find_arg(const marker *in, const char *name)
{
    for (size_t i = 0; in && i < in->arg_len; i++) {
        if (strcmp(in->args[i].spec->name, name) == 0)
            return &in->args[i];
    }
    return NULL;
}
