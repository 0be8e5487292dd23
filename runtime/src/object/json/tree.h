/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The members of JSON text, whichever escapes their names have, found in one pass, so that two
 * texts are compared in a time that grows with their length only, however deep they nest and in
 * whichever order their members stand.
 */
#ifndef KUBE_OBJECT_TREE_H
#define KUBE_OBJECT_TREE_H

#include "raw.h"

typedef struct kube__tree_node {
    kube__member member; /* the value without the blanks around it */
    uint32_t next;       /* the index behind it and all that is in it */
    uint32_t twin;       /* the member of that name in the other tree, or: */
} kube__tree_node;

#define KUBE__TREE_ALONE 0          /* the other tree has no such member */
#define KUBE__TREE_AGAIN UINT32_MAX /* the name comes again in this tree; the last one counts */

/* Node 0 is the whole. The members of an object stand behind it in their order. */
typedef struct kube__tree {
    kube__tree_node *nodes;
    uint32_t len;
    uint32_t size;
} kube__tree;

typedef struct kube__tree_slot {
    uint32_t a; /* 0 = none */
    uint32_t b;
} kube__tree_slot;

/* Two trees to compare. All zero is empty. */
typedef struct kube__trees {
    kube__tree a;
    kube__tree b;
    kube__tree_slot *slots;
    size_t slot_count; /* of those in use; a power of two */
    size_t slot_size;
} kube__trees;

void kube__trees_fini(kube__trees *trees);
/*
 * Read @text, which is valid, into one of the trees: a value, or members as a kube_extra has them.
 * Objects nested deeper than @depth are left as they are, without members. These and match() return
 * false if out of memory.
 */
bool kube__tree_read_value(kube__tree *tree, const char *text, size_t len, unsigned depth);
bool kube__tree_read_members(kube__tree *tree, const char *text, size_t len, unsigned depth);
/* Sets the twins of the members of two objects, which are nodes @at_a and @at_b. */
bool kube__trees_match(kube__trees *trees, uint32_t at_a, uint32_t at_b);

#endif /* KUBE_OBJECT_TREE_H */
