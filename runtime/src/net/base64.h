/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 as kubeconfig files and basic authentication use it. */
#ifndef KUBE_NET_BASE64_H
#define KUBE_NET_BASE64_H

#include <kube/ctx.h>

/* Decodes into @ctx, skipping white space, NUL-terminated. False = not base64, or out of memory
 * when *out is NULL and *bad is false. */
bool kube__base64_decode(kube_ctx *ctx, const char *text, size_t len, char **out, size_t *out_len,
                         bool *bad);
/* NULL when memory is out. */
char *kube__base64_encode(kube_ctx *ctx, const char *data, size_t len);

#endif /* KUBE_NET_BASE64_H */
