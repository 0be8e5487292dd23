/* SPDX-License-Identifier: Apache-2.0 */
#include "rbac_program.h"
#include "support/str.h"

#include <string.h>

static bool has(const model_texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->len; i++)
        if (strcmp(texts->items[i], text) == 0)
            return true;
    return false;
}

static bool covers(const model_texts *texts, const char *text)
{
    return has(texts, text) || has(texts, "*");
}

static const char *in_group(arena *in, const char *resource, const char *group)
{
    return *group ? arena_printf(in, "%s.%s", resource, group) : resource;
}

/* ---- more ---------------------------------------------------------------------------------- */

static bool can_use(const rbac_program *program, const char *group, const char *resource,
                    const char *verb)
{
    for (size_t i = 0; i < program->rights.len; i++) {
        const rbac_right *right = &program->rights.items[i];
        if (strcmp(right->group, group) == 0 && strcmp(right->resource, resource) == 0 &&
            covers(&right->verbs, verb))
            return true;
    }
    return false;
}

static void check_marker(const rbac_program *program, const rbac_rule *rule, diag *to)
{
    for (size_t g = 0; g < rule->groups.len; g++) {
        const char *group = rule->groups.items[g];
        for (size_t r = 0; r < rule->resources.len; r++) {
            const char *resource = rule->resources.items[r];
            str verbs = {0};
            for (size_t v = 0; v < rule->verbs.len; v++)
                if (!can_use(program, group, resource, rule->verbs.items[v]))
                    str_printf(&verbs, "%s%s", verbs.len ? ";" : "", rule->verbs.items[v]);
            if (verbs.len)
                diag_error(to, rule->loc,
                           "this asks for more than %s can use: take out verbs=%s of %s",
                           program->path, str_text(&verbs), in_group(program->in, resource, group));
            str_free(&verbs);
        }
    }
}

/* ---- less ---------------------------------------------------------------------------------- */

static bool is_asked(const rbac_roles *markers, const rbac_right *right, const char *verb)
{
    for (size_t i = 0; i < markers->len; i++) {
        const rbac_role *role = &markers->items[i];
        for (size_t n = 0; n < role->rules.len; n++) {
            const rbac_rule *rule = &role->rules.items[n];
            if (covers(&rule->groups, right->group) && covers(&rule->resources, right->resource) &&
                covers(&rule->verbs, verb))
                return true;
        }
    }
    return false;
}

/* Collects by resource what no marker asks for. */
static void collect(const rbac_program *program, const rbac_roles *markers, rbac_role *out)
{
    for (size_t i = 0; i < program->rights.len; i++) {
        const rbac_right *right = &program->rights.items[i];
        for (size_t v = 0; v < right->verbs.len; v++) {
            const char *verb = right->verbs.items[v];
            if (strcmp(right->purpose, "-") == 0 && !is_asked(markers, right, verb))
                rbac_program_add(program->in, out, right, verb, NULL);
        }
    }
    rbac_merge(program->in, out);
}

static void add_joined(str *out, const char *name, const model_texts *texts)
{
    str_printf(out, "%s=", name);
    for (size_t i = 0; i < texts->len; i++)
        str_printf(out, "%s%s", i ? ";" : "", *texts->items[i] ? texts->items[i] : "core");
}

void rbac_program_compare(const rbac_program *program, const rbac_roles *markers, diag *to)
{
    rbac_roles missing = {0};
    rbac_role *less = rbac_role_of(program->in, &missing, NULL, "");
    for (size_t i = 0; i < markers->len; i++)
        for (size_t n = 0; n < markers->items[i].rules.len; n++)
            check_marker(program, &markers->items[i].rules.items[n], to);
    collect(program, markers, less);
    for (size_t i = 0; i < less->rules.len; i++) {
        const rbac_rule *rule = &less->rules.items[i];
        str marker = {0};
        add_joined(&marker, "groups", &rule->groups);
        add_joined(&marker, ",resources", &rule->resources);
        add_joined(&marker, ",verbs", &rule->verbs);
        diag_error(to, (diag_loc){program->path, 0, 0},
                   "no marker asks for what it can use: add // +kubebuilder:rbac:%s",
                   str_text(&marker));
        str_free(&marker);
    }
    rbac_roles_free(&missing);
}
