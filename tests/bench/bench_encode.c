/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encode, clone, copy and comparison of one Network after the other. Prints a row a measurement:
 * the median of several runs in ns an object, and MB of JSON a second where that says something.
 * Budgets for full and lean objects: encode 800 and 250 ns and 1,500 MB/s, clone 300 and 60 ns.
 */
#include "corpus.h"
#include "object/block/block.h"

#include <kube/codec.h>
#include <samplecrd/v1/register.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RUNS = 15, ROUNDS = 20, OBJECTS = 1000 };

static const kube_type *const type = &samplecrd_v1_network_type;

/* One object in three ways. */
typedef struct subject {
    const kube_object *sealed; /* as the cache has it */
    const kube_object *edited; /* as a user has it */
    const kube_object *copy;   /* struct by struct its own */
} subject;

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "bench_encode: %s failed\n", what);
    exit(1);
}

static size_t encode(kube_ctx *ctx, const subject *s)
{
    const char *json;
    size_t len;
    must(kube_encode(ctx, type, s->sealed, KUBE_ENCODE_PLAIN, &json, &len, NULL) == KUBE_OK,
         "encode");
    return len;
}

static size_t clone(kube_ctx *ctx, const subject *s)
{
    must(kube_object_deep_copy(ctx, type, s->sealed) != NULL, "clone");
    return 0;
}

static size_t copy(kube_ctx *ctx, const subject *s)
{
    must(kube_object_deep_copy(ctx, type, s->edited) != NULL, "copy");
    return 0;
}

static size_t equal(kube_ctx *ctx, const subject *s)
{
    (void)ctx;
    must(kube_object_equal(type, s->sealed, s->copy), "equal");
    return 0;
}

static size_t diff(kube_ctx *ctx, const subject *s)
{
    const char *patch;
    must(kube_diff(ctx, type, s->sealed, s->copy, &patch, NULL, NULL) == KUBE_OK, "diff");
    return 0;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

typedef size_t run_function(kube_ctx *ctx, const subject *s);

/* The ctx is reset after each call, as it is after each reconcile: that belongs to the price. */
static void measure(const char *name, const char *size, run_function *run, const subject *subjects)
{
    kube_ctx *ctx = kube_ctx_new();
    double ns[RUNS];
    size_t bytes = 0;
    must(ctx != NULL, "memory");
    for (size_t i = 0; i < RUNS; i++) {
        double start = now_ns();
        for (size_t j = 0; j < ROUNDS * OBJECTS; j++) {
            bytes += run(ctx, &subjects[j % OBJECTS]);
            kube_ctx_reset(ctx);
        }
        ns[i] = (now_ns() - start) / (ROUNDS * OBJECTS);
    }
    qsort(ns, RUNS, sizeof *ns, compare_doubles);
    printf("%-8s %-5s %7.0f ns", name, size, ns[RUNS / 2]);
    if (bytes > 0) {
        double len = (double)bytes / (RUNS * ROUNDS * OBJECTS);
        printf("  %6.0f MB/s  %5.0f bytes", len * 1e3 / ns[RUNS / 2], len);
    }
    printf("\n");
    kube_ctx_free(ctx);
}

static void bench(const char *name, corpus_size size)
{
    static subject subjects[OBJECTS];
    corpus texts = corpus_new(OBJECTS, size, CORPUS_DECLARED);
    kube_ctx *held = kube_ctx_new();
    must(held != NULL, "memory");
    for (size_t i = 0; i < OBJECTS; i++) {
        subject *s = &subjects[i];
        kube_object *object = NULL;
        must(kube_decode(held, type, texts.text + texts.starts[i], texts.ends[i] - texts.starts[i],
                         &object, NULL) == KUBE_OK,
             "decode");
        s->edited = kube_object_deep_copy(held, type, object);
        s->copy = kube_object_deep_copy(held, type, object);
        must(s->edited && s->copy, "memory");
        kube__block_seal(object);
        s->sealed = object;
    }
    measure("encode", name, encode, subjects);
    measure("clone", name, clone, subjects);
    measure("copy", name, copy, subjects);
    measure("equal", name, equal, subjects);
    measure("diff", name, diff, subjects);
    kube_ctx_free(held);
    corpus_free(&texts);
}

int main(void)
{
    bench("full", CORPUS_FULL);
    bench("lean", CORPUS_LEAN);
    return 0;
}
