/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A CRD writes every struct out wherever it is used. A crd_types finds out which of them are equal,
 * so that they become one struct: all but descriptions, and what a member may say of itself
 * (default, nullable and the like), must be the same.
 */
#ifndef KUBEGEN_CRD_TYPES_H
#define KUBEGEN_CRD_TYPES_H

#include "support/arena.h"
#include "support/json_value.h"
#include "support/text_list.h"
#include "support/text_map.h"
#include "support/vec.h"

#include <stdbool.h>
#include <stddef.h>

/* Where a struct is: a chain of members up to the Kind. */
typedef struct crd_place {
    const struct crd_place *up; /* NULL = this is the Kind */
    const char *name;           /* of the Kind, or of the member in JSON */
    bool in_list;               /* it is an element of that list */
    bool in_map;                /* it is a value of that map */
    size_t depth;               /* how many members */
} crd_place;

/* A struct of a header that exists. */
typedef struct crd_shipped {
    const char *schema_name; /* "io.k8s.api.core.v1.Affinity" */
    json_value *schema;      /* as it stands in a CRD */
    bool has_list;           /* its header declares the list */
    bool has_map;
} crd_shipped;

/* What a struct is used as. */
typedef enum crd_use { CRD_MEMBER, CRD_IN_LIST, CRD_IN_MAP } crd_use;

typedef struct crd_type {
    size_t index;
    const json_value *node;           /* its schema, where it was found first */
    VEC(const crd_place *) places;    /* the shortest first, after crd_types_order() */
    VEC(const crd_shipped *) shipped; /* that are the same */
    bool is_own;                      /* the header declares it */
    const char *name;                 /* without the prefix; NULL until it has one */
} crd_type;

typedef struct crd_types {
    arena *in;
    VEC(crd_type *) items;
    text_map by_text; /* crd_types */
    text_map by_node; /* the same, by the addresses of schemas */
} crd_types;

void crd_types_free(crd_types *types);
/* Adds a shipped struct, which must outlive the types. */
void crd_types_add_shipped(crd_types *types, const crd_shipped *added);
/* Adds the structs that a Kind's members have; @schema must outlive the types. */
void crd_types_add_kind(crd_types *types, const char *kind, const json_value *schema);
/* Sorts the types by their places, which do not depend on the order of the documents. */
void crd_types_order(crd_types *types);
/* Finds out which structs of a Kind the header declares. */
void crd_types_reach(crd_types *types, const json_value *schema);
/* Returns the shipped struct that stands for a part of an added schema, or NULL if there is none;
 * of several that are equal the one whose name is most like @member. A list or map of it must be
 * declared where it is used so. */
const crd_shipped *crd_types_shipped(const crd_type *type, crd_use use, const char *member);
/* Returns the struct that a part of an added schema is, or NULL if it is none. */
const crd_type *crd_types_of(const crd_types *types, const json_value *node);

/* Says whether a schema is one of a struct: an object with properties. */
bool crd_is_struct(const json_value *schema);
/* Returns what a list or map holds, or NULL if the schema is none. */
const json_value *crd_inner(const json_value *schema);
/* Says which of both holds what crd_inner() has returned. */
crd_use crd_inner_use(const json_value *inner);
/* "Widget.spec.ports[].name" */
const char *crd_path(arena *in, const crd_place *place);

#endif /* KUBEGEN_CRD_TYPES_H */
