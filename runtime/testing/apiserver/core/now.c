/* SPDX-License-Identifier: Apache-2.0 */
/* The time of day by the server's clock, as objects hold it. */

#include "apiserver.h"
#include "base/text.h"
#include "base/units.h"

#include <time.h>

const char *kube__api_time_in(kube_apiserver *server, kube_ctx *ctx, int64_t seconds)
{
    time_t when = (time_t)(server->clock->wall_ns(server->clock) / KUBE__NS_PER_S + seconds);
    struct tm tm;
    char text[64];
    if (!gmtime_r(&when, &tm) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm))
        return "1970-01-01T00:00:00Z";
    return kube__text_or_empty(kube_ctx_strdup(ctx, text));
}

const char *kube__api_now(kube_apiserver *server, kube_ctx *ctx)
{
    return kube__api_time_in(server, ctx, 0);
}
