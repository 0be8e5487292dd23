/* SPDX-License-Identifier: Apache-2.0 */
/* The scale subresource. Its answers are of another type than what is scaled. */
#include "base/memory.h"
#include "base/text.h"
#include "object/block/block.h"
#include "options.h"
#include "verb.h"

#include <kube/generated.h>
#include <kube/scale.h>
#include <stddef.h>

/* ---- the type ------------------------------------------------------------------------------ */

static const kube_field spec_fields[] = {
    KUBE_FIELD(kube_scale_spec, replicas, "replicas", INT32, REQUIRED),
};
static const kube_schema spec_schema = KUBE_STRUCT_SCHEMA(kube_scale_spec, spec_fields, NULL);

static const kube_field status_fields[] = {
    KUBE_FIELD(kube_scale_status, replicas, "replicas", INT32, OPTIONAL),
    KUBE_FIELD(kube_scale_status, selector, "selector", STRING, OPTIONAL),
};
static const kube_schema status_schema = KUBE_STRUCT_SCHEMA(kube_scale_status, status_fields, NULL);

static const kube_schema *const scale_subs[] = {
    /* 0 */ &kube_object_meta_schema,
    /* 1 */ &spec_schema,
    /* 2 */ &status_schema,
};
static const kube_field scale_fields[] = {
    KUBE_PART(kube_scale, metadata, "metadata", STRUCT, REQUIRED, kube_object_meta, 0),
    KUBE_PART(kube_scale, spec, "spec", STRUCT, REQUIRED, kube_scale_spec, 1),
    KUBE_PART(kube_scale, status, "status", STRUCT, OPTIONAL, kube_scale_status, 2),
};
static const kube_schema scale_schema = KUBE_STRUCT_SCHEMA(kube_scale, scale_fields, scale_subs);

KUBE_CHECK_ROOT(kube_scale);
const kube_type kube_scale_type = {
    .group = "autoscaling",
    .version = "v1",
    .api_version = "autoscaling/v1",
    .kind = "Scale",
    .list_kind = "ScaleList",
    .resource = "scales",
    .singular = "scale",
    .schema = &scale_schema,
    .metadata_offset = offsetof(kube_scale, metadata),
    .namespaced = true,
    .abi = kube_abi_2,
};

/* ---- the calls ----------------------------------------------------------------------------- */

/* Starts a request about the scale of one object. */
static kube_code begin(kube_client *client, kube_ctx *ctx, const kube_type *type,
                       const char *method, const char *verb, kube_key key, kube__request *request,
                       kube_error *err)
{
    kube__target target = {
        .type = type, .verb = verb, .name = kube__text_or_empty(key.name), .subresource = "scale"};
    kube_code rc =
        kube__verb_namespace(ctx, type, verb, key.namespace_, NULL, true, &target.namespace_, err);
    if (!rc)
        rc = kube__verb_begin(client, method, &target, request, err);
    if (!rc)
        request->input_type = request->result_type = &kube_scale_type;
    return rc;
}

kube_code kube_client_get_scale_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                      kube_key key, const kube_get_options *options,
                                      size_t options_size, kube_scale **out, kube_error *err)
{
    kube_get_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube__request request;
    kube_code rc;
    *out = NULL;
    rc = begin(client, ctx, type, "GET", "get", key, &request, err);
    if (rc)
        return rc;
    kube__url_add(&request.url, "resourceVersion", options->resource_version);
    return kube__verb_send(client, ctx, &request, out, err);
}

kube_code kube_client_update_scale_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                         kube_key key, const kube_scale *scale,
                                         const kube_write_options *options, size_t options_size,
                                         kube_scale **out, kube_error *err)
{
    kube_write_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube__request request;
    kube_code rc;
    kube__object_out(out, NULL);
    rc = begin(client, ctx, type, "PUT", "update", key, &request, err);
    if (rc)
        return rc;
    const kube_scale sent = {
        .metadata = {.name = request.target.name,
                     .namespace_ = request.target.namespace_,
                     .uid = scale->metadata.uid,
                     .resource_version = scale->metadata.resource_version},
        .spec = scale->spec,
    };
    kube__options_write(&request.url, options);
    return kube__verb_send_object(client, ctx, &request, &sent.base, KUBE_ENCODE_PLAIN,
                                  "application/json", out, err);
}
