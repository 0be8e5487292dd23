/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of strings that API servers check. */
#ifndef KUBEGEN_CRD_FORMAT_H
#define KUBEGEN_CRD_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

/* Their names, and how many there are. */
extern const char *const crd_formats[];
extern const size_t crd_format_len;

/* Says whether a server certainly refuses @text as one of @format. */
bool crd_format_excludes(const char *format, const char *text);

#endif /* KUBEGEN_CRD_FORMAT_H */
