/* SPDX-License-Identifier: Apache-2.0 */
/* Text as Go prints it: what the real server's messages are made of. */
#ifndef KUBE_APISERVER_QUOTE_H
#define KUBE_APISERVER_QUOTE_H

#include <kube/ctx.h>

/* "text" as by %q. */
const char *kube__api_quote(kube_ctx *ctx, const char *text);
/* ["a" "b"] as by %q of a list, which is NULL-terminated. */
const char *kube__api_quote_list(kube_ctx *ctx, const char *const *texts);
/* base64 with padding; or, for URLs and tokens, of the other alphabet and without. */
const char *kube__api_base64(kube_ctx *ctx, const void *data, size_t len, bool for_url);

#endif /* KUBE_APISERVER_QUOTE_H */
