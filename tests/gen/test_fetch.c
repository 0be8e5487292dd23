/* SPDX-License-Identifier: Apache-2.0 */
/* Documents by URL. */
#include "import/fetch.h"
#include "support/http_server.h"
#include "support/pki.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static http_server *server; /* plain */
static http_server *safe;   /* with TLS */
static char ca_path[] = "/tmp/kubegen-ca.XXXXXX";
static char token_path[] = "/tmp/kubegen-token.XXXXXX";
static str text;
static str error;

static void write_temporary(char *path, const char *content)
{
    int file;
    strcpy(path + strlen(path) - 6, "XXXXXX");
    file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, content, strlen(content)), (ssize_t)strlen(content));
    close(file);
}

static void set_up(void)
{
    pki_pair ca = pki_ca("ca");
    pki_pair leaf = pki_issue(&ca, "server", "IP:127.0.0.1", 1);
    const http_server_options options = {.certificate = leaf.certificate, .key = leaf.key};
    server = http_server_start(NULL);
    safe = http_server_start(&options);
    write_temporary(ca_path, ca.certificate);
    write_temporary(token_path, "secret\n");
    pki_free(&leaf);
    pki_free(&ca);
}

static void tear_down(void)
{
    unlink(ca_path);
    unlink(token_path);
    http_server_free(safe);
    http_server_free(server);
    str_free(&text);
    str_free(&error);
}

static bool fetch_from(http_server *from, const fetch_options *options)
{
    char url[256];
    snprintf(url, sizeof url, "%s/openapi/v3/apis/apps/v1", http_server_url(from));
    return fetch_text(url, options, &text, &error);
}

static bool fetch(const fetch_options *options)
{
    return fetch_from(server, options);
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
    const fetch_options options = {.token_file = token_path, .ca_file = ca_path};
    http_server_reply_json(safe, "{}");
    ck_assert_msg(fetch_from(safe, &options), "%s", str_text(&error));
    ck_assert_ptr_nonnull(strstr(http_server_request(safe, 0), "Authorization: Bearer secret\r\n"));
}

TEST(no_secret_is_sent_in_the_clear)
{
    const fetch_options token = {.token_file = token_path};
    const fetch_options certificate = {.cert_file = ca_path, .key_file = ca_path};
    const fetch_options password = {0};
    const char *line = "a token, a certificate or a password is only sent by https";
    ck_assert(!fetch(&token));
    ck_assert_str_eq(str_text(&error), line);
    str_clear(&error);
    ck_assert(!fetch(&certificate));
    ck_assert_str_eq(str_text(&error), line);
    str_clear(&error);
    ck_assert(!fetch_text("http://me:secret@127.0.0.1:1/", &password, &text, &error));
    ck_assert_str_eq(str_text(&error), line);
    ck_assert_uint_eq(http_server_connections(server), 0);
}

/* Location: the same path of @to. */
static void redirect(http_server *from, http_server *to)
{
    char location[256];
    snprintf(location, sizeof location, "Location: %s/openapi/v3/apis/apps/v1\r\n",
             http_server_url(to));
    http_server_reply(from, 302, location, "");
}

TEST(with_a_token_no_redirect_is_followed)
{
    const fetch_options options = {.token_file = token_path, .ca_file = ca_path};
    redirect(safe, safe);
    ck_assert(!fetch_from(safe, &options));
    ck_assert_ptr_nonnull(strstr(str_text(&error), "the server answered 302"));
    ck_assert_uint_eq(http_server_count(safe), 1);
}

TEST(a_redirect_does_not_lead_out_of_https)
{
    const fetch_options options = {.ca_file = ca_path};
    redirect(safe, server);
    ck_assert(!fetch_from(safe, &options));
    ck_assert_uint_eq(http_server_connections(server), 0);
    redirect(server, safe);
    http_server_reply_json(safe, "{}");
    str_clear(&error);
    ck_assert_msg(fetch_from(server, &options), "%s", str_text(&error));
    ck_assert_str_eq(str_text(&text), "{}");
}

TEST(an_answer_is_bounded_as_it_is_inflated)
{
    /* A gzip member of 65 MiB of zeros would do; a body without an end does the same. */
    static char chunk[1 << 20];
    const fetch_options options = {0};
    str body = {0};
    memset(chunk, ' ', sizeof chunk);
    for (int i = 0; i < 65; i++)
        str_add_len(&body, chunk, sizeof chunk);
    http_server_reply_chunked(server, str_text(&body), body.len, 0, HTTP_CLOSE);
    ck_assert(!fetch(&options));
    expect_error("more than 64 MiB");
    str_free(&body);
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
    ck_assert(!fetch_text("https://me:secret@127.0.0.1:1/", &options, &text, &error));
    ck_assert_ptr_null(strstr(str_text(&error), "secret"));
    ck_assert_ptr_nonnull(strstr(str_text(&error), "cannot fetch the URL: "));
}

TEST(a_token_file_must_hold_a_token)
{
    const fetch_options missing = {.token_file = "/nonexistent/token"};
    const fetch_options empty = {.token_file = "/dev/null"};
    ck_assert(!fetch_from(safe, &missing));
    ck_assert_str_eq(str_text(&error), "cannot read /nonexistent/token: No such file or directory");
    str_clear(&error);
    ck_assert(!fetch_from(safe, &empty));
    ck_assert_str_eq(str_text(&error), "/dev/null does not hold a token");
}
