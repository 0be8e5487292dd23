/* SPDX-License-Identifier: Apache-2.0 */
#include "requirement.h"

#include "base/ascii.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- rules of labels ------------------------------------------------------------------------ */

bool kube__label_is_name(const char *text, size_t len)
{
    if (!len || !kube__is_alnum(text[0]) || !kube__is_alnum(text[len - 1]))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!kube__is_alnum(text[i]) && (!text[i] || !strchr("-_.", text[i])))
            return false;
    }
    return true;
}

bool kube__label_is_domain(const char *text, size_t len)
{
    char before = '.';
    for (size_t i = 0; i < len; before = text[i++]) {
        bool letter = kube__is_lower(text[i]) || kube__is_digit(text[i]);
        if (text[i] == '.' ? (before == '.' || before == '-')
                           : !letter && (text[i] != '-' || before == '.'))
            return false;
    }
    return before != '.' && before != '-';
}

bool kube__label_is_value(const char *text)
{
    size_t len = strlen(text);
    return !len || (len <= KUBE__LABEL_NAME_MAX && kube__label_is_name(text, len));
}

bool kube__label_read_number(const char *text, int64_t *out)
{
    const char *digits = text + (*text == '+' || *text == '-');
    if (!*digits || digits[strspn(digits, "0123456789")])
        return false;
    errno = 0;
    *out = strtoll(text, NULL, 10);
    return !errno;
}

static bool is_key(const char *key)
{
    const char *slash = strchr(key, '/');
    const char *name = slash ? slash + 1 : key;
    size_t prefix = (size_t)(name - key);
    if (slash && (prefix - 1 > KUBE__LABEL_PREFIX_MAX || !kube__label_is_domain(key, prefix - 1)))
        return false;
    return *name && kube__label_is_value(name);
}

/* ---- words ---------------------------------------------------------------------------------- */

typedef enum token {
    END,
    WORD,
    COMMA,
    OPEN,
    CLOSE,
    IS, /* = and == */
    IS_NOT,
    NOT,
    GREATER,
    LESS,
} token;

typedef struct parser {
    const char *at; /* behind the token that is looked at */
    token token;
    const char *text; /* of that token */
    size_t len;
    bool numbers_are_values;
    kube__requirements *out;
    kube__label_fault *fault;
    char *next_word;
    const char **next_value;
} parser;

static token symbol(const char *at, size_t *len)
{
    *len = 1;
    switch (*at) {
    case '=':
        *len = at[1] == '=' ? 2 : 1;
        return IS;
    case '!':
        *len = at[1] == '=' ? 2 : 1;
        return at[1] == '=' ? IS_NOT : NOT;
    case ',':
        return COMMA;
    case '(':
        return OPEN;
    case ')':
        return CLOSE;
    case '>':
        return GREATER;
    case '<':
        return LESS;
    default:
        *len = strcspn(at, "=!(),>< \t\r\n");
        return *at ? WORD : END;
    }
}

static void advance(parser *p)
{
    while (kube__is_blank(*p->at))
        p->at++;
    p->text = p->at;
    p->token = symbol(p->at, &p->len);
    p->at += p->len;
}

static bool word_is(const parser *p, const char *text)
{
    return p->token == WORD && p->len == strlen(text) && memcmp(p->text, text, p->len) == 0;
}

static kube_code refuse(parser *p, kube__label_fault_kind kind)
{
    *p->fault = (kube__label_fault){kind, p->text, p->len};
    return KUBE_ERR_ARGUMENT;
}

/* Room was measured: the words of a selector are never longer than its text, a NUL replacing what
 * must stand between them. */
static const char *keep_word(parser *p)
{
    char *word = p->next_word;
    memcpy(word, p->text, p->len);
    word[p->len] = '\0';
    p->next_word += p->len + 1;
    return word;
}

/* ---- grammar -------------------------------------------------------------------------------- */

static void add_value(parser *p, kube__requirement *r, const char *value)
{
    if (!r->value_count)
        r->values = p->next_value;
    r->values[r->value_count++] = value;
    p->next_value++;
}

static int compare_values(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_values(kube__requirement *r)
{
    size_t kept = 1;
    qsort(r->values, r->value_count, sizeof *r->values, compare_values);
    for (size_t i = 1; i < r->value_count; i++)
        if (strcmp(r->values[i], r->values[kept - 1]) != 0)
            r->values[kept++] = r->values[i];
    r->value_count = kept;
}

/* The rest of `in (a,b,)`: an empty place is the empty value. */
static kube_code read_values(parser *p, kube__requirement *r)
{
    kube__label_fault_kind wanted = KUBE__LABEL_WANTS_VALUES;
    if (p->token != OPEN)
        return refuse(p, KUBE__LABEL_WANTS_OPEN);
    for (;;) {
        advance(p);
        if (p->token == WORD) {
            add_value(p, r, keep_word(p));
            advance(p);
            wanted = KUBE__LABEL_WANTS_COMMA_OR_CLOSE;
        } else if (p->token == COMMA || p->token == CLOSE) {
            add_value(p, r, "");
        }
        if (p->token == CLOSE)
            break;
        if (p->token != COMMA)
            return refuse(p, wanted);
        wanted = KUBE__LABEL_WANTS_VALUE_OR_COMMA;
    }
    sort_values(r);
    advance(p);
    return KUBE_OK;
}

static kube_code read_value(parser *p, kube__requirement *r)
{
    if (p->token == END || p->token == COMMA) {
        add_value(p, r, "");
        return KUBE_OK;
    }
    if (p->token != WORD)
        return refuse(p, KUBE__LABEL_WANTS_VALUE);
    add_value(p, r, keep_word(p));
    advance(p);
    return KUBE_OK;
}

static bool read_operator(const parser *p, kube__operator *out)
{
    static const kube__operator operators[] = {[IS] = KUBE__OP_IS,
                                               [IS_NOT] = KUBE__OP_IS_NOT,
                                               [GREATER] = KUBE__OP_GREATER,
                                               [LESS] = KUBE__OP_LESS};
    if (word_is(p, "in"))
        *out = KUBE__OP_IN;
    else if (word_is(p, "notin"))
        *out = KUBE__OP_NOT_IN;
    else if (p->token >= IS && p->token != NOT)
        *out = operators[p->token];
    else
        return false;
    return true;
}

static bool has_good_values(const parser *p, const kube__requirement *r)
{
    bool ordered = r->op == KUBE__OP_GREATER || r->op == KUBE__OP_LESS;
    int64_t number;
    for (size_t i = 0; i < r->value_count; i++) {
        if (ordered && !kube__label_read_number(r->values[i], &number))
            return false;
        if ((!ordered || p->numbers_are_values) && !kube__label_is_value(r->values[i]))
            return false;
    }
    return true;
}

static kube_code read_requirement(parser *p)
{
    kube__requirement *r = &p->out->items[p->out->len];
    bool negated = p->token == NOT;
    kube_code rc;
    if (negated)
        advance(p);
    if (p->token != WORD)
        return refuse(p, KUBE__LABEL_WANTS_KEY);
    *r = (kube__requirement){.key = keep_word(p)};
    p->out->len++;
    if (!is_key(r->key))
        return refuse(p, KUBE__LABEL_BAD_KEY);
    advance(p);
    r->op = negated ? KUBE__OP_ABSENT : KUBE__OP_EXISTS;
    if (negated || p->token == END || p->token == COMMA)
        return KUBE_OK;
    if (!read_operator(p, &r->op))
        return refuse(p, KUBE__LABEL_WANTS_OPERATOR);
    advance(p);
    rc = r->op == KUBE__OP_IN || r->op == KUBE__OP_NOT_IN ? read_values(p, r) : read_value(p, r);
    return !rc && !has_good_values(p, r) ? refuse(p, KUBE__LABEL_BAD_VALUE) : rc;
}

kube_code kube__labels_parse(kube_ctx *ctx, const char *text, bool numbers_are_values,
                             kube__requirements *out, kube__label_fault *fault)
{
    parser p = {.at = text, .numbers_are_values = numbers_are_values, .out = out, .fault = fault};
    kube__label_fault_kind wanted = KUBE__LABEL_WANTS_REQUIREMENT;
    size_t most = 1;
    for (const char *c = text; *c; c++)
        most += *c == ',' || *c == '(';
    *out = (kube__requirements){.items = kube_ctx_alloc_array(ctx, most, sizeof *out->items)};
    p.next_value = kube_ctx_alloc_array(ctx, 2 * most, sizeof *p.next_value);
    p.next_word = kube_ctx_alloc(ctx, strlen(text) + 2);
    if (!out->items || !p.next_value || !p.next_word)
        return KUBE_ERR_NO_MEMORY;
    advance(&p);
    while (p.token != END || wanted == KUBE__LABEL_WANTS_NEXT) {
        kube_code rc;
        if (p.token != WORD && p.token != NOT)
            return refuse(&p, wanted);
        rc = read_requirement(&p);
        if (rc)
            return rc;
        if (p.token == END)
            break;
        if (p.token != COMMA)
            return refuse(&p, KUBE__LABEL_WANTS_COMMA);
        wanted = KUBE__LABEL_WANTS_NEXT;
        advance(&p);
    }
    return KUBE_OK;
}

/* ---- matching ------------------------------------------------------------------------------- */

static bool has_value(const kube__requirement *r, const char *value)
{
    return r->value_count > 0 &&
           bsearch(&value, r->values, r->value_count, sizeof *r->values, compare_values);
}

static bool compares(const kube__requirement *r, const char *value)
{
    int64_t is;
    int64_t bound;
    if (!r->value_count || !kube__label_read_number(value, &is) ||
        !kube__label_read_number(r->values[0], &bound))
        return false;
    return r->op == KUBE__OP_GREATER ? is > bound : is < bound;
}

bool kube__requirement_matches(const kube__requirement *requirement, const char *value)
{
    switch (requirement->op) {
    case KUBE__OP_EXISTS:
        return value != NULL;
    case KUBE__OP_ABSENT:
        return !value;
    case KUBE__OP_IS:
    case KUBE__OP_IN:
        return value && has_value(requirement, value);
    case KUBE__OP_IS_NOT:
    case KUBE__OP_NOT_IN:
        return !value || !has_value(requirement, value);
    case KUBE__OP_GREATER:
    case KUBE__OP_LESS:
        return value && compares(requirement, value);
    }
    return false;
}
