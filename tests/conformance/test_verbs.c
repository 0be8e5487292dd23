/* SPDX-License-Identifier: Apache-2.0 */
/* Every verb, against whatever server the program started. */
#include "cluster_world.h"

#include <appcontroller/v1alpha1/api.h>
#include <bare/v1/api.h>
#include <plain/v1/api.h>
#include <samplecrd/v1/api.h>
#include <slim/v1/api.h>
#include <stdio.h>
#include <string.h>

typedef samplecrd_v1_network network;
typedef appcontroller_v1alpha1_app_service app_service;

static kube_error err;

static network *create_network(const char *name, const char *cidr, const char *gateway)
{
    const network wanted = {.metadata = {.name = name}, .spec = {.cidr = cidr, .gateway = gateway}};
    network *created;
    expect_ok(samplecrd_v1_networks_create(client, ctx, ns, &wanted, NULL, &created, &err), &err);
    return created;
}

FIXTURE(case_set_up, case_tear_down);

TEST(create_returns_what_the_server_made)
{
    network *created = create_network("blue", "10.1.0.0/16", "10.1.0.1");
    ck_assert_str_eq(created->metadata.name, "blue");
    ck_assert_str_eq(created->metadata.namespace_, ns);
    ck_assert_str_eq(created->spec.cidr, "10.1.0.0/16");
    ck_assert_ptr_nonnull(created->metadata.uid);
    ck_assert_ptr_nonnull(created->metadata.resource_version);
    ck_assert_int_eq(created->metadata.generation, 1);
    ck_assert(created->metadata.creation_timestamp.set);
    ck_assert_uint_eq(created->metadata.managed_fields.len, 1);
    ck_assert_ptr_null(kube_object_lost_path(&created->base));
}

TEST(create_takes_the_namespace_and_a_generated_name_from_the_object)
{
    const network wanted = {.metadata = {.generate_name = "gen-", .namespace_ = ns},
                            .spec = {.cidr = "10.1.0.0/16", .gateway = "10.1.0.1"}};
    network *created;
    expect_ok(samplecrd_v1_networks_create(client, ctx, NULL, &wanted, NULL, &created, &err), &err);
    ck_assert(strncmp(created->metadata.name, "gen-", 4) == 0);
    ck_assert_uint_gt(strlen(created->metadata.name), 4);
}

TEST(a_dry_run_makes_nothing)
{
    const network wanted = {.metadata = {.name = "dry"},
                            .spec = {.cidr = "10.1.0.0/16", .gateway = "10.1.0.1"}};
    const kube_write_options dry = {.dry_run = true};
    network *found;
    expect_ok(samplecrd_v1_networks_create(client, ctx, ns, &wanted, &dry, NULL, &err), &err);
    expect(samplecrd_v1_networks_get(client, ctx, kube_key_of(ns, "dry"), NULL, &found, &err),
           KUBE_ERR_NOT_FOUND, &err);
    ck_assert_ptr_null(found);
}

TEST(get_reads_what_kubectl_made)
{
    network *found;
    real_server_must_kubectl(server,
                             "apiVersion: samplecrd.k8s.io/v1\nkind: Network\n"
                             "metadata:\n  name: red\n  labels: {team: a}\n"
                             "  annotations: {note: \"\\\"é\"}\n"
                             "spec: {cidr: fd00:1::/64, gateway: 'fd00:1::1'}\n",
                             "-n %s apply -f -", ns);
    expect_ok(samplecrd_v1_networks_get(client, ctx, kube_key_of(ns, "red"), NULL, &found, &err),
              &err);
    ck_assert_str_eq(found->spec.cidr, "fd00:1::/64");
    ck_assert_str_eq(kube_string_map_get(&found->metadata.labels, "team"), "a");
    ck_assert_str_eq(kube_string_map_get(&found->metadata.annotations, "note"), "\"é");
}

TEST(update_replaces_and_raises_the_generation)
{
    network *net = create_network("blue", "10.1.0.0/16", "10.1.0.1");
    network *updated;
    net->spec.gateway = "10.1.0.2";
    expect_ok(kube_string_map_set(ctx, &net->metadata.labels, "team", "a", &err), &err);
    expect_ok(samplecrd_v1_networks_update(client, ctx, ns, net, NULL, &updated, &err), &err);
    ck_assert_str_eq(updated->spec.gateway, "10.1.0.2");
    ck_assert_int_eq(updated->metadata.generation, 2);
    ck_assert_str_eq(kube_string_map_get(&updated->metadata.labels, "team"), "a");
    ck_assert(!kube_meta_same_version(&net->metadata, &updated->metadata));
}

TEST(update_status_changes_the_status_only)
{
    const app_service wanted = {
        .metadata = {.name = "web"},
        .spec = {.deployment_name = "web", .replicas = KUBE_SOME(3)},
    };
    app_service *app;
    app_service *updated;
    expect_ok(
        appcontroller_v1alpha1_app_services_create(client, ctx, ns, &wanted, NULL, &app, &err),
        &err);
    ck_assert(app->spec.replicas.set && app->spec.replicas.value == 3);
    app->status.available_replicas = 2;
    app->spec.deployment_name = "not by this verb";
    expect_ok(appcontroller_v1alpha1_app_services_update_status(client, ctx, ns, app, NULL,
                                                                &updated, &err),
              &err);
    ck_assert_int_eq(updated->status.available_replicas, 2);
    ck_assert_str_eq(updated->spec.deployment_name, "web");
    ck_assert_int_eq(updated->metadata.generation, 1);
}

TEST(an_explicit_zero_is_sent)
{
    const app_service wanted = {
        .metadata = {.name = "zero"},
        .spec = {.deployment_name = "web", .replicas = KUBE_SOME(0)},
    };
    app_service *app;
    /* Left out it would be no error: the server sees the zero. */
    expect(appcontroller_v1alpha1_app_services_create(client, ctx, ns, &wanted, NULL, &app, &err),
           KUBE_ERR_INVALID, &err);
    ck_assert_str_eq(err.field, "spec.replicas");
}

TEST(delete_honours_its_preconditions)
{
    network *net = create_network("blue", "10.1.0.0/16", "10.1.0.1");
    const kube_delete_options other = {.precondition_uid = "00000000-0000-0000-0000-000000000000"};
    const kube_delete_options same = {.precondition_uid = net->metadata.uid,
                                      .precondition_resource_version =
                                          net->metadata.resource_version,
                                      .propagation_policy = "Background",
                                      .grace_period_seconds = KUBE_SOME(0)};
    expect(samplecrd_v1_networks_delete(client, ctx, kube_key_of(ns, "blue"), &other, &err),
           KUBE_ERR_CONFLICT, &err);
    expect_ok(samplecrd_v1_networks_delete(client, ctx, kube_key_of(ns, "blue"), &same, &err),
              &err);
    expect(samplecrd_v1_networks_delete(client, ctx, kube_key_of(ns, "blue"), NULL, &err),
           KUBE_ERR_NOT_FOUND, &err);
}

TEST(delete_of_an_object_with_a_finalizer_marks_it)
{
    network *net = create_network("blue", "10.1.0.0/16", "10.1.0.1");
    network *held;
    expect_ok(kube_string_list_append(ctx, &net->metadata.finalizers, "example.com/hold", &err),
              &err);
    expect_ok(samplecrd_v1_networks_update(client, ctx, ns, net, NULL, &held, &err), &err);
    expect_ok(samplecrd_v1_networks_delete(client, ctx, kube_key_of(ns, "blue"), NULL, &err), &err);
    expect_ok(samplecrd_v1_networks_get(client, ctx, kube_key_of(ns, "blue"), NULL, &held, &err),
              &err);
    ck_assert(held->metadata.deletion_timestamp.set);
    held->metadata.finalizers = (kube_string_list){0};
    expect_ok(samplecrd_v1_networks_update(client, ctx, ns, held, NULL, NULL, &err), &err);
    expect(samplecrd_v1_networks_get(client, ctx, kube_key_of(ns, "blue"), NULL, &held, &err),
           KUBE_ERR_NOT_FOUND, &err);
}

TEST(delete_collection_takes_what_the_selector_selects)
{
    const kube_list_options selected = {.label_selector = "team=a"};
    samplecrd_v1_network_list *left;
    char name[16];
    for (int i = 0; i < 4; i++) {
        kube_string_map_entry label = {"team", i % 2 ? "a" : "b"};
        const network wanted = {.metadata = {.name = name, .labels = {&label, 1}},
                                .spec = {.cidr = "10.1.0.0/16", .gateway = "10.1.0.1"}};
        snprintf(name, sizeof name, "n%d", i);
        expect_ok(samplecrd_v1_networks_create(client, ctx, ns, &wanted, NULL, NULL, &err), &err);
    }
    expect_ok(samplecrd_v1_networks_delete_collection(client, ctx, ns, NULL, &selected, &err),
              &err);
    expect_ok(samplecrd_v1_networks_list(client, ctx, ns, NULL, &left, &err), &err);
    ck_assert_uint_eq(left->len, 2);
    for (size_t i = 0; i < left->len; i++)
        ck_assert_str_eq(kube_string_map_get(&left->items[i]->metadata.labels, "team"), "b");
}

TEST(merge_and_json_patches_change_what_they_name)
{
    static const char merge[] = "{\"spec\":{\"gateway\":\"10.1.0.9\"}}";
    static const char json[] =
        "[{\"op\":\"replace\",\"path\":\"/spec/cidr\",\"value\":\"10.0.0.0/8\"}]";
    network *patched;
    create_network("blue", "10.1.0.0/16", "10.1.0.1");
    expect_ok(samplecrd_v1_networks_patch(client, ctx, kube_key_of(ns, "blue"), KUBE_PATCH_MERGE,
                                          merge, strlen(merge), NULL, &patched, &err),
              &err);
    ck_assert_str_eq(patched->spec.gateway, "10.1.0.9");
    ck_assert_str_eq(patched->spec.cidr, "10.1.0.0/16");
    expect_ok(samplecrd_v1_networks_patch(client, ctx, kube_key_of(ns, "blue"), KUBE_PATCH_JSON,
                                          json, strlen(json), NULL, &patched, &err),
              &err);
    ck_assert_str_eq(patched->spec.cidr, "10.0.0.0/8");
}

TEST(patch_diff_sends_the_difference_and_notices_a_change_in_between)
{
    network *old_net = create_network("blue", "10.1.0.0/16", "10.1.0.1");
    network *new_net = samplecrd_v1_network_deep_copy(ctx, old_net);
    network *patched;
    uint64_t requests;
    new_net->spec.gateway = "10.1.0.7";
    expect_ok(
        samplecrd_v1_networks_patch_diff(client, ctx, ns, old_net, new_net, NULL, &patched, &err),
        &err);
    ck_assert_str_eq(patched->spec.gateway, "10.1.0.7");
    expect(samplecrd_v1_networks_patch_diff(client, ctx, ns, old_net, new_net, NULL, NULL, &err),
           KUBE_ERR_CONFLICT, &err);
    requests = kube_client_request_count(client);
    expect_ok(
        samplecrd_v1_networks_patch_diff(client, ctx, ns, old_net, old_net, NULL, &patched, &err),
        &err);
    ck_assert_uint_eq(kube_client_request_count(client), requests);
    ck_assert_str_eq(patched->metadata.name, "blue");
}

TEST(two_managers_apply_their_own_fields_and_conflict_over_shared_ones)
{
    const network a = {.metadata = {.name = "blue"},
                       .spec = {.cidr = "10.1.0.0/16", .gateway = "10.1.0.1"}};
    network b = {.metadata = {.name = "blue"}, .spec = {.gateway = "10.1.0.2"}};
    const kube_apply_options by_a = {.field_manager = "manager-a"};
    kube_apply_options by_b = {.field_manager = "manager-b"};
    network *applied;
    expect_ok(samplecrd_v1_networks_apply(client, ctx, ns, &a, &by_a, &applied, &err), &err);
    ck_assert_str_eq(applied->spec.cidr, "10.1.0.0/16");
    expect(samplecrd_v1_networks_apply(client, ctx, ns, &b, &by_b, &applied, &err),
           KUBE_ERR_CONFLICT, &err);
    ck_assert_ptr_nonnull(strstr(err.message, "manager-a"));
    ck_assert_str_eq(err.field, ".spec.gateway");
    by_b.force = true;
    expect_ok(samplecrd_v1_networks_apply(client, ctx, ns, &b, &by_b, &applied, &err), &err);
    ck_assert_str_eq(applied->spec.gateway, "10.1.0.2");
    ck_assert_str_eq(applied->spec.cidr, "10.1.0.0/16");
    b.spec.gateway = "10.1.0.1";
    b.metadata.name = NULL;
    expect(samplecrd_v1_networks_apply(client, ctx, ns, &b, &by_b, &applied, &err),
           KUBE_ERR_ARGUMENT, &err);
}

TEST(an_apply_with_a_version_is_a_conflict_on_another_one)
{
    const kube_apply_options forced = {.field_manager = "manager-a", .force = true};
    network blue = {.metadata = {.name = "blue"},
                    .spec = {.cidr = "10.1.0.0/16", .gateway = "10.1.0.1"}};
    network *seen;
    network *now;
    expect_ok(samplecrd_v1_networks_apply(client, ctx, ns, &blue, &forced, &seen, &err), &err);
    blue.spec.gateway = "10.1.0.2";
    expect_ok(samplecrd_v1_networks_apply(client, ctx, ns, &blue, &forced, &now, &err), &err);
    blue.spec.gateway = "10.1.0.3";
    blue.metadata.resource_version = seen->metadata.resource_version;
    expect(samplecrd_v1_networks_apply(client, ctx, ns, &blue, &forced, &seen, &err),
           KUBE_ERR_CONFLICT, &err);
    blue.metadata.resource_version = now->metadata.resource_version;
    expect_ok(samplecrd_v1_networks_apply(client, ctx, ns, &blue, &forced, &now, &err), &err);
    ck_assert_str_eq(now->spec.gateway, "10.1.0.3");
    /* With its uid it does not make one that is gone. */
    blue.metadata.uid = now->metadata.uid;
    expect_ok(samplecrd_v1_networks_delete(client, ctx, kube_meta_key(&now->metadata), NULL, &err),
              &err);
    expect(samplecrd_v1_networks_apply(client, ctx, ns, &blue, &forced, &now, &err),
           KUBE_ERR_CONFLICT, &err);
    ck_assert_msg(strstr(err.message, "no existing object was found"), "%s", err.message);
}

TEST(apply_status_owns_the_status_only)
{
    const app_service wanted = {.metadata = {.name = "web"}, .spec = {.deployment_name = "web"}};
    app_service status = {.metadata = {.name = "web"}, .status = {.available_replicas = 4}};
    const kube_apply_options options = {.field_manager = "status-writer"};
    app_service *applied;
    expect_ok(
        appcontroller_v1alpha1_app_services_create(client, ctx, ns, &wanted, NULL, NULL, &err),
        &err);
    expect_ok(appcontroller_v1alpha1_app_services_apply_status(client, ctx, ns, &status, &options,
                                                               &applied, &err),
              &err);
    ck_assert_int_eq(applied->status.available_replicas, 4);
    ck_assert_str_eq(applied->spec.deployment_name, "web");
}

/* ---- built-in types ------------------------------------------------------------------------ */

TEST(a_hand_written_config_map_round_trips)
{
    kube_string_map_entry entries[] = {{"a", "1\n2"}, {"b", ""}};
    const plain_v1_config_map wanted = {.metadata = {.name = "conf"}, .data = {entries, 2}};
    plain_v1_config_map *made;
    expect_ok(plain_v1_config_maps_create(client, ctx, ns, &wanted, NULL, &made, &err), &err);
    expect_ok(plain_v1_config_maps_get(client, ctx, kube_key_of(ns, "conf"), NULL, &made, &err),
              &err);
    ck_assert_uint_eq(made->data.len, 2);
    ck_assert_str_eq(kube_string_map_get(&made->data, "a"), "1\n2");
    ck_assert_str_eq(kube_string_map_get(&made->data, "b"), "");
    ck_assert(!made->immutable.set);
    made->immutable = kube_some_bool(true);
    expect_ok(plain_v1_config_maps_update(client, ctx, ns, made, NULL, &made, &err), &err);
    ck_assert(made->immutable.set && made->immutable.value);
}

/* As kubectl makes one of a file with a NUL in it. */
TEST(a_config_map_with_a_nul_is_listed_cached_and_updated)
{
    static const char json[] =
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":"
        "\"binary\"},\"data\":{\"file\":\"a\\u0000b\"}}";
    plain_v1_config_map_list *listed;
    const plain_v1_config_map *found;
    plain_v1_config_map *edited;
    kube_informer_factory *factory;
    plain_v1_config_map_informer *informer;
    const kube_informer_options options = {.namespace_ = ns};
    char output[256];
    real_server_must_kubectl(server, json, "-n %s create -f -", ns);
    expect_ok(plain_v1_config_maps_list(client, ctx, ns, NULL, &listed, &err), &err);
    bool is_listed = false;
    for (size_t i = 0; i < listed->len; i++)
        is_listed |= strcmp(listed->items[i]->metadata.name, "binary") == 0;
    ck_assert(is_listed);

    expect_ok(kube_informer_factory_new(client, &options, &factory, &err), &err);
    expect_ok(plain_v1_config_map_informer_get(factory, NULL, &informer, &err), &err);
    expect_ok(kube_informer_factory_start(factory, ctx, &err), &err);
    expect_ok(kube_informer_factory_wait_synced(factory, ctx, &err), &err);
    expect_ok(plain_v1_config_map_lister_get(plain_v1_config_map_informer_lister(informer), ctx,
                                             kube_key_of(ns, "binary"), &found, &err),
              &err);
    ck_assert_str_eq(kube_string_map_get(&found->data, "file"), "a" KUBE_TEXT_NUL "b");
    kube_informer_factory_free(factory);

    edited = plain_v1_config_map_deep_copy(ctx, found);
    expect_ok(kube_string_map_set(ctx, &edited->data, "more", KUBE_TEXT_NUL, &err), &err);
    expect_ok(plain_v1_config_maps_update(client, ctx, ns, edited, NULL, &edited, &err), &err);
    real_server_kubectl(server, NULL, output, sizeof output,
                        "-n %s get configmap binary -o jsonpath='{.data}'", ns);
    ck_assert_str_eq(output, "{\"file\":\"a\\u0000b\",\"more\":\"\\u0000\"}");
}

static const char deployment[] =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
    "spec:\n  replicas: 2\n  minReadySeconds: 7\n  selector: {matchLabels: {app: web}}\n"
    "  template:\n    metadata: {labels: {app: web}}\n"
    "    spec: {containers: [{name: web, image: 'nginx:1', args: [\"a\", \"b\"]}]}\n";

TEST(members_the_header_does_not_name_survive_an_update)
{
    slim_v1_deployment *made;
    char output[256];
    real_server_must_kubectl(server, deployment, "-n %s apply -f -", ns);
    expect_ok(slim_v1_deployments_get(client, ctx, kube_key_of(ns, "web"), NULL, &made, &err),
              &err);
    ck_assert_ptr_null(kube_object_lost_path(&made->base));
    made->spec.replicas = kube_some_int32(0);
    expect_ok(slim_v1_deployments_update(client, ctx, ns, made, NULL, &made, &err), &err);
    real_server_kubectl(server, NULL, output, sizeof output,
                        "-n %s get deployment web -o jsonpath="
                        "'{.spec.replicas} {.spec.minReadySeconds} "
                        "{.spec.template.spec.containers[0].args[1]}'",
                        ns);
    ck_assert_str_eq(output, "0 7 b");
}

TEST(an_update_that_would_lose_members_is_refused)
{
    bare_v1_deployment *made;
    bare_v1_deployment *edited;
    const kube_patch_options options = {0};
    char output[256];
    real_server_must_kubectl(server, deployment, "-n %s apply -f -", ns);
    expect_ok(bare_v1_deployments_get(client, ctx, kube_key_of(ns, "web"), NULL, &made, &err),
              &err);
    ck_assert_ptr_nonnull(kube_object_lost_path(&made->base));
    edited = bare_v1_deployment_deep_copy(ctx, made);
    edited->spec.replicas = kube_some_int32(5);
    expect(bare_v1_deployments_update(client, ctx, ns, edited, NULL, NULL, &err), KUBE_ERR_PARTIAL,
           &err);
    ck_assert_ptr_nonnull(strstr(err.message, kube_object_lost_path(&made->base)));
    ck_assert_ptr_nonnull(strstr(err.message, "patch_diff"));
    expect_ok(bare_v1_deployments_patch_diff(client, ctx, ns, made, edited, &options, NULL, &err),
              &err);
    real_server_kubectl(server, NULL, output, sizeof output,
                        "-n %s get deployment web -o jsonpath="
                        "'{.spec.replicas} {.spec.minReadySeconds}'",
                        ns);
    ck_assert_str_eq(output, "5 7");
}

int main(void)
{
    return world_run(NULL);
}
