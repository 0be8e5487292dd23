/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The AppService controller as a program, with the rights of its config/rbac/role.yaml and no
 * others, on a real server with the controllers of Deployments, ReplicaSets and garbage, worked on
 * with kubectl. There is no kubelet: Pods are said to be ready by hand.
 */
#include "cluster_world.h"
#include "support/child.h"

#include <appcontroller/v1alpha1/api.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_MAX = 8192, ENOUGH_MS = 30000 };

static const char *program;
static child *controller;

/* ---- around the controller ----------------------------------------------------------------- */

static void set_up(void)
{
    const char *kubeconfig;
    const char *log;
    case_set_up();
    kube_ctx_set_timeout_ms(ctx, 10 * POLL_PATIENCE_MS);
    kubeconfig = kube_printf(ctx, "%s/%s.kubeconfig", real_server_directory(server), ns);
    log = kube_printf(ctx, "%s/%s.log", real_server_directory(server), ns);
    ck_assert_int_eq(system(kube_printf(ctx,
                                        "sed 's/^current-context:.*/current-context: user/' '%s' "
                                        ">'%s'",
                                        real_server_kubeconfig(server), kubeconfig)),
                     0);
    const char *const arguments[] = {program, "--kubeconfig", kubeconfig, "--leader-elect=false",
                                     NULL};
    controller = child_start(arguments, log);
    eventually(strstr(child_output(controller), "caches are synced"), child_output(controller));
}

/* Ends it as one should, which takes no long time. */
static void tear_down(void)
{
    int64_t begin = poll_now_ms();
    child_signal(controller, SIGTERM);
    ck_assert_msg(child_wait(controller) == 0, "%s", child_output(controller));
    ck_assert_int_lt(poll_now_ms() - begin, ENOUGH_MS);
    child_free(controller);
    real_server_must_kubectl(server, NULL, "delete namespace %s --wait=false", ns);
    case_tear_down();
}

/* ---- kubectl ------------------------------------------------------------------------------- */

/* What kubectl says in the case's namespace, success or not. */
static const char *kubectl(const char *input, const char *arguments)
{
    static char output[OUTPUT_MAX];
    real_server_kubectl(server, input, output, sizeof output, "-n %s %s", ns, arguments);
    return output;
}

static void must(const char *arguments)
{
    real_server_must_kubectl(server, NULL, "-n %s %s", ns, arguments);
}

static void apply_service(const char *name, const char *deployment, int replicas)
{
    const char *text = kube_printf(ctx,
                                   "apiVersion: appcontroller.k8s.io/v1alpha1\n"
                                   "kind: AppService\nmetadata:\n  name: %s\nspec:\n"
                                   "  deploymentName: %s\n  replicas: %d\n",
                                   name, deployment, replicas);
    real_server_must_kubectl(server, text, "-n %s apply -f -", ns);
}

static bool says(const char *arguments, const char *wanted)
{
    return strcmp(kubectl(NULL, arguments), wanted) == 0;
}

/* Waits until kubectl with these arguments prints exactly that. */
static void expect_output(const char *arguments, const char *wanted)
{
    eventually(says(arguments, wanted),
               kube_printf(ctx, "kubectl %s: %s\n%s", arguments, kubectl(NULL, arguments),
                           child_output(controller)));
}

static const char *uid_of(const char *object)
{
    return kube_ctx_strdup(
        ctx, kubectl(NULL, kube_printf(ctx, "get %s -o jsonpath={.metadata.uid}", object)));
}

static const char *uids_of_pods(void)
{
    return kube_ctx_strdup(ctx, kubectl(NULL, "get pods -o 'jsonpath={.items[*].metadata.uid}'"));
}

/* One "x" for each Pod there is. */
static void expect_pods(const char *marks)
{
    expect_output("get pods -o 'jsonpath={range .items[*]}x{end}'", marks);
}

/* What a kubelet would say of every Pod; some may be going meanwhile. */
static void pods_get_ready(void)
{
    char *names = kube_ctx_strdup(ctx, kubectl(NULL, "get pods -o name"));
    for (char *name = strtok(names, "\n"); name; name = strtok(NULL, "\n"))
        kubectl(NULL, kube_printf(ctx,
                                  "patch %s --subresource=status -p '{\"status\":{\"phase\":"
                                  "\"Running\",\"conditions\":[{\"type\":\"Ready\","
                                  "\"status\":\"True\"}]}}'",
                                  name));
}

#define STATUS_OF(name)                                                                            \
    "get appservice " name " -o 'jsonpath={.status.availableReplicas} "                            \
    "{.status.conditions[?(@.type==\"Ready\")].status} "                                           \
    "{.status.conditions[?(@.type==\"Ready\")].reason}'"
#define REPLICAS_OF(name) "get deployment " name " -o jsonpath={.spec.replicas}"

static bool gets_ready(const char *wanted)
{
    pods_get_ready();
    return says(STATUS_OF("web"), wanted);
}

/* Waits until AppService web says so, with every Pod ready that there is. */
static void expect_ready(const char *wanted)
{
    eventually(gets_ready(wanted), kube_printf(ctx, "%s\n%s", kubectl(NULL, STATUS_OF("web")),
                                               child_output(controller)));
}

/* ---- cases ---------------------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(an_app_service_becomes_pods)
{
    apply_service("web", "web", 2);
    expect_pods("xx");
    expect_output("get replicasets -o 'jsonpath={.items[*].spec.replicas}'", "2");
    expect_output(STATUS_OF("web"), "0 False RollingOut");
    expect_ready("2 True RolledOut");
    expect_output("get events --field-selector reason=Synced -o 'jsonpath={.items[*].message}'",
                  "created Deployment web");
    expect_output("get deployment web --show-managed-fields -o "
                  "'jsonpath={.metadata.managedFields[?(@.manager==\"appservice-controller\")]"
                  ".operation}'",
                  "Update"); /* created; changes are applied */
    expect_output("get appservice web --no-headers -o "
                  "custom-columns=D:.spec.deploymentName,G:.status.observedGeneration",
                  "web   1\n");
}

TEST(kubectl_scale_scales_it)
{
    kube_scale *scale;
    kube_error err;
    apply_service("web", "web", 1);
    expect_pods("x");
    must("scale appservice web --replicas=3");
    expect_output(REPLICAS_OF("web"), "3");
    expect_pods("xxx");
    expect_ready("3 True RolledOut");
    expect_ok(appcontroller_v1alpha1_app_services_get_scale(client, ctx, kube_key_of(ns, "web"),
                                                            NULL, &scale, &err),
              &err);
    ck_assert_int_eq(scale->spec.replicas, 3);
    ck_assert_int_eq(scale->status.replicas, 3);
}

TEST(an_edit_of_the_deployment_is_set_back)
{
    apply_service("web", "web", 2);
    expect_pods("xx");
    must("annotate deployment web team=blue");
    must("scale deployment web --replicas=5");
    expect_output(REPLICAS_OF("web"), "2");
    must("set image deployment/web app=busybox");
    expect_output("get deployment web -o 'jsonpath={.spec.template.spec.containers[*].image}'",
                  "nginx:1.27");
    expect_output("get deployment web -o jsonpath={.metadata.annotations.team}", "blue");
    expect_ready("2 True RolledOut"); /* it was rolled out there and back */
    expect_pods("xx");
}

TEST(a_deleted_deployment_comes_again)
{
    const char *uid;
    apply_service("web", "web", 1);
    expect_pods("x");
    uid = uid_of("deployment/web");
    must("delete deployment web");
    expect_output(REPLICAS_OF("web"), "1");
    ck_assert_str_ne(uid_of("deployment/web"), uid);
    expect_pods("x");
}

TEST(all_of_it_goes_with_the_app_service)
{
    apply_service("web", "web", 2);
    expect_pods("xx");
    must("delete appservice web");
    expect_output("get deployments,replicasets,pods -o name", "");
}

TEST(another_name_moves_it)
{
    apply_service("web", "one", 1);
    expect_pods("x");
    apply_service("web", "two", 1);
    expect_output("get deployments -o name", "deployment.apps/two\n");
    expect_pods("x");
}

TEST(another_name_moves_it_without_a_gap)
{
    apply_service("web", "one", 2);
    expect_ready("2 True RolledOut");
    apply_service("web", "two", 2);
    expect_pods("xxxx"); /* those of the new name are not ready yet */
    expect_output(STATUS_OF("web"), "2 False RollingOut");
    expect_output("get appservice web -o jsonpath={.status.selector}",
                  "app.kubernetes.io/instance in (one,two),"
                  "app.kubernetes.io/managed-by=appservice-controller");
    expect_ready("2 True RolledOut");
    expect_output("get deployments -o name", "deployment.apps/two\n");
    expect_pods("xx");
}

/* One kubectl apply of all; each name of a Deployment is in two of them. */
static void apply_pairs(int pairs)
{
    const char *text = "";
    for (int i = 0; i < 2 * pairs; i++)
        text = kube_printf(ctx,
                           "%s---\napiVersion: appcontroller.k8s.io/v1alpha1\n"
                           "kind: AppService\nmetadata:\n  name: %c-%d\nspec:\n"
                           "  deploymentName: d-%d\n  replicas: %d\n",
                           text, 'a' + i % 2, i / 2, i / 2, 1 + i % 2);
    real_server_must_kubectl(server, text, "-n %s apply -f -", ns);
}

TEST(of_two_that_name_one_deployment_one_has_it)
{
    enum { PAIRS = 10 };

    const char *marks = kube_printf(ctx, "%0*d", PAIRS, 0);
    apply_pairs(PAIRS);
    expect_output("get appservices -o 'jsonpath={range .items[?(@.status.conditions[1].reason=="
                  "\"DeploymentNotOwned\")]}0{end}'",
                  marks);
    expect_output("get deployments -o 'jsonpath={range .items[*]}0{end}'", marks);
    /* Nobody has taken one from another, or had to change it. */
    expect_output("get deployments -o 'jsonpath={range .items[?(@.metadata.generation==1)]}0{end}'",
                  marks);
    expect_output("get events --field-selector reason=Synced -o "
                  "'jsonpath={range .items[*]}0{end}'",
                  marks);
}

TEST(two_that_swap_their_names_get_there)
{
    apply_service("web", "one", 1);
    apply_service("other", "two", 2);
    expect_pods("xxx");
    apply_service("web", "two", 1);
    expect_output(STATUS_OF("web"), "0 False DeploymentNotOwned");
    apply_service("other", "one", 2);
    expect_output("get deployment two -o 'jsonpath={.metadata.ownerReferences[*].name}'", "web");
    expect_output("get deployment one -o 'jsonpath={.metadata.ownerReferences[*].name}'", "other");
    expect_ready("1 True RolledOut");
    expect_output(STATUS_OF("other"), "2 True RolledOut");
}

/* Lets nobody create a Deployment in the case's namespace. */
static void forbid_deployments(void)
{
    const char *text = kube_printf(
        ctx,
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n"
        "metadata: {name: none}\nspec:\n  matchConstraints:\n    resourceRules:\n"
        "    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: "
        "[deployments]}\n"
        "  validations:\n  - {expression: \"request.namespace != '%s'\", message: not here}\n"
        "---\napiVersion: admissionregistration.k8s.io/v1\n"
        "kind: ValidatingAdmissionPolicyBinding\nmetadata: {name: none}\n"
        "spec: {policyName: none, validationActions: [Deny]}\n",
        ns);
    real_server_must_kubectl(server, text, "apply -f -");
    eventually(strstr(kubectl(NULL, "create deployment probe --image=none --dry-run=server 2>&1"),
                      "not here"),
               kubectl(NULL, "create deployment probe --image=none --dry-run=server 2>&1"));
}

TEST(a_refused_deployment_is_a_condition_and_an_event)
{
    forbid_deployments();
    apply_service("web", "web", 1);
    expect_output(STATUS_OF("web"), "0 False DeploymentRefused");
    expect_output("get events --field-selector reason=DeploymentRefused,type=Warning -o "
                  "'jsonpath={.items[*].involvedObject.name}'",
                  "web");
    must("delete validatingadmissionpolicybinding none");
    expect_pods("x"); /* it is tried again */
}

TEST(a_foreign_deployment_is_left_alone)
{
    const char *uid;
    must("create deployment web --image=busybox --replicas=1");
    expect_pods("x");
    uid = uid_of("deployment/web");
    apply_service("web", "web", 3);
    expect_output(STATUS_OF("web"), "0 False DeploymentNotOwned");
    expect_output("get events --field-selector reason=ErrResourceExists,type=Warning -o "
                  "'jsonpath={.items[*].involvedObject.kind}/{.items[*].involvedObject.name}'",
                  "AppService/web");
    ck_assert_str_eq(kubectl(NULL, REPLICAS_OF("web")), "1");
    ck_assert_str_eq(kubectl(NULL, "get deployment web -o jsonpath={.metadata.ownerReferences}"),
                     "");
    must("delete deployment web"); /* the name is free, and taken at once */
    expect_output(REPLICAS_OF("web"), "3");
    ck_assert_str_ne(uid_of("deployment/web"), uid);
}

TEST(an_orphan_is_adopted_with_its_pods)
{
    const char *uid;
    const char *pod;
    apply_service("web", "web", 1);
    expect_pods("x");
    uid = uid_of("deployment/web");
    pod = uids_of_pods();
    must("delete appservice web --cascade=orphan");
    expect_output("get deployment web -o jsonpath={.metadata.ownerReferences}", "");
    apply_service("heir", "web", 1);
    expect_output("get deployment web -o 'jsonpath={.metadata.ownerReferences[*].name}'", "heir");
    ck_assert_str_eq(uid_of("deployment/web"), uid);
    ck_assert_str_eq(uids_of_pods(), pod);
}

int main(void)
{
    const char *role = getenv("APPSERVICE_CONTROLLER_ROLE");
    int status;
    program = getenv("APPSERVICE_CONTROLLER");
    if (!program || !role) {
        fputs("APPSERVICE_CONTROLLER and APPSERVICE_CONTROLLER_ROLE must be set\n", stderr);
        return EXIT_FAILURE;
    }
    world_start("--controllers");
    real_server_must_kubectl(server, NULL, "apply -f %s", role);
    real_server_must_kubectl(server, NULL,
                             "create clusterrolebinding appservice-controller "
                             "--clusterrole=appservice-controller --user=user");
    real_server_until_kubectl(server, "auth can-i watch appservices.appcontroller.k8s.io "
                                      "--all-namespaces --as=user");
    status = suite_run();
    world_stop();
    return status;
}
