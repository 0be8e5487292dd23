/* SPDX-License-Identifier: Apache-2.0 */
/* Objects into the server and out of it, without a client. */
#include "support/suite.h"

#include <core/v1/api.h>
#include <kube/testing/apiserver.h>
#include <samplecrd/v1/api.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static kube_apiserver *server;
static kube_error err;
static kube_ctx *ctx;

static void set_up(void)
{
    ctx = kube_ctx_new();
    ck_assert_msg(!kube_apiserver_start(NULL, &server, &err), "%s", err.message);
}

static void tear_down(void)
{
    kube_apiserver_stop(server);
    kube_ctx_free(ctx);
}

static void load(const char *text)
{
    ck_assert_msg(!kube_apiserver_load(server, text, strlen(text), &err), "%s", err.message);
}

static void assert_load_fails(const char *text, kube_code code, const char *message)
{
    ck_assert_int_eq(kube_apiserver_load(server, text, strlen(text), &err), code);
    ck_assert_str_eq(err.message, message);
}

/* NULL when it is not there. */
static const char *config_map(const char *namespace_, const char *name)
{
    const char *text;
    ck_assert_int_eq(
        kube_apiserver_object(server, ctx, &core_v1_config_map_type, namespace_, name, &text, &err),
        KUBE_OK);
    return text;
}

static void load_crd(void)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/examples/network-controller/config/crd/%s",
             getenv("KUBEGEN_SOURCE_DIR"), "samplecrd.k8s.io_networks.yaml");
    ck_assert_msg(!kube_apiserver_load_file(server, path, &err), "%s", err.message);
}

static const char *network(const char *name)
{
    const char *text;
    ck_assert_msg(
        !kube_apiserver_object(server, ctx, &samplecrd_v1_network_type, NULL, name, &text, &err),
        "%s", err.message);
    return text;
}

FIXTURE(set_up, tear_down);

TEST(every_document_is_created)
{
    load("# two, and nothing between them\n"
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata: {name: a}\n"
         "data: {x: \"1\"}\n"
         "---\n"
         "---\n"
         "apiVersion: v1\n"
         "kind: Namespace\n"
         "metadata: {name: other}\n"
         "---\n"
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata: {name: b, namespace: other}\n");
    ck_assert_ptr_nonnull(strstr(config_map(NULL, "a"), "\"data\":{\"x\":\"1\"}"));
    ck_assert_ptr_nonnull(strstr(config_map("default", "a"), "\"namespace\":\"default\""));
    ck_assert_ptr_nonnull(config_map("other", "b"));
    ck_assert_ptr_null(config_map(NULL, "b"));
}

TEST(json_and_lists_are_taken)
{
    load("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":["
         "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}},"
         "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"b\"}}]}"
         "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c\"}}");
    ck_assert_ptr_nonnull(config_map(NULL, "a"));
    ck_assert_ptr_nonnull(config_map(NULL, "b"));
    ck_assert_ptr_nonnull(config_map(NULL, "c"));
    load("");
    load("---\n# nothing\n");
}

TEST(what_is_there_is_replaced)
{
    load("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {l: x}}, data: {x: '1'}}");
    uint64_t before = kube_apiserver_resource_version(server);
    /* As it was exported once: what was the server's to say is not the file's. */
    load("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, resourceVersion: '77', uid: u}, "
         "data: {z: '2'}}");
    ck_assert_uint_gt(kube_apiserver_resource_version(server), before);
    const char *text = config_map(NULL, "a");
    ck_assert_ptr_nonnull(strstr(text, "\"data\":{\"z\":\"2\"}"));
    ck_assert_ptr_null(strstr(text, "labels"));
    ck_assert_ptr_null(strstr(text, "\"uid\":\"u\""));
}

TEST(a_crd_can_be_used_by_the_next_document)
{
    load_crd();
    load("apiVersion: samplecrd.k8s.io/v1\n"
         "kind: Network\n"
         "metadata: {name: blue}\n"
         "spec: {cidr: 10.1.0.0/16, gateway: 10.1.0.1}\n");
    ck_assert_ptr_nonnull(strstr(network("blue"), "\"cidr\":\"10.1.0.0/16\""));
}

TEST(status_is_stored_too)
{
    load("apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p}\n"
         "spec: {containers: [{name: c, image: i}]}\n"
         "status: {phase: Running, podIP: 10.0.0.1}\n");
    const char *text;
    ck_assert_int_eq(
        kube_apiserver_object(server, ctx, &core_v1_pod_type, "default", "p", &text, &err),
        KUBE_OK);
    ck_assert_ptr_nonnull(strstr(text, "\"phase\":\"Running\""));
    ck_assert_ptr_nonnull(strstr(text, "\"podIP\":\"10.0.0.1\""));
}

TEST(errors_name_document_line_and_object)
{
    assert_load_fails("kind: ConfigMap\nmetadata: {name: a}\n", KUBE_ERR_ARGUMENT,
                      "document 1, line 1: ConfigMap a: apiVersion is missing");
    assert_load_fails("just text\n", KUBE_ERR_ARGUMENT, "document 1, line 1: it is no object");
    assert_load_fails("a: 1\n---\nb: c: d\n", KUBE_ERR_ARGUMENT,
                      "document 1, line 1: kind is missing");
    assert_load_fails("---\n---\nb: c: d\n", KUBE_ERR_ARGUMENT,
                      "document 2: yaml: line 3: mapping values are not allowed in this context");
    assert_load_fails("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n"
                      "apiVersion: nope.io/v1\nkind: Frob\nmetadata: {name: f}\n",
                      KUBE_ERR_NOT_FOUND,
                      "document 2, line 5: Frob f: no resource is served for kind Frob of "
                      "nope.io/v1: load its CRD first");
    ck_assert_ptr_nonnull(config_map(NULL, "a")); /* what came before it stays */
    assert_load_fails("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: nope}}",
                      KUBE_ERR_NOT_FOUND,
                      "document 1, line 1: ConfigMap a: namespaces \"nope\" not found");
    assert_load_fails("apiVersion: v1\nkind: List\nitems:\n"
                      "- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"
                      "- {apiVersion: v1, kind: ConfigMap}\n",
                      KUBE_ERR_INVALID,
                      "document 1, line 1: items[1]: ConfigMap \"\" is invalid: metadata.name: "
                      "Required value: name or generateName is required");
}

TEST(what_the_schema_does_not_know_is_an_error)
{
    static const char text[] =
        "{apiVersion: samplecrd.k8s.io/v1, kind: Network, metadata: {name: red}, "
        "spec: {cidr: 10.1.0.0/16, gateway: 10.1.0.1, colour: red}}";
    load_crd();
    ck_assert_int_eq(kube_apiserver_load(server, text, strlen(text), &err), KUBE_ERR_BAD_REQUEST);
    ck_assert_msg(strstr(err.message, "unknown field \"spec.colour\""), "%s", err.message);
    assert_load_fails(
        "{apiVersion: samplecrd.k8s.io/v1, kind: Network, metadata: {name: red}, "
        "spec: {cidr: x, gateway: 10.1.0.1}}",
        KUBE_ERR_INVALID,
        "document 1, line 1: Network red: Network.samplecrd.k8s.io \"red\" is invalid: "
        "spec.cidr: Invalid value: \"x\": spec.cidr in body should be at least 4 "
        "chars long");
}

TEST(files_are_named_in_errors)
{
    char path[] = "/tmp/kubegen-load-XXXXXX";
    int file = mkstemp(path);
    char expected[128];
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, "x: [\n", 5), 5);
    close(file);
    ck_assert_int_eq(kube_apiserver_load_file(server, path, &err), KUBE_ERR_ARGUMENT);
    sprintf(expected, "%s: document 1: yaml: line 2: ", path);
    ck_assert_msg(strncmp(err.message, expected, strlen(expected)) == 0, "%s", err.message);
    unlink(path);
    ck_assert_int_eq(kube_apiserver_load_file(server, path, &err), KUBE_ERR_ARGUMENT);
    sprintf(expected, "%s: No such file or directory", path);
    ck_assert_str_eq(err.message, expected);
    ck_assert_int_ne(kube_apiserver_load_file(server, "/tmp", &err), KUBE_OK);
}

TEST(typed_objects_can_be_loaded)
{
    const samplecrd_v1_network blue = {
        .metadata = {.name = "blue"},
        .spec = {.cidr = "10.1.0.0/16", .gateway = "10.1.0.1"},
    };
    ck_assert_int_eq(
        kube_apiserver_load_object(server, &samplecrd_v1_network_type, &blue.base, &err),
        KUBE_ERR_NOT_FOUND);
    load_crd();
    ck_assert_msg(!kube_apiserver_load_object(server, &samplecrd_v1_network_type, &blue.base, &err),
                  "%s", err.message);
    ck_assert_ptr_nonnull(strstr(network("blue"), "\"gateway\":\"10.1.0.1\""));
}

TEST(an_object_of_a_kind_that_is_not_served_is_an_error)
{
    const char *text = "x";
    ck_assert_int_eq(
        kube_apiserver_object(server, ctx, &samplecrd_v1_network_type, NULL, "a", &text, &err),
        KUBE_ERR_NOT_FOUND);
    ck_assert_str_eq(err.message, "networks of samplecrd.k8s.io/v1 are not served");
    ck_assert_ptr_null(text);
}

TEST(a_client_sees_what_was_loaded)
{
    kube_client *client;
    samplecrd_v1_network *blue;
    load_crd();
    load("{apiVersion: samplecrd.k8s.io/v1, kind: Network, metadata: {name: blue}, "
         "spec: {cidr: 10.1.0.0/16, gateway: 10.1.0.1}}");
    ck_assert_msg(!kube_apiserver_client(server, &client, &err), "%s", err.message);
    ck_assert_str_eq(kube_client_namespace(client), "default");
    ck_assert_msg(
        !samplecrd_v1_networks_get(client, ctx, kube_key_of("default", "blue"), NULL, &blue, &err),
        "%s", err.message);
    ck_assert_str_eq(blue->spec.cidr, "10.1.0.0/16");
    kube_client_free(client);
    ck_assert_int_eq(kube_apiserver_client_for(server, "nope", &client, &err), KUBE_ERR_CONFIG);
    ck_assert_ptr_null(client);
}
