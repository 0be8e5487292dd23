/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes the changes of an informer on to its handlers. Each handler has a bounded ring and a
 * thread (INF-6). Publishing never waits: what finds the ring of a slow handler full is folded by
 * object, from the state that the handler was told last to the newest. So a handler delays nobody,
 * and what waits for it is bounded by the ring, what is in delivery, and one change for each object
 * that is cached or was told.
 */
#ifndef KUBE_CACHE_PROCESSOR_H
#define KUBE_CACHE_PROCESSOR_H

#include "base/ctx.h"
#include "base/thread.h"
#include "batch.h"
#include "fold.h"

#include <kube/generated.h>
#include <kube/informer.h>

/* A batch enters a ring as a whole, also when it is longer than what is left. */
enum { KUBE__RING_CHANGES = 1024 };

typedef struct kube__processor {
    const char *resource; /* for the log */
    kube_clock *clock;
    kube__mutex mutex;       /* of all below, and of the registrations */
    kube__condition changed; /* a handler has synced or gone, or the end */
    kube_registration *first;
    unsigned added;  /* handlers so far */
    uint64_t folded; /* changes that met an earlier one of their object */
    bool running;    /* handlers have threads */
    bool stopped;
} kube__processor;

KUBE__CHECKED kube_code kube__processor_init(kube__processor *processor, const char *resource,
                                             kube_clock *clock, kube_error *err);
/* Joins the threads after kube__processor_stop(), and drops the batches that they did not take. */
void kube__processor_fini(kube__processor *processor);
/* Starts a thread for each handler, and for each one that is added later. */
KUBE__CHECKED kube_code kube__processor_start(kube__processor *processor, kube_error *err);
/* Ends delivery after the callbacks that are running (INF-9). It does not wait, so that a waker may
 * call it. */
void kube__processor_stop(kube__processor *processor);
void kube__processor_join(kube__processor *processor);

/* Returns @ms, or the shortest resync period in place of a shorter one, which is logged, or the
 * longest in place of a longer one. */
int64_t kube__allowed_resync_ms(int64_t ms);

typedef struct kube__handler {
    kube_handler_thunk *thunk;
    const void *typed;
    size_t typed_size;
    void *arg;
    kube_handler_options options; /* resync_ms is final: 0 or KUBE_NO_RESYNC = none */
} kube__handler;

/* Adds a handler, which begins with @backlog (NULL = nothing yet), a reference that is taken on
 * success. */
KUBE__CHECKED kube_code kube__processor_add(kube__processor *processor,
                                            const kube__handler *handler, kube__batch *backlog,
                                            kube_registration **out, kube_error *err);
/* Removes a handler and waits for its callback that is running. Called from that callback, it does
 * not wait. */
void kube__processor_remove(kube__processor *processor, kube_registration *registration);
bool kube__processor_owns(const kube__processor *processor, const kube_registration *registration);
/* Waits until the initial list has been delivered (INF-5). At once where nothing is delivered yet,
 * because the informer was not started; KUBE_ERR_CLOSED when it has ended. */
KUBE__CHECKED kube_code kube__registration_wait_synced(kube_registration *registration,
                                                       kube_ctx *ctx, kube_error *err);

/* Makes room for publishing so many changes. Only the informer's writer, which holds its delta
 * lock, reserves and publishes. */
KUBE__CHECKED kube_code kube__processor_reserve(kube__processor *processor, size_t changes,
                                                kube_error *err);
/* Needs the room. A RESYNC batch goes to those that kube__processor_resync_due() marked, whose
 * rings are not full. */
void kube__processor_publish(kube__processor *processor, kube__batch *batch);
/* Returns when the next handler is due for a resync, INT64_MAX = never. */
int64_t kube__processor_resync_due_ns(kube__processor *processor);
typedef struct kube__handlers_state {
    int64_t longest_ms; /* how long the call that began first has run; 0 = none runs */
    char longest[KUBE_HANDLER_NAME_MAX];
    uint64_t folded;
} kube__handlers_state;
/* Says how the handlers do, and logs once that a call is slow. */
void kube__processor_look(kube__processor *processor, kube__handlers_state *state);
/* Marks the handlers whose resync period has passed. Returns whether there are any (INF-4). */
bool kube__processor_resync_due(kube__processor *processor);

#endif /* KUBE_CACHE_PROCESSOR_H */
