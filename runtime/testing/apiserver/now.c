/* SPDX-License-Identifier: Apache-2.0 */
/* The time of day by the server's clock, as objects hold it. */
#include "server.h"

#include <time.h>

/* "2026-11-20T23:27:12", without the zone. */
static const char *date(kube__heap *heap, int64_t seconds)
{
    time_t when = (time_t)seconds;
    struct tm tm;
    char text[64];
    if (!gmtime_r(&when, &tm) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm))
        return "1970-01-01T00:00:00";
    return kube__heap_strdup(heap, text);
}

const char *kube__api_now(kube_apiserver *server, kube__heap *heap)
{
    int64_t now = server->clock->wall_ns(server->clock);
    return kube__heap_printf(heap, "%sZ", date(heap, now / 1000000000));
}
