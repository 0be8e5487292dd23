/* SPDX-License-Identifier: Apache-2.0 */
/* Text as Go prints it: what the real server's messages are made of. */
#ifndef KUBE_APISERVER_QUOTE_H
#define KUBE_APISERVER_QUOTE_H

#include "heap.h"

/* "text" as by %q. */
const char *kube__api_quote(kube__heap *heap, const char *text);
/* ["a" "b"] as by %q of a list, which is NULL-terminated. */
const char *kube__api_quote_list(kube__heap *heap, const char *const *texts);
/* base64 with padding; or, for URLs and tokens, of the other alphabet and without. */
const char *kube__api_base64(kube__heap *heap, const void *data, size_t len, bool for_url);

#endif /* KUBE_APISERVER_QUOTE_H */
