/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <locale.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <strings.h>

/* Made by the first who needs it and kept: a locale costs more than the number. */
static locale_t c_locale(void)
{
    static _Atomic(locale_t) kept;
    locale_t mine = atomic_load(&kept);
    locale_t before = (locale_t)0;

    if (mine)
        return mine;
    mine = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (mine && !atomic_compare_exchange_strong(&kept, &before, mine)) {
        freelocale(mine);
        return before;
    }
    return mine;
}

double kube__text_to_double(const char *text)
{
    locale_t locale = c_locale();
    return locale ? strtod_l(text, NULL, locale) : NAN;
}

int kube__text_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Length of the host in "host:port", brackets included. */
static size_t host_len(const char *address)
{
    size_t len = *address == '[' ? strcspn(address, "]") : strcspn(address, ":");
    return address[len] == ']' ? len + 1 : len;
}

bool kube__host_is_ours(const char *host, const char *address)
{
    const char *const names[] = {"localhost", "127.0.0.1", "[::1]", address};
    size_t len = host_len(host);
    if (host[len] && host[len] != ':')
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (host_len(names[i]) == len && strncasecmp(host, names[i], len) == 0)
            return true;
    }
    return false;
}
