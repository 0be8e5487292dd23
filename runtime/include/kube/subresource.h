/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Calls about a part of an object that has a path of its own, such as a ServiceAccount's
 * token.
 *
 * What is sent and what comes back may be of other types than the object. The marker
 * `+genclient:method` makes typed calls of these. They leave no record of the rights that they need
 * (see kube/rbac.h), the typed ones do.
 */
#ifndef KUBE_SUBRESOURCE_H
#define KUBE_SUBRESOURCE_H

#include <kube/client.h>

KUBE_BEGIN_DECLS

typedef struct kube_subresource {
    const kube_type *type;   /* of the object that has it */
    const char *name;        /* "token" */
    const kube_type *input;  /* of what is sent */
    const kube_type *result; /* of what comes back */
} kube_subresource;

KUBE_CHECKED kube_code kube_client_get_subresource_sized(kube_client *client, kube_ctx *ctx,
                                                         const kube_subresource *of, kube_key key,
                                                         const kube_get_options *options,
                                                         size_t options_size, void *out,
                                                         kube_error *err);
/** Reads the subresource of the object @p key. */
KUBE_INLINE kube_code kube_client_get_subresource(kube_client *client, kube_ctx *ctx,
                                                  const kube_subresource *of, kube_key key,
                                                  const kube_get_options *options, void *out,
                                                  kube_error *err)
{
    return kube_client_get_subresource_sized(client, ctx, of, key, options, sizeof *options, out,
                                             err);
}
#define kube_client_get_subresource(client, ctx, of, ...)                                          \
    kube_client_get_subresource(                                                                   \
        client, ctx, KUBE__RBAC_USE("get", "-", "kube_client_get_subresource", of), __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_create_subresource_sized(kube_client *client, kube_ctx *ctx,
                                                            const kube_subresource *of,
                                                            kube_key key, const kube_object *object,
                                                            const kube_write_options *options,
                                                            size_t options_size, void *out,
                                                            kube_error *err);
/** Sends @p object to the subresource of the object @p key. @p out may be NULL. */
KUBE_INLINE kube_code kube_client_create_subresource(kube_client *client, kube_ctx *ctx,
                                                     const kube_subresource *of, kube_key key,
                                                     const kube_object *object,
                                                     const kube_write_options *options, void *out,
                                                     kube_error *err)
{
    return kube_client_create_subresource_sized(client, ctx, of, key, object, options,
                                                sizeof *options, out, err);
}
#define kube_client_create_subresource(client, ctx, of, ...)                                       \
    kube_client_create_subresource(                                                                \
        client, ctx, KUBE__RBAC_USE("create", "-", "kube_client_create_subresource", of),          \
        __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_update_subresource_sized(kube_client *client, kube_ctx *ctx,
                                                            const kube_subresource *of,
                                                            kube_key key, const kube_object *object,
                                                            const kube_write_options *options,
                                                            size_t options_size, void *out,
                                                            kube_error *err);
/**
 * Replaces the subresource of the object @p key. KUBE_ERR_CONFLICT if @p object has a
 * resourceVersion and the server has another one, KUBE_ERR_PARTIAL if it lost members when it was
 * decoded. @p out may be NULL.
 */
KUBE_INLINE kube_code kube_client_update_subresource(kube_client *client, kube_ctx *ctx,
                                                     const kube_subresource *of, kube_key key,
                                                     const kube_object *object,
                                                     const kube_write_options *options, void *out,
                                                     kube_error *err)
{
    return kube_client_update_subresource_sized(client, ctx, of, key, object, options,
                                                sizeof *options, out, err);
}
#define kube_client_update_subresource(client, ctx, of, ...)                                       \
    kube_client_update_subresource(                                                                \
        client, ctx, KUBE__RBAC_USE("update", "-", "kube_client_update_subresource", of),          \
        __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_apply_subresource_sized(kube_client *client, kube_ctx *ctx,
                                                           const kube_subresource *of, kube_key key,
                                                           const kube_object *object,
                                                           const kube_apply_options *options,
                                                           size_t options_size, void *out,
                                                           kube_error *err);
/** Server-side apply to the subresource of the object @p key. @p out may be NULL. */
KUBE_INLINE kube_code kube_client_apply_subresource(kube_client *client, kube_ctx *ctx,
                                                    const kube_subresource *of, kube_key key,
                                                    const kube_object *object,
                                                    const kube_apply_options *options, void *out,
                                                    kube_error *err)
{
    return kube_client_apply_subresource_sized(client, ctx, of, key, object, options,
                                               sizeof *options, out, err);
}
#define kube_client_apply_subresource(client, ctx, of, ...)                                        \
    kube_client_apply_subresource(                                                                 \
        client, ctx, KUBE__RBAC_USE("patch", "-", "kube_client_apply_subresource", of),            \
        __VA_ARGS__)

KUBE_END_DECLS

#endif /* KUBE_SUBRESOURCE_H */
