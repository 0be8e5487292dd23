/* SPDX-License-Identifier: Apache-2.0 */
#include "replica.h"

#include "cluster_world.h"

#include <coordination/v1/api.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_msg(file && fputs(text, file) >= 0 && fclose(file) == 0, "%s", path);
}

void replica_add(replica *r, const char *name, const char *url)
{
    const char *directory = real_server_directory(server);
    char token[4096];
    *r = (replica){.name = name};
    r->user = kube_printf(ctx, "system:serviceaccount:%s:%s", ns, name);
    r->kubeconfig = kube_printf(ctx, "%s/%s-%s.yaml", directory, ns, name);
    r->log = kube_printf(ctx, "%s/%s-%s.log", directory, ns, name);
    real_server_must_kubectl(server, NULL, "-n %s create serviceaccount %s", ns, name);
    real_server_must_kubectl(server, NULL,
                             "create clusterrolebinding %s-%s --clusterrole=cluster-admin "
                             "--serviceaccount=%s:%s",
                             ns, name, ns, name);
    ck_assert_int_eq(
        real_server_kubectl(server, NULL, token, sizeof token, "-n %s create token %s", ns, name),
        0);
    token[strcspn(token, "\n")] = '\0';
    write_text(r->kubeconfig,
               kube_printf(ctx,
                           "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
                           "clusters: [{name: c, cluster: {server: \"%s\", "
                           "certificate-authority: \"%s/ca.crt\", tls-server-name: localhost}}]\n"
                           "users: [{name: c, user: {token: %s}}]\n"
                           "contexts: [{name: c, context: {cluster: c, user: c, "
                           "namespace: %s}}]\n",
                           url, directory, token, ns));
}

const char *replica_last_words(const replica *r)
{
    const char *all = child_output(r->process);
    size_t len = strlen(all);
    return len > 2000 ? all + len - 2000 : all;
}

void replica_end(replica *r)
{
    if (r->process && !child_ended(r->process)) {
        child_signal(r->process, SIGTERM);
        ck_assert_msg(child_wait(r->process) == 0, "%s", replica_last_words(r));
    }
}

void replica_drop(replica *r)
{
    child_free(r->process);
    r->process = NULL;
}

const char *lease_holder(const char *name)
{
    static char holder[256];
    kube_ctx *scope = kube_ctx_child(ctx);
    coordination_v1_lease *lease;
    kube_error err;
    kube_code rc =
        coordination_v1_leases_get(client, scope, kube_key_of(ns, name), NULL, &lease, &err);
    ck_assert_msg(rc == KUBE_OK || rc == KUBE_ERR_NOT_FOUND, "%s", err.message);
    snprintf(holder, sizeof holder, "%s",
             !rc && lease->spec.holder_identity ? lease->spec.holder_identity : "");
    kube_ctx_free(scope);
    return holder;
}
