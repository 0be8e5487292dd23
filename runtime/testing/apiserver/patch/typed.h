/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Documents by their schema, as server-side apply sees them: which field is a leaf, which list goes
 * by keys, and what differs between two. Where there is no schema (NULL), maps go by their members
 * and lists are leaves.
 */
#ifndef KUBE_APISERVER_TYPED_H
#define KUBE_APISERVER_TYPED_H

#include "apiserver/schema/schema.h"
#include "fieldset.h"

typedef enum kube__shape {
    KUBE__SHAPE_MAP,
    KUBE__SHAPE_LIST,
    KUBE__SHAPE_SCALAR,
} kube__shape;

/* What a value is taken for: what its schema says, else what it is. */
kube__shape kube__typed_shape(const kube__api_schema *schema, const kube__json *value);
/* Whether the elements of a list, or members of a map, are fields of their own. */
bool kube__typed_is_granular(const kube__api_schema *schema, kube__shape shape);
/* The schema of a member; *@declared (may be NULL): it is a property, not any key of a map. */
const kube__api_schema *kube__typed_member(const kube__api_schema *schema, const char *name,
                                           bool *declared);
/* The step to an element of a list that is no leaf; NULL, or why it has no step. */
const char *kube__typed_item_step(kube_ctx *ctx, const kube__api_schema *schema,
                                  const kube__json *item, kube__step *out);
/* The schema with what every object's metadata has. */
const kube__api_schema *kube__typed_root(kube_ctx *ctx, const kube__api_schema *schema);

/* NULL when @value has the types its schema says, and no list has an element twice; else the real
 * server's words. */
const char *kube__typed_fault(kube_ctx *ctx, const kube__api_schema *schema,
                              const kube__json *value);
/* All fields of a document. */
kube__field_set kube__typed_fields(kube_ctx *ctx, const kube__api_schema *schema,
                                   const kube__json *value);
/* @set with the properties that lie on the way to its fields. */
kube__field_set kube__typed_with_parents(kube_ctx *ctx, const kube__api_schema *schema,
                                         kube__field_set set);

typedef struct kube__changes {
    kube__field_set removed;
    kube__field_set modified;
    kube__field_set added;
} kube__changes;

kube__changes kube__typed_compare(kube_ctx *ctx, const kube__api_schema *schema,
                                  const kube__json *before, const kube__json *after);
/* @config over @live; NULL when nothing is left. Lists go in the order of @config. */
kube__json *kube__typed_merge(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *live,
                              const kube__json *config);
/* A copy without the fields of a set. */
kube__json *kube__typed_remove(kube_ctx *ctx, const kube__api_schema *schema,
                               const kube__json *value, kube__field_set set);

#endif /* KUBE_APISERVER_TYPED_H */
