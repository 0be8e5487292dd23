/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Finds out where the API server is, and the credentials for it.
 *
 * The first of these that is there is used: the kubeconfig or the server of the options; the pod
 * that the program runs in, unless a context is asked for; the files of $KUBECONFIG, merged;
 * ~/.kube/config.
 */
#ifndef KUBE_CONFIG_H
#define KUBE_CONFIG_H

#include <kube/ctx.h>

KUBE_BEGIN_DECLS

typedef struct kube_config kube_config;

typedef struct kube_config_options {
    const char *kubeconfig;     /* a file that must exist; NULL or "" = search as above */
    const char *master;         /* URL of the server, instead of the kubeconfig's */
    const char *context;        /* NULL = current-context */
    const char *namespace_;     /* instead of the context's */
    const char *user_agent;     /* NULL = name and version of the program (CFG-9) */
    int64_t request_timeout_ms; /* of calls, but not of watches; 0 = only the ctx's deadline */
} kube_config_options;

/** Loads a configuration (KC-1…3, CFG-2, CFG-5, CFG-7). Errors name file, line and entry.
 * @param options NULL = defaults
 * @param out to be freed with kube_config_free(); a client made of it keeps a copy */
KUBE_CHECKED kube_code kube_config_load(const kube_config_options *options, kube_config **out,
                                        kube_error *err);
/** The same from the text of a kubeconfig. Relative paths in it start at @p directory. */
KUBE_CHECKED kube_code kube_config_parse(const char *text, size_t len, const char *directory,
                                         const kube_config_options *options, kube_config **out,
                                         kube_error *err);
/** NULL allowed. */
KUBE_API void kube_config_free(kube_config *config);

/** Returns the server's URL, "https://127.0.0.1:6443", which lives as long as @p config. */
KUBE_API const char *kube_config_server(const kube_config *config);
/** Returns the namespace to use by default: that of the options, of the context, of the pod, or
 * "default" (KC-4). */
KUBE_API const char *kube_config_namespace(const kube_config *config);
/** Describes the configuration in one line without secrets, in @p ctx. */
KUBE_API const char *kube_config_describe(kube_ctx *ctx, const kube_config *config);

KUBE_END_DECLS

#endif /* KUBE_CONFIG_H */
