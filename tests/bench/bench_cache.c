/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cache on a fixed corpus: sync, store, lister, events. Prints a figure a line, "name value
 * unit"; best of some runs, for these are times. A server in memory stands in for the network: its
 * stream decodes on the informer's thread, so sync contains decode, staging, replace and delivery.
 */
#include "cache/factory.h"
#include "cache/store.h"
#include "corpus.h"
#include "object/block/block.h"
#include "object/block/pool.h"
#include "object/stream/stream.h"

#include <samplecrd/v1/register.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CHUNK = 64 * 1024, RUNS = 5, EVENTS = 500000, WATCHED = 10000, LOOKUPS = 1000000 };

static void fail(const char *what)
{
    fprintf(stderr, "bench_cache: %s\n", what);
    exit(2);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void print(const char *name, double value, const char *unit)
{
    printf("%s %.4g %s\n", name, value, unit);
}

static void keep_best(double *best, double value)
{
    if (*best == 0 || value < *best)
        *best = value;
}

/* ---- a server in memory ---------------------------------------------------------------------- */

typedef struct server {
    kube__list_watch source;
    const corpus *list;
    kube__stream *stream;
    size_t at;
    kube__result *ready;
    size_t ready_len;
    size_t ready_taken;
    kube_list_meta meta;
    bool watching;
    kube_object **watched; /* MODIFIED events are made of these */
    size_t watched_len;
    size_t events_left;
    size_t turn;
} server;

static kube_code take_item(void *arg, const kube__item *item, kube_error *err)
{
    server *s = arg;
    (void)err;
    s->ready[s->ready_len].type = item->type;
    s->ready[s->ready_len++].object = item->object;
    return KUBE_OK;
}

static kube_code open_results(kube__list_watch *source, kube_ctx *ctx,
                              const kube__result_stream_options *options,
                              kube__result_stream **results, kube_error *err)
{
    server *s = (server *)(void *)source;
    kube__stream_options stream_options = {
        .form = KUBE__STREAM_LIST,
        .drop_managed_fields = options->drop_managed_fields,
        .intern = true,
    };
    (void)ctx;
    *results = (kube__result_stream *)(void *)s;
    s->watching = options->form == KUBE__STREAM_WATCH;
    s->at = 0;
    s->ready_len = 0;
    s->ready_taken = 0;
    if (s->watching)
        return KUBE_OK;
    return kube__stream_new(&samplecrd_v1_network_type, &stream_options, take_item, s, &s->stream,
                            err);
}

static const char *next_version(size_t turn)
{
    static char versions[2][16] = {"3000001", "3000002"};
    return versions[turn & 1];
}

static void make_events(server *s, kube__result *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = s->turn % s->watched_len;
        kube_object *object = kube__block_clone(s->watched[at]);
        samplecrd_v1_network *network = (samplecrd_v1_network *)(void *)object;
        if (!object)
            fail("out of memory");
        network->metadata.resource_version = next_version(s->turn++ / s->watched_len);
        kube__block_seal(object);
        memset(&events[i], 0, sizeof events[i]);
        events[i].type = KUBE_WATCH_MODIFIED;
        events[i].object = object;
    }
    s->events_left -= count;
}

static kube_code next_events(kube__result_stream *results, kube_ctx *ctx, kube__result *events,
                             size_t max, size_t *count, kube_error *err)
{
    server *s = (server *)(void *)results;
    kube_code code = KUBE_OK;
    *count = 0;
    if (s->watching && s->events_left == 0)
        return kube_ctx_sleep_ms(ctx, 3600000, err);
    if (s->watching) {
        *count = s->events_left < 100 ? s->events_left : 100; /* what a chunk brings */
        make_events(s, events, *count);
        return KUBE_OK;
    }
    while (s->ready_taken == s->ready_len && s->at < s->list->len && !code) {
        size_t left = s->list->len - s->at;
        s->ready_len = 0;
        s->ready_taken = 0;
        code =
            kube__stream_feed(s->stream, s->list->text + s->at, left < CHUNK ? left : CHUNK, err);
        s->at += left < CHUNK ? left : CHUNK;
    }
    if (code)
        return code;
    while (*count < max && s->ready_taken < s->ready_len) {
        memset(&events[*count], 0, sizeof *events);
        events[*count].type = KUBE_WATCH_ADDED;
        events[(*count)++].object = s->ready[s->ready_taken++].object;
    }
    return *count ? KUBE_OK : kube_error_set(err, KUBE_ERR_CLOSED, "all of it came");
}

static const kube_list_meta *list_meta(const kube__result_stream *results)
{
    server *s = (server *)(uintptr_t)results;
    s->meta.resource_version = "2000000";
    return &s->meta;
}

static void close_results(kube__result_stream *results)
{
    server *s = (server *)(void *)results;
    kube__stream_free(s->stream);
    s->stream = NULL;
}

static void server_init(server *s, const corpus *list)
{
    memset(s, 0, sizeof *s);
    s->source = (kube__list_watch){open_results, next_events, list_meta, close_results, NULL};
    s->list = list;
    s->ready = calloc(4096, sizeof *s->ready);
    if (!s->ready)
        fail("out of memory");
}

static kube__list_watch *source_of(void *arg, const kube_type *type)
{
    (void)type;
    return &((server *)arg)->source;
}

/* ---- sync and events ------------------------------------------------------------------------- */

typedef struct counter {
    _Atomic size_t adds;
    _Atomic size_t updates;
} counter;

static void count_add(void *arg, const kube_object *object, bool in_initial_list)
{
    (void)object;
    (void)in_initial_list;
    atomic_fetch_add_explicit(&((counter *)arg)->adds, 1, memory_order_relaxed);
}

static void count_update(void *arg, const kube_object *old_object, const kube_object *new_object)
{
    (void)old_object;
    (void)new_object;
    atomic_fetch_add_explicit(&((counter *)arg)->updates, 1, memory_order_release);
}

static const kube_handler counting = {count_add, count_update, NULL};

static void wait_until(const _Atomic size_t *value, size_t least)
{
    struct timespec pause = {0, 100000};
    while (atomic_load_explicit(value, memory_order_acquire) < least)
        nanosleep(&pause, NULL);
}

typedef struct synced {
    kube_ctx *ctx;
    kube_informer_factory *factory;
    kube_informer *informer;
    counter counted;
} synced;

static double start_synced(synced *s, server *srv)
{
    kube_informer_options options = {.no_streaming_list = true};
    kube_error err;
    double start;
    memset(s, 0, sizeof *s);
    s->ctx = kube_ctx_new();
    if (kube_informer_factory_new(NULL, &options, &s->factory, &err))
        fail(err.message);
    kube__informer_factory_set_sources(s->factory, source_of, srv);
    if (kube_informer_factory_informer(s->factory, &samplecrd_v1_network_type, NULL, &s->informer,
                                       &err) ||
        kube_informer_add_handler(s->informer, &counting, &s->counted, NULL, NULL, &err))
        fail(err.message);
    start = seconds();
    if (kube_informer_factory_start(s->factory, s->ctx, &err) ||
        kube_informer_factory_wait_synced(s->factory, s->ctx, &err))
        fail(err.message);
    wait_until(&s->counted.adds, srv->list->count);
    return seconds() - start;
}

static void stop_synced(synced *s)
{
    kube_informer_factory_free(s->factory);
    kube_ctx_free(s->ctx);
}

static void bench_sync(const char *name, const corpus *list)
{
    double best = 0;
    for (int run = 0; run < RUNS; run++) {
        server srv;
        synced s;
        server_init(&srv, list);
        keep_best(&best, start_synced(&s, &srv));
        stop_synced(&s);
        free(srv.ready);
    }
    print(name, best, "s");
}

static void bench_events(const corpus *list, kube_object **objects)
{
    double best = 0;
    for (int run = 0; run < RUNS; run++) {
        server srv;
        synced s;
        double start;
        server_init(&srv, list);
        srv.watched = objects;
        srv.watched_len = list->count;
        srv.events_left = EVENTS;
        start_synced(&s, &srv);
        start = seconds();
        /* Those delivered before the clock started do not count. */
        size_t before = atomic_load(&s.counted.updates);
        wait_until(&s.counted.updates, EVENTS);
        keep_best(&best, (seconds() - start) / (double)(EVENTS - before));
        stop_synced(&s);
        free(srv.ready);
    }
    print("events-counted", 1 / best, "events/s");
}

/* ---- store and lister ------------------------------------------------------------------------ */

typedef struct decoded {
    kube_object **objects;
    size_t len;
} decoded;

static kube_code keep_item(void *arg, const kube__item *item, kube_error *err)
{
    decoded *d = arg;
    (void)err;
    kube__block_seal(item->object);
    d->objects[d->len++] = item->object;
    return KUBE_OK;
}

static decoded decode(const corpus *list)
{
    kube__stream_options options = {
        .form = KUBE__STREAM_LIST, .drop_managed_fields = true, .intern = true};
    kube__stream *stream;
    decoded d = {calloc(list->count, sizeof(kube_object *)), 0};
    kube_error err;
    if (!d.objects ||
        kube__stream_new(&samplecrd_v1_network_type, &options, keep_item, &d, &stream, &err))
        fail("cannot decode the corpus");
    for (size_t at = 0; at < list->len; at += CHUNK) {
        size_t left = list->len - at;
        if (kube__stream_feed(stream, list->text + at, left < CHUNK ? left : CHUNK, &err))
            fail(err.message);
    }
    kube__stream_free(stream);
    return d;
}

static kube_code by_cidr(void *arg, kube_ctx *ctx, const kube_object *object, kube_index_emit *emit,
                         void *sink, kube_error *err)
{
    (void)arg;
    (void)err;
    (void)ctx;
    emit(sink, ((const samplecrd_v1_network *)(const void *)object)->spec.cidr);
    return KUBE_OK;
}

/* One delta a call, as an isolated event comes. */
static void put_all(kube__store *store, const decoded *d)
{
    kube__batch *batch = kube__batch_new(1, 0);
    for (size_t i = 0; i < d->len; i++) {
        kube__delta delta = {d->objects[i], false};
        size_t applied;
        kube_object_ref(d->objects[i]);
        if (kube__store_apply(store, &delta, 1, NULL, batch, &applied, NULL))
            fail("out of memory");
        kube_object_unref(batch->items[0].old_object);
        kube_object_unref(batch->items[0].new_object);
        batch->len = 0;
    }
    kube__batch_unref(batch);
}

static kube__store *new_store(bool with_index)
{
    kube__store *store;
    if (kube__store_new(&samplecrd_v1_network_type, &store, NULL) ||
        (with_index && kube__store_add_index(store, "cidr", by_cidr, NULL, NULL)))
        fail("out of memory");
    return store;
}

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void bench_writes(const decoded *d, bool with_index)
{
    double add = 0;
    double update = 0;
    for (int run = 0; run < RUNS; run++) {
        kube__store *store = new_store(with_index);
        double start = seconds();
        put_all(store, d);
        keep_best(&add, seconds() - start);
        start = seconds();
        put_all(store, d);
        keep_best(&update, seconds() - start);
        if (run == 0)
            print(with_index ? "store-overhead-with-index" : "store-overhead",
                  (double)kube__store_overhead_bytes(store) / (double)d->len, "bytes/object");
        kube__store_free(store);
    }
    print(with_index ? "store-add-with-index" : "store-add", add * 1e9 / (double)d->len, "ns");
    print(with_index ? "store-update-with-index" : "store-update", update * 1e9 / (double)d->len,
          "ns");
}

typedef struct reader {
    const kube_lister *lister;
    kube_ctx *ctx;
    const decoded *d;
} reader;

static const samplecrd_v1_network *random_network(const reader *r, uint32_t *random)
{
    return (const samplecrd_v1_network *)(void *)r->d->objects[next_random(random) % r->d->len];
}

/* Keys apart from the objects: to read them from there would warm what is to be looked up. */
typedef struct keys {
    char (*text)[3][48];
} keys;

static keys random_keys(const reader *r, size_t count)
{
    keys k = {calloc(count, sizeof *k.text)};
    uint32_t random = 1;
    if (!k.text)
        fail("out of memory");
    for (size_t i = 0; i < count; i++) {
        const samplecrd_v1_network *n = random_network(r, &random);
        snprintf(k.text[i][0], 48, "%s", n->metadata.namespace_);
        snprintf(k.text[i][1], 48, "%s", n->metadata.name);
        snprintf(k.text[i][2], 48, "%s", n->spec.cidr);
    }
    return k;
}

static void bench_lookups(const reader *r)
{
    enum { KEYS = 1 << 16 };
    keys k = random_keys(r, KEYS);
    double get = 0;
    double by_index = 0;
    for (int run = 0; run < RUNS; run++) {
        double start = seconds();
        for (size_t i = 0; i < LOOKUPS; i++) {
            const kube_object *object;
            if (kube_lister_get(r->lister, r->ctx,
                                kube_key_of(k.text[i % KEYS][0], k.text[i % KEYS][1]), &object,
                                NULL))
                fail("an object is missing");
            kube_ctx_reset(r->ctx);
        }
        keep_best(&get, seconds() - start);
        start = seconds();
        for (size_t i = 0; i < LOOKUPS; i++) {
            kube_cached_list list;
            if (kube_lister_by_index(r->lister, r->ctx, "cidr", k.text[i % KEYS][2], &list, NULL) ||
                list.len == 0)
                fail("an index entry is missing");
            kube_ctx_reset(r->ctx);
        }
        keep_best(&by_index, seconds() - start);
    }
    print("lister-get", get * 1e9 / LOOKUPS, "ns");
    print("lister-by-index", by_index * 1e9 / LOOKUPS, "ns");
    free(k.text);
}

static void bench_list(const reader *r, const char *name, const char *ns, const char *selector)
{
    double best = 0;
    double with_release = 0;
    kube_cached_list list;
    for (int run = 0; run < 4 * RUNS; run++) {
        double start = seconds();
        if (kube_lister_list(r->lister, r->ctx, ns, selector, &list, NULL))
            fail("a list failed");
        keep_best(&best, seconds() - start);
        kube_ctx_reset(r->ctx);
        keep_best(&with_release, seconds() - start);
    }
    printf("%s %.4g ms of %zu objects, with their release %.4g ms\n", name, best * 1e3, list.len,
           with_release * 1e3);
}

static void bench_reads(const corpus *list, const decoded *d)
{
    server srv;
    synced s;
    kube_informer_stats stats;
    reader r;
    server_init(&srv, list);
    start_synced(&s, &srv);
    if (kube_informer_add_index(s.informer, "cidr", by_cidr, NULL, NULL))
        fail("out of memory");
    kube_informer_get_stats(s.informer, &stats);
    print("object-bytes", (double)stats.object_bytes / (double)stats.objects, "bytes/object");
    r = (reader){kube_informer_lister(s.informer), s.ctx, d};
    bench_lookups(&r);
    bench_list(&r, "list-namespace", "team-a", NULL);
    bench_list(&r, "list-selector-few", NULL, "app.kubernetes.io/name=web,tier=edge");
    bench_list(&r, "list-selector", NULL, "app.kubernetes.io/name=web");
    bench_list(&r, "list-all", NULL, NULL);
    stop_synced(&s);
    free(srv.ready);
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 100000;
    corpus lean = corpus_new(count, CORPUS_LEAN, CORPUS_SORTED);
    corpus full = corpus_new(count, CORPUS_FULL, CORPUS_SORTED);
    corpus few = corpus_new(count < WATCHED ? count : WATCHED, CORPUS_LEAN, CORPUS_SORTED);
    decoded d;
    decoded watched;
    bench_sync("sync-lean", &lean);
    bench_sync("sync-full", &full);
    d = decode(&lean);
    bench_writes(&d, false);
    bench_writes(&d, true);
    bench_reads(&lean, &d);
    watched = decode(&few);
    bench_events(&few, watched.objects);
    for (size_t i = 0; i < d.len; i++)
        kube_object_unref(d.objects[i]);
    for (size_t i = 0; i < watched.len; i++)
        kube_object_unref(watched.objects[i]);
    free(d.objects);
    free(watched.objects);
    corpus_free(&lean);
    corpus_free(&full);
    corpus_free(&few);
    return 0;
}
