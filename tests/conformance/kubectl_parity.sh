#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same kubectl session against a real kube-apiserver and the embedded one; what kubectl prints,
# and its exit status, must be the same step by step.
#
#   kubectl_parity.sh [--self] [--keep DIR]
#
# --self compares two real servers: a test of the comparison. --keep leaves the transcripts in DIR.
# KUBEGEN_ENVTEST: what hack/setup-envtest.sh printed; KUBEGEN_APISERVER: the program. A step that
# differs must be a row of docs/apiserver.md, scenario kubectl/STEP, and such a row must differ.
set -uo pipefail

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
self='' keep=''
while [ $# -gt 0 ]; do
    case $1 in
        --self) self=1 && shift ;;
        --keep) keep=$2 && shift 2 ;;
        *) sed -n '3,10s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    esac
done

if [ -z "${KUBEGEN_ENVTEST-}" ]; then
    if [ "${CI-}" = true ]; then
        echo 'kubectl_parity: KUBEGEN_ENVTEST is not set, and needed under CI=true' >&2
        exit 1
    fi
    echo 'skipped: no real API server: set KUBEGEN_ENVTEST' >&2
    exit 77
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/kubegen-kubectl.XXXXXX")
embedded_pid=''
# shellcheck disable=SC2317 # called by trap
cleanup() {
    [ -z "$embedded_pid" ] || kill "$embedded_pid" 2>/dev/null
    for side in real other; do
        [ ! -d "$work/$side-server" ] || "$source_dir/hack/envtest.sh" kill "$work/$side-server"
    done
    if [ -n "$keep" ]; then
        mkdir -p "$keep"
        cp -r "$work/real" "$work/other" "$keep/" 2>/dev/null
    fi
    rm -rf "$work"
}
trap cleanup EXIT

start_real() {
    "$source_dir/hack/envtest.sh" start "$work/$1-server" --owner $$ --controllers >/dev/null || exit 1
    cp "$work/$1-server/kubeconfig" "$work/$1.kubeconfig"
}

start_embedded() {
    "$KUBEGEN_APISERVER" --tls --rbac --owner $$ --kubeconfig-out "$work/other.kubeconfig" \
        >"$work/embedded.log" 2>&1 &
    embedded_pid=$!
    for _ in $(seq 1000); do
        [ ! -s "$work/other.kubeconfig" ] || return 0
        kill -0 "$embedded_pid" 2>/dev/null || break
        sleep 0.01
    done
    cat "$work/embedded.log" >&2
    exit 1
}

# ---- the session: side, out and count are of the one that runs it ----

step() {
    count=$((count + 1))
    out=$work/$side/$(printf '%03d' "$count")-$1
    : >"$out"
}

# k ARGUMENTS...: kubectl, its output and its status
k() {
    printf '$ kubectl %s\n' "$*" >>"$out"
    quiet "$@" >>"$out" 2>&1
    printf '[%d]\n' "$?" >>"$out"
}

quiet() {
    HOME=$work/$side/home "$KUBEGEN_ENVTEST/kubectl" --kubeconfig="$work/$side.kubeconfig" \
        --namespace=shop "$@"
}

# until_true COMMAND...: what a controller does takes its time
until_true() {
    local deadline=$((SECONDS + 60))

    while [ "$SECONDS" -lt "$deadline" ]; do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.05
    done
    echo "never: $*" >>"$out"
    return 1
}

columns() {
    cat <<'END'
    - {name: Size, type: integer, jsonPath: .spec.size}
    - {name: Phase, type: string, jsonPath: .status.phase}
    - {name: Note, type: string, jsonPath: .spec.note, priority: 1}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
END
}

crd() {
    cat <<END
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.kubectl.example.com}
spec:
  group: kubectl.example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.replicas}
    additionalPrinterColumns:
$(columns)
    schema:
      openAPIV3Schema:
        description: A thing that has a size.
        type: object
        required: [spec]
        properties:
          spec:
            description: What is wanted.
            type: object
            properties:
              size: {type: integer, minimum: 0, maximum: 10, description: How many.}
              note: {type: string, default: none}
              color: {type: string, enum: [red, green]}
              tags: {type: array, items: {type: string}}
          status:
            type: object
            properties:
              replicas: {type: integer}
              phase: {type: string}
              conditions:
                type: array
                items:
                  type: object
                  properties: {type: {type: string}, status: {type: string}}
END
}

widget() {
    cat <<END
apiVersion: kubectl.example.com/v1
kind: Widget
metadata: {name: $1, labels: {app: x}}
spec: {size: $2, tags: [a, b]}
END
}

config_map() {
    cat <<END
apiVersion: v1
kind: ConfigMap
metadata: {name: $1}
data: {key: "$2"}
END
}

service() {
    cat <<'END'
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {clusterIP: None, selector: {app: web}, ports: [{name: http, port: 80, targetPort: 8080}]}
END
}

stateful_set() {
    cat <<END
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  serviceName: web
  replicas: $1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "nginx:$2", ports: [{containerPort: 80}]}]}
END
}

session_server() {
    step version && k version --output=json
    step cluster && k cluster-info
    step whoami && k auth whoami
    step namespace && k create namespace shop && k get namespace shop
    step crd-create && crd | k apply -f -
    step crd-wait && k wait --for=condition=Established --timeout=60s crd/widgets.kubectl.example.com
    until_true quiet get widgets
    step crd-get && k get crd widgets.kubectl.example.com
    step api-resources && k api-resources --api-group=kubectl.example.com -o wide
    step api-resources-apps && k api-resources --api-group=apps
    step api-resources-core && k api-resources --api-group= --namespaced=true --verbs=watch -o name
    # kube-apiserver publishes a CRD's OpenAPI document in the background, after Established.
    step openapi-published && until_true quiet explain widget.spec.size
    step api-versions && quiet api-versions | grep -x -e v1 -e 'apps/v1' -e 'kubectl.example.com/v1' \
        >>"$out"
    step explain && k explain widget
    step explain-field && k explain widget.spec.size
    step explain-recursive && k explain widgets --recursive
    step explain-missing && k explain widget.spec.nosuch
}

session_custom() {
    step create && widget a 1 | k create -f -
    step create-again && widget a 1 | k create -f -
    step create-invalid && widget bad 11 | k create -f -
    step create-unknown && widget unknown 1 | sed 's/size/colour/' | k create -f -
    step create-dry && widget dry 1 | k create -f - --dry-run=server -o name
    step get && k get widgets
    step get-wide && k get widgets -o wide --show-labels
    step get-short && k get wd a -o name
    step get-yaml && k get widget a -o yaml
    step get-json && k get widget a -o json --show-managed-fields
    step get-jsonpath && k get widgets -o 'jsonpath={.items[*].spec.tags}'
    step get-columns && k get widgets -o custom-columns=NAME:.metadata.name,SIZE:.spec.size
    step get-missing && k get widget nosuch
    step get-all && k get all
    step get-everywhere && k get widgets --all-namespaces
    step get-selector && k get widgets -l 'app in (x)' --field-selector metadata.name=a
    step get-unknown-kind && k get frobs
    step describe && k describe widget a
    step label && k label widget a tier=front && k label widget a tier=back &&
        k label widget a tier=back --overwrite && k label widget a tier-
    step annotate && k annotate widget a note=hello && k annotate widget a note-
    step patch-merge && k patch widget a --type=merge -p '{"spec":{"size":2}}'
    step patch-json && k patch widget a --type=json -p '[{"op":"replace","path":"/spec/size","value":3}]'
    step patch-strategic && k patch widget a -p '{"spec":{"size":4}}'
    step patch-invalid && k patch widget a --type=merge -p '{"spec":{"size":40}}'
    step patch-status && k patch widget a --subresource=status --type=merge \
        -p '{"status":{"phase":"Ready","conditions":[{"type":"Ready","status":"True"}]}}'
    step wait-condition && k wait --for=condition=Ready --timeout=5s widget/a
    step wait-jsonpath && k wait --for=jsonpath='{.status.phase}'=Ready --timeout=5s widget/a
    step scale && k scale widget a --replicas=5 && k get widget a
    step scale-precondition && k scale widget a --current-replicas=1 --replicas=6
    step edit && KUBE_EDITOR="$work/edit 5 6" k edit widget a && k get widget a
    step edit-nothing && KUBE_EDITOR="$work/edit 5 6" k edit widget a
    step edit-invalid && KUBE_EDITOR="$work/edit 6 60" k edit widget a
    step replace && widget a 7 | k replace -f -
    step events && k events
}

session_apply() {
    step apply && widget b 1 | k apply -f -
    step apply-same && widget b 1 | k apply -f -
    step apply-change && widget b 2 | k apply -f -
    step diff && widget b 3 | quiet diff -f - 2>&1 | sed -e '1,4d' >>"$out"
    step apply-server && widget c 1 | k apply --server-side -f -
    step apply-server-same && widget c 1 | k apply --server-side -f -
    step apply-server-conflict && widget c 2 | k apply --server-side --field-manager=other -f -
    step apply-server-force &&
        widget c 2 | k apply --server-side --field-manager=other --force-conflicts -f -
    step apply-server-managed && k get widget c -o yaml --show-managed-fields
    step apply-migrate && widget b 4 | k apply --server-side -f -
    step apply-view && k apply view-last-applied widget/b
    step apply-builtin && config_map one 1 | k apply -f - && config_map one 2 | k apply -f -
    step apply-builtin-server && config_map two 1 | k apply --server-side -f - &&
        config_map two 2 | k apply --server-side --field-manager=other -f -
    step apply-statefulset && service | k apply -f - && stateful_set 1 1.0 | k apply -f - &&
        stateful_set 2 1.1 | k apply -f -
    step apply-statefulset-server && stateful_set 2 1.2 | k apply --server-side -f - &&
        stateful_set 2 1.2 | k apply --server-side --force-conflicts -f -
    step apply-missing-kind && widget x 1 | sed 's/Widget/Frob/' | k apply -f -
}

session_builtin() {
    step configmap && k create configmap made --from-literal=a=1 --from-literal=b=2
    step secret && k create secret generic hidden --from-literal=a=1
    step serviceaccount && k create serviceaccount robot
    step role && k create role reader --verb=get,list --resource=configmaps
    step rolebinding && k create rolebinding readers --role=reader --serviceaccount=shop:robot
    step get-builtins && k get configmaps,secrets,serviceaccounts,roles,rolebindings,services,statefulsets
    step get-builtins-wide && k get services,statefulsets,rolebindings -o wide
    step get-builtin-yaml && k get configmap made -o yaml
    step get-statefulset-yaml && k get statefulset web -o yaml
    step describe-configmap && k describe configmap made
    step describe-service && k describe service web
    step describe-statefulset && k describe statefulset web
    step describe-namespace && k describe namespace shop
    step describe-role && k describe role reader
    step patch-builtin && k patch configmap made -p '{"data":{"c":"3"}}'
    step patch-container &&
        k patch statefulset web -p '{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"x"}]}}}}'
    step set-image && k set image statefulset/web c=nginx:2
    step scale-builtin && k scale statefulset web --replicas=3 && k get statefulset web
    step label-builtin && k label configmap made x=y && k get configmaps -l x=y --show-labels
    step can-i && k auth can-i create widgets && k auth can-i get configmaps --as=system:serviceaccount:shop:robot &&
        k auth can-i delete configmaps --as=system:serviceaccount:shop:robot
    step forbidden && k --context=user get configmaps && k --context=user auth can-i list configmaps
    step pod && k run lonely --image=nginx && k get pod lonely && k delete pod lonely --now
}

session_end() {
    local watcher
    step watch
    quiet get widget a -w --output-watch-events >"$work/$side/watch" 2>&1 &
    watcher=$!
    until_true test -s "$work/$side/watch"
    quiet patch widget a --type=merge -p '{"spec":{"size":8}}' >/dev/null
    until_true grep -q MODIFIED "$work/$side/watch"
    quiet patch widget a --type=merge -p '{"metadata":{"finalizers":["example.com/hold"]}}' >/dev/null
    quiet delete widget a --wait=false >/dev/null
    until_true eval "[ \$(grep -c MODIFIED '$work/$side/watch') -ge 3 ]"
    kill "$watcher" 2>/dev/null
    wait "$watcher" 2>/dev/null
    cat "$work/$side/watch" >>"$out"
    step delete-held && k get widget a -o 'jsonpath={.metadata.finalizers} {.metadata.deletionGracePeriodSeconds}'
    step delete-wait && k wait --for=delete widget/a --timeout=300ms
    step finalizer-removed && k patch widget a --type=merge -p '{"metadata":{"finalizers":null}}' && k get widget a
    step delete && k delete widget b && k delete widget b && k delete widget b --ignore-not-found
    step delete-selector && k delete widgets,configmaps -l app=x
    step delete-all && k delete configmaps --all
    step delete-namespace && k delete namespace shop --timeout=120s && k get namespace shop
    step delete-crd && k delete crd widgets.kubectl.example.com --timeout=120s &&
        until_true eval '! quiet get widgets' && k get widgets
}

session() {
    side=$1 count=0
    mkdir -p "$work/$side/home"
    session_server
    session_custom
    session_apply
    session_builtin
    session_end
}

# What two servers cannot agree on, and the width of columns that hold it.
normalise() {
    sed -E \
        -e 's/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/<uid>/g' \
        -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/<time>/g' \
        -e 's/(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]+ [+-][0-9]{4}/<date>/g' \
        -e 's/("?[rR]esource ?[vV]ersion"?:[ ]+"?)[0-9]+/\1<version>/g' \
        -e 's#https://127\.0\.0\.1:[0-9]+#https://<host>#g' \
        -e 's/(^|[ (])[0-9]+(m?s|m|h)([0-9]+s)?( |$|\))/\1<age>\4/g' \
        -e 's/kubectl-edit-[0-9]+/kubectl-edit-N/' \
        -e 's/kubegen-envtest/kube-apiserver/g' \
        -e 's/kubegen-kubectl\.[A-Za-z0-9]+\/(real|other)/<dir>/g' \
        -e 's/(gitVersion|gitCommit|buildDate|goVersion|platform|compiler)": "[^"]*"/\1": ""/' \
        -e '/^[IWE][0-9]{4} [0-9:.]+ /d' \
        -e 's/[ \t]+/ /g' "$1"
}

# Rows of the table whose scenarios are "kubectl/STEP".
listed() {
    sed -n '/Differences from kube-apiserver/,/^## /s/^|[^|]*| *`kubectl\/\([^`]*\)` *|.*/\1/p' \
        "$source_dir/docs/apiserver.md"
}

# As a user in an editor would: another size.
cat >"$work/edit" <<'END'
#!/bin/sh
sed -i "s/size: $1\$/size: $2/" "$3"
END
chmod +x "$work/edit"

start_real real
if [ -n "$self" ]; then start_real other; else start_embedded; fi
session real &
real_session=$!
session other
wait "$real_session"

failed=0 steps=0 known=0
seen=' '
for file in "$work"/real/[0-9]*; do
    name=${file##*/} name=${name#*-}
    steps=$((steps + 1))
    if difference=$(diff -U 3 <(normalise "$file") <(normalise "$work/other/${file##*/}") | tail -n +3) &&
        [ -z "$difference" ]; then
        continue
    fi
    if [ -z "$self" ] && listed | grep -qx -e "$name"; then
        known=$((known + 1)) seen="$seen$name "
        continue
    fi
    failed=$((failed + 1))
    printf '### kubectl/%s: real (-) and embedded (+)\n%s\n\n' "$name" "$difference"
done
if [ -z "$self" ]; then
    while read -r name; do
        [[ $seen == *" $name "* ]] && continue
        echo "kubectl_parity: kubectl/$name is listed but does not differ: the list is out of date"
        failed=$((failed + 1))
    done < <(listed)
fi
echo "kubectl_parity: $steps steps, $known listed differences, $failed failures"
[ "$failed" = 0 ]
