/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API server when memory is out. Requests are handled with allocations failing at every place:
 * nothing crashes or leaks, who is refused has changed nothing, and the next request is served.
 */
#include "api_kit.h"
#include "apiserver/core/request.h"
#include "apiserver/verbs/handle.h"
#include "apiserver/watch/watch.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <stdlib.h>

#define GADGETS "/apis/example.com/v1/namespaces/default/gadgets"
#define CRDS "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
#define DEPLOYMENTS "/apis/apps/v1/namespaces/default/deployments"
#define CRD(group)                                                                                 \
    "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\","           \
    "\"metadata\":{\"name\":\"gadgets." group "\"},\"spec\":{\"group\":\"" group "\","             \
    "\"scope\":\"Namespaced\",\"names\":{\"plural\":\"gadgets\",\"kind\":\"Gadget\"},"             \
    "\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"subresources\":{"           \
    "\"status\":{}},\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":{"         \
    "\"spec\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"minimum\":0,"     \
    "\"default\":1},\"s\":{\"type\":\"string\",\"pattern\":\"^a*$\"},\"ports\":{\"type\":"         \
    "\"array\",\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":[\"port\"],"      \
    "\"items\":{\"type\":\"object\",\"required\":[\"port\"],\"properties\":{\"port\":{"            \
    "\"type\":\"integer\"}}}}}},\"status\":{\"type\":\"object\",\"properties\":{\"n\":{"           \
    "\"type\":\"integer\"}}}}}}}]}}"
#define GADGET(members)                                                                            \
    "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Gadget\",\"metadata\":{\"name\":\"a\"" members  \
    "},\"spec\":{\"s\":\"aa\",\"ports\":[{\"port\":1}]}}"
#define DEPLOYMENT                                                                                 \
    "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"a\"},\"spec\":{" \
    "\"selector\":{\"matchLabels\":{\"a\":\"b\"}},\"template\":{\"metadata\":{\"labels\":{"        \
    "\"a\":\"b\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}}}"

enum { STEP = 64, LAST = 1 << 10 }; /* what is taken from an arena's first piece beforehand */

typedef struct asked {
    const char *method;
    const char *target;
    const char *type; /* NULL = application/json */
    const char *body; /* NULL = none */
} asked;

typedef struct scene {
    asked before[2]; /* all goes well here; a target of NULL is none */
    asked request;
    asked after[2];
    const char *accept; /* of the request; NULL = JSON */
    int refused;        /* its status, if it is a bad one */
} scene;

static kube_apiserver *server;

static void set_up(void)
{
    kube_error err = {0};
    ck_assert_msg(!kube_apiserver_start(NULL, &server, &err), "%s", err.message);
    ck_assert_msg(
        !kube_apiserver_load(server, CRD("example.com"), strlen(CRD("example.com")), &err), "%s",
        err.message);
}

static void tear_down(void)
{
    kube_apiserver_stop(server);
}

static void complain(const char *what, const scene *s)
{
    fail_malloc_off();
    fprintf(stderr, "%s %s: %s\n", s->request.method, s->request.target, what);
    abort();
}

/* Handles a request in an arena of which @spent bytes are used up, and reads its watch for a
 * moment. The status; 0 when the connection breaks; 500 when there is no memory for the arena. The
 * store's newest versions before and after. */
static int ask(const asked *a, const char *accept, size_t spent, uint64_t *before,
               uint64_t *version)
{
    kube__api_pair headers[] = {{"content-type", a->type ? a->type : "application/json"},
                                {"user-agent", "test"},
                                {"accept", accept ? accept : "application/json"}};
    static const char *const masters[] = {"system:masters", NULL};
    kube_ctx *ctx = kube_ctx_new();
    kube__api_request request = {
        .ctx = ctx,
        .method = a->method,
        .body = a->body ? a->body : "",
        .body_len = a->body ? strlen(a->body) : 0,
        .headers = {headers, sizeof headers / sizeof *headers},
        .user = {.name = "test", .uid = "", .groups = masters},
    };
    kube__api_response response;
    int status = 500;
    kube__api_response_init(&response);
    if (!ctx || (spent && !kube_ctx_alloc(ctx, spent)))
        goto out;
    kube__lock(&server->lock);
    *before = kube__api_store_version(server->store);
    if (!kube__api_request_parse(&request, a->target)) {
        kube__api_handle(server, &request, &response);
        status = response.drop ? 0 : response.body.failed ? 500 : response.http_status;
    }
    *version = kube__api_store_version(server->store);
    kube__unlock(&server->lock);
    if (response.watch) {
        char room[4096];
        while (kube__api_watch_read(response.watch, room, sizeof room) > 0)
            continue;
        kube__api_watch_free(response.watch);
    }
out:
    kube__api_response_fini(&response);
    kube_ctx_free(ctx);
    return status;
}

static void ask_all(const asked *list)
{
    uint64_t before, version;
    for (size_t i = 0; i < 2 && list[i].target; i++) {
        int status = ask(&list[i], NULL, 0, &before, &version);
        ck_assert_msg(status < 300 || status == 404, "%s %s: %d", list[i].method, list[i].target,
                      status);
    }
}

/* One try with the @nth allocation failing, and all after it when @all. False when none failed. */
static bool try_scene(const scene *s, size_t spent, size_t nth, bool all)
{
    uint64_t before = 0;
    uint64_t version = 0;
    ask_all(s->before);
    if (all)
        fail_malloc_from(nth);
    else
        fail_malloc_at(nth);
    int status = ask(&s->request, s->accept, spent, &before, &version);
    fail_malloc_off();
    bool failed = fail_malloc_failed() > 0;
    if (status >= 300 && status != 500 && status != s->refused)
        complain("it is refused for another reason", s);
    if (status == 500 && !failed)
        complain("it fails with memory", s);
    if (status == 500 && version != before)
        complain("it is refused and has changed something", s);
    ask_all(s->after);
    return failed;
}

static void play(const scene *s)
{
    for (size_t spent = 0; spent < LAST; spent += STEP) {
        for (size_t nth = 1; try_scene(s, spent, nth, true); nth++)
            continue;
        for (size_t nth = 1; try_scene(s, spent, nth, false); nth++)
            continue;
    }
}

#define MAKE                                                                                       \
    {                                                                                              \
        "POST", GADGETS, NULL, GADGET("")                                                          \
    }
#define UNMAKE                                                                                     \
    {                                                                                              \
        "DELETE", GADGETS "/a", NULL, NULL                                                         \
    }
#define PATCH_TYPE(type) "application/" type
#define APPLY PATCH_TYPE("apply-patch+yaml")
#define TABLE "application/json;as=Table;g=meta.k8s.io;v=v1"

FIXTURE(set_up, tear_down);

TEST(create)
{
    play(&(scene){.request = MAKE, .after = {UNMAKE}});
}

TEST(reads)
{
    static const char *const targets[] = {
        GADGETS "/a",
        GADGETS,
        GADGETS "?limit=1&labelSelector=a%21%3Db",
        GADGETS "?watch=1&timeoutSeconds=1",
        GADGETS "?watch=1&resourceVersion=2&allowWatchBookmarks=true",
        "/api/v1/namespaces",
        "/apis",
        "/openapi/v3",
    };
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        play(&(scene){
            .before = {MAKE}, .request = {"GET", targets[i], NULL, NULL}, .after = {UNMAKE}});
}

TEST(patches)
{
    static const asked requests[] = {
        {"PATCH", GADGETS "/a", PATCH_TYPE("merge-patch+json"), "{\"spec\":{\"n\":3}}"},
        {"PATCH", GADGETS "/a/status", PATCH_TYPE("merge-patch+json"), "{\"status\":{\"n\":3}}"},
        {"PATCH", GADGETS "/a", PATCH_TYPE("json-patch+json"),
         "[{\"op\":\"add\",\"path\":\"/spec/ports/-\",\"value\":{\"port\":2}}]"},
        {"PATCH", GADGETS "/a?fieldManager=m&force=true", APPLY,
         GADGET(",\"labels\":{\"x\":\"y\"}")},
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        play(&(scene){.before = {MAKE}, .request = requests[i], .after = {UNMAKE}});
}

TEST(create_by_apply)
{
    play(&(scene){.request = {"PATCH", GADGETS "/a?fieldManager=m", APPLY, GADGET("")},
                  .after = {UNMAKE}});
}

TEST(strategic_patch)
{
    play(&(scene){.before = {{"POST", DEPLOYMENTS, NULL, DEPLOYMENT}},
                  .request = {"PATCH", DEPLOYMENTS "/a", PATCH_TYPE("strategic-merge-patch+json"),
                              "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":"
                              "\"c\",\"image\":\"j\"}]}}}}"},
                  .after = {{"DELETE", DEPLOYMENTS "/a", NULL, NULL}}});
}

TEST(tables)
{
    static const asked requests[] = {
        {"GET", DEPLOYMENTS, NULL, NULL},
        {"GET", GADGETS "/a", NULL, NULL},
        {"PATCH", DEPLOYMENTS "/a", PATCH_TYPE("merge-patch+json"),
         "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}"},
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        play(&(scene){.before = {MAKE, {"POST", DEPLOYMENTS, NULL, DEPLOYMENT}},
                      .request = requests[i],
                      .after = {UNMAKE, {"DELETE", DEPLOYMENTS "/a", NULL, NULL}},
                      .accept = TABLE});
}

TEST(scale)
{
    play(&(scene){.before = {{"POST", DEPLOYMENTS, NULL, DEPLOYMENT}},
                  .request = {"PATCH", DEPLOYMENTS "/a/scale", PATCH_TYPE("merge-patch+json"),
                              "{\"spec\":{\"replicas\":2}}"},
                  .after = {{"DELETE", DEPLOYMENTS "/a", NULL, NULL}}});
}

TEST(an_object_that_is_refused)
{
    static const char body[] =
        "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Gadget\",\"metadata\":"
        "{\"name\":\"a\"},\"spec\":{\"s\":\"aa\",\"ports\":[{\"port\":\"x\"}]}}";
    play(&(scene){.request = {"POST", GADGETS, NULL, body}, .refused = 422});
}

TEST(delete)
{
    play(&(scene){.before = {MAKE}, .request = UNMAKE, .after = {UNMAKE}});
    play(&(scene){.before = {MAKE}, .request = {"DELETE", GADGETS, NULL, NULL}, .after = {UNMAKE}});
}

TEST(delete_with_a_finalizer)
{
    static const char release[] = "{\"metadata\":{\"finalizers\":null}}";
    const asked let_go = {"PATCH", GADGETS "/a", PATCH_TYPE("merge-patch+json"), release};
    const asked make = {"POST", GADGETS, NULL, GADGET(",\"finalizers\":[\"a.b/c\"]")};
    play(&(scene){.before = {make}, .request = UNMAKE, .after = {let_go, UNMAKE}});
    play(&(scene){.before = {make, UNMAKE}, .request = let_go, .after = {let_go, UNMAKE}});
}

TEST(definitions)
{
    const asked make = {"POST", CRDS, NULL, CRD("b.c")};
    const asked unmake = {"DELETE", CRDS "/gadgets.b.c", NULL, NULL};
    play(&(scene){.request = make, .after = {unmake}});
    play(&(scene){.before = {make}, .request = unmake, .after = {unmake}});
}

/* ---- the server's own life ------------------------------------------------------------------ */

static bool live(void *arg)
{
    static const char text[] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
    kube_apiserver *one = NULL;
    kube_error err = {0};
    kube_code rc = kube_apiserver_start(arg, &one, &err);
    if (!rc)
        rc = kube_apiserver_load(one, CRD("example.com"), strlen(CRD("example.com")), &err);
    if (!rc)
        rc = kube_apiserver_load(one, text, strlen(text), &err);
    kube_apiserver_stop(one);
    return rc == KUBE_OK;
}

FIXTURE(NULL, NULL);

TEST(start_load_and_stop)
{
    const kube_apiserver_options options = {.workloads = true};
    ck_assert_uint_gt(fail_malloc_replay(live, (void *)(uintptr_t)&options), 0);
}
