/* SPDX-License-Identifier: Apache-2.0 */
/* The record of calls: what a test can ask of it. */
#include "http_peer.h"
#include "support/suite.h"

#include <kube/testing/apiserver.h>
#include <kube/testing/clock.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define CONFIG_MAPS "/api/v1/namespaces/default/configmaps"

static kube_apiserver *server;
static kube_error err;
static kube_ctx *ctx;
static http_peer peer;

static void start(const kube_apiserver_options *options)
{
    ck_assert_msg(!kube_apiserver_start(options, &server, &err), "%s", err.message);
    peer = http_connect(kube_apiserver_port(server));
}

static void set_up(void)
{
    ctx = kube_ctx_new();
    kube_ctx_set_timeout_ms(ctx, 60000);
    start(NULL);
}

static void stop(void)
{
    http_close(&peer);
    kube_apiserver_stop(server);
}

static void tear_down(void)
{
    stop();
    kube_ctx_free(ctx);
}

static void request(const char *method, const char *target, const char *body)
{
    char *text = NULL;
    ck_assert_int_gt(asprintf(&text,
                              "%s %s HTTP/1.1\r\nHost: localhost\r\nUser-Agent: test/1\r\n"
                              "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                              method, target, strlen(body), body),
                     0);
    http_send(&peer, text);
    free(text);
    http_answer answer = http_read(&peer, false);
    http_free(&answer);
}

static void create(const char *name)
{
    char body[512];
    sprintf(body, "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\"}}",
            name);
    request("POST", CONFIG_MAPS, body);
}

static kube_api_call_list calls(const kube_api_call_filter *filter)
{
    kube_api_call_list list;
    ck_assert_int_eq(kube_apiserver_calls(server, ctx, filter, &list, &err), KUBE_OK);
    return list;
}

FIXTURE(set_up, tear_down);

TEST(a_call_is_recorded_as_the_server_understood_it)
{
    create("a");
    kube_api_call_list list = calls(NULL);
    ck_assert_uint_eq(list.len, 1);
    const kube_api_call *call = &list.items[0];
    ck_assert_str_eq(call->verb, "create");
    ck_assert_str_eq(call->group, "");
    ck_assert_str_eq(call->version, "v1");
    ck_assert_str_eq(call->resource, "configmaps");
    ck_assert_str_eq(call->subresource, "");
    ck_assert_str_eq(call->namespace_, "default");
    ck_assert_str_eq(call->name, "a");
    ck_assert_str_eq(call->path, CONFIG_MAPS);
    ck_assert_str_eq(call->user_agent, "test/1");
    ck_assert_str_eq(call->content_type, "application/json");
    ck_assert_uint_eq(call->body_len, strlen(call->body));
    ck_assert_ptr_nonnull(strstr(call->body, "\"name\":\"a\""));
    ck_assert_int_eq(call->http_status, 201);
    ck_assert_str_ne(call->user, "");
}

TEST(paths_that_are_no_resource_have_the_method_for_a_verb)
{
    request("GET", "/version?x=1", "");
    kube_api_call_list list = calls(NULL);
    ck_assert_uint_eq(list.len, 1);
    ck_assert_str_eq(list.items[0].verb, "GET");
    ck_assert_str_eq(list.items[0].resource, "");
    ck_assert_str_eq(list.items[0].path, "/version?x=1");
    ck_assert_ptr_null(list.items[0].body);
    ck_assert_int_eq(list.items[0].http_status, 200);
}

TEST(a_create_is_found_by_its_objects_name)
{
    static const kube_api_call_filter create_a = {.verb = "create", .name = "a"};
    static const kube_fault_rule busy = {
        .kind = KUBE_FAULT_STATUS, .verb = "create", .namespace_ = "default", .name = "refused"};
    create("a");
    create("a"); /* there already */
    ck_assert_uint_eq(calls(&create_a).len, 2);
    ck_assert_int_eq(calls(&create_a).items[1].http_status, 409);
    ck_assert_int_eq(kube_apiserver_add_fault(server, &busy, &err), KUBE_OK);
    create("accepted");
    create("refused");
    ck_assert_int_eq(calls(&(kube_api_call_filter){.name = "accepted"}).items[0].http_status, 201);
    ck_assert_int_eq(calls(&(kube_api_call_filter){.name = "refused"}).items[0].http_status, 503);
    kube_apiserver_clear_faults(server);
    kube_apiserver_forget_calls(server);
    request("POST", CONFIG_MAPS,
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
            "\"metadata\":{\"generateName\":\"g-\"}}");
    ck_assert_msg(strncmp(calls(NULL).items[0].name, "g-", 2) == 0, "%s",
                  calls(NULL).items[0].name);
    ck_assert_uint_gt(strlen(calls(NULL).items[0].name), 2);
    request("POST", CONFIG_MAPS, "no json");
    ck_assert_str_eq(calls(NULL).items[1].name, "");
}

TEST(a_filter_picks_calls_in_their_order)
{
    create("a");
    create("b");
    request("GET", CONFIG_MAPS "/a", "");
    request("PUT", CONFIG_MAPS "/a", "{}");
    request("PATCH", "/api/v1/namespaces/default/pods/a/status", "{}");
    request("DELETE", CONFIG_MAPS "/b", "");
    request("DELETE", CONFIG_MAPS, "");
    static const struct {
        kube_api_call_filter filter;
        const char *verbs;
    } cases[] = {
        {{0}, "create create get update patch delete deletecollection "},
        {{.verb = "create"}, "create create "},
        {{.resource = "pods"}, "patch "},
        {{.subresource = "status"}, "patch "},
        {{.subresource = "", .name = "a"}, "create get update "},
        {{.verb = "create", .name = "b"}, "create "},
        {{.writes = true}, "create create update patch delete deletecollection "},
        {{.writes = true, .name = "b"}, "create delete "},
        {{.namespace_ = "other"}, ""},
        {{.user = "nobody"}, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube_api_call_list list = calls(&cases[i].filter);
        char verbs[256] = "";
        for (size_t n = 0; n < list.len; n++) {
            strcat(verbs, list.items[n].verb);
            strcat(verbs, " ");
        }
        ck_assert_str_eq(verbs, cases[i].verbs);
    }
}

TEST(the_oldest_are_forgotten)
{
    stop();
    start(&(kube_apiserver_options){.call_limit = 3});
    for (int i = 0; i < 5; i++) {
        char target[64];
        sprintf(target, CONFIG_MAPS "/c%d", i);
        request("GET", target, "");
    }
    kube_api_call_list list = calls(NULL);
    ck_assert_uint_eq(list.len, 3);
    ck_assert_str_eq(list.items[0].name, "c2");
    ck_assert_str_eq(list.items[2].name, "c4");
    kube_apiserver_forget_calls(server);
    ck_assert_uint_eq(calls(NULL).len, 0);
    create("a");
    ck_assert_uint_eq(calls(NULL).len, 1);
    ck_assert_str_eq(list.items[0].name, "c2"); /* what was handed out stays */
}

TEST(what_the_server_does_itself_is_not_recorded)
{
    static const char text[] = "{apiVersion: v1, kind: ConfigMap, metadata: {name: mine}}";
    ck_assert_msg(!kube_apiserver_load(server, text, strlen(text), &err), "%s", err.message);
    ck_assert_uint_eq(calls(NULL).len, 0);
}

/* ---- waiting -------------------------------------------------------------------------------- */

typedef struct waiting {
    const kube_api_call_filter *filter;
    size_t count;
    kube_ctx *ctx;
    kube_code rc;
    kube_error err;
} waiting;

static void *wait_for_calls(void *arg)
{
    waiting *w = arg;
    w->rc = kube_apiserver_wait_for_calls(server, w->ctx, w->filter, w->count, &w->err);
    return NULL;
}

TEST(a_waiter_returns_when_enough_calls_are_answered)
{
    waiting w = {.filter = &(kube_api_call_filter){.verb = "create"}, .count = 3, .ctx = ctx};
    pthread_t thread;
    create("a");
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_for_calls, &w), 0);
    request("GET", CONFIG_MAPS, "");
    create("b");
    create("c");
    pthread_join(thread, NULL);
    ck_assert_int_eq(w.rc, KUBE_OK);
    ck_assert_int_eq(kube_apiserver_wait_for_calls(server, ctx, w.filter, 0, &err), KUBE_OK);
}

TEST(a_waiter_ends_with_its_ctx)
{
    kube_ctx *scope = kube_ctx_child(ctx);
    waiting w = {.count = 1, .ctx = scope};
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_for_calls, &w), 0);
    kube_ctx_cancel(scope);
    pthread_join(thread, NULL);
    ck_assert_int_eq(w.rc, KUBE_ERR_CANCELED);
    ck_assert_msg(strncmp(w.err.message, "0 of 1 calls: ", 14) == 0, "%s", w.err.message);
    kube_ctx_free(scope);
}

TEST(a_wait_in_vain_tells_what_was_wanted_and_what_came)
{
    static const kube_api_call_filter wanted = {
        .verb = "patch", .resource = "configmaps", .subresource = "status", .writes = true};
    char long_name[254] = "";
    kube_ctx *scope = kube_ctx_child(ctx);
    kube_ctx_cancel(scope);
    ck_assert_int_eq(kube_apiserver_wait_for_calls(server, scope, NULL, 1, &err),
                     KUBE_ERR_CANCELED);
    ck_assert_msg(strstr(err.message, "; there was none at all"), "%s", err.message);
    create("a");
    request("PATCH", CONFIG_MAPS "/a/status", "{}");
    request("GET", "/version", "");
    ck_assert_int_eq(kube_apiserver_wait_for_calls(server, scope, &wanted, 2, &err),
                     KUBE_ERR_CANCELED);
    ck_assert_msg(strstr(err.message, "1 of 2 calls of verb=patch,resource=configmaps,"
                                      "subresource=status,writes: ") == err.message,
                  "%s", err.message);
    ck_assert_msg(strstr(err.message, "; the newest there were: GET /version, patch "
                                      "configmaps/status default/a, create configmaps default/a"),
                  "%s", err.message);
    memset(long_name, 'x', sizeof long_name - 1);
    for (int i = 0; i < 6; i++)
        create(long_name);
    ck_assert_int_eq(kube_apiserver_wait_for_calls(server, scope, &wanted, 2, NULL),
                     KUBE_ERR_CANCELED);
    ck_assert_int_eq(kube_apiserver_wait_for_calls(server, scope, &wanted, 2, &err),
                     KUBE_ERR_CANCELED);
    ck_assert_msg(strstr(err.message, "the newest there were: create configmaps default/xxx"), "%s",
                  err.message);
    kube_ctx_free(scope);
}

TEST(a_waiter_goes_by_the_clock_of_its_ctx)
{
    kube_fake_clock *fake = kube_fake_clock_new();
    kube_ctx *scope = kube_ctx_new_with_clock(kube_fake_clock_clock(fake));
    waiting w = {.count = 1, .ctx = scope};
    pthread_t thread;
    kube_ctx_set_timeout_ms(scope, 1000);
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_for_calls, &w), 0);
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 1000);
    pthread_join(thread, NULL);
    ck_assert_int_eq(w.rc, KUBE_ERR_TIMEOUT);
    kube_ctx_free(scope);
    kube_fake_clock_free(fake);
}

TEST(an_open_watch_is_an_answered_call)
{
    static const kube_api_call_filter watch = {.verb = "watch", .resource = "configmaps"};
    http_send(&peer, "GET " CONFIG_MAPS "?watch=true HTTP/1.1\r\nHost: localhost\r\n\r\n");
    ck_assert_int_eq(kube_apiserver_wait_for_calls(server, ctx, &watch, 1, &err), KUBE_OK);
    ck_assert_uint_eq(kube_apiserver_watch_count(server, &watch), 1);
    ck_assert_uint_eq(
        kube_apiserver_watch_count(server, &(kube_api_call_filter){.resource = "pods"}), 0);
    ck_assert_int_eq(calls(&watch).items[0].http_status, 200);
}

/* ---- threads -------------------------------------------------------------------------------- */

enum { CLIENTS = 4, REQUESTS = 50 };

static void *make_calls(void *arg)
{
    http_peer own = http_connect(kube_apiserver_port(server));
    (void)arg;
    for (int i = 0; i < REQUESTS; i++) {
        http_answer answer = http_get(&own, CONFIG_MAPS "/a", "");
        http_free(&answer);
    }
    http_close(&own);
    return NULL;
}

TEST(calls_of_many_clients_are_all_there)
{
    pthread_t threads[CLIENTS];
    for (int i = 0; i < CLIENTS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, make_calls, NULL), 0);
    ck_assert_int_eq(kube_apiserver_wait_for_calls(server, ctx, NULL, CLIENTS * REQUESTS, &err),
                     KUBE_OK);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(calls(NULL).len, CLIENTS * REQUESTS);
}
