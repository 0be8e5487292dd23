/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

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
