#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The project of docs/tutorial.md: kubegen as a subdirectory, an API and a controller of one's own.
# Built with CMake, started without a cluster and, where the argument names a kubegen-apiserver, with
# that; then built by hand as the tutorial does it.
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

# Its rights, from the program: nothing is left open, and the Lease's and the metrics' are apart.
build/kubegen/gen/kubegen rbac --from build/backup-controller >role.yaml 2>"$work/open"
cat "$work/open" >&2
[ ! -s "$work/open" ]
grep -q -- '- backups/finalizers' role.yaml
grep -q -- '- backups/status' role.yaml
grep -q -- '- pods' role.yaml
[ "$(grep -c '^kind:' role.yaml)" = 3 ]

# The CRD is written with the code, and again when the header changes; the reference and the role
# where they are asked for.
sed -i 's|CRD_DIR config/crd|& DOCS_DIR docs RBAC_DIR config/rbac ROLE_NAME backup|' CMakeLists.txt
echo '// +kubebuilder:rbac:groups=backup.example.com,resources=backups,verbs=get' >marks.c
crd=config/crd/backup.example.com_backups.yaml
grep -q 'name: backups.backup.example.com' "$crd"
sed -i 's|^// +genclient$|// +kubebuilder:resource:shortName=bk\n&|' apis/backup/v1alpha1/types.h
cmake --build build --target backup_api -j 2 >"$work/again.log" || {
    tail -30 "$work/again.log" >&2
    exit 1
}
grep -q -- '- bk' "$crd"
grep -q 'short: `bk`' docs/backup.example.com_v1alpha1.md
grep -q '^  name: backup$' config/rbac/role.yaml
sed -i 's/verbs=get/verbs=list/' marks.c
cmake --build build --target backup_api -j 2 >"$work/again.log"
grep -q -- '- list' config/rbac/role.yaml
rm marks.c

# An optimised build hardens what is kubegen's, and leaves the project's own targets as they are.
cmake -S . -B hardened -DKUBEGEN_DIR="$source_dir" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$work/hardened.log"
hardened=$(grep '"command"' hardened/compile_commands.json | grep -e -D_FORTIFY_SOURCE=)
grep -q '/runtime/src/base/arena.c' <<<"$hardened"
if grep -E "project/main\.c|backup_api\.api" <<<"$hardened" ||
    grep -e '-z,now' hardened/CMakeFiles/backup-controller.dir/link.txt; then
    echo "the project's own targets got kubegen's flags" >&2
    exit 1
fi
# Who says otherwise is asked no further; and warnings as errors find nothing.
cmake -S . -B own -DKUBEGEN_DIR="$source_dir" -DCMAKE_BUILD_TYPE=Release -DKUBEGEN_WERROR=ON \
    -DCMAKE_C_FLAGS='-D_FORTIFY_SOURCE=1 -fno-stack-protector' \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$work/own.log"
if grep -e '-D_FORTIFY_SOURCE=[23]' -e -fstack-protector-strong own/compile_commands.json; then
    echo "the user's flags were overruled" >&2
    exit 1
fi
cmake --build own --target kube_base -j 2 >"$work/own.log" || {
    tail -30 "$work/own.log" >&2
    exit 1
}

# What has no cluster says so and ends.
if output=$(HOME=$work KUBECONFIG=$work/none ./build/backup-controller 2>&1); then
    echo "backup-controller ended well without a cluster" >&2
    exit 1
fi
grep -q kubeconfig <<<"$output"

# With a server: the Backup of the tutorial gets its Pod, and its status after that.
if [ $# -gt 0 ]; then
    "$1" --kubeconfig-out dev.kubeconfig --load "$crd" --load nightly.yaml >"$work/server.log" 2>&1 &
    server=$!
    until [ -s dev.kubeconfig ]; do sleep 0.1; done
    KUBECONFIG=$PWD/dev.kubeconfig ./build/backup-controller >"$work/controller.log" 2>&1 &
    controller=$!
    trap 'kill "$controller" "$server" || true; rm -rf "$work"' EXIT
    url=$(sed -n 's/^ *server: *"\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' dev.kubeconfig | head -1)
    until curl -sf "$url/apis/backup.example.com/v1alpha1/namespaces/default/backups/nightly" |
        grep -q lastRun; do
        kill -0 "$server" "$controller"
        sleep 0.1
    done
    backup=$(curl -sf "$url/apis/backup.example.com/v1alpha1/namespaces/default/backups/nightly")
    grep -q '"protocol": *"TCP"' <<<"$backup" # which nightly.yaml leaves out
    pod=$(curl -sf "$url/api/v1/namespaces/default/pods/nightly")
    grep -q '"image": *"save:1"' <<<"$pod"
    grep -q '"app": *"save"' <<<"$pod"
    kill "$controller" "$server"
    wait
    trap 'rm -rf "$work"' EXIT
fi

# By hand.
kubegen=build/kubegen/gen/kubegen
"$kubegen" generate -I "$source_dir/apis" apis/backup/v1alpha1
"$kubegen" verify -I "$source_dir/apis" apis/backup/v1alpha1
"$kubegen" crd -I "$source_dir/apis" --generate-embedded-object-meta apis/backup/v1alpha1 \
    --output-dir config/crd
grep -q 'name: backups.backup.example.com' config/crd/*.yaml
gcc -std=c11 -Iapis -Iapis/generated -I"$source_dir/apis" -I"$source_dir/apis/generated" \
    -I"$source_dir/runtime/include" main.c apis/generated/backup/v1alpha1/*.c \
    "$source_dir"/apis/generated/core/v1/*.c build/kubegen/runtime/libkube.a \
    -lcurl -lssl -lcrypto -lmicrohttpd -lgnutls -lcjson -lyaml -lz -lm -lpthread -o backup-controller
[ -x backup-controller ]
