/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The manager runs the controllers of a program, with all they need: options, signals,
 * caches, leader election, health checks, metrics, a status page, and an orderly end.
 *
 *     int main(int argc, char **argv)
 *     {
 *         kube_manager_options options = {.name = "network-controller"};
 *         kube_manager *manager = NULL;
 *         kube_error err;
 *         kube_code rc = kube_manager_options_parse(&options, argc, argv, &err);
 *
 *         if (!rc) rc = kube_manager_new(&options, &manager, &err);
 *         if (!rc) rc = kube_manager_add_controller(manager, &networks, NULL, &err);
 *         if (!rc) rc = kube_manager_run(manager, &err); // until a signal
 *         return kube_manager_end(manager, rc, &err);
 *     }
 */
#ifndef KUBE_MANAGER_H
#define KUBE_MANAGER_H

#include <kube/controller.h>
#include <kube/elector.h>
#include <kube/flags.h>
#include <kube/flight.h>
#include <kube/metrics.h>

KUBE_BEGIN_DECLS

typedef struct kube_manager kube_manager;

/** Zero always means the default. Strings are borrowed until the manager is freed. */
typedef struct kube_manager_options {
    const char *name;       /* name of the program, also of its Lease and in its events; required */
    const char *summary;    /* one line for --help */
    const char *version;    /* version of the program, for --version and the status page */
    const kube_flag *flags; /* the program's own options for the parse; may be NULL */

    /* As in kube_config_options. */
    const char *kubeconfig;
    const char *master;
    const char *context;

    /* Addresses to listen on, "HOST:PORT"; port 0 = a free one; "" or "0" = no such server. */
    const char *http_address;    /* of all pages, also /metrics for everybody who reaches it; NULL =
                                    "127.0.0.1:0" */
    const char *metrics_address; /* of a server that has only /metrics; NULL = no such server */
    const char *health_address;  /* of one that has only the health checks; NULL = no such server */

    bool leader_election;        /* work only while holding a Lease */
    const char *lease_name;      /* NULL = name */
    const char *lease_namespace; /* NULL = the pod's, outside of a pod `namespace_`, else the
                                    kubeconfig's */
    const char *lease_identity;  /* as in kube_elector_options, also the times */
    int64_t lease_duration_ms;
    int64_t renew_deadline_ms;
    int64_t retry_period_ms;

    const char *namespace_;              /* the caches have only this namespace; NULL = all */
    int64_t resync_ms;                   /* reconcile every object again so often; 0 = never */
    const kube_informer_options *cache;  /* of the caches, but for the two members above and what
                                            the manager knows itself; NULL = the defaults */
    const kube_recorder_options *events; /* likewise; component NULL = name */
    size_t flight_records;               /* size of the flight recorder; 0 = 256 */
    /* How long all functions of the program (reconcile, map and the like, runnables, health checks)
     * may take to return at the end. After that the process ends with status 1, and the log names
     * who did not return. 0 = 30 s */
    int64_t stop_timeout_ms;

    bool retry_on_no_memory; /* a reconcile, map or index function whose ctx runs out of memory
                                fails and is tried again. Otherwise the process ends there with
                                status 1 and a line such as "out of memory: 65536 bytes for
                                reconcile of networks default/a", and Kubernetes starts it again */

    /* For tests, and for programs that have one of these already. */
    kube_client *client; /* used instead of one made from the options, also for leader election; it
                            gets no fence; borrowed */
    kube_ctx *ctx;       /* kube_manager_run() ends when this does, and no signals are handled;
                            borrowed */
    kube_clock *clock;   /* NULL = the machine's */

    /* The server of metrics_address uses TLS and answers only who the API server lets get /metrics:
     * it asks for a review of each new bearer token, and keeps a yes for a minute. This needs the
     * right to create tokenreviews.authentication.k8s.io and
     * subjectaccessreviews.authorization.k8s.io. Without it metrics are served to everybody. The
     * options that have it must have a metrics_address, which may be "0". */
    bool metrics_secure;
    const char *metrics_cert_path; /* directory of its certificate, which is read again when it
                                      changes; NULL = a self-signed one, made at the start */
    const char *metrics_cert_name; /* file with the certificates there; NULL = "tls.crt" */
    const char *metrics_cert_key;  /* file with the key there; NULL = "tls.key" */
} kube_manager_options;

KUBE_CHECKED kube_code kube_manager_options_parse_sized(kube_manager_options *options,
                                                        size_t options_size, int argc, char **argv,
                                                        kube_error *err);
/**
 * Reads the environment and the command line into @p options, as kube_flags_parse() does (`--help`
 * lists what can be said), and sets the log's level. What the program has set before is the
 * default. Strings point into argv and the environment. Returns KUBE_ERR_CLOSED after --help and
 * --version, which kube_manager_end() turns into status 0.
 */
KUBE_INLINE kube_code kube_manager_options_parse(kube_manager_options *options, int argc,
                                                 char **argv, kube_error *err)
{
    return kube_manager_options_parse_sized(options, sizeof *options, argc, argv, err);
}

KUBE_CHECKED kube_code kube_manager_new_sized(const kube_manager_options *options,
                                              size_t options_size, size_t cache_size,
                                              size_t events_size, kube_manager **out,
                                              kube_error *err);
/** Sets up signal handlers, and makes client, caches and recorder. It sends nothing yet. */
KUBE_INLINE kube_code kube_manager_new(const kube_manager_options *options, kube_manager **out,
                                       kube_error *err)
{
    KUBE_NEEDS("", "events", "create,patch");
    KUBE__RBAC_LEASES();
    KUBE__RBAC("need metrics-auth create tokenreviews authentication.k8s.io", "");
    KUBE__RBAC("need metrics-auth create subjectaccessreviews authorization.k8s.io", "");
    return kube_manager_new_sized(options, sizeof *options, sizeof *options->cache,
                                  sizeof *options->events, out, err);
}

/** These return parts of the manager, which owns them. With leader election, the client can write
 * only while this replica leads; the recorder uses it too, so a replica that waits sends no events.
 */
KUBE_API kube_client *kube_manager_client(kube_manager *manager);
/** Returns the configuration of the client, to make another one that has no fence. NULL if the
 * options gave a client. */
KUBE_API const kube_config *kube_manager_config(const kube_manager *manager);
KUBE_API kube_informer_factory *kube_manager_factory(kube_manager *manager);
KUBE_API kube_recorder *kube_manager_recorder(kube_manager *manager);
KUBE_API kube_metrics *kube_manager_metrics(kube_manager *manager);
KUBE_API kube_flight *kube_manager_flight(kube_manager *manager);
/** Returns the ctx that the first signal and kube_manager_stop() cancel. */
KUBE_API kube_ctx *kube_manager_ctx(kube_manager *manager);
/** Returns the address that the manager listens on, such as "127.0.0.1:41235", or NULL if it does
 * not listen. It is valid during run. */
KUBE_API const char *kube_manager_address(const kube_manager *manager);
/** Returns whether this replica leads. */
KUBE_API bool kube_manager_is_leader(const kube_manager *manager);

KUBE_CHECKED kube_code kube_manager_add_controller_sized(kube_manager *manager,
                                                         const kube_controller_options *options,
                                                         size_t options_size, kube_controller **out,
                                                         kube_error *err);
/**
 * Makes a controller that uses the manager's caches, metrics and flight recorder. Its workers run
 * while this replica leads, or always if the options say `without_lease`. The manager owns it;
 * @p out may be NULL. KUBE_ERR_ARGUMENT if there is a controller of that name.
 *
 * While the manager runs, the controller begins at once, so it must be complete: its other sources
 * are added by `setup` of the options. After the end it is KUBE_ERR_CLOSED. Threads: any.
 */
KUBE_INLINE kube_code kube_manager_add_controller(kube_manager *manager,
                                                  const kube_controller_options *options,
                                                  kube_controller **out, kube_error *err)
{
    return kube_manager_add_controller_sized(manager, options, sizeof *options, out, err);
}
#define kube_manager_add_controller(manager, ...)                                                  \
    kube_manager_add_controller(KUBE__RBAC_CONTROLLER(manager), __VA_ARGS__)
/**
 * Ends a controller of the manager and frees it: its running reconciles see the end of their ctx
 * and are waited for. The caches that it used stay. KUBE_ERR_ARGUMENT if the manager has no such
 * controller. Threads: any but the controller's own workers and map functions.
 */
KUBE_CHECKED kube_code kube_manager_remove_controller(kube_manager *manager,
                                                      kube_controller *controller, kube_error *err);

typedef struct kube_runnable {
    const char *name;
    /** Called on a thread of its own, once the caches have synced. It must return soon after @p ctx
     * has ended. If it returns an error, the manager ends. */
    kube_code (*run)(void *arg, kube_ctx *ctx, kube_error *err);
    void *arg;
    bool without_lease; /* run on every replica, not only on the leader. On a replica that waits,
                           writes of the manager's client fail with KUBE_ERR_FENCED. At the end it
                           is joined after the Lease has been given back; events that it records
                           then are dropped */
} kube_runnable;
KUBE_CHECKED kube_code kube_manager_add_runnable_sized(kube_manager *manager,
                                                       const kube_runnable *runnable,
                                                       size_t runnable_size, kube_error *err);
/** Adds something to run beside the controllers. @p runnable is copied, its name borrowed. Call it
 * before run. */
KUBE_INLINE kube_code kube_manager_add_runnable(kube_manager *manager,
                                                const kube_runnable *runnable, kube_error *err)
{
    return kube_manager_add_runnable_sized(manager, runnable, sizeof *runnable, err);
}

/** Returns KUBE_OK or what is wrong. It must be quick, and may be called from any thread. */
typedef kube_code kube_health_check(void *arg, kube_error *err);
/** Adds a check to `/healthz` and `/livez`; if it fails, the kubelet restarts the process. There
 * are already "ping" and, with leader election, "leader-election". Call it before run. */
KUBE_CHECKED kube_code kube_manager_add_health_check(kube_manager *manager, const char *name,
                                                     kube_health_check *check, void *arg,
                                                     kube_error *err);
/** Adds a check to `/readyz`. There are already "ping", "informer-sync" and "shutdown". */
KUBE_CHECKED kube_code kube_manager_add_ready_check(kube_manager *manager, const char *name,
                                                    kube_health_check *check, void *arg,
                                                    kube_error *err);

/**
 * Runs everything until a signal, kube_manager_stop(), or a failure. It serves health, metrics and
 * the status page, starts the caches and waits for them, waits for the Lease if there is leader
 * election, and runs controllers and runnables. If the Lease is lost, it stops the workers, keeps
 * the caches, and waits for the Lease again. At the end it reports that it is not ready, waits for
 * workers and runnables, sends the queued events, gives the Lease back, stops caches and server,
 * and joins every thread. Call it once.
 */
KUBE_CHECKED kube_code kube_manager_run(kube_manager *manager, kube_error *err);
/** Ends kube_manager_run() as the first signal would. Threads: any. */
KUBE_API void kube_manager_stop(kube_manager *manager);
/** Frees the manager and its parts, after run has returned. NULL allowed. */
KUBE_API void kube_manager_free(kube_manager *manager);
/** Ends main(): prints @p err if @p rc is a failure, frees the manager (NULL allowed), and returns
 * the exit status, which is 0, 1, or 2 for a wrong command line. */
KUBE_API int kube_manager_end(kube_manager *manager, kube_code rc, const kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_MANAGER_H */
