/* SPDX-License-Identifier: Apache-2.0 */
/* Rules EM-1, EM-2 and REQ-6. */
#include "object/stream/stream.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

static kube_error err;

static kube_code read_status(const char *method, int http_status, const char *type,
                             const char *body)
{
    return kube__status_to_error(method, "networks \"a\"", http_status, type, body, strlen(body),
                                 1500, &err);
}

TEST(a_status_is_read_with_its_details)
{
    static const char body[] =
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
        "\"message\":\"Network \\\"a\\\" is invalid:\\n spec.cidr: too short\","
        "\"reason\":\"Invalid\",\"details\":{\"name\":\"a\",\"kind\":\"Network\",\"causes\":["
        "{\"reason\":\"FieldValueInvalid\",\"message\":\"too short\",\"field\":\"spec.cidr\"},"
        "{\"reason\":\"Other\",\"field\":\"spec.gateway\"}],\"retryAfterSeconds\":10},"
        "\"code\":422}";
    ck_assert_int_eq(read_status("POST", 422, "application/json", body), KUBE_ERR_INVALID);
    ck_assert_int_eq(err.code, KUBE_ERR_INVALID);
    ck_assert_int_eq(err.http_status, 422);
    ck_assert_str_eq(err.reason, "Invalid");
    ck_assert_str_eq(err.message, "Network \"a\" is invalid:  spec.cidr: too short");
    ck_assert_str_eq(err.cause, "FieldValueInvalid");
    ck_assert_str_eq(err.field, "spec.cidr");
    ck_assert_int_eq(err.retry_after_ms, 10000);
    ck_assert(!err.truncated);
    ck_assert_int_eq(kube__status_to_error("POST", "x", 422, NULL, body, sizeof body - 1, 0, NULL),
                     KUBE_ERR_INVALID);
}

static kube_code code_of(const char *reason, int http_status)
{
    char body[256];
    snprintf(body, sizeof body, "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"%s\"}",
             reason);
    return read_status("GET", http_status, "application/json", body);
}

/* EM-1 */
TEST(a_known_reason_decides_else_the_http_code)
{
    ck_assert_int_eq(code_of("AlreadyExists", 409), KUBE_ERR_ALREADY_EXISTS);
    ck_assert_int_eq(code_of("Conflict", 409), KUBE_ERR_CONFLICT);
    ck_assert_int_eq(code_of("NotFound", 400), KUBE_ERR_NOT_FOUND);
    ck_assert_int_eq(code_of("Expired", 410), KUBE_ERR_EXPIRED);
    ck_assert_int_eq(code_of("Gone", 410), KUBE_ERR_EXPIRED);
    ck_assert_int_eq(code_of("ServerTimeout", 500), KUBE_ERR_SERVER_TIMEOUT);
    ck_assert_int_eq(code_of("UnsupportedMediaType", 415), KUBE_ERR_NOT_ACCEPTABLE);
    ck_assert_int_eq(code_of("StoreReadError", 500), KUBE_ERR_SERVER);
    static const struct {
        int http_status;
        kube_code code;
    } fallbacks[] = {
        {400, KUBE_ERR_BAD_REQUEST},
        {401, KUBE_ERR_UNAUTHORIZED},
        {403, KUBE_ERR_FORBIDDEN},
        {404, KUBE_ERR_NOT_FOUND},
        {405, KUBE_ERR_METHOD_NOT_ALLOWED},
        {406, KUBE_ERR_NOT_ACCEPTABLE},
        {409, KUBE_ERR_CONFLICT},
        {410, KUBE_ERR_EXPIRED},
        {415, KUBE_ERR_NOT_ACCEPTABLE},
        {422, KUBE_ERR_INVALID},
        {500, KUBE_ERR_SERVER},
        {503, KUBE_ERR_UNAVAILABLE},
        {504, KUBE_ERR_SERVER_TIMEOUT},
    };
    for (size_t i = 0; i < sizeof fallbacks / sizeof *fallbacks; i++) {
        ck_assert_int_eq(code_of("", fallbacks[i].http_status), fallbacks[i].code);
        ck_assert_int_eq(code_of("SomethingNew", fallbacks[i].http_status), fallbacks[i].code);
    }
    /* These two whatever the reason. */
    ck_assert_int_eq(code_of("Unknown", 429), KUBE_ERR_TOO_MANY_REQUESTS);
    ck_assert_int_eq(code_of("Invalid", 413), KUBE_ERR_TOO_LARGE);
}

TEST(a_failure_in_a_success_counts_by_its_own_code)
{
    ck_assert_int_eq(read_status("GET", 200, "application/json",
                                 "{\"kind\":\"Status\",\"status\":\"Failure\",\"code\":404}"),
                     KUBE_ERR_NOT_FOUND);
    ck_assert_int_eq(err.http_status, 404);
    ck_assert_int_eq(err.retry_after_ms, 1500);
}

/* EM-2: text, as overload protection and unknown paths answer. */
TEST(other_bodies_give_an_error_by_code)
{
    ck_assert_int_eq(read_status("GET", 404, "text/plain; charset=utf-8", "404 page not found\n"),
                     KUBE_ERR_NOT_FOUND);
    ck_assert_str_eq(err.reason, "NotFound");
    ck_assert_str_eq(err.message, "GET networks \"a\": the server has no such resource "
                                  "(http status 404): 404 page not found");
    ck_assert_int_eq(read_status("GET", 429, "text/plain", "Too many requests, please try again"),
                     KUBE_ERR_TOO_MANY_REQUESTS);
    ck_assert_int_eq(err.retry_after_ms, 1500);
    ck_assert_int_eq(read_status("POST", 409, NULL, ""), KUBE_ERR_ALREADY_EXISTS);
    ck_assert_int_eq(read_status("PUT", 409, NULL, ""), KUBE_ERR_CONFLICT);
    ck_assert_int_eq(read_status("GET", 502, "text/html", "<html>bad gateway"), KUBE_ERR_SERVER);
    ck_assert_str_eq(err.reason, "InternalError");
    ck_assert_ptr_nonnull(strstr(err.message, "not an API server's answer, but text/html"));
    ck_assert_ptr_null(strstr(err.message, "<html>"));
    ck_assert_int_eq(read_status("GET", 302, NULL, ""), KUBE_ERR_SERVER);
    ck_assert_int_eq(kube__status_to_error(NULL, NULL, 503, NULL, NULL, 0, 0, &err),
                     KUBE_ERR_UNAVAILABLE);
    ck_assert_str_eq(err.message, "the server cannot handle the request now (http status 503)");
}

TEST(what_only_looks_like_a_status_is_none)
{
    static const char *const bodies[] = {
        "{\"kind\":\"Status\",\"status\":\"Success\",\"reason\":\"Conflict\"}",
        "{\"kind\":\"Pod\",\"status\":\"Failure\",\"reason\":\"Conflict\"}",
        "{\"kind\":\"Status\",\"reason\":",
        "[\"Status\"]",
        "\"Status\"",
        "{\"kind\":{\"kind\":\"Status\"}}",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        ck_assert_int_eq(read_status("GET", 404, "application/json", bodies[i]),
                         KUBE_ERR_NOT_FOUND);
}

TEST(a_long_message_is_cut_between_characters)
{
    char body[4096] = "{\"kind\":\"Status\",\"message\":\"x";
    for (int i = 0; i < 1000; i++)
        strcat(body, "\xc3\xa9");
    strcat(body, "\",\"reason\":\"Forbidden\"}");
    ck_assert_int_eq(read_status("GET", 403, NULL, body), KUBE_ERR_FORBIDDEN);
    ck_assert(err.truncated);
    size_t len = strlen(err.message);
    ck_assert_uint_ge(len, sizeof err.message - 3);
    ck_assert_uint_eq(len % 2, 1);
}
