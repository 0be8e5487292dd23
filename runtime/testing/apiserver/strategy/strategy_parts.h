/* SPDX-License-Identifier: Apache-2.0 */
/* The strategies of groups of kinds, and what they share. */
#ifndef KUBE_APISERVER_STRATEGY_PARTS_H
#define KUBE_APISERVER_STRATEGY_PARTS_H

#include "strategy.h"

/* Missing, or null, which Go takes for missing. */
bool kube__api_is_missing(const kube__json *value);
/* Sets a member that is missing. */
void kube__api_default_text(kube_ctx *ctx, kube__json *object, const char *key, const char *text);
void kube__api_default_int(kube_ctx *ctx, kube__json *object, const char *key, int64_t value);
void kube__api_default_bool(kube_ctx *ctx, kube__json *object, const char *key, bool value);
void kube__api_default_object(kube_ctx *ctx, kube__json *object, const char *key);
/* "must be greater than or equal to 0" unless it is missing. */
void kube__api_check_not_negative(const kube__json *object, const char *path,
                                  kube__api_causes *causes);
/* "field is immutable" when it changed. */
void kube__api_check_immutable(const kube__json *object, const kube__json *old, const char *path,
                               kube__api_causes *causes);
/* `Unsupported value` unless it is missing or one of those (NULL ends them). */
void kube__api_check_one_of(const kube__json *value, const char *field, const char *const *known,
                            kube__api_causes *causes);

/* strategy_pod.c: of a Pod's spec, or that of a template. */
void kube__api_pod_default(kube_ctx *ctx, kube__json *spec, bool in_template);
void kube__api_pod_prepare(kube_apiserver *server, kube_ctx *ctx, kube__json *pod,
                           const kube__json *old);
void kube__api_pod_prepare_status(kube_ctx *ctx, kube__json *pod);
void kube__api_pod_validate(kube_ctx *ctx, const kube__json *spec, const char *field,
                            kube__api_causes *causes);
void kube__api_pod_validate_update(kube_ctx *ctx, const kube__json *pod, const kube__json *old,
                                   kube__api_causes *causes);
/* strategy_apps.c */
void kube__api_apps_default(kube_ctx *ctx, const char *kind, kube__json *object);
void kube__api_apps_prepare(kube_ctx *ctx, const char *kind, kube__json *object,
                            const kube__json *old);
void kube__api_apps_validate(kube_ctx *ctx, const char *kind, const kube__json *object,
                             const kube__json *old, kube__api_causes *causes);
void kube__api_apps_validate_status(kube_ctx *ctx, const char *kind, const kube__json *object,
                                    kube__api_causes *causes);
/* strategy_service.c */
void kube__api_service_default(kube_ctx *ctx, kube__json *service);
void kube__api_service_prepare(kube_apiserver *server, kube_ctx *ctx, kube__json *service,
                               const kube__json *old);
void kube__api_service_validate(kube_ctx *ctx, const kube__json *service, const kube__json *old,
                                kube__api_causes *causes);
/* strategy_rbac.c */
void kube__api_rbac_default(kube_ctx *ctx, kube__json *object);
void kube__api_rbac_validate(kube_ctx *ctx, const kube__api_resource *resource,
                             const kube__json *object, const kube__json *old,
                             kube__api_causes *causes);

#endif /* KUBE_APISERVER_STRATEGY_PARTS_H */
