/* SPDX-License-Identifier: Apache-2.0 */
/* Watches of the API server: what they start with, what they are told, and how they end. */
#include "apiserver/verbs/loopback.h"
#include "apiserver/watch/watch.h"
#include "base/thread.h"
#include "dispatch_kit.h"

#include <inttypes.h>
#include <kube/testing/clock.h>
#include <stdatomic.h>
#include <stdio.h>

#define MAPS "/api/v1/namespaces/default/configmaps"
#define BITS "/apis/example.com/v1/namespaces/default/bits"

static api_kit kit;
static kube_fake_clock *fake;

static const char crd[] =
    "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\","
    "\"metadata\":{\"name\":\"bits.example.com\"},\"spec\":{\"group\":\"example.com\",\"scope\":"
    "\"Namespaced\",\"names\":{\"plural\":\"bits\",\"kind\":\"Bit\"},\"versions\":[{\"name\":"
    "\"v1\",\"served\":true,\"storage\":true,\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\","
    "\"x-kubernetes-preserve-unknown-fields\":true}}}]}}";

static int call(const char *method, const char *path, const char *body)
{
    return kit_call(&kit,
                    (api_call){.token = "admin", .method = method, .path = path, .body = body});
}

static void set_up(void)
{
    fake = kube_fake_clock_new();
    ck_assert_ptr_nonnull(fake);
    kit_start(&kit, &(kube_apiserver_options){
                        .seed = 1, .history = 100, .clock = kube_fake_clock_clock(fake)});
    ck_assert_int_eq(call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd),
                     201);
}

static void tear_down(void)
{
    kit_stop(&kit);
    kube_fake_clock_free(fake);
}

/* A ConfigMap with a label; created or replaced. */
static void put(const char *name, const char *label)
{
    const char *body = kube_printf(
        kit.ctx, "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"l\":\"%s\"}}}", name, label);
    const char *path = kube_printf(kit.ctx, MAPS "/%s", name);
    if (call("PUT", path, body) == 404)
        ck_assert_int_eq(call("POST", MAPS, body), 201);
}

static void delete_map(const char *name)
{
    ck_assert_int_eq(call("DELETE", kube_printf(kit.ctx, MAPS "/%s", name), NULL), 200);
}

static kube__api_watch *open_watch(const char *path)
{
    ck_assert_int_eq(call("GET", path, NULL), 200);
    ck_assert_ptr_nonnull(kit.response.watch);
    return kit.response.watch;
}

/* All that can be read now; NULL when the watch has ended and nothing is left. */
static const char *read_all(kube__api_watch *watch)
{
    const char *text = "";
    char part[257];
    long len;
    while ((len = kube__api_watch_read(watch, part, 256)) > 0)
        text = kube_printf(kit.ctx, "%s%.*s", text, (int)len, part);
    return len < 0 && !*text ? NULL : text;
}

/* "ADDED a@5 DELETED b@6": type, name and version of each event. */
static const char *events(kube__api_watch *watch)
{
    const char *text = read_all(watch);
    const char *out = "";
    if (!text)
        return "ended";
    while (*text) {
        size_t len = strcspn(text, "\n");
        kube__json *event = kube__json_parse(kit.ctx, text, len, NULL, NULL, NULL);
        ck_assert_msg(event, "no event: %s", text);
        out = kube_printf(kit.ctx, "%s%s%s %s@%s", out, *out ? " " : "",
                          kube__json_string_at(event, "type"),
                          kube__json_string_at(event, "object.metadata.name"),
                          kube__json_string_at(event, "object.metadata.resourceVersion"));
        text += len + 1;
    }
    return out;
}

static uint64_t version(void)
{
    return kube_apiserver_resource_version(kit.server);
}

static const char *say(const char *format, uint64_t a, uint64_t b)
{
    char text[256];
    snprintf(text, sizeof(text), format, a, b);
    return kube_ctx_strdup(kit.ctx, text);
}

/* ---- where they start ----------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(from_a_version_the_changes_after_it_come)
{
    put("a", "1");
    uint64_t v = version();
    put("b", "1");
    put("b", "2");
    delete_map("a");
    kube__api_watch *watch = open_watch(say(MAPS "?watch=true&resourceVersion=%" PRIu64, v, 0));
    ck_assert_str_eq(events(watch),
                     kube_printf(kit.ctx,
                                 "ADDED b@%" PRIu64 " MODIFIED b@%" PRIu64 " DELETED a@%" PRIu64,
                                 v + 1, v + 2, v + 3));
    put("c", "1");
    ck_assert_str_eq(events(watch), say("ADDED c@%" PRIu64, v + 4, 0));
    kube__api_watch_free(watch);
}

TEST(without_a_version_the_state_comes_first)
{
    put("b", "1");
    put("a", "1");
    uint64_t v = version();
    static const char *const queries[] = {"", "&resourceVersion=0"};
    for (size_t i = 0; i < 2; i++) {
        kube__api_watch *watch = open_watch(kube_printf(kit.ctx, MAPS "?watch=true%s", queries[i]));
        ck_assert_str_eq(events(watch), say("ADDED a@%" PRIu64 " ADDED b@%" PRIu64, v, v - 1));
        kube__api_watch_free(watch);
    }
}

TEST(a_streaming_list_ends_with_a_marked_bookmark)
{
    kube__api_watch *watch =
        open_watch(BITS "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                        "&allowWatchBookmarks=true");
    ck_assert_str_eq(read_all(watch),
                     say("{\"type\":\"BOOKMARK\",\"object\":{\"apiVersion\":\"example.com/v1\","
                         "\"kind\":\"Bit\",\"metadata\":{\"annotations\":{"
                         "\"k8s.io/initial-events-end\":\"true\"},\"resourceVersion\":\"%" PRIu64
                         "\"}}}\n",
                         version(), 0));
    kube__api_watch_free(watch);
    watch = open_watch(MAPS "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                            "&allowWatchBookmarks=true");
    ck_assert_str_eq(read_all(watch),
                     say("{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"ConfigMap\","
                         "\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"%" PRIu64
                         "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n",
                         version(), 0));
    kube__api_watch_free(watch);
    watch = open_watch(MAPS "?watch=true&sendInitialEvents=true"
                            "&resourceVersionMatch=NotOlderThan");
    ck_assert_str_eq(read_all(watch), ""); /* without bookmarks no mark */
    kube__api_watch_free(watch);
}

TEST(an_old_version_gets_an_error_event_and_the_end)
{
    put("a", "1");
    uint64_t v = version();
    put("a", "2");
    kube_apiserver_compact(kit.server);
    kube__api_watch *watch = open_watch(say(MAPS "?watch=true&resourceVersion=%" PRIu64, v, 0));
    ck_assert_str_eq(read_all(watch),
                     say("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":"
                         "\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"too old "
                         "resource version: %" PRIu64 " (%" PRIu64 ")\",\"reason\":\"Expired\","
                         "\"code\":410}}\n",
                         v, v + 1));
    ck_assert_ptr_null(read_all(watch));
    kube__api_watch_free(watch);
    watch = open_watch(say(MAPS "?watch=true&resourceVersion=%" PRIu64, v + 1, 0));
    ck_assert_str_eq(events(watch), "");
    kube__api_watch_free(watch);
}

TEST(a_future_version_is_open_and_silent)
{
    kube__api_watch *watch = open_watch(say(
        MAPS "?watch=true&allowWatchBookmarks=true&resourceVersion=%" PRIu64, version() + 2, 0));
    put("a", "1");
    put("b", "1");
    kube_apiserver_send_bookmarks(kit.server);
    ck_assert_str_eq(events(watch), say("BOOKMARK @%" PRIu64, version(), 0));
    put("c", "1");
    ck_assert_str_eq(events(watch), say("ADDED c@%" PRIu64, version(), 0));
    kube__api_watch_free(watch);
}

TEST(faults_of_the_query_are_the_real_ones)
{
    ck_assert_int_eq(call("GET", MAPS "?watch=true&resourceVersion=x", NULL), 500);
    ck_assert_int_eq(call("GET", MAPS "?watch=true&sendInitialEvents=true", NULL), 422);
    ck_assert_int_eq(call("GET", MAPS "?watch=true&resourceVersionMatch=NotOlderThan", NULL), 422);
    ck_assert_int_eq(call("GET", MAPS "?watch=true&timeoutSeconds=x", NULL), 400);
}

/* Whoever writes waits for each of them. */
TEST(the_selectors_of_a_watch_have_1000_requirements)
{
    char path[8192] = MAPS "?watch=true&fieldSelector=metadata.name%3Da&labelSelector=";
    char *end = path + strlen(path);
    for (int i = 0; i < 999; i++)
        end += sprintf(end, "!k%d,", i);
    end[-1] = '\0';
    kube__api_watch_free(open_watch(path));
    strcpy(end - 1, ",a");
    ck_assert_int_eq(call("GET", path, NULL), 400);
}

/* ---- what they are told --------------------------------------------------------------------- */

TEST(selectors_turn_changes_into_coming_and_going)
{
    kube__api_watch *watch = open_watch(MAPS "?watch=true&labelSelector=l%3Dyes");
    put("a", "no");
    put("a", "yes");
    uint64_t v = version();
    put("a", "yes");
    ck_assert_uint_eq(version(), v); /* nothing changed, nothing is written */
    put("a", "no");
    put("a", "yes");
    delete_map("a");
    ck_assert_str_eq(events(watch), kube_printf(kit.ctx,
                                                "ADDED a@%" PRIu64 " DELETED a@%" PRIu64
                                                " ADDED a@%" PRIu64 " DELETED a@%" PRIu64,
                                                v, v + 1, v + 2, v + 3));
    kube__api_watch_free(watch);
}

TEST(who_leaves_a_selector_is_shown_as_last_matched)
{
    kube__api_watch *watch = open_watch(MAPS "?watch=true&labelSelector=l%3Dyes");
    put("a", "yes");
    read_all(watch);
    put("a", "no");
    const char *text = read_all(watch);
    ck_assert_ptr_nonnull(strstr(text, "\"l\":\"yes\""));
    ck_assert_ptr_nonnull(strstr(text, say("\"resourceVersion\":\"%" PRIu64 "\"", version(), 0)));
    kube__api_watch_free(watch);
}

TEST(names_and_namespaces_are_minded)
{
    kube__api_watch *one = open_watch(MAPS "?watch=true&fieldSelector=metadata.name%3Da");
    kube__api_watch *elsewhere = open_watch("/api/v1/namespaces/kube-system/configmaps?watch=true");
    kube__api_watch *everywhere = open_watch("/api/v1/configmaps?watch=true");
    put("a", "1");
    put("b", "1");
    ck_assert_str_eq(events(one), say("ADDED a@%" PRIu64, version() - 1, 0));
    ck_assert_str_eq(events(elsewhere), "");
    ck_assert_str_eq(events(everywhere),
                     say("ADDED a@%" PRIu64 " ADDED b@%" PRIu64, version() - 1, version()));
    kube__api_watch_free(one);
    kube__api_watch_free(elsewhere);
    kube__api_watch_free(everywhere);
}

TEST(tables_have_columns_once)
{
    const api_call as_table = {
        .token = "admin",
        .path = MAPS "?watch=true",
        .headers = {{"accept", "application/json;as=Table;g=meta.k8s.io;v=v1"}}};
    ck_assert_int_eq(kit_call(&kit, as_table), 200);
    kube__api_watch *watch = kit.response.watch;
    put("a", "1");
    ck_assert_ptr_nonnull(strstr(read_all(watch), "\"columnDefinitions\":[{\"name\":\"Name\""));
    put("b", "1");
    ck_assert_ptr_nonnull(strstr(read_all(watch), "\"columnDefinitions\":null"));
    kube__api_watch_free(watch);
}

/* ---- the clock ------------------------------------------------------------------------------ */

/* The thread that looks at the clock is parked again. */
static void advance(int64_t ms)
{
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, ms);
    kube_fake_clock_wait_for_waiters(fake, 1);
}

TEST(bookmarks_come_every_minute_and_before_the_end)
{
    kube__api_watch *watch = open_watch(
        say(MAPS "?watch=true&allowWatchBookmarks=true&timeoutSeconds=100&resourceVersion=%" PRIu64,
            version(), 0));
    kube__api_watch *plain = open_watch(
        say(MAPS "?watch=true&timeoutSeconds=1000&resourceVersion=%" PRIu64, version(), 0));
    advance(59000);
    ck_assert_str_eq(events(watch), "");
    advance(1000);
    ck_assert_str_eq(events(watch), say("BOOKMARK @%" PRIu64, version(), 0));
    advance(37000);
    ck_assert_str_eq(events(watch), "");
    advance(1000);
    ck_assert_str_eq(events(watch), say("BOOKMARK @%" PRIu64, version(), 0));
    advance(1000);
    ck_assert_str_eq(events(watch), "");
    advance(1000);
    ck_assert_str_eq(events(watch), "ended");
    ck_assert_str_eq(events(plain), "");
    kube__api_watch_free(watch);
    kube__api_watch_free(plain);
}

TEST(watches_are_counted_and_ended_on_demand)
{
    kube__api_watch *watch = open_watch(MAPS "?watch=true");
    kube__api_watch *other = open_watch("/api/v1/secrets?watch=true");
    const kube_api_call_filter maps = {.resource = "configmaps"};
    ck_assert_uint_eq(kube_apiserver_watch_count(kit.server, NULL), 2);
    ck_assert_uint_eq(kube_apiserver_watch_count(kit.server, &maps), 1);
    put("a", "1");
    kube_apiserver_end_watches(kit.server);
    ck_assert_uint_eq(kube_apiserver_watch_count(kit.server, NULL), 0);
    ck_assert_str_eq(events(watch), say("ADDED a@%" PRIu64, version(), 0)); /* in order */
    ck_assert_str_eq(events(watch), "ended");
    ck_assert_str_eq(events(other), "ended");
    kube__api_watch_free(watch);
    kube__api_watch_free(other);
}

TEST(a_crd_takes_its_watches_along)
{
    kube__api_watch *watch = open_watch(BITS "?watch=true");
    ck_assert_int_eq(call("POST", BITS,
                          "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Bit\","
                          "\"metadata\":{\"name\":\"a\"}}"),
                     201);
    ck_assert_int_eq(
        call("DELETE", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/bits.example.com",
             NULL),
        200);
    ck_assert_ptr_nonnull(strstr(events(watch), "DELETED a@"));
    ck_assert_str_eq(events(watch), "ended");
    kube__api_watch_free(watch);
    ck_assert_int_eq(call("GET", BITS, NULL), 404);
}

TEST(who_does_not_read_is_ended)
{
    enum { BYTES = 1 << 20, MANY = 20 };
    kube__api_watch *watch = open_watch(MAPS "?watch=true");
    char *body = kube_ctx_alloc(kit.ctx, BYTES + 200);
    ck_assert_ptr_nonnull(body);
    for (int i = 0; i < MANY; i++) {
        int at = snprintf(body, 200, "{\"metadata\":{\"name\":\"m%d\"},\"data\":{\"a\":\"", i);
        memset(body + at, 'x', BYTES - 100);
        memcpy(body + at + BYTES - 100, "\"}}", 4);
        ck_assert_int_eq(call("POST", MAPS, body), 201);
    }
    ck_assert_uint_eq(kube_apiserver_watch_count(kit.server, NULL), 0);
    kube__api_watch_free(watch);
}

/* ---- faults --------------------------------------------------------------------------------- */

/* What a watch delivers of one change when a fault of that kind acts on it. */
static const char *with_fault(kube_fault_kind kind)
{
    kube_error err;
    const kube_fault_rule rule = {.kind = kind, .resource = "configmaps", .oversize_bytes = 5000};
    kube__api_watch *watch = open_watch(
        say(MAPS "?watch=true&allowWatchBookmarks=true&resourceVersion=%" PRIu64, version(), 0));
    ck_assert_int_eq(kube_apiserver_add_fault(kit.server, &rule, &err), KUBE_OK);
    put("f", "1");
    const char *text = read_all(watch);
    const char *after = read_all(watch);
    bool ends = kind == KUBE_FAULT_END || kind == KUBE_FAULT_GONE || kind == KUBE_FAULT_ERROR_EVENT;
    ck_assert_int_eq(after == NULL, ends);
    kube_apiserver_clear_faults(kit.server);
    kube__api_watch_free(watch);
    delete_map("f");
    return text ? text : "";
}

static unsigned count_lines(const char *text, const char *start)
{
    unsigned count = 0;
    for (; *text; text += strcspn(text, "\n") + 1)
        count += strncmp(text, start, strlen(start)) == 0;
    return count;
}

TEST(faults_act_on_events)
{
    ck_assert_str_eq(with_fault(KUBE_FAULT_END), "");
    const char *text = with_fault(KUBE_FAULT_GONE);
    ck_assert_uint_eq(count_lines(text, "{\"type\":\"ERROR\""), 1);
    ck_assert_ptr_nonnull(strstr(text, "\"code\":410"));
    text = with_fault(KUBE_FAULT_ERROR_EVENT);
    ck_assert_ptr_nonnull(strstr(text, "\"code\":500"));
    ck_assert_uint_eq(count_lines(text, "{\"type\":\"ADDED\""), 0);
    text = with_fault(KUBE_FAULT_BOOKMARKS);
    ck_assert_uint_eq(count_lines(text, "{\"type\":\"BOOKMARK\""), 100);
    ck_assert_uint_eq(count_lines(text, "{\"type\":\"ADDED\""), 1);
    text = with_fault(KUBE_FAULT_VERSION_BACK);
    ck_assert_uint_eq(count_lines(text, "{\"type\":\"BOOKMARK\""), 1);
    text = with_fault(KUBE_FAULT_WRONG_KIND);
    ck_assert_uint_eq(count_lines(text, "{\"type\":\"ADDED\""), 2);
    ck_assert_ptr_nonnull(strstr(text, "\"kind\":\"Status\""));
    text = with_fault(KUBE_FAULT_OVERSIZE);
    ck_assert_uint_eq(count_lines(text, "{\"type\":\"ADDED\""), 1);
    ck_assert_uint_gt(strlen(text), 5000);
}

/* ---- waking --------------------------------------------------------------------------------- */

static atomic_uint wakes;

static void wake(void *arg)
{
    kube__mutex *lock = &kit.server->lock; /* nobody's lock is held */
    kube__lock(lock);
    kube__unlock(lock);
    atomic_fetch_add((atomic_uint *)arg, 1);
}

static void wait_for_wakes(unsigned count)
{
    while (atomic_load(&wakes) < count)
        sched_yield();
}

TEST(a_reader_is_woken_once_for_each_empty_read)
{
    char part[64];
    atomic_store(&wakes, 0);
    kube__api_watch *watch = open_watch(MAPS "?watch=true");
    kube__api_watch_on_readable(watch, wake, &wakes);
    put("a", "1"); /* not asked for: nobody waits */
    ck_assert_int_gt(kube__api_watch_read(watch, part, sizeof(part)), 0);
    read_all(watch); /* ends with 0 */
    put("a", "2");
    put("a", "3");
    wait_for_wakes(1);
    read_all(watch);
    kube_apiserver_end_watches(kit.server);
    wait_for_wakes(2);
    ck_assert_str_eq(events(watch), "ended");
    kube__api_watch_free(watch);
    ck_assert_uint_eq(atomic_load(&wakes), 2);
}

enum { WRITES = 300 };

static void *write_maps(void *arg)
{
    kube_ctx *own = kube_ctx_new();
    (void)arg;
    for (int i = 0; i < WRITES && own; i++) {
        kube__api_failure *failure = NULL;
        kube__json *map = kube__json_object(own);
        kube__json *metadata = kube__json_ensure_object(own, map, "metadata");
        kube__json_set(own, metadata, "name", kube__json_stringf(own, "w%d", i));
        kube__lock(&kit.server->lock);
        kube__api_loopback(kit.server, own, "POST", MAPS, NULL, map, &failure);
        kube__unlock(&kit.server->lock);
        kube_ctx_reset(own);
    }
    kube_ctx_free(own);
    return NULL;
}

TEST(events_reach_a_reader_in_another_thread)
{
    kube_error err;
    kube__thread writer = {0};
    char part[4096];
    unsigned lines = 0;
    unsigned woken = 0;
    atomic_store(&wakes, 0);
    kube__api_watch *watch = open_watch(MAPS "?watch=true");
    kube__api_watch_on_readable(watch, wake, &wakes);
    ck_assert_int_eq(kube__thread_start(&writer, "writer", write_maps, NULL, &err), KUBE_OK);
    while (lines < WRITES) {
        long len = kube__api_watch_read(watch, part, sizeof(part));
        ck_assert_int_ge(len, 0);
        for (long i = 0; i < len; i++)
            lines += part[i] == '\n';
        if (len == 0)
            wait_for_wakes(++woken);
    }
    kube__thread_join(&writer);
    kube__api_watch_free(watch);
    ck_assert_uint_eq(lines, WRITES);
}
