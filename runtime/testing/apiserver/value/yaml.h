/* SPDX-License-Identifier: Apache-2.0 */
/* YAML as kubectl and the real server read it: into JSON, scalars by the rules of YAML 1.1. */
#ifndef KUBE_APISERVER_YAML_H
#define KUBE_APISERVER_YAML_H

#include "json.h"

typedef struct kube__api_yaml kube__api_yaml;

/* Reads the documents of @text, which stays until free. Returns NULL if out of memory. */
kube__api_yaml *kube__api_yaml_new(const char *text, size_t len);
/* NULL is allowed. */
void kube__api_yaml_free(kube__api_yaml *yaml);
/*
 * The next document, and in *@line where it begins; an empty one is null. NULL at the end, when
 * there is a fault (*@fault says which, with the line, in the ctx), and if out of memory (then
 * kube_ctx_failed(ctx)). @duplicate as of kube__json_parse().
 */
kube__json *kube__api_yaml_next(kube__api_yaml *yaml, kube_ctx *ctx, size_t *line,
                                const char **fault, kube__json_duplicate *duplicate, void *arg);

/* The first document of a text; the value null if the text is empty. Otherwise as
 * kube__json_parse(). */
kube__json *kube__api_yaml_parse(kube_ctx *ctx, const char *text, size_t len, const char **fault,
                                 kube__json_duplicate *duplicate, void *arg);

/* Appends a document as YAML: block style, keys sorted, as the real server's. */
void kube__yaml_write(const kube__json *value, kube__buffer *out);

#endif /* KUBE_APISERVER_YAML_H */
