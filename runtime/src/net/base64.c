/* SPDX-License-Identifier: Apache-2.0 */
#include "base64.h"
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int value_of(char c)
{
    const char *at = c ? strchr(alphabet, c) : NULL;
    return at ? (int)(at - alphabet) : -1;
}

bool kube__base64_decode(kube_ctx *ctx, const char *text, size_t len, char **out, size_t *out_len,
                         bool *bad)
{
    char *data = kube_ctx_alloc(ctx, len / 4 * 3 + 4);
    size_t used = 0;
    size_t symbols = 0;
    size_t padding = 0;
    uint32_t group = 0;
    *out = NULL;
    *out_len = 0;
    *bad = false;
    if (!data) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        int value;
        if (text[i] && strchr(" \t\r\n", text[i])) {
            continue;
        }
        if (text[i] == '=') {
            padding++;
            value = 0;
        } else {
            value = value_of(text[i]);
            *bad |= value < 0 || padding > 0;
        }
        if (*bad) {
            return false;
        }
        group = group << 6 | (uint32_t)value;
        if (++symbols % 4 == 0) {
            data[used++] = (char)(group >> 16 & 0xff);
            data[used++] = (char)(group >> 8 & 0xff);
            data[used++] = (char)(group & 0xff);
            group = 0;
        }
    }
    if (symbols % 4 != 0 || padding > 2) {
        *bad = true;
        return false;
    }
    used -= padding;
    data[used] = '\0';
    *out = data;
    *out_len = used;
    return true;
}

char *kube__base64_encode(kube_ctx *ctx, const char *data, size_t len)
{
    char *text = kube_ctx_alloc(ctx, (len + 2) / 3 * 4 + 1);
    size_t used = 0;
    if (!text) {
        return NULL;
    }
    for (size_t i = 0; i < len; i += 3) {
        uint32_t group = (uint32_t)(unsigned char)data[i] << 16;
        group |= i + 1 < len ? (uint32_t)(unsigned char)data[i + 1] << 8 : 0;
        group |= i + 2 < len ? (uint32_t)(unsigned char)data[i + 2] : 0;
        text[used++] = alphabet[group >> 18];
        text[used++] = alphabet[group >> 12 & 63];
        text[used++] = i + 1 < len ? alphabet[group >> 6 & 63] : '=';
        text[used++] = i + 2 < len ? alphabet[group & 63] : '=';
    }
    text[used] = '\0';
    return text;
}
