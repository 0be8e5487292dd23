/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief All of libkube's public headers. Codes such as WQ-3 are rules of docs/rules.md.
 */
#ifndef KUBE_KUBE_H
#define KUBE_KUBE_H

#include <kube/client.h>
#include <kube/clock.h>
#include <kube/codec.h>
#include <kube/config.h>
#include <kube/controller.h>
#include <kube/ctx.h>
#include <kube/error.h>
#include <kube/informer.h>
#include <kube/lister.h>
#include <kube/log.h>
#include <kube/meta.h>
#include <kube/object.h>
#include <kube/quantity.h>
#include <kube/ratelimit.h>
#include <kube/recorder.h>
#include <kube/shapes.h>
#include <kube/time.h>
#include <kube/version.h>
#include <kube/workqueue.h>

#endif /* KUBE_KUBE_H */
