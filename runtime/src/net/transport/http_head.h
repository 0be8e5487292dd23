/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the headers of an answer that the client uses. */
#ifndef KUBE_NET_HTTP_HEAD_H
#define KUBE_NET_HTTP_HEAD_H

#include "transport.h"

/* Reads one header line, with its line end, into @head; a Warning goes to @warning (may be NULL).
 */
void kube__http_head_read(kube__http_head *head, const char *line, size_t len,
                          void (*warning)(void *arg, const char *value), void *arg);

#endif /* KUBE_NET_HTTP_HEAD_H */
