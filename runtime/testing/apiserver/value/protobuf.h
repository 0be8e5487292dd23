/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the objects that kubectl and Go's typed clients send for built-in kinds as protobuf. The
 * field numbers come from runtime/testing/protobuf/messages.txt. Answers are JSON always: these
 * clients take both.
 */
#ifndef KUBE_APISERVER_PROTOBUF_H
#define KUBE_APISERVER_PROTOBUF_H

#include "json.h"

/* The object as its JSON would be; unknown fields are left out. NULL when it cannot be read (then
 * *@fault says why) or if out of memory (then kube_ctx_failed(ctx)). */
kube__json *kube__api_protobuf_read(kube_ctx *ctx, const char *bytes, size_t len,
                                    const char **fault);

#endif /* KUBE_APISERVER_PROTOBUF_H */
