#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kubegen-apiserver as a program: its options, its files, and how it ends.
#
#   tests/testing/apiserver/test_apiserver_command.sh PROGRAM
set -euo pipefail
program=$1
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
server=

clean_up() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT

fail() {
    echo "FAILED: $*" >&2
    [ ! -s "$work/log" ] || sed 's/^/  /' "$work/log" >&2
    exit 1
}

# expect STATUS TEXT ARGUMENT…: it ends at once with that status and says that.
expect() {
    local status=$1 text=$2 got=0
    shift 2
    "$program" "$@" >"$work/log" 2>&1 || got=$?
    [ "$got" = "$status" ] || fail "$*: status $got, not $status"
    grep -qF -- "$text" "$work/log" || fail "$*: says no \"$text\""
    if [ "$status" != 0 ]; then
        [ "$(wc -l <"$work/log")" = 1 ] || fail "$*: an error is one line"
    fi
}

# start ARGUMENT…: returns when the kubeconfig is there.
start() {
    rm -f "$work/kubeconfig"
    "$program" --kubeconfig-out "$work/kubeconfig" "$@" >"$work/log" 2>&1 &
    server=$!
    for _ in $(seq 1000); do
        [ ! -s "$work/kubeconfig" ] || break
        kill -0 "$server" 2>/dev/null || fail "$*: it ended"
        sleep 0.02
    done
    [ -s "$work/kubeconfig" ] || fail "$*: no kubeconfig"
    url=$(sed -n 's/^ *server: //p' "$work/kubeconfig")
    token=$(sed -n 's/^ *token: //p' "$work/kubeconfig" | head -1)
}

# stop SIGNAL: it ends in good order.
stop() {
    local status=0
    kill -s "$1" "$server"
    wait "$server" || status=$?
    server=
    [ "$status" = 0 ] || fail "SIG$1: status $status"
}

# get PATH STATUS
get() {
    local status
    status=$(curl --silent --show-error --insecure --output "$work/answer" \
        --write-out '%{http_code}' --header "Authorization: Bearer $token" "$url$1")
    [ "$status" = "$2" ] || fail "GET $1: $status, not $2"
}

expect 0 "usage: kubegen-apiserver" --help
expect 0 "kubegen-apiserver 0." --version
expect 2 'unknown argument "--nope"; see --help' --nope
expect 2 'unknown argument "-x"; see --help' -x
expect 2 'unknown argument "file"; see --help' file
expect 2 '--port: needs a value' --port
expect 2 '--port 70000: must be a number from 0 to 65535' --port 70000
expect 2 '--history -1: must be a number' --history -1
expect 2 '--fault nope: there is no fault "nope"' --fault nope
expect 2 '--fault gone,often=1: there is no condition "often"' --fault gone,often=1
expect 2 'status=700: must be a number from 400 to 599' --fault status=700
expect 2 'nth=0: must be a number from 1' --fault gone,nth=0
expect 1 'there is no verb "gett"' --fault drop,verb=gett
expect 1 'nth and probability exclude each other' --fault drop,nth=1,probability=0.5
expect 2 'probability=2: must be a number above 0, up to 1' --fault gone,probability=2
expect 1 "$work/none.yaml: No such file or directory" --load "$work/none.yaml"
printf 'apiVersion: v1\nkind: ConfigMap\n' >"$work/bad.yaml"
expect 1 "bad.yaml: document 1, line 1:" --load "$work/bad.yaml"
expect 1 "write $work/none/kubeconfig: No such file" --kubeconfig-out "$work/none/kubeconfig"

start --load "$root/examples/network-controller/config/crd/samplecrd.k8s.io_networks.yaml" --seed 7
grep -q "for tests and demos only" "$work/log" || fail "it does not say what it is for"
grep -qF "serving $url, seed 7" "$work/log" || fail "it does not say where it is"
grep -qF "export KUBECONFIG=" "$work/log" || fail "it does not say how to use kubectl"
[ "$(stat -c %a "$work/kubeconfig")" = 600 ] || fail "others may read the kubeconfig"
get /readyz 200
get /apis/samplecrd.k8s.io/v1/networks 200
expect 1 "listen on 127.0.0.1:${url##*:}: Address already in use" --port "${url##*:}"
stop TERM

start --tls --fault status=503,verb=list,nth=2 --fault text=429,path=/version \
    --fault status=500,subresource=,namespace=default,name=c
[ -n "$token" ] || fail "no token with TLS"
get /api/v1/namespaces 200
get /api/v1/namespaces 503
get /api/v1/namespaces 200
get /version 429
get /api/v1/namespaces/default/configmaps/c 500
get /api/v1/namespaces/default/configmaps/d 404
stop INT

start --data "$work/data"
stop TERM
[ -s "$work/data" ] || fail "nothing is kept in the data file"
printf KGF1half >>"$work/data"
start --data "$work/data"
stop TERM
grep -q "data file: the last 8 bytes are no whole record: left out" "$work/log" ||
    fail "it does not say that the data file's end is torn"

# An owner that is gone takes the server with it.
sleep 600 &
owner=$!
start --owner "$owner"
kill "$owner"
wait "$owner" 2>/dev/null || true
wait "$server" || fail "it did not end well after its owner"
server=
echo "all as it should be"
