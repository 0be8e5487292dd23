/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

real_server *server;
kube_client *client;
kube_ctx *ctx;
const char *ns;

static char namespace_name[32];
static int case_number;

void expect_code(kube_code rc, kube_code want, const kube_error *err, const char *file, int line)
{
    if (rc != want)
        ck_abort_msg("%s:%d: want \"%s\", got \"%s\": %s", file, line, kube_code_name(want),
                     kube_code_name(rc), rc ? err->message : "");
}

static kube_client *make_client(const char *context, const kube_client_options *client_options)
{
    const kube_config_options options = {.kubeconfig = real_server_kubeconfig(server),
                                         .context = context};
    kube_config *config;
    kube_client *made;
    kube_error err;
    expect_ok(kube_config_load(&options, &config, &err), &err);
    expect_ok(kube_client_new(config, client_options, &made, &err), &err);
    kube_config_free(config);
    return made;
}

kube_client *client_of(const char *context)
{
    return make_client(context, NULL);
}

kube_client *client_with(const kube_client_options *options)
{
    return make_client(NULL, options);
}

bool server_streams_lists(void)
{
    char version[2048];
    const char *minor;
    long number;
    ck_assert_int_eq(
        real_server_kubectl(server, NULL, version, sizeof version, "get --raw=/version"), 0);
    minor = strstr(version, "\"minor\": \"");
    ck_assert_ptr_nonnull(minor);
    number = strtol(minor + strlen("\"minor\": \""), NULL, 10);
    return number == 32 || number >= 34; /* 1.33 has it switched off */
}

void world_start(const char *server_flags)
{
    const char *crds = getenv("KUBEGEN_CRD_DIR");
    if (!crds) {
        fputs("KUBEGEN_CRD_DIR is not set\n", stderr);
        exit(EXIT_FAILURE);
    }
    server = real_server_start(server_flags);
    real_server_must_kubectl(server, NULL, "apply -f %s", crds);
    real_server_must_kubectl(server, NULL,
                             "wait --for=condition=Established --timeout=60s "
                             "crd/networks.samplecrd.k8s.io "
                             "crd/appservices.appcontroller.k8s.io");
    /* Served, and listed by discovery, a moment after that. */
    real_server_until_kubectl(server,
                              "get networks.samplecrd.k8s.io,appservices.appcontroller.k8s.io");
    client = client_of(NULL);
}

void world_stop(void)
{
    kube_client_free(client);
    real_server_free(server);
}

int world_run(const char *server_flags)
{
    int status;
    world_start(server_flags);
    status = suite_run();
    world_stop();
    return status;
}

void case_set_up(void)
{
    ctx = kube_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    kube_ctx_set_timeout_ms(ctx, 60000);
    snprintf(namespace_name, sizeof namespace_name, "case-%d", ++case_number);
    ns = namespace_name;
    real_server_must_kubectl(server, NULL, "create namespace %s", ns);
}

void case_tear_down(void)
{
    kube_ctx_free(ctx);
}
