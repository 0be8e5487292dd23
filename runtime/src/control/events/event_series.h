/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The series of events.k8s.io (EV-6). The first event is created, the second one turns it into a
 * series, and later ones are counted in memory; the count is written from time to time and at the
 * end.
 */
#ifndef KUBE_CONTROL_EVENT_SERIES_H
#define KUBE_CONTROL_EVENT_SERIES_H

#include "event_lru.h"
#include "event_object.h"

typedef struct kube__event_series {
    kube__lru running;  /* by all but the note */
    int64_t refresh_ns; /* when all that are series are written again */
    /* Takes a reference to an event that is to be written; one that waits already is not given. */
    void (*write)(void *arg, kube__event *event);
    void *arg;
} kube__event_series;

/* @write may be called by all functions below but fini; @series must not move. */
void kube__event_series_init(kube__event_series *series,
                             void (*write)(void *arg, kube__event *event), void *arg);
void kube__event_series_fini(kube__event_series *series);
/* Takes the reference to @event over. @ctx is for scratch. If out of memory it is written alone.
 */
void kube__event_series_observe(kube__event_series *series, kube_ctx *ctx, kube__event *event);
/* When there is something to do; INT64_MAX = nothing runs. */
int64_t kube__event_series_due_ns(const kube__event_series *series);
/* Ends what was idle for long, and writes the others when it is time. */
void kube__event_series_step(kube__event_series *series, int64_t now_ns);
/* Writes the counts that the server has not got. */
void kube__event_series_flush(kube__event_series *series);

#endif /* KUBE_CONTROL_EVENT_SERIES_H */
