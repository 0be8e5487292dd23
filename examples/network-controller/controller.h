/* SPDX-License-Identifier: Apache-2.0 */
/* What the Network controller does about one Network. */
#ifndef NETWORK_CONTROLLER_CONTROLLER_H
#define NETWORK_CONTROLLER_CONTROLLER_H

#include "provider.h"

#include <kube/kube.h>
#include <samplecrd/v1/api.h>

struct network_controller {
    const samplecrd_v1_network_lister *networks; /* borrowed from the factory's informer */
    kube_recorder *recorder;
    struct provider *provider;
    kube_controller *controller; /* in a manager */
};

/* Puts it on a manager: caches, events, workers. The provider is there already. */
kube_code network_controller_add(struct network_controller *c, kube_manager *manager, int workers,
                                 kube_error *err);
/* The parts of that, for tests: takes the cache of Networks from the factory, */
kube_code network_controller_init(struct network_controller *c, kube_informer_factory *factory,
                                  kube_error *err);
/* and enqueues every network that exists, so that those whose object is gone are torn down. */
kube_code network_enqueue_existing(struct network_controller *c, kube_controller *controller,
                                   kube_ctx *ctx, kube_error *err);
/* Brings the real network to what the Network says; the kube_reconcile of this controller. */
// +kubebuilder:rbac:groups=samplecrd.k8s.io,resources=networks,verbs=list;watch
// +kubebuilder:rbac:groups="",resources=events,verbs=create;patch
kube_code network_reconcile(kube_ctx *ctx, const kube_request *request, kube_result *result,
                            kube_error *err);

#endif /* NETWORK_CONTROLLER_CONTROLLER_H */
