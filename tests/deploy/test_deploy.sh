#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The config/ of a controller on a real API server, and the controller with exactly the rights and
# the arguments that it says: a process with a token of its ServiceAccount. The server's audit says
# whether a right was wanted, and whether each one was used; one is taken away, and one too much is
# given, to see that this is noticed.
#
#   test_deploy.sh network|appservice PROGRAM UNUSED_RIGHTS
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
project=$1 program=$2 unused_rights=$3
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
controller='' former=''

cleanup() {
    local pid
    for pid in $controller $former; do
        kill -KILL "$pid" 2>/dev/null || true
    done
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

# no COMMAND…: for eventually.
no() { ! "$@"; }

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

# start [NUMBER]: of the Pod.
start() {
    mkdir -p "$tmp/state"
    rm -f -- "$tmp/controller.log" # another Pod may be writing to it
    POD_NAME=$name-${1-0} POD_NAMESPACE=$namespace "$program" --kubeconfig "$tmp/kubeconfig" "${arguments[@]}" \
        >"$tmp/controller.log" 2>&1 &
    controller=$!
}

# end PID: in order.
end() {
    local status=0
    kill -TERM "$1"
    wait "$1" || status=$?
    [ "$status" = 0 ] || fail "it ends with status $status"
}

stop() {
    end "$controller"
    controller=''
}

probe() {
    local path
    path=$(container "$1.httpGet.path")
    [ "$(container "$1.httpGet.port")" = health ] || fail "$1 asks another port"
    curl --silent --fail --output /dev/null "http://127.0.0.1:$health$path"
}

# answer_to [TOKEN]: the status with which the metrics are answered; they are in the file `metrics`.
answer_to() {
    curl --silent --insecure ${1+--header "Authorization: Bearer $1"} --output "$tmp/metrics" \
        --write-out '%{http_code}' "https://127.0.0.1:$metrics/metrics"
}

# Two others; one gets the reader's role.
make_readers() {
    kubectl create serviceaccount prometheus -n "$namespace" >/dev/null
    kubectl create serviceaccount stranger -n "$namespace" >/dev/null
    kubectl create clusterrolebinding prometheus --clusterrole="$name-metrics-reader" \
        --serviceaccount="$namespace:prometheus" >/dev/null
}

metrics_are_read_by_who_may() {
    local stranger prometheus
    stranger=$(kubectl create token stranger -n "$namespace")
    prometheus=$(kubectl create token prometheus -n "$namespace")
    [ "$(answer_to)" = 401 ] || fail 'metrics without a token'
    [ "$(answer_to nobodys)" = 401 ] || fail 'metrics for a token of nobody'
    [ "$(answer_to "$stranger")" = 403 ] || fail 'metrics for everybody'
    grep -qx "Authorization denied for user system:serviceaccount:$namespace:stranger" "$tmp/metrics" ||
        fail "403: $(cat "$tmp/metrics")"
    [ "$(answer_to "$prometheus")" = 200 ] || fail "no metrics: $(cat "$tmp/metrics")"
}

# leads NUMBER: whether that Pod does.
leads() { kubectl get lease "$name" -n "$namespace" -o jsonpath='{.spec.holderIdentity}' | grep -q "^$name-$1"; }

probes_and_pages_answer() {
    eventually probe livenessProbe
    eventually probe readinessProbe
    eventually leads 0
    metrics_are_read_by_who_may
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
    # The same once more: counted in the event that is there.
    kubectl patch network one -n work --type merge -p '{"spec": {"gateway": "10.2.0.1"}}' >/dev/null
    eventually used patch events
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
    # An orphan is taken back. Another name: the Deployment with the old one goes.
    kubectl patch deployment web -n work --type json -p '[{"op": "remove", "path": "/metadata/ownerReferences"}]' >/dev/null
    eventually is AppService "${of_web[@]}" 'jsonpath={.metadata.ownerReferences[0].kind}'
    kubectl patch appservice site -n work --type merge -p '{"spec": {"deploymentName": "pages"}}' >/dev/null
    eventually is '' deployment -n work web --ignore-not-found -o name
    is 3 deployment pages -n work -o 'jsonpath={.spec.replicas}' || fail 'web went before pages was there'
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
    # The finalizer of a run with --announce-dir is taken off.
    kubectl patch appservice late -n work --type merge -p \
        '{"metadata": {"finalizers": ["appcontroller.k8s.io/announcement"]}}' >/dev/null
    kubectl delete appservice site late -n work --timeout=60s >/dev/null || fail 'they are not let go'
    eventually is '' deployment -n work pages --ignore-not-found -o name
}

# A second Pod waits, and takes over when the first one ends.
hands_over() {
    former=$controller
    write_arguments
    start 1
    eventually probe readinessProbe
    eventually used watch leases
    end "$former"
    former=''
    eventually leads 1
}

# ---- its rights ----------------------------------------------------------------------------------

# requests: those of the ServiceAccount.
requests() { grep -F "\"username\":\"$account\"" "$server/audit.log"; }
# words: of audit lines, "VERB RESOURCE" each.
words() { sed -n 's/.*"verb":"\([^"]*\)".*"objectRef":{"resource":"\([^"]*\)".*/\1 \2/p'; }
# used VERB RESOURCE
used() { requests | words | grep -cxF "$1 $2" >/dev/null; }

# refused: the requests that were answered with 403.
refused() { requests | grep -F '"code":403' | words; }

no_right_was_wanted() {
    requests >/dev/null || fail 'the audit does not know it'
    [ -z "$(refused)" ] || fail "refused: $(refused | sort | uniq -c)"
    # Whoever is not bound to more by its group may no more than this.
    ! kubectl auth can-i list secrets --as "$account" -n "$namespace" >/dev/null || fail 'it may list secrets'
}

# Rights that the audit shows no request for; unseen_rights_are_needed says why they are there.
unseen_rights() {
    # For others: metrics_are_read_by_who_may binds it to one.
    printf 'get /metrics\n'
    [ "$project" = appservice ] || return 0
    # An owner reference that blocks its owner's deletion: OwnerReferencesPermissionEnforcement, which
    # some clusters have on, wants the right for it when a Deployment is made.
    printf 'update appservices/finalizers.appcontroller.k8s.io\n'
}

# unused FILE: of the rights that the Roles in it grant, in order.
unused() { "$unused_rights" "$1" "$server/audit.log" "$account" | sort; }

no_right_is_too_much() {
    local difference
    kubectl get -k "$config/default" -o json >"$tmp/objects.json"
    unused "$tmp/objects.json" >"$tmp/unused" || fail 'the rights cannot be compared'
    difference=$(diff <(unseen_rights | sort) "$tmp/unused") ||
        fail "granted, but never used (>), or used and an exception (<):"$'\n'"$difference"
}

# That it would be noticed, in a Role and in a ClusterRole.
a_superfluous_right_is_named() {
    local right resource=${project}s.appcontroller.k8s.io
    [ "$project" = appservice ] || resource=networks.samplecrd.k8s.io
    sed 's/^\( *\)"watch"$/\1"watch", "deletecollection"/' "$tmp/objects.json" >"$tmp/generous.json"
    unused "$tmp/generous.json" >"$tmp/unused"
    for right in "$resource" "leases.coordination.k8s.io named $name in $namespace"; do
        grep -qxF "deletecollection $right" "$tmp/unused" || fail "not named: deletecollection $right"
    done
}

# change_role SED_COMMAND: of the ClusterRole as one line of JSON.
change_role() { kubectl get clusterrole "$name" -o json | tr -d '\n' | sed "$1" | kubectl replace -f - >/dev/null; }

# may VERB RESOURCE [FLAG]
may() { kubectl auth can-i "$1" "$2" --as "$account" -n work ${3+"$3"} >/dev/null; }
refused_times() { refused | grep -cxF "$1"; }

# make_without NAME SED_COMMAND VERB RESOURCE [FLAG]: the Deployment of a new AppService, which is
# refused as long as the right is away.
make_without() {
    local before
    before=$(refused_times 'create deployments' || true)
    change_role "$2"
    eventually no may "${@:3}"
    kubectl apply -f - >/dev/null <<END
apiVersion: appcontroller.k8s.io/v1alpha1
kind: AppService
metadata: {name: $1, namespace: work}
spec: {deploymentName: $1}
END
    eventually more_than "$before" refused_times 'create deployments'
    kubectl apply -k "$config/default" >/dev/null
    eventually is "$1" deployment "$1" -n work -o 'jsonpath={.metadata.name}'
}

# more_than NUMBER COMMAND…: whether that prints one.
more_than() { [ "$("${@:2}")" -gt "$1" ]; }

# Each of unseen_rights.
unseen_rights_are_needed() {
    [ "$project" = appservice ] || return 0
    start
    make_without unblocked 's/"appservices\/finalizers", *//' \
        update appservices.appcontroller.k8s.io --subresource=finalizers
    stop
}

# It says which rule it needs, runs on, and is not ready while its cache is empty.
a_missing_right_is_named() {
    local resource=${project}s group=appcontroller.k8s.io
    [ "$project" = appservice ] || group=samplecrd.k8s.io
    change_role "s/\(\"$resource\" *\], *\"verbs\": *\[[^]]*\), *\"watch\"/\1/"
    eventually no may watch "$resource.$group"
    start
    eventually grep -qF "not allowed to watch $resource in all namespaces; the missing ClusterRole rule: \
{apiGroups: [\"$group\"], resources: [\"$resource\"], verbs: [\"list\", \"watch\"]}" "$tmp/controller.log"
    refused | grep -cxF "watch $resource" >/dev/null || fail 'the audit has no refused watch'
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

# run_server [FLAG…]: those of envtest.sh first. Some clusters have the plugin on, see unseen_rights.
run_server() {
    "$root/hack/envtest.sh" start "$server" --controllers --audit --owner $$ "$@" \
        --enable-admission-plugins=OwnerReferencesPermissionEnforcement >/dev/null
}

# At first one that does not stream lists, as older ones do not: they are asked for in pages.
run_server --feature-gates=WatchList=false
port=$(sed 's/.*://' "$server/ready")
every_directory_renders
applies_without_warnings
pods_are_admitted
make_readers
write_kubeconfig
write_arguments
start
probes_and_pages_answer
stop
"$root/hack/envtest.sh" stop "$server"
run_server --port "$port"
eventually kubectl get "${project}s" -A # discovery lists it a moment after the start
start
probes_and_pages_answer
"${project}_does_its_job"
printf 'memory: %s\n' "$(awk '/^(VmRSS|RssAnon)/ { printf "%s %s kB  ", $1, $2 }' "/proc/$controller/status")"
hands_over
stop
no_right_was_wanted
no_right_is_too_much
a_superfluous_right_is_named
unseen_rights_are_needed
a_missing_right_is_named
