/* SPDX-License-Identifier: Apache-2.0 */
/* What the API server's controllers do, on a whole server: as those of a cluster would. */
#include "api_kit.h"
#include "apiserver/registry/registry.h"
#include "support/suite.h"

static api_kit kit;

static void set_up(void)
{
    api_kit_start(&kit, &(kube_apiserver_options){.workloads = true, .seed = 1});
}

static void tear_down(void)
{
    api_kit_stop(&kit);
}

#define CORE "/api/v1/namespaces/default"
#define APPS "/apis/apps/v1/namespaces/default"

static void create(const char *path, const char *body)
{
    api_ask(&kit, "POST", path, body, NULL);
}

static void patch(const char *path, const char *body)
{
    api_ask(&kit, "PATCH", path, body, NULL);
}

static void remove_object(const char *path)
{
    api_ask(&kit, "DELETE", path, NULL, NULL);
}

static const char *text_at(const char *path, const char *member)
{
    return kube__json_string_at(api_get(&kit, path), member);
}

static int64_t int_at(const char *path, const char *member)
{
    int64_t value = -1;
    kube__json_to_int(kube__json_at(api_get(&kit, path), member), &value);
    return value;
}

static const char *condition(const char *path, const char *type, const char *member)
{
    KUBE__JSON_EACH (one, kube__json_at(api_get(&kit, path), "status.conditions"))
        if (strcmp(kube__json_string_at(one, "type"), type) == 0)
            return kube__json_string_at(one, member);
    return "";
}

/* ---- namespaces and CRDs -------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(the_first_namespaces_are_there)
{
    static const char *const names[] = {"default", "kube-node-lease", "kube-public", "kube-system"};
    const kube__json *items = kube__json_get(api_get(&kit, "/api/v1/namespaces"), "items");
    ck_assert_uint_eq(items->len, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_str_eq(kube__json_string_at(kube__json_item(items, i), "metadata.name"),
                         names[i]);
        ck_assert_str_eq(kube__json_string_at(kube__json_item(items, i), "status.phase"), "Active");
    }
}

TEST(a_deleted_namespace_is_emptied_and_goes)
{
    create("/api/v1/namespaces", "{'metadata':{'name':'a'}}");
    create("/api/v1/namespaces/a/configmaps", "{'metadata':{'name':'x'}}");
    create("/api/v1/namespaces/a/secrets", "{'metadata':{'name':'y'}}");
    create(CORE "/configmaps", "{'metadata':{'name':'elsewhere'}}");
    remove_object("/api/v1/namespaces/a");
    api_settle(&kit);
    ck_assert(!api_exists(&kit, "/api/v1/namespaces/a"));
    ck_assert_uint_eq(api_count(&kit, "/api/v1/configmaps"), 1);
    ck_assert_uint_eq(api_count(&kit, "/api/v1/secrets"), 0);
}

TEST(a_namespace_waits_for_finalizers_and_says_so)
{
    create("/api/v1/namespaces", "{'metadata':{'name':'a'}}");
    create("/api/v1/namespaces/a/configmaps", "{'metadata':{'name':'x','finalizers':['x.io/f']}}");
    create("/api/v1/namespaces/a/configmaps", "{'metadata':{'name':'y'}}");
    remove_object("/api/v1/namespaces/a");
    api_settle(&kit);
    const char *path = "/api/v1/namespaces/a";
    ck_assert_str_eq(text_at(path, "status.phase"), "Terminating");
    ck_assert_uint_eq(api_count(&kit, "/api/v1/namespaces/a/configmaps"), 1);
    ck_assert_str_eq(condition(path, "NamespaceContentRemaining", "message"),
                     "Some resources are remaining: configmaps. has 1 resource instances");
    ck_assert_str_eq(condition(path, "NamespaceFinalizersRemaining", "message"),
                     "Some content in the namespace has finalizers remaining: x.io/f in 1 "
                     "resource instances");
    ck_assert_str_eq(condition(path, "NamespaceFinalizersRemaining", "status"), "True");
    ck_assert_str_eq(condition(path, "NamespaceDeletionContentFailure", "reason"),
                     "ContentDeleted");
    int status;
    api_ask(&kit, "POST", "/api/v1/namespaces/a/configmaps", "{'metadata':{'name':'z'}}", &status);
    ck_assert_int_eq(status, 403);
    patch("/api/v1/namespaces/a/configmaps/x", "{'metadata':{'finalizers':null}}");
    api_settle(&kit);
    ck_assert(!api_exists(&kit, path));
}

static const char crd[] =
    "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{"
    "'name':'things.example.com'},'spec':{'group':'example.com','scope':'Namespaced','names':{"
    "'plural':'things','kind':'Thing'},'versions':[{'name':'v1','served':true,'storage':true,"
    "'schema':{'openAPIV3Schema':{'type':'object',"
    "'x-kubernetes-preserve-unknown-fields':true}}}]}}";

#define CRDS "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
#define THINGS "/apis/example.com/v1/namespaces/default/things"

TEST(a_deleted_crd_takes_its_objects_along)
{
    create(CRDS, crd);
    create(THINGS, "{'apiVersion':'example.com/v1','kind':'Thing','metadata':{'name':'a',"
                   "'finalizers':['x.io/f']}}");
    create(THINGS, "{'apiVersion':'example.com/v1','kind':'Thing','metadata':{'name':'b'}}");
    remove_object(CRDS "/things.example.com");
    api_settle(&kit);
    ck_assert(api_exists(&kit, CRDS "/things.example.com"));
    ck_assert_uint_eq(api_count(&kit, THINGS), 1);
    patch(THINGS "/a", "{'metadata':{'finalizers':null}}");
    api_settle(&kit);
    ck_assert(!api_exists(&kit, CRDS "/things.example.com"));
    ck_assert(!api_exists(&kit, THINGS));
}

/* ---- garbage -------------------------------------------------------------------------------- */

/* A ConfigMap that names owners: "kind/name/uid" each, "!" before the name of one it blocks. */
static void create_owned(const char *name, const char *const *owners)
{
    char references[1024] = "";
    for (; *owners; owners++) {
        const char *text = *owners;
        bool blocks = *text == '!';
        size_t len = strlen(references);
        const char *path = kube_printf(kit.ctx, CORE "/configmaps/%s", text + blocks);
        const char *uid = api_exists(&kit, path) ? text_at(path, "metadata.uid") : "gone";
        snprintf(references + len, sizeof references - len,
                 "%s{'apiVersion':'v1','kind':'ConfigMap','name':'%s','uid':'%s',"
                 "'blockOwnerDeletion':%s}",
                 len ? "," : "", text + blocks, uid, blocks ? "true" : "false");
    }
    create(CORE "/configmaps",
           kube_printf(kit.ctx, "{'metadata':{'name':'%s','ownerReferences':[%s]}}", name,
                       references));
}

static void create_plain(const char *name)
{
    create(CORE "/configmaps", kube_printf(kit.ctx, "{'metadata':{'name':'%s'}}", name));
}

TEST(dependents_go_after_their_owner)
{
    create_plain("owner");
    create_owned("child", (const char *const[]){"owner", NULL});
    create_owned("grandchild", (const char *const[]){"child", NULL});
    api_settle(&kit);
    ck_assert_uint_eq(api_count(&kit, CORE "/configmaps"), 3);
    remove_object(CORE "/configmaps/owner");
    api_settle(&kit);
    ck_assert_uint_eq(api_count(&kit, CORE "/configmaps"), 0);
}

TEST(a_dependent_of_two_stays_with_the_one_that_is_left)
{
    create_plain("a");
    create_plain("b");
    create_owned("child", (const char *const[]){"a", "b", NULL});
    remove_object(CORE "/configmaps/a");
    api_settle(&kit);
    const kube__json *references =
        kube__json_at(api_get(&kit, CORE "/configmaps/child"), "metadata.ownerReferences");
    ck_assert_uint_eq(references->len, 1);
    ck_assert_str_eq(kube__json_string_at(references->first, "name"), "b");
    remove_object(CORE "/configmaps/b");
    api_settle(&kit);
    ck_assert(!api_exists(&kit, CORE "/configmaps/child"));
}

TEST(an_owner_that_never_was_is_a_reason_to_go)
{
    create_plain("other");
    create_owned("child", (const char *const[]){"missing", NULL});
    /* the name alone is no owner: the uid must be its own */
    create(CORE "/configmaps", "{'metadata':{'name':'stranger','ownerReferences':[{'apiVersion':"
                               "'v1','kind':'ConfigMap','name':'other','uid':'of-another'}]}}");
    api_settle(&kit);
    ck_assert(!api_exists(&kit, CORE "/configmaps/child"));
    ck_assert(!api_exists(&kit, CORE "/configmaps/stranger"));
    ck_assert(api_exists(&kit, CORE "/configmaps/other"));
}

TEST(an_owner_of_an_unknown_kind_is_left_alone)
{
    create(CORE "/configmaps", "{'metadata':{'name':'child','ownerReferences':[{'apiVersion':"
                               "'nobody.io/v1','kind':'Nothing','name':'x','uid':'u'}]}}");
    api_settle(&kit);
    ck_assert(api_exists(&kit, CORE "/configmaps/child"));
}

TEST(an_owner_deleted_in_the_foreground_waits_for_those_that_block_it)
{
    create_plain("owner");
    create_owned("child", (const char *const[]){"!owner", NULL});
    patch(CORE "/configmaps/child", "{'metadata':{'finalizers':['x.io/f']}}");
    remove_object(CORE "/configmaps/owner?propagationPolicy=Foreground");
    api_settle(&kit);
    ck_assert(api_exists(&kit, CORE "/configmaps/owner"));
    ck_assert(*text_at(CORE "/configmaps/child", "metadata.deletionTimestamp"));
    patch(CORE "/configmaps/child", "{'metadata':{'finalizers':null}}");
    api_settle(&kit);
    ck_assert_uint_eq(api_count(&kit, CORE "/configmaps"), 0);
}

TEST(an_owner_deleted_in_the_foreground_does_not_wait_for_others)
{
    create_plain("owner");
    create_owned("child", (const char *const[]){"owner", NULL});
    patch(CORE "/configmaps/child", "{'metadata':{'finalizers':['x.io/f']}}");
    remove_object(CORE "/configmaps/owner?propagationPolicy=Foreground");
    api_settle(&kit);
    ck_assert(!api_exists(&kit, CORE "/configmaps/owner"));
    ck_assert(*text_at(CORE "/configmaps/child", "metadata.deletionTimestamp"));
}

TEST(what_could_not_be_noted_is_found_by_a_rescan)
{
    kube__api_controllers *controllers = kit.server->controllers;
    create_plain("owner");
    create_owned("child", (const char *const[]){"owner", NULL});
    api_settle(&kit);
    kube__lock(&kit.server->lock);
    kube__dependents_clear(controllers->dependents); /* as if memory had been out */
    controllers->rescan = true;
    kube__signal(&controllers->ready);
    kube__unlock(&kit.server->lock);
    api_settle(&kit);
    remove_object(CORE "/configmaps/owner");
    api_settle(&kit);
    ck_assert(!api_exists(&kit, CORE "/configmaps/child"));
}

TEST(orphans_forget_their_owner)
{
    create_plain("owner");
    create_owned("child", (const char *const[]){"owner", NULL});
    remove_object(CORE "/configmaps/owner?propagationPolicy=Orphan");
    api_settle(&kit);
    ck_assert(!api_exists(&kit, CORE "/configmaps/owner"));
    const kube__json *child = api_get(&kit, CORE "/configmaps/child");
    ck_assert_ptr_null(kube__json_at(child, "metadata.ownerReferences"));
}

/* ---- workloads ------------------------------------------------------------------------------ */

static const char deployment[] =
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web'},'spec':{'replicas':3,"
    "'selector':{'matchLabels':{'app':'web'}},'template':{'metadata':{'labels':{'app':'web'}},"
    "'spec':{'containers':[{'name':'c','image':'one'}]}}}}";

static size_t pods_of(const char *image)
{
    size_t count = 0;
    KUBE__JSON_EACH (pod, kube__json_get(api_get(&kit, CORE "/pods"), "items")) {
        const kube__json *container = kube__json_item(kube__json_at(pod, "spec.containers"), 0);
        count += strcmp(kube__json_string_at(container, "image"), image) == 0 &&
                 strcmp(kube__json_string_at(pod, "status.phase"), "Running") == 0;
    }
    return count;
}

TEST(a_deployment_comes_to_life)
{
    create(APPS "/deployments", deployment);
    api_settle(&kit);
    const char *path = APPS "/deployments/web";
    ck_assert_uint_eq(pods_of("one"), 3);
    ck_assert_int_eq(int_at(path, "status.availableReplicas"), 3);
    ck_assert_int_eq(int_at(path, "status.updatedReplicas"), 3);
    ck_assert_int_eq(int_at(path, "status.observedGeneration"), 1);
    ck_assert_str_eq(condition(path, "Available", "status"), "True");
    ck_assert_str_eq(condition(path, "Progressing", "reason"), "NewReplicaSetAvailable");
    const kube__json *pod =
        kube__json_item(kube__json_get(api_get(&kit, CORE "/pods"), "items"), 0);
    const kube__json *owner = kube__json_item(kube__json_at(pod, "metadata.ownerReferences"), 0);
    ck_assert_str_eq(kube__json_string_at(owner, "kind"), "ReplicaSet");
    ck_assert(kube__json_is_true(kube__json_get(owner, "controller")));
    ck_assert(*kube__json_string_at(pod, "status.podIP"));
    ck_assert_ptr_nonnull(
        kube__json_get(kube__json_at(pod, "metadata.labels"), "pod-template-hash"));
}

TEST(a_deployment_is_scaled)
{
    create(APPS "/deployments", deployment);
    patch(APPS "/deployments/web", "{'spec':{'replicas':30}}");
    api_settle(&kit);
    ck_assert_uint_eq(pods_of("one"), 30);
    patch(APPS "/deployments/web", "{'spec':{'replicas':1}}");
    api_settle(&kit);
    ck_assert_uint_eq(pods_of("one"), 1);
    patch(APPS "/deployments/web", "{'spec':{'replicas':0}}");
    api_settle(&kit);
    ck_assert_uint_eq(api_count(&kit, CORE "/pods"), 0);
    ck_assert_int_eq(int_at(APPS "/deployments/web", "status.availableReplicas"), -1);
}

static void put_image(const char *image)
{
    patch(APPS "/deployments/web",
          kube_printf(kit.ctx,
                      "{'spec':{'template':{'spec':{'containers':[{'name':'c','image':"
                      "'%s'}]}}}}",
                      image));
    api_settle(&kit);
}

/* The fewest Pods of the Deployment that were available in any state, and the most there were. */
typedef struct extremes {
    kube__api_collection *pods;
    size_t least;
    size_t most;
} extremes;

static bool count_running(void *arg, kube__api_object *object)
{
    size_t *counts = arg;
    counts[0] += strstr(object->text, "\"phase\":\"Running\"") != NULL;
    counts[1]++;
    return true;
}

static void note_extremes(void *arg, const kube__api_change *change)
{
    extremes *e = arg;
    size_t counts[2] = {0, 0};
    if (change->object->collection != e->pods)
        return;
    kube__api_store_each(e->pods, "", count_running, counts);
    e->least = counts[0] < e->least ? counts[0] : e->least;
    e->most = counts[1] > e->most ? counts[1] : e->most;
}

static extremes seen; /* outlives the server that tells it */

TEST(a_new_template_rolls_within_the_limits)
{
    create(APPS "/deployments", deployment);
    patch(APPS "/deployments/web", "{'spec':{'replicas':4,'strategy':{'rollingUpdate':{"
                                   "'maxSurge':1,'maxUnavailable':1}}}}");
    api_settle(&kit);
    kube__lock(&kit.server->lock);
    seen = (extremes){
        .pods = kube__api_registry_find(kit.server->registry, "", "v1", "pods")->collection,
        .least = 100,
    };
    ck_assert(kube__api_store_observe(kit.server->store, note_extremes, &seen));
    kube__unlock(&kit.server->lock);
    put_image("two");
    ck_assert_uint_eq(pods_of("two"), 4);
    ck_assert_uint_eq(pods_of("one"), 0);
    ck_assert_uint_ge(seen.least, 3);
    ck_assert_uint_le(seen.most, 5);
    ck_assert_uint_eq(api_count(&kit, APPS "/replicasets"), 2);
}

static const char *revision(void)
{
    const kube__json *annotations =
        kube__json_at(api_get(&kit, APPS "/deployments/web"), "metadata.annotations");
    return kube__json_string_or(kube__json_get(annotations, "deployment.kubernetes.io/revision"),
                                "");
}

TEST(revisions_count_up_and_history_is_bounded)
{
    create(APPS "/deployments", deployment);
    api_settle(&kit);
    ck_assert_str_eq(revision(), "1");
    put_image("two");
    ck_assert_str_eq(revision(), "2");
    put_image("one"); /* the first set again, with a new number */
    ck_assert_str_eq(revision(), "3");
    ck_assert_uint_eq(api_count(&kit, APPS "/replicasets"), 2);
    patch(APPS "/deployments/web", "{'spec':{'revisionHistoryLimit':1}}");
    put_image("three");
    put_image("four");
    ck_assert_uint_eq(api_count(&kit, APPS "/replicasets"), 2);
}

TEST(recreate_ends_all_before_it_begins)
{
    create(APPS "/deployments", deployment);
    patch(APPS "/deployments/web",
          "{'spec':{'strategy':{'type':'Recreate','rollingUpdate':null}}}");
    api_settle(&kit);
    kube__lock(&kit.server->lock);
    seen = (extremes){
        .pods = kube__api_registry_find(kit.server->registry, "", "v1", "pods")->collection,
        .least = 100,
    };
    ck_assert(kube__api_store_observe(kit.server->store, note_extremes, &seen));
    kube__unlock(&kit.server->lock);
    put_image("two");
    ck_assert_uint_eq(pods_of("two"), 3);
    ck_assert_uint_eq(seen.least, 0);
    ck_assert_uint_le(seen.most, 3);
}

TEST(a_deployment_goes_with_all_it_made)
{
    create(APPS "/deployments", deployment);
    api_settle(&kit);
    remove_object(APPS "/deployments/web?propagationPolicy=Foreground");
    api_settle(&kit);
    ck_assert(!api_exists(&kit, APPS "/deployments/web"));
    ck_assert_uint_eq(api_count(&kit, APPS "/replicasets"), 0);
    ck_assert_uint_eq(api_count(&kit, CORE "/pods"), 0);
}

TEST(a_lost_pod_is_replaced)
{
    create(APPS "/deployments", deployment);
    api_settle(&kit);
    const kube__json *pod =
        kube__json_item(kube__json_get(api_get(&kit, CORE "/pods"), "items"), 0);
    remove_object(
        kube_printf(kit.ctx, CORE "/pods/%s", kube__json_string_at(pod, "metadata.name")));
    api_settle(&kit);
    ck_assert_uint_eq(pods_of("one"), 3);
}

TEST(a_pod_of_nobody_stays_pending)
{
    create(CORE "/pods", "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':"
                         "'i'}]}}");
    api_settle(&kit);
    ck_assert_str_eq(text_at(CORE "/pods/p", "status.phase"), "Pending");
}

TEST(a_stateful_set_numbers_its_pods)
{
    create(APPS "/statefulsets",
           "{'metadata':{'name':'db'},'spec':{'replicas':3,'serviceName':'db','selector':{"
           "'matchLabels':{'app':'db'}},'template':{'metadata':{'labels':{'app':'db'}},'spec':{"
           "'containers':[{'name':'c','image':'one'}]}}}}");
    api_settle(&kit);
    ck_assert_str_eq(text_at(CORE "/pods/db-0", "spec.hostname"), "db-0");
    ck_assert(api_exists(&kit, CORE "/pods/db-2"));
    ck_assert_int_eq(int_at(APPS "/statefulsets/db", "status.readyReplicas"), 3);
    patch(APPS "/statefulsets/db", "{'spec':{'replicas':1}}");
    api_settle(&kit);
    ck_assert_uint_eq(api_count(&kit, CORE "/pods"), 1);
    ck_assert(api_exists(&kit, CORE "/pods/db-0"));
    patch(APPS "/statefulsets/db", "{'spec':{'template':{'spec':{'containers':[{'name':'c',"
                                   "'image':'two'}]}}}}");
    api_settle(&kit);
    ck_assert_uint_eq(pods_of("two"), 1);
    ck_assert_str_eq(text_at(APPS "/statefulsets/db", "status.currentRevision"),
                     text_at(APPS "/statefulsets/db", "status.updateRevision"));
}

TEST(a_daemon_set_has_a_pod_on_each_node)
{
    create("/api/v1/nodes", "{'metadata':{'name':'n1'}}");
    create(APPS "/daemonsets",
           "{'metadata':{'name':'ds'},'spec':{'selector':{'matchLabels':{'app':'ds'}},"
           "'template':{'metadata':{'labels':{'app':'ds'}},'spec':{'containers':[{'name':'c',"
           "'image':'one'}]}}}}");
    create("/api/v1/nodes", "{'metadata':{'name':'n2'}}");
    api_settle(&kit);
    ck_assert_uint_eq(pods_of("one"), 2);
    ck_assert_int_eq(int_at(APPS "/daemonsets/ds", "status.numberReady"), 2);
    remove_object("/api/v1/nodes/n1");
    api_settle(&kit);
    ck_assert_uint_eq(pods_of("one"), 1);
    remove_object(APPS "/daemonsets/ds");
    api_settle(&kit);
    ck_assert_uint_eq(api_count(&kit, CORE "/pods"), 0);
}
