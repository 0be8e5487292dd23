/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a cluster's controllers do that tests cannot be without: deleted namespaces are emptied,
 * dependents follow their owners, and, if asked for, Deployments come to life. One thread; it
 * learns of changes as an observer of the store and acts by kube__api_loopback(), as any client.
 */
#ifndef KUBE_APISERVER_CONTROLLERS_H
#define KUBE_APISERVER_CONTROLLERS_H

#include "apiserver/core/apiserver.h"
#include "apiserver/store/store.h"

/* Starts the thread. The namespaces default, kube-system, kube-public and kube-node-lease are made
 * first. */
KUBE__CHECKED kube_code kube__api_controllers_start(kube_apiserver *server,
                                                    kube__api_controllers **out, kube_error *err);
/* Joins it. NULL is allowed. */
void kube__api_controllers_stop(kube__api_controllers *controllers);

#endif /* KUBE_APISERVER_CONTROLLERS_H */
