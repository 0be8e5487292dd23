#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What shells complete of kubegen's command lines: bash by its own functions, zsh and fish where they
# are installed. KUBEGEN names the command.
#
#   test_completion.sh BUILD    the directory whose installation has the scripts
set -euo pipefail
build=$(realpath "$1")
kubegen=$(realpath "$KUBEGEN")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir -p 'apis/net one' apis/v1
touch apis/crd.yaml 'a file.yaml'
count=0
failures=0

fail() {
    echo "test_completion: $*" >&2
    failures=$((failures + 1))
}

"$kubegen" completion bash >kubegen.bash
# shellcheck source=/dev/null
source kubegen.bash
[[ $(complete -p kubegen) == 'complete -F _kubegen kubegen' ]] || fail "bash: not registered"
compopt() { :; } # it works only while readline completes

# reply LINE: what bash completes at its end. Words end where readline ends them.
reply() {
    local word rest=$1
    COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=()
    while [[ -n $rest ]]; do
        word=${rest%%[ =:]*}
        rest=${rest:${#word}}
        [[ -z $word ]] || COMP_WORDS+=("$word")
        [[ $rest != [=:]* ]] || COMP_WORDS+=("${rest:0:1}")
        rest=${rest:1}
    done
    [[ $1 != *' ' ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _kubegen
    printf '%s\n' "${COMPREPLY[@]}" | sort
}

# completes LINE REPLY…
completes() {
    local line=$1 got want
    shift
    count=$((count + 1))
    got=$(reply "$line")
    want=$(printf '%s\n' "$@" | sort)
    [[ $got == "$want" ]] || fail "bash: '$line' is completed by '${got//$'\n'/ }', not '$*'"
}

completes 'kubegen ge' generate
completes 'kubegen help ver' verify
completes 'kubegen crd --outp' --output-dir
completes 'kubegen crd --output-dir ap' apis
completes 'kubegen crd --output-dir=ap' apis
completes 'kubegen generate --depfile a' 'a file.yaml' apis
completes 'kubegen diff --format ' json text
completes 'kubegen diff --format=j' json
completes 'kubegen verify --diagnostics s' sarif
completes 'kubegen generate apis/' apis/crd.yaml 'apis/net one' apis/v1
completes 'kubegen diff --allow ' ''
completes 'kubegen import op' openapi
completes 'kubegen completion ' bash fish zsh
completes 'kubegen explain +kubebuilder:validation:MinL' MinLength
completes 'kubegen explain +genclient:no' noStatus noVerbs nonNamespaced
completes 'kubegen explain +gencl' $("$kubegen" explain | sed -n 's/^  \(+genclient[^ ]*\) .*/\1/p' | sort -u)

# Each command and each option that the help has is completed, and has its line in the help.
commands=$("$kubegen" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
[[ $(wc -w <<<"$commands") -ge 9 ]] || fail "the help lists $commands"
for command in $commands; do
    completes "kubegen ${command:0:-1}" "$command"
    [[ $command != help ]] || continue
    listed=$({
        "$kubegen" help "$command" | sed -n '/^  -/{s/  *[A-Z|a-z.[]*[^-, ]*  .*//;s/^  //;p}' |
            tr ',' '\n' | sed 's/^ *//;s/[ :].*//'
        printf -- '%s\n' --diagnostics --help
    } | sort -u)
    got=$(reply "kubegen $command -")
    [[ $got == "$listed" ]] ||
        fail "$command completes ${got//$'\n'/ }, and its help has ${listed//$'\n'/ }"
done

if command -v fish >/dev/null; then
    "$kubegen" completion fish >kubegen.fish
    # said LINE: the words that fish completes it by.
    said() { fish --no-config -c 'source kubegen.fish; complete -C $argv[1]' "$1" | cut -f1 | sort | xargs; }
    [[ $(said 'kubegen diff --format ') == 'json text' ]] || fail "fish: $(said 'kubegen diff --format ')"
    [[ $(said 'kubegen crd --outp') == --output-dir ]] || fail "fish: $(said 'kubegen crd --outp')"
    [[ $(said 'kubegen ge') == generate ]] || fail "fish: $(said 'kubegen ge')"
    [[ $(said 'kubegen crd --output-dir ap') == apis/ ]] || fail "fish: directories"
fi
if command -v zsh >/dev/null; then
    "$kubegen" completion zsh >_kubegen
    # The functions of zsh that it calls are told what there is.
    said=$(zsh -f -c '_describe() { print -l -- $commands }; _arguments() { print -l -- "$@" }
        words=(kubegen diff --fo) CURRENT=3; source ./_kubegen')
    [[ $said == *'--format=[how changes are told]:one of:(text json)'* ]] || fail "zsh: $said"
    [[ $said == *'*-I+['*':DIR:_directories'* ]] || fail "zsh: $said"
    said=$(zsh -f -c '_describe() { print -l -- $commands }
        words=(kubegen ge) CURRENT=2; source ./_kubegen')
    [[ $said == *'generate:write the C code'* ]] || fail "zsh: $said"
fi

# Installed, the scripts are where the shells look, and the command finds its headers.
cmake --install "$build" --component kubegen --prefix installed >/dev/null
for file in bash-completion/completions/kubegen zsh/site-functions/_kubegen \
    fish/vendor_completions.d/kubegen.fish; do
    [[ -s installed/share/$file ]] || fail "not installed: $file"
done
cmp kubegen.bash installed/share/bash-completion/completions/kubegen || fail "another script is installed"
mkdir -p net/v1
printf '%s\n' '// +groupName=net.example.com' '#include <kube/meta.h>' '#include <core/v1/types.h>' \
    'typedef struct net_v1_thing { core_v1_secret_key_selector key; } net_v1_thing;' >net/v1/types.h
env -u KUBEGEN_INCLUDE installed/bin/kubegen generate net/v1 || fail "the installed command generates nothing"

echo "test_completion: $count completions, $failures failures"
[[ $failures == 0 ]]
