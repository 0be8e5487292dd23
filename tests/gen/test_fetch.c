/* SPDX-License-Identifier: Apache-2.0 */
/* Documents by URL. */
#include "import/fetch.h"
#include "support/http_server.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static http_server *server;
static str text;
static str error;

static void set_up(void)
{
    server = http_server_start(NULL);
}

static void tear_down(void)
{
    http_server_free(server);
    str_free(&text);
    str_free(&error);
}

static bool fetch(const fetch_options *options)
{
    char url[256];
    snprintf(url, sizeof url, "%s/openapi/v3/apis/apps/v1", http_server_url(server));
    return fetch_text(url, options, &text, &error);
}

static void expect_error(const char *what)
{
    char line[512];
    snprintf(line, sizeof line, "cannot fetch %s/openapi/v3/apis/apps/v1: %s",
             http_server_url(server), what);
    ck_assert_str_eq(str_text(&error), line);
}

FIXTURE(set_up, tear_down);

TEST(a_url_gives_its_body)
{
    const fetch_options options = {0};
    http_server_reply_json(server, "{\"openapi\":\"3.0.0\"}");
    ck_assert_msg(fetch(&options), "%s", str_text(&error));
    ck_assert_str_eq(str_text(&text), "{\"openapi\":\"3.0.0\"}");
    ck_assert_ptr_nonnull(strstr(http_server_request(server, 0), "GET /openapi/v3/apis/apps/v1 "));
    ck_assert_ptr_null(strstr(http_server_request(server, 0), "Authorization:"));
}

TEST(a_token_is_sent_without_its_line_end)
{
    char path[] = "/tmp/kubegen-token.XXXXXX";
    const fetch_options options = {.token_file = path};
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, "secret\n", 7), 7);
    close(file);
    http_server_reply_json(server, "{}");
    ck_assert_msg(fetch(&options), "%s", str_text(&error));
    ck_assert_ptr_nonnull(
        strstr(http_server_request(server, 0), "Authorization: Bearer secret\r\n"));
    unlink(path);
}

TEST(an_answer_that_is_no_document_is_an_error)
{
    const fetch_options options = {0};
    http_server_reply(server, 404, NULL, "404 page not found");
    ck_assert(!fetch(&options));
    expect_error("the server answered 404");
    str_clear(&error);
    http_server_reply(server, 401, NULL, "{}");
    ck_assert(!fetch(&options));
    expect_error("the server answered 401: give a token with --token-file");
}

TEST(a_connection_that_breaks_is_an_error)
{
    const fetch_options options = {0};
    http_server_reply_reset(server);
    ck_assert(!fetch(&options));
    ck_assert_ptr_nonnull(strstr(str_text(&error), "cannot fetch http://127.0.0.1:"));
    ck_assert_ptr_null(strchr(str_text(&error), '\n'));
}

TEST(a_password_in_a_url_is_not_told)
{
    const fetch_options options = {0};
    ck_assert(!fetch_text("http://me:secret@127.0.0.1:1/", &options, &text, &error));
    ck_assert_ptr_null(strstr(str_text(&error), "secret"));
    ck_assert_ptr_nonnull(strstr(str_text(&error), "cannot fetch the URL: "));
}

TEST(a_token_file_must_hold_a_token)
{
    const fetch_options missing = {.token_file = "/nonexistent/token"};
    const fetch_options empty = {.token_file = "/dev/null"};
    ck_assert(!fetch(&missing));
    ck_assert_str_eq(str_text(&error), "cannot read /nonexistent/token: No such file or directory");
    str_clear(&error);
    ck_assert(!fetch(&empty));
    ck_assert_str_eq(str_text(&error), "/dev/null does not hold a token");
}
