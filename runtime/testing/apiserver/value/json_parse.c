/* SPDX-License-Identifier: Apache-2.0 */
/* Text to tree, on the runtime's lexer. */
#include "json.h"
#include "object/json/lexer.h"
#include "object/json/writer.h"

#include <inttypes.h>

/* Where we are: for the path of a repeated key. */
typedef struct place {
    const struct place *parent;
    const char *key; /* NULL = an element */
    size_t index;
} place;

typedef struct parser {
    kube_ctx *ctx;
    kube__lexer lexer;
    const char *text;
    char *strings;    /* room for all that is still to be read: no token is longer decoded */
    const char *what; /* is wrong, when it is not the lexer that says so */
    kube__json_duplicate *duplicate;
    void *arg;
} parser;

static kube__json *parse_value(parser *p, const place *at);

static kube__json *new_node(parser *p, kube__json_kind kind)
{
    kube__json *node = kube_ctx_alloc(p->ctx, sizeof *node);
    if (node)
        node->kind = kind;
    return node;
}

static kube__json *broken(parser *p, const char *what)
{
    p->what = what;
    return NULL;
}

static char *read_string(parser *p, size_t *len)
{
    uint32_t length = 0;
    char *text = p->strings;
    if (*p->lexer.p != '"')
        return NULL;
    if (kube__lex_string(&p->lexer, text, &length))
        return NULL;
    p->strings += (size_t)length + 1;
    *len = length;
    return text;
}

static kube__json *parse_string(parser *p)
{
    kube__json *node = new_node(p, KUBE__JSON_STRING);
    if (node)
        node->text = read_string(p, &node->len);
    return node && node->text ? node : NULL;
}

static bool is_plain_int64(const char *text, size_t len)
{
    int64_t value;
    const char *end = text + len;
    for (const char *c = text + (*text == '-'); c < end; c++) {
        if (*c < '0' || *c > '9')
            return false;
    }
    if (len == 2 && text[0] == '-' && text[1] == '0')
        return false;
    if (len < 19)
        return true;
    char copy[24];
    if (len >= sizeof copy)
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    kube__json number = {.kind = KUBE__JSON_NUMBER, .text = copy, .len = len};
    return kube__json_to_int(&number, &value);
}

static kube__json *parse_number(parser *p)
{
    const char *from = p->lexer.p;
    if (kube__lex_number(&p->lexer))
        return NULL;
    size_t len = (size_t)(p->lexer.p - from);
    if (!is_plain_int64(from, len)) {
        double value;
        p->lexer.p = from;
        return kube__lex_double(&p->lexer, &value) ? NULL : kube__json_double(p->ctx, value);
    }
    kube__json *node = new_node(p, KUBE__JSON_NUMBER);
    if (!node)
        return NULL;
    node->text = p->strings;
    node->len = len;
    memcpy(p->strings, from, len);
    p->strings[len] = '\0';
    p->strings += len + 1;
    return node;
}

static kube__json *parse_bool(parser *p)
{
    kube__json *node = new_node(p, KUBE__JSON_BOOL);
    return node && !kube__lex_bool(&p->lexer, &node->boolean) ? node : NULL;
}

static bool enter(parser *p)
{
    if (p->lexer.depth >= KUBE__LEX_DEPTH)
        return broken(p, "nested too deeply");
    p->lexer.depth++;
    p->lexer.p++;
    kube__lex_space(&p->lexer);
    return true;
}

/* Behind an element: 1 = another one follows, 0 = that was the last, -1 = neither. */
static int next(parser *p, char close)
{
    kube__lex_space(&p->lexer);
    char c = *p->lexer.p;
    if (c != ',' && c != close) {
        broken(p, close == '}' ? "expected , or }" : "expected , or ]");
        return -1;
    }
    p->lexer.p++;
    p->lexer.depth -= c == close;
    if (c == ',')
        kube__lex_space(&p->lexer);
    return c == ',';
}

static void leave_empty(parser *p)
{
    p->lexer.p++;
    p->lexer.depth--;
}

static kube__json *parse_array(parser *p, const place *at)
{
    kube__json *array = new_node(p, KUBE__JSON_ARRAY);
    if (!array || !enter(p))
        return NULL;
    if (*p->lexer.p == ']') {
        leave_empty(p);
        return array;
    }
    int more;
    do {
        place element = {at, NULL, array->len};
        kube__json *value = parse_value(p, &element);
        if (!value)
            return NULL;
        kube__json_append(array, value);
        more = next(p, ']');
    } while (more > 0);
    return more < 0 ? NULL : array;
}

/* ---- objects -------------------------------------------------------------------------------- */

static void put_path(const place *at, kube__buffer *out)
{
    if (!at)
        return;
    put_path(at->parent, out);
    if (at->key)
        kube__buffer_printf(out, out->len ? ".%s" : "%s", at->key);
    else
        kube__buffer_printf(out, "[%zu]", at->index);
}

static void tell_duplicate(parser *p, const place *at, const char *key)
{
    kube__buffer path;
    if (!p->duplicate)
        return;
    kube__buffer_init(&path, 64 * 1024);
    put_path(at, &path);
    p->duplicate(p->arg, path.data ? path.data : "", key);
    kube__buffer_fini(&path);
}

/* The last value wins, in the first one's place. */
static void replace(kube__json *known, const kube__json *value)
{
    kube__json replaced = *known;
    *known = *value;
    known->key = replaced.key;
    known->next = replaced.next;
    known->previous = replaced.previous;
}

static bool parse_member(parser *p, const place *at, kube__json *object)
{
    size_t len;
    char *key = read_string(p, &len);
    if (!key) {
        if (*p->lexer.p != '"')
            broken(p, "expected a member's name");
        return false;
    }
    kube__lex_space(&p->lexer);
    if (*p->lexer.p != ':')
        return broken(p, "expected :");
    p->lexer.p++;
    place member = {at, key, 0};
    kube__json *value = parse_value(p, &member);
    if (!value)
        return false;
    kube__json *known = kube__json_get(object, key);
    if (known) {
        tell_duplicate(p, at, key);
        replace(known, value);
        return true;
    }
    value->key = key;
    return kube__json_add_member(p->ctx, object, value);
}

static kube__json *parse_object(parser *p, const place *at)
{
    kube__json *object = new_node(p, KUBE__JSON_OBJECT);
    if (!object || !enter(p))
        return NULL;
    if (*p->lexer.p == '}') {
        leave_empty(p);
        return object;
    }
    int more;
    do {
        if (!parse_member(p, at, object))
            return NULL;
        more = next(p, '}');
    } while (more > 0);
    return more < 0 ? NULL : object;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static kube__json *parse_value(parser *p, const place *at)
{
    kube__lex_space(&p->lexer);
    switch (*p->lexer.p) {
    case '{':
        return parse_object(p, at);
    case '[':
        return parse_array(p, at);
    case '"':
        return parse_string(p);
    case 't':
    case 'f':
        return parse_bool(p);
    case 'n':
        return kube__lex_null(&p->lexer) ? NULL : new_node(p, KUBE__JSON_NULL);
    default:
        return parse_number(p);
    }
}

static const char *describe_fault(parser *p)
{
    size_t offset = (size_t)(p->lexer.p - p->text);
    size_t len = (size_t)(p->lexer.end - 1 - p->text);
    const char *what = p->what ? p->what : p->lexer.what;
    if (offset >= len || !what)
        return kube__api_text(p->ctx, "unexpected end at byte %zu", len);
    return kube__api_text(p->ctx, "%s at byte %zu", what, offset);
}

kube__json *kube__json_parse(kube_ctx *ctx, const char *text, size_t len, const char **fault,
                             kube__json_duplicate *duplicate, void *arg)
{
    if (fault)
        *fault = NULL;
    char *copy = kube_ctx_alloc(ctx, len + 1 + KUBE__LEX_PADDING);
    /* Strings and numbers with a NUL each: never longer than the text, whose quotes and commas
     * they leave out, but for a document that is one number. */
    char *strings = kube_ctx_alloc(ctx, len + KUBE__LEX_PADDING);
    if (!copy || !strings)
        return NULL;
    memcpy(copy, text, len);
    copy[len] = '\n'; /* a number at the end has ended */
    parser p = {ctx, {.p = copy, .end = copy + len + 1}, copy, strings, NULL, duplicate, arg};
    kube__json *value = parse_value(&p, NULL);
    if (value) {
        kube__lex_space(&p.lexer);
        if (p.lexer.p == p.lexer.end)
            return value;
        p.what = "text after the value";
    }
    if (fault && !kube_ctx_failed(ctx))
        *fault = describe_fault(&p);
    return NULL;
}
