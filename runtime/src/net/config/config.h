/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a client. It is counted by references and does not change once loaded. */
#ifndef KUBE_NET_CONFIG_H
#define KUBE_NET_CONFIG_H

#include <kube/config.h>
#include <stdatomic.h>
#include <stddef.h>

/* PEM text, from a file that is read again when it changes, or as it stood in a kubeconfig. */
typedef struct kube__pem {
    const char *file; /* NULL = none */
    const char *data; /* NULL = none */
    size_t data_len;
    const char *data_name; /* of data in messages; NULL = as in a kubeconfig */
} kube__pem;

typedef struct kube__http_header {
    const char *name;
    const char *value;
} kube__http_header;

struct kube_config {
    kube_ctx *memory; /* holds every string of it */
    _Atomic uint32_t refs;
    const char *server;    /* "https://host:6443/base", no slash at the end */
    const char *authority; /* "host:6443" as it stands in server */
    const char *host;      /* without brackets */
    const char *port;
    bool https;
    const char *namespace_;
    kube__pem ca, certificate, key;
    bool insecure;
    const char *tls_server_name;
    const char *proxy_url; /* as curl takes it; NULL = none */
    const char *token;
    const char *token_file; /* beats token, re-read (CFG-5) */
    const char *username;
    const char *password;
    kube_authorize *authorize; /* instead of token and user name; NULL = none */
    void *authorize_arg;
    const kube__http_header *headers; /* impersonation (CFG-8) */
    size_t header_count;
    const char *user_agent;
    int64_t request_timeout_ms;
    const char *origin; /* where it comes from, for kube_config_describe() */
};

kube_config *kube__config_ref(const kube_config *config);

/* Where a pod finds its service account (CFG-7). Tests put their own here. */
extern const char *kube__service_account_dir;

#endif /* KUBE_NET_CONFIG_H */
