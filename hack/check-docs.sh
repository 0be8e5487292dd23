#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Holds the documents against the tree: every code block after a line `<!-- file: PATH -->` must
# stand in that file word for word, every relative link must lead somewhere, and every file, folder
# and script that is named must exist. The rules of docs/rules.md are checked by check-rules.sh,
# the tests that docs/peer-tests.md names by peer-tests.py.
# Prints every violation as file:line and exits 1.
#
#   hack/check-docs.sh [root]     root: another tree to look at (default: this one)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/..}"
failed=0

shopt -s nullglob
python3 - README*.md CONTRIBUTING*.md docs/*.md examples/*/README.md <<'PYTHON' || failed=1
import glob
import os
import re
import sys

failures = 0


def fail(path, line, text):
    global failures
    failures += 1
    print(f"{path}:{line}: {text}")


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


for path in sys.argv[1:]:
    text = open(path, encoding="utf-8").read()
    base = os.path.dirname(path)
    for m in re.finditer(r"<!-- file: (\S+) -->\n```\w*\n(.*?)\n```", text, re.S):
        if m.group(2) not in open(m.group(1), encoding="utf-8").read():
            fail(path, line_of(text, m.start()), f"this block does not stand in {m.group(1)}")
    for m in re.finditer(r"\]\(([^)#:]+)\)", text):
        if not os.path.exists(os.path.join(base, m.group(1))):
            fail(path, line_of(text, m.start()), f"{m.group(1)} does not exist")
    for m in re.finditer(r"(?<![\w/])hack/[\w-]+\.sh\b", text):
        if not os.path.exists(m.group(0)):
            fail(path, line_of(text, m.start()), f"{m.group(0)} does not exist")
    if path == "docs/tutorial.md":
        continue  # it speaks of a project of its own
    # `runtime/src/base/ctx.c`, `examples/*/config/`; not `apis/<group>/<version>/types.h`
    for m in re.finditer(r"`((?:apis|docs|examples|gen|runtime|templates|tests)/[\w./*-]*)[` ]", text):
        if not glob.glob(m.group(1)) and not glob.glob(os.path.join(base, m.group(1))):
            fail(path, line_of(text, m.start()), f"{m.group(1)} does not exist")
sys.exit(1 if failures else 0)
PYTHON
[ ! -e docs/peer-tests.md ] || "$here/peer-tests.py" --check || failed=1
[ ! -e docs/rules.md ] || "$here/check-rules.sh" "$PWD" || failed=1
exit $failed
