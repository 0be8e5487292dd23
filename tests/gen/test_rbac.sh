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
# What is no text would be half a role, or one that no YAML reader takes.
one=groups=core,resources=secrets,verbs=get
mkdir "$scratch/strange"
strange=$scratch/strange/x.c
printf '// +kubebuilder:rbac:%s\n\0\n// +kubebuilder:rbac:%s\n' $one $one >"$strange"
says 1 'x.c:2:1: error: this is a zero byte: nothing after it would be read' "$strange"
printf '// +kubebuilder:rbac:%s,resourceNames="a\xffb"\n' $one >"$strange"
says 1 "x.c:1:76: error: a value of 'resourceNames' has control characters, or is not UTF-8" "$strange"
printf '// +kubebuilder:rbac:%s,resourceNames="a\\nb: c"\n' $one >"$strange"
says 1 "a value of 'resourceNames' has control characters" "$strange"
printf '// +kubebuilder:rbac:%s,roleName="a\x01"\n' $one >"$strange"
says 1 "a value of 'roleName' has control characters" "$strange"
printf '// +kubebuilder:rbac%s=\n' "$(head -c 1000000 /dev/zero | tr '\0' a)" >"$strange"
says 1 'no file has a rule' "$strange"
printf '\xef\xbb\xbf// +kubebuilder:rbac:%s\r\n' $one >"$strange"
says 0 '- secrets' "$strange"
mkdir "$scratch/strange/directory.c"
mkfifo "$scratch/strange/pipe.c"
says 0 '- secrets' "$scratch/strange"
says 2 "--role-name is not a role's name" merge --role-name $'a/b\nc: d'

# Pipes and devices are written to, not read and replaced.
timeout 60 "$kubegen" rbac merge -o "$scratch/strange/pipe.c" &
timeout 60 cmp role.yaml "$scratch/strange/pipe.c" || fail "a pipe gets something else"
wait $! || fail "a pipe is no failure"
[[ -p $scratch/strange/pipe.c ]] || fail "a pipe was replaced"

says 1 'has no .h and no .c files' "$scratch/empty"
says 1 'no file has a rule' "$scratch/plain"
says 1 'cannot read nowhere: No such file or directory' nowhere
says 2 'rbac needs a directory'
says 2 'not both' merge -o x --output-dir y
says 2 'rbac has no option --role-nam: did you mean --role-name?' merge --role-nam x
says 0 'usage: kubegen rbac' --help

echo "test_rbac: $failures failures"
((failures == 0))
