/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The difference of two objects, either as a merge patch or as the paths that differ: one walk, two
 * ways to report. In a patch null means "remove", so a null cannot be set by one: an absent map
 * value and a null inside raw JSON are the only values that a merge patch has no words for.
 *
 * An optional scalar that became zero is sent as that zero: removed, a server might default it to
 * something else.
 */
#include "base/ascii.h"
#include "base/ctx.h"
#include "encode.h"
#include "object/json/tree.h"

typedef struct differ {
    kube__encoder e; /* writes the patch; with a visitor it writes the path instead */
    bool (*visit)(void *arg, const char *path);
    void *arg;
    size_t left; /* paths to visit yet */
    kube__trees trees;
} differ;

/* A member's name, in whichever form it comes. */
typedef struct part {
    const kube_schema *schema; /* of a field: this and the next */
    const kube_field *field;
    const char *key; /* of a map */
    const char *raw; /* as text has it, without quotes: of extra and raw members */
    size_t raw_len;
} part;

static bool no_memory(differ *d)
{
    return kube__encode_fault(&d->e, kube__fault_no_memory);
}

static bool put(differ *d, const char *text, size_t len)
{
    return kube__write_bytes(&d->e.w, text, len) || no_memory(d);
}

/* ---- names --------------------------------------------------------------------------------- */

static bool is_plain_name(const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char c = name[i];
        if (!kube__is_letter(c) && c != '_' && (i == 0 || (!kube__is_digit(c) && c != '-')))
            return false;
    }
    return len > 0;
}

/* Adds a name to the path, as kube_path_get() reads it. */
static bool put_path_name(differ *d, const char *name, size_t len, bool is_map_key)
{
    if (!is_map_key && is_plain_name(name, len))
        return (kube__writer_len(&d->e.w) == 0 || put(d, ".", 1)) && put(d, name, len);
    if (!put(d, "['", 2))
        return false;
    for (size_t i = 0; i < len; i++) {
        if ((name[i] == '\'' || name[i] == '\\') && !put(d, "\\", 1))
            return false;
        if (!put(d, name + i, 1))
            return false;
    }
    return put(d, "']", 2);
}

static bool put_path_raw(differ *d, const part *name)
{
    char text[256];
    const char *p = name->raw;
    const char *end = p + name->raw_len;
    size_t len = 0;
    if (!memchr(p, '\\', name->raw_len))
        return put_path_name(d, p, name->raw_len, false);
    while (p < end && len < sizeof text - 8)
        len += kube__raw_read_char(&p, end, text + len);
    return put_path_name(d, text, len, false);
}

static bool put_part(differ *d, const part *name)
{
    kube__encoder *e = &d->e;
    if (d->visit) {
        if (name->field)
            return put_path_name(d, kube__field_key(name->schema, name->field) + 1,
                                 (size_t)name->field->key_len - 3, false);
        return name->key ? put_path_name(d, name->key, strlen(name->key), true)
                         : put_path_raw(d, name);
    }
    if (name->field)
        return kube__encode_key(e, name->schema, name->field);
    if (name->key)
        return put(d, ",", 1) && kube__encode_string(e, name->key) && put(d, ":", 1);
    return put(d, ",\"", 2) && put(d, name->raw, name->raw_len) && put(d, "\":", 2);
}

static bool fault_in_part(differ *d, const part *name)
{
    if (name->field)
        return kube__fault_in_field(&d->e, name->schema, name->field);
    if (name->key)
        return kube__fault_in_key(&d->e, name->key);
    return false;
}

/* ---- leaves -------------------------------------------------------------------------------- */

/* Tells the visitor the path as it is now; false when the walk is to end. */
static bool visit_path(differ *d)
{
    if (!kube__writer_room(&d->e.w, 1))
        return no_memory(d);
    *d->e.w.at = '\0';
    d->left--;
    return d->visit(d->arg, d->e.w.start) && d->left > 0;
}

static bool put_null(differ *d)
{
    return d->visit ? visit_path(d) : put(d, "null", 4);
}

static bool put_value(differ *d, unsigned kind, const kube_schema *sub, const void *at,
                      unsigned depth)
{
    if (d->visit)
        return visit_path(d);
    if (!kube__value_is_present(kind, 0, sub, at))
        return put(d, "null", 4);
    return kube__encode_value(&d->e, kind, sub, at, depth);
}

static bool put_raw(differ *d, const char *text, size_t len)
{
    return d->visit ? visit_path(d) : put(d, text, len);
}

/* ---- containers ---------------------------------------------------------------------------- */

/*
 * Each of these reports what differs inside two values of a kind. *@changed is left alone when
 * nothing does; then nothing was written but an opening, which the caller takes back.
 */
static bool diff_struct(differ *d, const kube_schema *schema, const char *a, const char *b,
                        unsigned depth, bool *changed);
static bool diff_map(differ *d, const kube_schema *schema, const void *a, const void *b,
                     unsigned depth, bool *changed);
static bool diff_raw(differ *d, kube__span a, kube__span b, unsigned depth, bool *changed);

/* Ends an object begun at @start. */
static bool close_object(differ *d, size_t start)
{
    return d->visit || kube__encode_close(&d->e, start, '{', '}');
}

static bool diff_present(differ *d, unsigned kind, const kube_schema *sub, const void *a,
                         const void *b, unsigned depth, bool *changed)
{
    switch (kind) {
    case KUBE_KIND_STRUCT:
        return diff_struct(d, sub, a, b, depth, changed);
    case KUBE_KIND_STRUCT_PTR:
        return diff_struct(d, sub, kube__load_pointer(a), kube__load_pointer(b), depth, changed);
    case KUBE_KIND_MAP:
    case KUBE_KIND_STRING_MAP:
        return diff_map(d, sub, a, b, depth, changed);
    case KUBE_KIND_RAW_JSON:
        return diff_raw(d, kube__load_span(a), kube__load_span(b), depth, changed);
    default:
        if (kube__value_equal(kind, sub, a, b))
            return true;
        *changed = true;
        return put_value(d, kind, sub, b, depth);
    }
}

/* One member; @a or @b is NULL when that side does not have it. */
static bool diff_member(differ *d, const part *name, unsigned kind, const kube_schema *sub,
                        const void *a, const void *b, unsigned depth, bool *changed)
{
    size_t before = kube__writer_len(&d->e.w);
    bool differs = false;
    bool ok;
    if (!a && !b)
        return true;
    ok = put_part(d, name);
    if (ok && a && b) {
        ok = diff_present(d, kind, sub, a, b, depth, &differs);
    } else if (ok) {
        differs = true;
        ok = b ? put_value(d, kind, sub, b, depth) : put_null(d);
    }
    if (!ok)
        return fault_in_part(d, name);
    if (!differs || d->visit)
        kube__writer_cut(&d->e.w, before);
    *changed |= differs;
    return true;
}

static bool diff_extra(differ *d, kube__span a, kube__span b, unsigned depth, bool *changed);

static bool diff_struct(differ *d, const kube_schema *schema, const char *a, const char *b,
                        unsigned depth, bool *changed)
{
    size_t start = kube__writer_len(&d->e.w);
    if (a == b)
        return true;
    if (depth == 0)
        return kube__encode_fault(&d->e, "nested deeper than 200");
    for (unsigned i = 0; i < schema->field_count; i++) {
        const kube_field *field = &schema->fields[i];
        const kube_schema *sub = kube__field_sub(schema, field);
        const part name = {.schema = schema, .field = field};
        const char *x = a + field->offset;
        const char *y = b + field->offset;
        bool in_a = kube__value_is_present(field->kind, field->flags, sub, x);
        bool in_b = kube__value_is_present(field->kind, field->flags, sub, y);
        if (kube__kind_in(KUBE__KINDS_SCALAR, field->kind))
            in_b = in_a = in_a || in_b;
        if (!diff_member(d, &name, field->kind, sub, in_a ? x : NULL, in_b ? y : NULL, depth - 1,
                         changed))
            return false;
    }
    if (!diff_extra(d, kube__load_extra(schema, a), kube__load_extra(schema, b), depth - 1,
                    changed))
        return false;
    return close_object(d, start);
}

static bool diff_entries(differ *d, const kube_schema *schema, const kube__map_order *a,
                         const kube__map_order *b, unsigned depth, bool *changed)
{
    const kube_schema *sub = kube__element_sub(schema);
    size_t i = 0;
    size_t j = 0;
    while (i < a->len || j < b->len) {
        const char *x = i < a->len ? kube__map_entry(a, i) : NULL;
        const char *y = j < b->len ? kube__map_entry(b, j) : NULL;
        int order = !y ? -1 : !x ? 1 : strcmp(kube__entry_key(x), kube__entry_key(y));
        part name = {.key = kube__entry_key(order <= 0 ? x : y)};
        x = order <= 0 ? x + KUBE__MAP_VALUE_OFFSET : NULL;
        y = order >= 0 ? y + KUBE__MAP_VALUE_OFFSET : NULL;
        i += order <= 0;
        j += order >= 0;
        /* A value that is absent on one side only has nothing to compare the other with. */
        bool in_a = x && kube__value_is_present(schema->element_kind, 0, sub, x);
        bool in_b = y && kube__value_is_present(schema->element_kind, 0, sub, y);
        if (x && y && !in_a && !in_b)
            continue;
        if (!diff_member(d, &name, schema->element_kind, sub, y && !in_a ? NULL : x,
                         x && in_a && !in_b ? NULL : y, depth, changed))
            return false;
    }
    return true;
}

static bool diff_map(differ *d, const kube_schema *schema, const void *a, const void *b,
                     unsigned depth, bool *changed)
{
    kube__map_order x = {0};
    kube__map_order y = {0};
    const char *key = NULL;
    size_t start = kube__writer_len(&d->e.w);
    bool ok = false;
    if (depth == 0)
        return kube__encode_fault(&d->e, "nested deeper than 200");
    const char *fault = kube__map_order_init(&x, schema, kube__load_span(a), &key);
    if (!fault)
        fault = kube__map_order_init(&y, schema, kube__load_span(b), &key);
    if (fault) {
        kube__encode_fault(&d->e, fault);
        if (key)
            kube__fault_in_key(&d->e, key);
        goto out;
    }
    ok = diff_entries(d, schema, &x, &y, depth - 1, changed) && close_object(d, start);
out:
    kube__map_order_fini(&x);
    kube__map_order_fini(&y);
    return ok;
}

/* ---- text ---------------------------------------------------------------------------------- */

static bool spans_equal(kube__span a, kube__span b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.items, b.items, a.len) == 0);
}

static bool diff_node(differ *d, uint32_t a, uint32_t b, unsigned depth, bool *changed);

/* A member of either tree, node @at, which is in the other as node @a; 0 = it is not. */
static bool diff_raw_member(differ *d, const kube__tree *tree, uint32_t at, uint32_t a,
                            unsigned depth, bool *changed)
{
    const kube__member *member = &tree->nodes[at].member;
    const part name = {.raw = member->key, .raw_len = member->key_len};
    size_t before = kube__writer_len(&d->e.w);
    bool differs = a == KUBE__TREE_ALONE;
    bool ok = put_part(d, &name);
    if (ok && !differs)
        ok = diff_node(d, a, at, depth, &differs);
    else if (ok)
        ok = tree == &d->trees.a ? put_null(d) : put_raw(d, member->value, member->value_len);
    if (!ok)
        return false;
    if (!differs || d->visit)
        kube__writer_cut(&d->e.w, before);
    *changed |= differs;
    return true;
}

/* The members of two objects: those of the new one, and then what it lacks. */
static bool diff_nodes(differ *d, uint32_t a, uint32_t b, unsigned depth, bool *changed)
{
    const kube__tree_node *old = d->trees.a.nodes;
    const kube__tree_node *new = d->trees.b.nodes;
    if (!kube__trees_match(&d->trees, a, b))
        return no_memory(d);
    for (uint32_t i = b + 1; i < new[b].next; i = new[i].next)
        if (new[i].twin != KUBE__TREE_AGAIN &&
            !diff_raw_member(d, &d->trees.b, i, new[i].twin, depth, changed))
            return false;
    for (uint32_t i = a + 1; i < old[a].next; i = old[i].next)
        if (old[i].twin == KUBE__TREE_ALONE &&
            !diff_raw_member(d, &d->trees.a, i, KUBE__TREE_ALONE, depth, changed))
            return false;
    return true;
}

/* Objects member by member, since a merge patch would leave the old ones' members in place. */
static bool diff_node(differ *d, uint32_t a, uint32_t b, unsigned depth, bool *changed)
{
    const kube__member *old = &d->trees.a.nodes[a].member;
    const kube__member *new = &d->trees.b.nodes[b].member;
    size_t start = kube__writer_len(&d->e.w);
    bool are_objects = *old->value == '{' && *new->value == '{';
    if (are_objects && depth > 0)
        return diff_nodes(d, a, b, depth - 1, changed) && close_object(d, start);
    if (old->value_len == new->value_len && !memcmp(old->value, new->value, old->value_len))
        return true;
    if (are_objects && !d->visit)
        return kube__encode_fault(&d->e, "nested deeper than 200");
    *changed = true;
    return put_raw(d, new->value, new->value_len);
}

static bool diff_raw(differ *d, kube__span a, kube__span b, unsigned depth, bool *changed)
{
    if (spans_equal(a, b))
        return true;
    unsigned raw_depth = kube__raw_depth_left(depth);
    if (!kube__raw_is_value(a.items, a.len, raw_depth) ||
        !kube__raw_is_value(b.items, b.len, raw_depth)) {
        *changed = true;
        return d->visit ? visit_path(d) : kube__encode_fault(&d->e, "not valid JSON");
    }
    if (!kube__tree_read_value(&d->trees.a, a.items, a.len, depth) ||
        !kube__tree_read_value(&d->trees.b, b.items, b.len, depth))
        return no_memory(d);
    return diff_node(d, 0, 0, depth, changed);
}

/* An empty one has no text at all. */
static bool read_extra(kube__tree *tree, kube__span extra, unsigned depth)
{
    return kube__tree_read_members(tree, extra.len > 0 ? extra.items : "", extra.len, depth);
}

static bool diff_extra(differ *d, kube__span a, kube__span b, unsigned depth, bool *changed)
{
    if (spans_equal(a, b))
        return true;
    unsigned raw_depth = kube__raw_depth_left(depth);
    if ((a.len > 0 && !kube__raw_is_members(a.items, a.len, raw_depth)) ||
        (b.len > 0 && !kube__raw_is_members(b.items, b.len, raw_depth)))
        return d->visit || kube__encode_fault(&d->e, "extra members are not valid JSON");
    if (!read_extra(&d->trees.a, a, depth) || !read_extra(&d->trees.b, b, depth))
        return no_memory(d);
    return diff_nodes(d, 0, 0, depth, changed);
}

/* ---- entry points -------------------------------------------------------------------------- */

kube_code kube_diff(kube_ctx *ctx, const kube_type *type, const kube_object *old_object,
                    const kube_object *new_object, const char **patch, size_t *len, kube_error *err)
{
    differ d = {.visit = NULL};
    bool changed = false;
    kube_code rc;
    *patch = NULL;
    if (len)
        *len = 0;
    rc = kube__ctx_check(ctx, err);
    if (rc)
        return rc;
    if (!old_object || !new_object)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "cannot compare: there is no %s",
                              type->singular);
    kube__encoder_init(&d.e, KUBE_ENCODE_PLAIN);
    bool ok = diff_struct(&d, type->schema, (const char *)old_object, (const char *)new_object,
                          KUBE__MAX_DEPTH, &changed);
    if (ok && !changed) {
        kube__writer_cut(&d.e.w, 0);
        ok = put(&d, "{}", 2);
    }
    rc = ok ? kube__writer_finish(&d.e.w, ctx, patch, len, err) : kube__encoder_error(&d.e, err);
    kube__encoder_fini(&d.e);
    kube__trees_fini(&d.trees);
    return rc;
}

void kube_diff_paths(const kube_type *type, const kube_object *old_object,
                     const kube_object *new_object, bool (*visit)(void *arg, const char *path),
                     void *arg, size_t max)
{
    differ d = {.visit = visit, .arg = arg, .left = max};
    bool changed = false;
    if (!old_object || !new_object || max == 0)
        return;
    kube__encoder_init(&d.e, KUBE_ENCODE_PLAIN);
    (void)diff_struct(&d, type->schema, (const char *)old_object, (const char *)new_object,
                      KUBE__MAX_DEPTH, &changed);
    kube__encoder_fini(&d.e);
    kube__trees_fini(&d.trees);
}
