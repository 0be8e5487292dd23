#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the CRDs of kubegen to those of the real controller-gen.

  pairs.py FILE [NAME…]

FILE has the same API in Go and in C, pair after pair; NAME picks some of them. A line "=== name"
begins a pair, "--- go PART" and "--- c PART" begin what is between it and the next such line:

  (none)   members of the struct Spec, t_v1_spec in C
  types    declarations before that struct
  kind     lines of the comment above the Kind Thing, t_v1_thing in C
  header   lines above `package v1`, above the guard in C
  <v2>     instead of all of them: the declarations of the whole version, and of others besides

"--- both PART" is for lines that are the same in both. "--- options" has options of the commands,
"crd:maxDescLen=0 --max-desc-len=0" a line. What the two may differ in: the descriptions of
apiVersion and kind, the order of lists that have none, controller-gen's annotation of itself.
Without NAME, each marker that both know must be in some pair.

KUBEGEN names the command. Exit status 77: there is no controller-gen and no Go to build it.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3]
MODULE = SOURCE / "hack/envtest/controller-gen"
IMPORTS = {
    "metav1": "k8s.io/apimachinery/pkg/apis/meta/v1",
    "resource": "k8s.io/apimachinery/pkg/api/resource",
    "intstr": "k8s.io/apimachinery/pkg/util/intstr",
    "runtime": "k8s.io/apimachinery/pkg/runtime",
    "apiextensionsv1": "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
}
ANNOTATION = "controller-gen.kubebuilder.io/version"
DEFAULT_OPTION = "crd:allowDangerousTypes=true"
MEMBERS, OPTIONS = "", "options"
PARTS = (MEMBERS, "types", "kind", "header", OPTIONS)


class Pair:
    """One API in two languages: texts by language and part."""

    def __init__(self, name, line):
        self.name = name
        self.line = line
        self.texts = {}

    def text(self, language, part):
        return self.texts.get((language, part), "")

    def versions(self):
        named = sorted({part for _, part in self.texts if part not in PARTS})
        return named or ["v1"]

    def options(self):
        """The options of the two commands, as lists of words."""
        words = self.text("both", OPTIONS).split()
        return ([word for word in words if not word.startswith("-")],
                [word for word in words if word.startswith("-")])

    def go(self, version):
        body = self.text("go", version) or (
            f"{self.text('go', 'types')}\n"
            "type Spec struct {\n" f"{self.text('go', MEMBERS)}" "}\n\n"
            f"{self.text('go', 'kind')}"
            "type Thing struct {\n"
            "\tmetav1.TypeMeta   `json:\",inline\"`\n"
            "\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n"
            "\tSpec              Spec `json:\"spec\"`\n"
            "}\n")
        imports = "".join(f'import {name} "{path}"\n' for name, path in IMPORTS.items()
                          if re.search(rf"\b{name}\.", re.sub("//.*", "", body)))
        return (f"// +groupName={self.name}.example.com\n{self.text('go', 'header')}"
                f"package {version}\n\n{imports}\n{body}")

    def c(self, version):
        guard = f"T_{version.upper()}_TYPES_H"
        body = self.text("c", version) or (
            f"{self.text('c', 'types')}\n"
            "typedef struct t_v1_spec {\n" f"{self.text('c', MEMBERS)}" "} t_v1_spec;\n\n"
            f"{self.text('c', 'kind')}"
            "// +genclient\n"
            "typedef struct t_v1_thing {\n"
            "    kube_object base;\n    kube_object_meta metadata;\n    t_v1_spec spec;\n"
            "} t_v1_thing;\n")
        return (f"// +groupName={self.name}.example.com\n{self.text('c', 'header')}"
                f"#ifndef {guard}\n#define {guard}\n#include <kube/meta.h>\n\n{body}\n#endif\n")


def read_pairs(path):
    pairs, parts = [], []
    for number, line in enumerate(path.read_text().splitlines(keepends=True), 1):
        words = line.split()
        if line.startswith("=== "):
            pairs.append(Pair(words[1], number))
            parts = []
        elif line.startswith("--- "):
            part = words[2] if len(words) > 2 else MEMBERS
            if words[1] == OPTIONS:
                parts = [("both", OPTIONS)]
            elif words[1] == "both":
                parts = [("go", part), ("c", part)]
            else:
                parts = [(words[1], part)]
        else:
            for key in parts:
                pairs[-1].texts[key] = pairs[-1].texts.get(key, "") + line
    return pairs


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def find_controller_gen():
    made = run([SOURCE / "hack/setup-envtest.sh", "--controller-gen"])
    if made.returncode:
        sys.stderr.write(made.stderr)
        sys.exit(1 if os.environ.get("CI") == "true" else 77)
    return Path(made.stdout.strip())


def write_go(pair, scratch):
    for version in pair.versions():
        write(scratch / "go" / pair.name / version / "types.go", pair.go(version))


def run_go(pairs, scratch, program):
    """Runs controller-gen once for all pairs that have the same options; returns what it said."""
    said = ""
    groups = {}
    for pair in pairs:
        write_go(pair, scratch)
        groups.setdefault(" ".join(pair.options()[0]) or DEFAULT_OPTION, []).append(pair)
    for name in ("go.mod", "go.sum"):
        write(scratch / "go" / name, (MODULE / name).read_text())
    path = f"{program.parent}:{os.environ['PATH']}"
    for option, members in groups.items():
        done = run([program, option, f"output:crd:dir={scratch}/want",
                    *(f"paths=./{pair.name}/..." for pair in members)],
                   cwd=scratch / "go", env={**os.environ, "PATH": path, "GOFLAGS": ""})
        said += done.stderr if done.returncode else ""
    return said


def run_c(pair, scratch):
    root = scratch / "c" / pair.name
    for version in pair.versions():
        write(root / "t" / version / "types.h", pair.c(version))
    return run([os.environ["KUBEGEN"], "crd", *pair.options()[1],
                *(root / "t" / version for version in pair.versions()),
                "--output-dir", scratch / "made" / pair.name])


def read_crds(directory, reader):
    files = sorted(directory.glob("*.yaml"))
    if not files:
        return {}
    done = run([reader, "--crds", *files])
    if done.returncode:
        sys.exit(done.stderr)
    # controller-gen writes a CRD without a name where every version is skipped.
    return {crd["metadata"]["name"]: normal(crd) for crd in json.loads(done.stdout)
            if crd["spec"]["versions"]}


def normal(crd):
    annotations = crd["metadata"].get("annotations", {})
    annotations.pop(ANNOTATION, None)
    if not annotations:
        crd["metadata"].pop("annotations", None)
    crd["spec"]["versions"].sort(key=lambda version: version["name"])
    for version in crd["spec"]["versions"]:
        schema = version["schema"]["openAPIV3Schema"]
        for name in ("apiVersion", "kind"):
            schema["properties"][name].pop("description", None)
        if not version.get("subresources", True):
            del version["subresources"]
        sort_required(schema)
    return crd


def sort_required(value):
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if name == "required" and isinstance(inner, list):
            inner.sort()
        if isinstance(inner, (dict, list)):
            sort_required(inner)


def differences(want, made, path=""):
    if isinstance(want, dict) and isinstance(made, dict):
        for name in sorted(want.keys() | made.keys()):
            yield from differences(want.get(name), made.get(name), f"{path}.{name}")
    elif isinstance(want, list) and isinstance(made, list) and len(want) == len(made):
        for index, (left, right) in enumerate(zip(want, made)):
            yield from differences(left, right, f"{path}[{index}]")
    elif want != made:
        yield f"{path}: controller-gen {json.dumps(want)}, kubegen {json.dumps(made)}"


def unpaired(pairs, program):
    """Markers that both commands know and no pair has."""
    listed = run([os.environ["KUBEGEN"], "explain"])
    known = set(re.findall(r"^  \+(\S+)", listed.stdout, re.MULTILINE))
    theirs = {marker["name"] for category in json.loads(run([program, "crd", "-wwww"]).stdout)
              for marker in category["markers"]}
    text = "".join(pair.go(version) for pair in pairs for version in pair.versions())
    return [name for name in sorted(known & theirs)
            if not re.search(rf"\+{re.escape(name)}(?![\w:-]*[\w-])|\+{re.escape(name)}:\w+=", text)]


def main():
    file = Path(sys.argv[1])
    names = sys.argv[2:]
    pairs = [pair for pair in read_pairs(file) if not names or pair.name in names]
    program = find_controller_gen()
    reader = program.parent / "kubegen-schemas"
    failures = 0
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        said = run_go(pairs, scratch, program)
        if said:
            failures += 1
            print(f"controller-gen: {said}")
        want = read_crds(scratch / "want", reader)
        for pair in pairs:
            done = run_c(pair, scratch)
            made = read_crds(scratch / "made" / pair.name, reader)
            of_pair = {name: crd for name, crd in want.items()
                       if crd["spec"]["group"] == f"{pair.name}.example.com"}
            found = [done.stderr] if done.returncode else list(differences(of_pair, made))
            failures += bool(found)
            for line in found:
                print(f"{file}:{pair.line}: {pair.name}: {line}")
    for name in [] if names else unpaired(pairs, program):
        failures += 1
        print(f"{file}: no pair has +{name}")
    print(f"{len(pairs)} pairs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
