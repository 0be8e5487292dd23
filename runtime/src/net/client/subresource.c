/* SPDX-License-Identifier: Apache-2.0 */
/* Calls about a subresource of any name, whose input and result have types of their own. */
#include "base/ctx.h"
#include "base/memory.h"
#include "base/text.h"
#include "object/block/block.h"
#include "options.h"
#include "verb.h"

#include <kube/subresource.h>

/* Starts a request about the subresource of one object. */
static kube_code begin(kube_client *client, kube_ctx *ctx, const kube_subresource *of,
                       const char *method, const char *verb, kube_key key, kube__request *request,
                       kube_error *err)
{
    kube__target target = {.type = of->type,
                           .verb = verb,
                           .name = kube__text_or_empty(key.name),
                           .subresource = of->name};
    kube_code rc = kube__verb_namespace(ctx, of->type, verb, key.namespace_, NULL, true,
                                        &target.namespace_, err);
    if (!rc)
        rc = kube__verb_begin(client, method, &target, request, err);
    if (!rc) {
        request->input_type = of->input;
        request->result_type = of->result;
    }
    return rc;
}

kube_code kube_client_get_subresource_sized(kube_client *client, kube_ctx *ctx,
                                            const kube_subresource *of, kube_key key,
                                            const kube_get_options *options, size_t options_size,
                                            void *out, kube_error *err)
{
    kube_get_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube__request request;
    kube_code rc;
    kube__object_out(out, NULL);
    rc = begin(client, ctx, of, "GET", "get", key, &request, err);
    if (rc)
        return rc;
    kube__url_add(&request.url, "resourceVersion", options->resource_version);
    return kube__verb_send(client, ctx, &request, out, err);
}

static kube_code write_object(kube_client *client, kube_ctx *ctx, const kube_subresource *of,
                              const char *method, const char *verb, kube_key key,
                              const kube_object *object, const kube_write_options *options,
                              void *out, kube_error *err)
{
    kube__request request;
    kube_code rc;
    kube__object_out(out, NULL);
    rc = begin(client, ctx, of, method, verb, key, &request, err);
    if (rc)
        return rc;
    kube__options_write(&request.url, options);
    return kube__verb_send_object(client, ctx, &request, object, KUBE_ENCODE_PLAIN,
                                  "application/json", out, err);
}

kube_code kube_client_create_subresource_sized(kube_client *client, kube_ctx *ctx,
                                               const kube_subresource *of, kube_key key,
                                               const kube_object *object,
                                               const kube_write_options *options,
                                               size_t options_size, void *out, kube_error *err)
{
    kube_write_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    return write_object(client, ctx, of, "POST", "create", key, object, options, out, err);
}

kube_code kube_client_update_subresource_sized(kube_client *client, kube_ctx *ctx,
                                               const kube_subresource *of, kube_key key,
                                               const kube_object *object,
                                               const kube_write_options *options,
                                               size_t options_size, void *out, kube_error *err)
{
    kube_write_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    const kube__target target = {
        .type = of->type, .verb = "update", .name = kube__text_or_empty(key.name)};
    kube_code rc = kube__ctx_check(ctx, err);
    kube__object_out(out, NULL);
    if (!rc)
        rc = kube__verb_check_whole(&target, object, KUBE__BLOCK_PARTIAL, options, err);
    return rc ? rc : write_object(client, ctx, of, "PUT", "update", key, object, options, out, err);
}

kube_code kube_client_apply_subresource_sized(kube_client *client, kube_ctx *ctx,
                                              const kube_subresource *of, kube_key key,
                                              const kube_object *object,
                                              const kube_apply_options *options,
                                              size_t options_size, void *out, kube_error *err)
{
    kube_apply_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube__request request;
    kube_code rc;
    kube__object_out(out, NULL);
    if (!options->field_manager || !*options->field_manager)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "cannot apply %s/%s: options must name a field_manager",
                              of->type->resource, of->name);
    rc = begin(client, ctx, of, "PATCH", "patch", key, &request, err);
    if (rc)
        return rc;
    kube__options_apply(&request.url, options);
    return kube__verb_send_object(client, ctx, &request, object, KUBE_ENCODE_APPLY,
                                  "application/apply-patch+yaml", out, err);
}
