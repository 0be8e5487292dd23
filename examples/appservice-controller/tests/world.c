/* SPDX-License-Identifier: Apache-2.0 */
#include "world.h"

#include <stdlib.h>
#include <string.h>

kube_apiserver *server;
kube_client *client;
kube_fake_recorder *events;
kube_ctx *ctx;
kube_error err;

int run_cases(const char *name, void (*set_up)(void), void (*tear_down)(void),
              const TTest *const *tests, size_t count)
{
    Suite *suite = suite_create(name);
    TCase *cases = tcase_create(name);
    SRunner *runner = srunner_create(suite);
    int failed;
    tcase_set_timeout(cases, 0); /* ctest's counts */
    tcase_add_checked_fixture(cases, set_up, tear_down);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(cases, tests[i]);
    suite_add_tcase(suite, cases);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

void world_set_up(bool workloads)
{
    const kube_apiserver_options options = {.workloads = workloads};
    ctx = kube_ctx_new();
    kube_ctx_set_timeout_ms(ctx, PATIENCE_MS);
    events = kube_fake_recorder_new();
    EXPECT_OK(kube_apiserver_start(&options, &server, &err));
    EXPECT_OK(kube_apiserver_load_file(server, APPSERVICE_CRD, &err));
    EXPECT_OK(kube_apiserver_client(server, &client, &err));
}

void world_tear_down(void)
{
    kube_client_free(client);
    kube_apiserver_stop(server);
    kube_fake_recorder_free(events);
    kube_ctx_free(ctx);
}

/* ---- objects -------------------------------------------------------------------------------- */

void load_service(const char *name, const char *deployment, int32_t replicas)
{
    appcontroller_v1alpha1_app_service service = {
        .metadata = {.name = name, .namespace_ = "default"},
        .spec = {.deployment_name = deployment},
    };
    if (replicas)
        service.spec.replicas = kube_some_int32(replicas);
    EXPECT_OK(kube_apiserver_load_object(server, &appcontroller_v1alpha1_app_service_type,
                                         &service.base, &err));
}

const appcontroller_v1alpha1_app_service *get_service(const char *name)
{
    appcontroller_v1alpha1_app_service *out;
    kube_code rc = appcontroller_v1alpha1_app_services_get(
        client, ctx, kube_key_of("default", name), NULL, &out, &err);
    ck_assert_msg(rc == KUBE_OK || rc == KUBE_ERR_NOT_FOUND, "%s", err.message);
    return out;
}

const apps_v1_deployment *get_deployment(const char *name)
{
    apps_v1_deployment *out;
    kube_code rc =
        apps_v1_deployments_get(client, ctx, kube_key_of("default", name), NULL, &out, &err);
    ck_assert_msg(rc == KUBE_OK || rc == KUBE_ERR_NOT_FOUND, "%s", err.message);
    return out;
}

void patch_service(const char *name, const char *patch)
{
    EXPECT_OK(appcontroller_v1alpha1_app_services_patch(client, ctx, kube_key_of("default", name),
                                                        KUBE_PATCH_MERGE, patch, strlen(patch),
                                                        NULL, NULL, &err));
}

void patch_deployment(const char *name, const char *patch)
{
    const kube_patch_options options = {.field_manager = "somebody-else"};
    EXPECT_OK(apps_v1_deployments_patch(client, ctx, kube_key_of("default", name),
                                        KUBE_PATCH_STRATEGIC, patch, strlen(patch), &options, NULL,
                                        &err));
}

void delete_service(const char *name, const char *propagation)
{
    const kube_delete_options options = {.propagation_policy = propagation};
    EXPECT_OK(appcontroller_v1alpha1_app_services_delete(client, ctx, kube_key_of("default", name),
                                                         &options, &err));
}

void delete_deployment(const char *name)
{
    EXPECT_OK(apps_v1_deployments_delete(client, ctx, kube_key_of("default", name), NULL, &err));
}

void create_foreign(const char *name)
{
    kube_string_map_entry labels[] = {{"app", name}};
    core_v1_container containers[] = {{.name = "main", .image = "busybox"}};
    const apps_v1_deployment foreign = {
        .metadata = {.name = name, .namespace_ = "default", .labels = KUBE_LIST_OF(labels)},
        .spec = {.selector.match_labels = KUBE_LIST_OF(labels),
                 .template_ = {.metadata.labels = KUBE_LIST_OF(labels),
                               .spec.containers = KUBE_LIST_OF(containers)}},
    };
    EXPECT_OK(apps_v1_deployments_create(client, ctx, "default", &foreign, NULL, NULL, &err));
}

const core_v1_container *container_in(const apps_v1_deployment *deployment, const char *name)
{
    const core_v1_container_list *containers = &deployment->spec.template_.spec.containers;
    for (size_t i = 0; i < containers->len; i++) {
        if (strcmp(containers->items[i].name, name) == 0)
            return &containers->items[i];
    }
    return NULL;
}

/* ---- calls and events ----------------------------------------------------------------------- */

size_t call_count(const kube_api_call_filter *filter)
{
    kube_api_call_list calls;
    EXPECT_OK(kube_apiserver_calls(server, ctx, filter, &calls, &err));
    return calls.len;
}

static kube_api_call_list all_writes(void)
{
    const kube_api_call_filter filter = {.writes = true};
    kube_api_call_list calls;
    EXPECT_OK(kube_apiserver_calls(server, ctx, &filter, &calls, &err));
    return calls;
}

const char *writes(void)
{
    kube_api_call_list calls = all_writes();
    const char *text = "";
    for (size_t i = 0; i < calls.len; i++) {
        const kube_api_call *call = &calls.items[i];
        text = kube_printf(ctx, "%s%s%s %s/%s%s%s", text, i ? "; " : "", call->verb, call->resource,
                           call->name, *call->subresource ? "/" : "", call->subresource);
    }
    return text;
}

const char *write_body(size_t index)
{
    kube_api_call_list calls = all_writes();
    ck_assert_uint_lt(index, calls.len);
    return calls.items[index].body;
}

const char *event_text(void)
{
    kube_string_list all = kube_fake_recorder_events(events, ctx);
    const char *text = "";
    for (size_t i = 0; i < all.len; i++)
        text = kube_printf(ctx, "%s%s\n", text, all.items[i]);
    return text;
}
