/* SPDX-License-Identifier: Apache-2.0 */
/* template_parse() splits a Mustache template into a flat list of nodes, for template.c only. */
#ifndef KUBEGEN_TEMPLATE_PARSE_H
#define KUBEGEN_TEMPLATE_PARSE_H

#include "support/arena.h"
#include "support/str.h"
#include "support/vec.h"

#include <stdbool.h>

typedef enum node_kind {
    NODE_TEXT,
    NODE_VARIABLE,
    NODE_SECTION,
    NODE_INVERTED,
    NODE_PARTIAL,
} node_kind;

typedef struct node {
    node_kind kind;
    unsigned line;
    const char *text; /* TEXT: points into the template, @len bytes */
    size_t len;
    const char *name;   /* the others: what the tag says */
    const char *indent; /* PARTIAL: what stood before it alone on its line, or "" */
    size_t end;         /* SECTION, INVERTED: index of the first node after it */
} node;

typedef VEC(node) node_list;

/* Splits @text, which must outlive the nodes. Names and errors are allocated in @memory. */
bool template_parse(arena *memory, const char *name, const char *text, node_list *nodes,
                    str *error);

#endif /* KUBEGEN_TEMPLATE_PARSE_H */
