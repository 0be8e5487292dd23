/* SPDX-License-Identifier: Apache-2.0 */
#include "pretty.h"

#include <string.h>

static void new_line(kube__buffer *out, size_t depth)
{
    char *end = kube__buffer_reserve(out, 1 + 2 * depth);
    if (!end)
        return;
    *end = '\n';
    memset(end + 1, ' ', 2 * depth);
    out->len += 1 + 2 * depth;
}

/* Length of the string that starts at @text, with both quotes. */
static size_t string_len(const char *text, size_t len)
{
    size_t i = 1;
    while (i < len && text[i] != '"')
        i += text[i] == '\\' ? 2 : 1;
    return i < len ? i + 1 : len;
}

/* Length of what is copied as it is: a string, or a run without structure. */
static size_t run_len(const char *text, size_t len)
{
    size_t i = 0;
    if (*text == '"')
        return string_len(text, len);
    while (i < len && !strchr("{}[],:\" \t\r\n", text[i]))
        i++;
    return i ? i : 1;
}

void kube__api_pretty(const char *text, size_t len, kube__buffer *out)
{
    size_t depth = 0;
    for (size_t i = 0, step; i < len; i += step) {
        const char *p = text + i;
        step = 1;
        switch (*p) {
        case ' ':
        case '\t':
        case '\r':
        case '\n':
            break;
        case '{':
        case '[':
            kube__buffer_add(out, p, 1);
            while (i + step < len && memchr(" \t\r\n", p[step], 4))
                step++;
            if (i + step < len && (p[step] == '}' || p[step] == ']'))
                kube__buffer_add(out, p + step++, 1);
            else
                new_line(out, ++depth);
            break;
        case '}':
        case ']':
            depth -= depth > 0;
            new_line(out, depth);
            kube__buffer_add(out, p, 1);
            break;
        case ',':
            kube__buffer_add(out, p, 1);
            new_line(out, depth);
            break;
        case ':':
            kube__buffer_add(out, ": ", 2);
            break;
        default:
            step = run_len(p, len - i);
            kube__buffer_add(out, p, step);
        }
    }
}
