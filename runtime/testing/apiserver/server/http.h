/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The listener and its connections: one thread reads, handles and sends for all of them. Watches
 * have no thread: a connection whose watch has nothing to send sleeps until it is woken or hung up.
 */
#ifndef KUBE_APISERVER_HTTP_H
#define KUBE_APISERVER_HTTP_H

#include "apiserver/core/apiserver.h"
#include "tls.h"

/* Listens on 127.0.0.1. @tls may be NULL; it outlives this. */
KUBE__CHECKED kube_code kube__api_http_start(kube_apiserver *server, uint16_t port,
                                             kube__api_tls *tls, kube__api_http **out,
                                             kube_error *err);
uint16_t kube__api_http_port(const kube__api_http *http);
/* Ends all connections and joins the thread; watches end in order first. NULL is allowed. */
void kube__api_http_stop(kube__api_http *http);

#endif /* KUBE_APISERVER_HTTP_H */
