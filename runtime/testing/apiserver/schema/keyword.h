/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The validation of a value by the keywords of its schema, as go-openapi does it: every part gives
 * faults and counts what it found in order; the count decides which branch of an anyOf is told of.
 */
#ifndef KUBE_APISERVER_KEYWORD_H
#define KUBE_APISERVER_KEYWORD_H

#include "schema.h"

typedef struct kube__api_fault_found {
    const char *reason; /* of the cause; NULL = it stands for the whole object, as those of anyOf */
    const char *path;
    const char *text;  /* go-openapi's message: of faults with the same text the first counts */
    const char *cause; /* the cause's message */
    struct kube__api_fault_found *next;
} kube__api_fault_found;

typedef struct kube__api_outcome {
    kube__api_fault_found *first;
    kube__api_fault_found *last;
    int matches;
} kube__api_outcome;

/* A value to validate, and where it is: "spec.ports[0]", "" = the root. */
typedef struct kube__validator {
    kube_ctx *ctx;
    const kube__json *schema; /* the keywords */
    const kube__json *value;
    const char *path;
    size_t *told; /* bytes of all faults found so far */
} kube__validator;

/* Whether so much has been told already that a further fault only says that there are too many. */
bool kube__api_outcome_is_full(const kube__validator *checked);
void kube__api_outcome_merge(kube__api_outcome *outcome, const kube__api_outcome *other);
/* A fault `Invalid value: @bad: @text`. */
void kube__api_outcome_add(const kube__validator *checked, kube__api_outcome *outcome,
                           const char *bad, const char *format, ...) KUBE_PRINTF(4, 5);
/* One with a reason and a cause's message of its own. */
void kube__api_outcome_add_as(const kube__validator *checked, kube__api_outcome *outcome,
                              const char *reason, const char *cause, const char *format, ...)
    KUBE_PRINTF(5, 6);
/* One of the whole object. */
void kube__api_outcome_add_general(const kube__validator *checked, kube__api_outcome *outcome,
                                   const char *format, ...) KUBE_PRINTF(3, 4);

/* "string", "integer,string"; "" = none. */
const char *kube__keyword_type(const kube__validator *checked);
/* The format that is checked for this type, or NULL. */
const char *kube__keyword_format(const kube__validator *checked);

/* keyword_scalar.c: the keywords that need no other schema. */
void kube__validate_type(const kube__validator *checked, kube__api_outcome *outcome);
void kube__validate_string(const kube__validator *checked, kube__api_outcome *outcome);
void kube__validate_format(const kube__validator *checked, kube__api_outcome *outcome);
void kube__validate_number(const kube__validator *checked, kube__api_outcome *outcome);
void kube__validate_enum(const kube__validator *checked, kube__api_outcome *outcome);

/* list_type.c: lists of type set and map repeat nothing. embedded_resource.c: resources in others.
 */
void kube__validate_lists(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *object,
                          kube__api_causes *causes);
void kube__validate_embedded(kube_ctx *ctx, const kube__api_schema *schema,
                             const kube__json *object, kube__api_causes *causes);

#endif /* KUBE_APISERVER_KEYWORD_H */
