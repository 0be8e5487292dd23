/* SPDX-License-Identifier: Apache-2.0 */
#include "request.h"

#include <stdarg.h>
#include <string.h>

void kube__api_response_init(kube__api_response *response)
{
    memset(response, 0, sizeof *response);
    kube__buffer_init(&response->body, SIZE_MAX / 4);
}

void kube__api_response_fini(kube__api_response *response)
{
    kube__buffer_fini(&response->body);
}

void kube__api_add_header(kube__api_response *response, const char *name, const char *value)
{
    size_t max = sizeof response->headers / sizeof *response->headers;
    if (value && response->header_count < max)
        response->headers[response->header_count++] = (kube__api_pair){name, value};
}

/* A header cannot hold them; the real server leaves such warnings out. */
static bool has_control_characters(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return true;
    return false;
}

static char *warning_value(kube_ctx *ctx, const char *text)
{
    static const char start[] = "299 - \"";
    char *value = kube_ctx_alloc(ctx, sizeof start + 2 * strlen(text) + 1);
    if (!value)
        return NULL;
    memcpy(value, start, sizeof start);
    char *out = value + sizeof start - 1;
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            *out++ = '\\';
        *out++ = *text;
    }
    *out = '"';
    return value;
}

void kube__api_warn(kube_ctx *ctx, kube__api_response *response, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = kube__api_vtext(ctx, format, args);
    va_end(args);
    if (has_control_characters(text))
        return;
    const char *value = warning_value(ctx, text);
    for (size_t i = 0; value && i < response->header_count; i++)
        if (strcmp(response->headers[i].key, "Warning") == 0 &&
            strcmp(response->headers[i].value, value) == 0)
            return;
    kube__api_add_header(response, "Warning", value);
}

void kube__api_respond_json(kube__api_response *response, int http_status,
                            const kube__json *document)
{
    response->http_status = http_status;
    response->content_type = NULL;
    response->may_pretty = true;
    kube__buffer_reset(&response->body);
    kube__json_write(document, &response->body);
    kube__buffer_add(&response->body, "\n", 1);
}

static void respond_text(kube__api_response *response, const kube__api_failure *failure)
{
    size_t len = strlen(failure->message);
    response->http_status = failure->http_status;
    response->content_type = "text/plain; charset=utf-8";
    response->may_pretty = false;
    kube__api_add_header(response, "X-Content-Type-Options", "nosniff");
    kube__buffer_reset(&response->body);
    kube__buffer_add(&response->body, failure->message, len);
    if (!len || failure->message[len - 1] != '\n')
        kube__buffer_add(&response->body, "\n", 1);
}

void kube__api_respond_no_memory(kube__api_response *response)
{
    const kube__api_failure *failure = kube__api_fail_no_memory();
    response->http_status = failure->http_status;
    response->content_type = NULL;
    response->may_pretty = true;
    response->header_count = 0;
    kube__buffer_reset(&response->body);
    kube__buffer_printf(&response->body,
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                        "\"status\":\"Failure\",\"message\":\"%s\",\"reason\":\"%s\","
                        "\"code\":%d}\n",
                        failure->message, failure->reason, failure->http_status);
}

void kube__api_respond_failure(kube_ctx *ctx, kube__api_response *response,
                               const kube__api_failure *failure)
{
    if (failure->retry_after_s)
        kube__api_add_header(response, "Retry-After",
                             kube__api_text(ctx, "%d", failure->retry_after_s));
    if (failure->plain_text) {
        respond_text(response, failure);
        return;
    }
    kube__json *status = kube__api_failure_status(ctx, failure);
    if (kube_ctx_failed(ctx)) {
        kube__api_respond_no_memory(response);
        return;
    }
    kube__api_respond_json(response, failure->http_status, status);
    if (failure->http_status == 406) { /* the real one knows no format to send, and writes this */
        kube__buffer_reset(&response->body);
        kube__json_write_pretty(status, &response->body);
        response->may_pretty = false;
    }
}
