/* SPDX-License-Identifier: Apache-2.0 */
#include "template_parse.h"

#include "support/ascii.h"

#include <stdlib.h>
#include <string.h>

typedef struct parser {
    arena *arena;
    const char *name;
    const char *start;
    const char *at;   /* first byte not read yet */
    const char *text; /* first byte of the text node that is being read */
    unsigned line;    /* of at */
    const char *open;
    const char *close;
    node_list *nodes;
    VEC(size_t) sections; /* open ones, innermost last */
    str *error;
} parser;

/* A tag between its delimiters. */
typedef struct tag {
    char sigil; /* 0 = variable */
    const char *begin;
    const char *end; /* both with delimiters */
    char *name;
    unsigned line;
} tag;

static bool fail(parser *p, unsigned line, const char *what, const char *name)
{
    str_printf(p->error, name ? "%s:%u: %s '%s'" : "%s:%u: %s", p->name, line, what, name);
    return false;
}

static unsigned count_lines(const char *from, const char *to)
{
    unsigned count = 0;
    for (; from < to; from++)
        count += *from == '\n';
    return count;
}

static char *trimmed(parser *p, const char *begin, const char *end)
{
    while (begin < end && ascii_is_space(*begin))
        begin++;
    while (end > begin && ascii_is_space(end[-1]))
        end--;
    return arena_strndup(p->arena, begin, (size_t)(end - begin));
}

/* Reads the tag that begins at p->at. */
static bool read_tag(parser *p, tag *t)
{
    const char *body = p->at + strlen(p->open);
    const char *closing = p->close;
    const char *stop;
    t->begin = p->at;
    t->line = p->line;
    t->sigil = 0;
    while (ascii_is_space(*body))
        body++;
    if (*body && strchr("#^/>!&{=", *body))
        t->sigil = *body++;
    if (t->sigil == '{' || t->sigil == '=')
        closing = arena_printf(p->arena, "%c%s", t->sigil == '{' ? '}' : '=', p->close);
    stop = strstr(body, closing);
    if (!stop)
        return fail(p, t->line, "tag is not closed", NULL);
    t->end = stop + strlen(closing);
    t->name = trimmed(p, body, stop);
    return true;
}

/* Whether only blanks stand beside a tag on its line; then @from and @to are the line's ends. */
static bool stands_alone(const parser *p, const tag *t, const char **from, const char **to)
{
    const char *left = t->begin;
    const char *right = t->end;
    while (left > p->start && ascii_is_blank(left[-1]))
        left--;
    if (left > p->start && left[-1] != '\n')
        return false;
    while (ascii_is_blank(*right))
        right++;
    if (*right == '\r' && right[1] == '\n')
        right++;
    if (*right && *right != '\n')
        return false;
    *from = left;
    *to = *right ? right + 1 : right;
    return true;
}

static void add_text(parser *p, const char *end)
{
    if (end > p->text) {
        node *n = VEC_ADD(p->nodes);
        n->kind = NODE_TEXT;
        n->text = p->text;
        n->len = (size_t)(end - p->text);
        n->line = p->line;
    }
}

static node *add_node(parser *p, node_kind kind, const tag *t)
{
    node *n = VEC_ADD(p->nodes);
    n->kind = kind;
    n->line = t->line;
    n->name = t->name;
    n->indent = "";
    return n;
}

static bool set_delimiters(parser *p, const tag *t)
{
    char *middle = t->name;
    char *second;
    while (*middle && !ascii_is_space(*middle))
        middle++;
    second = middle;
    while (ascii_is_space(*second))
        second++;
    if (middle == t->name || !*second || strpbrk(second, " \t\r\n=") || strchr(t->name, '='))
        return fail(p, t->line, "bad delimiters", t->name);
    *middle = '\0';
    p->open = t->name;
    p->close = second;
    return true;
}

static bool close_section(parser *p, const tag *t)
{
    const node *open;
    if (!p->sections.len)
        return fail(p, t->line, "no section is open here to be closed by", t->name);
    open = &p->nodes->items[p->sections.items[p->sections.len - 1]];
    if (strcmp(open->name, t->name) != 0) {
        str_printf(p->error, "%s:%u: section '%s' of line %u is closed by '%s'", p->name, t->line,
                   open->name, open->line, t->name);
        return false;
    }
    p->nodes->items[p->sections.items[--p->sections.len]].end = p->nodes->len;
    return true;
}

static bool add_tag(parser *p, const tag *t, const char *line_start)
{
    if (t->sigil == '!')
        return true;
    if (t->sigil == '=')
        return set_delimiters(p, t);
    if (!*t->name || strpbrk(t->name, " \t\r\n"))
        return fail(p, t->line, "bad name in a tag:", t->name);
    switch (t->sigil) {
    case '#':
    case '^':
        *VEC_ADD(&p->sections) = p->nodes->len;
        add_node(p, t->sigil == '#' ? NODE_SECTION : NODE_INVERTED, t);
        return true;
    case '/':
        return close_section(p, t);
    case '>':
        add_node(p, NODE_PARTIAL, t)->indent =
            line_start ? arena_strndup(p->arena, line_start, (size_t)(t->begin - line_start)) : "";
        return true;
    default:
        add_node(p, NODE_VARIABLE, t);
        return true;
    }
}

static bool parse_all(parser *p)
{
    for (;;) {
        const char *begin = strstr(p->at, p->open);
        const char *from = NULL;
        const char *to;
        tag t;
        if (!begin)
            break;
        p->line += count_lines(p->at, begin);
        p->at = begin;
        if (!read_tag(p, &t))
            return false;
        to = t.end;
        if (t.sigil && t.sigil != '&' && t.sigil != '{' && stands_alone(p, &t, &from, &to))
            add_text(p, from > p->text ? from : p->text);
        else
            add_text(p, begin);
        if (!add_tag(p, &t, from))
            return false;
        p->line += count_lines(begin, to);
        p->at = p->text = to;
    }
    add_text(p, p->at + strlen(p->at));
    if (p->sections.len) {
        const node *open = &p->nodes->items[p->sections.items[p->sections.len - 1]];
        return fail(p, open->line, "section is not closed:", open->name);
    }
    return true;
}

bool template_parse(arena *memory, const char *name, const char *text, node_list *nodes, str *error)
{
    parser p = {
        .arena = memory,
        .name = name,
        .start = text,
        .at = text,
        .text = text,
        .line = 1,
        .open = "{{",
        .close = "}}",
        .nodes = nodes,
        .error = error,
    };
    bool ok = parse_all(&p);
    free(p.sections.items);
    return ok;
}
