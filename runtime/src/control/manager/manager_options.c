/* SPDX-License-Identifier: Apache-2.0 */
#include "manager_options.h"

#include "base/memory.h"
#include "base/units.h"
#include "control/election/election_times.h"

#include <kube/log.h>
#include <string.h>

enum {
    HOUR_MS = KUBE__S_PER_HOUR * KUBE__MS_PER_S,
    DAY_MS = KUBE__S_PER_DAY * KUBE__MS_PER_S,
    STOP_TIMEOUT_MS = 30000,
};

static const char any_port[] = "127.0.0.1:0";
static const char cert_name[] = "tls.crt";
static const char cert_key[] = "tls.key";

static void drop_empty(const char **text)
{
    if (*text && !**text)
        *text = NULL;
}

static void complete_ms(int64_t *ms, int64_t standard)
{
    if (!*ms)
        *ms = standard;
}

void kube__manager_options_complete(kube_manager_options *o)
{
    drop_empty(&o->kubeconfig);
    drop_empty(&o->master);
    drop_empty(&o->context);
    drop_empty(&o->namespace_);
    drop_empty(&o->lease_namespace);
    drop_empty(&o->lease_identity);
    drop_empty(&o->metrics_cert_path);
    drop_empty(&o->metrics_cert_name);
    drop_empty(&o->metrics_cert_key);
    if (!o->metrics_cert_name)
        o->metrics_cert_name = cert_name;
    if (!o->metrics_cert_key)
        o->metrics_cert_key = cert_key;
    if (!o->http_address)
        o->http_address = any_port;
    if (!o->lease_name)
        o->lease_name = o->name;
    complete_ms(&o->lease_duration_ms, KUBE__LEASE_DURATION_MS);
    complete_ms(&o->renew_deadline_ms, KUBE__RENEW_DEADLINE_MS);
    complete_ms(&o->retry_period_ms, KUBE__RETRY_PERIOD_MS);
    complete_ms(&o->stop_timeout_ms, STOP_TIMEOUT_MS);
}

/* ---- the command line ---------------------------------------------------------------------- */

typedef struct log_options {
    const char *level; /* NULL = as the program has it */
    bool verbose;
} log_options;

static kube_code parse(kube_manager_options *o, log_options *log, int argc, char **argv,
                       kube_error *err)
{
    const kube_flags_about about = {o->name, o->summary, o->version};
    const kube_flag standard[] = {
        {.name = "kubeconfig",
         .value = "FILE",
         .help = "kubeconfig to use; without it: $KUBECONFIG, then the pod's own access, then "
                 "~/.kube/config",
         .text = &o->kubeconfig},
        {.name = "master",
         .value = "URL",
         .help = "address of the API server, instead of the kubeconfig's",
         .text = &o->master},
        {.name = "context",
         .value = "NAME",
         .help = "context of the kubeconfig, instead of its current one",
         .text = &o->context},
        {.name = "namespace",
         .value = "NAME",
         .help = "watch only this namespace; without it: all",
         .text = &o->namespace_},
        {.name = "resync",
         .help = "reconcile every object again after this time; 0 = never",
         .duration_ms = &o->resync_ms,
         .most = DAY_MS},
        {.name = "http-bind-address",
         .value = "HOST:PORT",
         .help =
             "address of the status page, metrics and health; port 0 = a free one, 0 = no server",
         .text = &o->http_address},
        {.name = "metrics-bind-address",
         .value = "HOST:PORT",
         .help = "address of a server that has only /metrics",
         .text = &o->metrics_address},
        {.name = "metrics-secure",
         .help = "that server uses TLS and answers only who the API server lets get /metrics",
         .truth = &o->metrics_secure},
        {.name = "metrics-cert-path",
         .value = "DIR",
         .help =
             "directory of that server's certificate, read again when it changes; without it: a "
             "self-signed one",
         .text = &o->metrics_cert_path},
        {.name = "metrics-cert-name",
         .value = "FILE",
         .help = "the certificate's file there",
         .text = &o->metrics_cert_name},
        {.name = "metrics-cert-key",
         .value = "FILE",
         .help = "the key's file there",
         .text = &o->metrics_cert_key},
        {.name = "health-probe-bind-address",
         .value = "HOST:PORT",
         .help = "address of a server that has only /healthz, /livez and /readyz",
         .text = &o->health_address},
        {.name = "leader-elect",
         .help = "work only while holding a Lease, so that several replicas may run",
         .truth = &o->leader_election},
        {.name = "leader-elect-lease-duration",
         .help = "how long the others wait for a leader that does not renew",
         .duration_ms = &o->lease_duration_ms,
         .least = KUBE__MS_PER_S,
         .most = HOUR_MS},
        {.name = "leader-elect-renew-deadline",
         .help = "a leader that could not renew for this time stops working",
         .duration_ms = &o->renew_deadline_ms,
         .least = 1,
         .most = HOUR_MS},
        {.name = "leader-elect-retry-period",
         .help = "time between two tries to get or to renew the Lease",
         .duration_ms = &o->retry_period_ms,
         .least = 1,
         .most = HOUR_MS},
        {.name = "leader-elect-resource-name",
         .value = "NAME",
         .help = "name of the Lease",
         .text = &o->lease_name},
        {.name = "leader-elect-resource-namespace",
         .value = "NAME",
         .help =
             "namespace of the Lease; without it: the pod's, outside of a pod --namespace or the "
             "kubeconfig's",
         .text = &o->lease_namespace},
        {.name = "leader-elect-identity",
         .value = "NAME",
         .help = "name of this replica, unique among the replicas; without it: $POD_NAME or the "
                 "host's name, and a random part",
         .text = &o->lease_identity},
        {.name = "log-level",
         .value = "LEVEL",
         .help = "error, warn, info, debug or trace",
         .text = &log->level},
        {.name = "verbose", .help = "the same as --log-level debug", .truth = &log->verbose},
        {.name = NULL},
    };
    return kube_flags_parse(&about, o->flags, standard, argc, argv, err);
}

static kube_code set_log_level(const log_options *log, kube_error *err)
{
    static const char *const names[] = {"error", "warn", "info", "debug", "trace"};
    if (log->verbose)
        kube_log_set_level(KUBE_LOG_DEBUG);
    for (size_t i = 0; log->level && i < sizeof names / sizeof *names; i++) {
        if (strcmp(log->level, names[i]) == 0) {
            kube_log_set_level((kube_log_level)i);
            return KUBE_OK;
        }
    }
    if (log->level)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "--log-level %s: must be error, warn, info, debug or trace",
                              log->level);
    return KUBE_OK;
}

/* By the options' names, which the elector does not know. */
static kube_code check_election(const kube_manager_options *o, kube_error *err)
{
    if (!o->leader_election)
        return KUBE_OK;
    if (o->renew_deadline_ms >= o->lease_duration_ms)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "--leader-elect-renew-deadline must be shorter than "
                              "--leader-elect-lease-duration");
    if (!kube__election_has_retry(o->renew_deadline_ms, o->retry_period_ms))
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "--leader-elect-renew-deadline must be longer than 1.2 times "
                              "--leader-elect-retry-period");
    if (!*o->lease_name)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "--leader-elect-resource-name must not be empty");
    return KUBE_OK;
}

/* What would have no effect is a mistake: somebody believes that it has one. */
static kube_code check_metrics(const kube_manager_options *o, kube_error *err)
{
    if (!o->metrics_cert_path && (strcmp(o->metrics_cert_name, cert_name) != 0 ||
                                  strcmp(o->metrics_cert_key, cert_key) != 0))
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "--metrics-cert-name and --metrics-cert-key need "
                              "--metrics-cert-path");
    if (o->metrics_secure && !o->metrics_address)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "--metrics-secure needs --metrics-bind-address");
    if (o->metrics_cert_path && !o->metrics_secure)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "--metrics-cert-path needs --metrics-secure");
    return KUBE_OK;
}

kube_code kube_manager_options_parse_sized(kube_manager_options *options, size_t options_size,
                                           int argc, char **argv, kube_error *err)
{
    kube_manager_options own = {0};
    log_options log = {0};
    kube_code rc;
    own = *(const kube_manager_options *)kube__sized(options, options_size, &own, sizeof own);
    if (!own.name || !*own.name)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "a manager needs a name");
    kube__manager_options_complete(&own);
    rc = parse(&own, &log, argc, argv, err);
    kube__manager_options_complete(&own); /* "" on the command line is the default, too */
    drop_empty(&log.level);
    if (!rc)
        rc = set_log_level(&log, err);
    if (!rc)
        rc = check_election(&own, err);
    if (!rc)
        rc = check_metrics(&own, err);
    kube__sized_out(options, options_size, &own, sizeof own);
    if (rc && rc != KUBE_ERR_CLOSED)
        kube_error_prefix(err, "%s", own.name);
    return rc;
}
