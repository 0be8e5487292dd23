/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether a core event is sent as a new one, counted, combined with similar ones, or
 * dropped (EV-3). */
#ifndef KUBE_CONTROL_EVENT_CORRELATOR_H
#define KUBE_CONTROL_EVENT_CORRELATOR_H

#include "event_lru.h"
#include "event_object.h"

typedef struct kube__event_correlator {
    size_t most_similar; /* SIZE_MAX = never combined */
    int64_t window_ns;   /* INT64_MAX = without end */
    int64_t burst;       /* 0 = no budget */
    int64_t refill_ns;
    kube__lru similar; /* by all but the message */
    kube__lru seen;    /* by all; combined ones by all but the message */
    kube__lru budgets; /* by object and type */
} kube__event_correlator;

void kube__event_correlator_init(kube__event_correlator *c, const kube_recorder_options *options);
void kube__event_correlator_fini(kube__event_correlator *c);
/*
 * Takes @event, which has a name of its own, into account: afterwards it has the name, the count
 * and the first time to send. False = over its object's budget, not to be sent. If out of memory
 * it goes as a new one. @ctx is for scratch.
 */
bool kube__event_correlator_observe(kube__event_correlator *c, kube_ctx *ctx, kube__event *event);
/* Another try of @event: it takes over what repeats of it have counted meanwhile, so that a count
 * never goes back. */
void kube__event_correlator_renew(const kube__event_correlator *c, kube_ctx *ctx,
                                  kube__event *event);
/* @event was sent: from then on repeats are patches of event->name. */
void kube__event_correlator_sent(kube__event_correlator *c, kube_ctx *ctx,
                                 const kube__event *event);

#endif /* KUBE_CONTROL_EVENT_CORRELATOR_H */
