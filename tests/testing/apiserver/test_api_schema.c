/* SPDX-License-Identifier: Apache-2.0 */
#include "schema_fixture.h"

enum { FOUND_SIZE = 1024 };

static const kube__api_schema *at(const kube__api_schema *schema, const char *path)
{
    char *copy = kube_ctx_strdup(ctx, path);
    for (char *part = strtok(copy, "."); part; part = strtok(NULL, ".")) {
        schema = strcmp(part, "[]") == 0 ? schema->items : kube__api_schema_member(schema, part);
        ck_assert_msg(schema, "%s: nothing at %s", path, part);
    }
    return schema;
}

static void expect_paths(void *arg, const char *path)
{
    char *all = arg;
    snprintf(all + strlen(all), FOUND_SIZE - strlen(all), "%s ", path);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(crd_nodes_carry_the_keywords)
{
    const kube__api_schema *root = crd_schema(
        "{'type':'object','properties':{'spec':{'type':'object','required':['a'],'properties':{"
        "'a':{'type':'string','format':'date','default':'x'},"
        "'b':{'type':'integer','nullable':true},"
        "'c':{'x-kubernetes-int-or-string':true},"
        "'l':{'type':'array','items':{'type':'object'},'x-kubernetes-list-type':'map',"
        "'x-kubernetes-list-map-keys':['k','m']},"
        "'s':{'type':'array','items':{'type':'string'},'x-kubernetes-list-type':'set'},"
        "'p':{'type':'array','items':{'type':'string'}},"
        "'m':{'type':'object','additionalProperties':{'type':'number'}},"
        "'o':{'type':'object','x-kubernetes-map-type':'atomic'},"
        "'r':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}}}");
    ck_assert_int_eq(root->type, KUBE__TYPE_OBJECT);
    ck_assert_str_eq(at(root, "spec")->required[0], "a");
    ck_assert_str_eq(at(root, "spec.a")->format, "date");
    ck_assert_str_eq(text_of(at(root, "spec.a")->default_value), "'x'");
    ck_assert(at(root, "spec.b")->nullable);
    ck_assert_int_eq(at(root, "spec.c")->type, KUBE__TYPE_INT_OR_STRING);
    ck_assert_int_eq(at(root, "spec.l")->list_type, KUBE__LIST_MAP);
    ck_assert_uint_eq(at(root, "spec.l")->list_map_key_count, 2);
    ck_assert_str_eq(at(root, "spec.l")->list_map_keys[1], "m");
    ck_assert(!at(root, "spec.l")->atomic);
    ck_assert_int_eq(at(root, "spec.s")->list_type, KUBE__LIST_SET);
    ck_assert(at(root, "spec.p")->atomic);
    ck_assert_int_eq(at(root, "spec.m.whatever")->type, KUBE__TYPE_NUMBER);
    ck_assert(at(root, "spec.o")->atomic);
    ck_assert(at(root, "spec.r")->preserve_unknown);
    ck_assert_ptr_null(kube__api_schema_member(root, "status"));
    ck_assert_int_eq(at(root, "metadata.labels.x")->type, KUBE__TYPE_STRING);
    ck_assert_int_eq(at(root, "kind")->type, KUBE__TYPE_STRING);
}

TEST(builtin_nodes_carry_list_and_patch_keywords)
{
    const kube__api_schema *root = kube__api_schema_of_builtin(ctx, "apps", "v1", "Deployment");
    ck_assert_ptr_nonnull(root);
    const kube__api_schema *containers = at(root, "spec.template.spec.containers");
    ck_assert_int_eq(containers->list_type, KUBE__LIST_MAP);
    ck_assert_str_eq(containers->list_map_keys[0], "name");
    ck_assert(containers->patch_merge);
    ck_assert_str_eq(containers->patch_merge_key, "name");
    ck_assert_str_eq(containers->items->go_type, "v1.Container");
    ck_assert(at(root, "spec.strategy")->patch_retain_keys);
    ck_assert_int_eq(at(root, "spec.strategy")->type, KUBE__TYPE_OBJECT);
    ck_assert_str_eq(text_of(at(containers, "[].ports.[].protocol")->default_value), "'TCP'");
    ck_assert_str_eq(at(containers, "[].resources.limits.cpu")->format, "quantity");
    ck_assert_int_eq(at(containers, "[].livenessProbe.httpGet.port")->type,
                     KUBE__TYPE_INT_OR_STRING);
    ck_assert(at(root, "spec.selector")->atomic);
    ck_assert(at(root, "metadata.managedFields.[].fieldsV1")->preserve_unknown);
    ck_assert(!at(root, "metadata.finalizers")->atomic);
}

TEST(every_kind_of_the_server_has_a_schema)
{
    static const char *const kinds[][3] = {
        {"", "v1", "Pod"},
        {"", "v1", "Service"},
        {"", "v1", "ConfigMap"},
        {"", "v1", "Secret"},
        {"", "v1", "Namespace"},
        {"", "v1", "Node"},
        {"", "v1", "Event"},
        {"", "v1", "ServiceAccount"},
        {"", "v1", "Endpoints"},
        {"apps", "v1", "ReplicaSet"},
        {"apps", "v1", "StatefulSet"},
        {"apps", "v1", "DaemonSet"},
        {"coordination.k8s.io", "v1", "Lease"},
        {"events.k8s.io", "v1", "Event"},
        {"rbac.authorization.k8s.io", "v1", "ClusterRoleBinding"},
        {"apiextensions.k8s.io", "v1", "CustomResourceDefinition"},
        {"authorization.k8s.io", "v1", "SelfSubjectAccessReview"},
        {"authentication.k8s.io", "v1", "TokenRequest"},
        {"autoscaling", "v1", "Scale"},
        {"policy", "v1", "Eviction"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        ck_assert_msg(kube__api_schema_of_builtin(ctx, kinds[i][0], kinds[i][1], kinds[i][2]), "%s",
                      kinds[i][2]);
    ck_assert_ptr_null(kube__api_schema_of_builtin(ctx, "", "v1", "Nonesuch"));
    ck_assert_ptr_null(kube__api_schema_of_builtin(ctx, "nonesuch", "v1", "Pod"));
    ck_assert(!kube_ctx_failed(ctx));
}

TEST(a_recursive_builtin_is_a_cycle)
{
    const kube__api_schema *root =
        kube__api_schema_of_builtin(ctx, "apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    const kube__api_schema *schema = at(root, "spec.versions.[].schema.openAPIV3Schema");
    ck_assert_str_eq(at(schema, "properties.a.properties.b.not")->go_type, "v1.JSONSchemaProps");
    ck_assert(at(schema, "default")->preserve_unknown);
}

/* ---- defaults ------------------------------------------------------------------------------- */

static void defaults(const char *schema, const char *object, const char *expected)
{
    kube__json *value = parse(object);
    kube__api_schema_default(ctx, crd_schema(schema), value);
    ck_assert_str_eq(text_of(value), expected);
}

TEST(defaults_go_where_members_are_missing_at_every_depth)
{
    const char *schema =
        "{'type':'object','properties':{"
        "'a':{'type':'integer','default':1},"
        "'o':{'type':'object','default':{},'properties':{'b':{'type':'string','default':'x'}}},"
        "'n':{'type':'object','properties':{'c':{'type':'string','default':'y'}}},"
        "'l':{'type':'array','items':{'type':'object','properties':{"
        "'d':{'type':'boolean','default':false}}}},"
        "'m':{'type':'object','additionalProperties':{'type':'object','properties':{"
        "'e':{'type':'number','default':0.5}}}}}}";
    defaults(schema, "{}", "{'a':1,'o':{'b':'x'}}");
    defaults(schema, "{'a':2,'n':{},'l':[{},{'d':true}],'m':{'k':{}},'o':{'b':''}}",
             "{'a':2,'n':{'c':'y'},'l':[{'d':false},{'d':true}],'m':{'k':{'e':0.5}},"
             "'o':{'b':''}}");
}

TEST(null_is_defaulted_unless_it_is_allowed)
{
    const char *schema =
        "{'type':'object','properties':{"
        "'a':{'type':'integer','default':1},"
        "'b':{'type':'integer','default':1,'nullable':true},"
        "'l':{'type':'array','items':{'type':'string','default':'z'}},"
        "'m':{'type':'object','additionalProperties':{'type':'integer','default':7}}}}";
    defaults(schema, "{'a':null,'b':null,'l':[null,'q',null],'m':{'x':null,'y':2}}",
             "{'a':1,'b':null,'l':['z','q','z'],'m':{'x':7,'y':2}}");
}

TEST(defaults_of_builtins_are_left_to_their_strategy)
{
    kube__json *value = parse("{'spec':{'template':{'spec':{'containers':[{'ports':[{}]}]}}}}");
    kube__api_schema_default(ctx, kube__api_schema_of_builtin(ctx, "apps", "v1", "Deployment"),
                             value);
    ck_assert_str_eq(text_of(value),
                     "{'spec':{'template':{'spec':{'containers':[{'ports':[{}]}]}}}}");
}

/* ---- pruning -------------------------------------------------------------------------------- */

static void prunes(const kube__api_schema *schema, const char *object, const char *expected,
                   const char *paths)
{
    char found[FOUND_SIZE] = "";
    kube__json *value = parse(object);
    kube__api_schema_prune(ctx, schema, value, expect_paths, found);
    ck_assert_str_eq(text_of(value), expected);
    ck_assert_str_eq(found, paths);
    value = parse(object);
    kube__api_schema_prune(ctx, schema, value, NULL, NULL);
    ck_assert_str_eq(text_of(value), expected);
}

TEST(unknown_members_go_and_are_told_sorted)
{
    const kube__api_schema *schema = crd_schema(
        "{'type':'object','properties':{'spec':{'type':'object','properties':{"
        "'a':{'type':'string'},'l':{'type':'array','items':{'type':'object','properties':{"
        "'x':{'type':'string'}}}},"
        "'m':{'type':'object','additionalProperties':{'type':'object'}}}}}}");
    prunes(schema,
           "{'apiVersion':'v','kind':'K','metadata':{'name':'n','nam':1,'labels':{'l':'1'}},'z':1,"
           "'spec':{'l':[{'x':'1','y':2},{'q':{}}],'b':1,'a':'1','m':{'k':{'u':1}}}}",
           "{'apiVersion':'v','kind':'K','metadata':{'name':'n','labels':{'l':'1'}},"
           "'spec':{'l':[{'x':'1'},{}],'a':'1','m':{'k':{}}}}",
           "metadata.nam spec.b spec.l[0].y spec.l[1].q spec.m.k.u z ");
}

TEST(preserved_members_stay_but_known_ones_below_are_pruned)
{
    const kube__api_schema *schema =
        crd_schema("{'type':'object','properties':{'p':{'type':'object',"
                   "'x-kubernetes-preserve-unknown-fields':true,'properties':{'k':{'type':'object',"
                   "'properties':{'v':{'type':'string'}}}}},"
                   "'e':{'type':'object','x-kubernetes-embedded-resource':true,'properties':{"
                   "'spec':{'type':'object'}}}}}");
    prunes(schema,
           "{'p':{'any':{'thing':[1,{'a':2}]},'k':{'v':'1','w':2}},"
           "'e':{'kind':'K','apiVersion':'v1','metadata':{'name':'n','x':1},'spec':{'a':1},'b':2}}",
           "{'p':{'any':{'thing':[1,{'a':2}]},'k':{'v':'1'}},"
           "'e':{'kind':'K','apiVersion':'v1','metadata':{'name':'n'},'spec':{}}}",
           "e.b e.spec.a p.k.w e.metadata.x ");
}

TEST(null_goes_where_it_is_not_allowed)
{
    prunes(
        crd_schema("{'type':'object','properties':{'a':{'type':'string'},"
                   "'b':{'type':'string','nullable':true},'c':{'type':'string','default':'x'}}}"),
        "{'a':null,'b':null,'c':null}", "{'b':null,'c':null}", "");
    prunes(kube__api_schema_of_builtin(ctx, "", "v1", "ConfigMap"),
           "{'metadata':{'creationTimestamp':null},'data':{'a':null},'immutable':null}",
           "{'metadata':{},'data':{'a':''}}", "");
}

TEST(unknown_members_of_builtins_are_told_as_they_come)
{
    prunes(kube__api_schema_of_builtin(ctx, "apps", "v1", "Deployment"),
           "{'spec':{'template':{'spec':{'containers':[{'nam':1,'name':'a'}],'aa':1}},'b':2},"
           "'a':{'c':3}}",
           "{'spec':{'template':{'spec':{'containers':[{'name':'a'}]}}}}",
           "spec.template.spec.containers[0].nam spec.template.spec.aa spec.b a ");
}

TEST(unions_of_schema_properties_are_pruned_in_silence)
{
    prunes(
        kube__api_schema_of_builtin(ctx, "apiextensions.k8s.io", "v1", "CustomResourceDefinition"),
        "{'spec':{'versions':[{'schema':{'openAPIV3Schema':{'type':'array','x':1,'items':{"
        "'type':'string','y':1},'default':{'z':[{}]}}}}]}}",
        "{'spec':{'versions':[{'schema':{'openAPIV3Schema':{'type':'array','items':{"
        "'type':'string'},'default':{'z':[{}]}}}}]}}",
        "spec.versions[0].schema.openAPIV3Schema.x ");
}
