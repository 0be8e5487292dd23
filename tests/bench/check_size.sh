#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs are linked of what they use: counts the bytes of two, and looks for code that neither
# needs. Fails when one is over its budget or has such code.
#   check_size.sh NETWORK_CONTROLLER DEPLOYMENT_LISTER
set -euo pipefail

stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
failed=

# size PROGRAM BUDGET: KiB, stripped.
size() {
    local kib verdict=ok
    strip -o "$stripped" "$1"
    kib=$((($(stat -c %s "$stripped") + 1023) / 1024))
    ((kib <= $2)) || {
        verdict="OVER BUDGET"
        failed=yes
    }
    printf '%-52s %4d     (%d)      %s\n' "$(basename "$1"), stripped, KiB" "$kib" "$2" "$verdict"
}

# lacks PROGRAM PATTERN: no symbol of it matches.
lacks() {
    local found
    found=$(nm --defined-only "$1" | awk -v pattern="$2" '$3 ~ pattern { print "  " $3 }')
    [[ -n $found ]] || return 0
    printf '%s has, and does not use:\n%s\n' "$(basename "$1")" "$found"
    failed=yes
}

# has PROGRAM SYMBOL: so that the patterns mean something.
has() {
    local found
    found=$(nm --defined-only "$1" | awk -v name="$2" '$3 == name')
    [[ -z $found ]] || return 0
    echo "$(basename "$1") lacks $2"
    failed=yes
}

# The manager brings what can be asked for when it runs, and so is in every program with one: leader
# election, events by either API, metrics, who may read them, the status page. Of 466 KiB these are
# some 120. Reading all that Go reads, members that come twice among it, takes 3. That the build is
# hardened takes 16 more, and 7 of the other program.
size "$1" 505
has "$1" kube_elector_run
has "$1" kube__wire_core_event_type
has "$1" kube__wire_event_type
has "$1" kube__wire_lease_type
lacks "$1" '^(core|events|coordination|apps|rbac|apiextensions|authorization)_v1_'

size "$2" 260
has "$2" kube_client_list_sized
has "$2" apps_v1_deployment_type
has "$2" core_v1_pod_spec_schema
lacks "$2" '^apps_v1_(daemon_set|stateful_set|replica_set)s?_'
lacks "$2" '^(kube_client|apps_v1_deployments)_(create|update|patch|watch|apply)'
lacks "$2" '^apps_v1_deployment_(informer|lister)_'
lacks "$2" '^core_v1_(node|service|secret|event|config_map)s?_(type|schema|list|get|create)$'
lacks "$2" '^kube_(manager|controller|informer|lister|workqueue|recorder)_'

[ -z "$failed" ]
