/* SPDX-License-Identifier: Apache-2.0 */
#include "gen_kit.h"
#include "support/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *print(diag *from, bool colour)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    diag_print(from, out, colour);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static void check_print(diag *from, const char *want)
{
    char *said = print(from, false);
    ck_assert_str_eq(said, want);
    free(said);
    diag_free(from);
}

TEST(errors_are_sorted_by_place)
{
    diag *to = diag_new();
    diag_error(to, (diag_loc){"b.h", 1, 1}, "fourth");
    diag_error(to, (diag_loc){"a.h", 10, 1}, "third");
    diag_error(to, (diag_loc){"a.h", 9, 5}, "second");
    diag_note(to, (diag_loc){"z.h", 1, 1}, "its note");
    diag_error(to, (diag_loc){"a.h", 9, 4}, "first");
    diag_error(to, (diag_loc){0}, "of the run");
    ck_assert_uint_eq(diag_error_count(to), 5);
    check_print(to, "kubegen: error: of the run\n"
                    "a.h:9:4: error: first\n"
                    "a.h:9:5: error: second\n"
                    "z.h:1:1: note: its note\n"
                    "a.h:10:1: error: third\n"
                    "b.h:1:1: error: fourth\n");
}

TEST(same_error_is_said_once)
{
    diag *to = diag_new();
    for (int i = 0; i < 2; i++) {
        diag_error(to, (diag_loc){"a.h", 1, 1}, "wrong");
        diag_note(to, (diag_loc){0}, "because");
    }
    check_print(to, "a.h:1:1: error: wrong\nnote: because\n");
}

TEST(an_error_after_a_thousand_warnings_is_kept)
{
    diag *to = diag_new();
    char *said;
    for (unsigned i = 1; i <= 1100; i++)
        diag_warning(to, (diag_loc){"a.h", i, 1}, "doubtful");
    ck_assert(!diag_is_full(to));
    ck_assert_uint_eq(diag_error_count(to), 0);
    diag_error(to, (diag_loc){"b.h", 1, 1}, "wrong");
    diag_note(to, (diag_loc){0}, "because");
    diag_error(to, (diag_loc){"b.h", 2, 1}, "wrong, too");
    ck_assert(diag_is_full(to));
    ck_assert_uint_eq(diag_error_count(to), 2);
    said = print(to, false);
    ck_assert_str_eq(strstr(said, "a.h:1000:1: "), "a.h:1000:1: warning: doubtful\n"
                                                   "b.h:1:1: error: wrong\n"
                                                   "note: because\n"
                                                   "kubegen: there are more than 1000 messages\n");
    free(said);
    diag_free(to);
}

TEST(source_line_is_shown_with_a_caret)
{
    loaded in = load_text("things/v1/types.h", "#include <kube/meta.h>\n"
                                               "typedef struct things_v1_x {\n"
                                               "\tint\t*replicas; /* äöü */\n"
                                               "    /* äöü */ int y;\n} things_v1_x;\n");
    ck_assert_str_eq(in.messages,
                     "things/v1/types.h:3:7: error: unsupported type 'int *': an optional "
                     "'int32_t' is a 'kube_opt_int32'\n"
                     "\tint\t*replicas; /* äöü */\n"
                     "\t   \t ^\n"
                     "things/v1/types.h:4:22: error: unsupported type 'int': use 'int32_t'\n"
                     "    /* äöü */ int y;\n"
                     "                  ^\n");
    unload(&in);
}

TEST(colours_only_when_asked_for)
{
    diag *to = diag_new();
    char *said;
    FILE *null;
    diag_error(to, (diag_loc){"a.h", 1, 1}, "wrong");
    said = print(to, true);
    ck_assert_ptr_nonnull(strstr(said, "\033[1;31merror: "));
    free(said);
    said = print(to, false);
    ck_assert_ptr_null(strchr(said, '\033'));
    free(said);
    null = fopen("/dev/null", "w");
    ck_assert_ptr_nonnull(null);
    ck_assert(!diag_wants_colour(null));
    fclose(null);
    diag_free(to);
}

TEST(nearest_word_is_not_far)
{
    static const char *const words[] = {"optional", "inline", "genclient", "kind"};
    ck_assert_str_eq(diag_nearest("optionl", words, 4), "optional");
    ck_assert_str_eq(diag_nearest("Inline", words, 4), "inline");
    ck_assert_str_eq(diag_nearest("genclinet", words, 4), "genclient");
    ck_assert_str_eq(diag_nearest("kidn", words, 4), "kind");
    ck_assert_ptr_null(diag_nearest("whatever", words, 4));
    ck_assert_ptr_null(diag_nearest("x", words, 4));
    ck_assert_ptr_null(diag_nearest("", words, 4));
}
