/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/crd/crd.h"
#include "apiserver/discovery/discovery.h"
#include "apiserver/registry/registry.h"
#include "apiserver/store/store.h"
#include "schema_fixture.h"
#include "support/fail_malloc.h"

static kube_apiserver *server;

static const char widgets[] =
    "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',"
    "'metadata':{'name':'widgets.ex.com'},'spec':{'group':'ex.com','scope':'Namespaced',"
    "'names':{'plural':'widgets','kind':'Widget'},"
    "'versions':[{'name':'v1','served':true,'storage':true,"
    "'schema':{'openAPIV3Schema':{'type':'object','description':'A widget.','properties':{"
    "'spec':{'properties':{'size':{'default':1,'type':'integer'},"
    "'i':{'x-kubernetes-int-or-string':true},"
    "'e':{'type':'object','x-kubernetes-embedded-resource':true,"
    "'x-kubernetes-preserve-unknown-fields':true}},'type':'object'}}}},"
    "'subresources':{'status':{},'scale':{'specReplicasPath':'.spec.size',"
    "'statusReplicasPath':'.status.size'}}}]}}";

static void serve(const char *text)
{
    kube__json *crd = parse(text);
    kube__api_crd_default(ctx, crd);
    kube__api_crd_conditions(server, ctx, crd);
    ck_assert(kube__api_crd_serve(server, ctx, crd, NULL));
}

static kube__api_response response;

static void start(void)
{
    set_up();
    server = calloc(1, sizeof *server);
    server->clock = kube_clock_system();
    server->registry = kube__api_registry_new();
    server->store = kube__api_store_new(100);
    ck_assert(kube__api_register_builtins(server->registry, server->store));
    serve(widgets);
}

static void stop(void)
{
    kube__api_registry_free(server->registry);
    kube__api_store_free(server->store);
    free(server);
    kube__buffer_fini(&response.body);
    response = (kube__api_response){0};
    tear_down();
}

/* ---- requests ------------------------------------------------------------------------------- */

static bool get_with(const char *path, const char *hash, const char *header, const char *value)
{
    kube__api_pair *query = kube_ctx_alloc(ctx, sizeof *query);
    kube__api_pair *headers = kube_ctx_alloc(ctx, sizeof *headers);
    *query = (kube__api_pair){"hash", hash};
    *headers = (kube__api_pair){header, value};
    kube__api_request request = {.ctx = ctx,
                                 .method = "GET",
                                 .path = path,
                                 .query_text = "",
                                 .query = {query, hash ? 1 : 0},
                                 .headers = {headers, header ? 1 : 0}};
    kube__buffer_fini(&response.body);
    response = (kube__api_response){0};
    kube__buffer_init(&response.body, SIZE_MAX / 2);
    return kube__api_openapi(server, &request, &response);
}

static kube__json *document(const char *path)
{
    const char *fault = "";
    ck_assert(get_with(path, NULL, NULL, NULL));
    ck_assert_int_eq(response.http_status, 200);
    kube__json *value =
        kube__json_parse(ctx, response.body.data, response.body.len, &fault, NULL, NULL);
    ck_assert_msg(value, "%s: %s", path, fault);
    kube__buffer_fini(&response.body);
    return value;
}

static const char *header(const char *name)
{
    for (size_t i = 0; i < response.header_count; i++) {
        if (strcmp(response.headers[i].key, name) == 0)
            return response.headers[i].value;
    }
    return "";
}

static kube__json *component(const kube__json *of, const char *name)
{
    return kube__json_get(kube__json_at(of, "components.schemas"), name);
}

static kube__json *path_item(const kube__json *of, const char *path)
{
    return kube__json_get(kube__json_get(of, "paths"), path);
}

/* ---- index ---------------------------------------------------------------------------------- */

static const char *url_of(const char *key)
{
    kube__json *index = document("/openapi/v3");
    return kube__json_string_at(kube__json_get(kube__json_get(index, "paths"), key),
                                "serverRelativeURL");
}

FIXTURE(start, stop);

TEST(the_index_names_every_group_version_with_a_hash)
{
    static const char start_of[] = "/openapi/v3/apis/ex.com/v1?hash=";
    ck_assert_int_eq(strncmp(url_of("apis/ex.com/v1"), start_of, strlen(start_of)), 0);
    ck_assert_uint_eq(strlen(url_of("apis/ex.com/v1")), strlen(start_of) + 64);
    ck_assert_str_ne(url_of("api/v1"), "");
    ck_assert_str_ne(url_of("apis/apps/v1"), "");
}

TEST(a_changed_crd_changes_its_hash_alone)
{
    const char *custom = url_of("apis/ex.com/v1");
    const char *builtin = url_of("apis/apps/v1");
    char *changed = kube_ctx_strdup(ctx, widgets);
    memcpy(strstr(changed, "A widget."), "B widget.", 9);
    serve(changed);
    ck_assert_str_ne(url_of("apis/ex.com/v1"), custom);
    ck_assert_str_eq(url_of("apis/apps/v1"), builtin);
}

TEST(a_document_asked_for_by_its_hash_may_be_kept_for_good)
{
    const char *hash = strchr(url_of("apis/apps/v1"), '=') + 1;
    const char *etag = kube_printf(ctx, "\"%s\"", hash);
    ck_assert(get_with("/openapi/v3/apis/apps/v1", hash, NULL, NULL));
    ck_assert_int_eq(response.http_status, 200);
    ck_assert_str_eq(header("Cache-Control"), "public, immutable");
    ck_assert_str_eq(header("Etag"), etag);
    ck_assert_str_eq(header("Vary"), "Accept");
    ck_assert_str_ne(header("Expires"), "");
    ck_assert(get_with("/openapi/v3/apis/apps/v1", NULL, NULL, NULL));
    ck_assert_str_eq(header("Cache-Control"), "");
    ck_assert(get_with("/openapi/v3/apis/apps/v1", hash, "if-none-match", etag));
    ck_assert_int_eq(response.http_status, 304);
    ck_assert_uint_eq(response.body.len, 0);
    ck_assert(get_with("/openapi/v3/apis/apps/v1", "OLD", NULL, NULL));
    ck_assert_int_eq(response.http_status, 301);
    ck_assert_str_eq(header("Location"),
                     kube_printf(ctx, "/openapi/v3/apis/apps/v1?hash=%s", hash));
}

TEST(what_is_not_there_is_404_and_other_media_406)
{
    static const char *const paths[] = {"/openapi/v3/apis/ex.com/v2", "/openapi/v3/api/v2",
                                        "/openapi/v3/apis/ex.com", "/openapi/v3/x"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        ck_assert(get_with(paths[i], NULL, NULL, NULL));
        ck_assert_int_eq(response.http_status, 404);
    }
    ck_assert(!get_with("/openapi", NULL, NULL, NULL));
    ck_assert(get_with("/openapi/v3/api/v1", NULL, "accept", "application/vnd.frob"));
    ck_assert_int_eq(response.http_status, 406);
    ck_assert(get_with("/openapi/v3/api/v1", NULL, "accept", "application/json, */*"));
    ck_assert_int_eq(response.http_status, 200);
}

TEST(version_2_has_no_definitions)
{
    ck_assert_str_eq(text_of(document("/openapi/v2")),
                     "{'swagger':'2.0','info':{'title':'Kubernetes','version':'1.37'},"
                     "'paths':{}}");
}

/* ---- documents ------------------------------------------------------------------------------ */

TEST(a_custom_resource_is_published_with_what_is_implied)
{
    kube__json *of = document("/openapi/v3/apis/ex.com/v1");
    kube__json *widget = component(of, "com.ex.v1.Widget");
    ck_assert_str_eq(
        text_of(widget),
        "{'description':'A widget.','type':'object','properties':{'apiVersion':{'type':'string'},"
        "'kind':{'type':'string'},'metadata':{'allOf':[{'$ref':"
        "'#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'}]},"
        "'spec':{'type':'object','properties':{'e':{'type':'object',"
        "'required':['kind','apiVersion'],'properties':{'apiVersion':{'type':'string'},"
        "'kind':{'type':'string'},'metadata':{'allOf':[{'$ref':"
        "'#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'}]}},"
        "'x-kubernetes-embedded-resource':true,'x-kubernetes-preserve-unknown-fields':true},"
        "'i':{'anyOf':[{'type':'integer'},{'type':'string'}],'x-kubernetes-int-or-string':true},"
        "'size':{'type':'integer','default':1}}}},"
        "'x-kubernetes-group-version-kind':[{'group':'ex.com','kind':'Widget','version':'v1'}]}");
    kube__json *list = component(of, "com.ex.v1.WidgetList");
    ck_assert_str_eq(kube__json_string_at(kube__json_at(list, "properties.items.items"), "$ref"),
                     "#/components/schemas/com.ex.v1.Widget");
    ck_assert_ptr_nonnull(component(of, "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"));
}

static void count_repeat(void *arg, const char *path, const char *key)
{
    ck_abort_msg("%s names %s twice in %s", (const char *)arg, key, path);
}

static void check_references(const kube__json *of, const kube__json *value, const char *path)
{
    const char *reference = kube__json_string_or(kube__json_get(value, "$ref"), NULL);
    if (reference)
        ck_assert_msg(component(of, strrchr(reference, '/') + 1), "%s: %s is nowhere", path,
                      reference);
    if (kube__json_is(value, KUBE__JSON_OBJECT) || kube__json_is(value, KUBE__JSON_ARRAY)) {
        KUBE__JSON_EACH (child, value)
            check_references(of, child, path);
    }
}

TEST(no_member_repeats_and_every_reference_leads_somewhere)
{
    kube__json *index = document("/openapi/v3");
    KUBE__JSON_EACH (entry, kube__json_get(index, "paths")) {
        const char *path = kube_printf(ctx, "/openapi/v3/%s", entry->key);
        ck_assert(get_with(path, NULL, NULL, NULL));
        kube__json *of = kube__json_parse(ctx, response.body.data, response.body.len, NULL,
                                          count_repeat, (void *)(uintptr_t)entry->key);
        kube__buffer_fini(&response.body);
        ck_assert_ptr_nonnull(of);
        check_references(of, of, path);
    }
}

static bool takes(const kube__json *operation, const char *parameter)
{
    KUBE__JSON_EACH (each, kube__json_get(operation, "parameters")) {
        if (strcmp(kube__json_string_at(each, "name"), parameter) == 0)
            return true;
    }
    return false;
}

TEST(operations_say_what_kubectl_asks_them_for)
{
    kube__json *of = document("/openapi/v3/apis/ex.com/v1");
    static const char item[] = "/apis/ex.com/v1/namespaces/{namespace}/widgets/{name}";
    kube__json *patch = kube__json_get(path_item(of, item), "patch");
    ck_assert(takes(patch, "fieldValidation") && takes(patch, "force") && takes(patch, "dryRun"));
    ck_assert_str_eq(text_of(kube__json_get(patch, "x-kubernetes-group-version-kind")),
                     "{'group':'ex.com','version':'v1','kind':'Widget'}");
    ck_assert_str_eq(kube__json_string_at(patch, "x-kubernetes-action"), "patch");
    kube__json *post =
        kube__json_get(path_item(of, "/apis/ex.com/v1/namespaces/{namespace}/widgets"), "post");
    ck_assert(takes(post, "fieldManager") && !takes(post, "force"));
    ck_assert_ptr_nonnull(path_item(of, "/apis/ex.com/v1/widgets"));
    kube__json *scale = kube__json_get(path_item(of, kube_printf(ctx, "%s/scale", item)), "put");
    ck_assert_str_eq(text_of(kube__json_get(scale, "x-kubernetes-group-version-kind")),
                     "{'group':'autoscaling','version':'v1','kind':'Scale'}");
    ck_assert_ptr_nonnull(path_item(of, kube_printf(ctx, "%s/status", item)));
    of = document("/openapi/v3/api/v1");
    ck_assert_ptr_nonnull(path_item(of, "/api/v1/namespaces/{namespace}/pods/{name}"));
    ck_assert_ptr_nonnull(component(of, "io.k8s.api.core.v1.PodList"));
}

/* ---- memory --------------------------------------------------------------------------------- */

static bool ask_for_document(void *arg)
{
    kube_ctx *own = kube_ctx_new();
    if (!own)
        return false;
    kube__api_request request = {.ctx = own, .method = "GET", .path = arg, .query_text = ""};
    kube__api_response answer = {0};
    kube__buffer_init(&answer.body, SIZE_MAX / 2);
    bool known = kube__api_openapi(server, &request, &answer);
    bool fine = known && !kube_ctx_failed(own) && !answer.body.failed;
    kube__buffer_fini(&answer.body);
    kube_ctx_free(own);
    return fine;
}

TEST(a_failed_allocation_is_noticed)
{
    ck_assert_uint_gt(fail_malloc_replay(ask_for_document, "/openapi/v3/apis/ex.com/v1"), 0);
    ck_assert_uint_gt(fail_malloc_replay(ask_for_document, "/openapi/v3"), 0);
}
