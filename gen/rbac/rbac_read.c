/* SPDX-License-Identifier: Apache-2.0 */
#include "rbac_read.h"

#include "front/attach.h"
#include "front/markers.h"
#include "front/names.h"
#include "front/scan.h"
#include "support/ascii.h"
#include "support/str.h"
#include "support/utf8.h"

#include <string.h>

typedef struct reader {
    arena *in;
    diag *to;
    const char *path;
    const char *role_name;
    rbac_roles *out;
    size_t found;
} reader;

static const char no_text[] = "has control characters, or is not UTF-8";

/* UTF-8 without control characters, as YAML and servers want it. */
static bool is_text(const char *text)
{
    for (size_t len; *text; text += len) {
        len = utf8_len(text);
        if (len == 0 || (unsigned char)*text < ' ' || *text == '\x7f')
            return false;
    }
    return true;
}

bool rbac_is_role_name(const char *text)
{
    return *text && is_text(text) && !strpbrk(text, "/% ") && strcmp(text, ".") != 0 &&
           strcmp(text, "..") != 0;
}

/* ---- checks of values ---------------------------------------------------------------------- */

static void check_group(reader *r, const marker_value *value)
{
    const char *slash = strchr(value->text, '/');
    if (slash)
        diag_error(r->to, value->loc, "a rule names a group without its version: '%.*s'",
                   (int)(slash - value->text), value->text);
    else if (*value->text && strcmp(value->text, "*") != 0 && !names_is_group(value->text))
        diag_error(r->to, value->loc,
                   "'%s' is not an API group: it takes lower-case letters, digits, '-' and dots",
                   value->text);
}

static void check_resource(reader *r, const marker_value *value)
{
    for (const char *at = value->text; *at; at++) {
        if (ascii_is_upper(*at) || ascii_is_space(*at)) {
            diag_error(r->to, value->loc,
                       "'%s' is not a resource: it is the plural in lower case, such as "
                       "deployments or deployments/status",
                       value->text);
            return;
        }
    }
}

static void check_url(reader *r, const marker_value *value)
{
    const char *star = strchr(value->text, '*');
    if (value->text[0] != '/' && strcmp(value->text, "*") != 0)
        diag_error(r->to, value->loc, "a URL begins with '/': '/%s'", value->text);
    else if (star && star[1])
        diag_error(r->to, value->loc, "'*' can only stand at the end of a URL");
}

/* Other verbs than these may exist: what is near to one of them is a slip. */
static void check_verb(reader *r, const marker_value *value)
{
    static const char *const verbs[] = {
        "*",        "get",         "list",
        "watch",    "create",      "update",
        "patch",    "delete",      "deletecollection",
        "post",     "put",         "head",
        "options",  "use",         "bind",
        "escalate", "approve",     "sign",
        "attest",   "impersonate",
    };
    const size_t len = sizeof verbs / sizeof *verbs;
    const char *near;
    for (size_t i = 0; i < len; i++) {
        if (strcmp(verbs[i], value->text) == 0)
            return;
    }
    near = diag_nearest(value->text, verbs, len);
    if (near)
        diag_error(r->to, value->loc, "unknown verb '%s'; did you mean '%s'?", value->text, near);
    for (const char *at = value->text; !near && *at; at++) {
        if (!ascii_is_lower(*at) && *at != '-') {
            diag_error(r->to, value->loc, "'%s' is not a verb: it is a word in lower case",
                       value->text);
            return;
        }
    }
}

typedef void check(reader *r, const marker_value *value);

/* The values of an argument. Only a group may be empty. */
static model_texts read_values(reader *r, const marker *read, const char *name, check *of_one)
{
    const marker_arg *arg = marker_find_arg(read, name);
    bool is_group = of_one == check_group;
    model_texts made = {0};
    if (!arg)
        return made;
    made.items = arena_alloc(r->in, arg->value_len * sizeof *made.items);
    for (size_t i = 0; i < arg->value_len; i++) {
        const marker_value *value = &arg->values[i];
        bool is_core = is_group && strcmp(value->text, "core") == 0;
        if (*value->text == '\0' && !is_group)
            diag_error(r->to, value->loc, "a value of '%s' is empty", name);
        else if (!is_text(value->text))
            diag_error(r->to, value->loc, "a value of '%s' %s", name, no_text);
        else if (of_one)
            of_one(r, value);
        made.items[made.len++] = is_core ? "" : value->text;
    }
    return made;
}

static const char *read_name(reader *r, const marker *read, const char *name)
{
    const marker_arg *arg = marker_find_arg(read, name);
    const marker_value *value = arg ? &arg->values[0] : NULL;
    if (!value)
        return NULL;
    if (*value->text == '\0')
        diag_error(r->to, value->loc, "a value of '%s' is empty", name);
    else if (!is_text(value->text))
        diag_error(r->to, value->loc, "a value of '%s' %s", name, no_text);
    else if (strcmp(name, "namespace") == 0 && !names_is_label(value->text))
        diag_error(r->to, value->loc,
                   "'%s' is not a namespace: it takes lower-case letters, digits and '-'",
                   value->text);
    else if (!rbac_is_role_name(value->text))
        diag_error(r->to, value->loc,
                   "'%s' is not a role's name: it cannot have '/', '%%' or blanks", value->text);
    return value->text;
}

/* ---- rules --------------------------------------------------------------------------------- */

/* What a server refuses in a rule. */
static void check_rule(reader *r, const marker *read, const rbac_rule *rule, const char *ns)
{
    const marker_arg *urls = marker_find_arg(read, "urls");
    const marker_arg *names = marker_find_arg(read, "resourceNames");
    if (!rule->resources.len && !urls)
        diag_error(r->to, read->loc, "'+%s' needs 'resources=' or 'urls='", read->spec->name);
    if (rule->resources.len && !rule->groups.len)
        diag_error(r->to, read->loc,
                   "'+%s' needs 'groups=': that of Pods, Events and Secrets is groups=core",
                   read->spec->name);
    if (!urls)
        return;
    if (rule->resources.len || rule->groups.len || names)
        diag_error(r->to, urls->loc,
                   "a rule is about resources or about URLs: put 'urls' in a marker of its own");
    if (ns)
        diag_error(r->to, urls->loc, "URLs belong to no namespace: a Role cannot allow them");
}

static void read_rule(reader *r, const comment_line *line)
{
    const char *name;
    const char *ns;
    rbac_rule rule = {0};
    marker read;
    if (!marker_parse(r->in, r->path, line, &read, r->to) || read.id != MARKER_RBAC)
        return;
    rule.groups = read_values(r, &read, "groups", check_group);
    rule.resources = read_values(r, &read, "resources", check_resource);
    rule.resource_names = read_values(r, &read, "resourceNames", NULL);
    rule.urls = read_values(r, &read, "urls", check_url);
    rule.verbs = read_values(r, &read, "verbs", check_verb);
    ns = read_name(r, &read, "namespace");
    name = read_name(r, &read, "roleName");
    check_rule(r, &read, &rule, ns);
    rule.loc = read.loc;
    rbac_add(r->in, rbac_role_of(r->in, r->out, ns, name ? name : r->role_name), &rule);
}

/* ---- comments ------------------------------------------------------------------------------ */

/* Whether a line is this marker, or a slip that was meant to be. */
static bool is_meant(reader *r, const char *text)
{
    const marker_spec *spec = marker_match(text);
    const char *near = NULL;
    if (!spec && ascii_is_alpha(*text))
        near = marker_nearest(r->in, arena_strndup(r->in, text, strcspn(text, "= \t*")));
    if (!spec && near)
        spec = marker_find(near);
    return spec == &marker_specs[MARKER_RBAC];
}

static void read_line(reader *r, const comment_group *group, const comment_line *line)
{
    const diag_loc loc = {r->path, line->line, line->column};
    const char *name = marker_specs[MARKER_RBAC].name;
    const char *text = line->text;
    if (*text != '+')
        return;
    text += 1 + strspn(text + 1, " \t");
    if (!is_meant(r, text))
        return;
    r->found++;
    if (text > line->text + 1)
        diag_error(r->to, loc,
                   "a blank after the '+' makes this line plain text; did you mean '+%s'?", name);
    else if (!attach_report_unread(r->to, loc, group, line, arena_printf(r->in, "+%s", name)))
        read_rule(r, line);
}

size_t rbac_read(arena *in, const char *path, const char *text, const char *role_name,
                 rbac_roles *out, diag *to)
{
    reader r = {.in = in, .to = to, .path = path, .role_name = role_name, .out = out};
    const comments *all = comments_read(in, scan_file(in, path, text));
    for (size_t g = 0; g < all->group_len; g++) {
        for (size_t i = 0; i < all->groups[g].line_len; i++)
            read_line(&r, &all->groups[g], &all->groups[g].lines[i]);
    }
    return r.found;
}
