#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what kubegen says of the built-in structs in a CRD against the real controller-gen.

    test_go_schemas.py STRUCT_SCHEMAS [--list]

STRUCT_SCHEMAS prints our schema of each struct of the shipped APIs and of kube/meta.h, and
kubegen-schemas (see hack/setup-envtest.sh --controller-gen) the one that controller-gen writes for
the Go type. The two must be equal, but for descriptions and for what differences.md lists; a line
of it that does not come up fails the test, too. --list prints what is not listed, in its form.
Exit status 77: there is no Go.
"""
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
TABLE = pathlib.Path(__file__).with_name("differences.md")
META = "kube/meta.h"
META_PACKAGE = "k8s.io/apimachinery/pkg/apis/meta/v1"
OTHER_PACKAGES = {"apiextensions/v1": "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"}
# Whose structs others declare.
MORE_PACKAGES = ["k8s.io/api/scheduling/v1alpha3"]


def builtin_headers():
    """The imported headers, as "core/v1"."""
    for path in sorted(ROOT.glob("apis/*/v*/types.h")):
        if ", imported by kubegen." in path.read_text(encoding="utf-8"):
            yield str(path.parent.relative_to(ROOT / "apis"))


def package_of(header):
    return OTHER_PACKAGES.get(header, "k8s.io/api/" + header)


def ours(program, headers):
    environment = os.environ | {"KUBEGEN_INCLUDE": f"{ROOT}/runtime/include:{ROOT}/apis"}
    inputs = [f"{ROOT}/apis/{header}" for header in headers] + [f"{ROOT}/runtime/include/{META}"]
    out = subprocess.run([program, *inputs], env=environment, check=True, stdout=subprocess.PIPE)
    return json.loads(out.stdout)


def theirs(headers):
    setup = subprocess.run(
        [ROOT / "hack/setup-envtest.sh", "--controller-gen"], stdout=subprocess.PIPE, text=True
    )
    if setup.returncode != 0:
        if os.environ.get("CI") == "true":
            sys.exit("needed under CI=true: Go")
        print("skipped: no Go")
        sys.exit(77)
    programs = pathlib.Path(setup.stdout.strip()).parent
    out = subprocess.run(
        [
            programs / "kubegen-schemas",
            META_PACKAGE,
            *[package_of(header) for header in headers],
            *MORE_PACKAGES,
        ],
        cwd=ROOT / "hack/envtest/controller-gen",
        env=os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"},
        check=True,
        stdout=subprocess.PIPE,
    )
    return json.loads(out.stdout)


def plain(name):
    """A name as Go and C both have it."""
    return name.replace("_", "").lower()


def go_type(key, types):
    """The Go type of one of our structs, or None. @types are Go's names by their plain ones."""
    include, name = key.split(" ")
    header = include.removesuffix("/types.h")
    package = META_PACKAGE if include == META else package_of(header)
    prefix = "kube_" if include == META else header.replace("/", "_") + "_"
    bare = name.removeprefix(prefix)
    for at in (package, *MORE_PACKAGES):
        for name in (plain(bare), plain(bare.removesuffix("_value"))):  # of a RoleRef beside a Role
            if (at, name) in types:
                return types[at, name]
    return None


def without_texts(schema):
    if isinstance(schema, list):
        return [without_texts(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    out = {}
    for key, value in schema.items():
        if key == "properties":
            out[key] = {name: without_texts(member) for name, member in value.items()}
        elif key == "required":
            out[key] = sorted(value)
        elif key == "enum":
            out[key] = sorted(value, key=json.dumps)
        elif key != "description":
            out[key] = value if key == "default" else without_texts(value)
    return out


def compare(path, our, their, found):
    """Adds lines "path: keyword: ours, Go's" to @found."""
    for key in sorted(set(our) | set(their)):
        a, b = our.get(key), their.get(key)
        if a == b:
            continue
        if key == "properties" and a is not None and b is not None:
            for name in sorted(set(a) | set(b)):
                if name not in a or name not in b:
                    found.append(f"{path}.{name}: only {'ours' if name in a else 'in Go'}")
                else:
                    compare(f"{path}.{name}", a[name], b[name], found)
        elif key in ("items", "additionalProperties") and a is not None and b is not None:
            compare(f"{path}[]", a, b, found)
        else:
            texts = [json.dumps(x) if x is not None else "nothing" for x in (a, b)]
            found.append(f"{path}: {key}: {texts[0]}, Go {texts[1]}")


def listed():
    """The first column of differences.md, as patterns."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        row = re.match(r"\| `(.*?)` \|", line)
        if row:
            yield row[1]


def matches(line, pattern):
    return fnmatch.fnmatchcase(line, pattern.replace("[", "[[]"))


def main():
    headers = list(builtin_headers())
    go = theirs(headers)
    types = {(key.rpartition(".")[0], plain(key.rpartition(".")[2])): key for key in go}
    found = []
    count = 0
    for key, schema in ours(sys.argv[1], headers).items():
        name = key.split(" ")[1]
        their = go_type(key, types)
        if their is None:
            found.append(f"{name}: no type in Go")
            continue
        count += 1
        compare(name, without_texts(schema), without_texts(go[their]), found)
    patterns = list(listed())
    new = [line for line in found if not any(matches(line, pattern) for pattern in patterns)]
    old = [pattern for pattern in patterns if not any(matches(line, pattern) for line in found)]
    print(f"{count} structs, {len(found)} differences")
    for line in new:
        print(f"| `{line}` | |" if "--list" in sys.argv else f"not listed: {line}")
    for pattern in old:
        print(f"listed, but it did not come up: {pattern}")
    sys.exit(1 if new or old else 0)


main()
