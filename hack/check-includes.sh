#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Which file may include what: the layers of the runtime, and the one file each library is seen in.
# Prints every violation as file:line and exits 1.
#
#   hack/check-includes.sh [root]     root: another tree to look at (default: this one)
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

# file:line:header, the header still in its quotes or brackets
includes() {
    local dirs=()
    for dir in runtime gen apis examples; do
        [ -d "$dir" ] && dirs+=("$dir")
    done
    [ ${#dirs[@]} -gt 0 ] || return 0
    find "${dirs[@]}" -type f \( -name '*.c' -o -name '*.h' \) -print0 | LC_ALL=C sort -z |
        xargs -0 -r awk '
            match($0, /^[ \t]*#[ \t]*include[ \t]*/) {
                rest = substr($0, RLENGTH + 1)
                if (match(rest, /^("[^"]*"|<[^>]*>)/))
                    printf "%s:%d:%s\n", FILENAME, FNR, substr(rest, RSTART, RLENGTH)
            }'
}

includes | LC_ALL=C awk -F: '
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

    BEGIN {
        count = split("base object net cache control", layers, " ")
        for (i = 1; i <= count; i++)
            rank[layers[i]] = i

        # What a public header, and base, may include of our own, and of C.
        n = split("assert ctype errno float inttypes limits math stdalign stdarg stdatomic " \
                  "stdbool stddef stdint stdio stdlib string time", names, " ")
        for (i = 1; i <= n; i++)
            standard[names[i] ".h"] = 1
        n = split("clock ctx error export fence log metrics quantity ratelimit shapes time version workqueue",
                  names, " ")
        for (i = 1; i <= n; i++)
            low["kube/" names[i] ".h"] = 1

        allowed["libcurl", "runtime"] = "runtime/src/net/transport_curl.c"
        also["libcurl", "runtime/src/net/transport_failure.c"] = 1
        also["libcurl", "runtime/src/net/transport_options.c"] = 1
        allowed["libcurl", "gen"] = "gen/fetch.c"
        allowed["cJSON", "runtime"] = "runtime/src/object/*"
        allowed["cJSON", "gen"] = "gen/*"
        allowed["libcurl", "examples"] = "examples/small/list-watch-raw.c"
        allowed["cJSON", "examples"] = "examples/small/list-watch-raw.c"
        allowed["libyaml", "runtime"] = "runtime/src/net/*"
        allowed["libyaml", "testing"] = "runtime/testing/*"
        allowed["libyaml", "gen"] = "gen/*"
        allowed["libclang", "gen"] = "gen/clang_parse.c"
        allowed["OpenSSL", "runtime"] = "runtime/src/net/*"
        allowed["libmicrohttpd", "runtime"] = "runtime/src/control/http.c"
        allowed["libmicrohttpd", "testing"] = "runtime/testing/apiserver/http.c"
        allowed["GnuTLS", "testing"] = "runtime/testing/apiserver/tls.c"
        also["GnuTLS", "runtime/testing/apiserver/sha256.c"] = 1
        allowed["zlib", "testing"] = "runtime/testing/apiserver/gzip.c"
        allowed["PCRE2", "testing"] = "runtime/testing/apiserver/regex.c"
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
        library("^pcre2\\.h$", "PCRE2")

        if (file ~ /^runtime\/src\//) {
            split(file, parts, "/")
            layer = parts[3]
            target = header
            sub(/^(\.\.\/)+/, "", target)
            split(target, parts, "/")
            if (quoted && target ~ /\// && !(parts[1] in rank))
                bad("not a layer of the runtime")
            else if (quoted && target ~ /\// && rank[parts[1]] > rank[layer])
                bad(layer " lies below " parts[1])
            if (layer == "base" && ours && !(header in low))
                bad("base lies below what this header describes")
        }
        if (file ~ /^runtime\/testing\// && quoted && header ~ /^(net|cache|control)\//)
            bad("the test kit uses base and object, and public headers")
        if (file ~ /^(runtime|apis|examples)\// && header ~ /^(\.\.\/)*gen\//)
            bad("the runtime and the generator share no code")
        if (file ~ /^gen\// && (ours || header ~ /(^|\/)runtime\//))
            bad("the runtime and the generator share no code")
        if (file ~ /^apis\/generated\// && header != "kube/generated.h" && \
            header !~ /^[^.\/]+\/[^.\/]+\/[a-z_]+\.h$/)
            bad("generated code includes <kube/generated.h> and its own headers only")
        if (file ~ /^apis\/[^\/]+\/[^\/]+\/types\.h$/ && header != "kube/meta.h" && \
            header !~ /^[^.\/]+\/[^.\/]+\/types\.h$/)
            bad("a types.h includes <kube/meta.h> and other types.h only")
        if (file ~ /^examples\// && header ~ /(^|\/)(base|object|net|cache|control)\/[a-z_]+\.h$/)
            bad("examples use public headers only")
    }

    END { exit failed }
'
