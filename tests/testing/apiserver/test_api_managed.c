/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Server-side apply and field ownership. apply.jsonl holds sequences of requests with what a
 * kube-apiserver made of each: the object, its owners, or the conflict.
 */
#include "apiserver/patch/managed_fields.h"
#include "apiserver/patch/patch.h"
#include "apiserver/patch/typed.h"
#include "schema_kit.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <stdio.h>

static kube_ctx *ctx;
static const kube__api_schema *things;

static kube__json *parse_in(kube_ctx *in, const char *text)
{
    return kube__json_parse(in, text, strlen(text), NULL, NULL, NULL);
}

/* Apostrophes stand for quotation marks, so that documents can be read. */
static kube__json *json_in(kube_ctx *in, const char *text)
{
    char copy[2048];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *c = copy; *c; c++)
        if (*c == '\'')
            *c = '"';
    return parse_in(in, copy);
}

static kube__json *json(const char *text)
{
    kube__json *value = json_in(ctx, text);
    ck_assert_msg(value != NULL, "no JSON: %s", text);
    return value;
}

static FILE *open_recordings(void)
{
    char path[1024];
    const char *source = getenv("KUBEGEN_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/tests/testing/apiserver/apply.jsonl", source ? source : ".");
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot read %s", path);
    return file;
}

static void set_up(void)
{
    ctx = kube_ctx_new();
    char *line = NULL;
    size_t size = 0;
    FILE *file = open_recordings();
    ck_assert_int_gt(getline(&line, &size, file), 0);
    fclose(file);
    things = schema_of(ctx, kube__json_get(parse_in(ctx, line), "schema"));
    free(line);
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
}

/* ---- recorded sequences --------------------------------------------------------------------- */

/* What the server does around tracking: defaults, and the part that a request cannot set. */
static void put_defaults(kube__json *object)
{
    kube__json *spec = kube__json_get(object, "spec");
    if (!kube__json_is(spec, KUBE__JSON_OBJECT))
        return;
    if (!kube__json_get(spec, "def"))
        kube__json_set_string(ctx, spec, "def", "dflt");
    KUBE__JSON_EACH (port, kube__json_get(spec, "ports")) {
        if (!kube__json_get(port, "proto"))
            kube__json_set_string(ctx, port, "proto", "TCP");
    }
}

static void drop_empty(kube__json *object)
{
    static const char *const names[] = {"labels", "annotations", "finalizers", "ownerReferences"};
    kube__json *metadata = kube__json_get(object, "metadata");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const kube__json *value = kube__json_get(metadata, names[i]);
        if (value && !value->len)
            kube__json_remove(metadata, names[i]);
    }
}

static void keep_status(const kube__json *live, kube__json *object)
{
    const kube__json *status = kube__json_get(live, "status");
    kube__json_remove(object, "status");
    if (status)
        kube__json_set(ctx, object, "status", kube__json_copy(ctx, status));
}

static kube__json *only_status(const kube__json *live, const kube__json *object)
{
    kube__json *out = kube__json_copy(ctx, live);
    kube__json_set(ctx, out, "status", kube__json_copy(ctx, kube__json_get(object, "status")));
    const kube__json *owners = kube__json_at(object, "metadata.managedFields");
    if (owners)
        kube__json_set(ctx, kube__json_get(out, "metadata"), "managedFields",
                       kube__json_copy(ctx, owners));
    return out;
}

static kube__json *changed(const kube__json *live, const char *op, const kube__json *body)
{
    kube__json *out;
    if (strcmp(op, "merge") == 0)
        return kube__api_merge_patch(ctx, live, body);
    if (strcmp(op, "json") != 0)
        return kube__json_copy(ctx, body);
    ck_assert_ptr_null(kube__api_json_patch(ctx, live, body, &out));
    return out;
}

static kube__api_failure *play(const kube__json *live, const kube__json *step, const char *time,
                               kube__json **out)
{
    static const kube__api_resource resource = {
        .plural = "things", .custom = true, .has_status = true};
    const char *op = kube__json_string_at(step, "op");
    const kube__json *body = kube__json_get(step, "body");
    kube__api_manager manager = {
        .name = kube__json_string_at(step, "mgr"),
        .api_version = "example.com/v1",
        .subresource = kube__json_string_at(step, "sub"),
        .time = time,
        .force = kube__json_is_true(kube__json_get(step, "force")),
        .resource = &resource,
    };
    bool of_status = *manager.subresource;
    kube__api_failure *failure = NULL;
    bool unchanged;
    bool applies = strcmp(op, "apply") == 0;
    if (applies)
        failure = kube__api_apply(ctx, things, live, body, &manager, out, &unchanged);
    else
        *out = changed(live, op, body);
    if (failure)
        return failure;
    put_defaults(*out);
    if (of_status)
        *out = only_status(live, *out);
    else
        keep_status(live, *out);
    drop_empty(*out);
    return applies ? NULL : kube__api_track(ctx, things, live, *out, &manager);
}

/* The entries without times, but whether there is one; sorted by what identifies them, for the
 * recorded ones may have been a second apart. */
static kube__json *comparable(kube__json *entries)
{
    kube__json *out = kube__json_array(ctx);
    KUBE__JSON_EACH (entry, entries) {
        kube__json *copy = kube__json_copy(ctx, entry);
        if (!kube__json_remove(copy, "time") && !kube__json_get(copy, "untimed"))
            kube__json_set_bool(ctx, copy, "untimed", true);
        kube__json_append(out, copy);
    }
    return out;
}

static bool among(const kube__json *entry, const kube__json *entries)
{
    KUBE__JSON_EACH (other, entries) {
        if (kube__json_equal(entry, other))
            return true;
    }
    return false;
}

static void expect_owners(const char *name, kube__json *is, const kube__json *want)
{
    kube__json *owners = comparable(is);
    ck_assert_msg(owners->len == want->len, "%s: owners are %s", name,
                  kube__json_text(ctx, owners, NULL));
    KUBE__JSON_EACH (entry, want) {
        kube__json *copy = kube__json_copy(ctx, entry);
        if (!kube__json_get(copy, "untimed"))
            kube__json_remove(copy, "untimed");
        ck_assert_msg(among(copy, owners), "%s: no owner %s\n  in %s", name,
                      kube__json_text(ctx, entry, NULL), kube__json_text(ctx, owners, NULL));
    }
}

static void expect(const char *name, kube__json *object, const kube__json *want)
{
    static const char *const members[] = {"spec",
                                          "status",
                                          "metadata.labels",
                                          "metadata.annotations",
                                          "metadata.finalizers",
                                          "metadata.ownerReferences"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const kube__json *is = kube__json_at(object, members[i]);
        const kube__json *be = kube__json_at(want, members[i]);
        ck_assert_msg((!is && !be) || kube__json_equal(is, be), "%s: %s is %s\n  not %s", name,
                      members[i], is ? kube__json_text(ctx, is, NULL) : "missing",
                      be ? kube__json_text(ctx, be, NULL) : "missing");
    }
    expect_owners(name, kube__json_at(object, "metadata.managedFields"),
                  kube__json_get(want, "owners"));
}

static void replay(const kube__json *sequence)
{
    const char *name = kube__json_string_at(sequence, "name");
    kube__json *live = NULL;
    int second = 0;
    KUBE__JSON_EACH (step, kube__json_get(sequence, "steps")) {
        if (strcmp(kube__json_string_at(step, "op"), "sleep") == 0) {
            second++;
            continue;
        }
        char *time = kube_printf(ctx, "2026-11-21T06:00:%02dZ", second);
        const kube__json *want = kube__json_get(step, "want");
        int64_t code = 0;
        kube__json *out;
        kube__api_failure *failure = play(live, step, time, &out);
        if (kube__json_to_int(kube__json_get(want, "code"), &code)) {
            ck_assert_msg(failure != NULL, "%s: was done", name);
            ck_assert_int_eq(failure->http_status, (int)code);
            ck_assert_str_eq(failure->message, kube__json_string_at(want, "message"));
            continue;
        }
        ck_assert_msg(!failure, "%s: %s", name, failure ? failure->message : "");
        expect(name, out, want);
        live = out;
    }
}

FIXTURE(set_up, tear_down);

TEST(does_what_a_kube_apiserver_did)
{
    FILE *file = open_recordings();
    char *line = NULL;
    size_t size = 0;
    size_t count = 0;
    while (getline(&line, &size, file) > 0) {
        kube__json *sequence = parse_in(ctx, line);
        ck_assert_ptr_nonnull(sequence);
        if (kube__json_get(sequence, "steps")) {
            replay(sequence);
            count++;
        }
    }
    ck_assert_uint_gt(count, 70);
    free(line);
    fclose(file);
}

/* ---- configurations that are refused -------------------------------------------------------- */

TEST(refuses_what_has_wrong_types_with_the_real_texts)
{
    static const char *const cases[][2] = {
        {"{'color':5}", ".spec.color: expected string, got &value.valueUnstructured{Value:5}"},
        {"{'color':true}",
         ".spec.color: expected string, got &value.valueUnstructured{Value:true}"},
        {"{'color':{'a':1}}", ".spec.color: expected string, got &value.valueUnstructured{Value:"
                              "map[string]interface {}{\"a\":1}}"},
        {"{'color':['a']}", ".spec.color: expected string, got &value.valueUnstructured{Value:"
                            "[]interface {}{\"a\"}}"},
        {"{'size':'x'}", ".spec.size: expected numeric (int or float), got string"},
        {"{'nested':[1]}", ".spec.nested: expected map, got &{[1]}"},
        {"{'set':{'a':1}}", ".spec.set: expected list, got &{map[a:1]}"},
        {"{'unk':1}", ".spec.unk: field not declared in schema"},
        {"{'nested':{'zz':1}}", ".spec.nested.zz: field not declared in schema"},
        {"{'color':5,'unk':1}",
         "errors:\n  .spec.color: expected string, got &value.valueUnstructured{Value:5}\n  "
         ".spec.unk: field not declared in schema"},
        {"{'set':['a','a']}", ".spec.set: duplicate entries for key [=\"a\"]"},
        {"{'iset':[1,1]}", ".spec.iset: duplicate entries for key [=1]"},
        {"{'ports':[{'port':1},{'port':1,'proto':'TCP'}]}",
         ".spec.ports: duplicate entries for key [port=1,proto=\"TCP\"]"},
        {"{'named':[{'value':'x'}]}",
         ".spec.named: element 0: associative list with keys has an element that omits all key "
         "fields [\"name\"] (and doesn't have default values for any key fields)"},
        {"{'named':[null]}",
         ".spec.named: element 0: associative list with keys may not have a null element"},
        {"{'named':[5]}",
         ".spec.named: element 0: associative list with keys may not have non-map elements"},
        {"{'set':[{'a':1}]}", ".spec.set: element 0: associative list without keys has an element "
                              "that's a map type"},
        {"{'set':[null]}", ".spec.set: element 0: associative list without keys has an element "
                           "that's an explicit null"},
        {"{'set':[[1]]}",
         ".spec.set: element 0: not supported: associative list with lists as elements"},
        {"{'labels':{'a':1}}",
         ".spec.labels.a: expected string, got &value.valueUnstructured{Value:1}"},
        {"{'maps':{'a':{'z':1}}}", ".spec.maps.a.z: field not declared in schema"},
        {"{'free':'x'}", ".spec.free: expected map, got &{x}"},
    };
    const kube__api_manager manager = {
        .name = "m", .api_version = "example.com/v1", .subresource = "", .time = ""};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube__json *config = json("{'apiVersion':'example.com/v1','kind':'Thing','metadata':{"
                                  "'name':'e'}}");
        kube__json_set(ctx, config, "spec", json(cases[i][0]));
        kube__json *out;
        bool unchanged;
        kube__api_failure *failure =
            kube__api_apply(ctx, things, NULL, config, &manager, &out, &unchanged);
        ck_assert_msg(failure != NULL, "%s was applied", cases[i][0]);
        ck_assert_int_eq(failure->http_status, 500);
        char want[512];
        snprintf(want, sizeof want,
                 "failed to create typed patch object (/e; example.com/v1, Kind=Thing): %s",
                 cases[i][1]);
        ck_assert_str_eq(failure->message, want);
    }
}

TEST(refuses_managed_fields_in_a_configuration)
{
    const kube__api_manager manager = {
        .name = "m", .api_version = "v1", .subresource = "", .time = ""};
    kube__json *out;
    bool unchanged;
    kube__api_failure *failure =
        kube__api_apply(ctx, NULL, NULL, json("{'metadata':{'name':'e','managedFields':[]}}"),
                        &manager, &out, &unchanged);
    ck_assert_ptr_nonnull(failure);
    ck_assert_int_eq(failure->http_status, 400);
    ck_assert_str_eq(failure->message, "metadata.managedFields must be nil");
    ck_assert_ptr_null(kube__api_apply(ctx, NULL, NULL,
                                       json("{'metadata':{'name':'e','managedFields':null}}"),
                                       &manager, &out, &unchanged));
    ck_assert_ptr_null(kube__json_at(out, "metadata.managedFields"));
}

TEST(tells_every_conflict_as_a_cause)
{
    const kube__json *live =
        json("{'apiVersion':'example.com/v1','kind':'Thing','metadata':{'name':'e',"
             "'managedFields':[{'manager':'b','operation':'Update','apiVersion':'example.com/v1',"
             "'fieldsType':'FieldsV1','fieldsV1':{'f:spec':{'f:color':{}}},'subresource':'scale'},"
             "{'manager':'a','operation':'Apply','apiVersion':'example.com/v1',"
             "'fieldsType':'FieldsV1','fieldsV1':{'f:spec':{'f:size':{}}}}]},"
             "'spec':{'color':'x','size':1}}");
    const kube__json *config = json("{'apiVersion':'example.com/v1','kind':'Thing','metadata':{"
                                    "'name':'e'},'spec':{'color':'y','size':2}}");
    const kube__api_manager manager = {
        .name = "m", .api_version = "example.com/v1", .subresource = "", .time = ""};
    kube__json *out;
    bool unchanged;
    kube__api_failure *failure =
        kube__api_apply(ctx, things, live, config, &manager, &out, &unchanged);
    ck_assert_ptr_nonnull(failure);
    ck_assert_int_eq(failure->http_status, 409);
    ck_assert_str_eq(failure->reason, "Conflict");
    ck_assert_str_eq(failure->message,
                     "Apply failed with 2 conflicts: conflicts with \"a\":\n- .spec.size\n"
                     "conflicts with \"b\" with subresource \"scale\" using example.com/v1:\n"
                     "- .spec.color");
    ck_assert_uint_eq(failure->causes.count, 2);
    ck_assert_str_eq(failure->causes.first->reason, "FieldManagerConflict");
    ck_assert_str_eq(failure->causes.first->message, "conflict with \"a\"");
    ck_assert_str_eq(failure->causes.first->field, ".spec.size");
    ck_assert_str_eq(failure->causes.last->field, ".spec.color");
}

/* ---- times and names ------------------------------------------------------------------------ */

TEST(an_apply_that_changes_nothing_keeps_its_time)
{
    const kube__json *config = json("{'apiVersion':'example.com/v1','kind':'Thing','metadata':{"
                                    "'name':'e'},'spec':{'color':'y'}}");
    kube__api_manager manager = {
        .name = "m", .api_version = "example.com/v1", .subresource = "", .time = "1"};
    kube__json *first;
    kube__json *second;
    bool unchanged;
    ck_assert_ptr_null(kube__api_apply(ctx, things, NULL, config, &manager, &first, &unchanged));
    ck_assert(!unchanged);
    manager.time = "2";
    ck_assert_ptr_null(kube__api_apply(ctx, things, first, config, &manager, &second, &unchanged));
    ck_assert(unchanged);
    ck_assert(kube__json_equal(first, second));
}

TEST(entries_are_sorted_by_operation_time_and_name)
{
    kube__json *object = json("{'spec':{'color':'a'}}");
    kube__api_manager manager = {.name = "z", .api_version = "v1", .subresource = "", .time = "1"};
    ck_assert_ptr_null(kube__api_track(ctx, things, NULL, object, &manager));
    static const char *const others[][2] = {{"y", "2"}, {"x", "2"}};
    for (size_t i = 0; i < 2; i++) {
        kube__json *next = kube__json_copy(ctx, object);
        kube__json_set_int(ctx, kube__json_get(next, "spec"), i ? "size" : "any", 1);
        manager.name = others[i][0];
        manager.time = others[i][1];
        ck_assert_ptr_null(kube__api_track(ctx, things, object, next, &manager));
        object = next;
    }
    manager.name = "applier";
    manager.time = "9";
    kube__json *out;
    bool unchanged;
    ck_assert_ptr_null(kube__api_apply(ctx, things, object, json("{'spec':{'def':'q'}}"), &manager,
                                       &out, &unchanged));
    const kube__json *entries = kube__json_at(out, "metadata.managedFields");
    static const char *const want[] = {"applier", "z", "x", "y"};
    ck_assert_uint_eq(entries->len, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_str_eq(kube__json_string_at(kube__json_item(entries, i), "manager"), want[i]);
    ck_assert_str_eq(kube__json_text(ctx, kube__json_item(entries, 1), NULL),
                     "{\"manager\":\"z\",\"operation\":\"Update\",\"apiVersion\":\"v1\",\"time\":"
                     "\"1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:spec\":{\".\":{},"
                     "\"f:color\":{}}}}");
}

TEST(replicas_that_nobody_owns_are_scaled_by_nobody)
{
    static const struct {
        const char *owned;
        size_t owners;
    } cases[] = {{"{'f:spec':{'f:color':{}}}", 1},
                 {"{'f:spec':{'f:color':{},'f:replicas':{}}}", 2}};
    const kube__api_manager manager = {
        .name = "hpa", .api_version = "v1", .subresource = "scale", .time = "1"};
    for (size_t i = 0; i < 2; i++) {
        kube__json *live = json("{'metadata':{'managedFields':[{'manager':'m','operation':'Apply',"
                                "'apiVersion':'v1','fieldsType':'FieldsV1'}]},'spec':{'color':'a',"
                                "'replicas':1}}");
        kube__json_set(ctx, kube__json_at(live, "metadata.managedFields")->first, "fieldsV1",
                       json(cases[i].owned));
        kube__json *object = kube__json_copy(ctx, live);
        kube__json_set_int(ctx, kube__json_get(object, "spec"), "replicas", 7);
        ck_assert_ptr_null(kube__api_track(ctx, things, live, object, &manager));
        ck_assert_uint_eq(kube__json_at(object, "metadata.managedFields")->len, cases[i].owners);
    }
}

TEST(times_alone_are_no_difference)
{
    kube__json *live = json("{'metadata':{'managedFields':[{'manager':'m','time':'1'}]},'a':1}");
    kube__json *same = json("{'metadata':{'managedFields':[{'manager':'m','time':'2'}]},'a':1}");
    kube__json *other = json("{'metadata':{'managedFields':[{'manager':'m','time':'2'}]},'a':2}");
    kube__api_keep_times(ctx, live, same);
    kube__api_keep_times(ctx, live, other);
    ck_assert(kube__json_equal(live, same));
    ck_assert_str_eq(
        kube__json_string_at(kube__json_item(kube__json_at(other, "metadata.managedFields"), 0),
                             "time"),
        "2");
}

TEST(the_user_agent_names_the_manager)
{
    char longest[200];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    ck_assert_str_eq(kube__api_default_manager(ctx, "kubectl/v1.37 (linux)"), "kubectl");
    ck_assert_str_eq(kube__api_default_manager(ctx, "plain"), "plain");
    ck_assert_str_eq(kube__api_default_manager(ctx, ""), "");
    ck_assert_uint_eq(strlen(kube__api_default_manager(ctx, longest)), 128);
}

/* ---- sets ----------------------------------------------------------------------------------- */

static kube__field_set set_of(const char *text)
{
    kube__field_set set;
    ck_assert_msg(kube__field_set_read(ctx, json(text), &set), "no set: %s", text);
    return set;
}

static const char *text_of(kube__field_set set)
{
    return kube__json_text(ctx, kube__field_set_write(ctx, set), NULL);
}

TEST(sets_are_read_and_written)
{
    static const char *const texts[] = {
        "{}",
        "{\"f:a\":{}}",
        "{\"f:a\":{\".\":{},\"f:b\":{}}}",
        ("{\"f:l\":{\"k:{\\\"port\\\":80,\\\"proto\\\":\\\"TCP\\\"}\":{\".\":{},\"f:x\":{}},"
         "\"v:9\":{},\"v:10\":{},\"v:\\\"s\\\"\":{},\"v:true\":{},\"i:0\":{}}}"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        kube__field_set set;
        ck_assert(kube__field_set_read(ctx, parse_in(ctx, texts[i]), &set));
        ck_assert_str_eq(text_of(set), texts[i]);
    }
    static const char *const bad[] = {"{'x':{}}", "{'q:a':{}}", "{'k:5':{}}", "{'v:':{}}",
                                      "{'i:x':{}}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        kube__field_set set;
        ck_assert_msg(!kube__field_set_read(ctx, json(bad[i]), &set), "%s was read", bad[i]);
    }
}

TEST(sets_are_combined_by_their_leaves)
{
    kube__field_set a = set_of("{'f:a':{'.':{},'f:x':{},'f:y':{}},'f:b':{}}");
    kube__field_set b = set_of("{'f:a':{'.':{},'f:y':{},'f:z':{}},'f:c':{}}");
    ck_assert_str_eq(text_of(kube__field_set_union(ctx, a, b)),
                     "{\"f:a\":{\".\":{},\"f:x\":{},\"f:y\":{},\"f:z\":{}},\"f:b\":{},\"f:c\":{}}");
    ck_assert_str_eq(text_of(kube__field_set_intersect(ctx, a, b)),
                     "{\"f:a\":{\".\":{},\"f:y\":{}}}");
    ck_assert_str_eq(text_of(kube__field_set_minus(ctx, a, b)),
                     "{\"f:a\":{\"f:x\":{}},\"f:b\":{}}");
    ck_assert_str_eq(text_of(kube__field_set_without(ctx, a, set_of("{'f:a':{}}"))),
                     "{\"f:b\":{}}");
    ck_assert_str_eq(text_of(kube__field_set_minus(ctx, a, set_of("{'f:a':{}}"))),
                     "{\"f:a\":{\"f:x\":{},\"f:y\":{}},\"f:b\":{}}");
    ck_assert(kube__field_set_equal(a, a) && !kube__field_set_equal(a, b));
    ck_assert(kube__field_set_empty(kube__field_set_minus(ctx, a, a)));
}

/* ---- memory --------------------------------------------------------------------------------- */

static bool apply_once(void *arg)
{
    (void)arg;
    kube_ctx *own = kube_ctx_new();
    if (!own)
        return false;
    kube_ctx *in = own;
    kube__json *keywords =
        json_in(in, "{'type':'object','properties':{'set':{'type':'array','items':{'type':"
                    "'string'},'x-kubernetes-list-type':'set'},'map':{'type':'object'}}}");
    kube__json *first = json_in(in, "{'metadata':{'labels':{'a':'b'}},'set':['a','b'],'map':{'x':"
                                    "{'y':[1]}}}");
    kube__json *second = json_in(in, "{'metadata':{},'set':['b','c'],'map':{'x':{'z':1}}}");
    bool done = !kube_ctx_failed(in);
    const kube__api_schema *schema = done ? schema_of(in, keywords) : NULL;
    kube__api_manager manager = {.name = "m", .api_version = "v1", .subresource = "", .time = "1"};
    bool unchanged;
    kube__json *out = NULL;
    done = done && !kube_ctx_failed(in) &&
           !kube__api_apply(in, schema, NULL, first, &manager, &out, &unchanged) &&
           !kube__api_apply(in, schema, out, second, &manager, &out, &unchanged) &&
           !kube__api_track(in, schema, out, first, &manager);
    if (!done && !kube_ctx_failed(in))
        abort();
    kube_ctx_free(own);
    return done;
}

TEST(lost_memory_is_a_failure_and_nothing_else)
{
    ck_assert_uint_gt(fail_malloc_replay(apply_once, NULL), 0);
}
