/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects of every built-in kind with most of their fields set, as the server sends them: read and
 * written again they are the same JSON, no member is unknown, and copies are as good as originals.
 * A member that is null says what its absence says, so null members do not count.
 */
#include "cluster_world.h"

#include <apiextensions/v1/api.h>
#include <apps/v1/api.h>
#include <authorization/v1/api.h>
#include <autoscaling/v2/api.h>
#include <batch/v1/api.h>
#include <cjson/cJSON.h>
#include <coordination/v1/api.h>
#include <core/v1/api.h>
#include <discovery/v1/api.h>
#include <events/v1/api.h>
#include <networking/v1/api.h>
#include <policy/v1/api.h>
#include <rbac/v1/api.h>
#include <stdio.h>
#include <stdlib.h>
#include <storage/v1/api.h>
#include <string.h>

enum { TEXT_MAX = 1 << 18, PATH_SIZE = 512 };

typedef struct builtin {
    const char *input; /* builtins/<input>.yaml, and perhaps <input>.status.yaml */
    const kube_type *type;
    const char *url; /* %s = the namespace; NULL = create answers with the object */
} builtin;

#define CORE "/api/v1/namespaces/%s/"
#define GROUP(group) "/apis/" group "/v1/namespaces/%s/"
#define NETWORKING "/apis/networking.k8s.io/v1/"
#define STORAGE "/apis/storage.k8s.io/v1/"
#define RBAC "/apis/rbac.authorization.k8s.io/v1/"

static const builtin builtins[] = {
    {"pod", &core_v1_pod_type, CORE "pods/rich"},
    {"service", &core_v1_service_type, CORE "services/rich"},
    {"configmap", &core_v1_config_map_type, CORE "configmaps/rich"},
    {"secret", &core_v1_secret_type, CORE "secrets/rich"},
    {"namespace", &core_v1_namespace_type, "/api/v1/namespaces/rich-namespace"},
    {"node", &core_v1_node_type, "/api/v1/nodes/rich-node"},
    {"event", &core_v1_event_type, CORE "events/rich.1"},
    {"event-bare", &core_v1_event_type, CORE "events/bare.1"},
    {"serviceaccount", &core_v1_service_account_type, CORE "serviceaccounts/rich"},
    {"endpoints", &core_v1_endpoints_type, CORE "endpoints/rich"},
    {"deployment", &apps_v1_deployment_type, GROUP("apps") "deployments/rich"},
    {"replicaset", &apps_v1_replica_set_type, GROUP("apps") "replicasets/rich"},
    {"statefulset", &apps_v1_stateful_set_type, GROUP("apps") "statefulsets/rich"},
    {"daemonset", &apps_v1_daemon_set_type, GROUP("apps") "daemonsets/rich"},
    {"job", &batch_v1_job_type, GROUP("batch") "jobs/rich"},
    {"cronjob", &batch_v1_cron_job_type, GROUP("batch") "cronjobs/rich"},
    {"ingress", &networking_v1_ingress_type, GROUP("networking.k8s.io") "ingresses/rich"},
    {"ingressclass", &networking_v1_ingress_class_type, NETWORKING "ingressclasses/rich-class"},
    {"networkpolicy", &networking_v1_network_policy_type,
     GROUP("networking.k8s.io") "networkpolicies/rich"},
    {"networkpolicy-bare", &networking_v1_network_policy_type,
     GROUP("networking.k8s.io") "networkpolicies/bare"},
    {"ipaddress", &networking_v1_ip_address_type, NETWORKING "ipaddresses/198.51.100.1"},
    {"servicecidr", &networking_v1_service_cidr_type, NETWORKING "servicecidrs/rich-cidr"},
    {"poddisruptionbudget", &policy_v1_pod_disruption_budget_type,
     GROUP("policy") "poddisruptionbudgets/rich"},
    {"poddisruptionbudget-bare", &policy_v1_pod_disruption_budget_type,
     GROUP("policy") "poddisruptionbudgets/bare"},
    {"storageclass", &storage_v1_storage_class_type, STORAGE "storageclasses/rich-class"},
    {"volumeattachment", &storage_v1_volume_attachment_type,
     STORAGE "volumeattachments/rich-attachment"},
    {"csidriver", &storage_v1_csi_driver_type, STORAGE "csidrivers/rich.example.com"},
    {"csinode", &storage_v1_csi_node_type, STORAGE "csinodes/rich-node"},
    {"csistoragecapacity", &storage_v1_csi_storage_capacity_type,
     STORAGE "namespaces/%s/csistoragecapacities/rich"},
    {"volumeattributesclass", &storage_v1_volume_attributes_class_type,
     STORAGE "volumeattributesclasses/rich-attributes"},
    {"endpointslice", &discovery_v1_endpoint_slice_type,
     GROUP("discovery.k8s.io") "endpointslices/rich"},
    {"horizontalpodautoscaler", &autoscaling_v2_horizontal_pod_autoscaler_type,
     "/apis/autoscaling/v2/namespaces/%s/horizontalpodautoscalers/rich"},
    {"lease", &coordination_v1_lease_type, GROUP("coordination.k8s.io") "leases/rich"},
    {"newevent", &events_v1_event_type, GROUP("events.k8s.io") "events/rich.2"},
    {"role", &rbac_v1_role_type, RBAC "namespaces/%s/roles/rich"},
    {"role-bare", &rbac_v1_role_type, RBAC "namespaces/%s/roles/bare"},
    {"rolebinding", &rbac_v1_role_binding_type, RBAC "namespaces/%s/rolebindings/rich"},
    {"clusterrole", &rbac_v1_cluster_role_type, RBAC "clusterroles/rich-role"},
    {"clusterrolebinding", &rbac_v1_cluster_role_binding_type,
     RBAC "clusterrolebindings/rich-binding"},
    {"crd", &apiextensions_v1_custom_resource_definition_type,
     "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/riches.example.com"},
    {"selfsubjectaccessreview", &authorization_v1_self_subject_access_review_type, NULL},
    {"subjectaccessreview", &authorization_v1_subject_access_review_type, NULL},
    {"localsubjectaccessreview", &authorization_v1_local_subject_access_review_type, NULL},
    {"selfsubjectrulesreview", &authorization_v1_self_subject_rules_review_type, NULL},
};
enum { BUILTIN_COUNT = sizeof builtins / sizeof *builtins };

static kube_error err;

/* ---- inputs -------------------------------------------------------------------------------- */

/* The file with NAMESPACE put in, or NULL when there is none. */
static char *read_input(const char *name)
{
    char path[PATH_SIZE];
    char *text = calloc(1, TEXT_MAX);
    char *out = calloc(1, TEXT_MAX);
    char *from = text;
    char *at;
    FILE *file;
    snprintf(path, sizeof path, "%s/tests/conformance/builtins/%s.yaml",
             getenv("KUBEGEN_SOURCE_DIR"), name);
    file = fopen(path, "r");
    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_nonnull(out);
    if (!file) {
        free(text);
        free(out);
        return NULL;
    }
    ck_assert_uint_lt(fread(text, 1, TEXT_MAX - 1, file), TEXT_MAX / 2);
    fclose(file);
    while ((at = strstr(from, "NAMESPACE"))) {
        strncat(out, from, (size_t)(at - from));
        strcat(out, ns);
        from = at + strlen("NAMESPACE");
    }
    strcat(out, from);
    free(text);
    return out;
}

/* Drops the warnings that kubectl prints first. */
static char *document(char *text)
{
    const char *start = strchr(text, '{');
    ck_assert_ptr_nonnull(start);
    ck_assert_uint_lt(strlen(text), TEXT_MAX - 1); /* it was not cut */
    memmove(text, start, strlen(start) + 1);
    return text;
}

/* Makes the object and returns what the server sends of it. */
static char *make(const builtin *of)
{
    char *sent = calloc(1, TEXT_MAX);
    char *input = read_input(of->input);
    char status[PATH_SIZE];
    char url[PATH_SIZE];
    char *patch;
    int rc;
    ck_assert_ptr_nonnull(sent);
    ck_assert_ptr_nonnull(input);
    if (!of->url) {
        rc = real_server_kubectl(server, input, sent, TEXT_MAX, "create -f - -o json");
        ck_assert_msg(rc == 0, "%s: %s", of->input, sent);
        free(input);
        return document(sent);
    }
    rc = real_server_kubectl(server, input, sent, TEXT_MAX, "-n %s create -f -", ns);
    ck_assert_msg(rc == 0, "%s: %s", of->input, sent);
    snprintf(status, sizeof status, "%s.status", of->input);
    patch = read_input(status);
    if (patch) {
        rc = real_server_kubectl(
            server, patch, sent, TEXT_MAX,
            "-n %s patch %s %s --subresource=status --type=merge --patch-file=/dev/stdin", ns,
            of->type->resource, strrchr(of->url, '/') + 1);
        ck_assert_msg(rc == 0, "%s: %s", status, sent);
    }
    free(patch);
    free(input);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(url, sizeof url, of->url, ns);
#pragma GCC diagnostic pop
    rc = real_server_kubectl(server, NULL, sent, TEXT_MAX, "get --raw %s", url);
    ck_assert_msg(rc == 0, "%s: %s", of->input, sent);
    return document(sent);
}

/* ---- comparing ----------------------------------------------------------------------------- */

static void drop_nulls(cJSON *node)
{
    cJSON *next;
    for (cJSON *at = node->child; at; at = next) {
        next = at->next;
        if (cJSON_IsObject(node) && cJSON_IsNull(at))
            cJSON_Delete(cJSON_DetachItemViaPointer(node, at));
        else
            drop_nulls(at);
    }
}

/* The path of the first difference, or "" when there is none. */
static void compare(const cJSON *want, const cJSON *got, const char *path, char *difference)
{
    char inner[PATH_SIZE];
    if (*difference)
        return;
    if (!got || !want || (want->type & 0xff) != (got->type & 0xff) ||
        (cJSON_IsNumber(want) && cJSON_Compare(want, got, true) == 0) ||
        (cJSON_IsString(want) && strcmp(want->valuestring, got->valuestring) != 0)) {
        snprintf(difference, PATH_SIZE, "%s", path);
        return;
    }
    if (cJSON_IsObject(want)) {
        for (const cJSON *at = want->child; at; at = at->next) {
            snprintf(inner, sizeof inner, "%.400s.%.100s", path, at->string);
            compare(at, cJSON_GetObjectItemCaseSensitive(got, at->string), inner, difference);
        }
        for (const cJSON *at = got->child; at; at = at->next) {
            snprintf(inner, sizeof inner, "%.400s.%.100s", path, at->string);
            if (!cJSON_GetObjectItemCaseSensitive(want, at->string))
                compare(NULL, at, inner, difference);
        }
    } else if (cJSON_IsArray(want)) {
        const cJSON *a = want->child;
        const cJSON *b = got->child;
        for (int i = 0; a || b; i++, a = a ? a->next : NULL, b = b ? b->next : NULL) {
            snprintf(inner, sizeof inner, "%.400s[%d]", path, i);
            compare(a, b, inner, difference);
        }
    }
}

static void expect_same(const char *what, const char *want, const char *got)
{
    char difference[PATH_SIZE] = "";
    cJSON *wanted = cJSON_Parse(want);
    cJSON *gotten = cJSON_Parse(got);
    ck_assert_ptr_nonnull(wanted);
    ck_assert_ptr_nonnull(gotten);
    drop_nulls(wanted);
    drop_nulls(gotten);
    compare(wanted, gotten, "", difference);
    ck_assert_msg(!*difference, "%s: %s differs\nsent: %.1500s\nback: %.1500s", what, difference,
                  want, got);
    cJSON_Delete(wanted);
    cJSON_Delete(gotten);
}

/* ---- unknown members ----------------------------------------------------------------------- */

static void expect_no_extra(const kube_schema *schema, const char *at, const char *what);

static void expect_no_extra_inside(unsigned kind, const kube_schema *sub, const char *at,
                                   const char *what)
{
    struct {
        const char *items;
        size_t len;
    } span;
    const char *target;

    switch (kind) {
    case KUBE_KIND_STRUCT:
        expect_no_extra(sub, at, what);
        break;
    case KUBE_KIND_STRUCT_PTR:
        memcpy(&target, at, sizeof target);
        if (target)
            expect_no_extra(sub, target, what);
        break;
    case KUBE_KIND_LIST:
    case KUBE_KIND_MAP:
        memcpy(&span, at, sizeof span);
        for (size_t i = 0; i < span.len; i++)
            expect_no_extra_inside(sub->element_kind, sub->subs ? sub->subs[0] : NULL,
                                   span.items + i * sub->size + (kind == KUBE_KIND_MAP ? 8 : 0),
                                   what);
        break;
    default:
        break;
    }
}

static void expect_no_extra(const kube_schema *schema, const char *at, const char *what)
{
    kube_extra extra = {0};
    if (schema->extra_offset != KUBE_NO_EXTRA)
        memcpy(&extra, at + schema->extra_offset, sizeof extra);
    ck_assert_msg(extra.len == 0, "%s: %s does not know %.*s", what, schema->name, (int)extra.len,
                  extra.members);
    for (size_t i = 0; i < schema->field_count; i++) {
        const kube_field *field = &schema->fields[i];
        expect_no_extra_inside(field->kind, schema->subs ? schema->subs[field->sub] : NULL,
                               at + field->offset, what);
    }
}

/* ---- cases --------------------------------------------------------------------------------- */

static const char *encoded(const kube_type *type, const kube_object *object)
{
    const char *json;
    expect_ok(kube_encode(ctx, type, object, KUBE_ENCODE_PLAIN, &json, NULL, &err), &err);
    return json;
}

FIXTURE(case_set_up, case_tear_down);

TEST_TIMES(comes_out_again_as_it_was_sent, BUILTIN_COUNT)
{
    const builtin *of = &builtins[_i];
    char *sent = make(of);
    kube_object *object;
    kube_object *copy;
    expect_ok(kube_decode(ctx, of->type, sent, strlen(sent), &object, &err), &err);
    ck_assert_ptr_null(kube_object_lost_path(object));
    expect_no_extra(of->type->schema, (const char *)object, of->input);
    expect_same(of->input, sent, encoded(of->type, object));
    copy = kube_object_deep_copy(ctx, of->type, object);
    ck_assert_ptr_nonnull(copy);
    ck_assert_ptr_null(kube_object_lost_path(copy));
    expect_same(of->input, sent, encoded(of->type, copy));
    free(sent);
}

/* What is sent back is taken: the server sees no change, so the version stays. */
TEST(an_update_with_what_was_read_changes_nothing)
{
    char *sent = make(&builtins[10]);
    apps_v1_deployment *found;
    apps_v1_deployment *updated;
    expect_ok(apps_v1_deployments_get(client, ctx, kube_key_of(ns, "rich"), NULL, &found, &err),
              &err);
    ck_assert(found->spec.replicas.set); /* an explicit zero */
    ck_assert_int_eq(found->spec.replicas.value, 0);
    ck_assert_uint_eq(found->spec.template_.spec.containers.len, 1);
    expect_ok(apps_v1_deployments_update(client, ctx, ns, found, NULL, &updated, &err), &err);
    ck_assert_str_eq(updated->metadata.resource_version, found->metadata.resource_version);
    free(sent);
}

TEST(a_review_answers)
{
    const authorization_v1_self_subject_access_review asked = {
        .spec = {.resource_attributes = &(authorization_v1_resource_attributes){
                     .namespace_ = ns, .verb = "list", .resource = "pods"}}};
    authorization_v1_self_subject_access_review *answer;
    expect_ok(authorization_v1_self_subject_access_reviews_create(client, ctx, &asked, NULL,
                                                                  &answer, &err),
              &err);
    ck_assert(answer->status.allowed);
}

int main(void)
{
    return world_run(NULL);
}
