/* SPDX-License-Identifier: Apache-2.0 */
#include "status_world.h"

#include <check.h>
#include <string.h>

static kube_code reconcile(kube_ctx *ctx, const kube_request *request, kube_result *result,
                           kube_error *err)
{
    (void)ctx, (void)request, (void)result, (void)err;
    return KUBE_OK;
}

static void swallow(void *arg, const kube_recorded_event *event)
{
    (void)arg, (void)event;
}

static kube_code be_missing(void *arg, kube_error *err)
{
    (void)arg;
    return kube_error_set(err, KUBE_ERR_UNAVAILABLE, "%s", "no answer from <db> & \"co\"");
}

static void must(kube_code rc, const kube_error *err)
{
    ck_assert_msg(rc == KUBE_OK, "%s", err->message);
}

static void init_common(status_world *w)
{
    kube_error err;
    memset(w, 0, sizeof *w);
    informer_world_init(&w->cache);
    must(kube_flight_new(100, &w->flight, &err), &err);
    must(kube__health_new("readyz", &w->ready, &err), &err);
    w->view = (kube__status_view){
        .name = "network-controller",
        .clock = w->cache.options.clock,
        .started_ns = w->cache.options.clock->now_ns(w->cache.options.clock),
        .flight = w->flight,
        .ready = w->ready,
        .refresh_s = 10,
    };
}

static void enter(status_world *w, const char *name, int64_t age_s, const kube_reason *why,
                  kube_flight_record record)
{
    record.controller = "networks";
    record.key = (kube_key){"default", name};
    record.why = *why;
    record.started = kube_micro_time_now(w->view.clock);
    record.started.sec -= age_s;
    kube_flight_enter(w->flight, &record);
}

static void enter_reconciles(status_world *w)
{
    const kube_reason update = {.what = KUBE_REASON_UPDATE,
                                .old_version = "12",
                                .new_version = "13",
                                .changed = "spec.cidr,metadata.annotations[\"<b>\"]",
                                .kind = "Network",
                                .object = {"default", "<script>alert(1)</script>"}};
    const kube_reason retry = {KUBE_REASON_RETRY, "", "", "", "", {"", ""}, 0};
    const char *long_name = "a-name-as-long-as-they-may-be-0123456789-0123456789-0123456789-"
                            "0123456789-0123456789-0123456789-0123456789-0123456789-0123456789-"
                            "0123456789-0123456789-0123456789-0123456789-0123456789-0123456789";
    enter(w, long_name, 3700, &retry,
          (kube_flight_record){.took_ns = 250000, .message = "", .notes = ""});
    enter(w, "<script>alert(1)</script>", 65, &update,
          (kube_flight_record){.took_ns = 1500000000,
                               .waited_ns = 12300000,
                               .attempt = 2,
                               .code = KUBE_ERR_CONFLICT,
                               .message = "the object \"a&b\" <was> changed",
                               .notes = "read it\nwrote 'it'",
                               .terminal = true});
    enter(w, "blue", 0, &update,
          (kube_flight_record){.took_ns = 20000000,
                               .waited_ns = 900000,
                               .message = "",
                               .notes = "created route 10.1.0.0/16",
                               .requeue_after_ms = 90000});
}

/* On a factory that is never started: its queue has what is put there by hand. */
static void make_controller(status_world *w)
{
    const kube_controller_options options = {.name = "networks",
                                             .for_ = &samplecrd_v1_network_type,
                                             .reconcile = reconcile,
                                             .workers = 4};
    kube_error err;
    must(kube_informer_factory_new(NULL, &w->cache.options, &w->idle, &err), &err);
    must(kube_controller_new(w->idle, &options, &w->controller, &err), &err);
    must(kube_controller_enqueue(w->controller, (kube_key){"default", "blue"}, &err), &err);
    w->seen.name = options.name;
    kube_controller_get_stats(w->controller, &w->seen.stats);
    kube_controller_get_queue_stats(w->controller, &w->seen.queue);
    w->view.controllers = &w->seen;
    w->view.controller_len = 1;
}

/* It is never run: nobody listens there. */
static void make_elector(status_world *w)
{
    const kube_config_options config = {.master = "http://127.0.0.1:1"};
    const kube_elector_options options = {.namespace_ = "default",
                                          .name = "network-controller",
                                          .identity = "pod-7",
                                          .clock = w->cache.options.clock};
    kube_error err;
    must(kube_config_load(&config, &w->config, &err), &err);
    must(kube_client_new(w->config, NULL, &w->client, &err), &err);
    must(kube_elector_new(w->client, &options, &w->elector, &err), &err);
    w->view.elector = w->elector;
}

static void record_events(status_world *w)
{
    const kube_recorder_options options = {.component = "network-controller", .sink = swallow};
    kube_object *object = network("ns", "a", "a", "1");
    kube_error err;
    must(kube_recorder_new(NULL, &options, &w->recorder, &err), &err);
    for (int i = 0; i < 3; i++)
        kube_recorder_event(w->recorder, object, KUBE_EVENT_NORMAL, "Built", "built it");
    kube_object_unref(object);
    w->view.recorder = w->recorder;
}

void status_world_init(status_world *w)
{
    kube_error err;
    init_common(w);
    w->view.version = "1.4.0 <beta>\x01\xff";
    w->view.server = "https://10.96.0.1:443";
    w->view.namespace_ = "default";
    must(kube__health_add(w->ready, "store", be_missing, NULL, &err), &err);
    w->stream = informer_world_list(&w->cache, "ab", "1", "5");
    informer_world_make(&w->cache);
    make_controller(w);
    informer_world_sync(&w->cache);
    make_elector(w);
    record_events(w);
    kube_fake_clock_advance_ms(w->cache.fake, 65000);
    enter_reconciles(w);
    w->view.factory = w->cache.factory;
}

void status_world_init_empty(status_world *w)
{
    init_common(w);
    ck_assert_int_eq(kube_informer_factory_new(NULL, &w->cache.options, &w->cache.factory, NULL),
                     KUBE_OK);
    w->view.factory = w->cache.factory;
}

void status_world_fini(status_world *w)
{
    if (w->cache.factory)
        kube_informer_factory_stop(w->cache.factory);
    kube_controller_free(w->controller);
    kube_informer_factory_free(w->idle);
    kube_elector_free(w->elector);
    kube_recorder_free(w->recorder, 0);
    kube_client_free(w->client);
    kube_config_free(w->config);
    kube__health_free(w->ready);
    kube_flight_free(w->flight);
    informer_world_fini(&w->cache);
}
