#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the demo with the programs of a build tree and holds its output against the README's, but for
# what differs from run to run: the port, time stamps, memory. With "real", on a real API server.
#
#   test_demo.sh BUILD_DIR [real]
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d "${TMPDIR:-/tmp}/kubegen-test-demo.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Order within the log is the threads' business.
normalise() {
    sed -E -e 's/^Starting a real API/Starting an API/' -e 's#https://#http://#' -e 's/127\.0\.0\.1:[0-9]+/127.0.0.1:PORT/' -e 's/ \([0-9.]+ [a-z]+\)//' \
        -e 's/^  ([IWED])[0-9]{4} [0-9:.]+ /  \1 /' -e 's/^(  (VmRSS|RssAnon|Threads)):.*/\1/' |
        awk '/^  [IWED] / { print | "LC_ALL=C sort"; next } { close("LC_ALL=C sort"); print }'
}

if [ -z "${2-}" ]; then
    KUBEGEN_BUILD_DIR=$1 hack/demo.sh >"$work/output"
elif [ -z "${KUBEGEN_ENVTEST-}" ]; then
    echo "skipped: no real API server: set KUBEGEN_ENVTEST" >&2
    [ "${CI-}" = true ] && exit 1
    exit 77
else
    KUBEGEN_BUILD_DIR=$1 hack/demo.sh --real >"$work/output"
fi
awk '/^<!-- output of hack\/demo.sh -->$/ { marked = 1 } marked && /^```/ { inside++; next }
     inside == 1' README.md >"$work/readme"
[ -s "$work/readme" ] || {
    echo "README.md has no block after <!-- output of hack/demo.sh -->" >&2
    exit 1
}
sed '/./,$!d' "$work/output" | normalise >"$work/is"
normalise <"$work/readme" >"$work/says"
diff -u "$work/says" "$work/is" || {
    echo "README.md shows another output than hack/demo.sh has" >&2
    exit 1
}
