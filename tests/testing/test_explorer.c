/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schedule explorer: it leaves right controllers alone and finds the bug in wrong ones, each
 * with one call. The right one is the example's; the wrong ones are what people write at first.
 */
#include "controller.h" /* examples/network-controller */
#include "support/suite.h"
#include "tests/memory_provider.h" /* the same */

#include <core/v1/api.h>
#include <kube/testing/explorer.h>
#include <kube/testing/recorder.h>
#include <stdio.h>
#include <string.h>

#define CRD "/examples/network-controller/config/crd/samplecrd.k8s.io_networks.yaml"

typedef samplecrd_v1_network network;

static kube_error err;
static struct network_controller controller;
static kube_fake_recorder *recorder;
static char crd[512];

static void set_up(void)
{
    snprintf(crd, sizeof crd, "%s%s", getenv("KUBEGEN_SOURCE_DIR"), CRD);
    recorder = kube_fake_recorder_new();
    controller = (struct network_controller){
        .recorder = kube_fake_recorder_recorder(recorder),
        .provider = memory_provider_new(),
    };
    kube_log_set_level(KUBE_LOG_WARN);
}

static void tear_down(void)
{
    controller.provider->free(controller.provider);
    kube_fake_recorder_free(recorder);
    kube_log_set_sink(NULL, NULL);
    kube_log_set_level(KUBE_LOG_INFO);
}

static void discard(void *arg, kube_log_level level, const char *file, int line,
                    const char *message)
{
    (void)arg;
    (void)level;
    (void)file;
    (void)line;
    (void)message;
}

/* ---- changes to Networks -------------------------------------------------------------------- */

static void forget_the_world(void *arg)
{
    (void)arg;
    memory_provider_clear(controller.provider);
}

static kube_code create_or_edit(kube_explorer *x, const char *name, kube_error *e)
{
    kube_client *client = kube_explorer_client(x);
    kube_ctx *ctx = kube_explorer_ctx(x);
    const char *gateway = kube_printf(ctx, "10.1.0.%u", 1 + (unsigned)kube_explorer_random(x, 9));
    const char *patch = kube_printf(ctx, "{\"spec\":{\"gateway\":\"%s\"}}", gateway);
    const network wanted = {.metadata = {.name = name},
                            .spec = {.cidr = "10.1.0.0/16", .gateway = gateway}};
    kube_code rc = samplecrd_v1_networks_create(client, ctx, "a", &wanted, NULL, NULL, e);
    kube_explorer_note(x, "%s a/%s", rc ? "edit" : "create", name);
    if (rc == KUBE_ERR_ALREADY_EXISTS)
        rc = samplecrd_v1_networks_patch(client, ctx, kube_key_of("a", name), KUBE_PATCH_MERGE,
                                         patch, strlen(patch), NULL, NULL, e);
    return rc;
}

static kube_code make_change(void *arg, kube_explorer *x, kube_error *e)
{
    static const char *const names[] = {"red", "green", "blue"};
    const char *name = names[kube_explorer_random(x, 3)];
    kube_code rc;
    (void)arg;
    if (kube_explorer_random(x, 3))
        return create_or_edit(x, name, e);
    kube_explorer_note(x, "delete a/%s", name);
    rc = samplecrd_v1_networks_delete(kube_explorer_client(x), kube_explorer_ctx(x),
                                      kube_key_of("a", name), NULL, e);
    return rc == KUBE_ERR_NOT_FOUND ? KUBE_OK : rc;
}

/* ---- the example's controller --------------------------------------------------------------- */

static bool enqueue(void *arg, const struct real_network *real)
{
    return kube_explorer_enqueue(arg, real->key, NULL) == KUBE_OK;
}

static kube_code start(void *arg, kube_explorer *x, kube_error *e)
{
    kube_code rc = network_controller_init(&controller, kube_explorer_factory(x), e);
    (void)arg;
    return rc ? rc : controller.provider->list(controller.provider, NULL, enqueue, x, e);
}

static kube_code list_networks(kube_explorer *x, samplecrd_v1_network_list **out, kube_error *e)
{
    return samplecrd_v1_networks_list(kube_explorer_client(x), kube_explorer_ctx(x), "a", NULL, out,
                                      e);
}

static kube_code every_network_is_real(void *arg, kube_explorer *x, kube_error *e)
{
    samplecrd_v1_network_list *networks;
    kube_code rc = list_networks(x, &networks, e);
    (void)arg;
    for (size_t i = 0; !rc && i < networks->len; i++) {
        const network *n = networks->items[i];
        kube_ctx *ctx = kube_explorer_ctx(x);
        const char *wanted = kube_printf(ctx, "%s by %s", n->spec.cidr, n->spec.gateway);
        const char *real = memory_provider_get(controller.provider, ctx, "a", n->metadata.name);
        if (strcmp(real, "none") == 0)
            rc = kube_error_set(e, KUBE_ERR_NOT_FOUND, "%s is not real", n->metadata.name);
        else if (strcmp(real, wanted) != 0)
            rc = kube_error_set(e, KUBE_ERR_INVALID, "%s has the wrong gateway", n->metadata.name);
    }
    if (!rc && memory_provider_count(controller.provider) != networks->len)
        rc = kube_error_set(e, KUBE_ERR_CONFLICT, "%zu real networks for %zu objects",
                            memory_provider_count(controller.provider), networks->len);
    return rc;
}

static kube_exploration networks(void)
{
    return (kube_exploration){
        .for_ = &samplecrd_v1_network_type,
        .load_file = crd,
        .load = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n",
        .begin = forget_the_world,
        .start = start,
        .make_change = make_change,
        .reconcile = network_reconcile,
        .arg = &controller,
        .converged = every_network_is_real,
    };
}

FIXTURE(set_up, tear_down);

TEST(the_examples_controller_converges_in_every_schedule)
{
    const kube_exploration what = networks();
    ck_assert_msg(kube_explore(&what, &err) == KUBE_OK, "%s", err.message);
}

/* ---- controllers with a bug ----------------------------------------------------------------- */

static uint64_t seed_of(const kube_error *e)
{
    unsigned long long seed = 0;
    ck_assert_int_eq(sscanf(e->message, "seed %llu: ", &seed), 1);
    return seed;
}

/* Some seed finds it; that seed alone finds it again, with the same words. */
static void expect_found(kube_exploration what, const char *message)
{
    kube_error again;
    kube_log_set_sink(discard, NULL);
    ck_assert_int_ne(kube_explore(&what, &err), KUBE_OK);
    ck_assert_msg(strstr(err.message, message), "%s", err.message);
    ck_assert_ptr_null(strstr(err.message, "left to chance"));
    what.seed = seed_of(&err);
    ck_assert_int_ne(kube_explore(&what, &again), KUBE_OK);
    ck_assert_str_eq(err.message, again.message);
}

/* It waits to be told of a delete, which nobody does when it happened while it was not there. */
static kube_code start_without_looking(void *arg, kube_explorer *x, kube_error *e)
{
    (void)arg;
    return network_controller_init(&controller, kube_explorer_factory(x), e);
}

TEST(a_delete_nobody_saw_is_found)
{
    kube_exploration what = networks();
    what.start = start_without_looking;
    expect_found(what, "real networks for");
    what.no_restarts = true; /* without them it is right */
    kube_log_set_sink(NULL, NULL);
    ck_assert_msg(kube_explore(&what, &err) == KUBE_OK, "%s", err.message);
}

static char last_seen[16];

/* It takes what it saw last for what is there. */
static kube_code reconcile_by_memory(kube_ctx *ctx, const kube_request *request,
                                     kube_result *result, kube_error *e)
{
    bool is_again = strcmp(last_seen, request->key.name) == 0;
    snprintf(last_seen, sizeof last_seen, "%.15s", request->key.name);
    return is_again ? KUBE_OK : network_reconcile(ctx, request, result, e);
}

static void forget_last_seen(void *arg, kube_explorer *x)
{
    (void)arg;
    (void)x;
    last_seen[0] = '\0';
}

TEST(an_event_taken_for_another_is_found)
{
    kube_exploration what = networks();
    what.reconcile = reconcile_by_memory;
    what.stop = forget_last_seen;
    expect_found(what, "not converged");
}

/* ---- a controller that makes objects -------------------------------------------------------- */

static const core_v1_config_map_lister *config_maps;

static kube_code start_config_maps(void *arg, kube_explorer *x, kube_error *e)
{
    core_v1_config_map_informer *informer;
    kube_code rc = network_controller_init(&controller, kube_explorer_factory(x), e);
    (void)arg;
    if (!rc)
        rc = core_v1_config_map_informer_get(kube_explorer_factory(x), NULL, &informer, e);
    if (!rc)
        config_maps = core_v1_config_map_informer_lister(informer);
    return rc;
}

static kube_explorer *explorer; /* for its client: the controller's is the same */

static kube_code start_with_client(void *arg, kube_explorer *x, kube_error *e)
{
    explorer = x;
    return start_config_maps(arg, x, e);
}

static core_v1_config_map map_of(kube_ctx *ctx, const network *owner)
{
    kube_owner_reference *reference = kube_ctx_alloc(ctx, sizeof *reference);
    kube_string_map_entry *data = kube_ctx_alloc(ctx, sizeof *data);
    *reference = (kube_owner_reference){.api_version = "samplecrd.k8s.io/v1",
                                        .kind = "Network",
                                        .name = owner->metadata.name,
                                        .uid = owner->metadata.uid};
    *data = (kube_string_map_entry){"gateway", owner->spec.gateway};
    return (core_v1_config_map){
        .metadata = {.name = owner->metadata.name, .owner_references = {reference, 1}},
        .data = {data, 1},
    };
}

static bool is_of(const core_v1_config_map *map, const network *owner)
{
    const kube_owner_reference_list *owners = &map->metadata.owner_references;
    return owners->len && strcmp(owners->items[0].uid, owner->metadata.uid) == 0;
}

/* One ConfigMap a Network, of its name; so a create that worked and seemed to fail is no harm, nor
 * one that an earlier Network of the name has left. */
static kube_code reconcile_config_map(kube_ctx *ctx, const kube_request *request,
                                      kube_result *result, kube_error *e)
{
    kube_client *client = kube_explorer_client(explorer);
    const kube_key key = request->key;
    const core_v1_config_map *there;
    core_v1_config_map wanted;
    const network *owner;
    kube_code rc = samplecrd_v1_network_lister_get(controller.networks, ctx, key, &owner, e);
    (void)result;
    if (rc == KUBE_ERR_NOT_FOUND) {
        rc = core_v1_config_maps_delete(client, ctx, key, NULL, e);
        return rc == KUBE_ERR_NOT_FOUND ? KUBE_OK : rc;
    }
    if (rc)
        return rc;
    wanted = map_of(ctx, owner);
    if (core_v1_config_map_lister_get(config_maps, ctx, key, &there, NULL))
        return core_v1_config_maps_create(client, ctx, key.namespace_, &wanted, NULL, NULL, e);
    if (is_of(there, owner) &&
        strcmp(kube_string_map_get(&there->data, "gateway"), owner->spec.gateway) == 0)
        return KUBE_OK;
    wanted.metadata.resource_version = there->metadata.resource_version;
    return core_v1_config_maps_update(client, ctx, key.namespace_, &wanted, NULL, NULL, e);
}

/* The same, by what the cache says there is, and with names of the server's making. */
static kube_code reconcile_by_stale_cache(kube_ctx *ctx, const kube_request *request,
                                          kube_result *result, kube_error *e)
{
    kube_client *client = kube_explorer_client(explorer);
    core_v1_config_map_cached_list there;
    core_v1_config_map wanted;
    const network *owner;
    kube_code rc =
        samplecrd_v1_network_lister_get(controller.networks, ctx, request->key, &owner, e);
    (void)result;
    if (rc)
        return rc == KUBE_ERR_NOT_FOUND ? KUBE_OK : rc;
    rc = core_v1_config_map_lister_list(config_maps, ctx, request->key.namespace_, NULL, &there, e);
    if (rc)
        return rc;
    for (size_t i = 0; i < there.len; i++) {
        if (is_of(there.items[i], owner))
            return KUBE_OK;
    }
    wanted = map_of(ctx, owner);
    wanted.metadata.name = NULL;
    wanted.metadata.generate_name = "network-";
    return core_v1_config_maps_create(client, ctx, request->key.namespace_, &wanted, NULL, NULL, e);
}

static kube_code one_config_map_each(void *arg, kube_explorer *x, kube_error *e)
{
    samplecrd_v1_network_list *all;
    core_v1_config_map_list *maps;
    kube_code rc = list_networks(x, &all, e);
    (void)arg;
    if (!rc)
        rc = core_v1_config_maps_list(kube_explorer_client(x), kube_explorer_ctx(x), "a", NULL,
                                      &maps, e);
    for (size_t i = 0; !rc && i < all->len; i++) {
        size_t count = 0;
        for (size_t j = 0; j < maps->len; j++)
            count += is_of(maps->items[j], all->items[i]);
        if (count != 1)
            rc = kube_error_set(e, KUBE_ERR_CONFLICT, "%zu config maps of %s", count,
                                all->items[i]->metadata.name);
    }
    return rc;
}

static const kube_explored_kind owned[] = {{&core_v1_config_map_type, true}};

static kube_exploration config_map_exploration(kube_reconcile *reconcile)
{
    kube_exploration what = networks();
    what.kinds = owned;
    what.kind_count = 1;
    what.start = start_with_client;
    what.reconcile = reconcile;
    what.converged = one_config_map_each;
    return what;
}

/* Only edits and new Networks. */
static kube_code make_more(void *arg, kube_explorer *x, kube_error *e)
{
    static const char *const names[] = {"red", "green", "blue"};
    (void)arg;
    return create_or_edit(x, names[kube_explorer_random(x, 3)], e);
}

TEST(children_with_names_of_their_own_converge)
{
    kube_exploration what = config_map_exploration(reconcile_config_map);
    what.seeds = 100;
    ck_assert_msg(kube_explore(&what, &err) == KUBE_OK, "%s", err.message);
}

TEST(a_decision_by_a_stale_cache_is_found)
{
    kube_exploration what = config_map_exploration(reconcile_by_stale_cache);
    what.make_change = make_more;
    what.no_faults = true; /* the cache alone does it */
    what.no_restarts = true;
    expect_found(what, "config maps of");
}

/* ---- what never ends ------------------------------------------------------------------------ */

static kube_code always_fail(kube_ctx *ctx, const kube_request *request, kube_result *result,
                             kube_error *e)
{
    (void)ctx;
    (void)result;
    return kube_error_set(e, KUBE_ERR_INVALID, "cannot do %s", request->key.name);
}

TEST(a_key_that_always_fails_is_reported)
{
    kube_exploration what = networks();
    what.reconcile = always_fail;
    expect_found(what, "fails for ever: cannot do");
}

/* It answers each of its own changes with another one. */
static kube_code always_write(kube_ctx *ctx, const kube_request *request, kube_result *result,
                              kube_error *e)
{
    static unsigned count;
    const char *patch = kube_printf(ctx, "{\"metadata\":{\"labels\":{\"n\":\"%u\"}}}", count++);
    kube_code rc = samplecrd_v1_networks_patch(
        kube_explorer_client(explorer), ctx, kube_key_of("a", request->key.name), KUBE_PATCH_MERGE,
        patch, strlen(patch), NULL, NULL, e);
    (void)result;
    return rc == KUBE_ERR_NOT_FOUND ? KUBE_OK : rc;
}

TEST(a_controller_that_never_rests_is_reported)
{
    kube_exploration what = networks();
    what.start = start_with_client;
    what.kinds = owned;
    what.kind_count = 1;
    what.reconcile = always_write;
    what.make_change = make_more;
    expect_found(what, "does not come to rest");
}

static unsigned runs;

/* It needs its timer twice, and asks for it. */
static kube_code take_three_runs(kube_ctx *ctx, const kube_request *request, kube_result *result,
                                 kube_error *e)
{
    if (++runs % 3) {
        result->requeue_after_ms = 1000;
        return KUBE_OK;
    }
    return network_reconcile(ctx, request, result, e);
}

TEST(timers_go_off_when_all_else_is_done)
{
    kube_exploration what = networks();
    runs = 0;
    what.seeds = 30;
    what.reconcile = take_three_runs;
    ck_assert_msg(kube_explore(&what, &err) == KUBE_OK, "%s", err.message);
}

/* ---- seeds ---------------------------------------------------------------------------------- */

static unsigned schedules;

static void count_schedules(void *arg)
{
    forget_the_world(arg);
    schedules++;
}

TEST(as_many_seeds_as_asked_for)
{
    kube_exploration what = networks();
    what.begin = count_schedules;
    what.seeds = 3;
    schedules = 0;
    ck_assert_int_eq(kube_explore(&what, &err), KUBE_OK);
    ck_assert_uint_eq(schedules, 3);
    setenv("KUBE_EXPLORE_SEED", "77", 1);
    kube_log_set_sink(discard, NULL);
    schedules = 0;
    ck_assert_int_eq(kube_explore(&what, &err), KUBE_OK);
    ck_assert_uint_eq(schedules, 1);
    unsetenv("KUBE_EXPLORE_SEED");
}

static unsigned chance;

static kube_code fail_by_chance(void *arg, kube_explorer *x, kube_error *e)
{
    (void)arg;
    (void)x;
    return chance++ ? KUBE_OK : kube_error_set(e, KUBE_ERR_INVALID, "bad luck");
}

TEST(what_does_not_repeat_is_said_so)
{
    kube_exploration what = networks();
    chance = 0;
    what.converged = fail_by_chance;
    kube_log_set_sink(discard, NULL);
    ck_assert_int_eq(kube_explore(&what, &err), KUBE_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(err.message, "bad luck"));
    ck_assert_ptr_nonnull(strstr(err.message, "left to chance"));
}

TEST(a_failing_change_ends_it)
{
    kube_exploration what = networks();
    what.make_change = fail_by_chance;
    chance = 0;
    kube_log_set_sink(discard, NULL);
    ck_assert_int_eq(kube_explore(&what, &err), KUBE_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(err.message, "make_change: bad luck"));
}

/* ---- mistakes of the test ------------------------------------------------------------------- */

TEST(a_member_that_is_needed_and_not_set_is_named)
{
    static const char *const names[] = {"for_", "reconcile", "make_change", "converged"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        kube_exploration what = networks();
        char message[64];
        if (i == 0)
            what.for_ = NULL;
        else if (i == 1)
            what.reconcile = NULL;
        else if (i == 2)
            what.make_change = NULL;
        else
            what.converged = NULL;
        ck_assert_int_eq(kube_explore(&what, &err), KUBE_ERR_ARGUMENT);
        snprintf(message, sizeof message, "explorer: %s is not set", names[i]);
        ck_assert_str_eq(err.message, message);
    }
}

TEST(a_seed_that_is_no_number_is_an_error)
{
    static const char *const bad[] = {"abc", "7x", "-1", "0", " 7", "99999999999999999999999"};
    const kube_exploration what = networks();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv("KUBE_EXPLORE_SEED", bad[i], 1);
        ck_assert_int_eq(kube_explore(&what, &err), KUBE_ERR_ARGUMENT);
        ck_assert_msg(strstr(err.message, "KUBE_EXPLORE_SEED="), "%s", err.message);
        ck_assert_ptr_nonnull(strstr(err.message, bad[i]));
    }
    unsetenv("KUBE_EXPLORE_SEED");
}

static kube_code do_nothing(void *arg, kube_explorer *x, kube_error *e)
{
    (void)arg;
    (void)x;
    (void)e;
    return KUBE_OK;
}

TEST(reconcile_that_never_ran_is_a_failure)
{
    kube_exploration what = networks();
    what.make_change = do_nothing;
    what.converged = do_nothing;
    what.seeds = 3;
    ck_assert_int_eq(kube_explore(&what, &err), KUBE_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(err.message, "reconcile never ran in 3 schedules"));
}
