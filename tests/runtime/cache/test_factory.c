/* SPDX-License-Identifier: Apache-2.0 */
/* G-25, G-26, INF-8 to INF-10 and the lister (STO-5, STO-6); peer tests TestWaitFor,
 * TestSharedInformerStartRace, TestSharedInformerInitializationRace. */
#include "informer_world.h"
#include "log_lines.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

static informer_world w;

static void set_up(void)
{
    log_lines_start();
    informer_world_init(&w);
}

static void tear_down(void)
{
    informer_world_fini(&w);
    log_lines_stop();
}

/* Another Kind, so that a factory has two informers. */
static kube_type gadget_type(void)
{
    kube_type type = samplecrd_v1_network_type;
    type.kind = "Gadget";
    type.resource = "gadgets";
    return type;
}

FIXTURE(set_up, tear_down);

TEST(one_informer_a_type)
{
    kube_type copy = samplecrd_v1_network_type;
    kube_type gadgets = gadget_type();
    kube_informer *informer;
    informer_world_make(&w);
    ck_assert_int_eq(kube_informer_factory_informer(w.factory, &samplecrd_v1_network_type, NULL,
                                                    &informer, NULL),
                     KUBE_OK);
    ck_assert_ptr_eq(informer, w.informer);
    ck_assert_int_eq(kube_informer_factory_informer(w.factory, &copy, NULL, &informer, NULL),
                     KUBE_OK);
    ck_assert_ptr_eq(informer, w.informer);
    ck_assert_int_eq(kube_informer_factory_informer(w.factory, &gadgets, NULL, &informer, NULL),
                     KUBE_OK);
    ck_assert_ptr_ne(informer, w.informer);
    ck_assert_ptr_eq(kube_informer_type(informer), &gadgets);
    kube_informer_factory_free(w.factory);
    w.factory = NULL;
}

static kube_informer *informer_of(const kube_type *type, const kube_informer_options *own)
{
    kube_informer *informer;
    kube_error err;
    ck_assert_int_eq(kube_informer_factory_informer(w.factory, type, own, &informer, &err),
                     KUBE_OK);
    return informer;
}

static kube_code keep_as_it_is(void *arg, kube_ctx *ctx, kube_object *object, kube_error *err)
{
    (void)arg;
    (void)ctx;
    (void)object;
    (void)err;
    return KUBE_OK;
}

TEST(other_options_make_an_informer_of_its_own)
{
    const kube_type *type = &samplecrd_v1_network_type;
    char selector[] = "app=web";
    kube_informer_options web = {.label_selector = selector};
    kube_informer_options named = {.name = "web", .field_selector = "metadata.name=a"};
    kube_informer_options taken = {.name = "web"};
    kube_informer_options wrong = {.resync_ms = -1};
    kube_informer_options same;
    kube_informer *informers[3];
    kube_informer *again;
    kube_error err;
    w.options.namespace_ = "prod";
    informer_world_make(&w);
    same = *kube_informer_factory_options(w.factory);
    ck_assert_ptr_eq(informer_of(type, &same), w.informer);
    informers[0] = informer_of(type, &web);
    memcpy(selector, "app=bad", 7);
    web.label_selector = "app=web";
    ck_assert_ptr_eq(informer_of(type, &web), informers[0]);
    web.transform = keep_as_it_is;
    informers[1] = informer_of(type, &web);
    ck_assert_ptr_ne(informers[1], informers[0]);
    informers[2] = informer_of(type, &named);
    ck_assert_ptr_eq(informer_of(type, &named), informers[2]);
    ck_assert_ptr_eq(informer_of(type, NULL), w.informer);
    ck_assert_str_eq(kube_informer_name(w.informer), "");
    ck_assert_str_eq(kube_informer_name(informers[0]), "#2");
    ck_assert_str_eq(kube_informer_name(informers[1]), "#3");
    ck_assert_str_eq(kube_informer_name(informers[2]), "web");
    ck_assert_int_eq(kube_informer_factory_informer(w.factory, type, &taken, &again, &err),
                     KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "the informer \"web\" of networks has other options");
    ck_assert_int_eq(kube_informer_factory_informer(w.factory, type, &wrong, &again, &err),
                     KUBE_ERR_ARGUMENT);
}

/* Each lists for itself: the server selects for one, and the caches differ. */
TEST(an_informer_of_its_own_has_its_own_cache)
{
    const kube_informer_options web = {.namespace_ = "x", .label_selector = "app=web"};
    kube_informer *own;
    informer_world_list(&w, "ab", "1", "5");
    informer_world_make(&w);
    informer_world_sync(&w);
    own = informer_of(&samplecrd_v1_network_type, &web);
    informer_world_list(&w, "c", "1", "5");
    informer_world_sync(&w);
    ck_assert_str_eq(script_last_options(w.server).namespace_, "x");
    ck_assert_str_eq(script_last_options(w.server).watch.label_selector, "app=web");
    ck_assert_uint_eq(kube_lister_count(kube_informer_lister(w.informer)), 2);
    ck_assert_uint_eq(kube_lister_count(kube_informer_lister(own)), 1);
}

typedef struct visits {
    char kinds[64];
    size_t left;
} visits;

static bool visit(void *arg, kube_informer *informer)
{
    visits *v = arg;
    kube_informer *again;
    strncat(v->kinds, kube_informer_type(informer)->kind, sizeof v->kinds - strlen(v->kinds) - 1);
    strncat(v->kinds, " ", sizeof v->kinds - strlen(v->kinds) - 1);
    ck_assert_int_eq(
        kube_informer_factory_informer(w.factory, kube_informer_type(informer), NULL, &again, NULL),
        KUBE_OK); /* no lock is held */
    return --v->left > 0;
}

TEST(informers_are_visited_by_type_until_the_visitor_has_enough)
{
    kube_type gadgets = gadget_type();
    kube_type widgets = gadget_type();
    kube_informer *informer;
    visits all = {.left = 9};
    visits first = {.left = 2};
    widgets.kind = "Widget";
    informer_world_make(&w);
    ck_assert_int_eq(kube_informer_factory_informer(w.factory, &widgets, NULL, &informer, NULL),
                     KUBE_OK);
    ck_assert_int_eq(kube_informer_factory_informer(w.factory, &gadgets, NULL, &informer, NULL),
                     KUBE_OK);
    kube_informer_factory_each(w.factory, visit, &all);
    ck_assert_str_eq(all.kinds, "Gadget Network Widget ");
    kube_informer_factory_each(w.factory, visit, &first);
    ck_assert_str_eq(first.kinds, "Gadget Network ");
    kube_informer_factory_free(w.factory);
    w.factory = NULL;
}

TEST(later_informers_need_another_start) /* G-26 */
{
    kube_type gadgets = gadget_type();
    kube_informer *informer;
    informer_world_list(&w, "a", "1", "5");
    informer_world_make(&w);
    informer_world_sync(&w);
    ck_assert_int_eq(kube_informer_factory_informer(w.factory, &gadgets, NULL, &informer, NULL),
                     KUBE_OK);
    /* It has not been started, so nobody waits for it. */
    ck_assert_int_eq(kube_informer_factory_wait_synced(w.factory, w.ctx, NULL), KUBE_OK);
    ck_assert(!kube_informer_has_synced(informer));
    informer_world_list(&w, "", "1", "5");
    informer_world_sync(&w);
    ck_assert(kube_informer_has_synced(informer));
    ck_assert_uint_eq(script_open_count(w.server), 2);
    kube_informer_factory_free(w.factory);
    w.factory = NULL;
}

TEST(waiting_for_nothing_is_done_at_once)
{
    informer_world_make(&w);
    ck_assert_int_eq(kube_informer_factory_wait_synced(w.factory, w.ctx, NULL), KUBE_OK);
}

/* Peers: TestThreadSafeStoreDeleteRemovesEmptySetsFromIndex, TestMultiIndexKeys,
 * TestCacheTransactionShouldIndexErrors, TestWaitFor, TestSyncResult */
TEST(a_wait_that_ends_says_what_is_missing_and_why) /* INF-10 */
{
    kube_ctx *waiting = kube_ctx_new_with_clock(w.options.clock);
    kube_error forbidden;
    kube_error err;
    kube_error_set(&forbidden, KUBE_ERR_FORBIDDEN, "networks is forbidden");
    w.options.no_streaming_list = true;
    informer_world_make(&w);
    informer_world_start(&w);
    kube_ctx_set_timeout_ms(waiting, 0);
    ck_assert_int_eq(kube_informer_factory_wait_synced(w.factory, waiting, &err), KUBE_ERR_TIMEOUT);
    ck_assert_str_eq(err.message, "the cache of networks has not synced: timed out");
    script_refuse(w.server, &forbidden);
    kube_fake_clock_wait_for_waiters(w.fake, 1); /* the back-off */
    ck_assert_int_eq(kube_informer_factory_wait_synced(w.factory, waiting, &err), KUBE_ERR_TIMEOUT);
    ck_assert_str_eq(err.message, "the cache of networks has not synced: networks is forbidden");
    kube_ctx_cancel(waiting);
    ck_assert_int_eq(kube_informer_factory_wait_synced(w.factory, waiting, &err),
                     KUBE_ERR_CANCELED);
    kube_ctx_free(waiting);
}

static void *wait_synced(void *arg)
{
    kube_ctx *ctx = kube_ctx_new();
    *(kube_code *)arg = kube_informer_factory_wait_synced(w.factory, ctx, NULL);
    kube_ctx_free(ctx);
    return NULL;
}

TEST(stopping_ends_a_wait)
{
    kube__thread waiter;
    kube_code code = KUBE_OK;
    informer_world_make(&w);
    informer_world_start(&w);
    script_wait_opens(w.server, 1);
    ck_assert_int_eq(kube__thread_start(&waiter, "waiter", wait_synced, &code, NULL), KUBE_OK);
    kube_informer_factory_stop(w.factory);
    kube__thread_join(&waiter);
    ck_assert_int_eq(code, KUBE_ERR_CLOSED);
}

TEST(its_ctx_is_its_end)
{
    kube_error err;
    informer_world_list(&w, "a", "1", "5");
    informer_world_make(&w);
    kube_ctx_cancel(w.ctx);
    informer_world_start(&w);
    ck_assert_int_eq(kube_informer_factory_wait_synced(w.factory, w.ctx, &err), KUBE_ERR_CANCELED);
}

/* Peers: TestSharedInformerWatchDisruption, TestSharedInformerInitializationRace,
 * TestSharedInformerStartRace, TestStateSharedInformer */
TEST(starts_and_stops_a_hundred_times)
{
    for (int i = 0; i < 100; i++) {
        recorder *seen = recorder_new();
        informer_world_fini(&w);
        informer_world_init(&w);
        informer_world_list(&w, "abc", "1", "5");
        informer_world_make(&w);
        recorder_register(seen, w.informer);
        if (i % 3)
            informer_world_sync(&w);
        else
            informer_world_start(&w);
        if (i % 2)
            recorder_register(seen, w.informer);
        kube_informer_factory_stop(w.factory);
        recorder_free(seen);
    }
}

TEST(options_are_copied_and_checked)
{
    char ns[] = "prod";
    kube_informer_options bad = {.resync_ms = -1};
    kube_informer_factory *factory;
    kube_error err;
    ck_assert_int_eq(kube_informer_factory_new(NULL, &bad, &factory, &err), KUBE_ERR_ARGUMENT);
    ck_assert_ptr_null(factory);
    w.options.namespace_ = ns;
    informer_world_list(&w, "a", "1", "5");
    informer_world_make(&w);
    memcpy(ns, "test", 4);
    informer_world_sync(&w);
    ck_assert_str_eq(script_last_options(w.server).namespace_, "prod");
}

/* ---- lister ---------------------------------------------------------------------------------- */

TEST(lister_reads_the_cache)
{
    answer *stream = script_add(w.server);
    const kube_lister *lister;
    const kube_object *object;
    kube_cached_list list;
    kube_error err;
    answer_object(stream, KUBE_WATCH_ADDED, labeled("x", "a", "1", "app=web"));
    answer_object(stream, KUBE_WATCH_ADDED, labeled("x", "b", "2", "app=db"));
    answer_object(stream, KUBE_WATCH_ADDED, labeled("y", "c", "3", "app=web"));
    answer_initial_end(stream, "5");
    informer_world_make(&w);
    informer_world_sync(&w);
    lister = kube_informer_lister(w.informer);
    ck_assert_uint_eq(kube_lister_count(lister), 3);
    ck_assert_int_eq(kube_lister_get(lister, w.ctx, kube_key_of("x", "b"), &object, &err), KUBE_OK);
    ck_assert_str_eq(version_of(object), "2");
    ck_assert_int_eq(kube_lister_get(lister, w.ctx, kube_key_of("y", "b"), &object, &err),
                     KUBE_ERR_NOT_FOUND);
    ck_assert_str_eq(err.message, "networks \"b\" not found");
    ck_assert_ptr_null(object);
    ck_assert_int_eq(kube_lister_get(lister, w.ctx, kube_key_of("y", ""), &object, &err),
                     KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(kube_lister_list(lister, w.ctx, "x", NULL, &list, &err), KUBE_OK);
    ck_assert_uint_eq(list.len, 2);
    ck_assert_int_eq(kube_lister_list(lister, w.ctx, NULL, "app in (web)", &list, &err), KUBE_OK);
    ck_assert_uint_eq(list.len, 2);
    ck_assert_int_eq(kube_lister_list(lister, w.ctx, "z", "", &list, &err), KUBE_OK);
    ck_assert_uint_eq(list.len, 0);
    ck_assert_int_eq(kube_lister_list(lister, w.ctx, NULL, "app in", &list, &err),
                     KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(kube_lister_by_index(lister, w.ctx, "namespace", "y", &list, &err), KUBE_OK);
    ck_assert_uint_eq(list.len, 1);
    ck_assert_int_eq(kube_lister_by_index(lister, w.ctx, "color", "y", &list, &err),
                     KUBE_ERR_ARGUMENT);
}

TEST(what_was_read_lives_as_long_as_its_ctx) /* STO-9 */
{
    answer *stream = informer_world_list(&w, "ab", "1", "5");
    recorder *seen = recorder_new();
    const kube_object *object;
    kube_cached_list list;
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    ck_assert_int_eq(kube_lister_get(kube_informer_lister(w.informer), w.ctx,
                                     kube_key_of("ns", "a"), &object, NULL),
                     KUBE_OK);
    ck_assert_int_eq(
        kube_lister_list(kube_informer_lister(w.informer), w.ctx, "ns", NULL, &list, NULL),
        KUBE_OK);
    list.items[0] = NULL; /* the array is the caller's own */
    informer_world_event(stream, KUBE_WATCH_DELETED, "a", "6");
    informer_world_event(stream, KUBE_WATCH_DELETED, "b", "7");
    recorder_wait(seen, 4);
    kube_informer_factory_free(w.factory);
    w.factory = NULL;
    ck_assert_str_eq(version_of(object), "1");
    ck_assert_str_eq(version_of(list.items[1]), "1");
    recorder_free(seen);
}
