/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Label selectors as requirements: `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a`, `!a`,
 * `a>1`, `a<1`, joined by commas, of which all must hold. The cache and the API server of the test
 * kit read them here; what is said of a wrong one is up to them.
 */
#ifndef KUBE_OBJECT_REQUIREMENT_H
#define KUBE_OBJECT_REQUIREMENT_H

#include <kube/ctx.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KUBE__LABEL_NAME_MAX = 63, KUBE__LABEL_PREFIX_MAX = 253 };

typedef enum kube__operator {
    KUBE__OP_EXISTS,
    KUBE__OP_ABSENT,
    KUBE__OP_IS,
    KUBE__OP_IS_NOT,
    KUBE__OP_IN,
    KUBE__OP_NOT_IN,
    KUBE__OP_GREATER,
    KUBE__OP_LESS,
} kube__operator;

typedef struct kube__requirement {
    const char *key;
    kube__operator op;
    const char **values; /* sorted, each once */
    size_t value_count;
} kube__requirement;

typedef struct kube__requirements {
    kube__requirement *items;
    size_t len;
} kube__requirements;

/* What was expected where something else was found; or what is wrong with a requirement. */
typedef enum kube__label_fault_kind {
    KUBE__LABEL_WANTS_REQUIREMENT, /* at the start */
    KUBE__LABEL_WANTS_NEXT,        /* a requirement, after a comma */
    KUBE__LABEL_WANTS_COMMA,       /* or the end */
    KUBE__LABEL_WANTS_KEY,         /* from here on within a requirement */
    KUBE__LABEL_WANTS_OPERATOR,
    KUBE__LABEL_WANTS_OPEN,
    KUBE__LABEL_WANTS_VALUES,         /* after "(" */
    KUBE__LABEL_WANTS_VALUE_OR_COMMA, /* after "," */
    KUBE__LABEL_WANTS_COMMA_OR_CLOSE,
    KUBE__LABEL_WANTS_VALUE,
    KUBE__LABEL_BAD_KEY,
    KUBE__LABEL_BAD_VALUE, /* of the last requirement, one at least */
} kube__label_fault_kind;

typedef struct kube__label_fault {
    kube__label_fault_kind kind;
    const char *found; /* in the text; at its end if there is nothing more */
    size_t found_len;
} kube__label_fault;

/*
 * Reads @text; "" gives no requirement. KUBE_ERR_ARGUMENT and *@fault if it is wrong: @out has what
 * was read until then. @numbers_are_values: the bound of > and < must be a label's value besides,
 * as a server wants it, so that it has no sign.
 */
KUBE__CHECKED kube_code kube__labels_parse(kube_ctx *ctx, const char *text, bool numbers_are_values,
                                           kube__requirements *out, kube__label_fault *fault);
/* Whether a label with that @value, NULL if there is none, meets the requirement. */
bool kube__requirement_matches(const kube__requirement *requirement, const char *value);

/* The name of a key or a value that is not empty, but for its length. */
bool kube__label_is_name(const char *text, size_t len);
/* A DNS subdomain, but for its length. */
bool kube__label_is_domain(const char *text, size_t len);
/* "" or a name of at most 63 bytes. */
bool kube__label_is_value(const char *text);
/* Decimal with an optional sign, within int64. */
bool kube__label_read_number(const char *text, int64_t *out);

#endif /* KUBE_OBJECT_REQUIREMENT_H */
