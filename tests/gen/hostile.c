/* SPDX-License-Identifier: Apache-2.0 */
#include "hostile.h"

#include "support/suite.h"
#include "support/utf8.h"

#include <clang-c/Index.h>
#include <string.h>
#include <yaml.h>

const char *const hostile_texts[] = {
    "PWNED\n#include \"PWNED.h\"\n",
    "PWNED\nint PWNED;\n//",
    "\rint PWNED;",
    "\r\n#define PWNED\r\n",
    "PWNED\xe2\x80\xa8int PWNED;",
    "PWNED\xe2\x80\xa9int PWNED;",
    "PWNED\xc2\x85"
    "PWNED: yes",
    "*/ int PWNED; /*",
    "PWNED*",
    "/PWNED",
    "/* PWNED",
    "\"; int PWNED; //",
    "'PWNED",
    "PWNED\\",
    "\\\nint PWNED;",
    "PWNED?"
    "?/",
    "PWNED?"
    "?/\nint PWNED;",
    "*?"
    "?/\n/ int PWNED; /*",
    "PWNED\x01\x7f\x1b[31m",
    "\xe2\x80\xae"
    "PWNED\xe2\x81\xa6",
    "`PWNED",
    "%s%n%0100000000dPWNED",
    "../../../PWNED",
    "/tmp/PWNED",
    "PWNED; PWNED",
    "PWNED\xff",
    "PWNED\xc0\x80",
    "na\xc3\xafve PWNED",
    "PWNED: {a: b}\n- c",
    "PWNED #",
    "{PWNED}",
};
const size_t hostile_count = sizeof hostile_texts / sizeof *hostile_texts;

/* ---- C ------------------------------------------------------------------------------------- */

static void add_identifier(str *out, const char *word, bool is_directive)
{
    static const char *const directives[] = {"Ddefine", "Eendif", "Iinclude", "Nifndef"};
    for (size_t i = 0; is_directive && i < sizeof directives / sizeof *directives; i++) {
        if (strcmp(directives[i] + 1, word) == 0) {
            str_add_char(out, directives[i][0]);
            return;
        }
    }
    ck_assert_msg(!strstr(word, "PWNED") || str_has_suffix(str_text(out), "#D"), "%s is a name",
                  word);
    str_add_char(out, 'i');
}

static void add_keyword(str *out, const char *word)
{
    static const char *const words[] = {"ttypedef", "rstruct", "cconst", "hchar",   "ddouble",
                                        "zsizeof",  "bbool",   "b_Bool", "xextern", "ystatic"};
    char letter = 'X';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i] + 1, word) == 0)
            letter = words[i][0];
    str_add_char(out, letter);
}

static void add_token(CXTranslationUnit unit, CXToken token, str *out)
{
    CXString spelling = clang_getTokenSpelling(unit, token);
    const char *text = clang_getCString(spelling);
    switch (clang_getTokenKind(token)) {
    case CXToken_Comment:
        break;
    case CXToken_Identifier:
        add_identifier(out, text, str_has_suffix(str_text(out), "#"));
        break;
    case CXToken_Keyword:
        add_keyword(out, text);
        break;
    case CXToken_Literal:
        str_add_char(out, *text == '"' ? 's' : 'n');
        break;
    case CXToken_Punctuation:
        str_add(out, text);
        break;
    }
    clang_disposeString(spelling);
}

void hostile_tokens(const char *text, str *out)
{
    static const char *const args[] = {"-xc", "-std=c11", "-w"};
    struct CXUnsavedFile file = {"hostile.h", text, strlen(text)};
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit unit = clang_parseTranslationUnit(index, file.Filename, args, 3, &file, 1,
                                                        CXTranslationUnit_SingleFileParse);
    CXFile handle = clang_getFile(unit, file.Filename);
    CXSourceRange all =
        clang_getRange(clang_getLocationForOffset(unit, handle, 0),
                       clang_getLocationForOffset(unit, handle, (unsigned)file.Length));
    CXToken *tokens = NULL;
    unsigned count = 0;
    clang_tokenize(unit, all, &tokens, &count);
    for (unsigned i = 0; i < count; i++)
        add_token(unit, tokens[i], out);
    clang_disposeTokens(unit, tokens, count);
    clang_disposeTranslationUnit(unit);
    clang_disposeIndex(index);
}

void hostile_check_plain(const char *text)
{
    while (*text) {
        size_t len = strcspn(text, "\n");
        str line = {0};
        str_add_len(&line, text, len);
        ck_assert_msg(utf8_is_plain(str_text(&line)), "hidden characters: %s", str_text(&line));
        str_free(&line);
        text += len + (text[len] == '\n');
    }
}

/* ---- YAML ---------------------------------------------------------------------------------- */

void hostile_events(const char *text, str *out)
{
    yaml_parser_t parser;
    bool done = false;
    ck_assert_int_eq(yaml_parser_initialize(&parser), 1);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    while (!done) {
        yaml_event_t event;
        ck_assert_msg(yaml_parser_parse(&parser, &event), "not YAML, in line %zu: %s\n%s",
                      parser.problem_mark.line, parser.problem, text);
        done = event.type == YAML_STREAM_END_EVENT;
        str_add_char(out, (char)('a' + event.type));
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
}
