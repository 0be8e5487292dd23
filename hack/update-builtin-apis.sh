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
# Exit status 77: there is none, and --verify was asked for.
set -euo pipefail
cd "$(dirname "$0")/.."
. hack/codegen.sh

verify=
case ${1:-} in
--verify) verify=1 ;;
'') ;;
*)
    sed -n '3,11s/^# \{0,1\}//p' "$0" >&2
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

# import <documents> <group> <version> <options…>: documents are paths below /openapi/v3, with commas.
import() {
    local documents=() name group=$2 version=$3
    for name in ${1//,/ }; do
        documents+=("$server/openapi/v3/$name")
    done
    shift 3
    "$kubegen" import openapi "${documents[@]}" --group "$group" --version "$version" "$@" \
        --cacert "$scratch/server/ca.crt" --cert "$scratch/server/client.crt" \
        --key "$scratch/server/client.key"
}

# kinds <kind…>: as options.
kinds() { printf -- '--kind %s ' "$@"; }

# schema <name> <documents> <group> <version> <kind…>: data of the API server for tests.
schema() {
    local file=$root/runtime/testing/openapi/$1.json
    # shellcheck disable=SC2046 # words
    import "$2" "$3" "$4" $(kinds "${@:5}") --schema "$file"
}

# with_lists <kind…>: the kinds and those of their lists.
with_lists() {
    local kind
    for kind; do echo "$kind" "${kind}List"; done
}

core=(Pod Service ConfigMap Secret Namespace Node Event ServiceAccount Endpoints)
apps=(Deployment ReplicaSet StatefulSet DaemonSet)
rbac=(Role RoleBinding ClusterRole ClusterRoleBinding)
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

# header <group directory> <document> <group> <kind…> [-- <option…>]
header() {
    local dir=$1 document=$2 group=$3 names=()
    shift 3
    while (($#)) && [[ $1 != -- ]]; do
        names+=("$1")
        shift
    done
    (($# == 0)) || shift
    # shellcheck disable=SC2046 # words
    import "$document" "$group" v1 $(kinds "${names[@]}") "$@" --license Apache-2.0 \
        --output "$root/apis/$dir/v1"
}

# core first: others include it, and have structs of it that no kind of it reaches.
write_headers() {
    header core api/v1 core "${core[@]}" -- --type PodTemplateSpec --type 'PersistentVolumeClaim[]'
    header apps apis/apps/v1 apps "${apps[@]}"
    header coordination apis/coordination.k8s.io/v1 coordination.k8s.io Lease
    header events apis/events.k8s.io/v1 events.k8s.io Event
    header rbac apis/rbac.authorization.k8s.io/v1 rbac.authorization.k8s.io "${rbac[@]}"
    header apiextensions apis/apiextensions.k8s.io/v1 apiextensions.k8s.io CustomResourceDefinition
    header authorization apis/authorization.k8s.io/v1 authorization.k8s.io "${reviews[@]}"
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
    "$kubegen" generate apis/{core,apps,coordination,events,rbac,apiextensions,authorization}/v1
elif ! compare; then
    echo "imported APIs are stale: run hack/update-builtin-apis.sh" >&2
    exit 1
fi
