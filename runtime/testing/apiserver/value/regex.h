/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regular expressions as schemas have them: Go's syntax. What Go does not know (look-around,
 * references back) is refused as Go does. The one file that sees PCRE2 is regex.c.
 */
#ifndef KUBE_APISERVER_REGEX_H
#define KUBE_APISERVER_REGEX_H

#include <kube/ctx.h>

/* NULL when @pattern is one, else Go's words: "error parsing regexp: missing closing ]: `[a`". */
const char *kube__api_regex_fault(kube_ctx *ctx, const char *pattern);
/* Whether it matches somewhere in @text. An invalid pattern matches nothing, and neither does
 * a match that takes too long. */
bool kube__api_regex_matches(kube_ctx *ctx, const char *pattern, const char *text, size_t len);

#endif /* KUBE_APISERVER_REGEX_H */
