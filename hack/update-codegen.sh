#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Regenerates all that kubegen writes in this tree: APIs, the runtime's meta tables, CRDs, roles.
# Files that do not change are not touched. KUBEGEN names another kubegen than this tree's.
set -euo pipefail
cd "$(dirname "$0")/.."
. hack/codegen.sh

find_kubegen
mapfile -t apis < <(api_dirs)
"$kubegen" generate "${apis[@]}"
"$kubegen" generate --out-root runtime/src/object/codec runtime/include/kube/meta.h
while read -r api dir; do
    "$kubegen" crd "$api" --output-dir "$dir"
done < <(crd_dirs)
while read -r example file name; do
    "$kubegen" rbac "$example" --role-name "$name" -o "$file"
done < <(rbac_dirs)
