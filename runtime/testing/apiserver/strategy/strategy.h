/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What built-in kinds do beyond their schema: defaults, validation and fields of their own
 * (strategy.c and one file for a group of kinds). Custom resources have none of it.
 */
#ifndef KUBE_APISERVER_STRATEGY_H
#define KUBE_APISERVER_STRATEGY_H

#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"

/* Defaults as the real server fills them in (imagePullPolicy, protocol, strategy, …). */
void kube__api_strategy_default(kube_ctx *ctx, const kube__api_resource *resource,
                                kube__json *object);
/* Before it is stored: what the server sets itself (@old NULL = create): Pod phase Pending,
 * Service clusterIP, Secret stringData → data, Namespace phase and finalizers, Deployment
 * generation rules, ServiceAccount …; drops what the client may not set. */
void kube__api_strategy_prepare(kube_apiserver *server, kube_ctx *ctx,
                                const kube__api_resource *resource, const char *subresource,
                                kube__json *object, const kube__json *old);
/* Rules beyond the schema's (names and labels, required fields, selector must match, immutable
 * fields …). */
void kube__api_strategy_validate(kube_ctx *ctx, const kube__api_resource *resource,
                                 const char *subresource, const kube__json *object,
                                 const kube__json *old, kube__api_causes *causes);
/* Rules of metadata that all kinds share: name, generateName, namespace, labels, annotations,
 * finalizers, ownerReferences, managedFields; immutable ones. */
void kube__api_metadata_validate(kube_ctx *ctx, const kube__api_resource *resource,
                                 const kube__json *object, const kube__json *old,
                                 kube__api_causes *causes);

/* Of a custom resource: names of finalizers that others might use too. */
void kube__api_warn_of_finalizers(kube_ctx *ctx, const kube__json *object,
                                  kube__api_response *response);

#endif /* KUBE_APISERVER_STRATEGY_H */
