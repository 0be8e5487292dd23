/* SPDX-License-Identifier: Apache-2.0 */
#include "utf8.h"

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
