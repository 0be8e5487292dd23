/* SPDX-License-Identifier: Apache-2.0 */
/* The documents of a text as kubectl reads it: JSON values one after the other when it begins with
 * one, else YAML. */
#ifndef KUBE_APISERVER_MANIFEST_H
#define KUBE_APISERVER_MANIFEST_H

#include "apiserver/value/yaml.h"

typedef struct kube__api_manifest {
    const char *text;
    size_t len;
    size_t at;            /* in JSON: what has been read */
    size_t line;          /* where the document begins, from 1 */
    size_t number;        /* of the document, from 1; those that are empty count */
    kube__api_yaml *yaml; /* NULL = JSON */
} kube__api_manifest;

/* @text stays until fini. Returns false if out of memory. */
bool kube__api_manifest_init(kube__api_manifest *manifest, const char *text, size_t len);
void kube__api_manifest_fini(kube__api_manifest *manifest);
/* The next document, null for an empty one; NULL as kube__api_yaml_next(). */
kube__json *kube__api_manifest_next(kube__api_manifest *manifest, kube_ctx *ctx,
                                    const char **fault);

#endif /* KUBE_APISERVER_MANIFEST_H */
