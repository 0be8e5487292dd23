/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the server knows of a type's structure: of a CRD from its structural schema, of a built-in
 * from the embedded OpenAPI data. Immutable once made; lives as long as the ctx it was made in.
 */
#ifndef KUBE_APISERVER_SCHEMA_H
#define KUBE_APISERVER_SCHEMA_H

#include "apiserver/core/failure.h"

typedef enum kube__api_type {
    KUBE__TYPE_ANY, /* none said */
    KUBE__TYPE_OBJECT,
    KUBE__TYPE_ARRAY,
    KUBE__TYPE_STRING,
    KUBE__TYPE_INTEGER,
    KUBE__TYPE_NUMBER,
    KUBE__TYPE_BOOLEAN,
    KUBE__TYPE_INT_OR_STRING,
} kube__api_type;

typedef enum kube__api_list_type {
    KUBE__LIST_ATOMIC, /* also when none is said */
    KUBE__LIST_SET,
    KUBE__LIST_MAP,
} kube__api_list_type;

typedef struct kube__api_schema kube__api_schema;

typedef struct kube__api_property {
    const char *name;
    const kube__api_schema *schema;
} kube__api_property;

struct kube__api_schema {
    kube__api_type type;
    const char *format; /* may be NULL */
    bool nullable;
    bool preserve_unknown;  /* x-kubernetes-preserve-unknown-fields */
    bool embedded_resource; /* x-kubernetes-embedded-resource: has kind, apiVersion, metadata */
    bool atomic;            /* of a list (list type atomic or none) or a map/struct (map type) */
    const kube__api_property *properties; /* sorted by name */
    size_t property_count;
    const kube__api_schema *items;      /* of an array */
    const kube__api_schema *additional; /* of a map's values; NULL = no further members */
    kube__api_list_type list_type;
    const char *const *list_map_keys; /* of a list of type map */
    size_t list_map_key_count;
    const char *patch_merge_key;     /* strategic merge; may be NULL */
    bool patch_merge;                /* patch strategy has "merge" */
    bool patch_retain_keys;          /* … "retainKeys" */
    const kube__json *default_value; /* may be NULL */
    const char *const *required;
    size_t required_count;
    const kube__json *source; /* the keywords as they were written: validation reads them */
    bool has_rules;           /* x-kubernetes-validations, in it or below */
    bool builtin;             /* of a Go type: defaults are the strategy's business */
    bool silent;              /* what is unknown below it goes without a word */
    const char *go_type;      /* of a built-in's struct: "v1.PodSpec"; NULL = no struct */
};

/* The property of that name, or the schema of a map's values; NULL when there is neither. */
const kube__api_schema *kube__api_schema_member(const kube__api_schema *schema, const char *name);

/* Of a CRD version's openAPIV3Schema, which has been found structural. kind, apiVersion and
 * metadata are added at the root. */
const kube__api_schema *kube__api_schema_of_crd(kube_ctx *ctx, const kube__json *open_api);
/* Of any part of one. */
const kube__api_schema *kube__api_schema_node(kube_ctx *ctx, const kube__json *open_api);
/* The schema of a built-in from the embedded data. Returns NULL if it has none. @group "" = core.
 */
const kube__api_schema *kube__api_schema_of_builtin(kube_ctx *ctx, const char *group,
                                                    const char *version, const char *kind);

/* Puts defaults where members are missing, at every depth. */
void kube__api_schema_default(kube_ctx *ctx, const kube__api_schema *schema, kube__json *object);
/* Takes out what the schema does not know; each one's path ("spec.colour") is told to @unknown,
 * which may be NULL. */
void kube__api_schema_prune(kube_ctx *ctx, const kube__api_schema *schema, kube__json *object,
                            void (*unknown)(void *arg, const char *path), void *arg);
/* Spells the quantities of a built-in as Go does. */
void kube__api_schema_canonical(kube_ctx *ctx, const kube__api_schema *schema, kube__json *value);
/* A built-in is decoded into a Go struct: a value of a wrong type is a 400 then, not a 422. */
kube__api_failure *kube__api_schema_check_types(kube_ctx *ctx, const kube__api_schema *schema,
                                                const kube__json *object, const char *kind);
/* Every keyword; adds to @causes. @old (may be NULL): values that did not change since then are
 * not told again (ratcheting). CEL rules are not evaluated: *@has_rules (may be NULL) tells that
 * there are some. */
void kube__api_schema_validate(kube_ctx *ctx, const kube__api_schema *schema,
                               const kube__json *object, const kube__json *old,
                               kube__api_causes *causes, bool *has_rules);
/* The same of a write to the status subresource: of the values, only status is looked at. */
void kube__api_schema_validate_status(kube_ctx *ctx, const kube__api_schema *schema,
                                      const kube__json *object, const kube__json *old,
                                      kube__api_causes *causes, bool *has_rules);
/* Of a value by a schema's keywords, the causes' fields below @path. */
void kube__api_schema_validate_at(kube_ctx *ctx, const kube__json *open_api,
                                  const kube__json *value, const char *path,
                                  kube__api_causes *causes);

#endif /* KUBE_APISERVER_SCHEMA_H */
