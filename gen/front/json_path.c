/* SPDX-License-Identifier: Apache-2.0 */
/*
 * This file reads JSONPath as servers and kubectl do. They say nothing of a path that finds
 * nothing; here it is an error. What depends on the object at hand is not checked.
 */
#include "json_path.h"

#include "support/str.h"

#include <string.h>

typedef struct walk {
    builder *b;
    json_path_form form;
} walk;

static const char member_ends[] = ".,[]$@{} \t";

static bool follow(walk *w, const char *path, diag_loc loc, json_path_place *at);

static diag_loc behind(diag_loc loc, size_t bytes)
{
    loc.column += (unsigned)bytes;
    return loc;
}

/* ---- members ------------------------------------------------------------------------------- */

static void enter(json_path_place *at, const model_type *type)
{
    at->type = type;
    at->record = type->record;
    at->is_free = type->kind == MODEL_RAW_JSON;
    at->is_open = model_keeps_unknown(type, NULL);
}

static void enter_field(json_path_place *at, const model_field *field)
{
    enter(at, &field->type);
    at->is_free |= field->schemaless;
    at->is_open = model_keeps_unknown(&field->type, &field->validation);
}

/* What servers add to the members that a struct names. */
static bool is_of_server(const json_path_place *at, const char *name)
{
    if (!at->type) /* of the Kind: base stands for them */
        return strcmp(name, "kind") == 0 || strcmp(name, "apiVersion") == 0;
    return strcmp(at->record->name, "kube_object_meta") == 0 && strcmp(name, "selfLink") == 0;
}

static bool enter_member(walk *w, json_path_place *at, const char *name, diag_loc loc)
{
    static const model_type text = {.kind = MODEL_STRING, .c_name = "const char *"};
    const model_field *field = model_find_member(at->record, name);
    if (field)
        enter_field(at, field);
    else if (is_of_server(at, name))
        enter(at, &text);
    else if (at->is_open && w->form != JSON_PATH_MEMBERS)
        at->is_free = true;
    else
        return member_report_missing(w->b, at->record, name, loc), false;
    return true;
}

/* ---- lists and maps ------------------------------------------------------------------------ */

static bool is_list(const json_path_place *at)
{
    return at->type && model_is_list(at->type);
}

static bool is_map(const json_path_place *at)
{
    return at->type && model_is_map(at->type);
}

/* Goes on to an element of the list, or to a value of the map. */
static void enter_element(walk *w, json_path_place *at)
{
    static const model_type text = {.kind = MODEL_STRING, .c_name = "const char *"};
    at->name = arena_printf(w->b->in, "%s[]", at->name);
    enter(at, at->type->container ? &at->type->container->element : &text);
}

/* Goes on to each of what is there. */
static bool enter_all(walk *w, json_path_place *at, diag_loc loc)
{
    if (is_list(at) || is_map(at)) {
        enter_element(w, at);
    } else if (at->record || at->is_free) {
        at->is_free = true;
    } else {
        diag_error(w->b->to, loc, "'%s' has type '%s', which has no elements", at->name,
                   at->type->c_name);
        return false;
    }
    return true;
}

static bool report_no_members(walk *w, const json_path_place *at)
{
    diag_error(w->b->to, at->loc, "'%s' has type '%s', which has no members%s", at->name,
               at->type->c_name,
               w->form == JSON_PATH_FULL && is_list(at)
                   ? ": write [*], [0] or [?(@.<member>==\"…\")] after it"
                   : "");
    return false;
}

static bool step(walk *w, json_path_place *at, const char *name, diag_loc loc)
{
    if (at->is_free)
        return true;
    if (w->form != JSON_PATH_MEMBERS && is_map(at))
        enter_element(w, at);
    else if (!at->record)
        return report_no_members(w, at);
    else if (!enter_member(w, at, name, loc))
        return false;
    at->name = name;
    at->loc = loc;
    return true;
}

/* ---- brackets ------------------------------------------------------------------------------ */

/* Returns the length of the bracket that @text begins with, [0] or [?(@['a']=="]")]; 0 if it has no
 * end. */
static size_t bracket_len(const char *text)
{
    char quote = '\0';
    size_t depth = 0;
    for (size_t i = 0; text[i]; i++) {
        if (quote && text[i] == '\\' && text[i + 1])
            i++;
        else if (quote)
            quote = text[i] == quote ? '\0' : quote;
        else if (text[i] == '\'' || text[i] == '"')
            quote = text[i];
        else if (text[i] == '[')
            depth++;
        else if (text[i] == ']' && --depth == 0)
            return i + 1;
    }
    return 0;
}

/* `?(@.type=="Ready")`, of which the left side is a path in the element. */
static bool check_filter(walk *w, const json_path_place *element, const char *text, diag_loc loc)
{
    size_t skipped = strlen("?(");
    json_path_place inner = *element;
    size_t len;
    skipped += strspn(text + skipped, " ");
    if (text[skipped++] != '@')
        return true;
    len = strcspn(text + skipped, "!<>=) ");
    return follow(w, arena_strndup(w->b->in, text + skipped, len), behind(loc, skipped), &inner);
}

/* What stands between brackets. */
static bool step_inside(walk *w, json_path_place *at, const char *text, diag_loc loc)
{
    size_t len = strlen(text);
    if (at->is_free)
        return true;
    if (len > 1 && text[0] == '\'' && text[len - 1] == '\'' && !strchr(text, ',')) {
        const char *name = arena_strndup(w->b->in, text + 1, len - 2);
        return follow(w, arena_printf(w->b->in, ".%s", name), loc, at);
    }
    if (str_has_prefix(text, "'") && strchr(text, ',')) { /* ['a','b']: one of several */
        at->is_free = true;
        return true;
    }
    if (strcmp(text, "*") == 0)
        return enter_all(w, at, loc);
    if (!str_has_prefix(text, "?(") && text[strspn(text, "0123456789-:,")]) {
        diag_error(w->b->to, loc,
                   "'%s' is not an index; the name of a member needs single quotes here", text);
        return false;
    }
    if (!is_list(at)) {
        diag_error(w->b->to, loc, "'%s' is not a list, so '[%s]' cannot pick anything",
                   at->name ? at->name : ".", text);
        return false;
    }
    enter_element(w, at);
    return !str_has_prefix(text, "?(") || check_filter(w, at, text, loc);
}

/* ---- together ------------------------------------------------------------------------------ */

/* How long the name behind a dot is, with the escapes in it. */
static size_t member_len(const walk *w, const char *text)
{
    size_t len = 0;
    if (w->form != JSON_PATH_FULL)
        return strcspn(text, ".");
    while (text[len] && !strchr(member_ends, text[len]))
        len += text[len] == '\\' && text[len + 1] ? 2 : 1;
    return len;
}

static const char *member_name(const walk *w, const char *text, size_t len)
{
    char *name = arena_strndup(w->b->in, text, len);
    char *end = name;
    for (const char *from = name; *from; from++) {
        if (*from != '\\' || w->form != JSON_PATH_FULL)
            *end++ = *from;
    }
    *end = '\0';
    return name;
}

static bool follow(walk *w, const char *path, diag_loc loc, json_path_place *at)
{
    bool ok = true;
    size_t i = 0;
    while (ok && path[i]) {
        bool is_bracket = path[i] == '[' && w->form == JSON_PATH_FULL;
        diag_loc here = behind(loc, i + 1);
        size_t len = is_bracket ? bracket_len(path + i) : member_len(w, path + i + 1);
        const char *text;
        if (is_bracket && len == 0) {
            diag_error(w->b->to, behind(loc, i), "this '[' has no ']'");
            return false;
        }
        if (!is_bracket && path[i] != '.') { /* more than a path: nobody knows what comes of it */
            at->is_free = true;
            return true;
        }
        text = is_bracket ? arena_strndup(w->b->in, path + i + 1, len - 2)
                          : member_name(w, path + i + 1, len);
        if (is_bracket)
            ok = step_inside(w, at, text, here);
        else if (*text == '\0' && w->form == JSON_PATH_FULL) /* ".." is at any depth */
            at->is_free |= path[i + 1] == '.';
        else if (strcmp(text, "*") == 0 && w->form == JSON_PATH_FULL)
            ok = enter_all(w, at, here);
        else
            ok = step(w, at, text, here);
        i += is_bracket ? len : len + 1;
    }
    return ok;
}

bool json_path_follow(builder *b, const model_struct *from, json_path_form form, const char *path,
                      diag_loc loc, json_path_place *out)
{
    walk w = {b, form};
    *out = (json_path_place){.record = from, .loc = loc};
    return follow(&w, path, loc, out);
}
