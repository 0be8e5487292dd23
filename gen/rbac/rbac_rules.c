/* SPDX-License-Identifier: Apache-2.0 */
#include "rbac_rules.h"

#include "support/str.h"
#include "support/text_list.h"
#include "support/text_map.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PART_COUNT = 5 };

/* The parts of a rule in the order in which rules are sorted; verbs come last. */
static model_texts *part(rbac_rule *rule, size_t index)
{
    model_texts *parts[PART_COUNT] = {&rule->groups, &rule->resources, &rule->resource_names,
                                      &rule->urls, &rule->verbs};
    return parts[index];
}

enum { GROUPS = 0, RESOURCES = 1, URLS = 3, VERBS = 4 };

/* ---- sets of texts ------------------------------------------------------------------------- */

static model_texts join(arena *in, const model_texts *a, const model_texts *b)
{
    model_texts joined;
    text_list all = {0};
    for (size_t i = 0; i < a->len; i++)
        *VEC_ADD(&all) = a->items[i];
    for (size_t i = 0; i < b->len; i++)
        *VEC_ADD(&all) = b->items[i];
    text_list_sort(&all);
    joined.len = all.len;
    joined.items = VEC_KEEP(in, &all);
    return joined;
}

static int compare_sets(const model_texts *a, const model_texts *b)
{
    for (size_t i = 0; i < a->len && i < b->len; i++) {
        int order = strcmp(a->items[i], b->items[i]);
        if (order)
            return order;
    }
    return (a->len > b->len) - (a->len < b->len);
}

static void set_single(arena *in, model_texts *set, const char *text)
{
    set->items = arena_copy(in, &text, sizeof text);
    set->len = 1;
}

/* ---- roles --------------------------------------------------------------------------------- */

rbac_role *rbac_role_of(arena *in, rbac_roles *roles, const char *ns, const char *name)
{
    const char *key = arena_printf(in, "%s\1%s", ns ? ns : "\2", name);
    void **index = text_map_at(&roles->known, in, key); /* counted from one */
    if (!*index) {
        rbac_role *role = VEC_ADD(roles);
        role->name = name;
        role->namespace_ = ns;
        *index = (void *)(uintptr_t)roles->len;
    }
    return &roles->items[(uintptr_t)*index - 1];
}

void rbac_roles_free(rbac_roles *roles)
{
    for (size_t i = 0; i < roles->len; i++)
        free(roles->items[i].rules.items);
    free(roles->items);
}

/* ---- rules --------------------------------------------------------------------------------- */

void rbac_add(arena *in, rbac_role *to, const rbac_rule *rule)
{
    static const model_texts none = {0};
    rbac_rule sorted = *rule;
    rbac_rule *added;
    for (size_t i = 0; i < PART_COUNT; i++)
        *part(&sorted, i) = join(in, part(&sorted, i), &none);
    for (size_t i = 0; i < sorted.resources.len || i == 0; i++) {
        added = VEC_ADD(&to->rules);
        *added = sorted;
        if (sorted.resources.len)
            set_single(in, &added->resources, sorted.resources.items[i]);
    }
}

/* All parts but one as one text; no value has control characters. */
static const char *key_but(arena *in, rbac_rule *rule, size_t but)
{
    const char *key;
    str text = {0};
    for (size_t i = 0; i < PART_COUNT; i++) {
        for (size_t n = 0; i != but && n < part(rule, i)->len; n++)
            str_printf(&text, "\1%s", part(rule, i)->items[n]);
        str_add_char(&text, '\2');
    }
    key = arena_strdup(in, str_text(&text));
    str_free(&text);
    return key;
}

typedef struct merged {
    rbac_rule rule;
    text_list values; /* of the part that differs */
} merged;

/* Makes one of all rules that differ in a single part. */
static void merge_part(arena *in, rbac_role *role, size_t which)
{
    static const model_texts none = {0};
    merged *kept = arena_alloc(in, role->rules.len * sizeof *kept);
    text_map known = {0};
    size_t len = 0;
    for (size_t i = 0; i < role->rules.len; i++) {
        rbac_rule *rule = &role->rules.items[i];
        merged **same = (merged **)text_map_at(&known, in, key_but(in, rule, which));
        if (!*same) {
            *same = &kept[len++];
            (*same)->rule = *rule;
        }
        for (size_t n = 0; n < part(rule, which)->len; n++)
            *VEC_ADD(&(*same)->values) = part(rule, which)->items[n];
    }
    for (size_t i = 0; i < len; i++) {
        model_texts all = {kept[i].values.items, kept[i].values.len};
        role->rules.items[i] = kept[i].rule;
        *part(&role->rules.items[i], which) = join(in, &all, &none);
        free(kept[i].values.items);
    }
    role->rules.len = len;
}

static int compare_rules(const void *left, const void *right)
{
    rbac_rule a = *(const rbac_rule *)left;
    rbac_rule b = *(const rbac_rule *)right;
    int order = 0;
    for (size_t i = 0; i < PART_COUNT && !order; i++)
        order = compare_sets(part(&a, i), part(&b, i));
    return order;
}

static void swallow_verbs(arena *in, rbac_rule *rule)
{
    for (size_t i = 0; i < rule->verbs.len; i++) {
        if (strcmp(rule->verbs.items[i], "*") == 0) {
            set_single(in, &rule->verbs, "*");
            return;
        }
    }
}

void rbac_merge(arena *in, rbac_role *role)
{
    static const size_t order[] = {VERBS, RESOURCES, GROUPS, URLS};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        merge_part(in, role, order[i]);
    if (role->rules.len > 1)
        qsort(role->rules.items, role->rules.len, sizeof *role->rules.items, compare_rules);
    for (size_t i = 0; i < role->rules.len; i++)
        swallow_verbs(in, &role->rules.items[i]);
}
