/* SPDX-License-Identifier: Apache-2.0 */
/* What a manager has, made by hand on a scripted server and a fake clock, with texts in it that try
 * to break out of a page. */
#ifndef TESTS_CONTROL_STATUS_WORLD_H
#define TESTS_CONTROL_STATUS_WORLD_H

#include "control/manager/status_page.h"
#include "runtime/cache/informer_world.h"

typedef struct status_world {
    informer_world cache;
    answer *stream;              /* that the cache follows */
    kube_informer_factory *idle; /* the controller's */
    kube_config *config;
    kube_client *client;
    kube_controller *controller;
    kube__status_controller seen; /* of it */
    kube_elector *elector;
    kube_recorder *recorder;
    kube_flight *flight;
    kube__health *ready;
    kube__status_view view; /* of all of it */
} status_world;

/* Two Networks are cached, one key is queued, three reconciles and three events are recorded. */
void status_world_init(status_world *w);
/* There is nothing yet, and no leader election. */
void status_world_init_empty(status_world *w);
void status_world_fini(status_world *w);

#endif /* TESTS_CONTROL_STATUS_WORLD_H */
