/* SPDX-License-Identifier: Apache-2.0 */
#include "election_client.h"

#include "base/memory.h"
#include "net/config/config.h"

#include <stdio.h>
#include <stdlib.h>

enum { LEAST_TIMEOUT_MS = 1000 };

kube_code kube__special_client_new(const kube_config *config, const char *purpose,
                                   int64_t timeout_ms, kube_metrics *metrics, kube_client **out,
                                   kube_error *err)
{
    kube_client_options options = {.call_timeout_ms = timeout_ms, .metrics = metrics};
    char *agent;
    kube_code rc;
    *out = NULL;
    if (asprintf(&agent, "%s/%s", config->user_agent, purpose) < 0)
        return kube__no_memory(err, "a client");
    options.user_agent = agent;
    rc = kube_client_new(config, &options, out, err);
    free(agent);
    return rc;
}

kube_code kube__election_client_new(const kube_config *config, int64_t renew_deadline_ms,
                                    kube_metrics *metrics, kube_client **out, kube_error *err)
{
    int64_t timeout_ms = renew_deadline_ms / 2;
    return kube__special_client_new(config, "leader-election",
                                    timeout_ms < LEAST_TIMEOUT_MS ? LEAST_TIMEOUT_MS : timeout_ms,
                                    metrics, out, err);
}
