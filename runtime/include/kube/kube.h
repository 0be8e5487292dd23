/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief All of libkube's public headers but generated.h. Include it before macros of your own:
 * its functions have parameters such as `client` and `ns`. Codes such as WQ-3 are rules of
 * docs/rules.md.
 */
#ifndef KUBE_KUBE_H
#define KUBE_KUBE_H

#include <kube/client.h>
#include <kube/clock.h>
#include <kube/codec.h>
#include <kube/condition.h>
#include <kube/config.h>
#include <kube/controller.h>
#include <kube/ctx.h>
#include <kube/elector.h>
#include <kube/error.h>
#include <kube/fence.h>
#include <kube/finalizer.h>
#include <kube/flags.h>
#include <kube/flight.h>
#include <kube/informer.h>
#include <kube/key.h>
#include <kube/lister.h>
#include <kube/log.h>
#include <kube/manager.h>
#include <kube/meta.h>
#include <kube/metrics.h>
#include <kube/object.h>
#include <kube/owner.h>
#include <kube/predicate.h>
#include <kube/quantity.h>
#include <kube/ratelimit.h>
#include <kube/rbac.h>
#include <kube/reason.h>
#include <kube/recorder.h>
#include <kube/retry.h>
#include <kube/scale.h>
#include <kube/shapes.h>
#include <kube/subresource.h>
#include <kube/time.h>
#include <kube/version.h>
#include <kube/workqueue.h>

#endif /* KUBE_KUBE_H */
