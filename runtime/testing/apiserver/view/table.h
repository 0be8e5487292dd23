/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the Table form share. */
#ifndef KUBE_APISERVER_TABLE_H
#define KUBE_APISERVER_TABLE_H

#include "view.h"

/* table_age.c: "5m", as kubectl prints it; "<unknown>" for an empty text. */
const char *kube__table_age(kube_ctx *ctx, const char *time, const char *now);

/* jsonpath.c: what a column's path finds in a document, in order, at most @size values; an
 * expression it cannot read finds nothing. */
size_t kube__jsonpath_find(kube_ctx *ctx, const kube__json *document, const char *path,
                           const kube__json **found, size_t size);

/* table_cells.c: a built-in's cells, in the order of its columns. */
kube__json *kube__table_builtin_cells(kube_ctx *ctx, const kube__api_resource *resource,
                                      const kube__json *object, const char *now);
/* table_pod.c: the same of pods. */
kube__json *kube__table_pod_cells(kube_ctx *ctx, const kube__json *pod, const char *now);

/* Both: the kinds of cells. */
void kube__table_text(kube_ctx *ctx, kube__json *cells, const char *text);
void kube__table_number(kube_ctx *ctx, kube__json *cells, int64_t number);
/* The integer at a path, 0 if no integer is there. */
int64_t kube__table_int(const kube__json *object, const char *path);
/* Text at a path, or @otherwise when it is empty. */
const char *kube__table_string(const kube__json *object, const char *path, const char *otherwise);

#endif /* KUBE_APISERVER_TABLE_H */
