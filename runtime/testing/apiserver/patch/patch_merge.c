/* SPDX-License-Identifier: Apache-2.0 */
/* RFC 7396, with what the server's library makes of nulls inside new values. */
#include "patch.h"

/* A new value: members that are null are not taken over, at any depth; null elements stay. */
static kube__json *without_nulls(kube_ctx *ctx, const kube__json *value)
{
    kube__json *out;
    if (kube__json_is(value, KUBE__JSON_OBJECT)) {
        out = kube__json_object(ctx);
        KUBE__JSON_EACH (member, value)
            if (member->kind != KUBE__JSON_NULL)
                kube__json_set(ctx, out, member->key, without_nulls(ctx, member));
    } else if (kube__json_is(value, KUBE__JSON_ARRAY)) {
        out = kube__json_array(ctx);
        KUBE__JSON_EACH (item, value)
            kube__json_append(out, without_nulls(ctx, item));
    } else {
        out = kube__json_copy(ctx, value);
    }
    return out;
}

static void merge(kube_ctx *ctx, kube__json *object, const kube__json *patch)
{
    KUBE__JSON_EACH (change, patch) {
        kube__json *old = kube__json_get(object, change->key);
        if (change->kind == KUBE__JSON_NULL)
            kube__json_remove(object, change->key);
        else if (!kube__json_is(old, KUBE__JSON_OBJECT))
            kube__json_set(ctx, object, change->key, without_nulls(ctx, change));
        else if (change->kind == KUBE__JSON_OBJECT)
            merge(ctx, old, change);
        else
            kube__json_set(ctx, object, change->key, kube__json_copy(ctx, change));
    }
}

kube__json *kube__api_merge_patch(kube_ctx *ctx, const kube__json *object, const kube__json *patch)
{
    if (!kube__json_is(patch, KUBE__JSON_OBJECT) || !kube__json_is(object, KUBE__JSON_OBJECT))
        return without_nulls(ctx, patch);
    kube__json *out = kube__json_copy(ctx, object);
    merge(ctx, out, patch);
    return out;
}

kube__api_failure *kube__api_wrong_patch(kube_ctx *ctx, const char *prefix, const kube__json *value,
                                         const char *go_type)
{
    return kube__api_bad_request(ctx, "%sjson: cannot unmarshal %s into Go %s", prefix,
                                 kube__json_kind_name(value), go_type);
}

kube__api_failure *kube__api_check_merge_patch(kube_ctx *ctx, const kube__json *patch)
{
    if (kube__json_is(patch, KUBE__JSON_OBJECT))
        return NULL;
    if (!patch || patch->kind == KUBE__JSON_NULL)
        return kube__api_bad_request(ctx, "Invalid JSON Patch");
    return kube__api_wrong_patch(ctx, "error decoding patch: ", patch,
                                 "value of type map[string]interface {}");
}
