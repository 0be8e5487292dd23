/* SPDX-License-Identifier: Apache-2.0 */
/* What kubegen makes of markers, as a server sees it: defaults, the scale subresource, roles. */
#include "cluster_world.h"

#include <appcontroller/v1alpha1/api.h>
#include <apps/v1/api.h>
#include <stdlib.h>
#include <string.h>

typedef appcontroller_v1alpha1_app_service app_service;

static kube_error err;

static app_service *create(const char *name)
{
    const app_service wanted = {.metadata = {.name = name}, .spec = {.deployment_name = "web"}};
    app_service *app;
    expect_ok(
        appcontroller_v1alpha1_app_services_create(client, ctx, ns, &wanted, NULL, &app, &err),
        &err);
    return app;
}

static const char *source_dir(void)
{
    const char *root = getenv("KUBEGEN_SOURCE_DIR");
    return root ? root : ".";
}

/* ---- defaults ------------------------------------------------------------------------------ */

FIXTURE(case_set_up, case_tear_down);

TEST(what_is_left_out_gets_its_default)
{
    app_service *app = create("web");
    ck_assert(app->spec.replicas.set);
    ck_assert_int_eq(app->spec.replicas.value, 1);
}

TEST(a_crd_with_a_default_of_every_type_is_taken)
{
    const char *object = "{\"apiVersion\":\"defaults.example.org/v1\",\"kind\":\"Thing\","
                         "\"metadata\":{\"name\":\"a\"}}";
    char answer[256];
    real_server_must_kubectl(server, NULL,
                             "apply -f %s/tests/gen/golden/defaults/want/crd/"
                             "defaults.example.org_things.yaml",
                             source_dir());
    real_server_must_kubectl(server, NULL,
                             "wait --for=condition=Established --timeout=60s "
                             "crd/things.defaults.example.org");
    real_server_until_kubectl(server, "get things.defaults.example.org");
    real_server_must_kubectl(server, object, "create -n %s -f -", ns);
    ck_assert_int_eq(real_server_kubectl(server, NULL, answer, sizeof answer,
                                         "get -n %s things.defaults.example.org a -o "
                                         "jsonpath={.spec.mode},{.spec.exact},{.spec.limits.cpu},"
                                         "{.spec.ports[0].name}",
                                         ns),
                     0);
    ck_assert_str_eq(answer, "Fast,9007199254740993,500m,b");
}

TEST(limits_versions_and_deprecations_are_taken)
{
    real_server_must_kubectl(server, NULL, "apply -f %s/tests/gen/golden/limits/want/crd",
                             source_dir());
    real_server_must_kubectl(server, NULL,
                             "wait --for=condition=Established --timeout=60s "
                             "crd/bounds.limits.example.org crd/olds.limits.example.org");
}

/* ---- scale --------------------------------------------------------------------------------- */

TEST(scale_reads_and_sets_the_members_of_its_paths)
{
    app_service *app = create("web");
    kube_scale *scale;
    kube_scale wanted = {.spec = {.replicas = 3}};
    app->status.available_replicas = 2;
    app->status.selector = "app=web";
    expect_ok(
        appcontroller_v1alpha1_app_services_update_status(client, ctx, ns, app, NULL, &app, &err),
        &err);
    expect_ok(appcontroller_v1alpha1_app_services_get_scale(client, ctx, kube_key_of(ns, "web"),
                                                            NULL, &scale, &err),
              &err);
    ck_assert_ptr_eq(scale->base.type, &kube_scale_type);
    ck_assert_str_eq(scale->metadata.name, "web");
    ck_assert_str_eq(scale->metadata.uid, app->metadata.uid);
    ck_assert_int_eq(scale->spec.replicas, 1);
    ck_assert_int_eq(scale->status.replicas, 2);
    ck_assert_str_eq(scale->status.selector, "app=web");

    expect_ok(appcontroller_v1alpha1_app_services_update_scale(client, ctx, kube_key_of(ns, "web"),
                                                               &wanted, NULL, &scale, &err),
              &err);
    ck_assert_int_eq(scale->spec.replicas, 3);
    expect_ok(appcontroller_v1alpha1_app_services_get(client, ctx, kube_key_of(ns, "web"), NULL,
                                                      &app, &err),
              &err);
    ck_assert_int_eq(app->spec.replicas.value, 3);
    ck_assert_str_eq(app->spec.deployment_name, "web");
    ck_assert_int_eq(app->status.available_replicas, 2);
}

TEST(scale_of_an_old_version_is_a_conflict)
{
    kube_scale *old;
    kube_scale *scale;
    kube_scale edited;
    create("web");
    expect_ok(appcontroller_v1alpha1_app_services_get_scale(client, ctx, kube_key_of(ns, "web"),
                                                            NULL, &old, &err),
              &err);
    edited = *old;
    edited.spec.replicas = 2;
    expect_ok(appcontroller_v1alpha1_app_services_update_scale(client, ctx, kube_key_of(ns, "web"),
                                                               &edited, NULL, NULL, &err),
              &err);
    edited.spec.replicas = 4;
    expect(appcontroller_v1alpha1_app_services_update_scale(client, ctx, kube_key_of(ns, "web"),
                                                            &edited, NULL, &scale, &err),
           KUBE_ERR_CONFLICT, &err);
    ck_assert_ptr_null(scale);
}

TEST(scale_keeps_to_the_rules_of_the_member)
{
    const kube_scale none = {.spec = {.replicas = 0}};
    kube_scale *scale;
    create("web");
    expect(appcontroller_v1alpha1_app_services_update_scale(client, ctx, kube_key_of(ns, "web"),
                                                            &none, NULL, &scale, &err),
           KUBE_ERR_INVALID, &err);
    ck_assert_ptr_null(scale);
    expect(appcontroller_v1alpha1_app_services_get_scale(client, ctx, kube_key_of(ns, "none"), NULL,
                                                         &scale, &err),
           KUBE_ERR_NOT_FOUND, &err);
    ck_assert_ptr_null(scale);
    expect(appcontroller_v1alpha1_app_services_get_scale(client, ctx, kube_key_of("", "web"), NULL,
                                                         &scale, &err),
           KUBE_ERR_ARGUMENT, &err);
}

TEST(kubectl_scales_a_custom_resource)
{
    app_service *app;
    create("web");
    real_server_must_kubectl(server, NULL, "scale -n %s appsvc/web --replicas=5", ns);
    expect_ok(appcontroller_v1alpha1_app_services_get(client, ctx, kube_key_of(ns, "web"), NULL,
                                                      &app, &err),
              &err);
    ck_assert_int_eq(app->spec.replicas.value, 5);
}

TEST(scale_works_with_built_in_types)
{
    const kube_scale two = {.spec = {.replicas = 2}};
    kube_scale *scale;
    real_server_must_kubectl(server, NULL, "create deployment -n %s web --image=none --replicas=1",
                             ns);
    expect_ok(kube_client_update_scale(client, ctx, &apps_v1_deployment_type,
                                       kube_key_of(ns, "web"), &two, NULL, &scale, &err),
              &err);
    ck_assert_int_eq(scale->spec.replicas, 2);
    expect_ok(kube_client_get_scale(client, ctx, &apps_v1_deployment_type, kube_key_of(ns, "web"),
                                    NULL, &scale, &err),
              &err);
    ck_assert_int_eq(scale->spec.replicas, 2);
    ck_assert_str_eq(scale->status.selector, "app=web");
}

/* ---- roles --------------------------------------------------------------------------------- */

TEST(roles_of_markers_are_taken)
{
    real_server_must_kubectl(server, NULL, "create namespace park");
    real_server_must_kubectl(server, NULL, "create namespace zoo");
    real_server_must_kubectl(server, NULL, "apply -f %s/tests/gen/rbac/role.yaml", source_dir());
    real_server_must_kubectl(server, NULL, "get role -n zoo keeper");
    real_server_must_kubectl(server, NULL, "get clusterrole visitor");
}

int main(void)
{
    return world_run(NULL);
}
