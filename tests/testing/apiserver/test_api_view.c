/* SPDX-License-Identifier: Apache-2.0 */
/* Tables, metadata, YAML and what Accept asks for. Expected cells are a real server's. */
#include "apiserver/core/request.h"
#include "apiserver/value/yaml.h"
#include "apiserver/view/table.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <kube/kube.h>
#include <stdio.h>
#include <string.h>

#define NOW "2026-11-21T06:30:00Z"

static kube_ctx *ctx;

static void set_up(void)
{
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
}

static kube__json *parse(const char *text)
{
    const char *fault = NULL;
    kube__json *value = kube__json_parse(ctx, text, strlen(text), &fault, NULL, NULL);
    ck_assert_msg(value, "%s: %s", text, fault);
    return value;
}

static const char *text_of(const kube__json *value)
{
    const char *text = kube__json_text(ctx, value, NULL);
    return text ? text : "";
}

static kube__api_resource builtin(const char *group, const char *plural, const char *kind)
{
    return (kube__api_resource){.group = group, .version = "v1", .plural = plural, .kind = kind};
}

/* ---- Accept --------------------------------------------------------------------------------- */

static kube__api_failure *accept(const char *header, const char *verb, bool custom,
                                 kube__api_view *view, kube__api_media *media)
{
    kube__api_pair *pair = kube_ctx_alloc(ctx, sizeof *pair);
    *pair = (kube__api_pair){"accept", header};
    kube__api_request request = {
        .ctx = ctx, .method = "GET", .name = "x", .verb = verb, .headers = {pair, 1}};
    kube__api_resource resource = builtin(custom ? "demo.io" : "apps", "things", "Thing");
    resource.custom = custom;
    return kube__api_accept(ctx, &request, &resource, view, media);
}

FIXTURE(set_up, tear_down);

TEST(the_first_form_that_can_be_served_is_chosen)
{
    static const struct {
        const char *accept;
        kube__api_view view;
        kube__api_media media;
    } cases[] = {
        {"application/json", KUBE__API_VIEW_OBJECT, KUBE__API_MEDIA_JSON},
        {"*/*", KUBE__API_VIEW_OBJECT, KUBE__API_MEDIA_JSON},
        {"application/yaml", KUBE__API_VIEW_OBJECT, KUBE__API_MEDIA_YAML},
        {"application/json;q=0.1,application/yaml", KUBE__API_VIEW_OBJECT, KUBE__API_MEDIA_YAML},
        {"*/*,application/yaml", KUBE__API_VIEW_OBJECT, KUBE__API_MEDIA_YAML},
        {"application/cbor, application/json", KUBE__API_VIEW_OBJECT, KUBE__API_MEDIA_JSON},
        {"application/json;as=Table;v=v1;g=meta.k8s.io,application/json", KUBE__API_VIEW_TABLE,
         KUBE__API_MEDIA_JSON},
        {"application/json;as=Table;v=v1beta1;g=meta.k8s.io", KUBE__API_VIEW_TABLE,
         KUBE__API_MEDIA_JSON},
        {"application/yaml; as=Table; v=v1; g=meta.k8s.io", KUBE__API_VIEW_TABLE,
         KUBE__API_MEDIA_YAML},
        {"application/json;as=Table;v=v2;g=meta.k8s.io,application/yaml", KUBE__API_VIEW_OBJECT,
         KUBE__API_MEDIA_YAML},
        {"application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1", KUBE__API_VIEW_METADATA,
         KUBE__API_MEDIA_JSON},
        {"application/vnd.kubernetes.protobuf,application/json;stream=watch", KUBE__API_VIEW_OBJECT,
         KUBE__API_MEDIA_JSON},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube__api_view view;
        kube__api_media media;
        ck_assert_ptr_null(accept(cases[i].accept, "get", true, &view, &media));
        ck_assert_msg(view == cases[i].view && media == cases[i].media, "%s", cases[i].accept);
    }
}

TEST(what_cannot_be_served_is_406_in_the_real_words)
{
#define TYPES "application/json, application/yaml, application/vnd.kubernetes.protobuf"
    static const struct {
        const char *accept;
        const char *verb;
        bool custom;
        int status;
        const char *message;
    } cases[] = {
        {"text/html", "get", true, 406, "only the following media types are accepted: " TYPES},
        {"application/json;as=Foo", "get", false, 406,
         "only the following media types are accepted: " TYPES},
        {"text/html", "get", false, 406,
         "406: Not Acceptable\n\nAvailable representations: " TYPES},
        {"application/*", "get", false, 406,
         "406: Not Acceptable\n\nAvailable representations: " TYPES},
        {"application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1", "list", true, 406,
         "you requested PartialObjectMetadata, but the requested object is a list "
         "(*unstructured.UnstructuredList)"},
        {"application/yaml", "watch", true, 406,
         "only the following media types are accepted: application/json;stream=watch, "
         "application/vnd.kubernetes.protobuf;stream=watch"},
        {"application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1", "get", true, 500,
         "content is not a list"},
        {"application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1", "get", false, 406,
         "you requested PartialObjectMetadataList, but the requested object is not a list "
         "(*apps.Thing)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube__api_view view;
        kube__api_media media;
        const kube__api_failure *failure =
            accept(cases[i].accept, cases[i].verb, cases[i].custom, &view, &media);
        ck_assert_ptr_nonnull(failure);
        ck_assert_int_eq(failure->http_status, cases[i].status);
        ck_assert_str_eq(failure->message, cases[i].message);
    }
}

TEST(aggregated_discovery_is_asked_for_by_its_kind)
{
    static const struct {
        const char *accept;
        bool aggregated;
    } cases[] = {
        {"application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
         "application/json",
         true},
        {"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
         "application/json",
         false},
        {"application/json,application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube__api_pair pair = {"accept", cases[i].accept};
        kube__api_request request = {.ctx = ctx, .headers = {&pair, 1}};
        ck_assert_int_eq(kube__api_accepts_aggregated(ctx, &request), cases[i].aggregated);
    }
}

/* ---- JSONPath ------------------------------------------------------------------------------- */

TEST(paths_find_what_the_real_server_finds)
{
    static const char document[] =
        "{\"a\":{\"b\":[1,2,3],\"x.y/z\":\"dotted\",\"k\":[{\"name\":\"n1\",\"v\":5},"
        "{\"name\":\"n2\",\"v\":7}]},\"c\":[{\"type\":\"Ready\",\"status\":\"True\"},"
        "{\"type\":\"Other\",\"status\":\"False\"}]}";
    static const char *const cases[][2] = {
        {".a.b", "[[1,2,3]]"},
        {".a.b[0]", "[1]"},
        {".a.b[-1]", "[3]"},
        {".a.b[9]", "[]"},
        {".a.b[1:]", "[2,3]"},
        {".a.b[0:2]", "[1,2]"},
        {".a.b[*]", "[1,2,3]"},
        {".a.x\\.y/z", "[\"dotted\"]"},
        {".a['x.y/z']", "[\"dotted\"]"},
        {".a.k[*].name", "[\"n1\",\"n2\"]"},
        {".a.k[?(@.v > 5)].name", "[\"n2\"]"},
        {".c[?(@.type==\"Ready\")].status", "[\"True\"]"},
        {".c[?(@.type=='Other')].status", "[\"False\"]"},
        {".c[?(@.type!=\"Ready\")].type", "[\"Other\"]"},
        {".c[?(@.nothing)].type", "[]"},
        {"..name", "[\"n1\",\"n2\"]"},
        {".missing.more", "[]"},
        {".a.b[", "[]"},
        {".c[?(@.type==\"Ready\"", "[]"},
        {".a.b[x]", "[]"},
        {".missing[?(@.x==1)].y", "[]"},
    };
    const kube__json *value = parse(document);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const kube__json *found[8];
        size_t count = kube__jsonpath_find(ctx, value, cases[i][0], found, 8);
        kube__json *list = kube__json_array(ctx);
        for (size_t k = 0; k < count; k++)
            kube__json_append(list, kube__json_copy(ctx, found[k]));
        ck_assert_msg(strcmp(text_of(list), cases[i][1]) == 0, "%s: %s", cases[i][0],
                      text_of(list));
    }
}

/* ---- ages ----------------------------------------------------------------------------------- */

TEST(ages_read_as_kubectl_prints_them)
{
    static const char *const cases[][3] = {
        {"2026-11-21T06:29:01Z", NOW, "59s"},
        {"2026-11-21T06:28:01Z", NOW, "119s"},
        {"2026-11-21T06:28:00Z", NOW, "2m"},
        {"2026-11-21T06:20:30Z", NOW, "9m30s"},
        {"2026-11-21T06:13:00Z", NOW, "17m"},
        {"2026-11-21T03:31:00Z", NOW, "179m"},
        {"2026-11-21T03:29:00Z", NOW, "3h1m"},
        {"2026-11-20T22:30:00Z", NOW, "8h"},
        {"2026-11-19T06:31:00Z", NOW, "47h"},
        {"2026-11-19T02:30:00Z", NOW, "2d4h"},
        {"2026-01-01T00:00:00Z", NOW, "324d"},
        {"2023-11-21T06:30:00Z", NOW, "3y1d"},
        {"2010-11-21T06:30:00Z", NOW, "16y"},
        {"2026-11-21T06:30:01Z", NOW, "0s"},
        {"2026-11-21T06:31:00Z", NOW, "<invalid>"},
        {"", NOW, "<unknown>"},
        {"s", NOW, "<invalid>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(kube__table_age(ctx, cases[i][0], cases[i][1]), cases[i][2]);
}

/* ---- tables --------------------------------------------------------------------------------- */

#define COLUMN(name, type, path)                                                                   \
    {                                                                                              \
        name, type, "", "", path, 0                                                                \
    }

static const kube__api_column columns[] = {
    COLUMN("Str", "string", ".spec.str"),
    COLUMN("Int", "integer", ".spec.int"),
    COLUMN("Num", "number", ".spec.num"),
    COLUMN("Bool", "boolean", ".spec.bool"),
    COLUMN("Date", "date", ".spec.date"),
    {"Ready", "string", "int32", "hi", ".status.conditions[?(@.type==\"Ready\")].status", 1},
    COLUMN("All", "string", ".spec.list[*]"),
    COLUMN("Ann", "string", ".metadata.annotations.a\\.b/c"),
    COLUMN("Obj", "string", ".spec.obj"),
    COLUMN("Arr", "string", ".spec.list"),
    COLUMN("IntStr", "integer", ".spec.str"),
    COLUMN("BoolStr", "boolean", ".spec.str"),
    COLUMN("NumStr", "string", ".spec.num"),
    COLUMN("DateBad", "date", ".spec.str"),
    COLUMN("StrBool", "string", ".spec.bool"),
    COLUMN("IntFloat", "integer", ".spec.num"),
    COLUMN("Nul", "string", ".spec.nul"),
};

static const char widget[] =
    "{\"apiVersion\":\"demo.io/v1\",\"kind\":\"Widget\",\"metadata\":{\"annotations\":"
    "{\"a.b/c\":\"annv\"},\"creationTimestamp\":\"2026-11-21T06:25:00Z\",\"name\":\"w1\","
    "\"namespace\":\"default\",\"resourceVersion\":\"7\",\"uid\":\"u\"},\"spec\":{\"bool\":true,"
    "\"date\":\"2026-01-01T00:00:00Z\",\"int\":7,\"list\":[\"a\",2,true],\"nul\":null,"
    "\"num\":1.5,\"obj\":{\"z\":1,\"a\":[\"x\",\"y z\"]},\"str\":\"s\"}}";

static kube__json *table_of(const kube__api_resource *resource, const char *include,
                            kube__json *object, const kube__json *metadata)
{
    kube__api_pair *pair = kube_ctx_alloc(ctx, sizeof *pair);
    *pair = (kube__api_pair){"includeObject", include};
    const kube__api_request request = {.ctx = ctx, .query = {pair, 1}};
    return kube__api_table(ctx, &request, resource, &object, 1, metadata, true, NOW);
}

static const char *cells_of(const kube__json *table)
{
    return text_of(kube__json_get(kube__json_item(kube__json_get(table, "rows"), 0), "cells"));
}

TEST(columns_of_a_crd_show_what_the_real_server_shows)
{
    kube__api_resource resource = builtin("demo.io", "widgets", "Widget");
    resource.custom = true;
    resource.columns = columns;
    resource.column_count = sizeof columns / sizeof *columns;
    kube__json *table = table_of(&resource, "None", parse(widget), NULL);
    ck_assert_str_eq(cells_of(table),
                     "[\"w1\",\"s\",7,1.5,true,\"324d\",null,\"a\",\"annv\","
                     "\"{\\\"a\\\":[\\\"x\\\",\\\"y z\\\"],\\\"z\\\":1}\",\"[\\\"a\\\",2,true]\","
                     "null,null,\"1.5\",\"<invalid>\",\"true\",1,\"<no value>\"]");
    kube__json_remove(table, "rows");
    ck_assert_str_eq(text_of(kube__json_get(table, "metadata")), "{\"resourceVersion\":\"7\"}");
    const kube__json *definitions = kube__json_get(table, "columnDefinitions");
    ck_assert_str_eq(text_of(kube__json_item(definitions, 1)),
                     "{\"name\":\"Str\",\"type\":\"string\",\"format\":\"\",\"description\":"
                     "\"Custom resource definition column (in JSONPath format): .spec.str\","
                     "\"priority\":0}");
    ck_assert_str_eq(text_of(kube__json_item(definitions, 6)),
                     "{\"name\":\"Ready\",\"type\":\"string\",\"format\":\"int32\","
                     "\"description\":\"hi\",\"priority\":1}");
}

TEST(a_crd_without_columns_has_name_and_age)
{
    kube__api_resource resource = builtin("demo.io", "widgets", "Widget");
    resource.custom = true;
    kube__json *table =
        table_of(&resource, "", parse(widget),
                 parse("{\"continue\":\"\",\"remainingItemCount\":2,\"resourceVersion\":\"9\"}"));
    ck_assert_str_eq(
        text_of(table),
        "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"resourceVersion\":"
        "\"9\",\"remainingItemCount\":2},\"columnDefinitions\":[{\"name\":\"Name\",\"type\":"
        "\"string\",\"format\":\"name\",\"description\":\"\",\"priority\":0},{\"name\":\"Age\","
        "\"type\":\"date\",\"format\":\"\",\"description\":\"\",\"priority\":0}],\"rows\":["
        "{\"cells\":[\"w1\",\"5m\"],\"object\":{\"kind\":\"PartialObjectMetadata\","
        "\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"name\":\"w1\",\"namespace\":"
        "\"default\",\"uid\":\"u\",\"resourceVersion\":\"7\",\"creationTimestamp\":"
        "\"2026-11-21T06:25:00Z\",\"annotations\":{\"a.b/c\":\"annv\"}}}}]}");
}

#define META "\"metadata\":{\"name\":\"n\",\"creationTimestamp\":\"2026-11-21T06:25:00Z\"}"
#define TEMPLATE                                                                                   \
    "\"template\":{\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"i:1\"},{\"name\":\"b\","  \
    "\"image\":\"j\"}]}}"

TEST(columns_of_built_ins_show_what_the_real_server_shows)
{
    static const struct {
        const char *group;
        const char *plural;
        const char *object;
        const char *cells;
    } cases[] = {
        {"", "configmaps",
         "{" META ",\"data\":{\"a\":\"\",\"b\":\"\"},\"binaryData\":{\"c\":\"\"}}",
         "[\"n\",3,\"5m\"]"},
        {"", "secrets", "{" META ",\"type\":\"Opaque\",\"data\":{\"a\":\"\"}}",
         "[\"n\",\"Opaque\",1,\"5m\"]"},
        {"", "namespaces", "{" META ",\"status\":{\"phase\":\"Active\"}}",
         "[\"n\",\"Active\",\"5m\"]"},
        {"", "namespaces", "{\"metadata\":{\"resourceVersion\":\"1\"}}",
         "[\"\",\"\",\"<unknown>\"]"},
        {"", "serviceaccounts", "{" META "}", "[\"n\",\"5m\"]"},
        {"", "services",
         "{" META ",\"spec\":{\"type\":\"NodePort\",\"clusterIPs\":[\"10.0.0.1\"],\"ports\":["
         "{\"port\":80,\"protocol\":\"TCP\",\"nodePort\":30000},{\"port\":53,\"protocol\":"
         "\"UDP\"}],\"selector\":{\"b\":\"2\",\"a\":\"1\"}}}",
         "[\"n\",\"NodePort\",\"10.0.0.1\",\"<none>\",\"80:30000/TCP,53/UDP\",\"5m\","
         "\"a=1,b=2\"]"},
        {"", "services",
         "{" META ",\"spec\":{\"type\":\"LoadBalancer\"},\"status\":{\"loadBalancer\":{"
         "\"ingress\":[{\"hostname\":\"h\"},{\"ip\":\"1.2.3.4\"},{\"ip\":\"1.2.3.4\"}]}}}",
         "[\"n\",\"LoadBalancer\",\"<none>\",\"1.2.3.4,h\",\"<none>\",\"5m\",\"<none>\"]"},
        {"", "services", "{" META ",\"spec\":{\"type\":\"LoadBalancer\"}}",
         "[\"n\",\"LoadBalancer\",\"<none>\",\"<pending>\",\"<none>\",\"5m\",\"<none>\"]"},
        {"", "endpoints",
         "{" META ",\"subsets\":[{\"addresses\":[{\"ip\":\"1.1.1.1\"},{\"ip\":\"::1\"}],"
         "\"ports\":[{\"port\":80},{\"port\":81}]}]}",
         "[\"n\",\"1.1.1.1:80,[::1]:80,1.1.1.1:81 + 1 more...\",\"5m\"]"},
        {"", "nodes",
         "{\"metadata\":{\"name\":\"n\",\"labels\":{\"node-role.kubernetes.io/worker\":\"\","
         "\"kubernetes.io/role\":\"edge\"}},\"spec\":{\"unschedulable\":true},\"status\":{"
         "\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\"}],\"addresses\":[{\"type\":"
         "\"InternalIP\",\"address\":\"10.0.0.9\"}],\"nodeInfo\":{\"kubeletVersion\":\"v1\","
         "\"kernelVersion\":\"6.1\",\"architecture\":\"amd64\"}}}",
         "[\"n\",\"NotReady,SchedulingDisabled\",\"edge,worker\",\"<unknown>\",\"v1\","
         "\"10.0.0.9\",\"<none>\",\"<unknown>\",\"6.1 (amd64)\",\"<unknown>\"]"},
        {"", "events",
         "{" META ",\"involvedObject\":{\"kind\":\"Pod\",\"name\":\"p\"},\"type\":\"Normal\","
         "\"reason\":\"R\",\"message\":\" m\\n\",\"source\":{\"component\":\"c\",\"host\":\"h\"},"
         "\"firstTimestamp\":\"2026-11-21T06:20:00Z\",\"lastTimestamp\":"
         "\"2026-11-21T06:29:00Z\",\"count\":4}",
         "[\"60s\",\"Normal\",\"R\",\"pod/p\",\"\",\"c, h\",\"m\",\"10m\",4,\"n\"]"},
        {"events.k8s.io", "events",
         "{" META ",\"regarding\":{\"kind\":\"Pod\",\"name\":\"p\"},\"type\":\"Normal\","
         "\"reason\":\"R\",\"note\":\"m\",\"reportingController\":\"c\",\"eventTime\":"
         "\"2026-11-21T06:29:00.000000Z\"}",
         "[\"60s\",\"Normal\",\"R\",\"pod/p\",\"\",\"c\",\"m\",\"60s\",1,\"n\"]"},
        {"apps", "deployments",
         "{" META ",\"spec\":{\"replicas\":3,\"selector\":{\"matchLabels\":{\"a\":\"b\"},"
         "\"matchExpressions\":[{\"key\":\"c\",\"operator\":\"In\",\"values\":[\"y\",\"x\"]},"
         "{\"key\":\"d\",\"operator\":\"Exists\"},{\"key\":\"b\",\"operator\":"
         "\"DoesNotExist\"}]}," TEMPLATE "},\"status\":{\"readyReplicas\":1,"
         "\"updatedReplicas\":2,\"availableReplicas\":1}}",
         "[\"n\",\"1/3\",2,1,\"5m\",\"a,b\",\"i:1,j\",\"a=b,!b,c in (x,y),d\"]"},
        {"apps", "replicasets", "{" META ",\"spec\":{\"replicas\":2," TEMPLATE "}}",
         "[\"n\",2,0,0,\"5m\",\"a,b\",\"i:1,j\",\"<none>\"]"},
        {"apps", "statefulsets", "{" META ",\"spec\":{\"replicas\":2," TEMPLATE "}}",
         "[\"n\",\"0/2\",\"5m\",\"a,b\",\"i:1,j\"]"},
        {"apps", "daemonsets",
         "{" META ",\"spec\":{" TEMPLATE "},\"status\":{\"desiredNumberScheduled\":2,"
         "\"numberReady\":1}}",
         "[\"n\",2,0,1,0,0,\"<none>\",\"5m\",\"a,b\",\"i:1,j\",\"<none>\"]"},
        {"coordination.k8s.io", "leases", "{" META ",\"spec\":{\"holderIdentity\":\"me\"}}",
         "[\"n\",\"me\",\"5m\"]"},
        {"rbac.authorization.k8s.io", "roles", "{" META "}", "[\"n\",\"2026-11-21T06:25:00Z\"]"},
        {"rbac.authorization.k8s.io", "rolebindings",
         "{" META ",\"roleRef\":{\"kind\":\"Role\",\"name\":\"r\"},\"subjects\":[{\"kind\":"
         "\"User\",\"name\":\"u\"},{\"kind\":\"User\",\"name\":\"v\"},{\"kind\":"
         "\"ServiceAccount\",\"namespace\":\"x\",\"name\":\"s\"}]}",
         "[\"n\",\"Role/r\",\"5m\",\"u, v\",\"\",\"x/s\"]"},
        {"apiextensions.k8s.io", "customresourcedefinitions",
         "{" META ",\"spec\":{\"group\":\"g\",\"scope\":\"Namespaced\",\"names\":{\"kind\":\"K\","
         "\"shortNames\":[\"a\",\"b\"]},\"versions\":[{\"name\":\"v2\",\"served\":true},"
         "{\"name\":\"v1\",\"served\":true,\"storage\":true},{\"name\":\"v0\"}]},\"status\":{"
         "\"conditions\":[{\"type\":\"Established\",\"status\":\"True\"}]}}",
         "[\"n\",\"Namespaced\",\"v1(storage),v2\",\"2026-11-21T06:25:00Z\",\"g\",\"K\",\"a,b\","
         "true]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube__api_resource resource = builtin(cases[i].group, cases[i].plural, "Kind");
        kube__json *table = table_of(&resource, "None", parse(cases[i].object), NULL);
        const kube__json *definitions = kube__json_get(table, "columnDefinitions");
        ck_assert_str_eq(cells_of(table), cases[i].cells);
        ck_assert_uint_eq(parse(cases[i].cells)->len, definitions->len);
    }
}

#define SPEC "\"spec\":{\"containers\":[{\"name\":\"a\"},{\"name\":\"b\"}]}"

TEST(a_pods_state_is_that_of_its_containers)
{
    static const struct {
        const char *status;
        const char *cells; /* ready, status, restarts */
    } cases[] = {
        {"{\"phase\":\"Pending\"}", "\"0/2\",\"Pending\",\"0\""},
        {"{\"phase\":\"Running\",\"containerStatuses\":[{\"ready\":true,\"restartCount\":0,"
         "\"state\":{\"running\":{}}},{\"ready\":false,\"restartCount\":3,\"state\":{\"waiting\":"
         "{\"reason\":\"CrashLoopBackOff\"}},\"lastState\":{\"terminated\":{\"finishedAt\":"
         "\"2026-11-21T06:29:00Z\"}}}]}",
         "\"1/2\",\"CrashLoopBackOff\",\"3 (60s ago)\""},
        {"{\"phase\":\"Failed\",\"containerStatuses\":[{\"state\":{\"terminated\":{\"exitCode\":"
         "2}}}]}",
         "\"0/2\",\"ExitCode:2\",\"0\""},
        {"{\"phase\":\"Failed\",\"reason\":\"Evicted\"}", "\"0/2\",\"Evicted\",\"0\""},
        {"{\"phase\":\"Pending\",\"initContainerStatuses\":[{\"name\":\"i\",\"state\":{"
         "\"waiting\":{\"reason\":\"PodInitializing\"}}}]}",
         "\"0/2\",\"Init:0/0\",\"0\""},
        {"{\"phase\":\"Pending\",\"conditions\":[{\"type\":\"PodScheduled\",\"reason\":"
         "\"SchedulingGated\"}]}",
         "\"0/2\",\"SchedulingGated\",\"0\""},
    };
    kube__api_resource resource = builtin("", "pods", "Pod");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *object = kube_printf(ctx, "{" META "," SPEC ",\"status\":%s}", cases[i].status);
        const char *expected = kube_printf(
            ctx, "[\"n\",%s,\"5m\",\"<none>\",\"<none>\",\"<none>\",\"<none>\"]", cases[i].cells);
        ck_assert_str_eq(cells_of(table_of(&resource, "", parse(object), NULL)), expected);
    }
}

TEST(an_ended_pod_says_so_in_its_row)
{
    kube__api_resource resource = builtin("", "pods", "Pod");
    kube__json *table =
        table_of(&resource, "Object",
                 parse("{" META "," SPEC ",\"status\":{\"phase\":\"Succeeded\"}}"), NULL);
    const kube__json *row = kube__json_item(kube__json_get(table, "rows"), 0);
    const kube__json *condition = kube__json_item(kube__json_get(row, "conditions"), 0);
    ck_assert_str_eq(kube__json_string_at(condition, "type"), "Completed");
    ck_assert_str_eq(kube__json_string_at(condition, "reason"), "Succeeded");
    ck_assert_str_eq(kube__json_string_at(row, "object.kind"), "Pod");
    ck_assert_str_eq(kube__json_string_at(row, "object.apiVersion"), "v1");
}

/* ---- YAML ----------------------------------------------------------------------------------- */

static const char *yaml_of(const kube__json *value)
{
    kube__buffer out;
    kube__buffer_init(&out, 1 << 20);
    kube__yaml_write(value, &out);
    const char *text = kube_ctx_strdup(ctx, out.data ? out.data : "");
    kube__buffer_fini(&out);
    return text;
}

TEST(yaml_is_laid_out_as_the_real_servers)
{
    static const char *const cases[][2] = {
        {"{\"b\":1,\"a\":{\"y\":[1,\"two\",{\"k\":true,\"j\":null}],\"x\":{}}}",
         "a:\n  x: {}\n  \"y\":\n  - 1\n  - two\n  - j: null\n    k: true\nb: 1\n"},
        {"{\"a\":[[1,2],[]]}", "a:\n- - 1\n  - 2\n- []\n"},
        {"{\"t\":\"2026-11-21T06:25:35Z\",\"n\":\"12\",\"b\":\"true\",\"e\":\"\",\"c\":\"a: b\","
         "\"p\":\"4541efb8-ea55\",\"i\":\"10.0.0.1\",\"h\":\"a #b\",\"d\":\"-x\",\"v\":\"v1\"}",
         "b: \"true\"\nc: 'a: b'\nd: -x\ne: \"\"\nh: 'a #b'\ni: 10.0.0.1\n\"n\": \"12\"\n"
         "p: 4541efb8-ea55\nt: \"2026-11-21T06:25:35Z\"\nv: v1\n"},
        {"{\"a\":\"one\\ntwo\\n\",\"b\":\"one\\ntwo\",\"c\":\"x\\n\\n\"}",
         "a: |\n  one\n  two\nb: |-\n  one\n  two\nc: |+\n  x\n\n"},
        {"{\"f:a.b/c\":{\".\":{}}}", "f:a.b/c:\n  .: {}\n"},
        {"{\"a\":\"tab\\there\",\"q\":\"it's\"}", "a: \"tab\\there\"\nq: it's\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(yaml_of(parse(cases[i][0])), cases[i][1]);
}

/* One table with everything in it, and its YAML. */
static bool show_once(void *arg)
{
    (void)arg;
    kube_ctx *own = kube_ctx_new();
    if (!own)
        return false;
    kube_ctx *in = own;
    kube__api_resource resource = builtin("demo.io", "widgets", "Widget");
    resource.custom = true;
    resource.columns = columns;
    resource.column_count = sizeof columns / sizeof *columns;
    kube__json *object = kube__json_parse(in, widget, sizeof widget - 1, NULL, NULL, NULL);
    kube__api_pair accept_header = {"accept",
                                    "application/yaml;as=Table;v=v1;g=meta.k8s.io,text/html"};
    const kube__api_request request = {
        .ctx = in, .method = "GET", .name = "w1", .verb = "get", .headers = {&accept_header, 1}};
    kube__api_view view;
    kube__api_media media;
    kube__buffer out;
    kube__buffer_init(&out, 1 << 20);
    kube__api_failure *failure = kube__api_accept(in, &request, &resource, &view, &media);
    kube__json *table =
        kube__api_table(in, &request, &resource, &object, object ? 1 : 0, NULL, true, NOW);
    kube__yaml_write(table, &out);
    bool done = !failure && !kube_ctx_failed(in) && !out.failed;
    kube__buffer_fini(&out);
    kube_ctx_free(own);
    return done;
}

TEST(lost_memory_is_noticed)
{
    ck_assert_uint_gt(fail_malloc_replay(show_once, NULL), 0);
}
