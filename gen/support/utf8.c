/* SPDX-License-Identifier: Apache-2.0 */
#include "utf8.h"

#include <string.h>

size_t utf8_len(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t len = at[0] < 0x80                    ? 1
                 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                 : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                 : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                 : 0;
    for (size_t i = 1; i < len; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    }
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
        (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    return len;
}

bool utf8_continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

void utf8_add(str *out, uint32_t character)
{
    static const uint32_t ends[] = {0x80, 0x800, 0x10000, UINT32_MAX};
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    unsigned more = 0; /* bytes behind the first one, of six bits each */
    while (character >= ends[more])
        more++;
    str_add_char(out, (char)(first[more] | character >> 6 * more));
    while (more-- > 0)
        str_add_char(out, (char)(0x80 | (character >> 6 * more & 0x3f)));
}

uint32_t utf8_character(const char *text)
{
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    size_t len = utf8_len(text);
    uint32_t character = (unsigned char)text[0] & masks[len];
    for (size_t i = 1; i < len; i++)
        character = character << 6 | ((unsigned char)text[i] & 0x3f);
    return character;
}

bool utf8_is_hidden(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
           (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
           (c & 0xfffe) == 0xfffe || (c >= 0xe0000 && c < 0xe0080);
}

bool utf8_is_plain(const char *text)
{
    for (size_t len; *text; text += len) {
        len = utf8_len(text);
        if (len == 0 || utf8_is_hidden(utf8_character(text)))
            return false;
    }
    return true;
}

size_t utf8_unseen_len(const char *text)
{
    /* Blanks, fillers, selectors of variants and marks that lie upon what stands before them. */
    static const struct {
        uint32_t first;
        uint32_t last;
    } ranges[] = {{0xa0, 0xa0},       {0x300, 0x36f},    {0x115f, 0x1160}, {0x1680, 0x1680},
                  {0x17b4, 0x17b5},   {0x180b, 0x180f},  {0x2000, 0x200a}, {0x202f, 0x202f},
                  {0x205f, 0x205f},   {0x20d0, 0x20ff},  {0x2800, 0x2800}, {0x3000, 0x3000},
                  {0x3164, 0x3164},   {0xfe00, 0xfe0f},  {0xfe20, 0xfe2f}, {0xffa0, 0xffa0},
                  {0x1d173, 0x1d17a}, {0xe0100, 0xe01ef}};
    size_t len = *text ? utf8_len(text) : 0;
    uint32_t c = len ? utf8_character(text) : 0;
    bool is_unseen = c != '\t' && utf8_is_hidden(c);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        is_unseen |= c >= ranges[i].first && c <= ranges[i].last;
    return is_unseen ? len : 0;
}

void utf8_add_visible(str *out, const char *text, size_t len)
{
    while (len > 0) {
        size_t bytes = utf8_len(text);
        uint32_t character = bytes > 0 && bytes <= len ? utf8_character(text) : 0;
        if (bytes == 0 || bytes > len)
            str_printf(out, "<0x%02x>", (unsigned char)*text);
        else if (utf8_is_hidden(character))
            str_printf(out, "<U+%04X>", (unsigned)character);
        else
            str_add_len(out, text, bytes);
        bytes = bytes > 0 && bytes <= len ? bytes : 1;
        text += bytes;
        len -= bytes;
    }
}

void utf8_add_message(str *out, const char *text)
{
    enum { HALF = 1000 };
    size_t len = strlen(text);
    size_t head = len > 2 * HALF ? HALF : len;
    const char *tail = text + len - (len > 2 * HALF ? HALF : 0);
    while (len > 2 * HALF && utf8_continues(text[head]))
        head--;
    while (utf8_continues(*tail))
        tail++;
    utf8_add_visible(out, text, head);
    str_add(out, *tail ? " … " : "");
    utf8_add_visible(out, tail, strlen(tail));
}
