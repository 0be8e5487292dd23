/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the value of the Authorization header (CFG-5). */
#ifndef KUBE_NET_CREDENTIALS_H
#define KUBE_NET_CREDENTIALS_H

#include "config.h"

typedef struct kube__credentials kube__credentials;

/*
 * Keeps a reference to @config and reads by @clock. A token file without a static token beside it
 * must be readable now (KC-7).
 */
KUBE__CHECKED kube_code kube__credentials_new(const kube_config *config, kube_clock *clock,
                                              kube__credentials **out, kube_error *err);
void kube__credentials_free(kube__credentials *credentials);
/*
 * The header's value in @ctx, *out NULL when there is nothing to send. The token file is read again
 * after 50 s and when the server has @refused the last value (NULL = it has not); when that fails
 * the last token stays. A configuration's callback is asked here, on the caller's thread. Threads:
 * any.
 */
KUBE__CHECKED kube_code kube__credentials_header(kube__credentials *credentials, kube_ctx *ctx,
                                                 const char *refused, const char **out,
                                                 kube_error *err);

#endif /* KUBE_NET_CREDENTIALS_H */
