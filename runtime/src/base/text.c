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
