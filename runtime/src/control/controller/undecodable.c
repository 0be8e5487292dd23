/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects of the controller's Kind that exist, but whose newest state does not decode. The cache
 * tells no handler of them, so their keys are queued from here: when one is good again or gone in
 * any case, because a run may have been refused for it, and when it is bad if the controller asks
 * for it.
 */
#include "base/ctx.h"
#include "controller.h"

static void queue(kube_controller *controller, kube_key key, kube_priority priority)
{
    kube__reason_note(&controller->reasons, key, NULL, NULL);
    while (kube_workqueue_add_priority(controller->queue, key, priority, NULL) ==
               KUBE_ERR_NO_MEMORY &&
           !kube__ctx_ended(controller->run_ctx, NULL))
        kube__controller_pause();
}

static void on_change(void *arg, kube_key key, bool is_bad)
{
    kube_controller *controller = arg;
    if (!is_bad || controller->reconcile_bad)
        queue(controller, key, KUBE_PRIORITY_NORMAL);
}

static bool queue_known(void *arg, kube_key key, const char *why)
{
    kube_controller *controller = arg;
    (void)why;
    if (controller->reconcile_bad || !kube__informer_has(controller->informer, key))
        queue(controller, key, KUBE_PRIORITY_LOW);
    return true;
}

void kube__controller_start_undecodable(kube_controller *controller)
{
    controller->bad.changed = on_change;
    controller->bad.arg = controller;
    kube__informer_listen(controller->informer, &controller->bad);
    if (controller->reconcile_bad)
        kube_informer_each_bad(controller->informer, queue_known, controller);
}

/* What happens to them until the next start, nobody is told: they are looked at then. First they
 * are queued, so that what becomes of one meanwhile is either told or seen then. */
void kube__controller_stop_undecodable(kube_controller *controller)
{
    kube_informer_each_bad(controller->informer, queue_known, controller);
    kube__informer_unlisten(controller->informer, &controller->bad);
}

bool kube__controller_may_run(const kube_controller *controller, kube_key key, bool *is_bad,
                              kube_error *bad)
{
    *is_bad = kube__informer_find_bad(controller->informer, key, bad);
    return !*is_bad || controller->reconcile_bad || kube__informer_has(controller->informer, key);
}
