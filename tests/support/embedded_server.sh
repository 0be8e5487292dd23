#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The embedded API server as hack/envtest.sh has the real one, so that the same cases run on both.
#
#   embedded_server.sh start DIR [--port P] [--owner PID]
#   embedded_server.sh kill DIR
#
# KUBEGEN_EMBEDDED: the program and its first arguments, such as "kubegen-apiserver --rbac".
set -euo pipefail

verb=$1 dir=$2
shift 2
case $verb in
    start)
        mkdir -p "$dir"
        rm -f "$dir/kubeconfig" "$dir/ready"
        # shellcheck disable=SC2086 # words
        $KUBEGEN_EMBEDDED --data "$dir/objects" --kubeconfig-out "$dir/kubeconfig" "$@" \
            >"$dir/apiserver.log" 2>&1 </dev/null &
        pid=$!
        echo "$pid" >"$dir/pid"
        until [ -s "$dir/kubeconfig" ]; do
            kill -0 "$pid" 2>/dev/null || {
                cat "$dir/apiserver.log" >&2
                exit 1
            }
            sleep 0.02
        done
        sed -n 's/^ *server: *"\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' "$dir/kubeconfig" | head -1 >"$dir/ready"
        ;;
    kill)
        kill -KILL "$(cat "$dir/pid")" 2>/dev/null || true
        while kill -0 "$(cat "$dir/pid")" 2>/dev/null; do sleep 0.02; done
        rm -f "$dir/ready"
        ;;
esac
