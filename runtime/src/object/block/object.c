/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ctx.h"
#include "block.h"

#include <kube/key.h>
#include <string.h>

#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>
#define ALLOCATED(p) malloc_usable_size(p)
#elif defined(__APPLE__)
#include <malloc/malloc.h>
#define ALLOCATED(p) malloc_size(p)
#endif

const kube_object_meta *kube_object_metadata(const kube_object *object)
{
    if (!object || !object->type || object->type->metadata_offset == 0)
        return NULL;
    return (const void *)((const char *)object + object->type->metadata_offset);
}

static bool is_counted(const kube_object *object)
{
    return object && kube__block_owns(object);
}

const kube_object *kube_object_ref(const kube_object *object)
{
    /* Relaxed: whoever calls holds a reference, so the block cannot end meanwhile, and a new
     * reference by itself makes nothing visible to anybody. */
    if (is_counted(object))
        atomic_fetch_add_explicit(&object->block->refs, 1, memory_order_relaxed);
    return object;
}

void kube_object_unref(const kube_object *object)
{
    if (!is_counted(object))
        return;
    struct kube_block *block = object->block;
    /* Release: what this thread did with the object comes before its end. Acquire by the last one:
     * it sees what all the others did before it frees. */
    if (atomic_fetch_sub_explicit(&block->refs, 1, memory_order_acq_rel) != 1)
        return;
    kube__block_check(object);
    kube__block_free(block);
}

static void release(void *object)
{
    kube_object_unref(object);
}

kube_code kube_object_keep(kube_ctx *ctx, const kube_object *object, kube_error *err)
{
    if (!is_counted(object))
        return kube__ctx_check(ctx, err);
    kube_code rc = kube_ctx_defer(ctx, release, (void *)(uintptr_t)object, err);
    if (rc == KUBE_OK)
        kube_object_ref(object);
    return rc;
}

size_t kube_object_memory(const kube_object *object)
{
    if (!is_counted(object))
        return 0;
    struct kube_block *block = object->block;
#ifdef ALLOCATED
    /* And the word that the allocator keeps before it. */
    return ALLOCATED(kube__block_bitmap(block)) + sizeof(size_t);
#else
    size_t head = (size_t)((char *)(block + 1) - (char *)kube__block_bitmap(block));
    return head + block->struct_len + block->string_len;
#endif
}

const char *kube_object_lost_path(const kube_object *object)
{
    /* A struct copy lacks the same members, so its block speaks for it too. */
    if (!object || !object->block || !(object->block->flags & KUBE__BLOCK_PARTIAL))
        return NULL;
    return kube__block_strings(object->block);
}

const char *kube_key_text(kube_ctx *ctx, kube_key key)
{
    const char *name = key.name ? key.name : "";
    const char *ns = key.namespace_;
    if (!ns || !*ns)
        return kube_ctx_strdup(ctx, name);
    size_t ns_len = strlen(ns);
    size_t name_len = strlen(name) + 1;
    char *text = kube_ctx_alloc(ctx, ns_len + 1 + name_len);
    if (!text)
        return NULL;
    memcpy(text, ns, ns_len);
    text[ns_len] = '/';
    memcpy(text + ns_len + 1, name, name_len);
    return text;
}

kube_code kube_key_parse(kube_ctx *ctx, const char *text, kube_key *out, kube_error *err)
{
    const char *slash = text ? strchr(text, '/') : NULL;
    const char *name = slash ? slash + 1 : text;
    kube_key key;
    *out = kube_key_of(NULL, NULL);
    if (!name || !*name || strchr(name, '/'))
        return kube_error_set(
            err, KUBE_ERR_ARGUMENT,
            "\"%s\" is not a key: write NAMESPACE/NAME, or NAME for cluster scope",
            text ? text : "");
    key.namespace_ = kube_ctx_strndup(ctx, text, slash ? (size_t)(slash - text) : 0);
    key.name = kube_ctx_strdup(ctx, name);
    if (!key.namespace_ || !key.name)
        return kube__ctx_check(ctx, err);
    *out = key;
    return KUBE_OK;
}

bool kube_meta_same_version(const kube_object_meta *a, const kube_object_meta *b)
{
    /* An object without a version is not known to be the same as any. */
    if (!a->resource_version || !*a->resource_version || !b->resource_version)
        return false;
    return strcmp(a->resource_version, b->resource_version) == 0;
}
