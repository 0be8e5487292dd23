/* SPDX-License-Identifier: Apache-2.0 */
/* What the README says of a status with and without its subresource. */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_up(void)
{
    world_set_up(false);
}

/* Takes the subresource out of the CRD: scale, which follows it, stays. */
static void serve_without_status(void)
{
    static const char line[] = "        status: {}\n";
    FILE *file = fopen(APPSERVICE_CRD, "r");
    char *text = calloc(1, 65536);
    char *found;
    size_t len;
    ck_assert_ptr_nonnull(file);
    len = fread(text, 1, 65535, file);
    fclose(file);
    found = strstr(text, line);
    ck_assert_msg(found && len > 0, "the CRD has no status subresource");
    memmove(found, found + strlen(line), strlen(found + strlen(line)) + 1);
    EXPECT_OK(kube_apiserver_load(server, text, strlen(text), &err));
    free(text);
}

/* The AppService as it is, with another spec and another status. */
static appcontroller_v1alpha1_app_service changed(void)
{
    appcontroller_v1alpha1_app_service service;
    load_service("web", "web", 1);
    service = *get_service("web");
    service.spec.replicas = kube_some_int32(2);
    service.status.available_replicas = 7;
    return service;
}

START_TEST(with_the_subresource_update_drops_the_status_silently)
{
    const appcontroller_v1alpha1_app_service service = changed();
    EXPECT_OK(appcontroller_v1alpha1_app_services_update(client, ctx, "default", &service, NULL,
                                                         NULL, &err));
    ck_assert_int_eq(get_service("web")->spec.replicas.value, 2);
    ck_assert_int_eq(get_service("web")->status.available_replicas, 0);
    ck_assert_int_eq(get_service("web")->metadata.generation, 2);
}
END_TEST

START_TEST(with_the_subresource_update_status_writes_the_status_alone)
{
    const appcontroller_v1alpha1_app_service service = changed();
    EXPECT_OK(appcontroller_v1alpha1_app_services_update_status(client, ctx, "default", &service,
                                                                NULL, NULL, &err));
    ck_assert_int_eq(get_service("web")->spec.replicas.value, 1);
    ck_assert_int_eq(get_service("web")->status.available_replicas, 7);
    ck_assert_int_eq(get_service("web")->metadata.generation, 1); /* no news for a controller */
}
END_TEST

START_TEST(without_the_subresource_update_writes_it_all)
{
    appcontroller_v1alpha1_app_service service;
    serve_without_status();
    service = changed();
    EXPECT_OK(appcontroller_v1alpha1_app_services_update(client, ctx, "default", &service, NULL,
                                                         NULL, &err));
    ck_assert_int_eq(get_service("web")->spec.replicas.value, 2);
    ck_assert_int_eq(get_service("web")->status.available_replicas, 7);
}
END_TEST

START_TEST(without_the_subresource_a_status_is_a_new_generation)
{
    appcontroller_v1alpha1_app_service service;
    serve_without_status();
    load_service("web", "web", 1);
    service = *get_service("web");
    service.status.available_replicas = 7;
    EXPECT_OK(appcontroller_v1alpha1_app_services_update(client, ctx, "default", &service, NULL,
                                                         NULL, &err));
    /* A controller that waits for generations is woken by its own write. */
    ck_assert_int_eq(get_service("web")->metadata.generation, 2);
}
END_TEST

START_TEST(without_the_subresource_update_status_is_not_found)
{
    appcontroller_v1alpha1_app_service service;
    serve_without_status();
    service = changed();
    ck_assert_int_eq(appcontroller_v1alpha1_app_services_update_status(client, ctx, "default",
                                                                       &service, NULL, NULL, &err),
                     KUBE_ERR_NOT_FOUND);
    ck_assert_int_eq(get_service("web")->status.available_replicas, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        with_the_subresource_update_drops_the_status_silently,
        with_the_subresource_update_status_writes_the_status_alone,
        without_the_subresource_update_writes_it_all,
        without_the_subresource_a_status_is_a_new_generation,
        without_the_subresource_update_status_is_not_found,
    };
    return run_cases("status choices", set_up, world_tear_down, tests,
                     sizeof tests / sizeof *tests);
}
