#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures what the budgets speak of and prints a table. Builds in build/bench (gcc -O2).
#
#   hack/bench.sh             the whole, some three minutes on two cores
#   hack/bench.sh --quick     one run of each, fewer events
#   hack/bench.sh apiserver   the test kit's API server only
#
# Rows marked * are counted: the same on every machine, and tests (ctest -L counted). All others are
# times of this machine and of this moment. Budgets of counted rows and of ratios hold anywhere; the
# others are goals set beside Go (client-go) and Rust (kube-rs) on another machine, on 2026-11-20.
# Exits 0 also when a row is over its budget.
set -euo pipefail
cd "$(dirname "$0")/.."

runs=5
events=500000
only=
case "${1-}" in
    "") ;;
    apiserver) only=$1 ;;
    --quick)
        runs=1
        events=100000
        ;;
    -h | --help)
        sed -n '3,12s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    *)
        echo "hack/bench.sh: unknown argument '$1'; try --help" >&2
        exit 2
        ;;
esac
count=100000  # objects of a list
watched=10000 # objects that events are about

work=$(mktemp -d "${TMPDIR:-/tmp}/kubegen-bench.XXXXXX")
server=
controller=
# shellcheck disable=SC2317 # called by trap
cleanup() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "$controller" ] || kill "$controller" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# ---- the table -----------------------------------------------------------------------------------

section() {
    printf '\n%-50s %10s %10s  %-5s %s\n' "$1" budget measured "" "${2-}"
}

# row WHAT BUDGET MEASURED UNIT [REFERENCE [least]]: BUDGET - = none; least = more is better.
row() {
    local verdict=""
    if [ "$2" != - ]; then
        verdict=$(awk -v budget="$2" -v value="$3" -v least="${6-}" \
            'BEGIN { print (least ? value >= budget : value <= budget) ? "ok" : "OVER" }')
        [ -z "${6-}" ] || [ "$verdict" = ok ] || verdict=UNDER
    fi
    printf '%-50s %10s %10s  %-5s %s\n' "$1 ($4)" "$2" "$3" "$verdict" "${5-}"
}

# figure NAME LINE: the number behind a name in a program's line.
figure() { awk -v name="$1" '{ for (i = 1; i < NF; i++) if ($i == name) print $(i + 1) }' <<<"$2"; }
median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# calc EXPRESSION [FORMAT]
calc() { awk "BEGIN { printf \"${2-%.2f}\", $1 }"; }

# ---- build ---------------------------------------------------------------------------------------

cmake -S . -B build/bench -G Ninja -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    >"$work/log" 2>&1 && ninja -C build/bench -j "$(nproc)" --quiet >>"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}
bench=$PWD/build/bench/tests/bench
kubegen=$PWD/build/bench/gen/kubegen

echo "machine: $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(nproc) cores"
echo "date:    $(date -u +%Y-%m-%dT%H:%MZ), $(gcc --version | head -1)"
echo "load:    $(cut -d' ' -f1-3 /proc/loadavg) before; $runs runs, medians"
echo "Go / Rust: reference, measured on 2026-11-20 on another machine, not in this run"

# ---- the test kit's API server -------------------------------------------------------------------

apiserver() {
    local line
    "$bench/bench_apiserver" >"$work/apiserver"
    line=$(tr '\n' ' ' <"$work/apiserver")
    section "the test kit's API server"
    row "start" 10 "$(figure start-ms "$line")" ms
    row "a test case: start, CRD, client, stop" 5 "$(figure case-ms "$line")" ms
    row "100k Networks ($(figure list-MB "$line") MB of JSON): list, plain" 300 \
        "$(figure list-MB/s "$line")" MB/s "" least
    row "100k Networks: heap beside their JSON" 2.5 "$(figure held-ratio "$line")" times
    row "events from the history to one watch" 20000 "$(figure events/s "$line")" events/s "" least
    row "writes, one thread" - "$(figure writes/s "$line")" objects/s
}

apiserver
[ "$only" != apiserver ] || exit 0

# ---- counted -------------------------------------------------------------------------------------

# counted COMMAND…: rows "WHAT VALUE (BUDGET) VERDICT"; their checks allow 5 % more.
counted() {
    "$@" >"$work/counted" || true
    sed -nE 's/^(.*[^ ]) +([0-9.]+) +\(([0-9.]+)\) +(.*)$/\1|\2|\3|\4/p' "$work/counted" |
        while IFS='|' read -r what value budget verdict; do
            case $what in cJSON*) budget=">=$budget" ;; esac
            printf '%-50s %10s %10s  %s\n' "$what *" "$budget" "$value" "$verdict"
        done
    grep -F "nothing counted" "$work/counted" || true
}

section "counted"
counted tests/bench/check_codec_budgets.sh "$bench/bench_codec"
generated=apis/generated
counted tests/bench/check_footprint.sh build/bench/examples/network-controller/network-controller \
    build/bench/runtime/libkube.a \
    runtime/src/object/codec/meta_schema.c,runtime/src/control/api/objects_schema.c \
    build/bench/apis/libkube_api_core_v1.a $generated/core/v1/register.c \
    build/bench/apis/libkube_api_samplecrd_v1.a $generated/samplecrd/v1/register.c \
    build/bench/apis/libkube_api_appcontroller_v1alpha1.a \
    $generated/appcontroller/v1alpha1/register.c
clone=over
build/bench/tests/runtime/object/test_object_copy >/dev/null 2>&1 && clone=1
printf '%-50s %10s %10s  %s\n' "clone of a cached object, mallocs *" 1 "$clone" \
    "$([ "$clone" = 1 ] && echo ok || echo OVER)"

# ---- pieces --------------------------------------------------------------------------------------

"$bench/bench_encode" >"$work/encode"
# object NAME SIZE BUDGET REFERENCE
object() {
    row "$1 $2" "$3" \
        "$(awk -v name="$1" -v size="$2" '$1 == name && $2 == size { print $3 }' "$work/encode")" \
        ns "$4"
}
section "one object" "Go / Rust"
object encode full 800 "4,600 / 1,446"
object encode lean 250 "1,230 / 457"
object clone full 300 "1,029 / 6,056"
object clone lean 60 "259 / 627"

"$bench/bench_cache" >"$work/cache"
# cache NAME WHAT BUDGET UNIT REFERENCE
cache() {
    row "$2" "$3" "$(awk -v name="$1" '$1 == name { print $2 }' "$work/cache")" "$4" "$5"
}
section "store and lister, 100k lean" "Go / Rust"
cache store-add "add" 500 ns "1,317 / 1,440"
cache store-update "update" 250 ns "440 / 872"
cache lister-get "get, random key" 120 ns "620-708 / 255-573"
cache lister-by-index "by index value" 200 ns "1,210-1,410 / 2.1-2.7 ms"
cache list-namespace "list one namespace of 8" 0.15 ms "1.14-1.80 / 2.5-3.0"
cache list-selector "list by label selector" 3 ms "6.0-8.1 / 5.4-6.4"

"$bench/bench_queue" >"$work/queue"
# queue NAME WHAT BUDGET REFERENCE
queue() {
    row "$2" "$3" "$(awk -v name="$1" '$1 == name { print $2 }' "$work/queue")" ns "$4"
}
section "work queue, an item" "Go / Rust"
queue one-thread "add, get, done, one thread" 60 "134 / -"
queue two-and-two "2 producers, 2 workers" 250 "506 / -"
queue limited-one-and-one "AddRateLimited, Forget, 1 and 1" 300 "902-1,085 / 1,040"
queue limited-two-and-two "AddRateLimited, Forget, 2 and 2" 300 "902-1,085 / 1,040"

# ---- on a replaying server -----------------------------------------------------------------------

# serve COUNT SIZE: a server, whose kubeconfigs are in $work.
serve() {
    [ -z "$server" ] || { kill "$server" && wait "$server" 2>/dev/null; } || true
    : >"$work/ready"
    "$bench/bench_replay" "$1" "$2" "$work" >"$work/ready" &
    server=$!
    until grep -q ready "$work/ready"; do
        kill -0 "$server"
        sleep 0.05
    done
}

# url SCHEME
url() {
    sed -n 's/.*server: "\([^"]*\)".*/\1/p' "$work/$1.kubeconfig"
}

# list SCHEME: our time and curl's for the same list, in turn; ms.
list() {
    local i line
    : >"$work/ours"
    : >"$work/curls"
    for ((i = 0; i < runs; i++)); do
        line=$("$bench/bench_list" "$work/$1.kubeconfig")
        figure ms "$line" >>"$work/ours"
        curl -s --http1.1 --cacert "$work/ca.pem" -o /dev/null -w '%{time_total}\n' \
            "$(url "$1")/apis/samplecrd.k8s.io/v1/networks" >>"$work/curls"
    done
    ours=$(median <"$work/ours")
    curls=$(calc "$(median <"$work/curls") * 1000" %.1f)
    over_cached=$(calc "($(figure peak-rss "$line") - $(figure cached "$line")) / 1e6" %.1f)
}

# packed: what gzip saves and costs, for a list of 50,000.
packed() {
    local scheme bytes line
    for scheme in plain packed; do
        bytes=$(curl -s -o /dev/null -w '%{size_download}' \
            "$(url $scheme)/apis/samplecrd.k8s.io/v1/networks")
        for ((i = 0; i < runs; i++)); do
            line=$("$bench/bench_list" "$work/$scheme.kubeconfig")
            figure ms "$line" >>"$work/$scheme.ms"
            figure cpu-ms "$line" >>"$work/$scheme.cpu"
        done
        row "$scheme: on the wire" - "$(calc "$bytes / 1e6" %.1f)" MB
        row "$scheme: until all are read" - "$(median <"$work/$scheme.ms")" ms
        row "$scheme: CPU of the client" - "$(median <"$work/$scheme.cpu")" ms
    done
}

serve 50000 full
section "gzip, list of 50k, full"
packed

# sync SIZE WHAT MODE MS_BUDGET RSS_BUDGET BYTES_BUDGET MS RSS BYTES (the last three: references)
sync() {
    local i line
    : >"$work/ours"
    : >"$work/cpu"
    for ((i = 0; i < runs; i++)); do
        # shellcheck disable=SC2086 # several words
        line=$(BENCH_START=$EPOCHREALTIME "$bench/bench_informer" sync "$work/plain.kubeconfig" \
            $count $3)
        figure ms "$line" >>"$work/ours"
        figure cpu-ms "$line" >>"$work/cpu"
    done
    row "$2: sync" "$4" "$(median <"$work/ours")" ms "$7"
    row "$2: CPU" - "$(median <"$work/cpu")" ms "$8"
    row "$2: peak RSS" "$5" "$(calc "$(figure peak-rss "$line") / 1e6" %.1f)" MB "$9"
    row "$2: heap" "$6" "$(calc "$(figure heap "$line") / $count" %.0f)" B/object "${10}"
}

for size in full lean; do
    serve $count $size
    section "list of 100k, $size"
    for scheme in tls plain; do
        list $scheme
        row "$scheme loopback" - "$ours" ms
        row "$scheme loopback, curl -o /dev/null" - "$curls" ms
        limit=-
        [ $size = lean ] || limit=$([ $scheme = tls ] && echo 2.5 || echo 5.5)
        row "$scheme loopback, ratio" "$limit" "$(calc "$ours / $curls")" times
        row "$scheme: peak RSS beyond the cached objects" 16 "$over_cached" MB
    done
    section "informer, cold start with 100k $size" "Go / Rust"
    if [ $size = full ]; then
        sync full "streaming, all fields" keep 250 110 950 \
            "6,380 / 1,435" "7,900 / 1,470" "410 / 959" "2,581 / 9,999"
        sync full "pages, all fields" "keep pages" 250 110 950 \
            "2,797 / 1,403" "3,200 / 1,360" "559 / 959" "2,605 / 9,972"
        sync full "streaming, no managedFields" "" 250 110 950 "" "" "" ""
    else
        sync lean streaming "" 90 60 500 \
            "2,279 / 325" "2,800 / 330" "184 / 167" "1,008 / 1,692"
        sync lean pages pages 90 60 500 \
            "1,116 / 275" "1,420 / 260" "276 / 167" "1,032 / 1,686"
    fi
done

# events SIZE MODE WHAT BUDGET REFERENCE CPU_REFERENCE
events() {
    local i line
    : >"$work/ours"
    : >"$work/cpu"
    for ((i = 0; i < runs; i++)); do
        line=$("$bench/bench_informer" "$2" "$work/plain.kubeconfig" $watched "$(cat "$work/port")" \
            $events)
        figure per-s "$line" >>"$work/ours"
        figure per-cpu-s "$line" >>"$work/cpu"
    done
    row "$1, $3" "$4" "$(median <"$work/ours")" events/s "$5" least
    row "$1, $3, per CPU s" - "$(median <"$work/cpu")" events "$6"
}

section "$((events / 1000))k MODIFIED to an informer of 10k" "Go / Rust"
serve $watched full
events full events "counted" 400000 "17,160 / 75,210" "13,990 / 73,630"
events full queue "into the queue, 2 workers" 250000 "17,040 / 61,750" "13,840 / 57,550"
serve $watched lean
events lean events "counted" 1000000 "56,490 / 400,220" "44,800 / 389,390"
events lean queue "into the queue, 2 workers" 600000 "56,520 / 249,950" "43,830 / 233,790"

# ---- programs ------------------------------------------------------------------------------------

section "programs" "Go / Rust"
generate() {
    "$kubegen" generate --out-root "$work/generated" -I runtime/include apis/samplecrd/v1
}
generate >/dev/null
touch "$work/stamp"
for ((i = 0; i < runs; i++)); do
    start=$EPOCHREALTIME
    generate >/dev/null
    calc "$EPOCHREALTIME - $start" "%.3f\n"
done >"$work/ours"
row "kubegen generate, one API, warm" 0.3 "$(median <"$work/ours")" s "0.96-1.05 a generator / -"
row "kubegen generate, no change: files touched" 0 \
    "$(find "$work/generated" -type f -newer "$work/stamp" | wc -l)" files

serve 10 full
build/bench/examples/network-controller/network-controller --kubeconfig "$work/tls.kubeconfig" \
    --state-dir "$work/networks" >"$work/controller.log" 2>&1 &
controller=$!
for ((i = 0; i < 100; i++)); do
    [ "$(find "$work/networks" -type f 2>/dev/null | wc -l)" -lt 10 ] || break
    sleep 0.1
done
sleep 3 # idle
# status FIELD: MB
status() {
    awk -v field="$1:" '$1 == field { printf "%.1f", $2 * 1024 / 1e6 }' "/proc/$controller/status"
}
row "network-controller, 10 objects, TLS: RssAnon" 4 "$(status RssAnon)" MB "3.9 / 0.75"
row "network-controller, 10 objects, TLS: RSS" 14 "$(status VmRSS)" MB "22.1 / 7.7"
kill "$controller"
wait "$controller" 2>/dev/null || true
controller=

printf '\nload:    %s after\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
