/* SPDX-License-Identifier: Apache-2.0 */
#include "base64.h"

#include "base/ascii.h"

#include <string.h>

/* Returns the six bits of a character, or -1 if it is not in the alphabet. */
static int bits_of(char c)
{
    if (kube__is_upper(c))
        return c - 'A';
    if (kube__is_lower(c))
        return c - 'a' + 26;
    if (kube__is_digit(c))
        return c - '0' + 52;
    if (c == '+')
        return 62;
    return c == '/' ? 63 : -1;
}

/* @count (2 to 4) characters to count - 1 bytes. */
static bool decode_group(const char *in, int count, char *out)
{
    uint32_t bits = 0;
    for (int i = 0; i < count; i++) {
        int value = bits_of(in[i]);
        if (value < 0)
            return false;
        bits |= (uint32_t)value << (18 - 6 * i);
    }
    for (int i = 0; i < count - 1; i++)
        out[i] = (char)(bits >> (16 - 8 * i));
    return true;
}

/* Takes line ends out and returns the length that is left. */
static uint32_t join_lines(char *text, uint32_t len)
{
    char *out = text;
    if (!memchr(text, '\n', len) && !memchr(text, '\r', len))
        return len;
    for (uint32_t i = 0; i < len; i++) {
        if (text[i] != '\n' && text[i] != '\r')
            *out++ = text[i];
    }
    return (uint32_t)(out - text);
}

bool kube__base64_decode(char *text, uint32_t len, uint32_t *decoded)
{
    char *out = text;
    len = join_lines(text, len);
    if (len % 4)
        return false;
    for (uint32_t i = 0; i < len; i += 4) {
        int count = 4;
        if (i + 4 == len && text[i + 3] == '=')
            count = text[i + 2] == '=' ? 2 : 3;
        if (!decode_group(text + i, count, out))
            return false;
        out += count - 1;
    }
    *decoded = (uint32_t)(out - text);
    text[*decoded] = '\0';
    return true;
}
