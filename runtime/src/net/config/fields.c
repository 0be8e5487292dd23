/* SPDX-License-Identifier: Apache-2.0 */
/* kube_config_new(): the members of kube_config_fields as entries of a kubeconfig. */
#include "base/ctx.h"
#include "base/memory.h"
#include "kubeconfig.h"

#include <string.h>

static const char label[] = "kube_config_fields"; /* names the source in messages */

/* Empty strings, as flags have them by default, are unset. */
static const char *copy(kube_ctx *memory, const char *text)
{
    return text && *text ? kube_ctx_strdup(memory, text) : NULL;
}

static kube_code copy_pem(kube_ctx *memory, const char *file, const char *data,
                          const char *data_name, kube__pem *out, kube_error *err)
{
    *out = (kube__pem){.file = copy(memory, file), .data = copy(memory, data)};
    if (out->file && out->data)
        return kube_error_set(err, KUBE_ERR_CONFIG,
                              "%s has both %s and the file without \"_data\": only one may be set",
                              label, data_name);
    out->data_len = out->data ? strlen(out->data) : 0;
    out->data_name = data_name;
    return KUBE_OK;
}

static kube_code copy_cluster(kube_ctx *memory, const kube_config_fields *fields,
                              kube__cluster *out, kube_error *err)
{
    *out = (kube__cluster){
        .name = label,
        .server = copy(memory, fields->server),
        .tls_server_name = copy(memory, fields->tls_server_name),
        .proxy_url = copy(memory, fields->proxy_url),
        .insecure = fields->insecure_skip_tls_verify,
    };
    return copy_pem(memory, fields->certificate_authority, fields->certificate_authority_data,
                    "certificate_authority_data", &out->ca, err);
}

static kube_code copy_impersonation(kube_ctx *memory, const kube_config_fields *fields,
                                    kube__user *out, kube_error *err)
{
    const char *const *group = fields->as_groups;
    const char *const *extra = fields->as_extra;
    kube_code rc = KUBE_OK;
    out->as = copy(memory, fields->as);
    out->as_uid = copy(memory, fields->as_uid);
    for (; !rc && group && *group; group++)
        rc = kube_string_list_append(memory, &out->as_groups, *group, err);
    for (; !rc && extra && extra[0]; extra += 2) {
        kube__http_header *rows =
            kube_list_grow(memory, out->as_extra, out->as_extra_count, sizeof *rows);
        if (!extra[1])
            return kube_error_set(err, KUBE_ERR_CONFIG, "%s: as_extra has no value for \"%s\"",
                                  label, extra[0]);
        if (!rows)
            return kube__ctx_check(memory, err);
        rows[out->as_extra_count++] = (kube__http_header){kube_ctx_strdup(memory, extra[0]),
                                                          kube_ctx_strdup(memory, extra[1])};
        out->as_extra = rows;
    }
    return rc;
}

static kube_code copy_user(kube_ctx *memory, const kube_config_fields *fields, kube__user *out,
                           kube_error *err)
{
    kube_code rc;
    *out = (kube__user){
        .name = label,
        .token = copy(memory, fields->token),
        .token_file = copy(memory, fields->token_file),
        .username = copy(memory, fields->username),
        .password = copy(memory, fields->password),
        .authorize = fields->authorize,
        .authorize_arg = fields->authorize_arg,
    };
    rc = copy_pem(memory, fields->client_certificate, fields->client_certificate_data,
                  "client_certificate_data", &out->certificate, err);
    if (!rc)
        rc = copy_pem(memory, fields->client_key, fields->client_key_data, "client_key_data",
                      &out->key, err);
    return rc ? rc : copy_impersonation(memory, fields, out, err);
}

static kube_code use_fields(kube_config *config, const kube_config_fields *fields, kube_error *err)
{
    const kube_config_options options = {
        .namespace_ = fields->namespace_,
        .user_agent = fields->user_agent,
        .request_timeout_ms = fields->request_timeout_ms,
    };
    kube__cluster cluster;
    kube__user user;
    kube_code rc = copy_cluster(config->memory, fields, &cluster, err);
    if (!rc)
        rc = copy_user(config->memory, fields, &user, err);
    if (!rc)
        rc = kube__ctx_check(config->memory, err);
    if (!rc)
        rc = kube__config_use_cluster(config, &cluster, NULL, err);
    if (!rc)
        rc = kube__config_use_user(config, &user, err);
    config->origin = "given by the program";
    return rc ? rc : kube__config_finish(config, &options, NULL, err);
}

kube_code kube_config_new_sized(const kube_config_fields *fields, size_t fields_size,
                                kube_config **out, kube_error *err)
{
    kube_config_fields own;
    fields = kube__sized(fields, fields_size, &own, sizeof own);
    kube_config *config = kube__config_make();
    kube_code rc;
    *out = NULL;
    if (!config)
        return kube__no_memory(err, "a configuration");
    rc = use_fields(config, fields, err);
    if (rc) {
        kube_config_free(config);
        return rc;
    }
    *out = config;
    return KUBE_OK;
}
