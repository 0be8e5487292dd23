/* SPDX-License-Identifier: Apache-2.0 */
/* The `continue` of a page: which state it shows, and behind which key the next begins. */
#ifndef KUBE_APISERVER_CONTINUE_H
#define KUBE_APISERVER_CONTINUE_H

#include "apiserver/core/failure.h"

typedef struct kube__api_continue {
    int64_t version; /* -1 = whatever is there then */
    const char *namespace_;
    const char *name;
} kube__api_continue;

/* As the real one's: base64 of {"v":"meta.k8s.io/v1","rv":…,"start":"…\u0000"}. @in_namespace: the
 * list is of one namespace, so keys are names. */
const char *kube__api_continue_write(kube_ctx *ctx, const kube__api_continue *token,
                                     bool in_namespace);
/* @namespace_: that of the list, "" = all. Fails with 400 if @text is malformed. */
kube__api_failure *kube__api_continue_read(kube_ctx *ctx, const char *text, const char *namespace_,
                                           kube__api_continue *out);

#endif /* KUBE_APISERVER_CONTINUE_H */
