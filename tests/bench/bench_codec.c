/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The codec on a fixed corpus. Prints one line of figures; what is to be counted runs in
 * bench_measured(), for `valgrind --tool=callgrind --toggle-collect=bench_measured`.
 */
#include "corpus.h"
#include "object/block/block.h"
#include "object/block/pool.h"
#include "object/stream/stream.h"

#include <cjson/cJSON.h>
#include <samplecrd/v1/register.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CHUNK = 64 * 1024 };

typedef struct bench {
    corpus corpus;
    kube_object **objects;
    size_t count;
    kube__stream *stream;
    kube_ctx *ctx;
    size_t bytes; /* what the figures are per */
} bench;

static void fail(const char *what)
{
    fprintf(stderr, "bench_codec: %s\n", what);
    exit(2);
}

static kube_code keep(void *arg, const kube__item *item, kube_error *err)
{
    bench *b = arg;
    if (!item->object)
        return kube_error_set(err, KUBE_ERR_DECODE, "%s", item->error->message);
    b->objects[b->count++] = item->object;
    return KUBE_OK;
}

static void open_stream(bench *b, bool drop_managed_fields, bool intern)
{
    kube__stream_options options = {
        .form = KUBE__STREAM_LIST, .drop_managed_fields = drop_managed_fields, .intern = intern};
    kube_error err;
    if (kube__stream_new(&samplecrd_v1_network_type, &options, keep, b, &b->stream, &err))
        fail(err.message);
}

static void decode_all(bench *b)
{
    kube_error err;
    for (size_t at = 0; at < b->corpus.len; at += CHUNK) {
        size_t left = b->corpus.len - at;
        if (kube__stream_feed(b->stream, b->corpus.text + at, left < CHUNK ? left : CHUNK, &err))
            fail(err.message);
    }
    if (kube__stream_finish(b->stream, &err))
        fail(err.message);
}

/* What a program on cJSON has to do: parse an item, and copy what it needs into its structs. */
typedef struct plain_pair {
    char *key;
    char *value;
} plain_pair;
typedef struct plain_entry {
    char *manager;
    char *operation;
    char *api_version;
    char *fields_type;
    char *subresource;
    char *fields;
    kube_time time;
} plain_entry;
typedef struct plain_network {
    char *name, *generate_name, *namespace_, *uid, *version, *cidr, *gateway;
    int64_t generation;
    kube_time created;
    plain_pair *labels;
    size_t label_count;
    plain_pair *annotations;
    size_t annotation_count;
    plain_entry *managed;
    size_t managed_count;
} plain_network;

static char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(item) ? strdup(item->valuestring) : NULL;
}

static kube_time time_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    kube_time time = {0};
    if (cJSON_IsString(item) &&
        !kube_time_parse(item->valuestring, strlen(item->valuestring), &time))
        fail("bad time");
    return time;
}

static plain_pair *pairs_of(const cJSON *object, const char *name, size_t *count)
{
    const cJSON *map = cJSON_GetObjectItemCaseSensitive(object, name);
    *count = (size_t)cJSON_GetArraySize(map);
    plain_pair *pairs = calloc(*count + 1, sizeof *pairs);
    size_t i = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, map)
    {
        pairs[i].key = strdup(item->string);
        pairs[i++].value = strdup(item->valuestring);
    }
    return pairs;
}

static plain_entry *entries_of(const cJSON *object, size_t *count)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "managedFields");
    *count = (size_t)cJSON_GetArraySize(list);
    plain_entry *entries = calloc(*count + 1, sizeof *entries);
    size_t i = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        entries[i].manager = text_of(item, "manager");
        entries[i].operation = text_of(item, "operation");
        entries[i].api_version = text_of(item, "apiVersion");
        entries[i].fields_type = text_of(item, "fieldsType");
        entries[i].subresource = text_of(item, "subresource");
        entries[i].time = time_of(item, "time");
        entries[i++].fields =
            cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(item, "fieldsV1"));
    }
    return entries;
}

static void check_text(const cJSON *object, const char *name, const char *wanted)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (cJSON_IsString(item) && strcmp(item->valuestring, wanted) != 0)
        fail("object of another type");
}

static plain_network *walk(const cJSON *object)
{
    plain_network *n = calloc(1, sizeof *n);
    check_text(object, "apiVersion", samplecrd_v1_network_type.api_version);
    check_text(object, "kind", samplecrd_v1_network_type.kind);
    const cJSON *meta = cJSON_GetObjectItemCaseSensitive(object, "metadata");
    const cJSON *spec = cJSON_GetObjectItemCaseSensitive(object, "spec");
    n->name = text_of(meta, "name");
    n->generate_name = text_of(meta, "generateName");
    n->namespace_ = text_of(meta, "namespace");
    n->uid = text_of(meta, "uid");
    n->version = text_of(meta, "resourceVersion");
    const cJSON *generation = cJSON_GetObjectItemCaseSensitive(meta, "generation");
    n->generation = cJSON_IsNumber(generation) ? (int64_t)generation->valuedouble : 0;
    n->created = time_of(meta, "creationTimestamp");
    n->labels = pairs_of(meta, "labels", &n->label_count);
    n->annotations = pairs_of(meta, "annotations", &n->annotation_count);
    n->managed = entries_of(meta, &n->managed_count);
    n->cidr = text_of(spec, "cidr");
    n->gateway = text_of(spec, "gateway");
    return n;
}

static void free_pairs(plain_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(pairs[i].key);
        free(pairs[i].value);
    }
    free(pairs);
}

static void free_plain(plain_network *n)
{
    for (size_t i = 0; i < n->managed_count; i++) {
        plain_entry *e = &n->managed[i];
        char *const texts[] = {e->manager,     e->operation,   e->api_version,
                               e->fields_type, e->subresource, e->fields};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            free(texts[k]);
    }
    char *const texts[] = {n->name,    n->generate_name, n->namespace_, n->uid,
                           n->version, n->cidr,          n->gateway};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        free(texts[k]);
    free_pairs(n->labels, n->label_count);
    free_pairs(n->annotations, n->annotation_count);
    free(n->managed);
    free(n);
}

static plain_network **plain;

static void cjson_all(bench *b)
{
    for (size_t i = 0; i < b->corpus.count; i++) {
        const char *text = b->corpus.text + b->corpus.starts[i];
        cJSON *object = cJSON_ParseWithLength(text, b->corpus.ends[i] - b->corpus.starts[i]);
        if (!object)
            fail("cJSON does not read the corpus");
        plain[i] = walk(object);
        cJSON_Delete(object);
    }
}

static void clone_all(bench *b)
{
    for (size_t i = 0; i < b->count; i++) {
        kube_object *clone = kube__block_clone(b->objects[i]);
        if (!clone)
            fail("out of memory");
        kube_object_unref(clone);
    }
}

static void encode_all(bench *b)
{
    kube_error err;
    b->bytes = 0;
    for (size_t i = 0; i < b->count; i++) {
        const char *json;
        size_t len;
        if (kube_encode(b->ctx, &samplecrd_v1_network_type, b->objects[i], KUBE_ENCODE_PLAIN, &json,
                        &len, &err))
            fail(err.message);
        b->bytes += len;
        kube_ctx_reset(b->ctx);
    }
}

static void nothing(bench *b)
{
    (void)b;
}

typedef struct mode {
    const char *name;
    void (*run)(bench *b);
    bool decode_first;
    bool drop_managed_fields;
    bool intern;
} mode;

static const mode modes[] = {
    {"decode", decode_all, false, false, true},
    {"decode-plain", decode_all, false, false, false}, /* nothing shared, as a single get */
    {"decode-drop", decode_all, false, true, true},
    {"cjson", cjson_all, false, false, false},
    {"memory", nothing, true, false, true},
    {"memory-drop", nothing, true, true, true},
    {"clone", clone_all, true, false, true},
    {"encode", encode_all, true, false, true},
};

/* Its own function, and not static, so that callgrind knows it by name. */
void bench_measured(void (*run)(bench *b), bench *b);
__attribute__((noinline)) void bench_measured(void (*run)(bench *b), bench *b)
{
    run(b);
}

/* Bytes of all objects and what they share. */
static size_t cached_bytes(const bench *b)
{
    size_t bytes = 0;
    const kube__pool *pool = NULL;
    for (size_t i = 0; i < b->count; i++) {
        bytes += kube_object_memory(b->objects[i]);
        if (b->objects[i]->block->pool != pool) {
            pool = b->objects[i]->block->pool;
            bytes += pool ? kube__pool_bytes(pool) : 0;
        }
    }
    return bytes;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static const mode *find_mode(const char *name)
{
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (strcmp(modes[i].name, name) == 0)
            return &modes[i];
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const mode *m = argc >= 4 ? find_mode(argv[1]) : NULL;
    if (!m) {
        fputs("usage: bench_codec MODE full|lean COUNT [declared]\nmodes:", stderr);
        for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
            fprintf(stderr, " %s", modes[i].name);
        fputs("\n", stderr);
        return 2;
    }
    size_t count = (size_t)strtoul(argv[3], NULL, 10);
    bench b = {0};
    b.corpus = corpus_new(count, strcmp(argv[2], "full") == 0 ? CORPUS_FULL : CORPUS_LEAN,
                          argc > 4 ? CORPUS_DECLARED : CORPUS_SORTED);
    b.objects = calloc(count + 1, sizeof(kube_object *));
    plain = calloc(count + 1, sizeof(plain_network *));
    b.ctx = kube_ctx_new();
    if (!b.objects || !plain || !b.ctx)
        fail("out of memory");
    b.bytes = b.corpus.len;
    open_stream(&b, m->drop_managed_fields, m->intern);
    if (m->decode_first)
        decode_all(&b);

    double start = seconds();
    bench_measured(m->run, &b);
    double spent = seconds() - start;

    printf("objects %zu json %zu bytes %zu cached %zu ns-per-object %.0f mb-per-second %.0f\n",
           count, b.corpus.len, b.bytes, cached_bytes(&b), spent * 1e9 / (double)(count + !count),
           (double)b.bytes / 1e6 / spent);

    for (size_t i = 0; i < b.count; i++)
        kube_object_unref(b.objects[i]);
    for (size_t i = 0; i < count && plain[i]; i++)
        free_plain(plain[i]);
    kube__stream_free(b.stream);
    kube_ctx_free(b.ctx);
    free(b.objects);
    free(plain);
    corpus_free(&b.corpus);
    return 0;
}
