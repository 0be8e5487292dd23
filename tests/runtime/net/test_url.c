/* SPDX-License-Identifier: Apache-2.0 */
/* Paths and queries (REQ-1, REQ-17; client-go's TestRequestOrdersNamespaceInPath and siblings). */
#include "net/client/options.h"
#include "net/config/url.h"
#include "net_kit.h"

#include <string.h>

static kube_error err;

static void check_url(const kube_config *config, kube__target target, const char *want)
{
    kube__buffer url;
    expect_ok(kube__url_start(&url, config, &target, &err), &err);
    ck_assert_str_eq(url.data, want);
    kube__buffer_fini(&url);
}

/* Peers: TestRequestOrdersNamespaceInPath, TestRequestOrdersSubResource, TestRequestAbsPathJoins,
 * TestRequestPreservesBaseTrailingSlash, TestInvalidSegments, TestRequestSetTwiceError,
 * TestRequestPreflightCheck */
TEST(paths_are_base_group_namespace_resource_name_subresource)
{
    kube_config *config = config_for("https://h:6443/base/", "", "");
    check_url(config, (kube__target){.type = &thing_type, .namespace_ = "team"},
              "https://h:6443/base/apis/test.kube.dev/v1/namespaces/team/things");
    check_url(config,
              (kube__target){
                  .type = &thing_type, .namespace_ = "team", .name = "a", .subresource = "status"},
              "https://h:6443/base/apis/test.kube.dev/v1/namespaces/team/things/a/status");
    check_url(config, (kube__target){.type = &thing_type},
              "https://h:6443/base/apis/test.kube.dev/v1/things");
    check_url(config, (kube__target){.type = &node_type, .name = "n1"},
              "https://h:6443/base/api/v1/nodes/n1");
    kube_config_free(config);
}

TEST(names_are_escaped)
{
    kube_config *config = config_for("http://h", "", "");
    check_url(config, (kube__target){.type = &node_type, .name = "system:node a?b#c\xc3\xa9"},
              "http://h/api/v1/nodes/system:node%20a%3Fb%23c%C3%A9");
    kube_config_free(config);
}

/* Peers: TestRequestOrdersNamespaceInPath, TestRequestOrdersSubResource, TestRequestAbsPathJoins,
 * TestRequestPreservesBaseTrailingSlash, TestInvalidSegments, TestRequestSetTwiceError,
 * TestRequestPreflightCheck */
TEST(names_that_change_the_path_are_refused)
{
    static const char *const names[] = {"", ".", "..", "a/b", "a%2fb", "/", "%"};
    kube_config *config = config_for("http://h", "", "");
    for (size_t i = 0; i < sizeof(names) / sizeof *names; i++) {
        kube__target named = {.type = &thing_type, .namespace_ = "team", .name = names[i]};
        kube__target scoped = {.type = &thing_type, .namespace_ = names[i], .name = "a"};
        kube__buffer url;
        expect(kube__url_start(&url, config, &named, &err), KUBE_ERR_ARGUMENT, &err);
        expect_text(err.message, "resource name");
        if (*names[i]) {
            expect(kube__url_start(&url, config, &scoped, &err), KUBE_ERR_ARGUMENT, &err);
            expect_text(err.message, "namespace");
        }
    }
    kube_config_free(config);
}

TEST(list_options_are_queries_without_zeros)
{
    const kube_list_options options = {.label_selector = "a=b,c in (d, e)",
                                       .field_selector = "metadata.name=x",
                                       .resource_version = "0",
                                       .resource_version_match = "NotOlderThan",
                                       .limit = 500,
                                       .continue_token = "ey+/=",
                                       .timeout_seconds = 30};
    kube_config *config = config_for("http://h", "", "");
    kube__target target = {.type = &node_type};
    kube__buffer url;
    expect_ok(kube__url_start(&url, config, &target, &err), &err);
    kube__options_list(&url, &options);
    ck_assert_str_eq(url.data, "http://h/api/v1/nodes?labelSelector=a%3Db%2Cc%20in%20%28d%2C%20e%29"
                               "&fieldSelector=metadata.name%3Dx&resourceVersion=0"
                               "&resourceVersionMatch=NotOlderThan&limit=500"
                               "&continue=ey%2B%2F%3D&timeoutSeconds=30");
    kube__buffer_fini(&url);
    expect_ok(kube__url_start(&url, config, &target, &err), &err);
    kube__options_list(&url, &(kube_list_options){.resource_version = ""});
    ck_assert_str_eq(url.data, "http://h/api/v1/nodes");
    kube__buffer_fini(&url);
    kube_config_free(config);
}

TEST(watch_and_write_options_are_queries)
{
    kube_config *config = config_for("http://h", "", "");
    kube__target target = {.type = &node_type};
    kube__buffer url;
    expect_ok(kube__url_start(&url, config, &target, &err), &err);
    kube__options_watch(&url, &(kube_watch_options){.resource_version = "7",
                                                    .allow_bookmarks = true,
                                                    .send_initial_events = true,
                                                    .timeout_seconds = 300});
    ck_assert_str_eq(url.data, "http://h/api/v1/nodes?watch=true&resourceVersion=7"
                               "&allowWatchBookmarks=true&sendInitialEvents=true"
                               "&timeoutSeconds=300");
    kube__buffer_fini(&url);
    expect_ok(kube__url_start(&url, config, &target, &err), &err);
    kube__options_write(&url, &(kube_write_options){.dry_run = true,
                                                    .field_manager = "me",
                                                    .field_validation = "Strict"});
    ck_assert_str_eq(url.data,
                     "http://h/api/v1/nodes?dryRun=All&fieldManager=me&fieldValidation=Strict");
    kube__buffer_fini(&url);
    kube_config_free(config);
}

TEST(delete_options_are_a_body)
{
    kube_ctx *ctx = kube_ctx_new();
    const kube_delete_options options = {.grace_period_seconds = KUBE_SOME(0),
                                         .propagation_policy = "Foreground",
                                         .precondition_uid = "a\"b\\c\n",
                                         .precondition_resource_version = "7",
                                         .dry_run = true};
    const char *json;
    size_t len;
    expect_ok(kube__options_delete(ctx, &options, &json, &len, &err), &err);
    ck_assert_str_eq(json, "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\","
                           "\"gracePeriodSeconds\":0,\"propagationPolicy\":\"Foreground\","
                           "\"preconditions\":{\"uid\":\"a\\\"b\\\\c\\u000a\","
                           "\"resourceVersion\":\"7\"},\"dryRun\":[\"All\"]}");
    ck_assert_uint_eq(len, strlen(json));
    expect_ok(kube__options_delete(ctx, &(kube_delete_options){0}, &json, &len, &err), &err);
    ck_assert_ptr_null(json);
    kube_ctx_free(ctx);
}
