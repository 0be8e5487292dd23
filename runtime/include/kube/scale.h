/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The scale subresource: how many copies an object is to have, in one form for all types.
 *
 * It is what `kubectl scale` and autoscalers use. Types with
 * `+kubebuilder:subresource:scale` get typed calls; these two work with any type that has it, such
 * as Deployments.
 */
#ifndef KUBE_SCALE_H
#define KUBE_SCALE_H

#include <kube/client.h>

KUBE_BEGIN_DECLS

typedef struct kube_scale_spec {
    int32_t replicas; /* wanted; always sent, zero too */
} kube_scale_spec;

typedef struct kube_scale_status {
    int32_t replicas;     /* there are */
    const char *selector; /* of the copies, as text; NULL = the type has none */
} kube_scale_status;

/** autoscaling/v1 Scale. Its metadata is the scaled object's. */
typedef struct kube_scale {
    kube_object base;
    kube_object_meta metadata;
    kube_scale_spec spec;
    kube_scale_status status;
} kube_scale;

extern KUBE_API const kube_type kube_scale_type;

/** Reads the scale of the object @p name of @p type. */
KUBE_CHECKED kube_code kube_client_get_scale(kube_client *client, kube_ctx *ctx,
                                             const kube_type *type, const char *ns,
                                             const char *name, const kube_get_options *options,
                                             kube_scale **out, kube_error *err);
/**
 * Sets `scale->spec.replicas`. With a metadata.resourceVersion in @p scale, a change in between is
 * KUBE_ERR_CONFLICT; without one it is overwritten. Only the spec, the resourceVersion and the uid
 * are looked at: a Scale of one's own on the stack does. @p out may be NULL.
 */
KUBE_CHECKED kube_code kube_client_update_scale(kube_client *client, kube_ctx *ctx,
                                                const kube_type *type, const char *ns,
                                                const char *name, const kube_scale *scale,
                                                const kube_write_options *options, kube_scale **out,
                                                kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_SCALE_H */
