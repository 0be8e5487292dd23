/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The key of an object: its namespace and name (STO-1).
 */
#ifndef KUBE_KEY_H
#define KUBE_KEY_H

#include <kube/ctx.h>
#include <kube/meta.h>

KUBE_BEGIN_DECLS

/** Names an object of a Kind. The strings are borrowed; who keeps a key says so. */
typedef struct kube_key {
    const char *namespace_; /* "" or NULL = cluster scope */
    const char *name;
} kube_key;

/** Returns the key of the object @p name in the namespace @p ns (NULL or "" = cluster scope). */
static inline kube_key kube_key_of(const char *ns, const char *name)
{
    kube_key key = {ns, name};
    return key;
}
/** Returns the key of the object that has this metadata; its strings are those of @p metadata. */
static inline kube_key kube_meta_key(const kube_object_meta *metadata)
{
    return kube_key_of(metadata->namespace_, metadata->name);
}
/** Returns "namespace/name", or "name" for cluster scope, in @p ctx. Returns NULL if out of memory.
 */
KUBE_API const char *kube_key_text(kube_ctx *ctx, kube_key key);
/** Reads what kube_key_text() writes. The strings of @p out are in @p ctx. KUBE_ERR_ARGUMENT for an
 * empty name, and for a text with more than one '/'. */
KUBE_CHECKED kube_code kube_key_parse(kube_ctx *ctx, const char *text, kube_key *out,
                                      kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_KEY_H */
