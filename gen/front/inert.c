/* SPDX-License-Identifier: Apache-2.0 */
/* These markers come with types that are ported from Go, where other generators read them. */
#include "markers.h"

#define INERT(text, example, ...)                                                                  \
    {                                                                                              \
        .places = MARKER_INERT, .name = text, .usage = "+" text example, .syntax = MARKER_UNREAD,  \
        .help = __VA_ARGS__                                                                        \
    }

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
