/* SPDX-License-Identifier: Apache-2.0 */
#include "continue.h"

#include "apiserver/value/json.h"
#include "apiserver/value/quote.h"

#include <inttypes.h>
#include <string.h>

static const char *encode(kube_ctx *ctx, int64_t version, const char *start)
{
    const char *text =
        kube__api_text(ctx, "{\"v\":\"meta.k8s.io/v1\",\"rv\":%" PRId64 ",\"start\":\"%s\\u0000\"}",
                       version, start);
    return text ? kube__api_base64(ctx, text, strlen(text), true) : NULL;
}

const char *kube__api_continue_write(kube_ctx *ctx, const kube__api_continue *token,
                                     bool in_namespace)
{
    /* Where any state will do, the key has lost its slash. */
    const char *lead = token->version < 0 ? "" : "/";
    const char *start = in_namespace || !*token->namespace_
                            ? kube__api_text(ctx, "%s%s", lead, token->name)
                            : kube__api_text(ctx, "%s%s/%s", lead, token->namespace_, token->name);
    return start ? encode(ctx, token->version, start) : NULL;
}

/* ---- reading -------------------------------------------------------------------------------- */

static int digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* NULL for a text that is not base64; *@at is where then. */
static char *decode(kube_ctx *ctx, const char *text, size_t *len, size_t *at)
{
    size_t count = strlen(text);
    char *out = kube_ctx_alloc(ctx, count + 1);
    uint32_t bits = 0;
    unsigned have = 0;
    *len = 0;
    for (size_t i = 0; out && i < count; i++) {
        int value = digit(text[i]);
        if (value < 0) {
            *at = i;
            return NULL;
        }
        bits = (bits << 6 | (uint32_t)value) & 0xffffff;
        have += 6;
        if (have >= 8) {
            have -= 8;
            out[(*len)++] = (char)(bits >> have);
        }
    }
    *at = count;
    return count % 4 == 1 ? NULL : out;
}

static kube__api_failure *invalid(kube_ctx *ctx, const char *why)
{
    return kube__api_bad_request(ctx, "invalid continue token: continue key is not valid: %s", why);
}

/* The key that the next page begins behind; the text may hold a NUL, at which it ends. */
static kube__api_failure *read_key(kube_ctx *ctx, const char *start, const char *namespace_,
                                   kube__api_continue *out)
{
    const char *key = *start == '/' ? start + 1 : start;
    const char *slash = strchr(key, '/');
    if (strstr(key, "..") || (slash && strchr(slash + 1, '/')))
        return invalid(ctx, start);
    out->namespace_ = namespace_;
    out->name = key;
    if (*namespace_ || !slash)
        return NULL;
    out->namespace_ = kube__api_text_copy(ctx, key, (size_t)(slash - key));
    out->name = slash + 1;
    return NULL;
}

/* JSON of the server's own knows no NUL: the escape is cut before it is parsed. */
static void cut_nul(char *text)
{
    char *nul = strstr(text, "\\u0000\"");
    if (nul)
        memmove(nul, nul + 6, strlen(nul + 6) + 1);
}

kube__api_failure *kube__api_continue_read(kube_ctx *ctx, const char *text, const char *namespace_,
                                           kube__api_continue *out)
{
    size_t len;
    size_t at = 0;
    char *decoded = decode(ctx, text, &len, &at);
    if (!decoded)
        return invalid(ctx, kube__api_text(ctx, "illegal base64 data at input byte %zu", at));
    decoded[len] = '\0';
    cut_nul(decoded);
    len = strlen(decoded);
    const char *fault;
    const kube__json *token = kube__json_parse(ctx, decoded, len, &fault, NULL, NULL);
    if (!token)
        return invalid(ctx, kube__json_error(ctx, decoded, len, fault));
    const char *version = kube__json_string_at(token, "v");
    const char *start = kube__json_string_at(token, "start");
    if (strcmp(version, "meta.k8s.io/v1") != 0)
        return invalid(
            ctx, kube__api_text(ctx, "server does not recognize this encoded version %s", version));
    out->version = 0;
    if (!kube__json_to_int(kube__json_get(token, "rv"), &out->version) || out->version == 0)
        return invalid(ctx, "incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
    if (!*start)
        return invalid(ctx, "encoded start key empty (version meta.k8s.io/v1)");
    return read_key(ctx, start, namespace_, out);
}
