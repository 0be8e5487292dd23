/* SPDX-License-Identifier: Apache-2.0 */
/* Headers that ask for too much: each gets an error, and none takes the process along. */
#include "crd/crd_document.h"
#include "front/clang_parse.h"
#include "front/pattern.h"
#include "gen_kit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define KIND(members)                                                                              \
    "// +genclient\ntypedef struct things_v1_thing {\n    kube_object base;\n"                     \
    "    kube_object_meta metadata;\n" members "} things_v1_thing;\n"

/* HEADER_TOP, @before, and @line with the numbers 1 to @count in place of N and 0 up in that of P.
 */
static char *repeated(const char *before, const char *line, unsigned count, const char *after)
{
    str text = {0};
    str_add(&text, HEADER_TOP);
    str_add(&text, before);
    for (unsigned i = 1; i <= count; i++)
        for (const char *at = line; *at; at++) {
            if (*at == '@')
                str_printf(&text, "%u", i);
            else if (*at == '$')
                str_printf(&text, "%u", i - 1);
            else
                str_add_char(&text, *at);
        }
    str_add(&text, after);
    return text.data;
}

/* What generate and crd say about a header. */
static void expect(char *text, const char *message)
{
    loaded it = load_text("things/v1/types.h", text);
    output_set *files = output_new();
    char *said = it.messages;
    size_t len = 0;
    if (it.model) {
        FILE *out = open_memstream(&said, &len);
        crd_plan(it.model, &(crd_options){0}, "crd", files, it.diag);
        diag_print(it.diag, out, false);
        fclose(out);
    }
    if (message)
        ck_assert_msg(strstr(said, message) != NULL, "says %.500s", said);
    else
        ck_assert_str_eq(said, "");
    if (said != it.messages)
        free(said);
    output_free(files);
    unload(&it);
    free(text);
}

TEST(a_chain_of_structs_is_as_long_as_it_likes)
{
    expect(repeated("typedef struct things_v1_s5001 things_v1_s5001;\n",
                    "typedef struct things_v1_s@ things_v1_s@;\n", 5000,
                    "struct things_v1_s5001 {\n    const char *x;\n};\n"),
           NULL);
    expect(repeated("typedef struct things_v1_s0 {\n    const char *x;\n} things_v1_s0;\n",
                    "typedef struct things_v1_s@ {\n    things_v1_s$ *x;\n} things_v1_s@;\n", 5000,
                    ""),
           NULL);
}

TEST(a_schema_is_bounded_in_depth_and_in_members)
{
    const char *first = "typedef struct things_v1_s0 {\n    const char *x;\n} things_v1_s0;\n";
    expect(repeated(first, "typedef struct things_v1_s@ {\n    things_v1_s$ x;\n} things_v1_s@;\n",
                    300, KIND("    things_v1_s300 spec;\n")),
           "types.h:308:20: error: the schema of 'things_v1_thing' has more than 100000 members");
    expect(repeated(first,
                    "typedef struct things_v1_s@ {\n    things_v1_s$ *x;\n    things_v1_s$ *y;\n} "
                    "things_v1_s@;\n",
                    30, KIND("    things_v1_s30 spec;\n")),
           "error: the schema of 'things_v1_thing' has more than 100000 members");
}

TEST(a_struct_is_bounded_as_its_table_is)
{
    expect(repeated("typedef struct things_v1_s {\n", "    const char *m@;\n", 8192,
                    "} things_v1_s;\n"),
           "types.h:4:16: error: 'things_v1_s' has 65536 bytes, and more than 65534 cannot be "
           "described");
    expect(repeated("typedef struct things_v1_s0 {\n    const char *x;\n} things_v1_s0;\n",
                    "typedef struct things_v1_s@ {\n    // +inline\n    things_v1_s$ a;\n} "
                    "things_v1_s@;\n",
                    40, ""),
           "or inlines structs more than 32 deep");
}

TEST(types_that_hide_each_other_end)
{
    char stars[3001];
    str text = {0};
    expect(repeated("typedef int32_t t0;\n", "typedef t$ t@;\n", 3000,
                    "typedef struct things_v1_s {\n    t3000 x;\n} things_v1_s;\n"),
           "unsupported type 't3000': it is behind more than 16 typedefs");
    memset(stars, '*', sizeof stars - 1);
    stars[sizeof stars - 1] = '\0';
    str_printf(&text, "%stypedef struct things_v1_s {\n    char %sx;\n} things_v1_s;\n", HEADER_TOP,
               stars);
    expect(text.data, "unsupported type '…': JSON has nothing like it");
}

TEST(a_thousand_messages_are_enough)
{
    expect(repeated("typedef struct things_v1_s {\n", "    float m@;\n", 1100, "} things_v1_s;\n"),
           "kubegen: there are more than 1000 messages\n");
}

TEST(patterns_are_bounded_as_in_re2)
{
    static const struct {
        const char *pattern;
        const char *error;
    } rows[] = {
        {"^a{1000}$", NULL},
        {"a{1001}", "invalid repetition size: {1001}"},
        {"(a{40}){25}", NULL},
        {"((a{10}){10}){11}", "invalid repetition size: {11}"},
        {"(a{500}b{500}){2,}c{1000}", NULL},
        {"a{,3}", NULL},
        {"[{]{3}", NULL},
        {"^\\x{2028}$", NULL},
        {"^(\\x{100}){20}$", NULL},
        {"^\\Q{2000}\\E$", NULL},
        {"^\\Q(\\E{3}$", NULL},
        {"\\x{2028}{1001}", "invalid repetition size: {1001}"},
        {"(\\Qaaaaaaaaaabbbbbbbbbbccccccccccddddddddddaaaaaaaaaabbbbbbbbbbccccccccccdddddddddd"
         "aaaaaaaaaabbbbbbbbbb\\E){1000}",
         NULL},
        {"(\\pL{100}){10}", "pattern too large - compile failed"},
        {"a{18446744073709551615}", "a repeat is greater than 1000"},
    };
    arena *in = arena_new();
    str deep = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *error = pattern_error(in, rows[i].pattern);
        ck_assert_msg((error == NULL) == (rows[i].error == NULL), "%s: %s", rows[i].pattern, error);
        if (error)
            ck_assert_str_eq(error, rows[i].error);
    }
    for (int i = 0; i < 201; i++)
        str_add_char(&deep, '(');
    ck_assert_str_eq(pattern_error(in, str_text(&deep)), "its groups are nested deeper than 200");
    ck_assert(!pattern_excludes("(((a{100}){100}){100}){100}", "b"));
    ck_assert(pattern_excludes("^(.?){0,900}(.?){0,90}$", "more than\none line"));
    ck_assert(!pattern_excludes("^(.?){0,900}$", "a"));
    ck_assert(pattern_excludes("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$",
                               "abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz.0123456789"));
    str_free(&deep);
    arena_free(in);
}

TEST(a_carriage_return_alone_is_an_error)
{
    loaded it = load_text("things/v1/types.h", HEADER_TOP "/* one\r\n two */\r\n"
                                                          "typedef struct things_v1_x {\r\n"
                                                          "    // +optional\r    int32_t a;\r\n"
                                                          "} things_v1_x;\r\n");
    ck_assert_ptr_null(it.model);
    ck_assert_msg(strstr(it.messages, "things/v1/types.h:7:17: error: this is a carriage return "
                                      "without a line feed"),
                  "%s", it.messages);
    unload(&it);
}

TEST(a_zero_byte_is_an_error_wherever_it_stands)
{
    static const char text[] = HEADER_TOP "typedef struct things_v1_s {\n    // note\0 +optional\n"
                                          "    const char *x;\n} things_v1_s;\n";
    char dir[] = "/tmp/kubegen-zero-XXXXXX";
    const char *inputs[] = {"things/v1"};
    diag *said = diag_new();
    char *messages = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&messages, &len);
    FILE *file;
    ck_assert_ptr_nonnull(mkdtemp(dir));
    ck_assert_int_eq(chdir(dir), 0);
    ck_assert_int_eq(mkdir("things", 0700) | mkdir("things/v1", 0700), 0);
    file = fopen("things/v1/types.h", "w");
    ck_assert_uint_eq(fwrite(text, 1, sizeof text - 1, file), sizeof text - 1);
    fclose(file);
    ck_assert_ptr_null(model_load(inputs, 1, NULL, said));
    diag_print(said, out, false);
    fclose(out);
    ck_assert_msg(strstr(messages, "things/v1/types.h:5:12: error: this is a zero byte"), "%s",
                  messages);
    free(messages);
    diag_free(said);
    unlink("things/v1/types.h");
    rmdir("things/v1");
    rmdir("things");
    ck_assert_int_eq(chdir("/"), 0);
    rmdir(dir);
}

/* Runs in a process of its own: the bound ends it. */
TEST(a_pipe_that_nobody_writes_to_does_not_hold_it_up)
{
    char dir[] = "/tmp/kubegen-pipe-XXXXXX";
    char path[128];
    char text[512];
    char said[512] = "";
    int ends[2];
    int status;
    pid_t child;
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/pipe.h", dir);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    snprintf(text, sizeof text, HEADER_TOP "#include \"%s\"\n", path);
    ck_assert_int_eq(pipe(ends), 0);
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        parse_set_seconds(1);
        load_text("things/v1/types.h", text);
        _exit(0);
    }
    close(ends[1]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    ck_assert_int_gt(read(ends[0], said, sizeof said - 1), 0);
    ck_assert_msg(strstr(said, "types.h: error: the compiler has not read this file after 1 "),
                  "%s", said);
    close(ends[0]);
    unlink(path);
    rmdir(dir);
}
