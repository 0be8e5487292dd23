#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Generated code that is older than its header does not compile, with each compiler, and the error
# names the member and says what to do. Code that was generated for another libkube does not link.
#   test_stale.sh LIBKUBE; KUBEGEN names the command.
set -euo pipefail
libkube=$(realpath "$1")
kubegen=$(realpath "$KUBEGEN")
cd "$(dirname "$0")/golden/shapes"
runtime=$(realpath ../../../../runtime/include)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
types=$scratch/shapes/v1/types.h
code=$scratch/generated/shapes/v1/register.c
flags=(-std=c11 -Wpedantic -Wall -Wextra -Wconversion -Werror
    -I "$scratch/generated" -I "$scratch" -I "$runtime")
failures=0

fail() {
    echo "stale: $*" >&2
    failures=$((failures + 1))
}

# stale WHAT EDIT ERROR: with the header edited by sed, the old code is refused.
stale() {
    sed "$2" shapes/v1/types.h >"$types"
    cmp -s "$types" shapes/v1/types.h && fail "$1: the edit changed nothing"
    if "$compiler" "${flags[@]}" -fsyntax-only "$code" 2>"$scratch/errors"; then
        fail "$compiler takes old code: $1"
    elif ! grep -qF "$3: run kubegen" "$scratch/errors"; then
        fail "$compiler does not say '$3: run kubegen' but: $(head -3 "$scratch/errors")"
    fi
}

"$kubegen" generate -I . --out-root "$scratch/generated" shapes/v1
mkdir -p "$scratch/shapes/v1"
compilers=0
for compiler in gcc clang clang-14; do
    command -v "$compiler" >/dev/null || continue
    compilers=$((compilers + 1))
    cp shapes/v1/types.h "$types"
    "$compiler" "${flags[@]}" -fsyntax-only "$code" || fail "$compiler refuses fresh code"

    stale 'a text is a number' 's/const char \*text;/int32_t text;/' \
        'shapes_v1_all_spec.text is not const char *'
    stale 'a number is wider' 's/int32_t small;/int64_t small;/' \
        'shapes_v1_all_spec.small is not int32_t'
    stale 'a number may be absent' 's/double ratio;/kube_opt_double ratio;/' \
        'shapes_v1_all_spec.ratio is not double'
    stale 'a pointer is a value' 's/shapes_v1_port \*other_port;/shapes_v1_port other_port;/' \
        'shapes_v1_all_spec.other_port is not shapes_v1_port *'
    stale 'another struct' 's/shapes_v1_port main_port;/shapes_v1_common main_port;/' \
        'shapes_v1_all_spec.main_port is not shapes_v1_port'
    stale 'another list' 's/shapes_v1_port_list ports;/int32_t_list ports;/' \
        'shapes_v1_all_spec.ports is not shapes_v1_port_list'
    stale 'a list is a map' 's/kube_string_list names;/kube_string_map names;/' \
        'shapes_v1_all_spec.names is not kube_string_list'
    stale 'what is not named is kept elsewhere' 's/kube_extra extra;/kube_raw_json extra;/' \
        'shapes_v1_all_spec.extra is not kube_extra'
    stale 'a list of something else' \
        's/KUBE_DECLARE_LIST(shapes_v1_port);/typedef int32_t_list shapes_v1_port_list;/' \
        'shapes_v1_port_list.items is not shapes_v1_port *'
    stale 'a Kind without its base' 's/kube_object base;/kube_extra base;/' \
        'shapes_v1_all does not begin with its kube_object base'

    # What the other ABI's code refers to is not there.
    cp shapes/v1/types.h "$types"
    echo 'int main(void) { return shapes_v1_all_type.namespaced ? 0 : 1; }' |
        cat "$code" - >"$scratch/main.c"
    link=("$libkube" -Wl,--unresolved-symbols=ignore-in-shared-libs) # where sanitizers come from
    abi=$(grep -o 'kube_abi_[0-9]*' "$code" | head -1)
    "$compiler" "${flags[@]}" "$scratch/main.c" "${link[@]}" -o "$scratch/main" ||
        fail "$compiler: code of this libkube does not link"
    if "$compiler" "${flags[@]}" "-D$abi=kube_abi_1" "$scratch/main.c" "${link[@]}" \
        -o "$scratch/main" 2>"$scratch/errors"; then
        fail "$compiler: code of another libkube links"
    elif ! grep -q 'undefined.*kube_abi_1' "$scratch/errors"; then
        fail "$compiler does not say that kube_abi_1 is missing: $(head -3 "$scratch/errors")"
    fi
done
echo "stale: $compilers compilers, $failures failures"
((compilers > 0 && failures == 0))
