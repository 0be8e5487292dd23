/* SPDX-License-Identifier: Apache-2.0 */
/* kind_read() reads what a struct's markers say of its Kind: names, scope, verbs, the CRD's
 * details. */
#include "build.h"
#include "names.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>

static const unsigned status_verbs = MODEL_UPDATE_STATUS | MODEL_APPLY_STATUS;
static const unsigned scale_verbs = MODEL_GET_SCALE | MODEL_UPDATE_SCALE;

/* A Kind while it is read. */
typedef struct kind_reader {
    builder *b;
    const built_struct *built;
    const attached *above;
    model_resource *made;
} kind_reader;

static bool has(const kind_reader *r, marker_id id)
{
    return attached_find(r->above, id) != NULL;
}

/* @loc gets the place of its first byte. */
static const char *arg_text(const marker *read, const char *name, diag_loc *loc)
{
    const marker_arg *arg = marker_find_arg(read, name);
    if (!arg)
        return NULL;
    *loc = arg->values[0].loc;
    loc->column += arg->values[0].is_quoted;
    return arg->values[0].text;
}

/* ---- names --------------------------------------------------------------------------------- */

/* The struct's name after the prefix. */
static const char *snake_name(const kind_reader *r)
{
    const char *name = r->built->made->name;
    size_t len = strlen(r->b->package->prefix);
    return strlen(name) > len + 1 ? name + len + 1 : name;
}

static void read_kind(kind_reader *r)
{
    diag_loc loc = r->built->made->loc;
    const char *kind = attached_value(r->above, MARKER_KIND, &loc);
    r->made->kind = kind ? kind : names_kind(r->b->in, snake_name(r));
    r->made->list_kind = arena_printf(r->b->in, "%sList", r->made->kind);
    if (kind && !names_is_kind(kind))
        diag_error(r->b->to, loc, "'%s' is not a Kind: it takes letters and digits in CamelCase",
                   kind);
}

static void check_label(kind_reader *r, const char *text, diag_loc loc)
{
    if (!names_is_label(text))
        diag_error(r->b->to, loc,
                   "'%s' is not a resource name: it takes lower-case letters, "
                   "digits and '-'",
                   text);
}

static void read_plural(kind_reader *r)
{
    diag_loc name_loc = r->built->made->loc;
    diag_loc path_loc = name_loc;
    const char *name = attached_value(r->above, MARKER_RESOURCE_NAME, &name_loc);
    const char *path = arg_text(attached_find(r->above, MARKER_RESOURCE), "path", &path_loc);
    if (name && path && strcmp(name, path) != 0) {
        diag_error(r->b->to, path_loc, "'path' differs from '+resourceName'");
        diag_note(r->b->to, name_loc, "which is here");
    }
    if (name)
        check_label(r, name, name_loc);
    if (path)
        check_label(r, path, path_loc);
    r->made->plural = name   ? name
                      : path ? path
                             : names_plural(r->b->in, names_lower(r->b->in, r->made->kind));
}

static void read_singular(kind_reader *r)
{
    diag_loc loc = {0};
    const char *singular = arg_text(attached_find(r->above, MARKER_RESOURCE), "singular", &loc);
    if (singular)
        check_label(r, singular, loc);
    r->made->singular = singular ? singular : names_lower(r->b->in, r->made->kind);
}

/*
 * The plural of the C name's last word; where the resource is called like the Kind ("endpoints"),
 * the C name as it is.
 */
static void read_c_names(kind_reader *r)
{
    diag_loc loc = {0};
    const char *snake = snake_name(r);
    const char *given = attached_value(r->above, MARKER_C_PLURAL, &loc);
    const char *prefix = r->b->package->prefix;
    arena *in = r->b->in;
    if (given && !names_is_snake(names_tidy(in, given)))
        diag_error(r->b->to, loc, "'%s' is not in snake_case, which takes a to z, digits and '_'",
                   given);
    else if (given && (!names_is_snake(given) || str_has_suffix(given, "_")))
        diag_error(r->b->to, loc, "'%s' is not in snake_case: write '%s'", given,
                   names_tidy(in, given));
    if (given && str_has_prefix(given, arena_printf(in, "%s_", prefix)))
        diag_error(r->b->to, loc, "the prefix '%s' is added to it: write '%s'", prefix,
                   given + strlen(prefix) + 1);
    if (!given)
        given = strcmp(r->made->plural, names_lower(in, r->made->kind)) == 0
                    ? snake
                    : names_plural(in, snake);
    r->made->c_plural = arena_printf(in, "%s_%s", prefix, given);
    r->made->c_list = arena_printf(in, "%s_list", r->built->made->name);
}

/* ---- scope and verbs ----------------------------------------------------------------------- */

static void read_scope(kind_reader *r)
{
    diag_loc loc = {0};
    const char *scope = arg_text(attached_find(r->above, MARKER_RESOURCE), "scope", &loc);
    const marker *cluster = attached_find(r->above, MARKER_NON_NAMESPACED);
    r->made->namespaced = !cluster && !(scope && strcmp(scope, "Cluster") == 0);
    if (cluster && scope && strcmp(scope, "Cluster") != 0) {
        diag_error(r->b->to, loc, "the scope differs from '+genclient:nonNamespaced'");
        diag_note(r->b->to, cluster->loc, "which is here");
    }
}

static void read_status(kind_reader *r)
{
    const marker *subresource = attached_find(r->above, MARKER_SUBRESOURCE_STATUS);
    bool has_member = false;
    for (size_t i = 0; i < r->built->made->field_len; i++) {
        model_field *field = &r->built->made->fields[i];
        if (strcmp(field->name, "status") == 0 && field->role == MODEL_MEMBER) {
            field->status = true;
            has_member = true;
        }
    }
    r->made->has_status = has_member && !has(r, MARKER_NO_STATUS);
    r->made->status_subresource = subresource != NULL;
    if (subresource && !has_member)
        diag_error(r->b->to, subresource->loc, "'+%s' needs a member 'status'",
                   subresource->spec->name);
}

static void read_scale(kind_reader *r)
{
    const marker *read = attached_find(r->above, MARKER_SUBRESOURCE_SCALE);
    model_scale *scale = &r->made->scale;
    scale->spec_path = arg_text(read, "specpath", &scale->spec_loc);
    scale->status_path = arg_text(read, "statuspath", &scale->status_loc);
    scale->selector_path = arg_text(read, "selectorpath", &scale->selector_loc);
}

static void read_version(kind_reader *r)
{
    const marker *stored = attached_find(r->above, MARKER_STORAGE_VERSION);
    const marker *deprecated = attached_find(r->above, MARKER_DEPRECATED_VERSION);
    diag_loc loc = {0};
    r->made->stored = stored != NULL;
    if (stored)
        r->made->stored_loc = stored->loc;
    r->made->unserved = has(r, MARKER_UNSERVED_VERSION);
    r->made->skipped = r->b->package->skipped || has(r, MARKER_SKIP_VERSION);
    r->made->deprecated = deprecated != NULL;
    r->made->deprecation_warning = arg_text(deprecated, "warning", &loc);
}

static unsigned verb_of(const char *name)
{
    for (size_t i = 0; model_verb_names[i]; i++) {
        if (strcmp(model_verb_names[i], name) == 0)
            return 1U << i;
    }
    return 0;
}

static unsigned listed_verbs(kind_reader *r, const marker *read)
{
    unsigned verbs = 0;
    for (size_t i = 0; i < read->value_len; i++) {
        unsigned verb = verb_of(read->values[i].text);
        if (verb & status_verbs && !r->made->has_status && read->id == MARKER_ONLY_VERBS) {
            diag_error(r->b->to, read->values[i].loc, "'%s' needs a member 'status'%s",
                       read->values[i].text,
                       has(r, MARKER_NO_STATUS) ? ", and no '+genclient:noStatus'" : "");
        }
        if (verb & scale_verbs && !r->made->scale.spec_path && read->id == MARKER_ONLY_VERBS)
            diag_error(r->b->to, read->values[i].loc, "'%s' needs '+kubebuilder:subresource:scale'",
                       read->values[i].text);
        verbs |= verb;
    }
    return verbs;
}

/* At most one marker says which verbs there are. */
static void check_verb_markers(kind_reader *r)
{
    static const marker_id ids[] = {MARKER_ONLY_VERBS, MARKER_SKIP_VERBS, MARKER_NO_VERBS,
                                    MARKER_READONLY};
    const marker *first = NULL;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const marker *read = attached_find(r->above, ids[i]);
        if (!read)
            continue;
        if (first) {
            diag_error(r->b->to, read->loc, "'+%s' and '+%s' exclude each other", read->spec->name,
                       first->spec->name);
            diag_note(r->b->to, first->loc, "the other one is here");
        }
        first = first ? first : read;
    }
}

static void read_verbs(kind_reader *r)
{
    const marker *only = attached_find(r->above, MARKER_ONLY_VERBS);
    const marker *skip = attached_find(r->above, MARKER_SKIP_VERBS);
    unsigned verbs = MODEL_ALL_VERBS;
    check_verb_markers(r);
    if (has(r, MARKER_READONLY))
        verbs = MODEL_GET | MODEL_LIST_VERB | MODEL_WATCH;
    if (only)
        verbs = listed_verbs(r, only);
    if (skip)
        verbs &= ~listed_verbs(r, skip);
    if (has(r, MARKER_NO_VERBS))
        verbs = 0;
    if (!r->made->has_status)
        verbs &= ~status_verbs;
    if (!r->made->scale.spec_path)
        verbs &= ~scale_verbs;
    r->made->verbs = verbs;
}

/* ---- the CRD ------------------------------------------------------------------------------- */

static model_texts read_names(kind_reader *r, const char *arg_name)
{
    const marker_arg *arg = marker_find_arg(attached_find(r->above, MARKER_RESOURCE), arg_name);
    model_texts names = {0};
    text_map known = {0};
    if (!arg)
        return names;
    names.items = arena_alloc(r->b->in, arg->value_len * sizeof *names.items);
    for (size_t i = 0; i < arg->value_len; i++) {
        const marker_value *value = &arg->values[i];
        check_label(r, value->text, value->loc);
        if (!text_map_add(&known, r->b->in, value->text))
            diag_error(r->b->to, value->loc, "'%s' is listed twice", value->text);
        names.items[names.len++] = value->text;
    }
    return names;
}

static int compare_pairs(const void *left, const void *right)
{
    return strcmp(((const model_pair *)left)->key, ((const model_pair *)right)->key);
}

static model_pairs read_pairs(kind_reader *r, const char *arg_name)
{
    VEC(model_pair) pairs = {0};
    model_pairs made = {0};
    text_map known = {0};
    for (size_t m = 0; m < r->above->len; m++) {
        const marker *read = &r->above->markers[m];
        const marker_arg *arg =
            read->id == MARKER_METADATA ? marker_find_arg(read, arg_name) : NULL;
        for (size_t i = 0; arg && i < arg->value_len; i++) {
            const char *text = arg->values[i].text;
            size_t len = strcspn(text, "=");
            model_pair pair = {arena_strndup(r->b->in, text, len), text + len + 1};
            if (!text_map_add(&known, r->b->in, pair.key))
                diag_error(r->b->to, arg->values[i].loc, "'%s' is given twice", pair.key);
            *VEC_ADD(&pairs) = pair;
        }
    }
    if (pairs.len > 1)
        qsort(pairs.items, pairs.len, sizeof *pairs.items, compare_pairs);
    made.items = VEC_KEEP(r->b->in, &pairs);
    made.len = pairs.len;
    return made;
}

static void read_columns(kind_reader *r)
{
    VEC(model_column) columns = {0};
    for (size_t m = 0; m < r->above->len; m++) {
        const marker *read = &r->above->markers[m];
        diag_loc ignored = {0};
        model_column *column;
        if (read->id != MARKER_PRINT_COLUMN)
            continue;
        column = VEC_ADD(&columns);
        column->description = arg_text(read, "description", &ignored);
        column->format = arg_text(read, "format", &ignored);
        column->priority = arg_text(read, "priority", &ignored);
        column->name = arg_text(read, "name", &ignored);
        if (column->name && !*column->name)
            diag_error(r->b->to, read->loc, "a column has a name, which is its heading");
        column->type = arg_text(read, "type", &ignored);
        column->json_path = arg_text(read, "JSONPath", &column->path_loc);
    }
    r->made->columns = VEC_KEEP(r->b->in, &columns);
    r->made->column_len = columns.len;
}

static void read_selectable(kind_reader *r)
{
    VEC(model_path) paths = {0};
    for (size_t m = 0; m < r->above->len; m++) {
        const marker *read = &r->above->markers[m];
        model_path *path = read->id == MARKER_SELECTABLE_FIELD ? VEC_ADD(&paths) : NULL;
        if (path)
            path->text = arg_text(read, "JSONPath", &path->loc);
    }
    r->made->selectable = VEC_KEEP(r->b->in, &paths);
    r->made->selectable_len = paths.len;
}

/* ---- together ------------------------------------------------------------------------------ */

static void check_members(const kind_reader *r)
{
    const model_struct *made = r->built->made;
    bool has_metadata = false;
    if (made->field_len == 0 || made->fields[0].role != MODEL_BASE ||
        strcmp(made->fields[0].name, "base") != 0)
        diag_error(r->b->to, made->loc, "a Kind must begin with the member 'kube_object base;'");
    for (size_t i = 0; i < made->field_len; i++) {
        const model_field *field = &made->fields[i];
        has_metadata |= strcmp(field->name, "metadata") == 0 && field->type.kind == MODEL_STRUCT &&
                        strcmp(field->type.c_name, "kube_object_meta") == 0;
    }
    if (!has_metadata)
        diag_error(r->b->to, made->loc, "a Kind needs the member 'kube_object_meta metadata;'");
}

/* Markers that mean nothing on a struct that is no Kind. */
/* In a library of types whoever includes it says what Kind an object is of. */
static void check_no_kind(builder *b, const built_struct *built)
{
    for (size_t i = 0; i < built->above.len; i++) {
        const marker *read = &built->above.markers[i];
        if (read->spec->needs_genclient)
            diag_error(b->to, read->loc, "'+%s' needs '+genclient' above the same struct",
                       read->spec->name);
    }
    for (size_t i = 0; i < built->made->field_len; i++) {
        const model_field *field = &built->made->fields[i];
        if (field->role == MODEL_BASE && b->package->group)
            diag_error(b->to, field->loc,
                       "only a Kind has a 'kube_object': write '// +genclient' above '%s', or "
                       "remove the member",
                       built->made->name);
    }
}

void kind_read(builder *b, const built_struct *built)
{
    kind_reader r = {.b = b, .built = built, .above = &built->above};
    if (!has(&r, MARKER_GENCLIENT)) {
        check_no_kind(b, built);
        return;
    }
    if (!b->package->group) {
        diag_error(b->to, attached_find(r.above, MARKER_GENCLIENT)->loc,
                   "a Kind belongs to an API, whose header must be <group>/<version>/types.h");
        return;
    }
    r.made = arena_alloc(b->in, sizeof *r.made);
    r.made->record = built->made;
    built->made->resource = r.made;
    read_kind(&r);
    read_plural(&r);
    read_singular(&r);
    read_c_names(&r);
    read_scope(&r);
    read_status(&r);
    read_scale(&r);
    read_version(&r);
    read_verbs(&r);
    r.made->short_names = read_names(&r, "shortName");
    r.made->categories = read_names(&r, "categories");
    r.made->annotations = read_pairs(&r, "annotations");
    r.made->labels = read_pairs(&r, "labels");
    read_columns(&r);
    read_selectable(&r);
    check_members(&r);
    *VEC_ADD(&b->resources) = r.made;
}
