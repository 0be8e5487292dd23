#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kubegen import crd: the CRDs of import/crds come back, names last, and what it says when it cannot.
# KUBEGEN names the command.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
crds=$source/tests/gen/import/crds
kubegen=$(realpath "$KUBEGEN")
unset KUBEGEN_INCLUDE
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failures=0

fail() {
    echo "test_import_crd: $*" >&2
    failures=$((failures + 1))
}

# refuses 'a line on stderr' ARGUMENT…
refuses() {
    local status=0 line=$1
    shift
    "$kubegen" import crd "$@" --output-dir refused >out 2>&1 || status=$?
    [[ $status != 0 ]] || fail "import crd $*: is not refused"
    grep -qxF -- "$line" out || fail "import crd $*: says '$(cat out)', not '$line'"
    [[ ! -e refused ]] || fail "import crd $*: writes something"
}

# has FILE 'a line': the line is in the file.
has() {
    grep -qxF -- "$2" "$1" || fail "$1 has no line '$2'"
}

# crd NAME 'SCHEMA' [VERSION]: writes NAME.yaml, the CRD of a Thing.
crd() {
    cat >"$1.yaml" <<END
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, plural: things}
  versions:
    - name: ${3:-v1}
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: $2}}}
END
}

# ---- there and back
"$source/tests/gen/round-trip.sh" "$crds" || fail "not all CRDs come back"
"$kubegen" import crd "$crds" -I "$source/apis" --output-dir apis --names names.yaml
"$kubegen" import crd "$crds" --schema crd.list
"$kubegen" crd apis/*/* -I "$source/apis" --output-dir back
"$kubegen" import crd back --schema back.list
diff crd.list back.list || fail "the CRDs do not come back when they are imported together"

# ---- equal structs are one, those of the shipped APIs are included, names are short
has apis/shared/v1/types.h '#include <core/v1/types.h>'
has apis/shared/v1/types.h '    core_v1_object_field_selector *field;'
has apis/shared/v1/types.h '    kube_label_selector *selector;'
has apis/shared/v1/types.h '    kube_condition_list conditions;'
[[ $(grep -c '^typedef struct .*tls' apis/shared/v1/types.h) == 3 ]] || fail "equal structs are not one"
"$kubegen" import crd "$crds/shared.yaml" -I "$source/apis" --inline --output-dir alone
! grep -q 'core/v1' alone/shared/v1/types.h || fail "--inline includes a shipped API"
has apis/networking-example/v2/types.h '// +groupName=networking.example.com'

# ---- names last: the order of the documents does not count, and a new struct takes no name
cp -r apis before
"$kubegen" import crd $(ls -r "$crds"/*) -I "$source/apis" --output-dir apis --names names.yaml
diff -r before apis || fail "the order of the documents changes the headers"
crd one '{type: object, properties: {a: {type: object, properties: {tls: {type: object, properties: {x: {type: string}}}}}}}'
"$kubegen" import crd one.yaml --output-dir one --names kept.yaml
has one/example/v1/types.h '} example_v1_tls;'
crd one '{type: object, properties: {
    a: {type: object, properties: {tls: {type: object, properties: {x: {type: string}, z: {type: string}}}}},
    b: {type: object, properties: {tls: {type: object, properties: {y: {type: string}}}}}}}'
"$kubegen" import crd one.yaml --output-dir one --names kept.yaml
has one/example/v1/types.h '} example_v1_tls;'
has one/example/v1/types.h '} example_v1_b_tls;'
sed -i -e 's/: tls$/: security/' -e 's/^  structs:/  members: {Thing.spec.a.tls: secured}\n  structs:/' kept.yaml
"$kubegen" import crd one.yaml --output-dir one --names kept.yaml
has one/example/v1/types.h '    // +json=tls'
has one/example/v1/types.h '    example_v1_security *secured;'
cp kept.yaml again.yaml
"$kubegen" import crd one.yaml --output-dir one --names kept.yaml
diff again.yaml kept.yaml || fail "a second import changes the file of names"

# ---- a member keeps its name
crd alike '{type: object, properties: {fooBar: {type: string}, foo_bar: {type: integer}}}'
"$kubegen" import crd alike.yaml --output-dir alike --names alike.names
has alike/example/v1/types.h '    kube_opt_int64 foo_bar;'
has alike/example/v1/types.h '    const char *foo_bar_2;'
crd alike '{type: object, properties: {foo-bar: {type: boolean}, fooBar: {type: string}, foo_bar: {type: integer}, FooBar: {type: boolean}}}'
"$kubegen" import crd alike.yaml --output-dir alike --names alike.names
has alike/example/v1/types.h '    const char *foo_bar_2;'
has alike/example/v1/types.h '    kube_opt_int64 foo_bar;'
"$kubegen" import crd alike.yaml --output-dir alone --names none.names
has alone/example/v1/types.h '    kube_opt_int64 foo_bar;'

# ---- a scale goes by the object, which may have more than the schema names
# scales SPECPATH STATUSPATH SELECTORPATH: the CRD with it.
scales() {
    crd scale '{type: object, properties: {n: {type: number}, open: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}},
        roles: {type: object, additionalProperties: {type: object, properties: {replicas: {type: integer, format: int32}}}}}}'
    sed -i "s/      served: true/&\n      subresources: {status: {}, scale: {specReplicasPath: $1, statusReplicasPath: $2, labelSelectorPath: $3}}/" scale.yaml
    "$kubegen" import crd scale.yaml --output-dir scale >out 2>&1 || fail "scale of $1: says $(cat out)"
    "$kubegen" crd scale/example/v1 --output-dir scale/crd || fail "scale of $1: no CRD"
}
for path in .spec.roles.Worker.replicas .spec.n .spec.open.any.where; do
    scales "$path" .status.replicas .status.selector
    [[ ! -s out ]] || fail "scale of $path: says $(cat out)"
    grep -rqF "specReplicasPath: $path" scale/crd || fail "the scale of $path is lost"
done
scales .spec.open.a .status.replicas .status.selector
has out "scale.yaml:9:7: warning: the header leaves out: the scale subresource (no number is at '.spec.open.a' or at '.status.replicas')"
scales .spec.n .status.replicas .spec.n
has out "scale.yaml:9:7: warning: the header leaves out: the selector of the scale subresource (no string is at '.spec.n')"
sed -i "s/      served: true/&\n      additionalPrinterColumns: [{name: A, type: string, jsonPath: '.spec[\"n\"]'}]/" scale.yaml
"$kubegen" import crd scale.yaml --output-dir scale >out 2>&1
grep -q "leaves out: the selector of the scale .*, the column 'A'$" out || fail "a column that generate refuses: says $(cat out)"
"$kubegen" generate scale/example/v1 || fail "a column that generate refuses is in the header"

# ---- a header keeps its place
# of GROUP KIND: writes GROUP.yaml.
of() {
    crd "$1" '{type: string}'
    sed -i "s/example\.com/$1/; s/Thing/$2/" "$1.yaml"
}
of config.a.com Thing
of config.b.com Thing
"$kubegen" import crd config.a.com.yaml --output-dir places --names places.yaml
cp places/config/v1/types.h before.h
"$kubegen" import crd config.b.com.yaml --output-dir places >out 2>&1 && fail "another group's header is overwritten"
grep -qxF "places/config/v1/types.h: error: this header is of the group config.a.com, and the one of config.b.com would take its place: give config.b.com a directory of its own with --names FILE, in which stands 'directories: {config.b.com: <directory>}'" out ||
    fail "another group's header: says '$(cat out)'"
"$kubegen" import crd config.b.com.yaml --output-dir places --names places.yaml
has places/config-b/v1/types.h '// +groupName=config.b.com'
of config.a.com Other
"$kubegen" import crd config.a.com.yaml --output-dir places >out 2>&1 && fail "a Kind is removed"
grep -qxF 'places/config/v1/types.h: error: this header has the Kind Thing, which the import would remove: import its CRD along, or delete the header first' out ||
    fail "a Kind that would go: says '$(cat out)'"
cmp before.h places/config/v1/types.h || fail "a refused import changes a header"
for group in foo.a.com foo.b.com foo-b.com 3scale.net; do
    of "$group" Thing
done
"$kubegen" import crd {foo.a,foo.b,foo-b}.com.yaml 3scale.net.yaml --output-dir groups
has groups/foo-a/v1/types.h '// +groupName=foo.a.com'
has groups/foo-b/v1/types.h '// +groupName=foo-b.com'
has groups/foo-b-com/v1/types.h '// +groupName=foo.b.com'
has groups/g3scale/v1/types.h '// +groupName=3scale.net'
"$kubegen" generate groups/*/* || fail "no code of several groups"

# ---- what is chosen, and where it comes from
"$kubegen" import crd "$crds" --kind Pump --output-dir chosen --license MIT --docs
[[ $(find chosen -type f) == chosen/water/v1/types.h ]] || fail "--kind takes other Kinds too"
has chosen/water/v1/types.h '/** A pump. It says * / and / * and // and +genclient. */'
"$kubegen" import crd - <"$crds/versions.yaml" --version v2 --output-dir piped
[[ $(find piped -type f) == piped/networking-example/v2/types.h ]] || fail "--version takes others"

mkdir -p served/apis/apiextensions.k8s.io/v1
cp "$crds/list.json" served/apis/apiextensions.k8s.io/v1/customresourcedefinitions
coproc server { exec python3 -u -c '
import functools, http.server
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory="served")
server = http.server.HTTPServer(("127.0.0.1", 0), handler)
print(server.server_port)
server.serve_forever()' 2>server.log; }
server_pid=$server_PID
trap 'kill "$server_pid" 2>/dev/null; rm -rf "$scratch"' EXIT
read -r port <&"${server[0]}"
cat >kubeconfig <<END
current-context: here
contexts: [{name: here, context: {cluster: local}}]
clusters: [{name: local, cluster: {server: "http://127.0.0.1:$port/"}}]
END
KUBECONFIG=$PWD/none:$PWD/kubeconfig "$kubegen" import crd cluster --output-dir asked
[[ $(find asked -type f) == asked/listed/v1/types.h ]] || fail "the cluster's CRDs are not imported"
sed 's/{cluster: local}/{cluster: local, user: me}/; $a users: [{name: me, user: {token: secret}}]' kubeconfig >secret
KUBECONFIG=secret refuses 'kubegen: error: a token, a certificate or a password is only sent by https' cluster
sed 's/{token: secret}/{exec: {command: aws}}/' secret >program
KUBECONFIG=program refuses "program:4:27: error: 'exec' is not understood here: kubectl get crd -o yaml | kubegen import crd -" cluster
for key in as: proxy-url: tls-server-name:; do
    sed "s/{token: secret}/{$key x}/; s/{server:/{$key x, server:/" secret >other
    KUBECONFIG=other "$kubegen" import crd cluster >out 2>&1 && fail "$key is ignored"
    grep -q "'${key%:}' is not understood here" out || fail "$key: says '$(cat out)'"
done
mkdir -p part
echo 'current-context: here' >part/first
echo 'contexts: [{name: here, context: {cluster: local, user: me}}, {name: there}]' >part/second
echo 'current-context: there
contexts: [{name: here}]
users: [{name: me, user: {token: "a\nb", tokenFile: token}}]
clusters: [{name: local, cluster: {server: "127.0.0.1:'"$port"'", insecure-skip-tls-verify: true}}]' >part/third
KUBECONFIG=part/none:part/first:part/second:part/third refuses \
    'kubegen: error: cannot read part/token: No such file or directory' cluster
sed -i 's/, tokenFile: token//' part/third
KUBECONFIG=part/first:part/second:part/third refuses \
    "kubegen: error: the kubeconfig's 'token' does not hold a token" cluster
sed -i 's/, insecure-skip-tls-verify: true//; s/^users:.*/users: [{name: me, user: {}}]/' part/third
KUBECONFIG=part/first:part/second:part/third "$kubegen" import crd cluster --output-dir merged
diff -r asked merged || fail "the files of KUBECONFIG are not read together"
KUBECONFIG=none refuses 'kubegen: error: there is no kubeconfig: set KUBECONFIG' cluster

# ---- text stays text: neither code nor a marker becomes of it
evil='"*/\nint PWNED;\n#error PWNED\n// +optional \u202e\\"'
crd hostile "{type: object, description: $evil, title: $evil, example: $evil, properties: {
    $evil: {type: string}, a: {type: string, description: $evil, default: $evil, enum: [$evil], pattern: $evil},
    b: {type: array, items: {type: string, format: $evil}, x-kubernetes-validations: [{rule: $evil, message: $evil}]},
    c: {type: object, description: $evil, properties: {d: {type: integer}}}}}"
sed -i 's|plural: things|&, shortNames: ["t,scope=Cluster", th], categories: ["a;b", all]|' hostile.yaml
sed -i "s|      served: true|&\n      deprecated: true\n      deprecationWarning: ${evil//\\/\\\\}\n      additionalPrinterColumns: [{name: ${evil//\\/\\\\}, type: string, jsonPath: .spec.a, description: ${evil//\\/\\\\}},\n        {name: A, type: 'string,priority=7', jsonPath: .spec.a},\n        {name: B, type: string, format: 'date,priority=7', priority: '0,type=date', jsonPath: .spec.a}]\n      subresources: {scale: {specReplicasPath: .spec.c.d, statusReplicasPath: .spec.c.d, labelSelectorPath: '.x,specpath=.y'}}|" hostile.yaml
"$kubegen" import crd hostile.yaml --docs --output-dir hostile
! cc -E -P -I"$source/runtime/include" hostile/example/v1/types.h | sed 's/"[^"]*"//g' | grep PWNED ||
    fail "text of a CRD becomes code"
has hostile/example/v1/types.h '// +kubebuilder:resource:shortName=th,categories=all'
has hostile/example/v1/types.h '// +kubebuilder:printcolumn:name="B",type=string,JSONPath=".spec.a"'
! grep -q 'specpath=.y' hostile/example/v1/types.h || fail "a selector's path becomes another argument"
! grep -q 'name="A"' hostile/example/v1/types.h || fail "a column has a type that no server takes"
! grep -P '^(?! *(//|\*| \*)).*PWNED' hostile/example/v1/types.h || fail "text of a CRD begins a line"

# ---- `kubegen diff` finds the CRDs that `import` finds; neither reads hidden files
mkdir -p found/old found/new
cp one.yaml found/old
echo '{' >found/old/.hidden.yaml
{
    printf 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitionList\nitems:\n- '
    tail -n +3 one.yaml | sed '2,$s/^/  /'
} >found/new/list.yaml
"$kubegen" diff found/old found/new || fail "diff does not read a server's list"
"$kubegen" import crd found/old --output-dir visible || fail "a hidden file is read"

# ---- refusals: a line with the place
refuses 'kubegen: error: cannot read none.yaml: No such file or directory' none.yaml
printf 'kind: ConfigMap\n' >map.yaml
refuses 'kubegen: error: there is no CustomResourceDefinition in what was given' map.yaml
refuses 'kubegen: error: no CRD has that --group, --version and --kind' "$crds" --kind Nothing
printf 'a: [1\nb: }\n' >bad.yaml
"$kubegen" import crd bad.yaml >out 2>&1 && fail "bad YAML is read"
grep -q '^bad.yaml:2:2: error: ' out || fail "bad.yaml: says '$(cat out)'"
sed 's|apiextensions.k8s.io/v1|apiextensions.k8s.io/v1beta1|' "$crds/bare.yaml" >old.yaml
refuses "old.yaml:2:1: error: this CRD is of apiextensions.k8s.io/v1beta1: only apiextensions.k8s.io/v1 is read" old.yaml
cp "$crds/bare.yaml" twice.yaml
refuses 'twice.yaml:13:7: error: Blob of bare.k8s.io/v1 is here a second time' "$crds/bare.yaml" twice.yaml
crd version '{type: string}' v1-special
refuses "version.yaml:9:7: error: the version 'v1-special' of Thing cannot be a directory of headers: it must be v<N>, v<N>alpha<M> or v<N>beta<M>" version.yaml
sed 's/kind: Thing/kind: thing/' version.yaml >kind.yaml
refuses "kind.yaml:7:11: error: spec.names.kind: 'thing' is not a Kind: letters and digits, a capital first" kind.yaml
printf 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n' >spec.yaml
refuses 'spec.yaml:1:1: error: spec: a CRD needs one, with group, names and versions' spec.yaml
sed -e 's/^spec:/&\n  preserveUnknownFields: true/' one.yaml >served.yaml
"$kubegen" import crd served.yaml --output-dir served.old >out 2>&1
grep -q '^served.yaml:10:7: warning: Thing has spec.preserveUnknownFields,' out || fail "preserveUnknownFields: says '$(cat out)'"
sed -e 's/schema: .*/schema: {}/' -e s/v1-special/v1/ version.yaml >schema.yaml
refuses 'schema.yaml:12:7: error: v1 of Thing has no schema.openAPIV3Schema' schema.yaml
crd names '{type: object, properties: {a: true}}'
refuses "names.yaml:9:7: error: the schema of Thing: 'properties' has schemas in it, which are objects" names.yaml
crd odd '{type: string, maximum: high}'
refuses "odd.yaml:9:7: error: the schema of Thing: 'maximum' is a number" odd.yaml
crd ignored '{type: string, x-unknown: 3, default: null}'
sed -i 's/      served: true/&\n      additionalPrinterColumns: [{name: No, type: string, jsonPath: .spec.no.where}]\n      subresources: {scale: {specReplicasPath: .spec, statusReplicasPath: .no}}/' ignored.yaml
"$kubegen" import crd ignored.yaml --output-dir ignored
"$kubegen" generate ignored/example/v1 || fail "what a server ignores is in the header"
echo '[1, 2]' >list.names
refuses 'list.names:1:1: error: a file of names is a map, such as one that --names has written' one.yaml --names list.names
printf 'example.com/v1: {structs: {Thing.spec: "int x;"}}\n' >evil.names
refuses "evil.names: error: names: 'int x;' is not in snake_case, without the prefix" one.yaml --names evil.names
{
    printf 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n'
    for i in {1..9}; do
        printf 'a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n' "$i" "$i" $(yes $((i - 1)) | head -8)
    done
} >bomb.yaml
"$kubegen" import crd bomb.yaml >out 2>&1 && fail "an alias bomb is read"
[[ $(wc -l <out) -le 6 ]] || fail "bomb.yaml: says $(cat out)"
crd deep "$(printf '{type: array, items: %.0s' {1..150}){type: string}$(printf '}%.0s' {1..150})"
"$kubegen" import crd deep.yaml --output-dir deep >out 2>&1 || grep -q '^deep.yaml:9:' out || fail "deep.yaml: says $(cat out)"

[[ $failures == 0 ]]
