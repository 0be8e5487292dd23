/* SPDX-License-Identifier: Apache-2.0 */
/* The calls patch, apply, apply_status and patch_diff. */
#include "base/ctx.h"
#include "base/memory.h"
#include "base/text.h"
#include "object/block/block.h"
#include "options.h"
#include "verb.h"

#include <kube/generated.h>
#include <string.h>

static const char *const patch_types[] = {
    [KUBE_PATCH_JSON] = "application/json-patch+json",
    [KUBE_PATCH_MERGE] = "application/merge-patch+json",
    [KUBE_PATCH_STRATEGIC] = "application/strategic-merge-patch+json",
};

kube_code kube_client_patch_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                  kube_key key, kube_patch_type patch_type, const char *patch,
                                  size_t patch_len, const kube_patch_options *options,
                                  size_t options_size, void *out, kube_error *err)
{
    kube_patch_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube__target target = {.type = type,
                           .verb = "patch",
                           .name = kube__text_or_empty(key.name),
                           .subresource = options->subresource};
    kube__request request;
    kube_code rc;
    kube__object_out(out, NULL);
    rc = kube__verb_namespace(ctx, type, "patch", key.namespace_, NULL, true, &target.namespace_,
                              err);
    if (!rc)
        rc = kube__verb_begin(client, "PATCH", &target, &request, err);
    if (rc)
        return rc;
    kube__options_patch(&request.url, options);
    request.content_type = patch_types[patch_type];
    request.body = patch;
    request.body_len = patch_len;
    return kube__verb_send(client, ctx, &request, out, err);
}

/* ---- apply --------------------------------------------------------------------------------- */

static kube_code apply_to(kube_client *client, kube_ctx *ctx, const kube_type *type, const char *ns,
                          const kube_object *object, const char *subresource, kube_encode_mode mode,
                          const kube_apply_options *options, void *out, kube_error *err)
{
    const kube_object_meta *metadata = kube__verb_metadata(type, object);
    kube__target target = {.type = type, .verb = "patch", .subresource = subresource};
    kube__request request;
    kube_code rc;
    kube__object_out(out, NULL);
    if (!options->field_manager || !*options->field_manager)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "cannot apply %s: options must name a field_manager", type->resource);
    rc = kube__verb_namespace(ctx, type, "apply", ns, metadata, true, &target.namespace_, err);
    if (rc)
        return rc;
    target.name = kube__text_or_empty(metadata->name);
    rc = kube__verb_begin(client, "PATCH", &target, &request, err);
    if (rc)
        return rc;
    kube__options_apply(&request.url, options);
    return kube__verb_send_object(client, ctx, &request, object, mode,
                                  "application/apply-patch+yaml", out, err);
}

kube_code kube_client_apply_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                  const char *ns, const kube_object *object,
                                  const kube_apply_options *options, size_t options_size, void *out,
                                  kube_error *err)
{
    kube_apply_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    return apply_to(client, ctx, type, ns, object, NULL, KUBE_ENCODE_APPLY, options, out, err);
}

kube_code kube_client_apply_status_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                         const char *ns, const kube_object *object,
                                         const kube_apply_options *options, size_t options_size,
                                         void *out, kube_error *err)
{
    kube_apply_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    return apply_to(client, ctx, type, ns, object, "status", KUBE_ENCODE_APPLY_STATUS, options, out,
                    err);
}

/* ---- patch_diff ---------------------------------------------------------------------------- */

/* A copy of the struct alone, for its metadata's resourceVersion to be changed. */
static kube_object *shallow_copy(kube_ctx *ctx, const kube_type *type, const kube_object *object,
                                 const char *resource_version)
{
    kube_object *copy = kube_ctx_alloc(ctx, type->schema->size);
    if (copy) {
        kube_object_meta *metadata;
        memcpy(copy, object, type->schema->size);
        metadata = (kube_object_meta *)(void *)((char *)copy + type->metadata_offset);
        metadata->resource_version = resource_version;
    }
    return copy;
}

/*
 * The merge patch from old to new with the old one's resourceVersion in it; *patch NULL when there
 * is no difference. Where both have the same version it does not differ; where the old one has none
 * the new one's is part of the difference. So no patch has to be edited.
 */
static kube_code make_patch(kube_ctx *scratch, const kube_type *type, const kube_object *old_object,
                            const kube_object *new_object, const char *version, const char **patch,
                            size_t *len, kube_error *err)
{
    const kube_object *without = shallow_copy(scratch, type, old_object, NULL);
    const kube_object *new_without = shallow_copy(scratch, type, new_object, NULL);
    const kube_object *with = shallow_copy(scratch, type, new_object, version);
    kube_code rc;
    *patch = NULL;
    if (kube_ctx_failed(scratch))
        return kube__ctx_check(scratch, err);
    rc = kube_diff(scratch, type, without, new_without, patch, len, err);
    if (!rc && *len == 2) {
        *patch = NULL;
        return KUBE_OK;
    }
    return rc ? rc : kube_diff(scratch, type, without, with, patch, len, err);
}

kube_code kube_client_patch_diff_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                       const char *ns, const kube_object *old_object,
                                       const kube_object *new_object,
                                       const kube_patch_options *options, size_t options_size,
                                       void *out, kube_error *err)
{
    kube_patch_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    const kube_object_meta *metadata = kube__verb_metadata(type, old_object);
    const char *version;
    kube_ctx *scratch;
    const char *patch = NULL;
    size_t len = 0;
    kube_code rc;
    kube__object_out(out, NULL);
    rc = kube__verb_namespace(ctx, type, "patch", ns, metadata, true, &ns, err);
    if (rc)
        return rc;
    version = metadata->resource_version;
    if (!version || !*version)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "patch_diff of %s \"%s\": the old object has no resourceVersion, so "
                              "it is no state of the server",
                              type->resource, metadata->name ? metadata->name : "");
    rc = kube__ctx_scope(ctx, &scratch, err);
    if (!rc)
        rc = make_patch(scratch, type, old_object, new_object, version, &patch, &len, err);
    if (!rc && patch) {
        rc = kube_client_patch(client, ctx, type, kube_key_of(ns, metadata->name), KUBE_PATCH_MERGE,
                               patch, len, options, out, err);
    } else if (!rc && out) {
        kube__object_out(out, kube_object_deep_copy(ctx, type, new_object));
        rc = kube__ctx_check(ctx, err);
    }
    kube_ctx_free(scratch);
    return rc;
}
