/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the verbs put on the wire and what they make of the answers (REQ-1, REQ-2, REQ-6, REQ-8;
 * client-go's TestHTTPMethods, TestTransformResponse, TestDoRequestSuccess).
 */
#include "net_kit.h"
#include "object/block/block.h"

#include <kube/log.h>
#include <kube/scale.h>
#include <kube/subresource.h>
#include <string.h>

static kube_error err;
static http_server *server;
static kube_client *client;
static kube_ctx *ctx;

static void set_up(void)
{
    server = http_server_start(NULL);
    client = client_for(http_server_url(server), "", "as: jane");
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
    kube_client_free(client);
    http_server_free(server);
}

static const thing red = {.metadata = {.name = "a", .resource_version = "7"},
                          .spec = {.color = "red", .size = 1}};

static const char *last_request(void)
{
    return http_server_request(server, http_server_count(server) - 1);
}

static void check_line(const char *line)
{
    const char *request = last_request();
    ck_assert_msg(!strncmp(request, line, strlen(line)), "%s", request);
}

static const char *body_of(const char *request)
{
    return strstr(request, "\r\n\r\n") + 4;
}

static void check_thing(const kube_object *object)
{
    const thing *t = (const thing *)(const void *)object;
    ck_assert_ptr_nonnull(object);
    ck_assert_ptr_eq(object->type, &thing_type);
    ck_assert_str_eq(t->metadata.name, "a");
    ck_assert_str_eq(t->spec.color, "red");
}

/* ---- requests ------------------------------------------------------------------------------ */

/* Peers: TestDoRequestSuccess, TestDoRequestFailed, TestDoRequestAcceptedNoContentReturned,
 * TestHTTPMethods */
TEST(get_asks_and_decodes)
{
    kube_object *out;
    set_up();
    http_server_reply_json(server, THING_JSON("a", "7"));
    expect_ok(kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"),
                              &(kube_get_options){.resource_version = "0"}, &out, &err),
              &err);
    check_thing(out);
    ck_assert(!(out->block->flags & KUBE__BLOCK_SEALED)); /* the caller may edit it */
    check_line("GET /apis/test.kube.dev/v1/namespaces/team/things/a?resourceVersion=0 HTTP/1.1");
    expect_text(last_request(), "\r\nAccept: application/json\r\n");
    expect_text(last_request(), " kubegen/0.1.0\r\n");
    expect_text(last_request(), "\r\nImpersonate-User: jane\r\n");
    ck_assert_ptr_null(strstr(last_request(), "Accept-Encoding"));
    ck_assert_ptr_null(strstr(last_request(), "Content-Type"));
    ck_assert_uint_eq(kube_client_request_count(client), 1);
    tear_down();
}

/* Peers: TestDoRequestSuccess, TestDoRequestFailed, TestDoRequestAcceptedNoContentReturned,
 * TestHTTPMethods */
TEST(create_posts_the_object)
{
    const kube_write_options options = {.dry_run = true, .field_manager = "me"};
    kube_object *out;
    set_up();
    http_server_reply(server, 201, "Content-Type: application/json\r\n", THING_JSON("a", "7"));
    expect_ok(kube_client_create(client, ctx, &thing_type, "team", &red.base, &options, &out, &err),
              &err);
    check_thing(out);
    check_line(
        "POST /apis/test.kube.dev/v1/namespaces/team/things?dryRun=All&fieldManager=me HTTP");
    expect_text(last_request(), "\r\nContent-Type: application/json\r\n");
    expect_text(body_of(last_request()), "\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Thing\"");
    expect_text(body_of(last_request()), "\"spec\":{\"color\":\"red\",\"size\":1}");
    tear_down();
}

TEST(the_namespace_of_the_object_serves_when_none_is_said)
{
    thing object = red;
    set_up();
    object.metadata.namespace_ = "own";
    http_server_reply_json(server, THING_JSON("a", "7"));
    expect_ok(kube_client_create(client, ctx, &thing_type, NULL, &object.base, NULL, NULL, &err),
              &err);
    check_line("POST /apis/test.kube.dev/v1/namespaces/own/things HTTP");
    expect(kube_client_create(client, ctx, &thing_type, "", &red.base, NULL, NULL, &err),
           KUBE_ERR_ARGUMENT, &err);
    expect_text(err.message, "cannot create things without a namespace");
    expect(kube_client_delete(client, ctx, &thing_type, kube_key_of(NULL, "a"), NULL, &err),
           KUBE_ERR_ARGUMENT, &err);
    expect(kube_client_delete(client, ctx, &node_type, kube_key_of("team", "a"), NULL, &err),
           KUBE_ERR_ARGUMENT, &err);
    expect_text(err.message, "cluster-scoped");
    ck_assert_uint_eq(kube_client_request_count(client), 1);
    tear_down();
}

/* Peers: TestDoRequestSuccess, TestDoRequestFailed, TestDoRequestAcceptedNoContentReturned,
 * TestHTTPMethods */
TEST(update_puts_and_update_status_puts_the_subresource)
{
    kube_object *out;
    set_up();
    http_server_reply_json(server, THING_JSON("a", "8"));
    expect_ok(kube_client_update(client, ctx, &thing_type, "team", &red.base, NULL, &out, &err),
              &err);
    check_line("PUT /apis/test.kube.dev/v1/namespaces/team/things/a HTTP");
    expect_text(body_of(last_request()), "\"resourceVersion\":\"7\"");
    http_server_reply_json(server, THING_JSON("a", "8"));
    expect_ok(
        kube_client_update_status(client, ctx, &thing_type, "team", &red.base, NULL, &out, &err),
        &err);
    check_line("PUT /apis/test.kube.dev/v1/namespaces/team/things/a/status HTTP");
    tear_down();
}

TEST(update_of_a_partial_object_is_refused)
{
    static const char lossy[] = "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Thing\","
                                "\"metadata\":{\"name\":\"a\"},\"spec\":{\"mtu\":5}}";
    static const char lossy_status[] = "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Thing\","
                                       "\"metadata\":{\"name\":\"a\"},\"status\":{\"x\":5}}";
    const kube_subresource part = {&thing_type, "part", &thing_type, &thing_type};
    kube_object *object;
    thing copy;
    set_up();
    expect_ok(kube_decode(ctx, &thing_type, lossy, strlen(lossy), &object, &err), &err);
    expect(kube_client_update(client, ctx, &thing_type, "team", object, NULL, NULL, &err),
           KUBE_ERR_PARTIAL, &err);
    expect_text(err.message, "spec.mtu");
    expect_text(err.message, "patch_diff");
    expect_text(err.message, "kube_extra");
    ck_assert_str_eq(err.field, "spec.mtu");
    expect(kube_client_update_subresource(client, ctx, &part, kube_key_of("team", "a"), object,
                                          NULL, NULL, &err),
           KUBE_ERR_PARTIAL, &err);
    memcpy(&copy, object, sizeof(copy)); /* a struct copy has lost the same */
    expect(kube_client_update(client, ctx, &thing_type, "team", &copy.base, NULL, NULL, &err),
           KUBE_ERR_PARTIAL, &err);
    http_server_reply_json(server, THING_JSON("a", "8"));
    expect_ok(kube_client_update_status(client, ctx, &thing_type, "team", object, NULL, NULL, &err),
              &err);
    http_server_reply_json(server, THING_JSON("a", "8"));
    expect_ok(kube_client_update(client, ctx, &thing_type, "team", object,
                                 &(kube_write_options){.allow_partial = true}, NULL, &err),
              &err);
    expect_ok(kube_decode(ctx, &thing_type, lossy_status, strlen(lossy_status), &object, &err),
              &err);
    expect(kube_client_update_status(client, ctx, &thing_type, "team", object, NULL, NULL, &err),
           KUBE_ERR_PARTIAL, &err);
    ck_assert_uint_eq(kube_client_request_count(client), 2);
    tear_down();
}

/* Peers: TestDoRequestSuccess, TestDoRequestFailed, TestDoRequestAcceptedNoContentReturned,
 * TestHTTPMethods */
TEST(delete_sends_its_options_and_takes_status_or_object)
{
    const kube_delete_options options = {.propagation_policy = "Background",
                                         .precondition_uid = "u"};
    set_up();
    http_server_reply_json(server, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                                   "\"status\":\"Success\"}");
    expect_ok(kube_client_delete(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &err),
              &err);
    check_line("DELETE /apis/test.kube.dev/v1/namespaces/team/things/a HTTP");
    ck_assert_str_eq(body_of(last_request()), "");
    http_server_reply_json(server, THING_JSON("a", "8"));
    expect_ok(
        kube_client_delete(client, ctx, &thing_type, kube_key_of("team", "a"), &options, &err),
        &err);
    expect_text(body_of(last_request()), "\"preconditions\":{\"uid\":\"u\"}");
    http_server_reply(server, 204, NULL, NULL);
    expect_ok(kube_client_delete(client, ctx, &node_type, kube_key_of(NULL, "n"), NULL, &err),
              &err);
    check_line("DELETE /api/v1/nodes/n HTTP");
    http_server_reply_json(server, "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":"
                                   "\"Conflict\",\"message\":\"no\",\"code\":409}");
    expect(kube_client_delete(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &err),
           KUBE_ERR_CONFLICT, &err);
    tear_down();
}

TEST(delete_object_deletes_what_was_seen)
{
    thing seen = red;
    set_up();
    expect(kube_client_delete_object(client, ctx, &thing_type, &seen.base, NULL, &err),
           KUBE_ERR_ARGUMENT, &err);
    expect_text(err.message, "delete_object of things \"a\": the object has no uid");
    seen.metadata.uid = "u1";
    seen.metadata.namespace_ = "team";
    http_server_reply_json(server, THING_JSON("a", "8"));
    expect_ok(kube_client_delete_object(client, ctx, &thing_type, &seen.base, NULL, &err), &err);
    check_line("DELETE /apis/test.kube.dev/v1/namespaces/team/things/a HTTP");
    expect_text(body_of(last_request()),
                "\"preconditions\":{\"uid\":\"u1\",\"resourceVersion\":\"7\"}");
    http_server_reply_json(server, THING_JSON("a", "8"));
    expect_ok(kube_client_delete_object(client, ctx, &thing_type, &seen.base,
                                        &(kube_delete_options){.precondition_resource_version = ""},
                                        &err),
              &err);
    expect_text(body_of(last_request()), "\"preconditions\":{\"uid\":\"u1\"}");
    tear_down();
}

TEST(delete_collection_selects_in_one_namespace)
{
    set_up();
    expect(kube_client_delete_collection(client, ctx, &thing_type, "", NULL, NULL, &err),
           KUBE_ERR_ARGUMENT, &err);
    expect_text(err.message, "without a namespace");
    ck_assert_uint_eq(kube_client_request_count(client), 0);
    http_server_reply_json(server, THING_LIST_JSON("", "9", ""));
    expect_ok(kube_client_delete_collection(client, ctx, &thing_type, "team", NULL,
                                            &(kube_list_options){.label_selector = "a=b"}, &err),
              &err);
    check_line("DELETE /apis/test.kube.dev/v1/namespaces/team/things?labelSelector=a%3Db HTTP");
    tear_down();
}

TEST(patches_say_what_they_are)
{
    static const char *const types[] = {"application/json-patch+json",
                                        "application/merge-patch+json",
                                        "application/strategic-merge-patch+json"};
    const kube_patch_options options = {.subresource = "status"};
    kube_object *out;
    set_up();
    for (int i = 0; i < 3; i++) {
        http_server_reply_json(server, THING_JSON("a", "8"));
        expect_ok(kube_client_patch(client, ctx, &thing_type, kube_key_of("team", "a"),
                                    (kube_patch_type)i, "{}", 2, &options, &out, &err),
                  &err);
        check_line("PATCH /apis/test.kube.dev/v1/namespaces/team/things/a/status HTTP");
        expect_text(last_request(), types[i]);
        ck_assert_str_eq(body_of(last_request()), "{}");
    }
    tear_down();
}

TEST(apply_sends_what_is_set_and_needs_a_manager)
{
    const kube_apply_options options = {.field_manager = "me", .force = true};
    const thing wanted = {.metadata = {.name = "a"}, .spec = {.color = "red"}};
    kube_object *out;
    set_up();
    expect(kube_client_apply(client, ctx, &thing_type, "team", &wanted.base, NULL, &out, &err),
           KUBE_ERR_ARGUMENT, &err);
    expect_text(err.message, "field_manager");
    http_server_reply_json(server, THING_JSON("a", "8"));
    expect_ok(
        kube_client_apply(client, ctx, &thing_type, "team", &wanted.base, &options, &out, &err),
        &err);
    check_line("PATCH /apis/test.kube.dev/v1/namespaces/team/things/a?fieldManager=me&force=true ");
    expect_text(last_request(), "\r\nContent-Type: application/apply-patch+yaml\r\n");
    ck_assert_str_eq(body_of(last_request()),
                     "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Thing\",\"metadata\":"
                     "{\"name\":\"a\"},\"spec\":{\"color\":\"red\"}}");
    tear_down();
}

TEST(patch_diff_sends_the_difference_with_the_version)
{
    thing blue = red;
    kube_object *out;
    set_up();
    blue.spec.color = "blue";
    blue.metadata.resource_version = "older or newer, no matter";
    http_server_reply_json(server, THING_JSON("a", "8"));
    expect_ok(kube_client_patch_diff(client, ctx, &thing_type, "team", &red.base, &blue.base, NULL,
                                     &out, &err),
              &err);
    check_line("PATCH /apis/test.kube.dev/v1/namespaces/team/things/a HTTP");
    expect_text(last_request(), "application/merge-patch+json");
    ck_assert_str_eq(body_of(last_request()), "{\"metadata\":{\"resourceVersion\":\"7\"},"
                                              "\"spec\":{\"color\":\"blue\"}}");
    tear_down();
}

TEST(patch_diff_without_a_difference_sends_nothing)
{
    thing same = red;
    kube_object *out;
    set_up();
    same.metadata.resource_version = "8";
    expect_ok(kube_client_patch_diff(client, ctx, &thing_type, "team", &red.base, &same.base, NULL,
                                     &out, &err),
              &err);
    check_thing(out);
    ck_assert_uint_eq(kube_client_request_count(client), 0);
    same.metadata.resource_version = NULL;
    expect(kube_client_patch_diff(client, ctx, &thing_type, "team", &same.base, &red.base, NULL,
                                  &out, &err),
           KUBE_ERR_ARGUMENT, &err);
    expect_text(err.message, "resourceVersion");
    tear_down();
}

/* ---- lists --------------------------------------------------------------------------------- */

TEST(list_collects_all_items)
{
    kube_object_list *list;
    size_t bad = 7;
    set_up();
    http_server_reply_json(
        server, THING_LIST_JSON(THING_JSON("a", "1") "," THING_JSON("b", "2"), "9", "more"));
    expect_ok(kube_client_list(client, ctx, &thing_type, NULL, &(kube_list_options){.limit = 2},
                               &list, &bad, &err),
              &err);
    check_line("GET /apis/test.kube.dev/v1/things?limit=2 HTTP/1.1");
    ck_assert_uint_eq(list->len, 2);
    ck_assert_uint_eq(bad, 0);
    check_thing(list->items[0]);
    ck_assert(!(list->items[1]->block->flags & KUBE__BLOCK_SEALED));
    ck_assert_str_eq(list->metadata.resource_version, "9");
    ck_assert_str_eq(list->metadata.continue_, "more");
    tear_down();
}

TEST(an_item_of_the_wrong_shape_is_left_out_and_counted)
{
    kube_object_list *list;
    size_t bad;
    set_up();
    kube_log_set_level(KUBE_LOG_ERROR);
    http_server_reply_json(
        server,
        THING_LIST_JSON(THING_JSON("a", "1") ",{\"spec\":{\"size\":\"no\"}}," THING_JSON("b", "2"),
                        "9", ""));
    expect_ok(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, &bad, &err), &err);
    kube_log_set_level(KUBE_LOG_INFO);
    ck_assert_uint_eq(list->len, 2);
    ck_assert_uint_eq(bad, 1);
    ck_assert_ptr_null(list->metadata.continue_);
    tear_down();
}

static bool count_until(void *arg, const kube_object *object)
{
    int *left = arg;
    (void)object;
    return --*left > 0;
}

/* Peers: TestListPager_List */
TEST(list_each_follows_pages)
{
    kube_list_meta metadata;
    int left = 100;
    set_up();
    http_server_reply_json(
        server, THING_LIST_JSON(THING_JSON("a", "1") "," THING_JSON("b", "2"), "9", "t1"));
    http_server_reply_json(server, THING_LIST_JSON(THING_JSON("c", "3"), "9", ""));
    expect_ok(kube_client_list_each(client, ctx, &thing_type, "team",
                                    &(kube_list_options){.resource_version = "0",
                                                         .resource_version_match = "Exact",
                                                         .label_selector = "x"},
                                    count_until, &left, &metadata, &err),
              &err);
    ck_assert_int_eq(left, 97);
    ck_assert_str_eq(metadata.resource_version, "9");
    expect_text(http_server_request(server, 0),
                "?labelSelector=x&resourceVersion=0&resourceVersionMatch=Exact&limit=500 ");
    expect_text(http_server_request(server, 1),
                "?labelSelector=x&limit=500&continue=t1 "); /* PAG-1 */
    left = 1;
    http_server_reply_json(server, THING_LIST_JSON(THING_JSON("a", "1"), "9", "t1"));
    expect_ok(kube_client_list_each(client, ctx, &thing_type, "team", NULL, count_until, &left,
                                    &metadata, &err),
              &err);
    ck_assert_ptr_null(metadata.resource_version); /* the visit ended the listing before it */
    ck_assert_uint_eq(http_server_count(server), 3);
    tear_down();
}

static const char expired[] = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                              "\"status\":\"Failure\",\"message\":\"too old\",\"reason\":"
                              "\"Expired\",\"code\":410}";

static void begin_again(void *arg)
{
    *(int *)arg = 100;
}

TEST(an_expired_page_ends_the_list_or_starts_it_over) /* PAG-1 */
{
    int left = 100;
    const kube_list_options options = {.on_restart = begin_again, .on_restart_arg = &left};
    set_up();
    http_server_reply_json(server, THING_LIST_JSON(THING_JSON("a", "1"), "9", "t1"));
    http_server_reply(server, 410, "Content-Type: application/json\r\n", expired);
    expect(kube_client_list_each(client, ctx, &thing_type, "team", NULL, count_until, &left, NULL,
                                 &err),
           KUBE_ERR_EXPIRED, &err);
    ck_assert_int_eq(left, 99); /* nothing twice */
    http_server_reply_json(server, THING_LIST_JSON(THING_JSON("a", "1"), "9", "t1"));
    http_server_reply(server, 410, "Content-Type: application/json\r\n", expired);
    http_server_reply_json(
        server, THING_LIST_JSON(THING_JSON("a", "1") "," THING_JSON("b", "2"), "10", ""));
    expect_ok(kube_client_list_each(client, ctx, &thing_type, "team", &options, count_until, &left,
                                    NULL, &err),
              &err);
    ck_assert_int_eq(left, 98); /* those of the whole list alone */
    expect_text(http_server_request(server, 4), "/things HTTP");
    http_server_reply(server, 410, "Content-Type: application/json\r\n", expired);
    expect(kube_client_list_each(client, ctx, &thing_type, "team", &options, count_until, &left,
                                 NULL, &err),
           KUBE_ERR_EXPIRED, &err);
    tear_down();
}

/* ---- answers ------------------------------------------------------------------------------- */

static kube_code get(kube_object **out)
{
    return kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, out, &err);
}

/* Peers: TestTransformResponse, TestTransformUnstructuredError, TestTruncateBody */
TEST(a_status_becomes_the_error)
{
    kube_object *out = (kube_object *)1;
    set_up();
    http_server_reply(server, 422, "Content-Type: application/json\r\n",
                      "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\","
                      "\"message\":\"Thing \\\"a\\\" is invalid: spec.size: too big\",\"reason\":"
                      "\"Invalid\",\"details\":{\"causes\":[{\"reason\":\"FieldValueInvalid\","
                      "\"field\":\"spec.size\"}]},\"code\":422}");
    expect(get(&out), KUBE_ERR_INVALID, &err);
    ck_assert_ptr_null(out);
    ck_assert_int_eq(err.http_status, 422);
    ck_assert_str_eq(err.field, "spec.size");
    expect_text(err.message, "spec.size: too big");
    tear_down();
}

/* Peers: TestTransformResponse, TestTransformUnstructuredError, TestTruncateBody */
TEST(answers_that_are_no_status_are_understood)
{
    kube_object *out;
    set_up();
    http_server_reply(server, 404, "Content-Type: text/plain; charset=utf-8\r\n",
                      "404 page not found\n");
    expect(get(&out), KUBE_ERR_NOT_FOUND, &err);
    expect_text(err.message, "things \"a\"");
    expect_text(err.message, "Thing served? its CRD may not be applied");
    http_server_reply(server, 429, "Content-Type: text/plain\r\n", "Too many requests\n");
    expect(get(&out), KUBE_ERR_TOO_MANY_REQUESTS, &err);
    http_server_reply(server, 502, "Content-Type: text/html\r\n", "<html>bad gateway</html>");
    expect(get(&out), KUBE_ERR_SERVER, &err);
    expect_text(err.message, "text/html");
    http_server_reply(server, 302, "Location: http://elsewhere/\r\n", "");
    expect(get(&out), KUBE_ERR_SERVER, &err);
    ck_assert_int_eq(err.http_status, 302);
    ck_assert_uint_eq(http_server_count(server), 4); /* no Retry-After, no retry (REQ-4) */
    tear_down();
}

TEST(a_success_that_is_no_object_is_an_error)
{
    kube_object *out;
    set_up();
    http_server_reply(server, 200, "Content-Type: text/html\r\n", "<html>please log in</html>");
    expect(get(&out), KUBE_ERR_SERVER, &err);
    expect_text(err.message, "/things/a: the answer is text/html, not JSON");
    http_server_reply_json(server, "");
    expect(get(&out), KUBE_ERR_DECODE, &err);
    expect_text(err.message, "the answer is empty (http status 200)");
    http_server_reply_json(server, "null");
    expect(get(&out), KUBE_ERR_DECODE, &err);
    http_server_reply_json(server, "Service temporarily down");
    expect(get(&out), KUBE_ERR_DECODE, &err);
    expect_text(err.message, "GET http://127.0.0.1:");
    http_server_reply_json(server, "{\"kind\":\"Thing\"} trailing");
    expect(get(&out), KUBE_ERR_DECODE, &err);
    http_server_reply_json(server, "{\"spec\":{\"size\":1.5}}");
    expect(get(&out), KUBE_ERR_DECODE, &err);
    ck_assert_str_eq(err.field, "spec.size");
    http_server_reply_json(server, "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"size\":1.5}}");
    expect(get(&out), KUBE_ERR_UNDECODABLE, &err); /* it is there */
    ck_assert_str_eq(err.field, "spec.size");
    http_server_reply_json(server, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":"
                                   "\"Failure\",\"reason\":\"NotFound\",\"message\":\"gone\","
                                   "\"code\":404}");
    expect(get(&out), KUBE_ERR_NOT_FOUND, &err); /* REQ-6 */
    tear_down();
}

#define EVIL_JSON(name) "{\"metadata\":{\"name\":\"" name "\",\"namespace\":\"team\"}}"

/* What a name is used for next, nobody knows: no call lets one through that could be a path. */
TEST(a_name_that_no_object_can_have_gets_nowhere)
{
    static const char *const objects[] = {EVIL_JSON("../../etc/passwd"),
                                          EVIL_JSON(".."),
                                          EVIL_JSON("a%2fb"),
                                          EVIL_JSON("a\\u001b[2J"),
                                          EVIL_JSON("a\\u0000b"),
                                          "{\"metadata\":{\"name\":\"a\",\"namespace\":\"..\"}}"};
    thing new = {.base.type = &thing_type, .metadata = {.generate_name = "a-"}};
    kube_object_list *list;
    kube_object *out;
    set_up();
    kube_log_set_level(KUBE_LOG_ERROR);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        size_t bad;
        http_server_reply_json(
            server,
            kube_printf(ctx, THING_LIST_JSON(THING_JSON("a", "1") ",%s", "9", ""), objects[i]));
        expect_ok(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, &bad, &err),
                  &err);
        ck_assert_uint_eq(list->len, 1);
        ck_assert_uint_eq(bad, 1);
        http_server_reply_json(server, objects[i]);
        ck_assert_int_ne(get(&out), KUBE_OK);
        ck_assert_ptr_null(out);
        http_server_reply_json(server, objects[i]);
        ck_assert_int_ne(
            kube_client_create(client, ctx, &thing_type, "team", &new.base, NULL, &out, &err),
            KUBE_OK);
        ck_assert_ptr_null(out);
    }
    http_server_reply_json(server, EVIL_JSON(".."));
    expect(get(&out), KUBE_ERR_UNDECODABLE, &err);
    expect_text(err.message, "metadata.name: no object can have a name that is \".\" or \"..\"");
    ck_assert_str_eq(err.field, "metadata.name");
    http_server_reply_json(server, "{\"metadata\":{\"namespace\":\"team\"}}");
    expect(get(&out), KUBE_ERR_UNDECODABLE, &err);
    kube_log_set_level(KUBE_LOG_INFO);
    tear_down();
}

TEST(a_list_that_is_none_is_an_error)
{
    kube_object_list *list;
    set_up();
    http_server_reply_json(server, "null");
    expect(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err),
           KUBE_ERR_DECODE, &err);
    http_server_reply_json(server, "");
    expect(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err),
           KUBE_ERR_DECODE, &err);
    http_server_reply(server, 200, "Content-Type: text/html\r\n", "<html></html>");
    expect(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err),
           KUBE_ERR_SERVER, &err);
    http_server_reply(server, 403, "Content-Type: text/html\r\n", "<html></html>");
    expect(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err),
           KUBE_ERR_FORBIDDEN, &err);
    ck_assert_ptr_null(list);
    tear_down();
}

#define FORBIDDEN(text)                                                                            \
    "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"" text        \
    "\",\"reason\":\"Forbidden\",\"code\":403}"

TEST(forbidden_names_the_missing_rule)
{
    kube_object_list *list;
    set_up();
    http_server_reply(server, 403, "Content-Type: application/json\r\n",
                      FORBIDDEN("things.test.kube.dev is forbidden: User \\\"u\\\" cannot update "
                                "resource \\\"things/status\\\""));
    expect(kube_client_update_status(client, ctx, &thing_type, "team", &red.base, NULL, NULL, &err),
           KUBE_ERR_FORBIDDEN, &err);
    expect_text(err.message,
                "not allowed to update things/status in namespace \"team\"; the missing Role rule: "
                "{apiGroups: [\"test.kube.dev\"], resources: [\"things/status\"], verbs: "
                "[\"update\"]}; things.test.kube.dev is forbidden");
    ck_assert_int_eq(err.http_status, 403);
    ck_assert_str_eq(err.reason, "Forbidden");
    http_server_reply(server, 403, "Content-Type: application/json\r\n",
                      FORBIDDEN("things is forbidden: User \\\"u\\\" cannot list resource"));
    expect(kube_client_list(client, ctx, &thing_type, NULL, NULL, &list, NULL, &err),
           KUBE_ERR_FORBIDDEN, &err);
    expect_text(err.message,
                "not allowed to list things in all namespaces; the missing ClusterRole");
    http_server_reply(server, 403, "Content-Type: application/json\r\n",
                      FORBIDDEN("exceeded quota"));
    expect(kube_client_create(client, ctx, &thing_type, "team", &red.base, NULL, NULL, &err),
           KUBE_ERR_FORBIDDEN, &err);
    ck_assert_str_eq(err.message, "exceeded quota"); /* no rule would help */
    tear_down();
}

static void take_warning(void *arg, const char *text)
{
    strcat(strcat(arg, text), "|");
}

typedef struct asking {
    pthread_t thread;
    char seen[64];
    bool asked;
} asking;

/* Asks the server why. */
static void ask_why(void *arg, const char *text)
{
    asking *a = arg;
    kube_object *out;
    ck_assert(pthread_equal(a->thread, pthread_self()));
    strcat(strcat(a->seen, text), "|");
    if (a->asked)
        return;
    a->asked = true;
    expect_ok(get(&out), &err);
}

/* With a thread of curl's it would wait for itself. */
TEST(a_warning_handler_runs_on_the_callers_thread_and_may_call)
{
    static const char headers[] = "Content-Type: application/json\r\nWarning: 299 - \"old\"\r\n";
    asking a = {.thread = pthread_self()};
    const kube_client_options options = {.on_warning = ask_why, .on_warning_arg = &a};
    kube_object_list *list;
    kube_watch *watch;
    kube_object *out;
    set_up();
    kube_client_free(client);
    client = client_with(http_server_url(server), &options);
    http_server_reply(server, 200, headers, THING_JSON("a", "7"));
    http_server_reply_json(server, THING_JSON("a", "7"));
    expect_ok(get(&out), &err);
    ck_assert_str_eq(a.seen, "old|");
    a.asked = false;
    http_server_reply(server, 200, headers, THING_LIST_JSON("", "9", ""));
    http_server_reply_json(server, THING_JSON("a", "7"));
    expect_ok(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err), &err);
    ck_assert_str_eq(a.seen, "old|old|");
    a.asked = false;
    http_server_reply(server, 200, headers, "");
    http_server_reply_json(server, THING_JSON("a", "7"));
    expect_ok(kube_client_watch(client, ctx, &thing_type, "team", NULL, &watch, &err), &err);
    ck_assert_str_eq(a.seen, "old|old|old|");
    kube_watch_free(watch);
    tear_down();
}

/* Peers: TestRequestWarningHandler, TestDefaultWarningHandler */
TEST(warnings_reach_their_handler)
{
    char seen[256] = "";
    kube_object *out;
    set_up();
    kube_client_free(client);
    client = client_with(http_server_url(server), &(kube_client_options){
                                                      .on_warning = take_warning,
                                                      .on_warning_arg = seen,
                                                  });
    http_server_reply(server, 200,
                      "Content-Type: application/json\r\nWarning: 299 - \"one\", 299 - \"two\"\r\n"
                      "warning: 299 - \"three\"\r\n",
                      THING_JSON("a", "7"));
    expect_ok(get(&out), &err);
    ck_assert_str_eq(seen, "one|two|three|");
    tear_down();
}

TEST(a_failed_call_leaves_no_error_struct_needed)
{
    kube_object *out;
    set_up();
    http_server_reply(server, 404, NULL, "");
    ck_assert_int_eq(
        kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &out, NULL),
        KUBE_ERR_NOT_FOUND);
    http_server_reply(server, 403, "Content-Type: application/json\r\n",
                      FORBIDDEN("User \\\"u\\\" cannot list resource"));
    ck_assert_int_eq(kube_client_list_each(client, ctx, &thing_type, "team", NULL, count_until,
                                           NULL, NULL, NULL),
                     KUBE_ERR_FORBIDDEN);
    tear_down();
}

static kube_code get_fifty_times(caller *c, kube_error *error)
{
    kube_code rc = KUBE_OK;
    for (int i = 0; !rc && i < 50; i++) {
        kube_ctx *child = kube_ctx_child(c->ctx);
        kube_object *out;
        rc = kube_client_get(client, child, &thing_type, kube_key_of("team", "a"), NULL, &out,
                             error);
        kube_ctx_free(child);
    }
    return rc;
}

TEST(many_threads_share_a_client)
{
    enum { THREADS = 8 };
    kube_ctx *own[THREADS];
    caller callers[THREADS];
    set_up();
    for (int i = 0; i < THREADS * 50; i++)
        http_server_reply_json(server, THING_JSON("a", "7"));
    for (int i = 0; i < THREADS; i++) {
        own[i] = kube_ctx_child(ctx);
        caller_start(&callers[i], own[i], get_fifty_times, NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        caller_join(&callers[i]);
        expect_ok(callers[i].code, &callers[i].error);
        kube_ctx_free(own[i]);
    }
    ck_assert_uint_eq(kube_client_request_count(client), THREADS * 50);
    ck_assert_uint_le(http_server_connections(server), THREADS); /* they are used again */
    tear_down();
}

TEST(a_large_body_is_sent_without_asking_first)
{
    char *color = malloc((2 << 20) + 1);
    thing big = red;
    set_up();
    memset(color, 'x', 2 << 20);
    color[2 << 20] = '\0';
    big.spec.color = color;
    http_server_reply_json(server, THING_JSON("a", "7"));
    expect_ok(kube_client_create(client, ctx, &thing_type, "team", &big.base, NULL, NULL, &err),
              &err);
    ck_assert_ptr_null(strstr(last_request(), "Expect:"));
    ck_assert_uint_gt(strlen(body_of(last_request())), 2 << 20);
    free(color);
    tear_down();
}

/* ---- memory -------------------------------------------------------------------------------- */

static bool visit_none(void *arg, const kube_object *object)
{
    (void)arg;
    (void)object;
    return true;
}

/* A Node comes back for the Thing that is asked, and a Scale is sent to it. */
TEST(a_subresource_has_types_of_its_own)
{
    static const char answer[] =
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"},"
        "\"spec\":{\"color\":\"red\",\"size\":1}}";
    const kube_subresource part = {&thing_type, "part", &kube_scale_type, &node_type};
    const kube_key key = kube_key_of("team", "a");
    const kube_scale scale = {.metadata = {.name = "a"}, .spec = {.replicas = 3}};
    const kube_apply_options apply = {.field_manager = "me"};
    kube_object *out;
    set_up();
    http_server_reply_json(server, answer);
    expect_ok(kube_client_get_subresource(client, ctx, &part, key, NULL, &out, &err), &err);
    ck_assert_ptr_eq(out->type, &node_type);
    check_line("GET /apis/test.kube.dev/v1/namespaces/team/things/a/part HTTP");
    http_server_reply(server, 201, "Content-Type: application/json\r\n", answer);
    expect_ok(
        kube_client_create_subresource(client, ctx, &part, key, &scale.base, NULL, &out, &err),
        &err);
    ck_assert_ptr_eq(out->type, &node_type);
    check_line("POST /apis/test.kube.dev/v1/namespaces/team/things/a/part HTTP");
    expect_text(body_of(last_request()), "{\"apiVersion\":\"autoscaling/v1\",\"kind\":\"Scale\"");
    expect_text(body_of(last_request()), "\"replicas\":3");
    http_server_reply_json(server, answer);
    expect_ok(kube_client_update_subresource(client, ctx, &part, key, &scale.base,
                                             &(kube_write_options){.dry_run = true}, NULL, &err),
              &err);
    check_line("PUT /apis/test.kube.dev/v1/namespaces/team/things/a/part?dryRun=All HTTP");
    http_server_reply_json(server, answer);
    expect_ok(
        kube_client_apply_subresource(client, ctx, &part, key, &scale.base, &apply, NULL, &err),
        &err);
    check_line("PATCH /apis/test.kube.dev/v1/namespaces/team/things/a/part?fieldManager=me");
    expect_text(last_request(), "\r\nContent-Type: application/apply-patch+yaml\r\n");
    expect(kube_client_apply_subresource(client, ctx, &part, key, &scale.base, NULL, NULL, &err),
           KUBE_ERR_ARGUMENT, &err);
    expect_text(err.message, "cannot apply things/part: options must name a field_manager");
    expect(
        kube_client_get_subresource(client, ctx, &part, kube_key_of(NULL, "a"), NULL, &out, &err),
        KUBE_ERR_ARGUMENT, &err);
    tear_down();
}

/* What a program passes that did not ask whether its copy could be made: NULL. */
TEST(with_a_failed_ctx_nothing_is_sent)
{
    const kube_subresource part = {&thing_type, "part", &thing_type, &thing_type};
    const kube_key key = kube_key_of("team", "a");
    const kube_apply_options apply = {.field_manager = "me"};
    kube_object *object = NULL;
    kube_object_list *list;
    kube_watch *watch;
    kube_scale *scale;
    set_up();
    ck_assert_ptr_null(kube_ctx_alloc_array(ctx, SIZE_MAX, 2));
#define REFUSED(call) expect(call, KUBE_ERR_NO_MEMORY, &err)
    REFUSED(
        kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &object, &err));
    REFUSED(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err));
    REFUSED(kube_client_list_each(client, ctx, &thing_type, "team", NULL, visit_none, NULL, NULL,
                                  &err));
    REFUSED(kube_client_create(client, ctx, &thing_type, "team", NULL, NULL, &object, &err));
    REFUSED(kube_client_update(client, ctx, &thing_type, "team", NULL, NULL, &object, &err));
    REFUSED(kube_client_update_status(client, ctx, &thing_type, "team", NULL, NULL, NULL, &err));
    REFUSED(kube_client_delete(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &err));
    REFUSED(kube_client_delete_collection(client, ctx, &thing_type, "team", NULL, NULL, &err));
    REFUSED(kube_client_patch(client, ctx, &thing_type, kube_key_of("team", NULL), KUBE_PATCH_MERGE,
                              NULL, 0, NULL, &object, &err));
    REFUSED(kube_client_patch_diff(client, ctx, &thing_type, "team", &red.base, NULL, NULL, &object,
                                   &err));
    REFUSED(kube_client_apply(client, ctx, &thing_type, "team", NULL, &apply, &object, &err));
    REFUSED(kube_client_apply_status(client, ctx, &thing_type, "team", NULL, &apply, NULL, &err));
    REFUSED(kube_client_watch(client, ctx, &thing_type, "team", NULL, &watch, &err));
    REFUSED(kube_client_get_scale(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &scale,
                                  &err));
    REFUSED(kube_client_update_scale(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, NULL,
                                     &scale, &err));
    REFUSED(kube_client_get_subresource(client, ctx, &part, key, NULL, &object, &err));
    REFUSED(kube_client_create_subresource(client, ctx, &part, key, NULL, NULL, NULL, &err));
    REFUSED(kube_client_update_subresource(client, ctx, &part, key, NULL, NULL, NULL, &err));
    REFUSED(kube_client_apply_subresource(client, ctx, &part, key, NULL, &apply, NULL, &err));
#undef REFUSED
    ck_assert_uint_eq(kube_client_request_count(client), 0);
    ck_assert_uint_eq(http_server_count(server), 0);
    kube_ctx_reset(ctx);
    tear_down();
}
