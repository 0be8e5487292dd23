#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts the instructions of each case of bench_growth with n, 2n and 4n, and fails when four times
# as much takes more than 5.5 times as long: n log n takes 4.8 at most, a square 16.
#   check_growth.sh BENCH_GROWTH [CASE]
set -euo pipefail

command -v valgrind >/dev/null || {
    echo "no valgrind: nothing counted"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# memcpy of large blocks is one instruction, `rep movsb`, which callgrind counts once a byte.
export GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=0x7fffffff

valgrind --tool=callgrind --toggle-collect=bench_measured --dump-after=bench_measured \
    --callgrind-out-file="$work/out" "$@" >"$work/runs" 2>"$work/log" || {
    cat "$work/log"
    exit 1
}

failed=
number=0
while read -r name n; do
    number=$((number + 1))
    counted=$(sed -n 's/^\(summary\|totals\): \([0-9]*\).*/\2/p' "$work/out.$number" | head -1)
    if ((number % 3 == 1)); then
        first=$counted
        line=$(printf '%-34s' "$name")
    fi
    line+=$(printf ' %6d: %11d' "$n" "$counted")
    ((number % 3 == 0)) || continue
    verdict=ok
    ((counted * 10 <= first * 55)) || {
        verdict="NOT LINEAR"
        failed=yes
    }
    echo "$line  times $((counted * 10 / first / 10)).$((counted * 10 / first % 10))  $verdict"
done <"$work/runs"
((number > 0)) && [ -z "$failed" ]
