#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shows the Network controller at work on a real Kubernetes API server, in about a minute once that
# server is built (hack/setup-envtest.sh; some minutes the first time).
#
#   hack/demo.sh          the whole tour
#   hack/demo.sh --stay   the same, then everything keeps running for you to play with, until Ctrl-C
set -euo pipefail
cd "$(dirname "$0")/.."

stay=
case "${1-}" in
    "") ;;
    --stay) stay=yes ;;
    *)
        sed -n '3,7s/^# \{0,1\}//p' "$0"
        [ "$1" = --help ] || exit 2
        exit 0
        ;;
esac

if [ -t 1 ]; then
    bold=$'\e[1m' dim=$'\e[2m' green=$'\e[32m' red=$'\e[31m' off=$'\e[0m'
else
    bold='' dim='' green='' red='' off=''
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/kubegen-demo.XXXXXX")
controller=
# shellcheck disable=SC2317 # called by trap
cleanup() {
    status=$?
    trap '' INT TERM
    if [ -n "$controller" ]; then
        kill "$controller" 2>/dev/null || true
        wait "$controller" 2>/dev/null || true
    fi
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

# Runs kubectl as a person would type it, and shows it.
kube() {
    printf '%s$ kubectl %s%s\n' "$dim" "$*" "$off"
    "$assets/kubectl" --kubeconfig "$kubeconfig" "$@"
}

# eventually WHAT COMMAND…: waits until the command succeeds, 20 seconds at most.
eventually() {
    local what=$1
    shift
    for _ in $(seq 200); do
        if "$@" >/dev/null 2>&1; then
            printf '%s  ✓ %s%s\n' "$green" "$what" "$off"
            return
        fi
        sleep 0.1
    done
    printf '%s  ✗ %s%s\n' "$red" "$what" "$off"
    tail -20 "$work/controller.log" >&2
    exit 1
}

has_event() {
    "$assets/kubectl" --kubeconfig "$kubeconfig" get events \
        -o jsonpath='{range .items[*]}{.involvedObject.name} {.reason}{"\n"}{end}' | grep -qx "$1"
}

network() {
    cat <<YAML
apiVersion: samplecrd.k8s.io/v1
kind: Network
metadata:
  name: $1
spec:
  cidr: $2
  gateway: $3
YAML
}

hack/install-deps.sh
assets=$(hack/setup-envtest.sh)

step "Building the controller"
cmake -S . -B build/demo -G Ninja -DCMAKE_BUILD_TYPE=Release -DKUBEGEN_BUILD_TESTS=OFF \
    >"$work/cmake.log" || {
    cat "$work/cmake.log" >&2
    exit 1
}
ninja -C build/demo --quiet network-controller
ls -lh build/demo/examples/network-controller/network-controller | awk '{print "  " $5 "  " $9}'

step "Starting a real API server"
kubeconfig=$(hack/envtest.sh start "$work/server" --owner $$)
printf '  %s\n' "$(cat "$work/server/ready")"
kube apply -f examples/network-controller/config/crd/
kube wait --for=condition=Established crd/networks.samplecrd.k8s.io --timeout=20s

step "Starting the Network controller"
networks=$work/networks
build/demo/examples/network-controller/network-controller --kubeconfig "$kubeconfig" \
    --state-dir "$networks" >"$work/controller.log" 2>&1 &
controller=$!
eventually "its cache is synced" grep -q "caches are synced" "$work/controller.log"

step "A Network is created: the controller makes the real one"
network blue 10.1.0.0/16 10.1.0.1 | kube apply -f -
eventually "networks/default/blue: 10.1.0.0/16" grep -q cidr=10.1.0.0/16 "$networks/default/blue"
eventually "an event says Synced" has_event "blue Synced"

step "Its gateway is edited: the real one follows"
kube patch network blue --type=merge -p '{"spec":{"gateway":"10.1.255.254"}}'
eventually "gateway=10.1.255.254" grep -q gateway=10.1.255.254 "$networks/default/blue"

step "A bad spec is told, and what was built stays"
kube patch network blue --type=merge -p '{"spec":{"gateway":"192.168.0.1"}}'
eventually "an event says InvalidSpec" has_event "blue InvalidSpec"
eventually "the network is as it was" grep -q gateway=10.1.255.254 "$networks/default/blue"
network green fd00:1::/64 fd00:1::1 | kube apply -f -
eventually "IPv6 too: fd00:1::/64" grep -q cidr=fd00:1::/64 "$networks/default/green"

step "A Network is deleted: the real one goes"
kube delete network blue
eventually "networks/default/blue is gone" test ! -e "$networks/default/blue"

step "What the cluster saw"
kube get networks
kube get events

step "What the controller said"
sed 's/^/  /' "$work/controller.log"
awk '/^(VmRSS|RssAnon|Threads)/ {print "  " $0}' "/proc/$controller/status"

if [ -n "$stay" ]; then
    step "Your turn"
    cat <<TEXT
  export KUBECONFIG=$kubeconfig
  $assets/kubectl get networks --watch
  ls $networks/default
  Ctrl-C here ends everything.
TEXT
    tail -n 0 -f "$work/controller.log"
else
    step "Next"
    cat <<TEXT
  hack/demo.sh --stay                  keeps it running for you to play with
  apis/samplecrd/v1/types.h            is the API: add a field, run hack/update-codegen.sh
  examples/network-controller          is the controller
TEXT
fi
