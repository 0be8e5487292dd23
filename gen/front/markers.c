/* SPDX-License-Identifier: Apache-2.0 */
#include "markers.h"

#include "model.h"
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

static const marker_arg_spec resource_args[] = {
    {"path", MARKER_ARG_TEXT, false, NULL, "plural in URLs; the same as +resourceName"},
    {"singular", MARKER_ARG_TEXT, false, NULL, "what kubectl calls one; the kind in lower case"},
    {"shortName", MARKER_ARG_LIST, false, NULL, "short names for kubectl: nw;net"},
    {"categories", MARKER_ARG_LIST, false, NULL, "groups of kinds for kubectl: all"},
    {"scope", MARKER_ARG_TEXT, false, scopes, "Namespaced (the default) or Cluster"},
    {0},
};
static const marker_arg_spec metadata_args[] = {
    {"annotations", MARKER_ARG_PAIRS, false, NULL, "\"key=value\", several separated by ;"},
    {"labels", MARKER_ARG_PAIRS, false, NULL, "\"key=value\", several separated by ;"},
    {0},
};
static const marker_arg_spec scale_args[] = {
    {"specpath", MARKER_ARG_TEXT, true, NULL, "how many are wanted: .spec.replicas"},
    {"statuspath", MARKER_ARG_TEXT, true, NULL, "how many there are: .status.replicas"},
    {"selectorpath", MARKER_ARG_TEXT, false, NULL,
     "a label selector as text, for autoscalers: .status.selector"},
    {0},
};
static const marker_arg_spec deprecated_args[] = {
    {"warning", MARKER_ARG_TEXT, false, NULL, "what the server says; it has words of its own"},
    {0},
};
static const marker_arg_spec rbac_args[] = {
    {"groups", MARKER_ARG_LIST, false, NULL,
     "API groups: apps;batch; core is the one without name"},
    {"resources", MARKER_ARG_LIST, false, NULL, "plurals: deployments;deployments/status"},
    {"verbs", MARKER_ARG_LIST, true, NULL, "get;list;watch; * is all of them"},
    {"resourceNames", MARKER_ARG_LIST, false, NULL, "only objects of these names"},
    {"urls", MARKER_ARG_LIST, false, NULL, "paths that are no resources: /metrics"},
    {"namespace", MARKER_ARG_TEXT, false, NULL,
     "the rule holds there: it is a Role's, not a ClusterRole's"},
    {"roleName", MARKER_ARG_TEXT, false, NULL, "the role; without it that of --role-name"},
    {0},
};
static const marker_arg_spec column_args[] = {
    {"name", MARKER_ARG_TEXT, true, NULL, "heading"},
    {"type", MARKER_ARG_TEXT, true, column_types, "integer, number, string, boolean or date"},
    {"JSONPath", MARKER_ARG_TEXT, true, NULL, "where the value is: \".spec.cidr\""},
    {"description", MARKER_ARG_TEXT, false, NULL, "longer text"},
    {"format", MARKER_ARG_TEXT, false, column_formats, "how the value is written: int32, date…"},
    {"priority", MARKER_ARG_COUNT, false, NULL, "0 = always shown; above: only with -o wide"},
    {0},
};

/* Designated by id, so that a marker without a row is a row without a name, which a test finds. */
const marker_spec marker_specs[MARKER_ID_COUNT] = {
    [MARKER_GROUP_NAME] = {.name = "groupName",
                           .places = MARKER_HEADER,
                           .syntax = MARKER_TEXT,
                           .may_be_empty = true,
                           .usage = "+groupName=samplecrd.k8s.io",
                           .help = "The API group of the header; empty for the core group.\n"
                                   "Without it: the name of the group's directory."},
    [MARKER_VERSION_NAME] =
        {.name = "versionName",
         .places = MARKER_HEADER,
         .syntax = MARKER_TEXT,
         .usage = "+versionName=v1beta1",
         .help = "The API version of the header. Without it: the name of the directory."},
    [MARKER_PREFIX] =
        {.name = "prefix",
         .places = MARKER_HEADER,
         .syntax = MARKER_TEXT,
         .usage = "+prefix=samplecrd_v1",
         .help = "What the names of the header's structs and of all generated functions begin\n"
                 "with. Without it: <group directory>_<version>."},
    [MARKER_KIND] = {.name = "kind",
                     .places = MARKER_TYPE,
                     .syntax = MARKER_TEXT,
                     .needs_genclient = true,
                     .usage = "+kind=HTTPRoute",
                     .help = "The Kind, where the struct's name in CamelCase is not it."},
    [MARKER_GENCLIENT] =
        {.name = "genclient",
         .places = MARKER_TYPE,
         .syntax = MARKER_BARE,
         .usage = "+genclient",
         .help = "The struct is a Kind: it begins with `kube_object base` and has a\n"
                 "`kube_object_meta metadata`. Client, lister, informer and CRD are generated."},
    [MARKER_NO_STATUS] =
        {.name = "genclient:noStatus",
         .places = MARKER_TYPE,
         .syntax = MARKER_BARE,
         .needs_genclient = true,
         .usage = "+genclient:noStatus",
         .help = "No update_status and apply_status, even if there is a member `status`."},
    [MARKER_NON_NAMESPACED] =
        {.name = "genclient:nonNamespaced",
         .places = MARKER_TYPE,
         .syntax = MARKER_BARE,
         .needs_genclient = true,
         .usage = "+genclient:nonNamespaced",
         .help = "Objects of the Kind belong to the cluster, not to a namespace."},
    [MARKER_NO_VERBS] = {.name = "genclient:noVerbs",
                         .places = MARKER_TYPE,
                         .syntax = MARKER_BARE,
                         .needs_genclient = true,
                         .usage = "+genclient:noVerbs",
                         .help = "No client, lister and informer: only the data type."},
    [MARKER_READONLY] = {.name = "genclient:readonly",
                         .places = MARKER_TYPE,
                         .syntax = MARKER_BARE,
                         .needs_genclient = true,
                         .usage = "+genclient:readonly",
                         .help = "The same as +genclient:onlyVerbs=get,list,watch."},
    [MARKER_ONLY_VERBS] =
        {.name = "genclient:onlyVerbs",
         .places = MARKER_TYPE,
         .syntax = MARKER_WORDS,
         .needs_genclient = true,
         .choices = model_verb_names,
         .usage = "+genclient:onlyVerbs=get,list",
         .help = "The client has these verbs only: create, update, updateStatus, delete,\n"
                 "deleteCollection, get, list, watch, patch, apply, applyStatus."},
    [MARKER_SKIP_VERBS] = {.name = "genclient:skipVerbs",
                           .places = MARKER_TYPE,
                           .syntax = MARKER_WORDS,
                           .needs_genclient = true,
                           .choices = model_verb_names,
                           .usage = "+genclient:skipVerbs=delete,deleteCollection",
                           .help = "The client has all verbs but these."},
    [MARKER_RESOURCE_NAME] =
        {.name = "resourceName",
         .places = MARKER_TYPE,
         .syntax = MARKER_TEXT,
         .needs_genclient = true,
         .usage = "+resourceName=endpoints",
         .help = "The plural in URLs and in the CRD's name, where the usual one is not it."},
    [MARKER_C_PLURAL] =
        {.name = "cPlural",
         .places = MARKER_TYPE,
         .syntax = MARKER_TEXT,
         .needs_genclient = true,
         .usage = "+cPlural=endpoints_objects",
         .help = "What the C functions of API calls begin with, after the prefix, where the\n"
                 "usual plural is taken: <prefix>_<cPlural>_create."},
    [MARKER_OPTIONAL] =
        {.name = "optional",
         .places = MARKER_FIELD,
         .syntax = MARKER_BARE,
         .usage = "+optional",
         .help = "The member need not be there: a zero is left out of the JSON, and the CRD\n"
                 "does not require it."},
    [MARKER_JSON] =
        {.name = "json",
         .places = MARKER_FIELD,
         .syntax = MARKER_TEXT,
         .usage = "+json=podCIDR",
         .help = "The member's name in JSON. Without it: lowerCamelCase of the C name, without\n"
                 "a `_` at its end."},
    [MARKER_INLINE] = {.name = "inline",
                       .places = MARKER_FIELD,
                       .syntax = MARKER_BARE,
                       .usage = "+inline",
                       .help = "The members of this struct are members of the outer one in JSON."},
    [MARKER_DEFAULT] =
        {.name = "kubebuilder:default",
         .places = MARKER_FIELD,
         .syntax = MARKER_LOOSE,
         .usage = "+kubebuilder:default=3",
         .help =
             "What the server puts where the member is left out: a number, true, false, a word\n"
             "or a \"string\", a;b or {a, b}, {key: value}. C sends no default of its own: it\n"
             "leaves out what is unset, and reads what the server made of it."},
    [MARKER_DEFAULT_JSON] = {.name = "default",
                             .places = MARKER_FIELD,
                             .syntax = MARKER_JSON_VALUE,
                             .usage = "+default={\"port\":80}",
                             .help = "The same as +kubebuilder:default, with the value in JSON."},
    [MARKER_ENUM] =
        {.name = "enum",
         .places = MARKER_FIELD,
         .syntax = MARKER_TEXT,
         .usage = "+enum=SAMPLECRD_V1_PHASE",
         .help = "The string is one of the header's `#define SAMPLECRD_V1_PHASE_… \"…\"`: the CRD\n"
                 "lists all of them, sorted. Unknown values survive reading and writing."},
    [MARKER_INTERN] = {.name = "kubegen:intern",
                       .places = MARKER_FIELD,
                       .syntax = MARKER_BARE,
                       .usage = "+kubegen:intern",
                       .help =
                           "The strings have few different values: decoded objects share them."},
    [MARKER_SERVER_SET] = {.name = "kubegen:serverSet",
                           .places = MARKER_FIELD,
                           .syntax = MARKER_BARE,
                           .usage = "+kubegen:serverSet",
                           .help =
                               "The server sets the member: server-side apply does not send it."},
    [MARKER_MANAGED_FIELDS] =
        {.name = "kubegen:managedFields",
         .places = MARKER_FIELD,
         .syntax = MARKER_BARE,
         .usage = "+kubegen:managedFields",
         .help = "The list of field managers: an informer may skip it while decoding."},
    [MARKER_DEEPCOPY] =
        {.name = "k8s:deepcopy-gen",
         .places = MARKER_HEADER | MARKER_TYPE,
         .syntax = MARKER_TEXT,
         .choices = deepcopy_values,
         .usage = "+k8s:deepcopy-gen=package",
         .help = "Accepted for headers that come from Go, and without effect: every struct has\n"
                 "a deep copy."},
    [MARKER_DEEPCOPY_INTERFACES] =
        {.name = "k8s:deepcopy-gen:interfaces",
         .places = MARKER_TYPE,
         .syntax = MARKER_TEXT,
         .may_repeat = true,
         .usage = "+k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object",
         .help = "Accepted for headers that come from Go, and without effect: C has no\n"
                 "interfaces."},
    [MARKER_DEEPCOPY_NONPOINTER] =
        {.name = "k8s:deepcopy-gen:nonpointer-interfaces",
         .places = MARKER_TYPE,
         .syntax = MARKER_TEXT,
         .choices = booleans,
         .usage = "+k8s:deepcopy-gen:nonpointer-interfaces=true",
         .help = "Accepted for headers that come from Go, and without effect."},
    [MARKER_RESOURCE] = {.name = "kubebuilder:resource",
                         .places = MARKER_TYPE,
                         .syntax = MARKER_ARGS,
                         .needs_genclient = true,
                         .args = resource_args,
                         .usage = "+kubebuilder:resource:shortName=nw,scope=Cluster",
                         .help = "Names and scope of the CRD."},
    [MARKER_METADATA] = {.name = "kubebuilder:metadata",
                         .places = MARKER_TYPE,
                         .syntax = MARKER_ARGS,
                         .may_repeat = true,
                         .needs_genclient = true,
                         .args = metadata_args,
                         .usage = "+kubebuilder:metadata:annotations=\"key=value\"",
                         .help = "Annotations and labels of the CRD."},
    [MARKER_SUBRESOURCE_STATUS] =
        {.name = "kubebuilder:subresource:status",
         .places = MARKER_TYPE,
         .syntax = MARKER_BARE,
         .needs_genclient = true,
         .usage = "+kubebuilder:subresource:status",
         .help = "The CRD has a status subresource: update leaves the status alone, and\n"
                 "update_status changes nothing else."},
    [MARKER_SUBRESOURCE_SCALE] =
        {.name = "kubebuilder:subresource:scale",
         .places = MARKER_TYPE,
         .syntax = MARKER_ARGS,
         .needs_genclient = true,
         .args = scale_args,
         .usage = "+kubebuilder:subresource:scale:specpath=.spec.replicas,"
                  "statuspath=.status.replicas",
         .help = "The CRD has a scale subresource, for `kubectl scale` and autoscalers, and the\n"
                 "client get_scale and update_scale."},
    [MARKER_PRINT_COLUMN] =
        {.name = "kubebuilder:printcolumn",
         .places = MARKER_TYPE,
         .syntax = MARKER_ARGS,
         .may_repeat = true,
         .needs_genclient = true,
         .args = column_args,
         .usage = "+kubebuilder:printcolumn:name=\"CIDR\",type=string,JSONPath=\".spec.cidr\"",
         .help = "A column of `kubectl get`."},
    [MARKER_STORAGE_VERSION] =
        {.name = "kubebuilder:storageversion",
         .places = MARKER_TYPE,
         .syntax = MARKER_BARE,
         .needs_genclient = true,
         .usage = "+kubebuilder:storageversion",
         .help = "Of a Kind's versions, the one that the server stores. Without it: the first one\n"
                 "that `kubegen crd` is given."},
    [MARKER_UNSERVED_VERSION] =
        {.name = "kubebuilder:unservedversion",
         .places = MARKER_TYPE,
         .syntax = MARKER_BARE,
         .needs_genclient = true,
         .usage = "+kubebuilder:unservedversion",
         .help = "The server does not serve this version; it may still be stored."},
    [MARKER_DEPRECATED_VERSION] = {.name = "kubebuilder:deprecatedversion",
                                   .places = MARKER_TYPE,
                                   .syntax = MARKER_ARGS,
                                   .needs_genclient = true,
                                   .args = deprecated_args,
                                   .usage = "+kubebuilder:deprecatedversion:warning=\"use v2\"",
                                   .help = "The server warns everyone who uses this version."},
    [MARKER_RBAC] =
        {.name = "kubebuilder:rbac",
         .places = MARKER_ANYWHERE,
         .syntax = MARKER_ARGS,
         .may_repeat = true,
         .args = rbac_args,
         .usage = "+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch",
         .help = "The program needs these rights: `kubegen rbac` makes roles of all such lines in\n"
                 "headers and C files. It may stand beside the code that needs it."},
    [MARKER_MINIMUM] = {.name = "kubebuilder:validation:Minimum",
                        .places = MARKER_FIELD,
                        .syntax = MARKER_NUMBER,
                        .usage = "+kubebuilder:validation:Minimum=0",
                        .help = "The server refuses smaller numbers."},
    [MARKER_MAXIMUM] = {.name = "kubebuilder:validation:Maximum",
                        .places = MARKER_FIELD,
                        .syntax = MARKER_NUMBER,
                        .usage = "+kubebuilder:validation:Maximum=100",
                        .help = "The server refuses greater numbers."},
    [MARKER_EXCLUSIVE_MINIMUM] = {.name = "kubebuilder:validation:ExclusiveMinimum",
                                  .places = MARKER_FIELD,
                                  .syntax = MARKER_TEXT,
                                  .choices = booleans,
                                  .usage = "+kubebuilder:validation:ExclusiveMinimum=true",
                                  .help = "The server refuses the Minimum itself, too."},
    [MARKER_EXCLUSIVE_MAXIMUM] = {.name = "kubebuilder:validation:ExclusiveMaximum",
                                  .places = MARKER_FIELD,
                                  .syntax = MARKER_TEXT,
                                  .choices = booleans,
                                  .usage = "+kubebuilder:validation:ExclusiveMaximum=true",
                                  .help = "The server refuses the Maximum itself, too."},
    [MARKER_MULTIPLE_OF] = {.name = "kubebuilder:validation:MultipleOf",
                            .places = MARKER_FIELD,
                            .syntax = MARKER_NUMBER,
                            .usage = "+kubebuilder:validation:MultipleOf=5",
                            .help = "The server refuses numbers that this one does not divide."},
    [MARKER_MIN_LENGTH] = {.name = "kubebuilder:validation:MinLength",
                           .places = MARKER_FIELD,
                           .syntax = MARKER_COUNT,
                           .usage = "+kubebuilder:validation:MinLength=1",
                           .help = "The server refuses shorter strings."},
    [MARKER_MAX_LENGTH] = {.name = "kubebuilder:validation:MaxLength",
                           .places = MARKER_FIELD,
                           .syntax = MARKER_COUNT,
                           .usage = "+kubebuilder:validation:MaxLength=63",
                           .help = "The server refuses longer strings."},
    [MARKER_PATTERN] = {.name = "kubebuilder:validation:Pattern",
                        .places = MARKER_FIELD,
                        .syntax = MARKER_TEXT,
                        .usage = "+kubebuilder:validation:Pattern=`^[a-z]+$`",
                        .help =
                            "The server refuses strings that do not match the regular expression."},
    [MARKER_FORMAT] =
        {.name = "kubebuilder:validation:Format",
         .places = MARKER_FIELD,
         .syntax = MARKER_TEXT,
         .usage = "+kubebuilder:validation:Format=ipv4",
         .help =
             "The server refuses strings that are not of this format, such as ipv4, cidr, uri, "
             "email,\nhostname, uuid, date. It takes no notice of names that it does not know."},
    [MARKER_MIN_ITEMS] = {.name = "kubebuilder:validation:MinItems",
                          .places = MARKER_FIELD,
                          .syntax = MARKER_COUNT,
                          .usage = "+kubebuilder:validation:MinItems=1",
                          .help = "The server refuses lists with fewer elements."},
    [MARKER_MAX_ITEMS] = {.name = "kubebuilder:validation:MaxItems",
                          .places = MARKER_FIELD,
                          .syntax = MARKER_COUNT,
                          .usage = "+kubebuilder:validation:MaxItems=16",
                          .help = "The server refuses lists with more elements."},
    [MARKER_MIN_PROPERTIES] = {.name = "kubebuilder:validation:MinProperties",
                               .places = MARKER_FIELD,
                               .syntax = MARKER_COUNT,
                               .usage = "+kubebuilder:validation:MinProperties=1",
                               .help = "The server refuses maps and structs with fewer members."},
    [MARKER_MAX_PROPERTIES] = {.name = "kubebuilder:validation:MaxProperties",
                               .places = MARKER_FIELD,
                               .syntax = MARKER_COUNT,
                               .usage = "+kubebuilder:validation:MaxProperties=16",
                               .help = "The server refuses maps and structs with more members."},
    [MARKER_ENUM_VALUES] = {.name = "kubebuilder:validation:Enum",
                            .places = MARKER_FIELD,
                            .syntax = MARKER_LITERALS,
                            .usage = "+kubebuilder:validation:Enum=TCP;UDP",
                            .help =
                                "The server refuses other values. +enum takes them from #defines."},
    [MARKER_LIST_TYPE] = {.name = "listType",
                          .places = MARKER_FIELD,
                          .syntax = MARKER_TEXT,
                          .choices = list_types,
                          .usage = "+listType=map",
                          .help = "What server-side apply merges of a list: nothing of an\n"
                                  "`atomic` one, the elements of a `set`, the structs of a `map`\n"
                                  "by their +listMapKey."},
    [MARKER_LIST_MAP_KEY] =
        {.name = "listMapKey",
         .places = MARKER_FIELD,
         .syntax = MARKER_TEXT,
         .may_repeat = true,
         .usage = "+listMapKey=name",
         .help = "The JSON name of a member that tells the elements of a +listType=map apart."},
    [MARKER_MAP_TYPE] =
        {.name = "mapType",
         .places = MARKER_FIELD,
         .syntax = MARKER_TEXT,
         .choices = map_types,
         .usage = "+mapType=atomic",
         .help = "What server-side apply merges of a map: nothing of an `atomic` one, each value\n"
                 "of a `granular` one, which is the default."},
    [MARKER_STRUCT_TYPE] =
        {.name = "structType",
         .places = MARKER_TYPE | MARKER_FIELD,
         .syntax = MARKER_TEXT,
         .choices = map_types,
         .usage = "+structType=atomic",
         .help = "The same as +mapType of a struct: above it, or above one member that has it."},
    [MARKER_PATCH_STRATEGY] =
        {.name = "patchStrategy",
         .places = MARKER_FIELD,
         .syntax = MARKER_WORDS,
         .choices = patch_strategies,
         .usage = "+patchStrategy=merge",
         .help = "What a strategic merge patch does with the member: merge, replace, retainKeys.\n"
                 "Servers know it of built-in types; custom resources have no such patch."},
    [MARKER_PATCH_MERGE_KEY] =
        {.name = "patchMergeKey",
         .places = MARKER_FIELD,
         .syntax = MARKER_TEXT,
         .usage = "+patchMergeKey=name",
         .help = "The JSON name of the member that tells a list's elements apart in a strategic\n"
                 "merge patch."},
};

const marker_spec *marker_find(const char *name)
{
    if (*name == '+')
        name++;
    for (size_t i = 0; i < MARKER_ID_COUNT; i++) {
        if (strcmp(marker_specs[i].name, name) == 0)
            return &marker_specs[i];
    }
    return NULL;
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
        {"k8s:optional", "optional"},
        {"kubebuilder:validation:Optional", "optional"},
        {"kubebuilder:validation:optional", "optional"},
        {"k8s:minimum", "kubebuilder:validation:Minimum"},
        {"k8s:maximum", "kubebuilder:validation:Maximum"},
        {"k8s:minLength", "kubebuilder:validation:MinLength"},
        {"k8s:maxLength", "kubebuilder:validation:MaxLength"},
        {"k8s:enum", "enum"},
        {"kube:kind", "kind"},
        {"kube:json", "json"},
        {"kubebuilder:object:generate", "k8s:deepcopy-gen"},
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
    static const char required[] =
        "does nothing: strings, numbers, structs, lists and maps are required unless '+optional', "
        "and members of other types never are";
    static const char *const known[][2] = {
        {"kubebuilder:validation:Required", required},
        {"kubebuilder:object:root", "is not needed: '+genclient' makes the struct a Kind"},
        {"required", required},
        {"nullable", later},
        {"kubebuilder:skipversion", later},
        {"kubebuilder:selectablefield", later},
        {"kubebuilder:pruning:PreserveUnknownFields", later},
        {"kubebuilder:validation:UniqueItems",
         "is refused by servers: '+listType=set' has them look for equal elements"},
        {"kubebuilder:validation:Type", later},
        {"kubebuilder:validation:XValidation", later},
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

        if (last && strcmp(last + 1, name) == 0)
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

const char *marker_nearest(arena *in, const char *name)
{
    const char *names[MARKER_ID_COUNT];
    const char *found = other_spelling(name);
    const char *colon;

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
    return found;
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
