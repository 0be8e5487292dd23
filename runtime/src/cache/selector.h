/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Label selectors (OW-3): `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a`, `!a`, `a>1`,
 * `a<1`, joined by commas. `!=` and `notin` match objects that lack the key.
 */
#ifndef KUBE_CACHE_SELECTOR_H
#define KUBE_CACHE_SELECTOR_H

#include <kube/error.h>
#include <kube/shapes.h>

typedef struct kube__selector kube__selector;

/* @text NULL or "" gives NULL, which matches everything. */
KUBE__CHECKED kube_code kube__selector_parse(const char *text, kube__selector **out,
                                             kube_error *err);
void kube__selector_free(kube__selector *selector); /* NULL allowed */
bool kube__selector_matches(const kube__selector *selector, const kube_string_map *labels);

#endif /* KUBE_CACHE_SELECTOR_H */
