#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Which file may include what: the rooms of the tree (hack/rooms.txt), and the one file each library
# is seen in; and that no folder has more than 40 source files. Prints every violation as file:line and exits 1.
#
#   hack/check-includes.sh [root]     root: another tree to look at (default: this one)
set -euo pipefail
rooms=$(cd "$(dirname "$0")" && pwd)/rooms.txt
cd "${1:-$(dirname "$0")/..}"

# file:line:header, the header still in its quotes or brackets
includes() {
    local dirs=()
    for dir in runtime gen apis examples; do
        [ -d "$dir" ] && dirs+=("$dir")
    done
    [ ${#dirs[@]} -gt 0 ] || return 0
    find "${dirs[@]}" -type f \( -name '*.c' -o -name '*.cc' -o -name '*.h' \) -print0 | LC_ALL=C sort -z |
        xargs -0 -r awk '
            match($0, /^[ \t]*#[ \t]*include[ \t]*/) {
                rest = substr($0, RLENGTH + 1)
                if (match(rest, /^("[^"]*"|<[^>]*>)/))
                    printf "%s:%d:%s\n", FILENAME, FNR, substr(rest, RSTART, RLENGTH)
            }'
}

# A folder is a room as long as one can look over it.
crowded() {
    local dirs=()
    for dir in runtime gen apis examples tests; do
        [ -d "$dir" ] && dirs+=("$dir")
    done
    [ ${#dirs[@]} -gt 0 ] || return 0
    # Headers that are wrong on purpose are data.
    find "${dirs[@]}" -type f \( -name '*.c' -o -name '*.cc' -o -name '*.h' \) ! -path 'tests/gen/errors/*' |
        sed 's#/[^/]*$##' | LC_ALL=C sort | uniq -c | awk '
            $1 > 40 {
                printf "%s:1: %d source files, more than 40\n", $2, $1
                failed = 1
            }
            END { exit failed }'
}

status=0
crowded || status=1
includes | LC_ALL=C awk -F: -v rooms="$rooms" '
    function bad(why) {
        printf "%s:%s: #include %s: %s\n", file, $2, $3, why
        failed = 1
    }

    # A library: the pattern of its headers, and the one file of each part that may see it. A "*"
    # is any file below the directory, but only one.
    function library(pattern, name,    part) {
        if (quoted || header !~ pattern)
            return
        part = file
        sub(/\/.*/, "", part)
        if (file ~ /^runtime\/testing\//)
            part = "testing"
        if ((name, file) in also)
            return
        if (!((name, part) in allowed)) {
            bad(name " has no business in " part)
        } else if (index(allowed[name, part], "*") ? \
                   index(file, substr(allowed[name, part], 1, \
                                      length(allowed[name, part]) - 1)) != 1 : \
                   file != allowed[name, part]) {
            bad(name " belongs to " allowed[name, part])
        } else if ((name, part) in seen && seen[name, part] != file) {
            bad(name " is seen in " seen[name, part] " already: one file each")
        } else {
            seen[name, part] = file
        }
    }

    # A room is a folder of rooms.txt; which part it belongs to is where its includes are rooted.
    function read_rooms(    line, colon) {
        while ((getline line <rooms) > 0) {
            colon = index(line, ":")
            if (line ~ /^#/ || !colon)
                continue
            may_use[substr(line, 1, colon - 1)] = substr(line, colon + 1) " "
        }
        close(rooms)
    }

    function part_of(file) {
        if (file ~ /^gen\//)
            return "gen"
        if (file ~ /^runtime\/(src|testing)\//)
            return substr(file, 1, file ~ /^runtime\/src/ ? 11 : 15)
        return ""
    }

    function folder_of(path) {
        return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : ""
    }

    # Whether a file of @room may include what lies in the folder @target.
    function may_include(room, target,    n, names, i) {
        n = split(may_use[room], names, " ")
        for (i = 1; i <= n; i++) {
            if (target == names[i] || index(target, names[i] "/") == 1)
                return 1
        }
        return 0
    }

    function check_room(    part, room, target) {
        part = part_of(file)
        if (part == "" || !quoted)
            return
        room = folder_of(file)
        target = folder_of(header)
        if (!(room in may_use))
            bad(room " is no room of hack/rooms.txt")
        else if (header ~ /(^|\/)\.\.?\//)
            bad("name the path from " part "/")
        else if (target != "" && part "/" target == room)
            bad("it lies in the same folder: include \"" substr(header, length(target) + 2) "\"")
        else if (target != "" && !may_include(room, target))
            bad(substr(room, length(part) + 2) " may not use " target)
    }

    BEGIN {
        read_rooms()

        # What a public header, and base, may include of our own, and of C.
        n = split("assert ctype errno float inttypes limits math stdalign stdarg stdatomic " \
                  "stdbool stddef stdint stdio stdlib string time", names, " ")
        for (i = 1; i <= n; i++)
            standard[names[i] ".h"] = 1
        n = split("clock ctx error export fence log metrics quantity ratelimit shapes time version workqueue",
                  names, " ")
        for (i = 1; i <= n; i++)
            low["kube/" names[i] ".h"] = 1

        allowed["libcurl", "runtime"] = "runtime/src/net/transport/exchange.h"
        also["libcurl", "runtime/src/net/transport/transport_failure.c"] = 1
        also["libcurl", "runtime/src/net/transport/transport_options.c"] = 1
        allowed["libcurl", "gen"] = "gen/import/fetch.c"
        allowed["cJSON", "runtime"] = "runtime/src/object/*"
        allowed["cJSON", "gen"] = "gen/*"
        allowed["libcurl", "examples"] = "examples/small/list-watch-raw.c"
        allowed["cJSON", "examples"] = "examples/small/list-watch-raw.c"
        allowed["libyaml", "runtime"] = "runtime/src/net/*"
        allowed["libyaml", "testing"] = "runtime/testing/*"
        allowed["libyaml", "gen"] = "gen/*"
        allowed["libclang", "gen"] = "gen/front/clang_parse.c"
        allowed["RE2", "gen"] = "gen/front/pattern.cc"
        allowed["OpenSSL", "runtime"] = "runtime/src/net/*"
        allowed["libmicrohttpd", "runtime"] = "runtime/src/control/manager/http.c"
        allowed["GnuTLS", "runtime"] = "runtime/src/control/manager/serving_cert.c"
        also["GnuTLS", "runtime/src/control/manager/metrics_access.c"] = 1
        allowed["GnuTLS", "testing"] = "runtime/testing/apiserver/server/tls.c"
        also["GnuTLS", "runtime/testing/apiserver/value/sha256.c"] = 1
        allowed["zlib", "runtime"] = "runtime/src/net/transport/gzip.c"
        allowed["zlib", "testing"] = "runtime/testing/apiserver/value/gzip.c"
        allowed["RE2", "testing"] = "runtime/testing/apiserver/value/regex.cc"
    }

    {
        file = $1
        header = substr($3, 2, length($3) - 2)
        quoted = $3 ~ /^"/
        ours = header ~ /^kube\//

        if (file ~ /^runtime\/(testing\/)?include\//) {
            if (!ours && !(header in standard))
                bad("a public header includes <kube/…> and standard C only")
            next
        }

        library("^curl/", "libcurl")
        library("(^|/)cJSON(_Utils)?\\.h$", "cJSON")
        library("^yaml\\.h$", "libyaml")
        library("^clang-c/", "libclang")
        library("^openssl/", "OpenSSL")
        library("^microhttpd\\.h$", "libmicrohttpd")
        library("^gnutls/", "GnuTLS")
        library("^zlib\\.h$", "zlib")
        library("^re2/", "RE2")

        check_room()
        if (file ~ /^runtime\/src\/base\// && ours && !(header in low))
            bad("base lies below what this header describes")
        if (file ~ /^(runtime|apis|examples)\// && header ~ /^(\.\.\/)*gen\//)
            bad("the runtime and the generator share no code")
        if (file ~ /^gen\// && (ours || header ~ /(^|\/)runtime\//))
            bad("the runtime and the generator share no code")
        if (file ~ /^apis\/generated\// && \
            header !~ /^kube\/(client|codec|finalizer|generated|informer|lister|owner|scale|subresource)\.h$/ && \
            header !~ /^[^.\/]+\/[^.\/]+\/[a-z_]+\.h$/)
            bad("generated code includes what it calls of libkube and its own headers only")
        if (file ~ /^apis\/[^\/]+\/[^\/]+\/types\.h$/ && header != "kube/meta.h" && \
            header !~ /^[^.\/]+\/[^.\/]+\/types\.h$/)
            bad("a types.h includes <kube/meta.h> and other types.h only")
        if (file ~ /^examples\// && header ~ /(^|\/)(base|object|net|cache|control)\/[a-z_]+\.h$/)
            bad("examples use public headers only")
    }

    END { exit failed }
' || status=1
exit $status
