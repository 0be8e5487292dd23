#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program that uses libkube.a without a manager loads no HTTP server.
#
#   test_loads.sh <executable>
set -euo pipefail

if ! command -v ldd >/dev/null; then
    echo "no ldd: the libraries are not looked at"
    exit 77
fi
loads=$(ldd "$1")
if ! grep -q libcurl <<<"$loads"; then
    echo "$1 should load libcurl; the test looks at the wrong thing:"
    echo "$loads"
    exit 1
fi
if grep microhttpd <<<"$loads"; then
    echo "$1 has no use for this"
    exit 1
fi
