/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a decoder remembers for each schema: its guesses about the next member, and the nodes of the
 * schemas below it, which are made when they are first needed.
 */
#ifndef KUBE_OBJECT_NODE_H
#define KUBE_OBJECT_NODE_H

#include <kube/generated.h>

/* Kinds of the root's two members that are no fields of its struct. */
enum { KUBE__KIND_API_VERSION = 128, KUBE__KIND_KIND };

typedef struct kube__node {
    struct kube__node *previous; /* of the decoder's list */
    const kube_schema *schema;
    const kube_field *fields; /* the schema's; the root has two more */
    uint32_t count;           /* of fields */
    uint32_t size;            /* of the struct, or of an element */
    uint16_t extra_offset;
    uint8_t element_kind;
    uint8_t element_flags;
    bool is_root;
    kube_field unknown;           /* the last member that is no field; key_len 0 = none yet */
    struct kube__node **children; /* by field; of a list or map, one */
    uint16_t *next;               /* by field, and for the first one: the field that came after */
} kube__node;

/* A node at the head of *@nodes. Returns NULL if out of memory. @is_root adds apiVersion and kind.
 */
kube__node *kube__node_new(kube__node **nodes, const kube_schema *schema, bool is_root);
/* The node of the schema below field @index, or of the elements. Returns NULL if out of memory. */
kube__node *kube__node_find_child(kube__node **nodes, kube__node *node, unsigned index);
/* The node of @schema, as any field's. */
kube__node *kube__node_of(kube__node **nodes, const kube_schema *schema);
void kube__nodes_free(kube__node *nodes);
size_t kube__nodes_memory(const kube__node *nodes);

static inline kube__node *kube__node_child(kube__node **nodes, kube__node *node, unsigned index)
{
    kube__node *child = node->children[index];
    return child ? child : kube__node_find_child(nodes, node, index);
}

#endif /* KUBE_OBJECT_NODE_H */
