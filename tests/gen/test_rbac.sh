#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kubegen rbac: the roles of rbac/merge are those of rbac/role.yaml, the messages about rbac/errors
# those of rbac/errors.txt. KUBEGEN names the command.
set -euo pipefail
kubegen=$(realpath "$KUBEGEN")
cd "$(dirname "$0")/rbac"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
    echo "test_rbac: $*" >&2
    failures=$((failures + 1))
}

# says STATUS 'text' ARGUMENT…
says() {
    local status=0 want=$1 text=$2
    shift 2
    "$kubegen" rbac "$@" >"$scratch/out" 2>&1 || status=$?
    [[ $status == "$want" ]] || fail "rbac $*: status $status, not $want"
    grep -qF -- "$text" "$scratch/out" || fail "rbac $*: does not say '$text'"
}

"$kubegen" rbac merge >"$scratch/role.yaml"
diff -u role.yaml "$scratch/role.yaml" || fail "merge: these are not the roles (see above)"

# The order of inputs, and naming one twice, change nothing; nor does where the output goes.
"$kubegen" rbac merge/types.h merge/controller.c merge/ --output-dir "$scratch/dir"
cmp role.yaml "$scratch/dir/role.yaml" || fail "the order counts"
"$kubegen" rbac merge -o "$scratch/file.yaml"
cmp role.yaml "$scratch/file.yaml" || fail "-o writes something else"
touch -d @1 "$scratch/file.yaml"
"$kubegen" rbac merge -o "$scratch/file.yaml"
[[ $(stat -c %Y "$scratch/file.yaml") == 1 ]] || fail "a file was written that had not changed"
"$kubegen" rbac --role-name=other merge >"$scratch/other.yaml"
diff <(sed 's/manager-role/other/' role.yaml) "$scratch/other.yaml" || fail "--role-name is lost"

"$kubegen" rbac errors -o "$scratch/none.yaml" 2>"$scratch/errors" && fail "errors are no failure"
grep -E '^errors/[^:]*:[0-9]+:' "$scratch/errors" >"$scratch/lines" || true
diff -u errors.txt "$scratch/lines" || fail "errors: these are not the messages (see above)"
[[ ! -e $scratch/none.yaml ]] || fail "something was written in spite of errors"

mkdir "$scratch/empty" "$scratch/plain"
echo 'int x; // + y' >"$scratch/plain/plain.c"
says 1 'has no .h and no .c files' "$scratch/empty"
says 1 'no file has a rule' "$scratch/plain"
says 1 'cannot read nowhere: No such file or directory' nowhere
says 2 'rbac needs a directory'
says 2 'not both' merge -o x --output-dir y
says 2 'rbac has no option --role-nam: did you mean --role-name?' merge --role-nam x
says 0 'usage: kubegen rbac' --help

echo "test_rbac: $failures failures"
((failures == 0))
