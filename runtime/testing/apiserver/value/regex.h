/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regular expressions as schemas have them: RE2's, whose syntax and meaning Go took over, and whose
 * matcher takes time in proportion to text and pattern, never more. The one file that sees RE2 is
 * regex.cc; no exception leaves it.
 */
#ifndef KUBE_APISERVER_REGEX_H
#define KUBE_APISERVER_REGEX_H

#include <kube/ctx.h>
#include <stdbool.h>
#include <stddef.h>

KUBE_BEGIN_DECLS

/* NULL when @pattern is one, else Go's words: "error parsing regexp: missing closing ]: `[a`". */
const char *kube__api_regex_fault(kube_ctx *ctx, const char *pattern);
/* Whether it matches somewhere in @text. An invalid pattern matches nothing. */
bool kube__api_regex_matches(kube_ctx *ctx, const char *pattern, const char *text, size_t len);

KUBE_END_DECLS

#endif /* KUBE_APISERVER_REGEX_H */
