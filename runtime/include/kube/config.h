/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Where the API server is, and who we are to it.
 *
 * Found thus: an explicit kubeconfig or master; else in-cluster when its environment is there; else
 * the files of $KUBECONFIG, merged; else ~/.kube/config.
 */
#ifndef KUBE_CONFIG_H
#define KUBE_CONFIG_H

#include <kube/ctx.h>

KUBE_BEGIN_DECLS

typedef struct kube_config kube_config;

typedef struct kube_config_options {
    const char *kubeconfig;   /* file that must exist; NULL = search as above */
    const char *master;       /* overrides the server's URL */
    const char *context;      /* NULL = current-context */
    const char *namespace_;   /* overrides the context's */
    const char *user_agent;   /* NULL = program name and version (CFG-9) */
    int64_t request_timeout_ms; /* for calls, not for watches; 0 = none but the ctx's */
} kube_config_options;

/** Loads a configuration (KC-1…3, CFG-2, CFG-5, CFG-7). Errors name file, line and entry.
 * @param options NULL = defaults
 * @param out give it to kube_config_free(); a client keeps what it needs */
KUBE_CHECKED kube_code kube_config_load(const kube_config_options *options, kube_config **out,
                                        kube_error *err);
/** From a kubeconfig's text instead of files; relative paths are taken from @p directory. */
KUBE_CHECKED kube_code kube_config_parse(const char *text, size_t len, const char *directory,
                                         const kube_config_options *options, kube_config **out,
                                         kube_error *err);
KUBE_API void kube_config_free(kube_config *config);

/** "https://127.0.0.1:6443"; lives as long as @p config. */
KUBE_API const char *kube_config_server(const kube_config *config);
/** The namespace to use where none is said: override, context, in-cluster, "default" (KC-4). */
KUBE_API const char *kube_config_namespace(const kube_config *config);
/** One line about it without secrets, in @p ctx. */
KUBE_API const char *kube_config_describe(kube_ctx *ctx, const kube_config *config);

KUBE_END_DECLS

#endif /* KUBE_CONFIG_H */
