/* SPDX-License-Identifier: Apache-2.0 */
#include "utf8.h"

#include <stdio.h>
#include <string.h>

size_t kube__utf8_cut(const char *text, size_t len, size_t max)
{
    size_t cut = max;
    if (len <= max)
        return len;
    /* No character has more than three inner bytes: what has more is not UTF-8 to keep whole. */
    while (cut > 0 && max - cut < 3 && kube__utf8_is_inner(text[cut]))
        cut--;
    return kube__utf8_is_inner(text[cut]) ? max : cut;
}

void kube__utf8_clean(char *text, char mark)
{
    while (*text) {
        size_t len = kube__utf8_len(text, SIZE_MAX);
        if (!len)
            *text = mark;
        text += len ? len : 1;
    }
}

void kube__utf8_flatten(char *text, bool lines)
{
    char *out = text;
    while (*text) {
        size_t len = kube__utf8_len(text, SIZE_MAX);
        if (len && kube__utf8_is_control(kube__utf8_get(text, len)) && !(lines && *text == '\n')) {
            *out++ = ' ';
            text += len;
        } else {
            for (size_t i = len ? len : 1; i > 0; i--)
                *out++ = *text++;
        }
    }
    *out = '\0';
}

size_t kube__utf8_show(const char **text, char out[KUBE__SHOWN_SIZE])
{
    const char *at = *text;
    size_t len = kube__utf8_len(at, SIZE_MAX);
    uint32_t c = len ? kube__utf8_get(at, len) : (unsigned char)*at;
    *text += len ? len : 1;
    if (c == '\n')
        return (size_t)snprintf(out, KUBE__SHOWN_SIZE, "\\n");
    if (!len || (c < 0x80 && c != '\t' && kube__utf8_is_control(c)))
        return (size_t)snprintf(out, KUBE__SHOWN_SIZE, "\\x%02x", (unsigned)c);
    if (c >= 0x80 && kube__utf8_is_control(c))
        return (size_t)snprintf(out, KUBE__SHOWN_SIZE, "\\u%04x", (unsigned)c);
    memcpy(out, at, len);
    return len;
}
