/* SPDX-License-Identifier: Apache-2.0 */
#include "comments.h"

#include "support/ascii.h"
#include "support/str.h"
#include "support/vec.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c != '\n' && ascii_is_space(c);
}

/* ---- lines --------------------------------------------------------------------------------- */

typedef VEC(comment_line) line_vec;

/* Adds text[begin, end), blanks around it removed. @column is that of text[0]. */
static comment_line *add_line(arena *in, line_vec *lines, const char *text, size_t begin,
                              size_t end, unsigned line, unsigned column)
{
    comment_line *added = VEC_ADD(lines);
    size_t margin = begin + (begin < end && text[begin] == ' ');
    while (begin < end && is_blank(text[begin]))
        begin++;
    added->indent = begin < end ? arena_strndup(in, text + margin, begin - margin) : "";
    while (end > begin && is_blank(text[end - 1]))
        end--;
    added->text = arena_strndup(in, text + begin, end - begin);
    added->line = line;
    added->column = column + (unsigned)begin;
    added->is_marker = added->text[0] == '+' && ascii_is_alpha(added->text[1]);
    return added;
}

/* Whether a line after the first one of a comment begins like a directive. */
static bool swallows_directive(const parse_token *token, const char *text)
{
    for (size_t at = 0; at < token->len; at++) {
        if (text[at] != '\n')
            continue;
        while (at + 1 < token->len && is_blank(text[at + 1]))
            at++;
        if (at + 1 < token->len && text[at + 1] == '#')
            return true;
    }
    return false;
}

static void split_line_comment(arena *in, line_vec *lines, const parse_token *token,
                               const char *text)
{
    size_t begin = 2;
    size_t end = strcspn(text, "\n");
    bool is_doc = end > 2 && (text[2] == '/' || text[2] == '!');
    comment_line *added;
    if (end > token->len)
        end = token->len;
    if (is_doc)
        begin += text[3] == '<' ? 2 : 1;
    added = add_line(in, lines, text, begin, end, token->line, token->column);
    added->style = is_doc ? COMMENT_DOC_LINE : COMMENT_LINE;
    added->is_continued = token->last_line > token->line;
    added->has_directive = added->is_continued && swallows_directive(token, text);
}

static void split_block_comment(arena *in, line_vec *lines, const parse_token *token,
                                const char *text)
{
    size_t end = token->len >= 4 ? token->len - 2 : token->len;
    size_t begin = 2;
    unsigned line = token->line;
    unsigned column = token->column; /* of text[start] */
    size_t start = 0;
    /* The second star or ! of a doc comment. */
    while (begin < end && (text[begin] == '*' || text[begin] == '!' || text[begin] == '<'))
        begin++;
    while (begin < end && is_blank(text[begin]))
        begin++; /* the sign is its margin */
    for (;;) {
        size_t stop = begin;
        while (stop < end && text[stop] != '\n')
            stop++;
        add_line(in, lines, text + start, begin - start, stop - start, line, column)->style =
            COMMENT_BLOCK;
        if (stop >= end)
            return;
        line++;
        start = begin = stop + 1;
        column = 1;
        while (begin < end && is_blank(text[begin]))
            begin++;
        while (begin < end && text[begin] == '*')
            begin++;
    }
}

static void split(arena *in, line_vec *lines, const parse_file *file, const parse_token *token)
{
    const char *text = file->text + token->offset;
    if (token->len >= 2 && text[1] == '*')
        split_block_comment(in, lines, token, text);
    else if (token->len >= 2)
        split_line_comment(in, lines, token, text);
}

/* ---- groups -------------------------------------------------------------------------------- */

/* How far the group that begins with token @first goes: the index after its last comment. */
static size_t group_end(const parse_file *file, size_t first, bool is_trailing)
{
    unsigned gap = is_trailing ? 0 : 1; /* a trailing comment takes only its own line along */
    size_t end = first + 1;
    while (end < file->token_len && file->tokens[end].is_comment &&
           file->tokens[end].line <= file->tokens[end - 1].last_line + gap)
        end++;
    return end;
}

typedef VEC(comment_code) code_vec;

static void add_code(code_vec *code, const parse_token *token)
{
    comment_code *last = code->len ? &code->items[code->len - 1] : NULL;
    if (!last || token->line > last->last_line + 1)
        *VEC_ADD(code) = (comment_code){token->line, token->last_line};
    else if (token->last_line > last->last_line)
        last->last_line = token->last_line;
}

comments *comments_read(arena *in, const parse_file *file)
{
    comments *read = arena_alloc(in, sizeof *read);
    VEC(comment_group) groups = {0};
    code_vec code = {0};
    size_t next;
    read->file = file;
    read->first_code_line = UINT_MAX;
    for (size_t i = 0; i < file->token_len; i = next) {
        const parse_token *token = &file->tokens[i];
        comment_group *group;
        line_vec lines = {0};
        next = i + 1;
        if (!token->is_comment) {
            if (token->line < read->first_code_line)
                read->first_code_line = token->line;
            add_code(&code, token);
            continue;
        }
        group = VEC_ADD(&groups);
        group->is_trailing = i > 0 && !file->tokens[i - 1].is_comment &&
                             file->tokens[i - 1].last_line == token->line;
        next = group_end(file, i, group->is_trailing);
        for (size_t t = i; t < next; t++)
            split(in, &lines, file, &file->tokens[t]);
        group->first_line = token->line;
        group->last_line = file->tokens[next - 1].last_line;
        group->lines = VEC_KEEP(in, &lines);
        group->line_len = lines.len;
    }
    read->groups = VEC_KEEP(in, &groups);
    read->group_len = groups.len;
    read->code = VEC_KEEP(in, &code);
    read->code_len = code.len;
    return read;
}

bool comments_have_header_marker(const comments *of, const char *name)
{
    size_t len = strlen(name);
    for (size_t g = 0; g < of->group_len && of->groups[g].last_line < of->first_code_line; g++) {
        const comment_group *group = &of->groups[g];
        for (size_t i = 0; i < group->line_len; i++) {
            const comment_line *line = &group->lines[i];
            if (line->is_marker && line->style == COMMENT_LINE &&
                strncmp(line->text + 1, name, len) == 0 && line->text[len + 1] == '=')
                return true;
        }
    }
    return false;
}

static bool has_code_on(const comments *of, unsigned line)
{
    size_t low = 0;
    size_t high = of->code_len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (of->code[middle].last_line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low < of->code_len && of->code[low].first_line <= line;
}

static comment_group *ending_on(comments *of, unsigned line)
{
    size_t low = 0;
    size_t high = of->group_len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (of->groups[middle].last_line < line)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == of->group_len || of->groups[low].last_line != line || has_code_on(of, line))
        return NULL;
    return of->groups[low].is_trailing ? NULL : &of->groups[low];
}

comment_group *comments_closest(comments *of, unsigned line)
{
    return line > 1 ? ending_on(of, line - 1) : NULL;
}

comment_group *comments_second_closest(comments *of, unsigned line)
{
    comment_group *closest = comments_closest(of, line);
    if (closest)
        line = closest->first_line;
    return line > 2 && !has_code_on(of, line - 1) ? ending_on(of, line - 2) : NULL;
}

/* ---- documentation ------------------------------------------------------------------------- */

/* Returns how long the command of Doxygen is with which a word begins, or 0. */
static size_t command_len(const char *word)
{
    static const char *const commands[] = {"brief ", "details ", "p ", "c ", "ref ", "a ", "e "};
    if (*word != '@' && *word != '\\')
        return 0;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (str_has_prefix(word + 1, commands[i]))
            return strlen(commands[i]) + 1;
    }
    return 0;
}

/* Adds a line of documentation; `@brief text` and `see @p name` become plain text. */
static void add_doc_line(str *doc, const char *line)
{
    bool begins_word = true;
    while (*line) {
        if (begins_word)
            line += command_len(line);
        if (*line) {
            begins_word = strchr(" \t([{\"'", *line) != NULL;
            str_add_char(doc, *line++);
        }
    }
}

static bool begins_with(const comment_line *line, const char *text)
{
    return !*line->indent && str_has_prefix(line->text, text);
}

const char *comments_doc(arena *in, const comment_group *group)
{
    str doc = {0};
    size_t blanks = 0;
    bool is_code = false;
    const char *text;
    for (size_t i = 0; group && i < group->line_len; i++) {
        const comment_line *line = &group->lines[i];
        if (begins_with(line, "```") || begins_with(line, "~~~"))
            is_code = !is_code;
        if (!is_code && begins_with(line, "---"))
            break;
        if (line->is_marker || (!is_code && begins_with(line, "TODO")))
            continue;
        if (line->text[0] == '\0') {
            blanks++;
            continue;
        }
        if (doc.len > 0) {
            str_add(&doc, blanks > 0 ? "\n\n" : "\n");
            str_add(&doc, line->indent);
        }
        blanks = 0;
        if (is_code)
            str_add(&doc, line->text);
        else
            add_doc_line(&doc, line->text);
    }
    text = arena_strdup(in, str_text(&doc));
    str_free(&doc);
    return text;
}
