/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An informer on a replaying server, through HTTP. Prints one line of figures.
 *
 *   bench_informer sync KUBECONFIG COUNT [pages] [keep]    cold start: until the handler has
 *                                                          seen COUNT objects
 *   bench_informer events KUBECONFIG COUNT PORT EVENTS     then EVENTS updates, counted
 *   bench_informer queue KUBECONFIG COUNT PORT EVENTS      the same into a work queue with two
 *                                                          workers, until it is empty
 *
 * pages = no streaming list; keep = with managedFields. PORT is where the server is told to start.
 */
#include "measure.h"

#include <arpa/inet.h>
#include <kube/kube.h>
#include <netinet/in.h>
#include <pthread.h>
#include <samplecrd/v1/api.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WORKERS = 2 };

typedef struct bench {
    kube_ctx *ctx;
    kube_config *config;
    kube_client *client;
    kube_informer_factory *factory;
    kube_informer *informer;
    kube_workqueue *queue; /* NULL = updates are counted only */
    size_t adds_wanted;
    size_t updates_wanted;
    size_t adds; /* the handler's thread */
    size_t updates;
    _Atomic size_t runs;
    pthread_mutex_t mutex; /* of `reached` */
    pthread_cond_t changed;
    int reached; /* 1 = all adds, 2 = all updates */
} bench;

static void must(kube_code code, const kube_error *err)
{
    if (code == KUBE_OK)
        return;
    fprintf(stderr, "bench_informer: %s\n", err->message);
    exit(2);
}

static void reach(bench *b, int what)
{
    pthread_mutex_lock(&b->mutex);
    b->reached = what;
    pthread_cond_signal(&b->changed);
    pthread_mutex_unlock(&b->mutex);
}

static void wait_for(bench *b, int what)
{
    pthread_mutex_lock(&b->mutex);
    while (b->reached < what)
        pthread_cond_wait(&b->changed, &b->mutex);
    pthread_mutex_unlock(&b->mutex);
}

static void on_add(void *arg, const samplecrd_v1_network *object, bool in_initial_list)
{
    bench *b = arg;
    (void)object;
    (void)in_initial_list;
    if (++b->adds == b->adds_wanted)
        reach(b, 1);
}

static void on_update(void *arg, const samplecrd_v1_network *old_object,
                      const samplecrd_v1_network *new_object)
{
    bench *b = arg;
    kube_error err;
    (void)old_object;
    if (b->queue) {
        kube_key key = {new_object->metadata.namespace_, new_object->metadata.name};
        must(kube_workqueue_add(b->queue, key, &err), &err);
    }
    if (++b->updates == b->updates_wanted)
        reach(b, 2);
}

static void *work(void *arg)
{
    bench *b = arg;
    kube_ctx *ctx = kube_ctx_new();
    kube_key key;
    while (kube_workqueue_get(b->queue, ctx, &key, NULL) == KUBE_OK) {
        kube_workqueue_forget(b->queue, key);
        kube_workqueue_done(b->queue, key);
        atomic_fetch_add_explicit(&b->runs, 1, memory_order_relaxed);
    }
    kube_ctx_free(ctx);
    return NULL;
}

static void open_informer(bench *b, const char *kubeconfig, const kube_informer_options *options)
{
    static const samplecrd_v1_network_handler handler = {.on_add = on_add, .on_update = on_update};
    kube_config_options where = {.kubeconfig = kubeconfig};
    samplecrd_v1_network_informer *informer;
    kube_error err;
    must(kube_config_load(&where, &b->config, &err), &err);
    must(kube_client_new(b->config, NULL, &b->client, &err), &err);
    must(kube_informer_factory_new(b->client, options, &b->factory, &err), &err);
    must(samplecrd_v1_network_informer_get(b->factory, NULL, &informer, &err), &err);
    must(samplecrd_v1_network_informer_add_handler(informer, &handler, b, NULL, NULL, &err), &err);
    b->informer = samplecrd_v1_network_informer_untyped(informer);
    must(kube_informer_factory_start(b->factory, b->ctx, &err), &err);
    if (b->adds_wanted > 0)
        wait_for(b, 1);
    must(kube_informer_factory_wait_synced(b->factory, b->ctx, &err), &err);
}

static void print_sync(const bench *b)
{
    double sync_s = process_age_s();
    usage used = usage_now();
    size_t peak = memory_bytes("VmHWM");
    size_t heap = heap_bytes();
    kube_informer_stats stats;
    kube_informer_get_stats(b->informer, &stats);
    printf("objects %zu ms %.1f cpu-ms %.1f peak-rss %zu cached %zu heap %zu queued-peak %zu\n",
           stats.objects, sync_s * 1e3, used.cpu_s * 1e3, peak, stats.object_bytes, heap,
           stats.queued_bytes_peak);
}

/* Tells the server to send events; it answers at once. */
static void start_events(const char *port, size_t events)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)strtoul(port, NULL, 10)),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char text[128];
    int len = snprintf(text, sizeof text, "GET /start?events=%zu HTTP/1.1\r\n\r\n", events);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        send(fd, text, (size_t)len, 0) != len || recv(fd, text, sizeof text, 0) <= 0) {
        perror("bench_informer: start");
        exit(2);
    }
    close(fd);
}

static void print_events(bench *b, const char *port)
{
    pthread_t workers[WORKERS];
    kube_error err;
    usage start = usage_now();
    start_events(port, b->updates_wanted);
    for (size_t i = 0; b->queue && i < WORKERS; i++) {
        if (pthread_create(&workers[i], NULL, work, b) != 0)
            abort();
    }
    wait_for(b, 2);
    if (b->queue)
        must(kube_workqueue_drain(b->queue, b->ctx, &err), &err);
    usage end = usage_now();
    for (size_t i = 0; b->queue && i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    printf("events %zu per-s %.0f per-cpu-s %.0f runs %zu\n", b->updates,
           (double)b->updates / (end.wall_s - start.wall_s),
           (double)b->updates / (end.cpu_s - start.cpu_s), atomic_load(&b->runs));
}

static int usage_error(void)
{
    fputs("usage: bench_informer sync KUBECONFIG COUNT [pages] [keep]\n"
          "       bench_informer events|queue KUBECONFIG COUNT PORT EVENTS\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    static bench b = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    kube_informer_options options = {0};
    kube_error err;
    bool sync = argc >= 4 && strcmp(argv[1], "sync") == 0;
    if (!sync && argc != 6)
        return usage_error();
    for (int i = 4; sync && i < argc; i++) {
        options.no_streaming_list |= strcmp(argv[i], "pages") == 0;
        options.keep_managed_fields |= strcmp(argv[i], "keep") == 0;
    }
    (void)process_age_s();
    b.ctx = kube_ctx_new();
    b.adds_wanted = strtoul(argv[3], NULL, 10);
    if (!sync)
        b.updates_wanted = strtoul(argv[5], NULL, 10);
    if (strcmp(argv[1], "queue") == 0)
        must(kube_workqueue_new("bench", NULL, &b.queue, &err), &err);

    open_informer(&b, argv[2], &options);
    if (sync)
        print_sync(&b);
    else
        print_events(&b, argv[4]);

    kube_informer_factory_free(b.factory);
    kube_workqueue_free(b.queue);
    kube_client_free(b.client);
    kube_config_free(b.config);
    kube_ctx_free(b.ctx);
    return 0;
}
