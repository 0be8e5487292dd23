/* SPDX-License-Identifier: Apache-2.0 */
/* How schema nodes are made from keywords; CRDs and built-ins differ in what a child is. */
#ifndef KUBE_APISERVER_SCHEMA_READ_H
#define KUBE_APISERVER_SCHEMA_READ_H

#include "schema.h"

typedef struct kube__api_schema_reader kube__api_schema_reader;
struct kube__api_schema_reader {
    kube_ctx *ctx;
    /* The node of a property's, item's or map value's schema. */
    const kube__api_schema *(*child)(kube__api_schema_reader *reader, const kube__json *source);
};

/* Fills @node from @source, which must live as long as the ctx. */
void kube__api_schema_read(kube__api_schema_reader *reader, const kube__json *source,
                           kube__api_schema *node);
/* Gives @node the properties of the list, which it sorts and keeps. */
void kube__api_schema_set_properties(kube__api_schema *node, kube__api_property *list,
                                     size_t count);
/* The keywords that may stand beside a reference: default, nullable, list and patch keywords. */
void kube__api_schema_read_beside(kube_ctx *ctx, const kube__json *source, kube__api_schema *node);

/* A Go type of the embedded documents, "v1.ObjectMeta". Returns NULL if they have no such type. */
const kube__api_schema *kube__api_schema_of_go_type(kube_ctx *ctx, const char *document_name,
                                                    const char *go_type);

#endif /* KUBE_APISERVER_SCHEMA_READ_H */
