/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_check.h"
#include "crd_check_rules.h"
#include "crd_check_shape.h"
#include "crd_format.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>

/* What a schema knows of where it stands. */
typedef struct walk {
    const place_list *places;
    diag *to;
    const char *header; /* of the Kind */
    diag_loc own;       /* of the innermost member of this header */
    size_t own_at;      /* where its part of the path begins */
    str path;           /* to the schema, as the beginning of a merge patch */
} walk;

/* ---- lists --------------------------------------------------------------------------------- */

/* A key that may be missing or null tells no elements apart. */
static void check_key(walk *w, const json_value *items, const char *key, diag_loc loc)
{
    const json_value *member = json_get(json_get(items, "properties"), key);
    if (!member)
        return; /* which has been said */
    if (!json_has_text(json_get(items, "required"), key) && !json_get(member, "default")) {
        diag_error(w->to, loc,
                   "'%s' is a key of the list, but elements may leave it out: servers refuse that",
                   key);
        diag_note(w->to, place_of(w->places, member),
                  "remove '+optional' from the member, mark it '+required' or give it a default");
    }
    if (json_is_true(json_get(member, "nullable"))) {
        diag_error(w->to, loc, "'%s' is a key of the list, but may be null", key);
        diag_note(w->to, place_of(w->places, member), "remove '+nullable' from the member");
    }
}

/* Elements of a set are compared as a whole. */
static void check_set(walk *w, const json_value *items, diag_loc loc)
{
    const json_value *type = json_get(items, "type");
    const json_value *inner = json_get(items, "x-kubernetes-list-type");
    if (json_is_text(type, "object") &&
        !json_is_text(json_get(items, "x-kubernetes-map-type"), "atomic"))
        diag_error(w->to, loc,
                   "elements of a set are compared as a whole: mark their struct "
                   "'+structType=atomic', or make the list '+listType=atomic' or '+listType=map'");
    else if (json_is_text(type, "array") && inner && !json_is_text(inner, "atomic"))
        diag_error(w->to, loc,
                   "elements of a set are compared as a whole, and these are lists of type '%s'",
                   json_text(inner));
}

static void check_list(walk *w, const json_value *schema, diag_loc loc)
{
    const json_value *type = json_get(schema, "x-kubernetes-list-type");
    const json_value *items = json_get(schema, "items");
    if (!json_is_text(type, "set") && !json_is_text(type, "map"))
        return;
    if (json_is_true(json_get(items, "nullable")))
        diag_error(w->to, loc,
                   "the elements of a list of type '%s' may not be null: use elements that cannot "
                   "be absent, or '+listType=atomic'",
                   json_text(type));
    if (json_is_text(type, "set"))
        check_set(w, items, loc);
    for (const json_value *key = json_first(json_get(schema, "x-kubernetes-list-map-keys")); key;
         key = json_next(key))
        check_key(w, items, json_text(key), loc);
}

/* ---- formats ------------------------------------------------------------------------------- */

/* Servers ignore what they do not know, and then nothing is checked. */
static void check_format(walk *w, const json_value *schema, diag_loc loc)
{
    static const char *const integers[] = {"int32", "int64"};
    static const char *const numbers[] = {"double", "float"};
    const char *format = json_text(json_get(schema, "format"));
    const char *type = json_text(json_get(schema, "type"));
    const char *const *known = crd_formats;
    size_t len = crd_format_len;
    const char *near;
    if (!format)
        return;
    if (type && strcmp(type, "integer") == 0) {
        known = integers;
        len = sizeof integers / sizeof *integers;
    } else if (type && strcmp(type, "number") == 0) {
        known = numbers;
        len = sizeof numbers / sizeof *numbers;
    }
    for (size_t i = 0; i < len; i++) {
        if (strcmp(known[i], format) == 0)
            return;
    }
    diag_warning(w->to, loc, "servers know no format '%s' of type %s, and check nothing", format,
                 type ? type : "string");
    near = diag_nearest(format, known, len);
    if (near)
        diag_note(w->to, (diag_loc){0}, "did you mean '%s'?", near);
}

/* ---- numbers ------------------------------------------------------------------------------- */

/*
 * Servers turn the limits into an int64 where the number has no fraction, and what is greater wraps
 * around: they refuse all numbers, and a CRD with a default.
 */
static void check_limits(walk *w, const json_value *schema, diag_loc loc)
{
    static const char *const names[] = {"minimum", "maximum", "multipleOf"};
    static const char message[] =
        "'%s' is more than servers can compare whole numbers with: leave the limit out";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = json_text(json_get(schema, names[i]));
        double value = text ? strtod(text, NULL) : 0;
        if (value < 0x1p63 && value >= -0x1p63)
            continue;
        if (json_get(schema, "default"))
            diag_error(w->to, loc, message, text);
        else
            diag_warning(w->to, loc, message, text);
    }
}

/* ---- all of a schema ----------------------------------------------------------------------- */

static void check_type(walk *w, const json_value *schema, diag_loc loc)
{
    bool is_open = json_is_true(json_get(schema, "x-kubernetes-preserve-unknown-fields"));
    bool is_any = json_is_true(json_get(schema, "x-kubernetes-int-or-string"));
    if (!json_get(schema, "type") && !is_open && !is_any)
        diag_error(w->to, loc,
                   "servers refuse a schema without a type, unless it keeps unknown members");
    if (is_open && is_any)
        diag_error(w->to, loc, "an integer or a string has no unknown members to keep");
}

/* Whether what is in a value has one that it was before: of elements a key tells it. */
static bool is_traced(const json_value *schema)
{
    if (json_is_text(json_get(schema, "type"), "array"))
        return json_is_text(json_get(schema, "x-kubernetes-list-type"), "map");
    return !json_is_text(json_get(schema, "x-kubernetes-map-type"), "atomic");
}

static void check_rules(walk *w, const json_value *schema, bool traced, diag_loc loc)
{
    str patch = {0};
    str_add_len(&patch, str_text(&w->path) + w->own_at, w->path.len - w->own_at);
    crd_check_rules(schema, traced, (rule_place){loc, w->own, str_text(&patch)}, w->to);
    str_free(&patch);
}

static void check_schema(walk *w, const json_value *schema, bool traced, diag_loc loc);

/* Checks a schema in another one, to which @keyword leads, and @name in it unless it is NULL. */
static void check_inner(walk *w, const json_value *schema, bool traced, diag_loc loc,
                        const char *keyword, const char *name)
{
    size_t len = w->path.len;
    str_printf(&w->path, "{\"%s\":", keyword);
    if (name)
        str_printf(&w->path, "{\"%s\":", name);
    check_schema(w, schema, traced, loc);
    w->path.len = len;
}

static void check_schema(walk *w, const json_value *schema, bool traced, diag_loc loc)
{
    static const char *const keywords[] = {"items", "additionalProperties"};
    const diag_loc place = place_of(w->places, schema);
    const diag_loc outer = w->own;
    const size_t outer_at = w->own_at;
    const json_value *inner;
    if (place.file)
        loc = place;
    if (place.file && strcmp(place.file, w->header) == 0) {
        w->own = place;
        w->own_at = w->path.len;
    }
    check_type(w, schema, loc);
    crd_check_shape(schema, loc, w->to);
    check_list(w, schema, loc);
    check_format(w, schema, loc);
    check_limits(w, schema, loc);
    crd_check_default(schema, loc, w->to);
    check_rules(w, schema, traced, loc);
    crd_check_branches(schema, loc, w->to);
    traced = traced && is_traced(schema);
    for (inner = json_first(json_get(schema, "properties")); inner; inner = json_next(inner))
        check_inner(w, inner, traced, loc, "properties", json_key(inner));
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        inner = json_get(schema, keywords[i]);
        if (inner && json_kind_of(inner) == JSON_OBJECT)
            check_inner(w, inner, traced, loc, keywords[i], NULL);
    }
    w->own = outer;
    w->own_at = outer_at;
}

void crd_check_schema(const json_value *schema, diag_loc loc, const place_list *places, diag *to)
{
    walk w = {.places = places, .to = to, .header = loc.file ? loc.file : "", .own = loc};
    check_schema(&w, schema, true, loc);
    str_free(&w.path);
}
