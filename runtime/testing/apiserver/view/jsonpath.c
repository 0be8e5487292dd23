/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of JSONPath that printer columns use: .a.b, .a\.b, ['a','b'], [0], [-1], [1:3], [*], .*,
 * ..a and [?(@.x == "y")].
 */
#include "base/ascii.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

enum { NODE_LIMIT = 256, DEPTH_LIMIT = 200, FILTER_LIMIT = 8 };

typedef struct nodes {
    const kube__json *items[NODE_LIMIT];
    size_t len;
} nodes;

typedef struct reader {
    kube_ctx *ctx;
    const char *at;
    int filters; /* that the reader is inside of */
    bool failed;
} reader;

static void add(nodes *list, const kube__json *value)
{
    if (value && list->len < NODE_LIMIT)
        list->items[list->len++] = value;
}

static bool takes(reader *r, const char *text)
{
    size_t len = strlen(text);
    if (strncmp(r->at, text, len) != 0)
        return false;
    r->at += len;
    return true;
}

static void skip_blanks(reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

/* A name up to what may follow it; a backslash takes any character in. */
static const char *read_name(reader *r)
{
    char *name = kube_ctx_alloc(r->ctx, strlen(r->at) + 1);
    size_t len = 0;
    while (name && *r->at && !strchr(".[] ()=!<>,}", *r->at)) {
        if (*r->at == '\\' && r->at[1])
            r->at++;
        name[len++] = *r->at++;
    }
    if (!len)
        r->failed = true;
    return name ? name : "";
}

static const char *read_quoted(reader *r)
{
    char quote = *r->at++;
    char *text = kube_ctx_alloc(r->ctx, strlen(r->at) + 1);
    size_t len = 0;
    while (text && *r->at && *r->at != quote) {
        if (*r->at == '\\' && r->at[1])
            r->at++;
        text[len++] = *r->at++;
    }
    if (*r->at)
        r->at++;
    else
        r->failed = true;
    return text ? text : "";
}

static void select_name(const nodes *from, const char *name, nodes *to)
{
    for (size_t i = 0; i < from->len; i++) {
        if (strcmp(name, "*") != 0)
            add(to, kube__json_get(from->items[i], name));
        else
            KUBE__JSON_EACH (child, from->items[i])
                add(to, child);
    }
}

static void select_below(const kube__json *value, const char *name, int depth, nodes *to)
{
    if (depth > DEPTH_LIMIT)
        return;
    add(to, kube__json_get(value, name));
    KUBE__JSON_EACH (child, value)
        select_below(child, name, depth + 1, to);
}

/* start:end:step of an array; an index alone is a slice of one. */
typedef struct slice {
    bool has_start;
    bool has_end;
    bool single;
    long start;
    long end;
    long step;
} slice;

static bool read_long(reader *r, long *out)
{
    char *end = NULL;
    if (!kube__is_digit(*r->at) && *r->at != '-')
        return false;
    *out = strtol(r->at, &end, 10);
    if (end == r->at)
        r->failed = true;
    r->at = end;
    return true;
}

static slice read_slice(reader *r)
{
    slice s = {.step = 1};
    s.has_start = read_long(r, &s.start);
    s.single = *r->at != ':';
    if (takes(r, ":"))
        s.has_end = read_long(r, &s.end);
    if (takes(r, ":"))
        read_long(r, &s.step);
    if ((s.single && !s.has_start) || s.step < 1)
        r->failed = true;
    return s;
}

static void select_slice(const nodes *from, const slice *s, nodes *to)
{
    for (size_t i = 0; i < from->len; i++) {
        if (!kube__json_is(from->items[i], KUBE__JSON_ARRAY))
            continue;
        long len = (long)from->items[i]->len;
        long start = s->has_start ? s->start : 0;
        long end = s->has_end ? s->end : len;
        long step = s->step < len ? s->step : len;
        start = start < 0 ? start + len : start;
        if (s->single)
            end = start < len ? start + 1 : len;
        else if (end < 0)
            end += len;
        kube__json *item = start < 0 ? NULL : kube__json_item(from->items[i], (size_t)start);
        for (long k = start; item && k < end; k++, item = item->next)
            if ((k - start) % step == 0)
                add(to, item);
    }
}

static void walk(reader *r, nodes *list);

/* ---- filters -------------------------------------------------------------------------------- */

/* A literal, or the first value that a path finds from @item; NULL = nothing. */
static const kube__json *read_operand(reader *r, const kube__json *item)
{
    const kube__json *out = NULL;
    skip_blanks(r);
    if (*r->at == '"' || *r->at == '\'') {
        out = kube__json_string(r->ctx, read_quoted(r));
    } else if (takes(r, "@")) {
        nodes list = {.len = 0};
        add(&list, item);
        walk(r, &list);
        out = list.len ? list.items[0] : NULL;
    } else {
        const char *start = r->at;
        size_t len = strcspn(start, " )=!<>");
        out = kube__json_parse(r->ctx, start, len, NULL, NULL, NULL);
        r->at += len;
        r->failed = r->failed || !out;
    }
    skip_blanks(r);
    return out;
}

static const char *read_operator(reader *r)
{
    static const char *const operators[] = {"==", "!=", "<=", ">=", "<", ">"};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (takes(r, operators[i]))
            return operators[i];
    }
    return "";
}

static bool compare(const kube__json *a, const char *op, const kube__json *b)
{
    double x = 0;
    double y = 0;
    bool numbers = kube__json_to_double(a, &x) && kube__json_to_double(b, &y);
    if (op[0] == '=')
        return kube__json_equal(a, b);
    if (op[0] == '!')
        return !kube__json_equal(a, b);
    if (!numbers) {
        if (!kube__json_is(a, KUBE__JSON_STRING) || !kube__json_is(b, KUBE__JSON_STRING))
            return false;
        x = strcmp(a->text, b->text);
        y = 0;
    }
    bool or_equal = op[1] == '=' && x == y;
    return or_equal || (op[0] == '<' ? x < y : x > y);
}

/* The reader stands behind "?("; @r moves behind ")" with every item alike. */
static void select_matching(reader *r, const nodes *from, nodes *to)
{
    const char *start = r->at;
    const char *end = NULL;
    if (++r->filters > FILTER_LIMIT)
        r->failed = true;
    kube__json *nothing = kube__json_null(r->ctx);
    for (size_t i = 0; i <= from->len && !r->failed; i++) {
        /* One round more than there are nodes, on nothing, to read the text if nothing was found.
         */
        const kube__json *value = i < from->len ? from->items[i] : NULL;
        const kube__json *item = value && value->first ? value->first : nothing;
        for (; item && !r->failed; item = value ? item->next : NULL) {
            r->at = start;
            const kube__json *left = read_operand(r, item);
            const char *op = read_operator(r);
            bool matches = left != NULL;
            if (*op) {
                const kube__json *right = read_operand(r, item);
                matches = left && right && compare(left, op, right);
            }
            r->failed = r->failed || !takes(r, ")");
            end = r->at;
            if (matches && value && item != nothing)
                add(to, item);
        }
    }
    r->filters--;
    if (end)
        r->at = end;
}

/* ---- steps ---------------------------------------------------------------------------------- */

static void bracket(reader *r, const nodes *from, nodes *to)
{
    skip_blanks(r);
    if (takes(r, "?(")) {
        select_matching(r, from, to);
    } else if (takes(r, "*")) {
        select_name(from, "*", to);
    } else if (*r->at == '\'' || *r->at == '"') {
        do {
            skip_blanks(r);
            if (*r->at != '\'' && *r->at != '"') {
                r->failed = true;
                break;
            }
            select_name(from, read_quoted(r), to);
            skip_blanks(r);
        } while (takes(r, ","));
    } else {
        slice s = read_slice(r);
        if (!r->failed)
            select_slice(from, &s, to);
    }
    skip_blanks(r);
    r->failed = r->failed || !takes(r, "]");
}

/* Goes on from @list as long as the text has steps. */
static void walk(reader *r, nodes *list)
{
    nodes next = {.len = 0};
    while (!r->failed && (*r->at == '.' || *r->at == '[')) {
        next.len = 0;
        if (takes(r, "..")) {
            const char *name = read_name(r);
            for (size_t i = 0; i < list->len; i++)
                select_below(list->items[i], name, 0, &next);
        } else if (takes(r, "[")) {
            bracket(r, list, &next);
        } else {
            r->at++;
            if (!*r->at || *r->at == '[')
                continue; /* "." alone, and ".[0]" */
            select_name(list, read_name(r), &next);
        }
        memcpy(list->items, next.items, next.len * sizeof *next.items);
        list->len = next.len;
    }
}

size_t kube__jsonpath_find(kube_ctx *ctx, const kube__json *document, const char *path,
                           const kube__json **found, size_t size)
{
    nodes list = {.len = 0};
    reader r = {.ctx = ctx, .at = path};
    takes(&r, "$");
    add(&list, document);
    walk(&r, &list);
    if (r.failed || *r.at)
        return 0;
    size_t count = list.len < size ? list.len : size;
    for (size_t i = 0; i < count; i++)
        found[i] = list.items[i];
    return count;
}
