/* SPDX-License-Identifier: Apache-2.0 */
#include "election_client.h"

#include "base/memory.h"
#include "net/config/config.h"

#include <stdio.h>
#include <stdlib.h>

enum { LEAST_TIMEOUT_MS = 1000 };

kube_code kube__election_client_new(const kube_config *config, int64_t renew_deadline_ms,
                                    kube_metrics *metrics, kube_client **out, kube_error *err)
{
    kube_client_options options = {.call_timeout_ms = renew_deadline_ms / 2, .metrics = metrics};
    char *agent;
    kube_code rc;
    *out = NULL;
    if (asprintf(&agent, "%s/leader-election", config->user_agent) < 0)
        return kube__no_memory(err, "a client");
    options.user_agent = agent;
    if (options.call_timeout_ms < LEAST_TIMEOUT_MS)
        options.call_timeout_ms = LEAST_TIMEOUT_MS;
    rc = kube_client_new(config, &options, out, err);
    free(agent);
    return rc;
}
