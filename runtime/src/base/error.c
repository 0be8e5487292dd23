/* SPDX-License-Identifier: Apache-2.0 */
#include "utf8.h"

#include <kube/error.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(kube_error) == 1024, "callers keep it on their stack");

const char *kube_code_name(kube_code code)
{
    switch (code) {
#define CODE_CASE(name, text)                                                                      \
    case KUBE_##name:                                                                              \
        return text;
        KUBE_CODE_MAP(CODE_CASE)
#undef CODE_CASE
    }
    return "unknown code";
}

/* Copies @len bytes of @text as far as they fit in @size bytes with the NUL; false when cut. */
static bool put(char *out, size_t size, const char *text, size_t len)
{
    size_t fits = kube__utf8_cut(text, len, size - 1);
    memcpy(out, text, fits);
    out[fits] = '\0';
    return fits == len;
}

/* Formats at most @size bytes and says whether all of it is there. */
static bool format_text(char *out, size_t size, const char *format, va_list args)
{
    int len = vsnprintf(out, size, format, args);
    if (len < 0)
        return put(out, size, "unprintable message", strlen("unprintable message"));
    if ((size_t)len >= size)
        out[kube__utf8_cut(out, size - 1, size - 2)] = '\0';
    kube__utf8_flatten(out, false); /* servers send multi-line messages */
    return (size_t)len < size;
}

kube_code kube_error_vset(kube_error *err, kube_code code, const char *format, va_list args)
{
    /* One byte more than fits, so that the cut sees the character it would divide; apart from
     * @err because the arguments may point into it. */
    char text[sizeof err->message + 1];
    bool whole;
    if (!err)
        return code;
    whole = format_text(text, sizeof text, format, args);
    memset(err, 0, sizeof *err);
    err->code = code;
    err->truncated = !put(err->message, sizeof err->message, text, strlen(text)) || !whole;
    return code;
}

kube_code kube_error_set(kube_error *err, kube_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    kube_error_vset(err, code, format, args);
    va_end(args);
    return code;
}

void kube_error_prefix(kube_error *err, const char *format, ...)
{
    char text[2 * sizeof err->message];
    va_list args;
    size_t len;
    bool whole;
    if (!err)
        return;
    va_start(args, format);
    whole = format_text(text, sizeof err->message + 1, format, args);
    va_end(args);
    if (whole) {
        len = strlen(text);
        memcpy(text + len, ": ", 2);
        whole = put(text + len + 2, sizeof text - len - 2, err->message, strlen(err->message));
    }
    whole = put(err->message, sizeof err->message, text, strlen(text)) && whole;
    err->truncated = err->truncated || !whole;
}

kube_outcome kube_error_outcome(const kube_error *err)
{
    int status = err ? err->http_status : 0;
    if (!err)
        return KUBE_OUTCOME_UNKNOWN;
    if (!err->sent)
        return KUBE_OUTCOME_NOT_SENT;
    /* 408 is said by who waited for the request in vain, such as a proxy behind which all is well.
     * A 503 with a time to come back is the server's own; without, also a proxy's that lost it. */
    if ((status >= 300 && status < 500 && status != 408) || status == 501 ||
        (status == 503 && err->retry_after_ms > 0))
        return KUBE_OUTCOME_REFUSED;
    return KUBE_OUTCOME_UNKNOWN;
}

bool kube_error_suggests_delay(const kube_error *err, int64_t *delay_ms)
{
    /* EM-1: ServerTimeout always asks for a delay, if only for one of zero seconds. */
    bool suggests = err && err->code != KUBE_OK &&
                    (err->retry_after_ms > 0 || strcmp(err->reason, "ServerTimeout") == 0);
    if (delay_ms)
        *delay_ms = suggests && err->retry_after_ms > 0 ? err->retry_after_ms : 0;
    return suggests;
}

bool kube_error_is_expired(const kube_error *err)
{
    if (!err || err->code == KUBE_OK)
        return false;
    return err->code == KUBE_ERR_EXPIRED || strcmp(err->reason, "Expired") == 0 ||
           strcmp(err->reason, "Gone") == 0;
}

bool kube_error_is_too_large_version(const kube_error *err)
{
    if (!err || err->code == KUBE_OK)
        return false;
    /* REF-6: a cause says so; servers up to 1.18.5 say it in words only. */
    return strcmp(err->cause, "ResourceVersionTooLarge") == 0 ||
           strcasestr(err->message, "too large resource version");
}
