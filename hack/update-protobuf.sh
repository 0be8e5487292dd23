#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes runtime/testing/protobuf/messages.txt: the field numbers by which kubectl encodes built-in
# objects, from the struct tags of Kubernetes' Go modules. To be run when the tree follows another
# Kubernetes release.
#
#   update-protobuf.sh [MODULES]     MODULES: the k8s.io directory of a Go module cache, where
#                                    hack/setup-envtest.sh had them put (default: that of `go env`)
set -euo pipefail
cd "$(dirname "$0")/.."

modules=${1:-$(go env GOMODCACHE)/k8s.io}
new=runtime/testing/protobuf/messages.txt.new
trap 'rm -f "$new"' EXIT
python3 - "$modules" >"$new" <<'PYTHON'
import glob
import os
import re
import sys

modules = sys.argv[1]
api = sorted(glob.glob(os.path.join(modules, "api@*")))[-1]
meta = sorted(glob.glob(os.path.join(modules, "apimachinery@*")))[-1]
sources = {"meta": os.path.join(meta, "pkg/apis/meta/v1")}
groups = {
    "core": ("v1", "Pod Service ConfigMap Secret Namespace Node Event ServiceAccount Endpoints "
             "Binding"),
    "apps": ("apps/v1", "Deployment ReplicaSet StatefulSet DaemonSet"),
    "rbac": ("rbac.authorization.k8s.io/v1", "Role RoleBinding ClusterRole ClusterRoleBinding"),
    "coordination": ("coordination.k8s.io/v1", "Lease"),
    "events": ("events.k8s.io/v1", "Event"),
    "authorization": ("authorization.k8s.io/v1",
                      "SelfSubjectAccessReview SubjectAccessReview LocalSubjectAccessReview "
                      "SelfSubjectRulesReview"),
    "authentication": ("authentication.k8s.io/v1", "TokenRequest TokenReview SelfSubjectReview"),
    "policy": ("policy/v1", "Eviction"),
    "autoscaling": ("autoscaling/v1", "Scale"),
}
for group in groups:
    sources[group] = os.path.join(api, group, "v1")

# Types with a wire form of their own.
special = {
    "metav1.Time": "time", "metav1.MicroTime": "microtime", "metav1.Duration": "duration",
    "resource.Quantity": "quantity", "intstr.IntOrString": "intorstring",
    "runtime.RawExtension": "raw", "metav1.FieldsV1": "fields", "types.UID": "string",
    "types.NodeName": "string", "metav1.LabelSelectorOperator": "string",
    "metav1.ConditionStatus": "string", "[]byte": "bytes",
}
packages = {"metav1": "meta", "v1": "core", "corev1": "core", "autoscalingv1": "autoscaling"}
scalars = {"string", "bool", "int32", "int64", "float64", "int", "float32"}

structs = {}
names = {}  # what `type X Y` stands for
for package, directory in sources.items():
    for path in sorted(glob.glob(os.path.join(directory, "*.go"))):
        if path.endswith("_test.go") or "generated" in os.path.basename(path):
            continue
        text = open(path, encoding="utf-8").read()
        for name, body in re.findall(r"^type (\w+) struct \{\n(.*?)^\}", text, re.M | re.S):
            fields = []
            for line in body.splitlines():
                m = re.match(r'\s*(?:(\w+)\s+)?(\S+)\s+`json:"([^"]*)"[^`]*protobuf:"([^"]*)"', line)
                if m:
                    fields.append(m.groups()[1:])
            structs[package, name] = fields
        for name, target in re.findall(r"^type (\w+) ([\w\[\]\.]+)$", text, re.M):
            names[package, name] = target

wanted = []
done = set()


def resolve(package, name):
    """The type's spelling in the table; structs are put on the list."""
    if name.startswith("*"):
        return resolve(package, name[1:])
    qualified = name if "." in name else {"meta": "metav1." + name}.get(package, name)
    for key in (name, qualified):
        if key in special:
            return special[key]
    if name.startswith("[]"):
        return "[]" + resolve(package, name[2:])
    if name.startswith("map["):
        return "{}" + resolve(package, name[name.index("]") + 1:])
    if name in scalars:
        return {"float64": "double", "int32": "int", "int64": "int"}.get(name, name)
    if "." in name:
        prefix, name = name.split(".")
        package = packages[prefix]
        if (package, name) not in structs and (package, name) not in names:
            raise SystemExit(f"unknown type {prefix}.{name}")
    if (package, name) in names and (package, name) not in structs:
        target = names[package, name]
        if target.startswith("[]") and "string" in resolve(package, target):
            return "items"  # a message around a repeated string
        return resolve(package, target)
    if (package, name) not in structs:
        raise SystemExit(f"unknown type {package}.{name}")
    if (package, name) not in done:
        done.add((package, name))
        wanted.append((package, name))
    return f"{package}.{name}"


print("# Written by hack/update-protobuf.sh: messages by their Go types, fields in Go's order.")
print("# root APIVERSION KIND MESSAGE; message NAME; then NAME NUMBER TYPE FLAGS a field:")
print("# * = pointer, o = left out when zero, i = its fields belong to this message in JSON")
for group, (version, kinds) in groups.items():
    for kind in kinds.split():
        print("root", version, kind, resolve(group, kind))
while wanted:
    package, name = wanted.pop(0)
    print("message", f"{package}.{name}")
    for kind, json, protobuf in structs[package, name]:
        key, *options = json.split(",")
        number = protobuf.split(",")[1]
        if "name=typeMeta" in protobuf or kind == "metav1.TypeMeta":
            continue
        flags = ("*" if kind.startswith("*") else "") + ("o" if "omitempty" in options else "")
        if not key:
            flags += "i"
            key = "-"
        print(f" {key} {number} {resolve(package, kind)} {flags}".rstrip())
PYTHON
mv "$new" runtime/testing/protobuf/messages.txt
