/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for text that may be absent, or has to fit somewhere. */
#ifndef KUBE_BASE_TEXT_H
#define KUBE_BASE_TEXT_H

#include <stddef.h>

static inline const char *kube__text_or_empty(const char *text)
{
    return text ? text : "";
}

/* Length of the longest prefix of @text (@len bytes) of at most @max bytes that cuts no UTF-8
 * character in two. */
size_t kube__text_cut(const char *text, size_t len, size_t max);

#endif /* KUBE_BASE_TEXT_H */
