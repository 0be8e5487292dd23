/* SPDX-License-Identifier: Apache-2.0 */
/* Reads kubeconfig files and merges them (KC-1…3). The strings live in the ctx that was passed. */
#ifndef KUBE_NET_KUBECONFIG_H
#define KUBE_NET_KUBECONFIG_H

#include "config.h"

#include <kube/shapes.h>

/* Where an entry stands. */
typedef struct kube__origin {
    const char *file; /* NULL = in no file; then its name alone says what it is */
    size_t line;      /* from 1 */
} kube__origin;

typedef struct kube__cluster {
    const char *name;
    kube__origin place;
    const char *server;
    const char *tls_server_name;
    const char *proxy_url;
    kube__pem ca;
    bool insecure;
} kube__cluster;

typedef struct kube__user {
    const char *name;
    kube__origin place;
    kube__pem certificate, key;
    const char *token;
    const char *token_file;
    const char *username;
    const char *password;
    const char *plugin; /* "exec" or "auth-provider" when the entry has one; NULL = none */
    const char *as;     /* impersonation */
    const char *as_uid;
    kube_string_list as_groups;
    kube__http_header *as_extra; /* key and value, a row for each value */
    size_t as_extra_count;
    kube_authorize *authorize; /* in no file */
    void *authorize_arg;
} kube__user;

typedef struct kube__context {
    const char *name;
    kube__origin place;
    const char *cluster;
    const char *user;
    const char *namespace_;
} kube__context;

typedef struct kube__kubeconfig {
    kube__cluster *clusters;
    size_t cluster_count;
    kube__user *users;
    size_t user_count;
    kube__context *contexts;
    size_t context_count;
    const char *current_context;
    const char *files; /* what was read, for messages: "/a, /b" */
} kube__kubeconfig;

/*
 * Adds what a file's text says: the first file that defines a name supplies the whole entry (KC-2).
 * Relative paths are taken from @directory (KC-3). Errors name file:line:col.
 */
KUBE__CHECKED kube_code kube__kubeconfig_add(kube__kubeconfig *kubeconfig, kube_ctx *memory,
                                             const char *file, const char *directory,
                                             const char *text, size_t len, kube_error *err);
/* The same from a file; when @may_lack, one that does not exist is skipped. */
KUBE__CHECKED kube_code kube__kubeconfig_add_file(kube__kubeconfig *kubeconfig, kube_ctx *memory,
                                                  const char *file, bool may_lack, kube_error *err);

const kube__context *kube__kubeconfig_context(const kube__kubeconfig *kubeconfig, const char *name);
const kube__cluster *kube__kubeconfig_cluster(const kube__kubeconfig *kubeconfig, const char *name);
const kube__user *kube__kubeconfig_user(const kube__kubeconfig *kubeconfig, const char *name);

/* ---- config.c: what entries make of a configuration ------------------------------------------ */

/* An empty one with a reference for the caller. Returns NULL if out of memory. */
kube_config *kube__config_make(void);
/* Checks an entry (KC-8) and takes what it says. @master NULL = the cluster's server. */
KUBE__CHECKED kube_code kube__config_use_cluster(kube_config *config, const kube__cluster *cluster,
                                                 const char *master, kube_error *err);
/* The same; the cluster comes first, because credentials depend on it (KC-6). */
KUBE__CHECKED kube_code kube__config_use_user(kube_config *config, const kube__user *user,
                                              kube_error *err);
/* Adds what options add to every source, with @namespace_ where they do not say. */
KUBE__CHECKED kube_code kube__config_finish(kube_config *config, const kube_config_options *options,
                                            const char *namespace_, kube_error *err);

#endif /* KUBE_NET_KUBECONFIG_H */
