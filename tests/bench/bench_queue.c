/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The work queue, ns an item: the median of several runs, wall time and CPU time. 200,000 different
 * keys, but for the first row, where 10,000 of them come again and again.
 */
#include "measure.h"

#include <kube/workqueue.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 200000, REPEATED = 10000, RUNS = 5 };

static char names[KEYS][16];
static kube_key keys[KEYS];

static void must(kube_code code, const kube_error *err)
{
    if (code == KUBE_OK)
        return;
    fprintf(stderr, "bench_queue: %s\n", err->message);
    exit(2);
}

static kube_workqueue *new_queue(int64_t base_ms)
{
    kube_workqueue_options options = {.limiter =
                                          kube_rate_limiter_exponential(base_ms, base_ms * 200000)};
    kube_workqueue *queue;
    kube_error err;
    must(kube_workqueue_new("bench", &options, &queue, &err), &err);
    return queue;
}

/* ---- one thread ---------------------------------------------------------------------------- */

static void take(kube_workqueue *queue, kube_ctx *ctx)
{
    kube_key key;
    kube_error err;
    must(kube_workqueue_get(queue, ctx, &key, &err), &err);
    kube_workqueue_done(queue, key);
}

static void one_in_flight(void)
{
    kube_workqueue *queue = new_queue(5);
    kube_ctx *ctx = kube_ctx_new();
    kube_error err;
    for (size_t i = 0; i < KEYS; i++) {
        must(kube_workqueue_add(queue, keys[i % REPEATED], &err), &err);
        take(queue, ctx);
    }
    kube_ctx_free(ctx);
    kube_workqueue_free(queue);
}

static void all_in_flight(void)
{
    kube_workqueue *queue = new_queue(5);
    kube_ctx *ctx = kube_ctx_new();
    kube_error err;
    for (size_t i = 0; i < KEYS; i++)
        must(kube_workqueue_add(queue, keys[i], &err), &err);
    for (size_t i = 0; i < KEYS; i++)
        take(queue, ctx);
    kube_ctx_free(ctx);
    kube_workqueue_free(queue);
}

/* ---- producers and workers ----------------------------------------------------------------- */

typedef kube_code add_function(kube_workqueue *queue, kube_key key, kube_error *err);

typedef struct pump {
    kube_workqueue *queue;
    add_function *add;
    size_t producers;
    bool forget;
    _Atomic size_t turn; /* hands out the producers' numbers */
    _Atomic size_t left;
} pump;

static void *produce(void *arg)
{
    pump *p = arg;
    kube_error err;
    for (size_t i = atomic_fetch_add(&p->turn, 1); i < KEYS; i += p->producers)
        must(p->add(p->queue, keys[i], &err), &err);
    return NULL;
}

static void *work(void *arg)
{
    pump *p = arg;
    kube_ctx *ctx = kube_ctx_new();
    kube_key key;
    while (kube_workqueue_get(p->queue, ctx, &key, NULL) == KUBE_OK) {
        if (p->forget)
            kube_workqueue_forget(p->queue, key);
        kube_workqueue_done(p->queue, key);
        if (atomic_fetch_sub(&p->left, 1) == 1)
            kube_workqueue_shut_down(p->queue);
    }
    kube_ctx_free(ctx);
    return NULL;
}

/* As many workers as producers. */
static void run_pump(size_t pairs, add_function *add, int64_t base_ms, bool forget)
{
    pump p = {.queue = new_queue(base_ms), .add = add, .producers = pairs, .forget = forget};
    pthread_t threads[4];
    atomic_init(&p.left, KEYS);
    for (size_t i = 0; i < 2 * pairs; i++) {
        if (pthread_create(&threads[i], NULL, i < pairs ? produce : work, &p) != 0)
            abort();
    }
    for (size_t i = 0; i < 2 * pairs; i++)
        pthread_join(threads[i], NULL);
    kube_workqueue_free(p.queue);
}

static void pump_two(void)
{
    run_pump(2, kube_workqueue_add, 5, false);
}

static void limited_one(void)
{
    run_pump(1, kube_workqueue_add_rate_limited, 5, true);
}

static void limited_two(void)
{
    run_pump(2, kube_workqueue_add_rate_limited, 5, true);
}

static void undelayed_two(void)
{
    run_pump(2, kube_workqueue_add_rate_limited, 0, true);
}

static void measure(const char *name, void (*run)(void))
{
    double wall[RUNS];
    double cpu[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        usage start = usage_now();
        run();
        usage end = usage_now();
        wall[i] = (end.wall_s - start.wall_s) * 1e9 / KEYS;
        cpu[i] = (end.cpu_s - start.cpu_s) * 1e9 / KEYS;
    }
    printf("%s %.0f %.0f\n", name, median(wall, RUNS), median(cpu, RUNS));
}

int main(void)
{
    for (size_t i = 0; i < KEYS; i++) {
        snprintf(names[i], sizeof names[i], "net-%zu", 1000000 + i);
        keys[i] = (kube_key){"default", names[i]};
    }
    measure("one-thread", one_in_flight);
    measure("one-thread-batch", all_in_flight);
    measure("two-and-two", pump_two);
    measure("limited-one-and-one", limited_one);
    measure("limited-two-and-two", limited_two);
    measure("undelayed-two-and-two", undelayed_two);
    return 0;
}
