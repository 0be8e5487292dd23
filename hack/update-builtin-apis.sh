#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes what this tree has of Kubernetes' own APIs from the document of a real API server:
# apis/<group>/<version>/types.h, the code generated from them, and the schemas of the API server
# for tests, runtime/testing/openapi. Files that do not change are not touched.
#
#   update-builtin-apis.sh            write them
#   update-builtin-apis.sh --verify   fail, with a diff, when they are not what would be written
#
# The server is that of hack/setup-envtest.sh; KUBEGEN_ENVTEST names its directory if it is built.
# What its document leaves out, the headers have from Go's types: see hack/go-schemas.py.
# Exit status 77: there is none, and --verify was asked for.
set -euo pipefail
cd "$(dirname "$0")/.."
. hack/codegen.sh

verify=
case ${1:-} in
--verify) verify=1 ;;
'') ;;
*)
    sed -n '3,12s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

scratch=$(mktemp -d)
cleanup() {
    hack/envtest.sh kill "$scratch/server" >/dev/null 2>&1 || true
    rm -rf "$scratch"
}
trap cleanup EXIT

if [[ -z ${KUBEGEN_ENVTEST:-} && -n $verify ]]; then
    echo "skipped: no real API server: set KUBEGEN_ENVTEST" >&2
    [[ ${CI:-} == true ]] && exit 1
    exit 77
fi
export KUBEGEN_ENVTEST=${KUBEGEN_ENVTEST:-$(hack/setup-envtest.sh)}
find_kubegen
hack/envtest.sh start "$scratch/server" >/dev/null
server=$(head -n 1 "$scratch/server/ready")

# Where the files go: in place, or beside it to be compared.
root=.
[[ -z $verify ]] || root=$scratch/tree

credentials=(--cacert "$scratch/server/ca.crt" --cert "$scratch/server/client.crt"
    --key "$scratch/server/client.key")

# kinds <kind…>: as options.
kinds() { printf -- '--kind %s ' "$@"; }

# schema <name> <documents> <group> <version> <kind…>: data of the API server for tests. Documents
# are paths below /openapi/v3, with commas.
schema() {
    local file=$root/runtime/testing/openapi/$1.json documents=() name
    for name in ${2//,/ }; do
        documents+=("$server/openapi/v3/$name")
    done
    # shellcheck disable=SC2046 # words
    "$kubegen" import openapi "${documents[@]}" "${credentials[@]}" --group "$3" --version "$4" \
        $(kinds "${@:5}") --schema "$file"
}

# with_lists <kind…>: the kinds and those of their lists.
with_lists() {
    local kind
    for kind; do echo "$kind" "${kind}List"; done
}

core=(Pod Service ConfigMap Secret Namespace Node Event ServiceAccount Endpoints)
apps=(Deployment ReplicaSet StatefulSet DaemonSet)
rbac=(Role RoleBinding ClusterRole ClusterRoleBinding)
batch=(Job CronJob)
networking=(Ingress IngressClass NetworkPolicy IPAddress ServiceCIDR)
storage=(StorageClass VolumeAttachment CSIDriver CSINode CSIStorageCapacity VolumeAttributesClass)
reviews=(SelfSubjectAccessReview SubjectAccessReview LocalSubjectAccessReview SelfSubjectRulesReview)

# shellcheck disable=SC2046 # words
write_schemas() {
    schema core_v1 api/v1 core v1 $(with_lists "${core[@]}") Binding
    schema apps_v1 apis/apps/v1 apps v1 $(with_lists "${apps[@]}")
    schema coordination_v1 apis/coordination.k8s.io/v1 coordination.k8s.io v1 $(with_lists Lease)
    schema events_v1 apis/events.k8s.io/v1 events.k8s.io v1 $(with_lists Event)
    schema rbac_v1 apis/rbac.authorization.k8s.io/v1 rbac.authorization.k8s.io v1 \
        $(with_lists "${rbac[@]}")
    schema apiextensions_v1 apis/apiextensions.k8s.io/v1 apiextensions.k8s.io v1 \
        $(with_lists CustomResourceDefinition)
    schema authorization_v1 apis/authorization.k8s.io/v1 authorization.k8s.io v1 "${reviews[@]}"
    schema authentication_v1 apis/authentication.k8s.io/v1,api/v1 authentication.k8s.io v1 \
        TokenReview TokenRequest SelfSubjectReview
    schema autoscaling_v1 apis/apps/v1 autoscaling v1 Scale
    schema policy_v1 api/v1 policy v1 Eviction
    schema meta_v1 api/v1,apis/apps,apis,api core v1 DeleteOptions Status WatchEvent APIResourceList \
        APIGroup APIGroupList APIVersions
}

# go_schemas: what controller-gen says of the Go types that the headers are made of.
go_schemas() {
    local group bin packages=(k8s.io/apimachinery/pkg/apis/meta/v1
        k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1 k8s.io/api/autoscaling/v2
        k8s.io/api/scheduling/v1alpha3)
    for group in core apps authorization batch coordination discovery events networking policy rbac \
        storage; do
        packages+=("k8s.io/api/$group/v1")
    done
    bin=$(dirname "$(hack/setup-envtest.sh --controller-gen)")
    (cd hack/envtest/controller-gen && PATH=$bin:$PATH kubegen-schemas "${packages[@]}")
}

# header <group directory>/<version> <documents> <group> <kind…> [-- <option…>]
header() {
    local dir=$1 group=$3 names=() documents=() name
    for name in ${2//,/ }; do
        documents+=("$scratch/${name//\//_}.json")
        curl --silent --show-error --fail "${credentials[@]}" "$server/openapi/v3/$name" |
            hack/go-schemas.py "$scratch/schemas.json" >"${documents[-1]}"
    done
    shift 3
    while (($#)) && [[ $1 != -- ]]; do
        names+=("$1")
        shift
    done
    (($# == 0)) || shift
    # shellcheck disable=SC2046 # words
    headers+=("apis/$dir")
    "$kubegen" import openapi "${documents[@]}" --group "$group" --version "${dir#*/}" \
        $(kinds "${names[@]}") "$@" --license Apache-2.0 --output "$root/apis/$dir"
}

headers=()

# core first: others include it, and have structs of it that no kind of it reaches.
write_headers() {
    go_schemas >"$scratch/schemas.json"
    header core/v1 api/v1,apis/storage.k8s.io/v1 core "${core[@]}" -- --type PodTemplateSpec \
        --type 'PersistentVolumeClaim[]' --type PersistentVolumeSpec --type 'TopologySelectorTerm[]'
    header apps/v1 apis/apps/v1 apps "${apps[@]}"
    header authorization/v1 apis/authorization.k8s.io/v1 authorization.k8s.io "${reviews[@]}"
    header autoscaling/v2 apis/autoscaling/v2 autoscaling HorizontalPodAutoscaler
    header batch/v1 apis/batch/v1 batch "${batch[@]}" -- \
        --type io.k8s.api.scheduling.v1alpha3.WorkloadPodGroupSchedulingPolicy
    header coordination/v1 apis/coordination.k8s.io/v1 coordination.k8s.io Lease
    header discovery/v1 apis/discovery.k8s.io/v1 discovery.k8s.io EndpointSlice
    header events/v1 apis/events.k8s.io/v1 events.k8s.io Event
    header networking/v1 apis/networking.k8s.io/v1 networking.k8s.io "${networking[@]}"
    header policy/v1 apis/policy/v1 policy PodDisruptionBudget
    header rbac/v1 apis/rbac.authorization.k8s.io/v1 rbac.authorization.k8s.io "${rbac[@]}"
    header storage/v1 apis/storage.k8s.io/v1 storage.k8s.io "${storage[@]}"
    header apiextensions/v1 apis/apiextensions.k8s.io/v1 apiextensions.k8s.io \
        CustomResourceDefinition
}

# What is in the tree and what would be there: the difference, and 1 when there is one.
compare() {
    local file stale=0
    while IFS= read -r file; do
        diff -u "$file" "$root/$file" || stale=1
    done < <(cd "$root" && find runtime apis -type f | LC_ALL=C sort)
    return $stale
}

write_schemas
write_headers
if [[ -z $verify ]]; then
    "$kubegen" generate "${headers[@]}"
elif ! compare; then
    echo "imported APIs are stale: run hack/update-builtin-apis.sh" >&2
    exit 1
fi
