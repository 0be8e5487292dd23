/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The informer on a real server: its cache and what its handlers were told are compared with the
 * server's own list, through restarts, missed changes and 20,000 objects.
 */
#include "cluster_world.h"
#include "mirror.h"
#include "support/child.h"

#include <dirent.h>
#include <kube/testing/proxy.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef samplecrd_v1_network network;

/* An informer of its own client, so that the client's requests are the informer's. */
typedef struct follower {
    kube_client *client;
    kube_informer_factory *factory;
    samplecrd_v1_network_informer *informer;
    const samplecrd_v1_network_lister *lister;
    mirror *seen;
} follower;

static kube_error err;
static follower main_follower;
static follower lists[2]; /* for more of them */

static void follow(follower *f, kube_informer_options options)
{
    if (!options.namespace_)
        options.namespace_ = ns;
    if (!f->client)
        f->client = client_of(NULL);
    if (!f->seen)
        f->seen = mirror_new();
    expect_ok(kube_informer_factory_new(f->client, &options, &f->factory, &err), &err);
    expect_ok(samplecrd_v1_network_informer_get(f->factory, NULL, &f->informer, &err), &err);
    expect_ok(samplecrd_v1_network_informer_add_handler(f->informer, &mirror_handler, f->seen, NULL,
                                                        NULL, &err),
              &err);
    f->lister = samplecrd_v1_network_informer_lister(f->informer);
    expect_ok(kube_informer_factory_start(f->factory, ctx, &err), &err);
}

static void follow_synced(follower *f, kube_informer_options options)
{
    follow(f, options);
    expect_ok(kube_informer_factory_wait_synced(f->factory, ctx, &err), &err);
}

static void unfollow(follower *f)
{
    kube_informer_factory_free(f->factory);
    kube_client_free(f->client);
    mirror_free(f->seen);
    *f = (follower){0};
}

static void set_up(void)
{
    case_set_up();
    kube_ctx_set_timeout_ms(ctx, 10 * POLL_PATIENCE_MS);
    main_follower = (follower){0};
}

static kube_fault_proxy *proxy; /* of some cases */

static void stop_looking(void)
{
    kube_log_set_sink(NULL, NULL);
    kube_log_set_level(KUBE_LOG_INFO);
    kube_fault_proxy_stop(proxy);
    proxy = NULL;
}

static void tear_down(void)
{
    unfollow(&main_follower);
    unfollow(&lists[0]);
    unfollow(&lists[1]);
    stop_looking();
    case_tear_down();
}

/* ---- changes ------------------------------------------------------------------------------- */

static void create_labeled(const char *name, const char *gateway, const char *team)
{
    kube_string_map_entry label = {"team", team};
    const network wanted = {
        .metadata = {.name = name, .labels = {team ? &label : NULL, team ? 1 : 0}},
        .spec = {.cidr = "10.1.0.0/16", .gateway = gateway}};
    expect_ok(samplecrd_v1_networks_create(client, ctx, ns, &wanted, NULL, NULL, &err), &err);
}

static void create(const char *name)
{
    create_labeled(name, "10.1.0.1", NULL);
}

static void patch(const char *name, const char *text)
{
    expect_ok(samplecrd_v1_networks_patch(client, ctx, kube_key_of(ns, name), KUBE_PATCH_MERGE,
                                          text, strlen(text), NULL, NULL, &err),
              &err);
}

static void set_gateway(const char *name, const char *gateway)
{
    patch(name, kube_printf(ctx, "{\"spec\":{\"gateway\":\"%s\"}}", gateway));
}

static void delete (const char *name)
{
    expect_ok(samplecrd_v1_networks_delete(client, ctx, kube_key_of(ns, name), NULL, &err), &err);
}

/* ---- comparing ----------------------------------------------------------------------------- */

/* Whether the cache and the handler's mirror are just what the server lists. */
static bool is_servers_list_of(follower *f, const char *selector)
{
    const kube_list_options options = {.label_selector = selector};
    kube_ctx *scope = kube_ctx_child(ctx);
    samplecrd_v1_network_list *list;
    const network *cached;
    bool same;
    expect_ok(samplecrd_v1_networks_list(client, scope, ns, &options, &list, &err), &err);
    same = samplecrd_v1_network_lister_count(f->lister) == list->len &&
           mirror_count(f->seen).len == list->len;
    for (size_t i = 0; same && i < list->len; i++) {
        const network *item = list->items[i];
        same =
            samplecrd_v1_network_lister_get(f->lister, scope, kube_key_of(ns, item->metadata.name),
                                            &cached, NULL) == KUBE_OK &&
            strcmp(cached->metadata.resource_version, item->metadata.resource_version) == 0 &&
            strcmp(cached->spec.gateway, item->spec.gateway) == 0 && mirror_has(f->seen, item);
    }
    kube_ctx_free(scope);
    return same;
}

static bool is_servers_list(follower *f)
{
    return is_servers_list_of(f, NULL);
}

#define wait_for_servers_list(f)                                                                   \
    eventually(is_servers_list(f), last_error(f));                                                 \
    ck_assert_str_eq(mirror_fault((f)->seen), "")

static kube_informer_stats stats_of(const follower *f)
{
    kube_informer_stats stats;
    kube_informer_get_stats(samplecrd_v1_network_informer_untyped(f->informer), &stats);
    return stats;
}

/* A streaming list is list and watch in one request (REF-14). A server that has none refuses it;
 * then they are two, as when none is wanted. */
static void expect_requests(const follower *f, bool streaming)
{
    bool served = streaming && server_streams_lists();
    ck_assert_uint_eq(stats_of(f).lists, served ? 0 : 1);
    ck_assert_uint_eq(stats_of(f).watches, streaming && !served ? 2 : 1);
    ck_assert_uint_eq(kube_client_request_count(f->client), served ? 1 : streaming ? 3 : 2);
}

static const char *last_error(const follower *f)
{
    return stats_of(f).last_error;
}

/* ---- following ----------------------------------------------------------------------------- */

static const struct {
    bool no_streaming_list;
} ways[] = {{false}, {true}};

FIXTURE(set_up, tear_down);

TEST_TIMES(the_cache_becomes_the_servers_list_and_stays_so, 2)
{
    follower *f = &main_follower;
    mirror_counts counts;
    create("a");
    create("b");
    create("c");
    follow_synced(f, (kube_informer_options){.no_streaming_list = ways[_i].no_streaming_list});
    ck_assert(samplecrd_v1_network_informer_has_synced(f->informer));
    wait_for_servers_list(f);
    counts = mirror_count(f->seen);
    ck_assert_uint_eq(counts.adds, 3);
    ck_assert_uint_eq(counts.initial_adds, 3);
    create("d");
    set_gateway("a", "10.1.0.2");
    set_gateway("a", "10.1.0.3");
    delete ("b");
    wait_for_servers_list(f);
    counts = mirror_count(f->seen);
    ck_assert_uint_eq(counts.adds, 4);
    ck_assert_uint_eq(counts.initial_adds, 3);
    ck_assert_uint_eq(counts.updates, 2);
    ck_assert_uint_eq(counts.deletes, 1);
    ck_assert_uint_eq(counts.tombstones, 0);
    ck_assert_uint_eq(stats_of(f).backoffs, 0);
    expect_requests(f, !ways[_i].no_streaming_list);
}

TEST(an_empty_list_is_synced)
{
    follow_synced(&main_follower, (kube_informer_options){0});
    ck_assert_uint_eq(samplecrd_v1_network_lister_count(main_follower.lister), 0);
    create("a");
    wait_for_servers_list(&main_follower);
    ck_assert_uint_eq(mirror_count(main_follower.seen).initial_adds, 0);
}

TEST(a_late_handler_gets_what_is_there_and_then_the_rest)
{
    follower *f = &main_follower;
    kube_registration *registration;
    mirror *late = mirror_new();
    mirror_counts counts;
    create("a");
    create("b");
    follow_synced(f, (kube_informer_options){0});
    expect_ok(samplecrd_v1_network_informer_add_handler(f->informer, &mirror_handler, late, NULL,
                                                        &registration, &err),
              &err);
    eventually(kube_registration_has_synced(registration), last_error(f));
    counts = mirror_count(late);
    ck_assert_uint_eq(counts.adds, 2);
    ck_assert_uint_eq(counts.initial_adds, 2);
    create("c");
    delete ("a");
    set_gateway("b", "10.1.0.9");
    wait_for_servers_list(f);
    eventually(mirror_count(late).updates == 1, last_error(f));
    counts = mirror_count(late);
    ck_assert_uint_eq(counts.adds, 3);
    ck_assert_uint_eq(counts.initial_adds, 2);
    ck_assert_uint_eq(counts.deletes, 1);
    ck_assert_str_eq(mirror_fault(late), "");
    samplecrd_v1_network_informer_remove_handler(f->informer, registration);
    create("d");
    wait_for_servers_list(f);
    ck_assert_uint_eq(mirror_count(late).adds, 3);
    mirror_free(late);
}

TEST(a_resync_tells_every_object_again)
{
    follower *f = &main_follower;
    create("a");
    create("b");
    follow_synced(f, (kube_informer_options){.resync_ms = 1000});
    eventually(mirror_count(f->seen).repeats >= 4, last_error(f));
    ck_assert_uint_eq(mirror_count(f->seen).updates, 0);
    ck_assert_str_eq(mirror_fault(f->seen), "");
    expect_requests(f, true); /* no more than at the start */
}

/* ---- what is asked of the cache ------------------------------------------------------------ */

static kube_code gateway_of(void *arg, kube_ctx *scope, const network *object,
                            kube_index_emit *emit, void *sink, kube_error *why)
{
    (void)arg;
    (void)why;
    (void)scope;
    emit(sink, object->spec.gateway);
    return KUBE_OK;
}

static size_t count_by_gateway(const char *gateway)
{
    samplecrd_v1_network_cached_list list;
    expect_ok(samplecrd_v1_network_lister_by_index(main_follower.lister, ctx, "gateway", gateway,
                                                   &list, &err),
              &err);
    for (size_t i = 0; i < list.len; i++)
        ck_assert_str_eq(list.items[i]->spec.gateway, gateway);
    return list.len;
}

TEST(an_index_follows_the_objects)
{
    static const samplecrd_v1_network_index by_gateway = {gateway_of, NULL};
    samplecrd_v1_network_cached_list list;
    follower *f = &main_follower;
    create_labeled("a", "10.1.0.1", NULL);
    create_labeled("b", "10.1.0.1", NULL);
    create_labeled("c", "10.1.0.2", NULL);
    follow_synced(f, (kube_informer_options){0});
    expect_ok(samplecrd_v1_network_informer_add_index(f->informer, "gateway", &by_gateway, &err),
              &err);
    ck_assert_uint_eq(count_by_gateway("10.1.0.1"), 2);
    ck_assert_uint_eq(count_by_gateway("10.1.0.2"), 1);
    set_gateway("a", "10.1.0.2");
    delete ("c");
    create_labeled("d", "10.1.0.4", NULL);
    wait_for_servers_list(f);
    ck_assert_uint_eq(count_by_gateway("10.1.0.1"), 1);
    ck_assert_uint_eq(count_by_gateway("10.1.0.2"), 1);
    ck_assert_uint_eq(count_by_gateway("10.1.0.4"), 1);
    ck_assert_uint_eq(count_by_gateway("10.1.0.5"), 0);
    ck_assert_int_ne(
        samplecrd_v1_network_lister_by_index(f->lister, ctx, "nosuch", "x", &list, &err), KUBE_OK);
}

TEST(a_label_selector_is_the_servers_work)
{
    follower *f = &main_follower;
    create_labeled("a1", "10.1.0.1", "a");
    create_labeled("a2", "10.1.0.1", "a");
    create_labeled("b1", "10.1.0.1", "b");
    create("none");
    follow_synced(f, (kube_informer_options){.label_selector = "team=a"});
    eventually(is_servers_list_of(f, "team=a"), last_error(f));
    ck_assert_uint_eq(samplecrd_v1_network_lister_count(f->lister), 2);
    patch("a1", "{\"metadata\":{\"labels\":{\"team\":\"b\"}}}");
    patch("none", "{\"metadata\":{\"labels\":{\"team\":\"a\"}}}");
    eventually(is_servers_list_of(f, "team=a"), last_error(f));
    ck_assert_uint_eq(mirror_count(f->seen).adds, 3);
    ck_assert_uint_eq(mirror_count(f->seen).deletes, 1);
    ck_assert_str_eq(mirror_fault(f->seen), "");
}

static size_t count_listed(const char *namespace_, const char *selector)
{
    samplecrd_v1_network_cached_list list;
    expect_ok(samplecrd_v1_network_lister_list(main_follower.lister, ctx, namespace_, selector,
                                               &list, &err),
              &err);
    return list.len;
}

TEST(the_lister_selects_by_namespace_and_labels)
{
    const char *first = ns;
    const char *other = kube_printf(ctx, "%s-other", ns);
    real_server_must_kubectl(server, NULL, "create namespace %s", other);
    create_labeled("a", "10.1.0.1", "a");
    create_labeled("b", "10.1.0.1", "b");
    ns = other;
    create_labeled("a", "10.1.0.1", "a");
    ns = first;
    follow_synced(&main_follower, (kube_informer_options){.namespace_ = ""});
    ck_assert_uint_eq(count_listed(first, NULL), 2);
    ck_assert_uint_eq(count_listed(first, "team=a"), 1);
    ck_assert_uint_eq(count_listed(first, "team in (a,b)"), 2);
    ck_assert_uint_eq(count_listed(first, "team!=a"), 1);
    ck_assert_uint_eq(count_listed(first, "!team"), 0);
    ck_assert_uint_eq(count_listed(other, NULL), 1);
    ck_assert_uint_ge(count_listed(NULL, "team=a"), 2);
    ck_assert_uint_eq(count_listed("nosuch", NULL), 0);
}

/* ---- restarts ------------------------------------------------------------------------------ */

/* Rounds that fit into a time when each waits as briefly as the back-off allows (REF-2): that of a
 * server which cannot be reached. */
static size_t rounds_within(int64_t ms)
{
    int64_t delay = 200;
    size_t rounds = 1;
    for (int64_t at = 0; at < ms; at += delay, delay = delay < 1250 ? 2 * delay : 2500)
        rounds++;
    return rounds;
}

/*
 * A round asks at most three times: a streaming list, a list, and that again without a version. A
 * server that is just coming up may ask to be asked again in a second or more (REQ-3).
 */
static void expect_few_requests(const follower *f, uint64_t before, int64_t begin_ms)
{
    int64_t ms = poll_now_ms() - begin_ms;
    uint64_t requests = kube_client_request_count(f->client) - before;
    ck_assert_msg(requests <= 3 * rounds_within(ms) + (uint64_t)ms / 1000,
                  "%llu requests in %lld ms", (unsigned long long)requests, (long long)ms);
    ck_assert_uint_le(stats_of(f).backoffs, rounds_within(ms));
}

TEST(a_restart_without_changes_changes_nothing)
{
    follower *f = &main_follower;
    uint64_t before;
    int64_t begin;
    mirror_counts counts;
    create("a");
    create("b");
    follow_synced(f, (kube_informer_options){0});
    before = kube_client_request_count(f->client);
    begin = poll_now_ms();
    real_server_kill(server);
    real_server_restart(server, NULL);
    create("c"); /* it is seen, so the informer is back */
    wait_for_servers_list(f);
    expect_few_requests(f, before, begin);
    counts = mirror_count(f->seen);
    ck_assert_uint_eq(counts.adds, 3);
    ck_assert_uint_eq(counts.updates, 0);
    ck_assert_uint_eq(counts.deletes, 0);
}

static void create_five(void)
{
    create("kept");
    create("edited");
    create("deleted1");
    create("deleted2");
    create("again");
}

static void create_by_kubectl(const char *name)
{
    real_server_must_kubectl(server,
                             kube_printf(ctx,
                                         "{\"apiVersion\":\"samplecrd.k8s.io/v1\","
                                         "\"kind\":\"Network\",\"metadata\":{\"name\":\"%s\"},"
                                         "\"spec\":{\"cidr\":\"10.1.0.0/16\","
                                         "\"gateway\":\"10.1.0.1\"}}",
                                         name),
                             "-n %s create -f -", ns);
}

/* Of the five: two go, one changes, one goes and comes back as another; and there is a new one. */
static void change_five(void)
{
    real_server_must_kubectl(server, NULL, "-n %s delete network deleted1 deleted2 again", ns);
    real_server_must_kubectl(server, NULL,
                             "-n %s patch network edited --type=merge "
                             "-p '{\"spec\":{\"gateway\":\"10.1.0.77\"}}'",
                             ns);
    create_by_kubectl("again");
    create_by_kubectl("new");
}

/* After @adds in all. */
static void expect_changes_made_up_for(follower *f, size_t adds)
{
    mirror_counts counts = mirror_count(f->seen);
    ck_assert_uint_eq(counts.deletes, 2);
    ck_assert_uint_eq(counts.tombstones, 2);
    ck_assert_uint_eq(counts.adds, adds);
    ck_assert_uint_eq(counts.initial_adds, 5);
    ck_assert_uint_eq(counts.updates, 2);
    ck_assert_uint_eq(counts.replaced, 1); /* INF-2: "again" has another uid */
    delete ("kept");
    wait_for_servers_list(f);
    ck_assert_uint_eq(mirror_count(f->seen).tombstones, 2); /* this one was seen */
}

TEST_TIMES(changes_missed_during_a_restart_are_made_up_for, 2)
{
    follower *f = &main_follower;
    uint64_t before;
    int64_t begin;
    create_five();
    follow_synced(f, (kube_informer_options){.no_streaming_list = ways[_i].no_streaming_list});
    wait_for_servers_list(f);
    before = kube_client_request_count(f->client);
    begin = poll_now_ms();
    real_server_kill(server);
    real_server_move(server); /* where the informer does not look */
    change_five();
    real_server_kill(server);
    real_server_restart(server, NULL);
    wait_for_servers_list(f);
    expect_few_requests(f, before, begin);
    expect_changes_made_up_for(f, 6);
}

/* ---- a version that is too old ------------------------------------------------------------- */

static atomic_bool saw_expiry;

static void look_for_expiry(void *arg, kube_log_level level, const char *file, int line,
                            const char *message)
{
    (void)arg;
    (void)level;
    (void)file;
    (void)line;
    if (strstr(message, "too old resource version"))
        atomic_store(&saw_expiry, true);
}

/* A client that reaches the server through the proxy. */
static kube_client *client_through_proxy(void)
{
    const char *url = real_server_url(server);
    kube_config_options options = {.kubeconfig = real_server_kubeconfig(server)};
    kube_config *config;
    kube_client *made;
    expect_ok(kube_fault_proxy_start(
                  &(kube_fault_proxy_options){.target_port = (uint16_t)atoi(strrchr(url, ':') + 1)},
                  &proxy, &err),
              &err);
    options.master =
        kube_printf(ctx, "https://127.0.0.1:%u", (unsigned)kube_fault_proxy_port(proxy));
    expect_ok(kube_config_load(&options, &config, &err), &err);
    expect_ok(kube_client_new(config, NULL, &made, &err), &err);
    kube_config_free(config);
    return made;
}

/* While it is refused it goes on asking for what came after its version (REF-9), which the
 * restarted server no longer knows (REF-10): a new list, and deletes by comparing with it. */
TEST_TIMES(an_expired_version_leads_to_a_new_list, 2)
{
    follower *f = &main_follower;
    uint64_t before;
    int64_t begin;
    atomic_store(&saw_expiry, false);
    kube_log_set_level(KUBE_LOG_DEBUG);
    kube_log_set_sink(look_for_expiry, NULL);
    create_five();
    f->client = client_through_proxy();
    follow_synced(f, (kube_informer_options){.no_streaming_list = ways[_i].no_streaming_list});
    create("seen"); /* else it might be a very short watch, which ends in a list too (REF-10) */
    wait_for_servers_list(f);
    before = kube_client_request_count(f->client);
    begin = poll_now_ms();
    kube_fault_proxy_down(proxy);
    change_five();
    real_server_kill(server);
    real_server_restart(server, NULL);
    create_by_kubectl("after"); /* the server is quite up again */
    delete ("after");
    kube_fault_proxy_up(proxy);
    wait_for_servers_list(f);
    expect_few_requests(f, before, begin);
    ck_assert(atomic_load(&saw_expiry));
    expect_changes_made_up_for(f, 7);
}

/* ---- an older server ----------------------------------------------------------------------- */

static void copy_state(const char *from, const char *to)
{
    const char *directory = real_server_directory(server);
    ck_assert_int_eq(
        system(kube_printf(ctx, "cd '%s' && rm -rf %s && cp -a %s %s", directory, to, from, to)),
        0);
}

static atomic_bool saw_going_back;

static void look_for_going_back(void *arg, kube_log_level level, const char *file, int line,
                                const char *message)
{
    (void)arg;
    (void)level;
    (void)file;
    (void)line;
    if (strstr(message, "networks: the server has gone back from resourceVersion "))
        atomic_store(&saw_going_back, true);
}

/* The watch is taken at a version that the restored server has not reached, and stays silent. */
TEST_TIMES(an_etcd_restored_from_a_backup_is_noticed, 2) /* REF-18 */
{
    follower *f = &main_follower;
    size_t deletes;
    atomic_store(&saw_going_back, false);
    kube_log_set_sink(look_for_going_back, NULL);
    create_five();
    follow_synced(f, (kube_informer_options){.no_streaming_list = ways[_i].no_streaming_list});
    real_server_kill(server);
    copy_state("etcd", "backup");
    real_server_restart(server, NULL);
    delete ("deleted1");
    create("lost");
    for (int i = 0; i < 200; i++) /* more than a starting server writes by itself */
        set_gateway("edited", kube_printf(ctx, "10.1.1.%d", i));
    wait_for_servers_list(f);
    deletes = mirror_count(f->seen).deletes;
    ck_assert(!atomic_load(&saw_going_back));
    real_server_kill(server);
    copy_state("backup", "etcd");
    real_server_restart(server, NULL);
    wait_for_servers_list(f);
    ck_assert(atomic_load(&saw_going_back));
    ck_assert_uint_eq(mirror_count(f->seen).deletes, deletes + 1); /* "lost" */
    create("after");
    delete ("deleted1"); /* it is back */
    wait_for_servers_list(f);
}

/* ---- lost connections ---------------------------------------------------------------------- */

TEST(a_lost_connection_is_taken_up_where_it_ended)
{
    follower *f = &main_follower;
    uint64_t watches;
    mirror_counts counts;
    create_five();
    f->client = client_through_proxy();
    follow_synced(f, (kube_informer_options){0});
    wait_for_servers_list(f);
    create("seen"); /* so that it is no very short watch */
    wait_for_servers_list(f);
    watches = stats_of(f).watches;
    kube_fault_proxy_down(proxy);
    eventually(stats_of(f).watches > watches, last_error(f));
    change_five();
    kube_fault_proxy_up(proxy);
    wait_for_servers_list(f);
    ck_assert_uint_eq(stats_of(f).lists, server_streams_lists() ? 0 : 1); /* the first */
    counts = mirror_count(f->seen);
    ck_assert_uint_eq(counts.deletes, 3); /* all of them told by the server */
    ck_assert_uint_eq(counts.tombstones, 0);
    ck_assert_uint_eq(counts.repeats, 0); /* nothing was listed anew */
}

/* Inside a TLS record, an event, or the head of an answer: wherever the bytes end. */
TEST_TIMES(connections_cut_anywhere_leave_the_cache_right, 2)
{
    const kube_wire_rule cut = {.kind = _i ? KUBE_WIRE_RESET : KUBE_WIRE_CUT,
                                .direction = KUBE_WIRE_TO_CLIENT,
                                .after_bytes_spread = 12000,
                                .times = 6};
    follower *f = &main_follower;
    create_five();
    f->client = client_through_proxy();
    expect_ok(kube_fault_proxy_add_rule(proxy, &cut, &err), &err);
    follow_synced(f, (kube_informer_options){0});
    change_five();
    for (int i = 0; i < 40; i++) /* enough bytes for all the cuts */
        set_gateway("edited", kube_printf(ctx, "10.1.1.%d", i));
    wait_for_servers_list(f);
}

TEST(an_informer_started_before_its_server_waits_for_it)
{
    follower *f = &main_follower;
    int64_t begin;
    create("a");
    f->client = client_of(NULL);
    real_server_kill(server);
    begin = poll_now_ms();
    follow(f, (kube_informer_options){0});
    eventually(stats_of(f).backoffs >= 1, last_error(f));
    ck_assert(!samplecrd_v1_network_informer_has_synced(f->informer));
    ck_assert_str_ne(last_error(f), "");
    real_server_restart(server, NULL);
    expect_ok(kube_informer_factory_wait_synced(f->factory, ctx, &err), &err);
    wait_for_servers_list(f);
    expect_few_requests(f, 0, begin);
}

TEST(stopping_does_not_wait_for_a_server_that_is_gone)
{
    follower *f = &main_follower;
    int64_t begin;
    follow_synced(f, (kube_informer_options){0});
    real_server_kill(server);
    eventually(stats_of(f).backoffs >= 1, last_error(f));
    begin = poll_now_ms();
    kube_informer_factory_stop(f->factory);
    ck_assert_int_lt(poll_now_ms() - begin, 20000);
    real_server_restart(server, NULL);
}

/* ---- many ---------------------------------------------------------------------------------- */

enum { MANY = 20000, WRITERS = 8 };

static atomic_int next_number;
static atomic_int write_failures;

static void *write_networks(void *arg)
{
    kube_ctx *own = kube_ctx_new();
    int number;
    (void)arg;
    while ((number = atomic_fetch_add(&next_number, 1)) < MANY) {
        kube_string_map_entry label = {"half", number % 2 ? "odd" : "even"};
        const network wanted = {
            .metadata = {.name = kube_printf(own, "n%05d", number), .labels = {&label, 1}},
            .spec = {.cidr = "10.1.0.0/16",
                     .gateway = kube_printf(own, "10.1.%d.%d", number / 256 % 256, number % 256)},
        };
        kube_error own_err;
        if (samplecrd_v1_networks_create(client, own, ns, &wanted, NULL, NULL, &own_err)) {
            fprintf(stderr, "%s\n", own_err.message);
            atomic_fetch_add(&write_failures, 1);
        }
        kube_ctx_reset(own);
    }
    kube_ctx_free(own);
    return NULL;
}

static void create_many(void)
{
    pthread_t writers[WRITERS];
    atomic_store(&next_number, 0);
    atomic_store(&write_failures, 0);
    for (int i = 0; i < WRITERS; i++)
        ck_assert_int_eq(pthread_create(&writers[i], NULL, write_networks, NULL), 0);
    for (int i = 0; i < WRITERS; i++)
        ck_assert_int_eq(pthread_join(writers[i], NULL), 0);
    ck_assert_int_eq(atomic_load(&write_failures), 0);
}

TEST(twenty_thousand_networks)
{
    follower *live = &main_follower;
    int64_t begin = poll_now_ms();
    follow_synced(live, (kube_informer_options){0});
    create_many();
    printf("created %d in %lld ms\n", MANY, (long long)(poll_now_ms() - begin));
    eventually(mirror_count(live->seen).len == MANY, last_error(live));
    wait_for_servers_list(live); /* all of them by events */
    ck_assert_uint_eq(mirror_count(live->seen).initial_adds, 0);
    for (int i = 0; i < 2; i++) {
        begin = poll_now_ms();
        follow_synced(&lists[i],
                      (kube_informer_options){.no_streaming_list = ways[i].no_streaming_list});
        printf("%s: %lld ms, %zu bytes each, at most %zu bytes queued\n",
               i ? "pages" : "streaming list", (long long)(poll_now_ms() - begin),
               stats_of(&lists[i]).object_bytes / MANY, stats_of(&lists[i]).queued_bytes_peak);
        ck_assert_uint_eq(samplecrd_v1_network_lister_count(lists[i].lister), MANY);
        eventually(mirror_count(lists[i].seen).len == MANY, last_error(&lists[i]));
        wait_for_servers_list(&lists[i]);
        ck_assert_uint_eq(mirror_count(lists[i].seen).initial_adds, MANY);
        ck_assert_uint_eq(stats_of(&lists[i]).bad_objects, 0);
        ck_assert_uint_gt(stats_of(&lists[i]).queued_bytes_peak, 0);
    }
    for (int i = 0; i < 10; i++)
        delete (kube_printf(ctx, "n%05d", i * 1999));
    wait_for_servers_list(live);
    wait_for_servers_list(&lists[0]);
    wait_for_servers_list(&lists[1]);
}

/* ---- life ---------------------------------------------------------------------------------- */

static size_t count_entries(const char *path)
{
    DIR *dir = opendir(path);
    size_t count = 0;
    ck_assert_ptr_nonnull(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

static size_t heap_bytes(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { HEAP_IS_KNOWN = 0 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { HEAP_IS_KNOWN = 0 };
#else
enum { HEAP_IS_KNOWN = 1 };
#endif
#else
enum { HEAP_IS_KNOWN = 1 };
#endif

enum { CYCLES = 100, WARM_UP = 10, HEAP_SLACK = 256 * 1024 };

/* One life of an informer on @f's client. */
static void live_once(follower *f)
{
    kube_client *kept = f->client;
    follow_synced(f, (kube_informer_options){0});
    eventually(mirror_count(f->seen).len == 50, last_error(f));
    f->client = NULL;
    unfollow(f);
    f->client = kept;
}

TEST(starting_and_stopping_100_times_leaves_nothing)
{
    follower *f = &main_follower;
    size_t threads = 0;
    size_t files = 0;
    size_t bytes = 0;
    for (int i = 0; i < 50; i++)
        create(kube_printf(ctx, "n%d", i));
    f->client = client_of(NULL);
    for (int i = 0; i < WARM_UP + CYCLES; i++) {
        live_once(f);
        if (i == WARM_UP - 1) {
            threads = count_entries("/proc/self/task");
            files = count_entries("/proc/self/fd");
            bytes = heap_bytes();
        }
    }
    eventually(count_entries("/proc/self/task") <= threads, "threads are left");
    eventually(count_entries("/proc/self/fd") <= files, "files are left");
    /* Slack for the last connection or two, which the I/O thread has yet to give back. */
    if (HEAP_IS_KNOWN)
        eventually(heap_bytes() <= bytes + HEAP_SLACK, "memory is left");
}

TEST(a_client_and_its_informer_leave_nothing_either)
{
    follower *f = &main_follower;
    size_t threads = 0;
    size_t files = 0;
    create("a");
    for (int i = 0; i < 20; i++) {
        follow_synced(f, (kube_informer_options){0});
        unfollow(f);
        if (i == 4) {
            threads = count_entries("/proc/self/task");
            files = count_entries("/proc/self/fd");
        }
    }
    eventually(count_entries("/proc/self/task") <= threads, "threads are left");
    eventually(count_entries("/proc/self/fd") <= files, "files are left");
}

int main(void)
{
    return world_run(NULL);
}
