/* SPDX-License-Identifier: Apache-2.0 */
/* What names, label keys and label values may look like, in the real server's words. */
#ifndef KUBE_APISERVER_NAME_H
#define KUBE_APISERVER_NAME_H

#include <kube/ctx.h>

/* What is wrong with a name, NULL when nothing is. */
const char *kube__api_wrong_subdomain(kube_ctx *ctx, const char *name); /* RFC 1123, 253 */
const char *kube__api_wrong_label(const char *name);                    /* RFC 1123, 63 */
const char *kube__api_wrong_path_segment(kube_ctx *ctx, const char *name);
const char *kube__api_wrong_label_value(const char *value);

/* Up to KUBE__NAME_FAULTS things that are wrong with "prefix/name"; their number. */
enum { KUBE__NAME_FAULTS = 3 };
size_t kube__api_wrong_qualified(kube_ctx *ctx, const char *key,
                                 const char *faults[KUBE__NAME_FAULTS]);

#endif /* KUBE_APISERVER_NAME_H */
