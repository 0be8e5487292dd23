#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Dockerfile names the system that images begin with by its digest, so that a tag which is moved
# changes nothing unseen.
#
#   pin.sh           writes the digest into it that the registry has for the tag now
#   pin.sh --check   fails when that is another one: Debian has a newer image
#
# Asks the registry through docker (with buildx) or crane.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

pinned=$(sed -n 's/^ARG DEBIAN=//p' Dockerfile)
tag=${pinned%@*}
if command -v crane >/dev/null; then
    digest=$(crane digest "$tag")
else
    digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$tag")
fi
[[ $digest =~ ^sha256:[0-9a-f]{64}$ ]] || {
    echo "pin.sh: the registry has no digest for $tag: '$digest'" >&2
    exit 1
}
[ "$pinned" != "$tag@$digest" ] || exit 0
case "${1-}" in
    --check)
        echo "pin.sh: $tag is $digest now; run hack/container/pin.sh" >&2
        exit 1
        ;;
    '') sed -i "s|^ARG DEBIAN=.*|ARG DEBIAN=$tag@$digest|" Dockerfile ;;
    *)
        echo 'usage: pin.sh [--check]' >&2
        exit 2
        ;;
esac
