/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KUBE_NET_TRANSPORT_OPTIONS_H
#define KUBE_NET_TRANSPORT_OPTIONS_H

#include "tls_files.h"

struct curl_slist;

/*
 * Sets how the curl handle @easy connects: TLS, proxy, HTTP version, patience. @connect_to: curl's
 * list for that option, NULL = none. Gives a CURLcode.
 */
int kube__transport_set_connection(void *easy, const kube__tls_files *files,
                                   struct curl_slist *connect_to, bool own_connection);

/*
 * With another name on the certificate (tls-server-name), URL and SNI have that name and CONNECT_TO
 * the address.
 */

/* @url as curl is to have it, to be given to free(). Returns NULL if out of memory. */
char *kube__transport_url(const kube_config *config, const char *url);
/* The list for CONNECT_TO; NULL if none is needed. Returns false if out of memory. */
bool kube__transport_connect_to(const kube_config *config, struct curl_slist **out);

#endif /* KUBE_NET_TRANSPORT_OPTIONS_H */
