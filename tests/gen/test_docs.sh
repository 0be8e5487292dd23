#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# kubegen docs: links lead somewhere, the API server takes every example, and the same headers give
# the same pages. golden/ has what they look like.
#
#   test_docs.sh KUBEGEN_APISERVER [TYPES_DIR…]
#
# Without directories, of golden/ and of the examples' APIs. KUBEGEN names the command.
set -euo pipefail
kubegen=$(realpath "$KUBEGEN")
apiserver=$1
cd "$(dirname "$0")/golden"
scratch=$(mktemp -d)
server=''
clean_up() {
    [[ -z $server ]] || { kill -KILL "$server" && wait "$server"; } 2>/dev/null || true
    rm -rf "$scratch"
}
trap clean_up EXIT
failures=0

fail() {
    echo "test_docs: $*" >&2
    failures=$((failures + 1))
}

# api_dirs DIR
api_dirs() { find "$1" -path "$1/want" -prune -o -name types.h -print | sort | xargs -r -n1 dirname; }

# examples DIR OUTPUT: of all pages, a file each; those of versions that are not served are left out.
examples() {
    awk -v output="$2" '
        FNR == 1 { served = 1; page++ }
        /^## / { served = 1 }
        /^- Not served$/ { served = 0 }
        /^```$/ { file = "" }
        file != "" { sub(/^  name: example$/, "  name: example-" page); print > file }
        /^```yaml$/ && served { file = sprintf("%s/%02d.yaml", output, ++count) }
        END { if (!count) exit 1 }' "$1"/*.md
}

# links_lead_somewhere DIR
links_lead_somewhere() {
    local page target
    for page in "$1"/*.md; do
        while read -r target; do
            [[ $target == *.md#* ]] || target=$(basename "$page")$target
            grep -qF "<a id=\"${target#*#}\"></a>" "$1/${target%%#*}" || fail "$page: $target leads nowhere"
        done < <(grep -oE '\]\([^)]*#[^)]*\)' "$page" | sed 's/^](//; s/)$//' | sort -u)
    done
}

# load FILE…: whether the server takes them, one after the other.
load() {
    local status=0 arguments=() file
    for file in "$@"; do arguments+=(--load "$file"); done
    rm -f "$scratch/kubeconfig"
    "$apiserver" --kubeconfig-out "$scratch/kubeconfig" --owner $$ "${arguments[@]}" >"$scratch/server.log" 2>&1 &
    server=$!
    until [[ -s $scratch/kubeconfig ]]; do
        kill -0 "$server" 2>/dev/null || { status=1; break; }
        sleep 0.02
    done
    { kill -KILL "$server" && wait "$server"; } 2>/dev/null || true
    server=''
    return $status
}

# case_is_right NAME INCLUDE_DIR TYPES_DIR…
case_is_right() {
    local name=$1 out=$scratch/$1
    shift
    mkdir -p "$out/examples"
    "$kubegen" docs -I "$@" --output-dir "$out/docs" || { fail "$name: kubegen failed"; return; }
    links_lead_somewhere "$out/docs"
    "$kubegen" crd -I "$@" --output-dir "$out/crd" 2>/dev/null || return 0 # an API without Kinds
    examples "$out/docs" "$out/examples" || { fail "$name: no examples"; return; }
    load "$out"/crd/*.yaml "$out"/examples/*.yaml || fail "$name: $(tail -n 3 "$scratch/server.log")"
}

for case in */; do
    mapfile -t dirs < <(api_dirs "${case%/}")
    ((!${#dirs[@]})) || case_is_right "${case%/}" "${case%/}" "${dirs[@]}" # a library of structs
done
case_is_right own ../../../apis ../../../apis/{samplecrd/v1,appcontroller/v1alpha1}

# That a wrong one is noticed.
sed -i 's/^  deploymentName: .*/  deploymentName: A/' "$scratch"/own/examples/*.yaml
load "$scratch"/own/crd/*.yaml "$scratch"/own/examples/*.yaml && fail 'the server takes anything'
grep -q deploymentName "$scratch/server.log" || fail "not refused for its name: $(cat "$scratch/server.log")"

# From another directory, and in another order: the same pages.
(cd ../../.. && "$kubegen" docs apis/appcontroller/v1alpha1 "$PWD/apis/samplecrd/v1" --output-dir "$scratch/again")
diff -r "$scratch/own/docs" "$scratch/again" || fail 'the pages depend on where kubegen runs'
# Structs of another API: linked where that is described as well, named otherwise.
(cd ../../.. && "$kubegen" docs apis/apps/v1 --output-dir "$scratch/apart" &&
    "$kubegen" docs apis/apps/v1 apis/core/v1 --output-dir "$scratch/linked")
grep -qF '| `template` | PodTemplateSpec of core/v1 |' "$scratch/apart/apps_v1.md" || fail 'not named'
grep -qF '[PodTemplateSpec](core_v1.md#core_v1_pod_template_spec)' "$scratch/linked/apps_v1.md" || fail 'not linked'
links_lead_somewhere "$scratch/linked"

# What a comment says stays in its place, and no pattern takes long.
mkdir -p "$scratch/odd/v1"
cat >"$scratch/odd/v1/types.h" <<'END'
// +groupName=odd.example.org
#include <kube/meta.h>
/** # Odd
 * ```
 * <script> */
// +genclient
typedef struct odd_v1_odd {
    kube_object base;
    kube_object_meta metadata;
    /** a | b `c` ` */
    // +kubebuilder:validation:Pattern=`^(((a?){0,99}(b*)*)*|c)*d$`
    // +kubebuilder:validation:MinLength=3
    const char *text;
    /** `<T>` and <T> */
    // +kubebuilder:validation:Pattern="^`|x`$"
    const char *code;
    /** &lt; a\|b __attribute__ ends in \ */
    // +kubebuilder:validation:MaxLength=4
    const char *live;
} odd_v1_odd;
/**
 * An open ` and
 *
 * <!-- a closed `
 * and \`<b>\` here.
 * ~~~
 * Title
 * =====
 * > q
 * 1. x
 * + x
 * ___
 * | a |
 * |---|
 *
 *     four
 */
typedef struct odd_v1_inner {
    const char *snake_case;
} odd_v1_inner;
END
timeout 20 "$kubegen" docs "$scratch/odd/v1" --output-dir "$scratch/odd" || fail 'odd: kubegen failed'
odd=$scratch/odd/odd.example.org_v1.md
grep -qxF '\# Odd' "$odd" || fail 'a comment makes a heading'
grep -qxF '\`\`\`' "$odd" && grep -qxF '&lt;script>' "$odd" || fail "a comment makes code: $(cat "$odd")"
grep -qF '| a \| b `c` \`<br>' "$odd" || fail 'a comment ends a cell'
grep -qF '| `<T>` and &lt;T><br>pattern <code>^\`&vert;x\`$</code> |' "$odd" || fail 'code is lost'
grep -qF '| &amp;lt; a\\\|b \_\_attribute\_\_ ends in \\<br>' "$odd" || fail 'a comment is live in a cell'
sed -n '/^An open/,/^| field/p' "$odd" >"$scratch/prose"
diff - "$scratch/prose" <<'END' || fail 'a comment is live'
An open \` and

&lt;!-- a closed ` and \`&lt;b>\\\` here.
\~\~\~
Title
\=====
\> q
1\. x
\+ x
\_\_\_
\| a \|
\|---\|

four

| field | type | required | default | description and limits |
END

# Values that are right together with all other limits of their field; else the page says so.
mkdir -p "$scratch/limited/sampled/v1" "$scratch/limited/lacking/v1"
cat >"$scratch/limited/sampled/v1/types.h" <<'END'
// +groupName=sampled.example.org
#include <kube/meta.h>
typedef struct sampled_v1_item {
    // +kubebuilder:validation:Minimum=80
    // +kubebuilder:validation:Maximum=81
    int32_t port;
    // +kubebuilder:validation:Pattern=`^(tcp|udp)$`
    const char *mode;
} sampled_v1_item;
KUBE_DECLARE_LIST(sampled_v1_item);
// +genclient
typedef struct sampled_v1_odd {
    kube_object base;
    kube_object_meta metadata;
    // +kubebuilder:validation:Pattern=`^a?b+c*$`
    // +kubebuilder:validation:MinLength=3
    // +kubebuilder:validation:MaxLength=3
    const char *m0;
    // +kubebuilder:validation:Pattern=`^(foo|barbaz)$`
    // +kubebuilder:validation:MinLength=6
    const char *m1;
    // +kubebuilder:validation:Pattern=`[0-9]$`
    // +kubebuilder:validation:MinLength=4
    const char *m2;
    // +kubebuilder:validation:Pattern=`^x`
    // +kubebuilder:validation:MinLength=4
    const char *m3;
    // +kubebuilder:validation:Pattern=`(?i)^AB[c]$`
    const char *m4;
    // +kubebuilder:validation:Pattern=`^\pL+$`
    const char *m5;
    // +kubebuilder:validation:Pattern=`^\x41+$`
    const char *m6;
    // +kubebuilder:validation:Pattern=`a{2}|b{5}`
    // +kubebuilder:validation:MinLength=5
    const char *m7;
    // +kubebuilder:validation:Pattern=`^$|^[a-z]+$`
    // +kubebuilder:validation:MinLength=1
    const char *m8;
    // +kubebuilder:validation:Pattern=`^[a-z]+-[a-z]+$`
    // +kubebuilder:validation:MinLength=50
    // +kubebuilder:validation:MaxLength=50
    const char *m10;
    // +kubebuilder:validation:Pattern=`^(([a-z0-9]([-a-z0-9]*[a-z0-9])?)\.)+[a-z]{2,}$`
    // +kubebuilder:validation:MinLength=30
    const char *m11;
    // +kubebuilder:validation:Format=date
    // +kubebuilder:validation:Pattern=`-03$`
    const char *m14;
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:Maximum=2
    // +kubebuilder:validation:ExclusiveMinimum=true
    // +kubebuilder:validation:ExclusiveMaximum=true
    double m15;
    // +kubebuilder:validation:Minimum=9007199254740993
    int64_t m16;
    // +kubebuilder:validation:Maximum=-5
    // +kubebuilder:validation:MultipleOf=3
    int32_t m17;
    // +kubebuilder:validation:Maximum=0
    // +kubebuilder:validation:ExclusiveMaximum=true
    double m18;
    // +kubebuilder:validation:Minimum=-7
    // +kubebuilder:validation:MultipleOf=5
    // +kubebuilder:validation:Maximum=-1
    int32_t m19;
    // +listType=set
    // +kubebuilder:validation:MinItems=2
    // +kubebuilder:validation:items:Pattern=`^[a-z]{3}$`
    kube_string_list m20;
    // +listType=set
    // +kubebuilder:validation:MinItems=2
    // +kubebuilder:validation:items:Format=ipv4
    kube_string_list m21;
    // +listType=set
    // +kubebuilder:validation:MinItems=2
    // +kubebuilder:validation:items:MaxLength=4
    kube_string_list m22;
    // +listType=set
    // +kubebuilder:validation:MinItems=2
    // +kubebuilder:validation:items:Enum=a;b
    kube_string_list m23;
    // +listType=set
    // +kubebuilder:validation:MinItems=2
    // +kubebuilder:validation:items:MaxLength=1
    kube_string_list m24;
    // +listType=set
    // +kubebuilder:validation:MinItems=2
    // +kubebuilder:validation:items:Pattern=`^(a|b)$`
    kube_string_list m25;
    // +listType=map
    // +listMapKey=port
    // +listMapKey=mode
    // +kubebuilder:validation:MinItems=3
    sampled_v1_item_list items;
} sampled_v1_odd;
END
cat >"$scratch/limited/lacking/v1/types.h" <<'END'
// +groupName=lacking.example.org
#include <kube/meta.h>
// +genclient
typedef struct lacking_v1_odd {
    kube_object base;
    kube_object_meta metadata;
    // +kubebuilder:validation:Pattern=`^\p{Greek}$`
    const char *m9;
    // +kubebuilder:validation:MinLength=5000
    const char *m12;
    // +listType=set
    // +kubebuilder:validation:MinItems=2
    // +kubebuilder:validation:items:Pattern=`^a$`
    kube_string_list m26;
} lacking_v1_odd;
END
case_is_right sampled "$scratch/limited" "$scratch/limited/sampled/v1"
grep -h '# choose' "$scratch/sampled/docs"/*.md && fail 'sampled: no value is found'
"$kubegen" docs "$scratch/limited/lacking/v1" --output-dir "$scratch/lacking"
[[ $(grep -c ' # choose a value that fits the limits of this field$' "$scratch/lacking"/*.md) == 3 ]] ||
    fail "a wrong example: $(cat "$scratch/lacking"/*.md)"

status=0
"$kubegen" docs rules/rules/v1 >"$scratch/out" 2>&1 || status=$?
[[ $status == 2 ]] && grep -q 'docs needs --output-dir' "$scratch/out" || fail 'no output directory'

exit $((failures > 0))
