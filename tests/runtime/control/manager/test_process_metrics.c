/* SPDX-License-Identifier: Apache-2.0 */
#include "control/manager/process_metrics.h"
#include "status_world.h"
#include "support/suite.h"

#include <fcntl.h>
#include <kube/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static status_world w;
static kube_ctx *ctx;
static kube_metrics *metrics;
static kube__process_metrics *process;

static void set_up(void)
{
    kube__process_parts parts = {.name = "network-controller", .version = "1.4.0"};
    kube_error err;
    ctx = kube_ctx_new();
    status_world_init(&w);
    metrics = kube_metrics_new();
    parts.factory = w.view.factory;
    parts.elector = w.elector;
    parts.lease_name = "networks-leader";
    parts.recorder = w.recorder;
    ck_assert_int_eq(kube__process_metrics_new(metrics, &parts, &process, &err), KUBE_OK);
}

static void tear_down(void)
{
    kube__process_metrics_free(process);
    status_world_fini(&w);
    kube_metrics_free(metrics);
    kube_ctx_free(ctx);
}

/* The value of a series, "name{labels}"; fails when it is not there. */
static double value_of(const char *series)
{
    const char *text = kube_metrics_text(metrics, ctx);
    const char *line = strstr(text, kube_printf(ctx, "\n%s ", series));
    ck_assert_msg(line != NULL, "no %s", series);
    return strtod(line + strlen(series) + 2, NULL);
}

#define NETWORKS "{type=\"networks.v1.samplecrd.k8s.io\"}"
#define LEASE "{name=\"networks-leader\"}" /* client-go's label: of the Lease */

FIXTURE(set_up, tear_down);

TEST(the_process_is_measured)
{
    ck_assert_double_gt(value_of("process_cpu_seconds_total"), 0);
    ck_assert_double_gt(value_of("process_resident_memory_bytes"), 1 << 20);
    ck_assert_double_ge(value_of("process_virtual_memory_bytes"),
                        value_of("process_resident_memory_bytes"));
    ck_assert_double_ge(value_of("process_threads"), 2);
    ck_assert_double_ge(value_of("process_max_fds"), value_of("process_open_fds"));
    ck_assert_double_gt(value_of("process_start_time_seconds"), 1.7e9);
    ck_assert_double_eq(value_of(kube_printf(ctx,
                                             "kube_build_info{name=\"network-controller\","
                                             "version=\"1.4.0\",libkube=\"%s\"}",
                                             KUBE_VERSION)),
                        1);
}

TEST(open_files_are_counted)
{
    double before = value_of("process_open_fds");
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    ck_assert_double_eq(value_of("process_open_fds"), before + 1);
    close(fd);
    ck_assert_double_eq(value_of("process_open_fds"), before);
}

TEST(caches_are_measured)
{
    ck_assert_double_eq(value_of("kube_informer_synced" NETWORKS), 1);
    ck_assert_double_eq(value_of("kube_informer_objects" NETWORKS), 2);
    ck_assert_double_gt(value_of("kube_informer_object_bytes" NETWORKS), 0);
    ck_assert_double_eq(value_of("kube_informer_lists_total" NETWORKS), 0);
    ck_assert_double_eq(value_of("kube_informer_watches_total" NETWORKS), 1);
    ck_assert_double_eq(value_of("kube_informer_events_total" NETWORKS), 3);
    ck_assert_double_eq(value_of("kube_informer_handler_seconds" NETWORKS), 0);
    ck_assert_double_eq(value_of("kube_informer_folded_total" NETWORKS), 0);
    ck_assert_double_eq(value_of("kube_informer_list_age_seconds" NETWORKS), 65);
    ck_assert_double_eq(value_of("kube_informer_event_age_seconds" NETWORKS), 65);
    kube_fake_clock_advance_ms(w.cache.fake, 500);
    ck_assert_double_eq(value_of("kube_informer_heard_age_seconds" NETWORKS), 65.5);
    ck_assert_double_eq(value_of("kube_informer_events_total" NETWORKS), 3); /* not added again */
}

TEST(a_cache_that_falls_behind_is_measured)
{
    kube_error expired;
    kube_error_set(&expired, KUBE_ERR_EXPIRED, "too old resource version");
    ck_assert_double_eq(value_of("kube_informer_behind_seconds" NETWORKS), 0);
    answer_error(w.stream, &expired);
    while (kube_informer_state(w.cache.informer, NULL) != KUBE_INFORMER_BEHIND)
        kube_ctx_sleep_ms(w.cache.ctx, 1, NULL);
    kube_fake_clock_advance_ms(w.cache.fake, 500); /* the back-off is longer */
    ck_assert_double_eq(value_of("kube_informer_behind_seconds" NETWORKS), 0.5);
    ck_assert_double_eq(value_of("kube_informer_synced" NETWORKS), 1);
}

TEST(election_and_events_are_measured)
{
    const char *text;
    ck_assert_double_eq(value_of("leader_election_master_status" LEASE), 0);
    ck_assert_double_eq(value_of("leader_election_slowpath_total" LEASE), 0);
    ck_assert_double_eq(value_of("kube_recorder_recorded_total"), 3);
    ck_assert_double_eq(value_of("kube_recorder_events_total{result=\"failed\"}"), 0);
    text = kube_metrics_text(metrics, ctx);
    ck_assert_ptr_null(strstr(text, "renewal_age_seconds")); /* it has never been renewed */
}

TEST(what_is_not_there_is_not_shown)
{
    const kube__process_parts parts = {.name = "x"};
    kube_metrics *bare = kube_metrics_new();
    kube__process_metrics *alone;
    const char *text;
    ck_assert_int_eq(kube__process_metrics_new(bare, &parts, &alone, NULL), KUBE_OK);
    text = kube_metrics_text(bare, ctx);
    ck_assert_ptr_nonnull(strstr(text, "process_threads"));
    ck_assert_ptr_null(strstr(text, "kube_informer"));
    ck_assert_ptr_null(strstr(text, "leader_election"));
    ck_assert_ptr_null(strstr(text, "kube_recorder"));
    kube__process_metrics_free(alone);
    kube_metrics_free(bare);
}

/* ---- the document --------------------------------------------------------------------------- */

static const char *read_document(void)
{
    const char *root = getenv("KUBEGEN_SOURCE_DIR");
    size_t size = 1 << 20;
    char *text = kube_ctx_alloc(ctx, size);
    FILE *file;
    ck_assert_ptr_nonnull(root);
    file = fopen(kube_printf(ctx, "%s/docs/metrics.md", root), "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_lt(fread(text, 1, size - 1, file), size - 1);
    fclose(file);
    return text;
}

/* A name that is taken cannot be given to something else. */
static bool is_registered(const char *name)
{
    kube_gauge_family *metric;
    return kube_metrics_gauge(metrics, name, "", (const char *const[]){"no_such_label", NULL},
                              &metric, NULL) == KUBE_ERR_ARGUMENT;
}

static kube_code never_called(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                              kube_error *err)
{
    (void)run_ctx;
    (void)request;
    (void)result;
    return kube_error_set(err, KUBE_ERR_ARGUMENT, "its controller does not run");
}

/* Registers what a manager's client and its controllers bring along. */
static kube_controller *register_the_rest(kube_client **client)
{
    const kube_controller_options options = {
        .name = "measured",
        .for_ = &samplecrd_v1_network_type,
        .reconcile = never_called,
        .metrics = metrics,
    };
    kube_controller *controller;
    kube_error err;
    ck_assert_int_eq(
        kube_client_new(w.config, &(kube_client_options){.metrics = metrics}, client, &err),
        KUBE_OK);
    ck_assert_int_eq(kube_controller_new(w.idle, &options, &controller, &err), KUBE_OK);
    return controller;
}

TEST(the_document_lists_what_is_served_and_nothing_else)
{
    const char *document = read_document();
    kube_client *client;
    kube_controller *controller = register_the_rest(&client);
    const char *text = kube_metrics_text(metrics, ctx);
    size_t served = 0;
    size_t listed = 0;
    for (const char *s = text; (s = strstr(s, "# TYPE ")) != NULL; served++) {
        const char *name = kube_ctx_strndup(ctx, s + 7, strcspn(s + 7, " "));
        const char *kind = s + 7 + strlen(name) + 1;
        const char *row =
            kube_printf(ctx, "\n| `%s` | %.*s |", name, (int)strcspn(kind, "\n"), kind);
        ck_assert_msg(strstr(document, row) != NULL, "docs/metrics.md does not have %s", row);
        s += 7;
    }
    for (const char *s = strstr(document, "## Metrics"); (s = strstr(s, "\n| `")) != NULL;
         listed++) {
        const char *name = kube_ctx_strndup(ctx, s + 4, strcspn(s + 4, "`"));
        ck_assert_msg(is_registered(name), "docs/metrics.md has %s, which there is not", name);
        s += 4;
    }
    ck_assert_uint_gt(served, 30);
    ck_assert_uint_ge(listed, served);
    kube_controller_free(controller);
    kube_client_free(client);
}
