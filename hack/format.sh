#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Gives all C files the one style of this tree: clang-format's, and hack/format.py's rules beyond it.
#
#   hack/format.sh            changes the files that differ
#   hack/format.sh --check    names what differs and exits 1
set -euo pipefail
cd "$(dirname "$0")/.."

check=
case "${1-}" in
    "") ;;
    --check) check=yes ;;
    *)
        echo "usage: hack/format.sh [--check]" >&2
        exit 2
        ;;
esac

# Generated code looks as its templates make it; golden files and wrong headers are data. Small
# examples and mains have their steps a line each, laid out by hand.
files() {
    git ls-files -z --cached --others --exclude-standard -- '*.c' '*.cc' '*.h' '*.cpp' |
        grep -zvE '^apis/|/generated/|(meta|objects)_schema\.c$|^examples/(small/|[^/]*/main\.c$)' |
        grep -zvE '^tests/gen/(golden|errors|import|rbac)/' |
        while IFS= read -r -d '' file; do
            [ ! -e "$file" ] || printf '%s\0' "$file" # one that git lists may be deleted
        done
}

if [ -n "$check" ]; then
    status=0
    files | xargs -0 clang-format-14 --dry-run -Werror || status=1
    files | xargs -0 hack/format.py --check || status=1
    exit $status
fi
files | xargs -0 hack/format.py
files | xargs -0 clang-format-14 -i
files | xargs -0 hack/format.py
