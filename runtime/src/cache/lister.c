/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ctx.h"
#include "base/text.h"
#include "informer.h"
#include "object/block/block.h"

#include <string.h>

struct keeper {
    kube_ctx *ctx;
    const kube_object *object;
    kube_error *err;
};

static kube_code keep(void *arg, const kube_object *object)
{
    struct keeper *keeper = arg;
    keeper->object = object;
    return kube_object_keep(keeper->ctx, object, keeper->err);
}

static const char *resource_of(const kube_lister *lister)
{
    return kube__store_type(lister->store)->resource;
}

kube_code kube_lister_get(const kube_lister *lister, kube_ctx *ctx, kube_key key, void *out,
                          kube_error *err)
{
    struct keeper keeper = {ctx, NULL, err};
    kube__name name = {kube__text_or_empty(key.namespace_), key.name};
    kube_code rc = kube__ctx_check(ctx, err);
    bool is_bad;
    kube__object_out(out, NULL);
    if (rc)
        return rc;
    if (!key.name || !*key.name)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "cannot look up %s without a name",
                              resource_of(lister));
    is_bad = kube__bad_objects_find(lister->bad, key, err); /* it leaves them as a cached one */
    if (kube__store_visit(lister->store, name, keep, &keeper, &rc)) {
        if (!rc)
            kube__object_out(out, keeper.object);
        return rc;
    }
    if (is_bad) {
        kube_error_prefix(err, "%s \"%s\" cannot be decoded", resource_of(lister), key.name);
        return KUBE_ERR_UNDECODABLE;
    }
    return kube_error_set(err, KUBE_ERR_NOT_FOUND, "%s \"%s\" not found", resource_of(lister),
                          key.name);
}

static void release(void *arg)
{
    kube__held_free(arg);
}

/* Makes @ctx the holder of all; the caller's array is another one, to sort or shorten at will. */
static kube_code hand_over(kube_ctx *ctx, kube__held *held, void *out, kube_error *err)
{
    kube_cached_list list = {.len = held->len};
    kube_code rc;
    if (held->len == 0) {
        kube__held_free(held);
        return KUBE_OK;
    }
    list.items = kube_ctx_alloc_array(ctx, list.len, sizeof *list.items);
    if (!list.items)
        rc = kube__ctx_check(ctx, err);
    else
        rc = kube_ctx_defer(ctx, release, held, err);
    if (rc) {
        kube__held_free(held);
        return rc;
    }
    memcpy(list.items, held->items, list.len * sizeof *list.items);
    memcpy(out, &list, sizeof list);
    return KUBE_OK;
}

kube_code kube_lister_list(const kube_lister *lister, kube_ctx *ctx, const char *ns,
                           const char *label_selector, void *out, kube_error *err)
{
    kube__selector *selector = NULL;
    kube__held *held = NULL;
    kube_code rc;
    memset(out, 0, sizeof(kube_cached_list));
    rc = kube__ctx_check(ctx, err);
    if (!rc)
        rc = kube__selector_parse(label_selector, &selector, err);
    if (!rc)
        rc = kube__store_list(lister->store, ns, selector, &held, err);
    kube__selector_free(selector);
    return rc ? rc : hand_over(ctx, held, out, err);
}

kube_code kube_lister_by_index(const kube_lister *lister, kube_ctx *ctx, const char *index,
                               const char *value, void *out, kube_error *err)
{
    kube__held *held = NULL;
    kube_code rc = kube__ctx_check(ctx, err);
    memset(out, 0, sizeof(kube_cached_list));
    if (rc)
        return rc;
    if (!index || !value)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "cannot look up %s without an index and a value",
                              resource_of(lister));
    rc = kube__store_by_index(lister->store, index, value, &held, err);
    return rc ? rc : hand_over(ctx, held, out, err);
}

size_t kube_lister_count(const kube_lister *lister)
{
    return kube__store_count(lister->store);
}
