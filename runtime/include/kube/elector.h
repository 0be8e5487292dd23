/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Leader election: of several replicas, the one that holds a Lease does the work (LE-1…8).
 *
 * The elector needs the rights to get, create and update leases. If it may also watch them, a
 * replica that waits takes over as soon as the Lease is given back. docs/election.md says why two
 * replicas never write at the same time.
 */
#ifndef KUBE_ELECTOR_H
#define KUBE_ELECTOR_H

#include <kube/client.h>
#include <kube/fence.h>
#include <kube/recorder.h>

KUBE_BEGIN_DECLS

typedef struct kube_elector kube_elector;

/** What an elector does. Strings are copied. Functions may be NULL; all of them get `arg`. */
typedef struct kube_elector_options {
    const char *namespace_;    /* namespace of the Lease; required */
    const char *name;          /* name of the Lease; required */
    const char *identity;      /* unique name of this replica; NULL = $POD_NAME or the host's name,
                                  and a random part */
    int64_t lease_duration_ms; /* others take the Lease when it was not renewed for so long; 0 =
                                  15 s */
    int64_t renew_deadline_ms; /* a leader that could not renew for so long gives up; 0 = 10 s */
    int64_t retry_period_ms; /* between two tries to get or to renew it; 0 = 2 s. The deadline must
                                be longer than 1.2 periods (LE-1) */
    bool keep_lease;        /* let the Lease run out at the end, instead of giving it back (LE-5) */
    kube_string_map labels; /* labels to add to the Lease */
    /** Does the work while this replica leads, on a thread of its own. @p ctx is cancelled when the
     * Lease is lost or the elector is to end. The Lease is given back only after it has returned.
     */
    void (*lead)(void *arg, kube_ctx *ctx);
    /** Called on a thread of its own when another replica, or this one, holds the Lease. */
    void (*on_new_leader)(void *arg, const char *identity);
    void *arg;
    kube_fence *fence; /* each renewal opens it until the renew deadline, counted from the time when
                          the renewal began; it is closed when the Lease is lost or given back. May
                          be NULL */
    kube_recorder *recorder; /* records events of reason LeaderElection about the Lease; may be
                                NULL. At the end, its queued events are sent for at most a second
                                before the fence is closed; but not if the Lease was lost */
    kube_clock *clock;       /* NULL = the machine's */
    uint64_t seed;           /* for the jitter; 0 = a random one */
} kube_elector_options;

KUBE_CHECKED kube_code kube_elector_new_sized(kube_client *client,
                                              const kube_elector_options *options,
                                              size_t options_size, kube_elector **out,
                                              kube_error *err);
/**
 * Checks the options (LE-1) and makes an elector. @p client must outlive it. It should be used for
 * nothing else, so that a renewal does not wait for other calls, and it must not have the fence.
 */
KUBE_INLINE kube_code kube_elector_new(kube_client *client, const kube_elector_options *options,
                                       kube_elector **out, kube_error *err)
{
    KUBE__RBAC_LEASES();
    return kube_elector_new_sized(client, options, sizeof *options, out, err);
}
/** Frees an elector after kube_elector_run() has returned. It waits for an `on_new_leader` that is
 * running. NULL allowed. */
KUBE_API void kube_elector_free(kube_elector *elector);
/**
 * Waits for the Lease, calls `lead` and renews the Lease until `lead` has returned.
 * @return KUBE_ERR_FENCED after the Lease was lost (call it again to stand for election once more);
 * KUBE_OK after @p ctx was cancelled, with the Lease given back if the server says that it is ours
 * (LE-5). Threads: one at a time.
 */
KUBE_CHECKED kube_code kube_elector_run(kube_elector *elector, kube_ctx *ctx, kube_error *err);
/** Returns whether this replica leads, as far as it knows. Threads: any, also below. */
KUBE_API bool kube_elector_is_leader(const kube_elector *elector);
/** Returns the identity of the last known holder in @p ctx, or "". Returns NULL if out of memory.
 */
KUBE_API const char *kube_elector_leader(const kube_elector *elector, kube_ctx *ctx);
/** Returns the identity of this replica, which lives as long as @p elector. */
KUBE_API const char *kube_elector_identity(const kube_elector *elector);
/** A health check: returns KUBE_ERR_FENCED if this replica leads but has not renewed the Lease for
 * its duration and @p tolerance_ms more (LE-8). */
KUBE_CHECKED kube_code kube_elector_check(const kube_elector *elector, int64_t tolerance_ms,
                                          kube_error *err);

/** What an elector has done since its start. */
typedef struct kube_elector_stats {
    uint64_t transitions; /* how often this replica became leader */
    uint64_t renewals;
    uint64_t slow_renewals;  /* renewals that had to read the Lease first (LE-3) */
    uint64_t failures;       /* tries that neither got nor renewed the Lease */
    int64_t last_renewed_ns; /* last renewal, by the elector's clock; 0 = never */
} kube_elector_stats;
KUBE_API void kube_elector_get_stats_sized(const kube_elector *elector, kube_elector_stats *stats,
                                           size_t stats_size);
/** Fills @p stats. */
static inline void kube_elector_get_stats(const kube_elector *elector, kube_elector_stats *stats)
{
    kube_elector_get_stats_sized(elector, stats, sizeof *stats);
}

KUBE_END_DECLS

#endif /* KUBE_ELECTOR_H */
