/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text made readable, as ?pretty=true asks: without a tree, so that lists of any size can. */
#ifndef KUBE_APISERVER_PRETTY_H
#define KUBE_APISERVER_PRETTY_H

#include "base/buffer.h"

/* Appends compact JSON with line breaks, two blanks of indent, and no line break at the end. */
void kube__api_pretty(const char *text, size_t len, kube__buffer *out);

#endif /* KUBE_APISERVER_PRETTY_H */
