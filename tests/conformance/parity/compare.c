/* SPDX-License-Identifier: Apache-2.0 */
#include "compare.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_MAX = 220 };

/* Those that a client acts on. */
static const char *const headers_compared[] = {
    "content-type", "content-encoding", "cache-control",          "location", "retry-after",
    "warning",      "www-authenticate", "x-content-type-options", "vary",     "allow",
};

void parity_add_difference(parity_differences *list, const char *line)
{
    if (list->count < PARITY_DIFFERENCES_MAX)
        list->lines[list->count++] = line;
    else
        list->more = true;
}

static const char *shown(kube_ctx *ctx, const kube__json *value)
{
    size_t len;
    const char *text = value ? kube__json_text(ctx, value, &len) : "nothing";
    if (value && len > SHOWN_MAX)
        return kube_printf(ctx, "%.*s…", SHOWN_MAX, text);
    return text;
}

static void differ(parity_differences *list, const char *path, const kube__json *a,
                   const kube__json *b)
{
    parity_add_difference(list, kube_printf(list->ctx, "%s: %s and %s", path, shown(list->ctx, a),
                                            shown(list->ctx, b)));
}

/* Texts about resource versions may name other numbers. */
static bool same_but_versions(const char *a, const char *b)
{
    if (!strstr(a, "esource version") && !strstr(a, "esourceVersion"))
        return false;
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0123456789");
            b += strspn(b, "0123456789");
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return !*a && !*b;
}

static bool same_scalar(const kube__json *a, const kube__json *b)
{
    if (a->kind == KUBE__JSON_BOOL)
        return a->boolean == b->boolean;
    if (a->kind == KUBE__JSON_NULL)
        return true;
    return strcmp(a->text, b->text) == 0 ||
           (a->kind == KUBE__JSON_STRING && same_but_versions(a->text, b->text));
}

/* Where key order is promised: objects themselves, and their metadata. */
static bool order_matters(const char *path, const kube__json *value)
{
    size_t len = strlen(path);
    return (kube__json_get(value, "kind") && kube__json_get(value, "apiVersion")) ||
           (kube__json_get(value, "type") && kube__json_get(value, "object")) ||
           strcmp(path, "body") == 0 || (len >= 8 && strcmp(path + len - 8, "metadata") == 0) ||
           (path[len - 1] == ']' && kube__json_get(value, "metadata"));
}

static void compare_order(parity_differences *list, const char *path, const kube__json *a,
                          const kube__json *b)
{
    kube__json *x = a->first;
    kube__json *y = b->first;
    const char *order[2] = {"", ""};
    while (x && y && strcmp(x->key, y->key) == 0) {
        x = x->next;
        y = y->next;
    }
    if (!x && !y)
        return;
    KUBE__JSON_EACH (child, a)
        order[0] = kube_printf(list->ctx, "%s %s", order[0], child->key);
    KUBE__JSON_EACH (child, b)
        order[1] = kube_printf(list->ctx, "%s %s", order[1], child->key);
    parity_add_difference(
        list, kube_printf(list->ctx, "%s: order of members:%s and%s", path, order[0], order[1]));
}

static void compare_values(parity_differences *list, const char *path, const kube__json *a,
                           const kube__json *b);

static void compare_objects(parity_differences *list, const char *path, const kube__json *a,
                            const kube__json *b)
{
    bool same_keys = a->len == b->len;
    KUBE__JSON_EACH (child, a) {
        const kube__json *other = kube__json_get(b, child->key);
        same_keys &= other != NULL;
        compare_values(list, kube_printf(list->ctx, "%s.%s", path, child->key), child, other);
    }
    KUBE__JSON_EACH (child, b)
        if (!kube__json_get(a, child->key))
            differ(list, kube_printf(list->ctx, "%s.%s", path, child->key), NULL, child);
    if (same_keys && order_matters(path, a))
        compare_order(list, path, a, b);
}

static void compare_arrays(parity_differences *list, const char *path, const kube__json *a,
                           const kube__json *b)
{
    const kube__json *x = a->first;
    const kube__json *y = b->first;
    if (a->len != b->len)
        parity_add_difference(
            list, kube_printf(list->ctx, "%s: %zu and %zu elements", path, a->len, b->len));
    for (size_t i = 0; x || y; i++) {
        compare_values(list, kube_printf(list->ctx, "%s[%zu]", path, i), x, y);
        x = x ? x->next : NULL;
        y = y ? y->next : NULL;
    }
}

static void compare_values(parity_differences *list, const char *path, const kube__json *a,
                           const kube__json *b)
{
    if (!a || !b || a->kind != b->kind)
        differ(list, path, a, b);
    else if (a->kind == KUBE__JSON_OBJECT)
        compare_objects(list, path, a, b);
    else if (a->kind == KUBE__JSON_ARRAY)
        compare_arrays(list, path, a, b);
    else if (!same_scalar(a, b))
        differ(list, path, a, b);
}

/* A body that is one value, or a value a line (a watch): then an array of them. */
static kube__json *parse_body(kube_ctx *ctx, const parity_response *answer)
{
    kube__json *all = kube__json_parse(ctx, answer->body, answer->body_len, NULL, NULL, NULL);
    const char *line = answer->body;
    if (all || answer->body_len == 0 || answer->body[0] != '{')
        return all;
    all = kube__json_array(ctx);
    while (*line) {
        size_t len = strcspn(line, "\n");
        kube__json *event = kube__json_parse(ctx, line, len, NULL, NULL, NULL);
        if (!event)
            return NULL;
        kube__json_append(all, event);
        line += len + (line[len] == '\n');
    }
    return all;
}

/* A one-event watch is an array too. */
static kube__json *body_of(kube_ctx *ctx, const parity_response *answer)
{
    kube__json *body = parse_body(ctx, answer);
    kube__json *array;
    if (!kube__json_get(body, "type") || !kube__json_get(body, "object"))
        return body;
    array = kube__json_array(ctx);
    kube__json_append(array, body);
    return array;
}

static void remove_at(kube_ctx *ctx, kube__json *body, const char *path)
{
    const char *star = strstr(path, "[*]");
    const char *dot = strrchr(path, '.');
    const char *bracket = strrchr(path, '[');
    const char *key;
    kube__json *holder;
    if (star) {
        holder = parity_pick(ctx, body, kube_ctx_strndup(ctx, path, (size_t)(star - path)));
        KUBE__JSON_EACH (child, holder)
            remove_at(ctx, child, star + 3 + (star[3] == '.'));
        return;
    }
    if (bracket && bracket[1] == '\'' && (!dot || strchr(bracket, ']')[1] == '\0')) {
        holder = parity_pick(ctx, body, kube_ctx_strndup(ctx, path, (size_t)(bracket - path)));
        key = kube_ctx_strndup(ctx, bracket + 2, strcspn(bracket + 2, "'"));
    } else {
        size_t len = dot ? (size_t)(dot - path) : 0;
        holder = len ? parity_pick(ctx, body, kube_ctx_strndup(ctx, path, len)) : body;
        key = dot ? dot + 1 : path;
    }
    kube__json_remove(holder, key);
}

static void compare_text(parity_differences *list, parity_names *names[2],
                         const parity_response *answers[2])
{
    const char *a = parity_normal_text(names[0], answers[0]->body);
    const char *b = parity_normal_text(names[1], answers[1]->body);
    if (strcmp(a, b) != 0)
        parity_add_difference(
            list, kube_printf(list->ctx, "text: %.*s and %.*s", SHOWN_MAX, a, SHOWN_MAX, b));
}

/* More may have come than was waited for. */
static void cut_events(kube__json *events, size_t count)
{
    while (count > 0 && kube__json_is(events, KUBE__JSON_ARRAY) && events->len > count)
        kube__json_remove_item(events, count);
}

/* What a server makes of generateName, when it says so in a Status only. */
static void note_generated(parity_names *names, const parity_step *step, const kube__json *body)
{
    const char *base = "";
    const char *name = kube__json_string_at(body, "details.name");
    kube__json *sent;
    if (!step->request.body || !*name)
        return;
    sent = kube__json_parse(names->ctx, step->request.body, strlen(step->request.body), NULL, NULL,
                            NULL);
    base = kube__json_string_at(sent, "metadata.generateName");
    if (*base && strncmp(name, base, strlen(base)) == 0 && strlen(name) > strlen(base))
        parity_name_generated(names, name);
}

static void compare_bodies(parity_differences *list, const parity_step *step,
                           parity_names *names[2], const parity_response *answers[2])
{
    kube__json *body[2];
    const char *where = kube_printf(list->ctx, "line %d", step->line);
    for (int i = 0; i < 2; i++) {
        body[i] = body_of(list->ctx, answers[i]);
        if (step->only && body[i])
            body[i] = parity_pick(list->ctx, body[i], step->only);
        for (size_t k = 0; k < step->ignored_count; k++)
            remove_at(list->ctx, body[i], step->ignored[k]);
        cut_events(body[i], step->request.events);
        note_generated(names[i], step, body[i]);
        parity_normalise(names[i], body[i], where);
    }
    if (body[0] || body[1])
        compare_values(list, "body", body[0], body[1]);
    else if (!step->only)
        compare_text(list, names, answers);
    else if (strcmp(step->only, "nothing") != 0)
        parity_add_difference(list,
                              kube_printf(list->ctx, "body: neither side has %s", step->only));
}

static void compare_headers(parity_differences *list, parity_names *names[2],
                            const parity_response *answers[2])
{
    for (size_t i = 0; i < sizeof headers_compared / sizeof *headers_compared; i++) {
        const char *name = headers_compared[i];
        const char *a = parity_header(list->ctx, answers[0], name);
        const char *b = parity_header(list->ctx, answers[1], name);
        a = parity_normal_text(names[0], a);
        b = parity_normal_text(names[1], b);
        if (!a != !b || (a && b && strcmp(a, b) != 0))
            parity_add_difference(list, kube_printf(list->ctx, "header %s: %s and %s", name,
                                                    a ? a : "nothing", b ? b : "nothing"));
    }
}

void parity_compare(parity_differences *list, const parity_step *step, parity_names *names[2],
                    const parity_response *answers[2])
{
    const parity_response *a = answers[0];
    const parity_response *b = answers[1];
    if (a->fault || b->fault)
        parity_add_difference(list, kube_printf(list->ctx, "answer: %s and %s",
                                                a->fault ? a->fault : "complete",
                                                b->fault ? b->fault : "complete"));
    if (a->status != b->status)
        parity_add_difference(list,
                              kube_printf(list->ctx, "status: %d and %d", a->status, b->status));
    compare_headers(list, names, answers);
    compare_bodies(list, step, names, answers);
}

static int order_of(const parity_version *a, const parity_version *b)
{
    int order = (a->value > b->value) - (a->value < b->value);
    /* The real server writes things of its own, so that a list's version can be newer than its
     * newest object's: only "older" means something then. */
    if (a->whole != b->whole || a->whole)
        return a->whole && !b->whole ? (order < 0) : !a->whole && b->whole ? (order > 0) : 0;
    return order;
}

void parity_compare_versions(parity_differences *list, parity_names *names[2])
{
    const parity_version *a = names[0]->versions;
    const parity_version *b = names[1]->versions;
    size_t count = names[0]->version_count;
    if (count != names[1]->version_count)
        return; /* there is another difference, or some value was no number */
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            if (order_of(&a[i], &a[k]) != order_of(&b[i], &b[k])) {
                parity_add_difference(
                    list, kube_printf(list->ctx,
                                      "order of resource versions: %s to %s: %lld %lld and "
                                      "%lld %lld",
                                      a[i].where, a[k].where, (long long)a[i].value,
                                      (long long)a[k].value, (long long)b[i].value,
                                      (long long)b[k].value));
                return;
            }
}
