/* SPDX-License-Identifier: Apache-2.0 */
/* A document as Go's %v prints it, "map[a:1 b:[x y]]": what some messages of the server hold. */
#ifndef KUBE_APISERVER_PRINT_H
#define KUBE_APISERVER_PRINT_H

#include "json.h"

/* Never NULL: "" if out of memory. */
const char *kube__api_print(kube_ctx *ctx, const kube__json *value);

/* The name of its type in Go, as %T prints it. */
const char *kube__api_print_type(const kube__json *value);

#endif /* KUBE_APISERVER_PRINT_H */
