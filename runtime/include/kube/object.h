/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What all API objects have in common: a type, metadata, and a block of memory.
 *
 * A decoded or copied object is one block of memory with its structs and strings. The ctx that it
 * was made in holds a reference; kube_object_ref() keeps it longer than that. An object that a
 * program builds itself has no block: its `.base` may be left out, and ref and unref do nothing to
 * it. `network copy = *object;` is allowed while the source is held; such a copy has no reference
 * of its own, and ref and unref leave it alone, too.
 */
#ifndef KUBE_OBJECT_H
#define KUBE_OBJECT_H

#include <kube/meta.h>

KUBE_BEGIN_DECLS

/**
 * Describes a Kind. kubegen writes one constant for each, named `<prefix>_<kind>_type`. The members
 * are public so that generated code can initialise them.
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
    uint16_t metadata_offset; /* offset of `metadata` in the struct */
    uint16_t status_offset;   /* offset of `status`; 0 = it has none */
    bool namespaced;
    bool has_status; /* there is a status subresource, so update does not change the status */
    const char *abi; /* &kube_abi_N, so that code generated for another runtime does not link */
} kube_type;

/** Returns the metadata of @p object, or NULL if its base has no type. */
KUBE_API const kube_object_meta *kube_object_metadata(const kube_object *object);

/** Takes a reference that keeps @p object until kube_object_unref(). NULL allowed. Threads: any. */
KUBE_API const kube_object *kube_object_ref(const kube_object *object);
/** Gives a reference back. Does nothing for NULL, for objects without a block, and for struct
 * copies. Threads: any. */
KUBE_API void kube_object_unref(const kube_object *object);
/** Makes @p ctx hold a reference of its own to @p object, until it is reset or freed. */
KUBE_CHECKED kube_code kube_object_keep(kube_ctx *ctx, const kube_object *object, kube_error *err);
/**
 * Returns a copy in @p ctx that may be edited. Generated code has the same for each Kind, as
 * _deep_copy. @p type is the type of @p object, which an object built by hand need not say.
 * @return NULL if out of memory, or if the object is nested deeper than 200 levels
 */
KUBE_API kube_object *kube_object_deep_copy(kube_ctx *ctx, const kube_type *type,
                                            const kube_object *object);
/** Returns whether both have the same values, metadata included. Absent and empty differ, and NULL
 * equals only NULL. If out of memory, maps in different orders count as different. */
KUBE_API bool kube_object_equal(const kube_type *type, const kube_object *a, const kube_object *b);
/** Returns how many bytes the object's block takes from the allocator; 0 without a block. */
KUBE_API size_t kube_object_memory(const kube_object *object);
/**
 * Returns the JSON path of the first member that was lost while decoding, because the header does
 * not name it and no kube_extra kept it; NULL if nothing was lost. An update of an object that lost
 * members is refused (KUBE_ERR_PARTIAL).
 */
KUBE_API const char *kube_object_lost_path(const kube_object *object);

/** Returns whether both have the same resourceVersion, as in the update of a resync (INF-3). */
KUBE_API bool kube_meta_same_version(const kube_object_meta *a, const kube_object_meta *b);

KUBE_END_DECLS

#endif /* KUBE_OBJECT_H */
