#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shows the Network controller at work: builds it, starts an API server, and creates, edits, breaks
# and removes networks. No cluster is needed: the API server is the test kit's.
#
#   hack/demo.sh          the whole tour: under a minute, under 15 s once built
#   hack/demo.sh --real   the same on a real kube-apiserver (built the first time: some minutes)
#   hack/demo.sh --keep   the same, then everything keeps running for you to play with, until Ctrl-C
#
# KUBEGEN_BUILD_DIR: a build tree that has the programs already; nothing is built then.
set -euo pipefail
cd "$(dirname "$0")/.."

keep='' real=''
for arg in "$@"; do
    case "$arg" in
        --keep) keep=yes ;;
        --real) real=yes ;;
        *)
            sed -n '3,10s/^# \{0,1\}//p' "$0"
            [ "$arg" = --help ] || exit 2
            exit 0
            ;;
    esac
done

if [ -t 1 ]; then
    bold=$'\e[1m' dim=$'\e[2m' green=$'\e[32m' red=$'\e[31m' off=$'\e[0m'
else
    bold='' dim='' green='' red='' off=''
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/kubegen-demo.XXXXXX")
networks=$work/networks
controller='' server='' log=''
# shellcheck disable=SC2317 # called by trap
cleanup() {
    status=$?
    trap '' INT TERM
    for pid in $log $controller $server; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    [ ! -d "$work/server" ] || hack/envtest.sh kill "$work/server" >/dev/null 2>&1 || true
    rm -rf "$work"
    exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

step() {
    printf '\n%s%s%s\n' "$bold" "$*" "$off"
}

# Says what was done, as one would type it.
show() {
    printf '  %s%s%s\n' "$dim" "$*" "$off"
}

# eventually WHAT COMMAND…: waits until the command succeeds, 20 seconds at most.
eventually() {
    local what=$1
    shift
    for _ in $(seq 400); do
        if "$@" >/dev/null 2>&1; then
            printf '%s  ✓ %s%s\n' "$green" "$what" "$off"
            return
        fi
        sleep 0.05
    done
    printf '%s  ✗ %s%s\n' "$red" "$what" "$off"
    tail -n 20 "$work"/*.log >&2
    exit 1
}

# ---- the API by curl -------------------------------------------------------------------------

group=/apis/samplecrd.k8s.io/v1/namespaces/default

# api METHOD PATH [curl options]: the answer goes to stdout. A failure's body is in curl's output.
api() {
    local method=$1 path=$2
    shift 2
    curl --silent --show-error --fail-with-body --max-time 10 --user-agent demo --request "$method" \
        --header "Authorization: Bearer $token" ${ca:+--cacert "$ca"} "$@" "$url$path"
}

# write METHOD PATH [curl options]: says nothing, unless it fails: then why.
write() {
    api "$@" >"$work/answer" || {
        cat "$work/answer" >&2
        exit 1
    }
}

# apply NAME CIDR GATEWAY: server-side apply of a Network.
apply() {
    cat >"$work/network.yaml" <<YAML
apiVersion: samplecrd.k8s.io/v1
kind: Network
metadata:
  name: $1
spec:
  cidr: $2
  gateway: $3
YAML
    show "apply Network $1: cidr $2, gateway $3"
    write PATCH "$group/networks/$1?fieldManager=demo&force=true" \
        --header 'Content-Type: application/apply-patch+yaml' --data-binary "@$work/network.yaml"
}

has_event() {
    api GET "/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=$1,reason=$2" |
        grep -q "\"reason\":\"$2\""
}

# ---- the tour --------------------------------------------------------------------------------

build=${KUBEGEN_BUILD_DIR-}
if [ -z "$build" ]; then
    hack/install-deps.sh
    build=build/demo
    step "Building the controller and the API server"
    cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release -DKUBEGEN_BUILD_TESTS=OFF \
        >"$work/cmake.log" || {
        cat "$work/cmake.log" >&2
        exit 1
    }
    ninja -C $build --quiet network-controller kubegen-apiserver
    ls -lh $build/examples/network-controller/network-controller | awk '{print "  " $5 "  " $9}'
fi

if [ -n "$real" ]; then
    hack/setup-envtest.sh >/dev/null
    step "Starting a real API server"
    kubeconfig=$(hack/envtest.sh start "$work/server" --owner $$)
    url=$(cat "$work/server/ready") ca=$work/server/ca.crt
    # In flow style or not, as the program that wrote it has it.
    token=$(sed -n '/name: "\{0,1\}admin/,/token:/s/.*token: *"\{0,1\}\([^"},]*\).*/\1/p' "$kubeconfig" |
        tail -n 1)
    write POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions \
        --header 'Content-Type: application/yaml' \
        --data-binary @examples/network-controller/config/crd/samplecrd.k8s.io_networks.yaml
else
    step "Starting an API server"
    kubeconfig=$work/kubeconfig
    "$build"/runtime/testing/command/kubegen-apiserver --kubeconfig-out "$kubeconfig" \
        --load examples/network-controller/config/crd/samplecrd.k8s.io_networks.yaml \
        >"$work/apiserver.log" 2>&1 &
    server=$!
    for _ in $(seq 200); do
        [ ! -s "$kubeconfig" ] || break
        sleep 0.02
    done
    url=$(sed -n 's/^ *server: //p' "$kubeconfig" | head -1) ca=
    token=$(sed -n 's/^ *token: //p' "$kubeconfig" | head -1)
fi
printf '  %s\n' "$url"
eventually "Networks are served" api GET "$group/networks"

step "Starting the Network controller"
"$build"/examples/network-controller/network-controller --kubeconfig "$kubeconfig" \
    --state-dir "$networks" --resync 1 >"$work/controller.log" 2>&1 &
controller=$!
eventually "its cache is synced" grep -q "caches are synced" "$work/controller.log"

step "A Network is created: the controller makes the real one"
apply blue 10.1.0.0/16 10.1.0.1
eventually "networks/default/blue has cidr=10.1.0.0/16" \
    grep -q cidr=10.1.0.0/16 "$networks/default/blue"
eventually "an event says Synced" has_event blue Synced

step "It is edited: the real one follows"
apply blue 10.1.0.0/16 10.1.255.254
eventually "networks/default/blue has gateway=10.1.255.254" \
    grep -q gateway=10.1.255.254 "$networks/default/blue"

step "Somebody meddles with the real one: the drift is repaired"
show "rm networks/default/blue"
rm "$networks/default/blue"
eventually "networks/default/blue is back" grep -q gateway=10.1.255.254 "$networks/default/blue"

step "A bad spec is told, and what was built stays"
apply blue 10.1.0.0/16 192.168.0.1
eventually "an event says InvalidSpec" has_event blue InvalidSpec
eventually "networks/default/blue is as it was" \
    grep -q gateway=10.1.255.254 "$networks/default/blue"

step "It is deleted: the real one goes"
show "delete Network blue"
write DELETE "$group/networks/blue"
eventually "networks/default/blue is gone" test ! -e "$networks/default/blue"

# It says so a moment after it has torn the network down.
for _ in $(seq 200); do
    ! grep -q 'default/blue is gone' "$work/controller.log" || break
    sleep 0.05
done
step "What the controller said"
sed 's/^/  /' "$work/controller.log"
awk '/^(VmRSS|RssAnon|Threads)/ {print "  " $0}' "/proc/$controller/status"

if [ -n "$keep" ]; then
    step "Your turn"
    cat <<TEXT
  kubeconfig:  $kubeconfig
  networks:    $networks
  status page: $(sed -n 's/.*status page: //p' "$work/controller.log")
  Any kubectl can talk to it: kubectl --kubeconfig $kubeconfig get networks --watch
  Ctrl-C ends it and removes all of it.
TEXT
    tail -n 0 -f "$work/controller.log" &
    log=$!
    wait $log # which a signal ends, as it would not a foreground process
else
    step "Next"
    cat <<TEXT
  hack/demo.sh --keep                  keeps it running for you to play with
  hack/demo.sh --real                  the same on a real kube-apiserver
  apis/samplecrd/v1/types.h            is the API: add a field, run hack/update-codegen.sh
  examples/network-controller          is the controller, and its tests
TEXT
fi
