/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything at once, for the thread sanitizer (TestHammerController): a server that sends,
 * is cut and is listed again, handlers that stay, come and go, readers, and an index that comes
 * late. At the end the cache and every handler that stayed agree with the server.
 */
#include "cache/processor.h"
#include "informer_world.h"
#include "log_lines.h"
#include "support/suite.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { NAMES = 40, ROUNDS = 12, EVENTS_A_ROUND = 300, STAYING = 3 };

/* What a handler believes there is: name -> version, 0 = nothing. */
typedef struct view {
    kube__mutex mutex;
    kube__condition changed;
    int versions[NAMES];
    int mistakes; /* an add of the known, an update or delete of the unknown */
} view;

static informer_world w;
static atomic_bool done;
static int truth[NAMES];

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

static int number_of(const kube_object *object)
{
    return atoi(name_of(object) + 1);
}

static void see(view *v, int number, int version, int before, bool check)
{
    kube__lock(&v->mutex);
    if (check && v->versions[number] != before)
        v->mistakes++;
    v->versions[number] = version;
    kube__broadcast(&v->changed);
    kube__unlock(&v->mutex);
}

static void on_add(void *arg, const kube_object *object, bool in_initial_list)
{
    (void)in_initial_list;
    see(arg, number_of(object), atoi(version_of(object)), 0, true);
}

static void on_update(void *arg, const kube_object *old_object, const kube_object *new_object)
{
    see(arg, number_of(new_object), atoi(version_of(new_object)), atoi(version_of(old_object)),
        true);
}

static void on_delete(void *arg, const kube_object *object, bool final_state_known)
{
    (void)final_state_known;
    see(arg, number_of(object), 0, 0, false);
}

static const kube_handler handler = {on_add, on_update, on_delete};

static void view_init(view *v)
{
    memset(v, 0, sizeof *v);
    ck_assert_int_eq(kube__mutex_init(&v->mutex, NULL), KUBE_OK);
    ck_assert_int_eq(kube__condition_init(&v->changed, NULL), KUBE_OK);
}

static void view_fini(view *v)
{
    kube__condition_fini(&v->changed);
    kube__mutex_fini(&v->mutex);
}

static void view_wait_truth(view *v)
{
    kube__lock(&v->mutex);
    while (memcmp(v->versions, truth, sizeof truth) != 0)
        kube__wait(&v->changed, &v->mutex);
    kube__unlock(&v->mutex);
}

static void *read_all_the_time(void *arg)
{
    const kube_lister *lister = kube_informer_lister(w.informer);
    kube_ctx *ctx = kube_ctx_new();
    char name[16];
    (void)arg;
    for (unsigned i = 0; !atomic_load(&done); i++) {
        kube_cached_list list;
        const kube_object *object;
        snprintf(name, sizeof name, "n%u", i % NAMES);
        if (kube_lister_get(lister, ctx, kube_key_of("ns", name), &object, NULL) == KUBE_OK &&
            strcmp(name_of(object), name) != 0)
            abort();
        if (kube_lister_list(lister, ctx, i % 2 ? "ns" : NULL, i % 3 ? NULL : "!x", &list, NULL))
            abort();
        for (size_t k = 0; k < list.len; k++)
            if (name_of(list.items[k])[0] != 'n')
                abort();
        if (i > 50 && kube_lister_by_index(lister, ctx, "letter", "n", &list, NULL) == KUBE_OK &&
            list.len > NAMES)
            abort();
        kube_ctx_reset(ctx);
    }
    kube_ctx_free(ctx);
    return NULL;
}

static void *come_and_go(void *arg)
{
    (void)arg;
    while (!atomic_load(&done)) {
        kube_registration *registration;
        view v;
        view_init(&v);
        if (kube_informer_add_handler(w.informer, &handler, &v, NULL, &registration, NULL))
            abort();
        if (kube_registration_has_synced(registration))
            kube_informer_has_synced(w.informer);
        kube_informer_remove_handler(w.informer, registration);
        if (v.mistakes)
            abort();
        view_fini(&v);
    }
    return NULL;
}

static kube_code by_letter(void *arg, kube_ctx *ctx, const kube_object *object,
                           kube_index_emit *emit, void *sink, kube_error *err)
{
    const char *name = name_of(object);
    (void)arg;
    (void)err;
    emit(sink, kube_ctx_strndup(ctx, name, 1));
    return KUBE_OK;
}

static kube_object *numbered(int number, int version)
{
    char name[16];
    char text[16];
    snprintf(name, sizeof name, "n%d", number);
    snprintf(text, sizeof text, "%d", version);
    return network("ns", name, name, text);
}

/* Sends changes; a cut hides some of them from the stream until the next list. */
static void send_round(answer *stream, unsigned *random, int *version, bool hidden)
{
    for (int i = 0; i < EVENTS_A_ROUND; i++) {
        int number;
        bool deletes;
        *random = *random * 1103515245u + 12345u;
        number = (int)(*random >> 8) % NAMES;
        deletes = (*random >> 20) % 3 == 0 && truth[number];
        ++*version;
        if (!hidden)
            answer_object(stream,
                          deletes         ? KUBE_WATCH_DELETED
                          : truth[number] ? KUBE_WATCH_MODIFIED
                                          : KUBE_WATCH_ADDED,
                          numbered(number, *version));
        truth[number] = deletes ? 0 : *version;
    }
}

static answer *send_list(int version)
{
    answer *stream = script_add(w.server);
    char text[16];
    for (int i = 0; i < NAMES; i++)
        if (truth[i])
            answer_object(stream, KUBE_WATCH_ADDED, numbered(i, truth[i]));
    snprintf(text, sizeof text, "%d", version);
    answer_initial_end(stream, text);
    return stream;
}

/* The reflector's back-off passes as soon as it waits. */
static void relist(answer *stream, int round)
{
    kube_error err;
    kube_error_set(&err, KUBE_ERR_EXPIRED, "too old");
    answer_error(stream, &err);
    while (script_open_count(w.server) < (size_t)round + 2) {
        kube_fake_clock_wait_for_waiters(w.fake, 1);
        kube_fake_clock_advance_ms(w.fake, 500);
    }
}

/* What a handler that removes itself and another thread share. */
static kube__processor leaving;
static kube_registration *leaver;
static atomic_bool has_left;

static void leave(const void *typed, void *arg, const kube_object *old_object,
                  const kube_object *new_object, bool flag)
{
    (void)typed;
    (void)arg;
    (void)old_object;
    (void)new_object;
    (void)flag;
    kube__processor_remove(&leaving, leaver);
    atomic_store(&has_left, true);
}

static const kube__handler leaving_handler = {.thunk = leave, .typed = "", .typed_size = 1};

/* Each of these also frees the handlers that have left. */
static void *add_and_remove(void *arg)
{
    (void)arg;
    while (!atomic_load(&has_left))
        ;
    for (int i = 0; i < 50; i++) {
        kube_registration *registration;
        if (!kube__processor_add(&leaving, &leaving_handler, NULL, &registration, NULL))
            kube__processor_remove(&leaving, registration);
    }
    return NULL;
}

FIXTURE(set_up, tear_down);

/* Peers: TestHammerController, TestUpdate, TestTransformingInformerRace */
TEST(everything_at_once)
{
    kube__thread threads[3];
    view views[STAYING];
    unsigned random = 7;
    int version = 1;
    answer *stream;
    answer *next;
    w.options.resync_ms = 20000;
    atomic_store(&done, false);
    memset(truth, 0, sizeof truth);
    send_round(NULL, &random, &version, true);
    stream = send_list(version);
    informer_world_make(&w);
    for (int i = 0; i < STAYING - 1; i++) {
        view_init(&views[i]);
        ck_assert_int_eq(
            kube_informer_add_handler(w.informer, &handler, &views[i], NULL, NULL, NULL), KUBE_OK);
    }
    informer_world_sync(&w);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(kube__thread_start(&threads[i], "reader", read_all_the_time, NULL, NULL),
                         KUBE_OK);
    ck_assert_int_eq(kube__thread_start(&threads[2], "visitor", come_and_go, NULL, NULL), KUBE_OK);
    for (int round = 0; round < ROUNDS; round++) {
        send_round(stream, &random, &version, false);
        if (round == 2)
            ck_assert_int_eq(kube_informer_add_index(w.informer, "letter", by_letter, NULL, NULL),
                             KUBE_OK);
        if (round == 3) { /* in the middle of it */
            view_init(&views[STAYING - 1]);
            ck_assert_int_eq(kube_informer_add_handler(w.informer, &handler, &views[STAYING - 1],
                                                       NULL, NULL, NULL),
                             KUBE_OK);
        }
        send_round(stream, &random, &version, true);
        next = send_list(version);
        relist(stream, round);
        stream = next;
    }
    for (int i = 0; i < STAYING; i++)
        view_wait_truth(&views[i]);
    atomic_store(&done, true);
    for (int i = 0; i < 3; i++)
        kube__thread_join(&threads[i]);
    kube_informer_factory_stop(w.factory);
    for (int i = 0; i < STAYING; i++) {
        ck_assert_int_eq(views[i].mistakes, 0);
        view_fini(&views[i]);
    }
    for (int i = 0; i < NAMES; i++) {
        kube_object *key = numbered(i, 1);
        const kube_object *object = NULL;
        kube_code code = kube_lister_get(kube_informer_lister(w.informer), w.ctx,
                                         kube_key_of("ns", name_of(key)), &object, NULL);
        ck_assert_int_eq(code, truth[i] ? KUBE_OK : KUBE_ERR_NOT_FOUND);
        ck_assert_int_eq(object ? atoi(version_of(object)) : 0, truth[i]);
        kube_object_unref(key);
    }
}

/* The end joins a handler's thread while another thread frees the handlers that have left. */
TEST(a_handler_that_has_left_is_joined_once)
{
    for (int i = 0; i < 300; i++) {
        kube__batch *batch = kube__batch_new(1, 0);
        kube__thread other;
        ck_assert_ptr_nonnull(batch);
        kube__batch_add(batch, (kube__change){.new_object = numbered(i, 1)});
        atomic_store(&has_left, false);
        ck_assert_int_eq(kube__processor_init(&leaving, "networks", kube_clock_system(), NULL),
                         KUBE_OK);
        ck_assert_int_eq(kube__processor_add(&leaving, &leaving_handler, NULL, &leaver, NULL),
                         KUBE_OK);
        ck_assert_int_eq(kube__processor_start(&leaving, NULL), KUBE_OK);
        ck_assert_int_eq(kube__thread_start(&other, "other", add_and_remove, NULL, NULL), KUBE_OK);
        kube__processor_publish(&leaving, batch);
        kube__batch_unref(batch);
        while (!atomic_load(&has_left))
            ;
        kube__processor_stop(&leaving);
        kube__processor_join(&leaving);
        kube__thread_join(&other);
        kube__processor_fini(&leaving);
    }
}
