/* SPDX-License-Identifier: Apache-2.0 */
#include "transformer.h"

#include "base/memory.h"
#include "base/text.h"
#include "object/block/block.h"
#include "object/stream/bad_object.h"

#include <string.h>

static const kube_object_meta *meta_of(const kube__transformer *transformer,
                                       const kube_object *object)
{
    return (const kube_object_meta *)(const void *)((const char *)object +
                                                    transformer->type->metadata_offset);
}

kube_code kube__transformer_check_name(const kube__transformer *transformer,
                                       const kube_object *object, kube_error *err)
{
    const char *member;
    const char *flaw = kube__names_flaw(meta_of(transformer, object), true, &member);
    return flaw ? kube__names_refuse("", member, flaw, err) : KUBE_OK;
}

/* The copy gathers in one block what the transform took from its ctx. */
static kube_code transform(kube__transformer *transformer, kube_object **object, kube_error *err)
{
    kube_object *edited = *object;
    kube_object *copy = NULL;
    kube_object_meta before = *meta_of(transformer, edited);
    kube_code rc;
    kube__block_unseal(edited);
    rc = transformer->transform(transformer->transform_arg, transformer->scratch, edited, err);
    if (rc) {
        kube_error_prefix(err, "transform of %s", before.name);
    } else if (!kube__text_same(before.name, meta_of(transformer, edited)->name) ||
               !kube__text_same(before.namespace_, meta_of(transformer, edited)->namespace_)) {
        rc = kube_error_set(err, KUBE_ERR_ARGUMENT, "the transform of %s changed an object's name",
                            before.name);
    } else {
        copy = kube_object_deep_copy(transformer->scratch, transformer->type, edited);
        if (!copy)
            rc = kube__no_memory(err, "the transform of %s", before.name);
    }
    kube_object_ref(copy);
    kube_ctx_reset(transformer->scratch);
    if (rc) { /* its name still serves the caller, and must not lie in what was reset */
        kube_object_meta *metadata =
            (kube_object_meta *)(void *)((char *)edited + transformer->type->metadata_offset);
        metadata->name = before.name;
        metadata->namespace_ = before.namespace_;
        return rc;
    }
    kube_object_unref(edited);
    *object = copy;
    return KUBE_OK;
}

kube_code kube__transformer_prepare(kube__transformer *transformer, kube_object **object,
                                    kube_error *err)
{
    kube_code rc = kube__transformer_check_name(transformer, *object, err);
    if (!rc && transformer->transform)
        rc = transform(transformer, object, err);
    if (!rc && !((*object)->block->flags & KUBE__BLOCK_SEALED))
        kube__block_seal(*object);
    return rc;
}
