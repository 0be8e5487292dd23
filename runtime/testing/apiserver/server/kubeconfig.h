/* SPDX-License-Identifier: Apache-2.0 */
/* How clients get in: the kubeconfig. */
#ifndef KUBE_APISERVER_KUBECONFIG_H
#define KUBE_APISERVER_KUBECONFIG_H

#include "apiserver/core/apiserver.h"

/* The kubeconfig's text, allocated. Returns NULL if out of memory. */
char *kube__api_kubeconfig(const kube_apiserver *server);

#endif /* KUBE_APISERVER_KUBECONFIG_H */
