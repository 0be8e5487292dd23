/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the options of calls into query parameters and bodies (REQ-10, REQ-17). */
#ifndef KUBE_NET_OPTIONS_H
#define KUBE_NET_OPTIONS_H

#include "base/buffer.h"

#include <kube/client.h>

/* Every function: NULL = defaults. */
void kube__options_list(kube__buffer *url, const kube_list_options *options);
void kube__options_watch(kube__buffer *url, const kube_watch_options *options);
void kube__options_write(kube__buffer *url, const kube_write_options *options);
void kube__options_patch(kube__buffer *url, const kube_patch_options *options);
void kube__options_apply(kube__buffer *url, const kube_apply_options *options);
/* DeleteOptions as JSON; *out NULL when nothing is set. */
KUBE__CHECKED kube_code kube__options_delete(kube_ctx *ctx, const kube_delete_options *options,
                                             const char **out, size_t *len, kube_error *err);

#endif /* KUBE_NET_OPTIONS_H */
