/* SPDX-License-Identifier: Apache-2.0 */
/* CustomResourceDefinitions: what makes one valid, and the resources it brings. */
#ifndef KUBE_APISERVER_CRD_H
#define KUBE_APISERVER_CRD_H

#include "apiserver/core/apiserver.h"
#include "apiserver/core/resource.h"

/* That one CRD may have; the real server sets no limit. */
enum { KUBE__API_MOST_VERSIONS = 64 };

/* Defaults of a new or changed CRD (names.singular, listKind, conversion, …). */
void kube__api_crd_default(kube_ctx *ctx, kube__json *crd);
/* Every rule of the real server: names, scope, versions, structural schema, api-approved,
 * subresources, columns, selectable fields, what may not change (@old, NULL = create). */
void kube__api_crd_validate(const kube__json *crd, const kube__json *old, kube__api_causes *causes);
/* Sets status: conditions NamesAccepted, Established (also NonStructuralSchema and
 * KubernetesAPIApprovalPolicyConformant where the real one does), acceptedNames, storedVersions,
 * by what other CRDs hold. True when it changed @crd. */
bool kube__api_crd_conditions(kube_apiserver *server, kube_ctx *ctx, kube__json *crd);
/* After a CRD was stored (@crd) or removed (@crd NULL, @old its last state): registers or removes
 * its served versions. Returns false if out of memory. */
bool kube__api_crd_serve(kube_apiserver *server, kube_ctx *ctx, const kube__json *crd,
                         const kube__json *old);

/* Whether a group is the Kubernetes project's own: "k8s.io", "x.kubernetes.io", … */
bool kube__api_crd_is_protected(const char *group);

#endif /* KUBE_APISERVER_CRD_H */
