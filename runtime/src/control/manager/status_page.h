/* SPDX-License-Identifier: Apache-2.0 */
/* The status page of a manager: plain HTML without scripts and without external files. */
#ifndef KUBE_CONTROL_STATUS_PAGE_H
#define KUBE_CONTROL_STATUS_PAGE_H

#include "health.h"

#include <kube/manager.h>

typedef struct kube__status_controller {
    const char *name;
    kube_controller_stats stats;
    kube_workqueue_stats queue;
} kube__status_controller;

/* All borrowed; NULL members are left out of the page. */
typedef struct kube__status_view {
    const char *name;
    const char *version;    /* of the program */
    const char *server;     /* URL of the API server */
    const char *namespace_; /* that is watched; NULL = all */
    kube_clock *clock;
    int64_t started_ns; /* by the clock */
    kube_informer_factory *factory;
    const kube__status_controller *controllers;
    size_t controller_len;
    kube_elector *elector; /* NULL = no leader election */
    kube_recorder *recorder;
    kube_flight *flight;
    kube__health *ready;
    int64_t refresh_s; /* the page reloads itself that often; 0 = never */
} kube__status_view;

/* The page, in @ctx. Returns NULL if out of memory. */
const char *kube__status_page(kube_ctx *ctx, const kube__status_view *view);

#endif /* KUBE_CONTROL_STATUS_PAGE_H */
