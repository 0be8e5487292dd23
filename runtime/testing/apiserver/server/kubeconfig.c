/* SPDX-License-Identifier: Apache-2.0 */
#include "kubeconfig.h"

#include "apiserver/auth/auth.h"
#include "apiserver/core/apiserver.h"
#include "apiserver/value/quote.h"
#include "tls.h"

#include <string.h>

static const char *encode(kube_ctx *ctx, const char *pem)
{
    return kube__api_base64(ctx, pem, strlen(pem), false);
}

static void add_context(kube__buffer *out, const char *name)
{
    kube__buffer_printf(out,
                        "- name: %s\n"
                        "  context:\n"
                        "    cluster: kubegen-apiserver\n"
                        "    user: %s\n"
                        "    namespace: default\n",
                        name, name);
}

static void add_clusters(kube__buffer *out, kube_ctx *ctx, const kube_apiserver *server)
{
    kube__buffer_printf(out,
                        "apiVersion: v1\n"
                        "kind: Config\n"
                        "current-context: admin\n"
                        "clusters:\n"
                        "- name: kubegen-apiserver\n"
                        "  cluster:\n"
                        "    server: %s\n",
                        server->url);
    if (server->tls)
        kube__buffer_printf(out, "    certificate-authority-data: %s\n",
                            encode(ctx, kube__api_tls_ca(server->tls)));
    kube__buffer_add_text(out, "contexts:\n");
    add_context(out, "admin");
    add_context(out, "user");
    if (server->tls)
        add_context(out, "cert");
}

static void add_user(kube__buffer *out, const char *name, const char *token)
{
    kube__buffer_printf(out,
                        "- name: %s\n"
                        "  user:%s%s\n",
                        name, token ? "\n    token: " : " {}", token ? token : "");
}

/* Clients send no tokens without TLS, and ours warns of those it keeps to itself. */
static void add_users(kube__buffer *out, kube_ctx *ctx, const kube_apiserver *server)
{
    const kube__api_authority *authority = server->authority;
    bool tls = server->tls != NULL;
    kube__buffer_add_text(out, "users:\n");
    add_user(out, "admin", tls ? kube__api_authority_admin_token(authority) : NULL);
    add_user(out, "user", tls ? kube__api_authority_user_token(authority) : NULL);
    if (tls)
        kube__buffer_printf(out,
                            "- name: cert\n"
                            "  user:\n"
                            "    client-certificate-data: %s\n"
                            "    client-key-data: %s\n",
                            encode(ctx, kube__api_tls_client_certificate(server->tls)),
                            encode(ctx, kube__api_tls_client_key(server->tls)));
}

char *kube__api_kubeconfig(const kube_apiserver *server)
{
    kube_ctx *ctx = kube_ctx_new();
    kube__buffer text;
    if (!ctx)
        return NULL;
    kube__buffer_init(&text, SIZE_MAX / 4);
    add_clusters(&text, ctx, server);
    add_users(&text, ctx, server);
    if (kube_ctx_failed(ctx))
        kube__buffer_fini(&text);
    kube_ctx_free(ctx);
    return text.data;
}

kube_code kube_apiserver_client_for(kube_apiserver *server, const char *context, kube_client **out,
                                    kube_error *err)
{
    const kube_config_options options = {.context = context};
    kube_config *config = NULL;
    kube_code rc;
    *out = NULL;
    rc = kube_config_parse(server->kubeconfig, strlen(server->kubeconfig), "/", &options, &config,
                           err);
    if (!rc)
        rc = kube_client_new(config, NULL, out, err);
    kube_config_free(config);
    return rc;
}

kube_code kube_apiserver_client(kube_apiserver *server, kube_client **out, kube_error *err)
{
    return kube_apiserver_client_for(server, NULL, out, err);
}
