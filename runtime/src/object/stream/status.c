/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the answer of a failed request into an error. The answer is a Status, or anything else. */
#include "status.h"

#include "base/units.h"
#include "base/utf8.h"
#include "stream.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    MAX_STATUS = 1 << 20, /* bytes; a longer one is no Status */
    MAX_BODY_TEXT = 512,  /* of a body that is shown as it is (REQ-6: at most 2048) */
};

typedef struct reason_code {
    const char *reason;
    kube_code code;
} reason_code;

/* A known reason decides about the code. Only if it is not known, the HTTP code does (EM-1). */
static const reason_code reasons[] = {
    {"AlreadyExists", KUBE_ERR_ALREADY_EXISTS},
    {"BadRequest", KUBE_ERR_BAD_REQUEST},
    {"Conflict", KUBE_ERR_CONFLICT},
    {"Expired", KUBE_ERR_EXPIRED},
    {"Forbidden", KUBE_ERR_FORBIDDEN},
    {"Gone", KUBE_ERR_EXPIRED},
    {"InternalError", KUBE_ERR_SERVER},
    {"Invalid", KUBE_ERR_INVALID},
    {"MethodNotAllowed", KUBE_ERR_METHOD_NOT_ALLOWED},
    {"NotAcceptable", KUBE_ERR_NOT_ACCEPTABLE},
    {"NotFound", KUBE_ERR_NOT_FOUND},
    {"RequestEntityTooLarge", KUBE_ERR_TOO_LARGE},
    {"ServerTimeout", KUBE_ERR_SERVER_TIMEOUT},
    {"ServiceUnavailable", KUBE_ERR_UNAVAILABLE},
    {"Timeout", KUBE_ERR_SERVER_TIMEOUT},
    {"TooManyRequests", KUBE_ERR_TOO_MANY_REQUESTS},
    {"Unauthorized", KUBE_ERR_UNAUTHORIZED},
    {"UnsupportedMediaType", KUBE_ERR_NOT_ACCEPTABLE},
};

typedef struct http_code {
    int status;
    kube_code code;
    const char *reason;
    const char *text;
} http_code;

/* EM-2: what an answer without a Status means. */
static const http_code http_codes[] = {
    {400, KUBE_ERR_BAD_REQUEST, "BadRequest", "the server rejected the request"},
    {401, KUBE_ERR_UNAUTHORIZED, "Unauthorized", "the server does not accept the credentials"},
    {403, KUBE_ERR_FORBIDDEN, "Forbidden", "the server does not allow this request"},
    {404, KUBE_ERR_NOT_FOUND, "NotFound", "the server has no such resource"},
    {405, KUBE_ERR_METHOD_NOT_ALLOWED, "MethodNotAllowed", "the server does not allow this method"},
    {406, KUBE_ERR_NOT_ACCEPTABLE, "NotAcceptable", "the server cannot answer in this format"},
    {409, KUBE_ERR_CONFLICT, "Conflict", "the server reports a conflict"},
    {410, KUBE_ERR_EXPIRED, "Gone", "the requested resourceVersion is too old"},
    {413, KUBE_ERR_TOO_LARGE, "RequestEntityTooLarge", "the request is too large"},
    {415, KUBE_ERR_NOT_ACCEPTABLE, "UnsupportedMediaType",
     "the server does not accept this format"},
    {422, KUBE_ERR_INVALID, "Invalid", "the server rejected the object as invalid"},
    {429, KUBE_ERR_TOO_MANY_REQUESTS, "TooManyRequests",
     "the server has too many requests to handle"},
    {503, KUBE_ERR_UNAVAILABLE, "ServiceUnavailable", "the server cannot handle the request now"},
    {504, KUBE_ERR_SERVER_TIMEOUT, "Timeout", "the server could not answer in time"},
};

static const http_code *find_http(int status)
{
    for (size_t i = 0; i < sizeof http_codes / sizeof *http_codes; i++) {
        if (http_codes[i].status == status)
            return &http_codes[i];
    }
    return NULL;
}

static kube_code code_of(const char *reason, int http_status)
{
    /* These two whatever the reason says. */
    if (http_status == 429)
        return KUBE_ERR_TOO_MANY_REQUESTS;
    if (http_status == 413)
        return KUBE_ERR_TOO_LARGE;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (strcmp(reasons[i].reason, reason) == 0)
            return reasons[i].code;
    }
    const http_code *http = find_http(http_status);
    return http ? http->code : KUBE_ERR_SERVER;
}

/* Copies as much as fits, on one line. */
static void copy_line(char *to, size_t size, const char *text, size_t len)
{
    size_t cut = kube__utf8_cut(text, len, size - 1);
    for (size_t i = 0; i < cut; i++)
        to[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? ' ' : text[i];
    while (cut && to[cut - 1] == ' ')
        cut--;
    to[cut] = '\0';
}

static const char *string_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static double number_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static void read_details(const cJSON *details, kube_error *err)
{
    double seconds = number_of(details, "retryAfterSeconds");
    if (seconds > 0 && seconds < 1e9)
        err->retry_after_ms = (int64_t)(seconds * (double)KUBE__MS_PER_S);
    const cJSON *cause = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(details, "causes"), 0);
    const char *reason = string_of(cause, "reason");
    const char *field = string_of(cause, "field");
    copy_line(err->cause, sizeof err->cause, reason, strlen(reason));
    copy_line(err->field, sizeof err->field, field, strlen(field));
}

static kube_code read_failure(const cJSON *status, int http_status, kube_error *err)
{
    double own_code = number_of(status, "code");
    if ((http_status == 0 || http_status / 100 == 2) && own_code >= 100 && own_code < 1000)
        http_status = (int)own_code;
    const char *reason = string_of(status, "reason");
    const char *message = string_of(status, "message");
    kube_code rc = code_of(reason, http_status);
    if (!err)
        return rc;
    char line[sizeof err->message + 1];
    copy_line(line, sizeof line, message, strlen(message));
    const char *fallback = *reason ? reason : "the server reports a failure and does not say why";
    kube_error_set(err, rc, "%s", *line ? line : fallback);
    err->truncated = strlen(message) >= sizeof err->message;
    err->http_status = http_status;
    copy_line(err->reason, sizeof err->reason, reason, strlen(reason));
    read_details(cJSON_GetObjectItemCaseSensitive(status, "details"), err);
    return rc;
}

bool kube__status_read(const char *text, size_t len, int http_status, kube_code *code,
                       kube_error *err)
{
    if (len == 0 || len > MAX_STATUS)
        return false;
    cJSON *status = cJSON_ParseWithLength(text, len);
    bool failure = cJSON_IsObject(status) && strcmp(string_of(status, "kind"), "Status") == 0 &&
                   strcmp(string_of(status, "status"), "Success") != 0;
    if (failure)
        *code = read_failure(status, http_status, err);
    cJSON_Delete(status);
    return failure;
}

/* Whether a body of this type is meant to be read by people. */
static bool is_text(const char *content_type)
{
    static const char plain[] = "text/plain";
    return !content_type || !*content_type ||
           strncasecmp(content_type, plain, sizeof plain - 1) == 0;
}

kube_code kube__status_to_error(const char *method, const char *what, int http_status,
                                const char *content_type, const char *body, size_t len,
                                int64_t retry_after_ms, kube_error *err)
{
    kube_error own;
    if (!err)
        err = &own;
    kube_code rc;
    if (kube__status_read(body, len, http_status, &rc, err)) {
        if (err->retry_after_ms == 0)
            err->retry_after_ms = retry_after_ms;
        return rc;
    }
    const http_code *http = find_http(http_status);
    rc = http ? http->code : KUBE_ERR_SERVER;
    const char *reason = http ? http->reason : http_status >= 500 ? "InternalError" : "";
    const char *text = http ? http->text : "unexpected HTTP status";
    if (http_status == 409 && method && strcmp(method, "POST") == 0) {
        rc = KUBE_ERR_ALREADY_EXISTS;
        reason = "AlreadyExists";
        text = "the object exists already";
    }
    char line[MAX_BODY_TEXT];
    line[0] = '\0';
    if (is_text(content_type))
        copy_line(line, sizeof line, body ? body : "", body ? len : 0);
    else if (http_status / 100 != 2)
        snprintf(line, sizeof line, "not an API server's answer, but %.80s", content_type);
    kube_error_set(err, rc, "%s%s%s%s%s (http status %d)%s%s", method ? method : "",
                   method ? " " : "", what ? what : "", method || what ? ": " : "", text,
                   http_status, *line ? ": " : "", line);
    err->http_status = http_status;
    err->retry_after_ms = retry_after_ms;
    copy_line(err->reason, sizeof err->reason, reason, strlen(reason));
    return rc;
}
