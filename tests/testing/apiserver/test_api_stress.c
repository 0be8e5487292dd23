/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many clients at once: writers, watchers, connections that idle or vanish, and a server that ends
 * watches, forgets its history, loses answers and stops. What the store tells is the truth that
 * each watch is held against: all of it, once, in order.
 */
#include "apiserver/core/apiserver.h"
#include "apiserver/store/store.h"
#include "http_peer.h"
#include "support/suite.h"

#include <core/v1/api.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONFIG_MAPS "/api/v1/namespaces/default/configmaps"

enum { WRITERS = 3, PEERS = 2, WATCHERS = 3, ROUNDS = 120, NAMES = 5, IDLE = 60, VANISHED = 20 };
enum { MOST_CHANGES = 1 << 16 };

/* A change as the store tells of it. */
typedef struct truth {
    uint64_t version;
    kube__api_change_type type;
    char name[16];
} truth;

static kube_apiserver *server;
static kube_client *client;
static kube__mutex mutex; /* of the rest */
static truth told[MOST_CHANGES];
static size_t told_len;
static int writing;
static size_t seen;  /* events, by all watchers */
static int watching; /* watchers that have not seen the end */

/* The asserts of Check are for the test's own thread. */
static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "test_api_stress: %s\n", what);
    abort();
}

static void on_change(void *arg, const kube__api_change *change)
{
    (void)arg;
    const kube__api_object *object = change->object;
    if (strcmp(kube__api_collection_plural(object->collection), "configmaps") != 0 ||
        strcmp(object->namespace_, "default") != 0)
        return;
    kube__lock(&mutex);
    must(told_len < MOST_CHANGES, "too many changes");
    must(!told_len || told[told_len - 1].version < object->version, "a version is used twice");
    must(!change->old || change->old->version < object->version, "an object's version goes back");
    truth *t = &told[told_len++];
    *t = (truth){.version = object->version, .type = change->type};
    snprintf(t->name, sizeof t->name, "%s", object->name);
    kube__unlock(&mutex);
}

static void set_up(void)
{
    kube_error err = {0};
    const kube_apiserver_options options = {.seed = 7, .history = 256};
    ck_assert_int_eq(kube__mutex_init(&mutex, &err), KUBE_OK);
    ck_assert_msg(!kube_apiserver_start(&options, &server, &err), "%s", err.message);
    told_len = 0;
    seen = 0;
    kube__lock(&server->lock);
    bool observed = kube__api_store_observe(server->store, on_change, NULL);
    kube__unlock(&server->lock);
    ck_assert(observed);
    ck_assert_msg(!kube_apiserver_client(server, &client, &err), "%s", err.message);
}

static void tear_down(void)
{
    kube_client_free(client);
    kube_apiserver_stop(server);
    kube__mutex_fini(&mutex);
}

static void count_writer(int by)
{
    kube__lock(&mutex);
    writing += by;
    kube__unlock(&mutex);
}

/* Whether a count of threads is not 0. */
static bool any(const int *count)
{
    kube__lock(&mutex);
    bool is = *count > 0;
    kube__unlock(&mutex);
    return is;
}

/* ---- writers --------------------------------------------------------------------------------- */

static uint64_t version_of(const core_v1_config_map *object)
{
    return strtoull(object->metadata.resource_version, NULL, 10);
}

/* Creates, changes in three ways and deletes; others do the same to the same objects, and answers
 * get lost, so that each step may fail. */
static void write_one(kube_ctx *ctx, const char *name)
{
    static const char patch[] = "{\"data\":{\"patched\":\"1\"}}";
    static const kube_apply_options apply = {.field_manager = "stress", .force = true};
    kube_error err;
    core_v1_config_map made = {.metadata = {.name = name}};
    core_v1_config_map *live;
    core_v1_config_map *changed;
    kube_code rc = core_v1_config_maps_create(client, ctx, "default", &made, NULL, &live, &err);
    (void)rc;
    rc = core_v1_config_maps_get(client, ctx, kube_key_of("default", name), NULL, &live, &err);
    if (!rc) {
        rc = core_v1_config_maps_update(client, ctx, "default", live, NULL, &changed, &err);
        must(rc || version_of(changed) >= version_of(live), "an update's version goes back");
    }
    rc = core_v1_config_maps_patch(client, ctx, kube_key_of("default", name), KUBE_PATCH_MERGE,
                                   patch, strlen(patch), NULL, &changed, &err);
    rc = core_v1_config_maps_apply(client, ctx, "default", &made, &apply, &changed, &err);
    rc = core_v1_config_maps_delete(client, ctx, kube_key_of("default", name), NULL, &err);
}

static void *write_by_client(void *arg)
{
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        char name[16];
        kube_ctx *ctx = kube_ctx_new();
        must(ctx, "out of memory");
        snprintf(name, sizeof name, "c%d", i % NAMES);
        write_one(ctx, name);
        kube_ctx_free(ctx);
    }
    count_writer(-1);
    return NULL;
}

static int raw_connect(uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Sends a request on a connection of its own and reads all of the answer; false when there is
 * none. */
static bool raw_ask(uint16_t port, const char *method, const char *target, const char *body)
{
    char text[512];
    char answer[4096];
    size_t got = 0;
    int fd = raw_connect(port);
    if (fd < 0)
        return false;
    int len = snprintf(text, sizeof text,
                       "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: "
                       "application/json\r\nContent-Length: %zu\r\n\r\n%s",
                       method, target, strlen(body), body);
    if (send(fd, text, (size_t)len, MSG_NOSIGNAL) == len) {
        ssize_t part;
        while ((part = recv(fd, answer, sizeof answer, 0)) > 0)
            got += (size_t)part;
    }
    close(fd);
    return got > 0;
}

static void *write_by_hand(void *arg)
{
    const uint16_t port = *(const uint16_t *)arg;
    for (int i = 0; i < ROUNDS; i++) {
        char body[256];
        char target[128];
        snprintf(target, sizeof target, CONFIG_MAPS "/c%d", i % NAMES);
        snprintf(body, sizeof body,
                 "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c%d\"},"
                 "\"data\":{\"i\":\"%d\"}}",
                 i % NAMES, i);
        raw_ask(port, "POST", CONFIG_MAPS, body);
        raw_ask(port, "PUT", target, body);
        raw_ask(port, "GET", CONFIG_MAPS "?limit=2", "");
        raw_ask(port, "DELETE", target, "");
    }
    count_writer(-1);
    return NULL;
}

/* ---- watchers -------------------------------------------------------------------------------- */

typedef struct watcher {
    kube_client *client;
    uint64_t version; /* all up to it has been seen; 0 = a list is needed */
    bool done;
} watcher;

static bool skip(void *arg, const core_v1_config_map *object)
{
    (void)arg, (void)object;
    return true;
}

static void list_all(watcher *w)
{
    kube_ctx *ctx = kube_ctx_new();
    kube_list_meta meta = {0};
    kube_error err;
    must(ctx, "out of memory");
    if (!core_v1_config_maps_list_each(w->client, ctx, "default", NULL, skip, NULL, &meta, &err))
        w->version = strtoull(meta.resource_version, NULL, 10);
    kube_ctx_free(ctx);
}

/* The first change after a version; NULL = none yet. */
static const truth *change_after(uint64_t version)
{
    kube_apiserver_resource_version(server); /* a change that is being told of is done then */
    kube__lock(&mutex);
    size_t i = told_len;
    while (i > 0 && told[i - 1].version > version)
        i--;
    const truth *t = i < told_len ? &told[i] : NULL;
    kube__unlock(&mutex);
    return t;
}

static void see(watcher *w, const core_v1_config_map_event *event)
{
    static const kube_watch_event_type types[] = {KUBE_WATCH_ADDED, KUBE_WATCH_MODIFIED,
                                                  KUBE_WATCH_DELETED};
    const truth *next = change_after(w->version);
    if (event->type == KUBE_WATCH_ERROR) {
        w->version = 0;
        return;
    }
    must(event->type != KUBE_WATCH_BAD, "an event that cannot be read");
    uint64_t version = strtoull(event->resource_version, NULL, 10);
    if (event->type == KUBE_WATCH_BOOKMARK) {
        must(version >= w->version, "a bookmark goes back");
        must(!next || next->version > version, "a bookmark is ahead of its events");
        w->version = version;
        return;
    }
    must(next != NULL, "an event without a change");
    must(next->version == version, "an event is lost, or out of order");
    must(types[next->type] == event->type, "an event of another type");
    must(strcmp(next->name, event->object->metadata.name) == 0, "an event of another object");
    w->version = version;
    w->done = w->done || strcmp(next->name, "end") == 0;
    kube__lock(&mutex);
    seen++;
    kube__unlock(&mutex);
}

static void watch_once(watcher *w)
{
    char version[24];
    const kube_watch_options options = {.resource_version = version, .allow_bookmarks = true};
    core_v1_config_map_watch *watch = NULL;
    const core_v1_config_map_event *event;
    kube_error err;
    kube_ctx *ctx = kube_ctx_new();
    must(ctx, "out of memory");
    snprintf(version, sizeof version, "%llu", (unsigned long long)w->version);
    kube_code rc = core_v1_config_maps_watch(w->client, ctx, "default", &options, &watch, &err);
    if (rc == KUBE_ERR_EXPIRED)
        w->version = 0;
    while (!rc && w->version && !w->done) {
        rc = core_v1_config_map_watch_next(watch, ctx, &event, &err);
        if (!rc)
            see(w, event);
    }
    core_v1_config_map_watch_free(watch);
    kube_ctx_free(ctx);
}

/* From the first list until the object "end" is seen: it is created until then, again and again. */
static void *watch_all(void *arg)
{
    watcher *w = arg;
    while (!w->done) {
        if (w->version)
            watch_once(w);
        else
            list_all(w);
    }
    kube__lock(&mutex);
    watching--;
    kube__unlock(&mutex);
    return NULL;
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

static void vanish_in_a_watch(void)
{
    static const char text[] = "GET " CONFIG_MAPS "?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    char head[64];
    int fd = raw_connect(kube_apiserver_port(server));
    must(fd >= 0, "no connection");
    if (send(fd, text, strlen(text), MSG_NOSIGNAL) > 0) {
        ssize_t got = recv(fd, head, sizeof head, 0); /* a fault may have taken the answer */
        (void)got;
    }
    close(fd);
}

static void disturb(void)
{
    kube_error err;
    const kube_fault_rule rules[] = {
        {.kind = KUBE_FAULT_DROP, .resource = "configmaps", .probability = 0.02},
        {.kind = KUBE_FAULT_END, .resource = "configmaps", .probability = 0.02},
        {.kind = KUBE_FAULT_GONE, .resource = "configmaps", .verb = "watch", .probability = 0.01},
        {.kind = KUBE_FAULT_BOOKMARKS, .resource = "configmaps", .probability = 0.02},
        {.kind = KUBE_FAULT_STATUS, .resource = "configmaps", .probability = 0.02},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        must(!kube_apiserver_add_fault(server, &rules[i], &err), "no fault");
    for (int i = 0; any(&writing); i++) {
        if (i % 8 == 0)
            kube_apiserver_end_watches(server);
        if (i % 16 == 0)
            kube_apiserver_compact(server);
        if (i % 4 == 0)
            kube_apiserver_send_bookmarks(server);
        if (i < VANISHED)
            vanish_in_a_watch();
        raw_ask(kube_apiserver_port(server), "GET", "/healthz", "");
    }
    kube_apiserver_clear_faults(server);
}

static void start_threads(kube__thread *threads, int count, void *(*run)(void *), void *arg,
                          size_t stride)
{
    kube_error err;
    for (int i = 0; i < count; i++)
        ck_assert_int_eq(
            kube__thread_start(&threads[i], "stress", run, (char *)arg + stride * (size_t)i, &err),
            KUBE_OK);
}

static void join(kube__thread *threads, int count)
{
    for (int i = 0; i < count; i++)
        kube__thread_join(&threads[i]);
}

FIXTURE(set_up, tear_down);

TEST(every_watch_sees_every_change_once_and_in_order)
{
    kube__thread threads[WRITERS + PEERS];
    kube__thread watch_threads[WATCHERS];
    watcher watchers[WATCHERS] = {{0}};
    int idle[IDLE];
    uint16_t port = kube_apiserver_port(server);
    kube_error err;
    for (int i = 0; i < IDLE; i++)
        idle[i] = raw_connect(port);
    for (int i = 0; i < WATCHERS; i++)
        ck_assert_int_eq(kube_apiserver_client(server, &watchers[i].client, &err), KUBE_OK);
    writing = WRITERS + PEERS;
    watching = WATCHERS;
    start_threads(watch_threads, WATCHERS, watch_all, watchers, sizeof *watchers);
    start_threads(threads, WRITERS, write_by_client, server, 0);
    start_threads(threads + WRITERS, PEERS, write_by_hand, &port, 0);
    disturb();
    join(threads, WRITERS + PEERS);
    /* Who lists just now finds it there, and waits for the next one. */
    kube_ctx *ctx = kube_ctx_new();
    const core_v1_config_map end = {.metadata = {.name = "end"}};
    while (any(&watching)) {
        core_v1_config_map *made;
        ck_assert_int_eq(
            core_v1_config_maps_create(client, ctx, "default", &end, NULL, &made, &err), KUBE_OK);
        ck_assert_int_eq(
            core_v1_config_maps_delete(client, ctx, kube_key_of("default", "end"), NULL, &err),
            KUBE_OK);
    }
    join(watch_threads, WATCHERS);
    kube_ctx_free(ctx);
    ck_assert_uint_gt(told_len, ROUNDS);
    /* How many more is a matter of luck: of how often they had to list instead. */
    ck_assert_uint_ge(seen, WATCHERS);
    for (int i = 0; i < WATCHERS; i++)
        kube_client_free(watchers[i].client);
    for (int i = 0; i < IDLE; i++)
        close(idle[i]);
}

TEST(clients_that_vanish_in_a_watch_are_noticed)
{
    for (int i = 0; i < VANISHED; i++)
        vanish_in_a_watch();
    while (kube_apiserver_watch_count(server, NULL) > 0)
        sched_yield();
}

/* ---- the end --------------------------------------------------------------------------------- */

static void *ask_until_refused(void *arg)
{
    const uint16_t port = *(const uint16_t *)arg;
    static const char body[] = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
                               "\"generateName\":\"g\"}}";
    while (raw_ask(port, "POST", CONFIG_MAPS, body) &&
           raw_ask(port, "GET", CONFIG_MAPS "?watch=1&resourceVersion=1&timeoutSeconds=1", ""))
        continue;
    return NULL;
}

TEST(a_busy_server_stops)
{
    kube__thread threads[PEERS];
    kube_apiserver *busy;
    kube_error err;
    ck_assert_int_eq(kube_apiserver_start(NULL, &busy, &err), KUBE_OK);
    uint16_t port = kube_apiserver_port(busy);
    uint64_t start = kube_apiserver_resource_version(busy);
    start_threads(threads, PEERS, ask_until_refused, &port, 0);
    while (kube_apiserver_resource_version(busy) < start + PEERS)
        sched_yield();
    kube_apiserver_stop(busy);
    join(threads, PEERS);
}
