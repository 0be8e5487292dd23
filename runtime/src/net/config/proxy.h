/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the proxy between client and server, by the rules of Go. */
#ifndef KUBE_NET_PROXY_H
#define KUBE_NET_PROXY_H

#include "config.h"

/*
 * Sets the proxy of @config, whose server is known: @proxy_url, which a kubeconfig gives, or the
 * environment's (HTTPS_PROXY or HTTP_PROXY, NO_PROXY, and these in lower case) if that is NULL.
 * Refuses an URL that cannot be one of a proxy, without telling its password.
 */
KUBE__CHECKED kube_code kube__proxy_choose(kube_config *config, const char *proxy_url,
                                           kube_error *err);

/* Whether the host is this machine: then no proxy of the environment is used. */
bool kube__proxy_is_loopback(const char *host);

#endif /* KUBE_NET_PROXY_H */
