/* SPDX-License-Identifier: Apache-2.0 */
/* The scale subresource. Its answers are of another type than what is scaled. */
#include <kube/scale.h>

#include "options.h"
#include "verb.h"
#include <kube/generated.h>
#include <stddef.h>

/* ---- the type ------------------------------------------------------------------------------ */

static const kube_field spec_fields[] = {
    KUBE_FIELD(kube_scale_spec, replicas, "replicas", KUBE_KIND_INT32, 0, 0),
};
KUBE_CHECK_MEMBER(kube_scale_spec, replicas, int32_t);
static const kube_schema spec_schema = {
    .name = "kube_scale_spec",
    .fields = spec_fields,
    .size = sizeof(kube_scale_spec),
    .field_count = 1,
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_STRUCT,
};

static const kube_field status_fields[] = {
    KUBE_FIELD(kube_scale_status, replicas, "replicas", KUBE_KIND_INT32, KUBE_FIELD_OPTIONAL, 0),
    KUBE_FIELD(kube_scale_status, selector, "selector", KUBE_KIND_STRING, KUBE_FIELD_OPTIONAL, 0),
};
KUBE_CHECK_MEMBER(kube_scale_status, replicas, int32_t);
KUBE_CHECK_MEMBER(kube_scale_status, selector, const char *);
static const kube_schema status_schema = {
    .name = "kube_scale_status",
    .fields = status_fields,
    .size = sizeof(kube_scale_status),
    .field_count = 2,
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_STRUCT,
};

static const kube_schema *const scale_subs[] = {
    /* 0 */ &kube_object_meta_schema,
    /* 1 */ &spec_schema,
    /* 2 */ &status_schema,
};
static const kube_field scale_fields[] = {
    KUBE_FIELD(kube_scale, metadata, "metadata", KUBE_KIND_STRUCT, 0, 0),
    KUBE_FIELD(kube_scale, spec, "spec", KUBE_KIND_STRUCT, 0, 1),
    KUBE_FIELD(kube_scale, status, "status", KUBE_KIND_STRUCT, KUBE_FIELD_OPTIONAL, 2),
};
KUBE_CHECK_MEMBER(kube_scale, metadata, kube_object_meta);
KUBE_CHECK_MEMBER(kube_scale, spec, kube_scale_spec);
KUBE_CHECK_MEMBER(kube_scale, status, kube_scale_status);
static const kube_schema scale_schema = {
    .name = "kube_scale",
    .fields = scale_fields,
    .subs = scale_subs,
    .size = sizeof(kube_scale),
    .field_count = 3,
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_STRUCT,
};

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
    .abi = kube_abi_1,
};

/* ---- the calls ----------------------------------------------------------------------------- */

/* Starts a request about the scale of one object. */
static kube_code begin(kube_client *client, const kube_type *type, const char *method,
                       const char *verb, const char *ns, const char *name, kube__request *request,
                       kube_error *err)
{
    kube__target target = {
        .type = type, .verb = verb, .name = name ? name : "", .subresource = "scale"};
    kube_code rc = kube__verb_namespace(type, verb, ns, NULL, true, &target.namespace_, err);

    if (!rc)
        rc = kube__verb_begin(client, method, &target, request, err);
    if (!rc)
        request->result_type = &kube_scale_type;
    return rc;
}

kube_code kube_client_get_scale(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                const char *ns, const char *name, const kube_get_options *options,
                                kube_scale **out, kube_error *err)
{
    kube__request request;
    kube_object *result = NULL;
    kube_code rc;

    *out = NULL;
    rc = begin(client, type, "GET", "get", ns, name, &request, err);
    if (rc)
        return rc;
    kube__url_add(&request.url, "resourceVersion", options ? options->resource_version : NULL);
    rc = kube__verb_send(client, ctx, &request, &result, err);
    *out = (kube_scale *)result;
    return rc;
}

kube_code kube_client_update_scale(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                   const char *ns, const char *name, const kube_scale *scale,
                                   const kube_write_options *options, kube_scale **out,
                                   kube_error *err)
{
    kube_ctx *scratch = NULL;
    kube_object *result = NULL;
    kube__request request;
    kube_code rc;

    if (out)
        *out = NULL;
    rc = begin(client, type, "PUT", "update", ns, name, &request, err);
    if (rc)
        return rc;
    const kube_scale sent = {
        .metadata = {.name = request.target.name,
                     .namespace_ = request.target.namespace_,
                     .uid = scale->metadata.uid,
                     .resource_version = scale->metadata.resource_version},
        .spec = scale->spec,
    };
    scratch = kube_ctx_child(ctx);
    rc = scratch ? kube_encode(scratch, &kube_scale_type, &sent.base, KUBE_ENCODE_PLAIN,
                               &request.body, &request.body_len, err)
                 : kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory");
    if (rc) {
        kube__buffer_fini(&request.url);
        goto out;
    }
    request.content_type = "application/json";
    kube__options_write(&request.url, options);
    rc = kube__verb_send(client, ctx, &request, out ? &result : NULL, err);
    if (out)
        *out = (kube_scale *)result;
out:
    kube_ctx_free(scratch);
    return rc;
}
