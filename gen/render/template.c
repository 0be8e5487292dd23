/* SPDX-License-Identifier: Apache-2.0 */
#include "template.h"

#include "template_parse.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 }; /* of sections and partials: a partial may contain itself */

typedef struct renderer {
    const template_set *set;
    arena *arena;
    str *out;
    str *error;
    unsigned depth;
    VEC(const json_value *) stack; /* contexts, innermost last */
} renderer;

static bool render_template(renderer *r, const char *name, const char *text);

/* A name's first part is looked for in all contexts, the others only in what it found. */
static const json_value *look_up(const renderer *r, const char *name)
{
    const json_value *found = NULL;
    char *path = arena_strdup(r->arena, name);
    char *rest = strchr(path, '.');
    if (strcmp(name, ".") == 0)
        return r->stack.items[r->stack.len - 1];
    if (rest)
        *rest++ = '\0';
    for (size_t i = r->stack.len; i > 0 && !found; i--)
        found = json_get(r->stack.items[i - 1], path);
    while (found && rest) {
        char *part = rest;
        rest = strchr(part, '.');
        if (rest)
            *rest++ = '\0';
        found = json_get(found, part);
    }
    return found;
}

static bool fail(renderer *r, const char *template, const node *n, const char *what)
{
    str_printf(r->error, "%s:%u: %s '%s'", template, n->line, what, n->name);
    return false;
}

static bool render_variable(renderer *r, const char *template, const node *n)
{
    const json_value *value = look_up(r, n->name);
    if (!value)
        return !r->set->strict || fail(r, template, n, "there is no value for");
    switch (json_kind_of(value)) {
    case JSON_STRING:
    case JSON_NUMBER:
        str_add(r->out, json_text(value));
        break;
    case JSON_BOOL:
        str_add(r->out, json_is_true(value) ? "true" : "false");
        break;
    case JSON_NULL:
        break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        return !r->set->strict || fail(r, template, n, "a list or an object is not a text:");
    }
    return true;
}

static bool is_falsy(const json_value *value)
{
    if (!value)
        return true;
    switch (json_kind_of(value)) {
    case JSON_NULL:
        return true;
    case JSON_BOOL:
        return !json_is_true(value);
    case JSON_ARRAY:
        return !json_first(value);
    default:
        return false;
    }
}

/* The text of a partial with @indent before each line that is not empty. */
static const char *indented(renderer *r, const char *text, const char *indent)
{
    str copy = {0};
    bool at_start = true;
    const char *result;
    if (!*indent)
        return text;
    for (; *text; text++) {
        if (at_start && *text != '\n' && *text != '\r')
            str_add(&copy, indent);
        str_add_char(&copy, *text);
        at_start = *text == '\n';
    }
    result = arena_strdup(r->arena, str_text(&copy));
    str_free(&copy);
    return result;
}

static bool render_nodes(renderer *r, const char *template, const node_list *nodes, size_t from,
                         size_t to);

static bool render_in(renderer *r, const char *template, const node_list *nodes, size_t section,
                      const json_value *context)
{
    bool ok;
    *VEC_ADD(&r->stack) = context;
    ok = render_nodes(r, template, nodes, section + 1, nodes->items[section].end);
    r->stack.len--;
    return ok;
}

static bool render_section(renderer *r, const char *template, const node_list *nodes,
                           size_t section)
{
    const json_value *value = look_up(r, nodes->items[section].name);
    const json_value *item;
    if (is_falsy(value))
        return true;
    if (json_kind_of(value) != JSON_ARRAY)
        return render_in(r, template, nodes, section, value);
    for (item = json_first(value); item; item = json_next(item))
        if (!render_in(r, template, nodes, section, item))
            return false;
    return true;
}

static bool render_partial(renderer *r, const char *template, const node *n)
{
    const char *text = r->set->find(r->set->arg, n->name);
    bool ok;
    if (!text)
        return !r->set->strict || fail(r, template, n, "no template is named");
    if (r->depth == MAX_DEPTH)
        return fail(r, template, n, "templates nest too deeply at");
    r->depth++;
    ok = render_template(r, n->name, indented(r, text, n->indent));
    r->depth--;
    return ok;
}

static bool render_nodes(renderer *r, const char *template, const node_list *nodes, size_t from,
                         size_t to)
{
    bool ok = true;
    size_t i = from;
    while (ok && i < to) {
        const node *n = &nodes->items[i];
        size_t next = i + 1;
        switch (n->kind) {
        case NODE_TEXT:
            str_add_len(r->out, n->text, n->len);
            break;
        case NODE_VARIABLE:
            ok = render_variable(r, template, n);
            break;
        case NODE_SECTION:
            ok = render_section(r, template, nodes, i);
            next = n->end;
            break;
        case NODE_INVERTED:
            if (is_falsy(look_up(r, n->name)))
                ok = render_nodes(r, template, nodes, next, n->end);
            next = n->end;
            break;
        case NODE_PARTIAL:
            ok = render_partial(r, template, n);
            break;
        }
        i = next;
    }
    return ok;
}

static bool render_template(renderer *r, const char *name, const char *text)
{
    node_list nodes = {0};
    bool ok = template_parse(r->arena, name, text, &nodes, r->error) &&
              render_nodes(r, name, &nodes, 0, nodes.len);
    free(nodes.items);
    return ok;
}

bool template_render(const template_set *set, const char *name, const json_value *view, str *out,
                     str *error)
{
    renderer r = {.set = set, .arena = arena_new(), .out = out, .error = error};
    const char *text = set->find(set->arg, name);
    bool ok = false;
    *VEC_ADD(&r.stack) = view;
    if (text)
        ok = render_template(&r, name, text);
    else
        str_printf(error, "%s: there is no template of this name", name);
    free(r.stack.items);
    arena_free(r.arena);
    return ok;
}
