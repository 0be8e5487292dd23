#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Holds the documents against the tree: every code block after a line `<!-- file: PATH -->` must
# stand in that file word for word, every relative link must lead somewhere, and every script of
# hack/ that is named must exist.
set -euo pipefail
cd "$(dirname "$0")/.."

python3 - README.md CONTRIBUTING.md docs/*.md examples/*/README.md <<'PYTHON'
import os
import re
import sys

failures = 0


def fail(path, line, text):
    global failures
    failures += 1
    print(f"{path}:{line}: {text}", file=sys.stderr)


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
sys.exit(1 if failures else 0)
PYTHON
