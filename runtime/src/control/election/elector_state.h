/* SPDX-License-Identifier: Apache-2.0 */
/* The state of an elector, which elector.c (its life) and elector_lease.c (the Lease) share. */
#ifndef KUBE_CONTROL_ELECTOR_STATE_H
#define KUBE_CONTROL_ELECTOR_STATE_H

#include "base/thread.h"
#include "control/api/objects.h"

#include <kube/elector.h>

/*
 * Times are of the clock, with what the machine slept (kube__clock_asleep_ns()) added: the others
 * were awake.
 */
enum { KUBE__VERSION_MAX = 64, KUBE__FAILURE_MAX = sizeof(((kube_error *)0)->message) };

struct kube_elector {
    kube_client *client;
    kube_clock *clock;
    char *namespace_;
    char *name;
    char *identity;
    kube_string_map labels; /* in root */
    int64_t lease_ns;
    int64_t renew_ns;
    int64_t retry_ms;
    int64_t call_ms; /* at most for one call (LE-8) */
    bool keep_lease;
    void (*lead)(void *arg, kube_ctx *ctx);
    void (*on_new_leader)(void *arg, const char *identity);
    void *arg;
    kube_fence *fence;
    kube_recorder *recorder;
    kube_ctx *root; /* of what a cancel must not stop */

    /* The running thread's. */
    bool unsure; /* a write may have made us the holder, though we were not told */
    uint64_t random_state;
    kube_watch *watch; /* for the moment at which the holder gives up; NULL = none */
    bool cannot_watch;
    char seen_version[KUBE__VERSION_MAX]; /* the newest on the watch, "" = none yet */
    int64_t seen_ns;                      /* when it came */
    kube__thread lead_thread;
    kube_ctx *lead_ctx;
    kube_ctx *run_ctx;

    kube__thread teller; /* calls on_new_leader */

    kube__mutex mutex; /* of all below; `lease` is read by the running thread without it */
    kube__condition changed;
    const kube__wire_lease *lease; /* as it was seen last, held; NULL = not yet */
    int64_t observed_ns;           /* when it was seen first as it is */
    int64_t until_ns;              /* what was renewed last is good until then */
    bool leading;
    bool lead_done;
    kube_ctx *renewing; /* of the call under way while leading */
    bool closing;
    kube_elector_stats stats;
    char last_failure[KUBE__FAILURE_MAX]; /* "" = the last round had none */
};

int64_t kube__elector_now_ns(const kube_elector *elector);
/* The holder that was seen last; "" = nobody. By the running thread, or with the mutex held. */
const char *kube__elector_holder(const kube_elector *elector);
bool kube__elector_is_ours(const kube_elector *elector, const kube__wire_lease *lease);
/* What the last round failed of, in @ctx; "" = it did not, or another holds the Lease. NULL when
 * out of memory. Threads: any. */
const char *kube__elector_last_failure(const kube_elector *elector, kube_ctx *ctx);

/*
 * Tries to acquire or to renew (LE-3). KUBE_OK = the lease is ours, and the fence is open; when it
 * was ours before and is another's now, KUBE_ERR_FENCED; anything else = not now.
 */
KUBE__CHECKED kube_code kube__elector_try(kube_elector *elector, kube_ctx *ctx, kube_error *err);
/* Gives the lease back if the server says that it is ours (LE-5). */
void kube__elector_release(kube_elector *elector);
/* Waits for @ms, or until the Lease has no holder any more. As kube_ctx_sleep_ms(). */
kube_code kube__elector_rest(kube_elector *elector, kube_ctx *ctx, int64_t ms);
void kube__elector_stop_watch(kube_elector *elector);

#endif /* KUBE_CONTROL_ELECTOR_STATE_H */
