/* SPDX-License-Identifier: Apache-2.0 */
#include "verb.h"

#include "base/ctx.h"
#include "object/block/block.h"

#include <stdio.h>

const kube_object_meta *kube__verb_metadata(const kube_type *type, const kube_object *object)
{
    if (!object)
        return NULL; /* given by who did not ask whether his ctx has failed */
    return (const kube_object_meta *)(const void *)((const char *)object + type->metadata_offset);
}

kube_code kube__verb_namespace(const kube_ctx *ctx, const kube_type *type, const char *verb,
                               const char *ns, const kube_object_meta *metadata, bool one,
                               const char **out, kube_error *err)
{
    bool given = ns && *ns;
    kube_code rc = kube__ctx_check(ctx, err);
    *out = NULL;
    if (rc)
        return rc;
    if (!type->namespaced)
        return given ? kube_error_set(err, KUBE_ERR_ARGUMENT,
                                      "cannot %s %s in namespace \"%s\": they are cluster-scoped",
                                      verb, type->resource, ns)
                     : KUBE_OK;
    if (given)
        *out = ns;
    else if (one && metadata && metadata->namespace_ && *metadata->namespace_)
        *out = metadata->namespace_;
    else if (one)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "cannot %s %s without a namespace: neither the argument nor the "
                              "object's metadata names one",
                              verb, type->resource);
    return KUBE_OK;
}

kube_code kube__verb_begin(kube_client *client, const char *method, const kube__target *target,
                           kube__request *request, kube_error *err)
{
    kube_code rc;
    *request = (kube__request){.method = method, .target = *target};
    rc = kube__url_start(&request->url, client->config, target, err);
    if (rc)
        kube_error_prefix(err, "%s %s", target->verb, target->type->resource);
    return rc;
}

kube_code kube__verb_send(kube_client *client, kube_ctx *ctx, kube__request *request, void *out,
                          kube_error *err)
{
    kube_object *object = NULL;
    kube_code rc;
    kube__url_add_timeout(&request->url, client->set_timeout_ms);
    rc = kube__request_send(client, ctx, request, out ? &object : NULL, err);
    kube__object_out(out, object);
    kube__buffer_fini(&request->url);
    return rc;
}

kube_code kube__verb_send_object(kube_client *client, kube_ctx *ctx, kube__request *request,
                                 const kube_object *object, kube_encode_mode mode,
                                 const char *content_type, void *out, kube_error *err)
{
    const kube_type *type = request->input_type ? request->input_type : request->target.type;
    kube_ctx *scratch;
    kube_code rc = kube__ctx_scope(ctx, &scratch, err);
    if (!rc)
        rc = kube_encode(scratch, type, object, mode, &request->body, &request->body_len, err);
    if (rc) {
        kube__buffer_fini(&request->url);
    } else {
        request->content_type = content_type;
        rc = kube__verb_send(client, ctx, request, out, err);
    }
    kube_ctx_free(scratch);
    return rc;
}

kube_code kube__verb_check_whole(const kube__target *target, const kube_object *object,
                                 unsigned losses_that_count, const kube_write_options *options,
                                 kube_error *err)
{
    const char *path = kube_object_lost_path(object);
    if (!path || (options && options->allow_partial) || !(object->block->flags & losses_that_count))
        return KUBE_OK;
    kube_error_set(
        err, KUBE_ERR_PARTIAL,
        "%s %s \"%s\": the header does not name %s, and this write would erase it: "
        "use patch_diff, add \"kube_extra extra;\" to its struct, name it in the header, "
        "or set allow_partial",
        target->verb, target->type->resource, target->name, path);
    if (err)
        snprintf(err->field, sizeof err->field, "%s", path);
    return KUBE_ERR_PARTIAL;
}
