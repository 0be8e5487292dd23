/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that was built with other headers than the library it runs with: test_old_program.sh
 * takes the last member of each struct of options and stats away, or adds one. Each struct lies at
 * the end of a page behind which nothing may be read or written. Nothing here talks to a server.
 */
#include <kube/kube.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EDGE(type) ((type *)edge(sizeof(type)))
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not %s: %s\n", __FILE__, __LINE__, #condition, err.message);   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static kube_error err;
static kube_ctx *ctx;
static int lines; /* of the log */

/* @size zeroed bytes that end where their page ends. */
static void *edge(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *at = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || mprotect(at + page, page, PROT_NONE) != 0) {
        perror("mmap");
        exit(1);
    }
    return at + page - size;
}

static kube_code reconcile(kube_ctx *run, const kube_request *request, kube_result *result,
                           kube_error *e)
{
    (void)run;
    (void)request;
    (void)result;
    (void)e;
    return KUBE_OK;
}

static void sink(void *arg, const kube_recorded_event *event)
{
    (void)arg;
    (void)event;
}

static void count_line(void *arg, kube_log_level level, const char *file, int line,
                       const char *message)
{
    (void)arg;
    (void)level;
    (void)file;
    (void)line;
    lines += strstr(message, "newer libkube") != NULL;
}

static kube_client *make_client(void)
{
    kube_config_fields *fields = EDGE(kube_config_fields);
    kube_client_options *options = EDGE(kube_client_options);
    kube_config *config;
    kube_client *client;
    fields->server = "http://127.0.0.1:1"; /* nobody listens there */
    fields->namespace_ = "old";
    CHECK(kube_config_new(fields, &config, &err) == KUBE_OK);
    options->call_timeout_ms = 20000;
    CHECK(kube_client_new(config, options, &client, &err) == KUBE_OK);
    CHECK(strcmp(kube_client_namespace(client), "old") == 0);
    kube_config_free(config);
    return client;
}

static void call(kube_client *client)
{
    const kube_type *type = &kube_scale_type;
    kube_key key = kube_key_of("old", "a");
    const kube_scale scale = {
        .metadata = {.name = "a", .namespace_ = "old", .uid = "u", .resource_version = "1"}};
    const kube_object *object = &scale.base;
    kube_apply_options *apply = EDGE(kube_apply_options);
    kube_object *out;
    kube_object_list *list;
    kube_watch *watch;
    kube_code want = KUBE_ERR_TRANSPORT;
    apply->field_manager = "old";
    CHECK(kube_client_get(client, ctx, type, key, EDGE(kube_get_options), &out, &err) == want);
    CHECK(kube_client_list(client, ctx, type, "old", EDGE(kube_list_options), &list, NULL, &err) ==
          want);
    CHECK(kube_client_watch(client, ctx, type, "old", EDGE(kube_watch_options), &watch, &err) ==
          want);
    CHECK(kube_client_create(client, ctx, type, "old", object, EDGE(kube_write_options), &out,
                             &err) == want);
    CHECK(kube_client_update(client, ctx, type, "old", object, EDGE(kube_write_options), &out,
                             &err) == want);
    CHECK(kube_client_update_status(client, ctx, type, "old", object, EDGE(kube_write_options),
                                    &out, &err) == want);
    CHECK(kube_client_delete(client, ctx, type, key, EDGE(kube_delete_options), &err) == want);
    CHECK(kube_client_delete_object(client, ctx, type, object, EDGE(kube_delete_options), &err) ==
          want);
    CHECK(kube_client_delete_collection(client, ctx, type, "old", EDGE(kube_delete_options),
                                        EDGE(kube_list_options), &err) == want);
    CHECK(kube_client_patch(client, ctx, type, key, KUBE_PATCH_MERGE, "{}", 2,
                            EDGE(kube_patch_options), &out, &err) == want);
    CHECK(kube_client_apply(client, ctx, type, "old", object, apply, &out, &err) == want);
}

static void control(kube_client *client)
{
    const kube_type *type = &kube_scale_type;
    kube_informer_options *informers = EDGE(kube_informer_options);
    kube_controller_options *options = EDGE(kube_controller_options);
    kube_elector_options *election = EDGE(kube_elector_options);
    kube_recorder_options *events = EDGE(kube_recorder_options);
    kube_informer_stats *cache = EDGE(kube_informer_stats);
    kube_workqueue_stats *queued = EDGE(kube_workqueue_stats);
    kube_informer_factory *factory;
    kube_informer *informer;
    kube_controller *controller;
    kube_elector *elector;
    kube_recorder *recorder;
    kube_workqueue *queue;
    informers->resync_ms = 60000;
    CHECK(kube_informer_factory_new(client, informers, &factory, &err) == KUBE_OK);
    CHECK(kube_informer_factory_informer(factory, type, informers, &informer, &err) == KUBE_OK);
    CHECK(kube_informer_add_handler(informer, EDGE(kube_handler), NULL, EDGE(kube_handler_options),
                                    NULL, &err) == KUBE_OK);
    CHECK(kube_informer_state(informer, EDGE(kube_informer_status)) == KUBE_INFORMER_STARTING);
    memset(cache, 0xff, sizeof *cache);
    kube_informer_get_stats(informer, cache);
    CHECK(cache->lists == 0 && cache->last_error && !*cache->last_error);

    options->name = "old";
    options->for_ = type;
    options->reconcile = reconcile;
    options->workers = 3;
    CHECK(kube_controller_new(factory, options, &controller, &err) == KUBE_OK);
    CHECK(kube_controller_owns(controller, type, EDGE(kube_owns_options), &err) == KUBE_OK);
    kube_controller_get_stats(controller, EDGE(kube_controller_stats));
    kube_controller_get_queue_stats(controller, queued);
    CHECK(queued->adds == 0 && queued->depth == 0);
    kube_controller_free(controller);
    kube_informer_factory_free(factory);

    election->namespace_ = "old";
    election->name = "old";
    CHECK(kube_elector_new(client, election, &elector, &err) == KUBE_OK);
    kube_elector_get_stats(elector, EDGE(kube_elector_stats));
    kube_elector_free(elector);

    events->component = "old";
    events->sink = sink;
    CHECK(kube_recorder_new(NULL, events, &recorder, &err) == KUBE_OK);
    kube_recorder_get_stats(recorder, EDGE(kube_recorder_stats));
    kube_recorder_free(recorder, 0);

    CHECK(kube_workqueue_new("old", EDGE(kube_workqueue_options), &queue, &err) == KUBE_OK);
    CHECK(kube_workqueue_add(queue, kube_key_of("old", "a"), &err) == KUBE_OK);
    memset(queued, 0xff, sizeof *queued);
    kube_workqueue_get_stats(queue, queued);
    CHECK(queued->adds == 1 && queued->depth == 1);
    kube_workqueue_free(queue);
}

int main(void)
{
    kube_client *client;
    ctx = kube_ctx_new();
    kube_log_set_sink(count_line, NULL);
    client = make_client();
    call(client);
    control(client);
    CHECK(lines == 0);
#ifdef NEWER
    {
        kube_get_options *options = EDGE(kube_get_options);
        kube_workqueue_stats *stats = EDGE(kube_workqueue_stats);
        kube_workqueue *queue;
        kube_object *out;
        options->newest[0] = 1;
        CHECK(kube_client_get(client, ctx, &kube_scale_type, kube_key_of("old", "a"), options, &out,
                              &err) == KUBE_ERR_TRANSPORT);
        CHECK(lines == 1);
        memset(stats, 0xff, sizeof *stats);
        CHECK(kube_workqueue_new("new", NULL, &queue, &err) == KUBE_OK);
        kube_workqueue_get_stats(queue, stats);
        CHECK(stats->newest[0] == 0 && stats->newest[sizeof stats->newest - 1] == 0);
        kube_workqueue_free(queue);
    }
#endif
    kube_client_free(client);
    kube_ctx_free(ctx);
    return 0;
}
