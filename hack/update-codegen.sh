#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Regenerates all that kubegen writes in this tree: APIs, the runtime's own tables, CRDs, roles,
# docs/api, the tables of markers in docs/mapping.md.
# Files that do not change are not touched. KUBEGEN names another kubegen than this tree's.
set -euo pipefail
cd "$(dirname "$0")/.."
. hack/codegen.sh

find_kubegen
mapfile -t apis < <(api_dirs)
"$kubegen" generate "${apis[@]}"
while read -r header file; do
    "$kubegen" generate -o "$file" "$header"
done < <(table_files)
while read -r api dir; do
    "$kubegen" crd "$api" --output-dir "$dir"
done < <(crd_dirs)
mapfile -t documented < <(documented_dirs)
"$kubegen" docs "${documented[@]}" --output-dir docs/api
while read -r example file name; do
    "$kubegen" rbac "$example" --role-name "$name" -o "$file"
done < <(rbac_dirs)
tables=$(marker_tables)
[[ $tables == "$(<docs/mapping.md)" ]] || printf '%s\n' "$tables" >docs/mapping.md
