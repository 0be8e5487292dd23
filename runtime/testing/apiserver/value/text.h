/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text in the memory of a request. None of these returns NULL: out of memory the text is "" and
 * the ctx has failed, which is asked once, before anything is stored or answered.
 */
#ifndef KUBE_APISERVER_TEXT_H
#define KUBE_APISERVER_TEXT_H

#include "base/buffer.h"

#include <kube/ctx.h>
#include <stdarg.h>
#include <stdbool.h>

const char *kube__api_text(kube_ctx *ctx, const char *format, ...) KUBE_PRINTF(2, 3);
const char *kube__api_vtext(kube_ctx *ctx, const char *format, va_list args) KUBE_PRINTF(2, 0);
const char *kube__api_text_copy(kube_ctx *ctx, const char *text, size_t len);
/* Whether @text is in a list that NULL ends, or that is NULL. */
bool kube__api_is_one_of(const char *text, const char *const *list);
/* A copy with 'A' to 'Z' in lower case. */
const char *kube__api_lower(kube_ctx *ctx, const char *text);
/* The buffer's text, and the end of the buffer. A buffer that failed fails the ctx. @len may be
 * NULL. */
const char *kube__api_take_text(kube_ctx *ctx, kube__buffer *buffer, size_t *len);

#endif /* KUBE_APISERVER_TEXT_H */
