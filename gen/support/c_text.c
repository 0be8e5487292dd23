/* SPDX-License-Identifier: Apache-2.0 */
#include "c_text.h"

#include "ascii.h"
#include "utf8.h"

#include <string.h>

enum { NAME_MAX_LEN = 1000 };

void c_text_literal(str *out, const char *text)
{
    str_add_char(out, '"');
    for (; *text; text++) {
        /* Two of them begin a trigraph in C11. Three octal digits end whatever follows. */
        if (*text == '"' || *text == '\\' || *text == '?')
            str_printf(out, "\\%c", *text);
        else if (*text < ' ' || *text > '~')
            str_printf(out, "\\%03o", (unsigned char)*text);
        else
            str_add_char(out, *text);
    }
    str_add_char(out, '"');
}

void c_text_comment(str *out, const char *text, size_t len)
{
    str visible = {0};
    utf8_add_visible(&visible, text, len);
    for (const char *at = str_text(&visible); *at; at++) {
        bool is_mark = (at[0] == '*' && at[1] == '/') || (at[0] == '/' && at[1] == '*') ||
                       (at[0] == '?' && at[1] == '?');
        str_add_char(out, *at);
        if (is_mark)
            str_add_char(out, ' ');
    }
    str_free(&visible);
}

bool c_text_is_line(const char *text)
{
    return utf8_is_plain(text) && !str_has_suffix(text, "\\") &&
           !strstr(text, "?"
                         "?/");
}

bool c_text_is_name(const char *text)
{
    size_t len = 0;
    if (ascii_is_digit(*text))
        return false;
    while (ascii_is_alnum(text[len]) || text[len] == '_')
        len++;
    return len > 0 && len <= NAME_MAX_LEN && text[len] == '\0';
}
