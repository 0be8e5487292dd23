/* SPDX-License-Identifier: Apache-2.0 */
#include "election_client.h"

#include "base/memory.h"
#include "net/config/config.h"

#include <stdio.h>
#include <stdlib.h>

enum { LEAST_TIMEOUT_MS = 1000 };

kube_code kube__election_client_new(const kube_config *config, const kube_config_options *options,
                                    int64_t renew_deadline_ms, kube_client **out, kube_error *err)
{
    kube_config_options own = *options;
    kube_config *own_config = NULL;
    char *agent;
    kube_code rc;
    *out = NULL;
    if (asprintf(&agent, "%s/leader-election", config->user_agent) < 0)
        return kube__no_memory(err, "a client");
    own.user_agent = agent;
    own.request_timeout_ms = renew_deadline_ms / 2;
    if (own.request_timeout_ms < LEAST_TIMEOUT_MS)
        own.request_timeout_ms = LEAST_TIMEOUT_MS;
    rc = kube_config_load(&own, &own_config, err);
    if (!rc)
        rc = kube_client_new(own_config, out, err);
    kube_config_free(own_config);
    free(agent);
    return rc;
}
