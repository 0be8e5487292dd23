/* SPDX-License-Identifier: Apache-2.0 */
/* What a request is understood to be, and how answers are written, without a connection. */
#include "apiserver/core/request.h"
#include "apiserver/value/pretty.h"
#include "apiserver/value/random.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

static kube_ctx *ctx;

static void set_up(void)
{
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    ck_assert(!kube_ctx_failed(ctx));
    kube_ctx_free(ctx);
}

static kube__api_request parse(const char *method, const char *target)
{
    kube__api_request request = {.ctx = ctx, .method = method};
    ck_assert_ptr_null(kube__api_request_parse(&request, target));
    return request;
}

FIXTURE(set_up, tear_down);

TEST(a_path_says_verb_and_resource)
{
    /* The table of the real server's RequestInfo. */
    static const struct {
        const char *method;
        const char *target;
        const char *expected; /* verb group version namespace plural name subresource */
    } cases[] = {
        {"GET", "/api/v1/namespaces", "list||v1||namespaces||"},
        {"GET", "/api/v1/namespaces/a", "get||v1||namespaces|a|"},
        {"PUT", "/api/v1/namespaces/a/status", "update||v1||namespaces|a|status"},
        {"PUT", "/api/v1/namespaces/a/finalize", "update||v1||namespaces|a|finalize"},
        {"GET", "/api/v1/namespaces/a/pods", "list||v1|a|pods||"},
        {"GET", "/api/v1/namespaces/a/pods/b", "get||v1|a|pods|b|"},
        {"HEAD", "/api/v1/namespaces/a/pods/b", "get||v1|a|pods|b|"},
        {"GET", "/api/v1/pods?watch=true", "watch||v1||pods||"},
        {"GET", "/api/v1/pods?watch", "watch||v1||pods||"},
        {"GET", "/api/v1/pods?watch=0", "list||v1||pods||"},
        {"GET", "/api/v1/pods?watch=False", "list||v1||pods||"},
        {"GET", "/api/v1/namespaces/a/pods/b?watch=true", "get||v1|a|pods|b|"},
        {"GET", "/api/v1/watch/namespaces/a/pods", "watch||v1|a|pods||"},
        {"POST", "/api/v1/namespaces/a/pods", "create||v1|a|pods||"},
        {"POST", "/api/v1/namespaces/a/pods/b/eviction", "create||v1|a|pods|b|eviction"},
        {"PATCH", "/apis/g.io/v1/namespaces/a/nets/b/status", "patch|g.io|v1|a|nets|b|status"},
        {"DELETE", "/apis/g.io/v1/nets/b", "delete|g.io|v1||nets|b|"},
        {"DELETE", "/apis/g.io/v1/namespaces/a/nets", "deletecollection|g.io|v1|a|nets||"},
        {"OPTIONS", "/apis/g.io/v1/nets", "options|g.io|v1||nets||"},
        {"GET", "/apis/g.io/v1/nets/a%2Db/", "get|g.io|v1||nets|a-b|"},
        {"GET", "http://host:80/api/v1/pods", "list||v1||pods||"},
        {"GET", "ftp://host/api/v1/pods", "list||v1||pods||"},
        {"GET", "/api/v1/p%6fds", "list||v1||pods||"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube__api_request r = parse(cases[i].method, cases[i].target);
        char got[256];
        snprintf(got, sizeof got, "%s|%s|%s|%s|%s|%s|%s", r.verb, r.group, r.version, r.namespace_,
                 r.plural, r.name, r.subresource);
        ck_assert_str_eq(got, cases[i].expected);
        ck_assert_msg(r.is_resource, "%s", cases[i].target);
    }
}

TEST(other_paths_are_no_resource)
{
    static const char *const targets[] = {"/",       "/api",       "/api/v1",       "/apis",
                                          "/apis/g", "/apis/g/v1", "/healthz/ping", "/apix/v1/pods",
                                          "//"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        kube__api_request r = parse("GET", targets[i]);
        ck_assert_msg(!r.is_resource, "%s", targets[i]);
        ck_assert_str_eq(r.verb, "get");
        ck_assert_str_eq(r.path, targets[i]);
        ck_assert_str_eq(r.plural, "");
    }
    kube__api_request version = parse("GET", "/apis/g.io/v1");
    ck_assert_str_eq(version.group, "g.io");
    ck_assert_str_eq(version.version, "v1");
}

TEST(queries_are_decoded_and_malformed_pairs_left_out)
{
    kube__api_request r =
        parse("GET", "/x?a=1+2&b=%41%3d&c&=d&e=%zz&f=1;2&a=second&g=%00&dryRun=All&&h=a=b?c");
    ck_assert_str_eq(kube__api_query(&r, "a"), "1 2");
    ck_assert_str_eq(kube__api_query(&r, "b"), "A=");
    ck_assert_str_eq(kube__api_query(&r, "c"), "");
    ck_assert(kube__api_query_is_true(&r, "c"));
    ck_assert(!kube__api_query_is_true(&r, "e"));
    ck_assert(!kube__api_query_is_true(&r, "f"));
    ck_assert(!kube__api_query_is_true(&r, "g"));
    ck_assert_str_eq(kube__api_query(&r, "h"), "a=b?c");
    ck_assert_str_eq(kube__api_query(&r, "nope"), "");
    ck_assert(r.dry_run);
    ck_assert_str_eq(r.path, "/x");
    ck_assert_ptr_nonnull(strstr(r.query_text, "a=1+2&b="));
}

TEST(a_target_that_is_none_is_a_400)
{
    static const char *const targets[] = {"/a%zz", "/a%4", "/a%", "/%00", "a/b", ""};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        kube__api_request request = {.ctx = ctx, .method = "GET"};
        kube__api_failure *failure = kube__api_request_parse(&request, targets[i]);
        ck_assert_msg(failure, "%s", targets[i]);
        ck_assert_int_eq(failure->http_status, 400);
        ck_assert(failure->plain_text);
    }
}

/* ---- answers -------------------------------------------------------------------------------- */

TEST(warnings_are_quoted_and_told_once)
{
    kube__api_response response;
    kube__api_response_init(&response);
    kube__api_warn(ctx, &response, "unknown field \"spec.%s\"", "a\\b");
    kube__api_warn(ctx, &response, "unknown field \"spec.%s\"", "a\\b");
    kube__api_warn(ctx, &response, "two\nlines");
    ck_assert_uint_eq(response.header_count, 1);
    ck_assert_str_eq(response.headers[0].key, "Warning");
    ck_assert_str_eq(response.headers[0].value, "299 - \"unknown field \\\"spec.a\\\\b\\\"\"");
    kube__api_response_fini(&response);
}

static void assert_failure(kube__api_failure *failure, int status, const char *body)
{
    kube__api_response response;
    kube__api_response_init(&response);
    kube__api_respond_failure(ctx, &response, failure);
    ck_assert_int_eq(response.http_status, status);
    ck_assert_str_eq(response.body.data, body);
    kube__api_response_fini(&response);
}

#define STATUS "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","

TEST(failures_are_the_real_servers_status)
{
    assert_failure(kube__api_not_found(ctx, "samplecrd.k8s.io", "networks", "nope"), 404,
                   STATUS "\"message\":\"networks.samplecrd.k8s.io \\\"nope\\\" not found\","
                          "\"reason\":\"NotFound\",\"details\":{\"name\":\"nope\",\"group\":"
                          "\"samplecrd.k8s.io\",\"kind\":\"networks\"},\"code\":404}\n");
    assert_failure(kube__api_already_exists(ctx, "", "pods", "a"), 409,
                   STATUS "\"message\":\"pods \\\"a\\\" already exists\","
                          "\"reason\":\"AlreadyExists\",\"details\":{\"name\":\"a\",\"kind\":"
                          "\"pods\"},\"code\":409}\n");
    assert_failure(kube__api_conflict(ctx, "", "pods", "a", "it changed"), 409,
                   STATUS "\"message\":\"Operation cannot be fulfilled on pods \\\"a\\\": it "
                          "changed\",\"reason\":\"Conflict\",\"details\":{\"name\":\"a\","
                          "\"kind\":\"pods\"},\"code\":409}\n");
    kube__api_failure *text = kube__api_fail(ctx, 404, "", "404 page not found");
    text->plain_text = true;
    assert_failure(text, 404, "404 page not found\n");
}

TEST(an_invalid_object_has_all_its_causes)
{
    kube__api_causes causes = {.ctx = ctx};
    kube__api_add_cause(&causes, "FieldValueRequired", "spec.cidr", "Required value");
    ck_assert_str_eq(kube__api_invalid(ctx, "g.io", "Network", "n", &causes)->message,
                     "Network.g.io \"n\" is invalid: spec.cidr: Required value");
    kube__api_add_cause(&causes, "FieldValueRequired", "spec.cidr", "Required value");
    kube__api_add_cause(&causes, "FieldValueInvalid", "spec.mtu", "Invalid value: %d", 1);
    kube__api_failure *failure = kube__api_invalid(ctx, "g.io", "Network", "n", &causes);
    assert_failure(failure, 422,
                   STATUS "\"message\":\"Network.g.io \\\"n\\\" is invalid: [spec.cidr: Required "
                          "value, spec.mtu: Invalid value: 1]\",\"reason\":\"Invalid\","
                          "\"details\":{\"name\":\"n\",\"group\":\"g.io\",\"kind\":\"Network\","
                          "\"causes\":[{\"reason\":\"FieldValueRequired\",\"message\":\"Required "
                          "value\",\"field\":\"spec.cidr\"},{\"reason\":\"FieldValueRequired\","
                          "\"message\":\"Required value\",\"field\":\"spec.cidr\"},"
                          "{\"reason\":\"FieldValueInvalid\",\"message\":\"Invalid value: 1\","
                          "\"field\":\"spec.mtu\"}]},\"code\":422}\n");
}

TEST(pretty_text_is_indented)
{
    static const char compact[] = "{\"a\":[],\"b\":{},\"c\":[1,{\"d\":\"{\\\"x\\\":[1,2]}\"}],"
                                  "\"e\": \"\\\\\",\"f\":-1.5e3,\"g\":[ ],\"h\":null}\n";
    static const char pretty[] = "{\n"
                                 "  \"a\": [],\n"
                                 "  \"b\": {},\n"
                                 "  \"c\": [\n"
                                 "    1,\n"
                                 "    {\n"
                                 "      \"d\": \"{\\\"x\\\":[1,2]}\"\n"
                                 "    }\n"
                                 "  ],\n"
                                 "  \"e\": \"\\\\\",\n"
                                 "  \"f\": -1.5e3,\n"
                                 "  \"g\": [],\n"
                                 "  \"h\": null\n"
                                 "}";
    kube__buffer out;
    kube__buffer_init(&out, SIZE_MAX / 4);
    kube__api_pretty(compact, sizeof compact - 1, &out);
    ck_assert_str_eq(out.data, pretty);
    kube__buffer_reset(&out);
    kube__api_pretty("{\"cut", 5, &out); /* what is no JSON must not lead beyond its end */
    kube__buffer_fini(&out);
}

/* ---- random --------------------------------------------------------------------------------- */

TEST(a_seed_decides_everything)
{
    kube__api_random a;
    kube__api_random b;
    char uuid[2][37];
    char suffix[2][6];
    ck_assert_uint_eq(kube__api_random_init(&a, 7), 7);
    kube__api_random_init(&b, 7);
    for (int i = 0; i < 1000; i++) {
        kube__api_random_uuid(&a, uuid[0]);
        kube__api_random_uuid(&b, uuid[1]);
        ck_assert_str_eq(uuid[0], uuid[1]);
        ck_assert_int_eq(uuid[0][14], '4');
        ck_assert_ptr_nonnull(strchr("89ab", uuid[0][19]));
        kube__api_random_suffix(&a, suffix[0], 5);
        kube__api_random_suffix(&b, suffix[1], 5);
        ck_assert_str_eq(suffix[0], suffix[1]);
        ck_assert_uint_eq(strspn(suffix[0], "bcdfghjklmnpqrstvwxz2456789"), 5);
    }
    ck_assert_uint_ne(kube__api_random_init(&a, 0), 0);
}

TEST(numbers_are_spread_over_their_range)
{
    kube__api_random random;
    unsigned seen[10] = {0};
    double sum = 0;
    kube__api_random_init(&random, 1);
    for (int i = 0; i < 10000; i++) {
        double fraction = kube__api_random_fraction(&random);
        ck_assert(fraction >= 0 && fraction < 1);
        sum += fraction;
        seen[kube__api_random_below(&random, 10)]++;
    }
    ck_assert(sum > 4700 && sum < 5300);
    for (int i = 0; i < 10; i++)
        ck_assert_msg(seen[i] > 800 && seen[i] < 1200, "%d: %u", i, seen[i]);
}
