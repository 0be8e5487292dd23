/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenAPI documents that are built into the library (runtime/testing/openapi), one for a group
 * and version. Read when first asked for, once for all servers of the process, and kept.
 */
#ifndef KUBE_APISERVER_DOCUMENT_H
#define KUBE_APISERVER_DOCUMENT_H

#include "apiserver/value/embedded.h"
#include "schema.h"

typedef struct kube__api_component {
    const char *name; /* "io.k8s.api.apps.v1.Deployment" */
    const kube__json *source;
    kube__api_schema *schema;
    struct kube__api_component *next;
} kube__api_component;

/* The components of a document, in its order; immutable. NULL when there is no such document, or
 * if out of memory (then kube_ctx_failed(ctx)). Threads: any. */
const kube__api_component *kube__api_document(kube_ctx *ctx, const char *name);
/* "apps_v1", "core_v1", "rbac_v1": the name of a group version's document. */
const char *kube__api_document_name(kube_ctx *ctx, const char *group, const char *version);
/* The one that is of this group, version and kind. */
const kube__api_component *kube__api_component_of_kind(const kube__api_component *components,
                                                       const char *group, const char *version,
                                                       const char *kind);

#endif /* KUBE_APISERVER_DOCUMENT_H */
