/* SPDX-License-Identifier: Apache-2.0 */
#include "quote.h"

#include "text.h"

#include <stdio.h>
#include <string.h>

static size_t put_escaped(char *out, unsigned char c)
{
    static const char named[] = "\aa\bb\ff\nn\rr\tt\vv\"\"\\\\";
    for (size_t i = 0; named[i]; i += 2) {
        if ((unsigned char)named[i] == c) {
            out[0] = '\\';
            out[1] = named[i + 1];
            return 2;
        }
    }
    if (c < 0x20 || c == 0x7f)
        return (size_t)snprintf(out, 5, "\\x%02x", c);
    out[0] = (char)c;
    return 1;
}

const char *kube__api_quote(kube_ctx *ctx, const char *text)
{
    size_t len = strlen(text);
    char *out = kube_ctx_alloc_array(ctx, len + 1, 4);
    if (!out)
        return "";
    size_t at = 0;
    out[at++] = '"';
    for (size_t i = 0; i < len; i++)
        at += put_escaped(out + at, (unsigned char)text[i]);
    out[at++] = '"';
    out[at] = '\0';
    return out;
}

const char *kube__api_quote_list(kube_ctx *ctx, const char *const *texts)
{
    kube__buffer list;
    kube__buffer_init(&list, SIZE_MAX / 4);
    kube__buffer_add_text(&list, "[");
    for (size_t i = 0; texts && texts[i]; i++)
        kube__buffer_printf(&list, "%s%s", i ? " " : "", kube__api_quote(ctx, texts[i]));
    kube__buffer_add_text(&list, "]");
    return kube__api_take_text(ctx, &list, NULL);
}

const char *kube__api_base64(kube_ctx *ctx, const void *data, size_t len, bool for_url)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = data;
    char *out = kube_ctx_alloc_array(ctx, len / 3 + 2, 4);
    if (!out)
        return "";
    size_t at = 0;
    for (size_t i = 0; i < len; i += 3) {
        size_t have = len - i < 3 ? len - i : 3;
        unsigned value = (unsigned)bytes[i] << 16;
        if (have > 1)
            value |= (unsigned)bytes[i + 1] << 8;
        if (have > 2)
            value |= bytes[i + 2];
        for (size_t k = 0; k < 4; k++) {
            if (k <= have)
                out[at++] = letters[value >> (18 - 6 * k) & 63];
            else if (!for_url)
                out[at++] = '=';
        }
    }
    out[at] = '\0';
    for (char *c = out; for_url && *c; c++)
        *c = *c == '+' ? '-' : *c == '/' ? '_' : *c;
    return out;
}
