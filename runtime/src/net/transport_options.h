/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KUBE_NET_TRANSPORT_OPTIONS_H
#define KUBE_NET_TRANSPORT_OPTIONS_H

#include "config.h"

struct curl_slist;

/*
 * Sets how the curl handle @easy connects: TLS, proxy, HTTP version, patience. @connect_to: curl's
 * list for that option, NULL = none. Gives a CURLcode.
 */
int kube__transport_set_connection(void *easy, const kube_config *config,
                                   struct curl_slist *connect_to, bool own_connection);

#endif /* KUBE_NET_TRANSPORT_OPTIONS_H */
