/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables are made once, by what kubegen's own compiler sees. What stands in a header under a
 * condition, or comes into a struct from elsewhere, may be otherwise for the compiler of a program,
 * and would be lost in silence.
 */
#include "build.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>

static bool is_text(const parse_file *file, size_t at, const char *text)
{
    const parse_token *token = &file->tokens[at];
    return at < file->token_len && token->len == strlen(text) &&
           memcmp(file->text + token->offset, text, token->len) == 0;
}

bool directive_is_same_line(const parse_file *file, const parse_token *from, const parse_token *to)
{
    for (size_t at = from->offset + from->len; at < to->offset; at++) {
        size_t before = at;
        if (file->text[at] != '\n')
            continue;
        before -= before > 0 && file->text[before - 1] == '\r';
        if (before == 0 || file->text[before - 1] != '\\')
            return false;
    }
    return true;
}

/* Whether tokens[at] is the `#` of a directive. */
static bool begins_directive(const parse_file *file, size_t at)
{
    size_t before = at;
    if (!is_text(file, at, "#") && !is_text(file, at, "%:") && !is_text(file, at, "?\?="))
        return false;
    while (before > 0 && file->tokens[before - 1].is_comment)
        before--;
    return before == 0 ||
           !directive_is_same_line(file, &file->tokens[before - 1], &file->tokens[at]);
}

/* The name of the directive that begins at tokens[at], or "" if it has none. */
static const char *name_of(arena *in, const parse_file *file, size_t at)
{
    const parse_token *name;
    do
        at++;
    while (at < file->token_len && file->tokens[at].is_comment);
    name = &file->tokens[at];
    if (at >= file->token_len || !directive_is_same_line(file, name - 1, name))
        return "";
    return arena_strndup(in, file->text + name->offset, name->len);
}

/* Whether one of the tokens on the directive's line is @word. */
static bool mentions(const parse_file *file, size_t at, const char *word, size_t len)
{
    for (size_t i = at + 1; i < file->token_len; i++) {
        const parse_token *token = &file->tokens[i];
        if (!directive_is_same_line(file, token - 1, token))
            return false;
        if (token->len == len && memcmp(file->text + token->offset, word, len) == 0)
            return true;
    }
    return false;
}

/* Whether a condition is the header's guard: its next directive defines what it asks for. */
static bool is_guard(const parse_file *file, size_t at)
{
    size_t next = at + 1;
    const parse_token *name;
    while (next < file->token_len && !begins_directive(file, next))
        next++;
    if (next + 2 >= file->token_len || !is_text(file, next + 1, "define"))
        return false;
    name = &file->tokens[next + 2];
    return mentions(file, at, file->text + name->offset, name->len);
}

/* Whether a condition is the same for all C compilers. */
static bool is_settled(const parse_file *file, size_t at)
{
    static const char cxx[] = "__cplusplus";
    return mentions(file, at, cxx, sizeof cxx - 1);
}

/* ---- conditions ---------------------------------------------------------------------------- */

typedef VEC(size_t) index_vec;

/* Reads which tokens stand under a condition; see directive_condition(). */
static size_t *read_conditions(builder *b, const parse_file *file)
{
    size_t *conditions = arena_alloc(b->in, (file->token_len + 1) * sizeof *conditions);
    index_vec outer = {0}; /* for each open condition what counted before it */
    size_t inside = 0;     /* counted from one */
    bool is_first = true;
    for (size_t i = 0; i < file->token_len; i++) {
        const char *name = begins_directive(file, i) ? name_of(b->in, file, i) : "";
        if (str_has_prefix(name, "if")) {
            *VEC_ADD(&outer) = inside;
            if (inside == 0 && !(is_first && is_guard(file, i)) && !is_settled(file, i))
                inside = i + 1;
            is_first = false;
        } else if (strcmp(name, "endif") == 0 && outer.len > 0) {
            inside = outer.items[--outer.len];
        }
        conditions[i] = inside;
    }
    free(outer.items);
    return conditions;
}

const parse_token *directive_condition(builder *b, const parse_file *file, size_t at)
{
    size_t **known = &b->conditions[file->index];
    if (!*known)
        *known = read_conditions(b, file);
    return (*known)[at] ? &file->tokens[(*known)[at] - 1] : NULL;
}

static diag_loc place_of(const parse_file *file, const parse_token *token)
{
    return (diag_loc){file->path, token->line, token->column};
}

/* The structs that other compilers may not see, one of each condition. */
static void check_conditions(builder *b, const parse_file *file)
{
    const parse_token *reported = NULL;
    for (size_t i = 0; i + 2 < file->token_len; i++) {
        const parse_token *condition;
        const parse_token *tag = &file->tokens[i + 1];
        if (!is_text(file, i, "struct") ||
            !(is_text(file, i + 1, "{") || is_text(file, i + 2, "{")))
            continue;
        condition = directive_condition(b, file, i);
        if (!condition || condition == reported)
            continue;
        reported = condition;
        diag_error(b->to, place_of(file, tag),
                   "this struct is there under a condition only, but code is generated once: "
                   "remove the condition, or put what is optional into a header of its own");
        diag_note(b->to, place_of(file, condition), "the condition is here");
    }
}

/* ---- directives in structs ----------------------------------------------------------------- */

static void refuse(builder *b, diag_loc loc, const char *name)
{
    if (str_has_prefix(name, "if"))
        diag_error(b->to, loc,
                   "a struct has the same members for every compiler: remove '#%s', and mark what "
                   "may be left out '+optional'",
                   name);
    else if (str_has_prefix(name, "include"))
        diag_error(b->to, loc,
                   "members stand in the header with their markers: write them here, or as a "
                   "struct of their own that is '+inline', instead of '#%s'",
                   name);
    else if (*name && !str_has_prefix(name, "el") && strcmp(name, "endif") != 0)
        diag_error(b->to, loc, "'#%s' stands in a struct: move it out", name);
}

static void check_bodies(builder *b, const parse_file *file)
{
    size_t body = 0;
    for (size_t i = 0; i < file->token_len; i++) {
        const parse_token *token = &file->tokens[i];
        while (body < b->unit->record_len && b->unit->records[body]->last_line < token->line)
            body++;
        if (body == b->unit->record_len)
            return;
        if (b->unit->records[body]->first_line < token->line && begins_directive(file, i))
            refuse(b, place_of(file, token), name_of(b->in, file, i));
    }
}

void directive_list_declared(builder *b)
{
    static const char *const whats[] = {
        [PARSE_NAME_FUNCTION] = "a function of the header",
        [PARSE_NAME_VARIABLE] = "a variable of the header",
        [PARSE_NAME_TYPE] = "a typedef of the header",
        [PARSE_NAME_CONSTANT] = "a constant of the header",
    };
    VEC(model_declared) declared = {0};
    for (size_t i = 0; i < b->unit->name_len; i++) {
        const parse_name *from = &b->unit->names[i];
        *VEC_ADD(&declared) = (model_declared){from->name, whats[from->kind], from->loc};
    }
    for (size_t f = 0; f < b->unit->file_len; f++) {
        const parse_file *file = b->unit->files[f];
        for (size_t i = 0; file->text && i + 2 < file->token_len; i++) {
            const parse_token *name = &file->tokens[i + 2];
            if (!is_text(file, i + 1, "define") || !begins_directive(file, i))
                continue;
            *VEC_ADD(&declared) =
                (model_declared){arena_strndup(b->in, file->text + name->offset, name->len),
                                 "a macro of the header", place_of(file, name)};
        }
    }
    b->package->declared_len = declared.len;
    b->package->declared = VEC_KEEP(b->in, &declared);
}

void directive_check(builder *b)
{
    check_conditions(b, b->unit->main);
    check_bodies(b, b->unit->main);
}
