#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# That what an optimised build makes is hardened as hack/cmake/KubegenHardening.cmake says.
#   test_hardening.sh BUILD_DIRECTORY FILE…     programs, shared libraries, archives
set -euo pipefail
commands=$1/compile_commands.json
shift
failed=0

# wants FILE WHAT PATTERN TEXT: a line of the text matches.
wants() {
    grep -Eq -e "$3" <<<"$4" || {
        printf '%s: %s\n' "${1##*/}" "$2"
        failed=1
    }
}

is_x86() { case $(uname -m) in x86_64 | i?86) ;; *) return 1 ;; esac }

look_at_linked() {
    local headers symbols
    headers=$(readelf -hldW "$1")
    symbols=$(readelf --dyn-syms -W "$1")
    wants "$1" 'can only be loaded at one place' 'Type: +DYN' "$headers"
    case $1 in
        *.so*) ;;
        *) wants "$1" 'is not a position-independent program' 'FLAGS_1.*PIE' "$headers" ;;
    esac
    wants "$1" 'has relocations that stay writable' 'GNU_RELRO' "$headers"
    wants "$1" 'binds its symbols late' 'BIND_NOW|FLAGS_1.*NOW' "$headers"
    wants "$1" 'has a stack that can be executed' 'GNU_STACK.* RW +0x' "$headers"
    wants "$1" 'has no stack protector' '__stack_chk_fail' "$symbols"
    wants "$1" 'is not fortified' '__[a-z]+_chk' "$symbols"
    if grep -q TEXTREL <<<"$headers"; then
        printf '%s: has relocations in its code\n' "${1##*/}"
        failed=1
    fi
}

# CET is looked for in the objects: a program has it when the system's own objects do, too.
look_at_archive() {
    local bare
    bare=$(readelf -nW "$1" 2>/dev/null | awk '/^File:/ { if (file && !found) print file; file = $2; found = 0 }
        /x86 feature:.*IBT, SHSTK/ { found = 1 } END { if (file && !found) print file }')
    [ -z "$bare" ] || {
        printf 'without CET: %s\n' "$bare"
        failed=1
    }
}

for file; do
    case $file in
        *.a) ! is_x86 || look_at_archive "$file" ;;
        *) look_at_linked "$file" ;;
    esac
done

# What leaves no trace: every source of ours is compiled with it.
for flag in -fstack-clash-protection -fstack-protector-strong -D_FORTIFY_SOURCE=; do
    bare=$(grep '"command"' "$commands" | grep -E -- ' -c [^ ]*/(runtime|gen|apis|examples)/' |
        grep -v -e " $flag" | sed 's/.* -c //; s/",*$//' || true)
    [ -z "$bare" ] || {
        printf 'compiled without %s:\n%s\n' "$flag" "$bare"
        failed=1
    }
done
exit "$failed"
