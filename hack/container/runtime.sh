#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the Dockerfile's last stage runs: installs the libraries of the controller FILE, which must be
# there, and takes away what a running controller has no use for.
#
#   runtime.sh FILE
set -eu
[ $# = 1 ] || {
    echo 'usage: runtime.sh FILE' >&2
    exit 2
}
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# ca-certificates: for servers that a public authority vouches for; a cluster's CA comes with the
# ServiceAccount.
apt-get install -y -qq --no-install-recommends \
    ca-certificates libcjson1 libcurl4 libgnutls30 libmicrohttpd12 libyaml-0-2 zlib1g

missing=$(ldd "$1" | grep 'not found' || true)
[ -z "$missing" ] || {
    printf 'runtime.sh: %s needs libraries that are not installed:\n%s\n' "$1" "$missing" >&2
    exit 1
}
apt-get clean
rm -rf /var/lib/apt/lists/* /var/cache/debconf/*-old /var/log/apt /var/log/dpkg.log \
    /usr/share/doc /usr/share/man /usr/share/locale
