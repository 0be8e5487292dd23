/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The client without sockets, on a transport of the test's own, with every allocation failing in
 * turn: no crash, no leak (by the sanitizers), a clean error.
 */
#include "net/transport/transport.h"
#include "net_kit.h"
#include "support/fail_malloc.h"

#include <kube/log.h>
#include <stdio.h>
#include <string.h>

/* Check's assertions allocate themselves. */
#define require(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* ---- a transport that has the answer at once ------------------------------------------------ */

typedef struct canned {
    kube__transport base;
    const char *body;
    int status;
} canned;

struct kube__exchange {
    int unused;
};

static kube_code canned_start(kube__transport *base, const kube__http_request *request,
                              const kube__http_handler *handler, void *arg, kube__exchange **out,
                              kube_error *err)
{
    static kube__exchange exchange;
    const canned *c = (const canned *)(const void *)base;
    const kube__http_head head = {.status = c->status, .content_type = "application/json"};
    kube__http_end end = {.code = KUBE_OK};
    (void)request;
    (void)err;
    *out = &exchange;
    handler->on_head(arg, &head);
    if (handler->on_data(arg, c->body, strlen(c->body)) == KUBE__HTTP_STOP)
        end.code = kube_error_set(&end.error, KUBE_ERR_CANCELED, "canceled");
    handler->on_end(arg, &end);
    return KUBE_OK;
}

static void canned_end(kube__transport *base, kube__exchange *exchange)
{
    (void)base;
    (void)exchange;
}

static void canned_free(kube__transport *base)
{
    (void)base;
}

static canned answer = {
    .base = {.start = canned_start, .resume = canned_end, .end = canned_end, .free = canned_free},
    .status = 200};

/* ---- one run of each kind ------------------------------------------------------------------- */

static const char kubeconfig[] =
    "{current-context: c, contexts: [{name: c, context: {cluster: c, user: u, namespace: n}}], "
    "clusters: [{name: c, cluster: {server: 'https://h', tls-server-name: x}}], users: [{name: u, "
    "user: {token: t, as: jane, as-groups: [a, b], as-user-extra: {k: [v]}}}]}";

static kube_code make_client(kube_client **out, kube_error *err)
{
    kube_config *config = NULL;
    kube_code rc = kube_config_parse(kubeconfig, strlen(kubeconfig), "/", NULL, &config, err);
    *out = NULL;
    if (!rc)
        rc = kube__client_new(config, &(kube_client_options){0}, &answer.base, out, err);
    kube_config_free(config);
    return rc;
}

typedef kube_code run(kube_client *client, kube_ctx *ctx, kube_error *err);

static kube_code run_get(kube_client *client, kube_ctx *ctx, kube_error *err)
{
    kube_object *out;
    answer.body = THING_JSON("a", "1");
    return kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &out, err);
}

static kube_code run_list(kube_client *client, kube_ctx *ctx, kube_error *err)
{
    kube_object_list *out;
    size_t bad;
    kube_code rc;
    answer.body =
        THING_LIST_JSON(THING_JSON("a", "1") ",{\"metadata\":3}," THING_JSON("b", "2"), "9", "t");
    rc = kube_client_list(client, ctx, &thing_type, "team", NULL, &out, &bad, err);
    if (!rc) {
        require(out->len == 2);
        require(bad == 1);
    }
    return rc;
}

static kube_code run_watch(kube_client *client, kube_ctx *ctx, kube_error *err)
{
    const kube_watch_options options = {.allow_bookmarks = true};
    kube_watch *watch;
    const kube_event *event;
    int seen = 0;
    kube_code rc;
    answer.body = EVENT_JSON("ADDED", THING_JSON("a", "1"))
        EVENT_JSON("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"2\"}}")
            EVENT_JSON("ADDED", "{\"metadata\":3}");
    rc = kube_client_watch(client, ctx, &thing_type, "team", &options, &watch, err);
    if (rc)
        return rc;
    while (!(rc = kube_watch_next(watch, ctx, &event, err)))
        seen++;
    kube_watch_free(watch);
    if (rc != KUBE_ERR_CLOSED)
        return rc;
    require(seen == 3);
    return KUBE_OK;
}

static kube_code run_writes(kube_client *client, kube_ctx *ctx, kube_error *err)
{
    static const thing red = {.metadata = {.name = "a", .resource_version = "1"},
                              .spec = {.color = "red"}};
    static const thing blue = {.metadata = {.name = "a"}, .spec = {.color = "blue"}};
    const kube_apply_options apply = {.field_manager = "me"};
    const kube_delete_options options = {.precondition_uid = "u"};
    kube_object *out;
    kube_code rc;
    answer.body = THING_JSON("a", "1");
    rc = kube_client_create(client, ctx, &thing_type, "team", &red.base, NULL, &out, err);
    if (!rc)
        rc = kube_client_patch_diff(client, ctx, &thing_type, "team", &red.base, &blue.base, NULL,
                                    &out, err);
    if (!rc)
        rc = kube_client_apply(client, ctx, &thing_type, "team", &red.base, &apply, &out, err);
    if (!rc)
        rc = kube_client_delete(client, ctx, &thing_type, kube_key_of("team", "a"), &options, err);
    return rc;
}

static kube_code run_refused(kube_client *client, kube_ctx *ctx, kube_error *err)
{
    kube_object *out;
    kube_code rc;
    answer.status = 404;
    answer.body = "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"NotFound\"}";
    rc = kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &out, err);
    answer.status = 200;
    require(rc != KUBE_OK);
    return rc == KUBE_ERR_NOT_FOUND ? KUBE_OK : rc;
}

static bool step(void *arg)
{
    run *const *body = arg;
    kube_client *client = NULL;
    kube_error err;
    kube_code rc = KUBE_ERR_NO_MEMORY;
    kube_ctx *ctx = kube_ctx_new();
    if (ctx)
        rc = make_client(&client, &err);
    if (!rc)
        rc = (*body)(client, ctx, &err);
    kube_client_free(client);
    kube_ctx_free(ctx);
    if (rc && rc != KUBE_ERR_NO_MEMORY)
        fprintf(stderr, "%s\n", err.message);
    require(!rc || rc == KUBE_ERR_NO_MEMORY);
    return rc == KUBE_OK;
}

TEST(every_failing_allocation_is_a_clean_error)
{
    run *const runs[] = {run_get, run_list, run_watch, run_writes, run_refused};
    kube_log_set_level(KUBE_LOG_ERROR);
    for (size_t i = 0; i < sizeof(runs) / sizeof *runs; i++) {
        run *body = runs[i];
        ck_assert_uint_gt(fail_malloc_replay(step, &body), 10);
    }
    kube_log_set_level(KUBE_LOG_INFO);
}

static bool start_and_stop(void *arg)
{
    kube_config *config = arg;
    kube_client *client;
    kube_error err;
    kube_code rc = kube_client_new(config, NULL, &client, &err);
    kube_client_free(client);
    require(!rc || rc == KUBE_ERR_NO_MEMORY);
    return !rc;
}

TEST(a_client_that_cannot_start_leaves_nothing)
{
    kube_config *config = config_for("https://h", "tls-server-name: x", "token: t");
    ck_assert_uint_gt(fail_malloc_replay(start_and_stop, config), 3);
    kube_config_free(config);
}
