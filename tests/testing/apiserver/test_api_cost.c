/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What requests cost, counted: steps and bytes, for documents of n, 2n and 4n parts that are made
 * to cost as much as they can. Quadratic work would take sixteen times as long for the last as for
 * the first.
 */
#include "api_kit.h"
#include "apiserver/value/steps.h"
#include "base/buffer.h"
#include "base/ctx.h"
#include "support/suite.h"

static api_kit kit;

static const char crd[] =
    "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{'name':"
    "'gadgets.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'plural':'gadgets',"
    "'kind':'Gadget','singular':'gadget','listKind':'GadgetList'},'versions':[{'name':'v1',"
    "'served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object','properties':{"
    "'spec':{'type':'object','properties':{"
    "'keyed':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],"
    "'items':{'type':'object','required':['k'],'properties':{'k':{'type':'integer'},'v':{'type':"
    "'integer'}}}},"
    "'set':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'integer'}},"
    "'text':{'type':'array','items':{'type':'string','pattern':'^(a|b)*$'}},"
    "'defaults':{'type':'array','items':{'type':'object','default':{},'properties':{'a':{'type':"
    "'integer','default':1}}}},"
    "'any':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}}}}}]}}";

/* ---- documents ------------------------------------------------------------------------------ */

/* @format has one %zu; the parts are numbered downwards, so that sorted lists have it hard. */
static const char *parts(size_t count, const char *before, const char *format, const char *after)
{
    kube__buffer text;
    char one[200];
    kube__buffer_init(&text, SIZE_MAX / 4);
    kube__buffer_add_text(&text, before);
    for (size_t i = count; i-- > 0;) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(one, sizeof one, format, i);
#pragma GCC diagnostic pop
        kube__buffer_add_text(&text, one);
        kube__buffer_add_text(&text, i ? "," : after);
    }
    return kube__api_take_text(kit.ctx, &text, NULL);
}

typedef struct cost_case {
    const char *method;
    const char *path;
    const char *type; /* NULL = JSON */
    const char *before;
    const char *part;
    const char *after;
    int status;
    bool twice; /* what counts is the second request, which finds what the first has made */
} cost_case;

#define CONFIG_MAPS "/api/v1/namespaces/default/configmaps"
#define GADGETS "/apis/ex.com/v1/gadgets"
#define MAP "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'"
#define GADGET "{'apiVersion':'ex.com/v1','kind':'Gadget','metadata':{'name':'a'},'spec':{"
#define APPLY "application/apply-patch+yaml"
#define MERGE "application/merge-patch+json"
#define STRATEGIC "application/strategic-merge-patch+json"
#define UPDATER                                                                                    \
    "'managedFields':[{'manager':'m','operation':'Update','apiVersion':'v1','fieldsType':"         \
    "'FieldsV1','fieldsV1':"

static const cost_case cases[] = {
    {"POST", CONFIG_MAPS, NULL, MAP ",'labels':{", "'k%zu':'v'", "}}}", 201, false},
    {"POST", CONFIG_MAPS, NULL, MAP ",'labels':{", "'-%zu':'!'", "}}}", 422, false},
    {"POST", CONFIG_MAPS, NULL, MAP ",'finalizers':[", "'ex.com/f%zu'", "]}}", 201, false},
    {"POST", CONFIG_MAPS, NULL, MAP ",'ownerReferences':[",
     "{'apiVersion':'v1','kind':'C','name':'n','uid':'u%zu'}", "]}}", 201, false},
    {"POST", CONFIG_MAPS, NULL, MAP ",'ownerReferences':[",
     "{'apiVersion':'v1','kind':'C','name':'n','uid':'u%zu','controller':true}", "]}}", 422, false},
    {"POST", CONFIG_MAPS, NULL, MAP "," UPDATER "{'f:data':{", "'f:k%zu':{}", "}}}]}}", 201, false},
    {"POST", CONFIG_MAPS, NULL, MAP "," UPDATER "{'f:data':{", "'k:{\\\"a\\\":%zu}':{}", "}}}]}}",
     201, false},
    {"PATCH", CONFIG_MAPS "/a?fieldManager=m", APPLY, MAP "},'data':{", "'k%zu':'v'", "}}", 201,
     true},
    {"PATCH", CONFIG_MAPS "/a", STRATEGIC, "{'metadata':{'finalizers':[", "'ex.com/f%zu'", "]}}",
     200, true},
    {"PATCH", CONFIG_MAPS "/a", MERGE, "{'data':{", "'k%zu':'v'", "}}", 200, true},
    {"POST", GADGETS, NULL, GADGET "'keyed':[", "{'k':%zu}", "]}}", 201, false},
    {"POST", GADGETS, NULL, GADGET "'keyed':[", "{'v':%zu,'k':1}", "]}}", 422, false},
    {"PATCH", GADGETS "/a", MERGE, "{'spec':{'keyed':[", "{'k':%zu,'v':2}", "]}}", 200, true},
    {"PATCH", GADGETS "/a?fieldManager=m", APPLY, GADGET "'keyed':[", "{'k':%zu}", "]}}", 201,
     true},
    {"POST", GADGETS, NULL, GADGET "'set':[", "%zu", "]}}", 201, false},
    {"POST", GADGETS, NULL, GADGET "'text':[", "'c%zu'", "]}}", 422, false},
    {"POST", GADGETS, NULL, GADGET "'defaults':[", "null,{'b':%zu}", "]}}", 201, false},
    {"POST", GADGETS, NULL, GADGET "'any':{", "'k%zu':{'a':[1,2]}", "}}}", 201, false},
};

/* ---- requests ------------------------------------------------------------------------------- */

typedef struct cost {
    uint64_t steps;
    size_t bytes;
} cost;

static cost ask(const cost_case *c, const char *body)
{
    kube__api_failure *failure = NULL;
    kube_ctx *scope = kube_ctx_child(kit.ctx);
    kube__json *document = api_json(&kit, body);
    kube__api_steps_begin(0);
    kube__lock(&kit.server->lock);
    kube__json *answer =
        kube__api_loopback(kit.server, scope, c->method, c->path,
                           c->type ? c->type : "application/json", document, &failure);
    kube__unlock(&kit.server->lock);
    cost spent = {kube__api_steps_taken(), kube__ctx_bytes(scope)};
    ck_assert_msg((answer != NULL) == (c->status < 300), "%s", failure ? failure->message : "");
    if (failure)
        ck_assert_int_eq(failure->http_status, c->status);
    kube_ctx_free(scope);
    return spent;
}

static cost measure(const cost_case *c, size_t count)
{
    api_kit_start(&kit, &(kube_apiserver_options){.seed = 1});
    api_ask(&kit, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd, NULL);
    if (c->type && strcmp(c->type, APPLY) != 0) {
        api_ask(&kit, "POST", CONFIG_MAPS, MAP "}}", NULL);
        api_ask(&kit, "POST", GADGETS, GADGET "}}", NULL);
    }
    const char *body = parts(count, c->before, c->part, c->after);
    cost spent = ask(c, body);
    if (c->twice)
        spent = ask(c, body);
    api_kit_stop(&kit);
    return spent;
}

TEST_EACH(cost_grows_with_the_request, cases)
{
    const cost_case *c = &cases[_i];
    cost once = measure(c, 1000);
    cost twice = measure(c, 2000);
    cost four = measure(c, 4000);
    ck_assert_msg(twice.steps < 3 * once.steps + 1000, "%llu steps, then %llu",
                  (unsigned long long)once.steps, (unsigned long long)twice.steps);
    ck_assert_uint_lt(four.steps, 6 * once.steps + 1000);
    ck_assert_uint_lt(twice.bytes, 3 * once.bytes);
    ck_assert_uint_lt(four.bytes, 6 * once.bytes);
}

/* More are not served: the CRD was stored, and the connection broken. */
TEST(a_crd_has_at_most_64_versions)
{
    api_kit_start(&kit, &(kube_apiserver_options){.seed = 1});
    const char *body = parts(
        65,
        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',"
        "'metadata':{'name':'gadgets.ex.com'},'spec':{'group':'ex.com','scope':'Cluster',"
        "'names':{'plural':'gadgets','kind':'Gadget'},'versions':[",
        "{'name':'v%zu','served':true,'schema':{'openAPIV3Schema':{'type':'object'}}}", "]}}");
    int status;
    api_ask(&kit, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body, &status);
    ck_assert_int_eq(status, 422);
    api_kit_stop(&kit);
}

static int ask_within(const char *method, const char *path, uint64_t steps)
{
    int status;
    kube_ctx *whole = kit.ctx;
    kit.ctx = kube_ctx_child(whole);
    kube__api_steps_begin(steps);
    api_ask(&kit, method, path, NULL, &status);
    kube__api_steps_begin(0);
    kube_ctx_free(kit.ctx);
    kit.ctx = whole;
    return status;
}

/* Each requirement is held against each object. */
TEST(selectors_are_counted)
{
    api_kit_start(&kit, &(kube_apiserver_options){.seed = 1});
    const char *list = parts(1000, CONFIG_MAPS "?labelSelector=", "!k%zu", "");
    const char *fields = parts(1000, CONFIG_MAPS "?fieldSelector=", "metadata.name!=%zu", "");
    const char *watch = parts(1000, CONFIG_MAPS "?watch=true&labelSelector=", "!k%zu", "");
    char path[60];
    for (int i = 0; i < 10; i++) {
        snprintf(path, sizeof path, "{'metadata':{'name':'a%d'}}", i);
        api_ask(&kit, "POST", CONFIG_MAPS, path, NULL);
    }
    ck_assert_int_eq(ask_within("GET", list, 20000), 504);
    ck_assert_int_eq(ask_within("GET", fields, 20000), 504);
    ck_assert_int_eq(ask_within("GET", watch, 20000), 504);
    ck_assert_int_eq(ask_within("DELETE", list, 20000), 504);
    ck_assert(api_exists(&kit, CONFIG_MAPS "/a0") && api_exists(&kit, CONFIG_MAPS "/a9"));
    ck_assert_int_eq(ask_within("GET", list, 1000000), 200);
    ck_assert_int_eq(ask_within("DELETE", list, 1000000), 200);
    ck_assert(!api_exists(&kit, CONFIG_MAPS "/a0"));
    api_kit_stop(&kit);
}

/* What a request takes beyond its share is a 504, and the next one has its own. */
TEST(a_request_that_takes_too_many_steps_times_out)
{
    api_kit_start(&kit, &(kube_apiserver_options){.seed = 1});
    const char *body = parts(1000, MAP "},'data':{", "'k%zu':'v'", "}}");
    int status;
    kube_ctx *whole = kit.ctx;
    kit.ctx = kube_ctx_child(whole);
    kube__api_steps_begin(10000);
    api_ask(&kit, "POST", CONFIG_MAPS, body, &status);
    ck_assert_int_eq(status, 504);
    kube__api_steps_begin(0);
    kube_ctx_free(kit.ctx);
    kit.ctx = whole;
    ck_assert(!api_exists(&kit, CONFIG_MAPS "/a"));
    api_ask(&kit, "POST", CONFIG_MAPS, body, &status);
    ck_assert_int_eq(status, 200);
    api_kit_stop(&kit);
}
