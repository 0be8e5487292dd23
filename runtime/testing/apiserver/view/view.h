/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The forms in which objects are sent, as the Accept header asks: as they are, as a Table, or their
 * metadata only (PartialObjectMetadata, …List).
 */
#ifndef KUBE_APISERVER_VIEW_H
#define KUBE_APISERVER_VIEW_H

#include "apiserver/core/request.h"

typedef enum kube__api_view {
    KUBE__API_VIEW_OBJECT,
    KUBE__API_VIEW_TABLE,
    KUBE__API_VIEW_METADATA,
} kube__api_view;

typedef enum kube__api_media {
    KUBE__API_MEDIA_JSON,
    KUBE__API_MEDIA_YAML,
} kube__api_media;

/* Reads Accept (kinds by `as=`, `g=meta.k8s.io`, `v=v1`; JSON and YAML): the first that can be
 * served; 406 as the real one. @resource NULL = of no resource: without conversion only. */
kube__api_failure *kube__api_accept(kube_ctx *ctx, const kube__api_request *request,
                                    const kube__api_resource *resource, kube__api_view *view,
                                    kube__api_media *media);

/* Whether the first form that can be served is aggregated discovery. */
bool kube__api_accepts_aggregated(kube_ctx *ctx, const kube__api_request *request);

/* The apiVersion of the converted form: "meta.k8s.io/v1", or v1beta1 when that is asked for. */
const char *kube__api_view_version(kube_ctx *ctx, const kube__api_request *request);

/* A Table of @objects (the items' trees) with @list_metadata (NULL = that of the one object), rows
 * as ?includeObject= says (None, Metadata, Object). @with_columns: false after the first event of
 * a watch. */
kube__json *kube__api_table(kube_ctx *ctx, const kube__api_request *request,
                            const kube__api_resource *resource, kube__json *const *objects,
                            size_t count, const kube__json *list_metadata, bool with_columns,
                            const char *now);
/* table_builtin.c: the columns of a built-in, constant; those without a json_path are made by code.
 * Just Name and Age for one that has none of its own. */
const kube__api_column *kube__api_builtin_columns(const char *group, const char *plural,
                                                  size_t *count);
/* {kind: PartialObjectMetadata, apiVersion: meta.k8s.io/v1, metadata}. */
kube__json *kube__api_partial(kube_ctx *ctx, const kube__json *object);
kube__json *kube__api_partial_list(kube_ctx *ctx, kube__json *const *objects, size_t count,
                                   const kube__json *list_metadata);

#endif /* KUBE_APISERVER_VIEW_H */
