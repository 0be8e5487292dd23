#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# hack/envtest.sh --audit: what the server is told where it is a program of its own (here one that
# only notes it), and what a real one writes down.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-envtest-audit.XXXXXX")

cleanup() {
    "$root/hack/envtest.sh" kill "$tmp/server" 2>/dev/null || true
    "$root/hack/envtest.sh" kill "$tmp/separate" 2>/dev/null || true
    rm -rf -- "$tmp"
}
trap cleanup EXIT

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

separate_program_is_told() {
    local flag
    mkdir -p "$tmp/assets"
    printf '#!/bin/sh\nexit 0\n' >"$tmp/assets/kubectl"
    # The shell that waits keeps its arguments: envtest.sh knows its programs by them.
    printf '#!/bin/sh\n[ "$1" != --help ] || exit 0\nprintf "%%s\\n" "$@" >"$0.args"\nwhile sleep 0.1; do :; done\n' \
        | tee "$tmp/assets/etcd" >"$tmp/assets/kube-apiserver"
    chmod +x "$tmp/assets/"*
    env -u KUBEGEN_ENVTEST KUBEBUILDER_ASSETS="$tmp/assets" "$root/hack/envtest.sh" start "$tmp/separate" --audit --owner $$ --v=1 \
        >/dev/null
    for flag in "--audit-policy-file=$tmp/separate/audit-policy.yaml" "--audit-log-path=$tmp/separate/audit.log" \
        --audit-log-mode=blocking --v=1; do
        grep -qxF -e "$flag" "$tmp/assets/kube-apiserver.args" || fail "kube-apiserver is not told $flag"
    done
    "$root/hack/envtest.sh" kill "$tmp/separate"
    env -u KUBEGEN_ENVTEST KUBEBUILDER_ASSETS="$tmp/assets" "$root/hack/envtest.sh" start "$tmp/separate" --owner $$ >/dev/null
    ! grep -qe --audit "$tmp/assets/kube-apiserver.args" || fail 'an audit nobody asked for'
    "$root/hack/envtest.sh" kill "$tmp/separate"
}

# has VERB RESOURCE TEXT…: a line of the log that says all of it.
has() {
    local text lines
    lines=$(grep "\"verb\":\"$1\"" "$log" | grep "\"resource\":\"$2\"") || return 1
    shift 2
    for text in "$@"; do
        lines=$(grep -F -e "$text" <<<"$lines") || return 1
    done
}

real_server_writes_it_down() {
    log=$tmp/server/audit.log
    "$root/hack/envtest.sh" start "$tmp/server" --audit --owner $$ >/dev/null
    kubectl=("$KUBEGEN_ENVTEST/kubectl" --kubeconfig "$tmp/server/kubeconfig")
    "${kubectl[@]}" create configmap note --from-literal=key=written-text >/dev/null
    "${kubectl[@]}" create secret generic hidden --from-literal=key=secret-text >/dev/null
    "${kubectl[@]}" get configmaps >/dev/null
    ! "${kubectl[@]}" --context user delete configmap note 2>/dev/null || fail 'user may delete'
    # The line is written when the answer is, so it may come a moment later.
    for _ in $(seq 500); do
        ! has delete configmaps '"code":403' || break
        sleep 0.02
    done
    has delete configmaps '"username":"user"' '"name":"note"' '"code":403' || fail 'no refused delete'
    has create configmaps '"username":"admin"' written-text '"stageTimestamp"' '"userAgent":"kubectl/' ||
        fail 'no create with its body'
    has create secrets '"name":"hidden"' || fail 'no line about the secret'
    ! grep -qF -e "$(printf secret-text | base64)" -e secret-text "$log" || fail 'the secret itself'
    has list configmaps '"code":200' || fail 'no list'
    ! has list configmaps written-text || fail 'answers of reads are there too'
    ! grep -q '"stage":"RequestReceived"' "$log" || fail 'two lines for one request'
}

separate_program_is_told
if [ -z "${KUBEGEN_ENVTEST-}" ]; then
    echo 'skipped: no real API server: set KUBEGEN_ENVTEST' >&2
    [ "${CI-}" = true ] && exit 1
    exit 77
fi
real_server_writes_it_down
