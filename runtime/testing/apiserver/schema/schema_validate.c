/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/core/fault.h"
#include "apiserver/core/field_error.h"
#include "apiserver/value/format.h"
#include "apiserver/value/quote.h"
#include "apiserver/value/steps.h"
#include "apiserver/value/table.h"
#include "keyword.h"
#include "schema.h"

#include <string.h>

/*
 * Ratcheting: the value as it was, and the structural schema that says which old element is which.
 * What did not change is not told again. Nothing is known of a value that is new.
 */
typedef struct history {
    const kube__json *old; /* NULL = not known */
    const kube__json *structure;
} history;

static kube__api_outcome check(const kube__validator *checked, history past);

/* ---- ratcheting ----------------------------------------------------------------------------- */

static history past_member(history past, const char *key)
{
    const kube__json *properties = kube__json_get(past.structure, "properties");
    const kube__json *below = kube__json_get(properties, key);
    if (!below)
        below = kube__json_get(past.structure, "additionalProperties");
    const kube__json *old = kube__json_get(past.old, key);
    if (!old || !kube__json_is(below, KUBE__JSON_OBJECT))
        return (history){0};
    return (history){old, below};
}

static bool has_same_keys(const kube__json *keys, const kube__json *structure,
                          const kube__json *one, const kube__json *other)
{
    const kube__json *properties = kube__json_at(kube__json_get(structure, "items"), "properties");
    KUBE__JSON_EACH (key, keys) {
        const char *name = kube__json_string_or(key, "");
        const kube__json *otherwise = kube__json_get(kube__json_get(properties, name), "default");
        const kube__json *a = kube__json_get(one, name);
        const kube__json *b = kube__json_get(other, name);
        a = a ? a : otherwise;
        b = b ? b : otherwise;
        if ((a || b) && !kube__json_equal(a, b))
            return false;
    }
    return true;
}

/* The old elements of a list of type map, which alone can be told apart, by their keys. */
typedef struct old_items {
    kube__api_table by_keys; /* empty = nothing is known */
    const kube__json *keys;
    const kube__json *structure;
} old_items;

static uint64_t hash_keys(const old_items *items, const kube__json *item)
{
    const kube__json *properties =
        kube__json_at(kube__json_get(items->structure, "items"), "properties");
    uint64_t sum = 0;
    KUBE__JSON_EACH (key, items->keys) {
        const char *name = kube__json_string_or(key, "");
        const kube__json *value = kube__json_get(item, name);
        if (!value)
            value = kube__json_get(kube__json_get(properties, name), "default");
        sum = sum * 31 + kube__json_hash(value);
    }
    return sum;
}

typedef struct wanted {
    const old_items *items;
    const kube__json *item;
} wanted;

static bool is_wanted(const void *old, const void *key)
{
    const wanted *w = key;
    return has_same_keys(w->items->keys, w->items->structure, old, w->item);
}

static old_items index_old(kube_ctx *ctx, history past)
{
    old_items items = {
        .by_keys = {.ctx = ctx},
        .keys = kube__json_get(past.structure, "x-kubernetes-list-map-keys"),
        .structure = past.structure,
    };
    const char *type =
        kube__json_string_or(kube__json_get(past.structure, "x-kubernetes-list-type"), "");
    if (strcmp(type, "map") != 0 || !kube__json_is(past.old, KUBE__JSON_ARRAY))
        return items;
    KUBE__JSON_EACH (old, past.old) {
        uint64_t hash = hash_keys(&items, old);
        const wanted same = {&items, old};
        if (!kube__api_table_find(&items.by_keys, hash, is_wanted, &same))
            kube__api_table_add(&items.by_keys, hash, old);
    }
    return items;
}

static history past_item(const old_items *items, const kube__json *item)
{
    const wanted w = {items, item};
    const kube__json *old =
        items->by_keys.used
            ? kube__api_table_find(&items->by_keys, hash_keys(items, item), is_wanted, &w)
            : NULL;
    return old ? (history){old, kube__json_get(items->structure, "items")} : (history){0};
}

/* A member or an element: if it has not changed, its faults do not count. */
static void check_below(const kube__validator *checked, history past, kube__api_outcome *outcome)
{
    kube__api_outcome found = check(checked, past);
    if (found.first && past.old && kube__json_equal(past.old, checked->value))
        found.first = found.last = NULL;
    kube__api_outcome_merge(outcome, &found);
}

/* ---- schemas that are made of schemas ------------------------------------------------------- */

static kube__api_outcome check_branch(const kube__validator *checked, history past,
                                      const kube__json *branch)
{
    kube__validator inner = *checked;
    inner.schema = branch;
    return check(&inner, past);
}

static const char *quoted_path(const kube__validator *checked)
{
    return kube__api_quote(checked->ctx, checked->path);
}

static void check_any(const kube__validator *checked, history past, kube__api_outcome *outcome)
{
    const kube__json *branches = kube__json_get(checked->schema, "anyOf");
    if (!kube__json_is(branches, KUBE__JSON_ARRAY) || !branches->first)
        return;
    kube__api_outcome best = {.matches = -1};
    KUBE__JSON_EACH (branch, branches) {
        kube__api_outcome found = check_branch(checked, past, branch);
        if (!found.first) {
            kube__api_outcome_merge(outcome, &found);
            return;
        }
        if (found.matches > best.matches)
            best = found;
    }
    kube__api_outcome_add_general(checked, outcome, "%s must validate at least one schema (anyOf)",
                                  quoted_path(checked));
    kube__api_outcome_merge(outcome, &best);
}

static void check_one(const kube__validator *checked, history past, kube__api_outcome *outcome)
{
    const kube__json *branches = kube__json_get(checked->schema, "oneOf");
    if (!kube__json_is(branches, KUBE__JSON_ARRAY) || !branches->first)
        return;
    kube__api_outcome best = {.matches = -1};
    kube__api_outcome success = {0};
    size_t valid = 0;
    KUBE__JSON_EACH (branch, branches) {
        kube__api_outcome found = check_branch(checked, past, branch);
        if (!found.first) {
            if (valid++ == 0)
                success = found;
        } else if (valid == 0 && found.matches > best.matches) {
            best = found;
        }
    }
    if (valid == 1) {
        kube__api_outcome_merge(outcome, &success);
    } else if (valid == 0) {
        kube__api_outcome_add_general(
            checked, outcome, "%s must validate one and only one schema (oneOf). Found none valid",
            quoted_path(checked));
        kube__api_outcome_merge(outcome, &best);
    } else {
        kube__api_outcome_add_general(
            checked, outcome,
            "%s must validate one and only one schema (oneOf). Found %zu valid alternatives",
            quoted_path(checked), valid);
    }
}

static void check_all(const kube__validator *checked, history past, kube__api_outcome *outcome)
{
    const kube__json *branches = kube__json_get(checked->schema, "allOf");
    if (!kube__json_is(branches, KUBE__JSON_ARRAY) || !branches->first)
        return;
    size_t valid = 0;
    KUBE__JSON_EACH (branch, branches) {
        kube__api_outcome found = check_branch(checked, past, branch);
        valid += !found.first;
        kube__api_outcome_merge(outcome, &found);
    }
    if (valid < branches->len)
        kube__api_outcome_add_general(checked, outcome,
                                      "%s must validate all the schemas (allOf)%s",
                                      quoted_path(checked), valid ? "" : ". None validated");
}

static void check_compound(const kube__validator *checked, history past, kube__api_outcome *outcome)
{
    check_any(checked, past, outcome);
    check_one(checked, past, outcome);
    check_all(checked, past, outcome);
    const kube__json *not = kube__json_get(checked->schema, "not");
    if (kube__json_is(not, KUBE__JSON_OBJECT) && !check_branch(checked, past, not ).first)
        kube__api_outcome_add_general(checked, outcome, "%s must not validate the schema (not)",
                                      quoted_path(checked));
    outcome->matches++;
}

/* ---- lists and objects ---------------------------------------------------------------------- */

static void check_size(const kube__validator *checked, kube__api_outcome *outcome, const char *what,
                       const char *least, const char *most)
{
    size_t len = checked->value->len;
    int64_t bound;
    if (kube__json_to_int(kube__json_get(checked->schema, least), &bound) && (int64_t)len < bound)
        kube__api_outcome_add(checked, outcome, kube__api_text(checked->ctx, "%zu", len),
                              "%s in body should have at least %lld %s", checked->path,
                              (long long)bound, what);
    if (kube__json_to_int(kube__json_get(checked->schema, most), &bound) && (int64_t)len > bound) {
        const char *cause =
            kube__api_text(checked->ctx, "Too many: %zu: must have at most %lld item%s", len,
                           (long long)bound, bound == 1 ? "" : "s");
        kube__api_outcome_add_as(checked, outcome, "FieldValueTooMany", cause,
                                 "%s in body should have at most %lld %s", checked->path,
                                 (long long)bound, what);
    }
}

static void check_array(const kube__validator *checked, history past, kube__api_outcome *outcome)
{
    const kube__json *items = kube__json_get(checked->schema, "items");
    const kube__json *value = checked->value;
    if (kube__json_is(items, KUBE__JSON_OBJECT)) {
        const old_items known = index_old(checked->ctx, past);
        size_t index = 0;
        KUBE__JSON_EACH (item, value) {
            const char *path = kube__api_text(checked->ctx, "%s[%zu]", checked->path, index++);
            kube__validator below = {checked->ctx, items, item, path, checked->told};
            check_below(&below, past_item(&known, item), outcome);
        }
    }
    check_size(checked, outcome, "items", "minItems", "maxItems");
    outcome->matches++;
}

static void check_member(const kube__validator *checked, history past, const kube__json *member,
                         const kube__json *schema, kube__api_outcome *outcome)
{
    bool is_type_meta = !checked->path[0] && (strcmp(member->key, "kind") == 0 ||
                                              strcmp(member->key, "apiVersion") == 0);
    const char *path = checked->path[0]
                           ? kube__api_text(checked->ctx, "%s.%s", checked->path, member->key)
                           : member->key;
    kube__validator below = {checked->ctx, schema, member, path, checked->told};
    check_below(&below, is_type_meta ? (history){0} : past_member(past, member->key), outcome);
}

static void check_required(const kube__validator *checked, kube__api_outcome *outcome)
{
    KUBE__JSON_EACH (name, kube__json_get(checked->schema, "required")) {
        if (name->kind != KUBE__JSON_STRING || kube__json_get(checked->value, name->text))
            continue;
        const char *path = checked->path[0]
                               ? kube__api_text(checked->ctx, "%s.%s", checked->path, name->text)
                               : name->text;
        kube__validator at = *checked;
        at.path = path;
        kube__api_outcome_add_as(&at, outcome, "FieldValueRequired", "Required value",
                                 "%s in body is required", at.path);
    }
}

static void check_object(const kube__validator *checked, history past, kube__api_outcome *outcome)
{
    const kube__json *properties = kube__json_get(checked->schema, "properties");
    const kube__json *additional = kube__json_get(checked->schema, "additionalProperties");
    check_size(checked, outcome, "properties", "minProperties", "maxProperties");
    KUBE__JSON_EACH (member, checked->value) {
        const kube__json *known = kube__json_get(properties, member->key);
        if (!known && kube__json_is(additional, KUBE__JSON_OBJECT))
            check_member(checked, past, member, additional, outcome);
        else if (!known && kube__json_is(additional, KUBE__JSON_BOOL) && !additional->boolean)
            kube__api_outcome_add(checked, outcome, kube__api_quote(checked->ctx, member->key),
                                  "%s.%s in body is a forbidden property", checked->path,
                                  member->key);
    }
    KUBE__JSON_EACH (property, properties) {
        const kube__json *member = kube__json_get(checked->value, property->key);
        if (member)
            check_member(checked, past, member, property, outcome);
    }
    check_required(checked, outcome);
}

/* ---- one value ------------------------------------------------------------------------------ */

static kube__api_outcome check(const kube__validator *checked, history past)
{
    kube__api_outcome outcome = {0};
    const kube__json *value = checked->value;
    if (!kube__api_take_steps(16))
        return outcome;
    if (value->kind == KUBE__JSON_NULL) {
        kube__validate_type(checked, &outcome);
        kube__validate_enum(checked, &outcome);
        return outcome;
    }
    const char *format = kube__keyword_format(checked);
    int parts = 3; /* compounds, enum and the whole always count */
    if (format || kube__keyword_type(checked)[0]) {
        kube__validate_type(checked, &outcome);
        parts++;
    }
    check_compound(checked, past, &outcome);
    if (value->kind == KUBE__JSON_STRING) {
        kube__validate_string(checked, &outcome);
        parts++;
        if (format && kube__api_format_known(format)) {
            kube__validate_format(checked, &outcome);
            parts++;
        }
    } else if (value->kind == KUBE__JSON_NUMBER) {
        kube__validate_number(checked, &outcome);
        parts++;
    } else if (value->kind == KUBE__JSON_ARRAY) {
        check_array(checked, past, &outcome);
        parts++;
    }
    kube__validate_enum(checked, &outcome);
    if (value->kind == KUBE__JSON_OBJECT) {
        check_object(checked, past, &outcome);
        parts++;
    }
    outcome.matches += parts;
    return outcome;
}

static void add_causes(kube_ctx *ctx, const kube__api_outcome *outcome, const char *prefix,
                       kube__api_causes *causes)
{
    kube__api_table told_before = {.ctx = ctx};
    for (const kube__api_fault_found *fault = outcome->first; fault; fault = fault->next) {
        if (kube__api_table_has_text(&told_before, fault->text))
            continue;
        const char *field = prefix[0] ? prefix : "<nil>";
        if (fault->reason && fault->path[0] && prefix[0])
            field = kube__api_text(ctx, "%s.%s", prefix, fault->path);
        else if (fault->reason && fault->path[0])
            field = fault->path;
        kube__api_add_cause(causes, fault->reason ? fault->reason : "FieldValueInvalid", field,
                            "%s", fault->cause);
    }
}

/* Rules are not evaluated on an object that is wrong in a way which could make them fail. */
static bool blocks_rules(const kube__api_cause *cause)
{
    static const char *const reasons[] = {"FieldValueNotSupported", "FieldValueRequired",
                                          "FieldValueTooLong",      "FieldValueTooMany",
                                          "FieldValueTypeInvalid",  NULL};
    return cause->reason && kube__api_is_one_of(cause->reason, reasons);
}

static void note_rules(const kube__api_schema *schema, kube__api_causes *causes, bool *has_rules)
{
    if (!schema->has_rules)
        return;
    for (const kube__api_cause *cause = causes->first; cause; cause = cause->next) {
        if (blocks_rules(cause)) {
            kube__api_cause_invalid(causes, "<nil>", NULL,
                                    "some validation rules were not checked because the object was "
                                    "invalid; correct the existing errors to complete validation");
            return;
        }
    }
    if (has_rules)
        *has_rules = true;
}

static void check_structure(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *object,
                            const kube__json *old, kube__api_causes *causes)
{
    kube__api_causes before = {.ctx = ctx};
    kube__validate_embedded(ctx, schema, object, causes);
    if (old)
        kube__validate_lists(ctx, schema, old, &before);
    if (before.count == 0)
        kube__validate_lists(ctx, schema, object, causes);
}

void kube__api_schema_validate(kube_ctx *ctx, const kube__api_schema *schema,
                               const kube__json *object, const kube__json *old,
                               kube__api_causes *causes, bool *has_rules)
{
    if (has_rules)
        *has_rules = false;
    if (!schema || !object || schema->builtin)
        return;
    size_t told = 0;
    kube__validator checked = {ctx, schema->source, object, "", &told};
    kube__api_outcome outcome = {0};
    check_below(&checked, (history){old, schema->source}, &outcome);
    add_causes(ctx, &outcome, "", causes);
    check_structure(ctx, schema, object, old, causes);
    note_rules(schema, causes, has_rules);
}

void kube__api_schema_validate_status(kube_ctx *ctx, const kube__api_schema *schema,
                                      const kube__json *object, const kube__json *old,
                                      kube__api_causes *causes, bool *has_rules)
{
    if (has_rules)
        *has_rules = false;
    if (!schema || !object || schema->builtin)
        return;
    const kube__json *source =
        kube__json_get(kube__json_get(schema->source, "properties"), "status");
    const kube__json *status = kube__json_get(object, "status");
    if (source && status) {
        size_t told = 0;
        kube__validator checked = {ctx, source, status, "", &told};
        kube__api_outcome outcome = {0};
        check_below(&checked, (history){kube__json_get(old, "status"), source}, &outcome);
        add_causes(ctx, &outcome, "status", causes);
    }
    check_structure(ctx, schema, object, old, causes);
    note_rules(schema, causes, has_rules);
}

void kube__api_schema_validate_at(kube_ctx *ctx, const kube__json *open_api,
                                  const kube__json *value, const char *path,
                                  kube__api_causes *causes)
{
    size_t told = 0;
    kube__validator checked = {ctx, open_api, value, "", &told};
    kube__api_outcome outcome = check(&checked, (history){0});
    add_causes(ctx, &outcome, path, causes);
}
