/* SPDX-License-Identifier: Apache-2.0 */
#include "fieldset.h"

#include "apiserver/value/steps.h"
#include "apiserver/value/table.h"

#include <stdlib.h>
#include <string.h>

/* ---- building ------------------------------------------------------------------------------- */

static kube__field *new_field(kube_ctx *ctx, const kube__step *step)
{
    kube__field *field = kube_ctx_alloc(ctx, sizeof *field);
    if (field)
        field->step = *step;
    return field;
}

static void append(kube__field_set *set, kube__field *field)
{
    if (!field)
        return;
    field->next = NULL;
    if (set->last)
        set->last->next = field;
    else
        set->first = field;
    set->last = field;
}

/* Adds a copy of @field, whose children are shared, unless nothing is in it. */
static void append_copy(kube_ctx *ctx, kube__field_set *set, const kube__field *field, bool member,
                        kube__field_set children)
{
    if (!member && !children.first)
        return;
    kube__field *copy = new_field(ctx, &field->step);
    if (copy) {
        copy->member = member;
        copy->children = children;
    }
    append(set, copy);
}

enum { LINEAR = 8 }; /* fields up to which steps are compared one by one */

static bool is_of_step(const void *item, const void *step)
{
    return kube__step_compare(&((const kube__field *)item)->step, step) == 0;
}

void kube__field_set_index(kube_ctx *ctx, kube__field_set *set)
{
    size_t count = 0;
    for (const kube__field *field = set->first; field && count <= LINEAR; field = field->next)
        count++;
    if (count <= LINEAR || set->index)
        return;
    set->index = kube_ctx_alloc(ctx, sizeof *set->index);
    if (!set->index)
        return;
    set->index->ctx = ctx;
    for (kube__field *field = set->first; field; field = field->next)
        kube__api_table_add(set->index, kube__step_hash(&field->step), field);
}

static kube__field *get(kube__field_set set, const kube__step *step)
{
    if (set.index)
        return kube__api_table_find(set.index, kube__step_hash(step), is_of_step, step);
    for (kube__field *field = set.first; field; field = field->next)
        if (kube__step_compare(&field->step, step) == 0)
            return field;
    return NULL;
}

/* The field of a step; it is made if missing. Returns NULL if out of memory. */
static kube__field *ensure(kube_ctx *ctx, kube__field_set *set, const kube__step *step)
{
    kube__field *field = get(*set, step);
    if (field || !(field = new_field(ctx, step)))
        return field;
    append(set, field);
    if (set->index)
        kube__api_table_add(set->index, kube__step_hash(step), field);
    else
        kube__field_set_index(ctx, set);
    return field;
}

static kube__field_set *descend(kube_ctx *ctx, kube__field_set *set, const kube__path *path)
{
    if (!path)
        return set;
    kube__field_set *parent = descend(ctx, set, path->parent);
    kube__field *field = parent ? ensure(ctx, parent, &path->step) : NULL;
    return field ? &field->children : NULL;
}

void kube__field_set_insert(kube_ctx *ctx, kube__field_set *set, const kube__path *path)
{
    kube__field_set *parent = path ? descend(ctx, set, path->parent) : NULL;
    kube__field *field = parent ? ensure(ctx, parent, &path->step) : NULL;
    if (field)
        field->member = true;
}

/* ---- order ---------------------------------------------------------------------------------- */

static kube__field *merge_sorted(kube__field *a, kube__field *b)
{
    kube__field *first = NULL;
    kube__field **link = &first;
    while (a && b) {
        kube__field **from = kube__step_compare(&a->step, &b->step) <= 0 ? &a : &b;
        *link = *from;
        link = &(*from)->next;
        *from = (*from)->next;
    }
    *link = a ? a : b;
    return first;
}

static kube__field *sort(kube__field *first, size_t count)
{
    kube__field *middle = first;
    if (count < 2)
        return first;
    for (size_t i = 1; i < count / 2; i++)
        middle = middle->next;
    kube__field *second = middle->next;
    middle->next = NULL;
    return merge_sorted(sort(first, count / 2), sort(second, count - count / 2));
}

void kube__field_set_sort(kube__field_set *set)
{
    size_t count = 0;
    bool sorted = true; /* documents are mostly in order */
    set->index = NULL;
    for (kube__field *field = set->first; field; field = field->next, count++) {
        sorted =
            sorted && (!field->next || kube__step_compare(&field->step, &field->next->step) < 0);
        kube__field_set_sort(&field->children);
    }
    if (sorted)
        return;
    set->first = sort(set->first, count);
    for (kube__field *field = set->first; field; field = field->next)
        set->last = field;
}

/* ---- asking --------------------------------------------------------------------------------- */

bool kube__field_set_empty(kube__field_set set)
{
    for (const kube__field *field = set.first; field; field = field->next)
        if (field->member || !kube__field_set_empty(field->children))
            return false;
    return true;
}

const kube__field *kube__field_set_get(kube__field_set set, const kube__step *step)
{
    return get(set, step);
}

static const kube__field *find(kube__field_set set, const kube__path *path)
{
    if (!path->parent)
        return kube__field_set_get(set, &path->step);
    const kube__field *parent = find(set, path->parent);
    return parent ? kube__field_set_get(parent->children, &path->step) : NULL;
}

bool kube__field_set_has(kube__field_set set, const kube__path *path)
{
    const kube__field *field = path ? find(set, path) : NULL;
    return field && field->member;
}

bool kube__field_set_equal(kube__field_set a, kube__field_set b)
{
    const kube__field *left = a.first;
    const kube__field *right = b.first;
    for (; left && right; left = left->next, right = right->next)
        if (kube__step_compare(&left->step, &right->step) != 0 || left->member != right->member ||
            !kube__field_set_equal(left->children, right->children))
            return false;
    return !left && !right;
}

static void each(kube__field_set set, const kube__path *parent, kube__field_visit *visit, void *arg)
{
    for (const kube__field *field = set.first; field; field = field->next)
        if (field->member)
            visit(arg, &(kube__path){.parent = parent, .step = field->step});
    for (const kube__field *field = set.first; field; field = field->next)
        each(field->children, &(kube__path){.parent = parent, .step = field->step}, visit, arg);
}

void kube__field_set_each(kube__field_set set, kube__field_visit *visit, void *arg)
{
    each(set, NULL, visit, arg);
}

/* ---- operations ----------------------------------------------------------------------------- */

/* Steps through two sorted lists at once: *@a and *@b are the fields of the next step, one of them
 * NULL when that set does not have it. */
static bool next_pair(const kube__field **left, const kube__field **right, const kube__field **a,
                      const kube__field **b)
{
    if ((!*left && !*right) || !kube__api_take_steps(8))
        return false;
    int order = !*left ? 1 : !*right ? -1 : kube__step_compare(&(*left)->step, &(*right)->step);
    *a = order <= 0 ? *left : NULL;
    *b = order >= 0 ? *right : NULL;
    if (*a)
        *left = (*left)->next;
    if (*b)
        *right = (*right)->next;
    return true;
}

kube__field_set kube__field_set_union(kube_ctx *ctx, kube__field_set a, kube__field_set b)
{
    kube__field_set out = {0};
    const kube__field *left = a.first, *right = b.first, *x, *y;
    while (next_pair(&left, &right, &x, &y)) {
        if (x && y)
            append_copy(ctx, &out, x, x->member || y->member,
                        kube__field_set_union(ctx, x->children, y->children));
        else if (x)
            append_copy(ctx, &out, x, x->member, x->children);
        else
            append_copy(ctx, &out, y, y->member, y->children);
    }
    return out;
}

kube__field_set kube__field_set_intersect(kube_ctx *ctx, kube__field_set a, kube__field_set b)
{
    kube__field_set out = {0};
    const kube__field *left = a.first, *right = b.first, *x, *y;
    while (next_pair(&left, &right, &x, &y))
        if (x && y)
            append_copy(ctx, &out, x, x->member && y->member,
                        kube__field_set_intersect(ctx, x->children, y->children));
    return out;
}

static kube__field_set subtract(kube_ctx *ctx, kube__field_set a, kube__field_set b,
                                bool recursively)
{
    kube__field_set out = {0};
    const kube__field *left = a.first, *right = b.first, *x, *y;
    while (next_pair(&left, &right, &x, &y)) {
        if (!x || (y && y->member && recursively))
            continue;
        if (y)
            append_copy(ctx, &out, x, x->member && !y->member,
                        subtract(ctx, x->children, y->children, recursively));
        else
            append_copy(ctx, &out, x, x->member, x->children);
    }
    return out;
}

kube__field_set kube__field_set_minus(kube_ctx *ctx, kube__field_set a, kube__field_set b)
{
    return subtract(ctx, a, b, false);
}

kube__field_set kube__field_set_without(kube_ctx *ctx, kube__field_set a, kube__field_set b)
{
    return subtract(ctx, a, b, true);
}

/* ---- fieldsV1 ------------------------------------------------------------------------------- */

static const char *write_step(kube_ctx *ctx, const kube__step *step)
{
    switch (step->kind) {
    case KUBE__STEP_FIELD:
        return kube__api_text(ctx, "f:%s", step->name);
    case KUBE__STEP_KEY:
    case KUBE__STEP_VALUE: {
        const char *text = kube__json_text(ctx, step->value, NULL);
        return kube__api_text(ctx, "%c:%s", step->kind == KUBE__STEP_KEY ? 'k' : 'v', text);
    }
    case KUBE__STEP_INDEX:
        return kube__api_text(ctx, "i:%lld", (long long)step->index);
    }
    return NULL;
}

static void write_fields(kube_ctx *ctx, kube__field_set set, kube__json *out)
{
    for (const kube__field *field = set.first; field && !kube_ctx_failed(ctx);
         field = field->next) {
        const char *key = write_step(ctx, &field->step);
        kube__json *below = kube__json_object(ctx);
        if (!key || !below)
            return;
        if (field->member && field->children.first)
            kube__json_set(ctx, below, ".", kube__json_object(ctx));
        write_fields(ctx, field->children, below);
        kube__json_set(ctx, out, key, below);
    }
}

kube__json *kube__field_set_write(kube_ctx *ctx, kube__field_set set)
{
    kube__json *out = kube__json_object(ctx);
    if (out)
        write_fields(ctx, set, out);
    return out;
}

static bool read_step(kube_ctx *ctx, const char *text, kube__step *out)
{
    if (!text[0] || text[1] != ':')
        return false;
    const char *rest = text + 2;
    char *end;
    switch (text[0]) {
    case 'f':
        *out = (kube__step){.kind = KUBE__STEP_FIELD, .name = rest};
        return true;
    case 'v':
    case 'k': {
        kube__json *value = kube__json_parse(ctx, rest, strlen(rest), NULL, NULL, NULL);
        bool is_key = text[0] == 'k';
        if (!value || (is_key && value->kind != KUBE__JSON_OBJECT))
            return false;
        kube__json_sort(value);
        *out = (kube__step){.kind = is_key ? KUBE__STEP_KEY : KUBE__STEP_VALUE, .value = value};
        return true;
    }
    case 'i':
        *out = (kube__step){.kind = KUBE__STEP_INDEX, .index = strtoll(rest, &end, 10)};
        return end != rest && !*end;
    default:
        return false;
    }
}

static bool read_fields(kube_ctx *ctx, const kube__json *fields, kube__field_set *out)
{
    if (!kube__json_is(fields, KUBE__JSON_OBJECT))
        return !fields || fields->kind == KUBE__JSON_NULL;
    KUBE__JSON_EACH (member, fields) {
        kube__step step;
        if (strcmp(member->key, ".") == 0)
            continue;
        if (!read_step(ctx, member->key, &step))
            return false;
        kube__field *field = ensure(ctx, out, &step);
        if (!field || !read_fields(ctx, member, &field->children))
            return false;
        field->member |= !field->children.first || kube__json_get(member, ".");
    }
    return true;
}

bool kube__field_set_read(kube_ctx *ctx, const kube__json *fields, kube__field_set *out)
{
    *out = (kube__field_set){0};
    bool good = read_fields(ctx, fields, out) && !kube_ctx_failed(ctx);
    kube__field_set_sort(out);
    return good;
}
