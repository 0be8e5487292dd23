/* SPDX-License-Identifier: Apache-2.0 */
/* The controller as a whole, on an API server that runs Deployments too. */
#include "../deployment.h"
#include "../status.h"
#include "world.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct appservice_controller app;
static kube_informer_factory *factory;
static kube_controller *controller;
static kube_ctx *run_ctx;
static pthread_t runner;

/* ---- fixture --------------------------------------------------------------------------------- */

static void *run(void *arg)
{
    kube_error *run_err = arg;
    return kube_controller_run(controller, run_ctx, run_err) == KUBE_OK ? NULL : run_err;
}

static void start_controller(void)
{
    const kube_controller_options options = {
        .name = "appservices",
        .for_ = &appcontroller_v1alpha1_app_service_type,
        .reconcile = appservice_reconcile,
        .arg = &app,
        .workers = 2,
        .predicate = &kube_version_changed,
    };
    static kube_error run_err;
    app = (struct appservice_controller){
        .client = client, .recorder = kube_fake_recorder_recorder(events), .image = IMAGE};
    run_ctx = kube_ctx_new();
    EXPECT_OK(kube_informer_factory_new(client, NULL, &factory, &err));
    EXPECT_OK(appservice_init(&app, factory, &err));
    EXPECT_OK(kube_controller_new(factory, &options, &controller, &err));
    EXPECT_OK(appservice_follow(&app, controller, &err));
    ck_assert_int_eq(pthread_create(&runner, NULL, run, &run_err), 0);
}

static void stop_controller(void)
{
    void *failed;
    kube_ctx_cancel(run_ctx);
    pthread_join(runner, &failed);
    ck_assert_msg(!failed, "%s", failed ? ((kube_error *)failed)->message : "");
    kube_controller_free(controller);
    kube_informer_factory_free(factory);
    kube_ctx_free(run_ctx);
}

static void set_up(void)
{
    world_set_up(true);
    start_controller();
}

static void tear_down(void)
{
    stop_controller();
    world_tear_down();
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* What to say when it is not as it should be: the object, from the server. */
static const char *state_of(const kube_type *type, const char *name)
{
    kube_ctx *scope = kube_ctx_new(); /* the test's has ended */
    const char *text = NULL;
    static char kept[4096];
    if (kube_apiserver_object(server, scope, type, NULL, name, &text, NULL) || !text)
        text = "none";
    snprintf(kept, sizeof kept, "%s", text);
    kube_ctx_free(scope);
    return kept;
}

/* Watches an object, which may be made anew, until @is_so. */
static void wait_for(const kube_type *type, const char *name, int32_t arg,
                     bool (*is_so)(const kube_object *object, int32_t arg))
{
    kube_watch_options options = {.field_selector = kube_printf(ctx, "metadata.name=%s", name)};
    kube_watch *watch;
    const kube_event *event;
    bool so = false;
    EXPECT_OK(kube_client_watch(client, ctx, type, "default", &options, &watch, &err));
    while (!so) {
        ck_assert_msg(kube_watch_next(watch, ctx, &event, &err) == KUBE_OK, "%s: %s", err.message,
                      state_of(type, name));
        so = event->object && event->type != KUBE_WATCH_DELETED && is_so(event->object, arg);
    }
    kube_watch_free(watch);
}

/* Waits for its end, if it is there; from its version on, so that an end in between is seen. */
static void expect_gone(const kube_type *type, const char *name)
{
    kube_watch_options options = {.field_selector = kube_printf(ctx, "metadata.name=%s", name)};
    const kube_event *event;
    kube_object *object;
    kube_watch *watch;
    if (kube_client_get(client, ctx, type, kube_key_of("default", name), NULL, &object, &err) ==
        KUBE_ERR_NOT_FOUND)
        return;
    options.resource_version = kube_object_metadata(object)->resource_version;
    EXPECT_OK(kube_client_watch(client, ctx, type, "default", &options, &watch, &err));
    do {
        EXPECT_OK(kube_watch_next(watch, ctx, &event, &err));
    } while (event->type != KUBE_WATCH_DELETED);
    kube_watch_free(watch);
}

static bool is_ready_with(const kube_object *object, int32_t replicas)
{
    const appcontroller_v1alpha1_app_service *service = (const void *)object;
    return service->status.available_replicas == replicas &&
           service->status.observed_generation == service->metadata.generation &&
           kube_condition_is_true(&service->status.conditions, CONDITION_READY);
}

static void expect_ready(const char *name, int32_t replicas)
{
    wait_for(&appcontroller_v1alpha1_app_service_type, name, replicas, is_ready_with);
}

static bool has_replicas(const kube_object *object, int32_t replicas)
{
    const apps_v1_deployment *deployment = (const void *)object;
    return deployment->spec.replicas.value == replicas;
}

static void expect_events(const char *reason, size_t count)
{
    EXPECT_OK(kube_fake_recorder_wait(events, ctx, reason, count, &err));
}

/* ---- cases ----------------------------------------------------------------------------------- */

START_TEST(an_app_service_gets_its_copies)
{
    load_service("web", "web", 2);
    expect_ready("web", 2);
    ck_assert_ptr_nonnull(
        strstr(event_text(), "Normal Synced default/web: created Deployment web\n"));
}
END_TEST

START_TEST(it_writes_for_changes_only)
{
    const kube_api_call_filter applies = {.verb = "patch", .resource = "deployments"};
    const kube_api_call_filter statuses = {
        .verb = "update", .resource = "appservices", .subresource = "status"};
    kube_api_call_list calls;
    size_t written = 0;
    load_service("web", "web", 2);
    expect_ready("web", 2);
    EXPECT_OK(kube_controller_wait_idle(controller, ctx, &err));
    /* A run on a cache that has not heard of the first may apply again: that changes nothing. */
    ck_assert_uint_le(call_count(&applies), 3);
    ck_assert_int_eq(get_deployment("web")->metadata.generation, 1);
    EXPECT_OK(kube_apiserver_calls(server, ctx, &statuses, &calls, &err));
    for (size_t i = 0; i < calls.len; i++)
        written += calls.items[i].http_status == 200;
    ck_assert_uint_ge(written, 1);
    ck_assert_uint_le(written, 4); /* none serves, one, both, and the rollout is over */
}
END_TEST

START_TEST(it_is_scaled_through_the_scale_subresource)
{
    const kube_scale three = {.spec = {.replicas = 3}};
    kube_scale *scale;
    load_service("web", "web", 1);
    expect_ready("web", 1);
    EXPECT_OK(appcontroller_v1alpha1_app_services_update_scale(
        client, ctx, kube_key_of("default", "web"), &three, NULL, NULL, &err));
    expect_ready("web", 3);
    ck_assert_int_eq(get_deployment("web")->spec.replicas.value, 3);
    EXPECT_OK(appcontroller_v1alpha1_app_services_get_scale(
        client, ctx, kube_key_of("default", "web"), NULL, &scale, &err));
    ck_assert_int_eq(scale->spec.replicas, 3);
    ck_assert_int_eq(scale->status.replicas, 3);
    ck_assert_str_eq(scale->status.selector, "app.kubernetes.io/instance=web,"
                                             "app.kubernetes.io/managed-by=appservice-controller");
}
END_TEST

START_TEST(an_edited_deployment_is_repaired)
{
    load_service("web", "web", 2);
    expect_ready("web", 2);
    kube_fake_recorder_forget(events);
    patch_deployment("web", "{\"spec\":{\"replicas\":5},"
                            "\"metadata\":{\"annotations\":{\"team\":\"blue\"}}}");
    expect_events("Synced", 1);
    wait_for(&apps_v1_deployment_type, "web", 2, has_replicas);
    ck_assert_str_eq(kube_string_map_get(&get_deployment("web")->metadata.annotations, "team"),
                     "blue");
    expect_ready("web", 2);
}
END_TEST

START_TEST(a_deleted_deployment_is_made_anew)
{
    const char *uid;
    load_service("web", "web", 1);
    expect_ready("web", 1);
    uid = get_deployment("web")->metadata.uid;
    kube_fake_recorder_forget(events);
    delete_deployment("web");
    expect_events("Synced", 1);
    ck_assert_str_ne(get_deployment("web")->metadata.uid, uid);
    expect_ready("web", 1);
}
END_TEST

START_TEST(another_name_moves_it)
{
    load_service("web", "one", 1);
    expect_ready("web", 1);
    patch_service("web", "{\"spec\":{\"deploymentName\":\"two\"}}");
    expect_gone(&apps_v1_deployment_type, "one");
    expect_ready("web", 1);
    ck_assert(kube_is_controlled_by(&get_deployment("two")->metadata, &get_service("web")->base));
}
END_TEST

START_TEST(its_deployment_goes_with_it)
{
    load_service("web", "web", 1);
    expect_ready("web", 1);
    delete_service("web", NULL);
    expect_gone(&apps_v1_deployment_type, "web");
}
END_TEST

START_TEST(one_that_is_made_anew_waits_for_its_predecessors_end)
{
    load_service("web", "web", 1);
    expect_ready("web", 1);
    delete_service("web", NULL);
    load_service("web", "web", 2);
    expect_ready("web", 2);
    ck_assert_uint_eq(kube_fake_recorder_count(events, "ErrResourceExists"), 0);
}
END_TEST

START_TEST(a_name_that_becomes_free_is_taken)
{
    create_foreign("web");
    load_service("web", "web", 1);
    expect_events("ErrResourceExists", 1);
    ck_assert_ptr_null(kube_controller_of(&get_deployment("web")->metadata));
    delete_deployment("web"); /* nobody tries until then: this event is what runs it */
    expect_events("Synced", 1);
    expect_ready("web", 1);
}
END_TEST

START_TEST(an_orphan_is_taken_over_with_its_copies)
{
    const char *uid;
    load_service("web", "web", 2);
    expect_ready("web", 2);
    uid = get_deployment("web")->metadata.uid;
    delete_service("web", "Orphan");
    expect_gone(&appcontroller_v1alpha1_app_service_type, "web");
    load_service("heir", "web", 2);
    expect_ready("heir", 2);
    ck_assert_str_eq(get_deployment("web")->metadata.uid, uid);
    ck_assert(kube_is_controlled_by(&get_deployment("web")->metadata, &get_service("heir")->base));
}
END_TEST

START_TEST(many_at_once)
{
    enum { MANY = 20 };

    for (int i = 0; i < MANY; i++)
        load_service(kube_printf(ctx, "web-%d", i), kube_printf(ctx, "d-%d", i), 1 + i % 3);
    for (int i = 0; i < MANY; i++)
        expect_ready(kube_printf(ctx, "web-%d", i), 1 + i % 3);
    ck_assert_uint_ge(kube_fake_recorder_count(events, "Synced"), MANY);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_app_service_gets_its_copies,
        it_writes_for_changes_only,
        it_is_scaled_through_the_scale_subresource,
        an_edited_deployment_is_repaired,
        a_deleted_deployment_is_made_anew,
        another_name_moves_it,
        its_deployment_goes_with_it,
        one_that_is_made_anew_waits_for_its_predecessors_end,
        a_name_that_becomes_free_is_taken,
        an_orphan_is_taken_over_with_its_copies,
        many_at_once,
    };
    return run_cases("controller", set_up, tear_down, tests, sizeof tests / sizeof *tests);
}
