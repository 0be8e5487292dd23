#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Holds the rule codes (REF-11, WQ-4, …) that comments, tests and documents cite against
# docs/rules.md: each cited code has a row there, and each row is cited somewhere. A test may not
# cite a peer's test by the number of a list that is not in this repository either.
# Prints every violation as file:line and exits 1.
#
#   hack/check-rules.sh [root]     root: another tree to look at (default: this one)
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

python3 - <<'PYTHON'
import os
import re
import sys

RULES = "docs/rules.md"
TREES = ["README.md", "CONTRIBUTING.md", "apis", "docs", "examples", "gen", "hack", "runtime",
         "templates", "tests"]
DATA = {"corpus", "golden"}  # directories whose files are compared or parsed, not read
# Names that look like rule codes.
OTHERS = {"DNS", "FNV", "ISO", "P", "SHA", "SSH", "UTF"}

CODE = re.compile(r"\b([A-Z]{1,6})-(\d+)[a-z]?\b")
# "REF-3…7", "WQ-1 to WQ-6"
RANGE = re.compile(r"\b([A-Z]{1,6})-(\d+)(?:…| to )(?:\1-)?(\d+)\b")
ROW = re.compile(r"\b(?:rows?|peers?(?: tests?)?) \d")


def texts():
    for tree in TREES:
        if os.path.isfile(tree):
            yield tree
        for folder, folders, names in os.walk(tree):
            folders[:] = sorted(set(folders) - DATA)
            yield from (os.path.join(folder, name) for name in sorted(names))


def codes_in(line):
    found = {(m[1], int(m[2])) for m in CODE.finditer(line)}
    for m in RANGE.finditer(line):
        found.update((m[1], n) for n in range(int(m[2]), int(m[3]) + 1))
    return {code for code in found if code[0] not in OTHERS}


rows = {}
for number, line in enumerate(open(RULES, encoding="utf-8"), 1):
    m = re.match(r"\| ([A-Z]+)-(\d+) \|", line)
    if m:
        rows[(m[1], int(m[2]))] = number

failures = []
cited = set()
for path in texts():
    if path in (RULES, "hack/check-rules.sh"):
        continue
    try:
        lines = open(path, encoding="utf-8").read().split("\n")
    except UnicodeDecodeError:
        continue
    for number, line in enumerate(lines, 1):
        codes = codes_in(line)
        cited |= codes
        for prefix, n in sorted(codes - rows.keys()):
            # Of a range only the ends must exist: rules have gaps.
            if re.search(rf"\b{prefix}-{n}[a-z]?\b", line):
                failures.append(f"{path}:{number}: {RULES} has no rule {prefix}-{n}")
        if path.startswith("tests/") and path.endswith((".c", ".h")) and ROW.search(line):
            failures.append(f"{path}:{number}: cite the peer's test by its name, not by a number")
for code in sorted(rows.keys() - cited):
    failures.append(f"{RULES}:{rows[code]}: nothing cites {code[0]}-{code[1]}")
print("\n".join(failures), end="\n" if failures else "")
sys.exit(1 if failures else 0)
PYTHON
