#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the Dockerfile's build stage runs.
#
#   build.sh packages              installs what is needed to build (Debian 12, as root)
#   build.sh controller NAME FILE  builds that example of the tree in the working directory
set -eu

packages() {
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # Few of hack/install-deps.sh: no tests, no test kit, no second compiler. libclang is what the
    # generator reads headers with; the generator stays in this stage.
    apt-get install -y -qq --no-install-recommends \
        gcc g++ libc6-dev cmake ninja-build pkg-config \
        libcurl4-openssl-dev libssl-dev libcjson-dev libyaml-dev libmicrohttpd-dev libgnutls28-dev zlib1g-dev \
        libclang-14-dev libclang-common-14-dev libre2-dev
}

controller() {
    cmake -S . -B /tmp/kubegen-build -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DKUBEGEN_BUILD_TESTS=OFF -DKUBEGEN_BUILD_TESTING=OFF
    ninja -C /tmp/kubegen-build "$1"
    install -D -s -m 0755 "/tmp/kubegen-build/examples/$1/$1" "$2"
}

case "${1-}:$#" in
    packages:1) packages ;;
    controller:3) controller "$2" "$3" ;;
    *)
        echo 'usage: build.sh packages | controller NAME FILE' >&2
        exit 2
        ;;
esac
