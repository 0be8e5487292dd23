#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a formatter does not see: the licence line, functions banned outside of tests, tabs, long
# lines, blanks at line ends, names with two meanings, descriptors that a child would inherit, base
# images that are not named by digest. Prints every violation as file:line and exits 1.
#
#   hack/check-style.sh [root]     root: another tree to look at (default: this one)
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

sources() {
    local dirs=()
    for dir in runtime gen apis examples templates tests hack; do
        [ -d "$dir" ] && dirs+=("$dir")
    done
    [ ${#dirs[@]} -gt 0 ] || return 0
    # What tests compare byte for byte, and headers that are wrong on purpose, may look any way.
    find "${dirs[@]}" -type d \( -name golden -o -name errors -o -name corpus \) -prune -o \
        -type f \( -name '*.c' -o -name '*.cc' -o -name '*.h' -o -name '*.sh' -o -name '*.cmake' -o \
        -name '*.py' -o -name '*.go' -o -name CMakeLists.txt \) -print0 | LC_ALL=C sort -z
}

sources | LC_ALL=C xargs -0 -r awk '
    function bad(line, why) {
        printf "%s:%d: %s\n", FILENAME, line, why
        failed = 1
    }

    # Characters, whatever the locale: bytes that do not continue a UTF-8 character.
    function width(text,    copy) {
        copy = text
        return length(copy) - gsub(/[\200-\277]/, "", copy)
    }

    # The line without strings, character constants and comments.
    function code_of(line,    out) {
        out = line
        gsub(/\\./, "", out)
        gsub(/"[^"]*"/, "\"\"", out)
        gsub(/\047[^\047]*\047/, "0", out)
        if (in_comment) {
            if (!match(out, /\*\//))
                return ""
            out = substr(out, RSTART + 2)
            in_comment = 0
        }
        gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", out)
        sub(/\/\/.*/, "", out)
        if (match(out, /\/\*/)) {
            in_comment = 1
            out = substr(out, 1, RSTART - 1)
        }
        return out
    }

    # A call that opens a descriptor says, to the end of its statement, that no child inherits it.
    function check_descriptor(text, line,    name) {
        if (wanted == "" && match(text, opening)) {
            name = substr(text, RSTART, RLENGTH - 1)
            sub(/^[^a-z]/, "", name)
            wanted = name ~ /open$/ && name != "open" ? "\"[a-z+]*e[a-z+]*\"\\)" : "_CLOEXEC"
            opened = name
            opened_at = FNR
            text = substr(text, RSTART)
            line = substr(line, index(line, name "("))
        }
        if (wanted == "")
            return
        if (line ~ wanted)
            wanted = ""
        else if (text ~ /[;{]/) {
            bad(opened_at, opened "() without close-on-exec")
            wanted = ""
        }
    }

    function check_file() {
        if (previous != "" && !licensed)
            bad_in_previous()
    }

    function bad_in_previous() {
        printf "%s:1: no line SPDX-License-Identifier: Apache-2.0 at the top\n", previous
        failed = 1
    }

    BEGIN {
        opening = "(^|[^A-Za-z0-9_.>])(open|openat|fopen|freopen|popen|tmpfile|mkstemp|mkostemp|" \
            "socket|socketpair|accept|accept4|pipe|pipe2|dup|dup2|dup3|epoll_create|epoll_create1|" \
            "eventfd|timerfd_create|signalfd|inotify_init|inotify_init1|memfd_create)\\("
        count = split("strcpy strcat sprintf vsprintf gets strtok atoi atol atof alloca", banned, " ")
    }

    FNR == 1 {
        check_file()
        previous = FILENAME
        licensed = 0
        in_comment = 0
        wanted = ""
        is_c = FILENAME ~ /\.([ch]|cc)$/
        # descriptor.c is the one that does without where the system has no such flag.
        ships = FILENAME !~ /(^|\/)(tests|hack)\// && FILENAME !~ /\/config\/descriptor\.c$/
        is_test = FILENAME ~ /^tests\//
    }

    FNR <= 5 && /SPDX-License-Identifier: Apache-2\.0/ { licensed = 1 }
    /[ \t]$/ { bad(FNR, "blank at the end of the line") }
    /\r$/ { bad(FNR, "carriage return at the end of the line") }

    # A struct, union, enum or type name that crosses files means one thing in the whole runtime.
    is_c && /^(typedef )?(struct|union|enum) kube_[a-z0-9_]+ \{/ {
        name = $0
        sub(/ \{.*/, "", name)
        sub(/.* /, "", name)
        if (!is_test && (name in defined_in) && defined_in[name] != FILENAME)
            bad(FNR, name " is defined in " defined_in[name] " too: two meanings, one name")
        defined_in[name] = FILENAME
    }

    is_c {
        if (/\t/)
            bad(FNR, "tab")
        # A marker is one line, whatever its length.
        if (length($0) > 100 && width($0) > 100 && $0 !~ /^ *\/\/ \+[a-z]/)
            bad(FNR, "line of " width($0) " columns, more than 100")
        text = code_of($0)
        if (ships)
            check_descriptor(text, $0)
        for (i = 1; i <= count && !is_test; i++) {
            if (match(text, "(^|[^A-Za-z0-9_])" banned[i] "[ ]*\\("))
                bad(FNR, banned[i] "() is banned")
        }
    }

    END {
        check_file()
        exit failed
    }
' || exit 1 # xargs has a code of its own

# FROM names an earlier stage or a digest, also by way of an ARG.
find . -name 'Dockerfile*' -type f ! -path './build/*' -print0 | LC_ALL=C sort -z | xargs -0 -r awk '
    FNR == 1 { split("", stages) }
    $1 == "ARG" && split($2, pair, "=") > 1 { values["$" pair[1]] = substr($2, length(pair[1]) + 2) }
    $1 == "FROM" {
        image = $2 in values ? values[$2] : $2
        at = index(image, "@sha256:")
        if (!(image in stages) && !(at && length(image) == at + 71)) {
            printf "%s:%d: FROM %s: not by digest\n", substr(FILENAME, 3), FNR, $2
            failed = 1
        }
        if ($3 == "AS")
            stages[$4]
    }
    END { exit failed }
' || exit 1
