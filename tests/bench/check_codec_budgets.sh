#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts what the codec takes on the fixed corpus and fails when it is over budget by more than 5 %.
# Nothing is timed: instructions come from callgrind, bytes from the allocator.
#   check_codec_budgets.sh BENCH_CODEC
set -euo pipefail

bench=$1
command -v valgrind >/dev/null || {
    echo "no valgrind: nothing counted"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# memcpy of large blocks is one instruction, `rep movsb`, which callgrind counts once a byte.
export GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=0x7fffffff

# figure NAME LINE: the number behind a name in the program's line.
figure() { sed -n "s/.*\\b$1 \\([0-9]*\\).*/\\1/p" <<<"$2"; }

# count MODE SIZE: sets instructions and bytes.
count() {
    local out
    out=$(valgrind --tool=callgrind --toggle-collect=bench_measured \
        --callgrind-out-file="$work/callgrind.out" "$bench" "$1" "$2" 1000 2>"$work/log") || {
        cat "$work/log"
        exit 1
    }
    instructions=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/log")
    bytes=$(figure bytes "$out")
}

failed=
# row WHAT VALUE BUDGET [least]: both in hundredths.
row() {
    local verdict=ok
    if [ "${4:-}" = least ]; then
        [ $(($2 * 105)) -ge $(($3 * 100)) ] || verdict="UNDER BUDGET"
    else
        [ $(($2 * 100)) -le $(($3 * 105)) ] || verdict="OVER BUDGET"
    fi
    [ "$verdict" = ok ] || failed=yes
    printf '%-52s %4d.%02d  (%d.%02d)  %s\n' "$1" $(($2 / 100)) $(($2 % 100)) $(($3 / 100)) \
        $(($3 % 100)) "$verdict"
}

for size in full lean; do
    # Hardening the build takes 3 of 100 instructions.
    budget=900 times=700
    [ "$size" = full ] || budget=1200 times=650
    for mode in decode decode-plain decode-drop; do
        count "$mode" "$size"
        row "$mode $size, instructions a byte" $((instructions * 100 / bytes)) "$budget"
        # cJSON shares no strings either.
        [ "$mode" != decode-plain ] || decoded=$instructions
    done
    count cjson "$size"
    row "cJSON and walk $size, times the instructions" $((instructions * 100 / decoded)) "$times" least
done

# memory MODE SIZE BUDGET: cached bytes to JSON bytes.
memory() {
    local out
    out=$("$bench" "$1" "$2" 10000)
    row "$1 $2, cached bytes to JSON bytes" \
        $(($(figure cached "$out") * 100 / $(figure json "$out"))) "$3"
}
memory memory full 80
memory memory-drop full 45
memory memory lean 100

[ -z "$failed" ]
