/* SPDX-License-Identifier: Apache-2.0 */
/* RFC 7396, with what the server's library makes of nulls inside new values. */
#include "patch.h"

/* A new value: members that are null are not taken over, at any depth; null elements stay. */
static kube__json *without_nulls(kube__heap *heap, const kube__json *value)
{
    kube__json *out;
    if (kube__json_is(value, KUBE__JSON_OBJECT)) {
        out = kube__json_object(heap);
        KUBE__JSON_EACH (member, value)
            if (member->kind != KUBE__JSON_NULL)
                kube__json_set(heap, out, member->key, without_nulls(heap, member));
    } else if (kube__json_is(value, KUBE__JSON_ARRAY)) {
        out = kube__json_array(heap);
        KUBE__JSON_EACH (item, value)
            kube__json_append(out, without_nulls(heap, item));
    } else {
        out = kube__json_copy(heap, value);
    }
    return out;
}

static void merge(kube__heap *heap, kube__json *object, const kube__json *patch)
{
    KUBE__JSON_EACH (change, patch) {
        kube__json *old = kube__json_get(object, change->key);
        if (change->kind == KUBE__JSON_NULL)
            kube__json_remove(object, change->key);
        else if (!kube__json_is(old, KUBE__JSON_OBJECT))
            kube__json_set(heap, object, change->key, without_nulls(heap, change));
        else if (change->kind == KUBE__JSON_OBJECT)
            merge(heap, old, change);
        else
            kube__json_set(heap, object, change->key, kube__json_copy(heap, change));
    }
}

kube__json *kube__api_merge_patch(kube__heap *heap, const kube__json *object,
                                  const kube__json *patch)
{
    if (!kube__json_is(patch, KUBE__JSON_OBJECT) || !kube__json_is(object, KUBE__JSON_OBJECT))
        return without_nulls(heap, patch);
    kube__json *out = kube__json_copy(heap, object);
    merge(heap, out, patch);
    return out;
}

static const char *go_name(kube__json_kind kind)
{
    switch (kind) {
    case KUBE__JSON_NULL:
        return "null";
    case KUBE__JSON_BOOL:
        return "bool";
    case KUBE__JSON_NUMBER:
        return "number";
    case KUBE__JSON_STRING:
        return "string";
    case KUBE__JSON_ARRAY:
        return "array";
    case KUBE__JSON_OBJECT:
        return "object";
    }
    return "";
}

kube__api_failure *kube__api_wrong_patch(kube__heap *heap, const char *prefix,
                                         const kube__json *value, const char *go_type)
{
    return kube__api_bad_request(heap, "%sjson: cannot unmarshal %s into Go %s", prefix,
                                 go_name(value->kind), go_type);
}

kube__api_failure *kube__api_check_merge_patch(kube__heap *heap, const kube__json *patch)
{
    if (kube__json_is(patch, KUBE__JSON_OBJECT))
        return NULL;
    if (!patch || patch->kind == KUBE__JSON_NULL)
        return kube__api_bad_request(heap, "Invalid JSON Patch");
    return kube__api_wrong_patch(heap, "error decoding patch: ", patch,
                                 "value of type map[string]interface {}");
}
