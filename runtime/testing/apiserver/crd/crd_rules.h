/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a CRD's validation. */
#ifndef KUBE_APISERVER_CRD_RULES_H
#define KUBE_APISERVER_CRD_RULES_H

#include "apiserver/core/failure.h"

/* Causes about "@path.@keyword". */
void kube__api_rules_forbid(kube__api_causes *causes, const char *path, const char *keyword,
                            const char *why);
void kube__api_rules_require(kube__api_causes *causes, const char *path, const char *keyword,
                             const char *why);
/* What is wrong with a DNS-1035 label, NULL = nothing. */
const char *kube__api_wrong_1035(const char *text);

/* crd_part.c: what a version, or the CRD for all of its versions, says besides the schema. */
void kube__api_check_columns(kube__api_causes *causes, const kube__json *columns, const char *path);
void kube__api_check_subresources(kube__api_causes *causes, const kube__json *subresources,
                                  const char *path);
void kube__api_check_selectable(kube__api_causes *causes, const kube__json *fields,
                                const kube__json *schema, const char *path);
void kube__api_check_conversion(kube__api_causes *causes, const kube__json *conversion,
                                const char *path);

/* crd_schema.c: the schema's keywords. crd_structural.c: that its structure is one. */
void kube__api_check_schema(kube__api_causes *causes, const kube__json *schema, bool has_status,
                            const char *path);
void kube__api_check_structural(kube__api_causes *causes, const kube__json *schema,
                                const char *path);

#endif /* KUBE_APISERVER_CRD_RULES_H */
