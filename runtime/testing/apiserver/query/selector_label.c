/* SPDX-License-Identifier: Apache-2.0 */
/* Label selectors: the text of a query, and the object that specs hold. */
#include "apiserver/value/quote.h"
#include "base/text.h"
#include "selector_parts.h"

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

enum { MOST_NAME = 63, MOST_PREFIX = 253 };

static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_name(const char *text, size_t len)
{
    if (!len || !is_alnum(text[0]) || !is_alnum(text[len - 1]))
        return false;
    for (size_t i = 0; i < len; i++)
        if (!is_alnum(text[i]) && (!text[i] || !strchr("-_.", text[i])))
            return false;
    return true;
}

static bool is_domain(const char *text, size_t len)
{
    bool edge = true; /* a letter or digit must come */
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (c == '.') {
            if (edge || text[i - 1] == '-')
                return false;
            edge = true;
        } else if (c == '-') {
            if (edge)
                return false;
        } else if (is_alnum(c) && !(c >= 'A' && c <= 'Z')) {
            edge = false;
        } else {
            return false;
        }
    }
    return len && !edge && text[len - 1] != '-';
}

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
    if (slash && prefix > MOST_PREFIX)
        faults[count++] = "prefix part must be no more than 253 bytes";
    if (slash && prefix && !is_domain(key, prefix))
        faults[count++] = "prefix part " DOMAIN_RULE;
    size_t len = strlen(name);
    if (!len)
        faults[count++] = "name part must be non-empty";
    if (len > MOST_NAME)
        faults[count++] = "name part must be no more than 63 bytes";
    if (count < 4 && !is_name(name, len))
        faults[count++] = "name part " NAME_RULE;
    const char *all = count ? faults[0] : NULL;
    for (size_t i = 1; i < count; i++)
        all = kube__api_text(ctx, "%s; %s", all, faults[i]);
    return all;
}

static const char *value_fault(const char *value)
{
    size_t len = strlen(value);
    bool legal = !len || is_name(value, len);
    if (len > MOST_NAME)
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

/* ---- tokens --------------------------------------------------------------------------------- */

typedef enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_IN,
    TOKEN_NOT_IN,
    TOKEN_IS, /* = and == */
    TOKEN_IS_NOT,
    TOKEN_NOT,
    TOKEN_COMMA,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_GREATER,
    TOKEN_LESS,
} token_kind;

typedef struct parser {
    kube_ctx *ctx;
    const char *at; /* after the token that is looked at */
    token_kind kind;
    const char *text; /* of that token */
    kube__api_selector *selector;
    const char *fault; /* NULL = fine so far */
} parser;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static token_kind symbol(const char *at, size_t *len)
{
    *len = 1;
    switch (*at) {
    case '=':
        *len = at[1] == '=' ? 2 : 1;
        return TOKEN_IS;
    case '!':
        *len = at[1] == '=' ? 2 : 1;
        return at[1] == '=' ? TOKEN_IS_NOT : TOKEN_NOT;
    case ',':
        return TOKEN_COMMA;
    case '(':
        return TOKEN_OPEN;
    case ')':
        return TOKEN_CLOSE;
    case '>':
        return TOKEN_GREATER;
    case '<':
        return TOKEN_LESS;
    default:
        return TOKEN_END;
    }
}

/* Looks at the next token. */
static void advance(parser *p)
{
    while (is_space(*p->at))
        p->at++;
    size_t len = 0;
    if (!*p->at) {
        p->kind = TOKEN_END;
    } else {
        p->kind = symbol(p->at, &len);
        if (p->kind == TOKEN_END) {
            p->kind = TOKEN_NAME;
            len = strcspn(p->at, "=!(),>< \t\r\n");
        }
    }
    const char *text = kube_ctx_strndup(p->ctx, p->at, len);
    p->text = kube__text_or_empty(text);
    p->at += len;
    if (p->kind == TOKEN_NAME && strcmp(p->text, "in") == 0)
        p->kind = TOKEN_IN;
    else if (p->kind == TOKEN_NAME && strcmp(p->text, "notin") == 0)
        p->kind = TOKEN_NOT_IN;
}

/* The words in and notin are names too, but where an operator stands. */
static bool at_name(const parser *p)
{
    return p->kind == TOKEN_NAME || p->kind == TOKEN_IN || p->kind == TOKEN_NOT_IN;
}

static void refuse(parser *p, const char *expected)
{
    if (!p->fault)
        p->fault = kube__api_text(p->ctx, "found '%s'%s", p->text, expected);
}

/* ---- grammar -------------------------------------------------------------------------------- */

static void read_list(parser *p, kube__api_term *term)
{
    bool any = false;
    for (;;) {
        if (at_name(p)) {
            kube__api_term_add_value(p->ctx, term, p->text);
            any = true;
            advance(p);
            if (p->kind == TOKEN_CLOSE)
                return;
            if (p->kind != TOKEN_COMMA) {
                refuse(p, ", expected: ',' or ')'");
                return;
            }
        } else if (p->kind == TOKEN_COMMA) {
            if (!any)
                kube__api_term_add_value(p->ctx, term, "");
            any = true;
            advance(p);
            if (p->kind == TOKEN_COMMA || p->kind == TOKEN_CLOSE)
                kube__api_term_add_value(p->ctx, term, "");
            if (p->kind == TOKEN_CLOSE)
                return;
        } else {
            refuse(p, ", expected: ',', or identifier");
            return;
        }
    }
}

/* "(x,y)"; "()" is one empty value. */
static void read_values(parser *p, kube__api_term *term)
{
    if (p->kind != TOKEN_OPEN) {
        refuse(p, " expected: '('");
        return;
    }
    advance(p);
    if (p->kind == TOKEN_CLOSE)
        kube__api_term_add_value(p->ctx, term, "");
    else if (at_name(p) || p->kind == TOKEN_COMMA)
        read_list(p, term);
    else
        refuse(p, ", expected: ',', ')' or identifier");
    if (!p->fault)
        advance(p);
}

static void read_value(parser *p, kube__api_term *term)
{
    if (p->kind == TOKEN_END || p->kind == TOKEN_COMMA) {
        kube__api_term_add_value(p->ctx, term, "");
        return;
    }
    if (!at_name(p)) {
        refuse(p, ", expected: identifier");
        return;
    }
    kube__api_term_add_value(p->ctx, term, p->text);
    advance(p);
}

static bool to_operator(token_kind kind, kube__api_operator *op)
{
    switch (kind) {
    case TOKEN_IN:
        *op = KUBE__OP_IN;
        return true;
    case TOKEN_NOT_IN:
        *op = KUBE__OP_NOT_IN;
        return true;
    case TOKEN_IS:
        *op = KUBE__OP_IS;
        return true;
    case TOKEN_IS_NOT:
        *op = KUBE__OP_IS_NOT;
        return true;
    case TOKEN_GREATER:
        *op = KUBE__OP_GREATER;
        return true;
    case TOKEN_LESS:
        *op = KUBE__OP_LESS;
        return true;
    case TOKEN_END:
    case TOKEN_NAME:
    case TOKEN_NOT:
    case TOKEN_COMMA:
    case TOKEN_OPEN:
    case TOKEN_CLOSE:
        break;
    }
    return false;
}

/* The rules of values, all that are broken. */
static const char *term_fault(kube_ctx *ctx, const kube__api_term *term)
{
    const char *fault = NULL;
    bool ordered = term->op == KUBE__OP_GREATER || term->op == KUBE__OP_LESS;
    int64_t ignored;
    size_t i = 0;
    for (const kube__api_value *v = term->values; v && ordered; v = v->next, i++)
        if (!kube__api_selector_parse_int(v->text, &ignored))
            fault = joined(ctx, fault,
                           kube__api_text(ctx,
                                          "values[%zu]: Invalid value: %s: for 'Gt', 'Lt' "
                                          "operators, the value must be an integer",
                                          i, kube__api_quote(ctx, v->text)));
    i = 0;
    for (const kube__api_value *v = term->values; v; v = v->next, i++)
        if (value_fault(v->text))
            fault =
                joined(ctx, fault,
                       kube__api_text(ctx, "values[%zu][%s]: Invalid value: %s: %s", i, term->key,
                                      kube__api_quote(ctx, v->text), value_fault(v->text)));
    return fault;
}

static void read_requirement(parser *p)
{
    bool negated = p->kind == TOKEN_NOT;
    if (negated)
        advance(p);
    if (!at_name(p)) {
        refuse(p, ", expected: identifier");
        return;
    }
    const char *key = p->text;
    const char *fault = key_fault(p->ctx, key);
    if (fault) {
        p->fault = kube__api_text(p->ctx, "<nil>: Invalid value: %s: %s",
                                  kube__api_quote(p->ctx, key), fault);
        return;
    }
    advance(p);
    if (negated || p->kind == TOKEN_END || p->kind == TOKEN_COMMA) {
        kube__api_selector_add(p->ctx, p->selector, negated ? KUBE__OP_ABSENT : KUBE__OP_EXISTS,
                               key);
        return;
    }
    kube__api_operator op;
    if (!to_operator(p->kind, &op)) {
        refuse(p, ", expected: in, notin, =, ==, !=, gt, lt");
        return;
    }
    advance(p);
    kube__api_term *term = kube__api_selector_add(p->ctx, p->selector, op, key);
    if (op == KUBE__OP_IN || op == KUBE__OP_NOT_IN)
        read_values(p, term);
    else
        read_value(p, term);
    if (!p->fault && term)
        p->fault = term_fault(p->ctx, term);
}

/* The whole text; what is wrong with it, or NULL. */
static const char *read_selector(parser *p)
{
    advance(p);
    while (p->kind != TOKEN_END) {
        if (!at_name(p) && p->kind != TOKEN_NOT)
            refuse(p, ", expected: !, identifier, or 'end of string'");
        if (p->fault)
            return p->fault;
        read_requirement(p);
        if (p->fault)
            return kube__api_text(p->ctx, "unable to parse requirement: %s", p->fault);
        if (p->kind == TOKEN_END)
            break;
        if (p->kind != TOKEN_COMMA) {
            refuse(p, ", expected: ',' or 'end of string'");
            return p->fault;
        }
        advance(p);
        if (!at_name(p) && p->kind != TOKEN_NOT) {
            refuse(p, ", expected: identifier after ','");
            return p->fault;
        }
    }
    return NULL;
}

kube__api_failure *kube__api_label_selector(kube_ctx *ctx, const char *text,
                                            const kube__api_selector **out)
{
    *out = NULL;
    kube__api_selector *selector = kube_ctx_alloc(ctx, sizeof *selector);
    if (!selector)
        return kube__api_fail_no_memory();
    parser p = {.ctx = ctx, .at = text, .selector = selector};
    const char *fault = read_selector(&p);
    kube__api_failure *failure = kube__api_check_memory(ctx);
    if (failure)
        return failure;
    if (fault)
        return kube__api_bad_request(ctx, "%s", fault);
    if (selector->first)
        *out = selector;
    return NULL;
}

/* ---- the object ----------------------------------------------------------------------------- */

static kube__api_failure *add_expression(kube_ctx *ctx, kube__api_selector *selector,
                                         const kube__json *expression)
{
    static const struct {
        const char *name;
        kube__api_operator op;
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
        const char *key = kube_ctx_strdup(ctx, kube__json_string_at(expression, "key"));
        kube__api_term *term = kube__api_selector_add(ctx, selector, operators[i].op, key);
        KUBE__JSON_EACH (value, kube__json_get(expression, "values"))
            kube__api_term_add_value(ctx, term, kube__json_string_or(value, ""));
        return NULL;
    }
    return kube__api_bad_request(ctx, "%s is not a valid label selector operator",
                                 kube__api_quote(ctx, name));
}

kube__api_failure *kube__api_object_selector(kube_ctx *ctx, const kube__json *label_selector,
                                             const kube__api_selector **out)
{
    *out = NULL;
    kube__api_selector *selector = kube_ctx_alloc(ctx, sizeof *selector);
    if (!selector)
        return kube__api_fail_no_memory();
    KUBE__JSON_EACH (label, kube__json_get(label_selector, "matchLabels")) {
        kube__api_term *term = kube__api_selector_add(ctx, selector, KUBE__OP_IS, label->key);
        kube__api_term_add_value(ctx, term, kube__json_string_or(label, ""));
    }
    KUBE__JSON_EACH (expression, kube__json_get(label_selector, "matchExpressions")) {
        kube__api_failure *failure = add_expression(ctx, selector, expression);
        if (failure)
            return failure;
    }
    if (selector->first)
        *out = selector;
    return kube__api_check_memory(ctx);
}
