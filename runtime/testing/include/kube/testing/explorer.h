/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Tries a reconcile function in many orders of events: what a cluster does to it once a
 * year, in one test.
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
 * A seed is one schedule: the test's changes to objects; what of them the cache gets to know, and
 * when; lists that make up for events nobody saw; which key runs next; requests that fail, or work
 * and seem to fail; restarts of the controller between two runs and in the middle of one; resyncs.
 * Then everything is delivered, faults end, and `converged` is asked; it is asked again after a
 * resync of all keys.
 *
 * Nothing of it is left to threads or to time: cache and queue are driven step by step, on the
 * calling thread, in front of an API server of the schedule's own. So a seed that failed fails
 * again, with the same steps, if the controller itself leaves nothing to chance; kube_explore()
 * tries that and says so.
 */
#ifndef KUBE_TESTING_EXPLORER_H
#define KUBE_TESTING_EXPLORER_H

#include <kube/testing/apiserver.h>

KUBE_BEGIN_DECLS

/** One schedule under way. Confined to the thread of kube_explore(). */
typedef struct kube_explorer kube_explorer;

/** A kind besides `for_` that the controller reads from its cache. */
typedef struct kube_explored_kind {
    const kube_type *type;
    bool owned; /* its events enqueue the owner, if that is of the kind `for_` */
} kube_explored_kind;

/** What to explore. Zero means the default; callbacks may be NULL unless said. */
typedef struct kube_exploration {
    const kube_type *for_; /* the kind that is reconciled; needed */
    const kube_explored_kind *kinds;
    size_t kind_count;
    kube_reconcile *reconcile; /* needed */
    void *arg;                 /* of reconcile (in its request) and of all callbacks */

    /** Seeds 1, 2, … so many; 0 = 200. */
    unsigned seeds;
    /** This one only. The environment's KUBE_EXPLORE_SEED comes before both, and logs its steps. */
    uint64_t seed;
    unsigned changes; /* calls of make_change a schedule; 0 = 12 */
    bool no_faults;   /* requests of the controller do not fail */
    bool no_restarts; /* neither between runs nor within one */
    bool no_resync;   /* keys run for a reason only, also at the end */

    const char *load_file;         /* YAML that each schedule's server starts with: CRDs and such */
    const char *load;              /* the same as text */
    kube_apiserver_options server; /* port and data_file stay unset; clock and seed are given */

    /** Before a schedule: the world outside the cluster as it was in the beginning. */
    void (*begin)(void *arg);
    /** The controller's process begins, at first and after each restart: take clients and caches.
     * Keys of cached objects are enqueued by themselves, after it. */
    kube_code (*start)(void *arg, kube_explorer *x, kube_error *err);
    /** It ends: forget all but the world outside. */
    void (*stop)(void *arg, kube_explorer *x);
    /** Changes an object, by kube_explorer_client(), as kube_explorer_random() says; needed. */
    kube_code (*make_change)(void *arg, kube_explorer *x, kube_error *err);
    /** KUBE_OK when all is as the objects want it; else @p err says what is not; needed. */
    kube_code (*converged)(void *arg, kube_explorer *x, kube_error *err);
} kube_exploration;

/**
 * Explores one seed after another until one fails. The error then says what was wrong, and names
 * the seed and the last steps of its schedule; all of its steps are in the log. KUBE_ERR_INVALID
 * also when reconcile ran in none of them: nothing was tried. KUBE_ERR_ARGUMENT when a member that
 * is needed is not set, or KUBE_EXPLORE_SEED is no number.
 */
KUBE_CHECKED kube_code kube_explore(const kube_exploration *what, kube_error *err);

/* ---- for the callbacks ---------------------------------------------------------------------- */

/** The schedule's server: borrowed, as all that the next three return. */
KUBE_API kube_apiserver *kube_explorer_server(kube_explorer *x);
/** An administrator's client; the controller's own requests go by it too. */
KUBE_API kube_client *kube_explorer_client(kube_explorer *x);
/** Whose informers have the controller's caches: do not start it. Its handlers are not called.
 * Another one after each restart. */
KUBE_API kube_informer_factory *kube_explorer_factory(kube_explorer *x);
/** Reset after each callback. */
KUBE_API kube_ctx *kube_explorer_ctx(kube_explorer *x);
/** Evenly below @p bound, which is not 0, by the seed. */
KUBE_API uint64_t kube_explorer_random(kube_explorer *x, uint64_t bound);
/** The seed of this schedule. */
KUBE_API uint64_t kube_explorer_seed(const kube_explorer *x);
/** Enqueues a key as if its object had changed: in start, what exists outside. */
KUBE_CHECKED kube_code kube_explorer_enqueue(kube_explorer *x, kube_key key, kube_error *err);
/** Says in the list of steps what make_change did: "delete a/b". */
KUBE_API void kube_explorer_note(kube_explorer *x, const char *format, ...) KUBE_PRINTF(2, 3);

KUBE_END_DECLS

#endif /* KUBE_TESTING_EXPLORER_H */
