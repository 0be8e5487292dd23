/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/core/apiserver.h"
#include "apiserver/crd/crd.h"
#include "apiserver/registry/registry.h"
#include "apiserver/schema/schema.h"
#include "apiserver/store/store.h"
#include "apiserver/value/random.h"
#include "schema_fixture.h"
#include "support/fail_malloc.h"

#include <stdio.h>
#include <stdlib.h>

/* The parts of a server that CRDs have to do with; nothing listens. */
static kube_apiserver *server;

static void start(void)
{
    set_up();
    server = calloc(1, sizeof *server);
    server->clock = kube_clock_system();
    server->registry = kube__api_registry_new();
    server->store = kube__api_store_new(100);
    ck_assert(kube__api_register_builtins(server->registry, server->store));
}

static void stop(void)
{
    kube__api_registry_free(server->registry);
    kube__api_store_free(server->store);
    free(server);
    tear_down();
}

FIXTURE(set_up, tear_down);

/*
 * crd.jsonl is what a kube-apiserver (v1.37.1) said of CRDs, one a line: its causes word for word,
 * sorted, or "" if it took the CRD.
 */
static FILE *open_recordings(void)
{
    const char *source = getenv("KUBEGEN_SOURCE_DIR");
    char path[1024];
    FILE *file;
    snprintf(path, sizeof path, "%s/tests/testing/apiserver/crd.jsonl", source ? source : ".");
    file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "cannot read %s: KUBEGEN_SOURCE_DIR names the source tree\n", path);
        exit(EXIT_FAILURE);
    }
    return file;
}

static int recording_count(void)
{
    FILE *file = open_recordings();
    int count = 0;
    for (int c = getc(file); c != EOF; c = getc(file))
        count += c == '\n';
    fclose(file);
    return count;
}

static kube__json *recording(int number)
{
    FILE *file = open_recordings();
    const char *fault = NULL;
    kube__json *value;
    char *line = NULL;
    size_t size = 0;
    ssize_t len = 0;
    for (int i = 0; i <= number; i++)
        len = getline(&line, &size, file);
    ck_assert_int_gt(len, 0);
    value = kube__json_parse(ctx, kube_ctx_strdup(ctx, line), (size_t)len, &fault, NULL, NULL);
    ck_assert_msg(value, "line %d: %s", number + 1, fault);
    free(line);
    fclose(file);
    return value;
}

TEST_TIMES(every_rule_is_told_in_the_real_servers_words, recording_count())
{
    kube__json *said = recording(_i);
    kube__json *crd = kube__json_get(said, "crd");
    const char *wanted = kube__json_string_at(said, "causes");
    kube__api_causes causes = {.ctx = ctx};
    const char *found;
    kube__api_crd_default(ctx, crd);
    kube__api_crd_validate(crd, NULL, &causes);
    found = causes_text(&causes);
    ck_assert_msg(strcmp(found, wanted) == 0, "%s: %s\nis   %s\nshould be %s",
                  kube__json_string_at(said, "name"), text_of(crd), found, wanted);
}

/* ---- changes -------------------------------------------------------------------------------- */

static const char widgets[] =
    "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',"
    "'metadata':{'name':'widgets.ex.com'},'spec':{'group':'ex.com','scope':'Namespaced',"
    "'names':{'plural':'widgets','kind':'Widget','shortNames':['wd'],'categories':['all']},"
    "'versions':[{'name':'v1','served':true,'storage':true,"
    "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',"
    "'properties':{'size':{'type':'integer'},'color':{'type':'string'}}}}}},"
    "'subresources':{'status':{},'scale':{'specReplicasPath':'.spec.size',"
    "'statusReplicasPath':'.status.size'}},"
    "'additionalPrinterColumns':[{'name':'Size','type':'integer','jsonPath':'.spec.size',"
    "'priority':1}],'selectableFields':[{'jsonPath':'.spec.color'}]},"
    "{'name':'v2','served':true,'storage':false,'deprecated':true,"
    "'schema':{'openAPIV3Schema':{'type':'object'}}},"
    "{'name':'v3','served':false,'storage':false,"
    "'schema':{'openAPIV3Schema':{'type':'object'}}}]}}";

static kube__json *accepted(const char *text)
{
    kube__json *crd = parse(text);
    kube__api_crd_default(ctx, crd);
    ck_assert(kube__api_crd_conditions(server, ctx, crd));
    ck_assert(!kube__api_crd_conditions(server, ctx, crd));
    return crd;
}

static const char *changed(const char *path, const char *member, const char *value)
{
    kube__api_causes causes = {.ctx = ctx};
    kube__json *old = accepted(widgets);
    kube__json *crd = kube__json_copy(ctx, old);
    kube__json_set(ctx, kube__json_at(crd, path), member, parse(value));
    kube__api_crd_validate(crd, old, &causes);
    return causes_text(&causes);
}

FIXTURE(start, stop);

TEST(what_identifies_the_resource_cannot_change)
{
    ck_assert_str_eq(changed("spec.names", "plural", "'x'"),
                     "Invalid spec.names.plural: Invalid value: 'x': field is immutable");
    ck_assert_str_eq(changed("spec.names", "kind", "'X'"),
                     "Invalid spec.names.kind: Invalid value: 'X': field is immutable");
    ck_assert_str_eq(changed("spec", "group", "'a.b'"),
                     "Invalid spec.group: Invalid value: 'a.b': field is immutable");
    ck_assert_str_eq(changed("spec", "scope", "'Cluster'"),
                     "Invalid spec.scope: Invalid value: 'Cluster': field is immutable");
    ck_assert_str_eq(changed("spec.names", "shortNames", "['y']"), "");
}

TEST(a_stored_version_cannot_go)
{
    ck_assert_str_eq(
        changed("spec", "versions",
                "[{'name':'v2','served':true,'storage':true,"
                "'schema':{'openAPIV3Schema':{'type':'object'}}}]"),
        "Invalid status.storedVersions[0]: Invalid value: 'v1': missing from spec.versions; v1 was "
        "previously a storage version, and must remain in spec.versions until a storage migration "
        "ensures no data remains persisted in v1 and removes v1 from status.storedVersions");
}

TEST(a_webhook_conversion_is_refused_because_nobody_would_be_called)
{
    ck_assert_str_eq(changed("spec", "conversion",
                             "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],"
                             "'clientConfig':{'url':'https://x'}}}"),
                     "Invalid spec.conversion.strategy: Invalid value: 'Webhook': this server "
                     "calls no conversion webhooks: use None");
}

/* ---- status --------------------------------------------------------------------------------- */

static kube__json *condition(const kube__json *crd, const char *type)
{
    KUBE__JSON_EACH (each, kube__json_at(crd, "status.conditions")) {
        if (strcmp(kube__json_string_at(each, "type"), type) == 0)
            return each;
    }
    return NULL;
}

static kube__json *put(kube__json *crd)
{
    kube__api_collection *crds = kube__api_store_collection(server->store, "apiextensions.k8s.io",
                                                            "customresourcedefinitions", false);
    ck_assert_ptr_nonnull(kube__api_store_put(server->store, ctx, crds, crd, NULL));
    ck_assert(kube__api_crd_serve(server, ctx, crd, NULL));
    return crd;
}

static kube__json *stored(const char *name)
{
    kube__api_collection *crds = kube__api_store_collection(server->store, "apiextensions.k8s.io",
                                                            "customresourcedefinitions", false);
    const kube__api_object *object = kube__api_store_get(crds, "", name);
    return object ? kube__json_parse(ctx, object->text, object->len, NULL, NULL, NULL) : NULL;
}

TEST(names_are_accepted_and_the_crd_established)
{
    kube__json *crd = accepted(widgets);
    ck_assert_str_eq(text_of(kube__json_at(crd, "status.acceptedNames")),
                     "{'plural':'widgets','singular':'widget','shortNames':['wd'],"
                     "'kind':'Widget','listKind':'WidgetList','categories':['all']}");
    ck_assert_str_eq(text_of(kube__json_at(crd, "status.storedVersions")), "['v1']");
    kube__json *names = condition(crd, "NamesAccepted");
    ck_assert_str_eq(kube__json_string_at(names, "status"), "True");
    ck_assert_str_eq(kube__json_string_at(names, "reason"), "NoConflicts");
    ck_assert_str_eq(kube__json_string_at(names, "message"), "no conflicts found");
    kube__json *established = condition(crd, "Established");
    ck_assert_str_eq(kube__json_string_at(established, "reason"), "InitialNamesAccepted");
    ck_assert_str_eq(kube__json_string_at(established, "message"),
                     "the initial names have been accepted");
}

TEST(names_of_another_crd_are_not_accepted_until_it_goes)
{
    kube__json *first = put(accepted(widgets));
    kube__json *second =
        accepted("{'metadata':{'name':'others.ex.com'},'spec':{'group':'ex.com','scope':'Cluster',"
                 "'names':{'plural':'others','kind':'Other','shortNames':['wd','ot']},"
                 "'versions':[{'name':'v1','served':true,'storage':true,"
                 "'schema':{'openAPIV3Schema':{'type':'object'}}}]}}");
    ck_assert_str_eq(kube__json_string_at(condition(second, "NamesAccepted"), "reason"),
                     "ShortNamesConflict");
    ck_assert_str_eq(kube__json_string_at(condition(second, "NamesAccepted"), "message"),
                     "\"wd\" is already in use");
    ck_assert_str_eq(kube__json_string_at(condition(second, "Established"), "reason"),
                     "NotAccepted");
    put(second);
    ck_assert_ptr_null(kube__api_registry_find(server->registry, "ex.com", "v1", "others"));
    kube__api_collection *crds = kube__api_store_collection(server->store, "apiextensions.k8s.io",
                                                            "customresourcedefinitions", false);
    ck_assert(kube__api_store_delete(server->store, ctx,
                                     kube__api_store_get(crds, "", "widgets.ex.com"), NULL));
    ck_assert(kube__api_crd_serve(server, ctx, NULL, first));
    ck_assert_ptr_null(kube__api_registry_find(server->registry, "ex.com", "v1", "widgets"));
    ck_assert_ptr_nonnull(kube__api_registry_find(server->registry, "ex.com", "v1", "others"));
    second = stored("others.ex.com");
    ck_assert_str_eq(kube__json_string_at(condition(second, "Established"), "status"), "True");
}

TEST(protected_groups_tell_of_their_approval)
{
    kube__json *crd =
        accepted("{'metadata':{'name':'a.x.k8s.io','annotations':{'api-approved.kubernetes.io':"
                 "'unapproved, a test'}},'spec':{'group':'x.k8s.io','scope':'Cluster',"
                 "'names':{'plural':'a','kind':'A'},'versions':[{'name':'v1','served':true,"
                 "'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}}}]}}");
    kube__json *found = condition(crd, "KubernetesAPIApprovalPolicyConformant");
    ck_assert_str_eq(kube__json_string_at(found, "status"), "False");
    ck_assert_str_eq(kube__json_string_at(found, "reason"), "UnapprovedAnnotation");
    ck_assert_str_eq(kube__json_string_at(found, "message"),
                     "not approved: \"unapproved, a test\"");
}

/* ---- serving -------------------------------------------------------------------------------- */

TEST(served_versions_become_resources)
{
    put(accepted(widgets));
    const kube__api_resource *one =
        kube__api_registry_find(server->registry, "ex.com", "v1", "widgets");
    const kube__api_resource *two =
        kube__api_registry_find(server->registry, "ex.com", "v2", "widgets");
    ck_assert(one && two);
    ck_assert_ptr_null(kube__api_registry_find(server->registry, "ex.com", "v3", "widgets"));
    ck_assert_str_eq(one->kind, "Widget");
    ck_assert_str_eq(one->list_kind, "WidgetList");
    ck_assert_str_eq(one->singular, "widget");
    ck_assert_str_eq(one->short_names[0], "wd");
    ck_assert_str_eq(one->categories[0], "all");
    ck_assert_str_eq(one->selectable_fields[0], "spec.color");
    ck_assert_ptr_null(one->selectable_fields[1]);
    ck_assert(one->namespaced && one->custom && one->has_status);
    ck_assert_str_eq(one->scale.spec_replicas, ".spec.size");
    ck_assert_str_eq(one->scale.status_replicas, ".status.size");
    ck_assert_ptr_null(one->scale.label_selector);
    ck_assert_uint_eq(one->column_count, 1);
    ck_assert_str_eq(one->columns[0].json_path, ".spec.size");
    ck_assert_int_eq(one->columns[0].priority, 1);
    ck_assert_ptr_null(one->deprecation_warning);
    ck_assert_ptr_nonnull(kube__api_schema_member(one->schema, "spec"));
    ck_assert(!two->has_status);
    ck_assert_ptr_null(two->scale.spec_replicas);
    ck_assert_uint_eq(two->column_count, 0);
    ck_assert_str_eq(two->deprecation_warning, "ex.com/v2 Widget is deprecated");
    ck_assert_ptr_eq(one->collection, two->collection);
}

TEST(a_deprecated_version_names_the_newest_that_is_not)
{
    static const struct {
        const char *others;
        const char *warning;
    } cases[] = {
        {"{'name':'v1','served':true},{'name':'v2beta1','served':true}",
         "ex.com/v1beta1 A is deprecated; use ex.com/v1 A"},
        {"{'name':'v1alpha1','served':true}", "ex.com/v1beta1 A is deprecated"},
        {"{'name':'v1','served':false},{'name':'v1beta2','served':true}",
         "ex.com/v1beta1 A is deprecated; use ex.com/v1beta2 A"},
        {"{'name':'v3','served':true,'deprecated':true},{'name':'old','served':true}",
         "ex.com/v1beta1 A is deprecated"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = kube_printf(
            ctx,
            "{'metadata':{'name':'as.ex.com'},'spec':{'group':'ex.com','scope':'Cluster',"
            "'names':{'plural':'as','kind':'A'},'versions':[{'name':'v1beta1','served':true,"
            "'storage':true,'deprecated':true},%s]}}",
            cases[i].others);
        put(accepted(text));
        const kube__api_resource *resource =
            kube__api_registry_find(server->registry, "ex.com", "v1beta1", "as");
        ck_assert_str_eq(resource->deprecation_warning, cases[i].warning);
    }
}

TEST(a_version_that_is_not_served_any_more_goes)
{
    kube__json *crd = put(accepted(widgets));
    kube__json *versions = kube__json_at(crd, "spec.versions");
    kube__json_set_bool(ctx, kube__json_item(versions, 1), "served", false);
    kube__json_set_bool(ctx, kube__json_item(versions, 2), "served", true);
    ck_assert(kube__api_crd_serve(server, ctx, crd, crd));
    ck_assert_ptr_null(kube__api_registry_find(server->registry, "ex.com", "v2", "widgets"));
    ck_assert_ptr_nonnull(kube__api_registry_find(server->registry, "ex.com", "v3", "widgets"));
}

TEST(objects_go_with_their_crd)
{
    kube__json *crd = put(accepted(widgets));
    kube__api_resource *resource =
        kube__api_registry_find(server->registry, "ex.com", "v1", "widgets");
    kube__api_resource_ref(resource);
    kube__json *object = parse("{'apiVersion':'ex.com/v1','kind':'Widget',"
                               "'metadata':{'name':'a','namespace':'b','uid':'u'}}");
    ck_assert_ptr_nonnull(
        kube__api_store_put(server->store, ctx, resource->collection, object, NULL));
    ck_assert(kube__api_crd_serve(server, ctx, NULL, crd));
    ck_assert_uint_eq(kube__api_store_count(resource->collection), 0);
    ck_assert_str_eq(resource->kind, "Widget"); /* whoever still holds it may read it */
    kube__api_resource_unref(resource);
}

TEST(what_go_would_not_write_is_dropped)
{
    kube__json *crd =
        parse("{'spec':{'group':'ex.com','names':{'plural':'a','kind':'A','shortNames':[]},"
              "'versions':[{'name':'v1','served':false,'storage':true,'deprecated':false,"
              "'schema':{'openAPIV3Schema':{'type':'object','nullable':false,'required':[],"
              "'properties':{'enum':{'type':'string','enum':[],'default':null,'minLength':0},"
              "'nullable':{'type':'object','properties':{},'default':{}},"
              "'b':{'x-kubernetes-preserve-unknown-fields':false,'default':false}}}}}]}}");
    kube__api_crd_default(ctx, crd);
    ck_assert_str_eq(
        text_of(crd),
        "{'spec':{'group':'ex.com','names':{'plural':'a','kind':'A','singular':'a',"
        "'listKind':'AList'},'versions':[{'name':'v1','served':false,'storage':true,"
        "'schema':{'openAPIV3Schema':{'type':'object','properties':{"
        "'enum':{'type':'string','minLength':0},'nullable':{'type':'object','default':{}},"
        "'b':{'x-kubernetes-preserve-unknown-fields':false,'default':false}}}}}],"
        "'conversion':{'strategy':'None'}}}");
}

/* ---- memory --------------------------------------------------------------------------------- */

static bool serve_once(void *arg)
{
    kube_ctx *own = kube_ctx_new();
    if (!own)
        return false;
    kube__api_causes causes = {.ctx = own};
    bool has_rules;
    kube__json *crd = kube__json_parse(own, arg, strlen(arg), NULL, NULL, NULL);
    kube__api_crd_default(own, crd);
    kube__api_crd_validate(crd, NULL, &causes);
    kube__api_crd_conditions(server, own, crd);
    bool fine =
        !kube_ctx_failed(own) && causes.count == 0 && kube__api_crd_serve(server, own, crd, NULL);
    if (fine) {
        const kube__api_schema *schema =
            kube__api_registry_find(server->registry, "ex.com", "v1", "widgets")->schema;
        kube__json *object = kube__json_object(own);
        kube__json_set_string(own, kube__json_ensure_object(own, object, "spec"), "size", "x");
        kube__api_schema_prune(own, schema, object, NULL, NULL);
        kube__api_schema_default(own, schema, object);
        kube__api_schema_validate(own, schema, object, NULL, &causes, &has_rules);
        fine = !kube_ctx_failed(own) && causes.count == 1;
    }
    kube__api_registry_remove(server->registry, "ex.com", "widgets");
    kube_ctx_free(own);
    return fine;
}

TEST(a_failed_allocation_is_noticed)
{
    const char *text = kube__json_text(ctx, parse(widgets), NULL);
    ck_assert_uint_gt(fail_malloc_replay(serve_once, (void *)text), 0);
}
