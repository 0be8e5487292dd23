/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Finds out where the API server is, and the credentials for it.
 *
 * The first of these that is there is used: the kubeconfig or the server of the options; the files
 * of $KUBECONFIG, merged; the pod that the program runs in, unless a context is asked for;
 * ~/.kube/config. Or the program says it all itself: kube_config_new(). The proxy is the cluster's
 * proxy-url, otherwise what HTTPS_PROXY, HTTP_PROXY and NO_PROXY say when the configuration is
 * made, read as Go reads them.
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
    int64_t request_timeout_ms; /* of calls and lists, see kube_client_options; 0 = the client's */
} kube_config_options;

KUBE_CHECKED kube_code kube_config_load_sized(const kube_config_options *options,
                                              size_t options_size, kube_config **out,
                                              kube_error *err);
/** Loads a configuration (KC-1…3, CFG-2, CFG-5, CFG-7). Errors name file, line and entry.
 * @param options NULL = defaults
 * @param out to be freed with kube_config_free(); a client made of it keeps a copy */
KUBE_INLINE kube_code kube_config_load(const kube_config_options *options, kube_config **out,
                                       kube_error *err)
{
    return kube_config_load_sized(options, sizeof *options, out, err);
}
KUBE_CHECKED kube_code kube_config_parse_sized(const char *text, size_t len, const char *directory,
                                               const kube_config_options *options,
                                               size_t options_size, kube_config **out,
                                               kube_error *err);
/** The same from the text of a kubeconfig. Relative paths in it start at @p directory. */
KUBE_INLINE kube_code kube_config_parse(const char *text, size_t len, const char *directory,
                                        const kube_config_options *options, kube_config **out,
                                        kube_error *err)
{
    return kube_config_parse_sized(text, len, directory, options, sizeof *options, out, err);
}
/**
 * Gives the value of the Authorization header, "Bearer …", for one request: any source of tokens
 * plugs in here. It is called on the thread that makes the call, for each request.
 *
 * Threads: any, and several at once.
 * @param ctx ends when the call does: with it, by its deadline, or after its timeout
 * @param refused NULL, or the value that the server has just answered with 401. If the callback
 * gives another one then, the request is sent once more (REQ-3); otherwise the 401 is the answer
 * @param value gets a string that lives in @p ctx or longer; NULL = no header is sent
 * @return not KUBE_OK = nothing is sent, and this is the call's result
 */
typedef kube_code kube_authorize(void *arg, kube_ctx *ctx, const char *refused, const char **value,
                                 kube_error *err);

/** A configuration without a kubeconfig. Members that are NULL or zero are not set. The names are a
 * kubeconfig's, and what is true of its entries holds here; PEM data is plain text, not base64. */
typedef struct kube_config_fields {
    const char *server;                /**< required: "https://host:6443" */
    const char *certificate_authority; /**< file of PEM certificates; none = the system's */
    const char *certificate_authority_data;
    bool insecure_skip_tls_verify;
    const char *tls_server_name; /**< name on the server's certificate, instead of the URL's */
    const char *proxy_url;       /**< NULL = the environment's, if it names one for the server */

    const char *client_certificate; /**< file; needs the key, too */
    const char *client_certificate_data;
    const char *client_key;
    const char *client_key_data;
    const char *token;
    const char *token_file; /**< read again after 50 s (CFG-5); beats token */
    const char *username;
    const char *password;
    kube_authorize *authorize; /**< instead of a token and of a user name */
    void *authorize_arg;       /**< borrowed; outlives the configuration and its clients */

    const char *as; /**< impersonation (CFG-8) */
    const char *as_uid;
    const char *const *as_groups; /**< ends with NULL */
    const char *const *as_extra;  /**< key, value, key, value…; ends with NULL */

    const char *namespace_;     /**< NULL = "default" */
    const char *user_agent;     /**< NULL = name and version of the program (CFG-9) */
    int64_t request_timeout_ms; /**< of calls and lists, see kube_client_options */
} kube_config_fields;

KUBE_CHECKED kube_code kube_config_new_sized(const kube_config_fields *fields, size_t fields_size,
                                             kube_config **out, kube_error *err);
/** Makes a configuration of @p fields, which are copied; no file of kubectl's is read, and of the
 * environment only which proxy to use, unless proxy_url says it (KC-9). It is checked as a
 * kubeconfig is (KC-8): certificates and the token file must be there, and settings must not
 * contradict each other. KUBE_ERR_CONFIG names the field.
 * @param out to be freed with kube_config_free(); a client made of it keeps a copy */
KUBE_INLINE kube_code kube_config_new(const kube_config_fields *fields, kube_config **out,
                                      kube_error *err)
{
    return kube_config_new_sized(fields, sizeof *fields, out, err);
}
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
