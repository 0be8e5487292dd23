/* SPDX-License-Identifier: Apache-2.0 */
/* What an informer says about its cache, and what of its ctx it depends on (INF-10). */
#include "cache/factory.h"
#include "informer_world.h"
#include "log_lines.h"
#include "net_kit.h"

#include <string.h>

static informer_world w;
static recorder *seen;

static void set_up(void)
{
    log_lines_start();
    informer_world_init(&w);
    seen = recorder_new();
}

static void tear_down(void)
{
    informer_world_fini(&w);
    recorder_free(seen);
    log_lines_stop();
}

static int64_t now_ns(void)
{
    return w.options.clock->now_ns(w.options.clock);
}

static void expect_state(kube_informer_phase phase, int64_t since_ns, const char *why)
{
    kube_informer_status status;
    ck_assert_int_eq(kube_informer_state(w.informer, &status), phase);
    ck_assert_int_eq(status.phase, phase);
    ck_assert_int_eq(status.since_ns, since_ns);
    ck_assert_str_eq(status.why, why);
    ck_assert_int_eq(kube_informer_state(w.informer, NULL), phase);
}

/* Waits until the reflector has failed that often. */
static void wait_backoffs(uint64_t count)
{
    kube_informer_stats stats;
    do {
        kube_ctx_sleep_ms(w.ctx, 1, NULL);
        kube_informer_get_stats(w.informer, &stats);
    } while (stats.backoffs < count);
}

FIXTURE(set_up, tear_down);

TEST(a_cache_starts_syncs_falls_behind_recovers_and_stops)
{
    kube_error forbidden;
    kube_error expired;
    kube_error err;
    answer *watch;
    int64_t began;
    kube_error_set(&forbidden, KUBE_ERR_FORBIDDEN, "networks is forbidden");
    kube_error_set(&expired, KUBE_ERR_EXPIRED, "too old resource version");
    w.options.no_streaming_list = true;
    informer_world_make(&w);
    expect_state(KUBE_INFORMER_STARTING, 0, "");
    began = now_ns();
    informer_world_start(&w);
    expect_state(KUBE_INFORMER_STARTING, began, "");
    ck_assert_int_eq(kube__informer_factory_check(w.factory, &err), KUBE_ERR_UNAVAILABLE);
    ck_assert_str_eq(err.message, "networks: the first list has not come yet");
    script_refuse(w.server, &forbidden);
    wait_backoffs(1);
    expect_state(KUBE_INFORMER_STARTING, began, "networks is forbidden");
    ck_assert_int_eq(kube__informer_factory_check(w.factory, &err), KUBE_ERR_UNAVAILABLE);
    ck_assert_str_eq(err.message, "networks: networks is forbidden");

    answer_list_end(script_add(w.server), "10", NULL);
    kube_fake_clock_advance_ms(w.fake, 60000);
    script_wait_opens(w.server, 3);
    expect_state(KUBE_INFORMER_SYNCED, now_ns(), "");
    ck_assert_int_eq(kube__informer_factory_check(w.factory, &err), KUBE_OK);

    kube_fake_clock_advance_ms(w.fake, 5000);
    watch = script_add(w.server);
    answer_error(watch, &expired);
    wait_backoffs(2);
    began = now_ns();
    expect_state(KUBE_INFORMER_BEHIND, began, "too old resource version");
    script_refuse(w.server, &forbidden);
    kube_fake_clock_advance_ms(w.fake, 60000);
    wait_backoffs(3);
    expect_state(KUBE_INFORMER_BEHIND, began, "networks is forbidden");
    ck_assert(kube_informer_has_synced(w.informer));
    ck_assert_int_eq(kube__informer_factory_check(w.factory, &err), KUBE_ERR_UNAVAILABLE);
    ck_assert_str_eq(err.message,
                     "networks: the cache has been behind for 60 s: networks is forbidden");

    answer_list_end(script_add(w.server), "20", NULL);
    kube_fake_clock_advance_ms(w.fake, 60000);
    script_wait_opens(w.server, 6);
    expect_state(KUBE_INFORMER_SYNCED, now_ns(), "");
    kube_informer_factory_stop(w.factory);
    expect_state(KUBE_INFORMER_STOPPED, now_ns(), "");
    ck_assert_int_eq(kube__informer_factory_check(w.factory, &err), KUBE_ERR_UNAVAILABLE);
    ck_assert_str_eq(err.message, "networks: the informer has been stopped");
}

/* Whether an event still gets to the handlers. */
static void expect_alive(answer *stream, size_t told)
{
    informer_world_event(stream, KUBE_WATCH_ADDED, "z", "9");
    recorder_wait(seen, told);
    ck_assert_int_eq(kube_informer_state(w.informer, NULL), KUBE_INFORMER_SYNCED);
}

TEST(a_deadline_for_the_start_is_not_the_caches_end)
{
    answer *stream = informer_world_list(&w, "a", "1", "5");
    kube_ctx *starting = kube_ctx_new_with_clock(w.options.clock);
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    kube_ctx_set_timeout_ms(starting, 2000);
    ck_assert_int_eq(kube_informer_factory_start(w.factory, starting, NULL), KUBE_OK);
    recorder_wait(seen, 1);
    kube_fake_clock_advance_ms(w.fake, 2001);
    ck_assert_int_eq(kube_ctx_status(starting, NULL), KUBE_ERR_TIMEOUT);
    expect_alive(stream, 2);
    kube_ctx_reset(starting);
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "z", "10");
    recorder_wait(seen, 3);
    kube_ctx_cancel(starting); /* but this still is */
    while (kube_informer_state(w.informer, NULL) != KUBE_INFORMER_STOPPED)
        kube_ctx_sleep_ms(w.ctx, 1, NULL);
    kube_ctx_free(starting);
}

TEST(the_ctx_of_the_start_may_be_freed_first)
{
    answer *stream = informer_world_list(&w, "a", "1", "5");
    kube_ctx *parent = kube_ctx_new();
    kube_ctx *starting = kube_ctx_child(parent);
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    ck_assert_int_eq(kube_informer_factory_start(w.factory, starting, NULL), KUBE_OK);
    recorder_wait(seen, 1);
    kube_ctx_free(starting);
    kube_ctx_cancel(parent); /* of no concern any more */
    kube_ctx_free(parent);
    expect_alive(stream, 2);
    kube_informer_factory_stop(w.factory);
}

TEST(a_cancelled_ctx_may_be_freed_first_too)
{
    kube_ctx *starting = kube_ctx_new();
    informer_world_list(&w, "a", "1", "5");
    informer_world_make(&w);
    ck_assert_int_eq(kube_informer_factory_start(w.factory, starting, NULL), KUBE_OK);
    kube_ctx_cancel(starting);
    kube_ctx_free(starting);
    kube_informer_factory_free(w.factory);
    w.factory = NULL;
}

TEST(an_answer_that_is_no_list_is_no_empty_one)
{
    http_server *server = http_server_start(NULL);
    kube_client *client = client_for(http_server_url(server), "", "");
    const kube_informer_options options = {.no_streaming_list = true,
                                           .clock = kube_fake_clock_clock(w.fake)};
    kube_informer_status status;
    ck_assert_int_eq(kube_informer_factory_new(client, &options, &w.factory, NULL), KUBE_OK);
    ck_assert_int_eq(kube_informer_factory_informer(w.factory, &samplecrd_v1_network_type, NULL,
                                                    &w.informer, NULL),
                     KUBE_OK);
    http_server_reply_json(server, "{}");
    informer_world_start(&w);
    wait_backoffs(1);
    ck_assert_int_eq(kube_informer_state(w.informer, &status), KUBE_INFORMER_STARTING);
    expect_text(status.why, "the answer is not a list: it has neither kind nor items");
    ck_assert_int_eq(log_lines_count("the answer is not a list"), 1);
    http_server_reply_json(server, "{\"items\":[],\"metadata\":{\"resourceVersion\":\"5\"}}");
    kube_fake_clock_advance_ms(w.fake, 60000);
    ck_assert_int_eq(kube_informer_factory_wait_synced(w.factory, w.ctx, NULL), KUBE_OK);
    kube_informer_factory_free(w.factory);
    w.factory = NULL;
    kube_client_free(client);
    http_server_free(server);
}
