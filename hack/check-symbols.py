#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what libkube defines for programs against runtime/libkube.symbols and the public headers.

    hack/check-symbols.py LIBKUBE.SO LIBKUBE.A             check
    hack/check-symbols.py LIBKUBE.SO LIBKUBE.A --refresh   write runtime/libkube.symbols anew

The shared library exports what runtime/include declares: nothing else, and all of it. The static
one may also define names that begin with kube__, which are libkube's own. Exits 1 after a finding.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "runtime/libkube.symbols"


def defined(*nm):
    out = subprocess.run(["nm", "--defined-only", *nm], capture_output=True, text=True, check=True)
    lines = [line.split() for line in out.stdout.splitlines()]
    return {line[2].partition("@")[0] for line in lines if len(line) == 3}


def declared(header):
    """The functions and variables that a header declares."""
    text = header.read_text()
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"/\*.*?\*/|//[^\n]*|^[ \t]*#[^\n]*", " ", text, flags=re.S | re.M)
    before = None
    while text != before:
        before = text
        text = re.sub(r"\{[^{}]*\}", ";", text)
    for statement in text.split(";"):
        if re.search(r"\b(typedef|static|KUBE_INLINE)\b", statement):
            continue
        name = re.search(r"\b(kube_\w+)\s*\((?!\s*\*)", statement)
        if not name and re.search(r"\bextern\b", statement):
            name = re.search(r"\b(kube_\w+)\s*(\[\])?\s*$", statement)
        if name:
            yield name.group(1)


def main():
    refresh = sys.argv[3:] == ["--refresh"]
    if len(sys.argv) != 3 and not refresh:
        sys.exit(__doc__)
    command = f"hack/check-symbols.py {sys.argv[1]} {sys.argv[2]} --refresh"
    exported = defined("--dynamic", sys.argv[1])
    public = {
        name
        for header in (ROOT / "runtime/include/kube").glob("*.h")
        for name in declared(header)
    }
    found = []
    for name in sorted(exported - public):
        found.append(f"{name} is exported, but no header in runtime/include/kube declares it: "
                     "an internal function is declared without KUBE_API and KUBE_CHECKED")
    for name in sorted(public - exported):
        found.append(f"{name} is declared in runtime/include/kube, but not exported: "
                     "it wants KUBE_API or KUBE_CHECKED")
    for name in sorted(defined("--extern-only", sys.argv[2])):
        if not name.startswith("kube_"):
            found.append(f"{name} is a global name of libkube.a that does not begin with kube_")
    for name in sorted(exported):
        if not re.match(r"kube_[^_]", name):
            found.append(f"{name} is exported: public names begin with kube_ and one underscore")
    if refresh:
        LIST.write_text("".join(name + "\n" for name in sorted(exported)))
    listed = set(LIST.read_text().split())
    for name in sorted(exported - listed):
        found.append(f"{name} is new. If it is meant to be public, run {command}")
    for name in sorted(listed - exported):
        found.append(f"{name} is gone. If no program needs it, run {command}")
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


main()
