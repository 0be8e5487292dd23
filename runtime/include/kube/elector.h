/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Leader election: of several processes one holds a Lease and works (LE-1…8).
 *
 * It needs the rights to get, create and update leases; with that to watch them, who waits takes
 * over as soon as the Lease is given back. docs/election.md says why two never write at once.
 */
#ifndef KUBE_ELECTOR_H
#define KUBE_ELECTOR_H

#include <kube/client.h>
#include <kube/fence.h>
#include <kube/recorder.h>

KUBE_BEGIN_DECLS

typedef struct kube_elector kube_elector;

/** Strings are copied. Callbacks may be NULL; all get `arg`. */
typedef struct kube_elector_options {
    const char *namespace_;    /* of the Lease; needed */
    const char *name;          /* of the Lease; needed */
    const char *identity;      /* who we are; NULL = host name and a random part */
    int64_t lease_duration_ms; /* 0 = 15 s; how long others wait for a holder that is silent */
    int64_t renew_deadline_ms; /* 0 = 10 s; shorter: a holder that cannot renew gives up */
    int64_t retry_period_ms;   /* 0 = 2 s; the deadline is more than 1.2 of it (LE-1) */
    bool keep_lease;           /* at the end, let it run out instead of giving it back (LE-5) */
    kube_string_map labels;    /* of the Lease, merged with those it has */
    /** The work, on a thread of its own, while we hold the lease: @p ctx is cancelled when we lose
     * it or are to end. The lease is given back after it has returned, never before. */
    void (*lead)(void *arg, kube_ctx *ctx);
    /** Whenever the holder that is known changes, us included; on a thread of its own. */
    void (*on_new_leader)(void *arg, const char *identity);
    void *arg;
    kube_fence *fence; /* opened until the renew deadline after each renewal was begun, closed when
                          the lease is lost or given back; NULL = none */
    kube_recorder *recorder; /* events LeaderElection about the Lease; NULL = none. What it has is
                                sent, for a second at most, before the fence is closed at the end;
                                not when the lease was lost */
    kube_clock *clock;       /* NULL = the machine's */
    uint64_t seed;           /* of the jitter; 0 = from the machine */
} kube_elector_options;

/**
 * Checks the options (LE-1) and makes an elector. @p client must outlive it and should be its own,
 * so that a renewal never waits behind other calls; it must not have the fence.
 */
KUBE_CHECKED kube_code kube_elector_new(kube_client *client, const kube_elector_options *options,
                                        kube_elector **out, kube_error *err);
/** When kube_elector_run() has returned; waits for an `on_new_leader` that runs. NULL allowed. */
KUBE_API void kube_elector_free(kube_elector *elector);
/**
 * Waits for the lease, holds it, and when it is lost returns KUBE_ERR_FENCED, after `lead` has
 * returned; call it again to stand for election once more. KUBE_OK when @p ctx was cancelled: the
 * lease has been given back then, if it was ours as the server has it (LE-5); until `lead` has
 * returned it is renewed. Blocks. Threads: one at a time.
 */
KUBE_CHECKED kube_code kube_elector_run(kube_elector *elector, kube_ctx *ctx, kube_error *err);
/** Whether the lease is held as far as we know. Threads: any, as for those below. */
KUBE_API bool kube_elector_is_leader(const kube_elector *elector);
/** The holder that was seen last, in @p ctx; "" = nobody. NULL when memory is out. */
KUBE_API const char *kube_elector_leader(const kube_elector *elector, kube_ctx *ctx);
/** Who we are; lives as long as @p elector. */
KUBE_API const char *kube_elector_identity(const kube_elector *elector);
/** KUBE_ERR_FENCED when we lead but have not renewed for the lease's duration and @p tolerance_ms
 * more; who does not lead is well (LE-8). */
KUBE_CHECKED kube_code kube_elector_check(const kube_elector *elector, int64_t tolerance_ms,
                                          kube_error *err);

/** Counts since the start. */
typedef struct kube_elector_stats {
    uint64_t transitions; /* times we became leader */
    uint64_t renewals;
    uint64_t slow_renewals;  /* that had to look at the Lease first (LE-3) */
    uint64_t failures;       /* rounds that neither acquired nor renewed */
    int64_t last_renewed_ns; /* by the clock; 0 = never */
} kube_elector_stats;
KUBE_API void kube_elector_get_stats(const kube_elector *elector, kube_elector_stats *stats);

KUBE_END_DECLS

#endif /* KUBE_ELECTOR_H */
