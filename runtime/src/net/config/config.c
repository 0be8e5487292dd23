/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/memory.h"
#include "certificates.h"
#include "file.h"
#include "kubeconfig.h"
#include "pod.h"
#include "proxy.h"
#include "url.h"

#include <errno.h>
#include <kube/log.h>
#include <kube/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *kube__service_account_dir = "/var/run/secrets/kubernetes.io/serviceaccount";

/* ---- life ---------------------------------------------------------------------------------- */

kube_config *kube__config_make(void)
{
    kube_ctx *memory = kube_ctx_new();
    kube_config *config = memory ? kube_ctx_alloc(memory, sizeof *config) : NULL;
    if (!config) {
        kube_ctx_free(memory);
        return NULL;
    }
    config->memory = memory;
    atomic_init(&config->refs, 1);
    return config;
}

kube_config *kube__config_ref(const kube_config *config)
{
    /* Only the count changes after loading. */
    kube_config *counted = (kube_config *)(uintptr_t)config;
    atomic_fetch_add_explicit(&counted->refs, 1, memory_order_relaxed);
    return counted;
}

void kube_config_free(kube_config *config)
{
    if (config && atomic_fetch_sub_explicit(&config->refs, 1, memory_order_acq_rel) == 1)
        kube_ctx_free(config->memory);
}

const char *kube_config_server(const kube_config *config)
{
    return config->server;
}

const char *kube_config_namespace(const kube_config *config)
{
    return config->namespace_;
}

static const char *identity(const kube_config *config)
{
    return config->token_file                                     ? "token file"
           : config->token                                        ? "token"
           : config->username                                     ? "user name and password"
           : config->authorize                                    ? "authorization callback"
           : config->certificate.file || config->certificate.data ? "client certificate"
                                                                  : "no credentials";
}

const char *kube_config_describe(kube_ctx *ctx, const kube_config *config)
{
    return kube_printf(ctx, "%s (%s, namespace %s, %s%s)", config->server, config->origin,
                       config->namespace_, identity(config),
                       config->insecure ? ", server not verified" : "");
}

/* ---- common to all sources ----------------------------------------------------------------- */

static const char *architecture(void)
{
#if defined(__x86_64__)
    return "amd64";
#elif defined(__aarch64__)
    return "arm64";
#elif defined(__arm__)
    return "arm";
#elif defined(__i386__)
    return "386";
#elif defined(__riscv)
    return "riscv64";
#elif defined(__powerpc64__)
    return "ppc64le";
#elif defined(__s390x__)
    return "s390x";
#else
    return "unknown";
#endif
}

static const char *system_name(void)
{
#if defined(__linux__)
    return "linux";
#elif defined(__APPLE__)
    return "darwin";
#else
    return "unknown";
#endif
}

static const char *program_name(void)
{
#if defined(__GLIBC__)
    return program_invocation_short_name;
#else
    return getprogname();
#endif
}

/* A namespace is a DNS label (KC-8). */
static bool is_dns_label(const char *text)
{
    size_t len = strlen(text);
    if (len == 0 || len > 63 || text[0] == '-' || text[len - 1] == '-')
        return false;
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == len;
}

/* What options add to every source, with @namespace_ where they do not say. */
kube_code kube__config_finish(kube_config *config, const kube_config_options *options,
                              const char *namespace_, kube_error *err)
{
    const char *name = program_name();
    if (options->namespace_ && *options->namespace_)
        namespace_ = options->namespace_;
    if (!namespace_ || !*namespace_)
        namespace_ = "default";
    if (!is_dns_label(namespace_))
        return kube_error_set(err, KUBE_ERR_CONFIG,
                              "\"%s\" cannot be a namespace: lower-case letters, digits and \"-\", "
                              "at most 63 of them",
                              namespace_);
    if (options->request_timeout_ms < 0)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "the request timeout is negative");
    config->request_timeout_ms = options->request_timeout_ms;
    config->namespace_ = kube_ctx_strdup(config->memory, namespace_);
    config->user_agent = options->user_agent && *options->user_agent
                             ? kube_ctx_strdup(config->memory, options->user_agent)
                             : kube_printf(config->memory, "%s/unknown (%s/%s) kubegen/%s",
                                           name && *name ? name : "unknown", system_name(),
                                           architecture(), KUBE_VERSION);
    if (kube_ctx_failed(config->memory))
        return kube__ctx_check(config->memory, err);
    if (strpbrk(config->user_agent, "\r\n"))
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "the user agent has more than one line");
    return KUBE_OK;
}

/* ---- from kubeconfig files ----------------------------------------------------------------- */

static const char *join_names(kube_ctx *ctx, const char *list, const char *name)
{
    return *list ? kube_printf(ctx, "%s, %s", list, name) : name;
}

/* "(there are: a, b)" */
static const char *known_names(const kube__kubeconfig *kubeconfig, kube_ctx *memory,
                               const char *what)
{
    const char *list = "";
    if (!strcmp(what, "context")) {
        for (size_t i = 0; list && i < kubeconfig->context_count; i++)
            list = join_names(memory, list, kubeconfig->contexts[i].name);
    } else if (!strcmp(what, "cluster")) {
        for (size_t i = 0; list && i < kubeconfig->cluster_count; i++)
            list = join_names(memory, list, kubeconfig->clusters[i].name);
    } else {
        for (size_t i = 0; list && i < kubeconfig->user_count; i++)
            list = join_names(memory, list, kubeconfig->users[i].name);
    }
    list = list && *list ? kube_printf(memory, "(there are: %s)", list) : "(there are none)";
    return list ? list : "";
}

/* `context "x" is not in FILES (there are: a, b)`; @prefix says who named it. */
static kube_code unknown_entry(const kube__kubeconfig *kubeconfig, kube_ctx *memory,
                               const char *prefix, const char *what, const char *name,
                               kube_error *err)
{
    return kube_error_set(err, KUBE_ERR_CONFIG, "%s%s \"%s\" is not in %s %s", prefix, what, name,
                          kubeconfig->files, known_names(kubeconfig, memory, what));
}

static kube_code add_header(kube_config *config, const char *name, const char *value,
                            kube_error *err)
{
    kube__http_header *headers =
        kube_list_grow(config->memory, config->headers, config->header_count, sizeof *headers);
    if (!headers || !name)
        return kube__ctx_check(config->memory, err);
    if (strpbrk(value, "\r\n"))
        return kube_error_set(err, KUBE_ERR_CONFIG, "%s has more than one line", name);
    headers[config->header_count++] = (kube__http_header){name, value};
    config->headers = headers;
    return KUBE_OK;
}

/* Lower case, with everything that is no token character of HTTP escaped (CFG-8). */
static const char *extra_name(kube_ctx *memory, const char *key)
{
    char *name = kube_ctx_alloc(memory, strlen(key) * 3 + sizeof("Impersonate-Extra-"));
    char *end;
    if (!name)
        return NULL;
    memcpy(name, "Impersonate-Extra-", sizeof("Impersonate-Extra-"));
    end = name + strlen(name);
    for (; *key; key++) {
        if (kube__is_alnum(*key) || strchr("!#$&'*+-.^_`|~", *key))
            *end++ = kube__to_lower(*key);
        else
            end += snprintf(end, 4, "%%%02X", (unsigned)(unsigned char)*key);
    }
    *end = '\0';
    return name;
}

static kube_code bad_user(const kube__user *user, const char *why, kube_error *err)
{
    if (!user->place.file)
        return kube_error_set(err, KUBE_ERR_CONFIG, "%s %s", user->name, why);
    return kube_error_set(err, KUBE_ERR_CONFIG, "%s:%zu: user \"%s\" %s", user->place.file,
                          user->place.line, user->name, why);
}

static kube_code impersonate(kube_config *config, const kube__user *user, kube_error *err)
{
    kube_code rc;
    if (!user->as)
        return user->as_uid || user->as_groups.len || user->as_extra_count
                   ? bad_user(user, "impersonates a uid, groups or extra without \"as\"", err)
                   : KUBE_OK;
    rc = add_header(config, "Impersonate-User", user->as, err);
    if (!rc && user->as_uid)
        rc = add_header(config, "Impersonate-Uid", user->as_uid, err);
    for (size_t i = 0; !rc && i < user->as_groups.len; i++)
        rc = add_header(config, "Impersonate-Group", user->as_groups.items[i], err);
    for (size_t i = 0; !rc && i < user->as_extra_count; i++)
        rc = add_header(config, extra_name(config->memory, user->as_extra[i].name),
                        user->as_extra[i].value, err);
    return rc;
}

static bool is_set(const kube__pem *pem)
{
    return pem->file || pem->data;
}

/* How messages name an entry: where it stands, or the name alone. Returns NULL if out of memory. */
static const char *entry_text(kube_ctx *memory, const kube__origin *place, const char *kind,
                              const char *name)
{
    if (!place->file)
        return name;
    return kube_printf(memory, "%s:%zu: %s \"%s\"", place->file, place->line, kind, name);
}

/* Without a static token beside it, it must be readable now (KC-7). */
static kube_code check_token_file(const kube__user *user, const char *what, kube_error *err)
{
    char *text;
    size_t len;
    kube_code rc = kube__file_read(user->token_file, 1 << 20, &text, &len, NULL, err);
    if (rc) {
        kube_error_prefix(err, "%s", what);
        return rc;
    }
    kube__file_free(text, len);
    return KUBE_OK;
}

kube_code kube__config_use_user(kube_config *config, const kube__user *user, kube_error *err)
{
    kube_code rc = impersonate(config, user, err);
    const char *what = entry_text(config->memory, &user->place, "user", user->name);
    if (!rc && !what)
        rc = kube__ctx_check(config->memory, err);
    if (rc)
        return rc;
    if (!config->https) {
        /* They would go over the wire in clear text (KC-6). */
        if (is_set(&user->certificate) || user->token || user->token_file || user->username ||
            user->plugin || user->authorize)
            kube_log_warn("server %s is not https: the credentials of user \"%s\" are not sent",
                          config->server, user->name);
        return KUBE_OK;
    }
    if (user->plugin)
        return kube_error_set(err, KUBE_ERR_CONFIG,
                              "%s:%zu: user \"%s\" uses %s: exec plugins are not supported yet",
                              user->place.file, user->place.line, user->name, user->plugin);
    if ((user->token || user->token_file) && user->username)
        return bad_user(user, "has both a token and a user name: only one may be set", err);
    if (user->authorize && (user->token || user->token_file || user->username))
        return bad_user(
            user, "has both \"authorize\" and a token or user name: only one may be set", err);
    if (is_set(&user->certificate) != is_set(&user->key))
        return bad_user(user,
                        is_set(&user->key) ? "has a client key without a certificate"
                                           : "has a client certificate without a key",
                        err);
    if (user->token && strpbrk(user->token, "\r\n"))
        return bad_user(user, "has a token of more than one line", err);
    if (is_set(&user->certificate))
        rc = kube__certificates_check_pair(&user->certificate, &user->key, what, err);
    if (!rc && user->token_file && !user->token)
        rc = check_token_file(user, what, err);
    config->certificate = user->certificate;
    config->key = user->key;
    config->token = user->token;
    config->token_file = user->token_file;
    config->username = user->username;
    config->password = user->password;
    config->authorize = user->authorize;
    config->authorize_arg = user->authorize_arg;
    return rc;
}

kube_code kube__config_use_cluster(kube_config *config, const kube__cluster *cluster,
                                   const char *master, kube_error *err)
{
    const char *what = entry_text(config->memory, &cluster->place, "cluster", cluster->name);
    const char *server = master ? master : cluster->server;
    kube_code rc;
    if (!what)
        return kube__ctx_check(config->memory, err);
    if (!server)
        return kube_error_set(err, KUBE_ERR_CONFIG, "%s has no server", what);
    rc = kube__url_parse_server(config, server, err);
    if (rc) {
        kube_error_prefix(err, "%s", master ? "master" : what);
        return rc;
    }
    rc = kube__proxy_choose(config, cluster->proxy_url, err);
    if (rc)
        kube_error_prefix(err, "%s", what);
    if (rc || !config->https)
        return rc;
    if (is_set(&cluster->ca) && cluster->insecure)
        return kube_error_set(err, KUBE_ERR_CONFIG,
                              "%s has a certificate authority and insecure-skip-tls-verify: only "
                              "one may be set",
                              what);
    config->ca = cluster->ca;
    config->insecure = cluster->insecure;
    /* Another server has another name (KC-5). */
    config->tls_server_name = master ? NULL : cluster->tls_server_name;
    return is_set(&config->ca) ? kube__certificates_check_ca(&config->ca, what, err) : KUBE_OK;
}

static const char *named_by(kube_ctx *memory, const kube__context *context)
{
    const char *text = kube_printf(memory, "%s:%zu: context \"%s\": ", context->place.file,
                                   context->place.line, context->name);
    return text ? text : "";
}

static kube_code select_context(const kube__kubeconfig *kubeconfig, kube_ctx *memory,
                                const kube_config_options *options, const kube__context **out,
                                kube_error *err)
{
    const char *name = options->context ? options->context : kubeconfig->current_context;
    *out = NULL;
    if (!kubeconfig->context_count && !kubeconfig->cluster_count && !kubeconfig->user_count &&
        (!name || kubeconfig->files))
        return kube_error_set(err, KUBE_ERR_CONFIG, "no configuration has been provided: %s",
                              kubeconfig->files
                                  ? kube_printf(memory, "%s is empty", kubeconfig->files)
                                  : "not in a pod, and there is no kubeconfig file");
    if (!kubeconfig->files)
        return kube_error_set(err, KUBE_ERR_CONFIG,
                              "context \"%s\" was asked for, but there is no kubeconfig file",
                              name);
    if (!name)
        return kube_error_set(err, KUBE_ERR_CONFIG, "%s sets no current-context %s",
                              kubeconfig->files, known_names(kubeconfig, memory, "context"));
    *out = kube__kubeconfig_context(kubeconfig, name);
    return *out ? KUBE_OK
                : unknown_entry(kubeconfig, memory, options->context ? "" : "current-", "context",
                                name, err);
}

/* Makes @kubeconfig's chosen context the configuration. */
static kube_code use_kubeconfig(kube_config *config, const kube__kubeconfig *kubeconfig,
                                const kube_config_options *options, kube_error *err)
{
    const kube__context *context;
    const kube__cluster *cluster;
    const kube__user *user;
    kube_code rc = select_context(kubeconfig, config->memory, options, &context, err);
    if (rc)
        return rc;
    if (!context->cluster || !context->user)
        return kube_error_set(err, KUBE_ERR_CONFIG, "%s:%zu: context \"%s\" names no %s",
                              context->place.file, context->place.line, context->name,
                              context->cluster ? "user" : "cluster");
    cluster = kube__kubeconfig_cluster(kubeconfig, context->cluster);
    if (!cluster)
        return unknown_entry(kubeconfig, config->memory, named_by(config->memory, context),
                             "cluster", context->cluster, err);
    user = kube__kubeconfig_user(kubeconfig, context->user);
    if (!user)
        return unknown_entry(kubeconfig, config->memory, named_by(config->memory, context), "user",
                             context->user, err);
    rc = kube__config_use_cluster(config, cluster, options->master, err);
    if (!rc)
        rc = kube__config_use_user(config, user, err);
    if (!rc) {
        config->origin =
            kube_printf(config->memory, "context %s of %s", context->name, context->place.file);
        rc = config->origin ? kube__config_finish(config, options, context->namespace_, err)
                            : kube__ctx_check(config->memory, err);
    }
    return rc;
}

/* The files of $KUBECONFIG, duplicates and empty names left out, missing ones skipped (KC-1). */
static kube_code add_environment_files(kube__kubeconfig *kubeconfig, kube_ctx *memory,
                                       const char *paths, kube_error *err)
{
    kube_string_list seen = {0};
    const char *all = paths;
    kube_code rc = KUBE_OK;
    while (!rc && *paths) {
        size_t len = strcspn(paths, ":");
        const char *path = kube_ctx_strndup(memory, paths, len);
        if (!path)
            return kube__ctx_check(memory, err);
        if (len > 0 && !kube_string_list_contains(&seen, path)) {
            rc = kube_string_list_append(memory, &seen, path, err);
            if (!rc)
                rc = kube__kubeconfig_add_file(kubeconfig, memory, path, true, err);
        }
        paths += len + (paths[len] == ':');
    }
    if (!rc && !kubeconfig->files)
        kube_log_warn("none of the files in KUBECONFIG exists: %s", all);
    return rc;
}

static kube_code add_home_file(kube__kubeconfig *kubeconfig, kube_ctx *memory, kube_error *err)
{
    const char *home = getenv("HOME");
    const char *path;
    if (!home || !*home)
        return KUBE_OK;
    path = kube_printf(memory, "%s/.kube/config", home);
    return path ? kube__kubeconfig_add_file(kubeconfig, memory, path, true, err)
                : kube__ctx_check(memory, err);
}

/* ---- in a pod ------------------------------------------------------------------------------ */

static bool has_pod_environment(void)
{
    const char *host = getenv("KUBERNETES_SERVICE_HOST");
    const char *port = getenv("KUBERNETES_SERVICE_PORT");
    return host && *host && port && *port;
}

const char *kube__pod_namespace(kube_ctx *memory)
{
    const char *name = getenv("POD_NAMESPACE");
    const char *path;
    char *text;
    size_t len;
    if (name && *name)
        return name;
    path = kube_printf(memory, "%s/namespace", kube__service_account_dir);
    if (!path || kube__file_read(path, 4096, &text, &len, NULL, NULL))
        return NULL;
    name = kube_ctx_strndup(memory, text, strcspn(text, " \t\r\n"));
    kube__file_free(text, len);
    return name;
}

static kube_code use_pod(kube_config *config, const kube_config_options *options, kube_error *err)
{
    const char *host = getenv("KUBERNETES_SERVICE_HOST");
    const char *port = getenv("KUBERNETES_SERVICE_PORT");
    bool v6 = strchr(host, ':') != NULL;
    const char *server =
        kube_printf(config->memory, "https://%s%s%s:%s", v6 ? "[" : "", host, v6 ? "]" : "", port);
    char *token = NULL;
    size_t len = 0;
    kube_error error;
    kube_code rc;
    config->token_file = kube_printf(config->memory, "%s/token", kube__service_account_dir);
    config->ca.file = kube_printf(config->memory, "%s/ca.crt", kube__service_account_dir);
    config->origin = "in-cluster";
    if (kube_ctx_failed(config->memory))
        return kube__ctx_check(config->memory, err);
    rc = kube__url_parse_server(config, server, err);
    if (!rc)
        rc = kube__proxy_choose(config, NULL, err);
    if (!rc)
        rc = kube__file_read(config->token_file, 1 << 20, &token, &len, NULL, err);
    if (rc) {
        kube_error_prefix(err, "in-cluster configuration");
        return rc;
    }
    kube__file_free(token, len);
    if (kube__certificates_check_ca(&config->ca, "in-cluster configuration", &error)) {
        kube_log_error("using the system's certificate authorities, because the pod has none: %s",
                       error.message);
        config->ca.file = NULL;
    }
    return kube__config_finish(config, options, kube__pod_namespace(config->memory), err);
}

/* ---- the search ---------------------------------------------------------------------------- */

static kube_code use_master(kube_config *config, const kube_config_options *options,
                            kube_error *err)
{
    kube_code rc = kube__url_parse_server(config, options->master, err);
    if (rc) {
        kube_error_prefix(err, "master");
        return rc;
    }
    config->origin = "master";
    rc = kube__proxy_choose(config, NULL, err);
    return rc ? rc : kube__config_finish(config, options, NULL, err);
}

static kube_code load(kube_config *config, const kube_config_options *options, kube_error *err)
{
    kube__kubeconfig kubeconfig = {0};
    const char *paths = getenv("KUBECONFIG");
    bool has_paths = paths && *paths;
    kube_code rc = KUBE_OK;
    if (options->kubeconfig && *options->kubeconfig) {
        rc =
            kube__kubeconfig_add_file(&kubeconfig, config->memory, options->kubeconfig, false, err);
        return rc ? rc : use_kubeconfig(config, &kubeconfig, options, err);
    }
    if (options->master && *options->master)
        return use_master(config, options, err);
    if (has_paths)
        rc = add_environment_files(&kubeconfig, config->memory, paths, err);
    /* A context that was asked for can only be in a file. */
    if (!rc && !kubeconfig.files && has_pod_environment() && !options->context)
        return use_pod(config, options, err);
    if (!rc && !has_paths)
        rc = add_home_file(&kubeconfig, config->memory, err);
    return rc ? rc : use_kubeconfig(config, &kubeconfig, options, err);
}

/* Empty strings, as flags have them by default, are unset. */
static kube_config_options normalise(const kube_config_options *options)
{
    kube_config_options normal = *options;
    if (normal.master && !*normal.master)
        normal.master = NULL;
    if (normal.context && !*normal.context)
        normal.context = NULL;
    return normal;
}

kube_code kube_config_load_sized(const kube_config_options *options, size_t options_size,
                                 kube_config **out, kube_error *err)
{
    kube_config_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube_config_options normal = normalise(options);
    kube_config *config = kube__config_make();
    kube_code rc;
    *out = NULL;
    if (!config)
        return kube__no_memory(err, "a configuration");
    rc = load(config, &normal, err);
    if (rc) {
        kube_config_free(config);
        return rc;
    }
    *out = config;
    return KUBE_OK;
}

kube_code kube_config_parse_sized(const char *text, size_t len, const char *directory,
                                  const kube_config_options *options, size_t options_size,
                                  kube_config **out, kube_error *err)
{
    kube_config_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube_config_options normal = normalise(options);
    kube__kubeconfig kubeconfig = {0};
    kube_config *config = kube__config_make();
    const char *base = NULL;
    kube_code rc = KUBE_OK;
    *out = NULL;
    if (!config)
        return kube__no_memory(err, "a configuration");
    if (directory) {
        base = kube_ctx_strdup(config->memory, directory);
        rc = kube__ctx_check(config->memory, err);
    }
    if (!rc)
        rc = kube__kubeconfig_add(&kubeconfig, config->memory, "kubeconfig", base, text, len, err);
    if (!rc)
        rc = use_kubeconfig(config, &kubeconfig, &normal, err);
    if (rc) {
        kube_config_free(config);
        return rc;
    }
    *out = config;
    return KUBE_OK;
}
