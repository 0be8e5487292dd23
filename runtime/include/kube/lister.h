/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Reads objects from an informer's cache, never from the server.
 *
 * The objects are shared: to change one, make a deep copy. They stay valid as long as the ctx that
 * was passed. @p out is the address of a pointer to a const kube_object or struct of the Kind; for
 * a list, of a kube_cached_list or the cached list of the Kind. Threads: any; no call waits for the
 * network.
 */
#ifndef KUBE_LISTER_H
#define KUBE_LISTER_H

#include <kube/key.h>
#include <kube/object.h>

KUBE_BEGIN_DECLS

typedef struct kube_lister kube_lister;

typedef struct kube_cached_list {
    const kube_object **items; /* in the ctx, in no order */
    size_t len;
} kube_cached_list;

/**
 * Gets the object @p key. KUBE_ERR_NOT_FOUND if it does not exist. KUBE_ERR_UNDECODABLE if it
 * exists, but the cache has never had a state of it that decodes; @p err then says in `field` and
 * message where and what is wrong. Where an earlier state was good, that is what the caller gets:
 * kube_informer_each_bad() and the request of a reconcile say that it is not the newest.
 */
KUBE_CHECKED kube_code kube_lister_get(const kube_lister *lister, kube_ctx *ctx, kube_key key,
                                       void *out, kube_error *err);
/**
 * Gets the objects of a namespace (NULL or "" = of all) that match a label selector (OW-3; NULL or
 * "" = all). Those that have never decoded are left out, here and below.
 */
KUBE_CHECKED kube_code kube_lister_list(const kube_lister *lister, kube_ctx *ctx, const char *ns,
                                        const char *label_selector, void *out, kube_error *err);
/** Gets the objects that have @p value in the index @p index, see kube_informer_add_index() (STO-3,
 * STO-4). */
KUBE_CHECKED kube_code kube_lister_by_index(const kube_lister *lister, kube_ctx *ctx,
                                            const char *index, const char *value, void *out,
                                            kube_error *err);
/** Returns how many objects the cache has. */
KUBE_API size_t kube_lister_count(const kube_lister *lister);

KUBE_END_DECLS

#endif /* KUBE_LISTER_H */
