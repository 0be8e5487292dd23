/* SPDX-License-Identifier: Apache-2.0 */
/* What creates, updates, patches, deletes and lists do to objects, and when they are refused. */
#include "apiserver/verbs/loopback.h"
#include "dispatch_kit.h"
#include "support/fail_malloc.h"

#include <inttypes.h>
#include <stdio.h>

#define MAPS "/api/v1/namespaces/default/configmaps"
#define PODS "/api/v1/namespaces/default/pods"
#define BITS "/apis/example.com/v1/namespaces/default/bits"
#define CRDS "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
#define BIT "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Bit\",\"metadata\":{\"name\":\"a\"}"

static api_kit kit;

static const char crd[] =
    "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\","
    "\"metadata\":{\"name\":\"bits.example.com\"},\"spec\":{\"group\":\"example.com\",\"scope\":"
    "\"Namespaced\",\"names\":{\"plural\":\"bits\",\"kind\":\"Bit\"},\"versions\":[{\"name\":"
    "\"v1\",\"served\":true,\"storage\":true,\"subresources\":{\"status\":{},\"scale\":{"
    "\"specReplicasPath\":\".spec.size\",\"statusReplicasPath\":\".status.size\"}},\"schema\":{"
    "\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\","
    "\"properties\":{\"size\":{\"type\":\"integer\"},\"word\":{\"type\":\"string\",\"default\":"
    "\"none\"}}},\"status\":{\"type\":\"object\",\"properties\":{\"size\":{\"type\":\"integer\"}}"
    "}}}}}]}}";

static int call(const char *method, const char *path, const char *body)
{
    return kit_call(&kit,
                    (api_call){.token = "admin", .method = method, .path = path, .body = body});
}

/* A patch; kit_call() would say that its body is JSON. */
static int patch(const char *type, const char *path, const char *text)
{
    kube__api_failure *failure = NULL;
    kube__json *body = kube__json_parse(kit.ctx, text, strlen(text), NULL, NULL, NULL);
    kube__lock(&kit.server->lock);
    kube__json *answer =
        kube__api_loopback(kit.server, kit.ctx, "PATCH", path,
                           kube_printf(kit.ctx, "application/%s", type), body, &failure);
    kube__unlock(&kit.server->lock);
    kube__buffer_reset(&kit.response.body);
    kube__json_write(answer ? answer : kube__api_failure_status(kit.ctx, failure),
                     &kit.response.body);
    return failure ? failure->http_status : 200;
}

static int merge(const char *path, const char *text)
{
    return patch("merge-patch+json", path, text);
}

static void set_up(void)
{
    kit_start(&kit, &(kube_apiserver_options){.seed = 1, .history = 100});
    ck_assert_int_eq(call("POST", CRDS, crd), 201);
}

static void tear_down(void)
{
    kit_stop(&kit);
}

static void make_map(const char *name)
{
    ck_assert_int_eq(
        call("POST", MAPS, kube_printf(kit.ctx, "{\"metadata\":{\"name\":\"%s\"}}", name)), 201);
}

static uint64_t version(void)
{
    return kube_apiserver_resource_version(kit.server);
}

/* ---- create --------------------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(create_sets_what_is_the_servers)
{
    ck_assert_int_eq(call("POST", BITS, BIT ",\"spec\":{\"size\":1},\"status\":{\"size\":9}}"),
                     201);
    ck_assert_str_eq(kit_at(&kit, "metadata.generation"), "1");
    ck_assert_str_eq(kit_at(&kit, "metadata.namespace"), "\"default\"");
    ck_assert_uint_eq(strlen(kit_at(&kit, "metadata.uid")), 38);
    ck_assert_str_eq(kit_at(&kit, "spec"), "{\"size\":1,\"word\":\"none\"}");
    ck_assert_str_eq(kit_at(&kit, "status"), ""); /* it has a subresource */
    ck_assert_str_eq(kit_at(&kit, "metadata.resourceVersion"),
                     kube_printf(kit.ctx, "\"%" PRIu64 "\"", version()));
    ck_assert_int_eq(call("POST", BITS, BIT "}"), 409);
    ck_assert_str_eq(kit_at(&kit, "message"), "\"bits.example.com \\\"a\\\" already exists\"");
}

/* Go reads such texts, so that it has no words for them. */
TEST(what_the_parser_refuses_beyond_go_is_said)
{
    char text[600] = BIT ",\"spec\":{\"any\":";
    size_t len = strlen(text);
    memset(text + len, '[', 200);
    memset(text + len + 200, ']', 200);
    strcpy(text + len + 400, "}}");
    ck_assert_int_eq(call("POST", BITS, text), 400);
    ck_assert_msg(strstr(kit_at(&kit, "message"), "json parse error: nested too deeply at byte "),
                  "%s", kit_at(&kit, "message"));
    ck_assert_int_eq(call("POST", BITS, BIT ",\"spec\":{\"word\":\"\xff\"}}"), 400);
    ck_assert_msg(strstr(kit_at(&kit, "message"), "json parse error: bad UTF-8 at byte "), "%s",
                  kit_at(&kit, "message"));
}

TEST(generated_names_differ)
{
    static const char body[] = "{\"metadata\":{\"generateName\":\"m-\"}}";
    ck_assert_int_eq(call("POST", MAPS, body), 201);
    const char *first = kit_at(&kit, "metadata.name");
    ck_assert_int_eq(call("POST", MAPS, body), 201);
    ck_assert_uint_eq(strlen(first), 9);
    ck_assert_str_ne(first, kit_at(&kit, "metadata.name"));
}

TEST(dry_runs_leave_no_trace)
{
    uint64_t before = version();
    ck_assert_int_eq(call("POST", MAPS "?dryRun=All", "{\"metadata\":{\"name\":\"d\"}}"), 201);
    ck_assert_str_eq(kit_at(&kit, "metadata.resourceVersion"), "");
    make_map("e");
    ck_assert_int_eq(call("DELETE", MAPS "/e?dryRun=All", NULL), 200);
    ck_assert_int_eq(call("GET", MAPS "/d", NULL), 404);
    ck_assert_int_eq(call("GET", MAPS "/e", NULL), 200);
    ck_assert_uint_eq(version(), before + 1);
    ck_assert_int_eq(call("POST", MAPS "?dryRun=x", "{}"), 422);
}

TEST(namespaces_must_be_there_and_agree)
{
    ck_assert_int_eq(
        call("POST", "/api/v1/namespaces/none/configmaps", "{\"metadata\":{\"name\":\"x\"}}"), 404);
    ck_assert_str_eq(kit_at(&kit, "message"), "\"namespaces \\\"none\\\" not found\"");
    ck_assert_int_eq(call("POST", MAPS, "{\"metadata\":{\"name\":\"x\",\"namespace\":\"y\"}}"),
                     400);
}

TEST(unknown_fields_warn_or_refuse_as_asked)
{
    static const char body[] = BIT ",\"spec\":{\"colour\":1}}";
    ck_assert_int_eq(call("POST", BITS "?fieldValidation=Strict", body), 400);
    ck_assert_str_eq(kit_at(&kit, "message"),
                     "\"Bit in version \\\"v1\\\" cannot be handled as a Bit: strict decoding "
                     "error: unknown field \\\"spec.colour\\\"\"");
    ck_assert_int_eq(call("POST", BITS, body), 201);
    ck_assert_str_eq(kit_header(&kit, "Warning"), "299 - \"unknown field \\\"spec.colour\\\"\"");
    ck_assert_int_eq(call("DELETE", BITS "/a", NULL), 200);
    ck_assert_int_eq(call("POST", BITS "?fieldValidation=Ignore", body), 201);
    ck_assert_str_eq(kit_header(&kit, "Warning"), "");
}

TEST(what_is_no_object_of_the_kind_is_refused)
{
    static const struct {
        const char *body;
        const char *message;
    } cases[] = {
        {"{", "\"the object provided is unrecognized (must be of type Bit): couldn't get "
              "version/kind; json parse error: unexpected end of JSON input ({)\""},
        {"{\"a\":tru}", "\"the object provided is unrecognized (must be of type Bit): couldn't "
                        "get version/kind; json parse error: invalid character '}' in literal "
                        "true (expecting 'e') ({\\\"a\\\":tru})\""},
        {"{\"kind\":\"Bit\"}", "\"the API version in the data () does not match the expected API "
                               "version (example.com/v1)\""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof *cases; i++) {
        ck_assert_int_eq(call("POST", BITS, cases[i].body), 400);
        ck_assert_str_eq(kit_at(&kit, "message"), cases[i].message);
    }
    const api_call text = {.token = "admin",
                           .method = "POST",
                           .path = MAPS,
                           .headers = {{"content-type", "text/plain"}}};
    ck_assert_int_eq(kit_call(&kit, text), 415);
}

/* ---- update --------------------------------------------------------------------------------- */

TEST(updates_need_the_version_that_is_there)
{
    ck_assert_int_eq(call("POST", BITS, BIT "}"), 201);
    ck_assert_int_eq(call("PUT", BITS "/a", BIT "}"), 422);
    ck_assert_int_eq(
        call("PUT", BITS "/a",
             "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Bit\",\"metadata\":{\"name\":\"a\","
             "\"resourceVersion\":\"1\"}}"),
        409);
    ck_assert_str_eq(kit_at(&kit, "message"),
                     "\"Operation cannot be fulfilled on bits.example.com \\\"a\\\": the object "
                     "has been modified; please apply your changes to the latest version and try "
                     "again\"");
    make_map("m"); /* a built-in is overwritten without */
    ck_assert_int_eq(call("PUT", MAPS "/m", "{\"metadata\":{\"name\":\"m\"},\"data\":{}}"), 200);
    ck_assert_int_eq(call("PUT", MAPS "/n", "{\"metadata\":{\"name\":\"n\"}}"), 404);
}

TEST(generations_count_changes_of_the_specification)
{
    ck_assert_int_eq(call("POST", BITS, BIT "}"), 201);
    ck_assert_int_eq(merge(BITS "/a", "{\"spec\":{\"size\":2}}"), 200);
    ck_assert_str_eq(kit_at(&kit, "metadata.generation"), "2");
    ck_assert_int_eq(merge(BITS "/a", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"), 200);
    ck_assert_int_eq(merge(BITS "/a/status", "{\"status\":{\"size\":2},\"spec\":{\"size\":3}}"),
                     200);
    ck_assert_str_eq(kit_at(&kit, "metadata.generation"), "2");
    ck_assert_str_eq(kit_at(&kit, "spec.size"), "2");
    ck_assert_str_eq(kit_at(&kit, "status.size"), "2");
    ck_assert_int_eq(merge(BITS "/a", "{\"status\":{\"size\":7}}"), 200);
    ck_assert_str_eq(kit_at(&kit, "status.size"), "2");
}

TEST(an_update_without_change_writes_nothing)
{
    ck_assert_int_eq(call("POST", BITS, BIT ",\"spec\":{\"size\":1}}"), 201);
    uint64_t before = version();
    ck_assert_int_eq(merge(BITS "/a", "{\"spec\":{\"size\":1}}"), 200);
    ck_assert_uint_eq(version(), before);
}

TEST(scale_reads_and_writes_the_paths_of_the_kind)
{
    ck_assert_int_eq(call("POST", BITS, BIT ",\"spec\":{\"size\":3}}"), 201);
    ck_assert_int_eq(call("GET", BITS "/a/scale", NULL), 200);
    ck_assert_str_eq(kit_at(&kit, "spec.replicas"), "3");
    ck_assert_int_eq(merge(BITS "/a/scale", "{\"spec\":{\"replicas\":5}}"), 200);
    ck_assert_int_eq(call("GET", BITS "/a", NULL), 200);
    ck_assert_str_eq(kit_at(&kit, "spec.size"), "5");
    ck_assert_int_eq(merge(BITS "/a/scale", "{\"spec\":{\"replicas\":-5}}"), 422);
}

TEST(apply_creates_owns_and_conflicts)
{
    ck_assert_int_eq(
        patch("apply-patch+yaml", BITS "/a?fieldManager=one", BIT ",\"spec\":{\"size\":1}}"), 200);
    ck_assert_int_eq(
        patch("apply-patch+yaml", BITS "/a?fieldManager=two", BIT ",\"spec\":{\"size\":2}}"), 409);
    ck_assert_str_eq(kit_at(&kit, "message"),
                     "\"Apply failed with 1 conflict: conflict with \\\"one\\\": .spec.size\"");
    ck_assert_int_eq(patch("apply-patch+yaml", BITS "/a?fieldManager=two&force=true",
                           BIT ",\"spec\":{\"size\":2}}"),
                     200);
    ck_assert_str_eq(kit_at(&kit, "spec.size"), "2");
    ck_assert_int_eq(patch("apply-patch+yaml", BITS "/a", BIT "}"), 422);
}

/* ---- delete --------------------------------------------------------------------------------- */

TEST(finalizers_hold_an_object_until_the_last_is_gone)
{
    ck_assert_int_eq(call("POST", MAPS, "{\"metadata\":{\"name\":\"f\",\"finalizers\":[\"a/b\"]}}"),
                     201);
    ck_assert_int_eq(call("DELETE", MAPS "/f", NULL), 200);
    ck_assert_str_eq(kit_at(&kit, "kind"), "\"ConfigMap\"");
    ck_assert_str_ne(kit_at(&kit, "metadata.deletionTimestamp"), "");
    uint64_t before = version();
    ck_assert_int_eq(call("DELETE", MAPS "/f", NULL), 200);
    ck_assert_uint_eq(version(), before);
    ck_assert_int_eq(merge(MAPS "/f", "{\"metadata\":{\"finalizers\":[\"a/b\",\"c/d\"]}}"), 422);
    ck_assert_int_eq(merge(MAPS "/f", "{\"metadata\":{\"finalizers\":null}}"), 200);
    ck_assert_int_eq(call("GET", MAPS "/f", NULL), 404);
}

TEST(preconditions_of_a_deletion_are_minded)
{
    make_map("p");
    const char *uid = kit_at(&kit, "metadata.uid");
    ck_assert_int_eq(call("DELETE", MAPS "/p", "{\"preconditions\":{\"uid\":\"x\"}}"), 409);
    ck_assert_int_eq(call("DELETE", MAPS "/p", "{\"preconditions\":{\"resourceVersion\":\"1\"}}"),
                     409);
    ck_assert_int_eq(
        call("DELETE", MAPS "/p", kube_printf(kit.ctx, "{\"preconditions\":{\"uid\":%s}}", uid)),
        200);
    ck_assert_str_eq(kit_at(&kit, "status"), "\"Success\"");
    ck_assert_str_eq(kit_at(&kit, "details.uid"), uid);
    ck_assert_int_eq(call("DELETE", MAPS "/p", NULL), 404);
    ck_assert_int_eq(call("DELETE", MAPS "/p?propagationPolicy=x", NULL), 422);
}

TEST(pods_on_a_node_are_given_time)
{
    static const char pod[] =
        "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}"
        "]}}";
    ck_assert_int_eq(call("POST", PODS, pod), 201);
    ck_assert_str_eq(kit_at(&kit, "status.phase"), "\"Pending\"");
    ck_assert_int_eq(
        call("POST", PODS "/p/binding", "{\"target\":{\"kind\":\"Node\",\"name\":\"n\"}}"), 201);
    ck_assert_int_eq(call("DELETE", PODS "/p", NULL), 200);
    ck_assert_str_eq(kit_at(&kit, "metadata.deletionGracePeriodSeconds"), "30");
    ck_assert_int_eq(call("GET", PODS "/p", NULL), 200);
    ck_assert_int_eq(call("DELETE", PODS "/p?gracePeriodSeconds=0", NULL), 200);
    ck_assert_int_eq(call("GET", PODS "/p", NULL), 404);
}

TEST(collections_are_deleted_by_selector)
{
    ck_assert_int_eq(call("POST", MAPS, "{\"metadata\":{\"name\":\"a\",\"labels\":{\"x\":\"y\"}}}"),
                     201);
    make_map("b");
    ck_assert_int_eq(call("DELETE", MAPS "?labelSelector=x%3Dy", NULL), 200);
    ck_assert_str_eq(kit_at(&kit, "kind"), "\"ConfigMapList\"");
    ck_assert_int_eq(call("GET", MAPS "/a", NULL), 404);
    ck_assert_int_eq(call("GET", MAPS "/b", NULL), 200);
}

TEST(a_crd_waits_for_its_objects)
{
    ck_assert_int_eq(call("POST", BITS,
                          "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Bit\",\"metadata\":{"
                          "\"name\":\"a\",\"finalizers\":[\"x/y\"]}}"),
                     201);
    ck_assert_int_eq(call("DELETE", CRDS "/bits.example.com", NULL), 200);
    ck_assert_int_eq(call("GET", CRDS "/bits.example.com", NULL), 200);
    ck_assert_int_eq(call("POST", BITS, BIT "}"), 403);
    ck_assert_int_eq(merge(BITS "/a", "{\"metadata\":{\"finalizers\":null}}"), 200);
    ck_assert_int_eq(call("GET", CRDS "/bits.example.com", NULL), 404);
    ck_assert_int_eq(call("GET", BITS, NULL), 404);
    ck_assert_str_eq(kit_body(&kit), "404 page not found\n");
}

/* ---- list ----------------------------------------------------------------------------------- */

static const char *names(void)
{
    const char *text = "";
    KUBE__JSON_EACH (item, kube__json_get(kit_json(&kit), "items"))
        text = kube_printf(kit.ctx, "%s%s ", text, kube__json_string_at(item, "metadata.name"));
    return text;
}

static const char *next_page(void)
{
    const char *token = kube__json_string_at(kit_json(&kit), "metadata.continue");
    return kube_printf(kit.ctx, MAPS "?limit=2&continue=%s", token);
}

TEST(pages_show_the_state_of_the_first)
{
    static const char *const all[] = {"a", "b", "c", "d", "e"};
    for (size_t i = 0; i < 5; i++)
        make_map(all[i]);
    ck_assert_int_eq(call("GET", MAPS "?limit=2", NULL), 200);
    ck_assert_str_eq(names(), "a b ");
    ck_assert_str_eq(kit_at(&kit, "metadata.remainingItemCount"), "3");
    const char *first = kit_at(&kit, "metadata.resourceVersion");
    const char *second = next_page();
    ck_assert_int_eq(call("DELETE", MAPS "/c", NULL), 200);
    make_map("dd");
    ck_assert_int_eq(call("GET", second, NULL), 200);
    ck_assert_str_eq(names(), "c d ");
    ck_assert_str_eq(kit_at(&kit, "metadata.resourceVersion"), first);
    ck_assert_int_eq(call("GET", next_page(), NULL), 200);
    ck_assert_str_eq(names(), "e ");
    ck_assert_str_eq(kit_at(&kit, "metadata.continue"), "");
}

TEST(an_expired_page_offers_to_go_on_with_what_is_there)
{
    make_map("a");
    make_map("b");
    make_map("c");
    ck_assert_int_eq(call("GET", MAPS "?limit=1", NULL), 200);
    const char *second = next_page();
    ck_assert_int_eq(call("DELETE", MAPS "/b", NULL), 200);
    kube_apiserver_compact(kit.server);
    ck_assert_int_eq(call("GET", second, NULL), 410);
    ck_assert_str_eq(kit_at(&kit, "reason"), "\"Expired\"");
    ck_assert_int_eq(call("GET", next_page(), NULL), 200);
    ck_assert_str_eq(names(), "c ");
    ck_assert_int_eq(call("GET", MAPS "?limit=1&continue=garbage", NULL), 400);
}

TEST(lists_of_a_version_are_exact_or_not_older)
{
    make_map("a");
    uint64_t v = version();
    make_map("b");
    const char *exact =
        kube_printf(kit.ctx, MAPS "?resourceVersionMatch=Exact&resourceVersion=%" PRIu64, v);
    ck_assert_int_eq(call("GET", exact, NULL), 200);
    ck_assert_str_eq(names(), "a ");
    ck_assert_int_eq(call("GET", kube_printf(kit.ctx, MAPS "?resourceVersion=%" PRIu64, v), NULL),
                     200);
    ck_assert_str_eq(names(), "a b ");
    kube_apiserver_compact(kit.server);
    ck_assert_int_eq(call("GET", exact, NULL), 410);
    ck_assert_int_eq(call("GET", MAPS "?resourceVersion=99999", NULL), 504);
    ck_assert_str_eq(kit_header(&kit, "Retry-After"), "1");
    ck_assert_int_eq(call("GET", MAPS "?resourceVersion=x", NULL), 400);
    ck_assert_int_eq(call("GET", MAPS "?resourceVersionMatch=Exact", NULL), 422);
    ck_assert_int_eq(call("GET", MAPS "?limit=x", NULL), 400);
}

TEST(events_of_both_groups_are_the_same_objects)
{
    ck_assert_int_eq(call("POST", "/api/v1/namespaces/default/events",
                          "{\"metadata\":{\"name\":\"e\"},\"involvedObject\":{\"name\":\"x\","
                          "\"namespace\":\"default\"},\"message\":\"m\",\"count\":2}"),
                     201);
    ck_assert_int_eq(call("GET", "/apis/events.k8s.io/v1/namespaces/default/events/e", NULL), 200);
    ck_assert_str_eq(kit_at(&kit, "note"), "\"m\"");
    ck_assert_str_eq(kit_at(&kit, "regarding.name"), "\"x\"");
    ck_assert_str_eq(kit_at(&kit, "deprecatedCount"), "2");
    ck_assert_int_eq(
        merge("/apis/events.k8s.io/v1/namespaces/default/events/e", "{\"note\":\"n\"}"), 200);
    ck_assert_int_eq(call("GET", "/api/v1/namespaces/default/events/e", NULL), 200);
    ck_assert_str_eq(kit_at(&kit, "message"), "\"n\"");
}

/* ---- paths ---------------------------------------------------------------------------------- */

TEST(paths_and_methods_that_are_none)
{
    static const struct {
        const char *method;
        const char *path;
        int status;
        const char *body;
    } cases[] = {
        {"GET", "/apis/none.example.com/v1/bits", 404, "404 page not found\n"},
        {"GET", "/apis/example.com/v2/bits", 404, "404 page not found\n"},
        {"GET", "/api/v1/frobs", 404, NULL},
        {"PUT", MAPS, 405, NULL},
        {"PUT", BITS, 400, NULL},
        {"POST", MAPS "/a", 405, NULL},
        {"DELETE", "/api/v1/namespaces", 405, NULL},
        {"GET", MAPS "/a/status", 404, NULL},
        {"POST", BITS "/a/status", 405, NULL},
        {"DELETE", "/api/v1/namespaces/default", 403, NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof *cases; i++) {
        ck_assert_int_eq(call(cases[i].method, cases[i].path, NULL), cases[i].status);
        if (cases[i].body)
            ck_assert_str_eq(kit_body(&kit), cases[i].body);
        else
            ck_assert_str_eq(kit_at(&kit, "kind"), "\"Status\"");
    }
}

/* ---- memory --------------------------------------------------------------------------------- */

static bool create_and_delete(void *arg)
{
    kube_apiserver *server = arg;
    kube_ctx *ctx = kube_ctx_new();
    kube__api_failure *failure = NULL;
    kube__api_failure *second = NULL;
    static const char text[] = BIT ",\"spec\":{\"size\":1}}";
    kube__json *body = ctx ? kube__json_parse(ctx, text, strlen(text), NULL, NULL, NULL) : NULL;
    bool good = false;
    if (body) {
        kube__lock(&server->lock);
        good = kube__api_loopback(server, ctx, "POST", BITS, NULL, body, &failure) != NULL;
        kube_ctx_reset(ctx);
        /* What was not acknowledged may be there; it must not stay for the next turn. */
        if (!kube__api_loopback(server, ctx, "DELETE", BITS "/a", NULL, NULL, &second))
            good = false;
        kube__unlock(&server->lock);
    }
    kube_ctx_free(ctx);
    return good;
}

/* Sends @count parts, each numbered, between @before and @after, in a context of its own. The
 * request is handled within the limits of memory and steps that every request has. */
static void send_large(const char *method, const char *path, const char *type, size_t count,
                       const char *before, const char *part, const char *after)
{
    kube_ctx *whole = kit.ctx;
    kube__buffer body;
    char one[128];
    kube__buffer_init(&body, SIZE_MAX / 4);
    kube__buffer_add_text(&body, before);
    for (size_t i = 0; i < count; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(one, sizeof one, part, i);
#pragma GCC diagnostic pop
        kube__buffer_add_text(&body, one);
        kube__buffer_add_text(&body, i + 1 < count ? "," : after);
    }
    kube__buffer_add(&body, "", 1);
    kit.ctx = kube_ctx_new();
    int status = kit_call(&kit, (api_call){.token = "admin",
                                           .method = method,
                                           .path = path,
                                           .body = body.data,
                                           .headers = {{"content-type", type}}});
    ck_assert_msg(status == 200 || status == 201, "%s %s of %zu bytes: %d %.300s", method, path,
                  body.len, status, kit_body(&kit));
    kube_ctx_free(kit.ctx);
    kit.ctx = whole;
    kube__buffer_fini(&body);
}

/* They are far below 3 MiB, and the real server takes them all. */
TEST(large_objects_are_within_what_a_request_may_hold)
{
    static const char lists[] =
        "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\","
        "\"metadata\":{\"name\":\"lists.example.com\"},\"spec\":{\"group\":\"example.com\","
        "\"scope\":\"Namespaced\",\"names\":{\"plural\":\"lists\",\"kind\":\"List1\"},"
        "\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"schema\":{"
        "\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":{\"keyed\":{\"type\":\"array\","
        "\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":[\"name\"],\"items\":{"
        "\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":{\"type\":"
        "\"string\"},\"v\":{\"type\":\"string\"},\"w\":{\"type\":\"integer\"}}}},\"numbers\":{"
        "\"type\":\"array\",\"items\":{\"type\":\"integer\"}}}}}}]}}";
    static const char apply[] = "application/apply-patch+yaml";
    static const char merge_type[] = "application/merge-patch+json";
    static const char all[] = "/apis/example.com/v1/namespaces/default/lists";
    static const char keyed[] = "{\"apiVersion\":\"example.com/v1\",\"kind\":\"List1\","
                                "\"metadata\":{\"name\":\"a\"},\"keyed\":[";
    static const char element[] = "{\"name\":\"element-number-%1$zu\",\"v\":\"the value of "
                                  "element %1$zu\",\"w\":%1$zu}";
    ck_assert_int_eq(call("POST", CRDS, lists), 201);
    const char *a = kube_printf(kit.ctx, "%s/a", all);
    const char *applied = kube_printf(kit.ctx, "%s?fieldManager=m", a);
    for (int i = 0; i < 3; i++)
        send_large("PATCH", applied, apply, 7000, keyed, element, "]}");
    send_large("PATCH", a, merge_type, 12000, "{\"keyed\":[", element, "]}");
    send_large("PATCH", a, merge_type, 200000, "{\"keyed\":null,\"numbers\":[", "%zu", "]}");
    send_large("PATCH", a, merge_type, 1, "{\"metadata\":{\"labels\":{", "\"l\":\"%zu\"", "}}}");
    for (int i = 0; i < 3; i++)
        send_large("PATCH", MAPS "/a?fieldManager=m", apply, 18000,
                   "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},"
                   "\"data\":{",
                   "\"some.key.%zu\":\"some text\"", "}}");
}

TEST(lost_memory_is_an_answer)
{
    for (size_t nth = 1; nth < 400; nth++) {
        fail_malloc_at(nth);
        create_and_delete(kit.server);
        fail_malloc_off();
        create_and_delete(kit.server); /* whatever is left goes */
    }
    ck_assert(create_and_delete(kit.server));
}
