/* SPDX-License-Identifier: Apache-2.0 */
/* These markers come with types that are ported from Go, where other generators read them. */
#include "markers.h"

#define INERT(text, example, ...)                                                                  \
    {                                                                                              \
        .places = MARKER_INERT, .name = text, .usage = "+" text example, .syntax = MARKER_UNREAD,  \
        .help = __VA_ARGS__                                                                        \
    }

/* Servers have these rules in Go, by k8s:validation-gen. controller-gen's CRDs do not have them. */
#define BUILT_IN "A rule of the types that are built into servers: "

const marker_spec marker_inert_specs[] = {
    INERT("kubebuilder:object:root", "=true",
          "Asks for the methods of an object. Here '+genclient' makes a struct a Kind."),
    INERT("kubebuilder:object:generate", "=true",
          "Asks for deep copies. Here every struct has one."),
    INERT("kubebuilder:conversion:hub", "", "Names the version that others are converted to."),
    INERT("kubebuilder:ac", ":generate=true",
          "Asks for apply configurations. Here the client applies the structs themselves."),
    INERT("k8s:openapi-gen", "=true", "Asks for an OpenAPI definition in Go."),
    INERT("k8s:openapi-model-package", "=io.k8s.api.core.v1",
          "Names the package of OpenAPI definitions."),
    INERT(
        "k8s:prerelease-lifecycle-gen", ":introduced=1.2",
        "Says in which release a type of Kubernetes came, is deprecated, goes, and what replaces\n"
        "it. '+kubebuilder:deprecatedversion' warns of a version here."),
    INERT("k8s:defaulter-gen", "=TypeMeta",
          "Asks for functions that set defaults. Here servers set them: '+kubebuilder:default'."),
    INERT("k8s:defaulter-gen-input", "=k8s.io/api/core/v1",
          "Names the types of k8s:defaulter-gen."),
    INERT("k8s:conversion-gen", "=false", "Asks for conversions between versions in Go."),
    INERT("k8s:conversion-gen-external-types", "=k8s.io/api/core/v1",
          "Names the types of k8s:conversion-gen."),
    INERT("k8s:conversion-fn", "=copy-only", "Says how k8s:conversion-gen uses a function."),
    INERT("k8s:protobuf-gen", "=package", "Asks for a protobuf definition."),
    INERT("k8s:register-gen", "=package", "Asks for the registration of types in Go."),
    INERT("k8s:validation-gen", "=TypeMeta", "Asks for functions that validate objects in Go."),
    INERT("k8s:validation-gen-input", "=k8s.io/api/core/v1",
          "Names the types of k8s:validation-gen."),
    INERT("k8s:minLength", "=1", BUILT_IN "it bounds the length of a string."),
    INERT("k8s:maxLength", "=63", BUILT_IN "it bounds the length of a string."),
    INERT("k8s:maxBytes", "=63", BUILT_IN "it bounds the length of a string."),
    INERT("k8s:minItems", "=1", BUILT_IN "it bounds the length of a list."),
    INERT("k8s:minProperties", "=1", BUILT_IN "it bounds the number of members."),
    INERT("k8s:maxProperties", "=16", BUILT_IN "it bounds the number of members."),
    INERT("k8s:format", "=k8s-short-name", BUILT_IN "it checks the form of a string."),
    INERT("k8s:enumExclude", "", BUILT_IN "it leaves a value out of an enum."),
    INERT("k8s:eachVal", "=+k8s:minLength=1", BUILT_IN "it checks each element of a list or map."),
    INERT("k8s:eachKey", "=+k8s:minLength=1", BUILT_IN "it checks each key of a map."),
    INERT("k8s:item", "(name: \"a\")=+k8s:immutable", BUILT_IN "it checks one element of a list."),
    INERT("k8s:subfield", "(name)=+k8s:optional", BUILT_IN "it checks one member of a struct."),
    INERT("k8s:listMapItem", "(name: \"a\")=+k8s:immutable",
          BUILT_IN "it checks an element of a list."),
    INERT("k8s:unique", "=set", BUILT_IN "it refuses equal elements of a list."),
    INERT("k8s:customUnique", "",
          BUILT_IN "it leaves equal elements of a list to a function in Go."),
    INERT("k8s:customValidation", "", BUILT_IN "it leaves a member to a function in Go."),
    INERT("k8s:neq", "=\"none\"", BUILT_IN "it refuses one value."),
    INERT("k8s:forbidden", "", BUILT_IN "it refuses that a member is set."),
    INERT("k8s:dependentRequired", "(\"name\")", BUILT_IN "it requires a member beside another."),
    INERT("k8s:update", "=NoModify", BUILT_IN "it refuses some changes of a member."),
    INERT("k8s:monotonic", "", BUILT_IN "it refuses that a number falls."),
    INERT("k8s:opaqueType", "", BUILT_IN "it leaves out the rules of a member's type."),
    INERT("k8s:unionMember", "", BUILT_IN "it chooses one of several members."),
    INERT("k8s:unionDiscriminator", "", BUILT_IN "it chooses one of several members."),
    INERT("k8s:zeroOrOneOfMember", "", BUILT_IN "it chooses at most one of several members."),
    INERT("k8s:ifEnabled", "(Gate)=+k8s:required", BUILT_IN "it holds only with a feature gate."),
    INERT("k8s:ifDisabled", "(Gate)=+k8s:required",
          BUILT_IN "it holds only without a feature gate."),
    INERT("k8s:alpha", "(since: \"1.35\")=+k8s:minimum=1", BUILT_IN "breaking it is only counted."),
    INERT("k8s:beta", "(since: \"1.36\")=+k8s:minimum=1", BUILT_IN "it holds unless switched off."),
    INERT("k8s:isSubresource", "=\"/status\"", BUILT_IN "it checks a type as a subresource."),
    INERT("k8s:supportsSubresource", "=\"/status\"", BUILT_IN "it checks a subresource of a type."),
    INERT("k8s:deprecated", "=name", "Says what replaces a member."),
    INERT("protobuf", "=false", "Says how a member or a type is written in protobuf."),
    INERT("protobuf.", "nullable=true", "Says how a member or a type is written in protobuf.",
          .is_family = true),
    INERT("groupGoName", "=Core", "Names the group in names of Go."),
    INERT("featureGate", "=GateName",
          "Says by which feature gate a member of Kubernetes is there."),
    INERT("deprecated", "=text", "Tells readers of the type that a member goes."),
    INERT("union", "", "Says that a struct is a union of which one member is set."),
    INERT("unionDiscriminator", "", "Marks the member that says which member of a union is set."),
    INERT("unionMember", "=name", "Marks a member of a union."),
    INERT("unionDeprecated", "", "Marks a member of a union that goes."),
    INERT("oneOf", "=name", "Marks members of which exactly one is set."),
    INERT("zeroOrOneOf", "=name", "Marks members of which at most one is set."),
};

const size_t marker_inert_len = sizeof marker_inert_specs / sizeof *marker_inert_specs;
