/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of a request: what stands behind the '?' of its target. */
#ifndef KUBE_CONTROL_QUERY_H
#define KUBE_CONTROL_QUERY_H

/*
 * Reads "name=value&name&…". The result is for kube__query_next() and free(): names and values in
 * turn, each with its NUL, and an empty name at the end. Parameters without a name are left out, a
 * "%00" stays as it is. Returns NULL if out of memory.
 */
char *kube__query_parse(const char *text);
/* Returns the value of the first parameter @name, or of the first behind the value @after, which
 * was returned before. NULL = there is none. @query NULL has none. */
const char *kube__query_next(const char *query, const char *name, const char *after);

#endif /* KUBE_CONTROL_QUERY_H */
