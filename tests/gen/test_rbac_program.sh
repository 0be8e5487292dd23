#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# kubegen rbac --from: the roles of what a program can use, as its records say.
#
#   test_rbac_program.sh NETWORK_CONTROLLER APPSERVICE_CONTROLLER LIBKUBE APPS_V1 CORE_V1
#
# The libraries are the shared libkube and the static ones of two APIs; without them, as where the
# build has sanitizers, nothing is compiled. KUBEGEN names the command.
set -euo pipefail
kubegen=$(realpath "$KUBEGEN")
network=$1 appservice=$2 libkube=${3-} apps=${4-} core=${5-}
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
    echo "test_rbac_program: $*" >&2
    failures=$((failures + 1))
}

# says STATUS 'text' ARGUMENT…
says() {
    local status=0 want=$1 text=$2
    shift 2
    "$kubegen" rbac "$@" >"$scratch/out" 2>&1 || status=$?
    [[ $status == "$want" ]] || fail "rbac $*: status $status, not $want: $(cat "$scratch/out")"
    grep -qF -- "$text" "$scratch/out" || fail "rbac $*: does not say '$text': $(cat "$scratch/out")"
}

# rights FILE…: of all roles in them, whatever their YAML looks like: "VERB RESOURCE.GROUP NAME".
rights() {
    sed 's/ #.*//; s/\[/\n- /; s/, */\n- /g; s/\]//' "$@" | awk '
        function flush(g, r, v, n) {
            for (g = 0; g < len["apiGroups"]; g++)
                for (r = 0; r < len["resources"]; r++)
                    for (v = 0; v < len["verbs"]; v++) {
                        right = list["verbs", v] " " list["resources", r] "." list["apiGroups", g]
                        if (!len["resourceNames"]) print right
                        for (n = 0; n < len["resourceNames"]; n++) print right, list["resourceNames", n]
                    }
            split("", len)
        }
        { gsub(/\047/, "") }
        /^[a-z]/ || /apiGroups:/ { flush() }
        /[a-zA-Z]:/ { sub(/^[ -]*/, ""); sub(/:.*/, ""); key = $0; next }
        /^ *- / { sub(/^ *- */, ""); list[key, len[key]++] = $0 }
        END { flush() }' | sort -u
}

# ---- the examples: what their config/ grants, which tests/deploy holds against the audit ----------

for project in network appservice; do
    config=$root/examples/$project-controller/config/rbac
    "$kubegen" rbac --from "${!project}" --role-name "$project-controller" --lease "$project-controller" \
        >"$scratch/$project.yaml" 2>"$scratch/errors" || fail "$project: it fails"
    [[ ! -s $scratch/errors ]] || fail "$project: it leaves open: $(cat "$scratch/errors")"
    rights "$config"/{role,leader_election_role,metrics_auth_role}.yaml >"$scratch/granted"
    [[ $(wc -l <"$scratch/granted") -ge 10 ]] || fail "$project: its config grants nothing"
    diff "$scratch/granted" <(rights "$scratch/$project.yaml") || fail "$project: other rights (see above)"
    # The markers ask for as much.
    "$kubegen" rbac --from "${!project}" "$root/examples/$project-controller" >"$scratch/out" 2>&1 ||
        fail "$project: the markers are not what it can use"
    [[ ! -s $scratch/out ]] || fail "$project: $(cat "$scratch/out")"
    strip -o "$scratch/stripped" "${!project}"
    says 0 'kind: ClusterRole' --from "$scratch/stripped"
done
says 0 'name: network-controller-leader-election' --from "$network" --role-name network-controller
grep -q resourceNames "$scratch/out" && fail 'a Lease is named that nobody named'
says 0 '  namespace: team' --from "$network" --namespace team
grep -c '^kind: Role$' "$scratch/out" | grep -qx 2 || fail "--namespace: not two Roles"
grep -c '^kind: ClusterRole$' "$scratch/out" | grep -qx 1 || fail "--namespace: not one ClusterRole"

# Markers that ask for more, and for less.
mkdir "$scratch/markers"
cat >"$scratch/markers/x.c" <<'END'
// +kubebuilder:rbac:groups=samplecrd.k8s.io,resources=networks;networks/status,verbs=list;watch;delete
// +kubebuilder:rbac:groups=coordination.k8s.io,resources=leases,verbs=get
// +kubebuilder:rbac:urls=/metrics,verbs=get
END
says 1 'x.c:1:4: error: this asks for more than' --from "$network" "$scratch/markers"
grep -qF 'take out verbs=delete of networks.samplecrd.k8s.io' "$scratch/out" || fail 'more: which?'
grep -qF 'take out verbs=delete;list;watch of networks/status.samplecrd.k8s.io' "$scratch/out" || fail 'more: status'
grep -qF 'no marker asks for what it can use: add // +kubebuilder:rbac:groups=core,resources=events,verbs=create;patch' \
    "$scratch/out" || fail 'less: which?'
[[ $(grep -c ': error: ' "$scratch/out") == 3 ]] || fail "not three differences: $(cat "$scratch/out")"
echo '// +kubebuilder:rbac:groups=*,resources=*,verbs=*' >"$scratch/markers/x.c"
says 1 "take out verbs=* of *.*" --from "$network" "$scratch/markers" -o "$scratch/role.yaml"
cmp -s <("$kubegen" rbac --from "$network") "$scratch/role.yaml" || fail '-o: another role'

# ---- whichever compiler and linker ----------------------------------------------------------------

# check NAME: the program that was linked.
check() {
    "$kubegen" rbac --from "$scratch/program" >"$scratch/role.yaml" 2>"$scratch/errors" ||
        fail "$1: $(cat "$scratch/errors")"
    diff "$scratch/want" <(rights "$scratch/role.yaml") || fail "$1: other rights (see above)"
    [[ ! -s $scratch/errors ]] || fail "$1: it leaves open: $(cat "$scratch/errors")"
}

whichever_compiler_and_linker() {
    includes=(-I "$root/runtime/include" -I "$root/apis" -I "$root/apis/generated")
    libraries=("$apps" "$core" "$libkube" -Wl,--allow-shlib-undefined)
    cat >"$scratch/want" <<'END'
get deployments.apps
get nodes.
list nodes.
list pods.
update deployments/status.apps
watch pods.
END
    compilers=0 links=0
    for cc in gcc clang clang-14 'g++ -x c++' 'clang++-14 -x c++'; do
        command -v "${cc%% *}" >/dev/null || continue
        compilers=$((compilers + 1))
        for how in -O0 '-O2 -fPIE' '-Os -fno-pie' '-O2 -flto'; do
            # shellcheck disable=SC2086 # words
            $cc $how -ffunction-sections -Wall -Wextra -Wpedantic -Werror "${includes[@]}" \
                -c "$root/tests/gen/rbac/program/program.c" -o "$scratch/program.o" || fail "$cc $how"
            for linker in bfd gold mold lld; do
                ld=$(command -v ld.$linker || command -v ld.$linker-14 || command -v $linker) || continue
                # What lld cannot read: gcc's own intermediate form.
                [[ $linker != lld || $how != *lto* || $cc == clang* ]] || continue
                ln -sf "$ld" "$scratch/ld.$linker"
                flags=()
                [[ $how != *no-pie* ]] || flags=(-no-pie)
                # shellcheck disable=SC2086
                ${cc%% *} $how -B "$scratch" -fuse-ld=$linker "${flags[@]}" -Wl,--gc-sections \
                    "$scratch/program.o" "${libraries[@]}" -o "$scratch/program" 2>"$scratch/errors" || {
                    # Not every gcc loads its plugin into every linker.
                    [[ $how == *lto* ]] || fail "$cc $how $linker: $(head -n 3 "$scratch/errors")"
                    continue
                }
                links=$((links + 1))
                check "$cc $how, $linker"
            done
        done
    done
    ((compilers && links >= 4)) || fail "only $links programs were linked"

    # Kept code counts, called or not. A Kind that is known only at run time is pointed out.
    gcc "${includes[@]}" -DDYNAMIC "$root/tests/gen/rbac/program/program.c" "${libraries[@]}" -o "$scratch/program"
    says 0 "the Kind in kube_client_get(… types[i % 2 ? '\"' : *\"\\\\n{|}%0\"] …) is known only at run time" \
        --from "$scratch/program"
    grep -q 'kube_client_delete' "$scratch/out" && fail 'a call in parentheses leaves a record'
    grep -qx '      - delete' "$scratch/out" || fail 'the code that is not called has no rights'
    gcc "${includes[@]}" -DKUBE_WITHOUT_RBAC "$root/tests/gen/rbac/program/program.c" "${libraries[@]}" -o "$scratch/none"
    says 1 'it has no records of rights' --from "$scratch/none"

    # Descriptors in a library of their own.
    gcc -shared -Wl,--whole-archive "$apps" "$core" -Wl,--no-whole-archive -o "$scratch/libapis.so"
    gcc "${includes[@]}" "$root/tests/gen/rbac/program/program.c" "$scratch/libapis.so" "$libkube" -o "$scratch/program"
    says 0 'apps_v1_deployment_type is in another file' --from "$scratch/program"
    "$kubegen" rbac --from "$scratch/program" --from "$scratch/libapis.so" >"$scratch/role.yaml" 2>"$scratch/errors"
    [[ ! -s $scratch/errors ]] || fail "a library: $(cat "$scratch/errors")"
    rights "$scratch/role.yaml" | grep -qxF 'get deployments.apps' || fail 'a library: no rights'
}
[[ -z $libkube ]] || whichever_compiler_and_linker

# program CODE: whose main() is the code, compiled and linked.
program() {
    printf '#include <apps/v1/api.h>\n#include <core/v1/api.h>\n#include <kube/kube.h>\n#include <kube/subresource.h>
            int main(int argc, char **argv) { kube_client *client = NULL; kube_ctx *ctx = NULL; (void)argv;
            kube_controller *c = NULL; kube_controller_options o = {0}; kube_informer_factory *f = NULL;
            kube_code rc = KUBE_OK; (void)client; (void)ctx; (void)c; (void)o; (void)f; (void)argc;
            %s\n return (int)rc; }\n' "$1" >"$scratch/main.c"
    gcc -O2 -ffunction-sections -Wl,--gc-sections "${includes[@]}" "$scratch/main.c" "${libraries[@]}" -o "$scratch/program" ||
        fail "it does not compile: $1"
}

what_records_say() {
    # The .for_ of a controller that nothing else watches.
    local get='core_v1_secret *s; rc |= core_v1_secrets_get(client, ctx, kube_key_of("", "s"), NULL, &s, NULL);'
    program 'rc = kube_controller_new(f, &o, &c, NULL); rc |= kube_controller_owns(c, &apps_v1_deployment_type, NULL, NULL);'
    says 0 'main.c:8), and reads 0 Kinds from caches; .owns and .watches are of deployments.apps.' --from "$scratch/program"
    program "KUBE_NEEDS(\"\", \"configmaps\", \"list,watch\"); rc = kube_controller_new(f, &o, &c, NULL); $get"
    says 0 'kind: ClusterRole' --from "$scratch/program"
    grep -q warning "$scratch/out" && fail "advice where the .for_ is said: $(cat "$scratch/out")"
    # One record is the end of another.
    program 'KUBE_NEEDS("my.controller", "foos", "get"); rc = kube_set_controller_reference(ctx, NULL, (kube_object *)o.arg, NULL);
             rc |= kube_manager_add_controller(o.arg, &o, &c, NULL);'
    says 0 'main.c:9), and reads 0 Kinds from caches.' --from "$scratch/program"

    # Subresources without a typed call.
    program 'kube_subresource s = {&core_v1_pod_type, "status", &core_v1_pod_type, &core_v1_pod_type};
             rc = kube_client_update_subresource(client, ctx, &s, kube_key_of("", "x"), NULL, NULL, NULL, NULL);'
    says 0 'the Kind in kube_client_update_subresource(… &s …) is known only at run time' --from "$scratch/program"

    # --namespace: what is not in it.
    program 'KUBE_NEEDS("", "nodes/status", "get"); KUBE_NEEDS("x.example.org", "things", "get"); KUBE_NEEDS("core", "pods/log,secrets", "get");
             KUBE_NEEDS("", "events", "create,patch"); KUBE__RBAC_LEASES(); rc |= core_v1_pod_type.kind == NULL;'
    says 0 'whether things are in namespaces is not known' --from "$scratch/program" --namespace team
    "$kubegen" rbac --from "$scratch/program" --namespace team --lease me >"$scratch/role.yaml" 2>"$scratch/errors"
    awk '/^---/ { if (n) close(file); file = FILENAME "." ++n } n { print >file }' "$scratch/role.yaml"
    for file in "$scratch"/role.yaml.*; do
        sed -n 's/^kind: //p; s/^  name: //p; s/^  namespace: //p' "$file" | tr '\n' ' '
        rights "$file" | tr '\n' ','
        echo
    done >"$scratch/roles"
    diff - "$scratch/roles" <<'END' || fail '--namespace: other roles (see above)'
ClusterRole manager-role get nodes/status.,get things.x.example.org,
Role manager-role-leader-election create events.,create leases.coordination.k8s.io,get leases.coordination.k8s.io me,patch events.,update leases.coordination.k8s.io me,watch leases.coordination.k8s.io me,
Role manager-role default create events.,patch events.,
Role manager-role team create events.,get pods/log.,get secrets.,patch events.,
END
    program 'KUBE_NEEDS("apps", "deployments", "get;list");'
    says 1 'there is a KUBE_NEEDS() that no server could match' --from "$scratch/program"
    program 'KUBE_NEEDS("", "pods", "get");'
    mv "$scratch/program" "$scratch/a"$'\n''kind: b'
    says 0 '# Code generated by kubegen from the records of a?kind: b. DO NOT EDIT.' --from "$scratch/a"$'\n''kind: b'

    # A library with calls of its own, and what another strip leaves.
    printf '#include <core/v1/api.h>\nkube_code mine(kube_client *c); kube_code mine(kube_client *c)
            { core_v1_pod *p; return core_v1_pods_get(c, NULL, kube_key_of("", "x"), NULL, &p, NULL); }\n' >"$scratch/lib.c"
    gcc -shared -fPIC "${includes[@]}" "$scratch/lib.c" -Wl,-soname,libmine.so.1 -o "$scratch/libmine.so"
    libraries=("$scratch/libmine.so" "${libraries[@]}")
    program 'kube_code mine(kube_client *); rc = mine(client); rc |= kube_controller_owns(c, &apps_v1_deployment_type, NULL, NULL); rc |= core_v1_pod_type.kind == NULL;'
    says 0 'it needs libmine.so.1, which was not read' --from "$scratch/program"
    "$kubegen" rbac --from "$scratch/program" --from "$scratch/libmine.so" >"$scratch/role.yaml" 2>"$scratch/errors"
    [[ ! -s $scratch/errors ]] || fail "a library with calls: $(cat "$scratch/errors")"
    rights "$scratch/role.yaml" | grep -qxF 'get pods.' || fail 'a library with calls: no rights'
    for strip in strip llvm-strip llvm-strip-14; do
        ! command -v $strip >/dev/null || $strip -o "$scratch/other" "$scratch/program"
        "$kubegen" rbac --from "$scratch/other" 2>/dev/null | grep -q deployments || fail "$strip takes the Kinds away"
    done
}
[[ -z $libkube ]] || what_records_say

# ---- no program, or a damaged one -----------------------------------------------------------------

# patched OFFSET BYTES: the program with other bytes there.
program=$scratch/stripped
patched() {
    cp "$program" "$scratch/patched"
    printf "$2" | dd of="$scratch/patched" bs=1 seek="$1" conv=notrunc status=none
}
says 1 'no ELF file' --from "$root/README.md"
says 1 'no ELF file' --from "$scratch"
mkfifo "$scratch/pipe"
says 1 'no ELF file' --from "$scratch/pipe"
says 1 'No such file' --from "$scratch/nowhere"
says 1 'it has no records of rights' --from "$kubegen"
patched 4 '\1'
says 1 'not of 64 bits' --from "$scratch/patched"
patched 5 '\2'
says 1 'another byte order' --from "$scratch/patched"
patched 40 '\0\0\0\0\0\0\0\0'
says 1 'lost its section headers' --from "$scratch/patched"
patched 40 '\377\377\377\377\377\377\377\177'
says 1 'section headers are damaged' --from "$scratch/patched"
LC_ALL=C sed 's/use list,watch/wse list,watch/' "$program" >"$scratch/patched"
says 1 "the record 'wse " --from "$scratch/patched"
says 1 "$scratch/patched: the record 'wse " --from "$program" --from "$scratch/patched"
# What would paint the terminal.
LC_ALL=C sed 's/\(use [a-z,]* - \)kube\(_[a-z_]* \)&/\1\x1b[3m\2\xff/g' "$program" >"$scratch/patched"
says 0 '<U+001B>[3m_' --from "$scratch/patched"
LC_ALL=C grep -q $'[\x1b\xff]' "$scratch/out" && fail 'a record writes to the terminal what it likes'
# Whatever the bytes, it ends by itself. The header, the section headers, and cut anywhere.
size=$(stat -c %s "$program")
sections=$(od -An -t u8 -j 40 -N 8 "$program" | tr -d ' ')
RANDOM=7
for ((i = 0; i < 200; i++)); do
    case $((i % 4)) in
        0) at=$((RANDOM % 64)) ;;
        1 | 2) at=$((sections + (RANDOM * 32768 + RANDOM) % (size - sections))) ;;
        3) at=-1 ;;
    esac
    if ((at >= 0)); then
        patched "$at" "\\x$(printf %x $((RANDOM % 256)))"
    else
        head -c $(((RANDOM * 32768 + RANDOM) % size)) "$program" >"$scratch/patched"
    fi
    status=0
    "$kubegen" rbac --from "$scratch/patched" >/dev/null 2>&1 || status=$?
    ((status <= 1)) || fail "byte $at: status $status"
done

says 2 'rbac needs a directory'
says 2 '--namespace and --lease are for --from' "$scratch" --namespace x
says 2 '--lease is not a name' --from "$network" --lease 'a: b'

exit $((failures > 0))
