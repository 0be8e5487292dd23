#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The check-*.sh scripts of hack/: every kind of violation is found where it is, and what is allowed
# is not.
set -euo pipefail
hack=$(cd "$(dirname "$0")/../../hack" && pwd)
root=$(mktemp -d "${TMPDIR:-/tmp}/kubegen-checks.XXXXXX")
trap 'rm -rf "$root"' EXIT
failed=0

# file PATH LINE…: writes a file of the tree
file() {
    mkdir -p "$root/$(dirname "$1")"
    printf '%s\n' "${@:2}" >"$root/$1"
}

# expect NAME SCRIPT PLACE…: the script finds violations at just these places, in this order
expect() {
    local name=$1 script=$2 out want code=0
    shift 2
    want=$([ $# -eq 0 ] || printf '%s\n' "$@")
    out=$("$hack/$script" "$root") || code=$?
    if [ "$(cut -d: -f1,2 <<<"$out")" != "$want" ] || [ "$code" != $(($# > 0)) ]; then
        printf '%s: want places:\n%s\ngot exit code %s and:\n%s\n' "$name" "$want" "$code" "$out"
        failed=1
    fi
    rm -rf "${root:?}"/*
}

spdx='/* SPDX-License-Identifier: Apache-2.0 */'

digest=@sha256:0123456789012345678901234567890123456789012345678901234567890123
file Dockerfile "ARG A=debian:x$digest" 'ARG B=debian:x' 'FROM $A AS build' 'FROM $B' 'FROM build' \
    "FROM debian:x$digest" 'FROM debian:x' 'FROM debian:x@sha256:0123'
expect 'a base image by its tag' check-style.sh Dockerfile:4 Dockerfile:7 Dockerfile:8

file runtime/src/base/a.c "$spdx" 'fd = open(path, O_RDONLY | O_CLOEXEC);' 'fd = open(path,' \
    '          O_RDONLY);' 'rc = source->open(source);' 'file = fopen(path, "re");' \
    'file = fopen(path, "r");' 'fd = kube__socket(AF_INET, SOCK_STREAM, 0);' \
    'if (pipe(ends) != 0)' '    return;' 'fd = accept4(listener, NULL, NULL,' \
    '             SOCK_CLOEXEC);' 'fd = accept(listener, NULL, NULL);' '/* as dup(fd) */' \
    'fd = dup(fd);' 'fd = socket(AF_INET, SOCK_STREAM, 0);'
file tests/a.c "$spdx" 'fd = open(path, O_RDONLY);'
file examples/x/tests/a.c "$spdx" 'fd = open(path, O_RDONLY);'
file runtime/src/net/config/descriptor.c "$spdx" 'fd = socket(family, type, protocol);'
expect 'a descriptor that a child inherits' check-style.sh runtime/src/base/a.c:3 \
    runtime/src/base/a.c:7 runtime/src/base/a.c:9 runtime/src/base/a.c:13 runtime/src/base/a.c:15 \
    runtime/src/base/a.c:16

file runtime/include/kube/a.h '#include <kube/b.h>' '#include <stdint.h>'
file runtime/src/net/transport/exchange.h '#include "transport.h"' '#include <curl/curl.h>' \
    '#include "base/buffer.h"' '#include "object/block/block.h"' '#include <openssl/ssl.h>'
file runtime/src/net/config/kubeconfig.c '#include <yaml.h>'
file runtime/src/object/json/document.c '#include <cjson/cJSON.h>'
file runtime/src/base/ctx.c '#include <kube/ctx.h>' '#include "thread.h"' '#include <pthread.h>'
file gen/front/clang_parse.c '#include <clang-c/Index.h>'
file gen/support/json.c '#include <cjson/cJSON.h>' '#include "yaml.h"'
file gen/render/view.c '#include "view.h"' '#include "front/model.h"'
file runtime/testing/apiserver/store/store.c '#include "apiserver/core/request.h"'
file gen/support/yaml.c '#include <yaml.h>'
file apis/g/v1/types.h '#include <kube/meta.h>' '#include <other/v1/types.h>'
file apis/generated/g/v1/json.c '#include <kube/generated.h>' '#include <g/v1/register.h>'
file examples/x/main.c '#include <kube/kube.h>' '#include "controller.h"'
expect 'what is allowed' check-includes.sh

file runtime/src/base/log.c '#include "log.h"' '#include "object/block/block.h"'
file runtime/src/net/client/watch.c ' # include  "cache/store.h"'
file runtime/src/cache/store.c '#include "control/queue/queue.h"' '#include "other/model.h"'
file runtime/testing/apiserver/core/name.c '#include "apiserver/store/store.h"'
file gen/front/build.c '#include "render/view.h"'
expect 'a room above' check-includes.sh gen/front/build.c:1 runtime/src/base/log.c:2 \
    runtime/src/cache/store.c:1 runtime/src/cache/store.c:2 runtime/src/net/client/watch.c:1 \
    runtime/testing/apiserver/core/name.c:1

file runtime/src/cache/store.c '#include "../base/buffer.h"' '#include "cache/index.h"'
file runtime/src/new/a.c '#include "a.h"'
expect 'one way to name a header, and no folder without a line in rooms.txt' check-includes.sh \
    runtime/src/cache/store.c:1 runtime/src/cache/store.c:2 runtime/src/new/a.c:1

file runtime/src/base/ctx.c '#include <kube/object.h>'
expect 'a public header above base' check-includes.sh runtime/src/base/ctx.c:1

file runtime/src/net/client/watch.c '#include <curl/curl.h>'
file gen/command/main.c '#include <curl/curl.h>'
expect 'curl elsewhere' check-includes.sh gen/command/main.c:1 runtime/src/net/client/watch.c:1

file runtime/src/object/json/a.c '#include <cjson/cJSON.h>'
file runtime/src/object/json/b.c '#include <cJSON.h>'
file runtime/src/net/config/config.c '#include <cjson/cJSON.h>'
file gen/front/a.c '#include <cjson/cJSON.h>'
file gen/front/b.c '' '#include <cjson/cJSON.h>'
expect 'cJSON in two files, or in another layer' check-includes.sh gen/front/b.c:2 \
    runtime/src/net/config/config.c:1 runtime/src/object/json/b.c:1

file gen/front/a.c '#include <yaml.h>'
file gen/front/b.c '#include <yaml.h>'
file runtime/src/base/a.c '#include <yaml.h>'
expect 'libyaml in two files, or in another layer' check-includes.sh gen/front/b.c:1 \
    runtime/src/base/a.c:1

file gen/front/markers.c '#include <clang-c/Index.h>'
file runtime/src/base/a.c '#include <clang-c/Index.h>'
expect 'libclang elsewhere' check-includes.sh gen/front/markers.c:1 runtime/src/base/a.c:1

file runtime/include/kube/a.h '#include <pthread.h>' '#include <curl/curl.h>' '#include "b.h"'
file runtime/testing/include/kube/testing/a.h '#include <microhttpd.h>'
expect 'other headers in a public one' check-includes.sh runtime/include/kube/a.h:1 \
    runtime/include/kube/a.h:2 runtime/include/kube/a.h:3 \
    runtime/testing/include/kube/testing/a.h:1

file gen/front/a.c '#include <kube/error.h>' '#include "base/buffer.h"'
file examples/x/main.c '#include "base/buffer.h"'
file apis/g/v1/types.h '#include <stdio.h>'
file apis/generated/g/v1/json.c '#include <kube/manager.h>'
expect 'a border crossed' check-includes.sh apis/g/v1/types.h:1 \
    apis/generated/g/v1/json.c:1 examples/x/main.c:1 gen/front/a.c:1 gen/front/a.c:2

euros=$(printf '€%.0s' {1..100})
file runtime/src/a.c "$spdx" '/* strcpy() and atoi() in a comment' ' * gets() */' '// sprintf()' \
    'char *s = "strtok(x) \" alloca(y)";' 'my_strcpy(a); snprintf(b); x->atoi;' \
    "/$euros" 'call(); /* a */ int x; /* gets(z) */'
file tests/test_a.c "$spdx" 'strcpy(a, b);'
file tests/gen/golden/x/want.c 'anything	goes '
file hack/x.sh '#!/bin/sh' '# SPDX-License-Identifier: Apache-2.0' '	tab'
# The line of 100 euros and a slash is 101 wide.
expect 'the border of a line' check-style.sh runtime/src/a.c:7

file runtime/src/a.c "$spdx" "$euros"
expect 'a line that just fits' check-style.sh

file runtime/src/a.c "$spdx" 'strcpy(a, b);' 'x = atoi (y);' '/* a */ gets(z); /* b' \
    'alloca(1) */ alloca(2);' "c = '\"'; strtok(d);"
expect 'banned functions' check-style.sh runtime/src/a.c:{2,3,4,5,6}

file gen/a.c "$spdx" '	int x;' 'int y; ' $'int z;\r'
file gen/b.c 'int x;'
file gen/c.c 'int x;' 'int y;'
expect 'tabs, blanks, returns, no licence line' check-style.sh gen/a.c:2 gen/a.c:3 gen/a.c:4 \
    gen/b.c:1 gen/c.c:1

file runtime/src/a.h "$spdx" 'typedef struct kube__slot {' '} kube__slot;' 'struct entry {' '};'
file runtime/src/b.c "$spdx" 'struct entry {' '};' 'struct kube__slot {' '};'
expect 'a name with two meanings' check-style.sh runtime/src/b.c:4

# In two pieces, because this file is checked too.
ref='REF'
file docs/rules.md '| code | rule |' '|---|---|' "| $ref-1 | One. |" "| $ref-2 | Two. |" \
    "| $ref-3 | Three. |"
file runtime/src/a.c "/* $ref-1 to $ref-3, in UTF-8 */"
file tests/test_a.c "/* $ref-1a; see peer.c */"
expect 'rules that exist and are cited' check-rules.sh

file docs/rules.md '| code | rule |' '|---|---|' "| $ref-1 | One. |" "| $ref-2 | Two. |" \
    "| $ref-7 | Seven. |"
file runtime/src/a.c '' "/* $ref-1…3 */" "/* $ref-4b */"
file tests/test_a.c "START_TEST(a) /* r""ow 7: TestA */" "/* p""eers 3, 4 */"
expect 'unknown rules, uncited rules, and rows of lists elsewhere' check-rules.sh runtime/src/a.c:3 \
    tests/test_a.c:1 tests/test_a.c:2 docs/rules.md:5

file runtime/src/a.c 'int x;'
file docs/a.md 'See `runtime/src/a.c`, `runtime/src/`, `runtime/src/*.c` and [b](b.md).' \
    'Yours are `apis/<group>/types.h`.' '<!-- file: runtime/src/a.c -->' '```c' 'int x;' '```'
file docs/b.md 'Run `hack/x.sh`.'
file hack/x.sh
expect 'documents that agree with the tree' check-docs.sh

file runtime/src/a.c 'int x;'
file docs/a.md '`runtime/src/b.c`' '[b](b.md)' 'hack/x.sh' '<!-- file: runtime/src/a.c -->' '```c' \
    'int y;' '```'
file docs/rules.md "| $ref-1 | One. |"
expect 'files that are not there, code that has changed' check-docs.sh docs/a.md:4 docs/a.md:2 \
    docs/a.md:3 docs/a.md:1 docs/rules.md:1

for number in {1..41}; do
    file gen/front/a$number.c "$spdx"
done
expect 'a folder with too many files' check-includes.sh gen/front:1

exit $failed
