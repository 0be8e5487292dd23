/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=tree.example.org
#ifndef TREE_V1_TYPES_H
#define TREE_V1_TYPES_H

#include <kube/meta.h>

typedef struct tree_v1_node tree_v1_node;
KUBE_DECLARE_LIST(tree_v1_node);
KUBE_FORWARD_MAP(tree_v1_node);

/** A node holds nodes: by pointer, list and map. */
struct tree_v1_node {
    const char *name;
    tree_v1_node *next;
    tree_v1_node_list children;
    tree_v1_node_map by_name;
};
KUBE_DECLARE_MAP_ENTRY(tree_v1_node);

// +genclient
typedef struct tree_v1_tree {
    kube_object base;
    kube_object_meta metadata;
    tree_v1_node root;
} tree_v1_tree;

#endif /* TREE_V1_TYPES_H */
