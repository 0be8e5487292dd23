/* SPDX-License-Identifier: Apache-2.0 */
/* Parses addresses to listen on ("host:port", "[v6]:port", ":port") and opens their sockets. */
#ifndef KUBE_CONTROL_ADDRESS_H
#define KUBE_CONTROL_ADDRESS_H

#include <kube/error.h>

enum { KUBE__ADDRESS_MAX = 80 };

/* A socket that listens there, -1 after an error; @what names the option in it. */
KUBE__CHECKED kube_code kube__address_listen(const char *address, const char *what, int *socket_fd,
                                             kube_error *err);
/* Where a socket listens, in numbers; *@loopback = only this machine reaches it. */
KUBE__CHECKED kube_code kube__address_of(int socket_fd, char text[KUBE__ADDRESS_MAX],
                                         bool *loopback, kube_error *err);

#endif /* KUBE_CONTROL_ADDRESS_H */
