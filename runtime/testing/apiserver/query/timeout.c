/* SPDX-License-Identifier: Apache-2.0 */
/* ?timeout=1m30s: nothing here takes so long that it would matter, but it must be a duration. */
#include "timeout.h"

#include "apiserver/core/request.h"
#include "base/ascii.h"

#include <string.h>

static size_t unit_len(const char *text)
{
    static const char *const units[] = {"ns", "us", "\302\265s", "\316\274s", "ms", "s", "m", "h"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strncmp(text, units[i], strlen(units[i])) == 0)
            return strlen(units[i]);
    return 0;
}

/* NULL = it is a duration as Go writes them, else what Go says instead of it. */
static const char *fault_of(const char *text)
{
    text += *text == '-' || *text == '+';
    if (strcmp(text, "0") == 0)
        return NULL;
    if (!*text)
        return "invalid duration";
    while (*text) {
        size_t whole = strspn(text, "0123456789");
        size_t part = text[whole] == '.' ? 1 + strspn(text + whole + 1, "0123456789") : 0;
        if (whole + part == 0 || (whole == 0 && part == 1))
            return "invalid duration";
        text += whole + part;
        if (!*text || kube__is_digit(*text) || *text == '.')
            return "missing unit in duration";
        if (unit_len(text) == 0)
            return "unknown unit in duration";
        text += unit_len(text);
    }
    return NULL;
}

kube__api_failure *kube__api_check_timeout(const kube__api_request *request)
{
    const char *text = kube__api_query(request, "timeout");
    const char *fault = *text ? fault_of(text) : NULL;
    if (!fault || strcmp(request->verb, "watch") == 0)
        return NULL;
    return kube__api_bad_request(request->ctx,
                                 "invalid timeout specified in the request URL - time: %s \"%s\"",
                                 fault, text);
}
