/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "support/suite.h"

#include <kube/error.h>
#include <kube/version.h>
#include <string.h>

TEST(set_fills_code_and_message_and_forgets_the_rest)
{
    kube_error err;
    memset(&err, 'x', sizeof err);
    ck_assert_int_eq(kube_error_set(&err, KUBE_ERR_CONFIG, "no context \"%s\"", "prod"),
                     KUBE_ERR_CONFIG);
    ck_assert_int_eq(err.code, KUBE_ERR_CONFIG);
    ck_assert_str_eq(err.message, "no context \"prod\"");
    ck_assert_str_eq(err.reason, "");
    ck_assert_str_eq(err.cause, "");
    ck_assert_str_eq(err.field, "");
    ck_assert_int_eq(err.http_status, 0);
    ck_assert_int_eq(err.retry_after_ms, 0);
    ck_assert(!err.truncated);
}

TEST(no_error_struct_is_allowed_everywhere)
{
    ck_assert_int_eq(kube_error_set(NULL, KUBE_ERR_INVALID, "x"), KUBE_ERR_INVALID);
    kube_error_prefix(NULL, "x");
    ck_assert(!kube_error_is_expired(NULL));
    ck_assert(!kube_error_is_too_large_version(NULL));
    ck_assert(!kube_error_suggests_delay(NULL, NULL));
}

TEST(message_may_be_made_of_the_old_one)
{
    kube_error err;
    kube_error_set(&err, KUBE_ERR_DECODE, "old");
    kube_error_set(&err, KUBE_ERR_DECODE, "new after %s", err.message);
    ck_assert_str_eq(err.message, "new after old");
}

TEST(message_is_one_line)
{
    kube_error err;
    kube_error_set(&err, KUBE_ERR_SERVER, "first\nsecond\tthird\x1b[0m");
    ck_assert_str_eq(err.message, "first second third [0m");
}

TEST(a_message_neither_forges_nor_turns_text)
{
    kube_error err;
    char text[4 * sizeof err.message] = "";
    kube_error_set(&err, KUBE_ERR_SERVER,
                   "\xc2\x85 \xc2\x9b"
                   "31m \xe2\x80\xa8 \xe2\x80\xae \xff\xc2");
    ck_assert_str_eq(err.message, "   31m     \xff\xc2");
    /* What is cut off is no part of a character, also when the rest has become shorter. */
    for (size_t i = 0; i < sizeof err.message; i++)
        strcat(text, i % 100 ? "\xe2\x82\xac" : "\xe2\x80\xae");
    for (size_t i = 0; i < 3; i++) {
        kube_error_set(&err, KUBE_ERR_SERVER, "%.*s%s", (int)i, "xx", text);
        ck_assert(err.truncated);
        ck_assert_str_eq(err.message + strlen(err.message) - 3, "\xe2\x82\xac");
    }
}

TEST(a_message_that_just_fits_is_whole)
{
    kube_error err;
    char text[sizeof err.message + 1];
    memset(text, 'm', sizeof text);
    text[sizeof err.message - 1] = '\0';
    kube_error_set(&err, KUBE_ERR_SERVER, "%s", text);
    ck_assert(!err.truncated);
    ck_assert_str_eq(err.message, text);
    text[sizeof err.message - 1] = 'm';
    text[sizeof err.message] = '\0';
    kube_error_set(&err, KUBE_ERR_SERVER, "%s", text);
    ck_assert(err.truncated);
    ck_assert_uint_eq(strlen(err.message), sizeof err.message - 1);
}

TEST(a_long_message_is_cut_between_characters)
{
    /* U+20AC takes three bytes: the cut falls on each of them in turn. */
    for (size_t pad = 0; pad < 3; pad++) {
        kube_error err;
        char text[2000] = "";
        size_t len = pad;
        memset(text, 'p', pad);
        for (; len + 3 < sizeof text; len += 3)
            memcpy(text + len, "\xE2\x82\xAC", 4);
        kube_error_set(&err, KUBE_ERR_SERVER, "%s", text);
        ck_assert(err.truncated);
        len = strlen(err.message);
        ck_assert_uint_eq((len - pad) % 3, 0);
        ck_assert_uint_ge(len, sizeof err.message - 3);
    }
}

TEST(cut_keeps_whole_characters_and_gives_up_on_what_is_not_utf8)
{
    ck_assert_uint_eq(kube__utf8_cut("abc", 3, 5), 3);
    ck_assert_uint_eq(kube__utf8_cut("abc", 3, 2), 2);
    ck_assert_uint_eq(kube__utf8_cut("abc", 3, 0), 0);
    ck_assert_uint_eq(kube__utf8_cut("\xF0\x9F\x98\x80", 4, 3), 0);
    ck_assert_uint_eq(kube__utf8_cut("a\xF0\x9F\x98\x80", 5, 4), 1);
    ck_assert_uint_eq(kube__utf8_cut("\x80\x80\x80\x80\x80\x80", 6, 5), 5);
    ck_assert_uint_eq(kube__utf8_cut("\x80\x80", 2, 1), 1);
}

TEST(prefix_adds_context_in_front)
{
    kube_error err;
    kube_error_set(&err, KUBE_ERR_NOT_FOUND, "not there");
    err.http_status = 404;
    strcpy(err.reason, "NotFound");
    kube_error_prefix(&err, "get %s", "networks");
    kube_error_prefix(&err, "after \"%s\"", err.message);
    ck_assert_str_eq(err.message, "after \"get networks: not there\": get networks: not there");
    ck_assert_int_eq(err.http_status, 404);
    ck_assert_str_eq(err.reason, "NotFound");
    ck_assert_int_eq(err.code, KUBE_ERR_NOT_FOUND);
    ck_assert(!err.truncated);
}

TEST(prefix_cuts_at_the_end)
{
    kube_error err;
    char text[700];
    char longer[2000];
    memset(text, 'm', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    memset(longer, 'l', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    kube_error_set(&err, KUBE_ERR_SERVER, "%s", text);
    kube_error_prefix(&err, "%s", text);
    ck_assert(err.truncated);
    ck_assert_uint_eq(strlen(err.message), sizeof err.message - 1);
    ck_assert_ptr_eq(strstr(err.message, "m: m"), err.message + sizeof text - 2);
    kube_error_prefix(&err, "%s", longer);
    ck_assert(err.truncated);
    ck_assert_uint_eq(strspn(err.message, "l"), sizeof err.message - 1);
}

TEST(delay_is_suggested_when_the_server_says_so)
{
    kube_error err;
    int64_t delay = 7;
    kube_error_set(&err, KUBE_ERR_UNAVAILABLE, "x");
    ck_assert(!kube_error_suggests_delay(&err, &delay));
    ck_assert_int_eq(delay, 0);
    err.retry_after_ms = 3000;
    ck_assert(kube_error_suggests_delay(&err, &delay));
    ck_assert_int_eq(delay, 3000);
    /* EM-1: ServerTimeout always */
    kube_error_set(&err, KUBE_ERR_SERVER, "x");
    strcpy(err.reason, "ServerTimeout");
    ck_assert(kube_error_suggests_delay(&err, &delay));
    ck_assert_int_eq(delay, 0);
}

TEST(expired_by_code_or_reason)
{
    kube_error err;
    kube_error_set(&err, KUBE_ERR_EXPIRED, "too old resource version");
    ck_assert(kube_error_is_expired(&err));
    kube_error_set(&err, KUBE_ERR_SERVER, "x");
    ck_assert(!kube_error_is_expired(&err));
    strcpy(err.reason, "Expired");
    ck_assert(kube_error_is_expired(&err));
    strcpy(err.reason, "Gone");
    ck_assert(kube_error_is_expired(&err));
    err.code = KUBE_OK; /* its contents mean nothing then */
    ck_assert(!kube_error_is_expired(&err));
}

/* Peers: TestReflectorFullListIfTooLarge */
TEST(too_large_version_by_cause_or_words) /* REF-6 */
{
    kube_error err;
    kube_error_set(&err, KUBE_ERR_TIMEOUT, "timed out");
    strcpy(err.reason, "Timeout");
    ck_assert(!kube_error_is_too_large_version(&err));
    strcpy(err.cause, "ResourceVersionTooLarge");
    ck_assert(kube_error_is_too_large_version(&err));
    kube_error_set(&err, KUBE_ERR_TIMEOUT, "Timeout: Too large resource version: 9, current: 1");
    ck_assert(kube_error_is_too_large_version(&err));
}

TEST(an_outcome_follows_from_what_was_sent_and_answered)
{
    static const struct {
        int status;
        int64_t retry_after_ms;
        kube_outcome outcome;
    } answers[] = {
        {0, 0, KUBE_OUTCOME_UNKNOWN},   {200, 0, KUBE_OUTCOME_UNKNOWN},
        {302, 0, KUBE_OUTCOME_REFUSED}, {404, 0, KUBE_OUTCOME_REFUSED},
        {408, 0, KUBE_OUTCOME_UNKNOWN}, {429, 0, KUBE_OUTCOME_REFUSED},
        {500, 0, KUBE_OUTCOME_UNKNOWN}, {501, 0, KUBE_OUTCOME_REFUSED},
        {503, 0, KUBE_OUTCOME_UNKNOWN}, {503, 1000, KUBE_OUTCOME_REFUSED},
        {504, 0, KUBE_OUTCOME_UNKNOWN},
    };
    kube_error err;
    ck_assert_int_eq(kube_error_outcome(NULL), KUBE_OUTCOME_UNKNOWN);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        kube_error_set(&err, KUBE_ERR_SERVER, "x");
        err.http_status = answers[i].status;
        err.retry_after_ms = answers[i].retry_after_ms;
        ck_assert_int_eq(kube_error_outcome(&err), KUBE_OUTCOME_NOT_SENT);
        err.sent = true;
        ck_assert_int_eq(kube_error_outcome(&err), answers[i].outcome);
    }
}

TEST(every_code_has_its_own_name)
{
    for (int i = KUBE_OK; i <= KUBE_ERR_FAILED; i++) {
        for (int j = KUBE_OK; j < i; j++)
            ck_assert_str_ne(kube_code_name((kube_code)i), kube_code_name((kube_code)j));
    }
    ck_assert_str_eq(kube_code_name(KUBE_OK), "ok");
    ck_assert_str_eq(kube_code_name(KUBE_ERR_CONFLICT), "conflict");
    ck_assert_str_eq(kube_code_name((kube_code)999), "unknown code");
}

TEST(library_and_header_are_of_one_version)
{
    ck_assert_str_eq(kube_version(), KUBE_VERSION);
}
