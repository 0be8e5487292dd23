/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ctx.h"
#include "base/text.h"

#include <kube/finalizer.h>
#include <kube/generated.h>

bool kube_finalizer_present(const kube_object_meta *metadata, const char *finalizer)
{
    return kube_string_list_contains(&metadata->finalizers, finalizer);
}

bool kube_is_being_deleted(const kube_object_meta *metadata)
{
    return metadata->deletion_timestamp.set;
}

kube_code kube_finalizer_add(kube_ctx *ctx, kube_object_meta *metadata, const char *finalizer,
                             bool *changed, kube_error *err)
{
    kube_code rc = kube__ctx_check(ctx, err);
    bool missing = !kube_finalizer_present(metadata, finalizer);
    if (changed)
        *changed = false;
    if (!rc && (!finalizer || !*finalizer))
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "finalizer without a name");
    if (!rc && missing)
        rc = kube_string_list_append(ctx, &metadata->finalizers, finalizer, err);
    if (!rc && changed)
        *changed = missing;
    return rc;
}

kube_code kube_finalizer_remove(kube_ctx *ctx, kube_object_meta *metadata, const char *finalizer,
                                bool *changed, kube_error *err)
{
    kube_string_list *list = &metadata->finalizers;
    const char **items;
    size_t len = 0;
    if (changed)
        *changed = false;
    if (!kube_finalizer_present(metadata, finalizer))
        return kube__ctx_check(ctx, err);
    items = kube_ctx_alloc_array(ctx, list->len, sizeof *items);
    if (!items)
        return kube__ctx_check(ctx, err);
    for (size_t i = 0; i < list->len; i++) {
        if (strcmp(kube__text_or_empty(list->items[i]), finalizer) != 0)
            items[len++] = list->items[i];
    }
    list->items = items;
    list->len = len;
    if (changed)
        *changed = true;
    return KUBE_OK;
}

/* ---- kube_finalize ------------------------------------------------------------------------- */

/* The struct alone, for its list of finalizers to be replaced: the rest is borrowed. */
static kube_object *shallow_copy(kube_ctx *ctx, const kube_object *object)
{
    kube_object *copy = kube_ctx_alloc(ctx, object->type->schema->size);
    if (copy)
        memcpy(copy, object, object->type->schema->size);
    return copy;
}

/* Sends the object with the finalizer or without; *written is the answer. The patch carries the
 * resourceVersion, so it is refused when somebody wrote, or when it is another object by now. */
static kube_code write_finalizer(kube_client *client, kube_ctx *ctx, const kube_object *object,
                                 const char *finalizer, bool there, kube_object **written,
                                 kube_error *err)
{
    const kube_type *type = object->type;
    kube_object *wanted = shallow_copy(ctx, object);
    kube_object_meta *metadata;
    kube_code rc;
    *written = NULL;
    if (!wanted)
        return kube__ctx_check(ctx, err);
    metadata = (kube_object_meta *)(void *)((char *)wanted + type->metadata_offset);
    rc = there ? kube_finalizer_add(ctx, metadata, finalizer, NULL, err)
               : kube_finalizer_remove(ctx, metadata, finalizer, NULL, err);
    if (!rc)
        rc = kube_client_patch_diff(client, ctx, type, metadata->namespace_, object, wanted, NULL,
                                    written, err);
    if (rc && rc != KUBE_ERR_NOT_FOUND)
        kube_error_prefix(err, "cannot %s finalizer %s", there ? "add" : "remove", finalizer);
    return rc;
}

static kube_code let_go(kube_client *client, kube_ctx *ctx, const kube_object *object,
                        const char *finalizer, kube_cleanup *cleanup, void *arg, kube_error *err)
{
    kube_object *written;
    kube_code rc;
    if (!kube_finalizer_present(kube_object_metadata(object), finalizer))
        return KUBE_OK; /* done, and the object waits for others */
    rc = cleanup(arg, ctx, object, err);
    if (rc)
        return rc;
    rc = write_finalizer(client, ctx, object, finalizer, false, &written, err);
    return rc == KUBE_ERR_NOT_FOUND ? KUBE_OK : rc;
}

static kube_code hold(kube_client *client, kube_ctx *ctx, const kube_object *object,
                      const char *finalizer, const kube_object **now, kube_error *err)
{
    kube_object *written;
    kube_code rc;
    *now = object;
    if (kube_finalizer_present(kube_object_metadata(object), finalizer))
        return KUBE_OK;
    rc = write_finalizer(client, ctx, object, finalizer, true, &written, err);
    *now = written;
    return rc == KUBE_ERR_NOT_FOUND ? KUBE_OK : rc;
}

kube_code kube_finalize(kube_client *client, kube_ctx *ctx, const kube_object *object,
                        const char *finalizer, kube_cleanup *cleanup, void *arg, void *now,
                        kube_error *err)
{
    const kube_object_meta *metadata = kube_object_metadata(object);
    const kube_object *left = NULL;
    kube_code rc = kube__ctx_check(ctx, err);
    if (!rc && !metadata)
        rc = kube_error_set(err, KUBE_ERR_ARGUMENT,
                            "finalizer %s: the object must have a type: pass &object->base of one "
                            "from the server or a cache",
                            kube__text_or_empty(finalizer));
    if (!rc && (!finalizer || !*finalizer))
        rc = kube_error_set(err, KUBE_ERR_ARGUMENT, "finalizer without a name");
    if (!rc && !cleanup)
        rc = kube_error_set(err, KUBE_ERR_ARGUMENT, "finalizer %s without a cleanup", finalizer);
    if (!rc && !now)
        rc = kube_error_set(err, KUBE_ERR_ARGUMENT,
                            "finalizer %s: without now, nobody knows what is left to reconcile",
                            finalizer);
    if (!rc)
        rc = kube_is_being_deleted(metadata)
                 ? let_go(client, ctx, object, finalizer, cleanup, arg, err)
                 : hold(client, ctx, object, finalizer, &left, err);
    if (now)
        memcpy(now, &left, sizeof left);
    return rc;
}
