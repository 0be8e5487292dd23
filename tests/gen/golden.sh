#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Golden output: each directory of golden/ has headers and, in want/, files that kubegen must write
# for them. What is written is also compiled: as C11 with gcc and clang, its headers as C++17.
#   golden.sh check    compare; golden.sh refresh: put the files of want/ in their new state
# KUBEGEN names the command.
set -euo pipefail
cd "$(dirname "$0")/golden"
mode=${1:-check}
kubegen=$(realpath "$KUBEGEN")
runtime=$(realpath ../../../runtime/include)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
    echo "golden: $*" >&2
    failures=$((failures + 1))
}

# The inputs of a case: its API directories, or what its file `inputs` lists.
inputs() {
    if [[ -e $1/inputs ]]; then
        sed "s|^|$1/|" "$1/inputs"
    else
        find "$1" -path "$1/want" -prune -o -name types.h -print | sort | xargs -n1 dirname
    fi
}

write_case() { # case, output directory
    local dirs
    mapfile -t dirs < <(inputs "$1")
    "$kubegen" generate -I "$1" --out-root "$2" "${dirs[@]}" || return 1
    [[ ! -d $1/want/docs ]] || "$kubegen" docs -I "$1" "${dirs[@]}" --output-dir "$2/docs"
    [[ ! -d $1/want/crd ]] || "$kubegen" crd -I "$1" "${dirs[@]}" --output-dir "$2/crd"
}

check_wanted() { # case
    local file
    while read -r file; do
        if [[ $mode == refresh ]]; then
            cp "$scratch/$1/$file" "$1/want/$file"
        elif ! diff -u "$1/want/$file" "$scratch/$1/$file"; then
            fail "$1: $file is not what is wanted (see above)"
        fi
    done < <(cd "$1/want" && find . -type f | sort)
}

# The same bytes when run again, which touches nothing, and from another directory.
check_again() { # case
    local dirs moved=$scratch/moved/$1
    touch -d @1 "$(find "$scratch/$1" -type f | sort | head -1)"
    write_case "$1" "$scratch/$1"
    [[ -z $(find "$scratch/$1" -type f ! -newermt @2 -print -quit) ]] &&
        fail "$1: a file was written that had not changed"
    cp -r "$1" "$scratch/copy-$1"
    mapfile -t dirs < <(cd "$scratch" && cd "copy-$1" && inputs . )
    (cd "$scratch/copy-$1" && "$kubegen" generate -I . --out-root "$moved" "${dirs[@]}")
    while read -r file; do
        cmp "$scratch/$1/$file" "$moved/$file" || fail "$1: $file depends on where kubegen runs"
    done < <(cd "$moved" && find . -type f)
}

check_compiles() { # case
    local includes=(-I "$scratch/$1" -I "$1" -I "$runtime") compiler file
    local warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only)
    for compiler in gcc clang; do
        command -v "$compiler" >/dev/null || compiler=$compiler-14
        command -v "$compiler" >/dev/null || continue
        while read -r file; do
            "$compiler" -std=c11 "${warnings[@]}" -Wstrict-prototypes -Wmissing-prototypes \
                "${includes[@]}" "$file" || fail "$1: $compiler does not take ${file#"$scratch/"}"
        done < <(find "$scratch/$1" -name '*.c' | sort)
    done
    command -v g++ >/dev/null || return 0
    while read -r file; do
        g++ -x c++ -std=c++17 "${warnings[@]}" "${includes[@]}" "$file" 2>"$scratch/errors" ||
            { cat "$scratch/errors"; fail "$1: g++ does not take ${file#"$scratch/"}"; }
    done < <(find "$scratch/$1" -name api.h | sort)
}

# The same layout as by hand, but for a header's own types.h, which comes before <kube/…>.
check_format() { # case
    command -v clang-format-14 >/dev/null || return 0
    find "$scratch/$1" -name '*.[ch]' -print0 |
        xargs -0 clang-format-14 --dry-run -Werror --style=file:../../../.clang-format ||
        fail "$1: not in house format"
}

for case in */; do
    case=${case%/}
    write_case "$case" "$scratch/$case" || { fail "$case: kubegen failed"; continue; }
    check_wanted "$case"
    [[ $mode == check ]] || continue
    check_again "$case"
    check_compiles "$case"
    check_format "$case"
done
if [[ $mode == refresh ]]; then
    git status --short .
    exit 0
fi
echo "golden: $(find . -mindepth 1 -maxdepth 1 -type d | wc -l) cases, $failures failures"
((failures == 0))
