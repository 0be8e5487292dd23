/* SPDX-License-Identifier: Apache-2.0 */
/* The controller as a whole, on an API server that runs Deployments too. */
#include "world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static struct appservice_controller app;
static kube_informer_factory *factory;
static kube_controller *controller;
static kube_ctx *run_ctx;
static pthread_t runner;

/* ---- fixture -------------------------------------------------------------------------------- */

static void *run(void *arg)
{
    kube_error *run_err = arg;
    return kube_controller_run(controller, run_ctx, run_err) == KUBE_OK ? NULL : run_err;
}

static atomic_int runs; /* of the AppService "web" */

static kube_code count_and_reconcile(kube_ctx *c, const kube_request *request, kube_result *result,
                                     kube_error *e)
{
    runs += strcmp(request->key.name, "web") == 0;
    return appservice_reconcile(c, request, result, e);
}

static void start_controller(void)
{
    const kube_controller_options options = {
        .name = "appservices",
        .for_ = &appcontroller_v1alpha1_app_service_type,
        .reconcile = count_and_reconcile,
        .arg = &app,
        .workers = 2,
        .predicate = &kube_generation_changed,
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

/* ---- waiting -------------------------------------------------------------------------------- */

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

/* ---- cases ---------------------------------------------------------------------------------- */

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

/* Waits until all that has happened to AppServices and Deployments until now has had its effect:
 * both caches have heard of one that comes after it, and nothing is to be tried again. */
static void catch_up(void)
{
    static int count;
    const char *name = kube_printf(ctx, "last-%d", ++count);
    kube_controller_stats stats;
    kube_workqueue_stats queue;
    load_service(name, name, 1);
    expect_ready(name, 1);
    do {
        EXPECT_OK(kube_ctx_sleep_ms(ctx, 1, &err));
        EXPECT_OK(kube_controller_wait_idle(controller, ctx, &err));
        kube_controller_get_stats(controller, &stats);
        kube_controller_get_queue_stats(controller, &queue);
    } while (queue.depth || queue.delayed || stats.active);
}

START_TEST(its_own_status_does_not_run_it)
{
    appcontroller_v1alpha1_app_service service;
    const char *version;
    int before;
    load_service("web", "web", 1);
    expect_ready("web", 1);
    catch_up();
    before = runs;
    version = get_service("web")->metadata.resource_version;
    service = *get_service("web"); /* as the controller itself would write it */
    service.status.available_replicas = 7;
    EXPECT_OK(appcontroller_v1alpha1_app_services_update_status(client, ctx, "default", &service,
                                                                NULL, NULL, &err));
    catch_up();
    ck_assert_str_ne(get_service("web")->metadata.resource_version, version);
    ck_assert_int_eq(runs, before);
    /* What it owns runs it; its answer, the mended status, does not. */
    patch_deployment("web", "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}");
    catch_up();
    ck_assert_int_eq(get_service("web")->status.available_replicas, 1);
    ck_assert_int_eq(runs, before + 1);
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

static bool is_owned_by(const kube_object *object, const char *service)
{
    const kube_owner_reference *owner = kube_controller_of(kube_object_metadata(object));
    return owner && strcmp(owner->name, service) == 0;
}

static bool is_owned_by_a(const kube_object *object, int32_t arg)
{
    (void)arg;
    return is_owned_by(object, "a");
}

static bool is_owned_by_b(const kube_object *object, int32_t arg)
{
    (void)arg;
    return is_owned_by(object, "b");
}

START_TEST(two_that_swap_their_names_get_there)
{
    load_service("a", "one", 1);
    load_service("b", "two", 2);
    expect_ready("a", 1);
    expect_ready("b", 2);
    patch_service("a", "{\"spec\":{\"deploymentName\":\"two\"}}");
    expect_events("ErrResourceExists", 1);
    ck_assert_int_eq(get_service("a")->status.available_replicas, 1); /* the former one serves */
    patch_service("b", "{\"spec\":{\"deploymentName\":\"one\"}}");
    wait_for(&apps_v1_deployment_type, "two", 0, is_owned_by_a);
    wait_for(&apps_v1_deployment_type, "one", 0, is_owned_by_b);
    expect_ready("a", 1);
    expect_ready("b", 2);
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

START_TEST(of_two_that_name_one_deployment_one_has_it)
{
    enum { PAIRS = 20 };

    stop_controller(); /* so that both are there when it begins */
    for (int i = 0; i < PAIRS; i++) {
        load_service(kube_printf(ctx, "a-%d", i), kube_printf(ctx, "d-%d", i), 3);
        load_service(kube_printf(ctx, "b-%d", i), kube_printf(ctx, "d-%d", i), 1);
    }
    start_controller();
    expect_events("ErrResourceExists", PAIRS); /* each loser has heard of it */
    EXPECT_OK(kube_controller_wait_idle(controller, ctx, &err));
    ck_assert_uint_eq(kube_fake_recorder_count(events, "Synced"), PAIRS);
    for (int i = 0; i < PAIRS; i++) {
        const apps_v1_deployment *deployment = get_deployment(kube_printf(ctx, "d-%d", i));
        const kube_owner_reference *owner = kube_controller_of(&deployment->metadata);
        ck_assert_int_eq(deployment->spec.replicas.value, *owner->name == 'a' ? 3 : 1);
        ck_assert_int_eq(deployment->metadata.generation, 1); /* nobody changed it */
    }
}
END_TEST

/* The CRD as it was before it refused empty names. */
static void let_empty_names_in(void)
{
    static char text[65536];
    FILE *file = fopen(APPSERVICE_CRD, "r");
    size_t len = file ? fread(text, 1, sizeof text - 1, file) : 0;
    char *limit = strstr(text, "minLength: 1");
    char *pattern = strstr(text, "pattern: '^[a-z0-9]+");
    ck_assert(limit && pattern);
    fclose(file);
    limit[strlen("minLength: ")] = '0';
    pattern[strlen("pattern: '^[a-z0-9]")] = '*';
    EXPECT_OK(kube_apiserver_load(server, text, len, &err));
}

START_TEST(an_empty_name_is_mapped_to_nobody)
{
    kube_controller_stats stats;
    int before;
    let_empty_names_in();
    load_service("web", "web", 1);
    expect_ready("web", 1);
    load_service("old", "", 1);
    expect_events("InvalidSpec", 1);
    EXPECT_OK(kube_controller_wait_idle(controller, ctx, &err));
    before = runs;
    load_service("other", "web", 1); /* runs "web" when it is mapped, which is after "old" */
    while (runs == before)
        EXPECT_OK(kube_ctx_sleep_ms(ctx, 1, &err));
    kube_controller_get_stats(controller, &stats);
    ck_assert_uint_eq(stats.pending_changes, 0);
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
        its_own_status_does_not_run_it,
        it_is_scaled_through_the_scale_subresource,
        an_edited_deployment_is_repaired,
        a_deleted_deployment_is_made_anew,
        another_name_moves_it,
        two_that_swap_their_names_get_there,
        its_deployment_goes_with_it,
        one_that_is_made_anew_waits_for_its_predecessors_end,
        a_name_that_becomes_free_is_taken,
        an_orphan_is_taken_over_with_its_copies,
        of_two_that_name_one_deployment_one_has_it,
        an_empty_name_is_mapped_to_nobody,
        many_at_once,
    };
    return run_cases("controller", set_up, tear_down, tests, sizeof tests / sizeof *tests);
}
