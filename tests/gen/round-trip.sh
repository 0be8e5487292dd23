#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Imports each file of CRDs below DIR, generates code and CRDs from the headers, compiles the code,
# and compares what the CRDs say. Prints a line for each file that fails, with the reason, and the
# counts. `crd.list` and `back.list` of a file that does not come back stay in KEEP, if that is set.
#   KUBEGEN=build/gen/kubegen tests/gen/round-trip.sh DIR
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
kubegen=$(realpath "$KUBEGEN")
directory=$(realpath "${1:?a directory of CRDs}")
keep=${KEEP:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
includes=(-I "$source/apis" -I "$source/runtime/include")
flags=(-Wall -Wextra -Wpedantic -Werror -fsyntax-only "-I$source/apis"
    "-I$source/apis/generated" "-I$source/runtime/include")
all=0 imported=0 generated=0 compiled=0 same=0

# failed STEP FILE: the reason is the first line that the step has said.
failed() {
    echo "$1: $2: $(grep -m1 -v '^$' "$scratch/said" | cut -c1-300)"
}

compile() {
    local file
    for file in apis/generated/*/*/*.c; do
        cc -std=c11 -Wconversion "${flags[@]}" -Iapis -Iapis/generated "$file" || return 1
    done
    for file in apis/generated/*/*/api.h; do
        echo "#include \"$PWD/$file\"" >all.cpp
        c++ -std=c++17 "${flags[@]}" -Iapis -Iapis/generated all.cpp || return 1
    done
}

# A file through all steps; each is counted.
try() {
    local file=$1 headers
    rm -rf "$scratch/work" && mkdir "$scratch/work" && cd "$scratch/work"
    all=$((all + 1))
    "$kubegen" import crd "$file" "${includes[@]}" --names names.yaml --output-dir apis \
        --schema crd.list >"$scratch/said" 2>&1 || { failed import "$file"; return; }
    imported=$((imported + 1))
    headers=(apis/*/*/)
    "$kubegen" generate "${includes[@]}" "${headers[@]}" >"$scratch/said" 2>&1 ||
        { failed generate "$file"; return; }
    generated=$((generated + 1))
    compile >"$scratch/said" 2>&1 || { failed compile "$file"; return; }
    compiled=$((compiled + 1))
    "$kubegen" crd "${includes[@]}" "${headers[@]}" --output-dir back >"$scratch/said" 2>&1 ||
        { failed crd "$file"; return; }
    "$kubegen" import crd back --schema back.list >"$scratch/said" 2>&1 ||
        { failed back "$file"; return; }
    if diff crd.list back.list >"$scratch/said"; then
        same=$((same + 1))
        return
    fi
    sed -i 1d "$scratch/said"
    failed differs "$file"
    [[ -z $keep ]] || { mkdir -p "$keep/$(basename "$file")" && cp ./*.list "$keep/$(basename "$file")"; }
}

while read -r file; do
    try "$file"
done < <(grep -rlE 'kind"?: *"?CustomResourceDefinition' "$directory" | sort)
echo "$all files: $imported imported, $generated generated, $compiled compiled, $same came back the same"
[[ $all -gt 0 && $same == "$all" ]]
