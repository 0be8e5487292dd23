/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random objects of the shipped APIs, read and written by libkube and by Go: what the two make of
 * them may differ only as differences.md lists. The other half is hack/envtest/gojson.
 *
 *   test_gojson DIFFERENCES COUNT [SEED]
 */
#include "base/random.h"
#include "random_json.h"

#include <apiextensions/v1/register.h>
#include <apps/v1/register.h>
#include <authorization/v1/register.h>
#include <autoscaling/v2/register.h>
#include <batch/v1/register.h>
#include <coordination/v1/register.h>
#include <core/v1/register.h>
#include <discovery/v1/register.h>
#include <events/v1/register.h>
#include <kube/codec.h>
#include <networking/v1/register.h>
#include <policy/v1/register.h>
#include <rbac/v1/register.h>
#include <stdio.h>
#include <stdlib.h>
#include <storage/v1/register.h>
#include <string.h>
#include <sys/wait.h>

enum { SKIPPED = 77, TEXT_MAX = 1 << 22 };

static const kube_type *const types[] = {
    &apiextensions_v1_custom_resource_definition_type,
    &apps_v1_daemon_set_type,
    &apps_v1_deployment_type,
    &apps_v1_replica_set_type,
    &apps_v1_stateful_set_type,
    &authorization_v1_local_subject_access_review_type,
    &authorization_v1_self_subject_access_review_type,
    &authorization_v1_self_subject_rules_review_type,
    &authorization_v1_subject_access_review_type,
    &autoscaling_v2_horizontal_pod_autoscaler_type,
    &batch_v1_cron_job_type,
    &batch_v1_job_type,
    &coordination_v1_lease_type,
    &core_v1_config_map_type,
    &core_v1_endpoints_type,
    &core_v1_event_type,
    &core_v1_namespace_type,
    &core_v1_node_type,
    &core_v1_pod_type,
    &core_v1_secret_type,
    &core_v1_service_account_type,
    &core_v1_service_type,
    &discovery_v1_endpoint_slice_type,
    &events_v1_event_type,
    &networking_v1_ingress_class_type,
    &networking_v1_ingress_type,
    &networking_v1_ip_address_type,
    &networking_v1_network_policy_type,
    &networking_v1_service_cidr_type,
    &policy_v1_pod_disruption_budget_type,
    &rbac_v1_cluster_role_binding_type,
    &rbac_v1_cluster_role_type,
    &rbac_v1_role_binding_type,
    &rbac_v1_role_type,
    &storage_v1_csi_driver_type,
    &storage_v1_csi_node_type,
    &storage_v1_csi_storage_capacity_type,
    &storage_v1_storage_class_type,
    &storage_v1_volume_attachment_type,
    &storage_v1_volume_attributes_class_type,
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "test_gojson: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

/* The program that reads as Go does. Where there is no Go, the test ends here. */
static void find_judge(char *path, size_t size)
{
    char command[4096];
    const char *ci = getenv("CI");
    snprintf(command, sizeof command, "'%s/hack/setup-envtest.sh' --gojson",
             getenv("KUBEGEN_SOURCE_DIR"));
    FILE *pipe = popen(command, "r");
    if (!pipe)
        die("popen", "failed");
    if (!fgets(path, (int)size, pipe))
        path[0] = '\0';
    if (pclose(pipe) == 0 && path[0]) {
        path[strcspn(path, "\n")] = '\0';
        return;
    }
    if (ci && strcmp(ci, "true") == 0)
        die("needed under CI=true", "Go");
    fprintf(stderr, "skipped: no Go\n");
    exit(SKIPPED);
}

/* What libkube makes of the text: its JSON, which must read and be written as it is, or the error.
 */
static kube_code read_and_write(kube_ctx *ctx, const kube_type *type, const char *input, size_t len,
                                const char **output, size_t *output_len, bool *partial,
                                kube_error *err)
{
    kube_object *object = NULL;
    kube_object *again = NULL;
    const char *second = NULL;
    size_t second_len = 0;
    kube_code rc = kube_decode(ctx, type, input, len, &object, err);
    if (rc)
        return rc;
    *partial = kube_object_lost_path(object) != NULL;
    rc = kube_encode(ctx, type, object, KUBE_ENCODE_PLAIN, output, output_len, err);
    if (rc)
        return rc;
    rc = kube_decode(ctx, type, *output, *output_len, &again, err);
    if (rc == KUBE_OK)
        rc = kube_encode(ctx, type, again, KUBE_ENCODE_PLAIN, &second, &second_len, err);
    if (rc == KUBE_OK && (second_len != *output_len || memcmp(second, *output, second_len) != 0))
        rc = kube_error_set(err, KUBE_ERR_DECODE, "writes another object than it read");
    return rc;
}

static void send_object(FILE *judge, unsigned long number, uint64_t seed)
{
    static const unsigned wrong[] = {0, 0, 400, 100, 20};
    kube__buffer text;
    kube_error err = {0};
    const char *output = NULL;
    size_t output_len = 0;
    bool partial = false;
    kube_ctx *ctx = kube_ctx_new();
    kube__buffer_init(&text, TEXT_MAX);
    random_json r = {.out = &text, .state = kube__random_mix(seed ^ kube__random_mix(number))};
    r.wrong = wrong[kube__random_next(&r.state) % (sizeof wrong / sizeof *wrong)];
    r.chance = 1 + (unsigned)(kube__random_next(&r.state) % 4);
    const kube_type *type = types[number % (sizeof types / sizeof *types)];
    random_json_object(&r, type);
    if (!ctx || text.failed)
        die("out of memory", type->kind);
    const char *input = text.len ? text.data : "";
    kube_code rc = read_and_write(ctx, type, input, text.len, &output, &output_len, &partial, &err);
    if (rc) {
        size_t path_len = strlen(err.field);
        output = err.message;
        if (path_len && strncmp(output, err.field, path_len) == 0)
            output += path_len + strlen(": ");
        output_len = strlen(output);
    }
    fprintf(judge, "%s %s %lu %d %d %zu %zu\n", type->api_version, type->kind, number, (int)rc,
            (int)partial, text.len, output_len);
    fwrite(input, 1, text.len, judge);
    fwrite(output, 1, output_len, judge);
    kube__buffer_fini(&text);
    kube_ctx_free(ctx);
}

int main(int argc, char **argv)
{
    char path[4096];
    char command[2 * sizeof path];
    if (argc < 3)
        die("usage", "test_gojson DIFFERENCES COUNT [SEED]");
    unsigned long count = strtoul(argv[2], NULL, 10);
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 12;
    find_judge(path, sizeof path);
    snprintf(command, sizeof command, "'%s' '%s'", path, argv[1]);
    FILE *judge = popen(command, "w");
    if (!judge)
        die("popen", path);
    for (unsigned long i = 0; i < count; i++)
        send_object(judge, i, seed);
    int status = pclose(judge);
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}
