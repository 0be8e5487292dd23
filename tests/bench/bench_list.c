/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cold list through HTTP: from the request to the last object, all of them kept, by the result
 * stream that the informer reads from. `bench_list KUBECONFIG [drop]`; drop = without
 * managedFields.
 */
#include "measure.h"
#include "net/client/result_stream.h"
#include "object/block/block.h"
#include "object/block/pool.h"

#include <samplecrd/v1/register.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 1000 };

static const kube_object **objects;
static size_t count;
static size_t room;

static void must(kube_code code, const kube_error *err)
{
    if (code == KUBE_OK)
        return;
    fprintf(stderr, "bench_list: %s\n", err->message);
    exit(2);
}

static void keep(const kube_object *object)
{
    if (count == room) {
        room = room * 2 + 1024;
        objects = realloc(objects, room * sizeof *objects);
        if (!objects)
            abort();
    }
    objects[count++] = object;
}

static void read_all(kube__result_stream *results, kube_ctx *ctx)
{
    static kube__result events[BATCH];
    kube_error err;
    for (;;) {
        size_t len = 0;
        kube_code code = kube__result_stream_next(results, ctx, events, BATCH, &len, &err);
        for (size_t i = 0; i < len; i++)
            keep(events[i].object);
        if (code == KUBE_ERR_CLOSED)
            return;
        must(code, &err);
    }
}

/* Objects, and what they share. */
static size_t cached_bytes(void)
{
    const kube__pool *pool = NULL;
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        bytes += kube_object_memory(objects[i]);
        if (objects[i]->block->pool && objects[i]->block->pool != pool) {
            pool = objects[i]->block->pool;
            bytes += kube__pool_bytes(pool);
        }
    }
    return bytes;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: bench_list KUBECONFIG [drop]\n", stderr);
        return 2;
    }
    kube_config_options where = {.kubeconfig = argv[1]};
    kube__result_stream_options options = {
        .form = KUBE__STREAM_LIST, .intern = true, .drop_managed_fields = argc > 2};
    kube_ctx *ctx = kube_ctx_new();
    kube_config *config;
    kube_client *client;
    kube__result_stream *results;
    kube_error err;
    must(kube_config_load(&where, &config, &err), &err);
    must(kube_client_new(config, NULL, &client, &err), &err);

    usage start = usage_now();
    must(
        kube__result_stream_open(client, ctx, &samplecrd_v1_network_type, &options, &results, &err),
        &err);
    read_all(results, ctx);
    usage end = usage_now();
    printf("objects %zu ms %.2f cpu-ms %.2f peak-rss %zu cached %zu queued-peak %zu\n", count,
           (end.wall_s - start.wall_s) * 1e3, (end.cpu_s - start.cpu_s) * 1e3,
           memory_bytes("VmHWM"), cached_bytes(), kube__result_stream_queued_peak(results));

    kube__result_stream_close(results);
    for (size_t i = 0; i < count; i++)
        kube_object_unref(objects[i]);
    free(objects);
    kube_client_free(client);
    kube_config_free(config);
    kube_ctx_free(ctx);
    return 0;
}
