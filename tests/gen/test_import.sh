#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kubegen import: what it makes of import/document.json, and what it says when it cannot.
#   test_import.sh check    compare with import/golden; test_import.sh refresh: write that anew
# KUBEGEN names the command.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
golden=$source/tests/gen/import/golden
mode=${1:-check}
kubegen=$(realpath "$KUBEGEN")
unset KUBEGEN_INCLUDE
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cp "$source/tests/gen/import/document.json" .
toys=(--group toys.example.com --version v1)
kinds=(--kind Widget --kind HTTPGate --kind Lens --kind Question --type 'Box[]')
failures=0

fail() {
    echo "test_import: $*" >&2
    failures=$((failures + 1))
}

# same FILE NAME: as import/golden/NAME.
same() {
    if [[ $mode == refresh ]]; then
        mkdir -p "$golden"
        cp "$1" "$golden/$2"
    fi
    diff -u "$golden/$2" "$1" || fail "$2 differs"
}

# refuses STATUS 'the whole line on stderr' ARGUMENT…
refuses() {
    local status=0 expected=$1 line=$2
    shift 2
    "$kubegen" import openapi "$@" >out 2>&1 || status=$?
    [[ $status == "$expected" ]] || fail "import openapi $*: status $status, not $expected"
    [[ $(cat out) == "kubegen: $line" ]] || fail "import openapi $*: says '$(cat out)', not '$line'"
}

# ---- what is written
"$kubegen" import openapi document.json "${toys[@]}" "${kinds[@]}" -I "$source/apis"
same apis/toys/v1/types.h types.h
touch -d 2001-01-01 apis/toys/v1/types.h
"$kubegen" import openapi - "${toys[@]}" --type 'Box[]' --kind Lens --kind Question --kind Widget \
    --kind HTTPGate --kind Lens -I "$source/apis" <document.json
[[ $(stat -c %Y apis/toys/v1/types.h) == $(date -d 2001-01-01 +%s) ]] ||
    fail "the order of kinds changes the header, or what is the same is written again"

"$kubegen" import openapi document.json "${toys[@]}" --kind Widget --docs --inline --license MIT \
    --output docs/things/v1
same docs/things/v1/types.h docs.h

"$kubegen" import openapi document.json "${toys[@]}" --kind Widget --kind WidgetList --schema s.json
same s.json schema.json
[[ ! -e apis/widgets && $(find apis -type f | wc -l) == 1 ]] || fail "--schema writes a header too"

# ---- the generator takes it, compilers take what it makes
for root in apis docs; do
    "$kubegen" generate -I "$source/apis" -I "$source/runtime/include" "$root"/*/v1
    for file in "$root"/generated/*/v1/*.c; do
        cc -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only "-I$root" \
            "-I$root/generated" "-I$source/apis" "-I$source/apis/generated" \
            "-I$source/runtime/include" "$file" || fail "$file does not compile"
    done
done
"$kubegen" explain +listMapKey | grep -q 'elements of a +listType=map' || fail "explain +listMapKey"

# ---- what a server takes and the generator would not
cat >odd.json <<'END'
{"openapi": "3.0.0", "components": {"schemas": {"com.example.toys.v1.Odd": {
 "type": "object",
 "properties": {
  "metadata": {"type": "object"},
  "backwards": {"type": "integer", "minimum": 5, "maximum": 1},
  "few": {"type": "number", "minimum": 1.5, "maximum": 1.5},
  "twice": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n", "n"],
   "items": {"type": "object", "required": ["n"], "properties": {"n": {"type": "string"}}}},
  "untyped": {"type": "string", "pattern": 5, "minLength": "2"},
  "wide": {"type": "string", "minLength": 5, "maxLength": 3, "pattern": "^\\x{2028}$"}},
 "x-kubernetes-group-version-kind": [{"group": "toys.example.com", "version": "v1", "kind": "Odd"}]}}}}
END
"$kubegen" import openapi odd.json "${toys[@]}" --kind Odd --output odd/toys/v1
"$kubegen" generate -I "$source/runtime/include" odd/toys/v1
diff -u - <(grep -E '^ +// \+(list|kubebuilder)' odd/toys/v1/types.h) <<'END' || fail "odd.json"
    // +kubebuilder:validation:Minimum=1.5
    // +kubebuilder:validation:Maximum=1.5
    // +listType=map
    // +listMapKey=n
    // +kubebuilder:validation:Pattern=`^\x{2028}$`
END

# ---- what a server sets, requires and checks
cat >rules.json <<'END'
{"openapi": "3.0.0", "components": {"schemas": {
 "com.example.toys.v1.Ruled": {
  "type": "object",
  "properties": {
   "metadata": {"type": "object"},
   "spec": {"type": "object", "required": ["level", "port"], "properties": {
    "count": {"type": "integer", "format": "int32", "minimum": 0, "exclusiveMinimum": true,
     "maximum": 8, "multipleOf": 2, "default": 4},
    "level": {"type": "string", "default": ""},
    "misfit": {"type": "string", "default": 5},
    "mode": {"type": "string", "enum": ["On", "Off"], "default": "On"},
    "names": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3,
     "default": ["a", "b"]},
    "nothing": {"type": "integer", "format": "int32", "nullable": true, "default": null},
    "on": {"type": "boolean", "default": false},
    "pairs": {"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 2},
    "port": {"x-kubernetes-int-or-string": true, "default": "http"},
    "point": {"type": "integer", "minimum": 1, "exclusiveMinimum": true, "maximum": 1},
    "probe": {"type": "object", "default": {"path": "/"}, "minProperties": 1,
     "properties": {"path": {"type": "string"}}},
    "rest": {"type": "object", "default": {}, "properties": {"x": {"type": "string"}},
     "x-kubernetes-validations": [{"rule": "self.x != \"\\\\\"", "reason": "FieldValueInvalid"}]}},
    "x-kubernetes-validations": [{"rule": "self.count < 9\n  || self.on", "message": "a \"lot\"",
     "messageExpression": "self.level", "fieldPath": ".count"}]}},
  "x-kubernetes-validations": [{"rule": "self.spec == oldSelf.orValue(self).spec",
   "optionalOldSelf": true}],
  "x-kubernetes-group-version-kind": [{"group": "toys.example.com", "version": "v1", "kind": "Ruled"}]},
 "io.k8s.api.far.v1.Part": {"type": "object", "required": ["end", "size"], "properties": {
  "end": {"default": {}, "allOf": [{"$ref": "#/components/schemas/io.k8s.api.far.v1.End"}]},
  "phase": {"type": "string", "enum": ["Ready"], "default": ""},
  "size": {"type": "integer", "format": "int32", "default": 0},
  "state": {"type": "string", "enum": ["Up"], "x-kubegen-enum": "closed"}}},
 "io.k8s.api.far.v1.End": {"type": "object"}}}}
END
"$kubegen" import openapi rules.json "${toys[@]}" --kind Ruled --type io.k8s.api.far.v1.Part \
    --output rules/toys/v1
"$kubegen" generate -I "$source/runtime/include" rules/toys/v1
same rules/toys/v1/types.h rules.h

# ---- refusals
echo '{"openapi":"3.0.0","components":{"schemas":{}}}' >empty.json
echo '{"swagger":"2.0"}' >v2.json
echo '{"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1"}}}' >index.json
echo '{"openapi":"3.0.0","paths":{}}' >bare.json
echo 'openapi: 3.0.0' >text.json
printf 'kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\n' >crd.yaml
refuses 1 'cannot read none.json: No such file or directory' none.json "${toys[@]}" --kind Widget
refuses 1 'text.json: not JSON, at byte 0' text.json "${toys[@]}" --kind Widget
refuses 1 'standard input: not JSON, at byte 11' - "${toys[@]}" --kind Widget <<<'{"openapi":]'
refuses 1 'standard input: it is empty' - "${toys[@]}" --kind Widget </dev/null
refuses 1 "crd.yaml: this is YAML: 'kubegen import crd' reads CRDs" \
    crd.yaml "${toys[@]}" --kind Widget
refuses 1 'v2.json: this is OpenAPI v2: take the v3 of one group, such as /openapi/v3/apis/apps/v1' \
    v2.json "${toys[@]}" --kind Widget
refuses 1 'index.json: this is the index of documents: take one of them, such as /openapi/v3/apis/apps/v1' \
    index.json "${toys[@]}" --kind Widget
refuses 1 'bare.json: the document has no components.schemas' bare.json "${toys[@]}" --kind Widget
refuses 1 'toys.example.com/v1 has no kind Wigdet; it has Broken, Circle, HTTPGate, Keeper, Lens, Lonely, Near, Nears, Question, Widget' \
    document.json "${toys[@]}" --kind Wigdet
refuses 1 'the document has no kinds of toys.example.com/v2; it has toys.example.com/v1' \
    document.json --group toys.example.com --version v2 --kind Widget
refuses 1 'the document has no kinds of v1; it has no kinds' \
    empty.json --group core --version v1 --kind Pod
refuses 1 '#/components/schemas/com.example.toys.v1.Broken/properties/spec/properties/part: there is no schema #/components/schemas/com.example.toys.v1.Gone' \
    document.json "${toys[@]}" --kind Broken
refuses 1 '#/components/schemas/com.example.toys.v1.Broken/properties/spec/properties/part/$ref: there is no schema #/components/schemas/com.example.toys.v1.Gone' \
    document.json "${toys[@]}" --kind Broken --schema s.json
refuses 1 '#/components/schemas/com.example.toys.v1.Circle/properties/spec: this $ref leads in a circle' \
    document.json "${toys[@]}" --kind Circle
refuses 1 '#/components/schemas/com.example.toys.v1.Holder/properties/widget: the kind Widget is a member here, which a kind in C cannot be: leave out --kind Widget, or give it as --type' \
    document.json "${toys[@]}" --kind Keeper --kind Widget --inline
refuses 1 '#/components/schemas/com.example.toys.v1.Lonely/properties/far: cannot find <nowhere/v1/types.h>: name its directory with -I, declare its structs here with --inline, or import it first from /openapi/v3/apis/nowhere.k8s.io/v1 with --type Thing; #/components/schemas/com.example.toys.v1.Lonely/properties/near: cannot find <core/v1/types.h>: name its directory with -I, declare its structs here with --inline, or import it first from /openapi/v3/api/v1 with --type Missing' \
    document.json "${toys[@]}" --kind Lonely
refuses 1 '#/components/schemas/com.example.toys.v1.Near/properties/near: <core/v1/types.h> does not declare it: import it there from /openapi/v3/api/v1 with --type Missing' \
    document.json "${toys[@]}" --kind Near -I "$source/apis"
refuses 1 "core_v1_pod_spec_list: <core/v1/types.h> does not declare it: import it there from /openapi/v3/api/v1 with --type 'PodSpec[]'" \
    document.json "${toys[@]}" --kind Nears -I "$source/apis"
refuses 1 "#/components/schemas/com.example.toys.v1.Near/properties/near: <core/v1/types.h> does not declare it: import it there from /openapi/v3/api/v1 with --type Missing --type 'PodSpec[]'" \
    document.json "${toys[@]}" --kind Near --kind Nears -I "$source/apis"
refuses 1 '--type Bax: there is no schema com.example.toys.v1.Bax' \
    document.json "${toys[@]}" --kind Lens --type Bax
refuses 1 '--type Box[: write the name of a schema, with [] for a list of it' \
    document.json "${toys[@]}" --kind Lens --type 'Box['
refuses 1 '--type Colour: it is not a struct but const char *' \
    document.json "${toys[@]}" --kind Lens --type Colour
{
    echo '{"openapi": "3.0.0", "components": {"schemas": {"com.example.toys.v1.Vast": {"properties": {'
    printf '"m%d": {"type": "string"},\n' {1..8192}
    echo '"metadata": {"type": "object"}}, "x-kubernetes-group-version-kind":'
    echo '[{"group": "toys.example.com", "version": "v1", "kind": "Vast"}]}}}}'
} >vast.json
refuses 1 '#/components/schemas/com.example.toys.v1.Vast: the struct would have more than 65534 bytes or 20000 members' \
    vast.json "${toys[@]}" --kind Vast
refuses 1 '--output here: the directory must be <group>/<version>' \
    document.json "${toys[@]}" --kind Lens --output here
refuses 2 'import openapi needs a --kind (see: kubegen help import)' document.json "${toys[@]}"
refuses 2 'import openapi needs --group (core for the core group) (see: kubegen help import)' \
    document.json --version v1 --kind Lens
refuses 2 'import openapi needs a document: a file, a URL, or - for standard input (see: kubegen help import)' \
    "${toys[@]}" --kind Lens
refuses 2 '--version is v<N>, v<N>alpha<M> or v<N>beta<M> (see: kubegen help import)' \
    document.json --group toys.example.com --version one --kind Lens
refuses 2 'import has no option --kinds: did you mean --kind? (see: kubegen help import)' \
    document.json --kinds Lens
[[ ! -e here && $(find apis docs -type f -name types.h | wc -l) == 2 ]] || fail "an error leaves files"

((failures == 0)) || exit 1
