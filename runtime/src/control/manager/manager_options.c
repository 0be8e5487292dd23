/* SPDX-License-Identifier: Apache-2.0 */
#include "manager_options.h"

#include "base/units.h"
#include "control/election/election_times.h"

#include <kube/log.h>
#include <string.h>

enum { HOUR_MS = KUBE__S_PER_HOUR * KUBE__MS_PER_S, DAY_MS = KUBE__S_PER_DAY * KUBE__MS_PER_S };

static const char any_port[] = "127.0.0.1:0";

static void set_defaults(const kube_manager_options *options, kube__manager_settings *s)
{
    *s = (kube__manager_settings){
        .namespace_ = options->cache.namespace_,
        .http_address = any_port,
        .leader_elect = options->leader_election,
        .lease_duration_ms = KUBE__LEASE_DURATION_MS,
        .renew_deadline_ms = KUBE__RENEW_DEADLINE_MS,
        .retry_period_ms = KUBE__RETRY_PERIOD_MS,
        .lease_name = options->lease_name ? options->lease_name : options->name,
        .resync_ms = options->cache.resync_ms,
    };
}

static kube_code parse(const kube_manager_options *options, int argc, char **argv,
                       kube__manager_settings *s, kube_error *err)
{
    const kube_flags_about about = {options->name, options->summary, options->version};
    const kube_flag standard[] = {
        {.name = "kubeconfig",
         .value = "FILE",
         .help = "kubeconfig to use; without it: the pod's own access, then $KUBECONFIG, then "
                 "~/.kube/config",
         .text = &s->kubeconfig},
        {.name = "master",
         .value = "URL",
         .help = "address of the API server, instead of the kubeconfig's",
         .text = &s->master},
        {.name = "context",
         .value = "NAME",
         .help = "context of the kubeconfig, instead of its current one",
         .text = &s->context},
        {.name = "namespace",
         .value = "NAME",
         .help = "watch only this namespace; without it: all",
         .text = &s->namespace_},
        {.name = "resync",
         .help = "reconcile every object again after this time; 0 = never",
         .duration_ms = &s->resync_ms,
         .most = DAY_MS},
        {.name = "http-bind-address",
         .value = "HOST:PORT",
         .help =
             "address of the status page, metrics and health; port 0 = a free one, 0 = no server",
         .text = &s->http_address},
        {.name = "metrics-bind-address",
         .value = "HOST:PORT",
         .help = "address of a server that has only /metrics",
         .text = &s->metrics_address},
        {.name = "health-probe-bind-address",
         .value = "HOST:PORT",
         .help = "address of a server that has only /healthz, /livez and /readyz",
         .text = &s->health_address},
        {.name = "leader-elect",
         .help = "work only while holding a Lease, so that several replicas may run",
         .truth = &s->leader_elect},
        {.name = "leader-elect-lease-duration",
         .help = "how long the others wait for a leader that does not renew",
         .duration_ms = &s->lease_duration_ms,
         .least = KUBE__MS_PER_S,
         .most = HOUR_MS},
        {.name = "leader-elect-renew-deadline",
         .help = "a leader that could not renew for this time stops working",
         .duration_ms = &s->renew_deadline_ms,
         .least = 1,
         .most = HOUR_MS},
        {.name = "leader-elect-retry-period",
         .help = "time between two tries to get or to renew the Lease",
         .duration_ms = &s->retry_period_ms,
         .least = 1,
         .most = HOUR_MS},
        {.name = "leader-elect-resource-name",
         .value = "NAME",
         .help = "name of the Lease",
         .text = &s->lease_name},
        {.name = "leader-elect-resource-namespace",
         .value = "NAME",
         .help =
             "namespace of the Lease; without it: the pod's, outside of a pod --namespace or the "
             "kubeconfig's",
         .text = &s->lease_namespace},
        {.name = "leader-elect-identity",
         .value = "NAME",
         .help = "name of this replica, unique among the replicas; without it: $POD_NAME, or the "
                 "host's "
                 "name and a random part",
         .text = &s->identity},
        {.name = "log-level",
         .value = "LEVEL",
         .help = "error, warn, info, debug or trace",
         .text = &s->log_level},
        {.name = "verbose", .help = "the same as --log-level debug", .truth = &s->verbose},
        {.name = NULL},
    };
    return kube_flags_parse(&about, options->flags, standard, argc, argv, err);
}

static kube_code set_log_level(const kube__manager_settings *s, kube_error *err)
{
    static const char *const names[] = {"error", "warn", "info", "debug", "trace"};
    if (s->verbose)
        kube_log_set_level(KUBE_LOG_DEBUG);
    for (size_t i = 0; s->log_level && i < sizeof names / sizeof *names; i++) {
        if (strcmp(s->log_level, names[i]) == 0) {
            kube_log_set_level((kube_log_level)i);
            return KUBE_OK;
        }
    }
    if (s->log_level)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "--log-level %s: must be error, warn, info, debug or trace",
                              s->log_level);
    return KUBE_OK;
}

/* By the options' names, which the elector does not know. */
static kube_code check_election(const kube__manager_settings *s, kube_error *err)
{
    if (!s->leader_elect)
        return KUBE_OK;
    if (s->renew_deadline_ms >= s->lease_duration_ms)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "--leader-elect-renew-deadline must be shorter than "
                              "--leader-elect-lease-duration");
    if (!kube__election_has_retry(s->renew_deadline_ms, s->retry_period_ms))
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "--leader-elect-renew-deadline must be longer than 1.2 times "
                              "--leader-elect-retry-period");
    if (!*s->lease_name)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "--leader-elect-resource-name must not be empty");
    return KUBE_OK;
}

static void drop_empty(const char **text)
{
    if (*text && !**text)
        *text = NULL;
}

kube_code kube__manager_options_read(const kube_manager_options *options, int argc, char **argv,
                                     kube__manager_settings *out, kube_error *err)
{
    kube_code rc;
    set_defaults(options, out);
    rc = parse(options, argc, argv, out, err);
    if (rc)
        return rc;
    drop_empty(&out->kubeconfig);
    drop_empty(&out->master);
    drop_empty(&out->context);
    drop_empty(&out->namespace_);
    drop_empty(&out->lease_namespace);
    drop_empty(&out->identity);
    drop_empty(&out->log_level);
    rc = set_log_level(out, err);
    return rc ? rc : check_election(out, err);
}
