/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C library has another dialect: what only RE2 knows is rewritten into something of the same
 * form that it knows too, so that its compiler finds what is wrong in both.
 */
#include "pattern.h"

#include "support/str.h"

#include <regex.h>
#include <string.h>

/* The text after an escape such as \d, \x{1f} or \pL; @out gets one character for it. */
static const char *skip_escape(const char *at, str *out)
{
    bool has_name = at[1] == 'p' || at[1] == 'P' || at[1] == 'x';
    const char *close = has_name && at[2] == '{' ? strchr(at, '}') : NULL;

    str_add_char(out, 'x');
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

/* The text after `(?:`, `(?i)`, `(?P<name>`; NULL when it is none of them. */
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

const char *pattern_error(arena *in, const char *pattern)
{
    const char *at = pattern;
    str posix = {0};
    const char *error = NULL;
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
