/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The scale subresource, which says how many replicas an object shall have.
 *
 * `kubectl scale` and autoscalers use it. Types with the marker `+kubebuilder:subresource:scale`
 * have typed calls for it; these two work with every type that has the subresource, such as
 * Deployments.
 */
#ifndef KUBE_SCALE_H
#define KUBE_SCALE_H

#include <kube/client.h>

KUBE_BEGIN_DECLS

typedef struct kube_scale_spec {
    int32_t replicas; /* how many there shall be; sent even if it is 0 */
} kube_scale_spec;

typedef struct kube_scale_status {
    int32_t replicas;     /* how many there are */
    const char *selector; /* label selector of the replicas, as text; NULL = it has none */
} kube_scale_status;

/** The Kind Scale of autoscaling/v1. Its metadata is that of the scaled object. */
typedef struct kube_scale {
    kube_object base;
    kube_object_meta metadata;
    kube_scale_spec spec;
    kube_scale_status status;
} kube_scale;

extern KUBE_API const kube_type kube_scale_type;

KUBE_CHECKED kube_code kube_client_get_scale_sized(kube_client *client, kube_ctx *ctx,
                                                   const kube_type *type, kube_key key,
                                                   const kube_get_options *options,
                                                   size_t options_size, kube_scale **out,
                                                   kube_error *err);
/** Reads the scale of the object @p key of @p type. */
KUBE_INLINE kube_code kube_client_get_scale(kube_client *client, kube_ctx *ctx,
                                            const kube_type *type, kube_key key,
                                            const kube_get_options *options, kube_scale **out,
                                            kube_error *err)
{
    return kube_client_get_scale_sized(client, ctx, type, key, options, sizeof *options, out, err);
}
#define kube_client_get_scale(client, ctx, type, ...)                                              \
    kube_client_get_scale(                                                                         \
        client, ctx, KUBE__RBAC_USE("get", "scale", "kube_client_get_scale", type), __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_update_scale_sized(kube_client *client, kube_ctx *ctx,
                                                      const kube_type *type, kube_key key,
                                                      const kube_scale *scale,
                                                      const kube_write_options *options,
                                                      size_t options_size, kube_scale **out,
                                                      kube_error *err);
/**
 * Sets the number of replicas to `scale->spec.replicas`. Only spec, resourceVersion and uid of
 * @p scale are read, so that a Scale on the stack will do. If it has a resourceVersion and the
 * object has changed since, the result is KUBE_ERR_CONFLICT; without one the change is overwritten.
 * @p out may be NULL.
 */
KUBE_INLINE kube_code kube_client_update_scale(kube_client *client, kube_ctx *ctx,
                                               const kube_type *type, kube_key key,
                                               const kube_scale *scale,
                                               const kube_write_options *options, kube_scale **out,
                                               kube_error *err)
{
    return kube_client_update_scale_sized(client, ctx, type, key, scale, options, sizeof *options,
                                          out, err);
}
#define kube_client_update_scale(client, ctx, type, ...)                                           \
    kube_client_update_scale(client, ctx,                                                          \
                             KUBE__RBAC_USE("update", "scale", "kube_client_update_scale", type),  \
                             __VA_ARGS__)

KUBE_END_DECLS

#endif /* KUBE_SCALE_H */
