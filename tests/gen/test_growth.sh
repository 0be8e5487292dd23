#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Nothing in kubegen is quadratic: inputs of n, 2n and 4n things, made to be slow, and instructions
# that are counted by valgrind, not time. KUBEGEN names the command.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
kubegen=$(realpath "$KUBEGEN")
export KUBEGEN_INCLUDE=$source/runtime/include:$source/apis
command -v valgrind >/dev/null || { echo "test_growth: there is no valgrind"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failures=0

top='// +groupName=things.example.com\n#pragma once\n#include <kube/meta.h>\n'

# times N FORMAT: the line with 1 to N in place of its numbers.
times() {
    awk -v n="$1" -v line="$2" 'BEGIN { for (i = 1; i <= n; i++) { l = line; gsub(/@/, i, l); printf "%s\n", l } }'
}

# Makes the input of a case with $2 things.
make_members() {
    printf "$top"
    echo 'typedef struct things_v1_s {'
    times "$1" '    // +optional\n    const char *member_@;'
    echo '} things_v1_s;'
}
make_types() {
    printf "$top"
    times "$1" '/** One. */\ntypedef struct things_v1_s@ {\n    const char *x;\n} things_v1_s@;\nKUBE_DECLARE_LIST(things_v1_s@);'
    echo 'typedef struct things_v1_all {'
    times "$1" '    things_v1_s@_list list_@;'
    echo '} things_v1_all;'
}
make_enums() {
    printf "$top"
    times "$1" '#define E_@ "value @"'
    printf 'typedef struct things_v1_s {\n    // +enum=E\n    const char *x;\n    // +kubebuilder:validation:Enum='
    times "$1" 'v@;' | tr -d '\n'
    printf 'v\n    const char *y;\n    // +default={'
    times "$1" '"k@":"v",' | tr -d '\n'
    printf '"k":"v"}\n    kube_string_map z;\n} things_v1_s;\n'
}
make_rules() {
    times "$1" '// +kubebuilder:rbac:groups=g@.example.com,resources=r@,verbs=get,namespace=n@'
    times "$1" '// +kubebuilder:rbac:groups=apps,resources=r@,verbs=get;list'
}
make_states() { # things, what their names begin with
    printf '{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"group":"toys.example.com","names":{"kind":"Toy","plural":"toys"},"versions":[{"name":"v1","schema":{"openAPIV3Schema":{"type":"object","properties":{"a":{"type":"string","enum":['
    times "$1" "\"$2@\","
    printf '""]}'
    times "$1" ",\"$2@\":{\"type\":\"string\"}"
    printf '}}}}]}}'
}
make_document() {
    echo '{"openapi":"3.0.0","paths":{"/apis/toys.example.com/v1/widgets":{"get":{"x-kubernetes-group-version-kind":{"group":"toys.example.com","version":"v1","kind":"Widget"}}}'
    times "$1" ',"/apis/toys.example.com/v1/widgets/{name}/sub@":{"get":{}}'
    echo '},"components":{"schemas":{"com.example.toys.v1.Widget":{"type":"object","x-kubernetes-group-version-kind":[{"group":"toys.example.com","version":"v1","kind":"Widget"}],"properties":{"metadata":{"type":"object"}'
    # All of them would have one name in C; each has a schema and an enum.
    awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) { s = ""; for (k = i; k > 0; k = int(k / 3)) s = s substr(".:/", k % 3 + 1, 1); printf ",\"a%s\":{\"$ref\":\"#/components/schemas/S%d\"},\"e%d\":{\"type\":\"string\",\"enum\":[\"x\",\"X\"]}\n", s, i, i } }'
    echo '},"required":["metadata"'
    times "$1" ',"e@"'
    echo ']}'
    times "$1" ',"S@":{"type":"object","properties":{"x":{"type":"array","items":{"$ref":"#/components/schemas/S@"}}}}'
    echo '}}}'
}

# A CRD on one line, or on lines that a carriage return ends.
make_crd() {
    printf '{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Thing","plural":"things"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","x":['
    times "$1" '"v@",' | tr -d '\n'
    times "$1" '"v@",' | tr '\n' '\r'
    printf '1]}}}]}}'
}

run() { # case
    case $1 in
        rules) "${prefix[@]}" rbac input.c -o out.yaml ;;
        document) "${prefix[@]}" import openapi input.json --group toys.example.com --version v1 \
            --kind Widget --output out/toys/v1 ;;
        crd) "${prefix[@]}" import crd input.json --output-dir out ;;
        states) "${prefix[@]}" diff --allow 'field-*' --allow 'enum-*' old.json new.json ;;
        *) "${prefix[@]}" generate --out-root out things/v1 ;;
    esac
}

# count CASE N: instructions, in millions.
count() {
    rm -rf out things input.*
    mkdir -p things/v1 out
    case $1 in
        rules) make_rules "$2" >input.c ;;
        document | crd) "make_$1" "$2" >input.json ;;
        states) make_states "$2" old >old.json && make_states "$2" new >new.json ;;
        *) "make_$1" "$2" >things/v1/types.h ;;
    esac
    prefix=(valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null
        --trace-children=no --log-file=log.%p "$kubegen")
    rm -f log.*
    run "$1" >said 2>&1 || { echo "$1 $2: $(head -3 said)" >&2; return 1; }
    # The work is done in the child.
    awk '/I +refs:/ { gsub(/,/, ""); if ($NF > most) most = $NF } END { printf "%d\n", most / 1000000 }' log.*
}

for case in members types enums rules document crd states; do
    n=1000
    a=$(count $case $n) b=$(count $case $((2 * n))) c=$(count $case $((4 * n)))
    echo "$case: $a, $b, $c million instructions for $n, $((2 * n)), $((4 * n))"
    # Linear, or n log n: the second step costs about twice the first one; four times if quadratic.
    if ((c - b > 5 * (b - a) / 2 + 20)); then
        echo "test_growth: $case grows faster than its input" >&2
        failures=$((failures + 1))
    fi
done
((failures == 0)) || exit 1
