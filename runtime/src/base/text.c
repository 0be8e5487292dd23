/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

static int is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

size_t kube__text_cut(const char *text, size_t len, size_t max)
{
    size_t cut = max;
    if (len <= max)
        return len;
    /* A character has at most three continuation bytes: more of them are no UTF-8 to keep whole. */
    while (cut > 0 && max - cut < 3 && is_continuation(text[cut]))
        cut--;
    return is_continuation(text[cut]) ? max : cut;
}

size_t kube__text_character_len(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t len = *s < 0x80                 ? 1
                 : *s >= 0xC2 && *s < 0xE0 ? 2
                 : *s >= 0xE0 && *s < 0xF0 ? 3
                 : *s >= 0xF0 && *s < 0xF5 ? 4
                                           : 0;
    for (size_t i = 1; i < len; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    }
    if ((*s == 0xE0 && s[1] < 0xA0) || (*s == 0xED && s[1] >= 0xA0) ||
        (*s == 0xF0 && s[1] < 0x90) || (*s == 0xF4 && s[1] >= 0x90))
        return 0;
    return len;
}

double kube__text_to_double(const char *text)
{
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale)
        return NAN;
    double value = strtod_l(text, NULL, c_locale);
    freelocale(c_locale);
    return value;
}

int kube__text_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}
