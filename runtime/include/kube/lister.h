/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Reads a cache, never the server. Objects are shared and read-only: deep copy to edit.
 *
 * What is returned is held by the ctx that was passed. Threads: any; readers do not wait for the
 * network.
 */
#ifndef KUBE_LISTER_H
#define KUBE_LISTER_H

#include <kube/object.h>

KUBE_BEGIN_DECLS

typedef struct kube_lister kube_lister;

typedef struct kube_cached_list {
    const kube_object **items; /* in @p ctx; unordered */
    size_t len;
} kube_cached_list;

/** One object; KUBE_ERR_NOT_FOUND (`<resource> "<name>" not found`) if the cache has none. */
KUBE_CHECKED kube_code kube_lister_get(const kube_lister *lister, kube_ctx *ctx, const char *ns,
                                       const char *name, const kube_object **out, kube_error *err);
/**
 * The objects of a namespace (NULL or "" = all) that match a label selector (NULL or "" = any,
 * OW-3).
 */
KUBE_CHECKED kube_code kube_lister_list(const kube_lister *lister, kube_ctx *ctx, const char *ns,
                                        const char *label_selector, kube_cached_list *out,
                                        kube_error *err);
/** The objects whose index @p index holds @p value (STO-3, STO-4). */
KUBE_CHECKED kube_code kube_lister_by_index(const kube_lister *lister, kube_ctx *ctx,
                                            const char *index, const char *value,
                                            kube_cached_list *out, kube_error *err);
KUBE_API size_t kube_lister_count(const kube_lister *lister);

KUBE_END_DECLS

#endif /* KUBE_LISTER_H */
