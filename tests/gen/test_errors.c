/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bad headers: every errors/<name>.h ends in a comment that lists all that must be said about it,
 * word for word, as `line:col: error: text`. It is read as errors/v1/types.h.
 */
#include "gen_kit.h"
#include "support/str.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char marker[] = "/* expect:\n";
static glob_t headers;

/* The messages without source lines and paths. */
static char *plain(const char *messages)
{
    static const char path[] = "errors/v1/types.h:";
    str out = {0};
    for (const char *line = messages; *line;) {
        size_t len = strcspn(line, "\n");
        if (str_has_prefix(line, path)) {
            size_t skip = strlen(path);
            skip += strspn(line + skip, " ");
            str_printf(&out, "%.*s\n", (int)(len - skip), line + skip);
        } else if (str_has_prefix(line, "note: ") || str_has_prefix(line, "kubegen: ")) {
            str_printf(&out, "%.*s\n", (int)len, line);
        }
        line += len + (line[len] == '\n');
    }
    str_add(&out, "");
    return out.data;
}

/* Finds the headers, which are kept to the end, and returns how many there are. */
static int header_count(void)
{
    const char *root = getenv("KUBEGEN_SOURCE_DIR");
    str pattern = {0};
    int rc;
    str_printf(&pattern, "%s/tests/gen/errors/*.h", root ? root : ".");
    rc = glob(str_text(&pattern), 0, NULL, &headers);
    str_free(&pattern);
    if (rc != 0 || headers.gl_pathc < 40) {
        fputs("too few headers of errors; KUBEGEN_SOURCE_DIR names the source tree\n", stderr);
        exit(EXIT_FAILURE);
    }
    return (int)headers.gl_pathc;
}

TEST_TIMES(says_exactly_what_is_wrong, header_count())
{
    const char *path = headers.gl_pathv[_i];
    str text = {0};
    char *expected;
    char *end;
    char *said;
    loaded in;
    ck_assert_msg(str_read_file(&text, path), "cannot read %s", path);
    expected = strstr(str_text(&text), marker);
    ck_assert_msg(expected != NULL, "%s expects nothing", path);
    in = load_text("errors/v1/types.h", str_text(&text));
    expected += strlen(marker);
    end = strstr(expected, "*/");
    ck_assert_ptr_nonnull(end);
    *end = '\0';
    said = plain(in.messages);
    ck_assert_msg(strcmp(said, expected) == 0, "%s\nsays:\n%s\nbut should say:\n%s", path, said,
                  expected);
    ck_assert_ptr_null(in.model);
    ck_assert_uint_gt(strlen(expected), 0);
    free(said);
    unload(&in);
    str_free(&text);
}
