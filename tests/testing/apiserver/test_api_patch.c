/* SPDX-License-Identifier: Apache-2.0 */
/* The three patches; what is expected was answered by a kube-apiserver to the same patch. */
#include "apiserver/patch/patch.h"
#include "schema_kit.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <stdio.h>

static kube_ctx *ctx;

static void set_up(void)
{
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
}

/* Apostrophes stand for quotation marks, so that documents can be read. */
static kube__json *json_in(kube_ctx *in, const char *text)
{
    char copy[4096];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *c = copy; *c; c++)
        if (*c == '\'')
            *c = '"';
    return kube__json_parse(in, copy, strlen(copy), NULL, NULL, NULL);
}

static kube__json *json(const char *text)
{
    kube__json *value = json_in(ctx, text);
    ck_assert_msg(value != NULL, "no JSON: %s", text);
    return value;
}

static const char *sorted_text(kube__json *value)
{
    kube__json_sort(value);
    return kube__json_text(ctx, value, NULL);
}

static void expect_document(const char *patch, kube__api_failure *failure, kube__json *is,
                            const char *want)
{
    ck_assert_msg(!failure, "%s: %s", patch, failure ? failure->message : "");
    const char *text = sorted_text(is);
    ck_assert_msg(kube__json_equal(is, json(want)), "%s\n  gave %s\n  not  %s", patch, text, want);
}

static const char object[] = "{'kind':'Thing','spec':{'color':'red','size':3,'set':['a','b'],"
                             "'nested':{'a':'x'},'nul':null,'a/b':1,'m~n':2}}";

typedef struct patch_case {
    const char *patch;
    const char *want; /* the spec; for failures the message */
} patch_case;

FIXTURE(set_up, tear_down);

TEST(json_patch_does_what_the_server_does)
{
    static const patch_case cases[] = {
        {"[]", "{'color':'red','size':3,'set':['a','b'],'nested':{'a':'x'},'nul':null,'a/b':1,"
               "'m~n':2}"},
        {"[{'op':'replace','path':'/spec','value':{}},{'op':'add','path':'/spec/x','value':1}]",
         "{'x':1}"},
        {"[{'op':'replace','path':'/spec/nope','value':1},{'op':'move','from':'/spec/nope',"
         "'path':'/spec/set/0'},{'op':'copy','from':'/spec/set','path':'/spec'}]",
         "[1,'a','b']"},
        {"[{'op':'copy','from':'/spec/set','path':'/spec'},{'op':'replace','path':'/spec/-1',"
         "'value':'z'}]",
         "['a','z']"},
        {"[{'op':'copy','from':'/spec/set','path':'/spec'},{'op':'add','path':'/spec/-',"
         "'value':'z'}]",
         "['a','b','z']"},
        {"[{'op':'copy','from':'/spec/set','path':'/spec'},{'op':'add','path':'/spec/-1',"
         "'value':'z'}]",
         "['a','b','z']"},
        {"[{'op':'copy','from':'/spec/set','path':'/spec'},{'op':'remove','path':'/spec/-2'}]",
         "['b']"},
        {"[{'op':'copy','from':'/spec/nope','path':'/spec'}]", "null"},
        {"[{'op':'copy','from':'/spec/a~1b','path':'/spec'}]", "1"},
        {"[{'op':'copy','from':'/spec/m~0n','path':'/spec'}]", "2"},
        {"[{'op':'add','path':'/spec'}]", "null"},
        {"[{'op':'test','path':'/spec/nope','value':null},{'op':'test','path':'/spec/nope'},"
         "{'op':'test','path':'/spec/nul','value':null},{'op':'test','path':'/spec/nested',"
         "'value':{'a':'x'}},{'op':'test','path':'/spec/set','value':['a','b']},"
         "{'op':'replace','path':'/spec','value':1}]",
         "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube__json *out;
        kube__api_failure *failure =
            kube__api_json_patch(ctx, json(object), json(cases[i].patch), &out);
        expect_document(cases[i].patch, failure, kube__json_get(out, "spec"), cases[i].want);
    }
    kube__json *out;
    ck_assert_ptr_null(kube__api_json_patch(ctx, json(object), json("null"), &out));
    ck_assert(kube__json_equal(out, json(object)));
}

TEST(json_patch_that_cannot_be_done_is_422)
{
    static const char *const patches[] = {
        "[{'op':'test','path':'/spec/color','value':'blue'}]",
        "[{'op':'test','path':'/spec/nope','value':'blue'}]",
        "[{'op':'test','path':'/spec/color'}]",
        "[{'op':'test','path':'/nope/x','value':1}]",
        "[{'op':'test','path':'/spec/set/9','value':1}]",
        "[{'op':'test','path':'/spec/set/x','value':1}]",
        "[{'op':'test','path':'/spec/set','value':['b','a']}]",
        "[{'op':'test','path':'','value':{'a':1}}]",
        "[{'op':'remove','path':'/spec/nope'}]",
        "[{'op':'remove','path':'/nope/x'}]",
        "[{'op':'remove','path':'/spec/set/7'}]",
        "[{'op':'remove','path':'/spec/set/-9'}]",
        "[{'op':'remove','path':'/spec/set/x'}]",
        "[{'op':'remove','path':'/spec/nul/x'}]",
        "[{'op':'replace','path':'/nope/nope','value':1}]",
        "[{'op':'replace','path':'/spec/set/5','value':'z'}]",
        "[{'op':'replace','path':'','value':'z'}]",
        "[{'op':'add','path':'/nope/nope','value':1}]",
        "[{'op':'add','path':'/spec/color/x','value':1}]",
        "[{'op':'add','path':'/spec/set/5','value':'z'}]",
        "[{'op':'add','path':'/spec/set/-9','value':'z'}]",
        "[{'op':'add','path':'','value':'z'}]",
        "[{'op':'add','path':'x','value':'z'}]",
        "[{'op':'add','value':'z'}]",
        "[{'op':'add','path':null,'value':'z'}]",
        "[{'op':'remove'}]",
        "[{'op':'move','from':'/spec/nope','path':'/spec/x'}]",
        "[{'op':'move','from':'/spec/set/0','path':'/spec/set/9'}]",
        "[{'op':'move','from':'/spec/set/0'}]",
        "[{'op':'copy','from':'/nope/nope','path':'/spec/x'}]",
        "[{'op':'copy','from':'/spec/set/9','path':'/spec/x'}]",
        "[{'op':'copy','from':'/spec/set/0','path':'/nope/x'}]",
        "[{'op':'foo','path':'/spec'}]",
        "[{'path':'/spec'}]",
        "[{'OP':'add','path':'/spec/color','value':'a'}]",
        "[null]",
    };
    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++) {
        kube__json *out;
        kube__api_failure *failure =
            kube__api_json_patch(ctx, json(object), json(patches[i]), &out);
        ck_assert_msg(failure != NULL, "%s was done", patches[i]);
        ck_assert_int_eq(failure->http_status, 422);
        ck_assert_str_eq(failure->reason, "Invalid");
        ck_assert(failure->has_details);
        ck_assert_str_eq(failure->message,
                         "the server rejected our request due to an error in our request");
    }
}

TEST(json_patch_that_is_none_is_400)
{
    static const patch_case cases[] = {
        {"[{'op':'add','path':5,'value':'z'}]",
         "error decoding patch: json: cannot unmarshal number into Go struct field "
         "jsonPatchOp.path of type string"},
        {"[{'op':5,'path':'/spec'}]",
         "error decoding patch: json: cannot unmarshal number into Go struct field "
         "jsonPatchOp.op of type string"},
        {"{'op':'add'}", "error decoding patch: json: cannot unmarshal object into Go value of "
                         "type []handlers.jsonPatchOp"},
        {"[5]", "error decoding patch: json: cannot unmarshal number into Go value of type "
                "handlers.jsonPatchOp"},
        {"[[]]", "error decoding patch: json: cannot unmarshal array into Go value of type "
                 "handlers.jsonPatchOp"},
        {"'x'", "error decoding patch: json: cannot unmarshal string into Go value of type "
                "[]handlers.jsonPatchOp"},
    };
    kube__json *out;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube__api_failure *failure =
            kube__api_json_patch(ctx, json(object), json(cases[i].patch), &out);
        ck_assert_ptr_nonnull(failure);
        ck_assert_int_eq(failure->http_status, 400);
        ck_assert_str_eq(failure->message, cases[i].want);
    }
    kube__json *many = json("[]");
    for (int i = 0; i <= 10000; i++)
        kube__json_append(many, json("{'op':'test','path':''}"));
    kube__api_failure *failure = kube__api_json_patch(ctx, json(object), many, &out);
    ck_assert_ptr_nonnull(failure);
    ck_assert_int_eq(failure->http_status, 413);
}

TEST(merge_patch_does_what_the_server_does)
{
    static const struct {
        const char *object;
        const char *patch;
        const char *want;
    } cases[] = {
        {"{'a':1,'n':null,'l':[1,null,{'x':null}]}", "{}",
         "{'a':1,'n':null,'l':[1,null,{'x':null}]}"},
        {"{'a':1}", "{'new':{'a':null,'b':1,'l':[null,{'z':null}]}}",
         "{'a':1,'new':{'b':1,'l':[null,{}]}}"},
        {"{'n':null}", "{'n':{'q':null}}", "{'n':{}}"},
        {"{'a':1}", "{'a':{'b':{'c':null,'d':{}}}}", "{'a':{'b':{'d':{}}}}"},
        {"{'a':{'b':1,'c':2}}", "{'a':{'b':null}}", "{'a':{'c':2}}"},
        {"{'a':{'b':1}}", "{'a':null,'x':null}", "{}"},
        {"{'a':{'b':1}}", "{'a':[1,2]}", "{'a':[1,2]}"},
        {"{'a':[1,2]}", "{'a':[3]}", "{'a':[3]}"},
        {"{'a':9007199254740993}", "{'b':9223372036854775807}",
         "{'a':9007199254740993,'b':9223372036854775807}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_document(cases[i].patch, NULL,
                        kube__api_merge_patch(ctx, json(cases[i].object), json(cases[i].patch)),
                        cases[i].want);
}

TEST(merge_patch_that_is_none_is_400)
{
    ck_assert_ptr_null(kube__api_check_merge_patch(ctx, json("{}")));
    ck_assert_str_eq(kube__api_check_merge_patch(ctx, json("null"))->message, "Invalid JSON Patch");
    ck_assert_str_eq(kube__api_check_merge_patch(ctx, json("[]"))->message,
                     "error decoding patch: json: cannot unmarshal array into Go value of type "
                     "map[string]interface {}");
}

/* ---- strategic merge ------------------------------------------------------------------------ */

static const char deployment_schema[] =
    "{'type':'object','properties':{'metadata':{'type':'object','properties':{"
    "'finalizers':{'type':'array','items':{'type':'string'},"
    "'x-kubernetes-patch-strategy':'merge'},"
    "'labels':{'type':'object','additionalProperties':{'type':'string'}},"
    "'ownerReferences':{'type':'array','x-kubernetes-patch-strategy':'merge',"
    "'x-kubernetes-patch-merge-key':'uid','items':{'type':'object'}}}},"
    "'containers':{'type':'array','x-kubernetes-patch-strategy':'merge',"
    "'x-kubernetes-patch-merge-key':'name','items':{'type':'object','properties':{"
    "'name':{'type':'string'},'image':{'type':'string'},"
    "'args':{'type':'array','items':{'type':'string'}},"
    "'env':{'type':'array','x-kubernetes-patch-strategy':'merge',"
    "'x-kubernetes-patch-merge-key':'name','items':{'type':'object'}},"
    "'ports':{'type':'array','x-kubernetes-patch-strategy':'merge',"
    "'x-kubernetes-patch-merge-key':'containerPort','items':{'type':'object'}}}}},"
    "'volumes':{'type':'array','x-kubernetes-patch-strategy':'merge,retainKeys',"
    "'x-kubernetes-patch-merge-key':'name','items':{'type':'object'}},"
    "'strategy':{'type':'object'},"
    "'tolerations':{'type':'array','items':{'type':'object'}}}}";

static const char deployment[] =
    "{'metadata':{'finalizers':['x.io/a','x.io/b'],'labels':{'a':'1'}},"
    "'containers':[{'name':'c1','image':'i1','env':[{'name':'A','value':'1'},{'name':'B',"
    "'value':'2'}],'ports':[{'containerPort':80,'name':'http'},{'containerPort':81,"
    "'name':'x'}],'args':['a','b']},{'name':'c2','image':'i2'}],"
    "'volumes':[{'name':'v1','emptyDir':{}},{'name':'v2','configMap':{'name':'x'}}],"
    "'strategy':{'type':'RollingUpdate','rollingUpdate':{'maxSurge':1}},"
    "'tolerations':[{'key':'a'}],'replicas':1}";

static kube__api_failure *merge_strategically(const char *patch, kube__json **out)
{
    return kube__api_strategic_patch(ctx, schema_of(ctx, json(deployment_schema)), json(deployment),
                                     json(patch), out);
}

#define C1                                                                                         \
    "{'name':'c1','image':'i1','env':[{'name':'A','value':'1'},{'name':'B','value':'2'}],"         \
    "'ports':[{'containerPort':80,'name':'http'},{'containerPort':81,'name':'x'}],"                \
    "'args':['a','b']}"
#define C2 "{'name':'c2','image':'i2'}"

TEST(strategic_merge_does_what_the_server_does)
{
    static const struct {
        const char *path;
        const char *patch;
        const char *want;
    } cases[] = {
        /* new elements come first, named ones in the patch's sequence */
        {"containers", "{'containers':[{'name':'c3','image':'i3'}]}",
         "[{'name':'c3','image':'i3'}," C1 "," C2 "]"},
        {"containers", "{'containers':[{'name':'c2','image':'i22'}]}",
         "[" C1 ",{'name':'c2','image':'i22'}]"},
        {"containers",
         "{'containers':[{'name':'c2'},{'name':'c1','env':null,'ports':null,'args':['z']},"
         "{'name':'c0','image':'n'}]}",
         "[" C2 ",{'name':'c1','image':'i1','args':['z']},{'name':'c0','image':'n'}]"},
        {"containers", "{'containers':[{'name':'c1','$patch':'delete'}]}", "[" C2 "]"},
        {"containers", "{'containers':[{'$patch':'replace'},{'name':'q','image':'r'}]}",
         "[{'name':'q','image':'r'}]"},
        {"containers",
         "{'containers':[{'name':'c1','env':[{'name':'B','$patch':'delete'},{'name':'C',"
         "'value':'3'}],'ports':[{'containerPort':82}]}]}",
         "[{'name':'c1','image':'i1','args':['a','b'],'env':[{'name':'C','value':'3'},"
         "{'name':'A','value':'1'}],'ports':[{'containerPort':82},{'containerPort':80,"
         "'name':'http'},{'containerPort':81,'name':'x'}]}," C2 "]"},
        {"containers",
         "{'containers':[{'name':'c1','ports':[{'containerPort':80,'name':'h2'}],'env':["
         "{'name':'B','value':null},{'name':'A','valueFrom':{'x':1},'value':null}]}]}",
         "[{'name':'c1','image':'i1','args':['a','b'],'env':[{'name':'B'},{'name':'A',"
         "'valueFrom':{'x':1}}],'ports':[{'containerPort':80,'name':'h2'},{'containerPort':81,"
         "'name':'x'}]}," C2 "]"},
        {"volumes",
         "{'volumes':[{'name':'v1','$retainKeys':['name','hostPath'],'hostPath':{'path':'/x'}}]}",
         "[{'name':'v1','hostPath':{'path':'/x'}},{'name':'v2','configMap':{'name':'x'}}]"},
        {"containers", "{'$setElementOrder/containers':[{'name':'c2'},{'name':'c1'}]}",
         "[" C2 "," C1 "]"},
        {"containers",
         "{'$setElementOrder/containers':[{'name':'c1'},{'name':'c3'},{'name':'c2'}],"
         "'containers':[{'name':'c3','image':'z'}]}",
         "[" C1 ",{'name':'c3','image':'z'}," C2 "]"},
        {"containers",
         "{'$setElementOrder/containers':[{'name':'c1'}],'containers':[{'name':'c2',"
         "'$patch':'delete'}]}",
         "[" C1 "]"},
        {"tolerations", "{'tolerations':[{'key':'b'}]}", "[{'key':'b'}]"},
        {"containers", "{'$patch':'replace','containers':[{'name':'n','image':'m'}]}",
         "[{'name':'n','image':'m'}]"},
        {"volumes", "{'$patch':'replace','containers':[]}", NULL},
        {"containers", "{'$patch':'delete','containers':[]}", NULL},
        {"replicas", "{'replicas':null}", NULL},
        {"replicas", "{'replicas':3}", "3"},
        {"hostNetwork", "{'hostNetwork':{'$patch':'delete'}}", NULL},
        {"init", "{'init':[{'name':'c5','$patch':'delete'},{'name':'c6','x':null}]}",
         "[{'name':'c6'}]"},
        {"strategy", "{'strategy':{'$retainKeys':['type'],'type':'Recreate'}}",
         "{'type':'Recreate'}"},
        {"strategy.type", "{'strategy':{'type':'Recreate'}}", "'Recreate'"},
        {"metadata.finalizers", "{'metadata':{'finalizers':['x.io/c']}}",
         "['x.io/c','x.io/a','x.io/b']"},
        {"metadata.finalizers", "{'metadata':{'finalizers':['x.io/b','x.io/c']}}",
         "['x.io/a','x.io/b','x.io/c']"},
        {"metadata.finalizers", "{'metadata':{'finalizers':[]}}", "['x.io/a','x.io/b']"},
        {"metadata.finalizers", "{'metadata':{'finalizers':null}}", NULL},
        {"metadata.finalizers", "{'metadata':{'$deleteFromPrimitiveList/finalizers':['x.io/a']}}",
         "['x.io/b']"},
        {"metadata.finalizers",
         "{'metadata':{'$deleteFromPrimitiveList/finalizers':['x.io/a'],'finalizers':["
         "'x.io/q']}}",
         "['x.io/q','x.io/b']"},
        {"metadata.finalizers", "{'metadata':{'$deleteFromPrimitiveList/finalizers':5}}",
         "['x.io/a','x.io/b']"},
        {"metadata.nope", "{'metadata':{'$deleteFromPrimitiveList/nope':['a']}}", NULL},
        {"metadata.finalizers", "{'metadata':{'$setElementOrder/finalizers':['x.io/b','x.io/a']}}",
         "['x.io/b','x.io/a']"},
        {"metadata.finalizers",
         "{'metadata':{'$setElementOrder/finalizers':['x.io/b','x.io/n','x.io/a'],"
         "'finalizers':['x.io/n']}}",
         "['x.io/b','x.io/n','x.io/a']"},
        {"metadata.labels", "{'metadata':{'labels':{'$patch':'replace','z':'1'}}}", "{'z':'1'}"},
        {"metadata.labels", "{'metadata':{'labels':{'$patch':'delete','z':'1'}}}", "{}"},
        {"metadata.labels", "{'metadata':{'labels':{'$retainKeys':['z'],'z':'1'}}}", "{'z':'1'}"},
        {"metadata.labels", "{'metadata':{'labels':{'a':null,'b':'2','n':null}}}", "{'b':'2'}"},
        {"metadata.annotations", "{'metadata':{'annotations':{'q':null,'r':'1'}}}", "{'r':'1'}"},
        {"metadata.ownerReferences", "{'metadata':{'ownerReferences':[{'uid':'u1'}]}}",
         "[{'uid':'u1'}]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube__json *out;
        kube__api_failure *failure = merge_strategically(cases[i].patch, &out);
        kube__json *at = kube__json_at(out, cases[i].path);
        if (cases[i].want)
            expect_document(cases[i].patch, failure, at, cases[i].want);
        else
            ck_assert_msg(!failure && !at, "%s left %s", cases[i].patch, cases[i].path);
    }
}

TEST(strategic_merge_that_fails_says_what_the_server_says)
{
    static const struct {
        const char *patch;
        int http_status;
        const char *message;
    } cases[] = {
        {"[]", 400, "json: cannot unmarshal array into Go value of type map[string]interface {}"},
        {"{'containers':[{'$patch':'delete'}]}", 500,
         "map: map[$patch:delete] does not contain declared merge key: name"},
        {"{'containers':[{'$patch':'foo','name':'c1'}]}", 500,
         "unknown patch type: foo in map: map[$patch:foo name:c1]"},
        {"{'containers':[{'$patch':'merge','name':'c1'}]}", 500,
         "merging lists cannot yet be specified in the patch"},
        {"{'containers':[{'image':'zz'}]}", 500,
         "map: map[image:zz] does not contain declared merge key: name"},
        {"{'metadata':{'finalizers':[{'a':1}]}}", 500,
         "list element types are not identical: [[x.io/a x.io/b] [map[a:1]]]"},
        {"{'volumes':[{'name':'v1','$retainKeys':['name'],'hostPath':{'path':'/x'}}]}", 400,
         "invalid patch format of retainKeys"},
        {"{'volumes':[{'name':'v1','$retainKeys':5}]}", 400, "invalid patch format of retainKeys"},
        {"{'$setElementOrder/containers':[{'name':'c1'},{'name':'c2'}],'containers':["
         "{'name':'c2'},{'name':'c1'}]}",
         500,
         "The order in patch list:\n[map[name:c2] map[name:c1]]\n doesn't match "
         "$setElementOrder list:\n[map[name:c1] map[name:c2]]\n"},
        {"{'$setElementOrder/containers':5}", 500,
         "expected a []interface {}, but received a int64"},
        {"{'$setElementOrder/containers':[5]}", 500, "value for key 0 is not a map"},
        {"{'$setElementOrder/containers':[{'x':1}]}", 500,
         "map: map[x:1] does not contain declared merge key: name"},
        {"{'$setElementOrder':[{'name':'c1'}]}", 400,
         "invalid patch format of setElementOrder list"},
        {"{'metadata':{'$deleteFromPrimitiveList':['a']}}", 400,
         "invalid patch format of primitive list"},
        {"{'$patch':'foo'}", 500, "unknown patch type: foo in map: map[$patch:foo]"},
        {"{'$patch':5}", 500, "unknown patch type: %!s(int64=5) in map: map[$patch:5]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube__json *out;
        kube__api_failure *failure = merge_strategically(cases[i].patch, &out);
        ck_assert_msg(failure != NULL, "%s was done", cases[i].patch);
        ck_assert_str_eq(failure->message, cases[i].message);
        ck_assert_int_eq(failure->http_status, cases[i].http_status);
        ck_assert_ptr_null(out);
    }
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Whether it all worked; when it did not, memory must be the reason. */
static bool patch_in(kube_ctx *in)
{
    kube__json *document = json_in(in, deployment);
    kube__json *keywords = json_in(in, deployment_schema);
    kube__json *patch =
        json_in(in, "{'metadata':{'$setElementOrder/finalizers':['x.io/b'],'labels':{'$patch':"
                    "'replace'}},'volumes':null,'containers':[{'name':'c2','$retainKeys':["
                    "'name']},{'name':'n'}],'strategy':{'x':[1,{'y':null}]}}");
    kube__json *operations = json_in(in, "[{'op':'copy','from':'/volumes','path':'/x~1y'}]");
    if (!document || !keywords || !patch || !operations || kube_ctx_failed(in))
        return false;
    const kube__api_schema *schema = kube_ctx_failed(in) ? NULL : schema_of(in, keywords);
    kube__json *out;
    return !kube_ctx_failed(in) && !kube__api_strategic_patch(in, schema, document, patch, &out) &&
           !kube__api_json_patch(in, document, operations, &out) &&
           kube__api_merge_patch(in, document, patch) && !kube_ctx_failed(in);
}

static bool patch_once(void *arg)
{
    (void)arg;
    kube_ctx *own = kube_ctx_new();
    if (!own)
        return false;
    kube_ctx *in = own;
    bool done = patch_in(in);
    if (!done && !kube_ctx_failed(in))
        abort();
    kube_ctx_free(own);
    return done;
}

TEST(lost_memory_is_a_failure_and_nothing_else)
{
    ck_assert_uint_gt(fail_malloc_replay(patch_once, NULL), 0);
}
