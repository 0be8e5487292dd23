/* SPDX-License-Identifier: Apache-2.0 */
/* The Authorization header and token files (CFG-5; client-go's TestCachingTokenSource). */
#include "net/config/credentials.h"
#include "net_kit.h"

#include <kube/testing/clock.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char file[32];
static kube_error err;
static kube_ctx *ctx;

static void write_token(const char *text)
{
    FILE *out = fopen(file, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
}

static kube__credentials *make(const char *user, kube_clock *clock)
{
    kube_config *config = config_for("https://a", "", user);
    kube__credentials *credentials;
    expect_ok(kube__credentials_new(config, clock, &credentials, &err), &err);
    kube_config_free(config);
    return credentials;
}

static void check(kube__credentials *credentials, const char *want)
{
    const char *value;
    expect_ok(kube__credentials_header(credentials, ctx, NULL, &value, &err), &err);
    if (want)
        ck_assert_str_eq(value, want);
    else
        ck_assert_ptr_null(value);
}

static void set_up(void)
{
    static const char template[] = "/tmp/kube-token-XXXXXX";
    int fd;
    memcpy(file, template, sizeof template);
    fd = mkstemp(file);
    ck_assert_int_ge(fd, 0);
    close(fd);
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
    unlink(file);
}

FIXTURE(set_up, tear_down);

/* Peers: TestCachingTokenSource, TestTokenSourceTransportRoundTrip, TestBearerAuthRoundTripper,
 * TestImpersonationRoundTripper, TestHeaderEscapeRoundTrip, TestPrecedenceTokenFile,
 * TestBasicTokenFile, TestFullImpersonateConfig, TestProxyURL */
TEST(tokens_and_basic_authentication_are_headers)
{
    kube__credentials *credentials = make("token: abc", kube_clock_system());
    check(credentials, "Bearer abc");
    kube__credentials_free(credentials);
    credentials = make("username: user, password: 'pass:word'", kube_clock_system());
    check(credentials, "Basic dXNlcjpwYXNzOndvcmQ=");
    kube__credentials_free(credentials);
    credentials = make("username: u", kube_clock_system());
    check(credentials, "Basic dTo=");
    kube__credentials_free(credentials);
    credentials = make("", kube_clock_system());
    check(credentials, NULL);
    kube__credentials_free(credentials);
}

/* Peers: TestCachingTokenSource, TestTokenSourceTransportRoundTrip, TestBearerAuthRoundTripper,
 * TestImpersonationRoundTripper, TestHeaderEscapeRoundTrip */
TEST(a_token_file_is_read_again_after_fifty_seconds)
{
    kube_fake_clock *fake = kube_fake_clock_new();
    kube__credentials *credentials;
    write_token("  one\n");
    credentials =
        make(kube_printf(ctx, "token: static, tokenFile: %s", file), kube_fake_clock_clock(fake));
    check(credentials, "Bearer one"); /* the file beats the static token */
    write_token("two\n");
    kube_fake_clock_advance_ms(fake, 49999);
    check(credentials, "Bearer one");
    kube_fake_clock_advance_ms(fake, 1);
    check(credentials, "Bearer two");
    write_token("three");
    kube_fake_clock_advance_ms(fake, 49000);
    check(credentials, "Bearer two");
    kube__credentials_free(credentials);
    kube_fake_clock_free(fake);
}

TEST(a_token_that_cannot_be_read_again_stays)
{
    kube_fake_clock *fake = kube_fake_clock_new();
    kube__credentials *credentials;
    write_token("one");
    credentials = make(kube_printf(ctx, "tokenFile: %s", file), kube_fake_clock_clock(fake));
    unlink(file);
    kube_fake_clock_advance_ms(fake, 60000);
    check(credentials, "Bearer one");
    write_token(" \n");
    kube_fake_clock_advance_ms(fake, 60000);
    check(credentials, "Bearer one");
    write_token("two\nHost: elsewhere");
    kube_fake_clock_advance_ms(fake, 60000);
    check(credentials, "Bearer one");
    write_token("two");
    kube_fake_clock_advance_ms(fake, 60000);
    check(credentials, "Bearer two");
    kube__credentials_free(credentials);
    kube_fake_clock_free(fake);
}

TEST(without_a_static_token_the_file_must_be_readable_at_first)
{
    kube_config *config;
    kube__credentials *credentials;
    write_token("one");
    config = config_for("https://a", "", kube_printf(ctx, "tokenFile: %s", file));
    write_token("");
    expect(kube__credentials_new(config, kube_clock_system(), &credentials, &err), KUBE_ERR_CONFIG,
           &err);
    expect_text(err.message, "is empty");
    kube_config_free(config);
    config = config_for("https://a", "", kube_printf(ctx, "token: static, tokenFile: %s", file));
    expect_ok(kube__credentials_new(config, kube_clock_system(), &credentials, &err), &err);
    check(credentials, "Bearer static");
    kube__credentials_free(credentials);
    kube_config_free(config);
}
