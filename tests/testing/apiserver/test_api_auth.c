/* SPDX-License-Identifier: Apache-2.0 */
/* Who it is, what he may, and the questions about both. Texts are a real server's. */
#include "apiserver/core/request.h"
#include "apiserver/value/quote.h"
#include "apiserver/value/sha256.h"
#include "dispatch_kit.h"
#include "support/fail_malloc.h"

#include <kube/testing/clock.h>
#include <stdio.h>

static api_kit kit;
static kube_fake_clock *fake;

static void start(kube_apiserver_authorization authorization)
{
    fake = kube_fake_clock_new();
    kit_start(&kit, &(kube_apiserver_options){.seed = 1,
                                              .tls = true,
                                              .authorization = authorization,
                                              .clock = kube_fake_clock_clock(fake)});
}

static void set_up(void)
{
    start(KUBE_APISERVER_RBAC);
}

static void set_up_open(void)
{
    start(KUBE_APISERVER_ALLOW_ALL);
}

static void tear_down(void)
{
    kit_stop(&kit);
    kube_fake_clock_free(fake);
}

#define CALL(...) kit_call(&kit, (api_call){__VA_ARGS__})
#define RBAC_PATH "/apis/rbac.authorization.k8s.io/v1"
#define RBAC_VERSION "\"apiVersion\":\"rbac.authorization.k8s.io/v1\""
#define AUTHORIZATION "/apis/authorization.k8s.io/v1"
#define AUTHENTICATION "/apis/authentication.k8s.io/v1"

static void post(const char *path, const char *body)
{
    ck_assert_msg(CALL(.token = "admin", .method = "POST", .path = path, .body = body) == 201, "%s",
                  kit_body(&kit));
}

static void namespace_named(const char *name)
{
    post("/api/v1/namespaces",
         kube_printf(kit.ctx,
                     "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":"
                     "\"%s\"}}",
                     name));
}

static void role(const char *namespace_, const char *name, const char *rules)
{
    const char *path = *namespace_
                           ? kube_printf(kit.ctx, RBAC_PATH "/namespaces/%s/roles", namespace_)
                           : RBAC_PATH "/clusterroles";
    post(path, kube_printf(kit.ctx,
                           "{" RBAC_VERSION ",\"kind\":\"%sRole\",\"metadata\":{\"name\":"
                           "\"%s\"},\"rules\":[%s]}",
                           *namespace_ ? "" : "Cluster", name, rules));
}

static const char *binding_text(const char *namespace_, const char *name, const char *role_kind,
                                const char *role_name, const char *subject)
{
    return kube_printf(
        kit.ctx,
        "{" RBAC_VERSION ",\"kind\":\"%sRoleBinding\",\"metadata\":{\"name\":\"%s\"},\"roleRef\":{"
        "\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"%s\",\"name\":\"%s\"},"
        "\"subjects\":[%s]}",
        *namespace_ ? "" : "Cluster", name, role_kind, role_name, subject);
}

static void bind(const char *namespace_, const char *role_kind, const char *role_name,
                 const char *subject)
{
    const char *path =
        *namespace_ ? kube_printf(kit.ctx, RBAC_PATH "/namespaces/%s/rolebindings", namespace_)
                    : RBAC_PATH "/clusterrolebindings";
    post(path, binding_text(namespace_, kube_printf(kit.ctx, "of-%s", role_name), role_kind,
                            role_name, subject));
}

#define USER "{\"kind\":\"User\",\"apiGroup\":\"rbac.authorization.k8s.io\",\"name\":\"user\"}"

static const char *who(void)
{
    return kit_at(&kit, "status.userInfo");
}

#define WHOAMI                                                                                     \
    .method = "POST", .path = AUTHENTICATION "/selfsubjectreviews",                                \
    .body = "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}"

/* ---- who ------------------------------------------------------------------------------------ */

FIXTURE(set_up, tear_down);

TEST(hashes_are_those_of_the_standards)
{
    unsigned char sum[32];
    kube__sha256("abc", 3, sum);
    ck_assert_str_eq(kube__api_base64(kit.ctx, sum, 32, false),
                     "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    kube__sha256_hmac("Jefe", 4, "what do ya want for nothing?", 28, sum);
    ck_assert_str_eq(kube__api_base64(kit.ctx, sum, 32, true),
                     "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM");
}

TEST(tokens_and_certificates_say_who_it_is)
{
    static const char *const organizations[] = {"system:masters", "ops", NULL};
    ck_assert_int_eq(CALL(.token = "admin", WHOAMI), 201);
    ck_assert_str_eq(who(), "{\"username\":\"admin\",\"uid\":\"1\",\"groups\":[\"system:masters\","
                            "\"system:authenticated\"]}");
    ck_assert_int_eq(CALL(.token = "user", WHOAMI), 201);
    ck_assert_str_eq(who(),
                     "{\"username\":\"user\",\"uid\":\"2\",\"groups\":[\"system:authenticated\"]}");
    ck_assert_int_eq(
        CALL(.common_name = "joe", .organizations = organizations, .token = "wrong", WHOAMI), 201);
    ck_assert_str_eq(who(), "{\"username\":\"joe\",\"groups\":[\"system:masters\",\"ops\","
                            "\"system:authenticated\"]}");
}

TEST(a_wrong_token_is_unauthorized)
{
    static const char *const tokens[] = {"wrong", "a.b.c", "..", "eyJhbGciOiJub25lIn0.e30."};
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        ck_assert_int_eq(CALL(.token = tokens[i], .path = "/version"), 401);
        ck_assert_str_eq(kit_body(&kit),
                         "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":"
                         "\"Failure\",\"message\":\"Unauthorized\",\"reason\":\"Unauthorized\","
                         "\"code\":401}\n");
    }
}

TEST(anonymous_may_only_see_version_and_health)
{
    ck_assert_int_eq(CALL(.path = "/version"), 200);
    ck_assert_int_eq(CALL(.path = "/healthz"), 200);
    ck_assert_int_eq(CALL(.path = "/livez/ping"), 403);
    ck_assert_int_eq(CALL(.path = "/apis"), 403);
    ck_assert_str_eq(kit_body(&kit),
                     "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":"
                     "\"Failure\",\"message\":\"forbidden: User \\\"system:anonymous\\\" cannot "
                     "get path \\\"/apis\\\"\",\"reason\":\"Forbidden\",\"details\":{},"
                     "\"code\":403}\n");
    ck_assert_int_eq(CALL(.path = "/apis", .headers = {{"authorization", "Basic eDp5"}}), 403);
}

/* ---- impersonation -------------------------------------------------------------------------- */

#define AS(name)                                                                                   \
    {                                                                                              \
        "impersonate-user", name                                                                   \
    }

TEST(an_administrator_acts_as_others)
{
    ck_assert_int_eq(CALL(.token = "admin", WHOAMI,
                          .headers = {AS("jane"),
                                      {"impersonate-uid", "77"},
                                      {"impersonate-extra-sco%2fpe", "a"},
                                      {"impersonate-extra-sco%2fpe", "b"}}),
                     201);
    ck_assert_str_eq(who(), "{\"username\":\"jane\",\"uid\":\"77\",\"groups\":["
                            "\"system:authenticated\"],\"extra\":{\"sco/pe\":[\"a\",\"b\"]}}");
    ck_assert_int_eq(CALL(.token = "admin", WHOAMI,
                          .headers = {AS("jane"),
                                      {"impersonate-group", "devs"},
                                      {"impersonate-group", "system:masters"}}),
                     201);
    ck_assert_str_eq(who(), "{\"username\":\"jane\",\"groups\":[\"devs\",\"system:masters\","
                            "\"system:authenticated\"]}");
    ck_assert_int_eq(CALL(.token = "admin", WHOAMI, .headers = {AS("system:serviceaccount:ns:sa")}),
                     201);
    ck_assert_str_eq(who(), "{\"username\":\"system:serviceaccount:ns:sa\",\"groups\":["
                            "\"system:serviceaccounts\",\"system:serviceaccounts:ns\","
                            "\"system:authenticated\"]}");
    ck_assert_int_eq(CALL(.token = "admin", WHOAMI, .headers = {AS("system:anonymous")}), 403);
    ck_assert_int_eq(CALL(.token = "admin", .path = "/api/v1/pods", .headers = {AS("jane")}), 403);
    ck_assert_str_eq(kit_at(&kit, "message"),
                     "\"pods is forbidden: User \\\"jane\\\" cannot list resource \\\"pods\\\" in "
                     "API group \\\"\\\" at the cluster scope\"");
}

TEST(who_may_not_impersonate_is_told_so)
{
    ck_assert_int_eq(CALL(.token = "user", .path = "/api", .headers = {AS("jane")}), 403);
    ck_assert_str_eq(kit_at(&kit, "message"),
                     "\"forbidden: User \\\"user\\\" cannot impersonate-on:user-info:get path "
                     "\\\"/api\\\"\"");
    ck_assert_int_eq(
        CALL(.token = "user", .path = "/api", .headers = {AS("system:serviceaccount:ns:sa")}), 403);
    ck_assert_str_eq(kit_at(&kit, "message"),
                     "\"forbidden: User \\\"user\\\" cannot impersonate-on:serviceaccount:get "
                     "path \\\"/api\\\"\"");
    ck_assert_int_eq(
        CALL(.token = "admin", .path = "/api", .headers = {{"impersonate-group", "g1"}}), 400);
    ck_assert_str_eq(kit_at(&kit, "message"),
                     "\"requested &user.DefaultInfo{Name:\\\"\\\", UID:\\\"\\\", "
                     "Groups:[]string{\\\"g1\\\"}, Extra:map[string][]string(nil)} without "
                     "impersonating a user name\"");
}

TEST(the_right_to_impersonate_can_be_given)
{
    role("", "as-jane",
         "{\"verbs\":[\"impersonate\"],\"apiGroups\":[\"\"],\"resources\":[\"users\"],"
         "\"resourceNames\":[\"jane\"]}");
    bind("", "ClusterRole", "as-jane", USER);
    ck_assert_int_eq(CALL(.token = "user", WHOAMI, .headers = {AS("jane")}), 201);
    ck_assert_int_eq(CALL(.token = "user", WHOAMI, .headers = {AS("joe")}), 403);
    ck_assert_int_eq(
        CALL(.token = "user", WHOAMI, .headers = {AS("jane"), {"impersonate-group", "devs"}}), 403);
}

/* ---- RBAC ----------------------------------------------------------------------------------- */

TEST(a_refusal_names_verb_resource_and_scope)
{
    static const struct {
        const char *method;
        const char *path;
        const char *message;
        const char *details;
    } cases[] = {
        {"GET", "/apis/apps/v1/namespaces/default/deployments",
         "deployments.apps is forbidden: User \"user\" cannot list resource \"deployments\" in "
         "API group \"apps\" in the namespace \"default\"",
         "{\"group\":\"apps\",\"kind\":\"deployments\"}"},
        {"GET", "/api/v1/nodes/n",
         "nodes \"n\" is forbidden: User \"user\" cannot get resource \"nodes\" in API group \"\" "
         "at the cluster scope",
         "{\"name\":\"n\",\"kind\":\"nodes\"}"},
        {"GET", "/api/v1/namespaces/x/pods/p/status",
         "pods \"p\" is forbidden: User \"user\" cannot get resource \"pods/status\" in API group "
         "\"\" in the namespace \"x\"",
         "{\"name\":\"p\",\"kind\":\"pods\"}"},
        {"GET", "/api/v1/namespaces/x",
         "namespaces \"x\" is forbidden: User \"user\" cannot get resource \"namespaces\" in API "
         "group \"\" in the namespace \"x\"",
         "{\"name\":\"x\",\"kind\":\"namespaces\"}"},
        {"DELETE", "/api/v1/namespaces/x/pods",
         "pods is forbidden: User \"user\" cannot deletecollection resource \"pods\" in API group "
         "\"\" in the namespace \"x\"",
         "{\"kind\":\"pods\"}"},
        {"GET", "/api/v1/pods?watch=1&fieldSelector=metadata.name%3Da",
         "pods \"a\" is forbidden: User \"user\" cannot watch resource \"pods\" in API group \"\" "
         "at the cluster scope",
         "{\"name\":\"a\",\"kind\":\"pods\"}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(CALL(.token = "user", .method = cases[i].method, .path = cases[i].path),
                         403);
        ck_assert_str_eq(kube__json_string_at(kit_json(&kit), "message"), cases[i].message);
        ck_assert_str_eq(kit_at(&kit, "details"), cases[i].details);
    }
}

TEST(rules_give_what_they_name_and_no_more)
{
    static const struct {
        const char *method;
        const char *path;
        int status;
    } cases[] = {
        {"GET", "/api/v1/namespaces/a/pods", 200},
        {"GET", "/api/v1/namespaces/b/pods", 403},
        {"GET", "/api/v1/pods", 403},
        {"DELETE", "/api/v1/namespaces/a/pods/x", 403},
        {"GET", "/api/v1/namespaces/a/configmaps/named", 404},
        {"GET", "/api/v1/namespaces/a/configmaps/other", 403},
        {"GET", "/api/v1/namespaces/a/configmaps?fieldSelector=metadata.name%3Dnamed", 200},
        {"GET", "/api/v1/namespaces/a/configmaps", 403},
        {"GET", "/apis/apps/v1/namespaces/a/deployments/d/scale", 404},
        {"GET", "/apis/apps/v1/namespaces/a/deployments/d", 403},
        {"GET", "/livez/ping", 200},
        {"GET", "/readyz/ping", 403},
        {"GET", "/apis", 200},
    };
    namespace_named("a");
    namespace_named("b");
    role("a", "reader",
         "{\"verbs\":[\"get\",\"list\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\"]},"
         "{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"configmaps\"],"
         "\"resourceNames\":[\"named\"]},"
         "{\"verbs\":[\"get\"],\"apiGroups\":[\"apps\"],\"resources\":[\"*/scale\"]}");
    bind("a", "Role", "reader", USER);
    role("", "health", "{\"verbs\":[\"get\"],\"nonResourceURLs\":[\"/livez/*\"]}");
    bind("", "ClusterRole", "health", "{\"kind\":\"Group\",\"name\":\"system:authenticated\"}");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status = CALL(.token = "user", .method = cases[i].method, .path = cases[i].path);
        ck_assert_msg(status == cases[i].status, "%s %s: %d %s", cases[i].method, cases[i].path,
                      status, kit_body(&kit));
    }
}

TEST(default_roles_are_there_and_collect_others)
{
    namespace_named("a");
    bind("a", "ClusterRole", "view", USER);
    ck_assert_int_eq(CALL(.token = "user", .path = "/api/v1/namespaces/a/configmaps"), 200);
    ck_assert_int_eq(CALL(.token = "user", .path = "/api/v1/namespaces/a/secrets"), 403);
    ck_assert_int_eq(CALL(.token = "user", .path = "/api/v1/namespaces/a"), 200);
    ck_assert_int_eq(CALL(.token = "user", .path = "/apis/rbac.authorization.k8s.io/v1/namespaces/"
                                                   "a/roles"),
                     403);
    post(RBAC_PATH "/clusterroles",
         "{" RBAC_VERSION ",\"kind\":\"ClusterRole\",\"metadata\":{\"name\":\"more\",\"labels\":{"
         "\"rbac.authorization.k8s.io/aggregate-to-view\":\"true\"}},\"rules\":[{\"verbs\":["
         "\"list\"],\"apiGroups\":[\"\"],\"resources\":[\"secrets\"]}]}");
    ck_assert_int_eq(CALL(.token = "user", .path = "/api/v1/namespaces/a/secrets"), 200);
}

TEST(a_binding_to_no_role_is_told_with_the_refusal)
{
    bind("", "ClusterRole", "gone", USER);
    ck_assert_int_eq(CALL(.token = "user", .path = "/api/v1/nodes"), 403);
    ck_assert_str_eq(kube__json_string_at(kit_json(&kit), "message"),
                     "nodes is forbidden: User \"user\" cannot list resource \"nodes\" in API "
                     "group \"\" at the cluster scope: rbac: RBAC: "
                     "clusterrole.rbac.authorization.k8s.io \"gone\" not found");
}

TEST(nobody_grants_what_he_does_not_have)
{
    namespace_named("a");
    role("a", "granter",
         "{\"verbs\":[\"*\"],\"apiGroups\":[\"rbac.authorization.k8s.io\"],\"resources\":["
         "\"rolebindings\"]},{\"verbs\":[\"create\",\"update\"],\"apiGroups\":["
         "\"rbac.authorization.k8s.io\"],\"resources\":[\"roles\"]},{\"verbs\":[\"get\"],"
         "\"apiGroups\":[\"\"],\"resources\":[\"pods\"]}");
    bind("a", "Role", "granter", USER);
    ck_assert_int_eq(CALL(.token = "user", .method = "POST",
                          .path = RBAC_PATH "/namespaces/a/roles",
                          .body = "{" RBAC_VERSION ",\"kind\":\"Role\",\"metadata\":{\"name\":"
                                  "\"held\"},\"rules\":[{\"verbs\":[\"get\"],\"apiGroups\":"
                                  "[\"\"],\"resources\":[\"pods\"]}]}"),
                     201);
    ck_assert_int_eq(CALL(.token = "user", .method = "POST",
                          .path = RBAC_PATH "/namespaces/a/roles",
                          .body = "{" RBAC_VERSION ",\"kind\":\"Role\",\"metadata\":{\"name\":"
                                  "\"more\"},\"rules\":[{\"verbs\":[\"get\",\"list\",\"watch\"],"
                                  "\"apiGroups\":[\"\"],\"resources\":[\"pods\",\"secrets\"]}]}"),
                     403);
    ck_assert_str_eq(kube__json_string_at(kit_json(&kit), "message"),
                     "roles.rbac.authorization.k8s.io \"more\" is forbidden: user \"user\" "
                     "(groups=[\"system:authenticated\"]) is attempting to grant RBAC permissions "
                     "not currently held:\n"
                     "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"list\" \"watch\"]}\n"
                     "{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\" \"list\" "
                     "\"watch\"]}");
    ck_assert_int_eq(CALL(.token = "user", .method = "POST",
                          .path = RBAC_PATH "/namespaces/a/rolebindings",
                          .body = binding_text("a", "b", "ClusterRole", "cluster-admin", USER)),
                     403);
    ck_assert_int_eq(CALL(.token = "user", .method = "POST",
                          .path = RBAC_PATH "/namespaces/a/rolebindings",
                          .body = binding_text("a", "b", "Role", "held", USER)),
                     201);
    ck_assert_int_eq(CALL(.token = "user", .method = "POST",
                          .path = RBAC_PATH "/namespaces/a/rolebindings",
                          .body = binding_text("a", "c", "ClusterRole", "gone", USER)),
                     404);
}

/* ---- reviews -------------------------------------------------------------------------------- */

static const char *access_review(const char *token, const char *kind, const char *spec)
{
    char plural[64];
    snprintf(plural, sizeof plural, "%ss", kind);
    for (char *c = plural; *c; c++)
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    int status =
        kit_call(&kit, (api_call){.token = token,
                                  .method = "POST",
                                  .path = kube_printf(kit.ctx, AUTHORIZATION "/%s", plural),
                                  .body = kube_printf(kit.ctx,
                                                      "{\"apiVersion\":\"authorization.k8s.io/v1\","
                                                      "\"kind\":\"%s\",\"spec\":%s}",
                                                      kind, spec)});
    ck_assert_msg(status == 201 || status == 422 || status == 400, "%s", kit_body(&kit));
    return status == 201 ? kit_at(&kit, "status") : kit_at(&kit, "message");
}

TEST(access_reviews_answer_what_authorization_would)
{
    ck_assert_str_eq(access_review("admin", "SelfSubjectAccessReview",
                                   "{\"resourceAttributes\":{\"verb\":\"list\",\"resource\":"
                                   "\"pods\"}}"),
                     "{\"allowed\":true}");
    ck_assert_str_eq(access_review("user", "SelfSubjectAccessReview",
                                   "{\"resourceAttributes\":{\"verb\":\"list\",\"resource\":"
                                   "\"pods\"}}"),
                     "{\"allowed\":false}");
#define BY_DISCOVERY                                                                               \
    "{\"allowed\":true,\"reason\":\"RBAC: allowed by ClusterRoleBinding \\\"system:discovery\\\" " \
    "of ClusterRole \\\"system:discovery\\\" to Group \\\"system:authenticated\\\"\"}"
    ck_assert_str_eq(access_review("user", "SelfSubjectAccessReview",
                                   "{\"nonResourceAttributes\":{\"verb\":\"get\",\"path\":"
                                   "\"/api\"}}"),
                     BY_DISCOVERY);
    ck_assert_str_eq(access_review("admin", "SubjectAccessReview",
                                   "{\"groups\":[\"system:authenticated\"],\"user\":\"x\","
                                   "\"nonResourceAttributes\":{\"verb\":\"get\",\"path\":"
                                   "\"/api\"}}"),
                     BY_DISCOVERY);
    ck_assert_str_eq(kit_at(&kit, "spec"),
                     "{\"nonResourceAttributes\":{\"path\":\"/api\",\"verb\":\"get\"},\"user\":"
                     "\"x\",\"groups\":[\"system:authenticated\"]}");
}

TEST(a_review_that_asks_nothing_is_invalid)
{
    ck_assert_str_eq(access_review("user", "SelfSubjectAccessReview", "{}"),
                     "\".authorization.k8s.io \\\"\\\" is invalid: spec: Invalid value: null: "
                     "exactly one of nonResourceAttributes or resourceAttributes must be "
                     "specified\"");
    ck_assert_ptr_null(kube__json_at(kit_json(&kit), "details.kind"));
    ck_assert_str_eq(access_review("user", "SelfSubjectAccessReview",
                                   "{\"resourceAttributes\":{\"verb\":\"list\"},"
                                   "\"nonResourceAttributes\":{\"verb\":\"get\",\"path\":"
                                   "\"/api\"}}"),
                     "\".authorization.k8s.io \\\"\\\" is invalid: spec: Invalid value: "
                     "{\\\"Path\\\":\\\"/api\\\",\\\"Verb\\\":\\\"get\\\"}: exactly one of "
                     "nonResourceAttributes or resourceAttributes must be specified\"");
    ck_assert_str_eq(access_review("admin", "SubjectAccessReview",
                                   "{\"nonResourceAttributes\":{\"verb\":\"get\",\"path\":"
                                   "\"/api\"}}"),
                     "\".authorization.k8s.io \\\"\\\" is invalid: spec.user: Invalid value: "
                     "\\\"\\\": at least one of user or group must be specified\"");
}

TEST(rules_reviews_list_what_one_may)
{
    ck_assert_str_eq(
        access_review("user", "SelfSubjectRulesReview", "{\"namespace\":\"default\"}"),
        "{\"resourceRules\":[{\"verbs\":[\"create\"],\"apiGroups\":[\"authorization.k8s.io\"],"
        "\"resources\":[\"selfsubjectaccessreviews\",\"selfsubjectrulesreviews\"]},{\"verbs\":["
        "\"create\"],\"apiGroups\":[\"authentication.k8s.io\"],\"resources\":["
        "\"selfsubjectreviews\"]}],\"nonResourceRules\":[{\"verbs\":[\"get\"],"
        "\"nonResourceURLs\":[\"/api\",\"/api/*\",\"/apis\",\"/apis/*\",\"/healthz\",\"/livez\","
        "\"/openapi\",\"/openapi/*\",\"/readyz\",\"/version\",\"/version/\"]},{\"verbs\":["
        "\"get\"],\"nonResourceURLs\":[\"/healthz\",\"/livez\",\"/readyz\",\"/version\","
        "\"/version/\"]}],\"incomplete\":false}");
    ck_assert_str_eq(access_review("user", "SelfSubjectRulesReview", "{}"),
                     "\"no namespace on request\"");
}

/* ---- tokens of service accounts ------------------------------------------------------------- */

static const char *token_for(const char *spec)
{
    post("/api/v1/namespaces/default/serviceaccounts",
         "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"sa\"}}");
    post("/api/v1/namespaces/default/serviceaccounts/sa/token",
         kube_printf(kit.ctx,
                     "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":"
                     "\"TokenRequest\",\"spec\":%s}",
                     spec));
    return kube__json_string_at(kit_json(&kit), "status.token");
}

static const char *token_review(const char *token, const char *audiences)
{
    post(AUTHENTICATION "/tokenreviews",
         kube_printf(kit.ctx,
                     "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":"
                     "\"TokenReview\",\"spec\":{\"token\":\"%s\"%s}}",
                     token, audiences));
    return kit_at(&kit, "status");
}

TEST(an_account_gets_a_token_and_is_known_by_it)
{
    const char *token = token_for("{}");
    ck_assert_str_eq(kit_at(&kit, "spec"),
                     "{\"audiences\":[\"https://kubernetes.default.svc\"],\"expirationSeconds\":"
                     "3600,\"boundObjectRef\":null}");
    ck_assert_str_eq(kit_at(&kit, "status.expirationTimestamp"), "\"2026-11-21T03:40:23Z\"");
    ck_assert_str_eq(kit_at(&kit, "metadata.name"), "\"sa\"");
    ck_assert_int_eq(CALL(.token = token, WHOAMI), 201);
    ck_assert_str_eq(kit_at(&kit, "status.userInfo.username"),
                     "\"system:serviceaccount:default:sa\"");
    ck_assert_str_eq(kit_at(&kit, "status.userInfo.groups"),
                     "[\"system:serviceaccounts\",\"system:serviceaccounts:default\","
                     "\"system:authenticated\"]");
    bind("default", "ClusterRole", "view", "{\"kind\":\"ServiceAccount\",\"name\":\"sa\"}");
    ck_assert_int_eq(CALL(.token = token, .path = "/api/v1/namespaces/default/pods"), 200);
    char *forged = kube_ctx_strdup(kit.ctx, token);
    forged[strlen(forged) - 1] ^= 1;
    ck_assert_int_eq(CALL(.token = forged, .path = "/api"), 401);
}

TEST(a_token_ends_with_its_time_and_with_its_account)
{
    const char *token = token_for("{\"expirationSeconds\":600}");
    kube_fake_clock_advance_ms(fake, 599 * 1000);
    ck_assert_int_eq(CALL(.token = token, .path = "/api"), 200);
    kube_fake_clock_advance_ms(fake, 2 * 1000);
    ck_assert_int_eq(CALL(.token = token, .path = "/api"), 401);
    kube_fake_clock_advance_ms(fake, -600 * 1000);
    ck_assert_int_eq(CALL(.token = token, .path = "/api"), 200);
    ck_assert_int_eq(CALL(.token = "admin", .method = "DELETE",
                          .path = "/api/v1/namespaces/default/serviceaccounts/sa"),
                     200);
    ck_assert_int_eq(CALL(.token = token, .path = "/api"), 401);
}

TEST(token_reviews_tell_whose_it_is_and_for_whom)
{
    const char *token = token_for("{\"audiences\":[\"x\",\"y\"]}");
    ck_assert_str_eq(token_review(token, ""),
                     "{\"user\":{},\"error\":\"[invalid bearer token, token audiences [\\\"x\\\" "
                     "\\\"y\\\"] is invalid for the target audiences "
                     "[\\\"https://kubernetes.default.svc\\\"]]\"}");
    ck_assert(
        strstr(token_review(token, ",\"audiences\":[\"y\",\"z\"]"), "\"audiences\":[\"y\"]}"));
    ck_assert_int_eq(CALL(.token = token, .path = "/api"), 401);
    ck_assert_str_eq(token_review(kit_token(&kit, "user"), ""),
                     "{\"authenticated\":true,\"user\":{\"username\":\"user\",\"uid\":\"2\","
                     "\"groups\":[\"system:authenticated\"]},\"audiences\":["
                     "\"https://kubernetes.default.svc\"]}");
    ck_assert_str_eq(token_review("bad", ""), "{\"user\":{},\"error\":\"invalid bearer token\"}");
}

TEST(token_requests_are_checked)
{
#define REQUEST(members)                                                                           \
    "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\"," members "}"
    static const struct {
        const char *name;
        const char *body;
        int status;
        const char *message;
    } cases[] = {
        {"none", REQUEST("\"spec\":{}"), 404, "serviceaccounts \"none\" not found"},
        {"sa", REQUEST("\"spec\":{\"expirationSeconds\":5}"), 422,
         "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid "
         "value: 5: may not specify a duration less than 10 minutes"},
        {"sa", REQUEST("\"metadata\":{\"name\":\"b\"},\"spec\":{}"), 422,
         "TokenRequest.authentication.k8s.io \"sa\" is invalid: metadata.name: Invalid value: "
         "\"b\": must match the service account name if specified"},
        {"sa",
         REQUEST("\"spec\":{\"boundObjectRef\":{\"kind\":\"Foo\",\"apiVersion\":\"v1\","
                 "\"name\":\"x\"}}"),
         400, "cannot bind token to object of type /v1, Kind=Foo"},
        {"sa",
         REQUEST("\"spec\":{\"boundObjectRef\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\","
                 "\"name\":\"x\"}}"),
         404, "pods \"x\" not found"},
    };
    token_for("{}");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = kube_printf(
            kit.ctx, "/api/v1/namespaces/default/serviceaccounts/%s/token", cases[i].name);
        ck_assert_int_eq(
            CALL(.token = "admin", .method = "POST", .path = path, .body = cases[i].body),
            cases[i].status);
        ck_assert_str_eq(kube__json_string_at(kit_json(&kit), "message"), cases[i].message);
    }
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Everything on the way to a decision: bindings, roles, a token, impersonation, a review. */
static bool decide_once(void *arg)
{
    const char *token = arg;
    kube_ctx *own = kube_ctx_new();
    if (!own)
        return false;
    kube_ctx *ctx = own;
    const char *bearer = kube_printf(ctx, "Bearer %s", token);
    const kube__api_pair headers[] = {
        {"authorization", bearer ? bearer : ""},
        {"impersonate-user", "jane"},
        {"impersonate-extra-a%2fb", "c"},
        {"content-type", "application/json"},
    };
    static const char body[] = "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":"
                               "\"SelfSubjectRulesReview\",\"spec\":{\"namespace\":\"a\"}}";
    kube__api_request request = {.ctx = ctx,
                                 .method = "POST",
                                 .headers = {headers, sizeof headers / sizeof *headers},
                                 .body = body,
                                 .body_len = sizeof body - 1};
    const kube__api_peer peer = {0};
    const kube__api_message message = {.target = AUTHORIZATION "/selfsubjectrulesreviews",
                                       .peer = &peer};
    kube__api_response response;
    kube__api_response_init(&response);
    if (bearer)
        kube__api_dispatch(kit.server, &request, &message, &response);
    bool done = response.http_status == 201 && !response.drop;
    if (!done && bearer && !response.drop && response.http_status != 500)
        abort();
    kube__api_response_fini(&response);
    kube_ctx_free(own);
    return done;
}

TEST(lost_memory_neither_lets_in_nor_breaks)
{
    char token[2048];
    snprintf(token, sizeof token, "%s", token_for("{}"));
    role("", "as-jane",
         "{\"verbs\":[\"impersonate\"],\"apiGroups\":[\"\",\"authentication.k8s.io\"],"
         "\"resources\":[\"users\",\"userextras/a/b\"]}");
    bind("", "ClusterRole", "as-jane",
         "{\"kind\":\"ServiceAccount\",\"namespace\":\"default\",\"name\":\"sa\"}");
    ck_assert_uint_gt(fail_malloc_replay(decide_once, token), 0);
}

FIXTURE(set_up_open, tear_down);

TEST(open_servers_let_everybody_do_all_who_says_his_name)
{
    ck_assert_int_eq(CALL(.token = "user", .path = "/api/v1/pods"), 200);
    ck_assert_int_eq(CALL(.token = "user", .path = "/livez/ping"), 200);
    ck_assert_int_eq(CALL(.path = "/api/v1/pods"), 403);
    ck_assert_int_eq(CALL(.path = "/version"), 200);
}

TEST(an_open_server_says_that_all_is_allowed)
{
    ck_assert_str_eq(
        access_review("user", "SelfSubjectRulesReview", "{\"namespace\":\"default\"}"),
        "{\"resourceRules\":[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}],"
        "\"nonResourceRules\":[{\"verbs\":[\"*\"],\"nonResourceURLs\":[\"*\"]}],"
        "\"incomplete\":false}");
    ck_assert_str_eq(access_review("user", "SelfSubjectAccessReview",
                                   "{\"resourceAttributes\":{\"verb\":\"list\",\"resource\":"
                                   "\"pods\"}}"),
                     "{\"allowed\":true}");
}
