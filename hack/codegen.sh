# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What update-codegen.sh and verify-codegen.sh have in common; sourced, in the project's root.

# The headers of all APIs, as directories.
api_dirs() {
    local types
    for types in apis/*/*/types.h; do
        [[ $types == apis/generated/* ]] || dirname "$types"
    done
}

# Lines "<API directory> <where its CRDs go>".
crd_dirs() {
    echo apis/samplecrd/v1 examples/network-controller/config/crd
    echo apis/appcontroller/v1alpha1 examples/appservice-controller/config/crd
}

# Sets $kubegen: the command named by the environment's KUBEGEN, else the one of this tree, built.
find_kubegen() {
    local build=${KUBEGEN_BUILD_DIR:-build/codegen}
    kubegen=${KUBEGEN:-}
    [[ -z $kubegen ]] || return 0
    cmake -S . -B "$build" -DKUBEGEN_BUILD_TESTS=OFF -DKUBEGEN_BUILD_EXAMPLES=OFF >/dev/null
    cmake --build "$build" --target kubegen >/dev/null
    kubegen=$build/gen/kubegen
}
