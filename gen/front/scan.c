/* SPDX-License-Identifier: Apache-2.0 */
#include "scan.h"

#include "support/ascii.h"
#include "support/vec.h"

#include <stdlib.h>
#include <string.h>

typedef struct scanner {
    const char *text;
    size_t at;
    unsigned line;
    size_t line_start;
    VEC(parse_token) tokens;
} scanner;

static void step(scanner *s)
{
    if (s->text[s->at++] == '\n') {
        s->line++;
        s->line_start = s->at;
    }
}

/* Returns the length of a backslash and a line end after it, which C joins, or 0. */
static size_t splice_len(const char *text)
{
    if (text[0] != '\\')
        return 0;
    if (text[1] == '\n')
        return 2;
    return text[1] == '\r' && text[2] == '\n' ? 3 : 0;
}

static void skip(scanner *s, size_t len)
{
    while (len-- > 0)
        step(s);
}

/* Up to the end of the line, which a backslash puts off. */
static void skip_line_comment(scanner *s)
{
    while (s->text[s->at] && s->text[s->at] != '\n') {
        size_t splice = splice_len(s->text + s->at);
        skip(s, splice ? splice : 1);
    }
}

static void skip_block_comment(scanner *s)
{
    const char *end = strstr(s->text + s->at + 2, "*/");
    skip(s, end ? (size_t)(end + 2 - (s->text + s->at)) : strlen(s->text + s->at));
}

/* A string or a character; one that is not closed ends with its line. */
static void skip_quoted(scanner *s)
{
    char quote = s->text[s->at];
    step(s);
    while (s->text[s->at] && s->text[s->at] != '\n' && s->text[s->at] != quote) {
        if (s->text[s->at] == '\\' && s->text[s->at + 1])
            step(s);
        step(s);
    }
    if (s->text[s->at] == quote)
        step(s);
}

static bool begins_comment(const char *text)
{
    return text[0] == '/' && (text[1] == '/' || text[1] == '*');
}

static void skip_code(scanner *s)
{
    do {
        if (s->text[s->at] == '"' || s->text[s->at] == '\'')
            skip_quoted(s);
        else
            step(s);
    } while (s->text[s->at] && !ascii_is_space(s->text[s->at]) && !begins_comment(s->text + s->at));
}

static void read_token(scanner *s)
{
    parse_token token = {.offset = s->at, .line = s->line};
    const char *text = s->text + s->at;
    token.column = (unsigned)(s->at - s->line_start) + 1;
    token.is_comment = begins_comment(text);
    if (!token.is_comment)
        skip_code(s);
    else if (text[1] == '/')
        skip_line_comment(s);
    else
        skip_block_comment(s);
    token.len = s->at - token.offset;
    token.last_line = s->line;
    *VEC_ADD(&s->tokens) = token;
}

parse_file *scan_file(arena *in, const char *path, const char *text)
{
    parse_file *file = arena_alloc(in, sizeof *file);
    scanner s = {.text = text, .line = 1};
    /* A byte order mark is not code for compilers either. */
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        s.at = s.line_start = 3;
    while (text[s.at]) {
        if (ascii_is_space(text[s.at]))
            step(&s);
        else
            read_token(&s);
    }
    file->path = path;
    file->text = text;
    file->tokens = VEC_KEEP(in, &s.tokens);
    file->token_len = s.tokens.len;
    return file;
}
