/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/text.h"

#include <string.h>

const char *kube__api_vtext(kube_ctx *ctx, const char *format, va_list args)
{
    return kube__text_or_empty(kube_vprintf(ctx, format, args));
}

const char *kube__api_text(kube_ctx *ctx, const char *format, ...)
{
    const char *text;
    va_list args;
    va_start(args, format);
    text = kube__api_vtext(ctx, format, args);
    va_end(args);
    return text;
}

const char *kube__api_text_copy(kube_ctx *ctx, const char *text, size_t len)
{
    return kube__text_or_empty(kube_ctx_strndup(ctx, text, len));
}

bool kube__api_is_one_of(const char *text, const char *const *list)
{
    while (list && *list && strcmp(*list, text) != 0)
        list++;
    return list && *list;
}

const char *kube__api_lower(kube_ctx *ctx, const char *text)
{
    return kube__text_or_empty(kube__lower(kube_ctx_strdup(ctx, text)));
}

const char *kube__api_take_text(kube_ctx *ctx, kube__buffer *buffer, size_t *len)
{
    char *text = kube_ctx_alloc(ctx, buffer->len + 1);
    if (text && buffer->len)
        memcpy(text, buffer->data, buffer->len);
    if (buffer->failed)
        kube__ctx_fail(ctx, buffer->len);
    if (len)
        *len = kube_ctx_failed(ctx) ? 0 : buffer->len;
    kube__buffer_fini(buffer);
    return kube_ctx_failed(ctx) ? "" : text;
}
