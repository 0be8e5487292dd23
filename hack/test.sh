#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, and runs the tests. Ends with ctest's summary.
#
#   hack/test.sh          gcc, all tests but those labelled "long" (two or three minutes once it is
#                         built); those labelled "real" if there is a real API server
#   CI=true hack/test.sh  all tests: also replicas killed, restarts, deployment, parity with the real
#                         server, the Dockerfile's lines in a fresh Debian; ASan+UBSan, TSan, 10 s
#                         of fuzzing a target, planted bugs, clang, a Release build (within an hour
#                         on two cores). Nothing may be skipped: what a test lacks is a failure.
#   hack/test.sh --long   the same, with ten minutes of fuzzing a target; those labelled "faults": a
#                         stopped server, dead connections, restarts beside client-go; and older
#                         releases of the real API server, which it builds once
#
# The default needs no rights. A test that lacks one, as for a network namespace, says so in a line
# and is skipped; ctest lists it.
#
# Builds lie in build/; the API server is cached outside the tree (see hack/setup-envtest.sh).
set -euo pipefail
cd "$(dirname "$0")/.."

long=
case "${1-}" in
    "") ;;
    --long) long=yes ;;
    -h | --help)
        sed -n '3,/^set -euo/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    *)
        echo "hack/test.sh: unknown argument '$1'; try --help" >&2
        exit 2
        ;;
esac
all=
[ "${CI-}" = true ] && all=yes
[ -n "$long" ] && all=yes

# Tests keep their state here, API servers included; nothing of it survives this script.
state=$(mktemp -d "${TMPDIR:-/tmp}/kubegen-test.XXXXXX")
export TMPDIR=$state
# shellcheck disable=SC2317 # called by trap
cleanup() {
    status=$?
    trap '' INT TERM
    # Servers end with the test that started them; one may still be on its way.
    for ready in "$state"/*/kubeconfig; do
        [ ! -e "$ready" ] || hack/envtest.sh kill "$(dirname "$ready")" >/dev/null 2>&1 || true
    done
    rm -rf "$state"
    exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

say() {
    printf '\n== %s\n' "$*"
}

jobs=$(nproc)

# build NAME [cmake argument…]: configures and builds into build/NAME
build() {
    local name=$1
    shift
    say "build $name"
    cmake -S . -B "build/$name" -G Ninja -DKUBEGEN_WERROR=ON "$@" >"$state/cmake.log" || {
        cat "$state/cmake.log"
        return 1
    }
    ninja -C "build/$name" -j "$jobs" --quiet
}

# run_tests NAME [ctest argument…]
run_tests() {
    local name=$1
    shift
    ctest --test-dir "build/$name" --output-on-failure -j "$jobs" "$@"
}

hack/install-deps.sh

if [ -n "$all" ]; then
    KUBEGEN_ENVTEST=$(hack/setup-envtest.sh)
else
    KUBEGEN_ENVTEST=$(hack/setup-envtest.sh) ||
        echo "no real API server: its tests are skipped"
fi
export KUBEGEN_ENVTEST

say "source rules"
hack/check-includes.sh
hack/check-style.sh
hack/format.sh --check
hack/check-docs.sh
hack/check-planted-bugs.sh --fit

if [ -n "$all" ]; then
    build asan -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Debug \
        -DKUBEGEN_SANITIZE=address,undefined
    run_tests asan -LE "counted|stale|faults"
    build tsan -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Debug -DKUBEGEN_SANITIZE=thread
    run_tests tsan -L threads -LE faults
    build fuzz -DCMAKE_C_COMPILER=clang-14 -DCMAKE_CXX_COMPILER=clang++-14 \
        -DCMAKE_BUILD_TYPE=RelWithDebInfo -DKUBEGEN_FUZZ=ON \
        -DKUBEGEN_SANITIZE=address,undefined
    seconds=10
    [ -n "$long" ] && seconds=600
    for target in build/fuzz/tests/fuzz/fuzz_*; do
        [ -x "$target" ] && [ -f "$target" ] || continue
        name=$(basename "$target")
        say "fuzz $name for $seconds s"
        mkdir -p "$state/corpus-$name"
        seeds=tests/fuzz/seeds/$name
        # It fails by itself if an input is wrong, and if none is accepted.
        "$target" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 \
            -artifact_prefix="$state/" "$state/corpus-$name" "$seeds" \
            >"$state/$name.log" 2>&1 </dev/null || {
            tail -50 "$state/$name.log"
            exit 1
        }
        printf '%s edges; ' "$(grep -o 'cov: [0-9]*' "$state/$name.log" | tail -1)"
        tail -1 "$state/$name.log"
    done
    say "planted bugs"
    hack/check-planted-bugs.sh
    build release -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Release
    run_tests release -LE "real|long|counted|stale"
    build clang -DCMAKE_C_COMPILER=clang-14 -DCMAKE_BUILD_TYPE=RelWithDebInfo
fi

build gcc -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=RelWithDebInfo
if [ -n "$long" ]; then
    run_tests gcc
elif [ -n "$all" ]; then
    run_tests gcc -LE faults
else
    run_tests gcc -LE long
fi
if [ -n "$long" ]; then
    for release in 1.34 1.31; do
        say "Kubernetes $release"
        KUBEGEN_ENVTEST=$(hack/setup-envtest.sh --version "$release")
        run_tests gcc -L releases
    done
fi
