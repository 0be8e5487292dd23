/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What every API object begins with: its type, and the block of memory it lives in.
 *
 * A decoded or copied object is one block: header, structs, strings. The ctx that asked for it
 * holds a reference; _ref and _unref keep one longer. An object built by hand has no block
 * (`.base` may be left out) and ref and unref do nothing to it. A struct copy of an object is legal
 * while its source is held: it has no reference of its own, and ref and unref know that.
 */
#ifndef KUBE_OBJECT_H
#define KUBE_OBJECT_H

#include <kube/meta.h>

KUBE_BEGIN_DECLS

/**
 * What is known of a Kind: generated as `<prefix>_<kind>_type`, constant.
 * Members are public so that generated code can initialise them; use the functions below.
 */
typedef struct kube_type {
    const char *group;       /* "" = core */
    const char *version;     /* "v1" */
    const char *api_version; /* "samplecrd.k8s.io/v1" */
    const char *kind;        /* "Network" */
    const char *list_kind;   /* "NetworkList" */
    const char *resource;    /* "networks" */
    const char *singular;    /* "network", for messages */
    const struct kube_schema *schema;
    uint16_t metadata_offset; /* of kube_object_meta in the struct */
    uint16_t status_offset;   /* of `status`, 0 = none */
    bool namespaced;
    bool has_status; /* the status subresource is served: update leaves status alone */
    const char *abi; /* &kube_abi_N: generated code of another runtime does not link */
} kube_type;

/** Metadata of any object whose base has a type; NULL when it has none. */
KUBE_API const kube_object_meta *kube_object_metadata(const kube_object *object);

/** Keeps @p object (NULL allowed) until kube_object_unref(). Threads: any. */
KUBE_API const kube_object *kube_object_ref(const kube_object *object);
/** Gives a reference back. Never fails; does nothing for objects without a block, for struct
 * copies, and for NULL. Threads: any. */
KUBE_API void kube_object_unref(const kube_object *object);
/** Makes @p ctx hold its own reference to @p object until it is reset or freed. */
KUBE_CHECKED kube_code kube_object_keep(kube_ctx *ctx, const kube_object *object, kube_error *err);
/**
 * An object to edit, in @p ctx: a clone when @p object is an unedited block (one malloc, one copy),
 * else a walk of the tree. The same for a typed object by its generated _deep_copy.
 * @p type is that of the object; it is needed because an object built by hand may not say.
 * @return NULL when memory is out
 */
KUBE_API kube_object *kube_object_deep_copy(kube_ctx *ctx, const kube_type *type,
                                            const kube_object *object);
/** Same values, with absent and empty told apart; metadata included. NULL equals only NULL. */
KUBE_API bool kube_object_equal(const kube_type *type, const kube_object *a, const kube_object *b);
/** Bytes of the object's block, allocator rounding included; 0 for an object without one. */
KUBE_API size_t kube_object_memory(const kube_object *object);
/**
 * The JSON path of the first member that the header did not name and no kube_extra kept, NULL when
 * nothing was lost. `update` refuses such an object (KUBE_ERR_PARTIAL).
 */
KUBE_API const char *kube_object_lost_path(const kube_object *object);

/** "namespace/name", or "name" for cluster scope, in @p ctx (STO-1); NULL when memory is out. */
KUBE_API const char *kube_object_key(kube_ctx *ctx, const kube_object_meta *metadata);

/** Whether both are the same version of an object: a resync repeats it (INF-3). */
KUBE_API bool kube_meta_same_version(const kube_object_meta *a, const kube_object_meta *b);

KUBE_END_DECLS

#endif /* KUBE_OBJECT_H */
