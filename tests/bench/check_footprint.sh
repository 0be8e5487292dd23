#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts the bytes of the descriptor tables and of a controller, and fails when they are over budget
# by more than 5 %.
#   check_footprint.sh CONTROLLER (ARCHIVE SOURCE[,SOURCE…])…
# An archive has the tables; a source line with KUBE_FIELD(, KUBE_PART( or KUBE_FIELD_LONG( is a
# field.
set -euo pipefail

controller=$1
shift
cd "$(dirname "$0")/../.."
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT

failed=
# row WHAT VALUE BUDGET: both in hundredths.
row() {
    local verdict=ok
    [ $(($2 * 100)) -le $(($3 * 105)) ] || {
        verdict="OVER BUDGET"
        failed=yes
    }
    printf '%-52s %4d.%02d  (%d.%02d)  %s\n' "$1" $(($2 / 100)) $(($2 % 100)) $(($3 / 100)) \
        $(($3 % 100)) "$verdict"
}

# Fields, schemas, and what schemas point to; not the names of schemas, which are for messages.
table_bytes() {
    nm -S -t d --defined-only "$1" |
        awk '$3 ~ /[dDrR]/ && $4 ~ /_(fields|schema|subs|long_keys)$|compound_?literal/ { sum += $2 }
             END { print sum }'
}

while [ $# -gt 0 ]; do
    IFS=, read -ra sources <<<"$2"
    fields=$(cat "${sources[@]}" | grep -cE '^ +KUBE_(PART|FIELD(_LONG)?)\(')
    name=$(basename "$1" .a | sed "s/^libkube_api_//")
    row "tables of $name, bytes a field" $(($(table_bytes "$1") * 100 / fields)) 10000
    shift 2
done

strip -o "$stripped" "$controller"
row "$(basename "$controller"), stripped, KiB" $(($(stat -c %s "$stripped") * 100 / 1024)) 102400

[ -z "$failed" ]
