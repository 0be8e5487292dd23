#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The project of docs/tutorial.md: kubegen as a subdirectory, an API and a controller of one's own.
# Built with CMake, and by hand as the tutorial does it; then started without a cluster.
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/kubegen-subproject.XXXXXX")
trap 'rm -rf "$work"' EXIT

cp -r "$source_dir/tests/subproject" "$work/project"
cd "$work/project"
cmake -S . -B build -DKUBEGEN_DIR="$source_dir" -DCMAKE_BUILD_TYPE=Debug >"$work/cmake.log"
cmake --build build --target backup-controller -j 2 >"$work/build.log" || {
    tail -30 "$work/build.log" >&2
    exit 1
}

# The CRD is written with the code, and again when the header changes.
crd=config/crd/backup.example.com_backups.yaml
grep -q 'name: backups.backup.example.com' "$crd"
sed -i 's|^// +genclient$|// +kubebuilder:resource:shortName=bk\n&|' apis/backup/v1alpha1/types.h
cmake --build build --target backup_api -j 2 >"$work/again.log" || {
    tail -30 "$work/again.log" >&2
    exit 1
}
grep -q -- '- bk' "$crd"

# What has no cluster says so and ends.
if output=$(HOME=$work KUBECONFIG=$work/none ./build/backup-controller 2>&1); then
    echo "backup-controller ended well without a cluster" >&2
    exit 1
fi
grep -q kubeconfig <<<"$output"

# By hand.
kubegen=build/kubegen/gen/kubegen
"$kubegen" generate apis/backup/v1alpha1
"$kubegen" verify apis/backup/v1alpha1
"$kubegen" crd apis/backup/v1alpha1 --output-dir config/crd
grep -q 'name: backups.backup.example.com' config/crd/*.yaml
gcc -std=c11 -Iapis -Iapis/generated -I"$source_dir/runtime/include" main.c \
    apis/generated/backup/v1alpha1/*.c build/kubegen/runtime/libkube.a \
    -lcurl -lssl -lcrypto -lmicrohttpd -lgnutls -lcjson -lyaml -lz -lm -lpthread -o backup-controller
[ -x backup-controller ]
