#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completes a server's OpenAPI document by what only Go's types say.

    go-schemas.py SCHEMAS < document > completed

The document of a real server has no limits and CEL rules, zeros as defaults that nobody sets, and
an enum wherever Go names some values of a string. SCHEMAS, which kubegen-schemas has written (see
hack/setup-envtest.sh --controller-gen), is what controller-gen makes of the same types: where the
two differ, Go is right. An enum that Go does not enforce stays, so that its values get names; one
that Go enforces is marked with "x-kubegen-enum": "closed".
"""
import json
import sys

PACKAGES = {
    "io.k8s.api.": "k8s.io/api/",
    "io.k8s.apimachinery.pkg.": "k8s.io/apimachinery/pkg/",
    "io.k8s.apiextensions-apiserver.pkg.": "k8s.io/apiextensions-apiserver/pkg/",
}
# What a type says as a whole, and what a member says.
OF_STRUCT = ("x-kubernetes-map-type", "x-kubernetes-validations", "oneOf", "anyOf", "allOf")
OF_VALUE = (
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minLength", "maxLength", "pattern", "minItems", "maxItems", "minProperties", "maxProperties",
    "nullable", "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type",
    "x-kubernetes-validations",
)  # fmt: skip


def go_name(name):
    """"io.k8s.api.core.v1.Pod" as Go has it: "k8s.io/api/core/v1.Pod"."""
    for prefix, package in PACKAGES.items():
        if name.startswith(prefix):
            path, last = name[len(prefix) :].rsplit(".", 1)
            return package + path.replace(".", "/") + "." + last
    return None


def referred(schema):
    """The name of the schema that a member refers to, or None."""
    ref = schema.get("$ref") or (schema.get("allOf") or [{}])[0].get("$ref")
    return ref and ref.rsplit("/", 1)[1]


def take(schema, go, keys, known):
    """Gives a schema the keywords of Go's, but those of the type it refers to."""
    for key in keys:
        of_type = known.get(key)
        if key == "x-kubernetes-validations" and key in go:
            schema[key] = [rule for rule in go[key] if rule not in (of_type or [])]
        elif key in go and go[key] != of_type:
            schema[key] = go[key]
        else:
            schema.pop(key, None)


def complete_value(schema, go, schemas):
    """A member, or what a list or map holds."""
    name = referred(schema)
    if "x-kubernetes-int-or-string" not in go:
        take(schema, go, OF_VALUE, schemas.get(name and go_name(name), {}))
    if "default" in go:
        schema["default"] = go["default"]
    elif schema.get("default") != {}:  # which says that Go has the struct by value
        schema.pop("default", None)
    if "enum" in go:
        schema["enum"] = go["enum"]
        schema["x-kubegen-enum"] = "closed"
    for inner in ("items", "additionalProperties"):
        if isinstance(schema.get(inner), dict) and isinstance(go.get(inner), dict):
            complete_value(schema[inner], go[inner], schemas)


def complete_struct(schema, go, schemas):
    take(schema, go, OF_STRUCT, {})
    schema["required"] = go.get("required", [])
    for name, member in schema.get("properties", {}).items():
        if name in go.get("properties", {}):
            complete_value(member, go["properties"][name], schemas)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schemas = json.load(file)
    document = json.load(sys.stdin)
    for name, schema in document["components"]["schemas"].items():
        if go_name(name) in schemas:
            complete_struct(schema, schemas[go_name(name)], schemas)
    json.dump(document, sys.stdout)


main()
