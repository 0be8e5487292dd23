/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What grows with input from the network or from documents, at its worst: each case runs with n, 2n
 * and 4n, and what is to be counted runs in bench_measured(), for `valgrind --tool=callgrind
 * --toggle-collect=bench_measured --dump-after=bench_measured`. Prints a line for each run.
 */
#include "cache/bad_objects.h"
#include "cache/fold.h"
#include "cache/store.h"
#include "control/controller/missed.h"
#include "control/controller/reason.h"
#include "control/events/event_correlator.h"
#include "control/events/event_series.h"
#include "net/client/warning.h"
#include "object/block/block.h"
#include "object/label/requirement.h"
#include "object/stream/stream.h"
#include "runtime/object/fixture_types.h"

#include <kube/codec.h>
#include <kube/metrics.h>
#include <kube/predicate.h>
#include <samplecrd/v1/register.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kit ------------------------------------------------------------------------------------- */

static void fail(const char *what)
{
    fprintf(stderr, "bench_growth: %s\n", what);
    exit(2);
}

static void must(kube_code rc, const kube_error *err)
{
    if (rc)
        fail(err->message);
}

/* Its own function, and not static, so that callgrind knows it by name. */
void bench_measured(void (*run)(void *arg), void *arg);
__attribute__((noinline)) void bench_measured(void (*run)(void *arg), void *arg)
{
    run(arg);
}

typedef struct text {
    char *data;
    size_t len;
    size_t size;
} text;

static void put(text *t, const char *format, ...) KUBE_PRINTF(2, 3);
static void put(text *t, const char *format, ...)
{
    va_list args;
    if (t->len + 256 > t->size) {
        t->size = 2 * t->size + 4096;
        t->data = realloc(t->data, t->size);
        if (!t->data)
            fail("out of memory");
    }
    va_start(args, format);
    t->len += (size_t)vsnprintf(t->data + t->len, 256, format, args);
    va_end(args);
}

/* How the members of an object are named. */
typedef enum order { RISING, FALLING, SHUFFLED, RENAMED, EQUAL } order;

/* 7919 is prime, and no n is a multiple of it. */
static size_t number_at(order o, size_t i, size_t n)
{
    switch (o) {
    case FALLING:
        return n - i;
    case SHUFFLED:
        return i * 7919 % n;
    case RENAMED:
        return n + i;
    case EQUAL:
        return 0;
    default:
        return i;
    }
}

/* `"key":value` n times; the names have a long beginning in common. */
static void put_members(text *t, order o, size_t n, const char *value)
{
    for (size_t i = 0; i < n; i++)
        put(t, "%s\"a-prefix-that-all-the-keys-share-%08zu\":%s", i ? "," : "", number_at(o, i, n),
            value);
}

static const char head[] =
    "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"}";

/* A widget whose spec has @before, n members and @after. */
static text widget(const char *before, order o, size_t n, const char *value, const char *after)
{
    text t = {0};
    put(&t, "%s,\"spec\":{%s", head, before);
    put_members(&t, o, n, value);
    put(&t, "%s}}", after);
    return t;
}

/* ---- objects --------------------------------------------------------------------------------- */

typedef struct pair {
    kube_ctx *ctx;
    kube_object *a;
    kube_object *b;
    const char *patch;
    size_t paths;
    bool equal;
} pair;

static bool count_path(void *arg, const char *path)
{
    pair *p = arg;
    p->paths += *path != '\0';
    return true;
}

static void run_diff(void *arg)
{
    pair *p = arg;
    kube_error err;
    must(kube_diff(p->ctx, &fixture_widget_type, p->a, p->b, &p->patch, NULL, &err), &err);
}

static void run_diff_paths(void *arg)
{
    pair *p = arg;
    kube_diff_paths(&fixture_widget_type, p->a, p->b, count_path, p, SIZE_MAX);
}

static void run_equal(void *arg)
{
    pair *p = arg;
    p->equal = kube_object_equal(&fixture_widget_type, p->a, p->b);
}

static kube_object *decode(kube_ctx *ctx, text json)
{
    kube_object *object = NULL;
    kube_error err;
    must(kube_decode(ctx, &fixture_widget_type, json.data, json.len, &object, &err), &err);
    free(json.data);
    return object;
}

static void compare(text a, text b, void (*run)(void *arg), size_t paths, bool equal)
{
    pair p = {.ctx = kube_ctx_new()};
    p.a = decode(p.ctx, a);
    p.b = decode(p.ctx, b);
    bench_measured(run, &p);
    if (p.paths != paths || p.equal != equal)
        fail("another difference than expected");
    kube_ctx_free(p.ctx);
}

static void paths_of_renamed_members(size_t n)
{
    compare(widget("", RISING, n, "1", ""), widget("", RENAMED, n, "1", ""), run_diff_paths, 2 * n,
            false);
}

static void paths_of_shuffled_members(size_t n)
{
    compare(widget("", RISING, n, "1", ""), widget("", SHUFFLED, n, "2", ""), run_diff_paths, n,
            false);
}

static void patch_of_reversed_members(size_t n)
{
    compare(widget("", RISING, n, "1", ""), widget("", FALLING, n, "1", ""), run_diff, 0, false);
}

static void patch_of_raw_json(size_t n)
{
    compare(widget("\"raw\":{", RISING, n, "{\"a\":[1]}", "}"),
            widget("\"raw\":{", SHUFFLED, n, "{\"a\":[2]}", "}"), run_diff, 0, false);
}

/* n / 20 levels around n members: nothing is read once for each level. */
static text nested(size_t n, order o)
{
    text t = {0};
    put(&t, "%s,\"spec\":{\"raw\":", head);
    for (size_t i = 0; i < n / 20; i++)
        put(&t, "{\"a\":");
    put(&t, "{");
    put_members(&t, o, n, "1");
    for (size_t i = 0; i < n / 20; i++)
        put(&t, "}");
    put(&t, "}}}");
    return t;
}

static void paths_of_nested_json(size_t n)
{
    compare(nested(n, RISING), nested(n, RENAMED), run_diff_paths, 2 * n, false);
}

static void equality_of_reversed_members(size_t n)
{
    compare(widget("", RISING, n, "1", ""), widget("", FALLING, n, "1", ""), run_equal, 0, false);
}

static void equality_of_shuffled_members(size_t n)
{
    compare(widget("", RISING, n, "1", ""), widget("", SHUFFLED, n, "1", ""), run_equal, 0, true);
}

typedef struct maps {
    fixture_widget a;
    fixture_widget b;
    bool equal;
} maps;

static void run_equal_maps(void *arg)
{
    maps *m = arg;
    m->equal = kube_object_equal(&fixture_widget_type, &m->a.base, &m->b.base);
}

static void equality_of_maps(size_t n)
{
    kube_ctx *ctx = kube_ctx_new();
    kube_string_map_entry *rising = kube_ctx_alloc_array(ctx, n, sizeof *rising);
    kube_string_map_entry *falling = kube_ctx_alloc_array(ctx, n, sizeof *falling);
    maps m = {.a.spec.string_map = {rising, n}, .b.spec.string_map = {falling, n}};
    for (size_t i = 0; i < n; i++) {
        rising[i] = (kube_string_map_entry){kube_printf(ctx, "key-%08zu", i), "v"};
        falling[n - 1 - i] = rising[i];
    }
    bench_measured(run_equal_maps, &m);
    if (!m.equal)
        fail("the maps differ");
    kube_ctx_free(ctx);
}

static void run_copy(void *arg)
{
    pair *p = arg;
    if (!kube_object_deep_copy(p->ctx, &fixture_widget_type, p->a))
        fail("out of memory");
}

/* Of an object that may be edited, so it is walked. */
static void copy_of_maps(size_t n)
{
    pair p = {.ctx = kube_ctx_new()};
    p.a = decode(p.ctx, widget("\"leafMap\":{", SHUFFLED, n, "{\"name\":\"v\",\"x\":1}", "}"));
    bench_measured(run_copy, &p);
    kube_ctx_free(p.ctx);
}

static void run_encode(void *arg)
{
    pair *p = arg;
    kube_error err;
    must(kube_encode(p->ctx, &fixture_widget_type, p->a, KUBE_ENCODE_PLAIN, &p->patch, NULL, &err),
         &err);
}

static void encoding_of_map_in_reverse(size_t n)
{
    pair p = {.ctx = kube_ctx_new()};
    fixture_widget w = {
        .spec.string_map = {kube_ctx_alloc_array(p.ctx, n, sizeof(kube_string_map_entry)), n}};
    for (size_t i = 0; i < n; i++)
        w.spec.string_map.items[i] =
            (kube_string_map_entry){kube_printf(p.ctx, "key-%08zu", n - i), "v"};
    p.a = &w.base;
    bench_measured(run_encode, &p);
    kube_ctx_free(p.ctx);
}

/* ---- decoding -------------------------------------------------------------------------------- */

typedef struct feed {
    text json;
    size_t chunk;
    kube__stream_form form;
    size_t good;
    size_t bad;
} feed;

static kube_code take_item(void *arg, const kube__item *item, kube_error *err)
{
    feed *f = arg;
    (void)err;
    f->good += item->object != NULL;
    f->bad += item->error != NULL;
    kube_object_unref(item->object);
    return KUBE_OK;
}

/* As what comes from a server: strings with few values are shared. */
static void run_feed(void *arg)
{
    feed *f = arg;
    const kube__stream_options options = {.form = f->form, .intern = true};
    kube__stream *stream;
    kube_error err;
    must(kube__stream_new(&fixture_widget_type, &options, take_item, f, &stream, &err), &err);
    for (size_t at = 0; at < f->json.len; at += f->chunk) {
        size_t left = f->json.len - at;
        must(kube__stream_feed(stream, f->json.data + at, left < f->chunk ? left : f->chunk, &err),
             &err);
    }
    must(kube__stream_finish(stream, &err), &err);
    kube__stream_free(stream);
}

static void feed_all(text json, kube__stream_form form, size_t chunk, size_t good, size_t bad)
{
    feed f = {json, chunk, form, 0, 0};
    bench_measured(run_feed, &f);
    if (f.good != good || f.bad != bad)
        fail("another number of items than expected");
    free(json.data);
}

static void decoding_of_map_in_reverse(size_t n)
{
    feed_all(widget("\"stringMap\":{", FALLING, n, "\"v\"", "}"), KUBE__STREAM_OBJECT, 16384, 1, 0);
}

static void decoding_of_map_shuffled(size_t n)
{
    feed_all(widget("\"leafMap\":{", SHUFFLED, n, "{\"name\":\"v\"}", "}"), KUBE__STREAM_OBJECT,
             16384, 1, 0);
}

static void decoding_of_one_key(size_t n)
{
    feed_all(widget("\"stringMap\":{", EQUAL, n, "\"v\"", "}"), KUBE__STREAM_OBJECT, 16384, 1, 0);
}

static void decoding_of_other_members(size_t n)
{
    feed_all(widget("", FALLING, n, "[1]", ""), KUBE__STREAM_OBJECT, 16384, 1, 0);
}

static void decoding_of_lost_members(size_t n)
{
    feed_all(widget("\"strict\":{", FALLING, n, "[1]", "}"), KUBE__STREAM_OBJECT, 16384, 1, 0);
}

static void decoding_of_bytes(size_t n)
{
    feed_all(widget("\"stringMap\":{", RISING, n / 4, "\"v\"", "}"), KUBE__STREAM_OBJECT, 1, 1, 0);
}

/* A member of a struct n times: values, maps and structs are joined as Go joins them. */
static void decode_again(size_t n, const char *member)
{
    text t = {0};
    put(&t, "%s,\"spec\":{\"strings\":[", head);
    for (size_t i = 0; i < n; i++)
        put(&t, "%s\"v%zu\"", i ? "," : "", i);
    put(&t, "]");
    for (size_t i = 0; i < n; i++)
        put(&t, member, i);
    put(&t, "}}");
    feed f = {t, t.len, KUBE__STREAM_OBJECT, 0, 0};
    bench_measured(run_feed, &f);
    free(t.data);
}

static void decoding_of_maps_again(size_t n)
{
    decode_again(n, ",\"leafMap\":{\"k%zu\":{\"name\":\"v\"}}");
}

static void decoding_of_lists_again(size_t n)
{
    decode_again(n, ",\"leaves\":[{\"name\":\"v%zu\"}]");
}

static void decoding_of_structs_again(size_t n)
{
    decode_again(n, ",\"leaf\":{\"x%zu\":\"v\"}");
}

static void decoding_of_strings_again(size_t n)
{
    decode_again(n, ",\"text\":\"v%zu\"");
}

static void decode_deep(size_t n, const char *open, const char *close)
{
    text t = {0};
    put(&t, "%s,\"spec\":{\"raw\":", head);
    for (size_t i = 0; i < n; i++)
        put(&t, "%s", open);
    put(&t, "1");
    for (size_t i = 0; i < n; i++)
        put(&t, "%s", close);
    put(&t, "}}");
    feed f = {t, t.len, KUBE__STREAM_OBJECT, 0, 0};
    bench_measured(run_feed, &f);
    free(t.data);
}

static void decoding_of_deep_lists(size_t n)
{
    decode_deep(n, "[", "]");
}

static void decoding_of_deep_objects(size_t n)
{
    decode_deep(n, "{\"a\":", "}");
}

/* One large event, and one whose object comes before its type. */
static void decoding_of_events_by_bytes(size_t n)
{
    text t = {0};
    text w = widget("", RISING, n / 4, "[1]", "");
    put(&t, "{\"other\":{");
    put_members(&t, RISING, n / 4, "[1]");
    put(&t, "},\"object\":");
    for (size_t i = 0; i < w.len; i++)
        put(&t, "%c", w.data[i]);
    put(&t, ",\"type\":\"ADDED\"}");
    free(w.data);
    feed_all(t, KUBE__STREAM_WATCH, 1, 1, 0);
}

/* A list with many members of its own, and in it items that are skipped. */
static void decoding_of_list_by_bytes(size_t n)
{
    text t = {0};
    put(&t, "{\"metadata\":{");
    put_members(&t, RISING, n / 8, "1");
    put(&t, "},");
    put_members(&t, FALLING, n / 8, "{\"a\":[1]}");
    put(&t, ",\"items\":[");
    for (size_t i = 0; i < n / 8; i++)
        put(&t, "%s{\"spec\":{\"i32\":[1]},\"metadata\":{\"name\":\"w\"}}", i ? "," : "");
    put(&t, "],\"kind\":\"WidgetList\"}");
    feed_all(t, KUBE__STREAM_LIST, 1, 0, n / 8);
}

/* Keys that a hash without a secret puts on one place: their first 24 bytes made its state zero. */
static void decoding_of_flood(size_t n)
{
    text t = {0};
    put(&t, "%s,\"spec\":{\"stringMap\":{", head);
    for (size_t i = 0; i < n; i++)
        put(&t, "%s\"0evopaudm6ic6698lzp7qr9m%08zu\":\"\"", i ? "," : "", i);
    put(&t, "}}}");
    feed_all(t, KUBE__STREAM_OBJECT, 16384, 1, 0);
}

static void decoding_of_bad_items(size_t n)
{
    text t = {0};
    put(&t, "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"WidgetList\",\"items\":[");
    for (size_t i = 0; i < n; i++)
        put(&t, "%s{\"spec\":{\"i32\":\"x\"},\"metadata\":{\"name\":\"w%zu\"}}", i ? "," : "", i);
    put(&t, "],\"metadata\":{}}");
    feed_all(t, KUBE__STREAM_LIST, 16384, 0, n);
}

/* ---- caches ---------------------------------------------------------------------------------- */

static kube_object **networks;

/* Sealed objects with names that have a long beginning in common. */
static void make_networks(size_t n, const kube_string_map *labels)
{
    networks = calloc(n, sizeof(kube_object *));
    for (size_t i = 0; i < n; i++) {
        kube_ctx *ctx = kube_ctx_new();
        samplecrd_v1_network built = {
            .base = {.type = &samplecrd_v1_network_type},
            .metadata = {.namespace_ = "default",
                         .name = kube_printf(ctx, "a-prefix-of-all-names-%08zu", i),
                         .uid = "u",
                         .resource_version = "1"}};
        if (labels)
            built.metadata.labels = *labels;
        networks[i] = kube_object_deep_copy(ctx, &samplecrd_v1_network_type, &built.base);
        if (!networks[i])
            fail("out of memory");
        kube_object_ref(networks[i]);
        kube_ctx_free(ctx);
        kube__block_seal(networks[i]);
    }
}

static void free_networks(size_t n)
{
    for (size_t i = 0; i < n; i++)
        kube_object_unref(networks[i]);
    free(networks);
}

static kube_key network_key(size_t i)
{
    return kube_meta_key(kube_object_metadata(networks[i]));
}

static size_t count_of;

static void put_network(kube__store *store, size_t i, bool deleted)
{
    kube__batch *batch = kube__batch_new(1, 0);
    kube__delta delta = {(kube_object *)(uintptr_t)kube_object_ref(networks[i]), deleted};
    size_t applied;
    kube_error err;
    must(kube__store_apply(store, &delta, 1, NULL, batch, &applied, &err), &err);
    kube__batch_unref(batch);
}

static void run_store(void *arg)
{
    kube__store *store = arg;
    for (size_t i = 0; i < count_of; i++)
        put_network(store, i, false);
    for (size_t i = 0; i < count_of; i++)
        put_network(store, i, false);
    for (size_t i = count_of; i-- > 0;)
        put_network(store, i, true);
}

static void use_store(size_t n, kube_index_function *index)
{
    kube__store *store;
    kube_error err;
    must(kube__store_new(&samplecrd_v1_network_type, &store, &err), &err);
    if (index)
        must(kube__store_add_index(store, "labels", index, NULL, &err), &err);
    count_of = n;
    bench_measured(run_store, store);
    kube__store_free(store);
}

static void store_of_names(size_t n)
{
    make_networks(n, NULL);
    use_store(n, NULL);
    free_networks(n);
}

/* Lists that come again, with a state of each object that is new, and its name twice. */
static void run_lists(void *arg)
{
    kube__store *store = arg;
    kube_error err;
    for (int i = 0; i < 2; i++) {
        kube__table *staged = kube__store_stage(store);
        kube__batch *batch;
        for (size_t k = 0; k < 2 * count_of; k++)
            must(kube__store_stage_put(store, staged, kube_object_ref(networks[k % count_of]),
                                       false, &err),
                 &err);
        must(kube__store_replace(store, staged, "1", count_of, 0, &batch, &err), &err);
        kube__batch_unref(batch);
    }
}

static void store_of_lists(size_t n)
{
    kube__store *store;
    kube_error err;
    must(kube__store_new(&samplecrd_v1_network_type, &store, &err), &err);
    make_networks(n, NULL);
    count_of = n;
    bench_measured(run_lists, store);
    kube__store_free(store);
    free_networks(n);
}

static kube_code by_label(void *arg, kube_ctx *ctx, const kube_object *object,
                          void (*emit)(void *sink, const char *value), void *sink, kube_error *err)
{
    const kube_object_meta *meta = kube_object_metadata(object);
    (void)arg;
    (void)ctx;
    (void)err;
    for (size_t i = 0; i < meta->labels.len; i++)
        emit(sink, meta->labels.items[i].key);
    return KUBE_OK;
}

/* Four objects with n labels each, indexed by each label. */
static void index_of_many_values(size_t n)
{
    kube_ctx *ctx = kube_ctx_new();
    kube_string_map labels = {kube_ctx_alloc_array(ctx, n, sizeof *labels.items), n};
    for (size_t i = 0; i < n; i++)
        labels.items[i] = (kube_string_map_entry){kube_printf(ctx, "label-%08zu", n - i), "v"};
    make_networks(4, &labels);
    use_store(4, by_label);
    free_networks(4);
    kube_ctx_free(ctx);
}

static void index_of_one_value(size_t n)
{
    kube_string_map_entry label = {"all", "v"};
    const kube_string_map labels = {&label, 1};
    make_networks(n, &labels);
    use_store(n, by_label);
    free_networks(n);
}

static void run_fold(void *arg)
{
    kube__fold *fold = arg;
    for (size_t i = 0; i < 2 * count_of; i++) {
        kube_object *object = networks[i % count_of];
        const kube__change change = {.new_object = object};
        if (!kube__fold_reserve(fold, 1))
            fail("out of memory");
        kube__fold_add(fold, &change);
    }
}

static void fold_of_names(size_t n)
{
    kube__fold fold = {.len = 0};
    make_networks(n, NULL);
    count_of = n;
    bench_measured(run_fold, &fold);
    kube__fold_fini(&fold);
    free_networks(n);
}

static void run_bad_objects(void *arg)
{
    kube__bad_objects *bad = arg;
    kube_error err;
    for (size_t i = 0; i < count_of; i++)
        must(kube__bad_objects_put(bad, network_key(i), "", "bad", NULL, &err), &err);
    for (size_t i = 0; i < count_of; i++)
        kube__bad_objects_remove(bad, network_key(i));
}

static void bad_objects_of_names(size_t n)
{
    kube__bad_objects bad;
    kube_error err;
    must(kube__bad_objects_init(&bad, &err), &err);
    make_networks(n, NULL);
    count_of = n;
    bench_measured(run_bad_objects, &bad);
    kube__bad_objects_fini(&bad);
    free_networks(n);
}

/* ---- control --------------------------------------------------------------------------------- */

static void run_queue(void *arg)
{
    kube_workqueue *queue = arg;
    kube_key key;
    kube_error err;
    for (size_t i = 0; i < count_of; i++) {
        must(kube_workqueue_add(queue, network_key(i), &err), &err);
        must(kube_workqueue_add_after(queue, network_key(count_of - 1 - i), 1000000000 - (int64_t)i,
                                      &err),
             &err);
        kube_workqueue_backoff_ms(queue, network_key(i));
    }
    for (size_t i = 0; i < count_of; i++) {
        must(kube_workqueue_get(queue, NULL, &key, &err), &err);
        kube_workqueue_forget(queue, key);
        kube_workqueue_done(queue, key);
    }
}

static void queue_of_names(size_t n)
{
    const kube_workqueue_options options = {.timed = false};
    kube_workqueue *queue;
    kube_error err;
    must(kube_workqueue_new("growth", &options, &queue, &err), &err);
    make_networks(n, NULL);
    count_of = n;
    bench_measured(run_queue, queue);
    kube_workqueue_free(queue);
    free_networks(n);
}

/* Each change fails and waits for a time of its own; whoever looks takes one, which fails again. */
static void run_missed(void *arg)
{
    kube__missed_book *book = arg;
    for (size_t i = 0; i < count_of; i++) {
        const kube_change change = {.type = &samplecrd_v1_network_type, .new_object = networks[i]};
        kube__missed *missed = kube__missed_new(&change);
        if (!missed)
            fail("out of memory");
        missed->attempts = 1;
        missed->due_ns = (int64_t)i + 1;
        kube__missed_put(book, missed, true);
    }
    for (size_t i = 0; i < count_of; i++) {
        kube__missed *due = kube__missed_take_due(book, kube__missed_next_due(book));
        if (!due || due->next)
            fail("not one change is due");
        due->attempts++;
        due->due_ns += (int64_t)count_of;
        kube__missed_put(book, due, false);
    }
}

static void missed_changes(size_t n)
{
    _Atomic size_t count = 0;
    kube__missed_book book;
    kube_error err;
    must(kube__missed_book_init(&book, &count, &err), &err);
    make_networks(n, NULL);
    count_of = n;
    bench_measured(run_missed, &book);
    kube__missed_book_fini(&book);
    free_networks(n);
}

static void run_predicate(void *arg)
{
    if (kube_predicate_passes(&kube_labels_changed, arg))
        fail("the labels have changed");
}

/* An update of an object with n labels, in another order than before. */
static void predicate_of_labels(size_t n)
{
    kube_ctx *ctx = kube_ctx_new();
    kube_string_map a = {kube_ctx_alloc_array(ctx, n, sizeof *a.items), n};
    kube_string_map b = {kube_ctx_alloc_array(ctx, n, sizeof *b.items), n};
    samplecrd_v1_network before = {.base = {.type = &samplecrd_v1_network_type},
                                   .metadata = {.uid = "u", .labels = a}};
    samplecrd_v1_network now = {.base = {.type = &samplecrd_v1_network_type},
                                .metadata = {.uid = "u", .labels = b}};
    kube_change change = {
        .type = &samplecrd_v1_network_type, .old_object = &before.base, .new_object = &now.base};
    for (size_t i = 0; i < n; i++) {
        a.items[i] = (kube_string_map_entry){kube_printf(ctx, "label-%08zu", i), "v"};
        b.items[n - 1 - i] = a.items[i];
    }
    bench_measured(run_predicate, &change);
    kube_ctx_free(ctx);
}

/* All objects have one owner, for which they run. */
static void run_reasons(void *arg)
{
    for (size_t i = 0; i < 2 * count_of; i++) {
        const kube_change change = {.type = &samplecrd_v1_network_type,
                                    .new_object = networks[i % count_of]};
        kube__reason_note(arg, kube_key_of("default", "owner"), &change, NULL);
    }
}

static void reasons_of_one_key(size_t n)
{
    kube__reason_book book;
    kube_error err;
    must(kube__reason_book_init(&book, &err), &err);
    make_networks(n, NULL);
    count_of = n;
    bench_measured(run_reasons, &book);
    kube__reason_book_fini(&book);
    free_networks(n);
}

static void drop_event(void *arg, kube__event *event)
{
    (void)arg;
    kube__event_unref(event);
}

/* Events of n objects, each with two messages; @arg is a correlator, NULL = a series. */
static void run_events(void *arg)
{
    kube_ctx *ctx = kube_ctx_new();
    kube__event_series series;
    kube__event_series_init(&series, drop_event, NULL);
    for (size_t i = 0; i < 2 * count_of; i++) {
        const kube_event_note note = {
            .regarding = networks[i / 2], .type = KUBE_EVENT_NORMAL, .reason = "Grown"};
        kube__event *event =
            kube__event_new(kube_clock_system(), &note, "Grow", i % 2 ? "one" : "two");
        if (!event)
            fail("out of memory");
        kube__event_set_name(event, (int64_t)i + 1);
        if (arg) {
            kube__event_correlator_observe(arg, ctx, event);
            kube__event_unref(event);
        } else {
            kube__event_series_observe(&series, ctx, event);
        }
        kube_ctx_reset(ctx);
    }
    kube__event_series_fini(&series);
    kube_ctx_free(ctx);
}

static void events_correlated(size_t n)
{
    const kube_recorder_options options = {.api = KUBE_RECORDER_CORE};
    kube__event_correlator correlator;
    kube__event_correlator_init(&correlator, &options);
    make_networks(n, NULL);
    count_of = n;
    bench_measured(run_events, &correlator);
    kube__event_correlator_fini(&correlator);
    free_networks(n);
}

static void events_in_series(size_t n)
{
    make_networks(n, NULL);
    count_of = n;
    bench_measured(run_events, NULL);
    free_networks(n);
}

static void run_metrics(void *arg)
{
    char value[32];
    const char *const values[] = {value};
    for (size_t i = 0; i < count_of; i++) {
        snprintf(value, sizeof value, "value-%08zu", count_of - i);
        kube_counter_add(kube_counter_with(arg, values), 1);
    }
}

/* More series than a metric may have. */
static void metrics_of_many_values(size_t n)
{
    static const char *const labels[] = {"label", NULL};
    kube_metrics *metrics = kube_metrics_new();
    kube_counter_family *family;
    kube_error err;
    must(kube_metrics_counter(metrics, "growth_total", "Growth.", labels, &family, &err), &err);
    count_of = n;
    bench_measured(run_metrics, family);
    kube_metrics_free(metrics);
}

/* ---- texts ----------------------------------------------------------------------------------- */

static void run_selector(void *arg)
{
    const char *const *both = arg;
    kube_ctx *ctx = kube_ctx_new();
    kube__requirements requirements;
    kube__label_fault fault;
    if (kube__labels_parse(ctx, both[0], false, &requirements, &fault))
        fail("the selector is refused");
    for (size_t i = 0; i < count_of; i++)
        kube__requirement_matches(&requirements.items[0], both[1]);
    kube_ctx_free(ctx);
}

/* `a in (…)` with n values in falling order, which n labels have to meet. */
static void selector_of_many_values(size_t n)
{
    text t = {0};
    const char *both[] = {NULL, "value-00000001"};
    put(&t, "a in (");
    for (size_t i = 0; i < n; i++)
        put(&t, "%svalue-%08zu", i ? "," : "", n - i);
    put(&t, ")");
    both[0] = t.data;
    count_of = n;
    bench_measured(run_selector, both);
    free(t.data);
}

static void count_warning(void *arg, const char *warning)
{
    *(size_t *)arg += *warning == 'w';
}

static void run_warnings(void *arg)
{
    const text *t = arg;
    kube_client client = {.on_warning = count_warning, .on_warning_arg = &count_of};
    kube__buffer values;
    kube__buffer_init(&values, SIZE_MAX);
    for (size_t i = 0; i < t->size; i++)
        kube__warning_keep(&values, t->data);
    kube__warning_tell(&client, &values);
}

/* n headers with eight warnings each. */
static void warnings_of_an_answer(size_t n)
{
    text t = {0};
    for (size_t i = 0; i < 8; i++)
        put(&t, "%s299 - \"w\"", i ? ", " : "");
    t.size = n;
    count_of = 0;
    bench_measured(run_warnings, &t);
    free(t.data);
}

/* ---- cases ----------------------------------------------------------------------------------- */

typedef struct growth_case {
    const char *name;
    void (*run)(size_t n);
    size_t n;
} growth_case;

static const growth_case cases[] = {
    {"paths_of_renamed_members", paths_of_renamed_members, 500},
    {"paths_of_shuffled_members", paths_of_shuffled_members, 500},
    {"patch_of_reversed_members", patch_of_reversed_members, 500},
    {"patch_of_raw_json", patch_of_raw_json, 500},
    {"paths_of_nested_json", paths_of_nested_json, 500},
    {"equality_of_reversed_members", equality_of_reversed_members, 500},
    {"equality_of_shuffled_members", equality_of_shuffled_members, 500},
    {"equality_of_maps", equality_of_maps, 500},
    {"copy_of_maps", copy_of_maps, 500},
    {"encoding_of_map_in_reverse", encoding_of_map_in_reverse, 500},
    {"decoding_of_map_in_reverse", decoding_of_map_in_reverse, 500},
    {"decoding_of_map_shuffled", decoding_of_map_shuffled, 500},
    {"decoding_of_one_key", decoding_of_one_key, 500},
    {"decoding_of_other_members", decoding_of_other_members, 500},
    {"decoding_of_lost_members", decoding_of_lost_members, 500},
    {"decoding_of_bytes", decoding_of_bytes, 500},
    {"decoding_of_maps_again", decoding_of_maps_again, 300},
    {"decoding_of_lists_again", decoding_of_lists_again, 300},
    {"decoding_of_structs_again", decoding_of_structs_again, 300},
    {"decoding_of_strings_again", decoding_of_strings_again, 300},
    {"decoding_of_deep_lists", decoding_of_deep_lists, 2400},
    {"decoding_of_deep_objects", decoding_of_deep_objects, 2400},
    {"decoding_of_events_by_bytes", decoding_of_events_by_bytes, 500},
    {"decoding_of_list_by_bytes", decoding_of_list_by_bytes, 500},
    {"decoding_of_flood", decoding_of_flood, 500},
    {"decoding_of_bad_items", decoding_of_bad_items, 500},
    {"store_of_names", store_of_names, 500},
    {"store_of_lists", store_of_lists, 500},
    {"index_of_many_values", index_of_many_values, 500},
    {"index_of_one_value", index_of_one_value, 500},
    {"fold_of_names", fold_of_names, 500},
    {"bad_objects_of_names", bad_objects_of_names, 500},
    {"queue_of_names", queue_of_names, 500},
    {"missed_changes", missed_changes, 500},
    {"predicate_of_labels", predicate_of_labels, 500},
    {"reasons_of_one_key", reasons_of_one_key, 500},
    {"events_correlated", events_correlated, 500},
    {"events_in_series", events_in_series, 500},
    {"metrics_of_many_values", metrics_of_many_values, 500},
    {"selector_of_many_values", selector_of_many_values, 500},
    {"warnings_of_an_answer", warnings_of_an_answer, 500},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc > 1 && !strstr(cases[i].name, argv[1]))
            continue;
        for (size_t factor = 1; factor <= 4; factor *= 2) {
            cases[i].run(cases[i].n * factor);
            printf("%s %zu\n", cases[i].name, cases[i].n * factor);
        }
    }
    return 0;
}
