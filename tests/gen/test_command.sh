#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The command line of kubegen: exit statuses, messages, what is written. KUBEGEN names the command.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
kubegen=$(realpath "$KUBEGEN")
export KUBEGEN_INCLUDE=$source/runtime/include:$source/apis
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
count=0
failures=0

fail() {
    echo "test_command: $*" >&2
    failures=$((failures + 1))
}

# expect STATUS 'text on stdout or stderr, or nothing' ARGUMENT…
expect() {
    local status=0 want=$1 text=$2
    shift 2
    count=$((count + 1))
    "$kubegen" "$@" >out 2>&1 || status=$?
    [[ $status == "$want" ]] || fail "kubegen $*: status $status, not $want: $(head -3 out)"
    if [[ -z $text ]]; then
        [[ ! -s out ]] || fail "kubegen $*: should say nothing, said: $(head -3 out)"
    else
        grep -qF -- "$text" out || fail "kubegen $*: does not say '$text': $(head -3 out)"
    fi
}

expect 0 'kubegen 0.' --version
expect 0 'kubegen 0.' version
expect 0 'usage: kubegen COMMAND' --help
expect 0 'usage: kubegen COMMAND' help help
expect 0 'KUBEGEN_INCLUDE' help generate
expect 1 "the directory of an API is <group>/<version>" generate nodir
expect 2 'did you mean +kubebuilder:validation:MinLength?' explain MinLength
expect 2 '+kubebuilder:webhook is not supported yet' explain +kubebuilder:webhook
expect 0 '--depfile FILE' help generate
expect 0 '--output-dir DIR' crd --help
expect 2 'usage: kubegen COMMAND'
expect 2 'there is no command genrate: did you mean generate?' genrate
expect 2 'there is no option --verson' --verson
expect 2 'generate has no option --out-rot: did you mean --out-root?' generate --out-rot x
expect 2 'option --out-root needs a value' generate --out-root
expect 2 'crd has no option --depfile' crd --depfile x
expect 2 'generate needs a directory that holds a types.h' generate
expect 2 'crd needs --output-dir' crd dir
expect 1 'nowhere' generate nowhere
expect 0 '+genclient' explain
expect 0 '+kubebuilder:rbac ' explain
expect 0 '| ``+kubebuilder:validation:Pattern=`^[a-z]+$` `` |' explain --markdown
expect 0 'verbs (required)' explain +kubebuilder:rbac
expect 0 'usage: +kubebuilder:printcolumn' explain +kubebuilder:printcolumn
expect 0 'It has no effect here' explain +k8s:prerelease-lifecycle-gen:introduced
expect 2 'there is no marker genclnt: did you mean +genclient?' explain genclnt

mkdir -p api/net/v1
cp "$source/tests/gen/golden/cluster/cluster/v1beta1/types.h" api/net/v1/types.h
sed -i 's/cluster_v1beta1/net_v1/g; s/CLUSTER_V1BETA1/NET_V1/g' api/net/v1/types.h
expect 0 '' generate api/net/v1
[[ $(find api/generated/net/v1 -type f | wc -l) == 10 ]] || fail "not 10 files"
expect 0 '' verify api/net/v1
sed -i 's/HostClass belongs/HostClass is/' api/net/v1/types.h
expect 1 '+ * HostClass is to the whole cluster.' verify api/net/v1
expect 1 '1 of 10 files are stale' verify api/net/v1
# CRDs, the reference and roles, where they are asked for.
echo '// +kubebuilder:rbac:groups=core,resources=pods,verbs=get' >api/net/v1/rights.c
all=(--crd-dir crd --docs-dir docs --rbac-dir rbac --rbac-source api/net/v1 --role-name net)
expect 1 'run kubegen generate, kubegen crd, kubegen docs, kubegen rbac' verify api/net/v1 "${all[@]}"
expect 0 '' generate api/net/v1
expect 0 '' crd api/net/v1 --output-dir crd
expect 0 '' docs api/net/v1 --output-dir docs
expect 0 '' rbac api/net/v1 --output-dir rbac --role-name net
expect 0 '' verify api/net/v1 "${all[@]}"
sed -i 's/verbs=get/verbs=list/' api/net/v1/rights.c
expect 1 '+      - list' verify api/net/v1 "${all[@]}"
rm api/net/v1/rights.c
expect 1 'no file has a rule' verify api/net/v1 "${all[@]}"
expect 2 '--rbac-dir and --rbac-source belong together' verify api/net/v1 --rbac-dir rbac
expect 1 'description: HostClass is to the whole cluster.' verify api/net/v1 --crd-dir crd --max-desc-len 0
expect 2 'need --crd-dir' verify api/net/v1 --max-desc-len 0
expect 2 '--role-name needs --rbac-dir' verify api/net/v1 --role-name net
sed -i 's/HostClass is/HostClass belongs/' api/net/v1/types.h
expect 0 '' generate api/net/v1
sed -i 's/HostClass belongs/HostClass is/' api/net/v1/types.h
grep -q 'HostClass belongs' api/generated/net/v1/register.h || fail "verify has written"
expect 0 '' generate api/net/v1

# Two directories of one API: neither's output takes the place of the other's.
mkdir -p twin/net && cp -r api/net/v1 twin/net
sed -i 's/HostClass is/HostClass was/' twin/net/v1/types.h
both='would be written twice, for api/net/v1/types.h and for twin/net/v1/types.h'
expect 1 "$both" generate api/net/v1 twin/net/v1 --out-root twin/out
expect 1 "$both" docs api/net/v1 twin/net/v1 --output-dir twin/out
expect 1 "$both" verify api/net/v1 twin/net/v1 --out-root twin/out
[[ ! -e twin/out ]] || fail "the output of one of two inputs is written"
rm -r twin

# An error in the header leaves everything as it was.
cp -r api before
sed -i 's/const char \*vendor/char *vendor/' api/net/v1/types.h
expect 1 'error:' generate api/net/v1
diff -r before/generated api/generated || fail "an error has changed output"
cp before/net/v1/types.h api/net/v1/types.h

# A template of one's own, and a mistake in it.
mkdir own
echo '/* {{include_dir}} */' >own/api.h.mustache
expect 0 '' generate --template-dir own --out-root other api/net/v1
grep -qx '/\* net/v1 \*/' other/net/v1/api.h || fail "the own template was not used"
echo '{{no_such}}' >own/api.h.mustache
expect 1 "api.h:1: there is no value for 'no_such'" generate --template-dir own \
    --out-root third api/net/v1
[[ ! -e third ]] || fail "a wrong template has written something"
expect 1 'there is no directory nowhere' generate --template-dir nowhere api/net/v1

# What was read, for make and ninja.
expect 0 '' generate --depfile deps --out-root out_root api/net/v1
grep -q '^out_root/net/v1/api.h:' deps || fail "the depfile does not name the first output"
expect 0 '' generate --depfile deps2 --depfile-target 'a stamp' --out-root out_root api/net/v1
grep -q '^a\\ stamp:' deps2 || fail "the depfile does not name its target"
grep -q 'api/net/v1/types.h' deps || fail "the depfile does not name the header"
grep -q 'kube/meta.h' deps || fail "the depfile does not name what the header includes"

# Structs that APIs share: with a prefix, wherever their header lies; tables once, beside the APIs.
mkdir shared
cp -r "$source"/tests/gen/golden/shared/{shared,shop,mill} shared
for run in generate verify; do
    (cd shared && "$kubegen" $run shop/v1 shop/v2 mill/v1 shared shop/v1/common.h) ||
        fail "$run of shared structs"
done
[[ $(find shared/generated -name '*_schema.c' | sort | tr '\n' ' ') == \
    "shared/generated/shared/types_schema.c shared/generated/shop/v1/common_schema.c " ]] ||
    fail "tables are elsewhere: $(find shared -name '*_schema.c')"
expect 0 '' generate -o one/tables.c shared/shared/types.h
cmp one/tables.c shared/generated/shared/types_schema.c || fail "-o FILE writes something else"
expect 0 '' verify -o one/tables.c shared/shared/types.h
expect 1 '-o is the file of one header of shared structs' generate -o one/x.c shared/mill/v1
# A group directory may have them, too.
mkdir -p shared/shop/parts
sed 's/shared_/parts_/g; s/=shared/=parts/' shared/shared/types.h >shared/shop/parts/types.h
expect 0 '' generate shared/shop/parts
grep -q '#include <shop/parts/types.h>' shared/generated/shop/parts/types_schema.c ||
    fail "the structs of a group are not included by its directory"
sed -i '/+prefix/d' shared/shop/v1/common.h shared/shared/types.h
expect 1 "its header 'shop/v1/common.h' is of no API" generate shared/shop/v1
expect 1 "'// +prefix=…' at the top of that header" generate shared/mill/v1
expect 1 "a header of structs that several APIs share has '// +prefix=…'" generate shared/shared
sed -i 's/^typedef struct shared_range/\/\/ +genclient\n&/; 1i\/\/ +prefix=shared' shared/shared/types.h
expect 1 'a Kind belongs to an API' generate shared/shared

# CRDs: what has none, and what the server would refuse.
expect 0 '' crd api/net/v1 --output-dir crds
[[ -e crds/cluster.example.org_hostclasses.yaml ]] || fail "no CRD of that name"
expect 1 'such groups are built in and have no CRDs' crd "$source/apis/core/v1" --output-dir crds
sed -i 's/cluster.example.org/net.k8s.io/' api/net/v1/types.h
expect 1 'without the annotation api-approved.kubernetes.io' crd api/net/v1 --output-dir crds
expect 1 'tree_v1_node.next -> tree_v1_node' crd \
    "$source/tests/gen/golden/recursive/tree/v1" --output-dir crds

# Versions: none served, two stored, none that a CRD has, two that say different things.
versions=$source/tests/gen/golden/limits/limits
expect 1 'no version of Old is served' crd "$versions/v2beta1" --output-dir crds
mkdir -p two/limits
cp -r "$versions"/* two/limits
sed -i 's|^// +kubebuilder:unservedversion|// +kubebuilder:storageversion|' two/limits/v2beta1/types.h
expect 1 'two versions of Old are marked as the stored one' crd two/limits/v1 \
    two/limits/v2beta1 --output-dir crds
skipped=$source/tests/gen/golden/versions/zones
expect 0 '' crd "$skipped/v1alpha1" "$skipped/v1alpha2" --output-dir none
[[ ! -e none ]] || fail "crd wrote a Kind that no CRD has"
mkdir -p differ/zones
cp -r "$skipped"/* differ/zones
sed -i 's|resource:categories=all|resource:shortName=z|; s|team=net|team=dns|' \
    differ/zones/v1beta1/types.h
expect 1 'Zone has another shortNames in another version' crd differ/zones/v1 \
    differ/zones/v1beta1 --output-dir crds
expect 1 'Zone has another example.com/team in another version' crd differ/zones/v1 \
    differ/zones/v1beta1 --output-dir crds

# Options of crd: tests/conformance/markers compares what they do with controller-gen.
printf '# Copyright YEAR the authors\n# SPDX-License-Identifier: MIT' >head.txt
zones=$source/tests/gen/golden/versions/zones/v1
expect 0 '' crd "$zones" --output-dir headed --header-file head.txt --year 2026
printf '%s\n' '# Copyright 2026 the authors' '# SPDX-License-Identifier: MIT' \
    '# Code generated by kubegen from zones/v1/types.h. DO NOT EDIT.' 'apiVersion: apiextensions.k8s.io/v1' |
    cmp - <(head -4 headed/zones.example.org_zones.yaml) || fail "crd --header-file"
printf '# right\n\n/* wrong */\n' >head.txt
expect 1 "head.txt:3: error: a line of --header-file must be a comment: begin it with '#'" \
    crd "$zones" --output-dir headed --header-file head.txt
expect 1 'cannot read nofile: No such file' crd "$zones" --output-dir headed --header-file nofile
expect 2 '--year is for the text of --header-file' crd "$zones" --output-dir headed --year 2026
expect 2 '--max-desc-len takes a whole number, not -1' crd "$zones" --output-dir headed --max-desc-len=-1

# What servers refuse, or take and never serve.
toy() { # structs above the Kind's spec, markers of the Kind, members of its spec
    mkdir -p refused/toys/v1
    printf '%s\n' '// +groupName=toys.example.org' '#ifndef TOYS_V1_TYPES_H' '#define TOYS_V1_TYPES_H' \
        '#include <kube/meta.h>' "$1" 'typedef struct toys_v1_spec {' "$3" '} toys_v1_spec;' \
        '// +genclient' "$2" 'typedef struct toys_v1_toy {' 'kube_object base;' \
        'kube_object_meta metadata;' 'toys_v1_spec spec;' '} toys_v1_toy;' '#endif' \
        >refused/toys/v1/types.h
}
refused() { # the same, what is said
    toy "$1" "$2" "$3"
    expect 1 "$4" crd refused/toys/v1 --output-dir crds
}
part() { # markers of the struct, members
    echo "$1"
    echo "typedef struct toys_v1_part { $2 } toys_v1_part; KUBE_DECLARE_LIST(toys_v1_part);"
}
by_name=$'// +listType=map\n// +listMapKey=name\ntoys_v1_part_list parts;'
refused "$(part '' $'\n// +optional\nconst char *name;')" '' "$by_name" \
    "'name' is a key of the list, but elements may leave it out"
refused "$(part '' $'\n// +nullable\nconst char *name;')" '' "$by_name" \
    "'name' is a key of the list, but may be null"
refused "$(part '' 'const char *name;')" '' $'// +listType=set\ntoys_v1_part_list parts;' \
    'elements of a set are compared as a whole'
refused '' '' $'// +listType=set\nkube_opt_int32_list numbers;' \
    "the elements of a list of type 'set' may not be null"
rule=+kubebuilder:validation:
refused '' '' "// ${rule}Format=ipv4"$'\n// +default="::1"\nconst char *a;' \
    "servers refuse the default: 'a' does not have the format"
refused '' '' "// ${rule}Format=date-time"$'\n// +default="2026-02-29T00:00:00Z"\nconst char *a;' \
    'does not have the format'
refused '' '' "// ${rule}MultipleOf=1e3"$'\n// +default=100\ndouble a;' 'is not a multiple of multipleOf'
refused '' '' $'// +default={"a":"b"}\nkube_object_meta a;' "'a.a' is not in the schema"
toy '' '' "// ${rule}Maximum=9223372036854775807"$'\nint64_t a;'
expect 0 "'9223372036854775807' is more than servers can compare whole numbers with" \
    crd refused/toys/v1 --output-dir crds
refused '' '' "// ${rule}Maximum=9223372036854775807"$'\n// +default=1\nint64_t a;' \
    "'9223372036854775807' is more than servers can compare whole numbers with"
refused '' '' "// ${rule}Maximum=1e400"$'\ndouble a;' "'1e400' is not a number"
long=$(printf 'K%.0s' $(seq 60))
refused '' "// +kind=$long" 'int32_t a;' "list', which is longer than 63 characters"
refused '' "// +kind=$(printf 'K%.0s' $(seq 3000))" 'int32_t a;' "the singular 'kkkkkkkkkkkkkkkkkkkk…', which is longer"
refused '' '// +kubebuilder:printcolumn:name=A,type=string,JSONPath=.spec.a,priority=2147483648' \
    'const char *a;' 'the priority of a column is at most 2147483647'
refused '' '// +resourceName=2toys' 'int32_t a;' "the plural '2toys', which does not begin with a letter"
refused '' '// +kubebuilder:resource:shortName=2t' 'int32_t a;' "the short name '2t'"
refused '' '// +kubebuilder:metadata:labels="a/b/c=d"' 'int32_t a;' "'a/b/c' is not the key of a label"
refused '' '// +kubebuilder:metadata:labels="a=b c"' 'int32_t a;' "'b c' is not the value of a label"
refused '' '// +kubebuilder:metadata:annotations="-a=b"' 'int32_t a;' "'-a' is not the key of an annotation"
other='kube_object base; kube_object_meta metadata;'
refused $'// +genclient\n// +genclient:noVerbs\n// +kind=ToyList\ntypedef struct toys_v1_x { '"$other"' } toys_v1_x;' '' \
    'int32_t a;' "'ToyList' is a name of two resources of group toys.example.org"
grep -q 'note: the other one is Toy' out || fail "the other resource is not named"

# Keywords that do not go with each other, whatever made the schema.
patched() { # a part of a schema, a member, what is said
    refused '' '' "// +kubegen:schema=$1"$'\n'"$2 a;" "$3"
}
text='const char *'
either=kube_int_or_string
preserve=x-kubernetes-preserve-unknown-fields
cel=x-kubernetes-validations
patched '{"x-kubernetes-list-type":"set"}' "$text" "is for schemas of type 'array'"
patched '{"x-kubernetes-list-map-keys":["a"]}' kube_string_list "needs 'x-kubernetes-list-type' 'map'"
patched '{"x-kubernetes-list-type":"map"}' kube_string_list 'names the keys in'
patched '{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"]}' kube_string_list \
    "the elements of a list of type 'map' are objects"
patched '{"x-kubernetes-map-type":"atomic"}' "$text" "is for schemas of type 'object'"
patched '{"properties":{"b":{"type":"string"}}}' kube_string_map 'exclude each other'
patched '{"additionalProperties":false}' kube_string_map "'additionalProperties' that is false"
patched '{"items":null}' kube_string_list "says with 'items' what is in the list"
patched "{\"$preserve\":false}" kube_string_map 'is true, or is left out'
patched '{"pattern":"(?=a)"}' "$text" "servers refuse the pattern '(?=a)'"
patched '{"maxLength":1.5}' "$text" "'maxLength' is a whole number"
patched "{\"$cel\":[{\"message\":\"b\"}]}" "$text" "has objects in it, each with a string 'rule'"
patched "{\"$cel\":[{\"rule\":\"true\",\"reason\":\"No\"}]}" "$text" "servers know no reason 'No'"
patched '{"externalDocs":{"ur":"b"}}' "$text" "'ur' is no member of 'externalDocs'"
patched '{"anyOf":[{"type":"string"}]}' "$either" "types below 'anyOf' of an integer or a string"
embedded="// ${rule}EmbeddedResource"$'\n'
patched '{"x-kubernetes-embedded-resource":true}' "$text" "an embedded resource is of type 'object'"
refused '' '' "${embedded}kube_string_map a;" 'an embedded resource has members in its schema'
refused "$(part '' 'int32_t api_version;')" '' "${embedded}toys_v1_part a;" \
    "'apiVersion' of an embedded resource is of type 'string'"
refused '' '' "${embedded}"$'// +kubebuilder:pruning:PreserveUnknownFields\n// +default={"a":"b"}\nkube_raw_json a;' \
    "the default of an embedded resource needs 'apiVersion'"
refused '' '' "// ${rule}XValidation:rule=\"self.size() < 3\""$'\nkube_raw_json_list a;' \
    'rules of CEL do not see what may be any JSON, here or in its elements'

# Rules of CEL, and schemas in schemas.
traced=$'\n// +kubebuilder:validation:XValidation:rule="self != \'oldSelf\' && self == oldSelf"\nint32_t n; const char *name;'
refused "$(part '' "$traced")" '' 'toys_v1_part_list parts;' 'servers know no oldSelf here'
refused "$(part '// +structType=atomic' "$traced")" '' 'toys_v1_part whole;' 'servers know no oldSelf here'
toy "$(part '' "$traced")" '' "$by_name"$'\ntoys_v1_part one;'
expect 0 '' crd refused/toys/v1 --output-dir crds
# One of another header is reported at the member of the Kind, with what takes it out.
mkdir -p refused/shop/v1
printf '%s\n' '// +groupName=shop.example.org' '#pragma once' '#include <toys/v1/types.h>' \
    '// +genclient' 'typedef struct shop_v1_shop {' 'kube_object base;' 'kube_object_meta metadata;' \
    '// MARKER' 'toys_v1_part_list parts;' '} shop_v1_shop;' >refused/shop/v1/types.h
toy "$(part '' "${traced% const char *name;}")" '' 'int32_t a;'
expect 1 'shop/v1/types.h:9:19: error: servers know no oldSelf here' \
    crd refused/shop/v1 -I refused --output-dir crds
grep -q 'toys/v1/types.h:.* note: the rule comes from here' out || fail "the rule's place is not named"
patch=$(grep -o '+kubegen:schema=.*}' out)
sed -i "s|MARKER|$patch|" refused/shop/v1/types.h
expect 0 '' crd refused/shop/v1 -I refused --output-dir crds
path='// +kubebuilder:validation:XValidation:rule="true",fieldPath='
refused "$(part '' 'const char *name;')" '' "$path\".nam\""$'\ntoys_v1_part one;' \
    "the fieldPath '.nam' leads to no member"
toy "$(part '' 'const char *name;')" '' "$path\"['name']\""$'\ntoys_v1_part one;'
expect 0 '' crd refused/toys/v1 --output-dir crds
refused '' '' $'// +kubegen:schema={"anyOf":[{"type":"string"}]}\nconst char *a;' \
    "'type' stands below 'anyOf', where servers refuse it"
refused '' '' $'// +kubegen:schema={"allOf":[{"not":{"nullable":true}}]}\nconst char *a;' \
    "'nullable' stands below 'not'"
refused "$(part '' 'const char *name;')" '' \
    $'// +kubegen:schema={"oneOf":[{"properties":{"nam":{"minLength":1}}}]}\ntoys_v1_part one;' \
    "'nam' below 'oneOf' is no member outside of it"
for rule in '{}' '"a"' '{"rule":1}' null; do
    refused '' '' "// +kubegen:schema={\"x-kubernetes-validations\":[$rule]}"$'\nconst char *a;' \
        "'x-kubernetes-validations' has objects in it, each with a string 'rule'"
    expect 1 "each with a string 'rule'" docs refused/toys/v1 --output-dir crds
done
refused "$(part '' 'const char *name;')" '' $'// +kubegen:schema={"required":["name",null]}\ntoys_v1_part a;' \
    "'required' has strings in it"
refused '' '' $'// +kubegen:schema={"items":{"x-kubernetes-list-map-keys":[1]}}\nkube_raw_json a;' \
    "'x-kubernetes-list-map-keys' has strings in it"

# A version that is there twice, and what only deserves a warning.
mkdir -p refused/other/v1
toy '' '' 'int32_t a;'
expect 0 '' crd refused/toys/v1 --output-dir crds
sed 's/toys_v1/other_v1/g; 1s/^/\/\/ +versionName=v1\n/' refused/toys/v1/types.h >refused/other/v1/types.h
expect 1 'version v1 of Toy is there twice' crd refused/toys/v1 refused/other/v1 --output-dir crds
sed -i 's/^int32_t a;/\/\/ +kubebuilder:validation:Format=ipv5\nconst char *a;/;
    s/^toys_v1_spec spec;/&\ntoys_v1_spec status;/' refused/toys/v1/types.h
expect 0 "warning: the status of Toy has no subresource" crd refused/toys/v1 \
    --output-dir crds
grep -q "warning: servers know no format 'ipv5' of type string" out || fail "an unknown format"
grep -q "did you mean 'ipv4'?" out || fail "no known format is near"

# A CRD that kubectl cannot put into an annotation, and the same without its texts.
text=$(printf ' * A line of text that says nothing about the member.\n%.0s' $(seq 6000))
toy '' '' $'/**\n'"$text"$'\n */\nint32_t a;'
expect 0 "bytes, and 262144 are allowed" crd refused/toys/v1 --output-dir crds
expect 0 '' crd refused/toys/v1 --output-dir crds --max-desc-len 100

echo "test_command: $count calls, $failures failures"
# A type that the compiler's own recursion does not survive is an error, not the end by a signal.
mkdir -p deep/things/v1
{
    printf '// +groupName=things.example.com\n#pragma once\nstruct things_v1_s { char '
    printf '*%.0s' $(seq 40000)
    printf 'x; };\n'
} >deep/things/v1/types.h
status=0
"$kubegen" crd --output-dir deep deep/things/v1 >out 2>&1 || status=$?
[[ $status == 1 ]] && grep -qE 'failed on the input|stack-overflow|error: ' out ||
    fail "40,000 stars: status $status: $(head -3 out)"

((failures == 0))
