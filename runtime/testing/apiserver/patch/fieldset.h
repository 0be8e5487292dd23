/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of fields, as managedFields hold them ("fieldsV1"): a tree of steps, in the order they are
 * written in. A set that was made by an operation shares parts with its operands: only insert into
 * sets that were built by insert() alone.
 */
#ifndef KUBE_APISERVER_FIELDSET_H
#define KUBE_APISERVER_FIELDSET_H

#include "apiserver/value/json.h"

typedef enum kube__step_kind {
    KUBE__STEP_FIELD, /* f:name of a map or struct */
    KUBE__STEP_KEY,   /* k:{"port":80} of a list with keys */
    KUBE__STEP_VALUE, /* v:"x" of a list that is a set */
    KUBE__STEP_INDEX, /* i:0 of another list */
} kube__step_kind;

typedef struct kube__step {
    kube__step_kind kind;
    const char *name;        /* of a field */
    const kube__json *value; /* of a value; of a key: an object with sorted members */
    int64_t index;
} kube__step;

/* A path while its document is walked: the last step, and what leads there (NULL = the root). */
typedef struct kube__path {
    const struct kube__path *parent;
    kube__step step;
} kube__path;

typedef struct kube__field kube__field;

typedef struct kube__field_set {
    kube__field *first; /* sorted, but while the set is built */
    kube__field *last;
    struct kube__api_table *index; /* by step, of a large set that is being built */
} kube__field_set;

struct kube__field {
    kube__step step;
    bool member; /* the field itself is in the set, not only what is below */
    kube__field_set children;
    kube__field *next;
};

/* ---- steps ---------------------------------------------------------------------------------- */

int kube__step_compare(const kube__step *a, const kube__step *b);
/* The same for steps that are the same. */
uint64_t kube__step_hash(const kube__step *step);
/* ".name", "[port=80,proto=\"TCP\"]", "[=\"x\"]", "[0]". */
const char *kube__step_print(kube_ctx *ctx, const kube__step *step);
/* All steps of a path, ".spec.ports[port=80]". */
const char *kube__path_print(kube_ctx *ctx, const kube__path *path);

/* ---- sets ----------------------------------------------------------------------------------- */

/* The root (NULL) is in no set. Sort the set when all is in it. */
void kube__field_set_insert(kube_ctx *ctx, kube__field_set *set, const kube__path *path);
void kube__field_set_sort(kube__field_set *set);
bool kube__field_set_empty(kube__field_set set);
/* Makes the node of a step quick to find, for who asks for many. */
void kube__field_set_index(kube_ctx *ctx, kube__field_set *set);
/* The node of a step. Returns NULL if it is missing. */
const kube__field *kube__field_set_get(kube__field_set set, const kube__step *step);
bool kube__field_set_has(kube__field_set set, const kube__path *path);
bool kube__field_set_equal(kube__field_set a, kube__field_set b);

kube__field_set kube__field_set_union(kube_ctx *ctx, kube__field_set a, kube__field_set b);
kube__field_set kube__field_set_intersect(kube_ctx *ctx, kube__field_set a, kube__field_set b);
/* Fields of @a that are not in @b; what is below one that is, stays. */
kube__field_set kube__field_set_minus(kube_ctx *ctx, kube__field_set a, kube__field_set b);
/* The same, but what is below one that is in @b goes too. */
kube__field_set kube__field_set_without(kube_ctx *ctx, kube__field_set a, kube__field_set b);

typedef void kube__field_visit(void *arg, const kube__path *path);
/* All members, in order. */
void kube__field_set_each(kube__field_set set, kube__field_visit *visit, void *arg);

/* ---- fieldsV1 ------------------------------------------------------------------------------- */

kube__json *kube__field_set_write(kube_ctx *ctx, kube__field_set set);
/* False when a name cannot be understood or if out of memory. */
bool kube__field_set_read(kube_ctx *ctx, const kube__json *fields, kube__field_set *out);

#endif /* KUBE_APISERVER_FIELDSET_H */
