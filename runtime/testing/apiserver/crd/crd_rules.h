/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a CRD's validation. */
#ifndef KUBE_APISERVER_CRD_RULES_H
#define KUBE_APISERVER_CRD_RULES_H

#include "apiserver/core/failure.h"

/* Where causes of one part go: a path such as "spec.validation.openAPIV3Schema". */
typedef struct kube__api_rules {
    kube_ctx *ctx;
    kube__api_causes *causes;
} kube__api_rules;

/* "@path.@name"; never NULL. */
const char *kube__api_rules_path(const kube__api_rules *rules, const char *format, ...)
    KUBE_PRINTF(2, 3);
/* Causes about "@path.@keyword". */
void kube__api_rules_forbid(const kube__api_rules *rules, const char *path, const char *keyword,
                            const char *why);
void kube__api_rules_require(const kube__api_rules *rules, const char *path, const char *keyword,
                             const char *why);
/* What is wrong with a DNS-1035 label, NULL = nothing. */
const char *kube__api_wrong_1035(const char *text);

/* crd_part.c: what a version, or the CRD for all of its versions, says besides the schema. */
void kube__api_check_columns(const kube__api_rules *rules, const kube__json *columns,
                             const char *path);
void kube__api_check_subresources(const kube__api_rules *rules, const kube__json *subresources,
                                  const char *path);
void kube__api_check_selectable(const kube__api_rules *rules, const kube__json *fields,
                                const kube__json *schema, const char *path);
void kube__api_check_conversion(const kube__api_rules *rules, const kube__json *conversion,
                                const char *path);

/* crd_schema.c: the schema's keywords. crd_structural.c: that its structure is one. */
void kube__api_check_schema(const kube__api_rules *rules, const kube__json *schema, bool has_status,
                            const char *path);
void kube__api_check_structural(const kube__api_rules *rules, const kube__json *schema,
                                const char *path);

#endif /* KUBE_APISERVER_CRD_RULES_H */
