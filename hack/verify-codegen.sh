#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fails, with a diff, when what update-codegen.sh would write is not what is there.
set -euo pipefail
cd "$(dirname "$0")/.."
. hack/codegen.sh

find_kubegen
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

stale=0
mapfile -t apis < <(api_dirs)
"$kubegen" verify "${apis[@]}" || stale=1
while read -r header file; do
    "$kubegen" verify -o "$file" "$header" || stale=1
done < <(table_files)
while read -r api dir; do
    "$kubegen" crd "$api" --output-dir "$scratch/$dir"
    diff -ru --exclude=kustomization.yaml "$dir" "$scratch/$dir" || stale=1
done < <(crd_dirs)
mapfile -t documented < <(documented_dirs)
"$kubegen" docs "${documented[@]}" --output-dir "$scratch/docs/api"
diff -ru docs/api "$scratch/docs/api" || stale=1
while read -r example file name; do
    "$kubegen" rbac "$example" --role-name "$name" | diff -u "$file" - || stale=1
done < <(rbac_dirs)
marker_tables | diff -u docs/mapping.md - || stale=1
if ((stale)); then
    echo "generated files are stale: run hack/update-codegen.sh" >&2
    exit 1
fi
