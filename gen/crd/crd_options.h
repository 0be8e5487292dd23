/* SPDX-License-Identifier: Apache-2.0 */
/* The crd_options are what the command line says of all CRDs; all zero is what holds without them.
 */
#ifndef KUBEGEN_CRD_OPTIONS_H
#define KUBEGEN_CRD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct crd_options {
    bool trims; /* descriptions, to the next member's length */
    size_t max_desc_len;
    bool embedded_meta; /* a kube_object_meta inside of a Kind is described */
    const char *header; /* comments for the beginning of each file; NULL = none */
} crd_options;

#endif /* KUBEGEN_CRD_OPTIONS_H */
