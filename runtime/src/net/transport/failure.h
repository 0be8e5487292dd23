/* SPDX-License-Identifier: Apache-2.0 */
/* Makes messages for failures below HTTP. */
#ifndef KUBE_NET_FAILURE_H
#define KUBE_NET_FAILURE_H

#include <kube/error.h>
#include <stddef.h>

/* Puts what was asked for before the message: "GET https://…: ". Without the query, which may be
 * long and says little. */
void kube__failure_prefix(kube_error *err, const char *method, const char *url);
/* Makes libcurl's sentence one of ours: lower case, no full stop, no prefix that says nothing.
 * @fallback when @detail is empty. @host is what the server's certificate should name. */
const char *kube__failure_tidy(char *detail, size_t size, const char *fallback, const char *host);
/* What stands before the text of a failure with that kube_error.reason; may be "". */
const char *kube__failure_subject(const char *reason);
/* What to look at, to stand behind the text; may be "". */
const char *kube__failure_hint(const char *reason, const char *text);

#endif /* KUBE_NET_FAILURE_H */
