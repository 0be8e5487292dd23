/* SPDX-License-Identifier: Apache-2.0 */
#include "credentials.h"

#include "base/ctx.h"
#include "base/memory.h"
#include "base/thread.h"
#include "base/units.h"
#include "file.h"

#include <kube/log.h>
#include <stdlib.h>
#include <string.h>

/* The platform renews a token long before it ends: a minute, less a leeway (CFG-5). */
static const int64_t reread_ns = 50 * KUBE__NS_PER_S;
enum { MAX_TOKEN_BYTES = 1 << 20 };

struct kube__credentials {
    kube_config *config;
    kube_clock *clock;
    kube__mutex mutex;
    char *token; /* the file's, NULL until it was read; under the mutex, as all below */
    size_t token_len;
    int64_t next_read_ns;
};

static kube_code read_token(kube__credentials *credentials, kube_error *err)
{
    const char *file = credentials->config->token_file;
    char *text;
    size_t len;
    size_t start;
    kube_code rc = kube__file_read(file, MAX_TOKEN_BYTES, &text, &len, NULL, err);
    if (rc)
        return rc;
    start = strspn(text, " \t\r\n");
    memmove(text, text + start, len - start + 1);
    len -= start;
    while (len > 0 && strchr(" \t\r\n", text[len - 1]))
        text[--len] = '\0';
    if (len == 0)
        rc = kube_error_set(err, KUBE_ERR_CONFIG, "the token file %s is empty", file);
    else if (strcspn(text, "\r\n") != len)
        rc = kube_error_set(err, KUBE_ERR_CONFIG, "the token file %s has more than one line", file);
    if (rc) {
        kube__file_free(text, len);
        return rc;
    }
    kube__file_free(credentials->token, credentials->token_len);
    credentials->token = text;
    credentials->token_len = len;
    return KUBE_OK;
}

kube_code kube__credentials_new(const kube_config *config, kube_clock *clock,
                                kube__credentials **out, kube_error *err)
{
    kube__credentials *credentials = calloc(1, sizeof *credentials);
    kube_code rc;
    *out = NULL;
    if (!credentials)
        return kube__no_memory(err, "credentials");
    credentials->clock = clock;
    rc = kube__mutex_init(&credentials->mutex, err);
    if (rc) {
        free(credentials);
        return rc;
    }
    credentials->config = kube__config_ref(config);
    if (config->token_file) {
        rc = read_token(credentials, err);
        if (rc && config->token) {
            kube_log_warn("using the static token, because there is none in the file: %s",
                          err ? err->message : "");
            rc = KUBE_OK;
        }
        credentials->next_read_ns = clock->now_ns(clock) + reread_ns;
    }
    if (rc) {
        kube__credentials_free(credentials);
        return rc;
    }
    *out = credentials;
    return KUBE_OK;
}

void kube__credentials_free(kube__credentials *credentials)
{
    if (!credentials)
        return;
    kube__file_free(credentials->token, credentials->token_len);
    kube__mutex_fini(&credentials->mutex);
    kube_config_free(credentials->config);
    free(credentials);
}

/* Returns NULL if out of memory. */
static char *encode_base64(kube_ctx *ctx, const char *data, size_t len)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = kube_ctx_alloc(ctx, (len + 2) / 3 * 4 + 1);
    size_t used = 0;
    if (!text)
        return NULL;
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

/* With the mutex held. */
static const char *current_token(kube__credentials *credentials, bool refused)
{
    const kube_config *config = credentials->config;
    kube_clock *clock = credentials->clock;
    if (config->token_file && (refused || clock->now_ns(clock) >= credentials->next_read_ns)) {
        kube_error error;
        if (read_token(credentials, &error))
            kube_log_warn("keeping the last token, because a new one could not be read: %s",
                          error.message);
        credentials->next_read_ns = clock->now_ns(clock) + reread_ns;
    }
    return credentials->token ? credentials->token : config->token;
}

/* Without the mutex: the callback may take its time, and other calls go on meanwhile. */
static kube_code ask_program(const kube_config *config, kube_ctx *ctx, const char *refused,
                             const char **out, kube_error *err)
{
    kube_code rc;
    kube_error_set(err, KUBE_ERR_FAILED, "it does not say why"); /* unless it does */
    rc = config->authorize(config->authorize_arg, ctx, refused, out, err);
    if (!rc && *out && strpbrk(*out, "\r\n"))
        rc = kube_error_set(err, KUBE_ERR_ARGUMENT, "the value has more than one line");
    if (rc) {
        *out = NULL;
        if (err)
            err->code = rc;
        kube_error_prefix(err, "authorization callback");
    }
    return rc;
}

kube_code kube__credentials_header(kube__credentials *credentials, kube_ctx *ctx,
                                   const char *refused, const char **out, kube_error *err)
{
    const kube_config *config = credentials->config;
    const char *token;
    *out = NULL;
    if (config->authorize)
        return ask_program(config, ctx, refused, out, err);
    kube__lock(&credentials->mutex);
    token = current_token(credentials, refused != NULL);
    if (token) {
        *out = kube_printf(ctx, "Bearer %s", token);
    } else if (config->username) {
        const char *pair =
            kube_printf(ctx, "%s:%s", config->username, config->password ? config->password : "");
        const char *text = pair ? encode_base64(ctx, pair, strlen(pair)) : NULL;
        *out = text ? kube_printf(ctx, "Basic %s", text) : NULL;
    }
    kube__unlock(&credentials->mutex);
    return kube__ctx_check(ctx, err);
}
