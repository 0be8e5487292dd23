/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of strings that schemas may demand. */
#ifndef KUBE_APISERVER_FORMAT_H
#define KUBE_APISERVER_FORMAT_H

#include <kube/ctx.h>

/* Whether the format is one that is checked; others are ignored. Dashes do not count. */
bool kube__api_format_known(const char *format);
bool kube__api_format_matches(kube_ctx *ctx, const char *format, const char *text);

#endif /* KUBE_APISERVER_FORMAT_H */
