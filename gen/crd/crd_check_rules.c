/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_check_rules.h"

#include "support/ascii.h"
#include "support/str.h"

#include <string.h>

/* ---- CEL ----------------------------------------------------------------------------------- */

static bool is_word(char c)
{
    return ascii_is_alnum(c) || c == '_';
}

/* Whether an expression has the word outside its strings. */
static bool mentions(const char *text, const char *word)
{
    size_t len = strlen(word);
    char quote = '\0';
    char before = '\0';
    for (; *text; before = *text++) {
        if (quote && *text == '\\' && text[1]) {
            text++;
        } else if (*text == '"' || *text == '\'') {
            quote = !quote ? *text : quote == *text ? '\0' : quote;
        } else if (!quote && strncmp(text, word, len) == 0 && !is_word(before) && before != '.' &&
                   !is_word(text[len])) {
            return true;
        }
    }
    return false;
}

/* Reads the next name of .a['b'].c, or an index that is not a name; returns NULL behind a fault. */
static const char *next_name(const char **path, size_t *len)
{
    const char *name = *path + 1;
    if (**path == '.') {
        *len = strcspn(name, ".[");
        *path = name + *len;
        return *len ? name : NULL;
    }
    if (strncmp(*path, "['", 2) != 0)
        return NULL;
    name = *path + 2;
    *len = strcspn(name, "'");
    if (strncmp(name + *len, "']", 2) != 0)
        return NULL;
    *path = name + *len + 2;
    return name;
}

static const json_value *find(const json_value *properties, const char *name, size_t len)
{
    for (const json_value *at = json_first(properties); at; at = json_next(at)) {
        if (strlen(json_key(at)) == len && strncmp(json_key(at), name, len) == 0)
            return at;
    }
    return NULL;
}

/* Whether the path leads to what the schema names; maps have all names. */
static bool leads_to_member(const json_value *schema, const char *path)
{
    while (*path) {
        size_t len = 0;
        const char *name = next_name(&path, &len);
        const json_value *inner = json_get(schema, "additionalProperties");
        if (!name)
            return false;
        schema = inner ? inner : find(json_get(schema, "properties"), name, len);
        if (!schema)
            return false;
    }
    return true;
}

/* The rule of another header is reported at the member that uses its struct. */
static void report_untraced(const char *rule, rule_place at, diag *to)
{
    bool is_own = !at.own.file || strcmp(at.own.file, at.loc.file) == 0;
    str end = {0};
    diag_error(to, is_own ? at.loc : at.own,
               "servers know no oldSelf here, in a list without '+listType=map' or an atomic "
               "struct or map: '%s'",
               rule);
    if (is_own)
        return;
    for (const char *c = at.patch; *c; c++) {
        if (*c == '{')
            str_add_char(&end, '}');
    }
    diag_note(to, at.loc, "the rule comes from here");
    diag_note(to, (diag_loc){0},
              "a list takes '+listType=map'; otherwise take the rules out above the member, with "
              "'// +kubegen:schema=%s{\"x-kubernetes-validations\":null}%s'",
              at.patch, str_text(&end));
    str_free(&end);
}

void crd_check_rules(const json_value *schema, bool is_traced, rule_place at, diag *to)
{
    const json_value *rules = json_get(schema, "x-kubernetes-validations");
    for (const json_value *row = json_first(rules); row; row = json_next(row)) {
        const char *path = json_text(json_get(row, "fieldPath"));
        const char *rule = json_text(json_get(row, "rule"));
        if (path && !leads_to_member(schema, path))
            diag_error(to, at.loc, "the fieldPath '%s' leads to no member", path);
        if (rule && !is_traced && mentions(rule, "oldSelf"))
            report_untraced(rule, at, to);
    }
}

/* ---- schemas in schemas -------------------------------------------------------------------- */

static void check_branch(const json_value *branch, const json_value *outer, const char *in,
                         diag_loc loc, diag *to);

static void check_each(const json_value *list, const json_value *outer, const char *in,
                       diag_loc loc, diag *to)
{
    for (const json_value *at = json_first(list); at; at = json_next(at))
        check_branch(at, outer, in, loc, to);
}

/* Those of @schema, which speak about what @outer describes. */
static void check_all(const json_value *schema, const json_value *outer, diag_loc loc, diag *to)
{
    static const char *const lists[] = {"allOf", "anyOf", "oneOf"};
    const json_value *refused = json_get(schema, "not");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        check_each(json_get(schema, lists[i]), outer, lists[i], loc, to);
    if (refused)
        check_branch(refused, outer, "not", loc, to);
}

/* Whether it is {type: integer} or {type: string} of an integer or a string. */
static bool is_choice_of_types(const json_value *branch, const json_value *outer)
{
    return json_is_true(json_get(outer, "x-kubernetes-int-or-string")) &&
           json_get(branch, "type") && !json_next(json_first(branch));
}

static void check_properties(const json_value *branch, const json_value *outer, const char *in,
                             diag_loc loc, diag *to)
{
    const json_value *properties = json_get(outer, "properties");
    const json_value *at = json_first(json_get(branch, "properties"));
    for (; at; at = json_next(at)) {
        const json_value *member = json_get(properties, json_key(at));
        if (member)
            check_branch(at, member, in, loc, to);
        else
            diag_error(to, loc, "'%s' below '%s' is no member outside of it: servers refuse that",
                       json_key(at), in);
    }
}

static void check_branch(const json_value *branch, const json_value *outer, const char *in,
                         diag_loc loc, diag *to)
{
    static const char *const outside[] = {"type",    "description", "title",
                                          "default", "nullable",    "additionalProperties"};
    if (is_choice_of_types(branch, outer))
        return;
    for (const json_value *at = json_first(branch); at; at = json_next(at)) {
        bool is_refused = strncmp(json_key(at), "x-kubernetes-", strlen("x-kubernetes-")) == 0;
        for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
            is_refused |= strcmp(json_key(at), outside[i]) == 0;
        if (is_refused)
            diag_error(to, loc, "'%s' stands below '%s', where servers refuse it: say it outside",
                       json_key(at), in);
    }
    check_properties(branch, outer, in, loc, to);
    if (json_get(branch, "items") && json_get(outer, "items"))
        check_branch(json_get(branch, "items"), json_get(outer, "items"), in, loc, to);
    check_all(branch, outer, loc, to);
}

void crd_check_branches(const json_value *schema, diag_loc loc, diag *to)
{
    check_all(schema, schema, loc, to);
}
