/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What a controller's process has around it: options, signals, caches, leader election,
 * health, metrics, a status page, and an end in order.
 *
 *     int main(int argc, char **argv)
 *     {
 *         kube_error err;
 *         kube_manager *manager;
 *         kube_code rc = kube_manager_new(&options, argc, argv, &manager, &err);
 *
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

/** Zero is the default throughout; strings are borrowed. Where a command-line option says the same,
 * it wins over this. */
typedef struct kube_manager_options {
    const char *name;       /* of the program, its Lease and its events; needed */
    const char *summary;    /* one line for --help */
    const char *version;    /* of the program, for --version and the status page */
    const kube_flag *flags; /* the program's own options; NULL = none */
    bool leader_election;   /* on unless --leader-elect=false */
    const char *lease_name; /* NULL = name */
    kube_informer_options cache;
    kube_recorder_options events; /* component NULL = name */
    size_t flight_records;        /* 0 = 256 */
    int64_t stop_timeout_ms; /* for reconciles and runnables to return when they are to end; 0 =
                                30 s. The process ends after it, with status 1 */

    /* For tests and for programs that have their own. */
    kube_client *client; /* instead of one from the options, and without a fence; leader election
                            uses it too; borrowed */
    kube_ctx *ctx;       /* its end is the end of run, no signals are taken; borrowed */
    kube_clock *clock;   /* NULL = the machine's */
} kube_manager_options;

/**
 * Reads options (`--help` lists them; kube_flags_parse() says how), takes the signals, makes
 * client, caches, recorder. Call it before any thread is made. KUBE_ERR_CLOSED after --help and
 * --version; kube_manager_end() turns that into status 0. Errors name the program. Nothing is sent
 * yet.
 */
KUBE_CHECKED kube_code kube_manager_new(const kube_manager_options *options, int argc, char **argv,
                                        kube_manager **out, kube_error *err);

/** What it has, borrowed. With leader election the client's writes pass only while we lead: what a
 * replica that waits records as events is not sent. */
KUBE_API kube_client *kube_manager_client(kube_manager *manager);
/** What that client was made of, for another one without its fence; NULL when one was given. */
KUBE_API const kube_config *kube_manager_config(const kube_manager *manager);
KUBE_API kube_informer_factory *kube_manager_factory(kube_manager *manager);
KUBE_API kube_recorder *kube_manager_recorder(kube_manager *manager);
KUBE_API kube_metrics *kube_manager_metrics(kube_manager *manager);
KUBE_API kube_flight *kube_manager_flight(kube_manager *manager);
/** Cancelled by the first signal, and by kube_manager_stop(). */
KUBE_API kube_ctx *kube_manager_ctx(kube_manager *manager);
/** Where it listens, "127.0.0.1:41235": valid during run; NULL = nowhere. */
KUBE_API const char *kube_manager_address(const kube_manager *manager);
KUBE_API bool kube_manager_is_leader(const kube_manager *manager);

/** A controller on the manager's caches, with its metrics and flight recorder; its workers run
 * while we lead. @p out (may be NULL) is borrowed. KUBE_ERR_ARGUMENT when there is one of that
 * name. Before run. */
KUBE_CHECKED kube_code kube_manager_add_controller(kube_manager *manager,
                                                   const kube_controller_options *options,
                                                   kube_controller **out, kube_error *err);

typedef struct kube_runnable {
    const char *name;
    /** On a thread of its own, once the caches are synced; returns soon after @p ctx ends. An error
     * ends the manager. */
    kube_code (*run)(void *arg, kube_ctx *ctx, kube_error *err);
    void *arg;
    bool without_lease; /* runs on every replica, not only on the leader. On one that waits, writes
                           by the manager's client fail with KUBE_ERR_FENCED; at the end it is
                           joined after the lease is given back: what it records then is dropped */
} kube_runnable;
/** @p runnable is copied, its name borrowed. Before run. */
KUBE_CHECKED kube_code kube_manager_add_runnable(kube_manager *manager,
                                                 const kube_runnable *runnable, kube_error *err);

/** Says KUBE_OK, or what is wrong; quickly, and from any thread. */
typedef kube_code kube_health_check(void *arg, kube_error *err);
/** `/healthz` and `/livez` fail while it does: the kubelet restarts the process. Before run. There
 * from the start: ping, and leader-election with it. */
KUBE_CHECKED kube_code kube_manager_add_health_check(kube_manager *manager, const char *name,
                                                     kube_health_check *check, void *arg,
                                                     kube_error *err);
/** `/readyz` fails while it does. There from the start: ping, informer-sync, shutdown. */
KUBE_CHECKED kube_code kube_manager_add_ready_check(kube_manager *manager, const char *name,
                                                    kube_health_check *check, void *arg,
                                                    kube_error *err);

/**
 * Serves health, metrics and the status page; starts the caches and waits for them; with leader
 * election waits for the lease; runs controllers and runnables until a signal, kube_manager_stop(),
 * or a failure. A lost lease stops the workers, not the caches: it stands for election again. At
 * the end: not ready; workers and runnables return; events are sent; the lease is given back;
 * caches and server stop; every thread is joined. Blocks. Once.
 */
KUBE_CHECKED kube_code kube_manager_run(kube_manager *manager, kube_error *err);
/** Ends run as the first signal would. Threads: any. */
KUBE_API void kube_manager_stop(kube_manager *manager);
/** Frees it and all it has; not during run. NULL allowed. */
KUBE_API void kube_manager_free(kube_manager *manager);
/** The end of main: prints @p err when @p rc is a failure, frees the manager (NULL allowed), and
 * returns the exit status: 0, 1, or 2 for a wrong command line. */
KUBE_API int kube_manager_end(kube_manager *manager, kube_code rc, const kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_MANAGER_H */
