#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The Dockerfile without a container engine: its lines are done, one by one, in fresh Debian systems
# made with debootstrap, and the result is started as its image would be in a cluster: not root, no
# privileges to be had, the root file system read-only, one writable directory.
#
#   test_container.sh KUBEGEN_APISERVER [CONTROLLER]
#
# Needs root. Debian comes from the mirror that this machine's apt is set up with; the base system is
# kept in the user's cache for a week. Nothing of this machine can be written from inside.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
apiserver=$1
controller=${2-network-controller}
cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/kubegen/debian
work='' pids=()

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# Skipped for want of something; in CI that must not be.
skip() {
    printf 'skipped: %s\n' "$*" >&2
    [ "${CI-}" != true ] || exit 1
    exit 77
}

cleanup() {
    local pid
    for pid in ${pids[@]+"${pids[@]}"}; do
        { kill -KILL "$pid" && wait "$pid"; } 2>/dev/null || true
    done
    [ -z "$work" ] || rm -rf --one-file-system -- "$work"
}

[ "$(id -u)" = 0 ] || skip 'only root can make a Debian system and change into it'
command -v debootstrap >/dev/null || skip 'no debootstrap: run hack/install-deps.sh'
unshare --mount --pid --fork true 2>/dev/null || skip 'no namespaces of its own may be made here'
work=$(mktemp -d "${TMPDIR:-/tmp}/kubegen-test-container.XXXXXX")
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# ---- Debian --------------------------------------------------------------------------------------

# apt_sources SUITE: where this machine's apt gets Debian from, as lines of a sources.list.
apt_sources() {
    local uri suite component
    # shellcheck disable=SC2016 # for apt-get
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
        sort -u | while read -r uri suite component; do
        case $suite in
            "$1" | "$1"-*) printf 'deb %s %s %s\n' "$uri" "$suite" "$component" ;;
        esac
    done
}

# base_system SUITE: prints the file that holds it.
base_system() {
    local suite=$1 mirror file key log=$work/debootstrap.log
    apt_sources "$suite" >"$work/sources.list"
    mirror=$(awk -v suite="$suite" '$3 == suite && $4 == "main" { print $2; exit }' "$work/sources.list")
    [ -n "$mirror" ] || skip "this machine's apt knows no mirror of Debian $suite"
    key=$(cksum <"$work/sources.list" | cut -d' ' -f1)
    file=$cache/$suite-$(dpkg --print-architecture)-$key.tar
    mkdir -p -- "$cache"
    if [ -z "$(find "$file" -mtime -7 2>/dev/null)" ]; then
        debootstrap --variant=minbase --include=ca-certificates "$suite" "$work/base" "$mirror" >"$log" 2>&1 || {
            tail -n 5 "$log" >&2
            fail "debootstrap $suite"
        }
        # As images of Debian are: no package lists, the same mirrors as here.
        rm -rf "$work/base/var/cache/apt/archives/"*.deb "$work/base/var/lib/apt/lists/"*
        cp "$work/sources.list" "$work/base/etc/apt/sources.list"
        apt-config dump | grep -i '^Acquire::https\{0,1\}::Proxy' >"$work/base/etc/apt/apt.conf.d/90proxy" || true
        tar -C "$work/base" -cf "$file.$$" .
        mv -- "$file.$$" "$file"
        rm -rf --one-file-system -- "$work/base"
    fi
    printf '%s\n' "$file"
}

# ---- the Dockerfile ------------------------------------------------------------------------------

stage='' directory=/ user='' entrypoint='' stages=() names=()
declare -A arguments=([CONTROLLER]="$controller")

begin_stage() {
    local image=$1 suite
    [[ $image =~ ^debian:([a-z]+)(-slim)?@sha256:[0-9a-f]{64}$ ]] || fail "FROM $image: not a Debian"
    suite=${BASH_REMATCH[1]}
    [ $# = 1 ] || [ "$2" = AS ] || fail "FROM $*"
    base=$(base_system "$suite")
    stage=$work/stage${#stages[@]}
    stages+=("$stage")
    names+=("${3-}")
    directory=/ user=''
    mkdir "$stage"
    tar -C "$stage" -xf "$base"
    base_size=$(size_of "$stage")
    cp -L /etc/resolv.conf /etc/hosts "$stage/etc/"
}

# In MB, without what the base images of a registry leave out as well.
size_of() {
    du -sxm --exclude="$1/usr/share/"{doc,man,locale} --exclude="$1/var/cache/apt/*.bin" "$1" | cut -f1
}

# substitute TEXT: with the arguments' values.
substitute() {
    local text=$1 name
    for name in "${!arguments[@]}"; do
        text=${text//\$$name/${arguments[$name]}}
    done
    printf '%s\n' "$text"
}

# copy [--from=STAGE] SOURCE DESTINATION
copy() {
    local from=$work/context i to
    if [[ $1 == --from=* ]]; then
        from=''
        for i in "${!names[@]}"; do
            [ "${names[i]}" != "${1#*=}" ] || from=${stages[i]}
        done
        [ -n "$from" ] || fail "COPY $1: no such stage"
        shift
    fi
    [ $# = 2 ] || fail "COPY $*: one source and one destination"
    [ -e "$from/$1" ] || fail "COPY $1: not there, or left out by .dockerignore"
    to=$2
    [[ $to == /* ]] || to=$directory/$to
    mkdir -p "$stage/$(dirname "$to")"
    cp -a "$from/$1" "$stage/$to"
}

# inside COMMAND: in the stage, with its own processes and mounts; this machine's cannot be reached.
inside() {
    # shellcheck disable=SC2016 # for the shell inside
    unshare --mount --pid --fork --kill-child --propagation private sh -euc '
        mount -t proc proc "$1/proc"
        exec chroot "$1" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            HOME=/root sh -c "cd \"\$1\" && eval \"\$2\"" sh "$2" "$3"' sh "$stage" "$directory" "$1" \
        </dev/null >"$work/run.log" 2>&1 || {
        tail -n 30 "$work/run.log" >&2
        fail "RUN $1"
    }
}

instruction() {
    local what=$1 rest=$2 begin=$SECONDS
    local -a words
    read -ra words <<<"$rest"
    case $what in
        FROM) begin_stage "$(substitute "${words[0]}")" "${words[@]:1}" ;;
        ARG) : "${arguments[${rest%%=*}]:=${rest#*=}}" ;;
        WORKDIR) directory=$rest && mkdir -p "$stage$rest" ;;
        COPY) copy "${words[@]}" ;;
        RUN) inside "$(substitute "$rest")" ;;
        USER) user=$rest ;;
        ENTRYPOINT)
            [[ $rest =~ ^\[\"([^\"]+)\"\]$ ]] || fail "ENTRYPOINT $rest: want one program in JSON"
            entrypoint=${BASH_REMATCH[1]}
            ;;
        *) fail "Dockerfile: $what is not known here" ;;
    esac
    printf '%4d s  %s %s\n' $((SECONDS - begin)) "$what" "$rest"
}

# What a container engine would be sent: the tree's files without what .dockerignore names.
make_context() {
    local pattern exclude=()
    while read -r pattern; do
        case $pattern in
            '' | '#'*) ;;
            '**/'*) exclude+=("--exclude=${pattern#**/}") ;;
            *[*!]*) fail ".dockerignore: $pattern is not known here" ;;
            *) exclude+=("--exclude=./$pattern") ;;
        esac
    done <"$root/.dockerignore"
    mkdir "$work/context"
    tar -C "$root" "${exclude[@]}" -cf - . | tar -C "$work/context" --no-same-owner -xf -
}

build_image() {
    local line
    make_context
    while read -r line || [ -n "$line" ]; do
        case $line in
            '' | '#'*) ;;
            *'\') fail "Dockerfile: one line an instruction, not: $line" ;;
            *) instruction "${line%% *}" "${line#* }" ;;
        esac
    done <"$root/Dockerfile"
    rm -rf --one-file-system -- "${stages[0]}" "$work/context"
}

# ---- the image -----------------------------------------------------------------------------------

# eventually COMMAND…
eventually() {
    local tries=1500
    until "$@" >/dev/null 2>&1; do
        ((tries-- > 0)) || {
            tail -n 20 "$work/controller.log" >&2
            fail "never true: $*"
        }
        sleep 0.02
    done
}

# start ARGUMENT…: as a Pod's only container; /state is its emptyDir.
start() {
    [[ $user =~ ^([1-9][0-9]*):([1-9][0-9]*)$ ]] || fail "USER $user: want two numbers, neither of them root's"
    mkdir -p "$stage/state" "$stage/config"
    cp "$work/kubeconfig" "$stage/config/kubeconfig"
    chmod 644 "$stage/config/kubeconfig"
    # shellcheck disable=SC2016 # for the shell inside
    unshare --mount --pid --fork --kill-child=TERM --propagation private sh -euc '
        image=$1 uid=$2 gid=$3
        shift 3
        mount --bind "$image" "$image"
        mount -t tmpfs -o "size=1m,mode=0700,uid=$uid,gid=$gid" state "$image/state"
        mount -t proc proc "$image/proc"
        mount -o remount,bind,ro "$image"
        exec chroot "$image" /usr/bin/env -i PATH=/usr/bin:/bin setpriv --reuid "$uid" --regid "$gid" \
            --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"' \
        sh "$stage" "${user%:*}" "${user#*:}" "$entrypoint" "$@" >"$work/controller.log" 2>&1 &
    pids+=("$!")
    outer=$!
    eventually child_of "$outer"
}

child_of() { child=$(pgrep -P "$1") && [ "$(readlink "/proc/$child/exe")" = "$stage$entrypoint" ]; }

# status NAME: of the controller's process.
status() { awk -v name="$1:" '$1 == name { $1 = ""; print substr($0, 2) }' "/proc/$child/status"; }

is_confined() {
    local set
    [ "$(status Uid)" = "${user%:*} ${user%:*} ${user%:*} ${user%:*}" ] || fail "it runs as $(status Uid)"
    [ "$(status NoNewPrivs)" = 1 ] || fail 'it could gain privileges'
    for set in CapEff CapPrm CapBnd CapInh; do
        [ "$(status $set)" = 0000000000000000 ] || fail "it has capabilities: $set $(status $set)"
    done
    awk '$5 == "/" { found = 1; if ($6 !~ /(^|,)ro(,|$)/) exit 1 } END { exit !found }' "/proc/$child/mountinfo" ||
        fail 'its root file system can be written'
}

call() {
    curl --silent --show-error --fail -X "$1" --output "$work/answer" --header 'Content-Type: application/json' \
        ${3:+--data "$3"} "$url$2" || fail "$1 $2"
}

start_apiserver() {
    local crd=$root/examples/$controller/config/crd/$1
    "$apiserver" --kubeconfig-out "$work/kubeconfig" --load "$crd" --owner $$ >"$work/apiserver.log" 2>&1 &
    pids+=("$!")
    for _ in $(seq 1500); do
        [ ! -s "$work/kubeconfig" ] || break
        sleep 0.02
    done
    url=$(sed -n 's/^ *server: *"\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' "$work/kubeconfig" | head -n 1)
}

works_as_network_controller() {
    start_apiserver samplecrd.k8s.io_networks.yaml
    start --kubeconfig /config/kubeconfig --state-dir /state
    call POST /apis/samplecrd.k8s.io/v1/namespaces/default/networks '{"apiVersion": "samplecrd.k8s.io/v1",
        "kind": "Network", "metadata": {"name": "inside"}, "spec": {"cidr": "10.1.0.0/16", "gateway": "10.1.0.1"}}'
    eventually grep -qx 'gateway=10.1.0.1' "/proc/$child/root/state/default/inside"
}

works_as_appservice_controller() {
    start_apiserver appcontroller.k8s.io_appservices.yaml
    start --kubeconfig /config/kubeconfig
    call POST /apis/appcontroller.k8s.io/v1alpha1/namespaces/default/appservices '{"apiVersion":
        "appcontroller.k8s.io/v1alpha1", "kind": "AppService", "metadata": {"name": "site"},
        "spec": {"deploymentName": "web"}}'
    eventually curl --silent --fail "$url/apis/apps/v1/namespaces/default/deployments/web"
}

ends_in_order() {
    local status=0
    kill -TERM "$child"
    wait "$outer" || status=$?
    [ "$status" = 0 ] || fail "it ends with status $status: $(tail -n 5 "$work/controller.log")"
}

build_image
printf 'image:    %s MB over a base of %s MB, program %s KB\n' $(($(size_of "$stage") - base_size)) "$base_size" \
    $(($(stat -c %s "$stage$entrypoint") / 1024))
for tool in "$stage"/usr/bin/{cc,gcc,cmake,ninja,pkg-config} "$stage"/usr/lib/llvm-* "$stage"/usr/include/curl "$stage/src"; do
    [ ! -e "$tool" ] || fail "in the image: ${tool#"$stage"}"
done
"works_as_${controller//-/_}"
is_confined
printf 'started:  uid %s, VmRSS %s, RssAnon %s\n' "$(status Uid | cut -d' ' -f1)" "$(status VmRSS)" "$(status RssAnon)"
ends_in_order
