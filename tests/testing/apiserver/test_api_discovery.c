/* SPDX-License-Identifier: Apache-2.0 */
/* The paths about the API itself, as a real server answers them. */
#include "dispatch_kit.h"

static api_kit kit;

static void set_up(void)
{
    kit_start(&kit, &(kube_apiserver_options){.seed = 1});
}

static void tear_down(void)
{
    kit_stop(&kit);
}

#define GET(url) kit_call(&kit, (api_call){.token = "admin", .path = (url)})
#define AGGREGATED "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

FIXTURE(set_up, tear_down);

TEST(version_is_that_of_the_kubernetes_it_follows)
{
    ck_assert_int_eq(GET("/version"), 200);
    ck_assert_str_eq(kit_at(&kit, "major"), "\"1\"");
    ck_assert_str_eq(kit_at(&kit, "minor"), "\"37\"");
    ck_assert(strncmp(kit_at(&kit, "gitVersion"), "\"v1.37.", 7) == 0);
    ck_assert_int_eq(
        kit_call(&kit, (api_call){.token = "admin", .method = "POST", .path = "/version"}), 405);
}

TEST(health_is_ok_and_verbose_names_the_checks)
{
    static const char *const plain[] = {"/healthz", "/livez", "/readyz", "/readyz/ping",
                                        "/livez/etcd"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        ck_assert_int_eq(GET(plain[i]), 200);
        ck_assert_str_eq(kit_body(&kit), "ok");
        ck_assert_str_eq(kit.response.content_type, "text/plain; charset=utf-8");
    }
    ck_assert_int_eq(GET("/livez?verbose"), 200);
    ck_assert_str_eq(kit_body(&kit), "[+]ping ok\n[+]log ok\n[+]etcd ok\nlivez check passed\n");
    ck_assert_int_eq(GET("/livez?verbose&exclude=etcd&exclude=x"), 200);
    ck_assert_str_eq(kit_body(&kit),
                     "[+]ping ok\n[+]log ok\n[+]etcd excluded: ok\nwarn: some health checks "
                     "cannot be excluded: no matches for \"x\"\nlivez check passed\n");
    ck_assert_int_eq(GET("/readyz/nope"), 404);
    ck_assert_str_eq(kit_body(&kit), "404 page not found\n");
}

TEST(roots_list_versions_groups_and_paths)
{
    ck_assert_int_eq(GET("/api"), 200);
    ck_assert_str_eq(kit_at(&kit, "versions"), "[\"v1\"]");
    ck_assert_int_eq(GET("/apis"), 200);
    const kube__json *groups = kube__json_get(kit_json(&kit), "groups");
    ck_assert_str_eq(kube__json_string_at(kube__json_item(groups, 0), "name"), "apps");
    ck_assert_str_eq(kube__json_string_at(kube__json_item(groups, 0), "preferredVersion.version"),
                     "v1");
    ck_assert_int_eq(GET("/"), 200);
    ck_assert_str_eq(kube__json_item(kube__json_get(kit_json(&kit), "paths"), 0)->text, "/api");
}

static const kube__json *resource_named(const char *list, const char *key, const char *name)
{
    KUBE__JSON_EACH (resource, kube__json_get(kit_json(&kit), list)) {
        if (strcmp(kube__json_string_at(resource, key), name) == 0)
            return resource;
    }
    ck_abort_msg("%s is not listed", name);
    return NULL;
}

static const char *text_of(const kube__json *value)
{
    const char *text = kube__json_text(kit.ctx, value, NULL);
    return text ? text : "";
}

TEST(resources_are_described_as_by_the_real_server)
{
    ck_assert_int_eq(GET("/api/v1"), 200);
    ck_assert_ptr_null(kube__json_get(kit_json(&kit), "apiVersion"));
    ck_assert_str_eq(text_of(resource_named("resources", "name", "configmaps")),
                     "{\"name\":\"configmaps\",\"singularName\":\"configmap\",\"namespaced\":true,"
                     "\"kind\":\"ConfigMap\",\"verbs\":[\"create\",\"delete\","
                     "\"deletecollection\",\"get\",\"list\",\"patch\",\"update\",\"watch\"],"
                     "\"shortNames\":[\"cm\"],\"storageVersionHash\":\"qFsyl6wFWjQ=\"}");
    ck_assert_str_eq(text_of(resource_named("resources", "name", "pods/eviction")),
                     "{\"name\":\"pods/eviction\",\"singularName\":\"\",\"namespaced\":true,"
                     "\"group\":\"policy\",\"version\":\"v1\",\"kind\":\"Eviction\",\"verbs\":["
                     "\"create\"]}");
    ck_assert_str_eq(text_of(resource_named("resources", "name", "serviceaccounts/token")),
                     "{\"name\":\"serviceaccounts/token\",\"singularName\":\"\",\"namespaced\":"
                     "true,\"group\":\"authentication.k8s.io\",\"version\":\"v1\",\"kind\":"
                     "\"TokenRequest\",\"verbs\":[\"create\"]}");
    ck_assert_int_eq(GET("/apis/apps/v1"), 200);
    ck_assert_str_eq(kit_at(&kit, "apiVersion"), "\"v1\"");
    ck_assert_str_eq(text_of(resource_named("resources", "name", "deployments/scale")),
                     "{\"name\":\"deployments/scale\",\"singularName\":\"\",\"namespaced\":true,"
                     "\"group\":\"autoscaling\",\"version\":\"v1\",\"kind\":\"Scale\",\"verbs\":["
                     "\"get\",\"patch\",\"update\"]}");
    ck_assert_int_eq(GET("/apis/events.k8s.io/v1"), 200);
    ck_assert_str_eq(
        kube__json_string_at(resource_named("resources", "name", "events"), "storageVersionHash"),
        "r2yiGXH7wu8=");
    ck_assert_int_eq(GET("/apis/authorization.k8s.io/v1"), 200);
    ck_assert_str_eq(text_of(resource_named("resources", "name", "subjectaccessreviews")),
                     "{\"name\":\"subjectaccessreviews\",\"singularName\":\"subjectaccessreview\","
                     "\"namespaced\":false,\"kind\":\"SubjectAccessReview\",\"verbs\":["
                     "\"create\"]}");
}

TEST(aggregated_discovery_has_a_tag_and_is_not_sent_twice)
{
    const api_call call = {
        .token = "admin", .path = "/apis", .headers = {{"accept", AGGREGATED ",application/json"}}};
    ck_assert_int_eq(kit_call(&kit, call), 200);
    ck_assert_str_eq(kit.response.content_type, AGGREGATED);
    ck_assert_str_eq(kit_header(&kit, "Cache-Control"), "public");
    ck_assert_str_eq(kit_header(&kit, "Vary"), "Accept");
    ck_assert_str_eq(kit_at(&kit, "apiVersion"), "\"apidiscovery.k8s.io/v2\"");
    const char *tag = kube_ctx_strdup(kit.ctx, kit_header(&kit, "Etag"));
    ck_assert_uint_gt(strlen(tag), 32);
    api_call again = call;
    again.headers[1] = (kube__api_pair){"if-none-match", tag};
    ck_assert_int_eq(kit_call(&kit, again), 304);
    ck_assert_str_eq(kit_body(&kit), "");
    ck_assert_str_eq(kit.response.content_type, AGGREGATED); /* a cache would keep another one */
    again.headers[1].value = "\"other\"";
    ck_assert_int_eq(kit_call(&kit, again), 200);
}

TEST(aggregated_core_group_has_no_name)
{
    ck_assert_int_eq(
        kit_call(&kit,
                 (api_call){.token = "admin", .path = "/api", .headers = {{"accept", AGGREGATED}}}),
        200);
    const kube__json *items = kube__json_get(kit_json(&kit), "items");
    ck_assert_uint_eq(items->len, 1);
    ck_assert_str_eq(text_of(kube__json_get(items->first, "metadata")), "{}");
    const kube__json *version = kube__json_item(kube__json_get(items->first, "versions"), 0);
    ck_assert_str_eq(kube__json_string_at(version, "freshness"), "Current");
    ck_assert_str_eq(text_of(kube__json_item(kube__json_get(version, "resources"), 0)),
                     "{\"resource\":\"configmaps\",\"responseKind\":{\"group\":\"\",\"version\":"
                     "\"\",\"kind\":\"ConfigMap\"},\"scope\":\"Namespaced\",\"singularResource\":"
                     "\"configmap\",\"verbs\":[\"create\",\"delete\",\"deletecollection\",\"get\","
                     "\"list\",\"patch\",\"update\",\"watch\"],\"shortNames\":[\"cm\"]}");
}

TEST(what_is_not_served_is_told_in_the_real_forms)
{
    ck_assert_int_eq(GET("/nope"), 404);
    ck_assert_str_eq(kit_body(&kit), "404 page not found\n");
    ck_assert_int_eq(GET("/apis/nope"), 404);
    ck_assert_str_eq(kit_body(&kit), "404 page not found\n");
    ck_assert_int_eq(GET("/apis/apps/v9"), 404);
    ck_assert_str_eq(kit_at(&kit, "message"),
                     "\"the server could not find the requested resource\"");
    ck_assert_int_eq(GET("/api/v2"), 404);
    ck_assert_str_eq(kit_at(&kit, "reason"), "\"NotFound\"");
    ck_assert_int_eq(
        kit_call(&kit, (api_call){.token = "admin", .method = "DELETE", .path = "/apis/apps/v1"}),
        405);
    ck_assert_int_eq(kit_call(&kit, (api_call){.token = "admin",
                                               .path = "/apis",
                                               .headers = {{"accept", "text/html"}}}),
                     406);
}

TEST(discovery_can_be_had_as_yaml)
{
    ck_assert_int_eq(kit_call(&kit, (api_call){.token = "admin",
                                               .path = "/apis/apps",
                                               .headers = {{"accept", "application/yaml"}}}),
                     200);
    ck_assert_str_eq(kit.response.content_type, "application/yaml");
    ck_assert_str_eq(kit_body(&kit),
                     "apiVersion: v1\nkind: APIGroup\nname: apps\npreferredVersion:\n"
                     "  groupVersion: apps/v1\n  version: v1\nversions:\n"
                     "- groupVersion: apps/v1\n  version: v1\n");
}
