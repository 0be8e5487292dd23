/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Tries a reconcile function with events in many orders, and with faults and restarts. So a
 * test meets what happens in a cluster once a year.
 *
 *     const kube_exploration what = {
 *         .for_ = &samplecrd_v1_network_type,
 *         .load_file = "config/crd/networks.yaml",
 *         .begin = forget_the_world, .start = start, .stop = stop,
 *         .make_change = create_edit_or_delete_a_network,
 *         .reconcile = network_reconcile, .arg = &world,
 *         .converged = every_network_is_real,
 *     };
 *     ck_assert_msg(kube_explore(&what, &err) == KUBE_OK, "%s", err.message);
 *
 * Each seed stands for one schedule. It decides about the changes that the test makes to objects;
 * which of them the cache gets to know, and when; lists that replace missed events; which key runs
 * next; requests that fail, or that succeed and seem to fail; restarts of the controller between
 * two runs and within one; and resyncs. At the end everything is delivered, faults stop, and
 * `converged` is called, once more after a resync of all keys.
 *
 * No threads and no time are involved: the calling thread drives cache and queue step by step, with
 * an API server for each schedule. So a seed that has failed fails again with the same steps,
 * unless the controller itself is not deterministic; kube_explore() tries that and says so.
 */
#ifndef KUBE_TESTING_EXPLORER_H
#define KUBE_TESTING_EXPLORER_H

#include <kube/testing/apiserver.h>

KUBE_BEGIN_DECLS

/** A schedule that is running. Only the thread of kube_explore() may use it. */
typedef struct kube_explorer kube_explorer;

/** A Kind besides `for_` that the controller reads from its cache. */
typedef struct kube_explored_kind {
    const kube_type *type;
    bool owned; /* its events enqueue the owner, if that is of the Kind `for_` */
} kube_explored_kind;

/** What to explore. Zero means the default. Functions may be NULL unless they are required. */
typedef struct kube_exploration {
    const kube_type *for_; /* the Kind that is reconciled; required */
    const kube_explored_kind *kinds;
    size_t kind_count;
    kube_reconcile *reconcile; /* required */
    void *arg;                 /* for reconcile (in its request) and for all functions below */

    /** How many seeds to try, from 1 on; 0 = 200. */
    unsigned seeds;
    /** The only seed to try; 0 = all. The environment variable KUBE_EXPLORE_SEED replaces this and
     * `seeds`, and makes the steps be logged. */
    uint64_t seed;
    unsigned changes; /* how often a schedule calls make_change; 0 = 12 */
    bool no_faults;   /* requests of the controller do not fail */
    bool no_restarts; /* the controller is not restarted */
    bool no_resync;   /* keys run only for a reason, also at the end */

    const char *load_file;         /* YAML for the server of each schedule: CRDs and such */
    const char *load;              /* the same as text */
    kube_apiserver_options server; /* leave port, data_file, clock and seed alone */

    /** Called before a schedule. It must reset the world outside the cluster. */
    void (*begin)(void *arg);
    /** Called when the controller's process starts, at first and after each restart. It may take
     * clients and caches. Afterwards the keys of all cached objects are enqueued. */
    kube_code (*start)(void *arg, kube_explorer *x, kube_error *err);
    /** Called when the process ends. It must forget everything but the world outside. */
    void (*stop)(void *arg, kube_explorer *x);
    /** Changes an object with kube_explorer_client(), by the numbers of kube_explorer_random();
     * required. */
    kube_code (*make_change)(void *arg, kube_explorer *x, kube_error *err);
    /** Returns KUBE_OK if everything is as the objects want it; otherwise @p err says what is not.
     * Required. */
    kube_code (*converged)(void *arg, kube_explorer *x, kube_error *err);
} kube_exploration;

/**
 * Tries one seed after another until one fails.
 * @return KUBE_ERR_INVALID if one failed: the error says what was wrong, and names the seed and the
 * last steps; the log has all of them. It is also the result if reconcile never ran.
 * KUBE_ERR_ARGUMENT if a required member is not set, or KUBE_EXPLORE_SEED is not a number
 */
KUBE_CHECKED kube_code kube_explore(const kube_exploration *what, kube_error *err);

/* ---- for the callbacks ---------------------------------------------------------------------- */

/** Returns the server of the schedule. The explorer owns it, and what the next three return. */
KUBE_API kube_apiserver *kube_explorer_server(kube_explorer *x);
/** Returns a client of the administrator. The controller should use it, too. */
KUBE_API kube_client *kube_explorer_client(kube_explorer *x);
/** Returns the factory of the controller's caches, another one after each restart. Do not start it.
 * Handlers that are added to its informers are not called. */
KUBE_API kube_informer_factory *kube_explorer_factory(kube_explorer *x);
/** Returns a ctx that is reset after each callback. */
KUBE_API kube_ctx *kube_explorer_ctx(kube_explorer *x);
/** Returns a random number below @p bound, which is not 0, as the seed gives it. */
KUBE_API uint64_t kube_explorer_random(kube_explorer *x, uint64_t bound);
/** Returns the seed of this schedule. */
KUBE_API uint64_t kube_explorer_seed(const kube_explorer *x);
/** Enqueues a key as if its object had changed; `start` may do so for what exists outside. */
KUBE_CHECKED kube_code kube_explorer_enqueue(kube_explorer *x, kube_key key, kube_error *err);
/** Notes in the list of steps what make_change did: "delete a/b". */
KUBE_API void kube_explorer_note(kube_explorer *x, const char *format, ...) KUBE_PRINTF(2, 3);

KUBE_END_DECLS

#endif /* KUBE_TESTING_EXPLORER_H */
