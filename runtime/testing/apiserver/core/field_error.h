/* SPDX-License-Identifier: Apache-2.0 */
/* The causes of a 422 in the real server's words, by what is wrong with a field. */
#ifndef KUBE_APISERVER_FIELD_ERROR_H
#define KUBE_APISERVER_FIELD_ERROR_H

#include "failure.h"

/* A value as these messages have it: "text" quoted, else compact JSON with sorted keys. */
const char *kube__api_cause_value(kube_ctx *ctx, const kube__json *value);

/* `Invalid value: V: detail`; @value NULL prints as null. */
void kube__api_cause_invalid(kube__api_causes *causes, const char *field, const kube__json *value,
                             const char *format, ...) KUBE_PRINTF(4, 5);
/* The same of a text. */
void kube__api_cause_invalid_text(kube__api_causes *causes, const char *field, const char *value,
                                  const char *format, ...) KUBE_PRINTF(4, 5);
/* `Required value: detail`; @detail "" = none. */
void kube__api_cause_required(kube__api_causes *causes, const char *field, const char *detail);
/* `Forbidden: detail` */
void kube__api_cause_forbidden(kube__api_causes *causes, const char *field, const char *format, ...)
    KUBE_PRINTF(3, 4);
/* `Duplicate value: V` */
void kube__api_cause_duplicate(kube__api_causes *causes, const char *field,
                               const kube__json *value);
/* `Unsupported value: V: supported values: "a", "b"` */
void kube__api_cause_unsupported(kube__api_causes *causes, const char *field,
                                 const kube__json *value, const char *const *supported);

#endif /* KUBE_APISERVER_FIELD_ERROR_H */
