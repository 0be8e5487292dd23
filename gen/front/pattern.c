/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C library's dialect differs from RE2. What only RE2 knows is rewritten into a similar form
 * that the C library knows, so that regcomp() finds what is wrong in both.
 */
#include "pattern.h"

#include "support/ascii.h"
#include "support/str.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* The text after an escape such as \d, \x{1f}, \pL or \Qa.b\E; @out gets one character for it. */
static const char *skip_escape(const char *at, str *out)
{
    bool has_name = at[1] == 'p' || at[1] == 'P' || at[1] == 'x';
    const char *close = has_name && at[2] == '{' ? strchr(at, '}') : NULL;
    str_add_char(out, 'x');
    if (at[1] == 'Q') {
        close = strstr(at, "\\E");
        return close ? close + 2 : at + strlen(at);
    }
    return close ? close + 1 : at + 2;
}

/* The text after a bracket expression, which is copied without its escapes. */
static const char *copy_brackets(const char *at, str *out)
{
    str_add_char(out, *at++);
    if (*at == '^')
        str_add_char(out, *at++);
    if (*at == ']')
        str_add_char(out, *at++);
    while (*at && *at != ']') {
        if (*at == '\\' && at[1]) {
            at = skip_escape(at, out);
        } else if (at[0] == '[' && at[1] == ':' && strstr(at, ":]")) {
            const char *end = strstr(at, ":]") + 2;
            str_add_len(out, at, (size_t)(end - at));
            at = end;
        } else if (at[0] == '-' && at[1] != ']') {
            at++; /* what \x{…}-\x{…} was turned into is no range */
        } else {
            str_add_char(out, *at++);
        }
    }
    if (*at)
        str_add_char(out, *at++);
    return at;
}

/* Returns the text after `(?:`, `(?i)` or `(?P<name>`, or NULL if it begins otherwise. */
static const char *copy_group(const char *at, str *out)
{
    size_t flags = strspn(at + 2, "imsU-");
    const char *close = strchr(at, '>');
    str_add_char(out, '(');
    if ((at[2] == '<' || (at[2] == 'P' && at[3] == '<')) && close &&
        strcspn(at, "=!") > (size_t)(close - at))
        return close + 1;
    if (at[2 + flags] == ':')
        return at + flags + 3;
    if (at[2 + flags] == ')' && flags > 0) {
        str_add_char(out, ')');
        return at + flags + 3;
    }
    return NULL;
}

/* ---- size ---------------------------------------------------------------------------------- */

enum { REPEAT_MAX = 1000, DEPTH_MAX = 200, SIZE_MAX_ALL = 100000, LEN_MAX = 16384 };

/*
 * A pattern's size times a text's length and 32, up to which the C library is fast enough: what it
 * does for repeats of what may be empty grows with the third power of the size.
 */
enum { WORK_MAX = 8192 };

/* A group while it is read, or what was read last in it. */
typedef struct part {
    size_t size;   /* with its repeats written out */
    size_t repeat; /* the greatest product of repeats that are in each other */
} part;

typedef struct measure {
    part groups[DEPTH_MAX + 1];
    part last[DEPTH_MAX + 1];
    size_t depth;
} measure;

static void add_part(measure *m, part added)
{
    part *group = &m->groups[m->depth];
    group->size += added.size;
    group->repeat = added.repeat > group->repeat ? added.repeat : group->repeat;
    m->last[m->depth] = added;
}

/* Returns the text after `{n}`, `{n,}` or `{n,m}`, or NULL if it is something else. */
static const char *read_repeat(const char *at, size_t *count)
{
    char *end;
    size_t most;
    if (!ascii_is_digit(at[1]))
        return NULL;
    *count = strtoul(at + 1, &end, 10);
    if (*end == ',' && ascii_is_digit(end[1])) {
        most = strtoul(end + 1, &end, 10);
        if (most < *count)
            return NULL; /* which the C library refuses */
        *count = most;
    } else if (*end == ',') {
        end++;
    }
    return *end == '}' ? end + 1 : NULL;
}

/* Repeats what was read last. Returns what is wrong with that, or NULL. */
static const char *repeat(measure *m, size_t count)
{
    part *last = &m->last[m->depth];
    part more = *last;
    if (count > REPEAT_MAX || last->repeat * count > REPEAT_MAX)
        return "repeats make more than 1000, those within each other multiplied";
    more.repeat = count > 0 ? last->repeat * count : last->repeat;
    more.size = count > 0 ? last->size * (count - 1) : 0;
    add_part(m, more);
    m->last[m->depth].size += last->size;
    return m->groups[m->depth].size > SIZE_MAX_ALL ? "it is too large with its repeats" : NULL;
}

/* Reads what is neither a group nor a repeat: a character, an escape or brackets. */
static const char *measure_one(measure *m, const char *at)
{
    str ignored = {0};
    const char *quoted = at[0] == '\\' && at[1] == 'Q' ? at : NULL;
    const char *after = *at == '['             ? copy_brackets(at, &ignored)
                        : *at == '\\' && at[1] ? skip_escape(at, &ignored)
                                               : at + 1;
    do
        add_part(m, (part){1, 1});
    while (quoted && ++quoted < after);
    str_free(&ignored);
    return after;
}

/*
 * Returns why a pattern is too much for a server, or NULL: RE2's bounds, and some of its own.
 * Otherwise @size is that of the pattern with its repeats written out.
 */
static const char *size_error(const char *pattern, size_t *size)
{
    const char *error = strlen(pattern) > LEN_MAX ? "it is longer than 16384 bytes" : NULL;
    measure m = {0};
    const char *at = pattern;
    while (*at && !error) {
        size_t count;
        const char *after = *at == '{' ? read_repeat(at, &count) : NULL;
        if (after) {
            error = repeat(&m, count);
            at = after;
        } else if (*at == '(') {
            error = m.depth == DEPTH_MAX ? "its groups are nested deeper than 200" : NULL;
            m.depth += error == NULL;
            m.groups[m.depth] = m.last[m.depth] = (part){0, 1};
            at++;
        } else if (*at == ')' && m.depth > 0) {
            part inner = m.groups[m.depth--];
            inner.size++;
            add_part(&m, inner);
            at++;
        } else {
            at = measure_one(&m, at);
        }
    }
    *size = m.groups[0].size;
    return error;
}

/* ---- syntax -------------------------------------------------------------------------------- */

const char *pattern_error(arena *in, const char *pattern)
{
    const char *at = pattern;
    str posix = {0};
    size_t count; /* which nobody needs here */
    const char *error = size_error(pattern, &count);
    regex_t compiled;
    char why[128];
    int code;
    while (*at && !error) {
        if (*at == '\\' && !at[1]) {
            error = "it ends in a backslash";
        } else if (*at == '\\') {
            at = skip_escape(at, &posix);
        } else if (*at == '[') {
            at = copy_brackets(at, &posix);
        } else if (at[0] == '(' && at[1] == '?') {
            const char *after = copy_group(at, &posix);
            if (!after)
                error = "'(?' begins no group that the server knows, such as '(?:'";
            at = after ? after : at;
        } else if (at > pattern && *at == '?' && strchr("*+?}", at[-1])) {
            at++; /* as few as possible */
        } else if (*at == '{' && at > pattern && read_repeat(at, &count)) {
            at = read_repeat(at, &count);
            str_add_char(&posix, '*'); /* the C library would write it out */
        } else {
            str_add_char(&posix, *at++);
        }
    }
    if (!error) {
        code = regcomp(&compiled, str_text(&posix), REG_EXTENDED | REG_NOSUB);
        if (code == 0) {
            regfree(&compiled);
        } else {
            regerror(code, &compiled, why, sizeof why);
            error = arena_strdup(in, why);
        }
    }
    str_free(&posix);
    return error;
}

/* Returns an escape outside of brackets in the C library's dialect, or NULL if it is not known. */
static const char *plain_escape(char c)
{
    switch (c) {
    case 'd':
        return "[0-9]";
    case 'w':
        return "[0-9A-Za-z_]";
    case 's':
        return "[ \t\n\f\r]";
    default:
        return NULL;
    }
}

/*
 * Rewrites @pattern into one that matches the same texts; false when there is something in it that
 * has no equal.
 */
static bool translate(const char *pattern, str *out)
{
    bool in_brackets = false;
    const char *last = NULL; /* what was read before, if it was one plain character */
    for (const char *at = pattern; *at; at++) {
        const char *plain = at[0] == '\\' ? plain_escape(at[1]) : NULL;
        const char *before = last;
        last = NULL;
        if (*at == '\\' && !in_brackets && plain) {
            str_add(out, plain);
            at++;
        } else if (*at == '\\' && !in_brackets && at[1] && strchr("\\.+*?()|[]{}^$", at[1])) {
            str_add_len(out, at++, 2);
        } else if (*at == '\\') {
            return false;
        } else if (!in_brackets && at[0] == '(' && at[1] == '?') {
            if (at[2] != ':')
                return false;
            str_add_char(out, '(');
            at += 2;
        } else if (!in_brackets && *at == '?' && before && strchr("*+?}", *before)) {
            continue; /* as few as possible: whether it matches is the same */
        } else {
            if (*at == '[')
                in_brackets = true;
            else if (*at == ']')
                in_brackets = false;
            else if (!in_brackets)
                last = at;
            str_add_char(out, *at);
        }
    }
    return true;
}

/*
 * Whether a pattern is for texts of any bytes: it names the characters that may be there. What
 * stands for any other one, such as a dot, is one byte for the C library.
 */
static bool names_all(const char *pattern)
{
    bool in_brackets = false;
    for (const char *at = pattern; *at; at++) {
        if (*at == '\\' && at[1] && !in_brackets)
            at++;
        else if (!in_brackets && (*at == '.' || (at[0] == '[' && at[1] == '^')))
            return false;
        else if (*at == '[' || *at == ']')
            in_brackets = *at == '[';
    }
    return true;
}

static bool is_ascii(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text >= 0x80)
            return false;
    }
    return true;
}

bool pattern_excludes(const char *pattern, const char *text)
{
    str posix = {0};
    bool excluded = false;
    size_t size;
    regex_t compiled;
    if (!size_error(pattern, &size) && size * (strlen(text) + 32) <= WORK_MAX &&
        is_ascii(pattern) && (is_ascii(text) || names_all(pattern)) && translate(pattern, &posix) &&
        regcomp(&compiled, str_text(&posix), REG_EXTENDED | REG_NOSUB) == 0) {
        excluded = regexec(&compiled, text, 0, NULL, 0) == REG_NOMATCH;
        regfree(&compiled);
    }
    str_free(&posix);
    return excluded;
}
