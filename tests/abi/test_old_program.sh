#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs that were built with an older and with a newer header than the library that they run
# with: the structs of options and stats have a member less, or one more.
#   test_old_program.sh LIBKUBE.SO
set -euo pipefail
library=$(realpath "$1")
cd "$(dirname "$0")"
runtime=$(realpath ../../runtime/include)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# run NAME [compiler argument…]
run() {
    local name=$1
    shift
    cc -std=c11 -D_DEFAULT_SOURCE -Wall -Wextra -Werror "$@" -I"$scratch/$name" -I"$runtime" \
        old_program.c "$library" -Wl,-rpath,"$(dirname "$library")" -o "$scratch/program"
    "$scratch/program" || {
        echo "the program with $name headers failed"
        exit 1
    }
}

python3 - "$runtime" "$scratch" <<'PYTHON'
import glob
import os
import re
import sys

runtime, scratch = sys.argv[1:]
STRUCT = re.compile(r"(typedef struct kube_\w+_(?:options|fields|stats|status) \{\n)(.*?)(\} kube_\w+;)",
                    re.S)


def without_last(body):
    """The body without its last member and the comments before and behind it."""
    bare = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), body, flags=re.S)
    last = bare.rstrip().rfind(";")
    before = bare.rfind(";", 0, last)
    return body[:before + 1] + "\n" if before >= 0 else body


changed = 0
for path in glob.glob(f"{runtime}/kube/*.h"):
    text = open(path, encoding="utf-8").read()
    changed += len(STRUCT.findall(text))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for name, body in (("older", without_last),
                       ("newer", lambda body: body + "    char newest[64];\n")):
        out = os.path.join(scratch, name, "kube", os.path.basename(path))
        os.makedirs(os.path.dirname(out), exist_ok=True)
        open(out, "w", encoding="utf-8").write(
            STRUCT.sub(lambda m: m[1] + body(m[2]) + m[3], text))
if changed < 20:
    sys.exit(f"only {changed} structs were found in {runtime}")
PYTHON

run older
run newer -DNEWER
