#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The config/ of a controller on a real API server, and the controller with exactly the rights and
# the arguments that it says: a process with a token of its ServiceAccount. The server's audit says
# whether a right was wanted; one is taken away to see that this is noticed.
#
#   test_deploy.sh network|appservice PROGRAM
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
project=$1 program=$2
name=$project-controller
config=$root/examples/$name/config
namespace=$name-system
account=system:serviceaccount:$namespace:$name

if [ -z "${KUBEGEN_ENVTEST-}" ]; then
    echo 'skipped: no real API server: set KUBEGEN_ENVTEST to what hack/setup-envtest.sh prints' >&2
    [ "${CI-}" = true ] && exit 1
    exit 77
fi
tmp=$(mktemp -d "${TMPDIR:-/tmp}/kubegen-test-deploy.XXXXXX")
server=$tmp/server
controller=''

cleanup() {
    [ -z "$controller" ] || kill -KILL "$controller" 2>/dev/null || true
    "$root/hack/envtest.sh" kill "$server" 2>/dev/null || true
    rm -rf -- "$tmp"
}
trap cleanup EXIT

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    [ ! -f "$tmp/controller.log" ] || tail -n 20 "$tmp/controller.log" >&2
    exit 1
}

# eventually COMMAND…: what other processes are about to bring about.
eventually() {
    local tries=600
    until "$@" >/dev/null 2>&1; do
        ((tries-- > 0)) || fail "never true: $*"
        [ -z "$controller" ] || kill -0 "$controller" 2>/dev/null || fail "the controller ended, before: $*"
        sleep 0.1
    done
}

kubectl() { "$KUBEGEN_ENVTEST/kubectl" --kubeconfig "$server/kubeconfig" "$@"; }
# is TEXT KUBECTL_GET_ARGUMENT…: whether it prints just that.
is() { [ "$(kubectl get "${@:2}" 2>/dev/null)" = "$1" ]; }
deployment() { kubectl get deployment -n "$namespace" "$name" -o jsonpath="{.spec.template.spec.$1}"; }
container() { deployment "containers[0].$1"; }

# ---- the manifests -------------------------------------------------------------------------------

every_directory_renders() {
    local directory
    for directory in "$config"/*/; do
        [ -f "$directory/kustomization.yaml" ] || fail "$directory has no kustomization.yaml"
        kubectl kustomize "$directory" >"$tmp/rendered.yaml" || fail "$directory"
        [ -s "$tmp/rendered.yaml" ] || fail "$directory renders to nothing"
    done
}

# Nothing that the server would warn of: unknown fields, deprecated versions, Pod Security.
applies_without_warnings() {
    kubectl apply -f "$config/manager/namespace.yaml" >/dev/null
    kubectl apply -k "$config/default" --dry-run=server --validate=strict >"$tmp/dry" 2>"$tmp/warnings" ||
        fail "dry run: $(cat "$tmp/warnings")"
    kubectl apply -k "$config/default" --validate=strict >"$tmp/applied" 2>>"$tmp/warnings" ||
        fail "apply: $(cat "$tmp/warnings")"
    [ ! -s "$tmp/warnings" ] || fail "warnings: $(cat "$tmp/warnings")"
    [ "$(wc -l <"$tmp/dry")" = "$(wc -l <"$tmp/applied")" ] || fail 'the dry run is of other objects'
}

pods_are_admitted() {
    local forbidden=''
    eventually is '2' deployment -n "$namespace" "$name" -o jsonpath='{.status.replicas}'
    # That the namespace's standard is enforced: the same Pod as root is refused.
    forbidden=$(kubectl run root -n "$namespace" --image=none 2>&1) && fail 'a Pod as root is let in'
    grep -q 'violates PodSecurity "restricted' <<<"$forbidden" || fail "not Pod Security: $forbidden"
    [ "$(container securityContext.readOnlyRootFilesystem)" = true ] || fail 'the root can be written'
    [ "$(deployment securityContext.runAsNonRoot)" = true ] || fail 'it may run as root'
}

# ---- the controller ------------------------------------------------------------------------------

# free_port: below those that the kernel gives to outgoing connections.
free_port() {
    local try
    while :; do
        try=$((20000 + RANDOM % 10000))
        (exec 3<>"/dev/tcp/127.0.0.1/$try") 2>/dev/null || break
    done
    printf '%s\n' "$try"
}

# The Pod's arguments, with ports and directories of this machine.
write_arguments() {
    local argument
    health=$(free_port) metrics=$(free_port) arguments=()
    while read -r argument || [ -n "$argument" ]; do
        case $argument in
            --health-probe-bind-address=:"$(port_of health)") argument=${argument%=*}=127.0.0.1:$health ;;
            --metrics-bind-address=:"$(port_of metrics)") argument=${argument%=*}=127.0.0.1:$metrics ;;
            --http-bind-address=127.0.0.1:*) argument=${argument%=*}=127.0.0.1:0 ;;
            *-bind-address=*) fail "the Deployment says $argument, which is none of its ports" ;;
            --*-dir=*)
                container 'volumeMounts[*].mountPath' | tr ' ' '\n' | grep -qxF -e "${argument#*=}" ||
                    fail "the Deployment says $argument, which cannot be written"
                argument=${argument%=*}=$tmp/state
                ;;
        esac
        arguments+=("$argument")
    done < <(container 'args' | tr -d '[]"' | tr ',' '\n')
    [ ${#arguments[@]} -gt 0 ] || fail 'the Deployment has no arguments'
}

port_of() { container "ports[?(@.name=='$1')].containerPort"; }

write_kubeconfig() {
    local token
    token=$(kubectl create token "$name" -n "$namespace")
    cat >"$tmp/kubeconfig" <<END
apiVersion: v1
kind: Config
current-context: pod
clusters:
- {name: c, cluster: {server: "$(cat "$server/ready")", certificate-authority: "$server/ca.crt"}}
contexts:
- {name: pod, context: {cluster: c, user: pod, namespace: "$namespace"}}
users:
- {name: pod, user: {token: "$token"}}
END
}

start() {
    mkdir -p "$tmp/state"
    POD_NAME=$name-0 POD_NAMESPACE=$namespace "$program" --kubeconfig "$tmp/kubeconfig" "${arguments[@]}" "$@" \
        >"$tmp/controller.log" 2>&1 &
    controller=$!
}

stop() {
    local status=0
    kill -TERM "$controller"
    wait "$controller" || status=$?
    controller=''
    [ "$status" = 0 ] || fail "it ends with status $status"
}

probe() {
    local path
    path=$(container "$1.httpGet.path")
    [ "$(container "$1.httpGet.port")" = health ] || fail "$1 asks another port"
    curl --silent --fail --output /dev/null "http://127.0.0.1:$health$path"
}

leads() { kubectl get lease "$name" -n "$namespace" -o jsonpath='{.spec.holderIdentity}' | grep -q "^$name-0"; }

probes_and_pages_answer() {
    eventually probe livenessProbe
    eventually probe readinessProbe
    eventually leads
    curl --silent --fail "http://127.0.0.1:$metrics/metrics" >"$tmp/metrics" || fail 'no metrics'
    grep -q '^leader_election_master_status{.*} 1$' "$tmp/metrics" || fail 'metrics do not say who leads'
}

# event REASON KIND NAME: whether there is one.
event() {
    kubectl get events -A --field-selector "reason=$1,involvedObject.kind=$2,involvedObject.name=$3" -o name |
        grep -q .
}

network_does_its_job() {
    kubectl create namespace work >/dev/null
    kubectl apply -f - >/dev/null <<'END'
apiVersion: samplecrd.k8s.io/v1
kind: Network
metadata: {name: one, namespace: work}
spec: {cidr: 10.1.0.0/16, gateway: 10.1.0.1}
END
    eventually grep -qx 'cidr=10.1.0.0/16' "$tmp/state/work/one"
    eventually event Synced Network one
    kubectl patch network one -n work --type merge -p '{"spec": {"gateway": "10.2.0.1"}}' >/dev/null
    eventually event InvalidSpec Network one
    kubectl patch network one -n work --type merge -p '{"spec": {"gateway": "10.1.0.9"}}' >/dev/null
    eventually grep -qx 'gateway=10.1.0.9' "$tmp/state/work/one"
    kubectl delete network one -n work >/dev/null
    eventually test ! -e "$tmp/state/work/one"
}

appservice_does_its_job() {
    local of_web=(deployment web -n work -o)
    kubectl create namespace work >/dev/null
    kubectl apply -f - >/dev/null <<'END'
apiVersion: appcontroller.k8s.io/v1alpha1
kind: AppService
metadata: {name: site, namespace: work}
spec: {deploymentName: web, replicas: 2}
END
    eventually is 2 "${of_web[@]}" 'jsonpath={.status.replicas}'
    is AppService "${of_web[@]}" 'jsonpath={.metadata.ownerReferences[0].kind}' || fail 'web has no owner'
    kubectl scale appservice site -n work --replicas=3 >/dev/null
    eventually is 3 "${of_web[@]}" 'jsonpath={.spec.replicas}'
    # Drift, by a hand and by a delete.
    kubectl scale deployment web -n work --replicas=1 >/dev/null
    eventually is 3 "${of_web[@]}" 'jsonpath={.spec.replicas}'
    kubectl delete deployment web -n work >/dev/null
    eventually is 3 "${of_web[@]}" 'jsonpath={.status.replicas}'
    eventually is 0 appservice site -n work -o 'jsonpath={.status.availableReplicas}'
    eventually is False appservice site -n work -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}'
    # A Deployment of somebody else is left alone.
    kubectl create deployment theirs -n work --image=other >/dev/null
    kubectl apply -f - >/dev/null <<'END'
apiVersion: appcontroller.k8s.io/v1alpha1
kind: AppService
metadata: {name: late, namespace: work}
spec: {deploymentName: theirs}
END
    eventually event ErrResourceExists AppService late
    is '' deployment theirs -n work -o 'jsonpath={.metadata.ownerReferences}' || fail 'it took theirs'
    kubectl delete appservice site late -n work >/dev/null
    eventually is '' deployment -n work web --ignore-not-found -o name
}

# refused: the requests of the ServiceAccount that were answered with 403, "VERB RESOURCE" each.
refused() {
    grep -F "\"username\":\"$account\"" "$server/audit.log" | grep -F '"code":403' |
        sed -n 's/.*"verb":"\([^"]*\)".*"objectRef":{"resource":"\([^"]*\)".*/\1 \2/p' | sort | uniq -c
}

no_right_was_wanted() {
    grep -qF "\"username\":\"$account\"" "$server/audit.log" || fail 'the audit does not know it'
    [ -z "$(refused)" ] || fail "refused: $(refused)"
    # Whoever is not bound to more by its group may no more than this.
    ! kubectl auth can-i list secrets --as "$account" -n "$namespace" >/dev/null || fail 'it may list secrets'
}

# change_role SED_COMMAND: of the ClusterRole as one line of JSON.
change_role() { kubectl get clusterrole "$name" -o json | tr -d '\n' | sed "$1" | kubectl replace -f - >/dev/null; }

# It says which rule it needs, runs on, and is not ready while its cache is empty.
a_missing_right_is_named() {
    local resource=${project}s group=appcontroller.k8s.io
    [ "$project" = appservice ] || group=samplecrd.k8s.io
    change_role "s/\(\"$resource\" *\], *\"verbs\": *\[[^]]*\), *\"watch\"/\1/"
    ! kubectl auth can-i watch "$resource.$group" --as "$account" >/dev/null || fail 'the right is not gone'
    start
    eventually grep -qF "not allowed to watch $resource in all namespaces; the missing ClusterRole rule: \
{apiGroups: [\"$group\"], resources: [\"$resource\"], verbs: [\"list\", \"watch\"]}" "$tmp/controller.log"
    refused | grep -q "watch $resource" || fail 'the audit has no refused watch'
    stop
    change_role "s/\"$resource\" *\]/\"nothing\"]/"
    start
    eventually probe livenessProbe
    ! probe readinessProbe || fail 'it is ready without its cache'
    # Given back, all is well without a restart.
    kubectl apply -k "$config/default" >/dev/null
    eventually probe readinessProbe
    stop
}

"$root/hack/envtest.sh" start "$server" --controllers --audit --owner $$ >/dev/null
every_directory_renders
applies_without_warnings
pods_are_admitted
write_kubeconfig
write_arguments
start
probes_and_pages_answer
"${project}_does_its_job"
printf 'memory: %s\n' "$(awk '/^(VmRSS|RssAnon)/ { printf "%s %s kB  ", $1, $2 }' "/proc/$controller/status")"
stop
no_right_was_wanted
a_missing_right_is_named
