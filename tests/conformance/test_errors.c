/* SPDX-License-Identifier: Apache-2.0 */
/* What the server refuses, as kube_error. */
#include "cluster_world.h"
#include "support/gate.h"

#include <core/v1/api.h>
#include <plain/v1/api.h>
#include <pthread.h>
#include <samplecrd/v1/api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef samplecrd_v1_network network;

static kube_error err;
static const network good = {.metadata = {.name = "blue"},
                             .spec = {.cidr = "10.1.0.0/16", .gateway = "10.1.0.1"}};

static void expect_text(const char *text)
{
    if (!strstr(err.message, text))
        ck_abort_msg("\"%s\" is not in: %s", text, err.message);
}

FIXTURE(case_set_up, case_tear_down);

TEST(conflict)
{
    network *first;
    network *second;
    expect_ok(samplecrd_v1_networks_create(client, ctx, ns, &good, NULL, &first, &err), &err);
    second = samplecrd_v1_network_deep_copy(ctx, first);
    first->spec.gateway = "10.1.0.2";
    expect_ok(samplecrd_v1_networks_update(client, ctx, ns, first, NULL, NULL, &err), &err);
    second->spec.gateway = "10.1.0.3";
    expect(samplecrd_v1_networks_update(client, ctx, ns, second, NULL, NULL, &err),
           KUBE_ERR_CONFLICT, &err);
    ck_assert_int_eq(err.http_status, 409);
    ck_assert_str_eq(err.reason, "Conflict");
}

TEST(not_found)
{
    network *found = NULL;
    expect(samplecrd_v1_networks_get(client, ctx, kube_key_of(ns, "nobody"), NULL, &found, &err),
           KUBE_ERR_NOT_FOUND, &err);
    ck_assert_ptr_null(found);
    ck_assert_int_eq(err.http_status, 404);
    ck_assert_str_eq(err.reason, "NotFound");
    expect_text("networks.samplecrd.k8s.io \"nobody\" not found");
}

TEST(already_exists)
{
    expect_ok(samplecrd_v1_networks_create(client, ctx, ns, &good, NULL, NULL, &err), &err);
    expect(samplecrd_v1_networks_create(client, ctx, ns, &good, NULL, NULL, &err),
           KUBE_ERR_ALREADY_EXISTS, &err);
    ck_assert_str_eq(err.reason, "AlreadyExists");
}

TEST(invalid_names_the_field)
{
    network bad = good;
    bad.spec.cidr = "x";
    expect(samplecrd_v1_networks_create(client, ctx, ns, &bad, NULL, NULL, &err), KUBE_ERR_INVALID,
           &err);
    ck_assert_int_eq(err.http_status, 422);
    ck_assert_str_eq(err.field, "spec.cidr");
    expect_text("spec.cidr");
}

TEST(strict_validation_refuses_what_the_schema_does_not_name)
{
    static const char patch[] = "{\"spec\":{\"colour\":\"red\"}}";
    const kube_patch_options strict = {.field_validation = "Strict"};
    expect_ok(samplecrd_v1_networks_create(client, ctx, ns, &good, NULL, NULL, &err), &err);
    expect(samplecrd_v1_networks_patch(client, ctx, kube_key_of(ns, "blue"), KUBE_PATCH_MERGE,
                                       patch, strlen(patch), &strict, NULL, &err),
           KUBE_ERR_INVALID, &err);
    expect_text("unknown field \"spec.colour\"");
}

static char warning[256];

static void take_warning(void *arg, const char *text)
{
    (void)arg;
    strncpy(warning, text, sizeof warning - 1);
}

TEST(a_warning_reaches_its_handler)
{
    static const char patch[] = "{\"spec\":{\"colour\":\"red\"}}";
    kube_client *warned = client_with(&(kube_client_options){.on_warning = take_warning});
    expect_ok(samplecrd_v1_networks_create(client, ctx, ns, &good, NULL, NULL, &err), &err);
    expect_ok(samplecrd_v1_networks_patch(warned, ctx, kube_key_of(ns, "blue"), KUBE_PATCH_MERGE,
                                          patch, strlen(patch), NULL, NULL, &err),
              &err);
    kube_client_free(warned);
    ck_assert_str_eq(warning, "unknown field \"spec.colour\"");
}

TEST(forbidden_prints_the_missing_rule)
{
    kube_client *nobody = client_of("user");
    samplecrd_v1_network_list *list;
    expect(samplecrd_v1_networks_list(nobody, ctx, ns, NULL, &list, &err), KUBE_ERR_FORBIDDEN,
           &err);
    ck_assert_ptr_null(list);
    ck_assert_int_eq(err.http_status, 403);
    expect_text("list");
    expect_text("networks");
    expect_text(ns);
    expect_text("samplecrd.k8s.io");
    kube_client_free(nobody);
}

static kube_client *client_from_text(const char *users)
{
    kube_config *config;
    kube_client *made;
    const char *text = kube_printf(
        ctx,
        "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
        "clusters: [{name: c, cluster: {server: '%s', insecure-skip-tls-verify: true}}]\n"
        "contexts: [{name: c, context: {cluster: c, user: u}}]\n"
        "users: [{name: u, user: %s}]\n",
        real_server_url(server), users);
    expect_ok(kube_config_parse(text, strlen(text), "/", NULL, &config, &err), &err);
    expect_ok(kube_client_new(config, NULL, &made, &err), &err);
    kube_config_free(config);
    return made;
}

TEST(unauthorized)
{
    kube_client *stranger = client_from_text("{token: nonsense}");
    network *found;
    expect(samplecrd_v1_networks_get(stranger, ctx, kube_key_of(ns, "blue"), NULL, &found, &err),
           KUBE_ERR_UNAUTHORIZED, &err);
    ck_assert_int_eq(err.http_status, 401);
    kube_client_free(stranger);
}

TEST(a_client_certificate_is_an_identity)
{
    kube_client *certified = client_of("cert");
    expect_ok(samplecrd_v1_networks_create(certified, ctx, ns, &good, NULL, NULL, &err), &err);
    kube_client_free(certified);
}

TEST(too_large)
{
    const size_t size = 4u << 20;
    char *text = malloc(size + 1);
    kube_string_map_entry entry = {"big", text};
    const plain_v1_config_map map = {.metadata = {.name = "big"}, .data = {&entry, 1}};
    ck_assert_ptr_nonnull(text);
    memset(text, 'x', size);
    text[size] = '\0';
    expect(plain_v1_config_maps_create(client, ctx, ns, &map, NULL, NULL, &err), KUBE_ERR_TOO_LARGE,
           &err);
    ck_assert_int_eq(err.http_status, 413);
    free(text);
}

TEST(unknown_group)
{
    kube_type unknown = samplecrd_v1_network_type;
    kube_object *found;
    unknown.group = "nowhere.example.com";
    unknown.api_version = "nowhere.example.com/v1";
    expect(kube_client_get(client, ctx, &unknown, kube_key_of(ns, "blue"), NULL, &found, &err),
           KUBE_ERR_NOT_FOUND, &err);
    ck_assert_int_eq(err.http_status, 404);
    ck_assert_ptr_null(found);
}

TEST(a_malformed_selector_is_a_bad_request)
{
    const kube_list_options options = {.label_selector = "a in b"};
    samplecrd_v1_network_list *list;
    expect(samplecrd_v1_networks_list(client, ctx, ns, &options, &list, &err), KUBE_ERR_BAD_REQUEST,
           &err);
}

TEST(names_that_would_change_the_url_are_refused_here)
{
    static const char *const names[] = {"", ".", "..", "a/b", "a%2fb"};
    uint64_t before = kube_client_request_count(client);
    network *found;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect(
            samplecrd_v1_networks_get(client, ctx, kube_key_of(ns, names[i]), NULL, &found, &err),
            KUBE_ERR_ARGUMENT, &err);
    expect(samplecrd_v1_networks_get(client, ctx, kube_key_of(NULL, "blue"), NULL, &found, &err),
           KUBE_ERR_ARGUMENT, &err);
    ck_assert_uint_eq(kube_client_request_count(client), before); /* REQ-1: nothing was sent */
}

/* ---- objects that do not fit their type -------------------------------------------------------
 */

static gate ran;

/* What the reconcile function found, a line a run. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char seen[1024];
static const kube_lister *odd_maps;

static kube_code look(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                      kube_error *run_err)
{
    const kube_object *object;
    kube_code rc = kube_lister_get(odd_maps, run_ctx, request->key, &object, run_err);
    size_t len;
    (void)result;
    pthread_mutex_lock(&lock);
    len = strlen(seen);
    snprintf(seen + len, sizeof seen - len, "%s (%s)\n", kube_code_name(rc),
             request->bad ? request->bad->field : "");
    pthread_mutex_unlock(&lock);
    gate_pass(&ran);
    return KUBE_OK;
}

/* Runs up to the one that sees @expected: a change may be told twice, never wrongly. */
static void expect_seen(const char *expected)
{
    static int runs;
    bool found;
    do {
        gate_wait(&ran, ++runs);
        pthread_mutex_lock(&lock);
        found = strstr(seen, expected) != NULL;
        pthread_mutex_unlock(&lock);
    } while (!found);
}

static core_v1_config_map *put_value(core_v1_config_map *map, const char *value)
{
    expect_ok(kube_string_map_set(ctx, &map->data, "k", value, &err), &err);
    expect_ok(core_v1_config_maps_update(client, ctx, ns, map, NULL, &map, &err), &err);
    return map;
}

/* ConfigMaps, read as if they were Secrets: their values are to be base64. */
TEST(an_object_that_does_not_decode_exists)
{
    const char *const text = "no base64!";
    core_v1_config_map *map = &(core_v1_config_map){.metadata.name = "odd"};
    kube_type odd = core_v1_secret_type;
    kube_informer_factory *factory;
    kube_controller *controller;
    kube_informer *informer;
    kube_object *object;
    kube_object_list *list;
    size_t bad;
    const kube_informer_options caches = {.namespace_ = ns};
    const kube_controller_options options = {
        .name = "odd", .for_ = &odd, .reconcile = look, .reconcile_bad = true};
    odd.kind = "ConfigMap";
    odd.list_kind = "ConfigMapList";
    odd.resource = "configmaps";
    gate_init(&ran);
    expect_ok(kube_string_map_set(ctx, &map->data, "k", text, &err), &err);
    expect_ok(core_v1_config_maps_create(client, ctx, ns, map, NULL, &map, &err), &err);
    expect(kube_client_get(client, ctx, &odd, kube_key_of(ns, "odd"), NULL, &object, &err),
           KUBE_ERR_UNDECODABLE, &err);
    ck_assert_str_eq(err.field, "data['k']");
    expect_ok(kube_client_list(client, ctx, &odd, ns, NULL, &list, &bad, &err), &err);
    ck_assert_uint_eq(bad, 1);

    expect_ok(kube_informer_factory_new(client, &caches, &factory, &err), &err);
    expect_ok(kube_informer_factory_informer(factory, &odd, NULL, &informer, &err), &err);
    odd_maps = kube_informer_lister(informer);
    expect_ok(kube_controller_new(factory, &options, &controller, &err), &err);
    expect_ok(kube_informer_factory_start(factory, ctx, &err), &err);
    expect_ok(kube_controller_start(controller, ctx, &err), &err);
    expect_seen("undecodable object (data['k'])\n");
    map = put_value(map, "Z29vZA==");
    expect_seen("ok ()\n");
    map = put_value(map, text);
    expect_seen("ok (data['k'])\n"); /* the state before, and what is wrong with the newest */
    expect_ok(core_v1_config_maps_delete(client, ctx, kube_key_of(ns, "odd"), NULL, &err), &err);
    expect_seen("not found ()\n");
    kube_controller_stop(controller);
    kube_controller_free(controller);
    kube_informer_factory_free(factory);
    gate_fini(&ran);
}

int main(void)
{
    return world_run(NULL);
}
