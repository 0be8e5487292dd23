#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The small programs on the test kit's API server, over TLS with bearer tokens.
#
#   test_small.sh SOURCE_DIR BUILD_DIR KUBEGEN_APISERVER
set -euo pipefail
source=$1 build=$2 apiserver=$3
max_lines=80
work=$(mktemp -d "${TMPDIR:-/tmp}/kubegen-test-small.XXXXXX")
pids=()

clean_up() {
    local pid
    for pid in ${pids[@]+"${pids[@]}"}; do
        { kill -KILL "$pid" && wait "$pid"; } 2>/dev/null || true
    done
    rm -rf -- "$work"
}
trap clean_up EXIT

fail() {
    local log
    echo "FAILED: $*" >&2
    for log in "$work"/*.log; do
        sed "s|^|  ${log##*/}: |" "$log" >&2
    done
    exit 1
}

# eventually COMMAND…: for what another process is about to do.
eventually() {
    local tries=3000
    until "$@" >/dev/null 2>&1; do
        ((tries-- > 0)) || fail "never true: $*"
        sleep 0.02
    done
}

# launch NAME COMMAND…: in the background, with both its streams in NAME.log.
launch() {
    local name=$1
    shift
    "$@" >"$work/$name.log" 2>&1 &
    pid=$!
    pids+=("$pid")
}

# ends PID STATUS
ends() {
    local status=0
    wait "$1" || status=$?
    [ "$status" = "$2" ] || fail "status $status, not $2"
}

# call METHOD PATH [BODY [CONTENT_TYPE]]: as the admin; fails unless it is answered with 2xx.
call() {
    curl --silent --show-error --fail --cacert "$work/ca.crt" -X "$1" --output "$work/answer" \
        --header "Authorization: Bearer $token" --header "Content-Type: ${4-application/json}" \
        ${3:+--data "$3"} "$url$2" || fail "$1 $2"
}

pods=/api/v1/namespaces/default/pods
create_pod() {
    call POST $pods '{"metadata": {"name": "'"$1"'"},
        "spec": {"containers": [{"name": "main", "image": "registry.invalid/main"}]}}'
}
set_phase() {
    call PATCH "$pods/$1/status" '{"status": {"phase": "'"$2"'"}}' application/merge-patch+json
}

# kubeconfig_value NAME: the first of that name.
kubeconfig_value() {
    sed -n "s/^ *$1: *\"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" "$work/kubeconfig" | head -n 1
}

start_server() {
    launch apiserver "$apiserver" --tls --kubeconfig-out "$work/kubeconfig" "$@"
    server=$pid
    eventually test -s "$work/kubeconfig"
    url=$(kubeconfig_value server)
    token=$(kubeconfig_value token)
    kubeconfig_value certificate-authority-data | base64 -d >"$work/ca.crt"
    export KUBECONFIG=$work/kubeconfig
}

says() { grep -qxF -- "$2" "$work/$1.log"; }
at_least() { [ "$(grep -c -- "$2" "$work/$3.log")" -ge "$1" ]; }
count() { grep -cxF -- "$2" "$work/$1.log" || true; }

short_enough() {
    local file lines
    for file in "$source"/*.c; do
        lines=$(wc -l <"$file")
        [ "$lines" -le $max_lines ] || fail "$file: $lines lines, at most $max_lines"
    done
}

raw_list_and_watch() {
    create_pod first
    launch raw env TOKEN="$token" "$build/list-watch-raw" "$url" "$work/ca.crt"
    eventually says raw 'LISTED default/first Pending'
    create_pod second
    set_phase second Running
    call DELETE "$pods/first?gracePeriodSeconds=0"
    eventually says raw 'ADDED default/second Pending'
    eventually says raw 'MODIFIED default/second Running'
    eventually says raw 'DELETED default/first Pending'
    [ "$(count raw 'ADDED default/first Pending')" = 0 ] || fail 'the watch does not go on after the list'
    kill -TERM "$pid"
    wait "$pid" 2>/dev/null || true
}

raw_says_what_is_wrong() {
    launch refused env TOKEN=nobody "$build/list-watch-raw" "$url" "$work/ca.crt"
    ends "$pid" 1
    grep -q 401 "$work/refused.log" || fail 'it does not say 401'
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=other \
        -keyout "$work/other.key" -out "$work/other.crt" 2>/dev/null
    launch untrusted env TOKEN="$token" "$build/list-watch-raw" "$url" "$work/other.crt"
    ends "$pid" 1
    grep -qi certificate "$work/untrusted.log" || fail 'it trusts any certificate'
    launch usage env -u TOKEN "$build/list-watch-raw" "$url" "$work/ca.crt"
    ends "$pid" 2
}

typed_watch() {
    launch watch "$build/watch-pods" default
    eventually says watch 'ADDED default/second Running'
    create_pod third
    eventually says watch 'ADDED default/third Pending'
    set_phase third Failed
    eventually says watch 'MODIFIED default/third Failed'
    call DELETE "$pods/third?gracePeriodSeconds=0"
    eventually says watch 'DELETED default/third Failed'
    kill -TERM "$pid"
    ends "$pid" 0
    [ "$(count watch 'ADDED default/second Running')" = 1 ] || fail 'a Pod is told of twice'
}

# One Pod's command fails always: one run and five more. Another's twice.
informer_retries_five_times() {
    cat >"$work/hook" <<END
#!/bin/sh
echo "\$1 \$2" >>"$work/hook.log"
case \$1 in
default/bad) exit 1 ;;
default/shy) [ "\$(grep -c '^default/shy' "$work/hook.log")" -gt 2 ] ;;
esac
END
    chmod +x "$work/hook"
    : >"$work/hook.log"
    create_pod bad
    create_pod shy
    launch informer "$build/pod-informer" "$work/hook"
    eventually at_least 1 'failed for bad: dropped' informer
    eventually at_least 3 '^default/shy' hook
    set_phase second Succeeded
    eventually says hook 'default/second Succeeded'
    call DELETE "$pods/second?gracePeriodSeconds=0"
    eventually says hook 'default/second gone'
    [ "$(grep -c '^default/bad' "$work/hook.log")" = 6 ] || fail 'not one run and five retries'
    [ "$(grep -c '^default/shy' "$work/hook.log")" = 3 ] || fail 'shy: not three runs'
    [ "$(grep -c 'dropped' "$work/informer.log")" = 1 ] || fail 'not one dropped'

    # Dropped is not forgotten: its next change is looked at, with five retries again.
    set_phase bad Running
    eventually at_least 2 dropped informer
    [ "$(grep -c '^default/bad Running' "$work/hook.log")" = 6 ] || fail 'not five retries again'
    kill -TERM "$pid"
    ends "$pid" 0
    launch usage2 "$build/pod-informer"
    ends "$pid" 1
    grep -q 'usage: pod-informer COMMAND' "$work/usage2.log" || fail 'no usage'
}

# What both typed programs live through: a version too old, a stream cut off.
typed_watch_begins_again_after_410() {
    kill "$server"
    wait "$server" || fail 'the server did not end well'
    rm "$work/kubeconfig"
    start_server --fault gone,verb=watch,nth=1
    create_pod fourth
    launch again "$build/watch-pods"
    eventually says again 'ADDED default/fourth Pending'
    kill -TERM "$pid"
    ends "$pid" 0
}

short_enough
start_server
raw_list_and_watch
raw_says_what_is_wrong
typed_watch
informer_retries_five_times
typed_watch_begins_again_after_410
echo 'all as it should be'
