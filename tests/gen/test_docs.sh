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

status=0
"$kubegen" docs rules/rules/v1 >"$scratch/out" 2>&1 || status=$?
[[ $status == 2 ]] && grep -q 'docs needs --output-dir' "$scratch/out" || fail 'no output directory'

exit $((failures > 0))
