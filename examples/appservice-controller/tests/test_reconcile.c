/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One reconcile at a time, as sample-controller's tests do it: the caches are filled by hand, the
 * function is called once, and what it sent is compared call by call.
 */
#include "world.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOW "2026-11-21T02:40:23Z"

static struct appservice_controller app;
static kube_clock frozen;       /* waits as ever, but the wall clock stands at NOW */
static void (*meanwhile)(void); /* called once, when a run reads the clock for a request */
static kube_informer_factory *factory;
static kube_ctx *run_ctx; /* of the reconcile */
static kube_result result;
static char announce_dir[64];

/* ---- fixture -------------------------------------------------------------------------------- */

static int64_t wall_now(const kube_clock *clock)
{
    (void)clock;
    return INT64_C(1795228823) * 1000000000;
}

static int64_t now(const kube_clock *clock)
{
    void (*call)(void) = meanwhile;
    (void)clock;
    meanwhile = NULL;
    if (call)
        call();
    return kube_clock_system()->now_ns(kube_clock_system());
}

static void set_up(void)
{
    world_set_up(false);
    meanwhile = NULL;
    frozen = *kube_clock_system();
    frozen.now_ns = now;
    frozen.wall_ns = wall_now;
    run_ctx = kube_ctx_new_with_clock(&frozen);
    EXPECT_OK(kube_informer_factory_new(client, NULL, &factory, &err));
    app = (struct appservice_controller){
        .client = client, .recorder = kube_fake_recorder_recorder(events), .image = IMAGE};
    EXPECT_OK(appservice_init(&app, factory, &err));
    announce_dir[0] = '\0';
}

static void empty_announce_dir(void)
{
    DIR *dir = opendir(announce_dir);
    const struct dirent *entry;
    char path[512];
    while (dir && (entry = readdir(dir)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", announce_dir, entry->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
    rmdir(announce_dir);
}

static void tear_down(void)
{
    if (*announce_dir)
        empty_announce_dir();
    kube_informer_factory_free(factory);
    kube_ctx_free(run_ctx);
    world_tear_down();
}

/* The cache of one type becomes what the server has. */
static void sync_cache(const kube_type *type)
{
    kube_informer *informer;
    kube_object_list *there;
    kube_cached_list cached;
    EXPECT_OK(kube_informer_factory_informer(factory, type, NULL, &informer, &err));
    EXPECT_OK(kube_lister_list(kube_informer_lister(informer), ctx, NULL, NULL, &cached, &err));
    for (size_t i = 0; i < cached.len; i++)
        EXPECT_OK(kube_informer_enter(informer, cached.items[i], true, &err));
    EXPECT_OK(kube_client_list(client, ctx, type, NULL, NULL, &there, NULL, &err));
    for (size_t i = 0; i < there->len; i++)
        EXPECT_OK(kube_informer_enter(informer, there->items[i], false, &err));
}

static void sync_caches(void)
{
    sync_cache(&appcontroller_v1alpha1_app_service_type);
    sync_cache(&apps_v1_deployment_type);
}

/* The cache has that Deployment, whatever the server has. */
static void see_deployment(const apps_v1_deployment *deployment)
{
    kube_informer *informer;
    EXPECT_OK(
        kube_informer_factory_informer(factory, &apps_v1_deployment_type, NULL, &informer, &err));
    EXPECT_OK(kube_informer_enter(informer, &deployment->base, false, &err));
}

/* Runs it on the caches as they are; the calls and events are its own afterwards. */
static kube_code reconcile_stale(const char *name)
{
    const kube_request request = {.key = {"default", name},
                                  .why = {KUBE_REASON_ENQUEUE, "", "", "", "", {"", ""}, 0},
                                  .arg = &app};
    kube_apiserver_forget_calls(server);
    kube_fake_recorder_forget(events);
    kube_ctx_reset(run_ctx);
    result = (kube_result){0};
    return appservice_reconcile(run_ctx, &request, &result, &err);
}

static kube_code reconcile(const char *name)
{
    sync_caches();
    return reconcile_stale(name);
}

/* An AppService whose Deployment was made, and whose status is written. */
static void settle(const char *name, const char *deployment, int32_t replicas)
{
    load_service(name, deployment, replicas);
    EXPECT_OK(reconcile(name));
}

/* What the Deployment's own controller would write. */
static void deployment_serves(const char *name, int32_t replicas)
{
    apps_v1_deployment seen = {.metadata = {.name = name}};
    seen.status.observed_generation = kube_some_int64(get_deployment(name)->metadata.generation);
    seen.status.replicas = kube_some_int32(replicas);
    seen.status.updated_replicas = kube_some_int32(replicas);
    seen.status.ready_replicas = kube_some_int32(replicas);
    seen.status.available_replicas = kube_some_int32(replicas);
    const kube_apply_options options = {.field_manager = "deployment-controller", .force = true};
    EXPECT_OK(
        apps_v1_deployments_apply_status(client, ctx, "default", &seen, &options, NULL, &err));
}

static void expect_condition(const char *name, const char *type, const char *status,
                             const char *reason, const char *message)
{
    const kube_condition *condition =
        kube_condition_find(&get_service(name)->status.conditions, type);
    ck_assert_ptr_nonnull(condition);
    ck_assert_str_eq(condition->status, status);
    ck_assert_str_eq(condition->reason, reason);
    ck_assert_str_eq(condition->message, message);
}

/* ---- sample-controller's four --------------------------------------------------------------- */

START_TEST(it_creates_the_deployment) /* TestCreatesDeployment */
{
    load_service("web", "web-deployment", 1);
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), "create deployments/web-deployment; update appservices/web/status");
    ck_assert_str_eq(
        write_body(0),
        kube_printf(
            ctx,
            "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{"
            "\"name\":\"web-deployment\",\"namespace\":\"default\",\"labels\":{"
            "\"app.kubernetes.io/instance\":\"web-deployment\","
            "\"app.kubernetes.io/managed-by\":\"appservice-controller\"},"
            "\"ownerReferences\":[{\"apiVersion\":\"appcontroller.k8s.io/v1alpha1\","
            "\"kind\":\"AppService\",\"name\":\"web\",\"uid\":\"%s\",\"controller\":true,"
            "\"blockOwnerDeletion\":true}]},\"spec\":{\"replicas\":1,\"selector\":{"
            "\"matchLabels\":{\"app.kubernetes.io/instance\":\"web-deployment\","
            "\"app.kubernetes.io/managed-by\":\"appservice-controller\"}},\"strategy\":{},"
            "\"template\":{"
            "\"metadata\":{\"labels\":{\"app.kubernetes.io/instance\":\"web-deployment\","
            "\"app.kubernetes.io/managed-by\":\"appservice-controller\"}},\"spec\":{"
            "\"containers\":[{\"image\":\"nginx:1.27\",\"name\":\"app\",\"resources\":{}}]}}},"
            "\"status\":{}}",
            get_service("web")->metadata.uid));
    ck_assert_ptr_nonnull(strstr(
        write_body(1),
        "\"status\":{\"availableReplicas\":0,\"observedGeneration\":1,"
        "\"selector\":\"app.kubernetes.io/instance=web-deployment,"
        "app.kubernetes.io/managed-by=appservice-controller\",\"conditions\":["
        "{\"type\":\"Available\",\"status\":\"False\",\"observedGeneration\":1,"
        "\"lastTransitionTime\":\"" NOW "\",\"reason\":\"NoReplicaServes\",\"message\":\"\"},"
        "{\"type\":\"Ready\",\"status\":\"False\",\"observedGeneration\":1,"
        "\"lastTransitionTime\":\"" NOW "\",\"reason\":\"RollingOut\","
        "\"message\":\"the last change of the Deployment has not been observed yet\"}]}}"));
    ck_assert_str_eq(event_text(), "Normal Synced default/web: created Deployment "
                                   "web-deployment\n");
    ck_assert(kube_is_controlled_by(&get_deployment("web-deployment")->metadata,
                                    &get_service("web")->base));
}
END_TEST

START_TEST(it_does_nothing_when_all_is_as_wanted) /* TestDoNothing */
{
    settle("web", "web-deployment", 1);
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), "");
    ck_assert_str_eq(event_text(), "");
    ck_assert_uint_eq(call_count(NULL), 0); /* nor did it read anything but its caches */
}
END_TEST

START_TEST(it_updates_the_deployment) /* TestUpdateDeployment */
{
    const char *seen;
    settle("web", "web-deployment", 1);
    seen = get_deployment("web-deployment")->metadata.resource_version;
    patch_service("web", "{\"spec\":{\"replicas\":2}}");
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), "patch deployments/web-deployment; update appservices/web/status");
    ck_assert_ptr_nonnull(strstr(write_body(0), "\"spec\":{\"replicas\":2,"));
    ck_assert_ptr_nonnull(
        strstr(write_body(0), kube_printf(ctx, "\"resourceVersion\":\"%s\"", seen)));
    ck_assert_str_eq(event_text(), "Normal Synced default/web: changed Deployment web-deployment: "
                                   "spec.replicas\n");
    ck_assert_int_eq(get_deployment("web-deployment")->spec.replicas.value, 2);
}
END_TEST

START_TEST(it_leaves_a_foreign_deployment_alone) /* TestNotControlledByUs */
{
    const char *before;
    create_foreign("web-deployment");
    before = get_deployment("web-deployment")->metadata.resource_version;
    load_service("web", "web-deployment", 1);
    ck_assert_int_eq(reconcile("web"), KUBE_ERR_ALREADY_EXISTS);
    ck_assert(result.terminal); /* not tried again and again */
    ck_assert_str_eq(writes(), "update appservices/web/status");
    ck_assert_str_eq(event_text(), "Warning ErrResourceExists default/web: Deployment "
                                   "default/web-deployment is not controlled by this AppService\n");
    expect_condition("web", CONDITION_READY, "False", "DeploymentNotOwned",
                     "Deployment default/web-deployment is not controlled by this AppService");
    ck_assert_str_eq(get_deployment("web-deployment")->metadata.resource_version, before);
}
END_TEST

/* ---- whose Deployment it is ----------------------------------------------------------------- */

START_TEST(a_deployment_of_another_app_service_is_foreign)
{
    settle("first", "web", 1);
    load_service("second", "web", 3);
    ck_assert_int_eq(reconcile("second"), KUBE_ERR_ALREADY_EXISTS);
    ck_assert_str_eq(writes(), "update appservices/second/status");
    ck_assert_str_eq(event_text(), "Warning ErrResourceExists default/second: Deployment "
                                   "default/web is controlled by AppService first\n");
    ck_assert_int_eq(get_deployment("web")->spec.replicas.value, 1);
}
END_TEST

START_TEST(a_foreign_one_that_the_cache_lacks_is_not_taken_over)
{
    load_service("web", "web", 1);
    sync_caches();
    create_foreign("web");
    ck_assert_int_eq(reconcile_stale("web"), KUBE_ERR_CONFLICT);
    ck_assert(!result.terminal);                          /* the cache will know better */
    ck_assert_str_eq(writes(), "create deployments/web"); /* which was refused */
    ck_assert_ptr_null(kube_controller_of(&get_deployment("web")->metadata));
    ck_assert_ptr_nonnull(container_in(get_deployment("web"), "main"));
    ck_assert_str_eq(event_text(), "");
}
END_TEST

static void expect_owner(const char *deployment, const char *service)
{
    ck_assert(
        kube_is_controlled_by(&get_deployment(deployment)->metadata, &get_service(service)->base));
}

START_TEST(of_two_that_create_at_once_the_first_has_it)
{
    load_service("first", "web", 1);
    load_service("second", "web", 3);
    sync_caches(); /* neither sees a Deployment */
    EXPECT_OK(reconcile_stale("first"));
    ck_assert_int_eq(reconcile_stale("second"), KUBE_ERR_CONFLICT);
    ck_assert_str_eq(event_text(), "");
    expect_owner("web", "first");
    ck_assert_int_eq(get_deployment("web")->spec.replicas.value, 1);
    ck_assert_int_eq(reconcile("second"), KUBE_ERR_ALREADY_EXISTS);
    expect_owner("web", "first");
}
END_TEST

/* Takes the Deployment from its AppService, as kubectl delete --cascade=orphan does. */
static void orphan(const char *deployment)
{
    patch_deployment(deployment, "{\"metadata\":{\"ownerReferences\":null}}");
}

START_TEST(of_two_that_adopt_at_once_the_first_has_it)
{
    settle("old", "web", 2);
    delete_service("old", "Orphan");
    while (get_service("old") || kube_controller_of(&get_deployment("web")->metadata))
        EXPECT_OK(kube_ctx_sleep_ms(ctx, 1, &err));
    load_service("first", "web", 2);
    load_service("second", "web", 3);
    sync_caches(); /* both see an orphan */
    EXPECT_OK(reconcile_stale("first"));
    ck_assert_int_eq(reconcile_stale("second"), KUBE_ERR_CONFLICT);
    expect_owner("web", "first");
    ck_assert_int_eq(get_deployment("web")->spec.replicas.value, 2);
}
END_TEST

START_TEST(one_that_was_its_own_is_not_taken_back)
{
    const apps_v1_deployment *old;
    settle("first", "web", 1);
    old = get_deployment("web");
    orphan("web");
    load_service("second", "web", 3);
    EXPECT_OK(reconcile("second"));
    expect_owner("web", "second");
    patch_service("first", "{\"spec\":{\"replicas\":5}}");
    sync_caches();
    see_deployment(old); /* the cache has missed all that */
    ck_assert_int_eq(reconcile_stale("first"), KUBE_ERR_CONFLICT);
    expect_owner("web", "second");
    ck_assert_int_eq(get_deployment("web")->spec.replicas.value, 3);
}
END_TEST

START_TEST(an_orphan_is_adopted)
{
    settle("old", "web", 2);
    delete_service("old", "Orphan");
    while (get_service("old") || kube_controller_of(&get_deployment("web")->metadata))
        EXPECT_OK(kube_ctx_sleep_ms(ctx, 1, &err)); /* the garbage collector lets it go */
    load_service("new", "web", 2);
    EXPECT_OK(reconcile("new"));
    ck_assert_str_eq(writes(), "patch deployments/web; update appservices/new/status");
    ck_assert_str_eq(event_text(), "Normal Synced default/new: adopted Deployment web\n");
    ck_assert(kube_is_controlled_by(&get_deployment("web")->metadata, &get_service("new")->base));
}
END_TEST

START_TEST(one_that_is_being_deleted_does_not_adopt)
{
    settle("web", "web", 1);
    patch_service("web", "{\"metadata\":{\"finalizers\":[\"a.b/c\"]}}");
    sync_caches();
    delete_service("web", NULL); /* which the cache does not know yet */
    patch_deployment("web", "{\"metadata\":{\"ownerReferences\":null}}");
    sync_cache(&apps_v1_deployment_type);
    ck_assert_int_eq(reconcile_stale("web"), KUBE_ERR_CONFLICT); /* with its cache */
    ck_assert_str_eq(writes(), "");
    /* Nor does one that is gone. */
    patch_service("web", "{\"metadata\":{\"finalizers\":null}}");
    ck_assert_int_eq(reconcile_stale("web"), KUBE_ERR_CONFLICT);
    ck_assert_str_eq(writes(), "");
}
END_TEST

START_TEST(an_orphan_without_our_labels_is_foreign)
{
    settle("old", "web", 2);
    patch_deployment("web", "{\"metadata\":{\"ownerReferences\":null,\"labels\":{"
                            "\"app.kubernetes.io/managed-by\":\"somebody\"}}}");
    ck_assert_int_eq(reconcile("old"), KUBE_ERR_ALREADY_EXISTS);
    ck_assert_ptr_null(kube_controller_of(&get_deployment("web")->metadata));
}
END_TEST

START_TEST(the_end_of_a_predecessors_deployment_is_awaited)
{
    /* Deleted and made anew at once: the cache has the new one, and still the old Deployment. */
    const apps_v1_deployment *old;
    settle("web", "web", 1);
    old = get_deployment("web");
    delete_service("web", "Background");
    load_service("web", "web", 1);
    sync_cache(&appcontroller_v1alpha1_app_service_type);
    see_deployment(old);
    EXPECT_OK(reconcile_stale("web"));
    ck_assert_str_eq(writes(), "update appservices/web/status");
    ck_assert_str_eq(event_text(), "");
    expect_condition("web", CONDITION_READY, "False", "WaitingForDeletion",
                     "the last Deployment of that name is being deleted");
}
END_TEST

START_TEST(the_end_of_a_deleted_deployment_is_awaited)
{
    settle("web", "web", 1);
    patch_deployment("web", "{\"metadata\":{\"finalizers\":[\"a.b/c\"]}}");
    delete_deployment("web");
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), "update appservices/web/status");
    patch_deployment("web", "{\"metadata\":{\"finalizers\":null}}");
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), "create deployments/web; update appservices/web/status");
}
END_TEST

/* ---- what others write ---------------------------------------------------------------------- */

START_TEST(fields_of_other_writers_stay)
{
    settle("web", "web", 1);
    patch_deployment("web",
                     "{\"metadata\":{\"annotations\":{\"team\":\"blue\"},\"labels\":{\"tier\":"
                     "\"front\"}},\"spec\":{\"paused\":true,\"template\":{\"spec\":{\"containers\":"
                     "[{\"name\":\"sidecar\",\"image\":\"envoy\"}]}}}}");
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), ""); /* nor are they a difference */
    patch_service("web", "{\"spec\":{\"replicas\":3}}");
    EXPECT_OK(reconcile("web"));
    const apps_v1_deployment *deployment = get_deployment("web");
    ck_assert_int_eq(deployment->spec.replicas.value, 3);
    ck_assert_str_eq(kube_string_map_get(&deployment->metadata.annotations, "team"), "blue");
    ck_assert_str_eq(kube_string_map_get(&deployment->metadata.labels, "tier"), "front");
    ck_assert(deployment->spec.paused.value);
    ck_assert_str_eq(container_in(deployment, "sidecar")->image, "envoy");
    ck_assert_str_eq(container_in(deployment, "app")->image, IMAGE);
}
END_TEST

/* Edits of our fields, and what is said of them. */
static const struct {
    const char *patch;
    const char *difference;
} drifts[] = {
    {"{\"spec\":{\"replicas\":5}}", "spec.replicas"},
    {"{\"metadata\":{\"labels\":{\"app.kubernetes.io/managed-by\":\"me\"}}}",
     "metadata.labels['app.kubernetes.io/managed-by']"},
    {"{\"metadata\":{\"labels\":{\"app.kubernetes.io/instance\":null}}}",
     "metadata.labels['app.kubernetes.io/instance']"},
    {"{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"app\",\"image\":\"busybox\"}]"
     "}}}}",
     "spec.template.spec.containers"},
    {"{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"mine\",\"image\":\"busybox\"},"
     "{\"name\":\"app\",\"$patch\":\"delete\"}]}}}}",
     "spec.template.spec.containers"},
};

START_TEST(an_edit_of_our_fields_is_set_back)
{
    settle("web", "web", 2);
    for (size_t i = 0; i < sizeof drifts / sizeof *drifts; i++) {
        const apps_v1_deployment *deployment;
        patch_deployment("web", drifts[i].patch);
        EXPECT_OK(reconcile("web"));
        ck_assert_msg(strncmp(writes(), "patch deployments/web", 21) == 0, "%s", writes());
        ck_assert_str_eq(event_text(),
                         kube_printf(ctx, "Normal Synced default/web: changed Deployment web: %s\n",
                                     drifts[i].difference));
        deployment = get_deployment("web");
        ck_assert_int_eq(deployment->spec.replicas.value, 2);
        ck_assert_str_eq(container_in(deployment, "app")->image, IMAGE);
        ck_assert_str_eq(kube_string_map_get(&deployment->metadata.labels, LABEL_MANAGED_BY),
                         FIELD_MANAGER);
        ck_assert_str_eq(kube_string_map_get(&deployment->metadata.labels, LABEL_INSTANCE), "web");
        EXPECT_OK(reconcile("web"));
        ck_assert_str_eq(event_text(), ""); /* once is enough */
    }
}
END_TEST

START_TEST(a_new_image_reaches_the_deployment)
{
    settle("web", "web", 1);
    app.image = "nginx:1.28";
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(container_in(get_deployment("web"), "app")->image, "nginx:1.28");
}
END_TEST

START_TEST(replicas_that_are_not_said_are_not_sent)
{
    /* The CRD's default sets them; this is an AppService from before it had one. */
    appcontroller_v1alpha1_app_service service = {
        .metadata = {.name = "web", .namespace_ = "default", .uid = "uid"},
        .spec = {.deployment_name = "web"},
    };
    apps_v1_deployment deployment = {0};
    service.base.type = &appcontroller_v1alpha1_app_service_type;
    EXPECT_OK(deployment_shape(ctx, &service, IMAGE, &deployment, &err));
    ck_assert(!deployment.spec.replicas.set);
    deployment.spec.replicas = kube_some_int32(7);
    EXPECT_OK(deployment_shape(ctx, &service, IMAGE, &deployment, &err));
    ck_assert_int_eq(deployment.spec.replicas.value, 7);
    load_service("web", "web", 0);
    ck_assert_int_eq(get_service("web")->spec.replicas.value, 1);
}
END_TEST

static void fail_once(const char *verb, int http_status)
{
    const kube_fault_rule rule = {.kind = KUBE_FAULT_STATUS,
                                  .verb = verb,
                                  .resource = "deployments",
                                  .http_status = http_status,
                                  .times = 1};
    EXPECT_OK(kube_apiserver_add_fault(server, &rule, &err));
}

START_TEST(a_failed_write_is_an_error_that_names_the_deployment)
{
    load_service("web", "web", 1);
    fail_once("create", 503);
    ck_assert_int_eq(reconcile("web"), KUBE_ERR_UNAVAILABLE);
    ck_assert(!result.terminal);
    ck_assert_ptr_nonnull(strstr(err.message, "cannot create Deployment web: "));
    ck_assert_str_eq(event_text(), "");
    EXPECT_OK(reconcile("web"));
    patch_service("web", "{\"spec\":{\"replicas\":2}}");
    fail_once("patch", 503);
    ck_assert_int_eq(reconcile("web"), KUBE_ERR_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(err.message, "cannot apply Deployment web: "));
    ck_assert_str_eq(event_text(), "");
}
END_TEST

START_TEST(a_refused_write_is_a_condition_and_an_event)
{
    const char *message;
    load_service("web", "web", 1);
    fail_once("create", 403); /* a quota, say */
    ck_assert_int_eq(reconcile("web"), KUBE_ERR_FORBIDDEN);
    ck_assert(!result.terminal); /* it may be granted later, and no event would tell */
    message = kube_ctx_strdup(ctx, err.message);
    ck_assert_ptr_nonnull(strstr(message, "cannot create Deployment web: "));
    expect_condition("web", CONDITION_READY, "False", "DeploymentRefused", message);
    ck_assert_str_eq(event_text(),
                     kube_printf(ctx, "Warning DeploymentRefused default/web: %s\n", message));
    fail_once("create", 403);
    ck_assert_int_eq(reconcile("web"), KUBE_ERR_FORBIDDEN);
    ck_assert_str_eq(event_text(), ""); /* it says nothing new */
    EXPECT_OK(reconcile("web"));
    deployment_serves("web", 1);
    patch_service("web", "{\"spec\":{\"replicas\":2}}");
    fail_once("patch", 422);
    ck_assert_int_eq(reconcile("web"), KUBE_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(err.message, "cannot apply Deployment web: "));
    message = kube_ctx_strdup(ctx, err.message);
    expect_condition("web", CONDITION_READY, "False", "DeploymentRefused", message);
    expect_condition("web", CONDITION_AVAILABLE, "True", "ReplicasServe", "");
    ck_assert_int_eq(get_service("web")->status.available_replicas, 1);
}
END_TEST

START_TEST(ready_is_false_while_every_write_fails)
{
    settle("web", "web", 1);
    deployment_serves("web", 1);
    EXPECT_OK(reconcile("web"));
    expect_condition("web", CONDITION_READY, "True", "RolledOut", "1 of 1 replicas are available");
    patch_service("web", "{\"spec\":{\"replicas\":2}}");
    fail_once("patch", 500); /* a webhook that is down */
    ck_assert_int_eq(reconcile("web"), KUBE_ERR_SERVER);
    ck_assert(!result.terminal);
    expect_condition("web", CONDITION_READY, "False", "DeploymentRefused",
                     kube_ctx_strdup(ctx, err.message));
    ck_assert_int_eq(get_service("web")->status.observed_generation, 2);
}
END_TEST

/* ---- another name --------------------------------------------------------------------------- */

START_TEST(another_name_deletes_the_former_deployment)
{
    settle("web", "one", 1);
    const char *uid = get_deployment("one")->metadata.uid;
    patch_service("web", "{\"spec\":{\"deploymentName\":\"two\"}}");
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), "create deployments/two; delete deployments/one; "
                               "update appservices/web/status");
    ck_assert_ptr_nonnull(strstr(write_body(1), uid));
    ck_assert_ptr_nonnull(strstr(write_body(1), "\"propagationPolicy\":\"Background\""));
    ck_assert_str_eq(event_text(), "Normal Synced default/web: created Deployment two\n"
                                   "Normal Synced default/web: deleted Deployment one\n");
    ck_assert_ptr_null(get_deployment("one"));
    /* The cache may still have it: that it is gone is fine. */
    see_deployment(get_deployment("two"));
    sync_cache(&appcontroller_v1alpha1_app_service_type);
    EXPECT_OK(reconcile_stale("web"));
}
END_TEST

#define SELECTOR(what) LABEL_INSTANCE what "," LABEL_MANAGED_BY "=" FIELD_MANAGER

static void expect_serving(const char *name, int32_t replicas, const char *selector)
{
    const appcontroller_v1alpha1_app_service *service = get_service(name);
    ck_assert_int_eq(service->status.available_replicas, replicas);
    ck_assert_str_eq(service->status.selector, selector);
    ck_assert(kube_condition_is_true(&service->status.conditions, CONDITION_AVAILABLE) ==
              (replicas > 0));
}

START_TEST(the_former_deployment_serves_until_the_new_one_does)
{
    settle("web", "one", 2);
    deployment_serves("one", 2);
    patch_service("web", "{\"spec\":{\"deploymentName\":\"two\"}}");
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), "create deployments/two; update appservices/web/status");
    expect_serving("web", 2, SELECTOR(" in (one,two)"));
    expect_condition("web", CONDITION_READY, "False", "RollingOut",
                     "the last change of the Deployment has not been observed yet");
    deployment_serves("two", 2);
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), "delete deployments/one; update appservices/web/status");
    expect_serving("web", 2, SELECTOR("=two"));
    expect_condition("web", CONDITION_READY, "True", "RolledOut", "2 of 2 replicas are available");
}
END_TEST

START_TEST(the_former_deployment_stays_while_the_new_name_is_taken)
{
    settle("web", "one", 2);
    deployment_serves("one", 2);
    create_foreign("two");
    patch_service("web", "{\"spec\":{\"deploymentName\":\"two\"}}");
    ck_assert_int_eq(reconcile("web"), KUBE_ERR_ALREADY_EXISTS);
    ck_assert_str_eq(writes(), "update appservices/web/status");
    ck_assert_ptr_nonnull(get_deployment("one"));
    expect_serving("web", 2, SELECTOR("=one"));
    expect_condition("web", CONDITION_READY, "False", "DeploymentNotOwned",
                     "Deployment default/two is not controlled by this AppService");
}
END_TEST

START_TEST(the_former_deployment_goes_when_another_names_it)
{
    settle("a", "one", 1);
    settle("b", "two", 1);
    deployment_serves("one", 1);
    deployment_serves("two", 1);
    patch_service("a", "{\"spec\":{\"deploymentName\":\"two\"}}");
    patch_service("b", "{\"spec\":{\"deploymentName\":\"one\"}}");
    ck_assert_int_eq(reconcile("a"), KUBE_ERR_ALREADY_EXISTS);
    ck_assert_str_eq(writes(), "delete deployments/one; update appservices/a/status");
    EXPECT_OK(reconcile("b"));
    ck_assert_str_eq(writes(), "create deployments/one; delete deployments/two; "
                               "update appservices/b/status");
    EXPECT_OK(reconcile("a"));
    expect_owner("one", "b");
    expect_owner("two", "a");
}
END_TEST

START_TEST(a_former_deployment_whose_deletion_is_refused_counts)
{
    settle("web", "one", 1);
    deployment_serves("one", 1);
    patch_service("web", "{\"spec\":{\"deploymentName\":\"two\"}}");
    EXPECT_OK(reconcile("web"));
    deployment_serves("two", 1);
    fail_once("delete", 403);
    ck_assert_int_eq(reconcile("web"), KUBE_ERR_FORBIDDEN);
    ck_assert(!result.terminal);
    ck_assert_ptr_nonnull(strstr(err.message, "cannot delete Deployment one: "));
    expect_condition("web", CONDITION_READY, "False", "DeploymentRefused",
                     kube_ctx_strdup(ctx, err.message));
    expect_serving("web", 2, SELECTOR(" in (one,two)"));
    EXPECT_OK(reconcile("web"));
    expect_serving("web", 1, SELECTOR("=two"));
}
END_TEST

static void name_one_again(void)
{
    patch_service("web", "{\"spec\":{\"deploymentName\":\"one\"}}");
    sync_cache(&appcontroller_v1alpha1_app_service_type);
}

START_TEST(a_former_deployment_that_is_named_again_stays)
{
    settle("web", "one", 1);
    patch_service("web", "{\"spec\":{\"deploymentName\":\"two\"}}");
    sync_caches();
    kube_ctx_set_timeout_ms(run_ctx, PATIENCE_MS);
    meanwhile = name_one_again;
    ck_assert_int_eq(reconcile_stale("web"), KUBE_ERR_CONFLICT); /* of its status */
    ck_assert(!meanwhile);
    ck_assert_ptr_nonnull(get_deployment("one"));
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), "delete deployments/two; update appservices/web/status");
    expect_owner("one", "web");
}
END_TEST

START_TEST(a_former_deployment_that_has_changed_hands_is_not_deleted)
{
    settle("web", "one", 1);
    patch_service("web", "{\"spec\":{\"deploymentName\":\"two\"}}");
    sync_caches();
    orphan("one"); /* which the cache does not know */
    ck_assert_int_eq(reconcile_stale("web"), KUBE_ERR_CONFLICT);
    ck_assert_ptr_nonnull(get_deployment("one"));
}
END_TEST

START_TEST(an_empty_name_is_refused)
{
    /* The CRD does not let one in; a cache may have one from before it did. */
    const char json[] = "{\"apiVersion\":\"appcontroller.k8s.io/v1alpha1\",\"kind\":\"AppService\","
                        "\"metadata\":{\"name\":\"old\",\"namespace\":\"default\",\"uid\":\"u\","
                        "\"resourceVersion\":\"1\"},\"spec\":{\"deploymentName\":\"\"}}";
    const appcontroller_v1alpha1_app_service nameless = {
        .metadata = {.name = "old", .namespace_ = "default"}, .spec = {.deployment_name = ""}};
    kube_informer *informer;
    kube_object *object;
    ck_assert_int_eq(appcontroller_v1alpha1_app_services_create(client, ctx, "default", &nameless,
                                                                NULL, NULL, &err),
                     KUBE_ERR_INVALID);
    EXPECT_OK(kube_informer_factory_informer(factory, &appcontroller_v1alpha1_app_service_type,
                                             NULL, &informer, &err));
    EXPECT_OK(kube_decode(ctx, &appcontroller_v1alpha1_app_service_type, json, sizeof json - 1,
                          &object, &err));
    EXPECT_OK(kube_informer_enter(informer, object, false, &err));
    ck_assert_int_eq(reconcile_stale("old"), KUBE_ERR_INVALID);
    ck_assert(result.terminal);
    ck_assert_str_eq(err.message, "spec.deploymentName is empty");
}
END_TEST

/* ---- status --------------------------------------------------------------------------------- */

START_TEST(the_status_is_written_when_it_changes_only)
{
    settle("web", "web", 2);
    deployment_serves("web", 1);
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), "update appservices/web/status");
    ck_assert_int_eq(get_service("web")->status.available_replicas, 1);
    expect_condition("web", CONDITION_AVAILABLE, "True", "ReplicasServe", "");
    expect_condition("web", CONDITION_READY, "False", "RollingOut",
                     "1 of 2 new replicas have been made");
    deployment_serves("web", 2);
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), "update appservices/web/status");
    expect_condition("web", CONDITION_READY, "True", "RolledOut", "2 of 2 replicas are available");
    patch_deployment("web", "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}");
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), "");
    ck_assert_int_eq(get_service("web")->status.observed_generation, 1);
    ck_assert_int_eq(get_service("web")->metadata.generation, 1);
}
END_TEST

/* As deployment controllers write them while a Deployment of two goes from one image to another;
 * what `kubectl rollout status` says of each. */
static const struct {
    int32_t replicas;
    int32_t updated;
    int32_t available;
    int behind; /* generations */
    const char *unfinished;
} rollouts[] = {
    {2, 2, 2, 1, "the last change of the Deployment has not been observed yet"},
    {2, 0, 2, 0, "0 of 2 new replicas have been made"},
    {3, 1, 2, 0, "1 of 2 new replicas have been made"},
    {3, 2, 2, 0, "1 old replicas have not ended yet"},
    {2, 2, 1, 0, "1 of 2 new replicas are available"},
    {2, 2, 2, 0, NULL},
};

START_TEST(ready_is_what_kubectl_rollout_status_says)
{
    for (size_t i = 0; i < sizeof rollouts / sizeof *rollouts; i++) {
        const apps_v1_deployment deployment = {
            .metadata = {.generation = 7},
            .spec = {.replicas = KUBE_SOME(2)},
            .status = {.observed_generation = KUBE_SOME(7 - rollouts[i].behind),
                       .replicas = KUBE_SOME(rollouts[i].replicas),
                       .updated_replicas = KUBE_SOME(rollouts[i].updated),
                       .available_replicas = KUBE_SOME(rollouts[i].available)},
        };
        const char *unfinished = deployment_unfinished(ctx, &deployment);
        ck_assert_str_eq(unfinished ? unfinished : "",
                         rollouts[i].unfinished ? rollouts[i].unfinished : "");
    }
}
END_TEST

START_TEST(ready_waits_for_the_rollout_of_a_change)
{
    settle("web", "web", 1);
    deployment_serves("web", 1);
    EXPECT_OK(reconcile("web"));
    expect_condition("web", CONDITION_READY, "True", "RolledOut", "1 of 1 replicas are available");
    app.image = "nginx:1.28"; /* one copy serves, but it is of the old image */
    EXPECT_OK(reconcile("web"));
    expect_condition("web", CONDITION_READY, "False", "RollingOut",
                     "the last change of the Deployment has not been observed yet");
    expect_condition("web", CONDITION_AVAILABLE, "True", "ReplicasServe", "");
}
END_TEST

START_TEST(a_status_on_an_old_version_comes_back_with_the_newest)
{
    load_service("web", "web", 1);
    sync_caches();
    patch_service("web", "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}");
    ck_assert_int_eq(reconcile_stale("web"), KUBE_ERR_CONFLICT);
    ck_assert_str_eq(writes(), "create deployments/web; update appservices/web/status");
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), "update appservices/web/status");
    ck_assert_str_eq(kube_string_map_get(&get_service("web")->metadata.annotations, "a"), "b");
    ck_assert_int_eq(get_service("web")->status.observed_generation, 1);
}
END_TEST

START_TEST(a_status_is_compared_with_the_last_one_that_was_written)
{
    settle("web", "web", 1);
    deployment_serves("web", 1);
    EXPECT_OK(reconcile("web")); /* one serves */
    sync_caches();
    deployment_serves("web", 0);
    sync_cache(&apps_v1_deployment_type);
    EXPECT_OK(reconcile_stale("web")); /* none does */
    deployment_serves("web", 1);
    sync_cache(&apps_v1_deployment_type);
    /* The cache still has the status of before that, which says what it is to say again. */
    EXPECT_OK(reconcile_stale("web"));
    ck_assert_str_eq(writes(), "update appservices/web/status");
    ck_assert_int_eq(get_service("web")->status.available_replicas, 1);
    EXPECT_OK(reconcile_stale("web"));
    ck_assert_str_eq(writes(), "");
}
END_TEST

START_TEST(an_app_service_that_is_gone_needs_nothing)
{
    EXPECT_OK(reconcile("nobody"));
    ck_assert_uint_eq(call_count(NULL), 0);
    /* It may go while we are at it. */
    settle("web", "web", 1);
    deployment_serves("web", 1);
    sync_caches();
    delete_service("web", "Orphan");
    while (get_service("web"))
        EXPECT_OK(kube_ctx_sleep_ms(ctx, 1, &err));
    EXPECT_OK(reconcile_stale("web"));
}
END_TEST

/* ---- deletion and announcements ------------------------------------------------------------- */

START_TEST(nothing_is_made_for_one_that_is_being_deleted)
{
    load_service("web", "web", 1);
    patch_service("web", "{\"metadata\":{\"finalizers\":[\"a.b/c\"]}}");
    delete_service("web", NULL);
    EXPECT_OK(reconcile("web"));
    ck_assert_uint_eq(call_count(NULL), 0);
}
END_TEST

static void announce_here(void)
{
    snprintf(announce_dir, sizeof announce_dir, "%s", "/tmp/appservice-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(announce_dir));
    app.announce_dir = announce_dir;
}

static const char *announced(const char *name)
{
    FILE *file = fopen(kube_printf(ctx, "%s/default_%s", announce_dir, name), "r");
    char text[256];
    size_t len;
    if (!file)
        return "nothing";
    len = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    return kube_ctx_strndup(ctx, text, len);
}

START_TEST(an_announcement_comes_with_a_finalizer_and_goes_with_the_object)
{
    announce_here();
    load_service("web", "web", 1);
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(get_service("web")->metadata.finalizers.items[0], APPSERVICE_FINALIZER);
    ck_assert_str_eq(announced("web"), "deployment web\navailable 0\n");
    deployment_serves("web", 1);
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(announced("web"), "deployment web\navailable 1\n");
    delete_service("web", NULL);
    ck_assert_ptr_nonnull(get_service("web"));
    EXPECT_OK(reconcile("web"));
    ck_assert_str_eq(writes(), "patch appservices/web");
    ck_assert_str_eq(announced("web"), "nothing");
    ck_assert_ptr_null(get_service("web"));
}
END_TEST

START_TEST(the_object_stays_until_its_announcement_is_withdrawn)
{
    announce_here();
    load_service("web", "web", 1);
    EXPECT_OK(reconcile("web"));
    delete_service("web", NULL);
    app.announce_dir = "/proc/version/no-directory";
    ck_assert_int_eq(reconcile("web"), KUBE_ERR_UNAVAILABLE);
    ck_assert_str_eq(writes(), "");
    ck_assert_ptr_nonnull(get_service("web"));
    app.announce_dir = announce_dir;
    EXPECT_OK(reconcile("web"));
    ck_assert_ptr_null(get_service("web"));
}
END_TEST

START_TEST(a_failed_announcement_does_not_hold_up_the_status)
{
    announce_here();
    settle("web", "web", 1);
    app.announce_dir = "/proc/version/no-directory";
    deployment_serves("web", 1);
    ck_assert_int_eq(reconcile("web"), KUBE_ERR_UNAVAILABLE);
    expect_condition("web", CONDITION_READY, "True", "RolledOut", "1 of 1 replicas are available");
}
END_TEST

START_TEST(without_a_directory_nothing_is_held_up)
{
    load_service("web", "web", 1);
    EXPECT_OK(reconcile("web"));
    ck_assert_uint_eq(get_service("web")->metadata.finalizers.len, 0);
    patch_service("web", "{\"metadata\":{\"finalizers\":[\"" APPSERVICE_FINALIZER "\"]}}");
    delete_service("web", NULL);
    EXPECT_OK(reconcile("web"));
    ck_assert_ptr_null(get_service("web"));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        it_creates_the_deployment,
        it_does_nothing_when_all_is_as_wanted,
        it_updates_the_deployment,
        it_leaves_a_foreign_deployment_alone,
        a_deployment_of_another_app_service_is_foreign,
        a_foreign_one_that_the_cache_lacks_is_not_taken_over,
        of_two_that_create_at_once_the_first_has_it,
        of_two_that_adopt_at_once_the_first_has_it,
        one_that_was_its_own_is_not_taken_back,
        an_orphan_is_adopted,
        one_that_is_being_deleted_does_not_adopt,
        an_orphan_without_our_labels_is_foreign,
        the_end_of_a_predecessors_deployment_is_awaited,
        the_end_of_a_deleted_deployment_is_awaited,
        fields_of_other_writers_stay,
        an_edit_of_our_fields_is_set_back,
        a_new_image_reaches_the_deployment,
        replicas_that_are_not_said_are_not_sent,
        a_failed_write_is_an_error_that_names_the_deployment,
        a_refused_write_is_a_condition_and_an_event,
        ready_is_false_while_every_write_fails,
        another_name_deletes_the_former_deployment,
        the_former_deployment_serves_until_the_new_one_does,
        the_former_deployment_stays_while_the_new_name_is_taken,
        the_former_deployment_goes_when_another_names_it,
        a_former_deployment_whose_deletion_is_refused_counts,
        a_former_deployment_that_is_named_again_stays,
        a_former_deployment_that_has_changed_hands_is_not_deleted,
        an_empty_name_is_refused,
        the_status_is_written_when_it_changes_only,
        ready_is_what_kubectl_rollout_status_says,
        ready_waits_for_the_rollout_of_a_change,
        a_status_on_an_old_version_comes_back_with_the_newest,
        a_status_is_compared_with_the_last_one_that_was_written,
        an_app_service_that_is_gone_needs_nothing,
        nothing_is_made_for_one_that_is_being_deleted,
        an_announcement_comes_with_a_finalizer_and_goes_with_the_object,
        the_object_stays_until_its_announcement_is_withdrawn,
        a_failed_announcement_does_not_hold_up_the_status,
        without_a_directory_nothing_is_held_up,
    };
    return run_cases("reconcile", set_up, tear_down, tests, sizeof tests / sizeof *tests);
}
