/* SPDX-License-Identifier: Apache-2.0 */
#include "selector.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_NAME = 63,    /* of a label's name part, and of a value */
    MAX_PREFIX = 253, /* of a key's DNS prefix */
    MAX_TEXT = 1 << 20,
};

enum operation { IN, NOT_IN, EXISTS, ABSENT, GREATER, LESS };

struct requirement {
    const char *key;
    const char **values;
    size_t value_count;
    int64_t number; /* of > and < */
    enum operation operation;
    bool equals; /* IN and NOT_IN spelled `=` and `!=` */
};

struct kube__selector {
    struct requirement *items;
    size_t len;
    const char **values; /* of all requirements */
    char *words;         /* their text, NUL after each */
};

/* ---- words --------------------------------------------------------------------------------- */

enum token { END, WORD, COMMA, OPEN, CLOSE, EQUAL, DOUBLE_EQUAL, NOT_EQUAL, NOT, MORE, FEWER };

struct parser {
    const char *start;
    const char *at;
    kube__selector *selector;
    char *next_word;
    const char **next_value;
    enum token token;
    const char *word; /* of the token, in source text */
    size_t word_len;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_special(char c)
{
    return c && strchr("=!(),><", c) != NULL;
}

static void advance(struct parser *p)
{
    static const char singles[] = ",()=!><";
    static const enum token tokens[] = {COMMA, OPEN, CLOSE, EQUAL, NOT, MORE, FEWER};
    while (is_space(*p->at))
        p->at++;
    p->word = p->at;
    if (!*p->at) {
        p->token = END;
    } else if (!is_special(*p->at)) {
        while (*p->at && !is_space(*p->at) && !is_special(*p->at))
            p->at++;
        p->token = WORD;
    } else {
        p->token = tokens[strchr(singles, *p->at) - singles];
        p->at++;
        if (*p->at == '=' && (p->token == EQUAL || p->token == NOT)) {
            p->token = p->token == EQUAL ? DOUBLE_EQUAL : NOT_EQUAL;
            p->at++;
        }
    }
    p->word_len = (size_t)(p->at - p->word);
}

static bool word_is(const struct parser *p, const char *text)
{
    return p->token == WORD && p->word_len == strlen(text) &&
           memcmp(p->word, text, p->word_len) == 0;
}

static kube_code unexpected(const struct parser *p, const char *expected, kube_error *err)
{
    if (p->token == END)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "label selector \"%.200s\": ends where %s is expected", p->start,
                              expected);
    return kube_error_set(err, KUBE_ERR_ARGUMENT,
                          "label selector \"%.200s\": found \"%.*s\" at %zu, expected %s", p->start,
                          (int)(p->word_len < 64 ? p->word_len : 64), p->word,
                          (size_t)(p->word - p->start), expected);
}

/* ---- rules of labels ----------------------------------------------------------------------- */

static bool is_alphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool is_name(const char *text, size_t len)
{
    if (len == 0 || len > MAX_NAME || !is_alphanumeric(text[0]) || !is_alphanumeric(text[len - 1]))
        return false;
    for (size_t i = 0; i < len; i++)
        if (!is_alphanumeric(text[i]) && !strchr("-_.", text[i]))
            return false;
    return true;
}

static bool is_prefix(const char *text, size_t len)
{
    char before = '.';
    if (len == 0 || len > MAX_PREFIX)
        return false;
    for (size_t i = 0; i < len; before = text[i++]) {
        bool letter = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= '0' && text[i] <= '9');
        if (text[i] == '.' ? (before == '.' || before == '-')
                           : !letter && (text[i] != '-' || before == '.'))
            return false;
    }
    return before != '.' && before != '-';
}

static bool is_key(const char *text, size_t len)
{
    const char *slash = memchr(text, '/', len);
    if (!slash)
        return is_name(text, len);
    return is_prefix(text, (size_t)(slash - text)) &&
           is_name(slash + 1, len - (size_t)(slash + 1 - text));
}

/* ---- grammar ------------------------------------------------------------------------------- */

/* Room was measured: the words of a selector are never longer than its text, a NUL replacing what
 * must stand between them. */
static const char *keep_word(struct parser *p, const char *text, size_t len)
{
    char *word = p->next_word;
    memcpy(word, text, len);
    word[len] = '\0';
    p->next_word += len + 1;
    return word;
}

static kube_code add_value(struct parser *p, struct requirement *r, const char *text, size_t len,
                           kube_error *err)
{
    const char *value;
    if (len > 0 && !is_name(text, len))
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "label selector \"%.200s\": \"%.*s\" is not a label value", p->start,
                              (int)(len < 80 ? len : 80), text);
    value = len ? keep_word(p, text, len) : "";
    for (size_t i = 0; i < r->value_count; i++)
        if (strcmp(r->values[i], value) == 0)
            return KUBE_OK;
    if (r->value_count == 0)
        r->values = p->next_value;
    r->values[r->value_count++] = value;
    p->next_value++;
    return KUBE_OK;
}

/* The rest of `in (a,b,)`: an empty place is the empty value. */
static kube_code parse_values(struct parser *p, struct requirement *r, kube_error *err)
{
    kube_code code = KUBE_OK;
    if (p->token != OPEN)
        return unexpected(p, "\"(\"", err);
    for (;;) {
        advance(p);
        if (p->token == WORD) {
            code = add_value(p, r, p->word, p->word_len, err);
            advance(p);
        } else if (p->token == COMMA || p->token == CLOSE) {
            code = add_value(p, r, "", 0, err);
        }
        if (code)
            return code;
        if (p->token == CLOSE)
            break;
        if (p->token != COMMA)
            return unexpected(p, "\",\" or \")\"", err);
    }
    advance(p);
    return KUBE_OK;
}

static kube_code parse_number(struct parser *p, struct requirement *r, kube_error *err)
{
    char text[24];
    char *end = NULL;
    if (p->token != WORD || p->word_len >= sizeof text)
        return unexpected(p, "an integer", err);
    memcpy(text, p->word, p->word_len);
    text[p->word_len] = '\0';
    errno = 0;
    r->number = strtoll(text, &end, 10);
    if (*end || errno)
        return unexpected(p, "an integer", err);
    advance(p);
    return KUBE_OK;
}

static kube_code parse_exact(struct parser *p, struct requirement *r, kube_error *err)
{
    kube_code code;
    r->equals = true;
    if (p->token == END || p->token == COMMA)
        return add_value(p, r, "", 0, err);
    if (p->token != WORD)
        return unexpected(p, "a value", err);
    code = add_value(p, r, p->word, p->word_len, err);
    advance(p);
    return code;
}

static kube_code parse_operation(struct parser *p, struct requirement *r, kube_error *err)
{
    enum token token = p->token;
    if (token == END || token == COMMA) {
        r->operation = EXISTS;
        return KUBE_OK;
    }
    if (word_is(p, "in") || word_is(p, "notin")) {
        r->operation = word_is(p, "in") ? IN : NOT_IN;
        advance(p);
        return parse_values(p, r, err);
    }
    if (token != EQUAL && token != DOUBLE_EQUAL && token != NOT_EQUAL && token != MORE &&
        token != FEWER)
        return unexpected(p, "=, ==, !=, in, notin, > or <", err);
    advance(p);
    if (token == MORE || token == FEWER) {
        r->operation = token == MORE ? GREATER : LESS;
        return parse_number(p, r, err);
    }
    r->operation = token == NOT_EQUAL ? NOT_IN : IN;
    return parse_exact(p, r, err);
}

static kube_code parse_requirement(struct parser *p, kube_error *err)
{
    struct requirement *r = &p->selector->items[p->selector->len];
    bool negated = p->token == NOT;
    if (negated)
        advance(p);
    if (p->token != WORD)
        return unexpected(p, "a label key", err);
    if (!is_key(p->word, p->word_len))
        return unexpected(p, "a label key", err);
    r->key = keep_word(p, p->word, p->word_len);
    p->selector->len++;
    advance(p);
    if (!negated)
        return parse_operation(p, r, err);
    r->operation = ABSENT;
    return KUBE_OK;
}

static int compare_requirements(const void *a, const void *b)
{
    return strcmp(((const struct requirement *)a)->key, ((const struct requirement *)b)->key);
}

static kube_code parse_all(struct parser *p, kube_error *err)
{
    kube_code code;
    advance(p);
    if (p->token == END)
        return KUBE_OK;
    for (;;) {
        code = parse_requirement(p, err);
        if (code)
            return code;
        if (p->token == END)
            break;
        if (p->token != COMMA)
            return unexpected(p, "\",\"", err);
        advance(p);
    }
    for (size_t i = 0; i < p->selector->len; i++)
        if (p->selector->items[i].value_count > 1)
            qsort(p->selector->items[i].values, p->selector->items[i].value_count,
                  sizeof(const char *), kube__text_compare);
    qsort(p->selector->items, p->selector->len, sizeof *p->selector->items, compare_requirements);
    return KUBE_OK;
}

static kube__selector *new_selector(const char *text)
{
    size_t len = strlen(text);
    size_t most = 1;
    kube__selector *selector = calloc(1, sizeof *selector);
    for (const char *p = text; *p; p++)
        most += *p == ',' || *p == '(';
    if (!selector)
        return NULL;
    selector->items = calloc(most, sizeof *selector->items);
    selector->values = calloc(2 * most, sizeof *selector->values);
    selector->words = malloc(len + 2);
    if (selector->items && selector->values && selector->words)
        return selector;
    kube__selector_free(selector);
    return NULL;
}

kube_code kube__selector_parse(const char *text, kube__selector **out, kube_error *err)
{
    struct parser parser = {.start = text, .at = text};
    kube_code code;
    *out = NULL;
    if (!text || !*text)
        return KUBE_OK;
    if (strlen(text) > MAX_TEXT)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "label selector: longer than %d bytes",
                              (int)MAX_TEXT);
    parser.selector = new_selector(text);
    if (!parser.selector)
        return kube__no_memory(err, "a label selector");
    parser.next_word = parser.selector->words;
    parser.next_value = parser.selector->values;
    code = parse_all(&parser, err);
    if (code || parser.selector->len == 0) {
        kube__selector_free(parser.selector);
        return code;
    }
    *out = parser.selector;
    return KUBE_OK;
}

void kube__selector_free(kube__selector *selector)
{
    if (!selector)
        return;
    free(selector->items);
    free(selector->values);
    free(selector->words);
    free(selector);
}

/* ---- matching ------------------------------------------------------------------------------ */

static bool in_values(const struct requirement *r, const char *value)
{
    for (size_t i = 0; i < r->value_count; i++)
        if (strcmp(r->values[i], value) == 0)
            return true;
    return false;
}

static bool compares(const struct requirement *r, const char *value)
{
    char *end = NULL;
    long long number;
    errno = 0;
    number = strtoll(value, &end, 10);
    if (end == value || *end || errno || is_space(value[0]))
        return false;
    return r->operation == GREATER ? number > r->number : number < r->number;
}

/* Few labels, equal keys mostly: a plain scan beats a search. */
static const char *find_label(const kube_string_map *labels, const char *key)
{
    for (size_t i = 0; i < labels->len; i++) {
        const char *have = labels->items[i].key;
        if (have && have[0] == key[0] && strcmp(have, key) == 0)
            return labels->items[i].value ? labels->items[i].value : "";
    }
    return NULL;
}

static bool requirement_matches(const struct requirement *r, const kube_string_map *labels)
{
    const char *value = find_label(labels, r->key);
    switch (r->operation) {
    case IN:
        return value && in_values(r, value);
    case NOT_IN:
        return !value || !in_values(r, value);
    case EXISTS:
        return value != NULL;
    case ABSENT:
        return value == NULL;
    case GREATER:
    case LESS:
        return value && compares(r, value);
    }
    return false;
}

bool kube__selector_matches(const kube__selector *selector, const kube_string_map *labels)
{
    if (!selector)
        return true;
    for (size_t i = 0; i < selector->len; i++)
        if (!requirement_matches(&selector->items[i], labels))
            return false;
    return true;
}

static void write_set(kube__buffer *text, const struct requirement *r)
{
    kube__buffer_printf(text, "%s %s (", r->key, r->operation == IN ? "in" : "notin");
    for (size_t i = 0; i < r->value_count; i++)
        kube__buffer_printf(text, "%s%s", i ? "," : "", r->values[i]);
    kube__buffer_add_text(text, ")");
}

static void write_requirement(kube__buffer *text, const struct requirement *r)
{
    switch (r->operation) {
    case IN:
    case NOT_IN:
        if (r->equals)
            kube__buffer_printf(text, "%s%s%s", r->key,
                                r->operation == IN ? "=" : "!=", r->values[0]);
        else
            write_set(text, r);
        break;
    case EXISTS:
    case ABSENT:
        kube__buffer_printf(text, "%s%s", r->operation == ABSENT ? "!" : "", r->key);
        break;
    case GREATER:
    case LESS:
        kube__buffer_printf(text, "%s%c%lld", r->key, r->operation == GREATER ? '>' : '<',
                            (long long)r->number);
        break;
    }
}

char *kube__selector_text(const kube__selector *selector)
{
    kube__buffer text;
    kube__buffer_init(&text, 2 * MAX_TEXT);
    kube__buffer_add_text(&text, "");
    for (size_t i = 0; selector && i < selector->len; i++) {
        if (i)
            kube__buffer_add_text(&text, ",");
        write_requirement(&text, &selector->items[i]);
    }
    return text.failed ? NULL : text.data;
}
