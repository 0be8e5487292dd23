/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which keys a controller runs for which events: of its own objects, of those it owns, and of those
 * it maps. Two informers on servers by script; the workers are real, the answers are waited for.
 */
#include "cache/factory.h"
#include "object/block/block.h"
#include "runtime/cache/objects.h"
#include "runtime/cache/script.h"
#include "support/fail_malloc.h"
#include "support/gate.h"
#include "support/suite.h"

#include <core/v1/register.h>
#include <kube/controller.h>
#include <kube/log.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kube_fake_clock *fake;
static script *own_server; /* of the controller's Kind */
static script *map_server; /* of ConfigMaps */
static answer *own_stream;
static answer *map_stream;
static kube_ctx *ctx;
static kube_informer_factory *factory;
static kube_controller *controller;
static kube__thread runner;
static kube_error err;

static kube__mutex mutex; /* of the runs */
static char runs[64][200];
static int run_len;
static gate ran;

static kube__list_watch *source_of(void *arg, const kube_type *type)
{
    (void)arg;
    return script_source(type == &core_v1_config_map_type ? map_server : own_server);
}

static void be_quiet(void *arg, kube_log_level level, const char *file, int line,
                     const char *message)
{
    (void)arg;
    (void)level;
    (void)file;
    (void)line;
    (void)message;
}

/* "default/a: update of ConfigMap default/m 1 -> 2" */
static kube_code reconcile(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                           kube_error *run_err)
{
    (void)result;
    (void)run_err;
    kube__lock(&mutex);
    snprintf(runs[run_len++], sizeof runs[0], "%s/%s: %s", request->key.namespace_,
             request->key.name, kube_reason_text(run_ctx, &request->why));
    kube__unlock(&mutex);
    gate_pass(&ran);
    return KUBE_OK;
}

static void make(const kube_type *type)
{
    const kube_informer_options cache = {.clock = kube_fake_clock_clock(fake)};
    const kube_controller_options options = {.name = "test", .for_ = type, .reconcile = reconcile};
    ck_assert_int_eq(kube_informer_factory_new(NULL, &cache, &factory, &err), KUBE_OK);
    kube__informer_factory_set_sources(factory, source_of, NULL);
    ck_assert_int_eq(kube_controller_new(factory, &options, &controller, &err), KUBE_OK);
}

static void set_up(void)
{
    kube_log_set_sink(be_quiet, NULL);
    fake = kube_fake_clock_new();
    own_server = script_new(fake);
    map_server = script_new(fake);
    own_stream = script_add(own_server);
    map_stream = script_add(map_server);
    ctx = kube_ctx_new();
    run_len = 0;
    ck_assert_int_eq(kube__mutex_init(&mutex, NULL), KUBE_OK);
    gate_init(&ran);
    make(&samplecrd_v1_network_type);
}

static void free_controller(void)
{
    kube_controller_free(controller);
    kube_informer_factory_free(factory);
}

static void tear_down(void)
{
    kube_ctx_cancel(ctx);
    kube__thread_join(&runner);
    free_controller();
    kube_ctx_free(ctx);
    script_free(map_server);
    script_free(own_server);
    kube_fake_clock_free(fake);
    gate_fini(&ran);
    kube__mutex_fini(&mutex);
    kube_log_set_sink(NULL, NULL);
}

static void *run_controller(void *arg)
{
    ck_assert_int_eq(kube_controller_run(arg, ctx, &err), KUBE_OK);
    return NULL;
}

static void go(void)
{
    answer_initial_end(own_stream, "1");
    answer_initial_end(map_stream, "1");
    ck_assert_int_eq(kube__thread_start(&runner, "test", run_controller, controller, &err),
                     KUBE_OK);
}

/* Waits for the next run, and compares it. It has ended then: a key that is still in work when it
 * is added again would come after others. */
#define expect(text)                                                                               \
    do {                                                                                           \
        gate_wait(&ran, ++expected);                                                               \
        ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);               \
        ck_assert_str_eq(runs[expected - 1], (text));                                              \
    } while (0)

/* ---- objects --------------------------------------------------------------------------------- */

static kube_owner_reference owned_by(const char *api_version, const char *kind, const char *name,
                                     bool controls)
{
    return (kube_owner_reference){.api_version = api_version,
                                  .kind = kind,
                                  .name = name,
                                  .uid = "u",
                                  .controller = {.set = controls, .value = controls}};
}

static kube_owner_reference by_network(const char *name)
{
    return owned_by("samplecrd.k8s.io/v1", "Network", name, true);
}

/* A ConfigMap of the namespace "default" that looks decoded; @owner without a name = none. */
static kube_object *config_map(const char *name, const char *version, kube_owner_reference owner)
{
    kube_ctx *scope = kube_ctx_new();
    core_v1_config_map built = {
        .base = {.type = &core_v1_config_map_type},
        .metadata = {.name = name,
                     .namespace_ = "default",
                     .uid = name,
                     .resource_version = version,
                     .owner_references = {&owner, owner.name ? 1 : 0}},
    };
    kube_object *object = kube_object_deep_copy(scope, &core_v1_config_map_type, &built.base);
    ck_assert_ptr_nonnull(object);
    kube_object_ref(object);
    kube_ctx_free(scope);
    kube__block_seal(object);
    return object;
}

static void map_event(kube_watch_event_type type, const char *name, const char *version,
                      kube_owner_reference owner)
{
    answer_object(map_stream, type, config_map(name, version, owner));
}

static const kube_owner_reference nobody;

static void own_maps(const kube_owns_options *options)
{
    ck_assert_int_eq(kube_controller_owns(controller, &core_v1_config_map_type, options, &err),
                     KUBE_OK);
}

/* ---- owned ----------------------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(events_of_an_owned_object_run_its_owner)
{
    int expected = 0;
    own_maps(NULL);
    map_event(KUBE_WATCH_ADDED, "m", "1", by_network("a"));
    go();
    expect("default/a: add of ConfigMap default/m 1");
    map_event(KUBE_WATCH_MODIFIED, "m", "2", by_network("a"));
    expect("default/a: update of ConfigMap default/m 1 -> 2");
    map_event(KUBE_WATCH_DELETED, "m", "3", by_network("a"));
    expect("default/a: delete of ConfigMap default/m 3");
}

TEST(the_old_and_the_new_owner_run)
{
    int expected = 0;
    own_maps(NULL);
    map_event(KUBE_WATCH_ADDED, "m", "1", by_network("a"));
    go();
    expect("default/a: add of ConfigMap default/m 1");
    map_event(KUBE_WATCH_MODIFIED, "m", "2", by_network("b"));
    expect("default/a: update of ConfigMap default/m 1 -> 2 "
           "(metadata.ownerReferences)");
    expect("default/b: update of ConfigMap default/m 1 -> 2 "
           "(metadata.ownerReferences)");
    map_event(KUBE_WATCH_MODIFIED, "m", "3", nobody); /* let go of */
    expect("default/b: update of ConfigMap default/m 2 -> 3 (metadata.ownerReferences)");
}

/* The last to come is one of ours: what runs before it must not be there. */
TEST(other_owners_are_not_ours)
{
    int expected = 0;
    own_maps(NULL);
    map_event(KUBE_WATCH_ADDED, "orphan", "1", nobody);
    map_event(KUBE_WATCH_ADDED, "group", "1", owned_by("other.io/v1", "Network", "x", true));
    map_event(KUBE_WATCH_ADDED, "kind", "1", owned_by("samplecrd.k8s.io/v1", "Router", "x", true));
    map_event(KUBE_WATCH_ADDED, "core", "1", owned_by("v1", "Network", "x", true));
    map_event(KUBE_WATCH_ADDED, "start", "1",
              owned_by("samplecrd.k8s.io.evil/v1", "Network", "x", true));
    map_event(KUBE_WATCH_ADDED, "loose", "1",
              owned_by("samplecrd.k8s.io/v1", "Network", "x", false));
    map_event(KUBE_WATCH_ADDED, "ours", "1", by_network("a"));
    go();
    expect("default/a: add of ConfigMap default/ours 1");
}

/* Whoever may write a ConfigMap may write any name there. */
TEST(an_owner_that_cannot_exist_does_not_run)
{
    static const char *const names[] = {"..", "../../a", "a%2fb", "a\nb"};
    int expected = 0;
    own_maps(NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        map_event(KUBE_WATCH_ADDED, (const char *const[]){"v", "w", "x", "y"}[i], "1",
                  by_network(names[i]));
    map_event(KUBE_WATCH_ADDED, "z", "1", by_network("a"));
    go();
    expect("default/a: add of ConfigMap default/z 1");
}

/* OW-2: an owner is the same in each version it is served in. */
TEST(the_version_of_the_owner_does_not_matter)
{
    int expected = 0;
    own_maps(NULL);
    map_event(KUBE_WATCH_ADDED, "m", "1",
              owned_by("samplecrd.k8s.io/v2beta7", "Network", "a", true));
    go();
    expect("default/a: add of ConfigMap default/m 1");
}

TEST(any_owner_counts_when_asked_for)
{
    const kube_owns_options any = {.any_owner = true};
    int expected = 0;
    own_maps(&any);
    map_event(KUBE_WATCH_ADDED, "m", "1", owned_by("samplecrd.k8s.io/v1", "Network", "a", false));
    go();
    expect("default/a: add of ConfigMap default/m 1");
}

TEST(an_owner_of_cluster_scope_has_no_namespace)
{
    int expected = 0;
    free_controller();
    make(&core_v1_node_type);
    own_maps(NULL);
    map_event(KUBE_WATCH_ADDED, "m", "1", owned_by("v1", "Node", "n1", true));
    go();
    expect("/n1: add of ConfigMap default/m 1");
}

TEST(a_delete_that_was_missed_runs_the_owner_of_the_last_state)
{
    kube_error gone;
    int expected = 0;
    own_maps(NULL);
    map_event(KUBE_WATCH_ADDED, "m", "1", by_network("a"));
    answer_initial_end(map_stream, "1");
    kube_error_set(&gone, KUBE_ERR_EXPIRED, "too old");
    answer_error(map_stream, &gone);
    map_stream = script_add(map_server); /* a new list, without it */
    go();
    expect("default/a: add of ConfigMap default/m 1");
    kube_fake_clock_wait_for_waiters(fake, 2); /* an idle watch, and a back-off */
    kube_fake_clock_advance_ms(fake, kube_fake_clock_next_ms(fake));
    expect("default/a: delete of ConfigMap default/m 1");
}

/* ---- predicates ------------------------------------------------------------------------------ */

static bool not_even(const kube_predicate *self, const kube_change *change)
{
    const kube_object *object = change->new_object ? change->new_object : change->old_object;
    const char *version = kube_object_metadata(object)->resource_version;
    ck_assert_ptr_eq(self->arg, &runs);
    return atoi(version) % 2 == 1;
}

static const kube_predicate odd = {.passes = not_even, .arg = &runs};

TEST(what_a_predicate_holds_back_does_not_run)
{
    const kube_owns_options options = {.predicate = &odd};
    int expected = 0;
    own_maps(&options);
    map_event(KUBE_WATCH_ADDED, "m", "2", by_network("a"));
    map_event(KUBE_WATCH_ADDED, "n", "3", by_network("b"));
    go();
    expect("default/b: add of ConfigMap default/n 3");
    map_event(KUBE_WATCH_MODIFIED, "n", "4", by_network("b"));
    map_event(KUBE_WATCH_MODIFIED, "m", "5", by_network("a"));
    expect("default/a: update of ConfigMap default/m 2 -> 5");
}

/* ---- watched --------------------------------------------------------------------------------- */

/* "m-a-b" runs default/a and default/b. */
static kube_code by_name(void *arg, kube_ctx *scope, const kube_object *object,
                         const kube_change *change, kube_map_emit *emit, void *sink,
                         kube_error *map_err)
{
    const char *name = kube_object_metadata(object)->name;
    char one[2] = "";
    (void)scope;
    (void)map_err;
    ck_assert_ptr_eq(arg, &runs);
    ck_assert(object == change->old_object || object == change->new_object);
    for (; *name; name++) {
        if (*name != '-')
            continue;
        one[0] = name[1];
        emit(sink, (kube_key){"default", one});
    }
    emit(sink, (kube_key){"default", NULL}); /* no key */
    return KUBE_OK;
}

static void watch_maps(const kube_predicate *predicate)
{
    ck_assert_int_eq(kube_controller_watches(controller, &core_v1_config_map_type, by_name, &runs,
                                             predicate, &err),
                     KUBE_OK);
}

TEST(a_mapping_says_which_keys_run)
{
    int expected = 0;
    watch_maps(NULL);
    map_event(KUBE_WATCH_ADDED, "m-a-b", "1", nobody);
    go();
    expect("default/a: add of ConfigMap default/m-a-b 1");
    expect("default/b: add of ConfigMap default/m-a-b 1");
    /* Old and new state say the same: each key runs once, for one event. */
    map_event(KUBE_WATCH_MODIFIED, "m-a-b", "2", nobody);
    expect("default/a: update of ConfigMap default/m-a-b 1 -> 2");
    expect("default/b: update of ConfigMap default/m-a-b 1 -> 2");
    map_event(KUBE_WATCH_ADDED, "m-c-c-c", "3", nobody);
    expect("default/c: add of ConfigMap default/m-c-c-c 3");
    map_event(KUBE_WATCH_ADDED, "m-d", "4", nobody);
    expect("default/d: add of ConfigMap default/m-d 4");
}

TEST(a_watch_has_its_predicate_too)
{
    int expected = 0;
    watch_maps(&odd);
    map_event(KUBE_WATCH_ADDED, "m-a", "2", nobody);
    map_event(KUBE_WATCH_ADDED, "m-b", "3", nobody);
    go();
    expect("default/b: add of ConfigMap default/m-b 3");
}

/* ---- mapping that fails ---------------------------------------------------------------------- */

static atomic_int asked;
static _Atomic(const char *) failing; /* the object that cannot be mapped; NULL = none */

/* An object runs the key of its name. */
static kube_code unless_it_fails(void *arg, kube_ctx *scope, const kube_object *object,
                                 const kube_change *change, kube_map_emit *emit, void *sink,
                                 kube_error *map_err)
{
    const kube_object_meta *metadata = kube_object_metadata(object);
    const char *fails = failing; /* who waits until it was asked may change it then */
    (void)arg;
    (void)scope;
    (void)change;
    atomic_fetch_add(&asked, 1);
    emit(sink, kube_meta_key(metadata));
    if (fails && strcmp(metadata->name, fails) == 0)
        return kube_error_set(map_err, KUBE_ERR_UNAVAILABLE, "not now");
    return KUBE_OK;
}

static void watch_what_fails(const char *name)
{
    asked = 0;
    failing = name;
    ck_assert_int_eq(kube_controller_watches(controller, &core_v1_config_map_type, unless_it_fails,
                                             NULL, NULL, &err),
                     KUBE_OK);
}

/* Lets the queue's next delay pass; there are the idle deadlines of two watches beside it. */
static void pass(int64_t ms)
{
    kube_fake_clock_wait_for_waiters(fake, 3);
    ck_assert_int_eq(kube_fake_clock_next_ms(fake), ms);
    kube_fake_clock_advance_ms(fake, ms);
}

static size_t pending(void)
{
    kube_controller_stats stats;
    kube_controller_get_stats(controller, &stats);
    return stats.pending_changes;
}

static void wait_pending(size_t count)
{
    while (pending() != count)
        sched_yield();
}

static void wait_asked(int count)
{
    while (atomic_load(&asked) < count)
        sched_yield();
}

TEST(a_change_that_cannot_be_mapped_is_never_lost)
{
    int64_t delay_ms = 10;
    int expected = 0;
    watch_what_fails("m");
    map_event(KUBE_WATCH_ADDED, "m", "1", nobody);
    go();
    wait_pending(1);
    map_event(KUBE_WATCH_ADDED, "n", "2", nobody); /* others go on */
    answer_object(own_stream, KUBE_WATCH_ADDED, network("default", "a", "u", "3"));
    gate_wait(&ran, 2);
    expected = 2;
    for (int i = 0; i < 10; i++) {
        if (i == 9)
            failing = NULL;
        pass(delay_ms);
        wait_asked(2 + 1 + i); /* m and n at once, and m once more for each delay */
        delay_ms *= 2;
    }
    expect("default/m: add of ConfigMap default/m 1");
    ck_assert_uint_eq(pending(), 0);
}

TEST(what_happens_to_an_object_meanwhile_is_mapped_with_it)
{
    int expected = 0;
    watch_what_fails("m");
    map_event(KUBE_WATCH_ADDED, "m", "1", nobody);
    go();
    wait_asked(1);
    wait_pending(1);
    map_event(KUBE_WATCH_MODIFIED, "m", "2", nobody);
    wait_asked(2);
    wait_pending(1);
    failing = NULL;
    map_event(KUBE_WATCH_DELETED, "m", "3", nobody);
    expect("default/m: delete of ConfigMap default/m 3");
    ck_assert_int_eq(asked, 3);
    ck_assert_uint_eq(pending(), 0);
    pass(10); /* the worker finds nothing left to do */
    ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);
    ck_assert_int_eq(run_len, 1);
}

/* Waits for the end of its ctx, which is that of the controller's run. */
static kube_code wait_for_end(void *arg, kube_ctx *scope, const kube_object *object,
                              const kube_change *change, kube_map_emit *emit, void *sink,
                              kube_error *map_err)
{
    (void)arg;
    (void)change;
    emit(sink, kube_meta_key(kube_object_metadata(object)));
    if (atomic_fetch_add(&asked, 1) == 0)
        return kube_ctx_sleep_ms(scope, 3600000, map_err);
    return KUBE_OK;
}

TEST(a_stop_interrupts_a_mapping_and_the_next_start_goes_on_with_it)
{
    kube_controller_stats stats;
    int expected = 0;
    asked = 0;
    ck_assert_int_eq(kube_controller_watches(controller, &core_v1_config_map_type, wait_for_end,
                                             NULL, NULL, &err),
                     KUBE_OK);
    map_event(KUBE_WATCH_ADDED, "m", "1", nobody);
    answer_initial_end(own_stream, "1");
    answer_initial_end(map_stream, "1");
    ck_assert_int_eq(kube_informer_factory_start(factory, ctx, &err), KUBE_OK);
    ck_assert_int_eq(kube_controller_start(controller, ctx, &err), KUBE_OK);
    wait_asked(1);
    kube_controller_get_stats(controller, &stats);
    ck_assert_int_eq(stats.mapping, 1);
    kube_controller_stop(controller);
    kube_controller_get_stats(controller, &stats);
    ck_assert_int_eq(stats.mapping, 0);
    ck_assert_uint_eq(stats.pending_changes, 1);
    ck_assert_int_eq(kube_controller_start(controller, ctx, &err), KUBE_OK);
    expect("default/m: add of ConfigMap default/m 1");
    kube_controller_stop(controller);
}

static void wait_cached(size_t count)
{
    kube_informer *informer;
    kube_informer_stats stats;
    ck_assert_int_eq(
        kube_informer_factory_informer(factory, &core_v1_config_map_type, NULL, &informer, &err),
        KUBE_OK);
    do {
        sched_yield();
        kube_informer_get_stats(informer, &stats);
    } while (stats.objects != count);
}

TEST(after_its_run_it_holds_no_changes)
{
    kube_ctx *later = kube_ctx_new();
    watch_what_fails("m");
    map_event(KUBE_WATCH_ADDED, "m", "1", nobody);
    go();
    wait_pending(1);
    kube_ctx_cancel(ctx);
    kube__thread_join(&runner);
    ck_assert_uint_eq(pending(), 0);
    map_event(KUBE_WATCH_ADDED, "n", "2", nobody);
    wait_cached(2);
    ck_assert_uint_eq(pending(), 0);
    ck_assert_int_eq(kube_controller_start(controller, later, &err), KUBE_ERR_ARGUMENT);
    kube_ctx_free(later);
}

TEST(one_type_may_be_owned_and_watched)
{
    kube_key first;
    own_maps(NULL);
    watch_maps(NULL);
    map_event(KUBE_WATCH_ADDED, "m-b", "1", by_network("a"));
    go();
    gate_wait(&ran, 2);
    first = (kube_key){"default", runs[0][8] == 'a' ? "a" : "b"};
    ck_assert_str_eq(runs[*first.name == 'a' ? 0 : 1], "default/a: add of ConfigMap default/m-b 1");
    ck_assert_str_eq(runs[*first.name == 'a' ? 1 : 0], "default/b: add of ConfigMap default/m-b 1");
}

TEST(a_running_controller_takes_no_new_sources)
{
    int expected = 0;
    map_event(KUBE_WATCH_ADDED, "m", "1", nobody);
    answer_object(own_stream, KUBE_WATCH_ADDED, network("default", "a", "u", "1"));
    go();
    expect("default/a: add of Network default/a 1");
    ck_assert_int_eq(kube_controller_owns(controller, &core_v1_config_map_type, NULL, &err),
                     KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "test: call owns and watches before the controller runs");
    ck_assert_int_eq(
        kube_controller_watches(controller, &core_v1_config_map_type, by_name, NULL, NULL, &err),
        KUBE_ERR_ARGUMENT);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static bool make_all(void *arg)
{
    const kube_informer_options cache = {.clock = kube_fake_clock_clock(fake)};
    kube_controller_options options = {
        .name = "test", .for_ = &samplecrd_v1_network_type, .reconcile = reconcile, .arg = arg};
    kube_informer_factory *f = NULL;
    kube_controller *c = NULL;
    kube_metrics *metrics = kube_metrics_new();
    kube_error e;
    kube_code rc = metrics ? KUBE_OK : KUBE_ERR_NO_MEMORY;
    options.metrics = metrics;
    if (!rc)
        rc = kube_informer_factory_new(NULL, &cache, &f, &e);
    if (!rc) {
        kube__informer_factory_set_sources(f, source_of, NULL);
        rc = kube_controller_new(f, &options, &c, &e);
    }
    if (!rc)
        rc = kube_controller_owns(c, &core_v1_config_map_type, NULL, &e);
    if (!rc)
        rc = kube_controller_watches(c, &core_v1_config_map_type, by_name, NULL, NULL, &e);
    if (rc && rc != KUBE_ERR_NO_MEMORY)
        abort();
    kube_controller_free(c);
    kube_informer_factory_free(f);
    kube_metrics_free(metrics);
    return !rc;
}

TEST(memory_may_run_out_anywhere_while_one_is_made)
{
    ck_assert_uint_gt(fail_malloc_replay(make_all, NULL), 20);
}

/* Has the memory for its key when it is asked for the third time. */
static kube_code by_scarce_name(void *arg, kube_ctx *scope, const kube_object *object,
                                const kube_change *change, kube_map_emit *emit, void *sink,
                                kube_error *map_err)
{
    const char *name = atomic_fetch_add(&asked, 1) < 2 ? kube_ctx_alloc(scope, SIZE_MAX)
                                                       : kube_printf(scope, "%s", "a");
    (void)arg;
    (void)object;
    (void)change;
    (void)map_err;
    emit(sink, (kube_key){"default", name});
    return KUBE_OK;
}

TEST(a_mapping_without_memory_is_asked_again)
{
    int expected = 0;
    asked = 0;
    ck_assert_int_eq(kube_controller_watches(controller, &core_v1_config_map_type, by_scarce_name,
                                             NULL, NULL, &err),
                     KUBE_OK);
    map_event(KUBE_WATCH_ADDED, "m", "1", nobody);
    go();
    pass(10);
    pass(20);
    expect("default/a: add of ConfigMap default/m 1");
    ck_assert_int_eq(asked, 3);
}
