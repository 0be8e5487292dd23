#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Starts and stops a real Kubernetes API server on 127.0.0.1, for tests and demos.
#
#   envtest.sh start DIR [--port P] [--controllers] [--audit] [--owner PID] [kube-apiserver flags]
#   envtest.sh stop DIR     in order, but no longer than five seconds
#   envtest.sh kill DIR     at once, as a crash would
#
# DIR holds everything the server keeps: started again on the same directory it has the same
# objects and credentials, with --port on the same address too. start prints the path of the
# kubeconfig (contexts admin, user without rights, cert) once requests are answered; DIR/ready
# holds the URL while that is so; DIR/apiserver.log says what went wrong. --owner makes the
# server end with that process, so that a crashed test leaves nothing behind. --controllers
# runs the Deployment, ReplicaSet, namespace and garbage-collector controllers as well. --audit
# writes a line of JSON (audit.k8s.io/v1 Event) to DIR/audit.log for each request as soon as it is
# answered, and for each watch when it begins too: writes with request and answer, except where
# these may hold secrets; the rest without. Started again, the server goes on in the same file.
#
# The programs are those in the directory KUBEGEN_ENVTEST; without it, hack/setup-envtest.sh gives
# them and builds them if it must.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ready_timeout=90

die() {
    printf 'envtest: %s\n' "$*" >&2
    exit 1
}

usage() {
    sed -n '4,21s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
}

# is_ours PID NAME: is PID still the program NAME that was started on this directory?
is_ours() {
    local args
    if [ -d /proc/self ]; then
        args=$(tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline") || return 1
    else
        args=$(ps -o args= -p "$1") || return 1
    fi
    [[ $args == *"$2 "*"$dir"* ]]
} 2>/dev/null

# ended PID: has it given back its ports? A zombie, whose parent is slow to collect it, has,
# once its last thread is a zombie too.
ended() {
    local threads
    kill -0 "$1" 2>/dev/null || return 0
    threads=("/proc/$1/task"/*)
    [ ${#threads[@]} -le 1 ] && ps_state "$1" | grep -q Z
}

ps_state() {
    if [ -r "/proc/$1/status" ]; then
        sed -n 's/^State:[[:space:]]*//p' "/proc/$1/status"
    else
        ps -o state= -p "$1"
    fi
} 2>/dev/null

# wait_end PID SECONDS: fails when it has not ended by then.
wait_end() {
    local tries=$(($2 * 50))
    until ended "$1"; do
        ((tries-- > 0)) || return 1
        sleep 0.02
    done
}

# end TERM|KILL: ends what pids lists, last started first (the server before its store).
end() {
    local pid name rest=''
    [ -f "$dir/pids" ] || return 0
    while read -r pid name; do
        rest="$pid $name"$'\n'$rest
    done <"$dir/pids"
    rm -f -- "$dir/ready"
    while read -r pid name; do
        if [ -z "$pid" ] || ! is_ours "$pid" "$name"; then
            continue
        fi
        if [ "$1" = TERM ]; then
            kill -TERM "$pid" 2>/dev/null || true
            # Open watches can hold up an orderly end for a minute.
            wait_end "$pid" 5 && continue
        fi
        kill -KILL "$pid" 2>/dev/null || true
        wait_end "$pid" 10 || die "process $pid ($name) does not end"
    done <<<"$rest"
    rm -f -- "$dir/pids" "$dir/ready"
}

running() {
    local pid name
    [ -f "$dir/pids" ] || return 1
    while read -r pid name; do
        is_ours "$pid" "$name" && return 0
    done <"$dir/pids"
    return 1
}

# launch LOG PROGRAM ARGS...: in the background, in its own process group so that a Ctrl-C meant
# for a test does not reach it, and with none of the caller's pipes. Sets pid and log_start.
launch() {
    local log=$dir/$1 program=$2
    shift 2
    touch -- "$log"
    log_start=$(($(wc -c <"$log") + 1))
    set -m
    "$program" "$@" </dev/null >>"$log" 2>&1 &
    pid=$!
    set +m
    disown "$pid" # no word from the shell when it is killed
    printf '%s %s\n' "$pid" "${program##*/}" >>"$dir/pids"
}

# wait_for LOG COMMAND...: until the command succeeds; fails when the process just launched ends.
wait_for() {
    local log=$dir/$1 begin=$SECONDS
    shift
    until "$@" >/dev/null 2>&1; do
        if ! kill -0 "$pid" 2>/dev/null; then
            tail -c "+$log_start" "$log" | tail -n 5 >&2
            die "the server ended while starting, see $log"
        fi
        if ((SECONDS - begin > ready_timeout)); then
            tail -c "+$log_start" "$log" | tail -n 5 >&2
            die "the server is not ready after $ready_timeout s, see $log"
        fi
        sleep 0.05
    done
}

start_combined() {
    local assets=$1
    shift
    launch apiserver.log "$assets/kubegen-envtest" --port "$port" ${controllers:+--controllers} "$dir" -- "$@"
    wait_for apiserver.log test -f "$dir/ready"
}

# Ports below those which the kernel gives to outgoing connections: a client that keeps
# reconnecting to a stopped server must not be given the server's own port.
free_port() {
    local try
    while :; do
        try=$((20000 + RANDOM % 10000))
        (exec 3<>"/dev/tcp/127.0.0.1/$try") 2>/dev/null || break
    done
    printf '%s\n' "$try"
}

# certificate NAME SUBJECT EXTENSION: NAME.key and NAME.crt, signed by ca.key. (set -e means
# nothing in a function whose result is looked at, hence the chains.)
certificate() {
    printf '%s\n' "$3" >"$1.ext" &&
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "$2" -keyout "$1.key" -out "$1.csr" &&
        openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 \
            -extfile "$1.ext" -out "$1.crt" &&
        rm -f -- "$1.csr" "$1.ext"
}

credentials() {
    cd "$dir" &&
        umask 077 &&
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 \
            -subj /CN=kubegen-envtest-ca -keyout ca.key -out ca.crt &&
        certificate server /CN=kube-apiserver \
            'subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:kubernetes.default.svc' &&
        certificate client /O=system:masters/CN=admin-by-certificate extendedKeyUsage=clientAuth &&
        openssl ecparam -name prime256v1 -genkey -noout -out sa.key &&
        printf 'admin-token,admin,1,system:masters\nuser-token,user,2\n' >tokens.csv
}

# The same files as kubegen-envtest makes. tokens.csv comes last and says that all are there.
make_credentials() {
    [ ! -f "$dir/tokens.csv" ] || return 0
    command -v openssl >/dev/null || die 'openssl is needed to make certificates'
    (credentials) >"$dir/openssl.log" 2>&1 || die "openssl failed, see $dir/openssl.log"
}

write_kubeconfig() {
    cat >"$dir/kubeconfig.tmp" <<END
apiVersion: v1
kind: Config
current-context: admin
clusters:
- name: envtest
  cluster: {server: $1, certificate-authority: "$dir/ca.crt"}
contexts:
- {name: admin, context: {cluster: envtest, user: admin}}
- {name: user, context: {cluster: envtest, user: user}}
- {name: cert, context: {cluster: envtest, user: cert}}
users:
- {name: admin, user: {token: admin-token}}
- {name: user, user: {token: user-token}}
- {name: cert, user: {client-certificate: "$dir/client.crt", client-key: "$dir/client.key"}}
END
    mv -- "$dir/kubeconfig.tmp" "$dir/kubeconfig"
}

start_separate() {
    local assets=$1 url etcd peer='http://127.0.0.1:0' no_fsync=''
    shift
    [ -z "$controllers" ] || die '--controllers needs the combined program: unset KUBEBUILDER_ASSETS'
    [ "$port" != 0 ] || port=$(free_port)
    url=https://127.0.0.1:$port
    etcd=http://127.0.0.1:$(free_port)
    make_credentials
    write_kubeconfig "$url"
    if "$assets/etcd" --help 2>&1 | grep -e --unsafe-no-fsync >/dev/null; then
        no_fsync=1
    fi
    launch etcd.log "$assets/etcd" --data-dir="$dir/etcd" --logger=zap --log-level=warn \
        --listen-client-urls="$etcd" --advertise-client-urls="$etcd" --listen-peer-urls="$peer" \
        --initial-advertise-peer-urls="$peer" --initial-cluster="default=$peer" \
        --heartbeat-interval=10 --election-timeout=100 ${no_fsync:+--unsafe-no-fsync}
    launch apiserver.log "$assets/kube-apiserver" --etcd-servers="$etcd" --bind-address=127.0.0.1 \
        --advertise-address=127.0.0.1 --secure-port="$port" --endpoint-reconciler-type=none \
        --service-cluster-ip-range=10.0.0.0/24 --tls-cert-file="$dir/server.crt" \
        --tls-private-key-file="$dir/server.key" --client-ca-file="$dir/ca.crt" \
        --token-auth-file="$dir/tokens.csv" --authorization-mode=RBAC --allow-privileged=true \
        --disable-admission-plugins=ServiceAccount --service-account-issuer=https://kubernetes.default.svc \
        --service-account-key-file="$dir/sa.key" --service-account-signing-key-file="$dir/sa.key" "$@"
    wait_for apiserver.log "$assets/kubectl" --kubeconfig="$dir/kubeconfig" get --raw=/readyz
    wait_for apiserver.log "$assets/kubectl" --kubeconfig="$dir/kubeconfig" get --raw=/api/v1/namespaces/default
    printf '%s\n' "$url" >"$dir/ready.tmp"
    mv -- "$dir/ready.tmp" "$dir/ready"
}

# Lines are not held back, and not moved to a second file.
set_audit_flags() {
    cat >"$dir/audit-policy.yaml" <<'END'
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  resources:
  - {group: "", resources: [secrets, serviceaccounts/token]}
  - {group: authentication.k8s.io}
- level: RequestResponse
  verbs: [create, update, patch, delete, deletecollection]
- level: Metadata
END
    flags=("--audit-policy-file=$dir/audit-policy.yaml" "--audit-log-path=$dir/audit.log"
        --audit-log-mode=blocking --audit-log-format=json --audit-log-maxsize=100000)
}

# end_with_owner: stays behind until the server or its owner has gone.
end_with_owner() {
    local name=$1
    while is_ours "$pid" "$name"; do
        if ! kill -0 "$owner" 2>/dev/null; then
            end KILL
            return
        fi
        sleep 1
    done
}

start() {
    local assets audit='' flags=()
    port=0 controllers='' owner=''
    while [ $# -gt 0 ]; do
        case $1 in
            --port | --owner)
                [ $# -ge 2 ] || usage
                [ "$1" = --port ] && port=$2 || owner=$2
                shift 2
                ;;
            --port=*) port=${1#*=} && shift ;;
            --owner=*) owner=${1#*=} && shift ;;
            --controllers) controllers=1 && shift ;;
            --audit) audit=1 && shift ;;
            --) shift && break ;;
            *) break ;;
        esac
    done
    [[ $port =~ ^[0-9]+$ ]] || die "--port: not a number: $port"
    [[ $owner =~ ^[0-9]*$ ]] || die "--owner: not a process id: $owner"
    ! running || die "a server is running on $dir already"
    assets=${KUBEGEN_ENVTEST:-$("$here/setup-envtest.sh")}
    [ -z "$audit" ] || set_audit_flags

    rm -f -- "$dir/pids" "$dir/ready"
    trap 'end KILL' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    if [ -x "$assets/kubegen-envtest" ]; then
        start_combined "$assets" ${flags[@]+"${flags[@]}"} "$@"
    else
        start_separate "$assets" ${flags[@]+"${flags[@]}"} "$@"
    fi
    trap - EXIT INT TERM HUP
    if [ -n "$owner" ]; then
        set -m
        end_with_owner "$(tail -n 1 "$dir/pids" | cut -d' ' -f2)" </dev/null >/dev/null 2>&1 &
        set +m
    fi
    printf '%s\n' "$dir/kubeconfig"
}

[ $# -ge 2 ] || usage
command=$1 dir=$2
shift 2
case $dir in
    *[\"\\,$'\n']*) die "directory $dir: quotes, backslashes, commas and line breaks are not supported" ;;
esac
case $command in
    start)
        mkdir -p -- "$dir"
        dir=$(cd "$dir" && pwd)
        start "$@"
        ;;
    stop | kill)
        [ $# -eq 0 ] || usage
        [ -d "$dir" ] || exit 0
        dir=$(cd "$dir" && pwd)
        if [ "$command" = stop ]; then end TERM; else end KILL; fi
        ;;
    *) usage ;;
esac
