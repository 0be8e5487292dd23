/* SPDX-License-Identifier: Apache-2.0 */
/* What the recorder sends is accepted, and kubectl shows it (EV-2, EV-3, EV-4, EV-6). */
#include "cluster_world.h"
#include "control/events/recorder.h"

#include <core/v1/api.h>
#include <events/v1/api.h>
#include <samplecrd/v1/api.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_MS = 60000, OUTPUT_SIZE = 1 << 16 };

static kube_recorder *recorder;
static kube_error err;
static const samplecrd_v1_network *blue;
static atomic_int warnings;
static atomic_int refusals;

static void watch_log(void *arg, kube_log_level level, const char *file, int line,
                      const char *message)
{
    (void)arg;
    (void)file;
    (void)line;
    warnings += level <= KUBE_LOG_WARN;
    refusals += strstr(message, "not sent: ") != NULL;
}

static const samplecrd_v1_network *create(const char *namespace_)
{
    const samplecrd_v1_network wanted = {.metadata = {.name = "blue"},
                                         .spec = {.cidr = "10.1.0.0/16", .gateway = "10.1.0.1"}};
    samplecrd_v1_network *made;
    expect_ok(samplecrd_v1_networks_create(client, ctx, namespace_, &wanted, NULL, &made, &err),
              &err);
    return made;
}

static void start(kube_recorder_api api)
{
    const kube_recorder_options options = {.component = "tester", .api = api};
    kube_recorder_free(recorder, 0);
    expect_ok(kube_recorder_new(client, &options, &recorder, &err), &err);
}

static void set_up(void)
{
    case_set_up();
    blue = create(ns);
    start(KUBE_RECORDER_CORE);
    warnings = 0;
    refusals = 0;
    kube_log_set_level(KUBE_LOG_DEBUG);
    kube_log_set_sink(watch_log, NULL);
}

static void tear_down(void)
{
    kube_recorder_free(recorder, 0);
    recorder = NULL;
    kube_log_set_sink(NULL, NULL);
    kube_log_set_level(KUBE_LOG_INFO);
    case_tear_down();
}

/* Ends the recorder; it has sent @sent and nothing went wrong. */
static void finish(uint64_t sent)
{
    kube_recorder_stats stats;
    kube__recorder_drain(recorder, LONG_MS);
    kube_recorder_get_stats(recorder, &stats);
    ck_assert_uint_eq(stats.sent, sent);
    ck_assert_uint_eq(stats.failed, 0);
    ck_assert_int_eq(warnings, 0);
    kube_recorder_free(recorder, LONG_MS);
    recorder = NULL;
}

static void record(const char *message)
{
    kube_recorder_event(recorder, &blue->base, KUBE_EVENT_WARNING, "Lost", "%s", message);
}

static core_v1_event_list *events_in(const char *namespace_, const char *name)
{
    const kube_list_options options = {.field_selector =
                                           kube_printf(ctx, "involvedObject.name=%s", name)};
    core_v1_event_list *list;
    expect_ok(core_v1_events_list(client, ctx, namespace_, &options, &list, &err), &err);
    return list;
}

static events_v1_event_list *new_events(void)
{
    const kube_list_options options = {.field_selector =
                                           "regarding.name=blue,reportingController=tester"};
    events_v1_event_list *list;
    expect_ok(events_v1_events_list(client, ctx, ns, &options, &list, &err), &err);
    return list;
}

static void expect_text(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "no \"%s\" in: %s", part, text);
}

FIXTURE(set_up, tear_down);

TEST(a_repeat_is_one_event_with_a_count)
{
    static char output[OUTPUT_SIZE];
    core_v1_event_list *list;
    for (int i = 0; i < 3; i++)
        record("no route");
    finish(3);
    list = events_in(ns, "blue");
    ck_assert_uint_eq(list->len, 1);
    ck_assert_int_eq(list->items[0]->count.value, 3);
    ck_assert_str_eq(list->items[0]->message, "no route");
    ck_assert_str_eq(list->items[0]->source.component, "tester");
    ck_assert_str_eq(list->items[0]->reporting_component, "tester");
    ck_assert_str_eq(list->items[0]->involved_object.uid, blue->metadata.uid);
    ck_assert_uint_eq(new_events()->len, 1);
    real_server_kubectl(server, NULL, output, sizeof output, "-n %s get events", ns);
    expect_text(output, "no route");
    expect_text(output, "network/blue");
    real_server_kubectl(server, NULL, output, sizeof output, "-n %s describe network blue", ns);
    expect_text(output, "Warning");
    expect_text(output, "(x3 over ");
    expect_text(output, "no route");
}

TEST(similar_events_are_combined)
{
    core_v1_event_list *list;
    size_t combined = 0;
    for (int i = 0; i < 12; i++)
        record(kube_printf(ctx, "no route to %d", i));
    finish(12);
    list = events_in(ns, "blue");
    ck_assert_uint_eq(list->len, 10);
    for (size_t i = 0; i < list->len; i++) {
        if (strcmp(list->items[i]->message, "(combined from similar events): no route to 11") != 0)
            continue;
        combined++;
        ck_assert_int_eq(list->items[i]->count.value, 3);
    }
    ck_assert_uint_eq(combined, 1);
}

TEST(an_event_that_was_deleted_is_made_anew)
{
    core_v1_event_list *list;
    record("no route");
    kube__recorder_drain(recorder, LONG_MS);
    list = events_in(ns, "blue");
    expect_ok(core_v1_events_delete(client, ctx, kube_key_of(ns, list->items[0]->metadata.name),
                                    NULL, &err),
              &err);
    record("no route");
    finish(2);
    list = events_in(ns, "blue");
    ck_assert_uint_eq(list->len, 1);
    ck_assert_int_eq(list->items[0]->count.value, 2);
}

/* As the server wants it for objects without a namespace, and for names that no event can have. */
static void record_odd_ones(const char *name)
{
    core_v1_namespace *found;
    samplecrd_v1_network odd = *blue;
    odd.metadata.name = name;
    expect_ok(core_v1_namespaces_get(client, ctx, kube_key_of(NULL, ns), NULL, &found, &err), &err);
    kube_recorder_event(recorder, &found->base, KUBE_EVENT_NORMAL, "Seen", "it");
    kube_recorder_event(recorder, &odd.base, KUBE_EVENT_NORMAL, "Seen", "it");
    finish(2);
    ck_assert_uint_eq(events_in("default", ns)->len, 1);
    ck_assert_uint_eq(strlen(events_in(ns, name)->items[0]->metadata.name), 36);
}

TEST(odd_objects_have_core_events)
{
    record_odd_ones("Not:Dns");
}

TEST(odd_objects_have_events_k8s_io)
{
    start(KUBE_RECORDER_EVENTS);
    record_odd_ones("Not:Dns");
}

TEST(a_second_event_makes_a_series)
{
    static char output[OUTPUT_SIZE];
    kube_string_map_entry entries[] = {{"example.com/why", "test"}};
    const kube_event_note note = {.regarding = &blue->base,
                                  .related = &blue->base,
                                  .type = KUBE_EVENT_WARNING,
                                  .reason = "Lost",
                                  .action = "Route",
                                  .annotations = {entries, 1}};
    events_v1_event *event;
    start(KUBE_RECORDER_EVENTS);
    kube_recorder_note(recorder, &note, "no route");
    kube__recorder_drain(recorder, LONG_MS);
    event = new_events()->items[0];
    ck_assert_str_eq(event->action, "Route");
    ck_assert_str_eq(event->note, "no route");
    ck_assert_str_eq(event->reporting_controller, "tester");
    ck_assert_ptr_nonnull(event->related);
    ck_assert_str_eq(kube_string_map_get(&event->metadata.annotations, "example.com/why"), "test");
    ck_assert_ptr_null(event->series);
    for (int i = 0; i < 4; i++)
        kube_recorder_note(recorder, &note, "no route");
    finish(2);
    ck_assert_uint_eq(events_in(ns, "blue")->len, 1); /* the other group's field */
    ck_assert_uint_eq(new_events()->len, 1);          /* the end wrote the count */
    ck_assert_int_eq(new_events()->items[0]->series->count, 5);
    real_server_kubectl(server, NULL, output, sizeof output, "-n %s get events.events.k8s.io", ns);
    expect_text(output, "no route");
    real_server_kubectl(server, NULL, output, sizeof output, "-n %s describe network blue", ns);
    expect_text(output, "no route");
    expect_text(output, "(x5 over ");
}

TEST(a_namespace_that_goes_takes_no_events_and_that_is_no_warning)
{
    static const char doomed[] = "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":"
                                 "{\"name\":\"doomed\",\"finalizers\":[\"example.com/hold\"]}}";
    kube_recorder_stats stats;
    real_server_must_kubectl(server, doomed, "create -f -");
    blue = create("doomed");
    real_server_must_kubectl(server, NULL, "delete namespace doomed --wait=false");
    record("no route");
    kube__recorder_drain(recorder, LONG_MS);
    kube_recorder_get_stats(recorder, &stats);
    ck_assert_uint_eq(stats.failed, 1);
    ck_assert_int_eq(refusals, 1);
    ck_assert_int_eq(warnings, 0);
}

int main(void)
{
    return world_run(NULL);
}
