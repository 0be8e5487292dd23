/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an informer's changes go: a bounded ring and a thread for each handler (INF-6). The
 * informer waits for room before it changes anything, so publishing never blocks, and a slow
 * handler holds up its own informer only.
 */
#ifndef KUBE_CACHE_HUB_H
#define KUBE_CACHE_HUB_H

#include "base/ctx.h"
#include "base/thread.h"
#include "batch.h"
#include <kube/generated.h>

/* A batch enters a ring as a whole, also when it is longer than what is left. */
enum { KUBE__RING_SIZE = 1024 };

typedef struct kube__hub {
    kube_clock *clock;
    kube__mutex mutex;    /* of all below, and of the registrations */
    kube__condition room; /* a ring was emptied, a handler went, or the end */
    kube_registration *first;
    bool running; /* handlers have threads */
    bool stopped;
} kube__hub;

KUBE_CHECKED kube_code kube__hub_init(kube__hub *hub, kube_clock *clock, kube_error *err);
/* After kube__hub_stop(): joins the threads, drops what they did not take. */
void kube__hub_fini(kube__hub *hub);
/* Gives every handler, also later ones, its thread. */
KUBE_CHECKED kube_code kube__hub_start(kube__hub *hub, kube_error *err);
/* Ends delivery after the callbacks that run (INF-9). Does not wait; may come from a waker. */
void kube__hub_stop(kube__hub *hub);
void kube__hub_join(kube__hub *hub);

/*
 * Adds a handler, which begins with @backlog (NULL = nothing yet), a reference that is taken on
 * success. @resync_ms 0 = no resync.
 */
KUBE_CHECKED kube_code kube__hub_add(kube__hub *hub, const kube_handler_thunks *thunks,
                                     const void *typed, size_t typed_size, void *arg,
                                     kube__batch *backlog, int64_t resync_ms,
                                     kube_registration **out, kube_error *err);
/* Waits for the callback that runs; refused, with a line in the log, from inside one of its own. */
void kube__hub_remove(kube__hub *hub, kube_registration *registration);
bool kube__hub_owns(const kube__hub *hub, const kube_registration *registration);
/* Waits until the initial list has been delivered (INF-5). At once where nothing is delivered yet,
 * because the informer was not started; KUBE_ERR_CLOSED when it has ended. */
KUBE_CHECKED kube_code kube__registration_wait_synced(kube_registration *registration,
                                                      kube_ctx *ctx, kube_error *err);

/* KUBE_OK, or what ended @ctx or the hub. */
KUBE_CHECKED kube_code kube__hub_wait_room(kube__hub *hub, kube_ctx *ctx, kube_error *err);
/* Needs room. A RESYNC batch goes to those that kube__hub_resync_due() marked. */
void kube__hub_publish(kube__hub *hub, kube__batch *batch);
/* Marks the handlers whose period has passed, and is true if there are any (INF-4). */
bool kube__hub_resync_due(kube__hub *hub);

#endif /* KUBE_CACHE_HUB_H */
