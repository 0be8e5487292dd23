/* SPDX-License-Identifier: Apache-2.0 */
/* What a process knows of the pod that it runs in. */
#ifndef KUBE_NET_POD_H
#define KUBE_NET_POD_H

#include <kube/ctx.h>

/* POD_NAMESPACE, else the service account's file (KC-4); NULL when there is neither. In @memory, or
 * the environment's. */
const char *kube__pod_namespace(kube_ctx *memory);

#endif /* KUBE_NET_POD_H */
