/* SPDX-License-Identifier: Apache-2.0 */
/* The calls create, update, update_status, delete and delete_collection. */
#include "base/ctx.h"
#include "base/memory.h"
#include "base/text.h"
#include "object/block/block.h"
#include "options.h"
#include "verb.h"

static const char json_type[] = "application/json";

kube_code kube_client_create_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                   const char *ns, const kube_object *object,
                                   const kube_write_options *options, size_t options_size,
                                   void *out, kube_error *err)
{
    kube_write_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube__target target = {.type = type, .verb = "create"};
    kube__request request;
    kube_code rc;
    kube__object_out(out, NULL);
    rc = kube__verb_namespace(ctx, type, "create", ns, kube__verb_metadata(type, object), true,
                              &target.namespace_, err);
    if (!rc)
        rc = kube__verb_begin(client, "POST", &target, &request, err);
    if (rc)
        return rc;
    kube__options_write(&request.url, options);
    return kube__verb_send_object(client, ctx, &request, object, KUBE_ENCODE_PLAIN, json_type, out,
                                  err);
}

static kube_code put(kube_client *client, kube_ctx *ctx, const kube_type *type, const char *ns,
                     const kube_object *object, const char *subresource, unsigned losses_that_count,
                     const kube_write_options *options, void *out, kube_error *err)
{
    const kube_object_meta *metadata = kube__verb_metadata(type, object);
    kube__target target = {.type = type, .verb = "update", .subresource = subresource};
    kube__request request;
    kube_code rc;
    kube__object_out(out, NULL);
    rc = kube__verb_namespace(ctx, type, "update", ns, metadata, true, &target.namespace_, err);
    if (rc)
        return rc;
    target.name = kube__text_or_empty(metadata->name);
    rc = kube__verb_check_whole(&target, object, losses_that_count, options, err);
    if (!rc)
        rc = kube__verb_begin(client, "PUT", &target, &request, err);
    if (rc)
        return rc;
    kube__options_write(&request.url, options);
    return kube__verb_send_object(client, ctx, &request, object, KUBE_ENCODE_PLAIN, json_type, out,
                                  err);
}

kube_code kube_client_update_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                   const char *ns, const kube_object *object,
                                   const kube_write_options *options, size_t options_size,
                                   void *out, kube_error *err)
{
    kube_write_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    return put(client, ctx, type, ns, object, NULL, KUBE__BLOCK_PARTIAL, options, out, err);
}

kube_code kube_client_update_status_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                          const char *ns, const kube_object *object,
                                          const kube_write_options *options, size_t options_size,
                                          void *out, kube_error *err)
{
    kube_write_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    return put(client, ctx, type, ns, object, "status", KUBE__BLOCK_PARTIAL_STATUS, options, out,
               err);
}

/* DELETE of one object or, with @target's name NULL, of a collection. */
static kube_code send_delete(kube_client *client, kube_ctx *ctx, const kube__target *target,
                             const kube_delete_options *options,
                             const kube_list_options *list_options, kube_error *err)
{
    kube_ctx *scratch;
    kube__request request;
    kube_code rc = kube__ctx_scope(ctx, &scratch, err);
    if (!rc)
        rc = kube__verb_begin(client, "DELETE", target, &request, err);
    if (rc) {
        kube_ctx_free(scratch);
        return rc;
    }
    kube__options_list(&request.url, list_options);
    rc = kube__options_delete(scratch, options, &request.body, &request.body_len, err);
    if (rc) {
        kube__buffer_fini(&request.url);
    } else {
        request.content_type = request.body ? json_type : NULL;
        rc = kube__verb_send(client, ctx, &request, NULL, err);
    }
    kube_ctx_free(scratch);
    return rc;
}

kube_code kube_client_delete_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                   kube_key key, const kube_delete_options *options,
                                   size_t options_size, kube_error *err)
{
    kube_delete_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube__target target = {.type = type, .verb = "delete", .name = kube__text_or_empty(key.name)};
    kube_code rc = kube__verb_namespace(ctx, type, "delete", key.namespace_, NULL, true,
                                        &target.namespace_, err);
    return rc ? rc : send_delete(client, ctx, &target, options, NULL, err);
}

kube_code kube_client_delete_object_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                          const kube_object *object,
                                          const kube_delete_options *options, size_t options_size,
                                          kube_error *err)
{
    kube_delete_options own = {0};
    const kube_object_meta *metadata = kube__verb_metadata(type, object);
    kube_code rc = kube__ctx_check(ctx, err);
    if (rc)
        return rc;
    own = *(const kube_delete_options *)kube__sized(options, options_size, &own, sizeof own);
    if (!own.precondition_uid)
        own.precondition_uid = metadata->uid;
    if (!own.precondition_resource_version)
        own.precondition_resource_version = metadata->resource_version;
    if (!own.precondition_uid || !*own.precondition_uid)
        return kube_error_set(
            err, KUBE_ERR_ARGUMENT,
            "delete_object of %s \"%s\": the object has no uid, so it is no state "
            "of the server",
            type->resource, kube__text_or_empty(metadata->name));
    return kube_client_delete(client, ctx, type, kube_meta_key(metadata), &own, err);
}

kube_code kube_client_delete_collection_sized(kube_client *client, kube_ctx *ctx,
                                              const kube_type *type, const char *ns,
                                              const kube_delete_options *options,
                                              size_t options_size,
                                              const kube_list_options *list_options,
                                              size_t list_options_size, kube_error *err)
{
    kube_delete_options own_options;
    kube_list_options own_list_options;
    options = kube__sized(options, options_size, &own_options, sizeof own_options);
    list_options =
        kube__sized(list_options, list_options_size, &own_list_options, sizeof own_list_options);
    kube__target target = {.type = type, .verb = "deletecollection"};
    /* Also here: no server deletes across namespaces, and an empty string may be an accident. */
    kube_code rc =
        kube__verb_namespace(ctx, type, "delete", ns, NULL, true, &target.namespace_, err);
    return rc ? rc : send_delete(client, ctx, &target, options, list_options, err);
}
