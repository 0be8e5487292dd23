/* SPDX-License-Identifier: Apache-2.0 */
/* Label selectors: the text of a query, and the object that specs hold. */
#include "apiserver/value/quote.h"
#include "base/text.h"
#include "selector_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- rules of keys and values --------------------------------------------------------------- */

#define NAME_RULE                                                                                  \
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "    \
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "         \
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define VALUE_RULE                                                                                 \
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "    \
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',"  \
    "  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
#define DOMAIN_RULE                                                                                \
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "   \
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "  \
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

/* What is wrong with a label key, several things joined by "; "; NULL = nothing. */
static const char *key_fault(kube_ctx *ctx, const char *key)
{
    const char *slash = strchr(key, '/');
    const char *name = slash ? slash + 1 : key;
    if (strchr(name, '/'))
        return "a valid label key " NAME_RULE
               " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    const char *faults[4] = {0};
    size_t count = 0;
    size_t prefix = slash ? (size_t)(slash - key) : 0;
    if (slash && !prefix)
        faults[count++] = "prefix part must be non-empty";
    if (slash && prefix > KUBE__LABEL_PREFIX_MAX)
        faults[count++] = "prefix part must be no more than 253 bytes";
    if (slash && prefix && !kube__label_is_domain(key, prefix))
        faults[count++] = "prefix part " DOMAIN_RULE;
    size_t len = strlen(name);
    if (!len)
        faults[count++] = "name part must be non-empty";
    if (len > KUBE__LABEL_NAME_MAX)
        faults[count++] = "name part must be no more than 63 bytes";
    if (count < 4 && !kube__label_is_name(name, len))
        faults[count++] = "name part " NAME_RULE;
    const char *all = count ? faults[0] : NULL;
    for (size_t i = 1; i < count; i++)
        all = kube__api_text(ctx, "%s; %s", all, faults[i]);
    return all;
}

static const char *value_fault(const char *value)
{
    size_t len = strlen(value);
    bool legal = !len || kube__label_is_name(value, len);
    if (len > KUBE__LABEL_NAME_MAX)
        return legal ? "must be no more than 63 bytes"
                     : "must be no more than 63 bytes; " VALUE_RULE;
    return legal ? NULL : VALUE_RULE;
}

/* Several faults as Go's aggregate joins them: "[a, b]". */
static const char *joined(kube_ctx *ctx, const char *before, const char *more)
{
    if (!before)
        return more;
    if (before[0] == '[') /* a path never starts so */
        return kube__api_text(ctx, "%.*s, %s]", (int)strlen(before) - 1, before, more);
    return kube__api_text(ctx, "[%s, %s]", before, more);
}

/* ---- the text ------------------------------------------------------------------------------- */

/* The rules of values, all that are broken. */
static const char *term_fault(kube_ctx *ctx, const kube__requirement *term)
{
    const char *fault = NULL;
    bool ordered = term->op == KUBE__OP_GREATER || term->op == KUBE__OP_LESS;
    int64_t ignored;
    for (size_t i = 0; i < term->value_count && ordered; i++) {
        if (!kube__label_read_number(term->values[i], &ignored))
            fault = joined(ctx, fault,
                           kube__api_text(ctx,
                                          "values[%zu]: Invalid value: %s: for 'Gt', 'Lt' "
                                          "operators, the value must be an integer",
                                          i, kube__api_quote(ctx, term->values[i])));
    }
    for (size_t i = 0; i < term->value_count; i++) {
        if (value_fault(term->values[i]))
            fault = joined(ctx, fault,
                           kube__api_text(ctx, "values[%zu][%s]: Invalid value: %s: %s", i,
                                          term->key, kube__api_quote(ctx, term->values[i]),
                                          value_fault(term->values[i])));
    }
    return fault;
}

static const char *text_fault(kube_ctx *ctx, const kube__label_fault *fault,
                              const kube__requirements *terms)
{
    static const char *const wanted[] = {
        [KUBE__LABEL_WANTS_REQUIREMENT] = ", expected: !, identifier, or 'end of string'",
        [KUBE__LABEL_WANTS_NEXT] = ", expected: identifier after ','",
        [KUBE__LABEL_WANTS_COMMA] = ", expected: ',' or 'end of string'",
        [KUBE__LABEL_WANTS_KEY] = ", expected: identifier",
        [KUBE__LABEL_WANTS_OPERATOR] = ", expected: in, notin, =, ==, !=, gt, lt",
        [KUBE__LABEL_WANTS_OPEN] = " expected: '('",
        [KUBE__LABEL_WANTS_VALUES] = ", expected: ',', ')' or identifier",
        [KUBE__LABEL_WANTS_VALUE_OR_COMMA] = ", expected: ',', or identifier",
        [KUBE__LABEL_WANTS_COMMA_OR_CLOSE] = ", expected: ',' or ')'",
        [KUBE__LABEL_WANTS_VALUE] = ", expected: identifier",
    };
    const kube__requirement *last = terms->len ? &terms->items[terms->len - 1] : NULL;
    const char *why;
    if (fault->kind == KUBE__LABEL_BAD_KEY)
        why = kube__api_text(ctx, "<nil>: Invalid value: %s: %s", kube__api_quote(ctx, last->key),
                             key_fault(ctx, last->key));
    else if (fault->kind == KUBE__LABEL_BAD_VALUE)
        why = term_fault(ctx, last);
    else
        why = kube__api_text(ctx, "found '%.*s'%s", (int)fault->found_len, fault->found,
                             wanted[fault->kind]);
    return fault->kind < KUBE__LABEL_WANTS_KEY
               ? why
               : kube__api_text(ctx, "unable to parse requirement: %s", why);
}

kube__api_failure *kube__api_label_selector(kube_ctx *ctx, const char *text,
                                            const kube__api_selector **out)
{
    kube__api_selector *selector = kube_ctx_alloc(ctx, sizeof *selector);
    kube__label_fault fault;
    *out = NULL;
    if (!selector)
        return kube__api_fail_no_memory();
    if (kube__labels_parse(ctx, text, true, &selector->terms, &fault) == KUBE_ERR_ARGUMENT)
        return kube__api_bad_request(ctx, "%s", text_fault(ctx, &fault, &selector->terms));
    if (selector->terms.len)
        *out = selector;
    return kube__api_check_memory(ctx);
}

/* ---- the object ----------------------------------------------------------------------------- */

static kube__api_failure *add_expression(kube_ctx *ctx, kube__api_selector *selector,
                                         const kube__json *expression)
{
    static const struct {
        const char *name;
        kube__operator op;
    } operators[] = {
        {"In", KUBE__OP_IN},
        {"NotIn", KUBE__OP_NOT_IN},
        {"Exists", KUBE__OP_EXISTS},
        {"DoesNotExist", KUBE__OP_ABSENT},
    };
    const char *name = kube__json_string_at(expression, "operator");
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (strcmp(operators[i].name, name) != 0)
            continue;
        const kube__json *values = kube__json_get(expression, "values");
        const char *key = kube_ctx_strdup(ctx, kube__json_string_at(expression, "key"));
        kube__requirement *term =
            kube__api_selector_add(ctx, selector, operators[i].op, key, values ? values->len : 0);
        if (!term)
            return kube__api_fail_no_memory();
        KUBE__JSON_EACH (value, values)
            term->values[term->value_count++] = kube__json_string_or(value, "");
        qsort(term->values, term->value_count, sizeof *term->values, kube__text_compare);
        return NULL;
    }
    return kube__api_bad_request(ctx, "%s is not a valid label selector operator",
                                 kube__api_quote(ctx, name));
}

kube__api_failure *kube__api_object_selector(kube_ctx *ctx, const kube__json *label_selector,
                                             const kube__api_selector **out)
{
    const kube__json *labels = kube__json_get(label_selector, "matchLabels");
    const kube__json *expressions = kube__json_get(label_selector, "matchExpressions");
    kube__api_selector *selector = kube__api_selector_new(
        ctx, (labels ? labels->len : 0) + (expressions ? expressions->len : 0));
    *out = NULL;
    if (!selector)
        return kube__api_fail_no_memory();
    KUBE__JSON_EACH (label, labels) {
        kube__requirement *term = kube__api_selector_add(ctx, selector, KUBE__OP_IS, label->key, 1);
        if (!term)
            return kube__api_fail_no_memory();
        term->values[term->value_count++] = kube__json_string_or(label, "");
    }
    KUBE__JSON_EACH (expression, expressions) {
        kube__api_failure *failure = add_expression(ctx, selector, expression);
        if (failure)
            return failure;
    }
    if (selector->terms.len)
        *out = selector;
    return kube__api_check_memory(ctx);
}
