/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "table.h"

#include <kube/time.h>
#include <stdio.h>
#include <string.h>

/* @big of one unit, and @small of the next unless that is 0. */
static void put(char *out, size_t size, int64_t big, char big_unit, int64_t small, char small_unit)
{
    if (small)
        snprintf(out, size, "%lld%c%lld%c", (long long)big, big_unit, (long long)small, small_unit);
    else
        snprintf(out, size, "%lld%c", (long long)big, big_unit);
}

/* Two units at most, and the second only while the first is small. */
static void print_age(char *out, size_t size, int64_t seconds)
{
    int64_t minutes = seconds / 60;
    int64_t hours = minutes / 60;
    int64_t days = hours / 24;
    if (seconds < 2 * 60)
        put(out, size, seconds, 's', 0, 0);
    else if (minutes < 10)
        put(out, size, minutes, 'm', seconds % 60, 's');
    else if (minutes < 3 * 60)
        put(out, size, minutes, 'm', 0, 0);
    else if (hours < 8)
        put(out, size, hours, 'h', minutes % 60, 'm');
    else if (hours < 48)
        put(out, size, hours, 'h', 0, 0);
    else if (hours < 8 * 24)
        put(out, size, days, 'd', hours % 24, 'h');
    else if (hours < 2 * 365 * 24)
        put(out, size, days, 'd', 0, 0);
    else if (hours < 8 * 365 * 24)
        put(out, size, days / 365, 'y', days % 365, 'd');
    else
        put(out, size, days / 365, 'y', 0, 0);
}

const char *kube__table_age(kube_ctx *ctx, const char *time, const char *now)
{
    kube_micro_time then = {0};
    kube_micro_time here = {0};
    char text[48];
    if (!*time)
        return "<unknown>";
    if (!kube_micro_time_parse(time, strlen(time), &then) ||
        !kube_micro_time_parse(now, strlen(now), &here))
        return "<invalid>";
    int64_t seconds = here.sec - then.sec;
    if (here.nsec < then.nsec)
        seconds--;
    if (seconds < -1)
        return "<invalid>";
    print_age(text, sizeof text, seconds < 0 ? 0 : seconds);
    return kube__text_or_empty(kube_ctx_strdup(ctx, text));
}
