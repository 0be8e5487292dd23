/* SPDX-License-Identifier: Apache-2.0 */
/* What a plain YAML scalar is: "8080" a number, "yes" a bool, "1.2.3" a string. */
#ifndef KUBE_APISERVER_SCALAR_H
#define KUBE_APISERVER_SCALAR_H

#include "json.h"

/* The value of plain text by the rules of YAML 1.1 as go-yaml, and so kubectl, has them. NULL for
 * a number that JSON has not (.nan, .inf), and if out of memory. */
kube__json *kube__api_plain_scalar(kube_ctx *ctx, const char *text, size_t len);

#endif /* KUBE_APISERVER_SCALAR_H */
