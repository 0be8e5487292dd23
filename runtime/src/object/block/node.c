/* SPDX-License-Identifier: Apache-2.0 */
#include "node.h"

#include <stdlib.h>
#include <string.h>

static const kube_field root_members[2] = {
    {.key = "\"apiVersion\":",
     .key_mask = (1 << 13) - 1,
     .key_len = 13,
     .kind = KUBE__KIND_API_VERSION},
    {.key = "\"kind\":", .key_mask = (1 << 7) - 1, .key_len = 7, .kind = KUBE__KIND_KIND},
};

/* One allocation: node, children, the root's fields, guesses. */
static size_t node_size(uint32_t count, bool is_root)
{
    return sizeof(kube__node) + (count + 1) * sizeof(kube__node *) +
           (is_root ? count * sizeof(kube_field) : 0) + (count + 1) * sizeof(uint16_t);
}

kube__node *kube__node_new(kube__node **nodes, const kube_schema *schema, bool is_root)
{
    uint32_t count = schema->field_count + (is_root ? 2u : 0u);
    char *memory = calloc(1, node_size(count, is_root));
    if (!memory)
        return NULL;
    kube__node *node = (kube__node *)(void *)memory;
    node->children = (kube__node **)(void *)(memory + sizeof *node);
    char *rest = (char *)(node->children + count + 1);
    node->fields = schema->fields ? schema->fields : root_members; /* none of them is looked at */
    if (is_root) {
        kube_field *fields = (kube_field *)(void *)rest;
        if (schema->field_count)
            memcpy(fields, schema->fields, schema->field_count * sizeof *fields);
        memcpy(fields + schema->field_count, root_members, sizeof root_members);
        node->fields = fields;
        rest += count * sizeof *fields;
    }
    node->next = (uint16_t *)(void *)rest;
    node->schema = schema;
    node->is_root = is_root;
    node->count = count;
    node->size = schema->size;
    node->extra_offset = schema->extra_offset;
    node->element_kind = schema->element_kind;
    node->element_flags = schema->element_flags;
    node->previous = *nodes;
    *nodes = node;
    return node;
}

kube__node *kube__node_of(kube__node **nodes, const kube_schema *schema)
{
    for (kube__node *node = *nodes; node; node = node->previous) {
        if (node->schema == schema && !node->is_root)
            return node;
    }
    return kube__node_new(nodes, schema, false);
}

kube__node *kube__node_find_child(kube__node **nodes, kube__node *node, unsigned index)
{
    const kube_schema *schema = node->schema;
    unsigned sub = schema->kind == KUBE_KIND_STRUCT ? node->fields[index].sub : 0;
    kube__node *child = kube__node_of(nodes, schema->subs[sub]);
    node->children[index] = child;
    return child;
}

void kube__nodes_free(kube__node *nodes)
{
    while (nodes) {
        kube__node *previous = nodes->previous;
        free(nodes);
        nodes = previous;
    }
}

size_t kube__nodes_memory(const kube__node *nodes)
{
    size_t bytes = 0;
    for (; nodes; nodes = nodes->previous)
        bytes += node_size(nodes->count, nodes->is_root);
    return bytes;
}
