/* SPDX-License-Identifier: Apache-2.0 */
/* The Warning headers of an answer (REQ-8). */
#ifndef KUBE_NET_WARNING_H
#define KUBE_NET_WARNING_H

#include "base/buffer.h"
#include "client.h"

/*
 * Calls @found with the text of every warning of code 299 in a Warning header's value:
 * `299 - "text", 299 host "other \"quoted\" text"`. A malformed rest is passed over.
 */
void kube__warning_parse(const char *value, void (*found)(void *arg, const char *text), void *arg);

/*
 * The I/O thread keeps the headers' values in @values; the thread that waits for the answer tells
 * them to the client's handler, which may take its time, and may use the client. It keeps 16 KiB
 * and tells 64 of an answer; an API server sends 4096 characters at most.
 */
void kube__warning_keep(kube__buffer *values, const char *value);
/* Leaves @values empty. */
void kube__warning_tell(const kube_client *client, kube__buffer *values);

#endif /* KUBE_NET_WARNING_H */
