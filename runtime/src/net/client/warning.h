/* SPDX-License-Identifier: Apache-2.0 */
/* Parses Warning headers (REQ-8). */
#ifndef KUBE_NET_WARNING_H
#define KUBE_NET_WARNING_H

#include <stddef.h>

/*
 * Calls @found with the text of every warning of code 299 in a Warning header's value:
 * `299 - "text", 299 host "other \"quoted\" text"`. A malformed rest is passed over.
 */
void kube__warning_parse(const char *value, void (*found)(void *arg, const char *text), void *arg);

#endif /* KUBE_NET_WARNING_H */
