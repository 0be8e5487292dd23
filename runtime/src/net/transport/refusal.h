/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests of which an HTTP/2 server said that it did not process them (RFC 9113, 8.7): those with
 * a stream beyond the last one of its GOAWAY, and those refused with REFUSED_STREAM. libcurl has no
 * code for that, but it tells both in the lines of its log. A line that it words otherwise, in
 * another version, is passed over: then the request counts as lost, and a write is not repeated.
 */
#ifndef KUBE_NET_REFUSAL_H
#define KUBE_NET_REFUSAL_H

#include "exchange.h"

/* Makes curl tell @x what is read here. */
CURLcode kube__refusal_listen(CURL *easy, kube__exchange *x);

#endif /* KUBE_NET_REFUSAL_H */
