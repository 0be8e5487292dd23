/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Kind that embeds what Kubernetes has: a Pod template, a Service's spec, an affinity. Its CRD
 * says about them what controller-gen says of the Go types, so that both servers take it, fill in
 * the defaults, prune what is misspelt and miss what is required; and what comes back makes a Pod.
 */
#include "cluster_world.h"

#include <batch/v1/api.h>
#include <core/v1/api.h>
#include <embedding/v1/api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARNING_SIZE = 512 };

static kube_error err;
static char warning[WARNING_SIZE];

/* ---- what is written ------------------------------------------------------------------------ */

static core_v1_container_port ports[] = {
    {.name = "http", .container_port = 8080},
    {.name = "dns", .container_port = 53, .protocol = "UDP"},
};
static core_v1_http_get_action health = {.path = "/healthz", .port = {"http", 0, true}};
static core_v1_probe probe = {.http_get = &health, .period_seconds = KUBE_SOME(7)};
static core_v1_config_map_key_selector key = {.name = "settings", .key = "level"};
static core_v1_env_var_source level = {.config_map_key_ref = &key};
static core_v1_env_var environment[] = {{.name = "LEVEL", .value_from = &level}};
static kube_quantity_map_entry amounts[] = {{"cpu", {"500m"}}, {"memory", {"64Mi"}}};
static core_v1_container containers[] = {{
    .name = "web",
    .image = "web:1",
    .ports = KUBE_LIST_OF(ports),
    .env = KUBE_LIST_OF(environment),
    .resources.requests = KUBE_LIST_OF(amounts),
    .liveness_probe = &probe,
}};
static core_v1_local_object_reference secrets[] = {{.name = "registry"}};
static core_v1_service_port service_ports[] = {{.port = 80, .target_port = {"http", 0, true}}};
static kube_string_map_entry web[] = {{"app", "web"}};
static core_v1_service_spec service = {
    .ports = KUBE_LIST_OF(service_ports),
    .selector = KUBE_LIST_OF(web),
};
static const char *zones[] = {"a", "b"};
static core_v1_node_selector_requirement requirements[] = {
    {.key = "zone", .operator_ = "In", .values = KUBE_LIST_OF(zones)},
};
static core_v1_node_selector_term terms[] = {{.match_expressions = KUBE_LIST_OF(requirements)}};
static core_v1_node_selector nodes = {.node_selector_terms = KUBE_LIST_OF(terms)};
static core_v1_node_affinity node_affinity = {
    .required_during_scheduling_ignored_during_execution = &nodes,
};
static core_v1_affinity affinity = {.node_affinity = &node_affinity};
static batch_v1_job_spec job = {
    .completions = KUBE_SOME(2),
    .template_.spec = {.containers = KUBE_LIST_OF(containers), .restart_policy = "Never"},
};
static embedding_v1_backend backend = {.service = "web", .port = {NULL, 80, true}};

static embedding_v1_workload workload_of(void)
{
    const embedding_v1_workload workload = {
        .metadata = {.name = "web"},
        .spec.template_.metadata.labels = KUBE_LIST_OF(web),
        .spec.template_.spec = {.containers = KUBE_LIST_OF(containers),
                                .image_pull_secrets = KUBE_LIST_OF(secrets),
                                .affinity = &affinity},
        .spec.service = &service,
        .spec.affinity = &affinity,
        .spec.job = &job,
        .spec.backend = &backend,
    };
    return workload;
}

static embedding_v1_workload *create(void)
{
    const embedding_v1_workload wanted = workload_of();
    embedding_v1_workload *made;
    expect_ok(embedding_v1_workloads_create(client, ctx, ns, &wanted, NULL, &made, &err), &err);
    return made;
}

FIXTURE(case_set_up, case_tear_down);

/* ---- what comes back ------------------------------------------------------------------------ */

TEST(defaults_of_the_embedded_types_are_filled_in)
{
    const embedding_v1_workload wanted = workload_of();
    embedding_v1_workload *made = create();
    core_v1_container *container = &made->spec.template_.spec.containers.items[0];
    ck_assert_ptr_null(kube_object_lost_path(&made->base));
    ck_assert_str_eq(container->ports.items[0].protocol, "TCP");
    ck_assert_str_eq(container->ports.items[1].protocol, "UDP");
    ck_assert_str_eq(made->spec.service->ports.items[0].protocol, "TCP");
    /* All else is as it was written. */
    container->ports.items[0].protocol = NULL;
    made->spec.service->ports.items[0].protocol = NULL;
    made->spec.job->template_.spec.containers.items[0].ports.items[0].protocol = NULL;
    ck_assert(embedding_v1_workload_spec_equal(&made->spec, &wanted.spec));
}

TEST(a_pod_and_a_service_are_made_of_it)
{
    embedding_v1_workload *made = create();
    const core_v1_pod pod = {
        .metadata = {.name = "web", .labels = made->spec.template_.metadata.labels},
        .spec = made->spec.template_.spec,
    };
    const core_v1_service exposed = {.metadata = {.name = "web"}, .spec = *made->spec.service};
    const core_v1_container *container;
    core_v1_pod *running;
    core_v1_service *found;
    expect_ok(core_v1_pods_create(client, ctx, ns, &pod, NULL, &running, &err), &err);
    container = &running->spec.containers.items[0];
    ck_assert_uint_eq(container->ports.len, 2);
    ck_assert_str_eq(container->liveness_probe->http_get->port.text, "http");
    ck_assert_str_eq(container->env.items[0].value_from->config_map_key_ref->key, "level");
    ck_assert_str_eq(running->spec.image_pull_secrets.items[0].name, "registry");
    ck_assert_str_eq(kube_string_map_get(&running->metadata.labels, "app"), "web");
    expect_ok(core_v1_services_create(client, ctx, ns, &exposed, NULL, &found, &err), &err);
    ck_assert_str_eq(found->spec.ports.items[0].protocol, "TCP");
    ck_assert_str_eq(found->spec.ports.items[0].target_port.text, "http");
}

TEST(a_job_is_made_of_it)
{
    embedding_v1_workload *made = create();
    const batch_v1_job wanted = {.metadata = {.name = "web"}, .spec = *made->spec.job};
    batch_v1_job *found;
    if (getenv("KUBEGEN_EMBEDDED"))
        return; /* it has no Jobs */
    expect_ok(batch_v1_jobs_create(client, ctx, ns, &wanted, NULL, &found, &err), &err);
    ck_assert_int_eq(found->spec.completions.value, 2);
    ck_assert_int_eq(found->spec.parallelism.value, 1);
    ck_assert_str_eq(found->spec.template_.spec.containers.items[0].ports.items[0].protocol, "TCP");
}

/* ---- what is misspelt ----------------------------------------------------------------------- */

static void note_warning(void *arg, const char *text)
{
    (void)arg;
    strncat(warning, text, sizeof warning - strlen(warning) - 1);
}

TEST(a_misspelt_member_is_pruned_and_told)
{
    static const char member[] = "\"imagePullPolicee\":\"Always\"";
    const kube_client_options options = {.on_warning = note_warning};
    const kube_write_options strict = {.field_validation = "Strict"};
    const embedding_v1_workload wanted = workload_of();
    kube_client *listening = client_with(&options);
    embedding_v1_workload *made;
    warning[0] = '\0';
    containers[0].extra = (kube_extra){member, strlen(member)};
    expect(embedding_v1_workloads_create(client, ctx, ns, &wanted, &strict, &made, &err),
           KUBE_ERR_BAD_REQUEST, &err);
    ck_assert_msg(strstr(err.message, "unknown field \"spec.template.spec.containers[0]."
                                      "imagePullPolicee\"") != NULL,
                  "%s", err.message);
    expect_ok(embedding_v1_workloads_create(listening, ctx, ns, &wanted, NULL, &made, &err), &err);
    containers[0].extra = (kube_extra){NULL, 0};
    kube_client_free(listening);
    ck_assert_msg(strstr(warning, "unknown field \"spec.template.spec.containers[0]."
                                  "imagePullPolicee\"") != NULL,
                  "%s", warning);
    ck_assert_uint_eq(made->spec.template_.spec.containers.items[0].extra.len, 0);
}

/* ---- what is missing ------------------------------------------------------------------------ */

/* Merge patches, and what the server says about them. */
static const char *const refused[][2] = {
    {"{'template':null}", "spec.template: Required value"},
    {"{'template':{'spec':{'containers':null}}}", "spec.template.spec.containers: Required value"},
    {"{'template':{'spec':{'containers':[{'image':'web'}]}}}",
     "spec.template.spec.containers[0].name: Required value"},
    {"{'template':{'spec':{'containers':[{'name':'a'},{'name':'a'}]}}}",
     "spec.template.spec.containers[1]: Duplicate value"},
    {"{'template':{'spec':{'containers':[{'name':'a','ports':[{'protocol':'TCP'}]}]}}}",
     "spec.template.spec.containers[0].ports[0].containerPort: Required value"},
    {"{'template':{'spec':{'containers':[{'name':'a','livenessProbe':{'httpGet':{}}}]}}}",
     "spec.template.spec.containers[0].livenessProbe.httpGet.port: Required value"},
    {"{'service':{'ports':[{'name':'http'}]}}", "spec.service.ports[0].port: Required value"},
    {"{'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
     "{'nodeSelectorTerms':null}}}}",
     "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: "
     "Required value"},
    {"{'password':{'name':'web'}}", "spec.password.key: Required value"},
    {"{'template':{'metadata':{'labels':{'app':1}}}}",
     "spec.template.metadata.labels.app: Invalid value"},
    {"{'backend':{'port':null}}", "spec.backend.port: Required value"},
    {"{'template':{'spec':{'containers':[{'name':'a','resources':{'limits':{'cpu':'many'}}}]}}}",
     "spec.template.spec.containers[0].resources.limits.cpu: Invalid value"},
};

TEST(what_is_required_is_missed)
{
    create();
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char *text = kube_printf(ctx, "{\"spec\":%s}", refused[i][0]);
        kube_code rc;
        ck_assert_ptr_nonnull(text);
        for (char *quote = text; (quote = strchr(quote, '\'')) != NULL;)
            *quote = '"';
        rc = embedding_v1_workloads_patch(client, ctx, kube_key_of(ns, "web"), KUBE_PATCH_MERGE,
                                          text, strlen(text), NULL, NULL, &err);
        ck_assert_msg(rc == KUBE_ERR_INVALID && strstr(err.message, refused[i][1]), "%s: %s", text,
                      rc ? err.message : "taken");
    }
}

/* ---- whole objects -------------------------------------------------------------------------- */

TEST(objects_of_built_in_kinds_are_embedded)
{
    core_v1_pod pod = {.metadata = {.name = "web"}, .spec.containers = KUBE_LIST_OF(containers)};
    core_v1_service exposed = {.metadata = {.name = "web"}, .spec = service};
    const embedding_v1_catalog catalog = {
        .metadata = {.name = "all"},
        .pod = &pod,
        .service = &exposed,
    };
    embedding_v1_catalog *made;
    expect_ok(embedding_v1_catalogs_create(client, ctx, ns, &catalog, NULL, &made, &err), &err);
    ck_assert_str_eq(made->pod->spec.containers.items[0].ports.items[0].protocol, "TCP");
    ck_assert_str_eq(made->service->spec.ports.items[0].protocol, "TCP");
}

/* ---- server-side apply ---------------------------------------------------------------------- */

/* Ports are told apart by number and protocol, of which the latter is a default. */
TEST(two_managers_share_the_lists_of_a_template)
{
    core_v1_container_port more[] = {{.container_port = 9090, .name = "metrics"}};
    core_v1_container one[] = {{.name = "web", .ports = KUBE_LIST_OF(more)}};
    embedding_v1_workload wanted = workload_of();
    kube_apply_options options = {.field_manager = "first"};
    embedding_v1_workload *made;
    expect_ok(embedding_v1_workloads_apply(client, ctx, ns, &wanted, &options, NULL, &err), &err);
    options.field_manager = "second";
    wanted = (embedding_v1_workload){
        .metadata = {.name = "web"},
        .spec.template_.spec.containers = KUBE_LIST_OF(one),
    };
    expect_ok(embedding_v1_workloads_apply(client, ctx, ns, &wanted, &options, &made, &err), &err);
    ck_assert_uint_eq(made->spec.template_.spec.containers.len, 1);
    ck_assert_str_eq(made->spec.template_.spec.containers.items[0].image, "web:1");
    ck_assert_uint_eq(made->spec.template_.spec.containers.items[0].ports.len, 3);
}

/* What names one thing belongs to one manager: half of it would name another. */
TEST(a_selector_of_a_service_and_a_key_have_one_manager)
{
    kube_string_map_entry other[] = {{"tier", "front"}};
    core_v1_service_spec selecting = {.selector = KUBE_LIST_OF(other)};
    core_v1_secret_key_selector first = {.name = "login", .key = "password"};
    core_v1_secret_key_selector second = {
        .name = "login", .key = "password", .optional = {true, true}};
    embedding_v1_workload wanted = workload_of();
    kube_apply_options options = {.field_manager = "first"};
    wanted.spec.password = &first;
    expect_ok(embedding_v1_workloads_apply(client, ctx, ns, &wanted, &options, NULL, &err), &err);
    options.field_manager = "second";
    wanted = (embedding_v1_workload){.metadata = {.name = "web"}, .spec.service = &selecting};
    expect(embedding_v1_workloads_apply(client, ctx, ns, &wanted, &options, NULL, &err),
           KUBE_ERR_CONFLICT, &err);
    ck_assert_msg(strstr(err.message, ".spec.service.selector") != NULL, "%s", err.message);
    wanted = (embedding_v1_workload){.metadata = {.name = "web"}, .spec.password = &second};
    expect(embedding_v1_workloads_apply(client, ctx, ns, &wanted, &options, NULL, &err),
           KUBE_ERR_CONFLICT, &err);
    ck_assert_msg(strstr(err.message, ".spec.password") != NULL, "%s", err.message);
}

int main(void)
{
    const char *crds = getenv("KUBEGEN_TEMPLATES_CRD_DIR");
    int status;
    if (!crds) {
        fputs("KUBEGEN_TEMPLATES_CRD_DIR is not set\n", stderr);
        return EXIT_FAILURE;
    }
    world_start(NULL);
    real_server_must_kubectl(server, NULL, "apply -f %s", crds);
    real_server_until_kubectl(server, "get workloads.embedding.example.org,"
                                      "catalogs.embedding.example.org");
    status = suite_run();
    world_stop();
    return status;
}
